//! Products of one tensor become one product, and so do the operators that follow each of them.
//!
//! What stands in the way is order: the one product is made where the first one stood, so that what the others
//! read has to come before that. If it depends on one of the products, that one stays out.

pub mod batched;
pub mod joined;

use crate::graph::rewrite;
use relay_dialects::{
    inferred,
    ir::{Block, Builder, Op, Value},
    pass::{Default, OptionSpec, Options, PassResult, fail},
    relay::{Pattern, pattern},
};
use std::{cmp::Ordering, collections::HashSet};

/// The option that passes on parallel products have in common.
pub const MIN_NUM_BRANCHES: OptionSpec = OptionSpec {
    name: "min-num-branches",
    summary: "the minimum number of products to combine, at least 2",
    default: Default::Int(3),
};

/// How the products of one kind become one. By default, the branches lie one after the other along an axis.
pub trait Combiner {
    /// Whether this is a product of the kind.
    fn takes(&self, op: Op) -> bool;

    /// Whether two products of the same first operand can be parts of one.
    fn agree(&self, lhs: Op, rhs: Op) -> bool;

    /// One product for those of `roots`.
    fn product(&self, builder: &Builder, roots: &[Op]) -> Combined;

    /// Whether an operand of which each element meets a whole branch is repeated, so that it can differ from branch to
    /// branch.
    fn repeats(&self) -> bool {
        true
    }

    /// Whether one operator can take the place of `level`, which has one from each branch. They differ in their
    /// operands only; operand number `parent` is the value that has been combined.
    fn follows(&self, combined: &Combined, level: &[Op], parent: usize) -> bool {
        joined::follows(combined, level, parent, self.repeats())
    }

    /// That operator.
    fn follow(
        &self,
        builder: &Builder,
        combined: &Combined,
        level: &[Op],
        parent: usize,
    ) -> Combined {
        joined::follow(builder, combined, level, parent)
    }

    /// What each branch gave, of what is combined.
    fn parts(&self, builder: &Builder, combined: &Combined) -> Vec<Value> {
        joined::parts(builder, combined)
    }
}

/// What several branches compute, in one tensor.
pub struct Combined {
    /// The tensor.
    pub value: Value,
    /// The axis along which the branches lie.
    pub axis: usize,
    /// How much of that each of them takes.
    pub extents: Vec<i64>,
}

/// Combines the parallel products in all blocks of a function.
///
/// # Errors
/// If types are yet to be inferred, or an option is wrong.
pub fn combine(function: Op, options: &Options, combiner: &dyn Combiner) -> PassResult {
    inferred::check(function)?;
    let name = MIN_NUM_BRANCHES.name;
    let least = options.int(name);
    if least < 2 {
        return fail(function, format!("{name} is {least}, expected at least 2"));
    }
    visit(function, combiner, least as usize);
    rewrite::erase_dead(function);
    Ok(())
}

fn visit(op: Op, combiner: &dyn Combiner, least: usize) {
    for block in op.regions().into_iter().flat_map(|region| region.blocks()) {
        for group in groups(block, combiner) {
            let roots = independent(group);
            if roots.len() >= least {
                combine_branches(&roots, combiner);
            }
        }
        for inner in block.ops() {
            visit(inner, combiner, least);
        }
    }
}

/// The products of a block that read the same tensor and agree, each group in textual order.
fn groups(block: Block, combiner: &dyn Combiner) -> Vec<Vec<Op>> {
    let mut groups: Vec<Vec<Op>> = Vec::new();
    for op in block.ops() {
        if !combiner.takes(op) || !op.is_used() {
            continue;
        }
        let data = op.operand(0);
        let joins =
            |group: &&mut Vec<Op>| group[0].operand(0) == data && combiner.agree(group[0], op);
        match groups.iter_mut().find(joins) {
            Some(group) => group.push(op),
            None => groups.push(vec![op]),
        }
    }
    groups
}

/// Those of a group whose other operands do not depend on one of them. Groups that were combined before this one
/// may have moved ops.
fn independent(mut group: Vec<Op>) -> Vec<Op> {
    group.sort_by(textual);
    let mut roots: Vec<Op> = Vec::new();
    for op in group {
        let first = roots.first().copied().unwrap_or(op);
        if above(&op.operands(), first, &roots).is_some() {
            roots.push(op);
        }
    }
    roots
}

fn textual(lhs: &Op, rhs: &Op) -> Ordering {
    match (lhs == rhs, lhs.is_before(*rhs)) {
        (true, _) => Ordering::Equal,
        (_, true) => Ordering::Less,
        (_, false) => Ordering::Greater,
    }
}

fn combine_branches(roots: &[Op], combiner: &dyn Combiner) {
    let first = roots[0];
    let builder = Builder::before(first);
    let operands: Vec<Value> = roots.iter().flat_map(|root| root.operands()).collect();
    if !raise(&operands, first, roots) {
        return;
    }
    let mut combined = combiner.product(&builder, roots);
    let mut ends = roots.to_vec();
    while let Some((level, parent)) = next_level(&ends) {
        let others: Vec<Value> = level.iter().flat_map(|op| others(*op, parent)).collect();
        if !combiner.follows(&combined, &level, parent) || !raise(&others, first, roots) {
            break;
        }
        combined = combiner.follow(&builder, &combined, &level, parent);
        ends = level;
    }
    for (end, part) in ends.iter().zip(combiner.parts(&builder, &combined)) {
        end.result(0).replace_all_uses_with(part);
    }
}

/// The operands of an op but for number `parent`.
fn others(op: Op, parent: usize) -> Vec<Value> {
    let mut operands = op.operands();
    operands.remove(parent);
    operands
}

/// What alone reads each of the branches' ends, where that is one operator with the same attributes in all of them;
/// and which of its operands the end is.
fn next_level(ends: &[Op]) -> Option<(Vec<Op>, usize)> {
    let readers: Option<Vec<(Op, usize)>> = ends.iter().map(|end| only_reader(*end)).collect();
    let readers = readers?;
    let (first, parent) = readers[0];
    let alike = |(op, place): &(Op, usize)| {
        op.name() == first.name()
            && op.operand_count() == first.operand_count()
            && op.attrs() == first.attrs()
            && *place == parent
    };
    readers
        .iter()
        .all(alike)
        .then(|| (readers.into_iter().map(|(op, _)| op).collect(), parent))
}

/// The one use of an op's result, if that is by an operator of the same block that works element by element.
fn only_reader(end: Op) -> Option<(Op, usize)> {
    let uses = end.result(0).uses();
    let &[(reader, place)] = &uses[..] else {
        return None;
    };
    let is_light = pattern(reader).is_some_and(|pattern| pattern <= Pattern::Broadcast);
    (is_light && reader.block() == end.block()).then_some((reader, place))
}

/// Moves what computes `values` to before `first`. False, with nothing moved, if that depends on one of `roots`.
fn raise(values: &[Value], first: Op, roots: &[Op]) -> bool {
    let Some(ops) = above(values, first, roots) else {
        return false;
    };
    ops.into_iter().for_each(|op| op.move_before(first));
    true
}

/// What would have to move to before `first` so that `values` are there, in textual order. `None` if one of `roots` is
/// among it, or what does more than compute its results.
fn above(values: &[Value], first: Op, roots: &[Op]) -> Option<Vec<Op>> {
    let mut seen = HashSet::new();
    let mut found = Vec::new();
    let mut open = values.to_vec();
    while let Some(value) = open.pop() {
        let Some(op) = value.def() else { continue };
        let is_there = op.block() != first.block() || op.is_before(first);
        if is_there || !seen.insert(op) {
            continue;
        }
        if op == first || roots.contains(&op) || !op.regions().is_empty() || !op.would_be_dead() {
            return None;
        }
        open.extend(op.operands());
        found.push(op);
    }
    found.sort_by(textual);
    Some(found)
}
