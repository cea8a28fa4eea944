//! Stages on their own: elementwise, moving data, simple reductions, pools.

use super::{Machine, Stage, columns, cost::lanes_of_row, rows_first};
use crate::window::PAD;
use relay_dialects::{ir::Value, te::build::ScheduleBuilder, tir::Scope};

/// The outer axes, up to `keep` inner ones, as one parallel loop if there is enough to do.
fn share(s: &ScheduleBuilder, stage: Stage, axes: &[Value], keep: usize) {
    let outer = &axes[..axes.len().saturating_sub(keep)];
    if outer.is_empty() || !stage.is_worth_sharing() {
        return;
    }
    s.parallel(s.fuse(outer));
}

/// A stage computed before its readers.
pub fn root(s: &ScheduleBuilder, stage: Stage, machine: Machine) {
    let handle = s.stage(stage.tensor());
    let shape = stage.shape();
    let mut axes = s.axes(handle, stage.axes());
    let Some(&inner) = shape.last() else { return };
    let packed = inner == machine.block() || inner == machine.block() / 2;
    if packed && shape.len() == 5 && shape[2] > 1 {
        rows_first(&mut axes);
        s.reorder(&axes);
    }
    // A row is the last dimension that has more than one element.
    let ones = shape.iter().rev().take_while(|dim| **dim == 1).count();
    let row = shape.len() - 1 - ones.min(shape.len() - 1);
    let is_plain = !stage.reduces() && stage.op.result_count() == 1;
    if is_plain && packed && shape.len() == 5 && stage.name() == PAD {
        // Whether a pixel is inside is asked for along a row; to find row and column of each takes longer than to
        // move it.
        s.vectorize(axes[4]);
        return share(s, stage, &axes, 2);
    } else if is_plain && packed {
        s.vectorize(axes[shape.len() - 1]);
    } else if is_plain
        && stage.computes_functions()
        && let Some(lanes) = lanes_of_row(shape[row], stage.bytes(), machine)
    {
        let (outer, lane) = s.split(axes[row], lanes);
        s.vectorize(lane);
        if shape[..row].iter().all(|dim| *dim == 1) && stage.is_worth_sharing() {
            s.parallel(outer);
            return;
        }
    }
    // Other rows are LLVM's to vectorise: it sees which accesses are contiguous after fusion. It takes
    // half of what AVX-512 has, which moves data as fast.
    share(s, stage, &axes[..row + 1], 1);
}

/// A reduction over windows: on packed channels, each vector of the result in a register.
pub fn pool(s: &ScheduleBuilder, stage: Stage, machine: Machine) {
    let shape = stage.shape();
    if shape.len() != 5 || (shape[4] != machine.block() && shape[4] != machine.block() / 2) {
        return columns::schedule(s, stage, machine);
    }
    let handle = s.stage(stage.tensor());
    let cache = s.cache_write(handle, Scope::Local);
    let mut axes = s.axes(handle, 5);
    rows_first(&mut axes);
    s.reorder(&axes);
    s.vectorize(axes[4]);
    s.compute_at(cache, handle, axes[3]);
    share(s, stage, &axes, 2);
    let axes = s.axes(cache, stage.axes());
    let order: Vec<Value> = axes[5..].iter().chain([&axes[4]]).copied().collect();
    s.reorder(&order);
    s.vectorize(axes[4]);
}
