//! Reductions of what lies apart, for elements of the result that lie together: sums of columns, pools
//! of lines. A tile of the result is in registers, in vectors along the last dimension.

use super::{
    Machine, Stage,
    cost::{self, lanes_of_row, rows::most_sums},
    injective,
    parts::{self, Reduction},
};
use crate::pool;
use relay_dialects::{
    ir::{Op, Value},
    te::build::ScheduleBuilder,
    tir::Scope,
};

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
    let tile = last_dim(&shape)
        .and_then(|dim| Some((dim, lanes_of_row(shape[dim], stage.bytes(), machine)?)));
    let Some((dim, lanes)) = tile else {
        return injective::root(s, stage, machine);
    };
    let most = most_sums(stage.op.result_count() as i64, machine);
    let vectors = cost::vectors_along(shape[dim], lanes, most);
    let tiles = shape.iter().product::<i64>() / (vectors * lanes);
    if parts::applies(stage, tiles, machine) {
        return in_parts(
            s,
            stage,
            Tile {
                dim,
                vectors,
                lanes,
            },
            machine,
        );
    }
    let handle = s.stage(stage.tensor());
    let cache = s.cache_write(handle, Scope::Local);
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

/// The elements of the result that are computed together.
struct Tile {
    /// Along this dimension.
    dim: usize,
    vectors: i64,
    lanes: i64,
}

/// The reduction in parts that threads share. As many sums are in registers as hide what adding to one
/// takes, each of some of the rows.
fn in_parts(s: &ScheduleBuilder, stage: Stage, tile: Tile, machine: Machine) {
    let part = Reduction::of(stage, s.stage(stage.tensor())).parts(s);
    // The dimensions of the parts and of the sums are before those of the result.
    let (rank, count) = (part.rank, part.rank + part.reduce.len());
    let (most, vectors) = (most_sums(part.results, machine), tile.vectors);
    let longest = (rank..count).max_by_key(|axis| part.reduce[*axis - rank]);
    let axis = longest.unwrap_or(count - 1);
    let sums = (most / vectors).clamp(1, part.reduce[axis - rank]);
    let (_, sum) = s.split(part.axes(s)[axis], sums);
    let sums = s.rfactor(part.handle, sum, 0);
    s.set_scope(sums, Scope::Local);
    let axes = s.axes(part.handle, rank + 1);
    let (outer, wide) = s.split(axes[1 + tile.dim], vectors * tile.lanes);
    let (vector, lane) = s.split(wide, tile.lanes);
    s.reorder(&[axes[rank], vector, lane]);
    s.unroll(axes[rank]);
    s.unroll(vector);
    s.vectorize(lane);
    let shared = s.fuse(&axes[..1 + tile.dim]);
    s.parallel(shared);
    s.compute_at(sums, part.handle, outer);
    let axes = s.axes(sums, count + 1);
    let (vector, lane) = s.split(axes[2 + tile.dim], tile.lanes);
    let mut order: Vec<Value> = axes[rank + 1..].to_vec();
    order.extend([axes[0], vector, lane]);
    s.reorder(&order);
    s.unroll(axes[0]);
    s.unroll(vector);
    s.vectorize(lane);
}
