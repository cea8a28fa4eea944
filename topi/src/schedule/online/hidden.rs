//! Blocks of keys that a mask hides from queries: what comes after a word, or padding.
//!
//! The scores of a block are masked to numbers whose exponentials are zero beside those of other keys. Whether they are is known
//! before the scores are: a mask adds to them, or chooses between them and a constant. So what it makes of a score of zero says it, and
//! the block changes nothing: no product is needed.

use super::{
    blocks::Blocks,
    whole::{Whole, comes_from},
};
use crate::{
    scalar::{self, Comparison},
    schedule::{cost::attention::HIDDEN_SCORE, stage::Stage},
};
use relay_dialects::{
    dim::Dim,
    ir::{Builder, Op, Type, Value},
    names,
    ops::{arith, math, tensor},
    te::{
        Reducer,
        build::{self, read},
    },
};

/// The stages that say which blocks are hidden.
#[derive(Clone, Copy)]
pub struct Hidden {
    /// Zero for a block that is hidden from a query: [batch, query, block], or one flag for all queries.
    pub flags: Stage,
    /// The largest number that the mask of a query has in a block: as `flags`.
    pub reaches: Stage,
    /// The largest number that it has for any key: [batch, query], or one number for all queries.
    pub levels: Stage,
}

impl Hidden {
    /// None if a stage has other axes than flags have.
    pub fn of(flags: Stage) -> Option<Self> {
        let [reaches, levels] = flags.producers()[..] else {
            return None;
        };
        let axes = |stage: Stage| [stage.shape().len(), stage.reduce_extents().len()];
        let fits = axes(flags) == [3, 0] && axes(reaches) == [3, 1] && axes(levels) == [2, 1];
        fits.then_some(Self {
            flags,
            reaches,
            levels,
        })
    }

    /// The stages.
    pub fn stages(&self) -> [Stage; 3] {
        [self.flags, self.reaches, self.levels]
    }
}

/// Writes the flags of an attention; none if there is no mask.
pub fn flags(b: &Builder, whole: &Whole, blocks: Blocks) -> Option<Value> {
    let masked = Stage::of(whole.masked)?;
    if !shifts_scores(masked, whole.scores) {
        return None;
    }
    let mask = of_no_score(b, masked, whole.scores);
    let &[batch, queries, keys] = &mask.dims()[..] else {
        return None;
    };
    if !depends_on(mask, 2) {
        mask.erase_unused();
        return None;
    }
    let queries = match depends_on(mask, 1) {
        true => queries,
        false => Dim::Known(1),
    };
    let (mask, float) = (mask.tensor(), Type::f32(b.ctx));
    let levels = build::reduce(
        b,
        "levels",
        &[batch, queries],
        float,
        (Reducer::Max, &[keys]),
        |b, at, key| read(b, mask, &[at, key].concat()),
    );
    let rows = [batch, queries, blocks.count];
    let reaches = build::reduce(
        b,
        "reaches",
        &rows,
        float,
        (Reducer::Max, &[blocks.of_block]),
        |b, at, key| {
            let beyond = (float, f64::NEG_INFINITY);
            blocks.element(b, (at[2], key[0]), beyond, |b, key| {
                read(b, mask, &[at[0], at[1], key])
            })
        },
    );
    let number = Type::int(b.ctx, 32);
    let flags = build::compute(b, "flags", &rows, number, |b, at| {
        let limit = b.constant(float, HIDDEN_SCORE);
        let [reach, level] = [read(b, reaches, at), read(b, levels, &at[..2])];
        // Of a query that sees no key all keys count: the least numbers differ by their scores.
        let is_hidden = scalar::compare(b, Comparison::LessEqual, reach, limit);
        let sees_others = scalar::compare(b, Comparison::Greater, level, limit);
        let is_skipped = scalar::and(b, is_hidden, sees_others);
        b.select(is_skipped, b.constant(number, 0.0), b.constant(number, 1.0))
    });
    Some(flags)
}

/// Whether a stage scales scores, adds to them or chooses between them and others, directly or by way of other stages.
fn shifts_scores(stage: Stage, scores: Stage) -> bool {
    let shifts = |read: &Op| match Stage::of(read.operand(0)) {
        Some(source) if source == scores => shifts(read.result(0)),
        Some(source) if comes_from(source, scores) => {
            shifts(read.result(0)) && shifts_scores(source, scores)
        }
        _ => true,
    };
    !stage.reduces() && stage.op.find_all(tensor::Extract::NAME).iter().all(shifts)
}

/// Whether only sums, differences, products, choices and bounded functions of a value are computed from it.
fn shifts(value: Value) -> bool {
    value.uses().into_iter().all(|(user, place)| {
        let goes_on = match user.name().as_str() {
            names::te::YIELD => return true,
            arith::Select::NAME => place > 0,
            arith::DivF::NAME => place == 0,
            arith::AddF::NAME
            | arith::SubF::NAME
            | arith::MulF::NAME
            | arith::NegF::NAME
            | arith::ExtF::NAME
            | arith::TruncF::NAME
            | math::Tanh::NAME => true,
            _ => false,
        };
        goes_on && shifts(user.result(0))
    })
}

/// A copy of a stage that has zeros in place of scores, and copies of the stages between.
fn of_no_score(b: &Builder, stage: Stage, scores: Stage) -> Stage {
    let between = stage.producers().into_iter();
    let between = between.filter(|source| *source != scores && comes_from(*source, scores));
    let copies: Vec<(Value, Value)> = between
        .map(|source| (source.tensor(), of_no_score(b, source, scores).tensor()))
        .collect();
    let copy = b.insert(stage.op.clone_detached());
    for read in copy.find_all(tensor::Extract::NAME) {
        let tensor = read.operand(0);
        if tensor == scores.tensor() {
            let zero = Builder::before(read).constant(tensor.ty().element(), 0.0);
            read.result(0).replace_all_uses_with(zero);
            read.erase();
        } else if let Some((_, source)) = copies.iter().find(|(old, _)| *old == tensor) {
            read.set_operand(0, *source);
        }
    }
    Stage { op: copy }
}

/// Whether elements of a stage may differ along an axis.
fn depends_on(stage: Stage, axis: usize) -> bool {
    let uses = stage.op.body().args()[axis].uses();
    uses.into_iter().any(|(user, place)| {
        let is_read = user.is(tensor::Extract::NAME) && place > 0;
        let source = is_read.then(|| Stage::of(user.operand(0))).flatten();
        source.is_none_or(|source| source.reduces() || depends_on(source, place - 1))
    })
}
