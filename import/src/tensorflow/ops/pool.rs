//! Pools.

use super::{
    conv::Layout,
    row::{Row, row},
};
use crate::{
    compose::window::Window,
    graph::{attr::Param, builder::GraphBuilder, error::Result, value::Value},
    tensorflow::node::Node,
};

/// The family's rows.
pub const ROWS: &[Row] = &[
    row(&["MaxPool"], |n, b| max(n, b, &OF_IMAGES)),
    row(&["MaxPoolV2"], max_of_inputs),
    row(&["MaxPool3D"], |n, b| max(n, b, &OF_VOLUMES)),
    row(&["AvgPool"], |n, b| mean(n, b, &OF_IMAGES)),
    row(&["AvgPool3D"], |n, b| mean(n, b, &OF_VOLUMES)),
];

/// What sets pools apart.
struct Form {
    max: &'static str,
    mean: &'static str,
    data: [&'static str; 2],
}

const OF_IMAGES: Form = Form {
    max: "nn.max_pool2d",
    mean: "nn.avg_pool2d",
    data: ["NHWC", "NCHW"],
};
const OF_VOLUMES: Form = Form {
    max: "nn.max_pool3d",
    mean: "nn.avg_pool3d",
    data: ["NDHWC", "NCDHW"],
};

/// The attributes of a pool.
type Attrs = Vec<(&'static str, Param)>;

/// The data with padding that is no attribute of a pool, and the attributes.
fn padded(
    b: &mut GraphBuilder,
    x: &Value,
    (window, layout): (&Window, Layout),
    fill: f64,
) -> Result<(Value, Attrs)> {
    let (x, padding) = window.padded(b, x, fill)?;
    let attrs = vec![
        ("pool_size", Param::Ints(window.kernel.clone())),
        ("strides", Param::Ints(window.strides.clone())),
        ("dilation", Param::Ints(window.dilation.clone())),
        ("padding", Param::Ints(padding)),
        ("layout", Param::Str(layout.name)),
    ];
    Ok((x, attrs))
}

fn window(n: &Node<'_, '_>, x: &Value, form: &Form) -> Result<(Window, Layout)> {
    let layout = Layout::of(n, form.data)?;
    let kernel = layout.numbers(n, "ksize")?;
    let strides = layout.numbers(n, "strides")?;
    let ones = vec![1; kernel.len()];
    let padding = layout.padding(n)?;
    let window = Window::of(x, layout.first, [kernel, strides, ones], &padding)?;
    Ok((window, layout))
}

fn max(n: &Node<'_, '_>, b: &mut GraphBuilder, form: &Form) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let (window, layout) = window(n, &x, form)?;
    let (x, attrs) = padded(b, &x, (&window, layout), x.element().least())?;
    Ok(vec![b.op(form.max, &[x], &attrs)?])
}

/// The window and its steps are inputs.
fn max_of_inputs(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let layout = Layout::of(n, OF_IMAGES.data)?;
    let kernel = layout.spatial_numbers(&n.known(1)?)?;
    let strides = layout.spatial_numbers(&n.known(2)?)?;
    let padding = layout.padding(n)?;
    let window = Window::of(&x, layout.first, [kernel, strides, vec![1; 2]], &padding)?;
    let (x, attrs) = padded(b, &x, (&window, layout), x.element().least())?;
    Ok(vec![b.op(OF_IMAGES.max, &[x], &attrs)?])
}

/// The means of windows; the padding does not count.
fn mean(n: &Node<'_, '_>, b: &mut GraphBuilder, form: &Form) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let (window, layout) = window(n, &x, form)?;
    let (data, mut attrs) = padded(b, &x, (&window, layout), 0.0)?;
    attrs.push(("count_include_pad", Param::Bool(false)));
    let made = b.op(form.mean, &[data], &attrs)?;
    if !window.is_open() {
        return Ok(vec![made]);
    }
    // The shares of elements that are no padding.
    let mut dims = x.dims().to_vec();
    dims[0] = 1.into();
    dims[layout.channels] = 1.into();
    let ones = b.full(x.element(), &dims, 1.0)?;
    let (ones, _) = padded(b, &ones, (&window, layout), 0.0)?;
    let shares = b.op(form.mean, &[ones], &attrs)?;
    Ok(vec![b.binary("divide", &made, &shares)?])
}
