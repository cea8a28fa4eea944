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
    cost::{layout::rows_of_pixels, registers::MOST_BLOCKS},
};

/// A 1 x 1 convolution without padding.
pub struct Pointwise {
    strides: Vec<i64>,
    /// Samples, channels, rows and columns of the result.
    result: Vec<i64>,
    machine: Machine,
}

impl Pointwise {
    /// None if it is another convolution.
    pub fn of(conv: Op, machine: Machine) -> Option<Self> {
        let attrs = Attrs::of(conv);
        let pads = attrs.ints("padding").ok()?;
        let fits = pads.iter().all(|pad| *pad == 0)
            && conv.operand(1).ty().shape()[2..] == [1, 1]
            && conv.operand(0).ty().is_static();
        Some(Self {
            strides: attrs.ints("strides").ok()?,
            result: conv.result(0).ty().shape(),
            machine,
        })
        .filter(|_| fits)
    }

    /// The packed pixels that the convolution reads, in the rows that it shall see, for a result
    /// whose channels come in blocks of `block`.
    pub fn data(&self, builder: &Builder, packed: Value, block: i64) -> Value {
        with_space(builder, self.subsampled(builder, packed), self.rows(block))
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
    pub fn width(&self, block: i64) -> i64 {
        self.rows(block)[1]
    }

    /// The rows and columns as which the convolution sees an image.
    fn rows(&self, block: i64) -> [i64; 2] {
        let [samples, channels, height, width] = self.result[..] else {
            return [1, 1];
        };
        let pixels = height * width;
        let parts = samples * ceil_div(channels, block * MOST_BLOCKS);
        let rows = rows_of_pixels(pixels, parts, self.machine).unwrap_or(height);
        [rows, pixels / rows]
    }
}

/// A packed value with other rows and columns of as many pixels.
fn with_space(builder: &Builder, value: Value, space: [i64; 2]) -> Value {
    let mut shape = value.ty().shape();
    shape[2..4].copy_from_slice(&space);
    reshape(builder, value, &shape)
}
