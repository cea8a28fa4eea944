//! `loop-partition`: takes the conditions of imperfect splits out of loops.
//!
//! ```mlir
//! tir.for %o = 0 to 3 {
//!   tir.for %i = 0 to 4 vectorized {
//!     %at = o * 4 + i
//!     %in = arith.cmpi slt, %at, %c10 : index
//!     scf.if %in { "body"(%at) : (index) -> () }
//!   }
//! }
//! ```
//! becomes
//! ```mlir
//! tir.for %o = 0 to 2 {
//!   tir.for %i = 0 to 4 vectorized {
//!     "body"(o * 4 + i) : (index) -> ()
//!   }
//! }
//! tir.for %i = 0 to 4 vectorized {
//!   %at = 8 + i
//!   %in = arith.cmpi slt, %at, %c10 : index
//!   scf.if %in { "body"(%at) : (index) -> () }
//! }
//! ```
//! What is left of a vectorized loop stays one, which has a mask then.

use super::vectorize_loop::vector_form;
use crate::analysis::{
    condition::{Bound, conjuncts, known},
    is_inside,
    linear::{Linear, form_interval, materialize},
    loops::trips,
};
use crate::copying::clone_body;
use crate::estimates::{FREE_OPS, GROWTH, MANY_ITERATIONS};
use relay_dialects::{
    index,
    ir::{Attr, Block, Builder, Op, Value},
    names::tir,
    ops::{arith, func, math, memref, scf, vector},
    pass::{Options, PassResult, PassSpec},
    tir::{AllocBuffer, For, LoopKind},
};
use std::{collections::HashMap, iter, ops::Range};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "loop-partition",
    summary: "Split loops where their conditions begin or cease to hold",
    description: "Splits a `tir.for` with constant bounds by the conditions on its variable inside; these are `scf.if` \
                  without results, from imperfect splits. One part has the iterations in which they always hold, \
                  without the conditions. The iterations before and after it are split further, loop by loop. An \
                  iteration in which a condition never holds loses the guarded code. A serial loop is also split by a \
                  condition on values from outside of it: the end of the part without the condition is computed when it \
                  runs. A condition around many \
                  iterations of remaining loops is evaluated rarely, and splits nothing. An unrolled loop is split \
                  into single iterations if each determines the iterations of inner loops in which a condition holds. \
                  A single iteration is no loop any more. A vectorized loop is not split if a condition holds for its \
                  first iterations: `vectorize-loop` masks the others. With `tir.loop_partition_hint` on a loop, an \
                  `scf.if` with results or around loops also counts. Code grows to a few times its size at most. This \
                  is TVM's `LoopPartition`.",
    anchor: func::Func::NAME,
    options: &[],
    run,
};

/// The attribute by which a loop has all conditions on its variable split it.
const HINT: &str = relay_dialects::attrs::LOOP_PARTITION_HINT;

fn run(func: Op, _options: &Options) -> PassResult {
    fold_conditions(func.body());
    let mut budget = FREE_OPS + GROWTH * count(func.body());
    for op in func.body().ops() {
        partition_inside(op, &mut budget);
    }
    Ok(())
}

/// Partitions an op if it is a loop, else the loops inside.
fn partition_inside(op: Op, budget: &mut usize) {
    if let Some(found) = For::of(op) {
        partition(found, budget);
        return;
    }
    for block in op
        .regions()
        .iter()
        .filter_map(|region| region.first_block())
    {
        for op in block.ops() {
            partition_inside(op, budget);
        }
    }
}

/// Partitions a loop, and what it becomes.
fn partition(found: For, budget: &mut usize) {
    if let Some(end) = OpenEnd::of(found).filter(|_| count(found.body()) <= *budget) {
        *budget -= count(found.body());
        end.partition(found, budget);
        return;
    }
    let main = holding(found)
        .or_else(|| failing(found))
        .or_else(|| first_to_unroll(found));
    let parts = match (found.constant_bounds(), main) {
        (Some((low, high)), Some(main)) => [low..main.start, main.clone(), main.end..high],
        _ => Default::default(),
    };
    let parts: Vec<Range<i64>> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    let cost = count(found.body()) * parts.len().saturating_sub(1);
    if parts.len() < 2 || cost > *budget {
        for inner in found.body().ops() {
            partition_inside(inner, budget);
        }
        return;
    }
    *budget -= cost;
    // Each part in a block of its own, so that what it becomes is known.
    for part in parts {
        for op in write(found, part) {
            partition_inside(op, budget);
        }
    }
    found.op().erase();
}

/// Where conditions of a loop cease to hold that values decide which are known when it runs: they always hold in iterations
/// before that.
struct OpenEnd {
    /// The conditions, by their place among all comparisons in the loop.
    conditions: Vec<usize>,
    /// What an iteration adds to their left side.
    factor: i64,
    /// The rest of the left side is this at most, which does not vary in the loop.
    most: Linear,
}

impl OpenEnd {
    /// That of a serial loop, and of the first condition that such values decide, with all others that they decide so.
    fn of(found: For) -> Option<Self> {
        if found.kind() != LoopKind::Serial {
            return None;
        }
        let splitting = conditions(found);
        let comparisons = found.op().find_all(arith::CmpI::NAME).into_iter();
        let mut all: Option<Self> = None;
        for (place, comparison) in comparisons.enumerate() {
            let Some((factor, most)) = (splitting.contains(&comparison))
                .then(|| decided_outside(comparison, found))
                .flatten()
            else {
                continue;
            };
            let end = all.get_or_insert_with(|| Self {
                conditions: Vec::new(),
                factor,
                most: most.clone(),
            });
            let apart = most.clone().minus(&end.most);
            if factor == end.factor && apart.terms.is_empty() {
                end.most.constant = end.most.constant.max(most.constant);
                end.conditions.push(place);
            }
        }
        all
    }

    /// Writes the iterations before the end without the conditions, and the others as they are.
    fn partition(&self, found: For, budget: &mut usize) {
        let op = found.op();
        let b = Builder::before(op);
        let (low, high) = found.bounds();
        let end = self.value(&b);
        let high = high.value(&b);
        let end = arith::MaxSI::build(&b, arith::MinSI::build(&b, end, high), low.value(&b));
        let main = found.like(&b, low, end);
        let mut map = HashMap::from([(found.variable(), main.variable())]);
        clone_body(&main.inside(&b), op.body(), &mut map);
        let comparisons = main.op().find_all(arith::CmpI::NAME);
        for place in &self.conditions {
            let comparison = comparisons[*place];
            let b = Builder::before(comparison);
            let always = b.constant(comparison.result(0).ty(), 1.0);
            comparison.replace_with(&[always]);
        }
        let rest = found.like(&b, end, high);
        let mut map = HashMap::from([(found.variable(), rest.variable())]);
        clone_body(&rest.inside(&b), op.body(), &mut map);
        op.erase();
        for op in fold(main.op()) {
            partition_inside(op, budget);
        }
        // The conditions of the rest are not split again.
        for op in rest.body().ops() {
            partition_inside(op, budget);
        }
    }

    /// The first iteration in which a condition may not hold.
    fn value(&self, b: &Builder) -> Value {
        // factor * variable + most <= 0
        let left = materialize(b, &Linear::default().minus(&self.most));
        let last = arith::FloorDivSI::build(b, left, b.index(self.factor));
        index::add(b, last, b.index(1))
    }
}

/// For a condition `factor * variable + rest <= 0` of a loop, the factor and what the rest is at most, of values outside of the
/// loop; none if those have no part in it.
fn decided_outside(comparison: Op, found: For) -> Option<(i64, Linear)> {
    let form = Bound::of(comparison)?.form;
    let variable = found.variable();
    let factor = form.coefficient(variable);
    let is_own = |(term, _): &(Value, i64)| is_inside(*term, found.op());
    let (own, others) = form.terms.into_iter().partition(is_own);
    let (mut inside, mut outside) = (
        Linear {
            constant: 0,
            terms: own,
        },
        Linear {
            constant: form.constant,
            terms: others,
        },
    );
    inside.terms.retain(|(term, _)| *term != variable);
    let mut varies = inside.terms.iter();
    // What constants bound is split where they say.
    let is_known = form_interval(&outside).is_some();
    if factor <= 0 || is_known || varies.any(|(term, _)| index::depends_on(*term, variable)) {
        return None;
    }
    outside.constant = outside.constant.checked_add(form_interval(&inside)?.1)?;
    Some((factor, outside))
}

/// The iterations of a loop in which conditions that hold in some always hold, if there are such
/// conditions and they do not hold in all.
fn holding(found: For) -> Option<Range<i64>> {
    let (low, high) = found.constant_bounds()?;
    let all = low..high;
    let mut main = all.clone();
    for bound in bounds(found) {
        let Some(part) = where_holds(&bound, found.variable(), &main) else {
            continue;
        };
        if !part.is_empty() {
            main = part;
        }
    }
    (main != all).then_some(main)
}

/// The iterations of a loop in which a condition never holds, if there is such a condition and it holds in others:
/// those of the first one, for which what is left is split again.
fn failing(found: For) -> Option<Range<i64>> {
    let (low, high) = found.constant_bounds()?;
    let all = low..high;
    let fails = |bound: Bound| where_holds(&bound.negated(), found.variable(), &all);
    let mut parts = bounds(found).into_iter().filter_map(fails);
    parts.find(|part| !part.is_empty() && *part != all)
}

/// The first iteration of a loop that is unrolled anyway, where it decides in which iterations of loops inside
/// conditions hold.
fn first_to_unroll(found: For) -> Option<Range<i64>> {
    let (low, _) = found.constant_bounds()?;
    let decides = |bound: Bound| {
        let mut others = bound.form.terms.iter().map(|(term, _)| *term);
        bound.form.coefficient(found.variable()) != 0
            && others.any(|term| term != found.variable() && is_inside(term, found.op()))
    };
    let is_unrolled = found.kind() == LoopKind::Unrolled && found.extent()? > 1;
    // Where there is a second iteration, 64 bits hold its number.
    (is_unrolled && bounds(found).into_iter().any(decides)).then(|| low..low + 1)
}

/// What the conditions say by which a loop is split.
fn bounds(found: For) -> Vec<Bound> {
    conditions(found)
        .into_iter()
        .filter_map(Bound::of)
        .collect()
}

/// The comparisons in a loop by which it is split.
fn conditions(found: For) -> Vec<Op> {
    let op = found.op();
    let hint = op
        .attr(HINT)
        .and_then(Attr::as_i64)
        .is_some_and(|hint| hint != 0);
    let variable = found.variable();
    let is_vectorized = found.kind() == LoopKind::Vectorized;
    let splits = |inner: &Op| {
        // A vector with a mask: a part of one is none that accumulators are in.
        let is_mask = is_vectorized && vector_form::prefix(*inner, variable).is_some();
        let is_plain = inner.result_count() == 0 && inner.block_in(1).is_none();
        !is_mask && (hint || is_plain && !is_around_many(*inner))
    };
    let inside = op.find_all(scf::If::NAME).into_iter().filter(splits);
    inside
        .flat_map(|inner| conjuncts(inner.operand(0)))
        .collect()
}

/// Whether loops in an op that stay loops are of many iterations together, for each time that the op runs.
fn is_around_many(op: Op) -> bool {
    let stays = |found: &For| !matches!(found.kind(), LoopKind::Unrolled | LoopKind::Vectorized);
    let iterations = |inner: For| {
        let around = For::around(inner.op()).take_while(|found| is_inside(found.variable(), op));
        let staying = iter::once(inner).chain(around).filter(stays);
        staying.map(trips).fold(1, i64::saturating_mul)
    };
    For::all(op)
        .into_iter()
        .any(|inner| iterations(inner) >= MANY_ITERATIONS)
}

/// The values of a variable in a range for which a bound holds, whatever other variables are.
fn where_holds(bound: &Bound, variable: Value, range: &Range<i64>) -> Option<Range<i64>> {
    let factor = bound.form.coefficient(variable);
    let mut rest = bound.form.clone();
    rest.terms.retain(|(term, _)| *term != variable);
    if factor == 0
        || rest
            .terms
            .iter()
            .any(|(term, _)| index::depends_on(*term, variable))
    {
        return None;
    }
    // factor * variable <= limit. There is none within 64 bits for -2^63.
    let (_, most) = form_interval(&rest)?;
    let limit = most.checked_neg()?;
    Some(if factor > 0 {
        let last = limit.div_euclid(factor);
        range.start..range.end.min(last.saturating_add(1))
    } else {
        range.start.max(-limit.div_euclid(-factor))..range.end
    })
}

/// Writes some iterations of a loop before it: as a loop, or what one iteration does. Returns what
/// is there that does anything.
fn write(found: For, part: Range<i64>) -> Vec<Op> {
    let op = found.op();
    let b = Builder::before(op);
    let last = op.block().map(Block::ops).unwrap_or_default();
    let place = last.iter().position(|other| *other == op).unwrap_or(0);
    let variable = op.body().arg(0);
    if part.start.checked_add(1) == Some(part.end) {
        let mut map = HashMap::from([(variable, b.index(part.start))]);
        clone_body(&b, op.body(), &mut map);
    } else {
        let part = found.like(&b, part.start, part.end);
        let mut map = HashMap::from([(variable, part.variable())]);
        clone_body(&part.inside(&b), op.body(), &mut map);
    }
    let ops = op.block().map(Block::ops).unwrap_or_default();
    let written = ops.into_iter().skip(place).take_while(|other| *other != op);
    let written: Vec<Op> = written.collect();
    written.into_iter().flat_map(fold).collect()
}

/// Replaces conditions that are known in a block by the branch that they take.
pub fn fold_conditions(block: Block) {
    for op in block.ops() {
        fold(op);
    }
}

/// Does so in an op; returns what is left in its place.
fn fold(op: Op) -> Vec<Op> {
    if op.is(scf::If::NAME)
        && let Some(holds) = known(op.operand(0))
    {
        return take_branch(op, holds).into_iter().flat_map(fold).collect();
    }
    for block in op
        .regions()
        .iter()
        .filter_map(|region| region.first_block())
    {
        fold_conditions(block);
    }
    if !op.is_used() && !op.regions().is_empty() && !does_anything(op) {
        op.erase();
        return Vec::new();
    }
    vec![op]
}

/// Puts the ops of the branch that is taken in place of an `scf.if`.
fn take_branch(op: Op, holds: bool) -> Vec<Op> {
    let mut moved = Vec::new();
    let mut yielded = Vec::new();
    if let Some(block) = op.block_in(usize::from(!holds)) {
        for inner in block.ops() {
            if inner.is(scf::Yield::NAME) {
                yielded = inner.operands();
            } else {
                inner.move_before(op);
                moved.push(inner);
            }
        }
    }
    op.replace_with(&yielded);
    moved
}

/// Whether an op, or one inside, has an effect.
fn does_anything(op: Op) -> bool {
    match op.name().as_str() {
        scf::Yield::NAME | memref::Load::NAME | vector::Load::NAME | AllocBuffer::NAME => false,
        For::NAME | scf::If::NAME => {
            let blocks = op
                .regions()
                .into_iter()
                .filter_map(|region| region.first_block());
            blocks.flat_map(Block::ops).any(does_anything)
        }
        tir::DOT_BYTES => false,
        name => !name.starts_with(arith::PREFIX) && !name.starts_with(math::PREFIX),
    }
}

/// The ops in a block and inside them.
fn count(block: Block) -> usize {
    let mut sum = 0;
    for op in block.ops() {
        op.walk(|_| sum += 1);
    }
    sum
}
