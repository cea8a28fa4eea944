//! Which stages become part of the expressions that read them.

use super::{
    cost::{MOST_INLINED, MOST_MOVES, memory::Element},
    stage::{Read, Stage, is_function},
};
use relay_dialects::{
    ir::{Op, Value},
    ops::arith,
    te::Role,
};
use std::collections::HashSet;

/// The way from a stage in memory to an element of an inlined one: the reads that change the index.
type Way = Vec<Op>;

/// The stages to inline: they do not reduce, are not returned or read by a loop program, and computing their elements
/// where they are read costs no more than a few evaluations.
pub fn choose(stages: &[Stage], returned: &[Value]) -> Vec<Stage> {
    choose_but(stages, returned, is_windowed)
}

/// Likewise, but for stages that are `computed_once`.
pub fn choose_but(
    stages: &[Stage],
    returned: &[Value],
    computed_once: impl Fn(Stage) -> bool,
) -> Vec<Stage> {
    let mut inlined: Vec<(Stage, HashSet<Way>)> = Vec::new();
    for &stage in stages.iter().rev() {
        let is_returned = |tensor: &Value| returned.contains(tensor);
        let is_whole = stage.op.results().iter().any(is_returned) || stage.is_read_whole();
        if stage.reduces() || is_whole || computed_once(stage) {
            continue;
        }
        if let Some(ways) = ways(stage, &inlined) {
            inlined.push((stage, ways));
        }
    }
    inlined.into_iter().map(|(stage, _)| stage).collect()
}

/// Whether computing the stage once pays: a reduction reads it, and is not its only reader or reads
/// its elements more than once, which takes more than the load of a word.
fn is_windowed(stage: Stage) -> bool {
    let elements: i64 = stage.shape().iter().product();
    if stage.is(Role::Words) {
        return false;
    }
    // What an operator of the same kernel computes is not narrow before it is widened.
    if stage.is(Role::Widen) && stage.producers().is_empty() {
        return is_widened_apart(stage, elements);
    }
    let readers = stage.readers();
    let mut reductions = readers.iter().filter(|reader| reader.reduces());
    reductions.any(|reduction| readers.len() > 1 || reduction.work() > elements)
}

/// Whether a stage that widens is computed once. A vector is widened in two instructions wherever it is
/// read; a number that all lanes of a vector share takes as many, which a product has no time for.
fn is_widened_apart(stage: Stage, elements: i64) -> bool {
    let mut reads = stage.reads().into_iter();
    reads.any(|read| {
        read.reader.reduces()
            && read.reader.work() > elements
            && !read.follows_last_axis()
            && !read.is_row_of_dots()
    })
}

/// The elements of `stage` that one evaluation of a stage in memory needs, if they are few.
fn ways(stage: Stage, inlined: &[(Stage, HashSet<Way>)]) -> Option<HashSet<Way>> {
    let mut ways = HashSet::new();
    for read in stage.reads() {
        match inlined.iter().find(|(reader, _)| *reader == read.reader) {
            Some((_, to_reader)) => ways.extend(to_reader.iter().map(|way| extend(way, read))),
            None => ways.extend([extend(&Way::new(), read)]),
        }
        if ways.len() > MOST_INLINED || ways.iter().any(|way| way.len() > MOST_MOVES) {
            return None;
        }
    }
    Some(ways)
}

fn extend(way: &Way, read: Read) -> Way {
    let mut way = way.clone();
    if !read.is_pointwise() {
        way.push(read.op);
    }
    way
}

/// What it takes to compute an element of a stage, with those of the inlined stages that it reads, each of these once.
pub fn element(stage: Stage, inlined: &[Stage]) -> Element {
    let mut found = Element::default();
    for part in with_inlined(stage, inlined) {
        part.op.walk(|op: Op| {
            let name = op.name();
            if is_function(&name) {
                found.functions += 1;
            } else if name.starts_with(arith::PREFIX) && op.result(0).ty().is_float() {
                found.operations += 1;
            }
        });
    }
    found
}

/// The bytes of the tensors in memory that a stage and the inlined stages that it reads read.
pub fn read_bytes(stage: Stage, inlined: &[Stage]) -> i64 {
    let parts = with_inlined(stage, inlined);
    let read: i64 = parts.iter().map(|part| part.read_bytes()).sum();
    let inside: i64 = parts[1..].iter().map(|part| part.written_bytes()).sum();
    (read - inside).max(0)
}

/// A stage and the inlined stages that are part of its expression.
pub fn with_inlined(stage: Stage, inlined: &[Stage]) -> Vec<Stage> {
    let mut parts = vec![stage];
    let mut next = 0;
    while let Some(part) = parts.get(next).copied() {
        next += 1;
        for producer in part.producers() {
            if inlined.contains(&producer) && !parts.contains(&producer) {
                parts.push(producer);
            }
        }
    }
    parts
}
