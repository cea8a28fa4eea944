//! Pools.

use crate::{
    Compute, Expression, scalar,
    window::{covered, padded},
};
use relay_dialects::{
    index::{self, Predicate},
    ir::{Builder, Value},
    relay::{Layout, ops::window::Window},
    te::build,
};

/// The family's rows.
pub const ROWS: &[(&str, Compute)] = &[
    ("nn.max_pool1d", max_pool),
    ("nn.max_pool2d", max_pool),
    ("nn.max_pool3d", max_pool),
    ("nn.avg_pool1d", avg_pool),
    ("nn.avg_pool2d", avg_pool),
    ("nn.avg_pool3d", avg_pool),
    ("nn.global_max_pool2d", |e| global_pool(e, "max")),
    ("nn.global_avg_pool2d", |e| global_pool(e, "sum")),
];

/// The tag by which schedules know pools.
pub const TAG: &str = "pool";

struct Pool {
    window: Window,
    /// Where the spatial dimensions are.
    dims: Vec<usize>,
}

impl Pool {
    fn of(e: &Expression<'_>) -> Result<Self, String> {
        Ok(Self {
            window: Window::of(&e.attrs(), &e.attrs().ints("pool_size")?)?,
            dims: spatial(e)?,
        })
    }

    /// The reduction of the windows over the data with `outside` around it; a last window under
    /// `ceil_mode` may reach beyond the padding.
    fn reduce(&self, e: &Expression<'_>, reducer: &str, outside: f64) -> Value {
        let (shape, result) = (e.shape(0), e.result_shape());
        let mut widths = vec![(0, 0); shape.len()];
        for (dim, &at) in self.dims.iter().enumerate() {
            let reach = (result[at] - 1) * self.window.strides[dim] + self.window.span(dim);
            let after = reach - shape[at] - self.window.before[dim];
            widths[at] = (self.window.before[dim], after.max(0));
        }
        let data = padded(e.b, e.inputs[0], &widths, outside);
        let element = data.ty().element();
        let axes = (reducer, &self.window.size[..]);
        build::reduce_tagged(
            e.b,
            &e.name(),
            TAG,
            &result,
            element,
            axes,
            |b, indices, reduce| {
                let mut source = indices.to_vec();
                for (dim, &at) in self.dims.iter().enumerate() {
                    source[at] = covered(b, &self.window, dim, indices[at], reduce[dim]);
                }
                build::read(b, data, &source)
            },
        )
    }
}

fn spatial(e: &Expression<'_>) -> Result<Vec<usize>, String> {
    let layout = Layout::parse(&e.attrs().str("layout")?)?;
    Ok("DHW"
        .chars()
        .filter_map(|letter| layout.position(letter))
        .collect())
}

fn max_pool(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let element = e.inputs[0].ty().element();
    let outside = if element.is_float() {
        f64::NEG_INFINITY
    } else {
        (i64::MIN >> (64 - element.bit_width())) as f64
    };
    Ok(vec![Pool::of(e)?.reduce(e, "max", outside)])
}

fn avg_pool(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let pool = Pool::of(e)?;
    let include = e.attrs().bool("count_include_pad")?;
    let sum = pool.reduce(e, "sum", 0.0);
    let shape = e.shape(0);
    Ok(vec![build::compute(
        e.b,
        &e.name(),
        &e.result_shape(),
        sum.ty().element(),
        |b, indices| {
            let sum = build::read(b, sum, indices);
            let mut count: Option<Value> = None;
            for (dim, &at) in pool.dims.iter().enumerate() {
                let here = covered_count(b, &pool.window, dim, indices[at], shape[at], include);
                count = Some(count.map_or(here, |others| b.binary("arith.muli", others, here)));
            }
            let count = count.unwrap_or_else(|| b.index(1));
            scalar::div(b, sum, scalar::from_index(b, count, sum.ty()))
        },
    )])
}

/// How many elements of the data, or of data and padding, the window at `position` covers.
fn covered_count(
    b: &Builder,
    window: &Window,
    dim: usize,
    position: Value,
    extent: i64,
    include: bool,
) -> Value {
    let (before, after) = (window.before[dim], window.after[dim]);
    let (low, high) = if include {
        (0, before + extent + after)
    } else {
        (before, before + extent)
    };
    let last_start = extent + before + after - window.span(dim);
    if (low == 0
        && high > last_start + window.span(dim) - 1
        && last_start % window.strides[dim] == 0)
        || (before == 0 && after == 0 && last_start % window.strides[dim] == 0)
    {
        return b.index(window.size[dim]);
    }
    // Offsets k with low <= start + k * dilation < high.
    let start = index::scale(b, position, window.strides[dim]);
    let dilation = window.dilation[dim];
    let rounded_up =
        |value: Value| index::div(b, index::add(b, value, b.index(dilation - 1)), dilation);
    let not_negative = |value: Value| b.binary("arith.maxsi", value, b.index(0));
    let first = rounded_up(not_negative(index::sub(b, b.index(low), start)));
    let end = rounded_up(not_negative(index::sub(b, b.index(high), start)));
    let end = index::min(b, end, window.size[dim]);
    let count = index::sub(b, end, first);
    let some = index::compare(b, Predicate::Greater, count, b.index(0));
    b.select(some, count, b.index(1))
}

fn global_pool(e: &Expression<'_>, reducer: &str) -> Result<Vec<Value>, String> {
    let dims = spatial(e)?;
    let shape = e.shape(0);
    let extents: Vec<i64> = dims.iter().map(|&dim| shape[dim]).collect();
    let element = e.inputs[0].ty().element();
    let result = e.result_shape();
    let total = build::reduce_tagged(
        e.b,
        &e.name(),
        TAG,
        &result,
        element,
        (reducer, &extents),
        |b, indices, reduce| {
            let mut source = indices.to_vec();
            for (&dim, offset) in dims.iter().zip(reduce) {
                source[dim] = *offset;
            }
            build::read(b, e.inputs[0], &source)
        },
    );
    if reducer == "max" {
        return Ok(vec![total]);
    }
    let count: i64 = extents.iter().product();
    Ok(vec![build::compute(
        e.b,
        "mean",
        &result,
        element,
        |b, indices| {
            scalar::div(
                b,
                build::read(b, total, indices),
                b.constant(element, count as f64),
            )
        },
    )])
}
