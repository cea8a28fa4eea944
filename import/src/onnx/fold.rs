//! Evaluates relay ops on small known tensors while importing.
//!
//! Models compute shapes with the same operators as data; folding these leaves static shapes. It
//! is not meant for weights, hence the limit on size.

use super::{
    builder::{A, Value, broadcast_shapes},
    tensor::{Const, DType, Numbers, element_count},
};
use relay_dialects::index::strides;

/// Tensors with more elements than this are left to the compiler.
const MAX_ELEMENTS: usize = 4096;

/// The result of an op, if all its operands are known and small, and the op is one of those that
/// shape arithmetic is made of.
pub fn fold(name: &str, operands: &[Value], attrs: &[(&str, A)]) -> Option<Const> {
    let inputs: Vec<&Const> = operands
        .iter()
        .map(Value::constant)
        .collect::<Option<_>>()?;
    if inputs.is_empty() || inputs.iter().any(|input| input.count() > MAX_ELEMENTS) {
        return None;
    }
    match inputs[..] {
        [input] => one(name, input, &Attrs(attrs)),
        _ => many(name, &inputs, &Attrs(attrs)),
    }
}

struct Attrs<'a>(&'a [(&'a str, A)]);

impl Attrs<'_> {
    fn get(&self, name: &str) -> Option<&A> {
        self.0
            .iter()
            .find_map(|(key, value)| (*key == name).then_some(value))
    }

    fn ints(&self, name: &str) -> Option<&[i64]> {
        match self.get(name)? {
            A::Ints(values) => Some(values),
            _ => None,
        }
    }

    fn int(&self, name: &str) -> Option<i64> {
        match self.get(name)? {
            A::Int(value) => Some(*value),
            _ => None,
        }
    }
}

fn one(name: &str, input: &Const, attrs: &Attrs<'_>) -> Option<Const> {
    let shape = &input.shape;
    match name {
        "reshape" => Some(input.reshaped(attrs.ints("newshape")?.to_vec())),
        "squeeze" => {
            let axes = attrs.ints("axis")?;
            let kept = |&(axis, _): &(usize, &i64)| !axes.contains(&(axis as i64));
            let shape = shape.iter().enumerate().filter(kept).map(|(_, &dim)| dim);
            Some(input.reshaped(shape.collect()))
        }
        "expand_dims" => {
            let mut shape = shape.clone();
            let axis = usize::try_from(attrs.int("axis")?).ok()?;
            if axis > shape.len() || attrs.int("num_newaxis")? != 1 {
                return None;
            }
            shape.insert(axis, 1);
            Some(input.reshaped(shape))
        }
        "transpose" => {
            let axes = attrs.ints("axes")?;
            let out: Vec<i64> = axes.iter().map(|&axis| shape[axis as usize]).collect();
            let strides = strides(shape);
            pick(input, out, |at| {
                axes.iter()
                    .zip(at)
                    .map(|(&axis, &i)| i * strides[axis as usize])
                    .sum()
            })
        }
        "broadcast_to" => broadcast(input, attrs.ints("shape")?),
        "strided_slice" => slice(input, attrs),
        "cast" => match attrs.get("dtype")? {
            A::Type(dtype) => Some(Const::new(*dtype, shape.clone(), &input.numbers())),
            _ => None,
        },
        _ => {
            let numbers = match input.numbers() {
                Numbers::Floats(values) => Numbers::Floats(each(values, float_unary(name)?)),
                Numbers::Ints(values) => Numbers::Ints(each(values, int_unary(name, input.dtype)?)),
            };
            Some(Const::new(input.dtype, shape.clone(), &numbers))
        }
    }
}

fn each<T>(values: Vec<T>, apply: impl Fn(T) -> T) -> Vec<T> {
    values.into_iter().map(apply).collect()
}

fn float_unary(name: &str) -> Option<fn(f64) -> f64> {
    Some(match name {
        "floor" => f64::floor,
        "ceil" => f64::ceil,
        "negative" => |x| -x,
        "abs" => f64::abs,
        "sqrt" => f64::sqrt,
        _ => return None,
    })
}

fn int_unary(name: &str, dtype: DType) -> Option<fn(i64) -> i64> {
    Some(match name {
        "logical_not" if dtype == DType::Bool => |x| 1 - x,
        "negative" => i64::wrapping_neg,
        "abs" => i64::wrapping_abs,
        _ => return None,
    })
}

fn many(name: &str, inputs: &[&Const], attrs: &Attrs<'_>) -> Option<Const> {
    match (name, inputs) {
        ("concatenate", _) => concatenate(inputs, attrs.int("axis")?),
        ("take", [data, indices]) => take(data, indices, attrs.int("axis")?),
        ("where", [condition, yes, no]) => select(condition, yes, no),
        (_, [lhs, rhs]) => binary(name, lhs, rhs),
        _ => None,
    }
}

fn binary(name: &str, lhs: &Const, rhs: &Const) -> Option<Const> {
    if lhs.dtype != rhs.dtype {
        return None;
    }
    let shape = broadcast_shapes(&lhs.shape, &rhs.shape).ok()?;
    let (lhs, rhs) = (broadcast(lhs, &shape)?, broadcast(rhs, &shape)?);
    let ordering: Option<fn(std::cmp::Ordering) -> bool> = match name {
        "equal" => Some(std::cmp::Ordering::is_eq),
        "not_equal" => Some(std::cmp::Ordering::is_ne),
        "less" => Some(std::cmp::Ordering::is_lt),
        "less_equal" => Some(std::cmp::Ordering::is_le),
        "greater" => Some(std::cmp::Ordering::is_gt),
        "greater_equal" => Some(std::cmp::Ordering::is_ge),
        _ => None,
    };
    if let Some(holds) = ordering {
        let flags = match (lhs.numbers(), rhs.numbers()) {
            (Numbers::Ints(a), Numbers::Ints(b)) => a
                .iter()
                .zip(&b)
                .map(|(a, b)| i64::from(holds(a.cmp(b))))
                .collect(),
            // Not-a-number compares to nothing; left to the compiler.
            (Numbers::Floats(a), Numbers::Floats(b)) => a
                .iter()
                .zip(&b)
                .map(|(a, b)| a.partial_cmp(b).map(|order| i64::from(holds(order))))
                .collect::<Option<Vec<i64>>>()?,
            _ => return None,
        };
        return Some(Const::new(DType::Bool, shape, &Numbers::Ints(flags)));
    }
    let numbers = match (lhs.numbers(), rhs.numbers()) {
        (Numbers::Ints(a), Numbers::Ints(b)) => Numbers::Ints(
            a.iter()
                .zip(&b)
                .map(|(&a, &b)| int_binary(name, a, b))
                .collect::<Option<_>>()?,
        ),
        (Numbers::Floats(a), Numbers::Floats(b)) => {
            let apply = float_binary(name)?;
            Numbers::Floats(a.iter().zip(&b).map(|(&a, &b)| apply(a, b)).collect())
        }
        _ => return None,
    };
    Some(Const::new(lhs.dtype, shape, &numbers))
}

fn int_binary(name: &str, a: i64, b: i64) -> Option<i64> {
    Some(match name {
        "add" => a.wrapping_add(b),
        "subtract" => a.wrapping_sub(b),
        "multiply" => a.wrapping_mul(b),
        "divide" => a.checked_div(b)?,
        "mod" => a.checked_rem(b)?,
        "floor_mod" if b > 0 => a.rem_euclid(b),
        "maximum" => a.max(b),
        "minimum" => a.min(b),
        "logical_and" => a & b,
        "logical_or" => a | b,
        "logical_xor" => a ^ b,
        _ => return None,
    })
}

/// Rounding a double's result to float is what float arithmetic gives for these four.
fn float_binary(name: &str) -> Option<fn(f64, f64) -> f64> {
    Some(match name {
        "add" => |a, b| a + b,
        "subtract" => |a, b| a - b,
        "multiply" => |a, b| a * b,
        "divide" => |a, b| a / b,
        _ => return None,
    })
}

fn select(condition: &Const, yes: &Const, no: &Const) -> Option<Const> {
    if yes.dtype != no.dtype {
        return None;
    }
    let shape = broadcast_shapes(&yes.shape, &no.shape).ok()?;
    let shape = broadcast_shapes(&condition.shape, &shape).ok()?;
    let condition = broadcast(condition, &shape)?.to_ints()?;
    let (yes, no) = (broadcast(yes, &shape)?, broadcast(no, &shape)?);
    let (dtype, width) = (yes.dtype, yes.dtype.width());
    let (yes, no) = (yes.bytes().into_owned(), no.bytes().into_owned());
    let bytes = condition
        .iter()
        .enumerate()
        .flat_map(|(i, &flag)| {
            let from = if flag != 0 { &yes } else { &no };
            from[i * width..(i + 1) * width].iter().copied()
        })
        .collect::<Vec<u8>>();
    Some(Const::of_bytes(dtype, shape, bytes))
}

fn concatenate(inputs: &[&Const], axis: i64) -> Option<Const> {
    let first = inputs.first()?;
    let axis = usize::try_from(axis).ok()?;
    let mut shape = first.shape.clone();
    let total = inputs
        .iter()
        .map(|input| input.shape.get(axis).copied())
        .sum::<Option<i64>>()?;
    *shape.get_mut(axis)? = total;
    for input in inputs {
        let mut other = input.shape.clone();
        *other.get_mut(axis)? = total;
        if input.dtype != first.dtype || other != shape {
            return None;
        }
    }
    let outer: i64 = shape[..axis].iter().product();
    let inner: i64 = shape[axis + 1..].iter().product();
    let mut bytes = Vec::new();
    let contents: Vec<_> = inputs.iter().map(|input| input.bytes()).collect();
    for row in 0..outer as usize {
        for (input, content) in inputs.iter().zip(&contents) {
            let size = (input.shape[axis] * inner) as usize * first.dtype.width();
            bytes.extend_from_slice(&content[row * size..(row + 1) * size]);
        }
    }
    Some(Const::of_bytes(first.dtype, shape, bytes))
}

fn take(data: &Const, indices: &Const, axis: i64) -> Option<Const> {
    let axis = usize::try_from(axis).ok()?;
    let extent = *data.shape.get(axis)?;
    let chosen = indices.to_ints()?;
    if extent == 0 || chosen.iter().any(|i| !(-extent..extent).contains(i)) {
        return None;
    }
    let mut shape = data.shape[..axis].to_vec();
    shape.extend(&indices.shape);
    shape.extend(&data.shape[axis + 1..]);
    let inner = strides(&data.shape);
    let index_strides = strides(&indices.shape);
    let rank = indices.shape.len();
    pick(data, shape, |at| {
        let which: i64 = at[axis..axis + rank]
            .iter()
            .zip(&index_strides)
            .map(|(&i, &stride)| i * stride)
            .sum();
        let before: i64 = (0..axis).map(|dim| at[dim] * inner[dim]).sum();
        let after: i64 = (axis + 1..data.shape.len())
            .map(|dim| at[dim - 1 + rank] * inner[dim])
            .sum();
        before + chosen[which as usize].rem_euclid(extent) * inner[axis] + after
    })
}

fn slice(input: &Const, attrs: &Attrs<'_>) -> Option<Const> {
    let (begin, end) = (attrs.ints("begin")?, attrs.ints("end")?);
    let (steps, axes) = (attrs.ints("strides")?, attrs.ints("axes")?);
    let inner = strides(&input.shape);
    let mut shape = input.shape.clone();
    let mut starts = vec![0; shape.len()];
    let mut strides = vec![1; shape.len()];
    for (i, &axis) in axes.iter().enumerate() {
        let axis = usize::try_from(axis).ok()?;
        let (from, to, step) = (*begin.get(i)?, *end.get(i)?, *steps.get(i)?);
        // An end below 0 is before the first element.
        let to = to.max(-1);
        let span = if step > 0 { to - from } else { from - to };
        *shape.get_mut(axis)? = (span.max(0) as u64).div_ceil(step.unsigned_abs()) as i64;
        starts[axis] = from;
        strides[axis] = step;
    }
    pick(input, shape, |at| {
        at.iter()
            .enumerate()
            .map(|(dim, &i)| (starts[dim] + i * strides[dim]) * inner[dim])
            .sum()
    })
}

fn broadcast(input: &Const, shape: &[i64]) -> Option<Const> {
    if broadcast_shapes(&input.shape, shape).ok()? != shape {
        return None;
    }
    let skip = shape.len() - input.shape.len();
    let strides = strides(&input.shape);
    pick(input, shape.to_vec(), |at| {
        (0..input.shape.len())
            .filter(|&dim| input.shape[dim] != 1)
            .map(|dim| at[skip + dim] * strides[dim])
            .sum()
    })
}

/// A tensor of `shape` whose element at each subscript is that of `input` at the place that
/// `place` gives. `None` if it would be large.
fn pick(input: &Const, shape: Vec<i64>, place: impl Fn(&[i64]) -> i64) -> Option<Const> {
    let count = element_count(&shape).ok()? as usize;
    if count > MAX_ELEMENTS {
        return None;
    }
    let width = input.dtype.width();
    let content = input.bytes();
    let mut at = vec![0i64; shape.len()];
    let mut bytes = Vec::with_capacity(count * width);
    for _ in 0..count {
        let place = usize::try_from(place(&at)).ok()? * width;
        bytes.extend_from_slice(content.get(place..place + width)?);
        for dim in (0..shape.len()).rev() {
            at[dim] += 1;
            if at[dim] < shape[dim] {
                break;
            }
            at[dim] = 0;
        }
    }
    Some(Const::of_bytes(input.dtype, shape, bytes))
}
