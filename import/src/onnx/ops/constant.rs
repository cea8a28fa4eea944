//! Constants.

use super::row::{Row, row};
use crate::{
    graph::{
        attr::Param,
        builder::GraphBuilder,
        constant::{Const, Numbers, check_dims},
        error::Result,
        value::Value,
    },
    onnx::node::Node,
};
use relay_dialects::element::Element;

/// The family's rows.
pub const ROWS: &[Row] = &[
    row("Constant", 1, constant),
    row("ConstantOfShape", 9, constant_of_shape),
];

fn constant(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(0)?;
    let floats = |values: &[f32]| Numbers::Floats(values.iter().map(|&v| f64::from(v)).collect());
    let value = if let Some(tensor) = n.attr_tensor("value")? {
        tensor
    } else if let Some(value) = n.attr_f32("value_float")? {
        Const::new(Element::F32, vec![], &floats(&[value]))
    } else if let Some(values) = n.attr_floats("value_floats")? {
        Const::new(Element::F32, vec![values.len() as i64], &floats(&values))
    } else if let Some(value) = n.attr_i64("value_int")? {
        Const::new(Element::I64, vec![], &Numbers::ints(&[value]))
    } else if let Some(values) = n.attr_ints("value_ints")? {
        Const::ints(&values)
    } else {
        return Err(
            "it holds none of value, value_float(s) and value_int(s); sparse values and strings \
             are not supported"
                .into(),
        );
    };
    Ok(vec![b.known(value)])
}

fn constant_of_shape(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(1)?;
    let dims = n.sizes(b, 0, "the shape")?;
    check_dims(&dims)?;
    let (element, numbers) = match n.attr_tensor("value")? {
        Some(value) if value.count() == 1 => (value.element, value.numbers()),
        Some(value) => {
            return Err(format!(
                "attribute 'value' has shape {:?}, expected one element",
                value.shape
            ));
        }
        None => (Element::F32, Numbers::Floats(vec![0.0])),
    };
    let shape: Option<Vec<i64>> = dims.iter().map(|dim| dim.known()).collect();
    if let Some(shape) = shape {
        return Ok(vec![b.known(Const::splat(element, shape, &numbers))]);
    }
    let fill = b.known(Const::new(element, vec![], &numbers));
    let attrs = [("shape", Param::Dims(dims))];
    Ok(vec![b.op("full", &[fill], &attrs)?])
}
