//! Products on tiles of bf16: x86-64's AMX, by MLIR's dialect of that name.
//!
//! A tile is up to 16 rows of 64 bytes. `amx.tile_mulf` adds to 16 x 16 sums of f32 the products of 16 rows of
//! 32 numbers of the data and of 16 columns of the weight, which lies in pairs: the first row of the tile
//! holds the first two inputs of each column.

use relay_dialects::{
    index::ceil_div,
    ir::{Ctx, Op},
};
use std::fmt::Write;

/// The layout of a weight of `nn.contrib_dense_pack`: 16 columns of a tile, the inputs in pairs.
pub const WEIGHT_LAYOUT: &str = "NC16n2c";

/// As above, of a weight of `nn.contrib_conv2d_NCHWc` with a kernel of one pixel.
pub const KERNEL_LAYOUT: &str = "OIHW16o2i";

/// The channels in a block of a convolution's data.
pub const BLOCK: i64 = 16;

/// The columns of the result that a block of tiles covers.
pub const COLUMNS: i64 = 2 * TILE_ROWS;

/// The rows of a tile, and the columns of one of sums.
const TILE_ROWS: i64 = 16;

/// Steps of the reduction that would fill less than half of a tile's rows are left to vectors.
const MIN_STEP: i64 = 16;

/// How the data lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Data {
    /// Rows of all inputs.
    Rows,
    /// Rows of 16 inputs, in as many blocks as it takes: a step is one block.
    Blocks,
}

/// Which tiles hold a block of a product's result: rows of 16 columns by two, as long as the sum lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tile {
    /// The rows of a tile.
    rows: i64,
    /// One or two tiles above each other: two read each part of the weight half as often.
    row_tiles: i64,
    /// The inputs that are summed.
    inputs: i64,
    /// How many of them a tile holds.
    step: i64,
    data: Data,
}

impl Tile {
    /// The tiles for a product of `rows` by `inputs`; `None` if vectors are to compute it: one row alone,
    /// an odd number of inputs, or one that whole steps of 16 to 32 do not divide.
    pub fn choose(rows: i64, inputs: i64) -> Option<Self> {
        let mut steps = (MIN_STEP / 2..=TILE_ROWS).rev().map(|pairs| 2 * pairs);
        let step = steps.find(|step| inputs > 0 && inputs % step == 0)?;
        let (rows, row_tiles) = match rows {
            ..2 => return None,
            2..=TILE_ROWS => (rows, 1),
            // Odd, and few: the second tile lies over a row of the first.
            _ if rows < 2 * TILE_ROWS && rows % 2 == 1 => (ceil_div(rows, 2), 1),
            // As many rows in each block, so that the last one lies over few of those before.
            _ => (ceil_div(rows, 2 * ceil_div(rows, 2 * TILE_ROWS)), 2),
        };
        Some(Self {
            rows,
            row_tiles,
            inputs,
            step,
            data: Data::Rows,
        })
    }

    /// The tiles for a convolution with a kernel of one pixel, of rows of `pixels` and of `inputs` channels in
    /// blocks of 16: half of each tile of the data is filled.
    pub fn choose_blocks(pixels: i64, inputs: i64) -> Option<Self> {
        let tile = Self::choose(pixels, inputs).filter(|_| inputs % BLOCK == 0)?;
        Some(Self {
            step: BLOCK,
            data: Data::Blocks,
            ..tile
        })
    }

    /// The rows of the result that a block covers.
    pub fn block_rows(self) -> i64 {
        self.rows * self.row_tiles
    }

    /// The name of the [intrinsic](Tile::intrinsic).
    pub fn name(self) -> String {
        let Self { inputs, step, .. } = self;
        let kind = match self.data {
            Data::Rows => "",
            Data::Blocks => "_blocks",
        };
        format!("amx{kind}_{}x{COLUMNS}x{inputs}by{step}", self.block_rows())
    }

    /// A `te.tensor_intrin` that computes a block, detached. The context has upstream's dialects.
    pub fn intrinsic(self, ctx: Ctx) -> Op {
        Op::parse(ctx, &self.text()).expect("the text of an intrinsic is an op")
    }

    /// The intrinsic as text. Both tiles of columns meet all tiles of rows: a step of the sum reads as
    /// many tiles as it multiplies, at most.
    fn text(self) -> String {
        let operands = self.operands();
        let Operands {
            data,
            weight,
            result,
            ..
        } = &operands;
        format!(
            "te.tensor_intrin @{name} attributes {{whole}} {{
^bb0(%a: tensor<{data}xbf16>, %w: tensor<{weight}xbf16>):
{description}
  te.yield %c : tensor<{result}xf32>
}} implementation {{
^bb0(%a: memref<{data}xbf16>, %w: memref<{weight}xbf16>, %c: memref<{result}xf32>):
{implementation}
}}",
            name = self.name(),
            description = operands.description,
            implementation = self.implementation(&operands),
        )
    }

    /// Where the numbers lie.
    fn operands(self) -> Operands {
        let (rows, inputs, pairs) = (self.block_rows(), self.inputs, self.inputs / 2);
        let weight = format!("2x{pairs}x16x2");
        let products = |data: &str, at: &str, weight_at: &str| {
            format!(
                "    %x = tensor.extract %a[{at}] : tensor<{data}xbf16>
    %y = tensor.extract %w[{weight_at}] : tensor<{weight}xbf16>
    %u = arith.extf %x fastmath<contract> : bf16 to f32
    %v = arith.extf %y fastmath<contract> : bf16 to f32
    %p = arith.mulf %u, %v : f32
    te.yield %p : f32"
            )
        };
        match self.data {
            Data::Rows => {
                let (data, result) = (format!("{rows}x{inputs}"), format!("{rows}x2x16"));
                let description = format!(
                    "  %c = te.compute \"c\" reduce [{pairs}, 2] \"sum\" {{
  ^bb0(%i: index, %j: index, %lane: index, %k: index, %half: index):
    %two = arith.constant 2 : index
    %first = arith.muli %k, %two : index
    %input = arith.addi %first, %half : index
{}
  }} : tensor<{result}xf32>",
                    products(&data, "%i, %input", "%j, %k, %lane, %half")
                );
                Operands {
                    data,
                    weight,
                    result,
                    description,
                    data_at: |row| format!("%i{row}, %k"),
                    result_at: |row, column| format!("%i{row}, %j{column}, %i0"),
                    result_stride: COLUMNS,
                }
            }
            Data::Blocks => {
                let (blocks, half) = (inputs / BLOCK, BLOCK / 2);
                let (data, result) = (format!("{blocks}x{rows}x{BLOCK}"), format!("2x{rows}x16"));
                let description = format!(
                    "  %c = te.compute \"c\" reduce [{blocks}, 1, 1, {half}, 2] \"sum\" {{
  ^bb0(%j: index, %i: index, %lane: index, %k: index, %y0: index, %x0: index, %pair: index, %half: index):
    %two = arith.constant 2 : index
    %pairs = arith.constant {half} : index
    %first = arith.muli %pair, %two : index
    %input = arith.addi %first, %half : index
    %before = arith.muli %k, %pairs : index
    %at = arith.addi %before, %pair : index
{}
  }} : tensor<{result}xf32>",
                    products(&data, "%k, %i, %input", "%j, %at, %lane, %half")
                );
                Operands {
                    data,
                    weight,
                    result,
                    description,
                    data_at: |row| format!("%n, %i{row}, %i0"),
                    result_at: |row, column| format!("%j{column}, %i{row}, %i0"),
                    result_stride: 16,
                }
            }
        }
    }

    /// Loops and products.
    fn implementation(self, operands: &Operands) -> String {
        let Self {
            rows, inputs, step, ..
        } = self;
        let sum = format!("!amx.tile<{rows}x16xf32>");
        let data = format!("!amx.tile<{rows}x{step}xbf16>");
        let weight = format!("!amx.tile<{}x32xbf16>", step / 2);
        let sums: Vec<(i64, i64)> = (0..self.row_tiles)
            .flat_map(|row| [(row, 0), (row, 1)])
            .collect();
        let list = |name: &str| {
            let names = sums
                .iter()
                .map(|(row, column)| format!("%{name}{row}{column}"));
            names.collect::<Vec<_>>().join(", ")
        };
        let types = vec![sum.as_str(); sums.len()].join(", ");
        let carried: Vec<String> = sums
            .iter()
            .map(|(row, column)| format!("%s{row}{column} = %z{row}{column}"))
            .collect();
        let constants = [
            ("i0", 0),
            ("i1", rows),
            ("j0", 0),
            ("j1", 1),
            ("next", 1),
            ("steps", inputs / step),
            ("step", step),
            ("pairs", step / 2),
            ("weights", 32),
            ("results", operands.result_stride),
        ];
        let mut text = String::new();
        let mut line = |of: String| {
            let _ = writeln!(text, "  {of}");
        };
        for (name, number) in constants {
            line(format!("%{name} = arith.constant {number} : index"));
        }
        for (row, column) in &sums {
            line(format!("%z{row}{column} = amx.tile_zero : {sum}"));
        }
        line(format!(
            "{} = scf.for %n = %i0 to %steps step %next iter_args({}) -> ({types}) {{",
            list("r"),
            carried.join(", ")
        ));
        line("%k = arith.muli %n, %step : index".into());
        line("%p = arith.muli %n, %pairs : index".into());
        for row in 0..self.row_tiles {
            let (at, lies) = ((operands.data_at)(row), &operands.data);
            line(format!(
                "%a{row} = amx.tile_load %a[{at}] : memref<{lies}xbf16> into {data}"
            ));
        }
        for column in 0..2 {
            let lies = &operands.weight;
            line(format!(
                "%w{column} = amx.tile_load %w[%j{column}, %p, %i0, %i0], %weights : memref<{lies}xbf16> into {weight}"
            ));
        }
        for (row, column) in &sums {
            line(format!(
                "%t{row}{column} = amx.tile_mulf %a{row}, %w{column}, %s{row}{column} : {data}, {weight}, {sum}"
            ));
        }
        line(format!("scf.yield {} : {types}", list("t")));
        line("}".into());
        for (row, column) in &sums {
            let (at, lies) = ((operands.result_at)(*row, *column), &operands.result);
            line(format!(
                "amx.tile_store %c[{at}], %r{row}{column}, %results : memref<{lies}xf32>, {sum}"
            ));
        }
        text
    }
}

/// The operands of an intrinsic.
struct Operands {
    /// Their shapes as in types.
    data: String,
    weight: String,
    result: String,
    /// The `te.compute` of them.
    description: String,
    /// The subscripts of a tile of the data by its number, in the step %n from input %k on.
    data_at: fn(i64) -> String,
    /// The subscripts of a tile of sums by those of its rows and columns.
    result_at: fn(i64, i64) -> String,
    /// The distance of its rows, in elements.
    result_stride: i64,
}

#[cfg(test)]
mod tests {
    use super::{COLUMNS, Tile};
    use relay_dialects::{context, ir::Ctx};

    #[test]
    fn blocks_fit_the_rows_and_the_machine() {
        for rows in 2..200 {
            let tile = Tile::choose(rows, 768).expect("768 inputs are 24 steps");
            assert!(tile.rows <= 16 && tile.row_tiles <= 2);
            assert!(
                (2..=rows).contains(&tile.block_rows()),
                "{tile:?} of {rows}"
            );
            let blocks = (rows + tile.block_rows() - 1) / tile.block_rows();
            assert!(
                blocks * tile.block_rows() < rows + 2 * blocks,
                "{tile:?} of {rows}"
            );
        }
        assert_eq!(Tile::choose(1, 768), None);
    }

    #[test]
    fn steps_divide_the_inputs() {
        for (inputs, step) in [
            (768, Some(32)),
            (144, Some(24)),
            (16, Some(16)),
            (100, Some(20)),
        ] {
            assert_eq!(Tile::choose(16, inputs).map(|tile| tile.step), step);
        }
        for inputs in [0, 2, 8, 14, 27, 33, 58] {
            assert_eq!(Tile::choose(16, inputs), None, "{inputs}");
        }
    }

    #[test]
    fn intrinsics_are_valid() {
        let context = context();
        for (rows, inputs) in [(128, 768), (3, 32), (49, 144), (21, 64)] {
            for choose in [Tile::choose, Tile::choose_blocks] {
                let tile = choose(rows, inputs).expect("there are tiles");
                let op = tile.intrinsic(Ctx::of(&context));
                assert!(op.verify(), "{rows} x {COLUMNS} x {inputs}");
                assert!(op.has_attr("whole"));
            }
        }
    }
}
