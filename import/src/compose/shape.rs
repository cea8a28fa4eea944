//! Shapes.

use crate::graph::{builder::GraphBuilder, constant::check_dims, error::Result, value::Value};
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
