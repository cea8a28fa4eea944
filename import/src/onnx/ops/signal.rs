//! Windows of signals: weights that fall to both ends.

use super::{
    row::{Row, row},
    subscript::subscripts,
};
use crate::{
    graph::{builder::GraphBuilder, error::Result, value::Value},
    onnx::{element::of_onnx, node::Node},
};
use relay_dialects::element::Element;
use std::f64::consts::TAU;

/// The family's rows. The numbers, which have no unit, are those of ONNX's operators.
pub const ROWS: &[Row] = &[
    row("BlackmanWindow", 17, |n, b| {
        cosines(n, b, &[0.42, -0.5, 0.08])
    }),
    row("HammingWindow", 17, |n, b| {
        cosines(n, b, &[25.0 / 46.0, -21.0 / 46.0])
    }),
    row("HannWindow", 17, |n, b| cosines(n, b, &[0.5, -0.5])),
];

/// A sum of cosines with these factors: of angle 0, of one turn over the window, of two, and so on. The last element of a window that is
/// not periodic is at the end of a turn, that of another one is a step before it.
fn cosines(n: &Node<'_>, b: &mut GraphBuilder, factors: &[f64]) -> Result<Vec<Value>> {
    n.check_inputs(1)?;
    let size = n.int(0, "the size")?;
    if size < 0 {
        return Err(format!("the size (input 0) is {size}"));
    }
    let element = of_onnx(n.attr_i64_or("output_datatype", 1)?)?;
    let steps = match n.attr_bool_or("periodic", true)? {
        true => size,
        false => size - 1,
    };
    let places = subscripts(b, 1, 0, size)?;
    let places = b.cast(&places, Element::F64)?;
    let mut sum = b.filled(Element::F64, &[size], 0.0);
    for (turns, &factor) in factors.iter().enumerate() {
        let angle = turns as f64 * TAU / steps.max(1) as f64;
        let angles = b.with_scalar("multiply", &places, angle)?;
        let cosine = b.unary("cos", &angles)?;
        let term = b.with_scalar("multiply", &cosine, factor)?;
        sum = b.binary("add", &sum, &term)?;
    }
    Ok(vec![b.cast(&sum, element)?])
}
