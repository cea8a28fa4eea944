//! The part of a product's second operand that a tile of columns reads. It is made once for all rows, in the
//! thread's workspace, where it is of narrow floats or its rows lie far apart.

use super::{
    Machine, Stage,
    cost::{layout::ROWS_OF_COPY, sizes::planned_shape},
    stage::Read,
};
use relay_dialects::{
    ir::{Op, Value},
    ops::tensor,
    te::{Role, build::ScheduleBuilder},
    tir::Scope,
};

/// The product whose second operand a stage widens, if it has enough rows.
fn product(stage: Stage) -> Option<Stage> {
    let [product] = stage.readers()[..] else {
        return None;
    };
    let shape = product.shape();
    let is_product = product.is(Role::Matmul) || product.is(Role::PackedDense);
    let is_second = || stage.reads().iter().all(|read| read.follows_last_axis());
    let many = || shape[shape.len() - 2] >= ROWS_OF_COPY;
    (stage.is(Role::Widen) && is_product && is_second() && many()).then_some(product)
}

/// Whether a stage is scheduled with the product that reads it.
pub fn is_panel(stage: Stage) -> bool {
    product(stage).is_some()
}

/// What widens the second operand of a product, and is scheduled with it.
pub fn of_product(of: Stage) -> impl Iterator<Item = Stage> {
    let producers = of.producers().into_iter();
    producers.filter(move |stage| product(*stage) == Some(of))
}

/// Schedules what widens the second operand of a product: in the loop `axis` over tiles of columns of the
/// stage `result`, in vectors of `lanes`.
pub fn widen(s: &ScheduleBuilder, of: Stage, (result, axis): (Value, Value), lanes: i64) {
    for stage in of_product(of) {
        let handle = s.stage(stage.tensor());
        s.compute_at(handle, result, axis);
        let axes = s.axes(handle, stage.axes());
        let (_, lane) = s.split(axes[stage.axes() - 1], lanes);
        s.vectorize(lane);
    }
}

/// Widens the second operand of a product where each vector of it is read.
pub fn inline(s: &ScheduleBuilder, of: Stage) {
    of_product(of).for_each(|stage| s.compute_inline(s.stage(stage.tensor())));
}

/// The second operand of a product, if it is an argument whose rows are worth copying together: a small one
/// stays in the first cache, however they lie.
pub fn scattered_operand(product: Stage, machine: Machine) -> Option<Value> {
    let mut operand = None;
    product.op.walk(|op: Op| {
        let is_argument = || op.operand(0).def().is_none();
        let read = Read {
            op,
            reader: product,
        };
        if op.is(tensor::Extract::NAME) && is_argument() && read.follows_last_axis() {
            operand = Some(op.operand(0));
        }
    });
    operand.filter(|operand| {
        let (shape, bytes) = (
            planned_shape(product.op, *operand),
            operand.ty().element().byte_width() as i64,
        );
        bytes * shape[shape.len() - 2..].iter().product::<i64>() > machine.near_bytes()
    })
}

/// Copies what the stage `reader` reads of a product's second operand, in the loop `at` over tiles of columns
/// of the stage `result`, in vectors of `lanes`.
pub fn copy(
    s: &ScheduleBuilder,
    operand: Value,
    reader: Value,
    (result, axis): (Value, Value),
    lanes: i64,
) {
    let copy = s.cache_read(operand, &[reader], Scope::Local);
    s.compute_at(copy, result, axis);
    let rank = operand.ty().shape().len();
    let (_, lane) = s.split(s.axes(copy, rank)[rank - 1], lanes);
    s.vectorize(lane);
}
