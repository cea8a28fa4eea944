//! Convolutions.

use super::{
    product::{Product, finish},
    row::{Row, row},
    window::{padding, positive, window_of},
};
use crate::{
    compose::window::Transposed,
    graph::{attr::Param, builder::GraphBuilder, error::Result, value::Value},
    tflite::node::Node,
};
use relay_dialects::{dim::Dim, relay::ops::window::LARGEST};

/// The family's rows.
pub const ROWS: &[Row] = &[
    row("CONV_2D", |n, b| conv(n, b, &CONV_2D)),
    row("CONV_3D", |n, b| conv(n, b, &CONV_3D)),
    row("DEPTHWISE_CONV_2D", |n, b| conv(n, b, &DEPTHWISE)),
    row("TRANSPOSE_CONV", transpose_conv),
    row("CONV_3D_TRANSPOSE", conv_3d_transpose),
    row("Convolution2DTransposeBias", biased_transpose_conv),
];

/// What sets convolutions apart.
struct Form {
    op: &'static str,
    data: &'static str,
    /// The layout of weights.
    kernel: &'static str,
    /// The first dimension of weights that is one of the window.
    first: usize,
    /// The number of the dimension of outputs of weights.
    outputs: usize,
    /// That of inputs.
    inputs: usize,
    spatial: usize,
    is_depthwise: bool,
}

const CONV_2D: Form = Form {
    op: "nn.conv2d",
    data: "NHWC",
    kernel: "OHWI",
    first: 1,
    outputs: 0,
    inputs: 3,
    spatial: 2,
    is_depthwise: false,
};
const CONV_3D: Form = Form {
    op: "nn.conv3d",
    data: "NDHWC",
    kernel: "DHWIO",
    first: 0,
    outputs: 4,
    inputs: 3,
    spatial: 3,
    is_depthwise: false,
};
/// All outputs are in the last dimension of a weight, one group after the other.
const DEPTHWISE: Form = Form {
    op: "nn.conv2d",
    data: "NHWC",
    kernel: "IHWO",
    first: 1,
    outputs: 3,
    inputs: 0,
    spatial: 2,
    is_depthwise: true,
};

fn conv(n: &Node<'_>, b: &mut GraphBuilder, form: &Form) -> Result<Vec<Value>> {
    let (x, weight) = (n.input(0)?, n.input(1)?);
    let rank = form.spatial + 2;
    if weight.rank() != rank || x.rank() != rank {
        return Err(format!(
            "data of shape {:?} and a weight of shape {:?}; both have to be of rank {rank}",
            x.dims(),
            weight.dims()
        ));
    }
    let extents = (form.first..form.first + form.spatial).map(|axis| weight.extent(axis));
    let window = window_of(n, &x, extents.collect::<Result<_>>()?, true)?;
    let (channels, inputs) = (x.extent(rank - 1)?, weight.extent(form.inputs)?);
    let outputs = weight.extent(form.outputs)?;
    if inputs < 1 || channels % inputs != 0 || outputs % (channels / inputs).max(1) != 0 {
        return Err(format!(
            "a weight of shape {:?} does not fit data of {channels} channels",
            weight.dims()
        ));
    }
    if form.is_depthwise {
        // The weight says it, too.
        n.ignore("depth_multiplier")?;
    }
    let product = Product::read(n, b, (0, 1), form.outputs)?;
    let (x, padding) = window.padded(b, &product.data, product.fill())?;
    let attrs = [
        ("padding", Param::Ints(padding)),
        ("strides", Param::Ints(window.strides.clone())),
        ("dilation", Param::Ints(window.dilation.clone())),
        ("groups", Param::Int(channels / inputs)),
        ("data_layout", Param::Str(form.data)),
        ("kernel_layout", Param::Str(form.kernel)),
    ];
    let sums = product.sums(b, form.op, &x, &attrs)?;
    finish(n, b, sums, &product, 2)
}

/// The extents of a result, which an input says.
fn wanted(n: &Node<'_>, b: &mut GraphBuilder, place: usize, rank: usize) -> Result<Vec<Dim>> {
    let sizes = n.sizes(b, place)?;
    match sizes.len() == rank {
        true => Ok(sizes),
        false => Err(format!(
            "input {place} has {} numbers, expected {rank}",
            sizes.len()
        )),
    }
}

fn transpose_conv(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let (weight, x) = (n.input(1)?, n.input(2)?);
    if weight.rank() != 4 || x.rank() != 4 {
        return Err("data and weight have to be of rank 4".into());
    }
    let kernel = [weight.extent(1)?, weight.extent(2)?];
    let wanted = wanted(n, b, 0, 4)?;
    let spatial = &x.dims()[1..3];
    let window = Transposed::of(
        &padding(n)?,
        (&kernel, positive(n, &["stride_h", "stride_w"])?),
        spatial,
        Some(&wanted[1..3]),
    )?;
    let product = Product::read(n, b, (2, 1), 0)?;
    let sums = transposed(b, &product, "nn.conv2d_transpose", window, ("NHWC", "OHWI"))?;
    finish(n, b, sums, &product, 3)
}

fn conv_3d_transpose(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let (weight, x) = (n.input(1)?, n.input(2)?);
    if weight.rank() != 5 || x.rank() != 5 {
        return Err("data and weight have to be of rank 5".into());
    }
    let kernel: Vec<i64> = (0..3)
        .map(|axis| weight.extent(axis))
        .collect::<Result<_>>()?;
    let wanted = wanted(n, b, 0, 5)?;
    let spatial = &x.dims()[1..4];
    let strides = positive(n, &["stride_d", "stride_h", "stride_w"])?;
    let window = Transposed::of(
        &padding(n)?,
        (&kernel, strides),
        spatial,
        Some(&wanted[1..4]),
    )?;
    let dilation = positive(
        n,
        &[
            "dilation_d_factor",
            "dilation_h_factor",
            "dilation_w_factor",
        ],
    )?;
    if dilation.iter().any(|step| *step != 1) {
        return Err("a dilated transposed convolution is not supported".into());
    }
    let product = Product::read(n, b, (2, 1), 3)?;
    let sums = transposed(
        b,
        &product,
        "nn.conv3d_transpose",
        window,
        ("NDHWC", "DHWOI"),
    )?;
    finish(n, b, sums, &product, 3)
}

fn transposed(
    b: &mut GraphBuilder,
    product: &Product,
    op: &'static str,
    window: Transposed,
    (data, kernel): (&'static str, &'static str),
) -> Result<Value> {
    let attrs = [
        ("padding", Param::Ints(window.padding)),
        ("strides", Param::Ints(window.strides)),
        ("output_padding", Param::Ints(window.output_padding)),
        ("data_layout", Param::Str(data)),
        ("kernel_layout", Param::Str(kernel)),
    ];
    product.sums(b, op, &product.data.clone(), &attrs)
}

/// MediaPipe's transposed convolution, whose options are a padding (1 for SAME, 2 for VALID) and the strides in a structure of C.
fn biased_transpose_conv(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let (x, weight, bias) = (n.input(0)?, n.input(1)?, n.input(2)?);
    if weight.rank() != 4 || x.rank() != 4 || bias.rank() != 1 {
        return Err("data and weight have to be of rank 4, and the bias of rank 1".into());
    }
    let word = |place: usize| {
        let bytes = n.custom.get(4 * place..4 * place + 4)?;
        Some(i64::from(i32::from_le_bytes(bytes.try_into().ok()?)))
    };
    let options = (word(0), word(1), word(2));
    let (Some(padding), Some(width), Some(height)) = options else {
        return Err("its options are not a padding and two strides".into());
    };
    let strides = [height, width];
    if strides.iter().any(|stride| !(1..=LARGEST).contains(stride)) || !(1..=2).contains(&padding) {
        return Err(format!(
            "padding {padding} and strides {strides:?} are not valid"
        ));
    }
    let mut before_and_after = vec![0; 4];
    for axis in 0..2 {
        let kernel = weight.extent(axis + 1)?;
        if padding == 1 {
            let total = (kernel - strides[axis]).max(0);
            (before_and_after[axis], before_and_after[2 + axis]) = (total / 2, total - total / 2);
        }
    }
    let window = Transposed {
        strides: strides.to_vec(),
        padding: before_and_after,
        output_padding: vec![0; 2],
    };
    let product = Product::read(n, b, (0, 1), 0)?;
    let sums = transposed(b, &product, "nn.conv2d_transpose", window, ("NHWC", "OHWI"))?;
    Ok(vec![b.binary("add", &sums, &bias)?])
}
