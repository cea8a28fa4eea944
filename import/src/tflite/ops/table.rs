//! Functions of one tensor, which are tables where the tensor is of bytes.

use crate::{
    compose::activation::round_from_zero,
    graph::{
        attr::Param,
        builder::GraphBuilder,
        constant::{Const, Numbers},
        error::Result,
        value::Value,
    },
    tflite::{fixed::narrowed, node::Node},
};
use relay_dialects::element::Element;

/// The numbers of a byte.
const BYTES: i64 = 256;

/// A function of floats.
pub type Function = fn(&mut GraphBuilder, &Value) -> Result<Value>;

/// A node that is a function of its input: of the numbers that integers stand for, where these are quantised. For bytes there is a
/// table, whose numbers the compiler computes.
pub fn function(n: &Node<'_>, b: &mut GraphBuilder, of: Function) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    if !n.is_quantised(0) {
        return Ok(vec![of(b, &x)?]);
    }
    let (from, to) = (n.grain(0)?, n.grain_of_result(0)?);
    if from.element.bits() > 8 {
        let numbers = from.dequantised(b, &x)?;
        let made = of(b, &numbers)?;
        return Ok(vec![to.quantised(b, &made)?]);
    }
    let (scale, zero) = (from.scale()?, from.zero()?);
    let least = from.element.least() as i64;
    let numbers = (least..least + BYTES).map(|byte| f64::from(scale * (byte - zero) as f32));
    let numbers = Const::new(
        Element::F32,
        vec![BYTES],
        &Numbers::Floats(numbers.collect()),
    );
    let numbers = b.known(numbers);
    let made = of(b, &numbers)?;
    let steps = b.with_scalar("multiply", &made, f64::from(1.0 / to.scale()?))?;
    let rounded = round_from_zero(b, &steps)?;
    let table = narrowed(b, &rounded, to.zero()?, to.range(None, None)?, to.element)?;
    let place = b.cast(&x, Element::I32)?;
    let place = match least {
        0 => place,
        least => b.with_scalar("subtract", &place, least as f64)?,
    };
    let attrs = [("axis", Param::Int(0)), ("mode", Param::Str("fast"))];
    Ok(vec![b.op("take", &[table, place], &attrs)?])
}
