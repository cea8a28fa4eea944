//! The evaluation of shape arithmetic.
//!
//! Models compute shapes, axes and sizes with the operators that they compute data with. The shapes of a module are
//! numbers and forms, so such a list has to be known while the operator that takes it is imported, before there is a
//! module that could be compiled. So the operators that exporters write between a `Shape` and a `Reshape`, `Expand`,
//! `Pad` or `Resize` are evaluated here, on lists as short as shapes: integers, booleans, forms of open dimensions,
//! and the floats by which sizes are scaled. Everything else that is known is left to `fold-constant`, which compiles
//! it, and what is computed of forms in another way is computed when the model runs. Of a list that is joined of known
//! and computed numbers, the known ones stay known.

use super::{
    attr::Param,
    constant::{Const, Numbers, element_count},
    value::{self, Value},
};
use relay_dialects::{dim::Dim, element::Element, index::strides};
use std::cmp::Ordering;

/// The most elements of a list. Shapes have as many as there are axes, pads twice as many; exporters index and
/// concatenate parts of them.
const LONGEST: usize = 64;

/// Below this number, every float of the types that forms may have is exact.
const EXACT: f64 = (1 << f32::MANTISSA_DIGITS) as f64;

/// What is known of the result of an operator.
pub enum Result {
    /// All elements.
    Known(Value),
    /// Some elements: the others are [`Dim::Unknown`].
    Partial(Vec<Dim>),
}

/// The result of an operator, if it is one of shape arithmetic and its operands are short lists of which something is known.
/// It is named after the node that computes it.
pub fn evaluate(
    name: &str,
    operands: &[Value],
    attrs: &[(&str, Param)],
    node: &str,
) -> Option<Result> {
    let lists: Vec<List> = operands.iter().map(List::of).collect::<Option<_>>()?;
    if lists.iter().all(List::is_computed) {
        return None;
    }
    let attrs = Attrs(attrs);
    let result = match (name, &lists[..]) {
        ("reshape", [x]) => x.reshaped(attrs.shape("newshape")?),
        ("squeeze", [x]) => squeeze(x, attrs.ints("axis")?),
        ("expand_dims", [x]) => expand_dims(x, attrs.int("axis")?, attrs.int("num_newaxis")?),
        ("transpose", [x]) => transpose(x, attrs.ints("axes")?),
        ("broadcast_to", [x]) => broadcast(x, &attrs.shape("shape")?),
        ("strided_slice", [x]) => slice(x, &attrs),
        ("concatenate", lists) => concatenate(lists, attrs.int("axis")?),
        ("take", [data, indices]) => take(data, indices),
        ("cast", [x]) => cast(x, attrs.element("dtype")?),
        ("where", [condition, yes, no]) => select(condition, yes, no),
        ("max" | "min" | "sum" | "prod", [x]) => reduce(name, x, &attrs),
        (_, [x]) => unary(name, x),
        (_, [lhs, rhs]) => binary(name, lhs, rhs),
        _ => None,
    }?;
    if !is_of_shapes(result.element) || result.len() > LONGEST || result.is_computed() {
        return None;
    }
    Some(match result.partial() {
        Some(parts) => Result::Partial(parts),
        None => Result::Known(result.value(node)),
    })
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

    /// Dimensions that are numbers.
    fn shape(&self, name: &str) -> Option<Vec<i64>> {
        match self.get(name)? {
            Param::Ints(values) => Some(values.clone()),
            Param::Dims(dims) => dims.iter().map(|dim| dim.known()).collect(),
            _ => None,
        }
    }

    fn int(&self, name: &str) -> Option<i64> {
        match self.get(name)? {
            Param::Int(value) => Some(*value),
            _ => None,
        }
    }

    fn flag(&self, name: &str) -> Option<bool> {
        match self.get(name)? {
            Param::Bool(value) => Some(*value),
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

/// A short tensor, in row-major order.
#[derive(Clone)]
struct List {
    element: Element,
    shape: Vec<i64>,
    entries: Entries,
}

/// The elements of a list.
#[derive(Clone)]
enum Entries {
    Ints(Vec<i128>),
    Floats(Vec<f64>),
    /// Numbers and forms, which are whole numbers even where the element type is one of floats. What is computed when the model runs
    /// is unknown.
    Forms(Vec<Dim>),
}

impl Entries {
    fn of(numbers: Numbers) -> Self {
        match numbers {
            Numbers::Ints(values) => Self::Ints(values),
            Numbers::Floats(values) => Self::Floats(values),
        }
    }

    /// Booleans, of which some may not be known.
    fn of_flags(flags: &[Option<bool>]) -> Self {
        let known = flags.iter().map(|flag| flag.map(i128::from));
        let form = |flag: &Option<bool>| flag.map_or(Dim::Unknown, |flag| Dim::Known(flag.into()));
        match known.collect() {
            Some(known) => Self::Ints(known),
            None => Self::Forms(flags.iter().map(form).collect()),
        }
    }

    /// The entries as forms, if they are whole numbers.
    fn forms(&self) -> Option<Vec<Dim>> {
        let whole = |value: &i128| i64::try_from(*value).ok().map(Dim::Known);
        match self {
            Self::Ints(values) => values.iter().map(whole).collect(),
            Self::Floats(values) => {
                let is_whole = |value: f64| value.fract() == 0.0 && value.abs() < EXACT;
                let whole = |value: &f64| is_whole(*value).then_some(Dim::Known(*value as i64));
                values.iter().map(whole).collect()
            }
            Self::Forms(forms) => Some(forms.clone()),
        }
    }
}

impl List {
    fn of(value: &Value) -> Option<Self> {
        if let Some(forms) = value.elements() {
            return Some(Self {
                element: value.element(),
                shape: value.shape().ok()?.to_vec(),
                entries: Entries::Forms(forms.to_vec()),
            });
        }
        let Some(constant) = value.constant() else {
            return Self::of_computed(value);
        };
        let fits = constant.count() <= LONGEST && is_of_shapes(constant.element);
        fits.then(|| Self {
            element: constant.element,
            shape: constant.shape.clone(),
            entries: Entries::of(constant.numbers()),
        })
    }

    /// A list that is computed when the model runs.
    fn of_computed(value: &Value) -> Option<Self> {
        let shape = value.shape().ok()?.to_vec();
        let count = element_count(&shape).ok()?;
        if count > LONGEST as i64 || !is_of_shapes(value.element()) {
            return None;
        }
        let nothing = || vec![Dim::Unknown; count as usize];
        let forms = value.parts().map_or_else(nothing, <[Dim]>::to_vec);
        Some(Self {
            element: value.element(),
            shape,
            entries: Entries::Forms(forms),
        })
    }

    /// Whether nothing is known of its elements.
    fn is_computed(&self) -> bool {
        let is_unknown = |dim: &Dim| *dim == Dim::Unknown;
        matches!(&self.entries, Entries::Forms(forms) if forms.iter().all(is_unknown))
    }

    /// The elements, if some of them are not known.
    fn partial(&self) -> Option<Vec<Dim>> {
        match &self.entries {
            Entries::Forms(forms) if forms.contains(&Dim::Unknown) => Some(forms.clone()),
            _ => None,
        }
    }

    /// The list as a tensor: a constant, if no form is left in it.
    fn value(self, node: &str) -> Value {
        let numbers = match self.entries {
            Entries::Ints(values) => Numbers::Ints(values),
            Entries::Floats(values) => Numbers::Floats(values),
            Entries::Forms(forms) => {
                let known = forms.iter().map(|form| form.known());
                match known.collect::<Option<Vec<_>>>() {
                    Some(known) => Numbers::ints(&known),
                    None => return Value::forms(self.element, &self.shape, forms, node),
                }
            }
        };
        Value::known(Const::new(self.element, self.shape, &numbers), node)
    }

    fn len(&self) -> usize {
        match &self.entries {
            Entries::Ints(values) => values.len(),
            Entries::Floats(values) => values.len(),
            Entries::Forms(forms) => forms.len(),
        }
    }

    fn ints(&self) -> Option<&[i128]> {
        match &self.entries {
            Entries::Ints(values) => Some(values),
            Entries::Floats(_) | Entries::Forms(_) => None,
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
        let places: Vec<usize> = places.collect::<Option<_>>()?;
        let entries = match &self.entries {
            Entries::Ints(values) => Entries::Ints(picked(values, &places)?),
            Entries::Floats(values) => Entries::Floats(picked(values, &places)?),
            Entries::Forms(forms) => Entries::Forms(picked(forms, &places)?),
        };
        Some(Self {
            element: self.element,
            shape,
            entries,
        })
    }
}

fn picked<T: Copy>(values: &[T], places: &[usize]) -> Option<Vec<T>> {
    let picked = places.iter().map(|place| values.get(*place).copied());
    picked.collect()
}

/// Numpy's broadcasting of two shapes of numbers.
fn broadcast_shapes(lhs: &[i64], rhs: &[i64]) -> Option<Vec<i64>> {
    let shape = value::broadcast_shapes(lhs, rhs).ok()?;
    shape.into_iter().map(Dim::known).collect()
}

/// A conversion of element type. Forms stay what they are in types that hold sizes of tensors exactly.
fn cast(x: &List, element: Element) -> Option<List> {
    use Element::{F32, F64, I32, I64};
    let is_kept =
        !matches!(x.entries, Entries::Forms(_)) || matches!(element, I32 | I64 | F32 | F64);
    is_kept.then(|| List {
        element,
        ..x.clone()
    })
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
    if broadcast_shapes(&x.shape, shape)? != shape {
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
    let (begin, end) = (attrs.shape("begin")?, attrs.shape("end")?);
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
        match (&mut whole.entries, &list.entries) {
            (Entries::Ints(all), Entries::Ints(more)) if fits => all.extend(more),
            (Entries::Floats(all), Entries::Floats(more)) if fits => all.extend(more),
            (all, more) if fits => {
                *all = Entries::Forms([all.forms()?, more.forms()?].concat());
            }
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
    let shape = broadcast_shapes(&yes.shape, &no.shape)?;
    let shape = broadcast_shapes(&condition.shape, &shape)?;
    let condition = broadcast(condition, &shape)?;
    let both = concatenate(
        &[
            broadcast(yes, &shape)?.reshaped(vec![condition.len() as i64])?,
            broadcast(no, &shape)?.reshaped(vec![condition.len() as i64])?,
        ],
        0,
    )?;
    let Some(flags) = condition.ints() else {
        return select_partial(&condition, &both, shape);
    };
    let strides = strides(&shape);
    both.pick(shape, |at| {
        let flat = dot(at, &strides);
        let otherwise = flags[flat as usize] == 0;
        flat + i64::from(otherwise) * flags.len() as i64
    })
}

/// A selection by flags of which some are not known. `both` has the elements for true, and then those for false.
fn select_partial(condition: &List, both: &List, shape: Vec<i64>) -> Option<List> {
    let (flags, elements) = (condition.entries.forms()?, both.entries.forms()?);
    let (yes, no) = elements.split_at(flags.len());
    let choices = flags.iter().zip(yes.iter().zip(no));
    let chosen = choices.map(|(flag, (yes, no))| match flag.known() {
        Some(0) => *no,
        Some(_) => *yes,
        None if yes == no => *yes,
        None => Dim::Unknown,
    });
    Some(List {
        element: both.element,
        shape,
        entries: Entries::Forms(chosen.collect()),
    })
}

/// The reduction of a vector that has elements to one number.
fn reduce(name: &str, x: &List, attrs: &Attrs<'_>) -> Option<List> {
    let name = match name {
        "max" => "maximum",
        "min" => "minimum",
        "sum" => "add",
        _ => "multiply",
    };
    if x.shape.len() != 1 || attrs.ints("axis")? != [0] || attrs.flag("exclude")? {
        return None;
    }
    let elements = (0..x.len() as i64).map(|place| x.pick(vec![1], |_| place));
    let elements: Vec<List> = elements.collect::<Option<_>>()?;
    let (first, rest) = elements.split_first()?;
    let mut all = rest.iter();
    let reduced = all.try_fold(first.clone(), |all, one| binary(name, &all, one))?;
    match attrs.flag("keepdims")? {
        true => Some(reduced),
        false => reduced.reshaped(Vec::new()),
    }
}

/// Negation, the rounding of scaled sizes, and what keeps counts from being negative.
fn unary(name: &str, x: &List) -> Option<List> {
    let entries = match (name, &x.entries) {
        ("logical_not", Entries::Ints(values)) if x.element == Element::Bool => {
            Entries::Ints(values.iter().map(|x| 1 - x).collect())
        }
        ("negative", Entries::Ints(values)) if x.element != Element::Bool => {
            Entries::Ints(values.iter().map(|x| -x).collect())
        }
        ("nn.relu", Entries::Ints(values)) if x.element != Element::Bool => {
            Entries::Ints(values.iter().map(|&x| x.max(0)).collect())
        }
        (_, Entries::Floats(values)) => {
            let apply = match name {
                "negative" => |x: f64| -x,
                "floor" => f64::floor,
                "ceil" => f64::ceil,
                // What is no number stays so.
                "nn.relu" => |x: f64| if x < 0.0 { 0.0 } else { x },
                _ => return None,
            };
            Entries::Floats(values.iter().map(|&x| apply(x)).collect())
        }
        (_, Entries::Forms(forms)) => {
            let apply = match name {
                "negative" => |x: Dim| Dim::Known(0).minus(x).ok(),
                // Forms are whole numbers.
                "floor" | "ceil" => Some,
                "nn.relu" => |x: Dim| x.max(0).ok(),
                _ => return None,
            };
            Entries::Forms(forms.iter().map(|&x| apply(x)).collect::<Option<_>>()?)
        }
        _ => return None,
    };
    Some(List {
        entries,
        ..x.clone()
    })
}

fn binary(name: &str, lhs: &List, rhs: &List) -> Option<List> {
    if lhs.element != rhs.element {
        return None;
    }
    let shape = broadcast_shapes(&lhs.shape, &rhs.shape)?;
    let (lhs, rhs) = (broadcast(lhs, &shape)?, broadcast(rhs, &shape)?);
    let (element, entries) = match (&lhs.entries, &rhs.entries) {
        (Entries::Ints(a), Entries::Ints(b)) => {
            let pairs = a.iter().zip(b);
            if let Some(holds) = comparison(name) {
                let flags = pairs.map(|(a, b)| i128::from(holds(a.cmp(b))));
                (Element::Bool, Entries::Ints(flags.collect()))
            } else {
                // Lists without numbers have no pairs to apply it to, but it has to be an operator of pairs.
                let apply = match lhs.element {
                    Element::Bool => of_bools(name)?,
                    _ => of_ints(name)?,
                };
                let results = pairs.map(|(&a, &b)| apply(a, b));
                (lhs.element, Entries::Ints(results.collect::<Option<_>>()?))
            }
        }
        (Entries::Floats(a), Entries::Floats(b)) => {
            let apply = of_floats(name)?;
            let results = a.iter().zip(b).map(|(&a, &b)| apply(a, b));
            (lhs.element, Entries::Floats(results.collect()))
        }
        (a, b) => {
            let (a, b) = (a.forms()?, b.forms()?);
            let mut pairs = a.into_iter().zip(b);
            match comparison(name) {
                Some(holds) => {
                    let flags: Vec<Option<bool>> =
                        pairs.map(|(a, b)| decided(a, b, holds)).collect();
                    (Element::Bool, Entries::of_flags(&flags))
                }
                None => {
                    let results = pairs.try_fold(Vec::new(), |mut all, (a, b)| {
                        all.push(of_forms(name, lhs.element, a, b)?);
                        Some(all)
                    });
                    (lhs.element, Entries::Forms(results?))
                }
            }
        }
    };
    Some(List {
        element,
        shape,
        entries,
    })
}

/// Whether a comparison of two forms holds, if that is certain: for every size from 0 on.
fn decided(a: Dim, b: Dim, holds: fn(Ordering) -> bool) -> Option<bool> {
    if a == Dim::Unknown || b == Dim::Unknown {
        return None;
    }
    let is_at_least = |a: Dim, b: Dim| a.max(b).is_ok_and(|greater| greater == a);
    let mut possible = vec![Ordering::Less, Ordering::Equal, Ordering::Greater];
    if a == b {
        possible = vec![Ordering::Equal];
    } else if let Some(difference) = a.minus(b).ok()?.known() {
        possible = vec![difference.cmp(&0)];
    } else {
        let (above, below) = (a.plus(1).ok()?, b.plus(1).ok()?);
        possible.retain(|ordering| match ordering {
            Ordering::Less => !is_at_least(a, b),
            Ordering::Greater => !is_at_least(b, a),
            Ordering::Equal => !is_at_least(a, below) && !is_at_least(b, above),
        });
    }
    let first = holds(*possible.first()?);
    let is_certain = possible.iter().all(|ordering| holds(*ordering) == first);
    is_certain.then_some(first)
}

/// Of two forms. A quotient is one of numbers that are not negative, where rounding down and rounding to 0 are the same.
fn of_forms(name: &str, element: Element, a: Dim, b: Dim) -> Option<Dim> {
    let is_natural = |dim: Dim| dim.max(0).is_ok_and(|greater| greater == dim);
    let is_positive = |dim: Dim| dim.max(1).is_ok_and(|greater| greater == dim);
    match name {
        "add" => a.plus(b),
        "subtract" => a.minus(b),
        "multiply" => a.times(b),
        "maximum" => a.max(b),
        "minimum" => a.min(b),
        "divide" if b == 1 => Ok(a),
        // The quotient of floats is not rounded.
        "divide" if !element.is_float() && is_natural(a) && is_positive(b) => a.floor_div(b),
        "floor_divide" if !element.is_float() && is_positive(b) => a.floor_div(b),
        "floor_mod" | "mod" if (name == "floor_mod" || is_natural(a)) && is_positive(b) => {
            let quotient = a.floor_div(b).ok()?;
            a.minus(quotient.times(b).ok()?)
        }
        _ => return None,
    }
    .ok()
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
        "floor_divide" => |a, b| (b > 0).then(|| a.div_euclid(b)),
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
        "maximum" => |a, b| if b.is_nan() || a < b { b } else { a },
        "minimum" => |a, b| if b.is_nan() || a > b { b } else { a },
        _ => return None,
    })
}
