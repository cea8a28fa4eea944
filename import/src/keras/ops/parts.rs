//! Operations of `keras.ops` that take parts of tensors.

use super::{
    operand::tensor,
    row::{Row, item, row},
    tensor::{int, ints, optional_ints},
};
use crate::{
    compose::{gather::check_indices, slice::sliced},
    graph::{attr::Param, builder::GraphBuilder, error::Result, value::Value},
    keras::{
        item::{Item, Tree},
        node::Node,
    },
};
use relay_dialects::{dim, dim::Dim, element::Element};

/// The rows of operations.
pub const OPERATIONS: &[Row] = &[
    row(&["GetItem"], get_item),
    item(&["Split"], split),
    row(&["Take"], take),
    item(&["TopK"], top_k),
];

/// Equal parts, or parts that end at some places.
fn split(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Item> {
    /// Each part is an operator.
    const MOST: i64 = 1 << 12;
    let x = tensor(n, b, 0, &["x"])?;
    let axis = optional_ints(n, 2, "axis")?.and_then(|axes| axes.first().copied());
    let axis = x.axis(axis.unwrap_or(0))?;
    let extent = x.extent(axis)?;
    let given = ints(n, 1, "indices_or_sections")?;
    let is_list = match n.arg(1, &["indices_or_sections"]) {
        Some(item) => matches!(item, Tree::List(_)),
        None => matches!(
            n.config.value("indices_or_sections"),
            Some(serde_json::Value::Array(_) | serde_json::Value::Object(_))
        ),
    };
    let ends: Vec<i64> = match (is_list, &given[..]) {
        (false, [count]) if (1..=MOST).contains(count) && extent % count == 0 => {
            (1..*count).map(|part| part * (extent / count)).collect()
        }
        (true, all) => all.to_vec(),
        _ => return Err(format!("{given:?} parts of an extent of {extent}")),
    };
    let mut made = Vec::new();
    let mut from = 0;
    for end in ends.into_iter().chain([extent]) {
        let end = end.clamp(from, extent);
        let (first, last) = (Dim::Known(from), Dim::Known(end));
        made.push(sliced(b, &x, &[(axis, first, last, 1)])?);
        from = end;
    }
    Ok(Item::list(made))
}

fn take(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let mut x = tensor(n, b, 0, &["x"])?;
    let indices = tensor(n, b, 1, &["indices"])?;
    let axis = match optional_ints(n, 2, "axis")?.as_deref() {
        Some([axis]) => x.axis(*axis)?,
        _ => {
            let all = dim::product(x.dims())?;
            x = b.reshape(&x, &[all])?;
            0
        }
    };
    check_indices(b, &indices, x.dims()[axis])?;
    b.taken(&x, &indices, axis)
}

fn top_k(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Item> {
    let x = tensor(n, b, 0, &["x"])?;
    let count = int(n, 1, "k")?;
    n.config.ignore(&["sorted"]);
    let last = x.axis(-1)?;
    if !(1..=x.extent(last)?).contains(&count) {
        return Err(format!("the greatest {count} of {:?}", x.dims()));
    }
    let places = b.argsort(&x, last, false)?;
    let places = sliced(b, &places, &[(last, Dim::Known(0), Dim::Known(count), 1)])?;
    let attrs = [("axis", Param::Int(last as i64))];
    let values = b.op("gather", &[x, places.clone()], &attrs)?;
    let places = b.cast(&places, Element::I32)?;
    Ok(Item::list(vec![values, places]))
}

/// `x[...]` with integers, slices, new axes and `...`.
fn get_item(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let x = tensor(n, b, 0, &["x"])?;
    let key = n
        .arg(1, &["key", "slice_spec"])
        .ok_or("there is no subscript")?;
    let parts = match key {
        Tree::List(all) => all.clone(),
        one => vec![one.clone()],
    };
    subscripted(b, &x, &parts)
}

/// The part of a tensor at some subscripts.
fn subscripted(b: &mut GraphBuilder, x: &Value, parts: &[Item]) -> Result<Value> {
    let is_axis = |part: &&Item| !matches!(part, Tree::None | Tree::Ellipsis);
    let count = parts.iter().filter(is_axis).count();
    let skipped = x.rank().checked_sub(count);
    let skipped = skipped.ok_or_else(|| format!("{count} subscripts of {:?}", x.dims()))?;
    let (mut slices, mut axis, mut has_ellipsis) = (Vec::new(), 0, false);
    // What becomes of each axis of the result: one of the tensor, or a new one.
    let mut kept = Vec::new();
    for part in parts {
        match part {
            Tree::None => kept.push(None),
            Tree::Ellipsis => {
                if std::mem::replace(&mut has_ellipsis, true) {
                    return Err("there are two '...' in a subscript".into());
                }
                kept.extend((axis..axis + skipped).map(Some));
                axis += skipped;
            }
            part => {
                let extent = x.dims()[axis];
                match part {
                    Tree::Slice(bounds) => {
                        slices.extend(slice_of(extent, bounds_of(bounds)?, axis)?);
                        kept.push(Some(axis));
                    }
                    number => {
                        let first = subscript_of(number, extent)?;
                        slices.push((axis, first, first.plus(1)?, 1));
                    }
                }
                axis += 1;
            }
        }
    }
    kept.extend((axis..x.rank()).map(Some));
    let part = match slices.is_empty() {
        true => x.clone(),
        false => sliced(b, x, &slices)?,
    };
    let dims = kept.into_iter().map(|axis| match axis {
        Some(axis) => part.dims()[axis],
        None => Dim::Known(1),
    });
    b.reshape(&part, &dims.collect::<Vec<Dim>>())
}

/// The place of a subscript, from the start.
fn subscript_of(item: &Item, extent: Dim) -> Result<Dim> {
    let at = item.int().ok_or_else(|| {
        format!(
            "a subscript is {}, expected an integer or a slice",
            item.kind()
        )
    })?;
    if let Some(extent) = extent.known()
        && !(-extent..extent).contains(&at)
    {
        return Err(format!("subscript {at} of an extent of {extent}"));
    }
    match at {
        0.. => Ok(Dim::Known(at)),
        _ => extent.plus(at),
    }
}

/// The bounds of a slice, and its step.
fn bounds_of(bounds: &[Item; 3]) -> Result<(Option<i64>, Option<i64>, i64)> {
    let bound = |place: usize| match &bounds[place] {
        Tree::None => Ok(None),
        other => other.int().map(Some).ok_or_else(|| {
            format!(
                "a bound of a slice is {}, expected an integer",
                other.kind()
            )
        }),
    };
    Ok((bound(0)?, bound(1)?, bound(2)?.unwrap_or(1)))
}

/// The slice of an axis, unless it is all of it. Bounds below 0 count from the end.
fn slice_of(
    extent: Dim,
    (start, stop, step): (Option<i64>, Option<i64>, i64),
    axis: usize,
) -> Result<Option<(usize, Dim, Dim, i64)>> {
    let at = |bound: i64| -> Result<Dim> {
        match (bound, extent) {
            (0.., Dim::Known(extent)) => Ok(Dim::Known(bound.min(extent))),
            (_, Dim::Known(extent)) => Ok(Dim::Known((extent + bound).max(0))),
            (0.., open) => open.min(bound),
            (_, open) => open.plus(bound)?.max(0),
        }
    };
    match step {
        1.. => {
            if step == 1 && start.unwrap_or(0) == 0 && stop.is_none() {
                return Ok(None);
            }
            let first = start.map_or(Ok(Dim::Known(0)), at)?;
            let last = stop.map_or(Ok(extent), at)?;
            let last = last.max(first)?;
            Ok(Some((axis, first, last, step)))
        }
        0 => Err("the step of a slice is 0".into()),
        _ => {
            let known = extent
                .known()
                .ok_or("a slice with a negative step of an open axis")?;
            let wrapped = |bound: i64| if bound < 0 { bound + known } else { bound };
            let first = start.map_or(known - 1, |start| wrapped(start).min(known - 1));
            let last = stop.map_or(-1, |stop| wrapped(stop).max(-1));
            // Ends below 0 count from the end: this one is before the first element.
            let last = if last < 0 { -known - 1 } else { last };
            Ok(Some((axis, Dim::Known(first), Dim::Known(last), step)))
        }
    }
}
