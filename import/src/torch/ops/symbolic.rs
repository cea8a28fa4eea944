//! Numbers beside tensors: extents, and arithmetic on them.

use super::row::{Row, number, rows};
use crate::{
    graph::{builder::GraphBuilder, error::Result},
    torch::{
        item::{Item, Number, Operand},
        node::Node,
        promote::{of_number, result_type},
    },
};
use relay_dialects::{dim, dim::Dim, element::Element};

/// The family's rows.
pub const ROWS: &[Row] = &[
    rows("_assert_async", nothing),
    rows("_assert_scalar", nothing),
    rows("_assert_tensor_metadata", nothing),
    rows("_functional_assert_async", nothing),
    rows("sym_constrain_range", nothing),
    rows("sym_constrain_range_for_size", nothing),
    number("_local_scalar_dense", item),
    number("item", item),
    number("sym_numel", |n, _| {
        Ok(Item::Dim(dim::product(n.tensor("self")?.dims())?))
    }),
    number("numel", |n, _| {
        Ok(Item::Dim(dim::product(n.tensor("self")?.dims())?))
    }),
    number("size.int", |n, _| {
        let x = n.tensor("self")?;
        let axis = x.axis(n.required_int("dim")?)?;
        Ok(Item::Dim(x.dims()[axis]))
    }),
    number("sym_size", |n, _| {
        let x = n.tensor("self")?;
        let axis = x.axis(n.required_int("dim")?)?;
        Ok(Item::Dim(x.dims()[axis]))
    }),
    number("_operator.add", |n, b| {
        of_dims(n, b, "add", |x, y| x.plus(y))
    }),
    number("_operator.sub", |n, b| {
        of_dims(n, b, "subtract", |x, y| x.minus(y))
    }),
    number("_operator.mul", |n, b| {
        of_dims(n, b, "multiply", |x, y| x.times(y))
    }),
    number("_operator.floordiv", |n, b| {
        of_dims(n, b, "floor_divide", |x, y| x.floor_div(y))
    }),
    number("_operator.mod", |n, b| {
        of_dims(n, b, "floor_mod", remainder)
    }),
    number("_operator.pow", power),
    number("_operator.neg", |n, b| match n.nth(0)? {
        Number::Int(number) => Ok(Item::Dim(Dim::Known(-number))),
        Number::Computed(Item::Dim(dim)) => Ok(Item::Dim(Dim::Known(0).minus(dim)?)),
        other => rounded(b, &other, "negative", Element::F64),
    }),
    number("_operator.truediv", |n, b| arithmetic(n, b, "divide", true)),
    number("_operator.eq", |n, b| arithmetic(n, b, "equal", false)),
    number("_operator.ne", |n, b| arithmetic(n, b, "not_equal", false)),
    number("_operator.lt", |n, b| arithmetic(n, b, "less", false)),
    number("_operator.le", |n, b| arithmetic(n, b, "less_equal", false)),
    number("_operator.gt", |n, b| arithmetic(n, b, "greater", false)),
    number("_operator.ge", |n, b| {
        arithmetic(n, b, "greater_equal", false)
    }),
    number("_operator.and_", |n, b| {
        arithmetic(n, b, "logical_and", false)
    }),
    number("_operator.or_", |n, b| {
        arithmetic(n, b, "logical_or", false)
    }),
    number(concat!("math", ".ceil"), |n, b| {
        rounded(b, &n.nth(0)?, "ceil", Element::I64)
    }),
    number(concat!("math", ".floor"), |n, b| {
        rounded(b, &n.nth(0)?, "floor", Element::I64)
    }),
    number(concat!("math", ".trunc"), |n, b| {
        rounded(b, &n.nth(0)?, "trunc", Element::I64)
    }),
    number(concat!("math", ".sqrt"), |n, b| {
        rounded(b, &n.nth(0)?, "sqrt", Element::F64)
    }),
    number("torch.sym_float", |n, b| {
        rounded(b, &n.nth(0)?, "", Element::F64)
    }),
    number("torch.sym_int", |n, b| {
        rounded(b, &n.nth(0)?, "trunc", Element::I64)
    }),
    number("torch.sym_ite", choice),
    number("torch.sym_max", |n, b| {
        of_dims(n, b, "maximum", |x, y| x.max(y))
    }),
    number("torch.sym_min", |n, b| {
        of_dims(n, b, "minimum", |x, y| x.min(y))
    }),
    number("torch.sym_not", |n, b| {
        let flag = n.nth(0)?.cast(b, Element::Bool)?;
        Ok(Item::Number(b.unary("logical_not", &flag)?))
    }),
    number("torch.sym_sqrt", |n, b| {
        rounded(b, &n.nth(0)?, "sqrt", Element::F64)
    }),
    number("torch._sym_sqrt", |n, b| {
        rounded(b, &n.nth(0)?, "sqrt", Element::F64)
    }),
    number("torch.sym_sum", |n, b| {
        let terms = n.nth_dims(b, 0)?;
        Ok(Item::Dim(dim::sum(&terms)?))
    }),
];

/// What is checked while a model is exported, or when PyTorch runs it.
fn nothing(n: &Node<'_>, _: &mut GraphBuilder) -> Result<Vec<crate::graph::value::Value>> {
    n.ignore_all();
    Ok(Vec::new())
}

/// The one number of a tensor.
fn item(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Item> {
    let x = n.tensor("self")?;
    let x = b.reshape_to_scalar(&x)?;
    let element = match x.element() {
        Element::Bool => Element::Bool,
        element if element.is_float() => Element::F64,
        _ => Element::I64,
    };
    Ok(Item::Number(b.cast(&x, element)?))
}

/// An extent, if the number is one.
fn extent(number: &Number) -> Option<Dim> {
    match number {
        Number::Int(number) => Some(Dim::Known(*number)),
        Number::Computed(Item::Dim(dim)) => Some(*dim),
        _ => None,
    }
}

/// Of two extents as forms, else as numbers.
fn of_dims(
    n: &Node<'_>,
    b: &mut GraphBuilder,
    op: &str,
    of: fn(Dim, Dim) -> Result<Dim>,
) -> Result<Item> {
    let (x, y) = (n.nth(0)?, n.nth(1)?);
    match (extent(&x), extent(&y)) {
        (Some(x), Some(y)) if op == "floor_divide" && (x.known() < Some(0) && x.is_known()) => {
            let (Some(x), Some(y)) = (x.known(), y.known()) else {
                return Err("a quotient of a negative number is not supported".into());
            };
            let quotient = x.checked_div_euclid(y).filter(|_| y > 0);
            quotient
                .map(|quotient| Item::Dim(Dim::Known(quotient)))
                .ok_or_else(|| "a division by zero".into())
        }
        (Some(x), Some(y)) => of(x, y).map(Item::Dim),
        _ => arithmetic(n, b, op, false),
    }
}

fn remainder(x: Dim, y: Dim) -> Result<Dim> {
    let quotient = x.floor_div(y)?;
    x.minus(quotient.times(y)?)
}

fn power(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Item> {
    let (x, y) = (n.nth(0)?, n.nth(1)?);
    if let (Some(x), Number::Int(count @ 0..=8)) = (extent(&x), &y) {
        let mut power = Dim::Known(1);
        for _ in 0..*count {
            power = power.times(x)?;
        }
        return Ok(Item::Dim(power));
    }
    let (x, y) = (x.cast(b, Element::F64)?, y.cast(b, Element::F64)?);
    Ok(Item::Number(b.binary("power", &x, &y)?))
}

/// Of two numbers, in doubles where one is a float.
fn arithmetic(n: &Node<'_>, b: &mut GraphBuilder, op: &str, in_floats: bool) -> Result<Item> {
    let (x, y) = (n.nth(0)?, n.nth(1)?);
    let both = [Operand::Number(x.clone()), Operand::Number(y.clone())];
    let element = match result_type(&[&both[0], &both[1]]) {
        element if element.is_float() || in_floats => Element::F64,
        element => element,
    };
    let (x, y) = (x.cast(b, element)?, y.cast(b, element)?);
    let result = b.binary(op, &x, &y)?;
    Ok(whole(result))
}

/// A number that is known to be an extent counts as one.
fn whole(value: crate::graph::value::Value) -> Item {
    let known = value
        .constant()
        .and_then(crate::graph::constant::Const::to_ints);
    match (value.element(), known.as_deref(), value.elements()) {
        (Element::I64, Some([number]), _) => Item::Dim(Dim::Known(*number)),
        (Element::I64, _, Some([form])) => Item::Dim(*form),
        _ => Item::Number(value),
    }
}

/// A function of one number, as another type.
fn rounded(b: &mut GraphBuilder, number: &Number, op: &str, to: Element) -> Result<Item> {
    let is_whole = !of_number(number).is_float();
    let value = number.cast(b, Element::F64)?;
    let value = match op {
        "" => value,
        "ceil" | "floor" | "trunc" if is_whole => value,
        op => b.unary(op, &value)?,
    };
    Ok(whole(b.cast(&value, to)?))
}

fn choice(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Item> {
    let condition = n.nth(0)?.cast(b, Element::Bool)?;
    let (yes, no) = (
        n.nth(1)?.cast(b, Element::I64)?,
        n.nth(2)?.cast(b, Element::I64)?,
    );
    Ok(whole(b.op("where", &[condition, yes, no], &[])?))
}
