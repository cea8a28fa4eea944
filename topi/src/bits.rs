//! Products of numbers of few bits, and of weights in tiles.

use crate::{
    Compute, Expression, scalar,
    transform::{clipped, in_range},
    window::padded,
};
use relay_dialects::{
    dim::Dim,
    index,
    ir::{Builder, Value},
    relay::{
        ops::{
            bits::are_turned,
            sampling::Order,
            window::{Window, numbers},
        },
        relation::normalize_axis,
    },
    te::build,
};

/// The family's rows.
pub const ROWS: &[(&str, Compute)] = &[
    ("nn.bitpack", bitpack),
    ("nn.bitserial_dense", bitserial_dense),
    ("nn.bitserial_conv2d", bitserial_conv2d),
    (
        "nn.contrib_conv2d_gemm_weight_transform",
        gemm_weight_transform,
    ),
    (
        "nn.contrib_conv2d_gemm_without_weight_transform",
        gemm_without_weight_transform,
    ),
];

/// Each bit moves to its place; no two of a word have the same.
fn bitpack(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let attrs = e.attrs();
    let pack = normalize_axis(attrs.int("pack_axis")?, e.dims(0).len())?;
    let of_bits = attrs.int("bit_axis")? as usize;
    let word = e.element;
    let width = i64::from(word.bit_width());
    let body = |b: &Builder, outer: &[Value], inner: &[Value]| {
        let mut at = outer.to_vec();
        let bit = at.remove(of_bits);
        at[pack] = index::add(b, index::scale(b, at[pack], width), inner[0]);
        let number = build::read(b, e.inputs[0], &at);
        let bit = scalar::from_index(b, bit, number.ty());
        let bit = scalar::and(
            b,
            scalar::shift_right(b, number, bit),
            b.int_constant(number.ty(), 1),
        );
        let place = index::sub(b, b.index(width - 1), inner[0]);
        let place = scalar::from_index(b, place, word);
        scalar::shift_left(b, scalar::cast(b, bit, word), place)
    };
    e.sums(&[width], body)
}

/// What a product is of.
struct FewBits {
    data: i64,
    weight: i64,
    is_unipolar: bool,
}

impl FewBits {
    fn read(e: &Expression<'_>, data: &str) -> Result<Self, String> {
        Ok(Self {
            data: e.attrs().int(data)?,
            weight: e.attrs().int("weight_bits")?,
            is_unipolar: e.attrs().bool("unipolar")?,
        })
    }

    /// The product of two numbers in the type of sums.
    fn product(&self, e: &Expression<'_>, b: &Builder, x: Value, weight: Value) -> Value {
        let low = |number: Value, bits: i64| {
            let mask = b.int_constant(number.ty(), (1 << bits) - 1);
            scalar::cast(b, scalar::and(b, number, mask), e.element)
        };
        let (x, weight) = (low(x, self.data), low(weight, self.weight));
        let factor = match self.is_unipolar {
            false => weight,
            true => {
                let most = b.int_constant(e.element, (1 << self.weight) - 1);
                scalar::sub(b, scalar::add(b, weight, weight), most)
            }
        };
        scalar::mul(b, x, factor)
    }
}

fn bitserial_dense(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let bits = FewBits::read(e, "data_bits")?;
    let data = e.dims(0);
    let last = data.len() - 1;
    let body = |b: &Builder, outer: &[Value], inner: &[Value]| {
        let x = build::read(b, e.inputs[0], &[&outer[..last], inner].concat());
        let weight = build::read(b, e.inputs[1], &[outer[last], inner[0]]);
        bits.product(e, b, x, weight)
    };
    e.sums(&data[last..], body)
}

/// The data of a convolution with zeros around the dimensions of an image.
fn surrounded(
    e: &Expression<'_>,
    dims: [usize; 2],
    before: &[i64],
    after: &[i64],
) -> Result<Value, String> {
    let mut widths = vec![(0, 0); 4];
    for (dim, at) in dims.into_iter().enumerate() {
        widths[at] = (before[dim], after[dim]);
    }
    padded(e.b, e.inputs[0], &dims, &widths, 0.0)
}

fn bitserial_conv2d(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let (bits, attrs) = (FewBits::read(e, "activation_bits")?, e.attrs());
    let order = Order::read(&attrs)?;
    let (padding, strides) = (attrs.ints("padding")?, attrs.ints("strides")?);
    let dims = [order.image[2], order.image[3]];
    let data = surrounded(e, dims, &padding[..2], &padding[2..])?;
    let [_, inputs, rows, columns] = order.weight.map(|at| e.dims(1)[at]);
    let body = |b: &Builder, outer: &[Value], inner: &[Value]| {
        let [sample, output, row, column] = order.image.map(|at| outer[at]);
        let row = index::add(b, index::scale(b, row, strides[0]), inner[1]);
        let column = index::add(b, index::scale(b, column, strides[1]), inner[2]);
        let x = build::read(b, data, &order.of_image([sample, inner[0], row, column]));
        let at = order.of_weight([output, inner[0], inner[1], inner[2]]);
        bits.product(e, b, x, build::read(b, e.inputs[1], &at))
    };
    e.sums(&[inputs, rows, columns], body)
}

fn gemm_weight_transform(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let (shape, ty) = (e.shape(0)?, e.element);
    let turned = are_turned(ty);
    let (columns, rows) = (e.attrs().int("tile_N")?, e.attrs().int("tile_K")?);
    let all: i64 = shape[..3].iter().product();
    if all == 0 || shape[3] == 0 {
        return Ok(e.zeros(&[e.op.result(0).ty()]));
    }
    e.elements(|b, at| {
        let (row, column) = if turned {
            (at[3], at[2])
        } else {
            (at[2], at[3])
        };
        let row = index::add(b, index::scale(b, at[1], rows), row);
        let column = index::add(b, index::scale(b, at[0], columns), column);
        let is_row = in_range(b, row, 0, all);
        let is_there = scalar::and(b, is_row, in_range(b, column, 0, shape[3]));
        let (row, column) = (clipped(b, row, all - 1), clipped(b, column, shape[3] - 1));
        let (tap, input) = (index::div(b, row, shape[2]), index::rem(b, row, shape[2]));
        let place = [index::div(b, tap, shape[1]), index::rem(b, tap, shape[1])];
        let x = build::read(b, e.inputs[0], &[place[0], place[1], input, column]);
        b.select(is_there, x, b.constant(ty, 0.0))
    })
}

fn gemm_without_weight_transform(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let attrs = e.attrs();
    let size = numbers(&attrs, "kernel_size", 2, 1)?;
    let window = Window::of(&attrs, &size)?;
    let data = surrounded(e, [1, 2], &window.before, &window.after)?;
    let tiles = e.shape(1)?;
    let turned = are_turned(e.inputs[1].ty().element());
    let (rows, columns) = if turned {
        (tiles[3], tiles[2])
    } else {
        (tiles[2], tiles[3])
    };
    let inputs = e.dims(0)[3];
    let body = |b: &Builder, outer: &[Value], inner: &[Value]| {
        let place = [0, 1].map(|dim| {
            let start = index::scale(b, outer[dim + 1], window.strides[dim]);
            index::add(b, start, index::scale(b, inner[dim], window.dilation[dim]))
        });
        let x = build::read(b, data, &[outer[0], place[0], place[1], inner[2]]);
        let tap = index::add(b, index::scale(b, inner[0], size[1]), inner[1]);
        let row = index::add(b, index::scale(b, tap, inputs), inner[2]);
        let in_row = [index::div(b, row, rows), index::rem(b, row, rows)];
        let in_column = [
            index::div(b, outer[3], columns),
            index::rem(b, outer[3], columns),
        ];
        let tile = match turned {
            true => [in_column[0], in_row[0], in_column[1], in_row[1]],
            false => [in_column[0], in_row[0], in_row[1], in_column[1]],
        };
        let weight = build::read(b, e.inputs[1], &tile);
        let [x, weight] = [x, weight].map(|number| scalar::cast(b, number, e.element));
        scalar::mul(b, x, weight)
    };
    let reduced = [Dim::Known(size[0]), Dim::Known(size[1]), inputs];
    e.sums(&reduced, body)
}
