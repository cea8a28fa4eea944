//! Dense layers: rows of all inputs.

use super::{
    COLUMNS, Limits, Numbers, Operands, Prefetch, TILE_ROWS, cut, numbers, step_of,
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
    /// What is multiplied.
    numbers: Numbers,
    /// The rows of a tile.
    rows: i64,
    /// One or two tiles above each other: two read each part of the weight half as often.
    row_tiles: i64,
    /// The words of inputs that are summed.
    words: i64,
    /// How many of them a tile holds.
    step: i64,
    /// Whether the kernel itself has put the weight in [pairs](super::pairs), which lie in one dimension.
    is_packed_here: bool,
    prefetch: Prefetch,
}

impl Dense {
    /// The tiles for a product of `rows` by `inputs` numbers; `None` if vectors are to compute it: one row alone, inputs that
    /// are no whole words, or words that steps of as many as the limits want do not divide.
    pub fn choose(numbers: Numbers, rows: i64, inputs: i64, limits: Limits) -> Option<Self> {
        let words = inputs / numbers.of_word();
        let is_whole = inputs % numbers.of_word() == 0;
        let step = step_of(words, limits.least_words).filter(|_| is_whole)?;
        let (rows, row_tiles) = cut(rows)?;
        Some(Self {
            numbers,
            rows,
            row_tiles,
            words,
            step,
            is_packed_here: false,
            prefetch: limits.prefetch,
        })
    }

    /// The tiles for a product of bf16, of `rows` by `inputs` and a matrix of so many `columns` that lies in rows, which the kernel
    /// itself puts in [pairs](super::pairs); `None` where there are fewer columns than two tiles have.
    pub fn of_rows(rows: i64, inputs: i64, columns: i64, limits: Limits) -> Option<Self> {
        let tile =
            Self::choose(Numbers::Bf16, rows, inputs, limits).filter(|_| columns >= COLUMNS)?;
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

    /// What is multiplied.
    pub fn numbers(self) -> Numbers {
        self.numbers
    }

    /// The words of inputs that are summed.
    pub fn words(self) -> i64 {
        self.words
    }

    /// The rows of the result that a block covers.
    pub fn block_rows(self) -> i64 {
        self.rows * self.row_tiles
    }

    /// The name of the [intrinsic](Dense::intrinsic).
    pub fn name(self) -> String {
        let [inputs, step] = [self.words, self.step].map(|words| words * self.numbers.of_word());
        let (prefix, rows) = (self.numbers.prefix(), self.block_rows());
        let of = if self.is_packed_here { OF_PAIRS } else { "" };
        format!("{prefix}{rows}x{COLUMNS}x{inputs}by{step}{of}")
    }

    /// The tiles whose intrinsic has a name; none if there are no such tiles.
    pub fn named(name: &str, limits: impl Fn(Numbers) -> Limits) -> Option<Self> {
        let (plain, is_packed_here) = match name.strip_suffix(OF_PAIRS) {
            Some(plain) => (plain, true),
            None => (name, false),
        };
        let (kind, rest) = Numbers::of_name(plain)?;
        let (block, step) = rest.split_once("by")?;
        let [rows, _, inputs] = numbers(block)?;
        let [step] = numbers(step)?;
        let (rows, row_tiles) = cut(rows)?;
        let tile = Self {
            numbers: kind,
            rows,
            row_tiles,
            words: inputs / kind.of_word(),
            step: step / kind.of_word(),
            is_packed_here,
            prefetch: limits(kind).prefetch,
        };
        let is_right = tile.words > 0
            && (1..=TILE_ROWS).contains(&tile.step)
            && tile.words % tile.step == 0
            && row_tiles <= 2
            && (kind == Numbers::Bf16 || !is_packed_here);
        // What is cut otherwise has another name.
        (is_right && tile.name() == name).then_some(tile)
    }

    /// Writes a `te.tensor_intrin` that computes a block.
    pub fn intrinsic(self, b: &Builder) -> Op {
        let (rows, numbers) = (self.block_rows(), self.numbers);
        let [of_data, of_weight] = [numbers.data_of_word(), numbers.weight_of_word()];
        let place = match (self.is_packed_here, of_weight) {
            (true, _) => vec![of_weight * TILE_ROWS],
            (false, 1) => vec![TILE_ROWS],
            (false, _) => vec![TILE_ROWS, of_weight],
        };
        let operands = Operands {
            numbers,
            data: vec![rows, self.words * of_data],
            weight: [vec![2, self.words], place].concat(),
            result: vec![rows, 2, TILE_ROWS],
        };
        let describe = |b: &Builder, data, weight| {
            // Of a word of bytes all are multiplied together.
            let reduced = [self.words, of_weight];
            let reduced = &reduced[..if of_weight == 1 { 1 } else { 2 }];
            operands.sum_of_products(b, [data, weight], reduced, |b, index, reduce| {
                let first = index::scale(b, reduce[0], of_data);
                let input = reduce
                    .get(1)
                    .map_or(first, |half| index::add(b, first, *half));
                let place = match (self.is_packed_here, reduce.get(1)) {
                    (true, Some(half)) => {
                        vec![index::add(b, index::scale(b, index[2], of_weight), *half)]
                    }
                    (_, half) => [index[2]].into_iter().chain(half.copied()).collect(),
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
            numbers: self.numbers,
            words: self.step,
        };
        let (rows, zero) = (self.rows, b.index(0));
        let steps = self.words / self.step;
        let [of_data, of_weight] = [self.numbers.data_of_word(), self.numbers.weight_of_word()];
        // The first column of a row, and its first number.
        let has_numbers = !self.is_packed_here && of_weight > 1;
        let inside = vec![zero; if has_numbers { 2 } else { 1 }];
        let sums = sum_over(b, steps, &tiles.zeros(b), |b, step, sums| {
            let input = index::scale(b, step, self.step * of_data);
            let word = index::scale(b, step, self.step);
            let load_data = |row: i64| {
                let at = [b.index(row * rows), input];
                tiles.load_data(b, data, &at, None)
            };
            let load_weight = |column| {
                let inside = if self.is_packed_here || of_weight == 1 {
                    1
                } else {
                    2
                };
                let at = [vec![b.index(column), word], vec![zero; inside]].concat();
                tiles.load_weight(b, weight, &at, TILE_ROWS * of_weight)
            };
            for column in 2..4 {
                tiles.prefetch_weight(b, weight, self.prefetch, |row| {
                    let word = index::add(b, word, b.index(row));
                    [&[b.index(column), word], &inside[..]].concat()
                });
            }
            tiles.multiply(b, sums, load_data, load_weight)
        });
        tiles.store(b, &sums, result, COLUMNS, |row, column| {
            vec![b.index(row * rows), b.index(column), zero]
        });
    }
}

#[cfg(test)]
mod tests {
    use super::{Dense, Numbers};
    use crate::cost::amx::limits;
    use crate::intrin::x86_amx::{COLUMNS, tests::in_module};
    use relay_dialects::{context, ir::Ctx};

    #[test]
    fn blocks_fit_the_rows_and_the_machine() {
        for rows in 2..200 {
            let tile = Dense::choose(Numbers::Bf16, rows, 768, limits(Numbers::Bf16))
                .expect("768 inputs are 24 steps");
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
        assert_eq!(
            Dense::choose(Numbers::Bf16, 1, 768, limits(Numbers::Bf16)),
            None
        );
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
            "amx_bytes_32x32x768by30",
            "amx_bytes_32x32x770by64",
            "amx_bytes_32x32x768by64_of_pairs",
        ] {
            assert_eq!(Dense::named(name, limits), None, "{name}");
        }
    }

    #[test]
    fn steps_divide_the_inputs() {
        for (inputs, step) in [
            (768, Some(16)),
            (144, Some(12)),
            (16, Some(8)),
            (100, Some(10)),
        ] {
            assert_eq!(
                Dense::choose(Numbers::Bf16, 16, inputs, limits(Numbers::Bf16))
                    .map(|tile| tile.step),
                step
            );
        }
        for inputs in [0, 2, 8, 14, 27, 33, 58] {
            assert_eq!(
                Dense::choose(Numbers::Bf16, 16, inputs, limits(Numbers::Bf16)),
                None,
                "{inputs}"
            );
        }
    }

    #[test]
    fn products_of_one_kernel_share_registers() {
        let tiles = |inputs: [i64; 2]| {
            let of = |inputs| {
                Dense::of_rows(100, inputs, 64, limits(Numbers::Bf16)).expect("there are tiles")
            };
            Dense::together(inputs.map(of)).map(Dense::block_rows)
        };
        assert_eq!(tiles([64, 512]), [26, 26]);
        assert_eq!(tiles([64, 1500]), [13, 13]);
        assert_eq!(Dense::of_rows(100, 64, 31, limits(Numbers::Bf16)), None);
    }

    #[test]
    fn intrinsics_are_valid() {
        let context = context();
        for (rows, inputs) in [(128, 768), (3, 32), (49, 144), (21, 64)] {
            let tile = Dense::choose(Numbers::Bf16, rows, inputs, limits(Numbers::Bf16))
                .expect("there are tiles");
            let bytes = Dense::choose(Numbers::Bytes, rows, inputs, limits(Numbers::Bytes));
            for tile in [Some(tile), Some(tile.of_pairs()), bytes] {
                let tile = tile.expect("words of bytes have steps, too");
                let op = in_module(Ctx::of(&context), |b| tile.intrinsic(b));
                assert!(op.verify(), "{rows} x {COLUMNS} x {inputs}");
                assert!(op.has_attr("whole"));
                assert_eq!(Dense::named(&tile.name(), limits), Some(tile));
            }
        }
    }
}
