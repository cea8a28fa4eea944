//! Quantised integers, and floats that are rounded to the numbers of such.

use super::row::{Row, row};
use crate::{
    compose::{
        activation::round_from_zero,
        quantise::{Scale, between, fake_quantised, fake_quantised_between, scale_of},
        reduce::along,
    },
    graph::{builder::GraphBuilder, error::Result, value::Value},
    tensorflow::node::Node,
};
use relay_dialects::{dim::Dim, element::Element};

/// The family's rows.
pub const ROWS: &[Row] = &[
    row(&["FakeQuantWithMinMaxArgs"], |n, b| {
        let range = (n.attrs.float("min", -6.0)?, n.attrs.float("max", 6.0)?);
        fake_quant(n, b, range)
    }),
    row(&["FakeQuantWithMinMaxVars"], |n, b| {
        match (n.input(1)?.scalar(), n.input(2)?.scalar()) {
            (Some(least), Some(greatest)) => fake_quant(n, b, (least, greatest)),
            _ => fake_quant_of_ranges(n, b),
        }
    }),
    row(&["FakeQuantWithMinMaxVarsPerChannel"], fake_quant_of_ranges),
    row(&["QuantizeV2"], quantise),
    row(&["Dequantize"], dequantise),
    row(
        &[
            "QuantizeAndDequantizeV2",
            "QuantizeAndDequantizeV3",
            "QuantizeAndDequantizeV4",
        ],
        quantise_and_dequantise,
    ),
];

/// Floats with the errors of integers.
fn fake_quant(
    n: &Node<'_, '_>,
    b: &mut GraphBuilder,
    (least, greatest): (f64, f64),
) -> Result<Vec<Value>> {
    let (bits, is_narrow) = fake_bits(n)?;
    let range = (least as f32, greatest as f32);
    let made = fake_quantised(b, &n.input(0)?, range, bits, is_narrow)?;
    Ok(vec![made])
}

/// The same of ranges that are computed, or of one for each channel.
fn fake_quant_of_ranges(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let (bits, is_narrow) = fake_bits(n)?;
    let (x, least, greatest) = (n.input(0)?, n.input(1)?, n.input(2)?);
    let made = fake_quantised_between(b, &x, [&least, &greatest], bits, is_narrow)?;
    Ok(vec![made])
}

fn fake_bits(n: &Node<'_, '_>) -> Result<(i64, bool)> {
    let bits = n.attrs.int("num_bits", 8)?;
    Ok((bits, n.attrs.flag("narrow_range", false)?))
}

/// How integers stand for floats.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// The least integer stands for the least number, and the greatest for the greatest.
    Combined,
    /// The same, and the least number is rounded to a step.
    First,
    /// Zero stands for zero.
    Scaled,
}

impl Mode {
    fn of(n: &Node<'_, '_>) -> Result<Self> {
        match n.attrs.text_or("mode", "MIN_COMBINED")? {
            "MIN_COMBINED" => Ok(Self::Combined),
            "MIN_FIRST" => Ok(Self::First),
            "SCALED" => Ok(Self::Scaled),
            other => Err(format!("attribute 'mode' is '{other}'")),
        }
    }
}

/// The ends of a range: one for all elements, or one for each element of an axis.
fn range_of(
    n: &Node<'_, '_>,
    b: &mut GraphBuilder,
    x: &Value,
    axis: Option<usize>,
) -> Result<[Value; 2]> {
    let mut of = |place: usize| {
        let given = n.input(place)?;
        let given = b.cast(&given, Element::F32)?;
        match axis {
            None => b.reshape_to_scalar(&given),
            Some(axis) => {
                let mut dims = vec![Dim::Known(1); x.rank()];
                dims[axis] = x.dims()[axis];
                b.reshape(&given, &dims)
            }
        }
    };
    Ok([of(1)?, of(2)?])
}

fn axis_of(n: &Node<'_, '_>, x: &Value) -> Result<Option<usize>> {
    match n.attrs.int("axis", -1)? {
        -1 => Ok(None),
        axis => x.axis(axis).map(Some),
    }
}

/// The integers of a type, of which a narrow range leaves out the least one.
fn integers(element: Element, is_narrow: bool) -> Result<(f64, f64)> {
    let is_known = matches!(
        element,
        Element::I8 | Element::U8 | Element::I16 | Element::U16
    );
    match is_known {
        true => {
            let first = element.least() + f64::from(u8::from(is_narrow));
            Ok((first, element.greatest()))
        }
        false => Err(format!(
            "integers of type {} are not supported; those of 8 and 16 bits are",
            element.name()
        )),
    }
}

/// Integers, and the ends of the range that they stand for.
fn quantise(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = b.cast(&n.input(0)?, Element::F32)?;
    let to = n.attrs.element("T", Element::U8)?;
    let mode = Mode::of(n)?;
    let is_narrow = n.attrs.flag("narrow_range", false)?;
    let round_mode = n.attrs.text_or("round_mode", "HALF_AWAY_FROM_ZERO")?;
    let smallest = n.attrs.float("ensure_minimum_range", f64::from(0.01f32))?;
    let axis = axis_of(n, &x)?;
    let (low, high) = integers(to, is_narrow && mode == Mode::Scaled)?;
    let range = range_of(n, b, &x, axis)?;
    let [mut least, mut greatest] = widened(b, range, smallest)?;
    let steps = match mode {
        Mode::Scaled => {
            let scale = scale_of(b, [&least, &greatest], (low, high))?.scale;
            let of = |b: &mut GraphBuilder, integer| {
                let integer = b.scalar(Element::F32, integer);
                b.binary("divide", &integer, &scale)
            };
            (least, greatest) = (of(b, low)?, of(b, high)?);
            let cut = between(b, &x, [&least, &greatest])?;
            let steps = b.binary("multiply", &cut, &scale)?;
            rounded(b, &steps, round_mode)?
        }
        Mode::Combined => {
            let scale = steps_of(b, [&least, &greatest], high - low)?;
            let cut = between(b, &x, [&least, &greatest])?;
            let distance = b.binary("subtract", &cut, &least)?;
            let steps = b.binary("multiply", &distance, &scale)?;
            let steps = b.with_scalar("add", &steps, low)?;
            round_from_zero(b, &steps)?
        }
        Mode::First => {
            let scale = steps_of(b, [&least, &greatest], high - low)?;
            let steps = b.binary("multiply", &x, &scale)?;
            let steps = round_from_zero(b, &steps)?;
            let first = b.binary("multiply", &least, &scale)?;
            let first = round_from_zero(b, &first)?;
            let steps = b.binary("subtract", &steps, &first)?;
            b.with_scalar("add", &steps, low)?
        }
    };
    let ends = [low, high].map(|integer| b.scalar(Element::F32, integer));
    let steps = between(b, &steps, [&ends[0], &ends[1]])?;
    let mut results = vec![b.cast(&steps, to)?];
    for end in [least, greatest] {
        results.push(match axis {
            None => end,
            Some(axis) => b.reshape(&end, &[x.dims()[axis]])?,
        });
    }
    Ok(results)
}

/// A range that has zero, and is not too small.
fn widened(
    b: &mut GraphBuilder,
    [least, greatest]: [Value; 2],
    smallest: f64,
) -> Result<[Value; 2]> {
    let sizes = [b.unary("abs", &least)?, b.unary("abs", &greatest)?];
    let size = b.binary("maximum", &sizes[0], &sizes[1])?;
    let size = b.with_scalar("maximum", &size, 1.0)?;
    let size = b.with_scalar("multiply", &size, smallest)?;
    let least = b.with_scalar("minimum", &least, 0.0)?;
    let end = b.binary("add", &least, &size)?;
    let greatest = b.binary("maximum", &greatest, &end)?;
    Ok([least, b.with_scalar("maximum", &greatest, 0.0)?])
}

/// How many steps of a range make one.
fn steps_of(b: &mut GraphBuilder, [least, greatest]: [&Value; 2], count: f64) -> Result<Value> {
    let range = b.binary("subtract", greatest, least)?;
    let count = b.scalar(Element::F32, count);
    b.binary("divide", &count, &range)
}

fn rounded(b: &mut GraphBuilder, x: &Value, mode: &str) -> Result<Value> {
    match mode {
        "HALF_TO_EVEN" => b.unary("round", x),
        "HALF_AWAY_FROM_ZERO" => round_from_zero(b, x),
        "HALF_UP" => {
            let above = b.with_scalar("add", x, 0.5)?;
            b.unary("floor", &above)
        }
        other => Err(format!("attribute 'round_mode' is '{other}'")),
    }
}

/// The numbers that integers stand for.
fn dequantise(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let to = n.attrs.element("dtype", Element::F32)?;
    let mode = Mode::of(n)?;
    let is_narrow = n.attrs.flag("narrow_range", false)?;
    let axis = axis_of(n, &x)?;
    let (low, high) = integers(x.element(), is_narrow && mode == Mode::Scaled)?;
    let [least, greatest] = range_of(n, b, &x, axis)?;
    let integers = b.cast(&x, Element::F32)?;
    let made = match mode {
        Mode::Scaled => {
            let mut step = b.with_scalar("divide", &greatest, high)?;
            if low != 0.0 {
                let other = b.with_scalar("divide", &least, low)?;
                step = b.binary("maximum", &step, &other)?;
            }
            b.binary("multiply", &integers, &step)?
        }
        Mode::Combined | Mode::First => {
            let range = b.binary("subtract", &greatest, &least)?;
            let step = b.with_scalar("divide", &range, high - low)?;
            let first = match mode {
                Mode::First => {
                    let steps = b.binary("divide", &least, &step)?;
                    let steps = round_from_zero(b, &steps)?;
                    b.binary("multiply", &steps, &step)?
                }
                _ => least,
            };
            let steps = b.with_scalar("subtract", &integers, low)?;
            let numbers = b.binary("multiply", &steps, &step)?;
            b.binary("add", &numbers, &first)?
        }
    };
    Ok(vec![b.cast(&made, to)?])
}

/// Floats with the errors of integers for which zero stands for zero, in a range that is given or that of the data.
fn quantise_and_dequantise(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let bits = match n.inputs.len() > 3 {
        true => n.known_int(3)?,
        false => n.attrs.int("num_bits", 8)?,
    };
    let is_signed = n.attrs.flag("signed_input", true)?;
    let is_narrow = n.attrs.flag("narrow_range", false)?;
    let is_given = n.attrs.flag("range_given", false)?;
    let round_mode = n.attrs.text_or("round_mode", "HALF_TO_EVEN")?;
    let axis = axis_of(n, &x)?;
    if !(1 + i64::from(is_signed)..=24).contains(&bits) {
        return Err(format!("{bits} bits are not supported; up to 24 are"));
    }
    let size = f64::from(1u32 << (bits - i64::from(is_signed)));
    let low = if is_signed { -size } else { 0.0 };
    let low = low + f64::from(u8::from(is_narrow && is_signed));
    let range = match is_given {
        true => range_of(n, b, &x, axis)?,
        false => {
            let axes: Vec<usize> = (0..x.rank()).filter(|other| Some(*other) != axis).collect();
            let stay = axis.is_some();
            [
                along(b, "min", &x, (&axes, stay))?,
                along(b, "max", &x, (&axes, stay))?,
            ]
        }
    };
    let [least, greatest] = [
        b.cast(&range[0], x.element())?,
        b.cast(&range[1], x.element())?,
    ];
    let Scale {
        scale,
        inverse,
        range: [least, greatest],
    } = scale_of(b, [&least, &greatest], (low, size - 1.0))?;
    let cut = match is_given {
        true => between(b, &x, [&least, &greatest])?,
        false => x,
    };
    let steps = b.binary("multiply", &cut, &scale)?;
    let steps = rounded(b, &steps, round_mode)?;
    Ok(vec![b.binary("multiply", &steps, &inverse)?])
}
