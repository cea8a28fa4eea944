//! The attention of a transformer by blocks of keys, so that a kernel keeps none of its scores.
//!
//! The softmax of a row needs the largest score of the row before its first exponential. So the stages of the operators meet the keys
//! three times, and keep the scores between. Here each block of keys has a maximum, a sum of exponentials and a result of its own, by
//! stages with an axis of blocks. One reduction along that axis combines them: two parts with the maxima m1 and m2 have the
//! maximum m = max(m1, m2), and their sums and results are added, times exp(m1 - m) and exp(m2 - m), one of which is 1. After Milakov and
//! Gimelshein, "Online normalizer calculation for softmax", 2018, and Dao et al., "FlashAttention", 2022.
//!
//! A block may have no finite score, and a row others that have: its exponentials are zero then. A row without a finite score comes to
//! 0 / 0, which is not a number, as by the stages of the operators.

mod blocks;
mod columns;
mod hidden;
mod whole;

pub use columns::rewrite as copy_keys;
pub use hidden::Hidden;

use super::stage::Stage;
use blocks::Blocks;
use relay_dialects::{
    ir::{Builder, Op, Type, Value},
    te::Role,
};
use whole::Whole;

/// The extents of an attention.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Size {
    /// The products that are independent of each other.
    pub batch: i64,
    /// The queries.
    pub queries: i64,
    /// The keys.
    pub keys: i64,
    /// The elements of a query and of a key.
    pub depth: i64,
    /// The columns of values and of the result.
    pub columns: i64,
    /// The bytes of an element of queries, keys, values and weights in memory.
    pub bytes: i64,
    /// Whether an extent is open; then it is the one that is planned for.
    pub is_open: bool,
}

/// The stages of an attention by blocks of keys.
pub struct Online {
    /// The product of queries and keys: [batch, query, key], or where keys [are copied](copy_keys) [batch, query, block, key].
    pub scores: Stage,
    /// What its result is scaled and masked to: [batch, query, block, key].
    pub blocks: Stage,
    /// The largest score of a query in a block.
    pub largest: Stage,
    /// The exponentials: as `blocks`.
    pub weights: Stage,
    /// Their sums.
    pub sums: Stage,
    /// The values of a block.
    pub part: Stage,
    /// The product of weights and values: [batch, query, block, column].
    pub products: Stage,
    /// The reduction along the axis of blocks: [batch, query, column].
    pub combined: Stage,
    /// What says which blocks are hidden, if [it is looked for](rewrite_skipping).
    pub hidden: Option<Hidden>,
}

impl Online {
    /// None if some stages are no such attention.
    pub fn of(stages: &[Stage]) -> Option<Self> {
        let mut combined = stages.iter().filter(|stage| stage.op.result_count() == 3);
        let combined = *combined.next().filter(|stage| stage.reduces())?;
        let mut scores = stages.iter().filter(|stage| stage.is(Role::Matmul));
        let scores = *scores.next().filter(|_| scores.next().is_none())?;
        let (hidden, largest, sums, products) = match combined.producers()[..] {
            [largest, sums, products] => (None, largest, sums, products),
            [flags, largest, sums, products] => (Some(Hidden::of(flags)?), largest, sums, products),
            _ => return None,
        };
        let [blocks] = largest.producers()[..] else {
            return None;
        };
        let [weights, part] = products.producers()[..] else {
            return None;
        };
        let found = Self {
            scores,
            blocks,
            largest,
            weights: before_widening(weights)?,
            sums,
            part: before_widening(part)?,
            products,
            combined,
            hidden,
        };
        found.has_all_axes().then_some(found)
    }

    /// Whether all stages have the axes that they have here: of results, and of reductions.
    fn has_all_axes(&self) -> bool {
        let is = |stage: Stage, axes: [usize; 2]| {
            [stage.shape().len(), stage.reduce_extents().len()] == axes
        };
        let all_blocks = [self.blocks, self.weights, self.part];
        let rows = [self.largest, self.sums, self.combined];
        all_blocks.into_iter().all(|stage| is(stage, [4, 0]))
            && rows.into_iter().all(|stage| is(stage, [3, 1]))
            && (is(self.scores, [3, 1]) || is(self.scores, [4, 1]))
            && is(self.products, [4, 1])
    }

    /// The stages that are computed for each block of keys.
    pub fn of_block(&self) -> [Stage; 7] {
        [
            self.scores,
            self.blocks,
            self.largest,
            self.weights,
            self.sums,
            self.part,
            self.products,
        ]
    }

    /// The keys of a block.
    pub fn keys_of_block(&self) -> i64 {
        self.blocks.shape()[3]
    }

    /// The extents, of keys those of whole blocks.
    pub fn size(&self) -> Size {
        let (shape, blocks) = (self.combined.shape(), self.blocks.shape());
        Size {
            batch: shape[0],
            queries: shape[1],
            keys: blocks[2] * blocks[3],
            depth: self.scores.reduce_extents().iter().product(),
            columns: shape[2],
            bytes: bytes(self.weights.tensor().ty()),
            is_open: self.of_block().iter().any(|stage| stage.is_open()),
        }
    }
}

fn bytes(element: Type) -> i64 {
    element.element().byte_width() as i64
}

/// The stage that a stage widens, or the stage.
fn before_widening(stage: Stage) -> Option<Stage> {
    match stage.is(Role::Widen) {
        true => stage.producers().first().copied(),
        false => Some(stage),
    }
}

/// Replaces the softmax and the second product of an attention by stages for blocks of keys, as many as `keys` says for its size. Returns
/// that number; none if nothing was replaced.
pub fn rewrite(func: Op, keys: impl Fn(Size) -> Option<i64>) -> Option<i64> {
    replace(func, keys, |_, _, _| None)
}

/// Likewise, with [flags](Hidden) of blocks that a mask hides, if there is a mask.
pub fn rewrite_skipping(func: Op, keys: impl Fn(Size) -> Option<i64>) -> Option<i64> {
    replace(func, keys, hidden::flags)
}

fn replace(
    func: Op,
    keys: impl Fn(Size) -> Option<i64>,
    flags: impl Fn(&Builder, &Whole, Blocks) -> Option<Value>,
) -> Option<i64> {
    let whole = Whole::of(&Stage::all(func))?;
    let keys = keys(whole.size())?;
    let product = whole.product.op;
    let blocks = Blocks::of(whole.keys()?, keys)?;
    let b = Builder::before(product);
    let flags = flags(&b, &whole, blocks);
    let result = blocks::write(&b, &whole, (blocks, flags))?;
    product.result(0).replace_all_uses_with(result);
    whole.stages.iter().for_each(|stage| stage.op.erase());
    whole.widened.into_iter().for_each(Stage::erase_unused);
    Some(keys)
}
