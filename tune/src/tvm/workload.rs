//! What a kernel computes in the words of TVM's templates, so that their logs are found for it.

use relay_dialects::{
    index::constant,
    ir::{Op, Value},
    names,
    ops::{arith, tensor},
    te::{Compute, Role},
};
use std::fmt;

/// A convolution or a dense layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Workload {
    /// A convolution of images.
    Conv(Conv),
    /// A product of rows x depth with columns x depth.
    Dense {
        /// The samples.
        rows: i64,
        /// The outputs.
        columns: i64,
        /// The inputs.
        depth: i64,
        /// The type of the elements, as TVM calls it.
        element: String,
    },
}

/// A convolution of images, without the blocks that channels may lie in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conv {
    /// Whether each channel has a window of its own.
    pub is_depthwise: bool,
    /// Samples, channels, rows, columns.
    pub data: [i64; 4],
    /// Output channels, input channels of a group, rows, columns.
    pub weight: [i64; 4],
    /// Of rows and of columns.
    pub strides: [i64; 2],
    /// Above, on the left, below, on the right.
    pub padding: [i64; 4],
    /// Of rows and of columns.
    pub dilation: [i64; 2],
    /// The type of the elements, as TVM calls it.
    pub element: String,
}

impl fmt::Display for Workload {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Dense {
                rows,
                columns,
                depth,
                element,
            } => write!(
                formatter,
                "dense {element} of {rows}x{depth} and {columns}x{depth}"
            ),
            Self::Conv(conv) => {
                let name = match conv.is_depthwise {
                    true => "depthwise_conv2d",
                    false => "conv2d",
                };
                write!(
                    formatter,
                    "{name} {} of data {} and weight {}, strides {}, padding {}, dilation {}",
                    conv.element,
                    list(&conv.data, "x"),
                    list(&conv.weight, "x"),
                    list(&conv.strides, ","),
                    list(&conv.padding, ","),
                    list(&conv.dilation, ","),
                )
            }
        }
    }
}

fn list(numbers: &[i64], between: &str) -> String {
    let numbers: Vec<String> = numbers.iter().map(i64::to_string).collect();
    numbers.join(between)
}

impl Workload {
    /// That of a function of tensor expressions; none if its main stage is no packed convolution or dense layer, which are
    /// what TVM's templates for x86 compute.
    pub fn of(func: Op) -> Option<Self> {
        let stages = func.body().ops().into_iter().filter_map(Compute::of);
        stages.filter_map(of_stage).next()
    }
}

fn of_stage(stage: Compute) -> Option<Workload> {
    match stage.role()? {
        Role::PackedConv => conv(stage, false).map(Workload::Conv),
        Role::PackedDepthwiseConv => conv(stage, true).map(Workload::Conv),
        Role::PackedDense => {
            let shape = stage.shape();
            let [rows, columns] = shape[..] else {
                return None;
            };
            Some(Workload::Dense {
                rows,
                columns,
                depth: stage.reduce_extents().iter().product(),
                element: element(stage.op().result(0))?,
            })
        }
        _ => None,
    }
}

/// How TVM calls the type of a tensor's elements; none of one that its templates do not have.
fn element(tensor: Value) -> Option<String> {
    let name = match &tensor.ty().element().to_string()[..] {
        "f32" => "float32",
        "f64" => "float64",
        "f16" => "float16",
        _ => return None,
    };
    Some(name.into())
}

/// A stage [n, c, y, x, lane] that reads data [n, c, y, x, lane], padded or not, and a weight [o, i, y, x, i, o].
fn conv(stage: Compute, is_depthwise: bool) -> Option<Conv> {
    let reads = stage.op().find_all(tensor::Extract::NAME);
    let [of_data, of_weight] = reads[..] else {
        return None;
    };
    let (padded, weight) = (of_data.operand(0), of_weight.operand(0).ty().shape());
    let [o, i, height, width, in_block, out_block] = weight[..] else {
        return None;
    };
    let axes = stage.op().body().args();
    let taps = axes.len() - stage.reduce_extents().len() + usize::from(!is_depthwise);
    let step = |dim: usize, axis: usize| coefficient(of_data.operand(dim + 3), *axes.get(axis)?);
    let (data, before) = data(padded)?;
    let [n, c, rows, columns, block] = data.ty().shape()[..] else {
        return None;
    };
    let whole = padded.ty().shape();
    let after = [whole[2] - rows - before[0], whole[3] - columns - before[1]];
    Some(Conv {
        is_depthwise,
        data: [n, c * block, rows, columns],
        weight: [o * out_block, i * in_block, height, width],
        strides: [step(0, 2)?, step(1, 3)?],
        padding: [before[0], before[1], after[0], after[1]],
        dilation: [step(0, taps)?, step(1, taps + 1)?],
        element: element(stage.op().result(0))?,
    })
}

/// The tensor of which this is the padded one, and how much padding lies above and on the left of it.
fn data(padded: Value) -> Option<(Value, [i64; 2])> {
    let pad = padded.def_of(names::te::COMPUTE).and_then(Compute::of);
    let Some(pad) = pad.filter(|pad| pad.role() == Some(Role::Pad)) else {
        return Some((padded, [0; 2]));
    };
    let [read] = pad.op().find_all(tensor::Extract::NAME)[..] else {
        return None;
    };
    let before = |dim: usize| evaluate(read.operand(dim + 3), &|_| 0).map(|first| -first);
    Some((read.operand(0), [before(0)?, before(1)?]))
}

/// How much an index grows with an axis, if it is a sum of multiples of axes.
fn coefficient(index: Value, axis: Value) -> Option<i64> {
    let at = |place: i64| evaluate(index, &move |it| if it == axis { place } else { 0 });
    Some(at(1)? - at(0)?)
}

/// The number that an index is where axes are these numbers.
fn evaluate(index: Value, axes: &dyn Fn(Value) -> i64) -> Option<i64> {
    let Some(op) = index.def() else {
        return Some(axes(index));
    };
    if let Some(number) = constant(index) {
        return Some(number);
    }
    let part = |place: usize| evaluate(op.operand(place), axes);
    match &op.name()[..] {
        arith::AddI::NAME => part(0)?.checked_add(part(1)?),
        arith::SubI::NAME => part(0)?.checked_sub(part(1)?),
        arith::MulI::NAME => part(0)?.checked_mul(part(1)?),
        _ => None,
    }
}
