//! Conversions of operators, by family. Each file has a table of rows and the functions in it.

mod activation;
mod appended;
mod attention;
mod block_scales;
mod causal;
mod computed;
mod constant;
mod control;
mod conv;
mod counted;
mod cumulative;
mod custom;
mod deform;
mod detection;
mod determinant;
mod einsum;
mod experimental;
mod flex_attention;
mod fold;
mod gather;
mod grams;
mod grid;
mod linear;
mod linear_attention;
mod loops;
mod loss;
mod math;
mod microsoft;
mod ml;
mod norm;
mod optional;
mod pool;
mod quantize;
mod random;
mod recurrent;
mod reduce;
mod refused;
mod region;
mod resize;
mod row;
mod scan;
mod scatter;
mod select;
mod sequence;
mod shape;
mod signal;
mod sort;
mod steps;
mod subscript;
mod training;
mod unique;
mod unpool;
mod until;
mod window;

use self::row::Row;
pub use self::{refused::REFUSED, row::Convert};
use super::{
    proto,
    structure::{full_name, is_default_domain},
};
use crate::graph::error::Result;

/// The domains, beside ONNX's own, of which operators are known.
const DOMAINS: [&str; 4] = [
    flex_attention::DOMAIN,
    microsoft::DOMAIN,
    ml::DOMAIN,
    training::DOMAIN,
];

/// All rows.
pub fn rows() -> impl Iterator<Item = &'static Row> {
    [
        activation::ROWS,
        attention::ROWS,
        causal::ROWS,
        constant::ROWS,
        control::ROWS,
        conv::ROWS,
        cumulative::ROWS,
        deform::ROWS,
        detection::ROWS,
        determinant::ROWS,
        einsum::ROWS,
        experimental::ROWS,
        flex_attention::ROWS,
        fold::ROWS,
        gather::ROWS,
        grams::ROWS,
        grid::ROWS,
        linear::ROWS,
        linear_attention::ROWS,
        loss::ROWS,
        math::ROWS,
        norm::ROWS,
        optional::ROWS,
        pool::ROWS,
        quantize::ROWS,
        random::ROWS,
        recurrent::ROWS,
        reduce::ROWS,
        region::ROWS,
        resize::ROWS,
        scatter::ROWS,
        select::ROWS,
        sequence::ROWS,
        shape::ROWS,
        signal::ROWS,
        sort::ROWS,
        subscript::ROWS,
        training::ROWS,
        unique::ROWS,
        unpool::ROWS,
    ]
    .into_iter()
    .chain(microsoft::ROWS)
    .chain(ml::ROWS)
    .flatten()
}

/// The conversion of a node's operator, in a model of a version of ONNX's operator set.
///
/// # Errors
/// Why there is none.
pub fn conversion(node: &proto::Node, opset: i64) -> Result<Convert> {
    if let Some(outside) = custom::conversion(node) {
        return Ok(outside);
    }
    let is_known = DOMAINS.contains(&node.domain.as_str());
    match is_default_domain(&node.domain) || is_known {
        true => find(&full_name(node), node.opset_in(opset)),
        false => Err(format!(
            "operators of domain '{}' are not supported, and none is registered for this one: load the plugin that declares it \
             (--load-operators), or declare it with relay_mlir.register_op",
            node.domain
        )),
    }
}

/// The conversion of an operator, with its domain if that is not ONNX's own, at a version of ONNX's operator set.
///
/// # Errors
/// Why there is none.
pub fn find(operator: &str, opset: i64) -> Result<Convert> {
    let mut ranges = Vec::new();
    for row in rows().filter(|row| row.operator == operator) {
        if row.since <= opset && row.until.is_none_or(|until| opset <= until) {
            return Ok(row.convert);
        }
        ranges.push(match row.until {
            Some(until) => format!("{} to {until}", row.since),
            None => format!("{} on", row.since),
        });
    }
    if ranges.is_empty() {
        return Err(match refused::reason(operator) {
            Some(reason) => format!("the operator is not supported: {reason}"),
            None => "the operator is not supported".into(),
        });
    }
    Err(format!(
        "the model uses opset {opset}; the operator is supported from opset {}",
        ranges.join(" and from ")
    ))
}
