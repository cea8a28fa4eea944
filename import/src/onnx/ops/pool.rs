//! Pooling.

use super::{
    reduce::along,
    row::{Row, row},
    window::{AutoPad, Window, auto_pad},
};
use crate::{
    compose::greatest::max_and_places,
    graph::{
        attr::Param, builder::GraphBuilder, constant::element_count, error::Result, value::Value,
    },
    onnx::node::Node,
};
use relay_dialects::{
    dim::{self, Dim},
    element::Element,
    index,
};

/// The family's rows.
pub const ROWS: &[Row] = &[
    row("AveragePool", 1, average_pool),
    row("GlobalAveragePool", 1, |n, b| {
        global(n, b, "mean", "nn.global_avg_pool2d")
    }),
    row("GlobalMaxPool", 1, |n, b| {
        global(n, b, "max", "nn.global_max_pool2d")
    }),
    row("GlobalLpPool", 1, global_lp_pool),
    row("LpPool", 1, lp_pool),
    row("MaxPool", 1, max_pool),
];

/// What a user can do where open dimensions are not supported.
const ADVICE: &str = "give the sizes with --dim or --shape";

const LAYOUTS: [&str; 3] = ["NCW", "NCHW", "NCDHW"];
const MAX: [&str; 3] = ["nn.max_pool1d", "nn.max_pool2d", "nn.max_pool3d"];
const AVERAGE: [&str; 3] = ["nn.avg_pool1d", "nn.avg_pool2d", "nn.avg_pool3d"];

/// Where the windows of a pool lie.
struct Windows {
    /// One of them, with the model's own padding.
    window: Window,
    /// By how much padding at the end grows for the last window, where the number of windows is rounded up.
    grown: Vec<i64>,
    /// Whether the operator rounds the number of windows up, because it depends on open dimensions by how much padding grows.
    ceil: bool,
    /// How many there are along each axis.
    places: Vec<Dim>,
}

impl Windows {
    /// The window with all padding that it needs.
    fn grown(self) -> Window {
        let mut window = self.window;
        grow(&mut window, &self.grown);
        window
    }

    /// The pool's result where it has no elements.
    fn nothing(&self, b: &mut GraphBuilder, x: &Value, element: Element) -> Result<Option<Value>> {
        let shape = [&x.dims()[..2], &self.places].concat();
        let is_nothing = self.places.contains(&Dim::Known(0));
        is_nothing.then(|| b.full(element, &shape, 0.0)).transpose()
    }
}

/// Reads the windows of a pool. A window that is larger than the padded input may lie nowhere.
fn windows(n: &Node<'_>, x: &Value) -> Result<Windows> {
    let spatial = x
        .rank()
        .checked_sub(2)
        .filter(|&rank| (1..=3).contains(&rank));
    let Some(rank) = spatial else {
        return Err(format!(
            "the input has rank {}; only 1 to 3 spatial axes are supported",
            x.rank()
        ));
    };
    let kernel = n
        .attr_ints("kernel_shape")?
        .ok_or("attribute 'kernel_shape' is missing")?;
    let input = &x.dims()[2..];
    let window = Window::read_open(n, kernel, input)?;
    let same = matches!(auto_pad(n)?, AutoPad::SameUpper | AutoPad::SameLower);
    let ceil = n.attr_bool_or("ceil_mode", false)? && !same;
    let is_open = input.iter().any(|extent| !extent.is_known());
    let (mut grown, mut places) = (vec![0; rank], Vec::with_capacity(rank));
    for (axis, extent) in input.iter().enumerate() {
        let stride = window.strides[axis];
        let padding = window.before[axis] + window.after[axis];
        let around = window
            .around
            .get(axis)
            .map_or(&[][..], |around| &around[..]);
        let padded = extent.plus(dim::sum(around)?)?;
        let room = padded.plus(padding - window.span(axis))?;
        let mut steps = room.floor_div(stride)?;
        if let (true, false, Some(room), Some(extent)) =
            (ceil, is_open, room.known(), extent.known())
        {
            // Rounded up, except for a window that would start in the padding at the end.
            let mut rounded = index::ceil_div(room, stride);
            rounded -= i64::from(rounded * stride >= extent + window.before[axis]);
            grown[axis] = (rounded * stride - room).max(0);
            steps = Dim::Known(rounded);
        }
        places.push(steps.plus(1)?);
    }
    if places
        .iter()
        .any(|places| places.known().is_some_and(|places| places < 0))
    {
        window.check_fit(input)?;
    }
    Ok(Windows {
        window,
        grown,
        ceil: ceil && is_open,
        places,
    })
}

fn pool(
    b: &mut GraphBuilder,
    op: &str,
    x: Value,
    (window, ceil): (Window, bool),
    more: &[(&'static str, Param)],
) -> Result<Value> {
    let layout = LAYOUTS[x.rank() - 3];
    let mut attrs = vec![
        ("padding", Param::Ints(window.padding())),
        ("pool_size", Param::Ints(window.kernel)),
        ("strides", Param::Ints(window.strides)),
        ("dilation", Param::Ints(window.dilations)),
        ("layout", Param::Str(layout)),
        ("ceil_mode", Param::Bool(ceil)),
    ];
    attrs.extend_from_slice(more);
    b.op(op, &[x], &attrs)
}

fn grow(window: &mut Window, by: &[i64]) {
    for (after, by) in window.after.iter_mut().zip(by) {
        *after += by;
    }
}

fn max_pool(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(1)?;
    let x = n.input(0)?;
    let by_columns = n.attr_bool_or("storage_order", false)?;
    let windows = windows(n, &x)?;
    if let Some(nothing) = windows.nothing(b, &x, x.element())? {
        let places = windows.nothing(b, &x, Element::I64)?;
        return Ok([nothing].into_iter().chain(places).collect());
    }
    let ceil = windows.ceil;
    let window = windows.grown();
    if n.has_output(1) {
        if ceil || !window.around.is_empty() {
            return Err(format!(
                "the indices (output 1) of windows whose padding depends on open dimensions are not supported: {ADVICE}"
            ));
        }
        return max_and_places(b, &x, &window, by_columns);
    }
    let x = window.surrounded(b, &x, x.element().least())?;
    let op = MAX[x.rank() - 3];
    Ok(vec![pool(b, op, x, (window, ceil), &[])?])
}

fn average_pool(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(1)?;
    let x = n.input(0)?;
    Ok(vec![averages(n, b, x, Beyond::IsLeftOut)?])
}

/// What `count_include_pad` says of the padding that rounding up adds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Beyond {
    /// It does not count in an average.
    IsLeftOut,
    /// It counts as the model's own padding does.
    Counts,
}

/// The averages of the windows of a tensor that a node's attributes describe.
pub(super) fn averages(
    n: &Node<'_>,
    b: &mut GraphBuilder,
    mut x: Value,
    beyond: Beyond,
) -> Result<Value> {
    let windows = windows(n, &x)?;
    let mut include = n.attr_bool_or("count_include_pad", false)?;
    if let Some(nothing) = windows.nothing(b, &x, x.element())? {
        return Ok(nothing);
    }
    let has_grown = windows.grown.iter().any(|&by| by > 0);
    let Windows {
        mut window,
        grown,
        ceil,
        ..
    } = windows;
    if include && ceil {
        return Err(format!(
            "attributes 'ceil_mode' and 'count_include_pad' are both 1, which is not supported of open dimensions; {ADVICE}"
        ));
    }
    if include && has_grown && beyond == Beyond::IsLeftOut {
        // The model's own padding counts in the average, and the padding that rounding up adds does not. So the
        // model's padding is an op before the pool.
        let rank = window.kernel.len();
        let zero = b.scalar(x.element(), 0.0);
        x = b.pad(&x, &zero, &window.widths(), "constant")?;
        window.before = vec![0; rank];
        window.after = vec![0; rank];
        include = false;
    }
    grow(&mut window, &grown);
    let op = AVERAGE[x.rank() - 3];
    let count = ("count_include_pad", Param::Bool(include));
    if window.around.is_empty() {
        return pool(b, op, x, (window, ceil), &[count]);
    }
    let padded = window.surrounded(b, &x, 0.0)?;
    let dims = [&[Dim::Known(1); 2], &x.dims()[2..]].concat();
    let ones = b.full(x.element(), &dims, 1.0)?;
    let ones = window.surrounded(b, &ones, 0.0)?;
    let shares = pool(
        b,
        op,
        ones,
        (window.clone(), ceil),
        std::slice::from_ref(&count),
    )?;
    let means = pool(b, op, padded, (window, ceil), &[count])?;
    match include {
        true => Ok(means),
        // Of each window, the part that is no padding counts.
        false => b.binary("divide", &means, &shares),
    }
}

/// The norm of the elements of each window: the root of the sum of their powers, which is their average times their number.
fn lp_pool(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(1)?;
    let x = n.input(0)?;
    let norm = Norm::read(n)?;
    let windows = windows(n, &x)?;
    if let Some(nothing) = windows.nothing(b, &x, x.element())? {
        return Ok(vec![nothing]);
    }
    if windows.ceil {
        return Err(format!(
            "attribute 'ceil_mode' is 1, which is not supported of open dimensions; {ADVICE}"
        ));
    }
    let window = windows.grown();
    let elements = element_count(&window.kernel)?;
    let powers = norm.powers(b, &x)?;
    let powers = window.surrounded(b, &powers, 0.0)?;
    let op = AVERAGE[x.rank() - 3];
    // Padding adds nothing to a sum.
    let include = ("count_include_pad", Param::Bool(true));
    let means = pool(b, op, powers, (window, false), &[include])?;
    let sums = b.with_scalar("multiply", &means, elements as f64)?;
    Ok(vec![norm.root(b, &sums)?])
}

fn global_lp_pool(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(1)?;
    let x = n.input(0)?;
    let norm = Norm::read(n)?;
    let axes: Vec<usize> = (2..x.rank()).collect();
    let powers = norm.powers(b, &x)?;
    let sums = along(b, "sum", &powers, (&axes, true))?;
    Ok(vec![norm.root(b, &sums)?])
}

/// A norm by its number: 1 is the sum of sizes, 2 the root of the sum of squares.
struct Norm(f64);

impl Norm {
    fn read(n: &Node<'_>) -> Result<Self> {
        // A float in operator set 1.
        let p = match n.opset {
            1 => n.attr_f32_or("p", 2.0)?,
            _ => n.attr_i64_or("p", 2)? as f64,
        };
        match p {
            p if p > 0.0 => Ok(Self(p)),
            p => Err(format!("attribute 'p' is {p}, expected a positive number")),
        }
    }

    fn powers(&self, b: &mut GraphBuilder, x: &Value) -> Result<Value> {
        if self.0 == 2.0 {
            return b.binary("multiply", x, x);
        }
        let sizes = b.unary("abs", x)?;
        match self.0 {
            1.0 => Ok(sizes),
            p => b.with_scalar("power", &sizes, p),
        }
    }

    fn root(&self, b: &mut GraphBuilder, sums: &Value) -> Result<Value> {
        match self.0 {
            1.0 => Ok(sums.clone()),
            2.0 => b.unary("sqrt", sums),
            p => b.with_scalar("power", sums, 1.0 / p),
        }
    }
}

fn global(n: &Node<'_>, b: &mut GraphBuilder, reduce: &str, pool: &str) -> Result<Vec<Value>> {
    n.check_inputs(1)?;
    let x = n.input(0)?;
    if x.rank() < 3 {
        return Err(format!(
            "the input has rank {}, expected at least 3",
            x.rank()
        ));
    }
    if x.rank() == 4 {
        let attrs = [("layout", Param::Str("NCHW"))];
        return Ok(vec![b.op(pool, &[x], &attrs)?]);
    }
    let axes: Vec<usize> = (2..x.rank()).collect();
    Ok(vec![along(b, reduce, &x, (&axes, true))?])
}
