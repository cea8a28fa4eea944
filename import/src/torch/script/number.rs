//! Arithmetic on known numbers, as Python has it.

use crate::{graph::error::Result, torch::item::Number};

/// The operators.
pub const NAMES: &[&str] = &[
    "add",
    "sub",
    "mul",
    "div",
    "floordiv",
    "remainder",
    "pow",
    "neg",
    "eq",
    "ne",
    "lt",
    "le",
    "gt",
    "ge",
    "__and__",
    "__or__",
    "__xor__",
    "__not__",
    "max",
    "min",
    "Int",
    "Float",
    "Bool",
    "Scalar",
    "int",
    "float",
    "bool",
    "floor",
    "ceil",
    "round",
    "sqrt",
    "abs",
    "log",
    "exp",
    "isinf",
    "isnan",
    "isfinite",
    "log2",
    "trunc",
];

/// The result of an operator on numbers.
///
/// # Errors
/// If there is none.
pub fn compute(own: &str, numbers: &[&Number]) -> Result<Number> {
    let ints: Option<Vec<i64>> = numbers
        .iter()
        .map(|number| match number {
            Number::Int(number) => Some(*number),
            Number::Bool(flag) => Some((*flag).into()),
            _ => None,
        })
        .collect();
    let floats: Option<Vec<f64>> = numbers.iter().map(|number| number.known()).collect();
    let floats = floats.ok_or("a number is not known")?;
    let result = match (&floats[..], ints.as_deref()) {
        ([_], Some([x])) => of_int(own, *x),
        ([_, _], Some([x, y])) => of_ints(own, *x, *y)?,
        _ => None,
    };
    let result = result.or_else(|| match floats[..] {
        [x] => of_float(own, x),
        [x, y] => of_floats(own, x, y),
        _ => None,
    });
    result.ok_or_else(|| format!("'{own}' of {} numbers is not supported", numbers.len()))
}

fn of_int(own: &str, x: i64) -> Option<Number> {
    Some(match own {
        "neg" => Number::Int(x.checked_neg()?),
        "abs" => Number::Int(x.checked_abs()?),
        "Int" | "int" | "Scalar" | "floor" | "ceil" | "round" | "trunc" => Number::Int(x),
        _ => return None,
    })
}

fn of_ints(own: &str, x: i64, y: i64) -> Result<Option<Number>> {
    let large = || format!("'{own}' of {x} and {y} is out of range");
    let checked = |result: Option<i64>| result.map(Number::Int).ok_or_else(large);
    Ok(Some(match own {
        "add" => checked(x.checked_add(y))?,
        "sub" => checked(x.checked_sub(y))?,
        "mul" => checked(x.checked_mul(y))?,
        "floordiv" => checked(floor_div(x, y))?,
        "remainder" => {
            checked(floor_div(x, y).and_then(|whole| x.checked_sub(whole.checked_mul(y)?)))?
        }
        "pow" if y >= 0 => checked(u32::try_from(y).ok().and_then(|y| x.checked_pow(y)))?,
        "max" => Number::Int(x.max(y)),
        "min" => Number::Int(x.min(y)),
        _ => return Ok(compared(own, x, y)),
    }))
}

/// The quotient, rounded down.
fn floor_div(x: i64, y: i64) -> Option<i64> {
    let whole = x.checked_div(y)?;
    let is_above = x % y != 0 && (x < 0) != (y < 0);
    Some(whole - i64::from(is_above))
}

fn of_float(own: &str, x: f64) -> Option<Number> {
    Some(match own {
        "neg" => Number::Float(-x),
        "abs" => Number::Float(x.abs()),
        "Int" | "int" | "trunc" => Number::Int(x as i64),
        "floor" => Number::Int(x.floor() as i64),
        "ceil" => Number::Int(x.ceil() as i64),
        "round" => Number::Float(x.round_ties_even()),
        "Float" | "float" | "Scalar" => Number::Float(x),
        "Bool" | "bool" => Number::Bool(x != 0.0),
        "__not__" => Number::Bool(x == 0.0),
        "sqrt" => Number::Float(x.sqrt()),
        "log" => Number::Float(x.ln()),
        "log2" => Number::Float(x.log2()),
        "exp" => Number::Float(x.exp()),
        "isinf" => Number::Bool(x.is_infinite()),
        "isnan" => Number::Bool(x.is_nan()),
        "isfinite" => Number::Bool(x.is_finite()),
        _ => return None,
    })
}

fn of_floats(own: &str, x: f64, y: f64) -> Option<Number> {
    Some(match own {
        "add" => Number::Float(x + y),
        "sub" => Number::Float(x - y),
        "mul" => Number::Float(x * y),
        "div" => Number::Float(x / y),
        "floordiv" => Number::Float((x / y).floor()),
        "remainder" => Number::Float(x - (x / y).floor() * y),
        "pow" => Number::Float(x.powf(y)),
        "max" => Number::Float(x.max(y)),
        "min" => Number::Float(x.min(y)),
        "__and__" => Number::Bool(x != 0.0 && y != 0.0),
        "__or__" => Number::Bool(x != 0.0 || y != 0.0),
        "__xor__" => Number::Bool((x != 0.0) != (y != 0.0)),
        _ => return compared(own, x, y),
    })
}

fn compared<T: PartialOrd>(own: &str, x: T, y: T) -> Option<Number> {
    let holds = match own {
        "eq" => x == y,
        "ne" => x != y,
        "lt" => x < y,
        "le" => x <= y,
        "gt" => x > y,
        "ge" => x >= y,
        _ => return None,
    };
    Some(Number::Bool(holds))
}

#[cfg(test)]
mod tests {
    use super::compute;
    use crate::torch::item::Number;

    fn ints(own: &str, x: i64, y: i64) -> Option<f64> {
        compute(own, &[&Number::Int(x), &Number::Int(y)])
            .ok()
            .and_then(|result| result.known())
    }

    /// As Python computes them.
    #[test]
    fn quotients_of_negative_numbers_are_rounded_down() {
        assert_eq!(ints("floordiv", -7, 2), Some(-4.0));
        assert_eq!(ints("remainder", -7, 2), Some(1.0));
        assert_eq!(ints("floordiv", 7, -2), Some(-4.0));
        assert_eq!(ints("remainder", 7, -2), Some(-1.0));
        assert_eq!(ints("div", 7, 2), Some(3.5));
        assert_eq!(ints("floordiv", 7, 0), None);
        assert_eq!(ints("mul", i64::MAX, 2), None);
    }
}
