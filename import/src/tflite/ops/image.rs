//! Images at other sizes.

use super::row::{Row, row};
use crate::{
    compose::image::{Places, bilinear, nearest},
    graph::{
        builder::GraphBuilder,
        constant::{Const, Numbers},
        error::Result,
        value::Value,
    },
    tflite::node::Node,
};
use relay_dialects::{dim::Dim, element::Element};

/// The family's rows.
pub const ROWS: &[Row] = &[
    row("RESIZE_BILINEAR", resize_bilinear),
    row("RESIZE_NEAREST_NEIGHBOR", resize_nearest),
];

fn places(n: &Node<'_>) -> Result<Places> {
    Places::of(n.flag("align_corners")?, n.flag("half_pixel_centers")?)
}

/// The extents of the result.
fn size(n: &Node<'_>, b: &mut GraphBuilder, x: &Value) -> Result<Vec<Dim>> {
    let size = n.sizes(b, 1)?;
    let is_empty = |extent: &Dim| extent.known().is_some_and(|extent| extent < 1);
    match x.rank() == 4 && size.len() == 2 && !size.iter().any(is_empty) {
        true => Ok(size),
        false => Err(format!("data of shape {:?} at the size {size:?}", x.dims())),
    }
}

fn resize_nearest(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let size = size(n, b, &x)?;
    Ok(vec![nearest(b, &x, size, places(n)?)?])
}

fn resize_bilinear(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let (size, places) = (size(n, b, &x)?, places(n)?);
    if x.element().is_float() {
        return Ok(vec![bilinear(b, &x, size, places)?]);
    }
    let known: Option<Vec<i64>> = size.iter().map(|extent| extent.known()).collect();
    let known = known.ok_or("the size of an image of integers has to be known")?;
    let made = match x.element() {
        Element::U8 => between_floats(b, &x, &known, places)?,
        _ => between(b, &x, &known, places)?,
    };
    Ok(vec![made])
}

/// For each element of an axis of the result, the two elements of the data that it lies between, and its distance from the first.
struct Line<T> {
    first: Vec<i64>,
    second: Vec<i64>,
    distance: Vec<T>,
}

/// The bits behind the point of distances, and of two of them multiplied.
const BITS: i64 = 10;

/// The most elements of an axis of a result.
const MOST: i64 = 1 << 24;

fn check_extents(from: i64, to: i64) -> Result<()> {
    match (1..=MOST).contains(&from) && (1..=MOST).contains(&to) {
        true => Ok(()),
        false => Err(format!("an image's extent of {from} at the size {to}")),
    }
}

/// A line in fixed point.
fn line(from: i64, to: i64, places: Places) -> Result<Line<i64>> {
    check_extents(from, to)?;
    let one = 1 << BITS;
    let step = match places {
        Places::Corners if to > 1 => (one * (from - 1) + (to - 1) / 2) / (to - 1),
        _ => (one * from + to / 2) / to,
    };
    let moved = if places == Places::Centers {
        step / 2 - one / 2
    } else {
        0
    };
    let at: Vec<i64> = (0..to).map(|place| place * step + moved).collect();
    let first: Vec<i64> = at.iter().map(|at| (at / one).max(0)).collect();
    let distance = at.iter().zip(&first).map(|(at, first)| at - one * first);
    Ok(Line {
        second: at
            .iter()
            .map(|at| ((at + one - 1) / one).min(from - 1))
            .collect(),
        distance: distance.collect(),
        first: first.iter().map(|first| (*first).min(from - 1)).collect(),
    })
}

/// The elements of an axis at some places.
fn at(b: &mut GraphBuilder, x: &Value, axis: usize, places: &[i64]) -> Result<Value> {
    let places = b.known(Const::ints(places));
    b.taken(x, &places, axis)
}

/// Numbers along an axis of an image.
fn along(
    b: &GraphBuilder,
    element: Element,
    axis: usize,
    numbers: &Numbers,
    count: usize,
) -> Value {
    let mut shape = vec![1; 4];
    shape[axis] = count as i64;
    b.known(Const::new(element, shape, numbers))
}

/// Integers between integers, in fixed point; of two as near the one farther from zero.
fn between(b: &mut GraphBuilder, x: &Value, size: &[i64], places: Places) -> Result<Value> {
    let element = x.element();
    let mut sums = b.cast(x, Element::I64)?;
    for axis in 1..=2 {
        let line = line(x.extent(axis)?, size[axis - 1], places)?;
        let rest: Vec<i64> = line
            .distance
            .iter()
            .map(|distance| (1 << BITS) - distance)
            .collect();
        let part = |b: &mut GraphBuilder, places: &[i64], weights: &[i64]| {
            let near = at(b, &sums, axis, places)?;
            let weights = along(
                b,
                Element::I64,
                axis,
                &Numbers::ints(weights),
                weights.len(),
            );
            b.binary("multiply", &near, &weights)
        };
        let first = part(b, &line.first, &rest)?;
        let second = part(b, &line.second, &line.distance)?;
        sums = b.binary("add", &first, &second)?;
    }
    let half = b.scalar(Element::I64, 2f64.powi(2 * BITS as i32 - 1));
    let zero = b.scalar(Element::I64, 0.0);
    let is_above = b.binary("greater", &sums, &zero)?;
    let down = b.unary("negative", &half)?;
    let round = b.op("where", &[is_above, half, down], &[])?;
    let sums = b.binary("add", &sums, &round)?;
    let whole = b.with_scalar("divide", &sums, 2f64.powi(2 * BITS as i32))?;
    b.cast(&whole, element)
}

/// Bytes without a sign between others, in floats.
fn between_floats(b: &mut GraphBuilder, x: &Value, size: &[i64], places: Places) -> Result<Value> {
    let numbers = b.cast(x, Element::F32)?;
    let lines = [1, 2].map(|axis| float_line(x.extent(axis)?, size[axis - 1], places));
    let [rows, columns] = lines;
    let (rows, columns) = (rows?, columns?);
    let weights = |b: &GraphBuilder, line: &Line<f32>, axis: usize, is_first: bool| {
        let of = |distance: &f32| f64::from(if is_first { 1.0 - distance } else { *distance });
        let numbers = Numbers::Floats(line.distance.iter().map(of).collect());
        along(b, Element::F32, axis, &numbers, line.distance.len())
    };
    let mut sum: Option<Value> = None;
    for (is_left, is_upper) in [(true, true), (true, false), (false, true), (false, false)] {
        let near = at(
            b,
            &numbers,
            1,
            if is_upper { &rows.first } else { &rows.second },
        )?;
        let near = at(
            b,
            &near,
            2,
            if is_left {
                &columns.first
            } else {
                &columns.second
            },
        )?;
        let by_row = weights(b, &rows, 1, is_upper);
        let by_column = weights(b, &columns, 2, is_left);
        let part = b.binary("multiply", &near, &by_row)?;
        let part = b.binary("multiply", &part, &by_column)?;
        sum = Some(match sum {
            Some(sum) => b.binary("add", &sum, &part)?,
            None => part,
        });
    }
    let sum = sum.ok_or("an image has no corners")?;
    let moved = b.with_scalar("add", &sum, 0.5)?;
    let words = b.cast(&moved, Element::I32)?;
    b.cast(&words, x.element())
}

fn float_line(from: i64, to: i64, places: Places) -> Result<Line<f32>> {
    check_extents(from, to)?;
    let scale = match places {
        Places::Corners if to > 1 => (from - 1) as f32 / (to - 1) as f32,
        _ => from as f32 / to as f32,
    };
    let at: Vec<f32> = (0..to)
        .map(|place| match places {
            Places::Centers => (place as f32 + 0.5) * scale - 0.5,
            _ => place as f32 * scale,
        })
        .collect();
    let first: Vec<i64> = at.iter().map(|at| (at.floor() as i64).max(0)).collect();
    Ok(Line {
        distance: at
            .iter()
            .zip(&first)
            .map(|(at, first)| at - *first as f32)
            .collect(),
        second: at
            .iter()
            .map(|at| (at.ceil() as i64).clamp(0, from - 1))
            .collect(),
        first: first.into_iter().map(|first| first.min(from - 1)).collect(),
    })
}
