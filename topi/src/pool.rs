//! Pools.

use crate::{
    Compute, Expression, cost,
    cost::sizes::planned,
    scalar,
    window::{covered, image_axes, padded, space_axes},
};
use relay_dialects::{
    dim::Dim,
    element::Element,
    index::{self, Extent, Predicate},
    ir::{Builder, Value},
    ops::arith,
    relay::{Layout, ops::window::Window},
    te::{Reducer, Role, build},
};

/// The family's rows.
pub const ROWS: &[(&str, Compute)] = &[
    ("nn.max_pool1d", max_pool),
    ("nn.max_pool2d", max_pool),
    ("nn.max_pool3d", max_pool),
    ("nn.avg_pool1d", avg_pool),
    ("nn.avg_pool2d", avg_pool),
    ("nn.avg_pool3d", avg_pool),
    ("nn.adaptive_max_pool1d", |e| adaptive_pool(e, Reducer::Max)),
    ("nn.adaptive_max_pool2d", |e| adaptive_pool(e, Reducer::Max)),
    ("nn.adaptive_max_pool3d", |e| adaptive_pool(e, Reducer::Max)),
    ("nn.adaptive_avg_pool1d", |e| adaptive_pool(e, Reducer::Sum)),
    ("nn.adaptive_avg_pool2d", |e| adaptive_pool(e, Reducer::Sum)),
    ("nn.adaptive_avg_pool3d", |e| adaptive_pool(e, Reducer::Sum)),
    ("nn.global_max_pool2d", |e| adaptive_pool(e, Reducer::Max)),
    ("nn.global_avg_pool2d", |e| adaptive_pool(e, Reducer::Sum)),
];

/// A pool's windows.
pub struct Pool {
    /// The window.
    pub window: Window,
    /// Where the spatial dimensions are.
    pub dims: Vec<usize>,
}

impl Pool {
    /// That of an operator.
    ///
    /// # Errors
    /// If the attributes say none.
    pub fn of(e: &Expression<'_>) -> Result<Self, String> {
        Ok(Self {
            window: Window::of(&e.attrs(), &e.attrs().ints("pool_size")?)?,
            dims: spatial(e)?,
        })
    }

    /// The reduction of the windows over the data with `outside` around it; a last window under
    /// `ceil_mode` may reach beyond the padding.
    fn reduce(&self, e: &Expression<'_>, reducer: Reducer, outside: f64) -> Result<Value, String> {
        let all: Vec<usize> = (0..self.dims.len()).collect();
        self.reduce_along(e, e.inputs[0], &all, (reducer, outside))
    }

    /// The same, one dimension after the other where that is far less work, for reducers of which the order and
    /// number of steps does not change the result.
    fn reduce_apart(
        &self,
        e: &Expression<'_>,
        reducer: Reducer,
        outside: f64,
    ) -> Result<Value, String> {
        let mut shape = planned(e.op, &e.dims(0));
        let result = planned(e.op, &e.result_dims());
        let together = work(&result, &self.window.size);
        let last_first = || (0..self.dims.len()).rev();
        let mut apart = 0;
        for dim in last_first() {
            let at = self.dims[dim];
            shape[at] = result[at];
            apart += work(&shape, &self.window.size[dim..=dim]);
        }
        if !cost::is_worth_a_stage(together, apart) {
            return self.reduce(e, reducer, outside);
        }
        last_first().try_fold(e.inputs[0], |data, dim| {
            self.reduce_along(e, data, &[dim], (reducer, outside))
        })
    }

    /// The reduction of the windows along some of the spatial dimensions.
    fn reduce_along(
        &self,
        e: &Expression<'_>,
        data: Value,
        along: &[usize],
        (reducer, outside): (Reducer, f64),
    ) -> Result<Value, String> {
        let shape = data.ty().dims();
        let mut result = shape.clone();
        let mut widths = vec![(0, 0); shape.len()];
        let ceil = e.attrs().bool("ceil_mode")?;
        for &dim in along {
            let at = self.dims[dim];
            result[at] = e.result_dims()[at];
            let (before, span) = (self.window.before[dim], self.window.span(dim));
            let last = result[at].minus(1)?.times(self.window.strides[dim])?;
            let after = last.plus(span)?.minus(shape[at])?.minus(before)?;
            // Where an extent is open, the last window may reach as far as the padding, and under `ceil_mode` a stride more.
            let beyond = if ceil {
                self.window.strides[dim] - 1
            } else {
                0
            };
            let most = self.window.after[dim] + beyond;
            widths[at] = (before, after.known().map_or(most, |after| after.max(0)));
        }
        let data = padded(e.b, data, &self.dims, &widths, outside)?;
        let element = data.ty().element();
        let size: Vec<i64> = along.iter().map(|dim| self.window.size[*dim]).collect();
        let axes = (reducer, &size[..]);
        let pooled = build::reduce(
            e.b,
            &e.name(),
            &result,
            element,
            axes,
            |b, indices, reduce| {
                let mut source = indices.to_vec();
                for (&dim, &offset) in along.iter().zip(reduce) {
                    let at = self.dims[dim];
                    source[at] = covered(b, &self.window, dim, indices[at], offset);
                }
                build::read(b, data, &source)
            },
        );
        build::with_role(pooled, Role::Pool);
        Ok(build::name_axes(
            pooled,
            &axis_names(&self.dims, result.len(), along),
        ))
    }
}

/// The names of the axes of a result of `rank` dimensions, of which `dims` are spatial, and of the windows
/// along some of these.
fn axis_names(dims: &[usize], rank: usize, along: &[usize]) -> Vec<String> {
    let space = space_axes(dims.len());
    let windows = along.iter().map(|dim| format!("r{}", space[*dim]));
    image_axes(dims, rank).into_iter().chain(windows).collect()
}

/// How many elements the windows of `size` of a result hold together.
fn work(result: &[i64], size: &[i64]) -> i64 {
    result.iter().chain(size).product()
}

fn spatial(e: &Expression<'_>) -> Result<Vec<usize>, String> {
    let layout = Layout::parse(&e.attrs().str("layout")?)?;
    Ok(layout.spatial())
}

fn max_pool(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let outside = Element::require(e.inputs[0].ty().element())?.least();
    Ok(vec![Pool::of(e)?.reduce_apart(e, Reducer::Max, outside)?])
}

fn avg_pool(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let pool = Pool::of(e)?;
    let include = e.attrs().bool("count_include_pad")?;
    let sum = pool.reduce(e, Reducer::Sum, 0.0)?;
    let count = window_counts(&pool, &e.dims(0), include)?;
    e.elements(|b, indices| {
        let sum = build::read(b, sum, indices);
        scalar::div(b, sum, scalar::from_index(b, count(b, indices), sum.ty()))
    })
}

/// How many elements of data of a shape count in the window of an element of the result.
///
/// # Errors
/// If 64 bits do not hold an extent.
pub fn window_counts<'p>(
    pool: &'p Pool,
    shape: &[Dim],
    include: bool,
) -> Result<impl Fn(&Builder, &[Value]) -> Value + 'p, String> {
    let bounds = pool.dims.iter().enumerate();
    let bounds = bounds.map(|(dim, &at)| Covered::of(&pool.window, dim, shape[at], include));
    let bounds: Vec<Covered> = bounds.collect::<Result<_, _>>()?;
    Ok(move |b: &Builder, indices: &[Value]| {
        let mut count: Option<Value> = None;
        for (dim, &at) in pool.dims.iter().enumerate() {
            let here = covered_count(b, &pool.window, dim, indices[at], &bounds[dim]);
            count = Some(count.map_or(here, |others| arith::MulI::build(b, others, here)));
        }
        count.unwrap_or_else(|| b.index(1))
    })
}

/// The places in a dimension of the padded data that count.
struct Covered {
    /// The first one.
    low: i64,
    /// Where they end.
    high: Dim,
    /// Whether all elements of every window count.
    is_all: bool,
}

impl Covered {
    /// Those of the data, or of data and padding.
    fn of(window: &Window, dim: usize, extent: Dim, include: bool) -> Result<Self, String> {
        let (before, after) = (window.before[dim], window.after[dim]);
        let (low, high) = match include {
            true => (0, extent.plus(before + after)?),
            false => (before, extent.plus(before)?),
        };
        let last_start = extent.plus(before + after)?.minus(window.span(dim))?;
        let is_even = (last_start.known()).is_some_and(|start| start % window.strides[dim] == 0);
        Ok(Self {
            low,
            high,
            is_all: is_even && (include || (before == 0 && after == 0)),
        })
    }
}

/// How many elements that count the window at `position` covers.
fn covered_count(
    b: &Builder,
    window: &Window,
    dim: usize,
    position: Value,
    covered: &Covered,
) -> Value {
    let Covered { low, high, is_all } = *covered;
    if is_all {
        return b.index(window.size[dim]);
    }
    // Offsets k with low <= start + k * dilation < high.
    let start = index::scale(b, position, window.strides[dim]);
    let dilation = window.dilation[dim];
    let rounded_up =
        |value: Value| index::div(b, index::add(b, value, b.index(dilation - 1)), dilation);
    let not_negative = |value: Value| arith::MaxSI::build(b, value, b.index(0));
    let first = rounded_up(not_negative(index::sub(b, b.index(low), start)));
    let end = rounded_up(not_negative(index::sub(b, high.to_value(b), start)));
    let end = index::min(b, end, window.size[dim]);
    let count = index::sub(b, end, first);
    let some = index::compare(b, Predicate::Sgt, count, b.index(0));
    b.select(some, count, b.index(1))
}

/// The window of an adaptive pool over a dimension of `space` elements, of which the result has
/// `positions`: from floor(i space / positions) to before ceil((i + 1) space / positions).
#[derive(Clone, Copy)]
struct Span {
    dim: usize,
    space: Dim,
    positions: i64,
}

impl Span {
    /// Whether all windows have the same extent.
    fn is_even(self) -> bool {
        match self.space.known() {
            Some(space) => space % self.positions == 0,
            None => self.positions == 1,
        }
    }

    /// The extent of the largest window.
    fn extent(self) -> Dim {
        let Some(space) = self.space.known() else {
            // Open ones are whole: see `adaptive_pool`.
            return self.space;
        };
        // A window begins `rest / positions` of an element before where it would if elements could be cut, and ends at the
        // end of an element: it spans ceil((rest + space) / positions). The rests are the multiples of the greatest
        // common divisor.
        let greatest_rest = self.positions - index::gcd(space, self.positions);
        let most = index::ceil_div(space - self.positions + greatest_rest, self.positions) + 1;
        Dim::Known(most)
    }

    fn start(self, b: &Builder, position: Value) -> Value {
        if self.positions == 1 {
            return b.index(0);
        }
        if self.is_even() {
            return index::scale(b, position, self.extent());
        }
        index::div(b, index::scale(b, position, self.space), self.positions)
    }

    /// How many elements the window at `position`, which starts at `start`, covers.
    fn count(self, b: &Builder, position: Value, start: Value) -> Value {
        if self.is_even() {
            return self.extent().to_value(b);
        }
        let next = index::add(b, position, b.index(1));
        let rounded_up = index::add(
            b,
            index::scale(b, next, self.space),
            b.index(self.positions - 1),
        );
        index::sub(b, index::div(b, rounded_up, self.positions), start)
    }
}

/// A global pool is one with a single position.
fn adaptive_pool(e: &Expression<'_>, reducer: Reducer) -> Result<Vec<Value>, String> {
    let (shape, result) = (e.dims(0), e.result_dims());
    let spans: Vec<Span> = spatial(e)?
        .into_iter()
        .map(|dim| {
            let positions = result[dim]
                .known()
                .filter(|n| shape[dim].is_known() || *n == 1);
            let open =
                || format!("pools dimension {dim}, which is open, to more than one position");
            Ok(Span {
                dim,
                space: shape[dim],
                positions: positions.ok_or_else(open)?,
            })
        })
        .collect::<Result<_, String>>()?;
    let mut uneven = spans.iter().filter(|span| !span.is_even());
    uneven.try_for_each(|span| e.check_fractions(span.dim))?;
    let total = adaptive_windows(e, &spans, reducer);
    if reducer == Reducer::Max {
        return Ok(vec![total]);
    }
    let element = total.ty().element();
    Ok(vec![build::compute(
        e.b,
        "mean",
        &result,
        element,
        |b, indices| {
            let count = spans.iter().fold(b.index(1), |count, span| {
                let start = span.start(b, indices[span.dim]);
                let here = span.count(b, indices[span.dim], start);
                index::mul(b, count, here)
            });
            let count = match index::constant(count) {
                Some(count) => b.constant(element, count as f64),
                None => scalar::from_index(b, count, element),
            };
            scalar::div(b, build::read(b, total, indices), count)
        },
    )])
}

/// The reduction of the windows. Its extents are those of the largest window; what lies behind a
/// smaller one is left out.
fn adaptive_windows(e: &Expression<'_>, spans: &[Span], reducer: Reducer) -> Value {
    let data = e.inputs[0];
    let element = data.ty().element();
    let outside = match reducer {
        Reducer::Max => Element::of(element).map_or(0.0, Element::least),
        _ => 0.0,
    };
    let extents: Vec<Dim> = spans.iter().map(|span| span.extent()).collect();
    let body = |b: &Builder, indices: &[Value], reduce: &[Value]| {
        let mut source = indices.to_vec();
        let mut inside: Option<Value> = None;
        for (span, offset) in spans.iter().zip(reduce) {
            let start = span.start(b, indices[span.dim]);
            source[span.dim] = index::add(b, start, *offset);
            if span.is_even() {
                continue;
            }
            let count = span.count(b, indices[span.dim], start);
            let here = index::compare(b, Predicate::Slt, *offset, count);
            inside = Some(inside.map_or(here, |others| arith::AndI::build(b, others, here)));
        }
        let Some(inside) = inside else {
            return build::read(b, data, &source);
        };
        build::if_then_else(
            b,
            inside,
            |b| build::read(b, data, &source),
            |b| b.constant(element, outside),
        )
    };
    let shape = e.result_dims();
    let axes = (reducer, &extents[..]);
    let pooled = build::reduce(e.b, &e.name(), &shape, element, axes, body);
    let dims: Vec<usize> = spans.iter().map(|span| span.dim).collect();
    let along: Vec<usize> = (0..dims.len()).collect();
    build::with_role(pooled, Role::Pool);
    build::name_axes(pooled, &axis_names(&dims, shape.len(), &along))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_window_is_larger_than_the_largest() {
        for (space, positions) in (0..40).flat_map(|space| (1..40).map(move |n| (space, n))) {
            let window = |position: i64| {
                let start = position * space / positions;
                index::ceil_div((position + 1) * space, positions) - start
            };
            let largest = (0..positions).map(window).max();
            let span = Span {
                dim: 0,
                space: Dim::Known(space),
                positions,
            };
            assert_eq!(span.extent().known(), largest, "{space} to {positions}");
        }
    }
}
