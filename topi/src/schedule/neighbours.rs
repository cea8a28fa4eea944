//! What neighbouring threads read together on a GPU: memory moves sectors, and a thread moves a vector by one instruction.

use super::{
    accesses::{self, Access},
    cost::sectors::SECTOR_BYTES,
    stage::Stage,
};
use relay_dialects::ir::Value;
use relay_machine::Gpu;
use std::collections::{HashMap, HashSet};

/// Whether `lanes` neighbours along the last dimension of a stage read vectors: of each tensor as many neighbours, from a multiple of
/// `lanes` on, or one element.
pub fn are_vectors(stage: Stage, inlined: &[Stage], lanes: i64) -> bool {
    let shape = stage.shape();
    let Some(last) = shape.len().checked_sub(1) else {
        return false;
    };
    let mut at = accesses::indices(&shape, shape.iter().product::<i64>() / 2);
    at[last] -= at[last] % lanes;
    let first = accesses::of(stage, inlined, &at);
    (1..lanes).all(|lane| {
        let mut at = at.clone();
        at[last] += lane;
        let others = accesses::of(stage, inlined, &at);
        let pairs = || first.iter().zip(&others);
        others.len() == first.len() && pairs().all(|(a, b)| is_neighbour(a, b, lane, lanes))
    })
}

/// Whether a read is of the element `lane` places behind another one in a vector, or of the same element.
fn is_neighbour(first: &Access, other: &Access, lane: i64, lanes: i64) -> bool {
    if first.read != other.read || first.place().is_none() {
        return false;
    }
    if first.subscripts == other.subscripts {
        return true;
    }
    let (Some((last, outer)), Some((other_last, other_outer))) =
        (first.subscripts.split_last(), other.subscripts.split_last())
    else {
        return false;
    };
    let row = first.shape().last().copied().unwrap_or(1);
    outer == other_outer
        && last.map(|last| last + lane) == *other_last
        && last.is_some_and(|last| last % lanes == 0)
        && row % lanes == 0
}

/// The bytes that memory moves for what a warp reads / the bytes that it reads, each of these once: for threads that have neighbouring
/// elements.
pub fn overhead(stage: Stage, inlined: &[Stage], gpu: Gpu) -> f64 {
    let shape = stage.shape();
    let elements: i64 = shape.iter().product();
    let warp = gpu.warp.clamp(1, elements.max(1));
    let begin = elements / 2 / warp * warp;
    let mut tensors: HashMap<Value, [HashSet<i64>; 2]> = HashMap::new();
    let mut bytes_of: HashMap<Value, i64> = HashMap::new();
    for place in begin..(begin + warp).min(elements) {
        for access in accesses::of(stage, inlined, &accesses::indices(&shape, place)) {
            let (tensor, bytes) = (access.read.operand(0), access.bytes());
            let [read, sectors] = tensors.entry(tensor).or_default();
            // Where data decides, an element has no neighbour.
            let place = access.place().unwrap_or(read.len() as i64 * SECTOR_BYTES);
            read.insert(place);
            sectors.insert(place * bytes / SECTOR_BYTES);
            bytes_of.insert(tensor, bytes);
        }
    }
    let (mut needed, mut moved) = (0, 0);
    for (tensor, [read, sectors]) in tensors {
        needed += (read.len() as i64 * bytes_of[&tensor]).max(SECTOR_BYTES);
        moved += sectors.len() as i64 * SECTOR_BYTES;
    }
    (moved as f64 / needed.max(1) as f64).max(1.0)
}
