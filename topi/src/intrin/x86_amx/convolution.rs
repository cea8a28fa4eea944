//! Convolutions on channels in blocks: pixels of the result for rows.
//!
//! The data of a kernel's row for one pixel of the result lies together, in a block of channels: the channels
//! of each pixel, one after the other. So a row of a tile may hold the channels of several pixels, and the next
//! row, which belongs to the next pixel of the result, begins one stride further on: rows of a tile overlap in
//! memory. A kernel three pixels wide takes two steps of 24 numbers of bf16.

use super::{
    COLUMNS, Limits, Numbers, Operands, Prefetch, TILE_ROWS, cut, numbers, step_of,
    subscripts::{Axis, Dim, Place, REDUCED, extents, subscripts},
    sums::{MAX_SUM_TILES, SumTiles, sum_over},
};
use relay_dialects::{
    index::ceil_div,
    ir::{Builder, Op, Value},
};
use std::collections::HashMap;

/// A convolution of planes, of data that includes the padding; of several groups, one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Blocks of input channels.
    pub blocks: i64,
    /// The words of a block of input channels.
    pub words: i64,
    /// Blocks of channels of the result.
    pub result_blocks: i64,
    /// The channels in a block of the result: those of one tile of sums, or of some pairs of them.
    pub result_block: i64,
    /// Rows and columns of the data.
    pub data: [i64; 2],
    /// Rows and columns of the kernel.
    pub kernel: [i64; 2],
    /// From a row to the next, and from a column.
    pub strides: [i64; 2],
    /// Between rows and columns of the kernel.
    pub dilation: [i64; 2],
    /// Rows and columns of the result.
    pub result: [i64; 2],
}

/// Which tiles hold a block of a convolution's result: pixels of 16 channels, or of twice as many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conv {
    numbers: Numbers,
    shape: Shape,
    /// The sums, whose rows are pixels.
    tiles: SumTiles,
    /// The tiles beside each other in a row of pixels; others lie in rows of pixels below.
    across: i64,
    prefetch: Prefetch,
}

/// The widest kernel whose tiles are made by their name: the products of its rows are written one after the other.
const MOST_KERNEL: i64 = 1 << 10;

impl Shape {
    /// How many words of a row of the kernel are multiplied together. With a dilation, what the row meets lies apart.
    fn step(self, limits: Limits) -> Option<i64> {
        let together = if self.dilation[1] == 1 {
            self.kernel[1]
        } else {
            1
        };
        step_of(self.words * together, limits.least_words)
    }

    /// How many tiles of sums may lie beside each other: two where blocks come in pairs, which read the same data.
    fn column_tiles(self) -> Option<i64> {
        match (self.result_block, self.result_blocks % 2) {
            (TILE_ROWS, 0) => Some(2),
            (TILE_ROWS, _) => Some(1),
            (block, _) => (block % COLUMNS == 0).then_some(2),
        }
    }

    /// Whether a convolution has it: nothing is read behind the data.
    fn is_possible(self) -> bool {
        let fits = |at: usize| {
            let (last, taps) = (self.result[at] - 1, self.kernel[at] - 1);
            last * self.strides[at] + taps * self.dilation[at] < self.data[at]
        };
        let all = [self.kernel, self.strides, self.dilation, self.result];
        self.blocks > 0
            && self.words > 0
            && all.into_iter().flatten().all(|number| number > 0)
            && self.kernel[1] <= MOST_KERNEL
            && fits(0)
            && fits(1)
    }
}

impl Conv {
    /// Whether there are tiles for rows of so many pixels: not for single ones.
    pub fn fits(width: i64) -> bool {
        cut(width).is_some()
    }

    /// The tiles for a convolution; `None` if vectors are to compute it. Of tiles above each other there are as many as take the
    /// least time.
    pub fn choose(numbers: Numbers, shape: Shape, limits: Limits) -> Option<Self> {
        let (pixels, across) = cut(shape.result[1])?;
        let columns = shape.column_tiles()?;
        let cycles = |rows: &i64| {
            let block = rows * across * columns * pixels;
            ceil_div(shape.result[0], *rows) * block.max(limits.latency)
        };
        let most = (MAX_SUM_TILES / columns / across).min(shape.result[0]);
        let rows = (1..=most).min_by_key(cycles)?;
        let tiles = SumTiles {
            rows: pixels,
            row_tiles: across * rows,
            column_tiles: columns,
            numbers,
            words: shape.step(limits)?,
        };
        Some(Self {
            numbers,
            shape,
            tiles,
            across,
            prefetch: limits.prefetch,
        })
    }

    /// What is multiplied.
    pub fn numbers(self) -> Numbers {
        self.numbers
    }

    /// The rows of the result that a block covers.
    pub fn block_rows(self) -> i64 {
        self.tiles.row_tiles / self.across
    }

    /// The pixels of a row of the result that a block covers.
    pub fn block_pixels(self) -> i64 {
        self.tiles.rows * self.across
    }

    /// The blocks of channels of the result that a block of sums covers.
    pub fn block_channels(self) -> i64 {
        match self.shape.result_block {
            TILE_ROWS => self.tiles.column_tiles,
            _ => 1,
        }
    }

    /// The channels of a block of the result that a block of sums covers.
    pub fn block_lanes(self) -> i64 {
        match self.shape.result_block {
            TILE_ROWS => TILE_ROWS,
            _ => self.tiles.column_tiles * TILE_ROWS,
        }
    }

    /// The name of the [intrinsic](Conv::intrinsic). It leaves out blocks of 16 channels of bf16.
    pub fn name(self) -> String {
        let Shape {
            blocks,
            words,
            result_block,
            data: [height, width],
            kernel,
            strides,
            dilation,
            ..
        } = self.shape;
        let [kernel, strides, dilation] =
            [kernel, strides, dilation].map(|[rows, columns]| format!("{rows}x{columns}"));
        let (rows, pixels, channels) = (
            self.block_rows(),
            self.block_pixels(),
            self.tiles.column_tiles,
        );
        let is_short = [words, result_block] == short_blocks(self.numbers);
        let [of_data, of_result] = if self.numbers == Numbers::Bf16 && is_short {
            [String::new(), String::new()]
        } else {
            [format!("x{words}"), format!("x{result_block}")]
        };
        let prefix = self.numbers.prefix();
        format!(
            "{prefix}conv_{kernel}_by_{strides}_{dilation}_of_{blocks}x{height}x{width}{of_data}_to_{channels}x{rows}x{pixels}{of_result}"
        )
    }

    /// The tiles whose intrinsic has a name; none if there are no such tiles.
    pub fn named(name: &str, limits: impl Fn(Numbers) -> Limits) -> Option<Self> {
        let (kind, rest) = Numbers::of_name(name)?;
        let (kernel, rest) = rest.strip_prefix("conv_")?.split_once("_by_")?;
        let (strides, rest) = rest.split_once('_')?;
        let (dilation, rest) = rest.split_once("_of_")?;
        let (data, block) = rest.split_once("_to_")?;
        let (data, block) = match (kind, numbers(data), numbers(block)) {
            (Numbers::Bf16, Some([blocks, height, width]), Some([columns, rows, pixels])) => {
                let [words, result_block] = short_blocks(kind);
                (
                    [blocks, height, width, words],
                    [columns, rows, pixels, result_block],
                )
            }
            _ => (numbers(data)?, numbers(block)?),
        };
        let [blocks, height, width, words] = data;
        let [columns, rows, across_all, result_block] = block;
        let (pixels, across) = cut(across_all)?;
        let shape = Shape {
            blocks,
            words,
            result_blocks: columns,
            result_block,
            data: [height, width],
            kernel: numbers(kernel)?,
            strides: numbers(strides)?,
            dilation: numbers(dilation)?,
            result: [rows, across_all],
        };
        let is_right = shape.is_possible()
            && shape.column_tiles() == Some(columns)
            && (1..=MAX_SUM_TILES).contains(&(across.checked_mul(rows)?.checked_mul(columns)?));
        if !is_right {
            return None;
        }
        let limits = limits(kind);
        let tiles = SumTiles {
            rows: pixels,
            row_tiles: across * rows,
            column_tiles: columns,
            numbers: kind,
            words: shape.step(limits)?,
        };
        let tile = Self {
            numbers: kind,
            shape,
            tiles,
            across,
            prefetch: limits.prefetch,
        };
        // What is cut otherwise has another name.
        (tile.name() == name).then_some(tile)
    }

    /// Writes a `te.tensor_intrin` that computes a block.
    pub fn intrinsic(self, b: &Builder) -> Op {
        let dims = self.dims();
        let operands = Operands {
            numbers: self.numbers,
            data: extents(&dims.data),
            weight: extents(&dims.weight),
            result: extents(&dims.result),
        };
        let describe = |b: &Builder, data, weight| {
            let summed = self.summed();
            let reduced: Vec<i64> = summed.iter().map(|axis| self.extent(*axis)).collect();
            let of_result = dims.result.iter().flat_map(|dim| &dim.terms);
            let of_result = of_result.map(|(axis, _)| *axis);
            let axes: Vec<Axis> = of_result.chain(summed).collect();
            operands.sum_of_products(b, [data, weight], &reduced, |b, index, reduce| {
                let values = index.iter().chain(reduce);
                let at: HashMap<Axis, Value> = axes.iter().copied().zip(values.copied()).collect();
                // An axis of one element is none of the result's dimensions.
                let place = |axis| at.get(&axis).map_or(Place::Number(0), |at| Place::At(*at));
                [&dims.data, &dims.weight].map(|dims| subscripts(b, dims, place))
            })
        };
        operands.intrinsic(b, &self.name(), describe, |b, memrefs| {
            self.implementation(b, &dims, memrefs);
        })
    }

    /// The extent of each of the description's axes.
    fn extent(self, axis: Axis) -> i64 {
        match axis {
            Axis::Columns => self.block_channels(),
            Axis::Y => self.block_rows(),
            Axis::X => self.block_pixels(),
            Axis::Lane => self.block_lanes(),
            Axis::Block => self.shape.blocks,
            Axis::KernelY => self.shape.kernel[0],
            Axis::KernelX => self.shape.kernel[1],
            Axis::Word => self.shape.words,
            Axis::Half => self.numbers.weight_of_word(),
        }
    }

    /// The axes that are summed over. Bytes of a word are multiplied together.
    fn summed(self) -> Vec<Axis> {
        let mut axes = REDUCED.to_vec();
        axes.retain(|axis| *axis != Axis::Half || self.extent(Axis::Half) > 1);
        axes
    }

    /// Where the numbers lie. A dimension along which all lie at one place is none of an operand's.
    fn dims(self) -> Dims {
        let Shape {
            data: [height, width],
            strides,
            dilation,
            ..
        } = self.shape;
        let moves = |axis: &Axis| self.extent(*axis) > 1;
        let along = |axis: Axis| (self.extent(axis), vec![(axis, 1)]);
        let dims = |all: Vec<(i64, Vec<(Axis, i64)>)>| {
            let dims = all.into_iter().map(|(extent, mut terms)| {
                terms.retain(|(axis, _)| moves(axis));
                Dim { extent, terms }
            });
            dims.filter(|dim| !dim.terms.is_empty()).collect()
        };
        let rows = vec![(Axis::Y, strides[0]), (Axis::KernelY, dilation[0])];
        let pixels = vec![(Axis::X, strides[1]), (Axis::KernelX, dilation[1])];
        let channels = vec![(Axis::Word, self.numbers.data_of_word()), (Axis::Half, 1)];
        let weight = vec![
            along(Axis::Columns),
            along(Axis::Block),
            along(Axis::KernelY),
            along(Axis::KernelX),
            along(Axis::Word),
            (self.shape.result_block, vec![(Axis::Lane, 1)]),
            along(Axis::Half),
        ];
        let result = [Axis::Columns, Axis::Y, Axis::X, Axis::Lane];
        Dims {
            data: dims(vec![
                along(Axis::Block),
                (height, rows),
                (width, pixels),
                (self.data_block(), channels),
            ]),
            weight: dims(weight),
            result: dims(result.map(along).to_vec()),
        }
    }

    /// The elements of the data that a block of a pixel's channels has.
    fn data_block(self) -> i64 {
        self.shape.words * self.numbers.data_of_word()
    }

    /// Loops over blocks of channels and rows of the kernel; the steps of a row of it one after the other.
    fn implementation(self, b: &Builder, dims: &Dims, [data, weight, result]: [Value; 3]) {
        let tiles = self.tiles;
        let [kernel_rows, kernel_columns] = self.shape.kernel;
        let steps = kernel_columns * self.shape.words / tiles.words;
        let blocks = self.shape.blocks;
        let sums = sum_over(b, blocks, &tiles.zeros(b), |b, block, sums| {
            sum_over(b, kernel_rows, sums, |b, kernel_row, sums| {
                (0..steps).fold(sums.to_vec(), |sums, step| {
                    let at = Step {
                        block,
                        kernel_row,
                        first: step * tiles.words,
                    };
                    self.step(b, dims, [data, weight], at, &sums)
                })
            })
        });
        tiles.store(b, &sums, result, self.block_lanes(), |row, column| {
            let place = |axis| Place::Number(self.first(axis, row, column));
            subscripts(b, &dims.result, place)
        });
    }

    /// Adds the products of a step to sums.
    fn step(
        self,
        b: &Builder,
        dims: &Dims,
        [data, weight]: [Value; 2],
        at: Step,
        sums: &[Value],
    ) -> Vec<Value> {
        let place = |axis, row, column| match axis {
            Axis::Block => Place::At(at.block),
            Axis::KernelY => Place::At(at.kernel_row),
            Axis::KernelX => Place::Number(at.first / self.shape.words),
            Axis::Word => Place::Number(at.first % self.shape.words),
            _ => Place::Number(self.first(axis, row, column)),
        };
        let load_data = |row| {
            let at = subscripts(b, &dims.data, |axis| place(axis, row, 0));
            let distance = self.shape.strides[1] * self.data_block();
            self.tiles.load_data(b, data, &at, Some(distance))
        };
        let load_weight = |column| {
            let at = subscripts(b, &dims.weight, |axis| place(axis, 0, column));
            let distance = self.shape.result_block * self.numbers.weight_of_word();
            self.tiles.load_weight(b, weight, &at, distance)
        };
        if let Some(next) = self.beyond(dims) {
            for column in 0..self.tiles.column_tiles {
                self.tiles.prefetch_weight(b, weight, self.prefetch, |row| {
                    subscripts(b, &dims.weight, |axis| {
                        let more = if axis == Axis::Word { row } else { 0 }
                            + if axis == next { self.extent(next) } else { 0 };
                        place(axis, 0, column).plus(b, more)
                    })
                });
            }
        }
        self.tiles.multiply(b, sums, load_data, load_weight)
    }

    /// The outermost axis of the weight of a block of sums: behind its last place, that of the next block begins.
    fn beyond(self, dims: &Dims) -> Option<Axis> {
        let outermost = dims.weight.first()?;
        outermost.terms.first().map(|(axis, _)| *axis)
    }

    /// Where the tile in a row and column of tiles begins along an axis of the result.
    fn first(self, axis: Axis, row: i64, column: i64) -> i64 {
        match axis {
            Axis::Columns if self.block_channels() > 1 => column,
            Axis::Lane if self.block_channels() == 1 => column * TILE_ROWS,
            Axis::Y => row / self.across,
            Axis::X => row % self.across * self.tiles.rows,
            _ => 0,
        }
    }
}

/// The words of a block of as many channels as a tile of sums has columns, and the channels.
fn short_blocks(numbers: Numbers) -> [i64; 2] {
    [TILE_ROWS / numbers.of_word(), TILE_ROWS]
}

/// A step of the sum.
#[derive(Clone, Copy)]
struct Step {
    /// The block of channels.
    block: Value,
    /// The row of the kernel.
    kernel_row: Value,
    /// The first of its words in that row.
    first: i64,
}

/// The dimensions of the operands of an intrinsic.
struct Dims {
    data: Vec<Dim>,
    weight: Vec<Dim>,
    result: Vec<Dim>,
}

#[cfg(test)]
mod tests {
    use super::{Conv, Numbers, Shape};
    use crate::cost::amx::limits;
    use crate::intrin::x86_amx::tests::in_module;
    use relay_dialects::{context, index::ceil_div, ir::Ctx};

    fn square(kernel: i64, stride: i64, dilation: i64, result: [i64; 2]) -> Shape {
        let data = |result: i64| (result - 1) * stride + (kernel - 1) * dilation + 1;
        Shape {
            blocks: 4,
            words: 8,
            result_blocks: 8,
            result_block: 16,
            data: result.map(data),
            kernel: [kernel; 2],
            strides: [stride; 2],
            dilation: [dilation; 2],
            result,
        }
    }

    #[test]
    fn blocks_fit_the_image_and_the_machine() {
        for (width, height) in (2..120).flat_map(|width| (1..4).map(move |height| (width, height)))
        {
            let tile = Conv::choose(
                Numbers::Bf16,
                square(3, 1, 1, [height, width]),
                limits(Numbers::Bf16),
            )
            .expect("rows of two or more");
            assert!(
                tile.tiles.rows <= 16 && tile.tiles.row_tiles <= 2,
                "{tile:?}"
            );
            assert!((2..=width).contains(&tile.block_pixels()) && tile.block_rows() <= height);
            let blocks = ceil_div(width, tile.block_pixels());
            assert!(
                blocks * tile.block_pixels() < width + 2 * blocks,
                "{tile:?}"
            );
        }
        assert_eq!(
            Conv::choose(
                Numbers::Bf16,
                square(3, 1, 1, [9, 1]),
                limits(Numbers::Bf16)
            ),
            None
        );
        assert!(!Conv::fits(1) && Conv::fits(2));
    }

    #[test]
    fn an_odd_number_of_blocks_has_more_tiles_of_rows() {
        for (result, rows, across) in [
            ([14, 14], 4, 1),
            ([7, 7], 4, 1),
            ([9, 16], 3, 1),
            ([28, 28], 2, 2),
            ([1, 28], 1, 2),
        ] {
            let shape = Shape {
                result_blocks: 3,
                ..square(3, 1, 1, result)
            };
            let tile = Conv::choose(Numbers::Bf16, shape, limits(Numbers::Bf16))
                .expect("rows of two or more");
            assert_eq!(tile.block_channels(), 1);
            assert_eq!(
                (tile.block_rows(), tile.across),
                (rows, across),
                "{result:?}"
            );
        }
    }

    #[test]
    fn a_step_takes_numbers_that_lie_together() {
        for (kernel, stride, dilation, step) in [
            (1, 1, 1, 16),
            (2, 1, 1, 32),
            (3, 1, 1, 24),
            (3, 2, 1, 24),
            (3, 1, 2, 16),
            (5, 1, 1, 20),
            (7, 2, 1, 28),
        ] {
            let tile = Conv::choose(
                Numbers::Bf16,
                square(kernel, stride, dilation, [14, 14]),
                limits(Numbers::Bf16),
            );
            assert_eq!(
                tile.map(|tile| 2 * tile.tiles.words),
                Some(step),
                "{kernel} by {stride}"
            );
        }
    }

    #[test]
    fn names_of_no_tiles_have_none() {
        let right = "amx_conv_3x3_by_1x1_1x1_of_4x16x16_to_2x1x14";
        assert!(Conv::named(right, limits).is_some());
        for (part, wrong) in [
            ("4x16x16", "0x16x16"),
            ("4x16x16", "4x16x15"),
            ("4x16x16", "4x2x16"),
            ("by_1x1", "by_0x1"),
            ("by_1x1", "by_2x2"),
            ("conv_3x3", "conv_3x99999"),
            ("2x1x14", "2x3x14"),
            ("2x1x14", "3x1x14"),
            ("2x1x14", "2x1x1"),
            ("2x1x14", "2x1x14x1"),
            ("2x1x14", "2x01x14"),
            ("4x16", "99999999999x16"),
        ] {
            let name = right.replace(part, wrong);
            assert_eq!(Conv::named(&name, limits), None, "{name}");
        }
    }

    #[test]
    fn intrinsics_are_valid_and_have_names_of_their_own() {
        let context = context();
        let mut names = Vec::new();
        for kernel in [1, 2, 3, 5] {
            for (stride, dilation) in [(1, 1), (2, 1), (1, 2), (3, 2)] {
                for result in [[1, 5], [7, 7], [14, 14], [28, 28], [3, 112]] {
                    let shape = square(kernel, stride, dilation, result);
                    for (numbers, blocks, result_blocks, result_block) in [
                        (Numbers::Bf16, 1, 2, 16),
                        (Numbers::Bf16, 3, 2, 16),
                        (Numbers::Bf16, 3, 1, 16),
                        (Numbers::Bf16, 3, 1, 32),
                        (Numbers::Bytes, 3, 1, 16),
                        (Numbers::Bytes, 2, 1, 64),
                        (Numbers::Words, 2, 3, 32),
                    ] {
                        let shape = Shape {
                            blocks,
                            result_blocks,
                            result_block,
                            ..shape
                        };
                        let tile =
                            Conv::choose(numbers, shape, limits(numbers)).expect("there are tiles");
                        let op = in_module(Ctx::of(&context), |b| tile.intrinsic(b));
                        assert!(op.verify() && op.has_attr("whole"), "{shape:?}");
                        assert!(!names.contains(&tile.name()), "{shape:?}");
                        let named = Conv::named(&tile.name(), limits);
                        let again =
                            named.map(|tile| in_module(Ctx::of(&context), |b| tile.intrinsic(b)));
                        let text = again.map(|op| op.to_text(false));
                        assert_eq!(text, Some(op.to_text(false)), "{shape:?}");
                        names.push(tile.name());
                    }
                }
            }
        }
    }
}
