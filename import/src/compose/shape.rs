//! Shapes.

use super::slice::sliced;
use crate::graph::{
    attr::Param, builder::GraphBuilder, constant::check_dims, error::Result, value::Value,
};
use relay_dialects::dim::{self, Dim};

/// A tensor in a shape in which one number may be -1: what is left.
///
/// # Errors
/// If the tensor does not have as many elements, or several numbers are -1.
pub fn reshaped(b: &mut GraphBuilder, x: &Value, asked: &[Dim]) -> Result<Value> {
    reshaped_to(b, x, asked.to_vec(), asked)
}

/// As [`reshaped`]; messages say that `asked` was asked for.
pub fn reshaped_to(
    b: &mut GraphBuilder,
    x: &Value,
    mut shape: Vec<Dim>,
    asked: &[Dim],
) -> Result<Value> {
    let free: Vec<usize> = (0..shape.len()).filter(|axis| shape[*axis] == -1).collect();
    match free[..] {
        [] => {}
        [axis] => {
            shape[axis] = Dim::Known(1);
            check_dims(&shape)?;
            let (count, known) = (dim::product(x.dims())?, dim::product(&shape)?);
            let wrong = || format!("cannot reshape {:?} to {asked:?}", x.dims());
            shape[axis] = match (count, known) {
                (_, Dim::Known(0)) => return Err(wrong()),
                (Dim::Known(count), Dim::Known(known)) if count % known != 0 => return Err(wrong()),
                (count, known) => count.floor_div(known)?,
            };
        }
        _ => return Err(format!("shape {asked:?} has more than one -1")),
    }
    check_dims(&shape)?;
    b.reshape(x, &shape)
}

/// The parts of an axis of these extents.
///
/// # Errors
/// If they are not the whole axis.
pub fn parts(b: &mut GraphBuilder, x: &Value, axis: usize, extents: &[i64]) -> Result<Vec<Value>> {
    let mut start = 0i64;
    let mut made = Vec::with_capacity(extents.len());
    for &extent in extents {
        let end = (extent >= 0).then(|| start.checked_add(extent)).flatten();
        let end = end.ok_or_else(|| format!("parts of extents {extents:?}"))?;
        made.push((start, end));
        start = end;
    }
    if dim::unify(x.dims()[axis], start).is_none() {
        return Err(format!(
            "parts of extents {extents:?} are not dimension {axis} of {:?}",
            x.dims()
        ));
    }
    if x.is_known() || made.len() == 1 {
        let part =
            |(start, end): &(i64, i64)| sliced(b, x, &[(axis, (*start).into(), (*end).into(), 1)]);
        return made.iter().map(part).collect();
    }
    let cuts = made.iter().skip(1).map(|(start, _)| *start).collect();
    let attrs = [
        ("indices", Param::Ints(cuts)),
        ("axis", Param::Int(axis as i64)),
    ];
    b.ops("split", std::slice::from_ref(x), &attrs)
}
