//! The second operand of a product of narrow floats: the part that a tile of columns reads is widened once,
//! into the thread's workspace, for all rows.

use super::Stage;
use crate::{
    precision::WIDEN,
    product::{DENSE_PACK, MATMUL},
};
use relay_dialects::{ir::Value, te::build::ScheduleBuilder};

/// Of fewer rows, each vector is used so seldom that it is widened as it is read.
const MIN_ROWS: i64 = 32;

/// The product whose second operand a stage widens, if it has enough rows.
fn product(stage: Stage) -> Option<Stage> {
    let [product] = stage.readers()[..] else {
        return None;
    };
    let shape = product.shape();
    let is_product = [MATMUL, DENSE_PACK].contains(&product.tag().as_str());
    let is_second = || stage.reads().iter().all(|read| read.follows_last_axis());
    let many = || shape[shape.len() - 2] >= MIN_ROWS;
    (stage.name() == WIDEN && is_product && is_second() && many()).then_some(product)
}

/// Whether a stage is scheduled with the product that reads it.
pub fn is_panel(stage: Stage) -> bool {
    product(stage).is_some()
}

/// Schedules what widens the second operand of a product: in the loop `at` of tiles of columns of the
/// stage `result`, in vectors of `lanes`; without such a loop, where it is read.
pub fn widen(s: &ScheduleBuilder, of: Stage, at: Option<(Value, Value)>, lanes: i64) {
    for stage in of.producers() {
        if product(stage) != Some(of) {
            continue;
        }
        let handle = s.stage(stage.tensor());
        let Some((result, axis)) = at else {
            s.compute_inline(handle);
            continue;
        };
        s.compute_at(handle, result, axis);
        let axes = s.axes(handle, stage.axes());
        let (_, lane) = s.split(axes[stage.axes() - 1], lanes);
        s.vectorize(lane);
    }
}
