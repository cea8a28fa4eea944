//! Products of bf16 on AMX tiles, by MLIR's dialect `amx`.
//!
//! An AMX tile is a register of up to 16 rows of 64 bytes. `amx.tile_mulf` adds to 16 x 16 sums of f32 the
//! products of 16 rows of 32 numbers of the data and of 16 columns of the weight, which lies in pairs: the first
//! row of its tile holds the first two inputs of each column.
//!
//! A [block of sums](SumTiles) is a few tiles above and beside each other. There are eight registers, and a
//! product waits for the one before it in its own sum.

mod convolution;
mod dense;
pub mod pairs;
mod subscripts;
mod sums;

pub use convolution::{Conv, Shape};
pub use dense::Dense;

use crate::{precision, scalar};
use relay_dialects::{
    index::ceil_div,
    ir::{Block, Builder, Op, Type, Value},
    te::{self, Reducer, build},
};

/// The layout of a weight of `nn.contrib_dense_pack`: 16 columns of a tile, the inputs in pairs.
pub const WEIGHT_LAYOUT: &str = "NC16n2c";

/// As above, of a weight of `nn.contrib_conv2d_NCHWc`, in whose tiles the inputs of a block come first, and
/// then the columns of the kernel.
pub const KERNEL_LAYOUT: &str = "OIHW8i16o2i";

/// The channels in a block of a convolution's data.
pub const BLOCK: i64 = 16;

/// The columns of the result that two tiles beside each other cover.
pub const COLUMNS: i64 = 2 * TILE_ROWS;

/// The rows of a tile, and the columns of one of sums.
const TILE_ROWS: i64 = 16;

/// The largest number that is read out of a name: a product of two fits into 64 bits, with room.
const MOST_EXTENT: i64 = 1 << 24;

/// What decides on tiles beside the shapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The cycles after which a sum may be added to again. A product starts a row of its result in each cycle.
    pub latency: i64,
    /// The fewest inputs that a product adds up.
    pub least_step: i64,
}

/// The most numbers of a row of a tile, no more than 32 and no fewer than `least`, as which `inputs` come in equal steps.
fn step_of(inputs: i64, least: i64) -> Option<i64> {
    let mut steps = (least / 2..=TILE_ROWS).rev().map(|pairs| 2 * pairs);
    steps.find(|step| inputs > 0 && inputs % step == 0)
}

/// The rows of a tile and how many tiles, one or two, a block of them has; `None` for one row alone.
fn cut(rows: i64) -> Option<(i64, i64)> {
    Some(match rows {
        ..2 => return None,
        2..=TILE_ROWS => (rows, 1),
        // Odd, and few: the second tile lies over a row of the first.
        _ if rows < 2 * TILE_ROWS && rows % 2 == 1 => (ceil_div(rows, 2), 1),
        // As many rows in each block, so that the last one lies over few of those before.
        _ => (ceil_div(rows, 2 * ceil_div(rows, 2 * TILE_ROWS)), 2),
    })
}

/// Whether a tile has so many columns of numbers: whole pairs.
fn is_step(step: i64) -> bool {
    step % 2 == 0 && (2..=2 * TILE_ROWS).contains(&step)
}

/// The numbers of a part of a name, `4x7x7`.
fn numbers<const COUNT: usize>(text: &str) -> Option<[i64; COUNT]> {
    let numbers = text.split('x').map(|number| number.parse().ok());
    let in_range = |number: &i64| (0..=MOST_EXTENT).contains(number);
    let numbers: Option<Vec<i64>> = numbers.map(|number| number.filter(in_range)).collect();
    numbers?.try_into().ok()
}

/// The shapes of an intrinsic's operands, of bf16, and of its result, of f32.
struct Operands {
    data: Vec<i64>,
    weight: Vec<i64>,
    result: Vec<i64>,
}

impl Operands {
    /// Writes a `te.tensor_intrin` that is a whole reduction. `describe` writes the `te.compute` of the tensors of
    /// data and weight, `implement` what fills the memref of the result from those of data and weight.
    fn intrinsic(
        &self,
        b: &Builder,
        name: &str,
        describe: impl FnOnce(&Builder, Value, Value) -> Value,
        implement: impl FnOnce(&Builder, [Value; 3]),
    ) -> Op {
        let inputs = [&self.data, &self.weight].map(|shape| Type::tensor(shape, Type::bf16(b.ctx)));
        let description = Block::new(b.ctx, &inputs);
        let inside = Builder::at_end(description, b.loc, b.ctx);
        let result = describe(&inside, description.arg(0), description.arg(1));
        te::ops::Yield::build(&inside, &[result]);

        let [data, weight] =
            [&self.data, &self.weight].map(|shape| Type::memref(shape, Type::bf16(b.ctx)));
        let result = Type::memref(&self.result, Type::f32(b.ctx));
        let implementation = Block::new(b.ctx, &[data, weight, result]);
        let inside = Builder::at_end(implementation, b.loc, b.ctx);
        implement(&inside, [0, 1, 2].map(|at| implementation.arg(at)));

        te::ops::TensorIntrin::build_with(b, name, true, description, implementation)
    }

    /// Writes the description: the sum over axes of extents `reduced` of products of an element of `data` and one
    /// of `weight`, at the subscripts that `at` gives for an index of the result and one of what is summed over.
    fn sum_of_products(
        &self,
        b: &Builder,
        [data, weight]: [Value; 2],
        reduced: &[i64],
        at: impl FnOnce(&Builder, &[Value], &[Value]) -> [Vec<Value>; 2],
    ) -> Value {
        let sum = (Reducer::Sum, reduced);
        let single = Type::f32(b.ctx);
        build::reduce(b, "c", &self.result, single, sum, |b, index, reduce| {
            let [data_at, weight_at] = at(b, index, reduce);
            let number = |tensor, at: &[Value]| build::read(b, tensor, at);
            let [x, y] = [number(data, &data_at), number(weight, &weight_at)]
                .map(|number| precision::extend(b, number, single));
            scalar::mul(b, x, y)
        })
    }
}

#[cfg(test)]
pub(super) mod tests {
    use relay_dialects::ir::{Builder, Ctx, Op};

    /// What is built in an empty module.
    pub fn in_module(ctx: Ctx, build: impl FnOnce(&Builder) -> Op) -> Op {
        let module = Op::parse(ctx, "module {}").expect("an empty module parses");
        build(&Builder::at_start(
            module.body(),
            module.loc(),
            module.ctx(),
        ))
    }
}
