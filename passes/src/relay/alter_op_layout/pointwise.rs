//! 1 x 1 convolutions: products over pixels, whose rows may be cut as it suits.

use crate::graph::{operators::make, shapes::reshape};
use relay_dialects::{
    dim::Dim,
    index::ceil_div,
    ir::{Attr, Builder, Op, Value},
    names,
    relay::{Attrs, build::extents},
};
use relay_topi::{
    Machine,
    cost::{
        layout::{possible_rows, rows_of_pixels},
        registers::MOST_BLOCKS,
        sizes::planned_shape,
    },
};

/// A 1 x 1 convolution without padding.
pub struct Pointwise {
    strides: Vec<i64>,
    /// Samples, channels, rows and columns of the result.
    result: Vec<Dim>,
    /// Likewise; of open dimensions what is planned for.
    planned: Vec<i64>,
    /// The rows as which the convolution sees an image.
    rows: Dim,
}

impl Pointwise {
    /// On the rows that the result has. None if it is another convolution.
    pub fn of(conv: Op) -> Option<Self> {
        let attrs = Attrs::of(conv);
        let pads = attrs.ints("padding").ok()?;
        let fits = pads.iter().all(|pad| *pad == 0) && conv.operand(1).ty().shape()[2..] == [1, 1];
        let result = conv.result(0).ty().dims();
        fits.then_some(Self {
            strides: attrs.ints("strides").ok()?,
            planned: planned_shape(conv, conv.result(0)),
            rows: result[2],
            result,
        })
    }

    /// On other rows; none if these do not divide the pixels.
    pub fn in_rows(self, rows: i64) -> Option<Self> {
        let divides = match self.pixels() {
            Some(pixels) => rows > 0 && pixels % rows == 0,
            None => rows == 1,
        };
        divides.then_some(Self {
            rows: rows.into(),
            ..self
        })
    }

    /// The pixels of an image of the result, if they are known.
    fn pixels(&self) -> Option<i64> {
        Some(self.result[2].known()? * self.result[3].known()?)
    }

    /// On the rows that take the fewest cycles for a result whose channels come in blocks of `block`.
    pub fn in_usual_rows(self, block: i64, machine: Machine) -> Option<Self> {
        let rows = self.usual_rows(block, machine);
        self.in_rows(rows)
    }

    /// The rows that may be chosen for a result whose channels come in blocks of `block`: those that take the fewest cycles, the
    /// next longer and shorter ones, and the result's own. Pixels of which the number is not known lie in one row.
    pub fn alternatives(&self, block: i64, machine: Machine) -> Vec<i64> {
        let usual = self.usual_rows(block, machine);
        let mut rows = vec![usual];
        let Some(pixels) = self.pixels() else {
            return rows;
        };
        let possible = || possible_rows(pixels);
        rows.extend(possible().filter(|rows| *rows < usual).max());
        rows.extend(possible().filter(|rows| *rows > usual).min());
        let own = self.planned[2];
        if !rows.contains(&own) {
            rows.push(own);
        }
        rows
    }

    fn usual_rows(&self, block: i64, machine: Machine) -> i64 {
        let (&[samples, channels, height, width], Some(_)) = (&self.planned[..], self.pixels())
        else {
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
            ("end", extents(builder.ctx, &packed.ty().dims()[2..4])),
            ("strides", ints(&self.strides)),
            ("axes", ints(&[2, 3])),
        ];
        make(builder, names::relay::STRIDED_SLICE, &[packed], &attrs)
    }

    /// The pixels of a row that the convolution sees.
    pub fn width(&self) -> Dim {
        let pixels = self.result[2].times(self.result[3]);
        let width = pixels.and_then(|pixels| pixels.floor_div(self.rows));
        width.unwrap_or(Dim::Unknown)
    }
}

/// A packed value with other rows and columns of as many pixels.
fn with_space(builder: &Builder, value: Value, space: [Dim; 2]) -> Value {
    let mut shape = value.ty().dims();
    shape[2..4].copy_from_slice(&space);
    reshape(builder, value, &shape)
}
