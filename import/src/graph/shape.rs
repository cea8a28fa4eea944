//! The evaluation of shape arithmetic.
//!
//! Models compute shapes, axes and sizes with the operators that they compute data with. A module has static
//! shapes, so such a list has to be known while the operator that takes it is imported, before there is a module
//! that could be compiled. So the operators that exporters write between a `Shape` and a `Reshape`, `Expand`,
//! `Pad` or `Resize` are evaluated here, on lists as short as shapes: integers, booleans, and the floats by which
//! sizes are scaled. Everything else that is known is left to `fold-constant`, which compiles it.

use super::{
    attr::Param,
    constant::{Const, Numbers, element_count},
    value::{Value, broadcast_shapes},
};
use relay_dialects::{element::Element, index::strides};
use std::cmp::Ordering;

/// The most elements of a list. Shapes have as many as there are axes, pads twice as many; exporters index and
/// concatenate parts of them.
const LONGEST: usize = 64;

/// The result of an operator, if it is one of shape arithmetic and its operands are known short lists.
pub fn evaluate(name: &str, operands: &[Value], attrs: &[(&str, Param)]) -> Option<Const> {
    let lists: Vec<List> = operands
        .iter()
        .map(|operand| List::of(operand.constant()?))
        .collect::<Option<_>>()?;
    let attrs = Attrs(attrs);
    let result = match (name, &lists[..]) {
        ("reshape", [x]) => x.reshaped(attrs.ints("newshape")?.to_vec()),
        ("squeeze", [x]) => squeeze(x, attrs.ints("axis")?),
        ("expand_dims", [x]) => expand_dims(x, attrs.int("axis")?, attrs.int("num_newaxis")?),
        ("transpose", [x]) => transpose(x, attrs.ints("axes")?),
        ("broadcast_to", [x]) => broadcast(x, attrs.ints("shape")?),
        ("strided_slice", [x]) => slice(x, &attrs),
        ("concatenate", lists) => concatenate(lists, attrs.int("axis")?),
        ("take", [data, indices]) => take(data, indices),
        ("cast", [x]) => Some(List {
            element: attrs.element("dtype")?,
            ..x.clone()
        }),
        ("where", [condition, yes, no]) => select(condition, yes, no),
        (_, [x]) => unary(name, x),
        (_, [lhs, rhs]) => binary(name, lhs, rhs),
        _ => None,
    }?;
    (is_of_shapes(result.element) && result.len() <= LONGEST)
        .then(|| Const::new(result.element, result.shape, &result.numbers))
}

/// Whether shape arithmetic is done in a type.
fn is_of_shapes(element: Element) -> bool {
    use Element::{Bf16, Bool, F16, F32, F64, I32, I64};
    matches!(element, Bool | I32 | I64 | F16 | Bf16 | F32 | F64)
}

struct Attrs<'a>(&'a [(&'a str, Param)]);

impl Attrs<'_> {
    fn get(&self, name: &str) -> Option<&Param> {
        self.0
            .iter()
            .find_map(|(key, value)| (*key == name).then_some(value))
    }

    fn ints(&self, name: &str) -> Option<&[i64]> {
        match self.get(name)? {
            Param::Ints(values) => Some(values),
            _ => None,
        }
    }

    fn int(&self, name: &str) -> Option<i64> {
        match self.get(name)? {
            Param::Int(value) => Some(*value),
            _ => None,
        }
    }

    fn element(&self, name: &str) -> Option<Element> {
        match self.get(name)? {
            Param::Type(element) => Some(*element),
            _ => None,
        }
    }
}

/// A short tensor as numbers, in row-major order.
#[derive(Clone)]
struct List {
    element: Element,
    shape: Vec<i64>,
    numbers: Numbers,
}

impl List {
    fn of(constant: &Const) -> Option<Self> {
        let fits = constant.count() <= LONGEST && is_of_shapes(constant.element);
        fits.then(|| Self {
            element: constant.element,
            shape: constant.shape.clone(),
            numbers: constant.numbers(),
        })
    }

    fn len(&self) -> usize {
        match &self.numbers {
            Numbers::Ints(values) => values.len(),
            Numbers::Floats(values) => values.len(),
        }
    }

    fn ints(&self) -> Option<&[i128]> {
        match &self.numbers {
            Numbers::Ints(values) => Some(values),
            Numbers::Floats(_) => None,
        }
    }

    fn reshaped(&self, shape: Vec<i64>) -> Option<Self> {
        (element_count(&shape) == Ok(self.len() as i64)).then(|| Self {
            shape,
            ..self.clone()
        })
    }

    /// A list of `shape`; `place` gives, for each subscript, the index of its number among those of the operand.
    fn pick(&self, shape: Vec<i64>, place: impl Fn(&[i64]) -> i64) -> Option<Self> {
        let count = element_count(&shape).ok()?;
        if count > LONGEST as i64 {
            return None;
        }
        let strides = strides(&shape);
        let places = (0..count).map(|flat| {
            let at: Vec<i64> = (0..shape.len())
                .map(|dim| flat / strides[dim] % shape[dim])
                .collect();
            usize::try_from(place(&at)).ok()
        });
        let numbers = match &self.numbers {
            Numbers::Ints(values) => Numbers::Ints(
                places
                    .map(|place| values.get(place?).copied())
                    .collect::<Option<_>>()?,
            ),
            Numbers::Floats(values) => Numbers::Floats(
                places
                    .map(|place| values.get(place?).copied())
                    .collect::<Option<_>>()?,
            ),
        };
        Some(Self {
            element: self.element,
            shape,
            numbers,
        })
    }
}

fn squeeze(x: &List, axes: &[i64]) -> Option<List> {
    let dims = x.shape.iter().enumerate();
    let kept = dims.filter(|(axis, _)| !axes.contains(&(*axis as i64)));
    x.reshaped(kept.map(|(_, &dim)| dim).collect())
}

fn expand_dims(x: &List, axis: i64, count: i64) -> Option<List> {
    let axis = usize::try_from(axis).ok()?;
    let mut shape = x.shape.clone();
    if axis > shape.len() || count != 1 {
        return None;
    }
    shape.insert(axis, 1);
    x.reshaped(shape)
}

fn transpose(x: &List, axes: &[i64]) -> Option<List> {
    let all = strides(&x.shape);
    let dims: Option<Vec<(i64, i64)>> = axes
        .iter()
        .map(|&axis| {
            let axis = usize::try_from(axis).ok()?;
            Some((*x.shape.get(axis)?, *all.get(axis)?))
        })
        .collect();
    let (shape, strides): (Vec<i64>, Vec<i64>) = dims?.into_iter().unzip();
    x.pick(shape, |at| dot(at, &strides))
}

fn broadcast(x: &List, shape: &[i64]) -> Option<List> {
    if broadcast_shapes(&x.shape, shape).ok()? != shape {
        return None;
    }
    let skipped = shape.len() - x.shape.len();
    let mut strides = strides(&x.shape);
    for (stride, &dim) in strides.iter_mut().zip(&x.shape) {
        if dim == 1 {
            *stride = 0;
        }
    }
    x.pick(shape.to_vec(), |at| dot(&at[skipped..], &strides))
}

/// The begin is in range unless the slice is empty. An end below 0 stands before the first number.
fn slice(x: &List, attrs: &Attrs<'_>) -> Option<List> {
    let (begin, end) = (attrs.ints("begin")?, attrs.ints("end")?);
    let (steps, axes) = (attrs.ints("strides")?, attrs.ints("axes")?);
    let mut strides = strides(&x.shape);
    let mut shape = x.shape.clone();
    let mut first = 0;
    for (i, &axis) in axes.iter().enumerate() {
        let axis = usize::try_from(axis).ok()?;
        let (from, to, step) = (*begin.get(i)?, (*end.get(i)?).max(-1), *steps.get(i)?);
        let span = if step > 0 { to - from } else { from - to };
        *shape.get_mut(axis)? = (span.max(0) as u64).div_ceil(step.unsigned_abs()) as i64;
        first += from * strides[axis];
        strides[axis] *= step;
    }
    x.pick(shape, |at| first + dot(at, &strides))
}

fn dot(at: &[i64], strides: &[i64]) -> i64 {
    at.iter().zip(strides).map(|(i, stride)| i * stride).sum()
}

/// Lists are concatenated along the first axis, so that their numbers follow each other in memory.
fn concatenate(lists: &[List], axis: i64) -> Option<List> {
    let (first, rest) = lists.split_first()?;
    let mut whole = first.clone();
    for list in rest {
        let fits = axis == 0
            && list.element == first.element
            && list.shape.get(1..) == first.shape.get(1..);
        match (&mut whole.numbers, &list.numbers) {
            (Numbers::Ints(all), Numbers::Ints(more)) if fits => all.extend(more),
            (Numbers::Floats(all), Numbers::Floats(more)) if fits => all.extend(more),
            _ => return None,
        }
        *whole.shape.first_mut()? += list.shape.first()?;
    }
    Some(whole)
}

/// Numbers of a vector; negative indices count from its end.
fn take(data: &List, indices: &List) -> Option<List> {
    let [extent] = data.shape[..] else {
        return None;
    };
    let wrap = |&index: &i128| {
        let index = i64::try_from(index).ok()?;
        let range = -extent..extent;
        range.contains(&index).then(|| index.rem_euclid(extent))
    };
    let chosen: Vec<i64> = indices.ints()?.iter().map(wrap).collect::<Option<_>>()?;
    let strides = strides(&indices.shape);
    data.pick(indices.shape.clone(), |at| {
        chosen[dot(at, &strides) as usize]
    })
}

fn select(condition: &List, yes: &List, no: &List) -> Option<List> {
    if yes.element != no.element {
        return None;
    }
    let shape = broadcast_shapes(&yes.shape, &no.shape).ok()?;
    let shape = broadcast_shapes(&condition.shape, &shape).ok()?;
    let condition = broadcast(condition, &shape)?;
    let both = concatenate(
        &[
            broadcast(yes, &shape)?.reshaped(vec![condition.len() as i64])?,
            broadcast(no, &shape)?.reshaped(vec![condition.len() as i64])?,
        ],
        0,
    )?;
    let flags = condition.ints()?;
    let strides = strides(&shape);
    both.pick(shape, |at| {
        let flat = dot(at, &strides);
        let otherwise = flags[flat as usize] == 0;
        flat + i64::from(otherwise) * flags.len() as i64
    })
}

/// Negation, the rounding of scaled sizes, and what keeps counts from being negative.
fn unary(name: &str, x: &List) -> Option<List> {
    let numbers = match (name, &x.numbers) {
        ("logical_not", Numbers::Ints(values)) if x.element == Element::Bool => {
            Numbers::Ints(values.iter().map(|x| 1 - x).collect())
        }
        ("negative", Numbers::Ints(values)) if x.element != Element::Bool => {
            Numbers::Ints(values.iter().map(|x| -x).collect())
        }
        ("nn.relu", Numbers::Ints(values)) if x.element != Element::Bool => {
            Numbers::Ints(values.iter().map(|&x| x.max(0)).collect())
        }
        (_, Numbers::Floats(values)) => {
            let apply = match name {
                "negative" => |x: f64| -x,
                "floor" => f64::floor,
                "ceil" => f64::ceil,
                // What is no number stays so.
                "nn.relu" => |x: f64| if x < 0.0 { 0.0 } else { x },
                _ => return None,
            };
            Numbers::Floats(values.iter().map(|&x| apply(x)).collect())
        }
        _ => return None,
    };
    Some(List {
        numbers,
        ..x.clone()
    })
}

fn binary(name: &str, lhs: &List, rhs: &List) -> Option<List> {
    if lhs.element != rhs.element {
        return None;
    }
    let shape = broadcast_shapes(&lhs.shape, &rhs.shape).ok()?;
    let (lhs, rhs) = (broadcast(lhs, &shape)?, broadcast(rhs, &shape)?);
    let (element, numbers) = match (&lhs.numbers, &rhs.numbers) {
        (Numbers::Ints(a), Numbers::Ints(b)) => {
            let pairs = a.iter().zip(b);
            if let Some(holds) = comparison(name) {
                let flags = pairs.map(|(a, b)| i128::from(holds(a.cmp(b))));
                (Element::Bool, Numbers::Ints(flags.collect()))
            } else {
                // Lists without numbers have no pairs to apply it to, but it has to be an operator of pairs.
                let apply = match lhs.element {
                    Element::Bool => of_bools(name)?,
                    _ => of_ints(name)?,
                };
                let results = pairs.map(|(&a, &b)| apply(a, b));
                (lhs.element, Numbers::Ints(results.collect::<Option<_>>()?))
            }
        }
        (Numbers::Floats(a), Numbers::Floats(b)) => {
            let apply = of_floats(name)?;
            let results = a.iter().zip(b).map(|(&a, &b)| apply(a, b));
            (lhs.element, Numbers::Floats(results.collect()))
        }
        _ => return None,
    };
    Some(List {
        element,
        shape,
        numbers,
    })
}

fn comparison(name: &str) -> Option<fn(Ordering) -> bool> {
    Some(match name {
        "equal" => Ordering::is_eq,
        "not_equal" => Ordering::is_ne,
        "less" => Ordering::is_lt,
        "less_equal" => Ordering::is_le,
        "greater" => Ordering::is_gt,
        "greater_equal" => Ordering::is_ge,
        _ => return None,
    })
}

/// A function of two integers, which may leave some pairs to the compiler.
type OfPair = fn(i128, i128) -> Option<i128>;

/// Of 0 and 1.
fn of_bools(name: &str) -> Option<OfPair> {
    Some(match name {
        "logical_and" => |a, b| Some(a & b),
        "logical_or" => |a, b| Some(a | b),
        "logical_xor" => |a, b| Some(a ^ b),
        _ => return None,
    })
}

/// What does not fit the type wraps when it is stored. A division by zero is left to the compiler.
fn of_ints(name: &str) -> Option<OfPair> {
    Some(match name {
        "add" => |a, b| Some(a + b),
        "subtract" => |a, b| Some(a - b),
        "multiply" => |a, b| Some(a * b),
        "divide" => i128::checked_div,
        "mod" => i128::checked_rem,
        "floor_mod" => |a, b| (b > 0).then(|| a.rem_euclid(b)),
        "maximum" => |a, b| Some(a.max(b)),
        "minimum" => |a, b| Some(a.min(b)),
        _ => return None,
    })
}

/// A result in double precision that is rounded to a narrower float is the result in that, for these four operations.
fn of_floats(name: &str) -> Option<fn(f64, f64) -> f64> {
    Some(match name {
        "add" => |a, b| a + b,
        "subtract" => |a, b| a - b,
        "multiply" => |a, b| a * b,
        "divide" => |a, b| a / b,
        _ => return None,
    })
}
