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

/// A node that is a function of its input: of the numbers that integers stand for, where these are quantised. For bytes there is a
/// table, whose numbers the compiler computes.
pub fn function(
    n: &Node<'_>,
    b: &mut GraphBuilder,
    of: impl Fn(&mut GraphBuilder, &Value) -> Result<Value>,
) -> Result<Vec<Value>> {
    if !n.is_quantised(0) {
        return Ok(vec![of(b, &n.input(0)?)?]);
    }
    let to = n.grain_of_result(0)?;
    if n.grain(0)?.element.bits() > 8 {
        let numbers = n.grain(0)?.dequantised(b, &n.input(0)?)?;
        let made = of(b, &numbers)?;
        return Ok(vec![to.quantised(b, &made)?]);
    }
    let steps_in_one = f64::from(1.0 / to.scale()?);
    steps(n, b, |b, numbers| {
        let made = of(b, numbers)?;
        let steps = b.with_scalar("multiply", &made, steps_in_one)?;
        round_from_zero(b, &steps)
    })
}

/// A node that is a function of the numbers that its input's integers stand for. `of` makes whole steps of the result's scale.
pub fn steps(
    n: &Node<'_>,
    b: &mut GraphBuilder,
    of: impl Fn(&mut GraphBuilder, &Value) -> Result<Value>,
) -> Result<Vec<Value>> {
    let (from, to) = (n.grain(0)?, n.grain_of_result(0)?);
    let (zero, range) = (to.zero()?, to.range(None, None)?);
    if from.element.bits() > 8 {
        let numbers = from.dequantised(b, &n.input(0)?)?;
        let steps = of(b, &numbers)?;
        return Ok(vec![narrowed(b, &steps, zero, range, to.element)?]);
    }
    let (scale, origin) = (from.scale()?, from.zero()?);
    let numbers = bytes(from.element).map(|byte| f64::from(scale * (byte - origin) as f32));
    let numbers = Numbers::Floats(numbers.collect());
    let numbers = b.known(Const::new(Element::F32, vec![BYTES], &numbers));
    let steps = of(b, &numbers)?;
    let table = narrowed(b, &steps, zero, range, to.element)?;
    taken(n, b, &table)
}

/// A node that is a function of bytes, which the importer computes for each of them.
pub fn of_bytes(n: &Node<'_>, b: &mut GraphBuilder, of: impl Fn(i64) -> i64) -> Result<Vec<Value>> {
    let made: Vec<i64> = bytes(n.grain(0)?.element).map(of).collect();
    let table = Const::new(n.element(0)?, vec![BYTES], &Numbers::ints(&made));
    let table = b.known(table);
    taken(n, b, &table)
}

/// All bytes of a type, from the least one on.
fn bytes(element: Element) -> std::ops::Range<i64> {
    let least = element.least() as i64;
    least..least + BYTES
}

/// What a table has for the bytes of a node's input.
fn taken(n: &Node<'_>, b: &mut GraphBuilder, table: &Value) -> Result<Vec<Value>> {
    let least = n.grain(0)?.element.least();
    let place = b.cast(&n.input(0)?, Element::I32)?;
    let place = match least {
        0.0 => place,
        least => b.with_scalar("subtract", &place, least)?,
    };
    let attrs = [("axis", Param::Int(0)), ("mode", Param::Str("fast"))];
    Ok(vec![b.op("take", &[table.clone(), place], &attrs)?])
}
