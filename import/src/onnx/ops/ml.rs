//! Operators of the domain ai.onnx.ml that compute with numbers.

mod features;
mod forest;
mod linear;
mod pairs;
mod scores;
mod trees;

use super::{
    reduce::{along, arg_along},
    row::{Row, row},
};
use crate::{
    graph::{
        attr::Param,
        builder::GraphBuilder,
        constant::{Const, Numbers},
        error::Result,
        value::Value,
    },
    onnx::node::Node,
};
use relay_dialects::{
    dim::{self, Dim},
    element::Element,
};

/// The domain, with which the names of its operators begin.
pub const DOMAIN: &str = "ai.onnx.ml";

/// The rows of all families.
pub const ROWS: [&[Row]; 5] = [OWN, features::ROWS, linear::ROWS, pairs::ROWS, trees::ROWS];

/// The rows of operators in this file.
const OWN: &[Row] = &[
    row("ai.onnx.ml.ArrayFeatureExtractor", 1, extract_features),
    row("ai.onnx.ml.Binarizer", 1, binarize),
    row("ai.onnx.ml.LabelEncoder", 1, encode_labels),
    row("ai.onnx.ml.ZipMap", 1, zip_map),
];

/// Whether numbers are above a threshold, in their own type.
fn binarize(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(1)?;
    let x = n.input(0)?;
    let threshold = n.attr_f32_or("threshold", 0.0)?;
    let is_above = b.with_scalar("greater", &x, threshold)?;
    Ok(vec![b.cast(&is_above, x.element())?])
}

/// A model returns no maps, so that the scores of which the node makes maps stay a matrix.
fn zip_map(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(1)?;
    let scores = n.input(0)?;
    let classes = match n.attr_ints("classlabels_int64s")? {
        Some(classes) => format!("{classes:?}"),
        None => format!(
            "{:?}",
            n.attr_strings("classlabels_strings")?.unwrap_or_default()
        ),
    };
    tracing::warn!(
        "{} (ZipMap): the output is the matrix of scores in the place of maps; its columns are the classes {classes}",
        b.node()
    );
    Ok(vec![scores])
}

/// Some columns; of a list, as a row.
fn extract_features(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(2)?;
    let (x, columns) = (n.input(0)?, n.input(1)?);
    let last = x
        .rank()
        .checked_sub(1)
        .ok_or("the input is a single number")?;
    let count = dim::product(columns.dims())?;
    let columns = b.reshape(&columns, &[count])?;
    let attrs = [
        ("axis", Param::Int(last as i64)),
        ("mode", Param::Str("clip")),
    ];
    let result = b.op("take", &[x, columns], &attrs)?;
    match last {
        0 => Ok(vec![b.reshape(&result, &[Dim::Known(1), count])?]),
        _ => Ok(vec![result]),
    }
}

/// The list of numbers in the attribute `<kind>_int64s`, `<kind>_floats` or `<kind>_tensor`.
fn list(n: &Node<'_>, kind: &str) -> Result<Const> {
    if let Some(ints) = n.attr_ints(&format!("{kind}_int64s"))? {
        return Ok(Const::ints(&ints));
    }
    if let Some(floats) = n.attr_floats(&format!("{kind}_floats"))? {
        let shape = vec![floats.len() as i64];
        let floats = floats.into_iter().map(f64::from).collect();
        return Ok(Const::new(Element::F32, shape, &Numbers::Floats(floats)));
    }
    match n.attr_tensor(&format!("{kind}_tensor"))? {
        Some(tensor) => Ok(tensor.reshaped(vec![tensor.count() as i64])),
        None => Err(format!(
            "it has no {kind} that are numbers; only those are supported"
        )),
    }
}

/// The value of a number that is no key.
fn default(n: &Node<'_>, element: Element) -> Result<Const> {
    if let Some(tensor) = n.attr_tensor("default_tensor")? {
        return Ok(tensor.reshaped(vec![]));
    }
    let (whole, float) = (
        n.attr_i64_or("default_int64", -1)?,
        n.attr_f32_or("default_float", -0.0)?,
    );
    let number = match element.is_float() {
        true => Numbers::Floats(vec![float]),
        false => Numbers::ints(&[whole]),
    };
    Ok(Const::new(element, vec![], &number))
}

/// The value of the last key that a number is equal to.
fn encode_labels(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(1)?;
    let x = n.input(0)?;
    let (keys, values) = (list(n, "keys")?, list(n, "values")?);
    if keys.element != x.element() {
        return Err(format!(
            "keys are of {}, the input is of {}",
            keys.element,
            x.element()
        ));
    }
    if keys.count() != values.count() || keys.count() == 0 {
        return Err(format!(
            "{} keys do not fit {} values",
            keys.count(),
            values.count()
        ));
    }
    let default = default(n, values.element)?;
    if default.element != values.element || default.count() != 1 {
        return Err(format!("the default is no number of {}", values.element));
    }
    let (keys, values, default) = (b.known(keys), b.known(values), b.known(default));
    let apart = b.reshape(&x, &[x.dims(), &[Dim::Known(1)]].concat())?;
    let mut is_key = b.binary("equal", &apart, &keys)?;
    if x.element().is_float() {
        let (no_number, no_key) = (b.unary("isnan", &apart)?, b.unary("isnan", &keys)?);
        let are_none = b.binary("logical_and", &no_number, &no_key)?;
        is_key = b.binary("logical_or", &is_key, &are_none)?;
    }
    let axis = x.rank();
    let found = along(b, "any", &is_key, (&[axis], false))?;
    let matches = b.cast(&is_key, Element::I8)?;
    let place = arg_along(b, "argmax", &matches, (axis, false), true)?;
    let value = b.taken(&values, &place, 0)?;
    Ok(vec![b.op("where", &[found, value, default], &[])?])
}
