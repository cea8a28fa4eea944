//! 1 x 1 convolutions: products over pixels, whose rows may be cut as it suits.

use crate::graph::{operators::make, shapes::reshape};
use relay_dialects::{
    index::ceil_div,
    ir::{Attr, Builder, Op, Value},
    names,
    relay::Attrs,
};
use relay_topi::{
    Machine,
    cost::{
        layout::{possible_rows, rows_of_pixels},
        registers::MOST_BLOCKS,
    },
};

/// A 1 x 1 convolution without padding.
pub struct Pointwise {
    strides: Vec<i64>,
    /// Samples, channels, rows and columns of the result.
    result: Vec<i64>,
    /// The rows as which the convolution sees an image.
    rows: i64,
}

impl Pointwise {
    /// On the rows that the result has. None if it is another convolution.
    pub fn of(conv: Op) -> Option<Self> {
        let attrs = Attrs::of(conv);
        let pads = attrs.ints("padding").ok()?;
        let fits = pads.iter().all(|pad| *pad == 0)
            && conv.operand(1).ty().shape()[2..] == [1, 1]
            && conv.operand(0).ty().is_static();
        let result = conv.result(0).ty().shape();
        fits.then_some(Self {
            strides: attrs.ints("strides").ok()?,
            rows: result[2],
            result,
        })
    }

    /// On other rows; none if these do not divide the pixels.
    pub fn in_rows(self, rows: i64) -> Option<Self> {
        let pixels = self.result[2] * self.result[3];
        (rows > 0 && pixels % rows == 0).then_some(Self { rows, ..self })
    }

    /// On the rows that take the fewest cycles for a result whose channels come in blocks of `block`.
    pub fn in_usual_rows(self, block: i64, machine: Machine) -> Option<Self> {
        let rows = self.usual_rows(block, machine);
        self.in_rows(rows)
    }

    /// The rows that may be chosen for a result whose channels come in blocks of `block`: those that take the fewest cycles, the
    /// next longer and shorter ones, and the result's own.
    pub fn alternatives(&self, block: i64, machine: Machine) -> Vec<i64> {
        let usual = self.usual_rows(block, machine);
        let mut rows = vec![usual];
        let possible = || possible_rows(self.result[2] * self.result[3]);
        rows.extend(possible().filter(|rows| *rows < usual).max());
        rows.extend(possible().filter(|rows| *rows > usual).min());
        let own = self.result[2];
        if !rows.contains(&own) {
            rows.push(own);
        }
        rows
    }

    fn usual_rows(&self, block: i64, machine: Machine) -> i64 {
        let [samples, channels, height, width] = self.result[..] else {
            return 1;
        };
        let parts = samples * ceil_div(channels, block * MOST_BLOCKS);
        rows_of_pixels(height * width, parts, machine).unwrap_or(height)
    }

    /// The packed pixels that the convolution reads, in the rows that it shall see.
    pub fn data(&self, builder: &Builder, packed: Value) -> Value {
        let space = [self.rows, self.width()];
        with_space(builder, self.subsampled(builder, packed), space)
    }

    /// The result with the rows and columns that it has.
    pub fn result(&self, builder: &Builder, made: Value) -> Value {
        with_space(builder, made, [self.result[2], self.result[3]])
    }

    /// Every pixel that is read. They are few beside what is computed of them, and only when they lie
    /// together can a tile hold pixels of several rows.
    fn subsampled(&self, builder: &Builder, packed: Value) -> Value {
        if self.strides.iter().all(|stride| *stride == 1) {
            return packed;
        }
        let ints = |numbers: &[i64]| Attr::ints(builder.ctx, numbers);
        let attrs = [
            ("begin", ints(&[0, 0])),
            ("end", ints(&packed.ty().shape()[2..4])),
            ("strides", ints(&self.strides)),
            ("axes", ints(&[2, 3])),
        ];
        make(builder, names::relay::STRIDED_SLICE, &[packed], &attrs)
    }

    /// The pixels of a row that the convolution sees.
    pub fn width(&self) -> i64 {
        self.result[2] * self.result[3] / self.rows
    }
}

/// A packed value with other rows and columns of as many pixels.
fn with_space(builder: &Builder, value: Value, space: [i64; 2]) -> Value {
    let mut shape = value.ty().shape();
    shape[2..4].copy_from_slice(&space);
    reshape(builder, value, &shape)
}
