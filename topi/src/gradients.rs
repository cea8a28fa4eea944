//! Gradients of pools and convolutions: sums over the windows that an element is part of.

use crate::{
    Compute, Expression,
    pool::{Pool, window_counts},
    scalar::{self, Comparison, compare},
    window::padded,
};
use relay_dialects::{
    dim::Dim,
    element::Element,
    index::{self, Predicate, ceil_div},
    ir::{Attr, Builder, Type, Value},
    ops::arith,
    relay::ops::window::{Window, numbers},
    te::build,
};

/// The family's rows.
pub const ROWS: &[(&str, Compute)] = &[
    ("nn.max_pool2d_grad", max_pool_grad),
    ("nn.avg_pool2d_grad", avg_pool_grad),
    ("nn.conv2d_backward_weight", conv2d_backward_weight),
];

/// Of each window, the number of the first of its largest elements.
fn largest(e: &Expression<'_>, pool: &Pool) -> Result<Value, String> {
    let (data, shape) = (e.inputs[1], e.dims(1));
    let element = data.ty().element();
    let mut widths = vec![(0, 0); shape.len()];
    let extents = e.dims(0);
    for (dim, &at) in pool.dims.iter().enumerate() {
        let last = extents[at].minus(1)?.times(pool.window.strides[dim])?;
        let end = last
            .plus(pool.window.size[dim])?
            .minus(pool.window.before[dim])?;
        let after = end.minus(shape[at])?.known();
        let most = pool.window.after[dim] + pool.window.strides[dim] - 1;
        widths[at] = (
            pool.window.before[dim],
            after.map_or(most, |after| after.max(0)),
        );
    }
    let least = Element::require(element)?.least();
    let data = padded(e.b, data, &pool.dims, &widths, least)?;
    let place = Type::int(e.b.ctx, 64);
    let identity = [Attr::number(element, least), Attr::int(place, 0)];
    let body = |b: &Builder, outer: &[Value], inner: &[Value]| {
        let mut source = outer.to_vec();
        let mut number = b.index(0);
        for (dim, &at) in pool.dims.iter().enumerate() {
            let start = index::scale(b, outer[at], pool.window.strides[dim]);
            source[at] = index::add(b, start, inner[dim]);
            number = index::add(
                b,
                index::scale(b, number, pool.window.size[dim]),
                inner[dim],
            );
        }
        let number = scalar::from_index(b, number, place);
        vec![build::read(b, data, &source), number]
    };
    let combine = |b: &Builder, old: &[Value], new: &[Value]| {
        let wins = compare(b, Comparison::Greater, new[0], old[0]);
        let is_equal = compare(b, Comparison::Equal, new[0], old[0]);
        let is_before = compare(b, Comparison::Less, new[1], old[1]);
        let wins = scalar::or(b, wins, scalar::and(b, is_equal, is_before));
        let chosen = [0, 1].map(|part| b.select(wins, new[part], old[part]));
        chosen.to_vec()
    };
    let size = &pool.window.size[..];
    let found = build::reduce_tuple(e.b, "largest", &extents, &identity, size, body, combine);
    Ok(found[1])
}

/// The sum over the windows that each element of the data is in: `share` is what it gets of one of them, of which it is element `number`.
fn of_windows(
    e: &Expression<'_>,
    pool: &Pool,
    share: impl FnOnce(&Builder, &[Value], Value) -> Value,
) -> Result<Vec<Value>, String> {
    let windows = e.dims(0);
    // An element is in so many windows at most.
    let sides = pool.window.size.iter().zip(&pool.window.strides);
    let most: Vec<i64> = sides
        .map(|(size, stride)| ceil_div(*size, *stride))
        .collect();
    let body = |b: &Builder, outer: &[Value], inner: &[Value]| {
        let mut window = outer.to_vec();
        let (mut number, mut is_in) = (b.index(0), None);
        for (dim, &at) in pool.dims.iter().enumerate() {
            let (size, stride) = (pool.window.size[dim], pool.window.strides[dim]);
            let place = index::add(b, outer[at], b.index(pool.window.before[dim]));
            let last = index::div(b, place, stride);
            window[at] = index::sub(b, last, inner[dim]);
            let offset = index::sub(b, place, index::scale(b, window[at], stride));
            number = index::add(b, index::scale(b, number, size), offset);
            let is_window = index::compare(b, Predicate::Sge, window[at], b.index(0));
            let is_before = index::less(b, window[at], windows[at]);
            let is_inside = scalar::and(b, is_before, index::less(b, offset, size));
            let is_one = scalar::and(b, is_window, is_inside);
            is_in = Some(is_in.map_or(is_one, |before| arith::AndI::build(b, before, is_one)));
        }
        let zero = |b: &Builder| b.constant(e.element, 0.0);
        match is_in {
            Some(is_in) => build::if_then_else(b, is_in, |b| share(b, &window, number), zero),
            None => zero(b),
        }
    };
    e.sums(&most, body)
}

fn max_pool_grad(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let pool = Pool::of(e)?;
    let largest = largest(e, &pool)?;
    of_windows(e, &pool, |b, window, number| {
        let chosen = build::read(b, largest, window);
        let number = scalar::from_index(b, number, chosen.ty());
        let is_largest = compare(b, Comparison::Equal, chosen, number);
        let gradient = build::read(b, e.inputs[0], window);
        b.select(is_largest, gradient, b.constant(gradient.ty(), 0.0))
    })
}

fn avg_pool_grad(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let pool = Pool::of(e)?;
    let count = window_counts(&pool, &e.dims(1), e.attrs().bool("count_include_pad")?)?;
    of_windows(e, &pool, |b, window, _| {
        let gradient = build::read(b, e.inputs[0], window);
        let count = scalar::from_index(b, count(b, window), gradient.ty());
        scalar::div(b, gradient, count)
    })
}

/// Each element of the weight meets an element of the data for each place of the gradient.
fn conv2d_backward_weight(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let attrs = e.attrs();
    let size = numbers(&attrs, "kernel_size", 2, 1)?;
    let window = Window::of(&attrs, &size)?;
    let (grad, weight) = (e.dims(0), e.result_dims());
    let groups = attrs.int("groups")?;
    let outputs = grad[1].floor_div(groups)?;
    let mut widths = vec![(0, 0); 4];
    for dim in [0, 1] {
        widths[dim + 2] = (window.before[dim], window.after[dim]);
    }
    let padded = padded(e.b, e.inputs[1], &[2, 3], &widths, 0.0)?;
    let reduced: [Dim; 3] = [grad[0], grad[2], grad[3]];
    let body = |b: &Builder, outer: &[Value], inner: &[Value]| {
        let group = index::div(b, outer[0], outputs);
        let channel = index::add(b, index::scale(b, group, weight[1]), outer[1]);
        let place = [0, 1].map(|dim| {
            let start = index::scale(b, inner[dim + 1], window.strides[dim]);
            let offset = index::scale(b, outer[dim + 2], window.dilation[dim]);
            index::add(b, start, offset)
        });
        let x = build::read(b, padded, &[inner[0], channel, place[0], place[1]]);
        let gradient = build::read(b, e.inputs[0], &[inner[0], outer[0], inner[1], inner[2]]);
        scalar::mul(b, x, gradient)
    };
    e.sums(&reduced, body)
}
