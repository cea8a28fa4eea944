//! Convolutions on plain channels: grouped ones, transposed ones, those of one and three dimensions.

use super::{
    Machine, Stage, accumulator,
    cost::{self, lanes_of_row},
    injective,
};
use relay_dialects::{ir::Value, te::build::ScheduleBuilder};

/// Vectors of a row in a tile: more leave registers for fewer than six channels.
const MOST_VECTORS: i64 = 4;

/// The result [n, channels, space.., x]: a tile of channels, or of rows where channels share no
/// data, by vectors along x in registers. `depthwise` tells whether they share none.
fn tile(s: &ScheduleBuilder, conv: Stage, last: Stage, machine: Machine, depthwise: bool) {
    let shape = conv.shape();
    let rank = shape.len();
    let width = shape[rank - 1];
    let Some(lanes) = lanes_of_row(width, conv.bytes(), machine) else {
        if conv != last {
            injective::root(s, conv, machine);
        }
        return injective::root(s, last, machine);
    };
    // Channels share the data, rows of one channel the weight.
    let (axis, extent) = if depthwise && rank > 3 {
        (rank - 2, shape[rank - 2])
    } else {
        (1, conv.channels_of_group())
    };
    let count = (1..=6).rev().find(|count| extent % count == 0).unwrap_or(1);
    let most = (machine.registers - 4) / (count + 1);
    let vectors = cost::vectors_along(width, lanes, most.clamp(1, MOST_VECTORS));
    let (accumulator, result) = accumulator(s, conv, last);
    let axes = s.axes(result, rank);
    let (outer, inner) = s.split(axes[axis], count);
    let (column, wide) = s.split(axes[rank - 1], vectors * lanes);
    let (vector, lane) = s.split(wide, lanes);
    let mut order: Vec<Value> = axes[..rank - 1].to_vec();
    order[axis] = outer;
    // Threads share what lies outside of the tiled axis; it too, which its tile divides.
    let shared = order.clone();
    order.extend([column, inner, vector, lane]);
    s.reorder(&order);
    s.unroll(inner);
    s.unroll(vector);
    s.vectorize(lane);
    s.compute_at(accumulator, result, column);
    let rows = s.fuse(&shared);
    if conv.is_worth_sharing_tiles(lanes) {
        s.parallel(rows);
    }

    let axes = s.axes(accumulator, conv.axes());
    let (vector, lane) = s.split(axes[rank - 1], lanes);
    let mut order: Vec<Value> = axes[rank..].to_vec();
    order.extend([axes[axis], vector, lane]);
    s.reorder(&order);
    s.unroll(axes[axis]);
    s.unroll(vector);
    s.vectorize(lane);
}

/// Reduce axes: channels of a group, then the window.
pub fn grouped(s: &ScheduleBuilder, conv: Stage, last: Stage, machine: Machine) {
    tile(s, conv, last, machine, false);
}

/// As [`grouped`], with one channel to a group.
pub fn depthwise(s: &ScheduleBuilder, conv: Stage, last: Stage, machine: Machine) {
    tile(s, conv, last, machine, true);
}
