//! What follows for the weights of products and the vectors of normalisations.

use super::rule;
use crate::{
    dim::{self, Dim},
    relay::{
        Attrs, Layout, TensorType,
        operands::{Follows, Known},
        relation::{normalize_axis, show},
    },
};

use super::window::LARGEST;

/// The weight of a convolution, from its data, its kernel's size and the channels of its result. A transposed one reads its
/// weight in the other direction.
pub fn conv(known: &Known, space: &'static str, is_transposed: bool) -> Result<Follows, String> {
    let kernel = hints(&known.attrs, "kernel_size", space.len()).map_err(rule("C7"))?;
    let (Some(data), Some(kernel), None) = (known.operand(0), kernel, known.operand(1)) else {
        return Ok(vec![]);
    };
    let layout = |name: &str| Layout::parse(&known.attrs.str(name)?).map_err(rule("C5"));
    let (of_data, of_weight) = (layout("data_layout")?, layout("kernel_layout")?);
    of_data.fits("data", &data.shape).map_err(rule("C1"))?;
    let Some(outputs) = channels(known, &of_data)? else {
        return Ok(vec![]);
    };
    let inputs = of_data.extent('C', &data.shape)?;
    let groups = known.attrs.int("groups")?;
    let shared = |channels: Dim| {
        let part = Some(groups).filter(|groups| *groups >= 1);
        let part = part.and_then(|groups| dim::quotient(channels, groups));
        part.ok_or_else(|| format!("{channels} channels do not make {groups} groups (C2)"))
    };
    let (outputs, inputs) = match is_transposed {
        true => (shared(outputs)?, inputs),
        false => (outputs, shared(inputs)?),
    };
    let plain = Layout::parse(&format!("OI{space}"))?;
    let shape = [&[outputs, inputs], &kernel[..]].concat();
    let shape = plain.convert(&shape, &of_weight).map_err(rule("C5"))?;
    Ok(vec![None, Some(TensorType::new(shape, data.element))])
}

/// The channels of a convolution's result, which is in the layout of the data.
fn channels(known: &Known, layout: &Layout) -> Result<Option<Dim>, String> {
    if let Some(channels) = hint(&known.attrs, "channels").map_err(rule("C7"))? {
        return Ok(Some(channels));
    }
    let result = known.result().map(|result| &result.shape);
    let result = result.filter(|shape| layout.fits("the result", shape).is_ok());
    result.map(|shape| layout.extent('C', shape)).transpose()
}

/// Data and weight of a dense layer: the weight has a row for each unit.
pub fn dense(known: &Known) -> Result<Follows, String> {
    let units = units(known).map_err(rule("C4"))?;
    let last = |ty: &TensorType| ty.shape.get(1).copied().filter(|_| ty.rank() == 2);
    let weight = known.operand(0).and_then(|data| {
        let shape = vec![units?, last(data)?];
        Some(TensorType::new(shape, data.element))
    });
    let rows = known.result().and_then(|result| result.shape.first());
    let data = known.operand(1).and_then(|weight| {
        let shape = vec![*rows?, last(weight)?];
        Some(TensorType::new(shape, weight.element))
    });
    Ok(vec![data, weight])
}

/// The weight of a dense layer in blocks.
pub fn dense_pack(known: &Known) -> Result<Follows, String> {
    let layout = Layout::parse(&known.attrs.str("weight_layout")?).map_err(rule("C3"))?;
    let (Some(data), Some(units)) = (known.operand(0), units(known).map_err(rule("C5"))?) else {
        return Ok(vec![]);
    };
    let [_, inputs] = data.shape[..] else {
        return Ok(vec![]);
    };
    let shape = Layout::parse("NC")?.convert(&[units, inputs], &layout);
    let weight = TensorType::new(shape.map_err(rule("C3"))?, data.element);
    Ok(vec![None, Some(weight)])
}

/// The units of a dense layer: its attribute, or the last dimension of its result.
fn units(known: &Known) -> Result<Option<Dim>, String> {
    if let Some(units) = hint(&known.attrs, "units")? {
        return Ok(Some(units));
    }
    let result = known.result().filter(|result| result.rank() == 2);
    Ok(result.map(|result| result.shape[1]))
}

/// Either operand of a product of matrices, from the other one and the result.
pub fn matmul(known: &Known) -> Result<Follows, String> {
    let flags = [
        known.attrs.bool("transpose_a")?,
        known.attrs.bool("transpose_b")?,
    ];
    let matrix = |rows: Dim, columns: Dim, is_transposed: bool| match is_transposed {
        true => vec![columns, rows],
        false => vec![rows, columns],
    };
    let a = known
        .operand(1)
        .zip(known.result())
        .and_then(|(b, result)| {
            let (batch, [rows, _]) = split(&result.shape)?;
            let (of_b, b_matrix) = split(&b.shape)?;
            let inner = b_matrix[usize::from(flags[1])];
            let matrix = matrix(rows, inner, flags[0]);
            Some(TensorType::new(
                [unbatched(batch, of_b)?, matrix].concat(),
                b.element,
            ))
        });
    let units = hint(&known.attrs, "units").map_err(rule("C5"))?;
    let b = known.operand(0).and_then(|a| {
        let (of_a, a_matrix) = split(&a.shape)?;
        let inner = a_matrix[usize::from(!flags[0])];
        let (batch, columns) = match (units, known.result()) {
            (Some(units), _) if of_a.is_empty() => (&[][..], units),
            (_, result) => {
                let (batch, [_, columns]) = split(&result?.shape)?;
                (batch, columns)
            }
        };
        let matrix = matrix(inner, columns, flags[1]);
        Some(TensorType::new(
            [unbatched(batch, of_a)?, matrix].concat(),
            a.element,
        ))
    });
    Ok(vec![a, b])
}

/// The batches of a shape, and its matrix.
fn split(shape: &[Dim]) -> Option<(&[Dim], [Dim; 2])> {
    match shape {
        [rows, columns] => Some((&[], [*rows, *columns])),
        [batch @ .., rows, columns] if batch.len() == 1 => Some((batch, [*rows, *columns])),
        _ => None,
    }
}

/// The batches that, beside those of the other operand, make those of the result, if these leave no choice.
fn unbatched(result: &[Dim], other: &[Dim]) -> Option<Vec<Dim>> {
    match (result, other) {
        ([], []) => Some(vec![]),
        ([Dim::Known(1)], _) => Some(vec![Dim::Known(1)]),
        ([batch], [Dim::Known(1)]) => Some(vec![*batch]),
        _ => None,
    }
}

/// Data of the result's type, and vectors along its attribute `axis`.
pub fn along_axis(known: &Known) -> Result<Follows, String> {
    let Some(data) = known.operand(0).or(known.result()) else {
        return Ok(vec![]);
    };
    let axis = normalize_axis(known.attrs.int("axis")?, data.rank()).map_err(rule("C1"))?;
    let vectors = known.operands.iter().skip(1).flatten();
    // Where the data does not know the extent, another vector may.
    let known_extent = vectors.filter_map(|vector| vector.shape.first()).copied();
    let extent = [data.shape[axis]].into_iter().chain(known_extent);
    let extent = extent.reduce(|one, other| dim::unify(one, other).unwrap_or(one));
    let vector = TensorType::new(vec![extent.unwrap_or(Dim::Unknown)], data.element);
    let mut follows = vec![Some(vector); known.operands.len()];
    follows[0] = Some(data.clone());
    Ok(follows)
}

/// An attribute that says an extent, if it is there.
fn hint(attrs: &Attrs, name: &str) -> Result<Option<Dim>, String> {
    if attrs.get(name).is_none() {
        return Ok(None);
    }
    let value = attrs.int(name)?;
    match value < 0 {
        true => Err(format!("{name} is {value}, expected at least 0")),
        false => Ok(Some(Dim::Known(value))),
    }
}

/// An attribute that says this many extents of a kernel, if it is there.
fn hints(attrs: &Attrs, name: &str, count: usize) -> Result<Option<Vec<Dim>>, String> {
    if attrs.get(name).is_none() {
        return Ok(None);
    }
    let values = attrs.ints(name)?;
    let are_extents = values.iter().all(|value| (1..=LARGEST).contains(value));
    match values.len() == count && are_extents {
        true => Ok(Some(values.into_iter().map(Dim::Known).collect())),
        false => Err(format!(
            "{name} {values:?} is not {count} numbers from 1 to {LARGEST}"
        )),
    }
}

/// What attribute `name` and the weight both say: `found` is what the weight does.
///
/// # Errors
/// If they contradict each other.
pub fn agree(attrs: &Attrs, name: &str, found: Dim) -> Result<Dim, String> {
    let Some(said) = hint(attrs, name)? else {
        return Ok(found);
    };
    dim::unify(said, found)
        .ok_or_else(|| format!("{name} is {said}, but by the type of the weight it is {found}"))
}

/// As [`agree`], of the extents of a kernel.
///
/// # Errors
/// If they contradict each other.
pub fn agree_all(attrs: &Attrs, name: &str, found: &[Dim]) -> Result<Vec<Dim>, String> {
    let Some(said) = hints(attrs, name, found.len())? else {
        return Ok(found.to_vec());
    };
    let both = said.iter().zip(found);
    let both: Option<Vec<Dim>> = both
        .map(|(said, found)| dim::unify(*said, *found))
        .collect();
    both.ok_or_else(|| {
        let (said, found) = (show(&said), show(found));
        format!("{name} is {said}, but by the type of the weight it is {found}")
    })
}
