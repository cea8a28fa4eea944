//! Integers of few bits in the place of floats, by blocks of elements, as torchao's programs have them.

use super::row::{Row, row, rows};
use crate::{
    compose::{activation::clipped, reduce::along},
    graph::{builder::GraphBuilder, error::Result, value::Value},
    torch::node::Node,
};
use relay_dialects::{dim::Dim, element::Element};

/// The family's rows.
pub const ROWS: &[Row] = &[
    rows("torchao.choose_qparams_affine", choose),
    row("torchao.dequantize_affine", dequantize),
    row("torchao.quantize_affine", quantize),
];

/// A tensor in blocks of elements that share a scale: each axis as the number of blocks and the elements of one.
struct Blocks {
    /// The shape with two axes for each axis.
    apart: Vec<Dim>,
    /// That shape with one element for each block.
    ones: Vec<Dim>,
    /// The number of blocks along each axis.
    counts: Vec<Dim>,
    /// That without axes of which one block is all.
    kept: Vec<Dim>,
    /// The axes of the elements of blocks.
    axes: Vec<usize>,
}

impl Blocks {
    fn read(n: &Node<'_>, x: &Value) -> Result<Self> {
        let sizes = n.ints("block_size")?.unwrap_or_default();
        if sizes.len() != x.rank() || sizes.contains(&0) {
            return Err(format!("blocks of {sizes:?} do not fit {:?}", x.dims()));
        }
        let (mut apart, mut ones) = (Vec::new(), Vec::new());
        let (mut counts, mut kept) = (Vec::new(), Vec::new());
        for (extent, size) in x.dims().iter().zip(sizes) {
            // A block as long as the axis, or one of all elements.
            let (count, size) = match extent.known() {
                Some(extent) if extent == size || size < 0 => (Dim::Known(1), Dim::Known(extent)),
                Some(extent) if extent % size != 0 => {
                    return Err(format!("blocks of {size} do not divide {extent} elements"));
                }
                _ if size < 0 => (Dim::Known(1), *extent),
                _ => (extent.floor_div(Dim::Known(size))?, Dim::Known(size)),
            };
            apart.extend([count, size]);
            ones.extend([count, Dim::Known(1)]);
            counts.push(count);
            if size == Dim::Known(1) || size != *extent {
                kept.push(count);
            }
        }
        let axes = (0..x.rank()).map(|axis| 2 * axis + 1).collect();
        Ok(Self {
            apart,
            ones,
            counts,
            kept,
            axes,
        })
    }
}

/// The least and the greatest integer.
fn bounds(n: &Node<'_>, element: Element) -> Result<(f64, f64)> {
    let bits = 8 * element.bytes() as i32;
    let (low, high) = match element {
        Element::U8 | Element::U16 | Element::U32 => (0.0, 2_f64.powi(bits) - 1.0),
        Element::I8 | Element::I16 | Element::I32 => {
            (-(2_f64.powi(bits - 1)), 2_f64.powi(bits - 1) - 1.0)
        }
        other => return Err(format!("integers of {other:?} are not supported")),
    };
    Ok((
        n.float_or("quant_min", low)?,
        n.float_or("quant_max", high)?,
    ))
}

/// An operand of each block as floats.
fn of_blocks(
    n: &Node<'_>,
    b: &mut GraphBuilder,
    name: &str,
    (blocks, element): (&Blocks, Element),
) -> Result<Option<Value>> {
    let Some(value) = n.optional_tensor(name)? else {
        return Ok(None);
    };
    if value.is_empty() {
        return Ok(None);
    }
    let value = b.cast(&value, element)?;
    b.reshape(&value, &blocks.ones).map(Some)
}

fn quantize(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let x = n.tensor("input")?;
    let element = n
        .element("output_dtype")?
        .ok_or("argument 'output_dtype' is missing")?;
    let (low, high) = bounds(n, element)?;
    let blocks = Blocks::read(n, &x)?;
    let scale =
        of_blocks(n, b, "scale", (&blocks, x.element()))?.ok_or("argument 'scale' is missing")?;
    let one = b.scalar(x.element(), 1.0);
    let inverse = b.binary("divide", &one, &scale)?;
    let apart = b.reshape(&x, &blocks.apart)?;
    let scaled = b.binary("multiply", &apart, &inverse)?;
    let mut rounded = b.unary("round", &scaled)?;
    if let Some(zero) = of_blocks(n, b, "zero_point", (&blocks, x.element()))? {
        rounded = b.binary("add", &rounded, &zero)?;
    }
    let cut = clipped(b, &rounded, low, high)?;
    let whole = b.cast(&cut, element)?;
    b.reshape(&whole, x.dims())
}

fn dequantize(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    n.ignore(&["input_dtype", "quant_min", "quant_max"]);
    let x = n.tensor("input")?;
    let element = n.element("output_dtype")?.unwrap_or(Element::F32);
    let blocks = Blocks::read(n, &x)?;
    let floats = b.cast(&x, element)?;
    let mut floats = b.reshape(&floats, &blocks.apart)?;
    if let Some(zero) = of_blocks(n, b, "zero_point", (&blocks, element))? {
        floats = b.binary("subtract", &floats, &zero)?;
    }
    let scale =
        of_blocks(n, b, "scale", (&blocks, element))?.ok_or("argument 'scale' is missing")?;
    let scaled = b.binary("multiply", &floats, &scale)?;
    b.reshape(&scaled, x.dims())
}

/// The scales and the zero points of blocks, by their least and greatest elements.
fn choose(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.tensor("input")?;
    let element = n
        .element("target_dtype")?
        .ok_or("argument 'target_dtype' is missing")?;
    let (low, high) = bounds(n, element)?;
    let epsilon = n.float_or("eps", smallest(x.element()))?;
    let blocks = Blocks::read(n, &x)?;
    let apart = b.reshape(&x, &blocks.apart)?;
    let least = along(b, "min", &apart, (&blocks.axes, false))?;
    let greatest = along(b, "max", &apart, (&blocks.axes, false))?;
    let least = b.with_scalar("minimum", &least, 0.0)?;
    let greatest = b.with_scalar("maximum", &greatest, 0.0)?;
    let kind = n.text("mapping_type")?.unwrap_or_default().to_owned();
    let scale = scale_of(b, &kind, [&least, &greatest], [low, high])?;
    let scale = b.with_scalar("maximum", &scale, epsilon)?;
    let zero = match kind.as_str() {
        "ASYMMETRIC" => {
            let steps = b.binary("divide", &least, &scale)?;
            let steps = b.unary("round", &steps)?;
            let low_value = b.scalar(x.element(), low);
            let zero = b.binary("subtract", &low_value, &steps)?;
            clipped(b, &zero, low, high)?
        }
        _ => b.full(
            x.element(),
            &blocks.counts,
            ((low + high + 1.0) / 2.0).trunc(),
        )?,
    };
    let of_scale = n.element("scale_dtype")?.unwrap_or(x.element());
    let default = match kind.as_str() {
        "ASYMMETRIC" => Element::I32,
        _ => x.element(),
    };
    let of_zero = n.element("zero_point_dtype")?.unwrap_or(default);
    let (scale, zero) = (b.cast(&scale, of_scale)?, b.cast(&zero, of_zero)?);
    let shape = match n.bool_or("keepdim", false)? {
        true => &blocks.counts,
        false => &blocks.kept,
    };
    Ok(vec![b.reshape(&scale, shape)?, b.reshape(&zero, shape)?])
}

/// The scales of blocks by their least and greatest elements, for integers of a range.
fn scale_of(
    b: &mut GraphBuilder,
    kind: &str,
    [least, greatest]: [&Value; 2],
    [low, high]: [f64; 2],
) -> Result<Value> {
    match kind {
        "SYMMETRIC" => {
            let negative = b.unary("negative", least)?;
            let size = b.binary("maximum", &negative, greatest)?;
            b.with_scalar("divide", &size, (high - low) / 2.0)
        }
        "SYMMETRIC_NO_CLIPPING_ERR" => {
            let below = b.with_scalar("divide", least, low)?;
            let above = b.with_scalar("divide", greatest, high)?;
            b.binary("maximum", &below, &above)
        }
        "ASYMMETRIC" => {
            let range = b.binary("subtract", greatest, least)?;
            b.with_scalar("divide", &range, high - low)
        }
        other => Err(format!(
            "argument 'mapping_type' is '{other}', which is not supported"
        )),
    }
}

/// The smallest float that has all of its digits.
fn smallest(element: Element) -> f64 {
    match element {
        Element::F64 => f64::MIN_POSITIVE,
        Element::F16 => 2_f64.powi(-14),
        _ => f64::from(f32::MIN_POSITIVE),
    }
}
