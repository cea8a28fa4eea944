//! `fold-explicit-padding`: padding before a window becomes padding of the window.

use crate::graph::{
    operators::{constant, remake, splat},
    rewrite,
};
use relay_dialects::{
    ir::{Attr, Builder, DYNAMIC, Op, Type, Value},
    names,
    pass::{Options, PassResult, PassSpec},
    relay::{
        Attrs, Layout,
        ops::window::{LARGEST, Window},
        row::LayoutRule,
        row_of,
    },
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "fold-explicit-padding",
    summary: "let convolutions and pools pad what nn.pad pads before them",
    description: include_str!("fold_explicit_padding.md"),
    anchor: "func.func",
    options: &[],
    run,
};

fn run(function: Op, _options: &Options) -> PassResult {
    rewrite::apply(function, &[convolution, max_pool, avg_pool])
}

/// An `nn.pad` of spatial dimensions with equal elements.
struct Padding {
    /// What is padded.
    data: Value,
    /// The elements around it.
    element: Value,
    /// The number of them before each spatial dimension, then after each.
    widths: Vec<i64>,
    /// The extents of the spatial dimensions with them.
    space: Vec<i64>,
}

impl Padding {
    /// The padding before an operator whose first operand is in `layout`; `None` if there is none, or if it pads
    /// another dimension.
    fn before(op: Op, layout: &str) -> Option<Self> {
        let pad = op.operand(0).def_of(names::relay::NN_PAD)?;
        let attrs = Attrs::of(pad);
        if attrs.str("pad_mode").ok()? != "constant" {
            return None;
        }
        let widths = attrs.ints("pad_width").ok()?;
        let spatial = Layout::parse(layout).ok()?.spatial();
        let rank = widths.len() / 2;
        let is_free = |dim: usize| spatial.contains(&dim) || widths[2 * dim..2 * dim + 2] == [0, 0];
        if !(0..rank).all(is_free) {
            return None;
        }
        let shape = op.operand(0).ty().shape();
        let before = spatial.iter().map(|dim| widths[2 * dim]);
        let after = spatial.iter().map(|dim| widths[2 * dim + 1]);
        Some(Self {
            data: pad.operand(0),
            element: pad.operand(1),
            widths: before.chain(after).collect(),
            space: spatial.iter().map(|&dim| shape[dim]).collect(),
        })
    }

    /// Together with the padding that an operator has already.
    fn with_own(&self, op: Op) -> Option<Attr> {
        let own = Attrs::of(op).ints("padding").ok()?;
        let both = own.iter().zip(&self.widths);
        let sums: Vec<i64> = both
            .map(|(own, width)| own.saturating_add(*width))
            .collect();
        let fits = own.len() == sums.len() && sums.iter().all(|sum| *sum <= LARGEST);
        fits.then(|| Attr::ints(op.ctx(), &sums))
    }
}

/// Convolutions pad with zeros.
fn convolution(op: Op) -> Option<Vec<Value>> {
    let is_packed = op.is(names::relay::NN_CONTRIB_CONV2D_NCHWC)
        || op.is(names::relay::NN_CONTRIB_DEPTHWISE_CONV2D_NCHWC);
    if !is_packed && !matches!(row_of(op)?.layout, LayoutRule::Convolution(_)) {
        return None;
    }
    let padding = Padding::before(op, &Attrs::of(op).str("data_layout").ok()?)?;
    if splat(padding.element)? != 0.0 {
        return None;
    }
    let changes = [("padding", padding.with_own(op)?)];
    let operands = [padding.data, op.operand(1)];
    Some(vec![remake(&Builder::before(op), op, &operands, &changes)])
}

/// What surrounds the data of a maximum is smaller than anything.
fn max_pool(op: Op) -> Option<Vec<Value>> {
    // Means have an attribute more.
    if op.has_attr("count_include_pad") {
        return None;
    }
    let padding = pool_padding(op)?;
    if !is_least(padding.element) {
        return None;
    }
    let changes = [("padding", padding.with_own(op)?)];
    let builder = Builder::before(op);
    Some(vec![remake(&builder, op, &[padding.data], &changes)])
}

/// What surrounds the data of a mean is zero, and counts or does not. What `nn.pad` puts there counts.
fn avg_pool(op: Op) -> Option<Vec<Value>> {
    let attrs = Attrs::of(op);
    let own_counts = attrs.bool("count_include_pad").ok()?;
    let padding = pool_padding(op)?;
    let has_own = attrs.ints("padding").ok()?.iter().any(|&width| width > 0);
    if splat(padding.element)? != 0.0 || (has_own && !own_counts) {
        return None;
    }
    let changes = [
        ("padding", padding.with_own(op)?),
        ("count_include_pad", Attr::bool(op.ctx(), true)),
    ];
    let builder = Builder::before(op);
    Some(vec![remake(&builder, op, &[padding.data], &changes)])
}

/// The padding before a pool of windows. With `ceil_mode`, a last window may reach beyond the data, but not begin beyond it, and
/// padding is not data: then windows have to fit.
fn pool_padding(op: Op) -> Option<Padding> {
    let attrs = Attrs::of(op);
    let size = attrs.ints("pool_size").ok()?;
    let padding = Padding::before(op, &attrs.str("layout").ok()?)?;
    let fits = || {
        let window = Window::of(&attrs, &size).ok()?;
        let exact = padding.space.iter().enumerate().all(|(dim, &extent)| {
            let room = extent + window.before[dim] + window.after[dim] - window.span(dim);
            extent != DYNAMIC && room % window.strides[dim] == 0
        });
        Some(exact)
    };
    let is_plain = !attrs.bool("ceil_mode").ok()?;
    (is_plain || fits()?).then_some(padding)
}

/// Whether a constant's elements are the least number of their type.
fn is_least(value: Value) -> bool {
    let element = value.ty().element();
    if element.is_float() {
        return splat(value)
            .is_some_and(|number| number == f64::NEG_INFINITY || number == lowest(element));
    }
    let number = constant(value).and_then(|attr| attr.splat_value()?.as_i64());
    number == Some(element.int_range().0)
}

/// The least finite number of a float type.
fn lowest(float: Type) -> f64 {
    let (digits, exponent) = if float.is_f16() {
        (10, 15)
    } else if float.is_bf16() {
        (7, 127)
    } else if float.is_f32() {
        (23, 127)
    } else {
        (52, 1023)
    };
    let power = |exponent| 2_f64.powi(exponent);
    (power(-digits) - power(1)) * power(exponent)
}
