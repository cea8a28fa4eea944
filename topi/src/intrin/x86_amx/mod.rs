//! Products of bf16 and of bytes on AMX tiles, by MLIR's dialect `amx`.
//!
//! An AMX tile is a register of up to 16 rows of 16 words, of 32 bits each. A word holds two numbers of bf16, or four
//! bytes. `amx.tile_mulf` and `amx.tile_muli` add to 16 x 16 sums the products of 16 rows of the data and of 16 columns
//! of the weight. The weight lies in words, too: the first row of its tile holds the first word of each column.
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

use crate::{precision, qnn, scalar};
use relay_dialects::{
    Element,
    index::ceil_div,
    ir::{Block, Builder, Ctx, Op, Type, Value},
    ops::amx,
    te::{self, Reducer, build},
};
use relay_machine::units::{AMX_BF16, AMX_INT8, MatrixUnit};

/// The layout of a weight of `nn.contrib_dense_pack`: 16 columns of a tile, the inputs in pairs.
pub const WEIGHT_LAYOUT: &str = "NC16n2c";

/// As above, of a weight of `nn.contrib_conv2d_NCHWc` for data in blocks of `inputs` channels and a result in blocks of `outputs`: in its
/// tiles the inputs of a block come first, and then the columns of the kernel.
pub fn kernel_layout(inputs: i64, outputs: i64) -> String {
    format!("OIHW{}i{outputs}o2i", inputs / 2)
}

/// The columns of a tile of sums, and the fewest channels in a block.
pub const BLOCK: i64 = 16;

/// The columns of the result that two tiles beside each other cover.
pub const COLUMNS: i64 = 2 * TILE_ROWS;

/// The rows of a tile, its words in a row, and the columns of one of sums.
const TILE_ROWS: i64 = 16;

/// The largest number that is read out of a name: a product of two fits into 64 bits, with room.
const MOST_EXTENT: i64 = 1 << 24;

/// What decides on tiles beside the shapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The cycles after which a sum may be added to again. A product starts a row of its result in each cycle.
    pub latency: i64,
    /// The fewest words of inputs that a product adds up.
    pub least_words: i64,
    /// How later tiles of the weight are prefetched.
    pub prefetch: Prefetch,
}

/// Which rows of a later tile of the weight are prefetched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prefetch {
    /// The distance of prefetched rows: 1 for all.
    pub each_row: usize,
    /// The cache that it goes to, as `memref.prefetch` numbers it.
    pub locality: i64,
}

/// The numbers that tiles multiply, and how those of the data lie in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbers {
    /// Numbers of bf16. The sums are f32.
    Bf16,
    /// Unsigned bytes of the data, and signed bytes of the weight in words of i32. The sums are i32.
    Bytes,
    /// As [`Bytes`](Self::Bytes), with the data in words of i32, too.
    Words,
}

impl Numbers {
    /// The unit that multiplies them.
    pub fn unit(self) -> &'static MatrixUnit {
        match self {
            Self::Bf16 => &AMX_BF16,
            Self::Bytes | Self::Words => &AMX_INT8,
        }
    }

    /// How the names of their intrinsics begin.
    fn prefix(self) -> &'static str {
        match self {
            Self::Bf16 => "amx_",
            Self::Bytes => "amx_bytes_",
            Self::Words => "amx_words_",
        }
    }

    /// The numbers whose intrinsics have a name like this one, and the rest of the name.
    fn of_name(name: &str) -> Option<(Self, &str)> {
        let all = [Self::Bytes, Self::Words, Self::Bf16];
        all.into_iter()
            .find_map(|numbers| Some((numbers, name.strip_prefix(numbers.prefix())?)))
    }

    /// The numbers in a word.
    pub fn of_word(self) -> i64 {
        self.unit().pack
    }

    /// The elements in a word of the data.
    fn data_of_word(self) -> i64 {
        match self {
            Self::Words => 1,
            Self::Bf16 | Self::Bytes => self.of_word(),
        }
    }

    /// The elements in a word of the weight.
    fn weight_of_word(self) -> i64 {
        match self {
            Self::Bf16 => self.of_word(),
            Self::Bytes | Self::Words => 1,
        }
    }

    /// The elements of data and weight.
    fn operands(self) -> [Element; 2] {
        match self {
            Self::Bf16 => [Element::Bf16; 2],
            Self::Bytes => [Element::U8, Element::I32],
            Self::Words => [Element::I32; 2],
        }
    }

    /// The type of a tile's elements.
    fn operand(self, ctx: Ctx) -> Type {
        match self {
            Self::Bf16 => Type::bf16(ctx),
            Self::Bytes | Self::Words => Type::int(ctx, 8),
        }
    }

    /// The type of sums.
    fn sum(self, ctx: Ctx) -> Type {
        self.unit().sum.ty(ctx)
    }

    /// Adds to a tile of sums the products of a tile of the data and one of the weight.
    fn product(self, b: &Builder, data: Value, weight: Value, sum: Value) -> Value {
        match self {
            Self::Bf16 => amx::TileMulF::build(b, data, weight, sum),
            Self::Bytes | Self::Words => {
                amx::TileMulI::build_with(b, data, weight, sum, true, false)
            }
        }
    }

    /// The product of what the data has at a place and what the weight has at one, in a description: of two numbers, or of
    /// the bytes of two words.
    fn multiply(self, b: &Builder, [data, weight]: [(Value, &[Value]); 2]) -> Value {
        let read = |(tensor, at): (Value, &[Value])| build::read(b, tensor, at);
        match self {
            Self::Bf16 => {
                let [x, y] = [data, weight]
                    .map(|operand| precision::extend(b, read(operand), Type::f32(b.ctx)));
                scalar::mul(b, x, y)
            }
            Self::Bytes => qnn::dot(b, qnn::word_at(b, data.0, data.1), read(weight)),
            Self::Words => qnn::dot(b, read(data), read(weight)),
        }
    }
}

/// The most words of a row of a tile, no more than 16 and no fewer than `least`, as which `words` come in equal steps.
fn step_of(words: i64, least: i64) -> Option<i64> {
    let mut steps = (least..=TILE_ROWS).rev();
    steps.find(|step| words > 0 && words % step == 0)
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

/// The numbers of a part of a name, `4x7x7`.
fn numbers<const COUNT: usize>(text: &str) -> Option<[i64; COUNT]> {
    let numbers = text.split('x').map(|number| number.parse().ok());
    let in_range = |number: &i64| (0..=MOST_EXTENT).contains(number);
    let numbers: Option<Vec<i64>> = numbers.map(|number| number.filter(in_range)).collect();
    numbers?.try_into().ok()
}

/// The shapes of an intrinsic's operands and of its result.
struct Operands {
    numbers: Numbers,
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
        let [data, weight] = self.numbers.operands().map(|element| element.ty(b.ctx));
        let inputs = [
            Type::tensor(&self.data, data),
            Type::tensor(&self.weight, weight),
        ];
        let description = Block::new(b.ctx, &inputs);
        let inside = Builder::at_end(description, b.loc, b.ctx);
        let result = describe(&inside, description.arg(0), description.arg(1));
        te::ops::Yield::build(&inside, &[result]);

        let memrefs = [
            Type::memref(&self.data, data),
            Type::memref(&self.weight, weight),
            Type::memref(&self.result, self.numbers.sum(b.ctx)),
        ];
        let implementation = Block::new(b.ctx, &memrefs);
        let inside = Builder::at_end(implementation, b.loc, b.ctx);
        implement(&inside, [0, 1, 2].map(|at| implementation.arg(at)));

        te::ops::TensorIntrin::build_with(b, name, true, description, implementation)
    }

    /// Writes the description: the sum over axes of extents `reduced` of products of what `data` and `weight` have at the
    /// subscripts that `at` gives for an index of the result and one of what is summed over.
    fn sum_of_products(
        &self,
        b: &Builder,
        [data, weight]: [Value; 2],
        reduced: &[i64],
        at: impl FnOnce(&Builder, &[Value], &[Value]) -> [Vec<Value>; 2],
    ) -> Value {
        let sum = (Reducer::Sum, reduced);
        let element = self.numbers.sum(b.ctx);
        build::reduce(b, "c", &self.result, element, sum, |b, index, reduce| {
            let [data_at, weight_at] = at(b, index, reduce);
            self.numbers
                .multiply(b, [(data, &data_at), (weight, &weight_at)])
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
