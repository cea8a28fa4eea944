//! The keys of a block as columns of a matrix of their own, for schedules that copy them: zeros stand beyond the last key, so that the product
//! with queries has no conditions.

use super::blocks::Blocks;
use crate::{
    precision, scalar,
    schedule::{operands, stage::Stage},
};
use relay_dialects::{
    dim::Dim,
    index,
    ir::{Builder, Op, Value},
    te::{
        Compute, Reducer, Role,
        build::{self, name_axes, read},
    },
};

/// The product of queries and keys.
struct Scores {
    product: Stage,
    queries: Value,
    /// The keys, as they lie in memory: [batch, element, key].
    keys: Value,
    /// The stage that widens them, if they are narrow.
    widened: Option<Stage>,
    /// The elements of a key.
    depth: Dim,
}

impl Scores {
    /// None if a stage is no product of rank 3.
    fn of(product: Stage) -> Option<Self> {
        let [queries, keys] = operands::of(product)?;
        let [depth] = Compute::of(product.op)?.reduce_dims().ok()?[..] else {
            return None;
        };
        let is_plain = product.dims().len() == 3
            && queries.reads_along(&[0, 1, 3])
            && keys.reads_along(&[0, 3, 2]);
        let narrow = keys.narrow(product);
        is_plain.then(|| Self {
            product,
            queries: queries.tensor,
            keys: narrow.unwrap_or(keys.tensor),
            widened: Stage::of(keys.tensor).filter(|_| narrow.is_some()),
            depth,
        })
    }

    /// Writes the stages that replace the product. Returns its result: [batch, query, key].
    fn write(&self, b: &Builder, blocks: Blocks) -> Value {
        let [batch, queries] = [0, 1].map(|dim| self.product.dims()[dim]);
        let keys = self.columns(b, blocks);
        let sample = |b: &Builder, tensor: Value, at: Value| match tensor.ty().dims()[0] == 1 {
            true => b.index(0),
            false => at,
        };
        let float = self.product.tensor().ty().element();
        let scores = build::reduce(
            b,
            "scores",
            &[batch, queries, blocks.count, Dim::from(blocks.of_block)],
            float,
            (Reducer::Sum, &[self.depth]),
            |b, at, element| {
                let query = [sample(b, self.queries, at[0]), at[1], element[0]];
                let key = [sample(b, keys, at[0]), at[2], element[0], at[3]];
                scalar::mul(b, read(b, self.queries, &query), read(b, keys, &key))
            },
        );
        build::with_role(scores, Role::Matmul);
        let scores = name_axes(scores, &["b", "i", "block", "j", "k"]);
        let dims = self.product.dims();
        build::compute(b, "by_key", &dims, float, |b, at| {
            let (block, key) = (
                index::div(b, at[2], blocks.of_block),
                index::rem(b, at[2], blocks.of_block),
            );
            read(b, scores, &[at[0], at[1], block, key])
        })
    }

    /// The keys by blocks: [batch, block, element, key].
    fn columns(&self, b: &Builder, blocks: Blocks) -> Value {
        let ty = self.keys.ty().element();
        let batch = self.keys.ty().dims()[0];
        let shape = [batch, blocks.count, self.depth, Dim::from(blocks.of_block)];
        let columns = build::compute(b, "keys", &shape, ty, |b, at| {
            blocks.element(b, (at[1], at[3]), (ty, 0.0), |b, key| {
                read(b, self.keys, &[at[0], at[2], key])
            })
        });
        precision::widened(b, name_axes(columns, &["b", "block", "k", "j"]))
    }
}

/// Replaces the product of queries and keys of a function that [has blocks](super::rewrite) of `keys` keys.
pub fn rewrite(func: Op, keys: i64) {
    let stages = Stage::all(func);
    let product = stages.iter().find(|stage| stage.is(Role::Matmul));
    let Some(scores) = product.and_then(|stage| Scores::of(*stage)) else {
        return;
    };
    let Some(blocks) = Blocks::of(scores.product.dims()[2], keys) else {
        return;
    };
    let old = scores.product.op;
    let result = scores.write(&Builder::before(old), blocks);
    old.result(0).replace_all_uses_with(result);
    old.erase();
    scores.widened.into_iter().for_each(Stage::erase_unused);
}
