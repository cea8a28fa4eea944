//! The stages of an attention for blocks of keys.

use super::whole::Whole;
use crate::{
    precision,
    scalar::{self, Comparison},
};
use relay_dialects::{
    dim::Dim,
    index::{self, Predicate},
    ir::{Attr, Builder, Type, Value},
    ops::{arith, math},
    te::{
        Reducer,
        build::{self, if_then_else, if_then_else_all, name_axes, read},
    },
};

/// Keys in blocks.
#[derive(Clone, Copy)]
pub struct Blocks {
    /// All keys.
    keys: Dim,
    /// Those of a block.
    pub of_block: i64,
    /// The blocks.
    pub count: Dim,
}

impl Blocks {
    /// None if there are too many keys to count.
    pub fn of(keys: Dim, of_block: i64) -> Option<Self> {
        let count = keys.ceil_div(of_block).ok()?;
        Some(Self {
            keys,
            of_block,
            count,
        })
    }

    /// What a result is divided by: the sum of its exponentials, or 1 where there are no keys, for the result is zero then.
    fn divisor(self, b: &Builder, sum: Value) -> Value {
        if self.keys.is_known() {
            return sum;
        }
        let has_keys = index::less(b, b.index(0), self.keys);
        b.select(has_keys, sum, b.constant(sum.ty(), 1.0))
    }

    /// What `inside` gives for the number of a key of a block, and the number `beyond` where there is no such key.
    pub fn element(
        self,
        b: &Builder,
        (block, key): (Value, Value),
        (ty, beyond): (Type, f64),
        inside: impl FnOnce(&Builder, Value) -> Value,
    ) -> Value {
        let at = index::add(b, index::scale(b, block, self.of_block), key);
        if self.count.times(self.of_block) == Ok(self.keys) {
            return inside(b, at);
        }
        let exists = index::less(b, at, self.keys);
        if_then_else(b, exists, |b| inside(b, at), |b| b.constant(ty, beyond))
    }
}

/// Writes the stages, without those blocks whose flags are zero if there are flags. Returns the result: [batch, query, column]; none if the
/// product of weights and values has other axes.
pub fn write(
    b: &Builder,
    whole: &Whole,
    (blocks, flags): (Blocks, Option<Value>),
) -> Option<Value> {
    let keys = blocks.of_block;
    let [batch, queries, columns] = whole.product.dims()[..] else {
        return None;
    };
    let (rows, float) = ([batch, queries, blocks.count], Type::f32(b.ctx));
    let scores = scores(b, whole.masked, &rows, blocks);
    let largest = build::reduce(
        b,
        "max",
        &rows,
        float,
        (Reducer::Max, &[keys]),
        |b, at, key| read(b, scores, &[at, key].concat()),
    );
    let weights = weights(b, [scores, largest], whole.rounded);
    let sums = sums(b, weights, &rows, keys);
    let weights = precision::widened(b, weights);
    let values = values(b, whole.values, blocks);
    let is_shared = whole.values.ty().dims()[0] == 1;
    let products = build::reduce(
        b,
        "values",
        &[batch, queries, blocks.count, columns],
        float,
        (Reducer::Sum, &[keys]),
        |b, at, key| {
            let weight = read(b, weights, &[at[0], at[1], at[2], key[0]]);
            let sample = if is_shared { b.index(0) } else { at[0] };
            let value = read(b, values, &[sample, at[2], key[0], at[3]]);
            scalar::mul(b, weight, value)
        },
    );
    let products = name_axes(products, &["b", "i", "block", "j", "k"]);
    let parts = [largest, sums, products];
    let combined = combined(b, parts, flags, ([batch, queries, columns], blocks.count));
    let result = build::compute(
        b,
        "attention",
        &[batch, queries, columns],
        float,
        |b, at| {
            let sum = blocks.divisor(b, read(b, combined[1], at));
            scalar::div(b, read(b, combined[2], at), sum)
        },
    );
    Some(result)
}

/// The scores by blocks. Beyond the last key they are too small for any weight.
fn scores(b: &Builder, masked: Value, rows: &[Dim; 3], blocks: Blocks) -> Value {
    let shape = [rows[0], rows[1], rows[2], Dim::from(blocks.of_block)];
    let float = Type::f32(b.ctx);
    let scores = build::compute(b, "blocks", &shape, float, |b, at| {
        let beyond = (float, f64::NEG_INFINITY);
        blocks.element(b, (at[2], at[3]), beyond, |b, key| {
            read(b, masked, &[at[0], at[1], key])
        })
    });
    name_axes(scores, &["b", "i", "block", "k"])
}

/// The exponentials of the differences from the largest score of a block, as the product multiplies them.
fn weights(b: &Builder, [scores, largest]: [Value; 2], rounded: Type) -> Value {
    let shape = scores.ty().dims();
    build::compute(b, "weights", &shape, rounded, |b, at| {
        let from = finite(b, read(b, largest, &at[..3]));
        let difference = scalar::sub(b, read(b, scores, at), from);
        let weight = math::Exp::build(b, difference);
        match rounded.is_f32() {
            true => weight,
            false => precision::truncate(b, weight, rounded),
        }
    })
}

/// The sums of the exponentials of a block.
fn sums(b: &Builder, weights: Value, rows: &[Dim; 3], keys: i64) -> Value {
    let float = Type::f32(b.ctx);
    build::reduce(
        b,
        "sum",
        rows,
        float,
        (Reducer::Sum, &[keys]),
        |b, at, key| {
            let weight = read(b, weights, &[at, key].concat());
            match weight.ty().is_f32() {
                true => weight,
                false => precision::extend(b, weight, float),
            }
        },
    )
}

/// A maximum, or zero for that of no finite score: the difference of two infinities is not a number.
fn finite(b: &Builder, largest: Value) -> Value {
    let least = b.constant(largest.ty(), f64::NEG_INFINITY);
    let is_least = scalar::compare(b, Comparison::Equal, largest, least);
    b.select(is_least, b.constant(largest.ty(), 0.0), largest)
}

/// The exponentials of the differences of two maxima from the larger one, one of which is 1. Of two equal ones, infinite ones too, both
/// are.
fn factors(b: &Builder, [old, new]: [Value; 2]) -> [Value; 2] {
    let [zero, one] = [0.0, 1.0].map(|value| b.constant(old.ty(), value));
    let [old_is_larger, are_equal] = [Comparison::Greater, Comparison::Equal]
        .map(|comparison| scalar::compare(b, comparison, old, new));
    let (first, second) = (scalar::sub(b, new, old), scalar::sub(b, old, new));
    let difference = b.select(old_is_larger, first, second);
    let factor = math::Exp::build(b, b.select(are_equal, zero, difference));
    [
        b.select(old_is_larger, one, factor),
        b.select(old_is_larger, factor, one),
    ]
}

/// The values by blocks: [batch, block, key, column].
fn values(b: &Builder, values: Value, blocks: Blocks) -> Value {
    let (ty, shape) = (values.ty().element(), values.ty().dims());
    let shape = [shape[0], blocks.count, Dim::from(blocks.of_block), shape[2]];
    let values = build::compute(b, "part", &shape, ty, |b, at| {
        blocks.element(b, (at[1], at[2]), (ty, 0.0), |b, key| {
            read(b, values, &[at[0], key, at[3]])
        })
    });
    precision::widened(b, name_axes(values, &["b", "block", "k", "j"]))
}

/// The maximum, the sum and the result of all blocks, or of those that are not hidden.
fn combined(
    b: &Builder,
    parts: [Value; 3],
    flags: Option<Value>,
    (shape, blocks): ([Dim; 3], Dim),
) -> Vec<Value> {
    let float = Type::f32(b.ctx);
    let identity = [f64::NEG_INFINITY, 0.0, 0.0];
    build::reduce_tuple(
        b,
        "online",
        &shape,
        &identity.map(|value| Attr::float(float, value)),
        &[blocks],
        |b, at, block| {
            let row = [at[0], at[1], block[0]];
            let of_block = |b: &Builder| {
                let element = [&row[..], &[at[2]]].concat();
                let [largest, sum] = [parts[0], parts[1]].map(|part| read(b, part, &row));
                vec![largest, sum, read(b, parts[2], &element)]
            };
            let Some(flags) = flags else {
                return of_block(b);
            };
            let is_seen = is_seen(b, flags, row);
            if_then_else_all(b, is_seen, of_block, |b| {
                identity.map(|value| b.constant(float, value)).into()
            })
        },
        |b, old, new| {
            let largest = arith::MaximumF::build(b, old[0], new[0]);
            let factors = factors(b, [old[0], new[0]]);
            let sum = |part: usize| {
                let [old, new] = [old, new].map(|parts| parts[part]);
                let old = scalar::mul(b, old, factors[0]);
                scalar::add(b, old, scalar::mul(b, new, factors[1]))
            };
            vec![largest, sum(1), sum(2)]
        },
    )
}

/// Whether the block with these subscripts, of a sample, a query and itself, is not hidden.
fn is_seen(b: &Builder, flags: Value, [sample, query, block]: [Value; 3]) -> Value {
    let query = match flags.ty().dims()[1] == 1 {
        true => b.index(0),
        false => query,
    };
    let flag = read(b, flags, &[sample, query, block]);
    index::compare(b, Predicate::Ne, flag, b.constant(flag.ty(), 0.0))
}
