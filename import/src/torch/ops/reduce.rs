//! Reductions, sums along axes, and order.

use super::{
    row::{Row, row, rows},
    unary::floats,
};
use crate::{
    compose::{
        reduce::{along, arg_along, log_sum_exp},
        shape::reshaped,
        subscript::compare,
    },
    graph::{attr::Param, builder::GraphBuilder, error::Result, value::Value},
    torch::{node::Node, promote::as_float},
};
use relay_dialects::{
    dim::{self, Dim},
    element::Element,
};

/// The family's rows.
pub const ROWS: &[Row] = &[
    row("all", |n, b| flags(n, b, "all")),
    row("amax", |n, b| extreme(n, b, "max")),
    row("amin", |n, b| extreme(n, b, "min")),
    rows("aminmax", |n, b| {
        Ok(vec![extreme(n, b, "min")?, extreme(n, b, "max")?])
    }),
    row("any", |n, b| flags(n, b, "any")),
    row("argmax", |n, b| arg(n, b, "argmax")),
    row("argmin", |n, b| arg(n, b, "argmin")),
    row("argsort", |n, b| {
        let (x, axis) = sorted_axis(n)?;
        n.ignore(&["stable"]);
        b.argsort(&x, axis, !n.bool_or("descending", false)?)
    }),
    row("count_nonzero", count_nonzero),
    row("cumprod", |n, b| running(n, b, "cumprod")),
    row("cumsum", |n, b| running(n, b, "cumsum")),
    row("linalg_vector_norm", vector_norm),
    row("logsumexp", logsumexp),
    row("max", |n, b| extreme(n, b, "max")),
    rows("max.dim", |n, b| extreme_and_place(n, b, ("max", "argmax"))),
    row("mean", mean),
    rows("kthvalue", |n, b| {
        let place = n.required_int("k")? - 1;
        ordered(n, b, |_| place)
    }),
    rows("median.dim", |n, b| {
        ordered(n, b, |extent| (extent - 1) / 2)
    }),
    row("min", |n, b| extreme(n, b, "min")),
    rows("min.dim", |n, b| extreme_and_place(n, b, ("min", "argmin"))),
    row("norm", norm),
    row("frobenius_norm", |n, b| {
        let (x, axes) = (n.tensor("self")?, axes(n, &n.tensor("self")?)?);
        let keep = n.bool_or("keepdim", false)?;
        norm_of(b, &x, 2.0, (&axes, keep))
    }),
    row("nanmean", |n, b| {
        let x = n.tensor("self")?;
        let is_nan = b.unary("isnan", &x)?;
        let is_number = b.unary("logical_not", &is_nan)?;
        let ones = b.cast(&is_number, x.element())?;
        let (sum, count) = (total_of_numbers(n, b)?, reduced(n, b, "sum", &ones)?);
        b.binary("divide", &sum, &count)
    }),
    row("nansum", total_of_numbers),
    row("prod", |n, b| total(n, b, "prod")),
    rows("sort", sort),
    row("msort", |n, b| {
        let x = n.tensor("self")?;
        let attrs = [("axis", Param::Int(0)), ("is_ascend", Param::Bool(true))];
        b.op("sort", &[x], &attrs)
    }),
    row("std", |n, b| {
        let variance = spread(n, b)?[0].clone();
        b.unary("sqrt", &variance)
    }),
    rows("std_mean", |n, b| {
        let [variance, mean] = spread(n, b)?;
        Ok(vec![b.unary("sqrt", &variance)?, mean])
    }),
    row("sum", |n, b| total(n, b, "sum")),
    rows("topk", topk),
    row("var", |n, b| Ok(spread(n, b)?[0].clone())),
    rows("var_mean", |n, b| Ok(spread(n, b)?.to_vec())),
    row("logcumsumexp", logcumsumexp),
    rows("cummax", |n, b| running_extreme(n, b, "max")),
    rows("cummin", |n, b| running_extreme(n, b, "min")),
    row("diff", diff),
    row("trace", trace),
];

/// The axes that `dim` names: all if it does not name any.
pub fn axes(n: &Node<'_>, x: &Value) -> Result<Vec<usize>> {
    let axes = n.ints("dim")?.unwrap_or_default();
    if axes.is_empty() || x.rank() == 0 {
        return Ok((0..x.rank()).collect());
    }
    let mut axes: Vec<usize> = axes
        .into_iter()
        .map(|axis| x.axis(axis))
        .collect::<Result<_>>()?;
    axes.sort_unstable();
    Ok(axes)
}

/// A reduction over the axes that a node names.
fn reduced(n: &Node<'_>, b: &mut GraphBuilder, op: &str, x: &Value) -> Result<Value> {
    let axes = axes(n, x)?;
    along(b, op, x, (&axes, n.bool_or("keepdim", false)?))
}

fn extreme(n: &Node<'_>, b: &mut GraphBuilder, op: &str) -> Result<Value> {
    let x = n.tensor("self")?;
    reduced(n, b, op, &x)
}

fn flags(n: &Node<'_>, b: &mut GraphBuilder, op: &str) -> Result<Value> {
    let x = n.tensor("self")?;
    let x = b.cast(&x, Element::Bool)?;
    reduced(n, b, op, &x)
}

/// A sum or a product: of whole numbers in 64 bits.
fn total(n: &Node<'_>, b: &mut GraphBuilder, op: &str) -> Result<Value> {
    let x = n.tensor("self")?;
    let element = match n.element("dtype")? {
        Some(element) => element,
        None if x.element().is_float() => x.element(),
        None => Element::I64,
    };
    let x = b.cast(&x, element)?;
    reduced(n, b, op, &x)
}

/// A sum in which what is no number counts as 0.
fn total_of_numbers(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let x = n.tensor("self")?;
    if !x.element().is_float() {
        return total(n, b, "sum");
    }
    let is_nan = b.unary("isnan", &x)?;
    let zero = b.scalar(x.element(), 0.0);
    let numbers = b.op("where", &[is_nan, zero, x.clone()], &[])?;
    let numbers = b.cast(&numbers, n.element("dtype")?.unwrap_or(x.element()))?;
    reduced(n, b, "sum", &numbers)
}

fn mean(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let x = n.tensor("self")?;
    let element = n.element("dtype")?.unwrap_or(x.element());
    let x = b.cast(&x, element)?;
    reduced(n, b, "mean", &x)
}

fn count_nonzero(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let x = n.tensor("self")?;
    let flags = b.cast(&x, Element::Bool)?;
    let ones = b.cast(&flags, Element::I64)?;
    reduced(n, b, "sum", &ones)
}

fn logsumexp(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let x = floats(n, b, "self")?;
    let axes = axes(n, &x)?;
    log_sum_exp(b, &x, (&axes, n.bool_or("keepdim", false)?))
}

/// The variance over some axes, and the mean. The number of elements is lessened by the correction.
fn spread(n: &Node<'_>, b: &mut GraphBuilder) -> Result<[Value; 2]> {
    let x = n.tensor("self")?;
    let axes = axes(n, &x)?;
    let keep = n.bool_or("keepdim", false)?;
    let correction = match n.has("unbiased") {
        true => f64::from(u8::from(n.bool_or("unbiased", true)?)),
        false => n.float_or("correction", 1.0)?,
    };
    let mean = along(b, "mean", &x, (&axes, true))?;
    let difference = b.binary("subtract", &x, &mean)?;
    let square = b.binary("multiply", &difference, &difference)?;
    let variance = match correction == 0.0 {
        true => along(b, "mean", &square, (&axes, keep))?,
        false => {
            let sum = along(b, "sum", &square, (&axes, keep))?;
            let count = axes
                .iter()
                .map(|axis| x.dims()[*axis])
                .collect::<Vec<Dim>>();
            let count = b.size(x.element(), dim::product(&count)?)?;
            let count = b.with_scalar("subtract", &count, correction)?;
            b.binary("divide", &sum, &count)?
        }
    };
    let mean = match keep {
        true => mean,
        false => b.reshape(&mean, variance.dims())?,
    };
    Ok([variance, mean])
}

fn arg(n: &Node<'_>, b: &mut GraphBuilder, op: &str) -> Result<Value> {
    let x = n.tensor("self")?;
    let keep = n.bool_or("keepdim", false)?;
    match n.int("dim")? {
        Some(axis) if x.rank() > 0 => {
            let axis = x.axis(axis)?;
            arg_along(b, op, &x, (axis, keep), false)
        }
        _ => {
            let flat = reshaped(b, &x, &[Dim::Known(-1)])?;
            let place = arg_along(b, op, &flat, (0, false), false)?;
            match keep {
                true => b.reshape(&place, &vec![Dim::Known(1); x.rank()]),
                false => Ok(place),
            }
        }
    }
}

fn extreme_and_place(
    n: &Node<'_>,
    b: &mut GraphBuilder,
    (op, place): (&str, &str),
) -> Result<Vec<Value>> {
    let x = n.tensor("self")?;
    let axis = x.axis(n.required_int("dim")?)?;
    let keep = n.bool_or("keepdim", false)?;
    let value = along(b, op, &x, (&[axis], keep))?;
    Ok(vec![value, arg_along(b, place, &x, (axis, keep), false)?])
}

/// The element at a place of the sorted elements of an axis, and where it was.
fn ordered(n: &Node<'_>, b: &mut GraphBuilder, place: impl Fn(i64) -> i64) -> Result<Vec<Value>> {
    let x = n.tensor("self")?;
    if x.rank() == 0 {
        n.ignore(&["dim", "keepdim", "k"]);
        return Ok(vec![x, b.scalar(Element::I64, 0.0)]);
    }
    let axis = x.axis(n.int_or("dim", -1)?)?;
    let keep = n.bool_or("keepdim", false)?;
    let order = b.argsort(&x, axis, true)?;
    let (extent, middle) = (x.extent(axis)?, place(x.extent(axis)?));
    if !(0..extent).contains(&middle) {
        return Err(format!(
            "axis {axis} of {:?} has no element {middle}",
            x.dims()
        ));
    }
    let place = crate::compose::slice::strided_slice(b, &order, &[(axis, middle, middle + 1, 1)])?;
    let value = b.op(
        "gather",
        &[x, place.clone()],
        &[("axis", Param::Int(axis as i64))],
    )?;
    if keep {
        return Ok(vec![value, place]);
    }
    let mut shape = value.dims().to_vec();
    shape.remove(axis);
    Ok(vec![b.reshape(&value, &shape)?, b.reshape(&place, &shape)?])
}

fn running(n: &Node<'_>, b: &mut GraphBuilder, op: &str) -> Result<Value> {
    let x = n.tensor("self")?;
    let element = match n.element("dtype")? {
        Some(element) => element,
        None if x.element().is_float() => x.element(),
        None => Element::I64,
    };
    let x = b.cast(&x, element)?;
    if x.rank() == 0 {
        n.ignore(&["dim"]);
        return Ok(x);
    }
    let axis = x.axis(n.required_int("dim")?)?;
    let attrs = [
        ("axis", Param::Int(axis as i64)),
        ("exclusive", Param::Bool(false)),
    ];
    b.op(op, &[x], &attrs)
}

fn logcumsumexp(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let x = n.tensor("self")?;
    let axis = x.axis(n.required_int("dim")?)?;
    let greatest = along(b, "max", &x, (&[axis], true))?;
    let shifted = b.binary("subtract", &x, &greatest)?;
    let exp = b.unary("exp", &shifted)?;
    let attrs = [
        ("axis", Param::Int(axis as i64)),
        ("exclusive", Param::Bool(false)),
    ];
    let sums = b.op("cumsum", &[exp], &attrs)?;
    let log = b.unary("log", &sums)?;
    b.binary("add", &log, &greatest)
}

/// The greatest or least element up to each one, and its place: that of the last such element. Each one is compared with all before it.
fn running_extreme(n: &Node<'_>, b: &mut GraphBuilder, op: &str) -> Result<Vec<Value>> {
    let x = n.tensor("self")?;
    let axis = x.axis(n.required_int("dim")?)?;
    let extent = x.dims()[axis];
    let mut order: Vec<usize> = (0..x.rank()).filter(|other| *other != axis).collect();
    order.push(axis);
    let moved = b.transpose(&x, &order)?;
    let mut shape = moved.dims().to_vec();
    shape.insert(shape.len() - 1, Dim::Known(1));
    let rows = b.reshape(&moved, &shape)?;
    let seen = compare(b, "less_equal", (extent, extent), 0)?;
    let (least, arg) = match op {
        "max" => (x.element().least(), "argmax"),
        _ => (x.element().greatest(), "argmin"),
    };
    let unseen = b.scalar(x.element(), least);
    let all = b.op("where", &[seen, rows, unseen], &[])?;
    let last = all.rank() - 1;
    let value = along(b, op, &all, (&[last], false))?;
    let place = arg_along(b, arg, &all, (last, false), true)?;
    let mut back: Vec<usize> = (0..axis).collect();
    back.push(x.rank() - 1);
    back.extend(axis..x.rank() - 1);
    Ok(vec![
        b.transpose(&value, &back)?,
        b.transpose(&place, &back)?,
    ])
}

fn vector_norm(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let x = n.tensor("self")?;
    let element = n.element("dtype")?.unwrap_or(as_float(x.element()));
    let x = b.cast(&x, element)?;
    let axes = axes(n, &x)?;
    let keep = n.bool_or("keepdim", false)?;
    norm_of(b, &x, n.float_or("ord", 2.0)?, (&axes, keep))
}

fn norm(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let x = n.tensor("self")?;
    let element = n.element("dtype")?.unwrap_or(as_float(x.element()));
    let x = b.cast(&x, element)?;
    let axes = axes(n, &x)?;
    let keep = n.bool_or("keepdim", false)?;
    norm_of(b, &x, n.float_or("p", 2.0)?, (&axes, keep))
}

/// The p-th root of the sum of the p-th powers of the sizes of elements.
pub fn norm_of(b: &mut GraphBuilder, x: &Value, p: f64, dims: (&[usize], bool)) -> Result<Value> {
    if p == 2.0 {
        let square = b.binary("multiply", x, x)?;
        let sum = along(b, "sum", &square, dims)?;
        return b.unary("sqrt", &sum);
    }
    let size = b.unary("abs", x)?;
    match p {
        f64::INFINITY => along(b, "max", &size, dims),
        f64::NEG_INFINITY => along(b, "min", &size, dims),
        1.0 => along(b, "sum", &size, dims),
        0.0 => {
            let is_there = b.with_scalar("not_equal", &size, 0.0)?;
            let ones = b.cast(&is_there, x.element())?;
            along(b, "sum", &ones, dims)
        }
        p => {
            let powers = b.with_scalar("power", &size, p)?;
            let sum = along(b, "sum", &powers, dims)?;
            b.with_scalar("power", &sum, 1.0 / p)
        }
    }
}

fn sorted_axis(n: &Node<'_>) -> Result<(Value, usize)> {
    let x = n.tensor("self")?;
    let axis = x.axis(n.int_or("dim", -1)?)?;
    Ok((x, axis))
}

fn sort(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let (x, axis) = sorted_axis(n)?;
    n.ignore(&["stable"]);
    let rises = !n.bool_or("descending", false)?;
    let attrs = [
        ("axis", Param::Int(axis as i64)),
        ("is_ascend", Param::Bool(rises)),
    ];
    let values = b.op("sort", std::slice::from_ref(&x), &attrs)?;
    Ok(vec![values, b.argsort(&x, axis, rises)?])
}

fn topk(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let (x, axis) = sorted_axis(n)?;
    n.ignore(&["sorted"]);
    let k = n.required_int("k")?;
    if k < 1 {
        return Err(format!("argument 'k' is {k}, expected at least 1"));
    }
    let attrs = [
        ("k", Param::Int(k)),
        ("axis", Param::Int(axis as i64)),
        ("ret_type", Param::Str("both")),
        ("is_ascend", Param::Bool(!n.bool_or("largest", true)?)),
        ("dtype", Param::Type(Element::I64)),
    ];
    b.ops("topk", &[x], &attrs)
}

/// How often differences are taken at most; each time is an operator.
const MOST_TIMES: i64 = 1 << 8;

/// The differences of neighbours, with what `prepend` and `append` put around them.
fn diff(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let mut x = n.tensor("self")?;
    let axis = x.axis(n.int_or("dim", -1)?)?;
    let times = n.int_or("n", 1)?;
    if !(0..=MOST_TIMES).contains(&times) {
        return Err(format!(
            "argument 'n' is {times}; up to {MOST_TIMES} is supported"
        ));
    }
    let before = n.optional_tensor("prepend")?;
    let behind = n.optional_tensor("append")?;
    if times > 0 && (before.is_some() || behind.is_some()) {
        let parts: Vec<Value> = before.into_iter().chain([x]).chain(behind).collect();
        x = b.concatenate(&parts, axis)?;
    }
    for _ in 0..times {
        let extent = x.dims()[axis];
        let later = crate::compose::slice::sliced(b, &x, &[(axis, Dim::Known(1), extent, 1)])?;
        let earlier = [(axis, Dim::Known(0), extent.minus(1)?.max(0)?, 1)];
        let earlier = crate::compose::slice::sliced(b, &x, &earlier)?;
        x = b.binary("subtract", &later, &earlier)?;
    }
    Ok(x)
}

fn trace(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let x = n.tensor("self")?;
    let [rows, columns] = x.dims()[..] else {
        return Err(format!(
            "the input has shape {:?}, expected a matrix",
            x.dims()
        ));
    };
    let on = compare(b, "equal", (rows, columns), 0)?;
    let zero = b.scalar(x.element(), 0.0);
    let kept = b.op("where", &[on, x, zero], &[])?;
    along(b, "sum", &kept, (&[0, 1], false))
}
