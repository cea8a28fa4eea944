//! Normalisation, softmax, padding and images.

use crate::{
    Compute, Expression,
    scalar::{self, Comparison, compare},
    transform::in_range,
};
use relay_dialects::{
    index,
    ir::{Builder, Value},
    relay::relation::normalize_axis,
    te::build,
};

/// The family's rows.
pub const ROWS: &[(&str, Compute)] = &[
    ("nn.bias_add", |e| {
        with_vectors(e, |b, x, v| scalar::add(b, x, v[0]))
    }),
    ("nn.prelu", |e| with_vectors(e, prelu)),
    ("nn.batch_norm", batch_norm),
    ("nn.lrn", lrn),
    ("nn.softmax", |e| softmax(e, false)),
    ("nn.log_softmax", |e| softmax(e, true)),
    ("nn.pad", pad),
    ("image.resize2d", resize2d),
];

fn axis(e: &Expression<'_>) -> Result<usize, String> {
    normalize_axis(e.attrs().int("axis")?, e.shape(0).len())
}

/// Each element of the data with the elements of the other operands that belong to its axis.
fn with_vectors(
    e: &Expression<'_>,
    function: impl FnOnce(&Builder, Value, &[Value]) -> Value,
) -> Result<Vec<Value>, String> {
    let axis = axis(e)?;
    let ty = e.op.result(0).ty();
    Ok(vec![build::compute(
        e.b,
        &e.name(),
        &ty.shape(),
        ty.element(),
        |b, indices| {
            let vectors: Vec<Value> = e.inputs[1..]
                .iter()
                .map(|vector| build::read(b, *vector, &[indices[axis]]))
                .collect();
            function(b, build::read(b, e.inputs[0], indices), &vectors)
        },
    )])
}

fn prelu(b: &Builder, x: Value, alpha: &[Value]) -> Value {
    let scaled = scalar::mul(b, x, alpha[0]);
    b.select(
        compare(b, Comparison::Greater, x, b.constant(x.ty(), 0.0)),
        x,
        scaled,
    )
}

fn batch_norm(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let epsilon = e.attrs().float("epsilon")?;
    with_vectors(e, |b, x, vectors| {
        let [gamma, beta, mean, variance] = vectors else {
            return x;
        };
        let spread = b.unary(
            "math.sqrt",
            scalar::add(b, *variance, b.constant(x.ty(), epsilon)),
        );
        let scale = scalar::div(b, *gamma, spread);
        scalar::add(b, scalar::mul(b, scalar::sub(b, x, *mean), scale), *beta)
    })
}

/// data / (bias + alpha / size * sum of neighbours' squares)^beta.
fn lrn(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let axis = axis(e)?;
    let attrs = e.attrs();
    let size = attrs.int("size")?;
    let (bias, alpha, beta) = (
        attrs.float("bias")?,
        attrs.float("alpha")?,
        attrs.float("beta")?,
    );
    let (shape, element) = (e.shape(0), e.inputs[0].ty().element());
    let before = (size - 1) / 2;
    let squares = build::reduce(
        e.b,
        "squares",
        &shape,
        element,
        ("sum", &[size]),
        |b, indices, reduce| {
            let neighbour = index::sub(b, index::add(b, indices[axis], reduce[0]), b.index(before));
            let mut source = indices.to_vec();
            source[axis] = neighbour;
            let inside = in_range(b, neighbour, 0, shape[axis]);
            let read = |b: &Builder| {
                let x = build::read(b, e.inputs[0], &source);
                scalar::mul(b, x, x)
            };
            build::if_then_else(b, inside, read, |b| b.constant(element, 0.0))
        },
    );
    Ok(vec![build::compute(
        e.b,
        "lrn",
        &shape,
        element,
        |b, indices| {
            let sum = build::read(b, squares, indices);
            let scaled = scalar::mul(b, sum, b.constant(element, alpha / size as f64));
            let base = scalar::add(b, scaled, b.constant(element, bias));
            let power = b.binary("math.powf", base, b.constant(element, beta));
            scalar::div(b, build::read(b, e.inputs[0], indices), power)
        },
    )])
}

/// With the largest element subtracted first, so that nothing overflows.
fn softmax(e: &Expression<'_>, logarithm: bool) -> Result<Vec<Value>, String> {
    let axis = axis(e)?;
    let (shape, element) = (e.shape(0), e.inputs[0].ty().element());
    let outer: Vec<i64> = shape
        .iter()
        .enumerate()
        .filter(|(dim, _)| *dim != axis)
        .map(|(_, extent)| *extent)
        .collect();
    let without = |indices: &[Value]| [&indices[..axis], &indices[axis + 1..]].concat();
    let with = |indices: &[Value], k: Value| [&indices[..axis], &[k], &indices[axis..]].concat();
    let extent = [shape[axis]];
    let largest = build::reduce(
        e.b,
        "max",
        &outer,
        element,
        ("max", &extent),
        |b, indices, reduce| build::read(b, e.inputs[0], &with(indices, reduce[0])),
    );
    let shifted = |b: &Builder, indices: &[Value]| {
        let x = build::read(b, e.inputs[0], indices);
        scalar::sub(b, x, build::read(b, largest, &without(indices)))
    };
    let exps = build::compute(e.b, "exp", &shape, element, |b, indices| {
        b.unary("math.exp", shifted(b, indices))
    });
    let sum = build::reduce(
        e.b,
        "sum",
        &outer,
        element,
        ("sum", &extent),
        |b, indices, reduce| build::read(b, exps, &with(indices, reduce[0])),
    );
    Ok(vec![build::compute(
        e.b,
        &e.name(),
        &shape,
        element,
        |b, indices| {
            let sum = build::read(b, sum, &without(indices));
            if logarithm {
                scalar::sub(b, shifted(b, indices), b.unary("math.log", sum))
            } else {
                scalar::div(b, build::read(b, exps, indices), sum)
            }
        },
    )])
}

fn pad(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let widths = e.attrs().ints("pad_width")?;
    let mode = e.attrs().str("pad_mode")?;
    let (shape, element) = (e.shape(0), e.inputs[0].ty().element());
    let data = e.inputs[0];
    Ok(vec![build::compute(
        e.b,
        "pad",
        &e.result_shape(),
        element,
        |b, indices| {
            let mut source = indices.to_vec();
            let mut inside: Option<Value> = None;
            for (dim, pair) in widths
                .chunks_exact(2)
                .enumerate()
                .filter(|(_, pair)| pair != &[0, 0])
            {
                let at = index::sub(b, indices[dim], b.index(pair[0]));
                let last = shape[dim] - 1;
                source[dim] = match mode.as_str() {
                    "edge" => index::min(b, b.binary("arith.maxsi", at, b.index(0)), last),
                    "reflect" => reflected(b, at, last),
                    _ => {
                        let here = in_range(b, at, 0, shape[dim]);
                        inside = Some(
                            inside.map_or(here, |others| b.binary("arith.andi", others, here)),
                        );
                        at
                    }
                };
            }
            match inside {
                Some(inside) => build::if_then_else(
                    b,
                    inside,
                    |b| build::read(b, data, &source),
                    |b| build::read(b, e.inputs[1], &[]),
                ),
                None => build::read(b, data, &source),
            }
        },
    )])
}

/// A subscript mirrored at 0 and at `last`.
fn reflected(b: &Builder, at: Value, last: i64) -> Value {
    let mirrored = index::sub(b, b.index(0), at);
    let low = b.binary("arith.maxsi", at, mirrored);
    let beyond = index::sub(b, b.index(2 * last), low);
    b.binary("arith.minsi", low, beyond)
}

fn resize2d(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let (shape, result) = (e.shape(0), e.result_shape());
    let element = e.inputs[0].ty().element();
    let coordinates = e.attrs().str("coordinate_transformation_mode")?;
    let rounding = e.attrs().str("rounding_method")?;
    let nearest = e.attrs().str("method")? == "nearest_neighbor";
    let place = |b: &Builder, index: Value, dim: usize| {
        coordinate(b, index, shape[dim], result[dim], &coordinates)
    };
    Ok(vec![build::compute(
        e.b,
        "resize2d",
        &result,
        element,
        |b, at| {
            let read = |y: Value, x: Value| build::read(b, e.inputs[0], &[at[0], at[1], y, x]);
            let (y, x) = (place(b, at[2], 2), place(b, at[3], 3));
            if nearest {
                return read(
                    nearest_index(b, y, shape[2], &rounding),
                    nearest_index(b, x, shape[3], &rounding),
                );
            }
            let (top, bottom, down) = neighbours(b, y, shape[2]);
            let (left, right, along) = neighbours(b, x, shape[3]);
            let mix = |from: Value, to: Value, share: Value| {
                let share = scalar::cast(b, share, element);
                scalar::add(b, from, scalar::mul(b, scalar::sub(b, to, from), share))
            };
            let upper = mix(read(top, left), read(top, right), along);
            let lower = mix(read(bottom, left), read(bottom, right), along);
            mix(upper, lower, down)
        },
    )])
}

/// Where in the source (as an f32) an element of the result lies; ONNX's names for the ways.
fn coordinate(b: &Builder, index: Value, source: i64, result: i64, mode: &str) -> Value {
    use relay_dialects::ir::Type;
    let float = Type::f32(b.ctx);
    let x = scalar::from_index(b, index, float);
    let number = |value: f64| b.constant(float, value);
    let scale = source as f64 / result as f64;
    match mode {
        "align_corners" if result > 1 => {
            scalar::mul(b, x, number((source - 1) as f64 / (result - 1) as f64))
        }
        "align_corners" => number(0.0),
        "asymmetric" => scalar::mul(b, x, number(scale)),
        "tf_half_pixel_for_nn" => scalar::mul(b, scalar::add(b, x, number(0.5)), number(scale)),
        "pytorch_half_pixel" if result == 1 => number(0.0),
        _ => {
            let middle = scalar::mul(b, scalar::add(b, x, number(0.5)), number(scale));
            scalar::sub(b, middle, number(0.5))
        }
    }
}

fn nearest_index(b: &Builder, x: Value, extent: i64, rounding: &str) -> Value {
    let half = b.constant(x.ty(), 0.5);
    let rounded = match rounding {
        "floor" => b.unary("math.floor", x),
        "ceil" => b.unary("math.ceil", x),
        // Halves go down, or up.
        "round_prefer_floor" => b.unary("math.ceil", scalar::sub(b, x, half)),
        _ => b.unary("math.floor", scalar::add(b, x, half)),
    };
    clamped(b, rounded, extent)
}

fn clamped(b: &Builder, x: Value, extent: i64) -> Value {
    use relay_dialects::ir::Type;
    let int = b.value("arith.fptosi", &[x], Type::int(b.ctx, 64), &[]);
    let index = scalar::to_index(b, int);
    index::min(b, b.binary("arith.maxsi", index, b.index(0)), extent - 1)
}

/// The elements before and after a coordinate, and how far it is from the first to the second.
fn neighbours(b: &Builder, x: Value, extent: i64) -> (Value, Value, Value) {
    let low = scalar::max(b, x, b.constant(x.ty(), 0.0));
    let x = scalar::min(b, low, b.constant(x.ty(), (extent - 1) as f64));
    let floor = b.unary("math.floor", x);
    let first = clamped(b, floor, extent);
    let second = index::min(b, index::add(b, first, b.index(1)), extent - 1);
    (first, second, scalar::sub(b, x, floor))
}
