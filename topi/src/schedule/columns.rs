//! Reductions of what lies apart, for elements of the result that lie together: sums of columns, pools
//! of lines. A tile of the result is in registers, in vectors along the last dimension.

use super::{Machine, Stage, injective, lanes_of_row, waste};
use crate::pool;
use relay_dialects::{
    ir::{Op, Value},
    te::build::ScheduleBuilder,
};

/// More vectors than this at a time neither wait less for each other nor read longer lines.
const MOST_VECTORS: i64 = 8;

/// The last dimension of more than one element.
fn last_dim(shape: &[i64]) -> Option<usize> {
    (0..shape.len()).rev().find(|dim| shape[*dim] != 1)
}

/// Whether neighbours in the last dimension of a reduction read what lies together.
pub fn applies(stage: Stage) -> bool {
    let Some(dim) = last_dim(&stage.shape()) else {
        return false;
    };
    if !stage.reduces() {
        return false;
    }
    let along = stage.op.body().args()[dim];
    let mut reads = false;
    stage.op.walk(|op: Op| {
        if op.is("tensor.extract") {
            let last = last_dim(&op.operand(0).ty().shape());
            reads |= last.is_some_and(|dim| op.operand(1 + dim) == along);
        }
    });
    reads || stage.tag() == pool::TAG
}

/// The schedule of a stage that [`applies`].
pub fn schedule(s: &ScheduleBuilder, stage: Stage, machine: Machine) {
    let shape = stage.shape();
    let tile = last_dim(&shape).and_then(|dim| Some((dim, lanes_of_row(shape[dim], machine)?)));
    let Some((dim, lanes)) = tile else {
        return injective::root(s, stage, machine);
    };
    // A tuple has an accumulator for each of its parts, some of two registers.
    let most = MOST_VECTORS / stage.op.result_count().max(1) as i64;
    let fits = |vectors: &i64| waste(shape[dim], vectors * lanes) <= 1.15;
    let vectors = (1..=most.min(shape[dim] / lanes)).rev().find(fits);
    let vectors = vectors.unwrap_or(1);
    let handle = s.stage(stage.tensor());
    let cache = s.cache_write(handle, "local");
    let axes = s.axes(handle, shape.len());
    let (outer, wide) = s.split(axes[dim], vectors * lanes);
    let (vector, lane) = s.split(wide, lanes);
    s.unroll(vector);
    s.vectorize(lane);
    // A last tile that is shifted inwards must not be another thread's.
    let is_whole = shape[dim] % (vectors * lanes) == 0;
    let mut shared = axes[..dim].to_vec();
    shared.extend(is_whole.then_some(outer));
    let mut tile = outer;
    if stage.is_worth_sharing() && !shared.is_empty() {
        let fused = s.fuse(&shared);
        s.parallel(fused);
        tile = if is_whole { fused } else { outer };
    }
    s.compute_at(cache, handle, tile);
    let axes = s.axes(cache, stage.axes());
    let (vector, lane) = s.split(axes[dim], lanes);
    let mut order: Vec<Value> = axes[shape.len()..].to_vec();
    order.extend([vector, lane]);
    s.reorder(&order);
    s.unroll(vector);
    s.vectorize(lane);
}
