//! Quantised tensors: an integer stands for its distance from a zero point, times a scale.
//!
//! Relay has no operators on them, so the distances are computed with. Results that are 32-bit integers are exact. Other sums are floats of
//! 32 bits: one of more than 2^24 is rounded, so that the 8 bits that are made of it may differ in the last one.

use super::{
    activation::clipped,
    conv::convolved,
    linear::product,
    reduce::along,
    row::{Row, row},
    select::strided_slice,
    shape::saturated,
};
use crate::{
    graph::{
        builder::GraphBuilder,
        error::Result,
        value::{Value, are_equal, is_open, normalize_axis},
    },
    onnx::{element::of_onnx, node::Node},
};
use relay_dialects::{dim::Dim, element::Element, index::ceil_div};

/// The family's rows.
pub const ROWS: &[Row] = &[
    row("ConvInteger", 10, conv_integer),
    row("DequantizeLinear", 10, dequantize),
    row("DynamicQuantizeLinear", 11, dynamic_quantize),
    row("MatMulInteger", 10, matmul_integer),
    row("QLinearConv", 10, quantized_conv),
    row("QLinearMatMul", 10, quantized_matmul),
    row("QuantizeLinear", 10, quantize),
];

/// The least and the greatest number of a type that tensors are quantised to.
fn range(element: Element) -> Result<(f64, f64)> {
    Ok(match element {
        Element::I8 => (-128.0, 127.0),
        Element::U8 => (0.0, 255.0),
        Element::I16 => (-32768.0, 32767.0),
        Element::U16 => (0.0, 65535.0),
        Element::I4 => (-8.0, 7.0),
        Element::U4 => (0.0, 15.0),
        Element::I2 => (-2.0, 1.0),
        Element::U2 => (0.0, 3.0),
        other => return Err(format!("tensors are not quantised to {other}")),
    })
}

/// Which elements share a scale and a zero point: all, those with a subscript of an axis, or those with a block of such subscripts.
struct Grain {
    axis: i64,
    /// The number of subscripts of a block; 0 if there are no blocks.
    block: i64,
}

impl Grain {
    fn read(n: &Node<'_>) -> Result<Self> {
        let axis = match n.opset {
            ..13 => 1,
            _ => n.attr_i64_or("axis", 1)?,
        };
        let block = match n.opset {
            ..21 => 0,
            _ => n.attr_i64_or("block_size", 0)?,
        };
        Ok(Self { axis, block })
    }

    /// Reshapes a scale or a zero point, so that it broadcasts to a tensor of this shape.
    fn spread(&self, b: &mut GraphBuilder, value: &Value, shape: &[Dim]) -> Result<Value> {
        if self.block == 0 && matches!(value.dims(), [] | [Dim::Known(1)]) {
            return by_element(b, value, 0);
        }
        let wrong = || {
            format!(
                "a scale or zero point of shape {:?} does not fit a tensor of shape {shape:?} along axis {}, in blocks of {}",
                value.dims(),
                self.axis,
                self.block
            )
        };
        let axis = normalize_axis(self.axis, shape.len())?;
        if self.block == 0 {
            if !are_equal(value.dims(), &[shape[axis]]) {
                return Err(wrong());
            }
            return by_element(b, value, shape.len() - axis - 1);
        }
        let block = self.block;
        let extent = shape[axis].known().ok_or_else(|| is_open(shape[axis]))?;
        let fits = value.rank() == shape.len()
            && (1..=1 << 31).contains(&block)
            && value.shape()?[axis] == ceil_div(extent, block);
        if !fits {
            return Err(wrong());
        }
        let (before, behind) = value.shape()?.split_at(axis);
        let (blocks, behind) = (behind[0], &behind[1..]);
        let apart = b.reshape(value, &[before, &[blocks, 1], behind].concat())?;
        let wide = b.broadcast(&apart, &[before, &[blocks, block], behind].concat())?;
        let all = b.reshape(&wide, &[before, &[blocks * block], behind].concat())?;
        match blocks * block == extent {
            true => Ok(all),
            false => strided_slice(b, &all, &[(axis, 0, extent, 1)]),
        }
    }
}

/// The floats of 8 bits or fewer that stand for numbers.
fn quantized_to_floats(
    b: &mut GraphBuilder,
    steps: &Value,
    zero: Option<&Value>,
    (element, saturates): (Element, bool),
) -> Result<Value> {
    let mut steps = b.cast(steps, Element::F32)?;
    if let Some(zero) = zero {
        let zero = b.cast(zero, Element::F32)?;
        steps = b.binary("add", &steps, &zero)?;
    }
    match saturates {
        true => saturated(b, &steps, element),
        false => b.cast(&steps, element),
    }
}

/// The integers of a type that stand for numbers. Scale and zero point broadcast to them.
pub(super) fn quantized(
    b: &mut GraphBuilder,
    x: &Value,
    scale: &Value,
    zero: Option<&Value>,
    element: Element,
) -> Result<Value> {
    let (least, greatest) = range(element)?;
    let steps = steps(b, x, scale)?;
    let rounded = b.unary("round", &steps)?;
    let mut rounded = b.cast(&rounded, Element::F32)?;
    if let Some(zero) = zero {
        let zero = b.cast(zero, Element::F32)?;
        rounded = b.binary("add", &rounded, &zero)?;
    }
    let clipped = clipped(b, &rounded, least, greatest)?;
    b.cast(&clipped, element)
}

/// Numbers in steps of a scale.
fn steps(b: &mut GraphBuilder, x: &Value, scale: &Value) -> Result<Value> {
    if !scale.element().is_float() {
        return Err("the scale is not of floats".into());
    }
    let x = b.cast(x, scale.element())?;
    b.binary("divide", &x, scale)
}

/// The distances of integers from their zero point, in another type. The zero point broadcasts to them.
pub(super) fn distances(
    b: &mut GraphBuilder,
    x: &Value,
    zero: Option<&Value>,
    element: Element,
) -> Result<Value> {
    let wide = b.cast(x, element)?;
    match zero {
        Some(zero) if zero.scalar() != Some(0.0) => {
            let zero = b.cast(zero, element)?;
            b.binary("subtract", &wide, &zero)
        }
        _ => Ok(wide),
    }
}

/// The zero point, if there is one, so that it broadcasts to a tensor of this shape.
fn zero_point(
    n: &Node<'_>,
    b: &mut GraphBuilder,
    grain: &Grain,
    shape: &[Dim],
) -> Result<Option<Value>> {
    let zero = n.optional(2);
    zero.map(|zero| grain.spread(b, &zero, shape)).transpose()
}

fn quantize(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(3)?;
    let saturates = n.attr_i64_or("saturate", 1)? != 0;
    let (x, scale) = (n.input(0)?, n.input(1)?);
    let grain = Grain::read(n)?;
    let said = match n.opset {
        ..21 => 0,
        _ => n.attr_i64_or("output_dtype", 0)?,
    };
    let element = match (n.optional(2), said) {
        (Some(zero), _) => zero.element(),
        (None, 0) => Element::U8,
        (None, said) => of_onnx(said)?,
    };
    let mut scale = grain.spread(b, &scale, x.dims())?;
    if n.opset >= 23 {
        match n.attr_i64_or("precision", 0)? {
            0 => {}
            precision => scale = b.cast(&scale, of_onnx(precision)?)?,
        }
    }
    let zero = zero_point(n, b, &grain, x.dims())?;
    if element.minifloat().is_some() {
        let steps = steps(b, &x, &scale)?;
        let how = (element, saturates);
        return Ok(vec![quantized_to_floats(b, &steps, zero.as_ref(), how)?]);
    }
    Ok(vec![quantized(b, &x, &scale, zero.as_ref(), element)?])
}

fn dequantize(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(3)?;
    let (x, scale) = (n.input(0)?, n.input(1)?);
    let grain = Grain::read(n)?;
    let element = match n.opset {
        ..23 => scale.element(),
        _ => match n.attr_i64_or("output_dtype", 0)? {
            0 => scale.element(),
            said => of_onnx(said)?,
        },
    };
    let zero = zero_point(n, b, &grain, x.dims())?;
    let steps = distances(b, &x, zero.as_ref(), Element::F32)?;
    let scale = grain.spread(b, &scale, x.dims())?;
    let scale = b.cast(&scale, Element::F32)?;
    let result = b.binary("multiply", &steps, &scale)?;
    Ok(vec![b.cast(&result, element)?])
}

fn dynamic_quantize(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(1)?;
    let x = n.input(0)?;
    in_bytes(b, &x).map(Vec::from)
}

/// Numbers as bytes that their range and 0 fill, with the scale and the zero point.
pub(super) fn in_bytes(b: &mut GraphBuilder, x: &Value) -> Result<[Value; 3]> {
    let axes: Vec<usize> = (0..x.rank()).collect();
    let mut end = |reduce: &str, limit: &str| {
        let end = along(b, reduce, x, (&axes, false))?;
        b.with_scalar(limit, &end, 0.0)
    };
    let (greatest, least) = (end("max", "maximum")?, end("min", "minimum")?);
    let width = b.binary("subtract", &greatest, &least)?;
    let scale = b.with_scalar("divide", &width, 255.0)?;
    let is_zero = b.with_scalar("equal", &width, 0.0)?;
    let one = b.scalar(x.element(), 1.0);
    let scale = b.op("where", &[is_zero, one, scale], &[])?;
    let lowest = b.unary("negative", &least)?;
    let zero = quantized(b, &lowest, &scale, None, Element::U8)?;
    let result = quantized(b, x, &scale, Some(&zero), Element::U8)?;
    Ok([result, scale, zero])
}

/// Makes a vector of numbers broadcast: each belongs to a subscript of an axis behind which there are `behind` more. A single number belongs to
/// all.
fn by_element(b: &mut GraphBuilder, value: &Value, behind: usize) -> Result<Value> {
    match value.dims() {
        [] | [Dim::Known(1)] => b.reshape_to_scalar(value),
        [count] => {
            let ones = vec![Dim::Known(1); behind];
            b.reshape(value, &[&[*count], &ones[..]].concat())
        }
        _ => Ok(value.clone()),
    }
}

/// The same for a matrix on the left of a product, whose rows have a number each.
pub(super) fn by_row(b: &mut GraphBuilder, value: &Value) -> Result<Value> {
    by_element(b, value, 1)
}

/// The same for a matrix on the right of a product, whose columns have a number each.
pub(super) fn by_column(b: &mut GraphBuilder, value: &Value) -> Result<Value> {
    by_element(b, value, 0)
}

fn matmul_integer(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(4)?;
    let left = n.optional(2).map(|zero| by_row(b, &zero)).transpose()?;
    let right = n.optional(3).map(|zero| by_column(b, &zero));
    let right = right.transpose()?;
    let x = distances(b, &n.input(0)?, left.as_ref(), Element::I32)?;
    let y = distances(b, &n.input(1)?, right.as_ref(), Element::I32)?;
    Ok(vec![product(b, &x, &y)?])
}

fn quantized_matmul(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(8)?;
    let (left, left_zero) = (by_row(b, &n.input(1)?)?, by_row(b, &n.input(2)?)?);
    let (right, right_zero) = (by_column(b, &n.input(4)?)?, by_column(b, &n.input(5)?)?);
    let x = distances(b, &n.input(0)?, Some(&left_zero), Element::F32)?;
    let y = distances(b, &n.input(3)?, Some(&right_zero), Element::F32)?;
    let sums = product(b, &x, &y)?;
    let (scale, zero) = (by_row(b, &n.input(6)?)?, by_row(b, &n.input(7)?)?);
    let (left, right) = (b.cast(&left, Element::F32)?, b.cast(&right, Element::F32)?);
    let factor = b.binary("multiply", &left, &right)?;
    let result = b.binary("multiply", &sums, &factor)?;
    let scale = b.cast(&scale, Element::F32)?;
    Ok(vec![quantized(
        b,
        &result,
        &scale,
        Some(&zero),
        zero.element(),
    )?])
}

/// The same for a tensor of this rank whose first axis has the filters of a convolution, which have a number each.
fn by_filter(b: &mut GraphBuilder, value: &Value, rank: usize) -> Result<Value> {
    match (value.rank(), rank.checked_sub(1)) {
        (0 | 1, Some(behind)) => by_element(b, value, behind),
        _ => Err(format!(
            "a scale or zero point has shape {:?}, expected one for each filter",
            value.dims()
        )),
    }
}

fn conv_integer(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(4)?;
    let (x, w) = (n.input(0)?, n.input(1)?);
    let of_input = n.optional(2).map(|zero| b.reshape_to_scalar(&zero));
    let of_input = of_input.transpose()?;
    let of_kernel = n.optional(3).map(|zero| by_filter(b, &zero, w.rank()));
    let of_kernel = of_kernel.transpose()?;
    // Convolutions are of floats; those of 64 bits hold all sums.
    let x = distances(b, &x, of_input.as_ref(), Element::F64)?;
    let w = distances(b, &w, of_kernel.as_ref(), Element::F64)?;
    let sums = convolved(n, b, &x, &w)?;
    Ok(vec![b.cast(&sums, Element::I32)?])
}

fn quantized_conv(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(9)?;
    let (x, w) = (n.input(0)?, n.input(3)?);
    let scalar = |b: &mut GraphBuilder, input| b.reshape_to_scalar(&n.input(input)?);
    let input_zero = scalar(b, 2)?;
    let kernel_zero = by_filter(b, &n.input(5)?, w.rank())?;
    let x = distances(b, &x, Some(&input_zero), Element::F32)?;
    let w = distances(b, &w, Some(&kernel_zero), Element::F32)?;
    let mut sums = convolved(n, b, &x, &w)?;
    // What belongs to a filter belongs to a channel of the result.
    let channels = sums.rank() - 1;
    if let Some(bias) = n.optional(8) {
        let bias = b.cast(&bias, Element::F32)?;
        let bias = by_filter(b, &bias, channels)?;
        sums = b.binary("add", &sums, &bias)?;
    }
    let (of_input, of_kernel) = (scalar(b, 1)?, by_filter(b, &n.input(4)?, channels)?);
    let factor = b.binary("multiply", &of_input, &of_kernel)?;
    let result = b.binary("multiply", &sums, &factor)?;
    let (scale, zero) = (scalar(b, 6)?, scalar(b, 7)?);
    Ok(vec![quantized(
        b,
        &result,
        &scale,
        Some(&zero),
        zero.element(),
    )?])
}
