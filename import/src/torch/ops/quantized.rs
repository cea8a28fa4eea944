//! Bytes in the place of floats, as PyTorch's quantisation of exported programs writes them.

use super::row::{Row, row, rows};
use crate::{
    compose::{activation::clipped, quantise::scale_of_range, subscript::one_axis},
    graph::{attr::Param, builder::GraphBuilder, error::Result, value::Value},
    torch::{item::Operand, node::Node},
};
use relay_dialects::element::Element;

/// The family's rows.
pub const ROWS: &[Row] = &[
    rows(
        "_fake_quantize_per_tensor_affine_cachemask_tensor_qparams",
        fake,
    ),
    row("fake_quantize_per_channel_affine", |n, b| {
        Ok(fake(n, b)?.swap_remove(0))
    }),
    rows("fake_quantize_per_channel_affine_cachemask", fake),
    row("fake_quantize_per_tensor_affine", |n, b| {
        Ok(fake(n, b)?.swap_remove(0))
    }),
    rows("fake_quantize_per_tensor_affine_cachemask", fake),
    row("quantized_decomposed.dequantize_per_channel", dequantize),
    row("quantized_decomposed.dequantize_per_tensor", dequantize),
    row(
        "quantized_decomposed.dequantize_per_tensor.tensor",
        dequantize,
    ),
    row("quantized_decomposed.quantize_per_channel", quantize),
    row("quantized_decomposed.quantize_per_tensor", quantize),
    row("quantized_decomposed.quantize_per_tensor.tensor", quantize),
];

/// The scale that PyTorch gives a tensor of zeros.
const SCALE_OF_ZEROS: f64 = 0.1;

/// How integers stand for floats.
#[derive(Clone)]
pub struct Grain {
    /// The scale, or one for each subscript of the axis.
    pub scale: Value,
    /// The zero point, or one for each subscript of the axis.
    pub zero_point: Value,
    /// The axis.
    pub axis: i64,
}

impl Grain {
    fn read(n: &Node<'_>, b: &mut GraphBuilder, x: &Value) -> Result<Self> {
        if n.has("scales") {
            let scale = n.tensor("scales")?;
            let zero_point = match n.optional_tensor("zero_points")? {
                Some(zero_point) => b.cast(&zero_point, Element::I32)?,
                None => b.full(Element::I32, scale.dims(), 0.0)?,
            };
            return Ok(Self {
                scale: b.cast(&scale, Element::F32)?,
                zero_point,
                axis: x.axis(n.required_int("axis")?)? as i64,
            });
        }
        let number = |b: &mut GraphBuilder, operand: Operand, element| {
            let value = operand.cast(b, element)?;
            b.reshape_to_scalar(&value)
        };
        Ok(Self {
            scale: number(b, n.operand("scale")?, Element::F32)?,
            zero_point: number(b, n.operand("zero_point")?, Element::I32)?,
            axis: -1,
        })
    }

    /// Floats as integers.
    ///
    /// # Errors
    /// If a shape does not fit.
    pub fn quantized(&self, b: &mut GraphBuilder, x: &Value, element: Element) -> Result<Value> {
        let attrs = [
            ("axis", Param::Int(self.axis)),
            ("out_dtype", Param::Type(element)),
        ];
        let operands = [x.clone(), self.scale.clone(), self.zero_point.clone()];
        b.op("qnn.quantize", &operands, &attrs)
    }

    /// Integers as floats.
    ///
    /// # Errors
    /// If a shape does not fit.
    pub fn dequantized(&self, b: &mut GraphBuilder, x: &Value) -> Result<Value> {
        let operands = [x.clone(), self.scale.clone(), self.zero_point.clone()];
        b.op(
            "qnn.dequantize",
            &operands,
            &[("axis", Param::Int(self.axis))],
        )
    }
}

/// The scale and the zero point by which a tensor's range and 0 fill the integers from 0 to `greatest`.
///
/// # Errors
/// Of the operators that compute it.
pub fn grain_of_range(b: &mut GraphBuilder, x: &Value, greatest: f64) -> Result<Grain> {
    let (scale, least) = scale_of_range(b, x, (greatest, SCALE_OF_ZEROS))?;
    let lowest = b.unary("negative", &least)?;
    let zero_point = b.binary("divide", &lowest, &scale)?;
    let zero_point = b.unary("round", &zero_point)?;
    let zero_point = clipped(b, &zero_point, 0.0, greatest)?;
    Ok(Grain {
        scale,
        zero_point: b.cast(&zero_point, Element::I32)?,
        axis: -1,
    })
}

/// Integers within bounds that may be closer than those of their type.
fn bounded(n: &Node<'_>, b: &mut GraphBuilder, x: &Value) -> Result<Value> {
    let (low, high) = (n.float("quant_min")?, n.float("quant_max")?);
    let (low, high) = (low.unwrap_or(f64::MIN), high.unwrap_or(f64::MAX));
    match low <= x.element().least() && high >= x.element().greatest() {
        true => Ok(x.clone()),
        false => clipped(b, x, low, high),
    }
}

fn quantize(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let x = n.tensor("input")?;
    let x = b.cast(&x, Element::F32)?;
    let element = n.element("dtype")?.ok_or("argument 'dtype' is missing")?;
    let integers = Grain::read(n, b, &x)?.quantized(b, &x, element)?;
    bounded(n, b, &integers)
}

fn dequantize(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    n.ignore(&["quant_min", "quant_max", "dtype"]);
    let x = n.tensor("input")?;
    let floats = Grain::read(n, b, &x)?.dequantized(b, &x)?;
    match n.element("out_dtype")? {
        Some(element) => b.cast(&floats, element),
        None => Ok(floats),
    }
}

/// Floats as they come back from integers within bounds, and where they were within them.
fn fake(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.ignore(&["fake_quant_enabled"]);
    let x = n.tensor("self")?;
    let element = x.element();
    let (scale, zero_point) = (n.operand("scale")?, n.operand("zero_point")?);
    let (mut scale, mut zero) = (scale.cast(b, element)?, zero_point.cast(b, element)?);
    if n.has("axis") {
        let axis = x.axis(n.required_int("axis")?)?;
        let shape = one_axis(x.rank() - axis, 0, x.dims()[axis]);
        (scale, zero) = (b.reshape(&scale, &shape)?, b.reshape(&zero, &shape)?);
    } else {
        (scale, zero) = (b.reshape_to_scalar(&scale)?, b.reshape_to_scalar(&zero)?);
    }
    let bound = |name: &str| {
        n.float(name)?
            .ok_or_else(|| format!("argument '{name}' is missing"))
    };
    let (low, high) = (bound("quant_min")?, bound("quant_max")?);
    let one = b.scalar(element, 1.0);
    let inverse = b.binary("divide", &one, &scale)?;
    let steps = b.binary("multiply", &x, &inverse)?;
    let steps = b.unary("round", &steps)?;
    let numbers = b.binary("add", &steps, &zero)?;
    let is_above = b.with_scalar("greater_equal", &numbers, low)?;
    let is_below = b.with_scalar("less_equal", &numbers, high)?;
    let is_within = b.binary("logical_and", &is_above, &is_below)?;
    let numbers = clipped(b, &numbers, low, high)?;
    let steps = b.binary("subtract", &numbers, &zero)?;
    Ok(vec![b.binary("multiply", &steps, &scale)?, is_within])
}
