//! Features made of others: scaled, normalised, filled in, put beside each other.

use super::super::{
    reduce::along,
    row::{Row, row},
    select::strided_slice,
};
use crate::{
    graph::{
        builder::GraphBuilder,
        constant::{Const, Numbers},
        error::Result,
        value::Value,
    },
    onnx::node::Node,
};
use relay_dialects::{dim::Dim, element::Element};

/// The family's rows.
pub const ROWS: &[Row] = &[
    row("ai.onnx.ml.FeatureVectorizer", 1, put_beside),
    row("ai.onnx.ml.Imputer", 1, impute),
    row("ai.onnx.ml.Normalizer", 1, normalize),
    row("ai.onnx.ml.OneHotEncoder", 1, encode_categories),
    row("ai.onnx.ml.Scaler", 1, scale),
];

/// A list of floats as a row of columns, or one for all.
pub(super) fn row_of(b: &GraphBuilder, numbers: &[f32], columns: i64) -> Result<Value> {
    if numbers.len() as i64 != columns && numbers.len() != 1 {
        return Err(format!(
            "{} numbers do not fit {columns} columns",
            numbers.len()
        ));
    }
    let shape = vec![numbers.len() as i64];
    let numbers = Numbers::Floats(numbers.iter().map(|number| f64::from(*number)).collect());
    Ok(b.known(Const::new(Element::F32, shape, &numbers)))
}

/// The extent of the last axis.
fn columns(x: &Value) -> Result<i64> {
    match x.rank().checked_sub(1) {
        Some(last) => x.extent(last),
        None => Err("the input is a single number".into()),
    }
}

/// (x - offset) * scale.
fn scale(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(1)?;
    let x = n.input(0)?;
    let columns = columns(&x)?;
    let mut result = b.cast(&x, Element::F32)?;
    for (op, name) in [("subtract", "offset"), ("multiply", "scale")] {
        if let Some(numbers) = n.attr_floats(name)? {
            let row = row_of(b, &numbers, columns)
                .map_err(|reason| format!("attribute '{name}': {reason}"))?;
            result = b.binary(op, &result, &row)?;
        }
    }
    Ok(vec![result])
}

/// Rows divided by their greatest number, the sum of their sizes, or the root of the sum of their squares; rows for which that is 0 stay.
fn normalize(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(1)?;
    let x = n.input(0)?;
    let last = x
        .rank()
        .checked_sub(1)
        .ok_or("the input is a single number")?;
    let x = b.cast(&x, Element::F32)?;
    let along_row = |b: &mut GraphBuilder, op, x: &Value| along(b, op, x, (&[last], true));
    let norm = match n.attr_str_or("norm", "MAX")?.as_str() {
        "MAX" => along_row(b, "max", &x)?,
        "L1" => {
            let sizes = b.unary("abs", &x)?;
            along_row(b, "sum", &sizes)?
        }
        "L2" => {
            let squares = b.binary("multiply", &x, &x)?;
            let sum = along_row(b, "sum", &squares)?;
            b.unary("sqrt", &sum)?
        }
        other => {
            return Err(format!(
                "attribute 'norm' is '{other}', expected MAX, L1 or L2"
            ));
        }
    };
    let is_zero = b.with_scalar("equal", &norm, 0.0)?;
    let one = b.scalar(Element::F32, 1.0);
    let norm = b.op("where", &[is_zero, one, norm], &[])?;
    Ok(vec![b.binary("divide", &x, &norm)?])
}

/// Other numbers in the place of one, which may be NaN.
fn impute(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(1)?;
    let x = n.input(0)?;
    let columns = columns(&x)?;
    let (replaced, values) = match x.element().is_float() {
        true => {
            let values = n.attr_floats("imputed_value_floats")?;
            let values = values.ok_or("attribute 'imputed_value_floats' is missing")?;
            n.ignore_attr("replaced_value_int64");
            n.ignore_attr("imputed_value_int64s");
            let values = values.into_iter().map(f64::from).collect();
            (
                n.attr_f32_or("replaced_value_float", 0.0)?,
                Numbers::Floats(values),
            )
        }
        false => {
            let values = n.attr_ints("imputed_value_int64s")?;
            let values = values.ok_or("attribute 'imputed_value_int64s' is missing")?;
            n.ignore_attr("replaced_value_float");
            n.ignore_attr("imputed_value_floats");
            let replaced = n.attr_i64_or("replaced_value_int64", 0)?;
            (replaced as f64, Numbers::ints(&values))
        }
    };
    let count = match &values {
        Numbers::Floats(values) => values.len(),
        Numbers::Ints(values) => values.len(),
    } as i64;
    if count != columns && count != 1 {
        return Err(format!(
            "{count} imputed numbers do not fit {columns} columns"
        ));
    }
    let values = b.known(Const::new(x.element(), vec![count], &values));
    let is_replaced = match replaced.is_nan() {
        true => b.unary("isnan", &x)?,
        false => b.with_scalar("equal", &x, replaced)?,
    };
    Ok(vec![b.op("where", &[is_replaced, values, x], &[])?])
}

/// The columns of all inputs beside each other, of each as many as an attribute says.
fn put_beside(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let inputs = n.variadic()?;
    let extents = n
        .attr_ints("inputdimensions")?
        .ok_or("attribute 'inputdimensions' is missing")?;
    if extents.len() != inputs.len() {
        return Err(format!(
            "attribute 'inputdimensions' has {} numbers for {} inputs",
            extents.len(),
            inputs.len()
        ));
    }
    let mut parts = Vec::new();
    for (x, &extent) in inputs.iter().zip(&extents) {
        let x = match *x.dims() {
            [columns] => b.reshape(x, &[Dim::Known(1), columns])?,
            [_, _] => x.clone(),
            _ => return Err(format!("an input has rank {}, expected 1 or 2", x.rank())),
        };
        let x = b.cast(&x, Element::F32)?;
        let columns = x.extent(1)?;
        if extent < 0 {
            return Err(format!("attribute 'inputdimensions' is {extents:?}"));
        }
        parts.push(match extent <= columns {
            true => strided_slice(b, &x, &[(1, 0, extent, 1)])?,
            false => {
                let zero = b.scalar(Element::F32, 0.0);
                let widths = [0, 0, 0, extent - columns];
                b.pad(&x, &zero, &widths, "constant")?
            }
        });
    }
    Ok(vec![b.concatenate(&parts, 1)?])
}

/// 1 at the place of the category that a number is, and 0 at all others. What is no category is 0 everywhere, also where an attribute asks
/// for an error.
fn encode_categories(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(1)?;
    if n.attr_strings("cats_strings")?.is_some() {
        return Err("the categories are strings; only numbers are supported".into());
    }
    n.ignore_attr("zeros");
    let categories = n
        .attr_ints("cats_int64s")?
        .ok_or("attribute 'cats_int64s' is missing")?;
    let x = n.input(0)?;
    let categories = b.known(Const::ints(&categories));
    // Floats are cut to integers, as in ONNX Runtime.
    let x = b.cast(&x, Element::I64)?;
    let apart = b.reshape(&x, &[x.dims(), &[Dim::Known(1)]].concat())?;
    let is_it = b.binary("equal", &apart, &categories)?;
    Ok(vec![b.cast(&is_it, Element::F32)?])
}
