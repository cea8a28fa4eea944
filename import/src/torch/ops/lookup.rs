//! Elements that are looked up among others.

use super::row::{Row, row, rows};
use crate::{
    compose::{
        reduce::along,
        segment::distinct,
        shape::reshaped,
        subscript::{from_start, subscripts},
    },
    graph::{attr::Param, builder::GraphBuilder, error::Result, value::Value},
    torch::{item::Operand, node::Node, promote::result_type},
};
use relay_dialects::{dim::Dim, element::Element};

/// The family's rows.
pub const ROWS: &[Row] = &[
    row("bucketize", |n, b| {
        searchsorted(n, b, ["boundaries", "self"])
    }),
    row("isin", isin),
    row("one_hot", one_hot),
    rows("_unique2", unique),
    row("searchsorted", |n, b| {
        searchsorted(n, b, ["sorted_sequence", "self"])
    }),
];

/// The elements without repetition; for each element which of them it is; and how often each is there.
fn unique(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.ignore(&["sorted", "return_inverse", "return_counts"]);
    let x = n.tensor("self")?;
    let flat = reshaped(b, &x, &[Dim::Known(-1)])?;
    // PyTorch sorts them on the CPU, whether it is asked to or not.
    let [values, inverse, counts] = distinct(b, &flat, true)?;
    let inverse = b.cast(&inverse, Element::I64)?;
    let inverse = b.reshape(&inverse, x.dims())?;
    Ok(vec![values, inverse, b.cast(&counts, Element::I64)?])
}

fn one_hot(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let indices = n.tensor("self")?;
    let depth = n.int_or("num_classes", -1)?;
    if depth < 0 {
        return Err(
            "argument 'num_classes' is missing: the number of classes depends on data".into(),
        );
    }
    let rank = indices.rank() + 1;
    let mut shape = indices.dims().to_vec();
    shape.push(Dim::Known(1));
    let indices = b.cast(&indices, Element::I64)?;
    let indices = from_start(b, &indices, depth)?;
    let indices = b.reshape(&indices, &shape)?;
    let places = subscripts(b, rank, rank - 1, depth)?;
    let is_hot = b.binary("equal", &indices, &places)?;
    b.cast(&is_hot, Element::I64)
}

/// Whether elements are among those of another tensor: each is compared with all.
fn isin(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    n.ignore(&["assume_unique"]);
    let elements = n.operand("elements").or_else(|_| n.operand("element"))?;
    let tests = n
        .operand("test_elements")
        .or_else(|_| n.operand("test_element"))?;
    let element = result_type(&[&elements, &tests]);
    let (x, tests) = (elements.cast(b, element)?, tests.cast(b, element)?);
    let mut shape = x.dims().to_vec();
    shape.push(Dim::Known(1));
    let rows = b.reshape(&x, &shape)?;
    let tests = reshaped(b, &tests, &[Dim::Known(-1)])?;
    let equal = b.binary("equal", &rows, &tests)?;
    let found = along(b, "any", &equal, (&[x.rank()], false))?;
    match n.bool_or("invert", false)? {
        true => b.unary("logical_not", &found),
        false => Ok(found),
    }
}

/// Where values would stand in a sorted list.
fn searchsorted(n: &Node<'_>, b: &mut GraphBuilder, [list, values]: [&str; 2]) -> Result<Value> {
    n.ignore(&["sorter"]);
    let (list, values) = (n.tensor(list)?, n.operand(values)?);
    let both = [&Operand::Tensor(list.clone()), &values];
    let element = result_type(&both);
    let (list, values) = (b.cast(&list, element)?, values.cast(b, element)?);
    let is_right = n.bool_or("right", false)? || n.text("side")? == Some("right");
    let dtype = match n.bool_or("out_int32", false)? {
        true => Element::I32,
        false => Element::I64,
    };
    let attrs = [
        ("right", Param::Bool(is_right)),
        ("dtype", Param::Type(dtype)),
    ];
    b.op("searchsorted", &[list, values], &attrs)
}
