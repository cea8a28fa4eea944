//! Convolutions with sparse weights: a vector for each pixel, of what the kernel sees there.

use super::{
    across::{self, Vectors},
    along::{self, Lanes},
    matrix::{Dense, Sparse, zeros},
};
use crate::{Expression, schedule::cost::programs::LEAST_OF_VECTOR, window::padded};
use relay_dialects::{
    index,
    ir::{Builder, Type, Value},
    te::build,
};

/// Images, whose pixels' channels lie together or apart.
struct Images {
    number: i64,
    channels: i64,
    height: i64,
    width: i64,
    /// The extent of the kernel.
    kernel: i64,
    /// Whether the model has channels last.
    is_last: bool,
}

/// As `nn.sparse_dense`, with pixels as the vectors: of high blocks and channels that lie together, or of few pixels, the
/// rows of a block are computed together, and else neighbouring pixels.
pub fn conv2d(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let sparse = Sparse::of(e, 1)?;
    if sparse.entries == 0 || e.result_shape()?.contains(&0) {
        return zeros(e);
    }
    let shape = e.shape(0)?;
    let is_last = e.attrs().str("layout")? == "NHWC";
    let [number, channels, height, width] = match is_last {
        true => [shape[0], shape[3], shape[1], shape[2]],
        false => [shape[0], shape[1], shape[2], shape[3]],
    };
    let images = Images {
        number,
        channels,
        height,
        width,
        kernel: e.attrs().ints("kernel_size")?[0],
        is_last,
    };
    let pixels = images.height * images.width;
    let result = match pixels < LEAST_OF_VECTOR || (sparse.height >= LEAST_OF_VECTOR && is_last) {
        true => images.across(e, &sparse)?,
        false => images.along(e, &sparse)?,
    };
    Ok(vec![result])
}

impl Images {
    /// The zeros at each edge.
    fn edge(&self) -> i64 {
        (self.kernel - 1) / 2
    }

    /// The extents with the zeros.
    fn padded(&self) -> (i64, i64) {
        (self.height + 2 * self.edge(), self.width + 2 * self.edge())
    }

    /// The columns of the sparse matrix.
    fn columns(&self) -> i64 {
        self.channels * self.kernel * self.kernel
    }

    /// The channel of a column, and the place in the kernel from left to right, top to bottom.
    fn channel_and_place(&self, b: &Builder, column: Value) -> (Value, Value) {
        let area = self.kernel * self.kernel;
        match self.is_last {
            true => (
                index::rem(b, column, self.channels),
                index::div(b, column, self.channels),
            ),
            false => (index::div(b, column, area), index::rem(b, column, area)),
        }
    }

    /// How far the pixel at a place of the kernel lies from the one at its first place.
    fn pixels_to(&self, b: &Builder, place: Value) -> Value {
        let row = index::div(b, place, self.kernel);
        let rows = index::scale(b, row, self.padded().1);
        index::add(b, rows, index::rem(b, place, self.kernel))
    }

    /// The data with its zeros, channels last or first.
    fn data(&self, e: &Expression<'_>, last: bool) -> Result<Value, String> {
        let moved = moved(e, e.inputs[0], self.is_last, last);
        let space = if last { [1, 2] } else { [2, 3] };
        let edge = self.edge();
        let mut widths = [(0, 0); 4];
        for dim in space {
            widths[dim] = (edge, edge);
        }
        padded(e.b, moved, &space, &widths, 0.0)
    }

    fn across(&self, e: &Expression<'_>, sparse: &Sparse) -> Result<Value, String> {
        let (height, width) = self.padded();
        let start = |b: &Builder, pixel: Value| {
            let (row, column) = (
                index::div(b, pixel, self.width),
                index::rem(b, pixel, self.width),
            );
            let (image, row) = (
                index::div(b, row, self.height),
                index::rem(b, row, self.height),
            );
            let row = index::add(b, index::scale(b, image, height), row);
            let pixel = index::add(b, index::scale(b, row, width), column);
            index::scale(b, pixel, self.channels)
        };
        let place = |b: &Builder, column: Value| {
            let (channel, place) = self.channel_and_place(b, column);
            let pixels = self.pixels_to(b, place);
            index::add(b, index::scale(b, pixels, self.channels), channel)
        };
        let dense = Dense {
            data: self.data(e, true)?,
            columns: self.columns(),
            place: &place,
        };
        let vectors = Vectors {
            count: self.number * self.height * self.width,
            start: &start,
        };
        let shape = [self.number, self.height, self.width, sparse.outputs()];
        let ty = Type::tensor(&shape, e.element);
        let result = across::product(e, sparse, &dense, &vectors, ty);
        Ok(moved(e, result, true, self.is_last))
    }

    /// The vectors are all pixels from the first to the last one of an image with its zeros: those at its edges, of which
    /// there is no result, too. So they lie together.
    fn along(&self, e: &Expression<'_>, sparse: &Sparse) -> Result<Value, String> {
        let (height, width) = self.padded();
        let place = |b: &Builder, column: Value| {
            let (channel, place) = self.channel_and_place(b, column);
            let before = index::scale(b, channel, height * width);
            index::add(b, before, self.pixels_to(b, place))
        };
        let dense = Dense {
            data: self.data(e, false)?,
            columns: self.columns(),
            place: &place,
        };
        let lanes = Lanes {
            batches: self.number,
            stride: self.channels * height * width,
            count: (self.height - 1) * width + self.width,
        };
        let outputs = sparse.outputs();
        if self.edge() == 0 {
            let shape = [self.number, outputs, self.height, self.width];
            let ty = Type::tensor(&shape, e.element);
            let result = along::product(e, sparse, &dense, &lanes, ty);
            return Ok(moved(e, result, false, self.is_last));
        }
        let ty = Type::tensor(&[self.number, outputs, lanes.count], e.element);
        let all = along::product(e, sparse, &dense, &lanes, ty);
        let shape = e.result_dims();
        Ok(build::compute(e.b, "pixels", &shape, e.element, |b, at| {
            let [channel, row, column] = match self.is_last {
                true => [at[3], at[1], at[2]],
                false => [at[1], at[2], at[3]],
            };
            let pixel = index::add(b, index::scale(b, row, width), column);
            build::read(b, all, &[at[0], channel, pixel])
        }))
    }
}

/// Images with channels last or first, whichever they have now.
fn moved(e: &Expression<'_>, images: Value, are_last: bool, last: bool) -> Value {
    let ty = images.ty();
    let shape = ty.shape();
    if are_last == last {
        return images;
    }
    // Where the dimensions of the result are.
    let from = match last {
        true => [0, 2, 3, 1],
        false => [0, 3, 1, 2],
    };
    let shape = from.map(|dim: usize| shape[dim]);
    build::compute(e.b, "transpose", &shape, ty.element(), |b, at| {
        let mut source = at.to_vec();
        for (index, dim) in at.iter().zip(from) {
            source[dim] = *index;
        }
        build::read(b, images, &source)
    })
}
