//! Dense layers: rows of all inputs.

use super::{COLUMNS, Intrinsic, Names, Sums, constants, cut, product, step_of};
use relay_dialects::ir::{Ctx, Op};

/// Which tiles hold a block of a product's result: rows of 16 columns by two, as long as the sum lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dense {
    /// The rows of a tile.
    rows: i64,
    /// One or two tiles above each other: two read each part of the weight half as often.
    row_tiles: i64,
    /// The inputs that are summed.
    inputs: i64,
    /// How many of them a tile holds.
    step: i64,
}

impl Dense {
    /// The tiles for a product of `rows` by `inputs`; `None` if vectors are to compute it: one row alone,
    /// an odd number of inputs, or one that whole steps of 16 to 32 do not divide.
    pub fn choose(rows: i64, inputs: i64) -> Option<Self> {
        let step = step_of(inputs)?;
        let (rows, row_tiles) = cut(rows)?;
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

    /// The name of the [intrinsic](Dense::intrinsic).
    pub fn name(self) -> String {
        let Self { inputs, step, .. } = self;
        format!("amx_{}x{COLUMNS}x{inputs}by{step}", self.block_rows())
    }

    /// A `te.tensor_intrin` that computes a block, detached. The context has upstream's dialects.
    pub fn intrinsic(self, ctx: Ctx) -> Op {
        let (rows, inputs, pairs) = (self.block_rows(), self.inputs, self.inputs / 2);
        let data = format!("{rows}x{inputs}");
        let weight = format!("2x{pairs}x16x2");
        let result = format!("{rows}x2x16");
        let description = format!(
            "  %c = te.compute \"c\" reduce [{pairs}, 2] \"sum\" {{
  ^bb0(%i: index, %j: index, %lane: index, %k: index, %half: index):
    %two = arith.constant 2 : index
    %first = arith.muli %k, %two : index
    %input = arith.addi %first, %half : index
{}
  }} : tensor<{result}xf32>",
            product((&data, "%i, %input"), (&weight, "%j, %k, %lane, %half"))
        );
        let intrinsic = Intrinsic {
            name: self.name(),
            implementation: self.implementation(&data, &weight, &result),
            data,
            weight,
            result,
            description,
        };
        intrinsic.op(ctx)
    }

    /// Loops and products.
    fn implementation(self, data: &str, weight: &str, result: &str) -> String {
        let sums = Sums {
            rows: self.rows,
            row_tiles: self.row_tiles,
            step: self.step,
        };
        let mut step = String::from(
            "  %k = arith.muli %n, %step : index
  %p = arith.muli %n, %pairs : index
",
        );
        for row in 0..self.row_tiles {
            let ty = sums.data_ty();
            step += &format!(
                "  %a{row} = amx.tile_load %a[%row{row}, %k] : memref<{data}xbf16> into {ty}\n"
            );
        }
        for column in 0..2 {
            let ty = sums.weight_ty();
            step += &format!(
                "  %w{column} = amx.tile_load %w[%i{column}, %p, %i0, %i0], %weights : memref<{weight}xbf16> into {ty}\n"
            );
        }
        step += &sums.products("", "s", "t");
        let names = Names {
            from: "z",
            carried: "s",
            yielded: "t",
            result: "r",
        };
        let numbers = [
            ("i0", 0),
            ("i1", 1),
            ("row0", 0),
            ("row1", self.rows),
            ("steps", self.inputs / self.step),
            ("step", self.step),
            ("pairs", self.step / 2),
            ("weights", 32),
            ("results", COLUMNS),
        ];
        let stores = sums.stores("r", result, |row, column| {
            format!("%row{row}, %i{column}, %i0")
        });
        let sum = sums.sum("n", "steps", names, &step);
        [constants(&numbers), sums.zeros("z"), sum, stores].concat()
    }
}

#[cfg(test)]
mod tests {
    use super::Dense;
    use crate::tiles::COLUMNS;
    use relay_dialects::{context, ir::Ctx};

    #[test]
    fn blocks_fit_the_rows_and_the_machine() {
        for rows in 2..200 {
            let tile = Dense::choose(rows, 768).expect("768 inputs are 24 steps");
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
        assert_eq!(Dense::choose(1, 768), None);
    }

    #[test]
    fn steps_divide_the_inputs() {
        for (inputs, step) in [
            (768, Some(32)),
            (144, Some(24)),
            (16, Some(16)),
            (100, Some(20)),
        ] {
            assert_eq!(Dense::choose(16, inputs).map(|tile| tile.step), step);
        }
        for inputs in [0, 2, 8, 14, 27, 33, 58] {
            assert_eq!(Dense::choose(16, inputs), None, "{inputs}");
        }
    }

    #[test]
    fn intrinsics_are_valid() {
        let context = context();
        for (rows, inputs) in [(128, 768), (3, 32), (49, 144), (21, 64)] {
            let tile = Dense::choose(rows, inputs).expect("there are tiles");
            let op = tile.intrinsic(Ctx::of(&context));
            assert!(op.verify(), "{rows} x {COLUMNS} x {inputs}");
            assert!(op.has_attr("whole"));
        }
    }
}
