//! Complex numbers: what makes them and reads them, and what operators of real numbers do with them.

use super::{
    alias,
    row::{Row, complex},
    shape::swapped,
};
use crate::{
    compose::{
        complex::{
            Complex, angle, compare, cos, divide, exp, hyperbolic, log, multilinear, multiply,
            polar, power, reciprocal, sin, sqrt, tanh,
        },
        fourier::Signal,
        linear::{linear_of, product},
    },
    graph::{builder::GraphBuilder, error::Result, value::Value},
    torch::{
        item::{Item, Operand},
        node::Node,
        promote::{as_float, result_type},
    },
};

/// The family's rows: operators that read or make complex numbers, whatever their arguments are.
pub const ROWS: &[Row] = &[
    complex("_conj", conjugate),
    complex("_conj_physical", conjugate),
    complex("angle", angles),
    complex("complex", |n, _| {
        let (real, imaginary) = (n.tensor("real")?, n.tensor("imag")?);
        Ok(Complex { real, imaginary }.into())
    }),
    complex("conj", conjugate),
    complex("conj_physical", conjugate),
    complex("imag", |n, b| Ok(n.numbers(b, "self")?.imaginary.into())).view(alias::unwritten),
    complex("mH", adjoint).view(alias::unwritten),
    complex("polar", |n, b| {
        Ok(polar(b, &n.tensor("abs")?, &n.tensor("angle")?)?.into())
    }),
    complex("real", |n, _| Ok(n.signal("self")?.real().clone().into())).view(alias::unwritten),
    complex("view_as_complex", of_pairs).view(alias::unwritten),
    complex("view_as_complex_copy", of_pairs),
    complex("view_as_real", pairs).view(alias::unwritten),
    complex("view_as_real_copy", pairs),
];

/// What operators do with complex numbers that do something else with real ones.
const OF_COMPLEX: &[Row] = &[
    complex("abs", |n, b| Ok(n.numbers(b, "self")?.abs(b)?.into())),
    complex("absolute", |n, b| Ok(n.numbers(b, "self")?.abs(b)?.into())),
    complex("addcmul", |n, b| third(n, b, multiply)),
    complex("addcdiv", |n, b| third(n, b, divide)),
    complex("addmm", |n, b| added(n, b, ["mat1", "mat2"])),
    complex("addmv", |n, b| added(n, b, ["mat", "vec"])),
    complex("adjoint", adjoint),
    complex("baddbmm", |n, b| added(n, b, ["batch1", "batch2"])),
    complex("cos", |n, b| unary(n, b, cos)),
    complex("cosh", |n, b| unary(n, b, |b, x| hyperbolic(b, x, true))),
    complex("div", quotient),
    complex("divide", quotient),
    complex("eq", |n, b| compared(n, b, "equal", "logical_and")),
    complex("exp", |n, b| unary(n, b, exp)),
    complex("isfinite", |n, b| asked(n, b, "isfinite", "logical_and")),
    complex("isinf", |n, b| asked(n, b, "isinf", "logical_or")),
    complex("isnan", |n, b| asked(n, b, "isnan", "logical_or")),
    complex("linear", linear),
    complex("log", |n, b| unary(n, b, log)),
    complex("ne", |n, b| compared(n, b, "not_equal", "logical_or")),
    complex("not_equal", |n, b| {
        compared(n, b, "not_equal", "logical_or")
    }),
    complex("pow", |n, b| {
        let [x, exponent] = pair(n, b, ["self", "exponent"])?;
        let known = (exponent.real.scalar(), exponent.imaginary.scalar());
        let power = match known {
            (Some(1.0), Some(0.0)) => x,
            (Some(2.0), Some(0.0)) => multiply(b, &x, &x)?,
            _ => power(b, &x, &exponent)?,
        };
        Ok(power.into())
    }),
    complex("reciprocal", |n, b| unary(n, b, reciprocal)),
    complex("rsqrt", |n, b| {
        unary(n, b, |b, x| {
            let root = sqrt(b, x)?;
            reciprocal(b, &root)
        })
    }),
    complex("sgn", |n, b| unary(n, b, |b, x| x.sign(b))),
    complex("sigmoid", |n, b| {
        unary(n, b, |b, x| {
            let opposite = x.each(|part| b.unary("negative", part))?;
            let power = exp(b, &opposite)?;
            let real = b.with_scalar("add", &power.real, 1.0)?;
            reciprocal(b, &Complex { real, ..power })
        })
    }),
    complex("sin", |n, b| unary(n, b, sin)),
    complex("sinh", |n, b| unary(n, b, |b, x| hyperbolic(b, x, false))),
    complex("sqrt", |n, b| unary(n, b, sqrt)),
    complex("square", |n, b| unary(n, b, |b, x| multiply(b, x, x))),
    complex("tanh", |n, b| unary(n, b, tanh)),
    complex("true_divide", quotient),
    complex("vdot", |n, b| {
        let (x, y) = (n.item("self")?, n.item("other")?);
        let x = match x {
            Item::Complex(x) => x.conjugate(b)?.into(),
            real => real,
        };
        of_two(b, [x, y], product)
    }),
];

/// The row of an operator for complex numbers, if it has one of its own.
pub fn of_complex(name: &str) -> Option<&'static Row> {
    OF_COMPLEX.iter().find(|row| row.name == name)
}

/// The operands in the complex type that both have together.
fn pair(n: &Node<'_>, b: &mut GraphBuilder, names: [&str; 2]) -> Result<[Complex; 2]> {
    let operands = [n.operand_parts(names[0])?, n.operand_parts(names[1])?];
    let all: Vec<&Operand> = operands.iter().map(|(real, _)| real).collect();
    let element = as_float(result_type(&all));
    let [x, y] = operands.map(|(real, imaginary)| {
        let real = real.cast(b, element)?;
        match imaginary {
            Some(imaginary) => Ok(Complex {
                real,
                imaginary: imaginary.cast(b, element)?,
            }),
            None => Complex::of_real(b, real),
        }
    });
    Ok([x?, y?])
}

fn unary(
    n: &Node<'_>,
    b: &mut GraphBuilder,
    function: impl Fn(&mut GraphBuilder, &Complex) -> Result<Complex>,
) -> Result<Item> {
    let x = n.numbers(b, "self")?;
    Ok(function(b, &x)?.into())
}

fn quotient(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Item> {
    if let Some(mode) = n.text("rounding_mode")? {
        return Err(format!("complex quotients have no rounding mode '{mode}'"));
    }
    let is_real = n.operand_parts("other")?.1.is_none();
    let [x, y] = pair(n, b, ["self", "other"])?;
    let quotient = match is_real {
        true => x.each(|part| b.binary("divide", part, &y.real))?,
        false => divide(b, &x, &y)?,
    };
    Ok(quotient.into())
}

/// Whether numbers are equal, or not.
fn compared(n: &Node<'_>, b: &mut GraphBuilder, op: &str, both: &str) -> Result<Item> {
    let [x, y] = pair(n, b, ["self", "other"])?;
    Ok(compare(b, [&x, &y], op, both)?.into())
}

/// A question about each part, and what is said of both.
fn asked(n: &Node<'_>, b: &mut GraphBuilder, op: &str, both: &str) -> Result<Item> {
    let x = n.numbers(b, "self")?;
    let (real, imaginary) = (b.unary(op, &x.real)?, b.unary(op, &x.imaginary)?);
    Ok(b.binary(both, &real, &imaginary)?.into())
}

fn conjugate(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Item> {
    Ok(match n.item("self")? {
        Item::Complex(x) => x.conjugate(b)?.into(),
        real => real,
    })
}

/// The angles with the positive numbers. A number that is no number has none.
fn angles(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Item> {
    if let Signal::Complex(x) = n.signal("self")? {
        return Ok(x.angle(b)?.into());
    }
    let x = n.tensor("self")?;
    let x = b.cast(&x, as_float(x.element()))?;
    let zero = b.full(x.element(), x.dims(), 0.0)?;
    let angle = angle(b, &zero, &x)?;
    let is_none = b.unary("isnan", &x)?;
    Ok(b.op("where", &[is_none, x, angle], &[])?.into())
}

/// The conjugates of matrices, turned.
fn adjoint(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Item> {
    let x = n.signal("self")?;
    if x.real().rank() < 2 {
        return Err(format!("shape {:?} is of no matrix", x.real().dims()));
    }
    match x.each(|part| swapped(b, part, -1, -2))? {
        Signal::Real(real) => Ok(real.into()),
        Signal::Complex(turned) => Ok(turned.conjugate(b)?.into()),
    }
}

fn of_pairs(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Item> {
    Ok(Complex::of_pairs(b, &n.tensor("self")?)?.into())
}

fn pairs(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Item> {
    match n.signal("self")? {
        Signal::Complex(x) => Ok(x.pairs(b)?.into()),
        Signal::Real(_) => Err("argument 'self' is not complex".into()),
    }
}

/// What a function that is linear in both makes of two tensors.
fn of_two(
    b: &mut GraphBuilder,
    tensors: [Item; 2],
    function: impl Fn(&mut GraphBuilder, &Value, &Value) -> Result<Value>,
) -> Result<Item> {
    let complex = tensors
        .iter()
        .filter(|item| matches!(item, Item::Complex(_)));
    let count = complex.count();
    let part = |item: &Item, choice: &mut std::slice::Iter<'_, bool>| match item {
        Item::Complex(x) if choice.next() == Some(&true) => Ok(x.imaginary.clone()),
        Item::Complex(x) => Ok(x.real.clone()),
        Item::Tensor(x) => Ok(x.clone()),
        _ => Err("a number stands in the place of a tensor".to_owned()),
    };
    let apply = |b: &mut GraphBuilder, choice: &[bool]| {
        let mut choice = choice.iter();
        let (x, y) = (
            part(&tensors[0], &mut choice)?,
            part(&tensors[1], &mut choice)?,
        );
        Ok(vec![function(b, &x, &y)?])
    };
    let lost = || "a product has no result".to_owned();
    if count == 0 {
        return Ok(apply(b, &[])?.pop().ok_or_else(lost)?.into());
    }
    let mut made = multilinear(b, count, apply)?;
    Ok(made.pop().ok_or_else(lost)?.into())
}

/// The sum of two tensors.
fn sum(b: &mut GraphBuilder, x: &Complex, y: &Complex) -> Result<Complex> {
    Ok(Complex {
        real: b.binary("add", &x.real, &y.real)?,
        imaginary: b.binary("add", &x.imaginary, &y.imaginary)?,
    })
}

fn as_complex(b: &mut GraphBuilder, item: Item) -> Result<Complex> {
    match item {
        Item::Complex(x) => Ok(x),
        other => {
            let real = other.value(b)?;
            Complex::of_real(b, real)
        }
    }
}

/// Numbers times a factor that an argument gives, which is 1 if it is missing.
fn scaled(n: &Node<'_>, b: &mut GraphBuilder, x: Complex, factor: &str) -> Result<Complex> {
    if !n.has(factor) {
        return Ok(x);
    }
    let (real, imaginary) = n.operand_parts(factor)?;
    let element = x.real.element();
    let real = real.cast(b, element)?;
    match imaginary {
        None => x.scaled(b, &real),
        Some(imaginary) => {
            let imaginary = imaginary.cast(b, element)?;
            multiply(b, &x, &Complex { real, imaginary })
        }
    }
}

fn linear(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Item> {
    let tensors = [n.item("input")?, n.item("weight")?];
    let made = of_two(b, tensors, |b, x, weight| match weight.rank() {
        1 => product(b, x, weight),
        _ => linear_of(b, x, weight),
    })?;
    if !n.has("bias") {
        return Ok(made);
    }
    let bias = n.numbers(b, "bias")?;
    let made = as_complex(b, made)?;
    Ok(sum(b, &made, &bias)?.into())
}

/// beta * self + alpha * product.
fn added(n: &Node<'_>, b: &mut GraphBuilder, [lhs, rhs]: [&str; 2]) -> Result<Item> {
    let tensors = [n.item(lhs)?, n.item(rhs)?];
    let made = of_two(b, tensors, product)?;
    let made = as_complex(b, made)?;
    let made = scaled(n, b, made, "alpha")?;
    let x = n.numbers(b, "self")?;
    let x = scaled(n, b, x, "beta")?;
    Ok(sum(b, &made, &x)?.into())
}

/// self + value * tensor1 op tensor2.
fn third(
    n: &Node<'_>,
    b: &mut GraphBuilder,
    op: fn(&mut GraphBuilder, &Complex, &Complex) -> Result<Complex>,
) -> Result<Item> {
    let [x, y] = pair(n, b, ["tensor1", "tensor2"])?;
    let both = op(b, &x, &y)?;
    let both = scaled(n, b, both, "value")?;
    let x = n.numbers(b, "self")?;
    Ok(sum(b, &x, &both)?.into())
}
