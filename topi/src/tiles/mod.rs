//! Products on tiles of bf16: x86-64's AMX, by MLIR's dialect of that name.
//!
//! A tile is up to 16 rows of 64 bytes. `amx.tile_mulf` adds to 16 x 16 sums of f32 the products of 16 rows of
//! 32 numbers of the data and of 16 columns of the weight, which lies in pairs: the first row of the tile
//! holds the first two inputs of each column.
//!
//! Two tiles of rows meet two of columns: a step of the sum reads as many tiles as it multiplies, and all eight
//! tile registers are in use.

mod conv;
mod dense;
mod subscripts;

pub use conv::{Conv, Shape};
pub use dense::Dense;

use relay_dialects::{
    index::ceil_div,
    ir::{Ctx, Op},
};

/// The layout of a weight of `nn.contrib_dense_pack`: 16 columns of a tile, the inputs in pairs.
pub const WEIGHT_LAYOUT: &str = "NC16n2c";

/// As above, of a weight of `nn.contrib_conv2d_NCHWc`, in whose tiles the inputs of a block come first, and
/// then the columns of the kernel.
pub const KERNEL_LAYOUT: &str = "OIHW8i16o2i";

/// The channels in a block of a convolution's data.
pub const BLOCK: i64 = 16;

/// The columns of the result that a block of tiles covers.
pub const COLUMNS: i64 = 2 * TILE_ROWS;

/// The rows of a tile, and the columns of one of sums.
const TILE_ROWS: i64 = 16;

/// Steps of the reduction that would fill less than half of a tile's rows are left to vectors.
const MIN_STEP: i64 = 16;

/// The most numbers of a row of a tile, no more than 32, as which `inputs` come in equal steps.
fn step_of(inputs: i64) -> Option<i64> {
    let mut steps = (MIN_STEP / 2..=TILE_ROWS).rev().map(|pairs| 2 * pairs);
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

/// The parts of a `te.tensor_intrin`.
struct Intrinsic {
    name: String,
    /// The shapes of the operands and of the result, as in types.
    data: String,
    weight: String,
    result: String,
    /// The `te.compute` of them.
    description: String,
    implementation: String,
}

impl Intrinsic {
    /// The op, detached. The context has upstream's dialects.
    fn op(&self, ctx: Ctx) -> Op {
        Op::parse(ctx, &self.text()).expect("the text of an intrinsic is an op")
    }

    fn text(&self) -> String {
        let Self {
            name,
            data,
            weight,
            result,
            description,
            implementation,
        } = self;
        format!(
            "te.tensor_intrin @{name} attributes {{whole}} {{
^bb0(%a: tensor<{data}xbf16>, %w: tensor<{weight}xbf16>):
{description}
  te.yield %c : tensor<{result}xf32>
}} implementation {{
^bb0(%a: memref<{data}xbf16>, %w: memref<{weight}xbf16>, %c: memref<{result}xf32>):
{implementation}
}}"
        )
    }
}

/// The product of two numbers, as the body of a description ends.
fn product((data, at): (&str, &str), (weight, weight_at): (&str, &str)) -> String {
    format!(
        "    %from = tensor.extract %a[{at}] : tensor<{data}xbf16>
    %by = tensor.extract %w[{weight_at}] : tensor<{weight}xbf16>
    %u = arith.extf %from fastmath<contract> : bf16 to f32
    %v = arith.extf %by fastmath<contract> : bf16 to f32
    %p = arith.mulf %u, %v : f32
    te.yield %p : f32"
    )
}

/// Constants of an implementation by their names.
fn constants(numbers: &[(&str, i64)]) -> String {
    let lines = numbers
        .iter()
        .map(|(name, number)| format!("  %{name} = arith.constant {number} : index\n"));
    lines.collect()
}

/// Tiles of sums, one or two above each other and two beside each other, and those of a step of them.
struct Sums {
    /// The rows of a tile.
    rows: i64,
    /// The tiles above each other.
    row_tiles: i64,
    /// The inputs of a step.
    step: i64,
}

impl Sums {
    /// Row and column of each.
    fn places(&self) -> impl Iterator<Item = (i64, i64)> {
        (0..self.row_tiles).flat_map(|row| [(row, 0), (row, 1)])
    }

    fn ty(&self) -> String {
        format!("!amx.tile<{}x16xf32>", self.rows)
    }

    fn data_ty(&self) -> String {
        format!("!amx.tile<{}x{}xbf16>", self.rows, self.step)
    }

    fn weight_ty(&self) -> String {
        format!("!amx.tile<{}x32xbf16>", self.step / 2)
    }

    /// The types of all.
    fn types(&self) -> String {
        let types: Vec<String> = self.places().map(|_| self.ty()).collect();
        types.join(", ")
    }

    /// Their names, which begin with `name`.
    fn list(&self, name: &str) -> String {
        let names: Vec<String> = self
            .places()
            .map(|(row, column)| format!("%{name}{row}{column}"))
            .collect();
        names.join(", ")
    }

    /// Zeros by the name `name`.
    fn zeros(&self, name: &str) -> String {
        let (places, ty) = (self.places(), self.ty());
        places
            .map(|(row, column)| format!("  %{name}{row}{column} = amx.tile_zero : {ty}\n"))
            .collect()
    }

    /// A loop over `variable` from %i0 to %`to`, in which sums `from` are `carried`, and are `result`s after
    /// it; `body` ends with those that it `yields`.
    fn sum(&self, variable: &str, to: &str, names: Names<'_>, body: &str) -> String {
        let carried: Vec<String> = self
            .places()
            .map(|(row, column)| {
                let (carried, from) = (names.carried, names.from);
                format!("%{carried}{row}{column} = %{from}{row}{column}")
            })
            .collect();
        let (result, types) = (self.list(names.result), self.types());
        format!(
            "  {result} = scf.for %{variable} = %i0 to %{to} step %i1 iter_args({carried}) -> ({types}) {{
{body}  scf.yield {yielded} : {types}
  }}
",
            carried = carried.join(", "),
            yielded = self.list(names.yielded),
        )
    }

    /// Products of tiles of the data and the weight, whose names end in `of`, added to the sums `from`.
    fn products(&self, of: &str, from: &str, to: &str) -> String {
        let (data, weight, ty) = (self.data_ty(), self.weight_ty(), self.ty());
        let lines = self.places().map(|(row, column)| {
            format!(
                "  %{to}{row}{column} = amx.tile_mulf %a{row}{of}, %w{column}{of}, %{from}{row}{column} : {data}, {weight}, {ty}\n"
            )
        });
        lines.collect()
    }

    /// Stores sums whose rows lie %results apart, at the subscripts of their places.
    fn stores(&self, name: &str, result: &str, mut at: impl FnMut(i64, i64) -> String) -> String {
        let ty = self.ty();
        let lines = self.places().map(|(row, column)| {
            format!(
                "  amx.tile_store %c[{}], %{name}{row}{column}, %results : memref<{result}xf32>, {ty}\n",
                at(row, column)
            )
        });
        lines.collect()
    }
}

/// What the sums of a loop are called.
#[derive(Clone, Copy)]
struct Names<'a> {
    from: &'a str,
    carried: &'a str,
    yielded: &'a str,
    result: &'a str,
}
