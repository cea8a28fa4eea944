//! Convolutions, products, pools and activations.

use super::row::{Row, row};
use crate::{
    compose::{
        activation::{
            SELU, clipped, exponential_below_zero, gelu_of, leak, log_of_1_and_exp, log_sigmoid_of,
            mish_of, softsign_of,
        },
        linear::dense,
        resample::repeated,
    },
    graph::{
        attr::Param, builder::GraphBuilder, constant::element_count, error::Result, value::Value,
    },
    mxnet::node::Node,
};
use relay_dialects::dim::Dim;

/// The family's rows.
pub const ROWS: &[Row] = &[
    row(&["Activation"], activation),
    row(&["Convolution", "Convolution_v1"], convolution),
    row(&["Deconvolution"], deconvolution),
    row(&["FullyConnected"], fully_connected),
    row(&["LeakyReLU"], leaky_relu),
    row(&["Pooling", "Pooling_v1"], pooling),
    row(&["UpSampling"], up_sampling),
    row(&["_contrib_AdaptiveAvgPooling2D"], adaptive_average),
    row(&["_contrib_BilinearResize2D"], bilinear_resize),
    row(&["hard_sigmoid"], hard_sigmoid),
    row(&["softsign"], softsign),
];

/// Operators by the number of spatial dimensions, from 1 on.
type ByRank = [&'static str; 3];

const CONVOLUTIONS: ByRank = ["nn.conv1d", "nn.conv2d", "nn.conv3d"];
const TRANSPOSED: ByRank = [
    "nn.conv1d_transpose",
    "nn.conv2d_transpose",
    "nn.conv3d_transpose",
];
const GREATEST: ByRank = ["nn.max_pool1d", "nn.max_pool2d", "nn.max_pool3d"];
const AVERAGES: ByRank = ["nn.avg_pool1d", "nn.avg_pool2d", "nn.avg_pool3d"];

/// Layouts of data with those of a convolution's weight and of a transposed one's, by the number of spatial dimensions.
const LAYOUTS: [[(&str, &str, &str); 2]; 3] = [
    [("NCW", "OIW", "IOW"), ("NWC", "OWI", "IWO")],
    [("NCHW", "OIHW", "IOHW"), ("NHWC", "OHWI", "IHWO")],
    [("NCDHW", "OIDHW", "IODHW"), ("NDHWC", "ODHWI", "IDHWO")],
];

/// The layouts that a node is in, for a number of spatial dimensions.
fn layouts(n: &Node<'_>, spatial: usize) -> Result<(&'static str, &'static str, &'static str)> {
    let known = spatial.checked_sub(1).and_then(|place| LAYOUTS.get(place));
    let known =
        known.ok_or_else(|| format!("windows of {spatial} dimensions are not supported"))?;
    let asked = n.attrs.text_or("layout", known[0].0);
    let found = known.iter().find(|(data, ..)| *data == asked);
    found
        .copied()
        .ok_or_else(|| format!("the layout {asked} is not supported"))
}

/// A list with a number for each spatial dimension.
fn of_window(n: &Node<'_>, name: &str, spatial: usize, default: i64) -> Result<Vec<i64>> {
    let given = n.attrs.ints(name)?.filter(|given| !given.is_empty());
    let given = given.unwrap_or_else(|| vec![default; spatial]);
    match given.len() == spatial {
        true => Ok(given),
        false => Err(format!(
            "attribute '{name}' has {} numbers, expected {spatial}",
            given.len()
        )),
    }
}

/// The same padding before and behind.
fn padding(n: &Node<'_>, spatial: usize) -> Result<Vec<i64>> {
    let pad = of_window(n, "pad", spatial, 0)?;
    Ok([&pad[..], &pad[..]].concat())
}

/// Adds the bias of channels, unless there is none.
fn with_bias(
    n: &Node<'_>,
    b: &mut GraphBuilder,
    x: Value,
    axis: usize,
    none: bool,
) -> Result<Value> {
    match n.attrs.flag("no_bias", none)? {
        true => Ok(x),
        false => {
            let attrs = [("axis", Param::Int(axis as i64))];
            b.op("nn.bias_add", &[x, n.input(2)?], &attrs)
        }
    }
}

/// The axis of channels.
fn channels(layout: &str) -> usize {
    layout.find('C').unwrap_or(1)
}

fn convolution(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let (x, w) = n.both()?;
    let spatial = n.attrs.required_ints("kernel")?.len();
    let (data, kernel, _) = layouts(n, spatial)?;
    n.attrs.required("num_filter")?;
    let attrs = [
        ("strides", Param::Ints(of_window(n, "stride", spatial, 1)?)),
        ("padding", Param::Ints(padding(n, spatial)?)),
        ("dilation", Param::Ints(of_window(n, "dilate", spatial, 1)?)),
        ("groups", Param::Int(n.attrs.int("num_group")?.unwrap_or(1))),
        ("data_layout", Param::Str(data)),
        ("kernel_layout", Param::Str(kernel)),
    ];
    let made = b.op(CONVOLUTIONS[spatial - 1], &[x, w], &attrs)?;
    Ok(vec![with_bias(n, b, made, channels(data), false)?])
}

fn deconvolution(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let (x, w) = n.both()?;
    let spatial = n.attrs.required_ints("kernel")?.len();
    let (data, _, kernel) = layouts(n, spatial)?;
    n.attrs.required("num_filter")?;
    if n.attrs
        .ints("target_shape")?
        .is_some_and(|shape| shape.iter().any(|size| *size != 0))
    {
        return Err("attribute 'target_shape' is not supported; give 'pad' and 'adj'".into());
    }
    let attrs = [
        ("strides", Param::Ints(of_window(n, "stride", spatial, 1)?)),
        ("padding", Param::Ints(padding(n, spatial)?)),
        ("dilation", Param::Ints(of_window(n, "dilate", spatial, 1)?)),
        (
            "output_padding",
            Param::Ints(of_window(n, "adj", spatial, 0)?),
        ),
        ("groups", Param::Int(n.attrs.int("num_group")?.unwrap_or(1))),
        ("data_layout", Param::Str(data)),
        ("kernel_layout", Param::Str(kernel)),
    ];
    let made = b.op(TRANSPOSED[spatial - 1], &[x, w], &attrs)?;
    Ok(vec![with_bias(n, b, made, channels(data), true)?])
}

/// `x wᵀ + bias`, of rows that are samples, or along the last axis.
fn fully_connected(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let (x, w) = n.both()?;
    n.attrs.required("num_hidden")?;
    let axis = match n.attrs.flag("flatten", true)? {
        true => 1,
        false => x.rank().saturating_sub(1),
    };
    let kept = x.dims()[..axis.min(x.rank())].to_vec();
    let rows = b.matrix(&x, axis.min(x.rank()))?;
    let made = dense(b, &rows, &w)?;
    let made = with_bias(n, b, made, 1, false)?;
    let dims = [&kept[..], &made.dims()[1..]].concat();
    Ok(vec![b.reshape(&made, &dims)?])
}

fn pooling(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let spatial = x.rank().saturating_sub(2);
    let (layout, ..) = layouts(n, spatial)?;
    let kind = n.attrs.text_or("pool_type", "max");
    let counts_padding = n.attrs.flag("count_include_pad", true)?;
    let convention = n.attrs.text_or("pooling_convention", "valid");
    let root = n.attrs.int("p_value")?;
    let (kernel, strides) = (n.attrs.ints("kernel")?, of_window(n, "stride", spatial, 1)?);
    let padding = padding(n, spatial)?;
    if n.attrs.flag("global_pool", false)? {
        return Ok(vec![of_all(b, kind, &x, layout)?]);
    }
    let kernel = kernel.ok_or("attribute 'kernel' is missing")?;
    let is_up = match convention {
        "valid" => false,
        "full" => true,
        other => return Err(format!("the pooling convention {other} is not supported")),
    };
    let elements = element_count(&kernel)?;
    let mut attrs = vec![
        ("pool_size", Param::Ints(kernel)),
        ("strides", Param::Ints(strides)),
        ("padding", Param::Ints(padding)),
        ("layout", Param::Str(layout)),
        ("ceil_mode", Param::Bool(is_up)),
    ];
    if kind == "max" {
        return Ok(vec![b.op(GREATEST[spatial - 1], &[x], &attrs)?]);
    }
    attrs.push((
        "count_include_pad",
        Param::Bool(counts_padding || kind != "avg"),
    ));
    let op = AVERAGES[spatial - 1];
    match (kind, root) {
        ("avg", _) => Ok(vec![b.op(op, &[x], &attrs)?]),
        ("sum", _) if !is_up => {
            let mean = b.op(op, &[x], &attrs)?;
            Ok(vec![b.with_scalar("multiply", &mean, elements as f64)?])
        }
        ("lp", Some(2)) if !is_up => {
            let squares = b.binary("multiply", &x, &x)?;
            let mean = b.op(op, &[squares], &attrs)?;
            let sum = b.with_scalar("multiply", &mean, elements as f64)?;
            Ok(vec![b.unary("sqrt", &sum)?])
        }
        _ => Err(format!("pools of type {kind} are not supported so")),
    }
}

/// The pool of all places.
fn of_all(b: &mut GraphBuilder, kind: &str, x: &Value, layout: &str) -> Result<Value> {
    let reduce = match kind {
        "max" => "max",
        "avg" => "mean",
        "sum" => "sum",
        other => return Err(format!("global pools of type {other} are not supported")),
    };
    let axes = (layout.char_indices())
        .filter(|(_, letter)| !"NC".contains(*letter))
        .map(|(axis, _)| axis as i64);
    let attrs = [
        ("axis", Param::Ints(axes.collect())),
        ("keepdims", Param::Bool(true)),
    ];
    b.op(reduce, std::slice::from_ref(x), &attrs)
}

fn activation(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    Ok(vec![match n.attrs.text_or("act_type", "relu") {
        "relu" => b.unary("nn.relu", &x)?,
        "sigmoid" => b.unary("sigmoid", &x)?,
        "tanh" => b.unary("tanh", &x)?,
        "softrelu" => log_of_1_and_exp(b, &x)?,
        "softsign" => softsign_of(b, &x)?,
        "log_sigmoid" => log_sigmoid_of(b, &x)?,
        "mish" => mish_of(b, &x)?,
        other => return Err(format!("the activation {other} is not supported")),
    }])
}

fn leaky_relu(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let slope = n.attrs.float("slope", 0.25)?;
    let bounds = n.attrs.float("lower_bound", 0.125)? + n.attrs.float("upper_bound", 0.334)?;
    Ok(vec![match n.attrs.text_or("act_type", "leaky") {
        "leaky" => leak(b, &x, slope)?,
        // Random in training, and the middle then.
        "rrelu" => leak(b, &x, bounds / 2.0)?,
        "elu" => exponential_below_zero(b, &x, &x, slope)?,
        "selu" => {
            let (scale, alpha) = SELU;
            let elu = exponential_below_zero(b, &x, &x, alpha)?;
            b.with_scalar("multiply", &elu, scale)?
        }
        "gelu" => gelu_of(b, &x)?,
        "prelu" => prelu(b, &x, &n.input(1)?)?,
        other => return Err(format!("the activation {other} is not supported")),
    }])
}

/// One slope for all, or one for each channel.
fn prelu(b: &mut GraphBuilder, x: &Value, slope: &Value) -> Result<Value> {
    let channels = x.dims().get(1).copied().unwrap_or(Dim::Known(1));
    let slopes = b.broadcast(slope, &[channels])?;
    b.op("nn.prelu", &[x.clone(), slopes], &[("axis", Param::Int(1))])
}

fn softsign(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    Ok(vec![softsign_of(b, &n.input(0)?)?])
}

fn hard_sigmoid(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let (alpha, beta) = (n.attrs.float("alpha", 0.2)?, n.attrs.float("beta", 0.5)?);
    let scaled = b.with_scalar("multiply", &n.input(0)?, alpha)?;
    let moved = b.with_scalar("add", &scaled, beta)?;
    Ok(vec![clipped(b, &moved, 0.0, 1.0)?])
}

fn up_sampling(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let scale = n.attrs.required("scale")?;
    n.attrs.int("num_filter")?;
    n.attrs.text("multi_input_mode");
    match (n.attrs.text_or("sample_type", "nearest"), &n.inputs[..]) {
        ("nearest", [x]) if x.rank() == 4 => Ok(vec![repeated(b, x, &[(2, scale), (3, scale)])?]),
        (kind, inputs) => Err(format!(
            "{kind} upsampling of {} inputs is not supported",
            inputs.len()
        )),
    }
}

fn adaptive_average(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let size = match n.attrs.ints("output_size")?.as_deref() {
        None | Some([]) => vec![1, 1],
        Some([both]) => vec![*both, *both],
        Some(each) => each.to_vec(),
    };
    let attrs = [
        ("output_size", Param::Ints(size)),
        ("layout", Param::Str("NCHW")),
    ];
    Ok(vec![b.op("nn.adaptive_avg_pool2d", &[x], &attrs)?])
}

fn bilinear_resize(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let mode = n.attrs.text_or("mode", "size");
    let (height, width) = (n.attrs.int("height")?, n.attrs.int("width")?);
    let scales = [
        n.attrs.float("scale_height", 0.0)?,
        n.attrs.float("scale_width", 0.0)?,
    ];
    let corners = n.attrs.flag("align_corners", true)?;
    if mode != "size" || x.rank() != 4 {
        return Err(format!(
            "bilinear resizing in the mode {mode} is not supported"
        ));
    }
    let mut size = Vec::new();
    for (axis, (given, scale)) in (2..).zip([height, width].into_iter().zip(scales)) {
        size.push(match scale > 0.0 {
            true => (x.extent(axis)? as f64 * scale) as i64,
            false => given.unwrap_or(1),
        });
    }
    let mode = if corners {
        "align_corners"
    } else {
        "half_pixel"
    };
    let attrs = [
        ("size", Param::Ints(size)),
        ("layout", Param::Str("NCHW")),
        ("method", Param::Str("linear")),
        ("coordinate_transformation_mode", Param::Str(mode)),
    ];
    Ok(vec![b.op("image.resize2d", &[x], &attrs)?])
}
