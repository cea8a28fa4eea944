//! Dense layers: rows of all inputs.

use super::{
    COLUMNS, Limits, Operands, TILE_ROWS, cut, is_step, numbers, step_of,
    sums::{SumTiles, sum_over},
};
use relay_dialects::{
    index,
    ir::{Builder, Op, Value},
};

/// How names end whose weight the kernel puts in pairs.
const OF_PAIRS: &str = "_of_pairs";

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
    /// Whether the kernel itself has put the weight in [pairs](super::pairs), which lie in one dimension.
    is_packed_here: bool,
}

impl Dense {
    /// The tiles for a product of `rows` by `inputs`; `None` if vectors are to compute it: one row alone,
    /// an odd number of inputs, or one that whole steps of 16 to 32 do not divide.
    pub fn choose(rows: i64, inputs: i64, limits: Limits) -> Option<Self> {
        let step = step_of(inputs, limits.least_step)?;
        let (rows, row_tiles) = cut(rows)?;
        Some(Self {
            rows,
            row_tiles,
            inputs,
            step,
            is_packed_here: false,
        })
    }

    /// The tiles for a product of `rows` by `inputs` and a matrix of so many `columns` that lies in rows, which the kernel
    /// itself puts in [pairs](super::pairs); `None` where there are fewer columns than two tiles have.
    pub fn of_rows(rows: i64, inputs: i64, columns: i64, limits: Limits) -> Option<Self> {
        let tile = Self::choose(rows, inputs, limits).filter(|_| columns >= COLUMNS)?;
        Some(tile.of_pairs())
    }

    /// The tiles of two products in one kernel. A tile register has one shape in a kernel, and products whose steps differ share
    /// those of sums alone: then each has one tile of rows, so that all fit the eight registers.
    pub fn together(products: [Self; 2]) -> [Self; 2] {
        let [first, second] = products;
        if [first.rows, first.step] == [second.rows, second.step] {
            return products;
        }
        products.map(|product| Self {
            row_tiles: 1,
            ..product
        })
    }

    /// The same with a weight that the kernel itself puts in [pairs](super::pairs).
    pub fn of_pairs(self) -> Self {
        Self {
            is_packed_here: true,
            ..self
        }
    }

    /// The rows of the result that a block covers.
    pub fn block_rows(self) -> i64 {
        self.rows * self.row_tiles
    }

    /// The name of the [intrinsic](Dense::intrinsic).
    pub fn name(self) -> String {
        let Self { inputs, step, .. } = self;
        let of = if self.is_packed_here { OF_PAIRS } else { "" };
        format!("amx_{}x{COLUMNS}x{inputs}by{step}{of}", self.block_rows())
    }

    /// The tiles whose intrinsic has a name; none if there are no such tiles.
    pub fn named(name: &str) -> Option<Self> {
        let (plain, is_packed_here) = match name.strip_suffix(OF_PAIRS) {
            Some(plain) => (plain, true),
            None => (name, false),
        };
        let (block, step) = plain.strip_prefix("amx_")?.split_once("by")?;
        let [rows, _, inputs] = numbers(block)?;
        let [step] = numbers(step)?;
        let (rows, row_tiles) = cut(rows)?;
        let tile = Self {
            rows,
            row_tiles,
            inputs,
            step,
            is_packed_here,
        };
        let is_right = inputs > 0 && is_step(step) && inputs % step == 0 && row_tiles <= 2;
        // What is cut otherwise has another name.
        (is_right && tile.name() == name).then_some(tile)
    }

    /// Writes a `te.tensor_intrin` that computes a block.
    pub fn intrinsic(self, b: &Builder) -> Op {
        let (rows, pairs) = (self.block_rows(), self.inputs / 2);
        let operands = Operands {
            data: vec![rows, self.inputs],
            weight: match self.is_packed_here {
                true => vec![2, pairs, 2 * TILE_ROWS],
                false => vec![2, pairs, TILE_ROWS, 2],
            },
            result: vec![rows, 2, TILE_ROWS],
        };
        let describe = |b: &Builder, data, weight| {
            let reduced = [pairs, 2];
            operands.sum_of_products(b, [data, weight], &reduced, |b, index, reduce| {
                let input = index::add(b, index::scale(b, reduce[0], 2), reduce[1]);
                let place = match self.is_packed_here {
                    true => vec![index::add(b, index::scale(b, index[2], 2), reduce[1])],
                    false => vec![index[2], reduce[1]],
                };
                let weight_at = [vec![index[1], reduce[0]], place].concat();
                [vec![index[0], input], weight_at]
            })
        };
        operands.intrinsic(b, &self.name(), describe, |b, memrefs| {
            self.implementation(b, memrefs);
        })
    }

    /// A loop over steps.
    fn implementation(self, b: &Builder, [data, weight, result]: [Value; 3]) {
        let tiles = SumTiles {
            rows: self.rows,
            row_tiles: self.row_tiles,
            column_tiles: 2,
            step: self.step,
        };
        let (rows, zero) = (self.rows, b.index(0));
        let steps = self.inputs / self.step;
        let sums = sum_over(b, steps, &tiles.zeros(b), |b, step, sums| {
            let input = index::scale(b, step, self.step);
            let pair = index::scale(b, step, self.step / 2);
            let load_data = |row: i64| {
                let at = [b.index(row * rows), input];
                tiles.load_data(b, data, &at, None)
            };
            let load_weight = |column| {
                let inside = if self.is_packed_here { 1 } else { 2 };
                let at = [vec![b.index(column), pair], vec![zero; inside]].concat();
                tiles.load_weight(b, weight, &at, COLUMNS)
            };
            tiles.multiply(b, sums, load_data, load_weight)
        });
        tiles.store(b, &sums, result, COLUMNS, |row, column| {
            vec![b.index(row * rows), b.index(column), zero]
        });
    }
}

#[cfg(test)]
mod tests {
    use super::Dense;
    use crate::cost::amx::LIMITS;
    use crate::intrin::x86_amx::{COLUMNS, tests::in_module};
    use relay_dialects::{context, ir::Ctx};

    #[test]
    fn blocks_fit_the_rows_and_the_machine() {
        for rows in 2..200 {
            let tile = Dense::choose(rows, 768, LIMITS).expect("768 inputs are 24 steps");
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
        assert_eq!(Dense::choose(1, 768, LIMITS), None);
    }

    #[test]
    fn names_of_no_tiles_have_none() {
        for name in [
            "amx_32x32x768by30",
            "amx_33x32x768by32",
            "amx_32x16x768by32",
            "amx_32x32x0by32",
            "amx_32x32x768by34",
            "amx_32x32x+768by32",
            "amx_32x32x768by32_of_",
            "amx_32x32x99999999999999999968by32",
            "amx_1x32x768by32",
        ] {
            assert_eq!(Dense::named(name), None, "{name}");
        }
    }

    #[test]
    fn steps_divide_the_inputs() {
        for (inputs, step) in [
            (768, Some(32)),
            (144, Some(24)),
            (16, Some(16)),
            (100, Some(20)),
        ] {
            assert_eq!(
                Dense::choose(16, inputs, LIMITS).map(|tile| tile.step),
                step
            );
        }
        for inputs in [0, 2, 8, 14, 27, 33, 58] {
            assert_eq!(Dense::choose(16, inputs, LIMITS), None, "{inputs}");
        }
    }

    #[test]
    fn products_of_one_kernel_share_registers() {
        let tiles = |inputs: [i64; 2]| {
            let of = |inputs| Dense::of_rows(100, inputs, 64, LIMITS).expect("there are tiles");
            Dense::together(inputs.map(of)).map(Dense::block_rows)
        };
        assert_eq!(tiles([64, 512]), [26, 26]);
        assert_eq!(tiles([64, 1500]), [13, 13]);
        assert_eq!(Dense::of_rows(100, 64, 31, LIMITS), None);
    }

    #[test]
    fn intrinsics_are_valid() {
        let context = context();
        for (rows, inputs) in [(128, 768), (3, 32), (49, 144), (21, 64)] {
            let tile = Dense::choose(rows, inputs, LIMITS).expect("there are tiles");
            for tile in [tile, tile.of_pairs()] {
                let op = in_module(Ctx::of(&context), |b| tile.intrinsic(b));
                assert!(op.verify(), "{rows} x {COLUMNS} x {inputs}");
                assert!(op.has_attr("whole"));
                assert_eq!(Dense::named(&tile.name()), Some(tile));
            }
        }
    }
}
