//! Tensors whose elements depend on their subscripts: ranges, diagonals, triangles, ones in the place of indices.

use super::{
    reduce::arg_along,
    row::{Row, row},
    select::strided_slice,
};
pub(super) use crate::compose::subscript::{
    compare, computed_places_of_list, from_start, one_axis, steps, subscripts,
};
use crate::compose::subscript::{
    computed_places, computed_range, known_places, known_range, open_range,
};
use crate::{
    graph::{
        builder::GraphBuilder,
        error::Result,
        value::{Value, normalize_axis},
    },
    onnx::{element::of_onnx, node::Node},
};
use relay_dialects::{
    dim::{self, Dim},
    element::Element,
};

/// The family's rows.
pub const ROWS: &[Row] = &[
    row("EyeLike", 9, eye_like),
    row("Hardmax", 1, flat_hardmax).until(12),
    row("Hardmax", 13, hardmax),
    row("NonZero", 9, non_zero),
    row("OneHot", 9, one_hot),
    row("Range", 11, range),
    row("Trilu", 14, trilu),
];

/// The subscripts of the elements that are not 0, one column for each. If the input is computed at run time, so is the number of columns.
fn non_zero(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(1)?;
    let x = n.input(0)?;
    match x.constant() {
        Some(known) => known_places(known, b).map(|places| vec![places]),
        None => computed_places(&x, b).map(|places| vec![places]),
    }
}

/// Ones on a diagonal of a matrix of the input's shape.
fn eye_like(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(1)?;
    let x = n.input(0)?;
    let [rows, columns] = x.dims()[..] else {
        return Err(format!("the input has rank {}, expected 2", x.rank()));
    };
    let element = match n.attr_i64("dtype")? {
        Some(dtype) => of_onnx(dtype)?,
        None => x.element(),
    };
    let ones = compare(b, "equal", (rows, columns), n.attr_i64_or("k", 0)?)?;
    Ok(vec![b.cast(&ones, element)?])
}

/// Keeps what is on the diagonal `k` of each matrix and above it, or below it; what is elsewhere becomes 0.
fn trilu(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(2)?;
    let x = n.input(0)?;
    let k = n.optional_int(1, "the diagonal")?.unwrap_or(0);
    let [.., rows, columns] = x.dims()[..] else {
        return Err(format!(
            "the input has rank {}, expected at least 2",
            x.rank()
        ));
    };
    let op = match n.attr_bool_or("upper", true)? {
        true => "greater_equal",
        false => "less_equal",
    };
    let kept = compare(b, op, (rows, columns), k)?;
    let zero = b.scalar(x.element(), 0.0);
    Ok(vec![b.op("where", &[kept, x, zero], &[])?])
}

/// Puts one value where the subscript of a new axis is the index, and another elsewhere. Negative indices count from the end.
fn one_hot(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(3)?;
    let (indices, values) = (n.input(0)?, n.input(2)?);
    let depth = depth(n, b)?;
    if values.dims() != [Dim::Known(2)] {
        return Err(format!(
            "the values have shape {:?}, expected two values",
            values.dims()
        ));
    }
    let rank = indices.rank() + 1;
    let axis = normalize_axis(n.attr_i64_or("axis", -1)?, rank)?;
    let indices = b.cast(&indices, Element::I64)?;
    let indices = from_start(b, &indices, depth)?;
    let mut shape = indices.dims().to_vec();
    shape.insert(axis, Dim::Known(1));
    let indices = b.reshape(&indices, &shape)?;
    let places = subscripts(b, rank, axis, depth)?;
    let is_hot = b.binary("equal", &indices, &places)?;
    let mut value = |place| {
        let one = strided_slice(b, &values, &[(0, place, place + 1, 1)])?;
        b.reshape_to_scalar(&one)
    };
    let (off, on) = (value(0)?, value(1)?);
    Ok(vec![b.op("where", &[is_hot, on, off], &[])?])
}

/// The depth of `OneHot`, which may be a float: its fraction is dropped.
fn depth(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Dim> {
    let what = "the depth";
    let given = n.input(1)?;
    if !given.is_known() {
        return match n.sizes(b, 1, what)?[..] {
            [depth] => Ok(depth),
            ref other => Err(format!("{what} is {other:?}, expected one number")),
        };
    }
    let depth = match given.elements() {
        Some([form]) if !form.is_known() => *form,
        _ => match n.floats(1, what)?[..] {
            [depth] => Dim::Known(depth as i64),
            ref other => return Err(format!("{what} is {other:?}, expected one number")),
        },
    };
    dim::at_most(Dim::Known(0), depth).ok_or_else(|| format!("{what} is {depth}"))?;
    Ok(depth)
}

fn hardmax(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(1)?;
    let x = n.input(0)?;
    let axis = x.axis(n.attr_i64_or("axis", -1)?)?;
    Ok(vec![first_greatest(b, &x, axis)?])
}

/// Before opset 13 the input is seen as a matrix whose columns start at `axis`.
fn flat_hardmax(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(1)?;
    let x = n.input(0)?;
    let axis = x.axis(n.attr_i64_or("axis", 1)?)?;
    let flat = b.matrix(&x, axis)?;
    let result = first_greatest(b, &flat, 1)?;
    Ok(vec![b.reshape(&result, x.dims())?])
}

/// Puts 1 at the first of the greatest elements along an axis, and 0 elsewhere.
fn first_greatest(b: &mut GraphBuilder, x: &Value, axis: usize) -> Result<Value> {
    if x.is_empty() {
        return Ok(x.clone());
    }
    let place = arg_along(b, "argmax", x, (axis, true), false)?;
    let place = b.cast(&place, Element::I64)?;
    let places = subscripts(b, x.rank(), axis, x.dims()[axis])?;
    let is_first = b.binary("equal", &places, &place)?;
    b.cast(&is_first, x.element())
}

/// The numbers from a start to before a limit.
fn range(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(3)?;
    let inputs = [n.input(0)?, n.input(1)?, n.input(2)?];
    // The quotient by a step that is a form is no form.
    if !inputs.iter().all(Value::is_known) || inputs[2].elements().is_some() {
        return Ok(vec![computed_range(b, &inputs)?]);
    }
    Ok(vec![match open_range(&inputs, b)? {
        Some(open) => open,
        None => {
            let ends = [
                n.constant(0, "the start")?,
                n.constant(1, "the limit")?,
                n.constant(2, "the step")?,
            ];
            known_range(b, ends.each_ref())?
        }
    }])
}
