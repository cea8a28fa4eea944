//! Tensors whose elements depend on their subscripts: ranges, triangles, places.

use crate::graph::{
    attr::Param,
    builder::GraphBuilder,
    constant::{Const, Numbers, element_count},
    error::Result,
    value::Value,
};
use relay_dialects::{
    dim::{self, Dim},
    element::Element,
    index::strides,
};

/// The most numbers of a range, subscripts of an axis, and elements that are looked at: they are held while the model is imported.
const LONGEST: i64 = 1 << 24;

/// 0, a step, twice the step and so on, as many as a shape has elements. Of open dimensions they are computed when the model runs.
pub fn steps(b: &mut GraphBuilder, shape: &[Dim], step: impl Into<Dim>) -> Result<Value> {
    let step = step.into();
    let known: Option<Vec<i64>> = shape.iter().map(|dim| dim.known()).collect();
    if let (Some(shape), Some(step)) = (known, step.known()) {
        return known_steps(b, shape, step);
    }
    let places = b.iota(Element::I64, &[dim::product(shape)?], 0)?;
    let places = b.reshape(&places, shape)?;
    b.with_size("multiply", &places, step)
}

fn known_steps(b: &GraphBuilder, shape: Vec<i64>, step: i64) -> Result<Value> {
    let count = element_count(&shape)?;
    if count > LONGEST {
        return Err(format!(
            "{count} subscripts are too many; up to 2^24 are supported"
        ));
    }
    let all: Vec<i64> = (0..count).map(|place| place * step).collect();
    Ok(b.known(Const::new(Element::I64, shape, &Numbers::ints(&all))))
}

/// The shape of so many axes of which all but one have an extent of 1.
pub fn one_axis<D: From<i64> + Clone>(rank: usize, axis: usize, extent: D) -> Vec<D> {
    let mut shape = vec![D::from(1); rank];
    shape[axis] = extent;
    shape
}

/// The subscripts of an axis, in a tensor of so many axes of which all others have an extent of 1.
pub fn subscripts(
    b: &mut GraphBuilder,
    rank: usize,
    axis: usize,
    extent: impl Into<Dim>,
) -> Result<Value> {
    let extent = extent.into();
    let shape = one_axis(rank, axis, extent);
    match extent.known() {
        Some(_) => steps(b, &shape, 1),
        None => b.iota(Element::I64, &shape, axis),
    }
}

/// Turns subscripts, of which negative ones count from the end, into such that count from the start.
pub fn from_start(
    b: &mut GraphBuilder,
    subscript: &Value,
    extent: impl Into<Dim>,
) -> Result<Value> {
    let is_negative = b.with_scalar("less", subscript, 0.0)?;
    let wrapped = b.with_size("add", subscript, extent.into())?;
    b.op("where", &[is_negative, wrapped, subscript.clone()], &[])
}

/// How the subscripts of a matrix's columns compare with those of its rows and `k`.
pub fn compare(
    b: &mut GraphBuilder,
    op: &str,
    (rows, columns): (Dim, Dim),
    k: i64,
) -> Result<Value> {
    let far = 1 << 40;
    let moved = b.scalar(Element::I64, k.clamp(-far, far) as f64);
    let rows = subscripts(b, 2, 0, rows)?;
    let rows = b.binary("add", &rows, &moved)?;
    let columns = subscripts(b, 2, 1, columns)?;
    b.binary(op, &columns, &rows)
}

/// The subscripts of the elements that are not 0, of a tensor that is computed at run time.
pub fn computed_places(x: &Value, b: &mut GraphBuilder) -> Result<Value> {
    let found = b.ops("nonzero", std::slice::from_ref(x), &[])?;
    let [places, count] = &found[..] else {
        return Err("relay.nonzero does not have two results".into());
    };
    let count = b.define(count, "nonzero", Some(dim::product(x.dims())?))?;
    b.prefix(places, 1, count)
}

/// The places of the elements of a list that are not 0, as a list.
pub fn computed_places_of_list(list: &Value, b: &mut GraphBuilder) -> Result<Value> {
    let places = computed_places(list, b)?;
    b.reshape(&places, &[places.dims()[1]])
}

/// The subscripts of the elements of a constant that are not 0.
pub fn known_places(x: &Const, b: &GraphBuilder) -> Result<Value> {
    if element_count(&x.shape)? > LONGEST {
        return Err(format!(
            "{} elements are too many to look at; up to 2^24 are supported",
            x.count()
        ));
    }
    let numbers = x.to_floats().into_iter().enumerate();
    let places: Vec<i64> = numbers
        .filter(|(_, number)| *number != 0.0)
        .map(|(place, _)| place as i64)
        .collect();
    let axes = x.shape.iter().zip(strides(&x.shape));
    let of_axis = |(&extent, stride): (&i64, i64)| {
        let subscript = move |place: &i64| place / stride % extent;
        places.iter().map(subscript)
    };
    let subscripts: Vec<i64> = axes.flat_map(of_axis).collect();
    let shape = vec![x.shape.len() as i64, places.len() as i64];
    let subscripts = Numbers::ints(&subscripts);
    Ok(b.known(Const::new(Element::I64, shape, &subscripts)))
}

/// A range some of whose ends or whose step is computed at run time.
pub fn computed_range(b: &mut GraphBuilder, ends: &[Value; 3]) -> Result<Value> {
    let element = ends[0].element();
    if ends.iter().any(|end| end.element() != element) {
        return Err("start, limit and step differ in type".into());
    }
    let mut scalar = |value: &Value| b.reshape_to_scalar(value);
    let [start, limit, step] = [scalar(&ends[0])?, scalar(&ends[1])?, scalar(&ends[2])?];
    let count = range_count(b, [&start, &limit, &step])?;
    b.op(
        "arange",
        &[start, step],
        &[("count", Param::Dims(vec![count]))],
    )
}

/// How many numbers a range has.
fn range_count(b: &mut GraphBuilder, [start, limit, step]: [&Value; 3]) -> Result<Dim> {
    let length = b.binary("subtract", limit, start)?;
    let count = match start.element().is_float() {
        true => {
            let quotient = b.binary("divide", &length, step)?;
            b.unary("ceil", &quotient)?
        }
        // The quotient is rounded up.
        false => {
            let length = b.unary("negative", &length)?;
            let quotient = b.binary("floor_divide", &length, step)?;
            b.unary("negative", &quotient)?
        }
    };
    let count = b.cast(&count, Element::I64)?;
    let count = b.with_scalar("maximum", &count, 0.0)?;
    b.define(&count, "range", None)
}

/// The numbers of a range of which a bound is a form of open dimensions, and the step a number.
pub fn open_range(inputs: &[Value; 3], b: &mut GraphBuilder) -> Result<Option<Value>> {
    let is_open = |input: &Value| {
        let mut forms = input.elements().unwrap_or_default().iter();
        forms.any(|form| !form.is_known())
    };
    if !inputs.iter().any(is_open) {
        return Ok(None);
    }
    let [start, limit, step] = inputs.each_ref().map(bound);
    let (Some(start), Some(limit), Some((step, by))) = (start, limit, step) else {
        return Err("a bound of a range of open dimensions is a fraction whose divisor is no power of two up to 1024".into());
    };
    let step = step.known().filter(|step| *step != 0);
    let step = step.ok_or("the step of a range is 0")?;
    // All are whole numbers of a common part.
    let whole = start.1.max(limit.1).max(by);
    let (first, last) = (
        start.0.times(whole / start.1)?,
        limit.0.times(whole / limit.1)?,
    );
    let distance = match step > 0 {
        true => last.minus(first)?,
        false => first.minus(last)?,
    };
    let count = distance.max(0)?.ceil_div(step.abs() * (whole / by))?;
    let element = inputs[0].element();
    let numbers = b.iota(element, &[count], 0)?;
    let numbers = b.with_scalar("multiply", &numbers, step as f64 / by as f64)?;
    let start = b.reshape_to_scalar(&inputs[0])?;
    Ok(Some(b.binary("add", &numbers, &start)?))
}

/// The one number of a tensor as a quotient by a power of two, if it is known or a form.
fn bound(value: &Value) -> Option<(Dim, i64)> {
    const LARGEST: i64 = 1 << 10;
    if let Some([form]) = value.elements() {
        return Some((*form, 1));
    }
    let [number] = value.constant()?.to_floats()[..] else {
        return None;
    };
    let divisors = (0..=LARGEST.ilog2()).map(|power| 1_i64 << power);
    let mut exact = divisors.filter(|divisor| (number * *divisor as f64).fract() == 0.0);
    exact
        .next()
        .map(|divisor| (Dim::Known((number * divisor as f64) as i64), divisor))
}

/// A range's count of numbers, if it is one.
pub fn count_of(count: f64) -> Result<i64> {
    match count {
        count if count.is_nan() => Err("the step is 0, or an end is no number".into()),
        count if count > LONGEST as f64 => Err(format!("a range of {count} numbers is too long")),
        count => Ok(count.max(0.0) as i64),
    }
}

/// The numbers of a range that are known at compile time.
///
/// # Errors
/// If they are no numbers of one type, or too many.
pub fn known_range(b: &GraphBuilder, ends: [&Const; 3]) -> Result<Value> {
    let element = ends[0].element;
    if let Some(end) = ends.iter().find(|end| end.count() != 1) {
        return Err(format!(
            "an end has shape {:?}, expected a scalar",
            end.shape
        ));
    }
    let numbers = match [0, 1, 2].map(|end: usize| ends[end].numbers()) {
        [
            Numbers::Ints(start),
            Numbers::Ints(limit),
            Numbers::Ints(step),
        ] => {
            let (start, limit, step) = (start[0], limit[0], step[0]);
            // The quotient is rounded up.
            let count = (limit - start + step - step.signum()).checked_div(step);
            let count = count_of(count.map_or(f64::NAN, |count| count as f64))?;
            Numbers::Ints(
                (0..count)
                    .map(|place| start + i128::from(place) * step)
                    .collect(),
            )
        }
        [
            Numbers::Floats(start),
            Numbers::Floats(limit),
            Numbers::Floats(step),
        ] => {
            let (start, limit, step) = (start[0], limit[0], step[0]);
            let count = count_of(((limit - start) / step).ceil())?;
            Numbers::Floats(
                (0..count)
                    .map(|place| start + place as f64 * step)
                    .collect(),
            )
        }
        _ => return Err("start, limit and step differ in type".into()),
    };
    let count = match &numbers {
        Numbers::Ints(all) => all.len(),
        Numbers::Floats(all) => all.len(),
    };
    Ok(b.known(Const::new(element, vec![count as i64], &numbers)))
}
