//! Images, lines and volumes at other sizes.

use crate::{Compute, Expression, scalar};
use relay_dialects::{
    dim::Dim,
    index::{self, Extent, Predicate},
    ir::{Builder, Type, Value},
    ops::arith,
    relay::Layout,
    te::build,
};

/// The family's rows.
pub const ROWS: &[(&str, Compute)] = &[
    ("image.resize1d", resize),
    ("image.resize2d", resize),
    ("image.resize3d", resize),
    ("nn.upsampling", upsampling),
    ("nn.upsampling3d", upsampling3d),
];

fn resize(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let attrs = e.attrs();
    let coordinates = attrs.str("coordinate_transformation_mode")?;
    if attrs.str("method")? == "nearest_neighbor" {
        nearest(e, &coordinates, &attrs.str("rounding_method")?)
    } else {
        linear(e, &coordinates)
    }
}

fn upsampling(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let corners = e.attrs().bool("align_corners")?;
    upsampled(
        e,
        if corners {
            "align_corners"
        } else {
            "asymmetric"
        },
    )
}

fn upsampling3d(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    upsampled(e, &e.attrs().str("coordinate_transformation_mode")?)
}

fn upsampled(e: &Expression<'_>, coordinates: &str) -> Result<Vec<Value>, String> {
    let rounding = if coordinates == "align_corners" {
        "round"
    } else {
        "floor"
    };
    if e.attrs().str("method")? == "nearest_neighbor" {
        nearest(e, coordinates, rounding)
    } else {
        linear(e, coordinates)
    }
}

fn spatial(e: &Expression<'_>) -> Result<Vec<usize>, String> {
    let dims = Layout::parse(&e.attrs().str("layout")?)?.spatial();
    dims.iter().try_for_each(|dim| e.check_fractions(*dim))?;
    Ok(dims)
}

/// A coordinate in the source: a fraction of two integers, so that rounding it is exact. It is moved
/// into the source, from its first element to its last.
struct Coordinate {
    numerator: Value,
    denominator: Value,
    /// The last element's subscript.
    last: Value,
}

impl Coordinate {
    /// Where element `x` of `result` lies in a dimension of `source` elements.
    fn of(b: &Builder, x: Value, source: Dim, result: Dim, mode: &str) -> Self {
        match (source.known(), result.known()) {
            (Some(source), Some(result)) => Self::known(b, x, source, result, mode),
            _ => match result.multiple_of(source) {
                Some(factor) if mode != "align_corners" => Self::times(b, x, source, factor, mode),
                _ => Self::open(b, x, source, result, mode),
            },
        }
    }

    /// The same where the result has `factor` times as many elements, and only the program knows how many. The factors are those of a
    /// source of one element.
    fn times(b: &Builder, x: Value, source: Dim, factor: i64, mode: &str) -> Self {
        let (scale, offset, denominator) = match mode {
            "asymmetric" => (1, 0, factor),
            "tf_half_pixel_for_nn" => (2, 1, 2 * factor),
            _ => (2, 1 - factor, 2 * factor),
        };
        let last = index::sub(b, source.to_value(b), b.index(1));
        let numerator = index::add(b, index::scale(b, x, scale), b.index(offset));
        let numerator = match offset {
            0.. => numerator,
            _ => arith::MaxSI::build(b, numerator, b.index(0)),
        };
        Self {
            numerator: index::min(b, numerator, index::scale(b, last, denominator)),
            denominator: b.index(denominator),
            last,
        }
    }

    fn known(b: &Builder, x: Value, source: i64, result: i64, mode: &str) -> Self {
        // (factor * x + offset) / denominator
        let (factor, offset, denominator) = match mode {
            "align_corners" if result > 1 => (source - 1, 0, result - 1),
            "align_corners" => (0, 0, 1),
            "pytorch_half_pixel" if result == 1 => (0, 0, 1),
            "asymmetric" => (source, 0, result),
            "tf_half_pixel_for_nn" => (2 * source, source, 2 * result),
            _ => (2 * source, source - result, 2 * result),
        };
        let common = common_divisor(factor, common_divisor(offset, denominator));
        let (factor, offset) = (factor / common, offset / common);
        let (denominator, last) = (denominator / common, source - 1);
        let mut numerator = index::add(b, index::scale(b, x, factor), b.index(offset));
        if offset < 0 {
            numerator = arith::MaxSI::build(b, numerator, b.index(0));
        }
        if factor * (result - 1) + offset > last * denominator {
            numerator = index::min(b, numerator, last * denominator);
        }
        Self {
            numerator,
            denominator: b.index(denominator),
            last: b.index(last),
        }
    }

    /// The same where the program finds out how many elements there are.
    fn open(b: &Builder, x: Value, source: Dim, result: Dim, mode: &str) -> Self {
        let (source, result) = (source.to_value(b), result.to_value(b));
        let (zero, one) = (b.index(0), b.index(1));
        let twice = |value: Value| index::scale(b, value, 2);
        let last = index::sub(b, source, one);
        let (factor, offset, denominator) = match mode {
            // Of one element, x is 0.
            "align_corners" => {
                let steps = index::sub(b, result, one);
                (last, zero, arith::MaxSI::build(b, steps, one))
            }
            "asymmetric" => (source, zero, result),
            "tf_half_pixel_for_nn" => (twice(source), source, twice(result)),
            _ => {
                let mut offset = index::sub(b, source, result);
                if mode == "pytorch_half_pixel" {
                    let is_single = index::compare(b, Predicate::Eq, result, one);
                    offset = b.select(is_single, zero, offset);
                }
                (twice(source), offset, twice(result))
            }
        };
        let numerator = index::add(b, index::mul(b, x, factor), offset);
        let numerator = arith::MaxSI::build(b, numerator, zero);
        let most = index::mul(b, last, denominator);
        Self {
            numerator: arith::MinSI::build(b, numerator, most),
            denominator,
            last,
        }
    }

    /// The subscript nearest to it.
    fn rounded(&self, b: &Builder, rounding: &str) -> Value {
        let (n, d) = (self.numerator, self.denominator);
        let twice = |value: Value| index::scale(b, value, 2);
        let before = |value: Value| index::sub(b, value, b.index(1));
        // floor(n / d), ceil(n / d), ceil(n / d - 1/2) and floor(n / d + 1/2), of n >= 0.
        let (numerator, denominator) = match rounding {
            "floor" => (n, d),
            "ceil" => (index::add(b, n, before(d)), d),
            _ if index::constant(d) == Some(1) => (n, d),
            "round_prefer_floor" => (index::add(b, twice(n), before(d)), twice(d)),
            _ => (index::add(b, twice(n), d), twice(d)),
        };
        index::div(b, numerator, denominator)
    }

    /// The elements before and after it, and how far it is from the first to the second, as an f32.
    fn neighbours(&self, b: &Builder) -> (Value, Value, Value) {
        let first = index::div(b, self.numerator, self.denominator);
        let second = index::min(b, index::add(b, first, b.index(1)), self.last);
        let float = Type::f32(b.ctx);
        let rest = index::rem(b, self.numerator, self.denominator);
        let rest = scalar::from_index(b, rest, float);
        let whole = match index::constant(self.denominator) {
            Some(denominator) => b.constant(float, denominator as f64),
            None => scalar::from_index(b, self.denominator, float),
        };
        (first, second, scalar::div(b, rest, whole))
    }
}

/// The greatest common divisor, not negative; that of 0 and a number is the number.
fn common_divisor(a: i64, b: i64) -> i64 {
    if b == 0 {
        a.abs()
    } else {
        common_divisor(b, a % b)
    }
}

/// The coordinates of the result's element at `indices`, one per dimension of `dims`.
fn coordinates(
    (source, result): (&[Dim], &[Dim]),
    b: &Builder,
    dims: &[usize],
    indices: &[Value],
    mode: &str,
) -> Vec<Coordinate> {
    dims.iter()
        .map(|&dim| Coordinate::of(b, indices[dim], source[dim], result[dim], mode))
        .collect()
}

fn nearest(e: &Expression<'_>, mode: &str, rounding: &str) -> Result<Vec<Value>, String> {
    let dims = spatial(e)?;
    let (from, to) = (e.dims(0), e.result_dims());
    let body = |b: &Builder, indices: &[Value]| {
        let mut source = indices.to_vec();
        for (&dim, place) in dims
            .iter()
            .zip(coordinates((&from, &to), b, &dims, indices, mode))
        {
            source[dim] = place.rounded(b, rounding);
        }
        build::read(b, e.inputs[0], &source)
    };
    e.elements(body)
}

/// Integers are interpolated as floats and then truncated.
fn linear(e: &Expression<'_>, mode: &str) -> Result<Vec<Value>, String> {
    let dims = spatial(e)?;
    let (from, to) = (e.dims(0), e.result_dims());
    let element = e.inputs[0].ty().element();
    let body = |b: &Builder, indices: &[Value]| {
        let taps: Vec<Taps> = coordinates((&from, &to), b, &dims, indices, mode)
            .iter()
            .zip(&dims)
            .map(|(place, &dim)| {
                let (first, second, share) = place.neighbours(b);
                Taps {
                    dim,
                    first,
                    second,
                    share,
                }
            })
            .collect();
        let mixed = interpolated(b, e.inputs[0], &mut indices.to_vec(), &taps);
        scalar::cast(b, mixed, element)
    };
    e.elements(body)
}

/// The two elements of a dimension that are mixed, and the share of the second.
struct Taps {
    dim: usize,
    first: Value,
    second: Value,
    share: Value,
}

/// The element at `at`, mixed along the dimensions of `taps`, the last one first.
fn interpolated(b: &Builder, data: Value, at: &mut Vec<Value>, taps: &[Taps]) -> Value {
    let Some((outer, inner)) = taps.split_first() else {
        let element = build::read(b, data, at);
        let float = element.ty().is_float();
        return if float {
            element
        } else {
            scalar::cast(b, element, Type::f32(b.ctx))
        };
    };
    at[outer.dim] = outer.first;
    let from = interpolated(b, data, at, inner);
    at[outer.dim] = outer.second;
    let to = interpolated(b, data, at, inner);
    let share = scalar::cast(b, outer.share, from.ty());
    scalar::add(b, from, scalar::mul(b, scalar::sub(b, to, from), share))
}
