//! Convolutions.

use super::row::{Row, row};
use crate::{
    compose::{
        pad::with_channels_first,
        window::{Padding, Transposed, Window},
    },
    graph::{attr::Param, builder::GraphBuilder, error::Result, value::Value},
    tensorflow::node::Node,
};
use relay_dialects::dim::Dim;

/// The family's rows.
pub const ROWS: &[Row] = &[
    row(&["Conv2D"], |n, b| conv(n, b, &OF_IMAGES)),
    row(&["Conv3D"], |n, b| conv(n, b, &OF_VOLUMES)),
    row(&["DepthwiseConv2dNative"], depthwise),
    row(&["Conv2DBackpropInput"], |n, b| {
        transposed(n, b, &OF_IMAGES)
    }),
    row(&["Conv3DBackpropInputV2"], |n, b| {
        transposed(n, b, &OF_VOLUMES)
    }),
    row(&["Dilation2D"], dilation),
];

/// What sets convolutions apart.
struct Form {
    op: &'static str,
    transposed: &'static str,
    /// The layouts of data with the channels behind the spatial axes, and before them.
    data: [&'static str; 2],
    kernel: &'static str,
    kernel_of_transposed: &'static str,
    spatial: usize,
}

const OF_IMAGES: Form = Form {
    op: "nn.conv2d",
    transposed: "nn.conv2d_transpose",
    data: ["NHWC", "NCHW"],
    kernel: "HWIO",
    kernel_of_transposed: "HWOI",
    spatial: 2,
};
const OF_VOLUMES: Form = Form {
    op: "nn.conv3d",
    transposed: "nn.conv3d_transpose",
    data: ["NDHWC", "NCDHW"],
    kernel: "DHWIO",
    kernel_of_transposed: "DHWOI",
    spatial: 3,
};

/// Where the channels and the spatial axes of data are.
#[derive(Clone, Copy)]
pub struct Layout {
    /// The layout's name.
    pub name: &'static str,
    /// The axis of the channels.
    pub channels: usize,
    /// The first spatial axis.
    pub first: usize,
    /// The number of spatial axes.
    pub spatial: usize,
}

impl Layout {
    /// As a node's attribute says it; the channels are last if it says nothing.
    pub fn of(n: &Node<'_, '_>, [last, before]: [&'static str; 2]) -> Result<Self> {
        let spatial = last.len() - 2;
        match n.attrs.text_or("data_format", last)? {
            name if name == last => Ok(Self {
                name: last,
                channels: spatial + 1,
                first: 1,
                spatial,
            }),
            name if name == before => Ok(Self {
                name: before,
                channels: 1,
                first: 2,
                spatial,
            }),
            other => Err(format!(
                "attribute 'data_format' is '{other}', expected {last} or {before}"
            )),
        }
    }

    /// The numbers of the spatial axes in an attribute that has one for each axis. The others have to be 1.
    pub fn numbers(&self, n: &Node<'_, '_>, name: &str) -> Result<Vec<i64>> {
        let all = n.attrs.ints(name)?;
        self.spatial_numbers(all)
            .map_err(|reason| format!("attribute '{name}' {reason}"))
    }

    /// The numbers of the spatial axes among those of all axes. None are all 1.
    pub fn spatial_numbers(&self, all: &[i64]) -> Result<Vec<i64>> {
        if all.is_empty() {
            return Ok(vec![1; self.spatial]);
        }
        let wrong = || format!("is {all:?}, which is not supported");
        let is_one = |axis: usize| all.get(axis) == Some(&1);
        if all.len() != self.spatial + 2 || !is_one(0) || !is_one(self.channels) {
            return Err(wrong());
        }
        Ok(all[self.first..self.first + self.spatial].to_vec())
    }

    /// How data are padded.
    pub fn padding(&self, n: &Node<'_, '_>) -> Result<Padding> {
        let explicit = n.attrs.ints("explicit_paddings")?;
        match n.attrs.text_or("padding", "VALID")? {
            "SAME" => Ok(Padding::Same),
            "VALID" => Ok(Padding::Valid),
            "EXPLICIT" if explicit.len() == 2 * (self.spatial + 2) => {
                let spatial = &explicit[2 * self.first..2 * (self.first + self.spatial)];
                let pairs = spatial.chunks_exact(2).map(|pair| [pair[0], pair[1]]);
                Ok(Padding::Explicit(pairs.collect()))
            }
            other => Err(format!(
                "attribute 'padding' is '{other}', and 'explicit_paddings' {explicit:?}"
            )),
        }
    }
}

/// The window of a convolution.
fn window(n: &Node<'_, '_>, layout: Layout, x: &Value, kernel: Vec<i64>) -> Result<Window> {
    let strides = layout.numbers(n, "strides")?;
    let dilation = layout.numbers(n, "dilations")?;
    let padding = layout.padding(n)?;
    Window::of(x, layout.first, [kernel, strides, dilation], &padding)
}

/// The extents of the window of a weight, which are its first dimensions.
fn extents(x: &Value, weight: &Value, spatial: usize) -> Result<Vec<i64>> {
    if weight.rank() != spatial + 2 || x.rank() != spatial + 2 {
        return Err(format!(
            "data of shape {:?} and a weight of shape {:?}; both have to be of rank {}",
            x.dims(),
            weight.dims(),
            spatial + 2
        ));
    }
    (0..spatial).map(|axis| weight.extent(axis)).collect()
}

fn conv(n: &Node<'_, '_>, b: &mut GraphBuilder, form: &Form) -> Result<Vec<Value>> {
    let (x, weight) = n.both()?;
    let layout = Layout::of(n, form.data)?;
    let kernel = extents(&x, &weight, form.spatial)?;
    let inputs = weight.extent(form.spatial)?;
    convolved(n, b, (form, layout), (x, weight, kernel), inputs)
}

fn convolved(
    n: &Node<'_, '_>,
    b: &mut GraphBuilder,
    (form, layout): (&Form, Layout),
    (x, weight, kernel): (Value, Value, Vec<i64>),
    inputs: i64,
) -> Result<Vec<Value>> {
    let (channels, outputs) = (x.extent(layout.channels)?, weight.extent(form.spatial + 1)?);
    if inputs < 1 || channels % inputs != 0 || outputs % (channels / inputs).max(1) != 0 {
        return Err(format!(
            "a weight of shape {:?} does not fit data of {channels} channels",
            weight.dims()
        ));
    }
    let window = window(n, layout, &x, kernel)?;
    let (x, padding) = window.padded(b, &x, 0.0)?;
    let attrs = [
        ("padding", Param::Ints(padding)),
        ("strides", Param::Ints(window.strides)),
        ("dilation", Param::Ints(window.dilation)),
        ("groups", Param::Int(channels / inputs)),
        ("data_layout", Param::Str(layout.name)),
        ("kernel_layout", Param::Str(form.kernel)),
    ];
    Ok(vec![b.op(form.op, &[x, weight], &attrs)?])
}

/// The weight has the outputs of each channel in its last dimension. One group after the other, they are the outputs of a convolution.
fn depthwise(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let (x, weight) = n.both()?;
    let layout = Layout::of(n, OF_IMAGES.data)?;
    let kernel = extents(&x, &weight, 2)?;
    let outputs = weight.extent(2)?.checked_mul(weight.extent(3)?);
    let shape = [
        kernel[0],
        kernel[1],
        1,
        outputs.ok_or("the weight is too large")?,
    ];
    let weight = b.reshape(&weight, &shape)?;
    convolved(n, b, (&OF_IMAGES, layout), (x, weight, kernel), 1)
}

/// The gradient of a convolution's data, which networks use to enlarge images.
fn transposed(n: &Node<'_, '_>, b: &mut GraphBuilder, form: &Form) -> Result<Vec<Value>> {
    let (weight, x) = (n.input(1)?, n.input(2)?);
    let layout = Layout::of(n, form.data)?;
    let kernel = extents(&x, &weight, form.spatial)?;
    if layout
        .numbers(n, "dilations")?
        .iter()
        .any(|step| *step != 1)
    {
        return Err("a dilated transposed convolution is not supported".into());
    }
    let spatial = layout.first..layout.first + form.spatial;
    let wanted: Vec<Dim> = match n.sizes(b, 0)? {
        all if all.len() == form.spatial + 2 => all[spatial.clone()].to_vec(),
        // Only the spatial extents.
        some if some.len() == form.spatial => some,
        other => return Err(format!("the result's shape is {other:?}")),
    };
    let window = Transposed::of(
        &layout.padding(n)?,
        (&kernel, layout.numbers(n, "strides")?),
        &x.dims()[spatial],
        Some(&wanted),
    )?;
    let attrs = [
        ("padding", Param::Ints(window.padding)),
        ("strides", Param::Ints(window.strides)),
        ("output_padding", Param::Ints(window.output_padding)),
        ("data_layout", Param::Str(layout.name)),
        ("kernel_layout", Param::Str(form.kernel_of_transposed)),
    ];
    Ok(vec![b.op(form.transposed, &[x, weight], &attrs)?])
}

/// The greatest sum of an element of a window and its weight.
fn dilation(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let (x, weight) = (n.of_rank(0, 4)?, n.of_rank(1, 3)?);
    let layout = Layout {
        name: OF_IMAGES.data[0],
        channels: 3,
        first: 1,
        spatial: 2,
    };
    let kernel = vec![weight.extent(0)?, weight.extent(1)?];
    let strides = layout.numbers(n, "strides")?;
    let rates = layout.numbers(n, "rates")?;
    let padding = layout.padding(n)?;
    let window = Window::of(&x, 1, [kernel, strides, rates], &padding)?;
    let widths: Option<Vec<i64>> = [0, 1]
        .into_iter()
        .flat_map(|side| window.around.iter().map(move |pair| pair[side].known()))
        .collect();
    let attrs = [
        ("strides", Param::Ints(window.strides)),
        (
            "padding",
            Param::Ints(widths.ok_or("padding that depends on open dimensions is not supported")?),
        ),
        ("dilations", Param::Ints(window.dilation)),
    ];
    let weight = b.transpose(&weight, &[2, 0, 1])?;
    let made = with_channels_first(b, &x, |b, x| b.op("image.dilation2d", &[x, weight], &attrs));
    Ok(vec![made?])
}
