//! Normalisation, softmax and padding.

use crate::{
    Compute, Expression,
    binary::read_broadcast,
    reduce::{Axes, mean_of},
    scalar::{self, Comparison, compare},
    transform::in_range,
    unary::approximate,
};
use relay_dialects::{
    dim::{self, Dim},
    index::{self, Extent},
    ir::{Attr, Builder, Value},
    ops::{arith, math},
    relay::relation::normalize_axis,
    te::{Reducer, build},
};

/// The family's rows.
pub const ROWS: &[(&str, Compute)] = &[
    ("nn.bias_add", |e| {
        with_vectors(e, |b, x, v| scalar::add(b, x, v[0]))
    }),
    ("nn.prelu", |e| with_vectors(e, prelu)),
    ("nn.batch_norm", batch_norm),
    ("nn.instance_norm", instance_norm),
    ("nn.layer_norm", layer_norm),
    ("nn.group_norm", group_norm),
    ("nn.lrn", lrn),
    ("nn.softmax", |e| softmax(e, false, exact)),
    ("nn.fast_softmax", |e| {
        softmax(e, false, |b, x| approximate(b, math::Exp::build_with, x))
    }),
    ("nn.log_softmax", |e| softmax(e, true, exact)),
    ("nn.pad", pad),
];

fn axis(e: &Expression<'_>) -> Result<usize, String> {
    normalize_axis(e.attrs().int("axis")?, e.dims(0).len())
}

/// Each element of the data with the elements of the other operands that belong to its axis.
fn with_vectors(
    e: &Expression<'_>,
    function: impl FnOnce(&Builder, Value, &[Value]) -> Value,
) -> Result<Vec<Value>, String> {
    let axis = axis(e)?;
    e.elements(|b, indices| {
        let vectors: Vec<Value> = e.inputs[1..]
            .iter()
            .map(|vector| build::read(b, *vector, &[indices[axis]]))
            .collect();
        function(b, build::read(b, e.inputs[0], indices), &vectors)
    })
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
        let spread = math::Sqrt::build(b, scalar::add(b, *variance, b.constant(x.ty(), epsilon)));
        let scale = scalar::div(b, *gamma, spread);
        scalar::add(b, scalar::mul(b, scalar::sub(b, x, *mean), scale), *beta)
    })
}

/// Normalised over all axes but the first and `axis`.
fn instance_norm(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let axis = axis(e)?;
    let others = (1..e.dims(0).len()).filter(|&dim| dim != axis);
    normalised(e, axis, others.collect())
}

/// Normalised over `axis`.
fn layer_norm(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let axis = axis(e)?;
    normalised(e, axis, vec![axis])
}

/// (data - mean) / sqrt(variance + epsilon) * gamma + beta, with the data's own moments over the
/// dimensions `reduced`.
fn normalised(e: &Expression<'_>, axis: usize, reduced: Vec<usize>) -> Result<Vec<Value>, String> {
    let epsilon = e.attrs().float("epsilon")?;
    let (data, gamma, beta) = (e.inputs[0], e.inputs[1], e.inputs[2]);
    let (shape, element) = (e.dims(0), data.ty().element());
    let axes = Axes::kept(&shape, reduced);
    let count = axes.count()?;
    let mean = mean_of(e.b, "mean", element, &axes, count, |b, at| {
        build::read(b, data, at)
    });
    let centred = |b: &Builder, at: &[Value]| {
        scalar::sub(b, build::read(b, data, at), read_broadcast(b, mean, at))
    };
    let variance = mean_of(e.b, "variance", element, &axes, count, |b, at| {
        let distance = centred(b, at);
        scalar::mul(b, distance, distance)
    });
    e.elements(|b, at| {
        let variance = read_broadcast(b, variance, at);
        let shifted = scalar::add(b, variance, b.constant(element, epsilon));
        let normal = scalar::div(b, centred(b, at), math::Sqrt::build(b, shifted));
        let [gamma, beta] = [gamma, beta].map(|vector| build::read(b, vector, &[at[axis]]));
        scalar::add(b, scalar::mul(b, normal, gamma), beta)
    })
}

/// Normalised over groups of neighbours along `axis`, and over all dimensions behind.
fn group_norm(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let (axis, attrs) = (axis(e)?, e.attrs());
    let (epsilon, groups) = (attrs.float("epsilon")?, attrs.int("num_groups")?);
    let (scales, centers) = (attrs.bool("scale")?, attrs.bool("center")?);
    let (data, shape, element) = (e.inputs[0], e.dims(0), e.inputs[0].ty().element());
    let of_group = shape[axis].floor_div(groups)?;
    let outer = [&shape[..axis], &[Dim::Known(groups)]].concat();
    let inner = [&[of_group], &shape[axis + 1..]].concat();
    let count = dim::product(&inner)?;
    let mean = |name: &str, term: &dyn Fn(&Builder, &[Value], Value) -> Value| {
        let body = |b: &Builder, outer: &[Value], inner: &[Value]| {
            let first = index::scale(b, outer[axis], of_group);
            let at = [
                &outer[..axis],
                &[index::add(b, first, inner[0])],
                &inner[1..],
            ]
            .concat();
            term(b, outer, build::read(b, data, &at))
        };
        let reduction = (Reducer::Sum, &inner[..]);
        let sum = build::reduce(e.b, "sum", &outer, element, reduction, body);
        build::compute(e.b, name, &outer, element, |b, at| {
            let count = scalar::from_index(b, count.to_value(b), element);
            scalar::div(b, build::read(b, sum, at), count)
        })
    };
    let means = mean("mean", &|_, _, x| x);
    let variances = mean("variance", &|b, group, x| {
        let distance = scalar::sub(b, x, build::read(b, means, group));
        scalar::mul(b, distance, distance)
    });
    e.elements(|b, at| {
        let group = [&at[..axis], &[index::div(b, at[axis], of_group)]].concat();
        let variance = build::read(b, variances, &group);
        let shifted = scalar::add(b, variance, b.constant(element, epsilon));
        let distance = scalar::sub(b, build::read(b, data, at), build::read(b, means, &group));
        let mut result = scalar::div(b, distance, math::Sqrt::build(b, shifted));
        if scales {
            result = scalar::mul(b, result, build::read(b, e.inputs[1], &[at[axis]]));
        }
        if centers {
            result = scalar::add(b, result, build::read(b, e.inputs[2], &[at[axis]]));
        }
        result
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
    let (shape, element) = (e.dims(0), e.inputs[0].ty().element());
    // What is further away than the extent is nobody's neighbour, however large the window.
    let most = shape[axis]
        .known()
        .map_or(i64::MAX, |extent| (extent - 1).max(0));
    let before = ((size - 1) / 2).min(most);
    let behind = (size / 2).min(most);
    let squares = build::reduce(
        e.b,
        "squares",
        &shape,
        element,
        (Reducer::Sum, &[before + 1 + behind]),
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
    e.elements(|b, indices| {
        let sum = build::read(b, squares, indices);
        let scaled = scalar::mul(b, sum, b.constant(element, alpha / size as f64));
        let base = scalar::add(b, scaled, b.constant(element, bias));
        let power = math::PowF::build(b, base, b.constant(element, beta));
        scalar::div(b, build::read(b, e.inputs[0], indices), power)
    })
}

/// e to the x.
fn exact(b: &Builder, x: Value) -> Value {
    math::Exp::build(b, x)
}

/// The largest elements along an axis: `with` puts an index along it among the others.
fn largest(
    e: &Expression<'_>,
    outer: &[Dim],
    extent: &[Dim],
    with: impl Fn(&[Value], Value) -> Vec<Value>,
) -> Value {
    let element = e.inputs[0].ty().element();
    // Any of two if one is not a number, which takes a third of the time: the sum is none then either way.
    let larger = |b: &Builder, old: &[Value], new: &[Value]| {
        let keeps = compare(b, Comparison::Greater, old[0], new[0]);
        vec![b.select(keeps, old[0], new[0])]
    };
    build::reduce_tuple(
        e.b,
        "max",
        outer,
        &[Attr::float(element, f64::NEG_INFINITY)],
        extent,
        |b, indices, reduce| vec![build::read(b, e.inputs[0], &with(indices, reduce[0]))],
        larger,
    )[0]
}

/// With the largest element subtracted first, so that nothing overflows.
fn softmax(
    e: &Expression<'_>,
    logarithm: bool,
    exp: fn(&Builder, Value) -> Value,
) -> Result<Vec<Value>, String> {
    let axis = axis(e)?;
    let (shape, element) = (e.dims(0), e.inputs[0].ty().element());
    let outer: Vec<Dim> = shape
        .iter()
        .enumerate()
        .filter(|(dim, _)| *dim != axis)
        .map(|(_, extent)| *extent)
        .collect();
    let without = |indices: &[Value]| [&indices[..axis], &indices[axis + 1..]].concat();
    let with = |indices: &[Value], k: Value| [&indices[..axis], &[k], &indices[axis..]].concat();
    let extent = [shape[axis]];
    let largest = largest(e, &outer, &extent, with);
    let shifted = |b: &Builder, indices: &[Value]| {
        let x = build::read(b, e.inputs[0], indices);
        scalar::sub(b, x, build::read(b, largest, &without(indices)))
    };
    let exps = build::compute(e.b, "exp", &shape, element, |b, indices| {
        exp(b, shifted(b, indices))
    });
    let sum = build::reduce(
        e.b,
        "sum",
        &outer,
        element,
        (Reducer::Sum, &extent),
        |b, indices, reduce| build::read(b, exps, &with(indices, reduce[0])),
    );
    // What is the same for a row is computed once for it: a division takes longer than the rest of an
    // element. The sum is no less than 1.
    let of_row = build::compute(e.b, "of_row", &outer, element, |b, indices| {
        let sum = build::read(b, sum, indices);
        if logarithm {
            math::Log::build(b, sum)
        } else {
            scalar::div(b, b.constant(element, 1.0), sum)
        }
    });
    e.elements(|b, indices| {
        let of_row = build::read(b, of_row, &without(indices));
        if logarithm {
            scalar::sub(b, shifted(b, indices), of_row)
        } else {
            scalar::mul(b, build::read(b, exps, indices), of_row)
        }
    })
}

fn pad(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let widths = e.attrs().dims("pad_width")?;
    let mode = e.attrs().str("pad_mode")?;
    let shape = e.dims(0);
    let last = shape.iter().map(|extent| extent.minus(1));
    let last: Vec<Dim> = last.collect::<Result<_, _>>()?;
    let data = e.inputs[0];
    e.elements(|b, indices| {
        let mut source = indices.to_vec();
        let mut inside: Option<Value> = None;
        for (dim, pair) in widths
            .chunks_exact(2)
            .enumerate()
            .filter(|(_, pair)| pair.iter().any(|width| *width != 0))
        {
            let at = index::sub(b, indices[dim], pair[0].to_value(b));
            let last = last[dim];
            source[dim] = match mode.as_str() {
                "edge" => index::min(b, arith::MaxSI::build(b, at, b.index(0)), last),
                "reflect" => reflected(b, at, last),
                _ => {
                    let here = in_range(b, at, 0, shape[dim]);
                    inside =
                        Some(inside.map_or(here, |others| arith::AndI::build(b, others, here)));
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
    })
}

/// A subscript mirrored at 0 and at `last`.
fn reflected(b: &Builder, at: Value, last: Dim) -> Value {
    let mirrored = index::sub(b, b.index(0), at);
    let low = arith::MaxSI::build(b, at, mirrored);
    let beyond = index::sub(b, index::scale(b, last.to_value(b), 2), low);
    arith::MinSI::build(b, low, beyond)
}
