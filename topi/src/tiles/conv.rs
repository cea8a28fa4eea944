//! Convolutions on channels in blocks of 16: pixels of the result for rows.
//!
//! The data of a kernel's row for one pixel of the result lies together, in a block of channels: the channels
//! of each pixel, one after the other. So a row of a tile may hold the channels of several pixels, and the next
//! row, which belongs to the next pixel of the result, begins one stride further on: rows of a tile overlap in
//! memory. A kernel three pixels wide takes two steps of 24 numbers.

use super::{
    BLOCK, Intrinsic, Names, Sums, constants, cut, product, step_of,
    subscripts::{Axis, Dim, Lines, Place, REDUCED, extents},
};
use relay_dialects::ir::{Ctx, Op};

/// A convolution of planes, of data that includes the padding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Blocks of input channels.
    pub blocks: i64,
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

/// Which tiles hold a block of a convolution's result: pixels of 16 channels by two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conv {
    shape: Shape,
    /// The pixels of a tile.
    pixels: i64,
    /// The tiles beside each other in a row of pixels.
    across: i64,
    /// The tiles in rows of pixels below each other.
    rows: i64,
    /// How many numbers of a row of the kernel a tile holds.
    step: i64,
}

impl Conv {
    /// Whether there are tiles for rows of so many pixels: not for single ones.
    pub fn fits(width: i64) -> bool {
        cut(width).is_some()
    }

    /// The tiles for a convolution; `None` if vectors are to compute it. Short rows come in pairs.
    pub fn choose(shape: Shape) -> Option<Self> {
        let (pixels, across) = cut(shape.result[1])?;
        let rows = if across == 1 && shape.result[0] > 1 {
            2
        } else {
            1
        };
        // With a dilation, what a row of the kernel meets lies apart.
        let together = if shape.dilation[1] == 1 {
            shape.kernel[1]
        } else {
            1
        };
        Some(Self {
            shape,
            pixels,
            across,
            rows,
            step: step_of(BLOCK * together)?,
        })
    }

    /// The rows of the result that a block covers.
    pub fn block_rows(self) -> i64 {
        self.rows
    }

    /// The pixels of a row of the result that a block covers.
    pub fn block_pixels(self) -> i64 {
        self.pixels * self.across
    }

    /// The name of the [intrinsic](Conv::intrinsic).
    pub fn name(self) -> String {
        let Shape {
            blocks,
            data: [height, width],
            kernel,
            strides,
            dilation,
            ..
        } = self.shape;
        let [kernel, strides, dilation] =
            [kernel, strides, dilation].map(|[rows, columns]| format!("{rows}x{columns}"));
        let (rows, pixels) = (self.rows, self.block_pixels());
        format!(
            "amx_conv_{kernel}_by_{strides}_{dilation}_of_{blocks}x{height}x{width}_to_{rows}x{pixels}"
        )
    }

    /// A `te.tensor_intrin` that computes a block, detached. The context has upstream's dialects.
    pub fn intrinsic(self, ctx: Ctx) -> Op {
        let operands = self.operands();
        let intrinsic = Intrinsic {
            name: self.name(),
            description: self.description(&operands),
            implementation: self.implementation(&operands),
            data: extents(&operands.data),
            weight: extents(&operands.weight),
            result: extents(&operands.result),
        };
        intrinsic.op(ctx)
    }

    /// The extent of each of the description's axes.
    fn extent(self, axis: Axis) -> i64 {
        match axis {
            Axis::Columns => 2,
            Axis::Y => self.rows,
            Axis::X => self.block_pixels(),
            Axis::Lane => 16,
            Axis::Block => self.shape.blocks,
            Axis::KernelY => self.shape.kernel[0],
            Axis::KernelX => self.shape.kernel[1],
            Axis::Pair => BLOCK / 2,
            Axis::Half => 2,
        }
    }

    /// Where the numbers lie. A dimension along which all lie at one place is none of an operand's.
    fn operands(self) -> Operands {
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
        let channels = vec![(Axis::Pair, 2), (Axis::Half, 1)];
        let weight = [
            Axis::Columns,
            Axis::Block,
            Axis::KernelY,
            Axis::KernelX,
            Axis::Pair,
            Axis::Lane,
            Axis::Half,
        ];
        let result = [Axis::Columns, Axis::Y, Axis::X, Axis::Lane];
        Operands {
            data: dims(vec![
                along(Axis::Block),
                (height, rows),
                (width, pixels),
                (BLOCK, channels),
            ]),
            weight: dims(weight.map(along).to_vec()),
            result: dims(result.map(along).to_vec()),
        }
    }

    fn description(self, operands: &Operands) -> String {
        let mut lines = Lines::default();
        let [data_at, weight_at] = [&operands.data, &operands.weight]
            .map(|dims| lines.subscripts(dims, |axis| Place::At(axis.name())));
        let of_result = operands.result.iter().flat_map(|dim| &dim.terms);
        let arguments: Vec<String> = of_result
            .map(|(axis, _)| *axis)
            .chain(REDUCED)
            .map(|axis| format!("%{}: index", axis.name()))
            .collect();
        let reduced = REDUCED.map(|axis| self.extent(axis).to_string());
        format!(
            "  %c = te.compute \"c\" reduce [{}] \"sum\" {{
  ^bb0({}):
{}{}
  }} : tensor<{}xf32>",
            reduced.join(", "),
            arguments.join(", "),
            lines.text,
            product(
                (&extents(&operands.data), &data_at),
                (&extents(&operands.weight), &weight_at)
            ),
            extents(&operands.result)
        )
    }

    /// Loops over blocks of channels and rows of the kernel; the steps of a row of it one after the other.
    fn implementation(self, operands: &Operands) -> String {
        let [kernel_rows, kernel_columns] = self.shape.kernel;
        let sums = Sums {
            rows: self.pixels,
            row_tiles: self.rows * self.across,
            step: self.step,
        };
        let steps = kernel_columns * BLOCK / self.step;
        let sums_after = |step: i64| match step {
            0 => "s".to_owned(),
            _ if step == steps => "t".to_owned(),
            _ => format!("s{step}_"),
        };
        let mut body = String::new();
        for step in 0..steps {
            body += &self.loads(operands, &sums, step);
            body += &sums.products(
                &format!("_{step}"),
                &sums_after(step),
                &sums_after(step + 1),
            );
        }
        let row = sums.sum(Axis::KernelY.name(), "rows", ROW, &body);
        let sum = sums.sum(Axis::Block.name(), "blocks", SUM, &row);
        let numbers = [
            ("i0", 0),
            ("i1", 1),
            ("blocks", self.shape.blocks),
            ("rows", kernel_rows),
            ("pixels", self.shape.strides[1] * BLOCK),
            ("weights", 2 * BLOCK),
            ("results", BLOCK),
        ];
        let mut lines = Lines::default();
        let stores = sums.stores("r", &extents(&operands.result), |row, column| {
            lines.subscripts(&operands.result, |axis| self.place(axis, 0, row, column))
        });
        let parts = [
            constants(&numbers),
            sums.zeros("z"),
            sum,
            lines.text,
            stores,
        ];
        parts.concat()
    }

    /// The tiles of data and weight of a step in a row of the kernel.
    fn loads(self, operands: &Operands, sums: &Sums, step: i64) -> String {
        let mut lines = Lines::of_step(step);
        let mut loads = String::new();
        for row in 0..sums.row_tiles {
            let at = lines.subscripts(&operands.data, |axis| self.place(axis, step, row, 0));
            loads += &format!(
                "  %a{row}_{step} = amx.tile_load %a[{at}], %pixels : memref<{}xbf16> into {}\n",
                extents(&operands.data),
                sums.data_ty()
            );
        }
        for column in 0..2 {
            let at = lines.subscripts(&operands.weight, |axis| self.place(axis, step, 0, column));
            loads += &format!(
                "  %w{column}_{step} = amx.tile_load %w[{at}], %weights : memref<{}xbf16> into {}\n",
                extents(&operands.weight),
                sums.weight_ty()
            );
        }
        lines.text + &loads
    }

    /// Where the tiles of a step, and in a row and column of tiles, begin.
    fn place(self, axis: Axis, step: i64, row: i64, column: i64) -> Place {
        let first = step * self.step;
        Place::Number(match axis {
            Axis::Block | Axis::KernelY => return Place::At(axis.name()),
            Axis::Columns => column,
            Axis::Y => row / self.across,
            Axis::X => row % self.across * self.pixels,
            Axis::KernelX => first / BLOCK,
            Axis::Pair => first % BLOCK / 2,
            Axis::Lane | Axis::Half => 0,
        })
    }
}

/// The sums of a row of the kernel.
const ROW: Names<'static> = Names {
    from: "b",
    carried: "s",
    yielded: "t",
    result: "q",
};

/// Those of all.
const SUM: Names<'static> = Names {
    from: "z",
    carried: "b",
    yielded: "q",
    result: "r",
};

/// The dimensions of the operands of an intrinsic.
struct Operands {
    data: Vec<Dim>,
    weight: Vec<Dim>,
    result: Vec<Dim>,
}

#[cfg(test)]
mod tests {
    use super::{Conv, Shape};
    use relay_dialects::{context, index::ceil_div, ir::Ctx};

    fn square(kernel: i64, stride: i64, dilation: i64, result: [i64; 2]) -> Shape {
        let data = |result: i64| (result - 1) * stride + (kernel - 1) * dilation + 1;
        Shape {
            blocks: 4,
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
            let tile = Conv::choose(square(3, 1, 1, [height, width])).expect("rows of two or more");
            assert!(
                tile.pixels <= 16 && tile.across * tile.rows <= 2,
                "{tile:?}"
            );
            assert!((2..=width).contains(&tile.block_pixels()) && tile.block_rows() <= height);
            let blocks = ceil_div(width, tile.block_pixels());
            assert!(
                blocks * tile.block_pixels() < width + 2 * blocks,
                "{tile:?}"
            );
        }
        assert_eq!(Conv::choose(square(3, 1, 1, [9, 1])), None);
        assert!(!Conv::fits(1) && Conv::fits(2));
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
            let tile = Conv::choose(square(kernel, stride, dilation, [14, 14]));
            assert_eq!(
                tile.map(|tile| tile.step),
                Some(step),
                "{kernel} by {stride}"
            );
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
                    for blocks in [1, 3] {
                        let shape = Shape { blocks, ..shape };
                        let tile = Conv::choose(shape).expect("there are tiles");
                        let op = tile.intrinsic(Ctx::of(&context));
                        assert!(op.verify() && op.has_attr("whole"), "{shape:?}");
                        assert!(!names.contains(&tile.name()), "{shape:?}");
                        names.push(tile.name());
                    }
                }
            }
        }
    }
}
