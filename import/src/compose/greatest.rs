//! The greatest elements of windows, and where they lie.

use super::{slice::sliced, sliding::Window, subscript::steps};
use crate::graph::{builder::GraphBuilder, constant::element_count, error::Result, value::Value};
use relay_dialects::{
    dim::{self, Dim},
    element::Element,
    index::strides,
};

/// The most elements of a window: each is an operator.
const LARGEST: i64 = 1 << 10;

/// The greatest element of each window, and its subscript if all axes were one. The first of equal ones counts, and NaN is greater than any
/// number. With `by_columns`, the first of the image's axes is the innermost. A window without elements of the image has the subscript -1.
pub fn max_and_places(
    b: &mut GraphBuilder,
    x: &Value,
    window: &Window,
    by_columns: bool,
) -> Result<Vec<Value>> {
    let elements = element_count(&window.kernel)?;
    if elements > LARGEST {
        return Err(format!(
            "the places of the greatest elements of windows {:?} are not supported: windows may have up to {LARGEST} elements",
            window.kernel
        ));
    }
    let image = &x.dims()[2..];
    let least = b.scalar(x.element(), x.element().least());
    let padded = b.pad(x, &least, &window.widths(), "constant")?;
    let across = image_strides(image, by_columns)?;
    let first = FirstElements::of(b, x.dims(), (window, &across))?;
    let padded_image = window.padded(image)?;
    let mut greatest: Option<(Value, Value)> = None;
    for element in 0..elements {
        let at: Vec<i64> = strides(&window.kernel)
            .iter()
            .zip(&window.kernel)
            .zip(&window.dilations)
            .map(|((stride, extent), dilation)| element / stride % extent * dilation)
            .collect();
        let slices: Vec<_> = (0..image.len())
            .map(|axis| {
                let end = padded_image[axis].minus(window.span(axis) - at[axis] - 1)?;
                let end = end.max(0)?;
                let begin = Dim::Known(at[axis]);
                Ok((axis + 2, begin, end, window.strides[axis]))
            })
            .collect::<Result<_>>()?;
        let found = sliced(b, &padded, &slices)?;
        let steps = at.iter().zip(&across).map(|(at, stride)| stride.times(*at));
        let steps = dim::sum(&steps.collect::<Result<Vec<Dim>>>()?)?;
        let place = b.size(Element::I64, steps)?;
        greatest = Some(match greatest {
            // Padding is never greater than this element. So a place in the padding is never taken.
            None => (found, first.steps.clone()),
            Some((best, best_place)) => {
                let takes = is_greater(b, &found, &best)?;
                let best = b.op("where", &[takes.clone(), found, best], &[])?;
                (best, b.op("where", &[takes, place, best_place], &[])?)
            }
        });
    }
    let (best, place) = greatest.ok_or("the window has no elements")?;
    let start = window_starts(b, x.dims(), (window, &across), best.dims())?;
    let mut place = b.binary("add", &start, &place)?;
    if let Some(is_missing) = first.is_missing {
        let nowhere = b.scalar(Element::I64, -1.0);
        place = b.op("where", &[is_missing, nowhere, place], &[])?;
    }
    let place = b.broadcast(&place, best.dims())?;
    Ok(vec![best, place])
}

/// Whether an element takes the place of the greatest one so far. The first NaN does, and nothing takes the place of that.
fn is_greater(b: &mut GraphBuilder, found: &Value, best: &Value) -> Result<Value> {
    if !found.element().is_float() {
        return b.binary("greater", found, best);
    }
    let is_less = b.binary("less_equal", found, best)?;
    let is_number = b.binary("equal", best, best)?;
    let takes = b.unary("logical_not", &is_less)?;
    b.binary("logical_and", &takes, &is_number)
}

/// Where the windows meet the image first.
struct FirstElements {
    /// How far the first element of the image lies behind the window's start, where all axes of the image are one.
    steps: Value,
    /// Which windows cover only padding, if some do.
    is_missing: Option<Value>,
}

impl FirstElements {
    fn of(
        b: &mut GraphBuilder,
        input: &[Dim],
        (window, across): (&Window, &[Dim]),
    ) -> Result<Self> {
        let mut steps = b.scalar(Element::I64, 0.0);
        let mut is_missing: Option<Value> = None;
        for (axis, places) in window.places(&input[2..])?.into_iter().enumerate() {
            let (before, extent) = (window.before[axis], input[axis + 2]);
            let may_miss = match (places.known(), extent.known()) {
                (Some(places), Some(extent)) => {
                    let last_start = (places - 1) * window.strides[axis] - before;
                    before > 0 && window.dilations[axis] > extent || last_start >= extent
                }
                _ => before > 0 || window.after[axis] > 0,
            };
            if before == 0 && !may_miss {
                continue;
            }
            let along = (input.len(), axis + 2);
            let start = window.starts(b, axis, places, along)?;
            // From a start in the padding, whole dilations lead to the first element.
            let rest = b.with_scalar("floor_mod", &start, window.dilations[axis] as f64)?;
            let first = b.binary("maximum", &start, &rest)?;
            let behind = b.binary("subtract", &first, &start)?;
            let behind = b.with_size("multiply", &behind, across[axis])?;
            steps = b.binary("add", &steps, &behind)?;
            if may_miss {
                let beyond = b.with_size("greater_equal", &first, extent)?;
                is_missing = Some(match is_missing {
                    Some(others) => b.binary("logical_or", &others, &beyond)?,
                    None => beyond,
                });
            }
        }
        Ok(Self { steps, is_missing })
    }
}

/// How far the elements of an image lie apart on each axis, where the image is one axis.
fn image_strides(image: &[Dim], by_columns: bool) -> Result<Vec<Dim>> {
    let inner = |axis: usize| match by_columns {
        true => dim::product(&image[..axis]),
        false => dim::product(&image[axis + 1..]),
    };
    (0..image.len()).map(inner).collect()
}

/// The subscripts of the windows' first elements, where all axes of the input are one. They may be outside of the image.
fn window_starts(
    b: &mut GraphBuilder,
    input: &[Dim],
    (window, across): (&Window, &[Dim]),
    output: &[Dim],
) -> Result<Value> {
    let (planes, image) = input.split_at(2);
    let mut shape = vec![Dim::Known(1); input.len()];
    shape[..2].copy_from_slice(planes);
    let mut sum = steps(b, &shape, dim::product(image)?)?;
    for (axis, stride) in across.iter().enumerate() {
        let along = (input.len(), axis + 2);
        let start = window.starts(b, axis, output[axis + 2], along)?;
        let place = b.with_size("multiply", &start, *stride)?;
        sum = b.binary("add", &sum, &place)?;
    }
    Ok(sum)
}
