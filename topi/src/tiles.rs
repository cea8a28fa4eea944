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

/// The columns of the result that a block of tiles covers.
pub const COLUMNS: i64 = 2 * TILE_ROWS;

/// The rows of a tile, and the columns of one of sums.
const TILE_ROWS: i64 = 16;

/// Steps of the reduction that would fill less than half of a tile's rows are left to vectors.
const MIN_STEP: i64 = 16;

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
        })
    }

    /// The rows of the result that a block covers.
    pub fn block_rows(self) -> i64 {
        self.rows * self.row_tiles
    }

    /// The name of the [intrinsic](Tile::intrinsic).
    pub fn name(self) -> String {
        let Self { inputs, step, .. } = self;
        format!("amx_{}x{COLUMNS}x{inputs}by{step}", self.block_rows())
    }

    /// A `te.tensor_intrin` that computes a block, detached. The context has upstream's dialects.
    pub fn intrinsic(self, ctx: Ctx) -> Op {
        Op::parse(ctx, &self.text()).expect("the text of an intrinsic is an op")
    }

    /// The intrinsic as text. Both tiles of columns meet all tiles of rows: a step of the sum reads as
    /// many tiles as it multiplies, at most.
    fn text(self) -> String {
        let Self {
            rows, inputs, step, ..
        } = self;
        let (block_rows, pairs) = (self.block_rows(), inputs / 2);
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

        let mut text = format!(
            "te.tensor_intrin @{name} attributes {{whole}} {{
^bb0(%a: tensor<{block_rows}x{inputs}xbf16>, %w: tensor<2x{pairs}x16x2xbf16>):
  %c = te.compute \"c\" reduce [{pairs}, 2] \"sum\" {{
  ^bb0(%i: index, %j: index, %lane: index, %k: index, %half: index):
    %two = arith.constant 2 : index
    %first = arith.muli %k, %two : index
    %input = arith.addi %first, %half : index
    %x = tensor.extract %a[%i, %input] : tensor<{block_rows}x{inputs}xbf16>
    %y = tensor.extract %w[%j, %k, %lane, %half] : tensor<2x{pairs}x16x2xbf16>
    %u = arith.extf %x fastmath<contract> : bf16 to f32
    %v = arith.extf %y fastmath<contract> : bf16 to f32
    %p = arith.mulf %u, %v : f32
    te.yield %p : f32
  }} : tensor<{block_rows}x2x16xf32>
  te.yield %c : tensor<{block_rows}x2x16xf32>
}} implementation {{
^bb0(%a: memref<{block_rows}x{inputs}xbf16>, %w: memref<2x{pairs}x16x2xbf16>, %c: memref<{block_rows}x2x16xf32>):
  %i0 = arith.constant 0 : index
  %i1 = arith.constant {rows} : index
  %j0 = arith.constant 0 : index
  %j1 = arith.constant 1 : index
  %next = arith.constant 1 : index
  %steps = arith.constant {steps} : index
  %step = arith.constant {step} : index
  %pairs = arith.constant {half} : index
  %stride = arith.constant {COLUMNS} : index
",
            name = self.name(),
            steps = inputs / step,
            half = step / 2,
        );
        let mut line = |of: String| {
            let _ = writeln!(text, "  {of}");
        };
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
            let memref = format!("memref<{block_rows}x{inputs}xbf16>");
            line(format!(
                "%a{row} = amx.tile_load %a[%i{row}, %k] : {memref} into {data}"
            ));
        }
        for column in 0..2 {
            let memref = format!("memref<2x{pairs}x16x2xbf16>");
            line(format!(
                "%w{column} = amx.tile_load %w[%j{column}, %p, %i0, %i0], %stride : {memref} into {weight}"
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
            line(format!(
                "amx.tile_store %c[%i{row}, %j{column}, %i0], %r{row}{column}, %stride : memref<{block_rows}x2x16xf32>, {sum}"
            ));
        }
        text.push('}');
        text
    }
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
            let tile = Tile::choose(rows, inputs).expect("there are tiles");
            let op = tile.intrinsic(Ctx::of(&context));
            assert!(op.verify(), "{rows} x {COLUMNS} x {inputs}");
            assert!(op.has_attr("whole"));
        }
    }
}
