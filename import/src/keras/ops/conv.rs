//! Convolutions. Kernels lie as Keras has them: the window first, then inputs, then outputs.

use super::{
    activation::named,
    row::{Row, row},
};
use crate::{
    compose::window::{self, Window},
    graph::{attr::Param, builder::GraphBuilder, error::Result, value::Value},
    keras::{format::Format, node::Node},
};
use relay_dialects::{dim::Dim, relay::ops::window::LARGEST};

/// The rows of layers.
pub const LAYERS: &[Row] = &[
    row(&["Conv1D", "Convolution1D"], |n, b| conv(n, b, 1)),
    row(&["Conv1DTranspose", "Convolution1DTranspose"], |n, b| {
        transposed(n, b, 1)
    }),
    row(&["Conv2D", "Convolution2D"], |n, b| conv(n, b, 2)),
    row(
        &[
            "Conv2DTranspose",
            "Convolution2DTranspose",
            "Deconvolution2D",
        ],
        |n, b| transposed(n, b, 2),
    ),
    row(&["Conv3D", "Convolution3D"], |n, b| conv(n, b, 3)),
    row(&["Conv3DTranspose", "Convolution3DTranspose"], |n, b| {
        transposed(n, b, 3)
    }),
    row(&["DepthwiseConv1D"], |n, b| depthwise(n, b, 1)),
    row(&["DepthwiseConv2D"], |n, b| depthwise(n, b, 2)),
    row(&["SeparableConv1D", "SeparableConvolution1D"], |n, b| {
        separable(n, b, 1)
    }),
    row(&["SeparableConv2D", "SeparableConvolution2D"], |n, b| {
        separable(n, b, 2)
    }),
];

/// Operators and layouts of kernels, by the number of spatial axes.
const OPERATORS: [&str; 3] = ["nn.conv1d", "nn.conv2d", "nn.conv3d"];
const KERNELS: [&str; 3] = ["WIO", "HWIO", "DHWIO"];
const TRANSPOSED: [&str; 3] = [
    "nn.conv1d_transpose",
    "nn.conv2d_transpose",
    "nn.conv3d_transpose",
];
const TRANSPOSED_KERNELS: [&str; 3] = ["WOI", "HWOI", "DHWOI"];

/// A padding by its name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Padding {
    Valid,
    Same,
    Causal,
}

/// The window of a layer: where channels lie, the steps, and the padding.
#[derive(Clone)]
pub struct Spatial {
    /// Where channels lie.
    pub format: Format,
    strides: Vec<i64>,
    dilation: Vec<i64>,
    padding: Padding,
}

impl Spatial {
    /// What a layer says of its window on data `x`.
    ///
    /// # Errors
    /// If an attribute is none of those that there are.
    pub fn of(n: &Node<'_>, x: &Value, spatial: usize) -> Result<Self> {
        n.config.ignore(&["filters", "rank"]);
        let padding = match n.config.text_or("padding", "valid")? {
            "valid" => Padding::Valid,
            "same" => Padding::Same,
            "causal" if spatial == 1 => Padding::Causal,
            other => return Err(format!("attribute 'padding' is '{other}'")),
        };
        Ok(Self {
            format: Format::of(&n.config, x, spatial)?,
            strides: n.config.ints_of("strides", spatial, 1)?,
            dilation: n.config.ints_of("dilation_rate", spatial, 1)?,
            padding,
        })
    }

    /// The same layout with windows that move by one element, and as many results as data.
    pub fn of_states(&self) -> Self {
        Self {
            strides: vec![1; self.strides.len()],
            dilation: vec![1; self.dilation.len()],
            padding: Padding::Same,
            ..self.clone()
        }
    }

    /// The convolution of data and a kernel `[window..., inputs of a group, outputs]`.
    ///
    /// # Errors
    /// If the kernel does not fit the data.
    pub fn conv(&self, b: &mut GraphBuilder, x: &Value, kernel: &Value) -> Result<Value> {
        let spatial = self.format.spatial;
        if kernel.rank() != spatial + 2 {
            return Err(format!("its kernel has shape {:?}", kernel.dims()));
        }
        let channels = x.extent(self.format.channels())?;
        let (inputs, outputs) = (kernel.extent(spatial)?, kernel.extent(spatial + 1)?);
        let groups = channels.checked_div(inputs).unwrap_or(0);
        if groups < 1 || groups * inputs != channels || outputs % groups != 0 {
            return Err(format!(
                "a kernel of shape {:?} does not fit data of {channels} channels",
                kernel.dims()
            ));
        }
        let extents = kernel.shape()?[..spatial].to_vec();
        let window = [extents, self.strides.clone(), self.dilation.clone()];
        let padding = match self.padding {
            Padding::Valid => window::Padding::Valid,
            Padding::Same => window::Padding::Same,
            Padding::Causal => {
                let before = window[0][0].saturating_sub(1);
                let before = before.saturating_mul(self.dilation[0]);
                window::Padding::Explicit(vec![[before, 0]])
            }
        };
        let window = Window::of(x, self.format.first(), window, &padding)?;
        let (x, padding) = window.padded(b, x, 0.0)?;
        let attrs = [
            ("padding", Param::Ints(padding)),
            ("strides", Param::Ints(window.strides)),
            ("dilation", Param::Ints(window.dilation)),
            ("groups", Param::Int(groups)),
            ("data_layout", Param::Str(self.format.layout())),
            ("kernel_layout", Param::Str(KERNELS[spatial - 1])),
        ];
        b.op(OPERATORS[spatial - 1], &[x, kernel.clone()], &attrs)
    }

    /// Adds the bias, if there is one, and applies the activation.
    fn finish(&self, n: &Node<'_>, b: &mut GraphBuilder, made: Value) -> Result<Value> {
        let made = match n.config.flag("use_bias", true)? {
            true => {
                let attrs = [("axis", Param::Int(self.format.channels() as i64))];
                let bias = n.weight(b, "bias")?;
                b.op("nn.bias_add", &[made, bias], &attrs)?
            }
            false => made,
        };
        named(b, &n.config, "activation", &made)
    }
}

fn conv(n: &Node<'_>, b: &mut GraphBuilder, spatial: usize) -> Result<Value> {
    n.config.ignore(&["groups", "kernel_size"]);
    let x = n.x()?;
    let layer = Spatial::of(n, &x, spatial)?;
    let kernel = n.weight(b, "kernel")?;
    let made = layer.conv(b, &x, &kernel)?;
    layer.finish(n, b, made)
}

/// A kernel `[window..., channels, multiplier]` as one of groups of one input.
fn of_groups(b: &mut GraphBuilder, kernel: &Value, spatial: usize) -> Result<Value> {
    if kernel.rank() != spatial + 2 {
        return Err(format!("its kernel has shape {:?}", kernel.dims()));
    }
    let (window, rest) = kernel.dims().split_at(spatial);
    let outputs = rest[0].times(rest[1])?;
    b.reshape(kernel, &[window, &[Dim::Known(1), outputs]].concat())
}

fn depthwise(n: &Node<'_>, b: &mut GraphBuilder, spatial: usize) -> Result<Value> {
    n.config
        .ignore(&["depth_multiplier", "groups", "kernel_size"]);
    let x = n.x()?;
    let layer = Spatial::of(n, &x, spatial)?;
    // Keras 2 and 3 name it differently.
    let name = match n.scope.has_next("depthwise_kernel") {
        true => "depthwise_kernel",
        false => "kernel",
    };
    let kernel = n.weight(b, name)?;
    let kernel = of_groups(b, &kernel, spatial)?;
    let made = layer.conv(b, &x, &kernel)?;
    layer.finish(n, b, made)
}

/// A convolution of each channel, and one with a window of one element behind it.
fn separable(n: &Node<'_>, b: &mut GraphBuilder, spatial: usize) -> Result<Value> {
    n.config
        .ignore(&["depth_multiplier", "groups", "kernel_size"]);
    let x = n.x()?;
    let layer = Spatial::of(n, &x, spatial)?;
    let depthwise = n.weight(b, "depthwise_kernel")?;
    let depthwise = of_groups(b, &depthwise, spatial)?;
    let pointwise = n.weight(b, "pointwise_kernel")?;
    let made = layer.conv(b, &x, &depthwise)?;
    let plain = Spatial {
        strides: vec![1; spatial],
        dilation: vec![1; spatial],
        padding: Padding::Valid,
        ..layer
    };
    let made = plain.conv(b, &made, &pointwise)?;
    plain.finish(n, b, made)
}

/// The gradient of a convolution, with a kernel `[window..., outputs, inputs]`.
fn transposed(n: &Node<'_>, b: &mut GraphBuilder, spatial: usize) -> Result<Value> {
    n.config.ignore(&["groups", "kernel_size"]);
    let x = n.x()?;
    let layer = Spatial::of(n, &x, spatial)?;
    let added = n.config.ints("output_padding")?;
    let kernel = n.weight(b, "kernel")?;
    if layer.dilation.iter().any(|step| *step != 1) {
        return Err("a dilated transposed convolution is not supported".into());
    }
    if kernel.rank() != spatial + 2 {
        return Err(format!("its kernel has shape {:?}", kernel.dims()));
    }
    let extents = kernel.shape()?[..spatial].to_vec();
    let mut numbers = extents.iter().chain(&layer.strides);
    if let Some(number) = numbers.find(|number| !(1..=LARGEST).contains(*number)) {
        return Err(format!(
            "its window has a number {number}, which is out of range"
        ));
    }
    let (mut padding, mut output_padding) = (vec![0; 2 * spatial], vec![0; spatial]);
    for axis in 0..spatial {
        let (extent, stride) = (extents[axis], layer.strides[axis]);
        let given = added.as_ref();
        let given = given.map(|all| *all.get(axis).or(all.first()).unwrap_or(&0));
        // How much is cut off of (input - 1) * stride + extent, in all.
        let cut = match (layer.padding, given) {
            (Padding::Same, None) => extent - stride,
            (Padding::Same, Some(given)) => 2 * (extent / 2) - given,
            // No window has a gap behind it.
            (_, None) => (extent - stride).min(0),
            (_, Some(given)) => -given,
        };
        let before = match layer.padding {
            Padding::Same => cut.max(0) / 2,
            _ => 0,
        };
        padding[axis] = before;
        padding[spatial + axis] = (cut - before).max(0);
        output_padding[axis] = (before - cut).max(0);
    }
    let attrs = [
        ("padding", Param::Ints(padding)),
        ("strides", Param::Ints(layer.strides.clone())),
        ("output_padding", Param::Ints(output_padding)),
        ("data_layout", Param::Str(layer.format.layout())),
        ("kernel_layout", Param::Str(TRANSPOSED_KERNELS[spatial - 1])),
    ];
    let made = b.op(TRANSPOSED[spatial - 1], &[x, kernel], &attrs)?;
    layer.finish(n, b, made)
}
