//! Type relations in the other direction: from what is known of an operator to the types of its operands.
//!
//! A rule says only what follows surely. It is asked for operands of which nothing is known; whether those that are known
//! go together is a matter of the type relation.

use super::{Attrs, TensorType};
use crate::{
    dim::Dim,
    element::Element,
    ir::{Ctx, Type},
};

/// An operator of which some types are known.
pub struct Known {
    /// The context, for element types.
    pub ctx: Ctx,
    /// The operands' types.
    pub operands: Vec<Option<TensorType>>,
    /// The results' types.
    pub results: Vec<Option<TensorType>>,
    /// The attributes, defaults filled in.
    pub attrs: Attrs,
}

impl Known {
    /// The type of an operand, if it is known.
    pub fn operand(&self, index: usize) -> Option<&TensorType> {
        self.operands.get(index)?.as_ref()
    }

    /// The type of the first result, if it is known.
    pub fn result(&self) -> Option<&TensorType> {
        self.results.first()?.as_ref()
    }
}

/// For each operand its type, if it follows. What stands there for an operand that is known is not read, and a list that is
/// too short says nothing of the others.
pub type Follows = Vec<Option<TensorType>>;

/// A rule for the operands: what follows for them, or what is wrong with the attributes.
pub type OperandRule = fn(&Known) -> Result<Follows, String>;

/// Attributes that say of an operand's type what the type says too. Once it is known they are not needed, and an operator
/// that is made of another one on other operands must not have them.
pub const HINTS: &[&str] = &["channels", "kernel_size", "units"];

/// The first operand is of the result's type.
///
/// # Errors
/// Never; the signature is that of a rule.
pub fn as_result(known: &Known) -> Result<Follows, String> {
    Ok(vec![known.result().cloned()])
}

/// Two operands of arithmetic: elements of the result's type, and shapes as far as broadcasting leaves no choice.
///
/// # Errors
/// Never.
pub fn broadcast(known: &Known) -> Result<Follows, String> {
    let element = known.result().map(|result| result.element);
    Ok(pair(known, |_| element))
}

/// Two operands of a comparison: the elements are those of the other one.
///
/// # Errors
/// Never.
pub fn compare(known: &Known) -> Result<Follows, String> {
    Ok(pair(known, |other| other.map(|other| other.element)))
}

/// Two operands of an operation on booleans.
///
/// # Errors
/// Never.
pub fn logical(known: &Known) -> Result<Follows, String> {
    let flag = Element::Bool.ty(known.ctx);
    Ok(pair(known, |_| Some(flag)))
}

fn pair(known: &Known, element: impl Fn(Option<&TensorType>) -> Option<Type>) -> Follows {
    let beside = |other: Option<&TensorType>| {
        let result = &known.result()?.shape;
        let shape = broadcast_operand(result, other.map(|other| &other.shape[..]))?;
        Some(TensorType::new(shape, element(other)?))
    };
    vec![beside(known.operand(1)), beside(known.operand(0))]
}

/// The shape that was broadcast to `result` together with `other`, if there is only one.
fn broadcast_operand(result: &[Dim], other: Option<&[Dim]>) -> Option<Vec<Dim>> {
    if result.is_empty() {
        return Some(Vec::new());
    }
    let other = other?;
    let more = result.len().checked_sub(other.len())?;
    let dims = result.iter().enumerate().map(|(at, &dim)| {
        let beside = at.checked_sub(more).map_or(Dim::Known(1), |at| other[at]);
        // What one operand does not have, the other one has; where both may have it, either may have 1.
        (dim == 1 || beside == 1).then_some(dim)
    });
    let dims = dims.collect::<Option<Vec<Dim>>>()?;
    // A leading 1 may be left out, where the other operand has the dimension too.
    let is_whole = more > 0 || dims[0].known().is_some_and(|extent| extent != 1);
    is_whole.then_some(dims)
}

#[cfg(test)]
mod tests {
    use super::broadcast_operand;
    use crate::dim::{DYNAMIC, Dim, dims};
    use crate::relay::relation::broadcast_shapes;

    fn operand(result: &[i64], other: Option<&[i64]>) -> Option<Vec<Dim>> {
        let other = other.map(dims);
        broadcast_operand(&dims(result), other.as_deref())
    }

    #[test]
    fn an_operand_follows_where_there_is_one_choice() {
        assert_eq!(operand(&[], None), Some(vec![]));
        assert_eq!(operand(&[2, 3], None), None);
        assert_eq!(operand(&[2, 3], Some(&[])), Some(dims(&[2, 3])));
        assert_eq!(operand(&[2, 3], Some(&[1])), Some(dims(&[2, 3])));
        assert_eq!(operand(&[2, 3], Some(&[1, 1])), Some(dims(&[2, 3])));
        assert_eq!(operand(&[2, 3], Some(&[3])), None);
        assert_eq!(operand(&[1, 3], Some(&[1, 1])), None);
        assert_eq!(operand(&[0, 3], Some(&[1, 1])), Some(dims(&[0, 3])));
        let open = Some(dims(&[DYNAMIC, 3]));
        assert_eq!(operand(&[DYNAMIC, 3], Some(&[1])), open);
        assert_eq!(operand(&[DYNAMIC, 3], Some(&[1, 1])), None);
        assert_eq!(operand(&[3], Some(&[1, 1])), None);
    }

    /// Against all shapes of at most three dimensions of at most three elements.
    #[test]
    fn what_follows_is_the_only_operand() -> Result<(), String> {
        let mut shapes = vec![vec![]];
        for rank in 0..3 {
            let longest = shapes
                .iter()
                .filter(|shape: &&Vec<Dim>| shape.len() == rank);
            let longer = longest
                .flat_map(|shape| (0..=2).map(|dim| [&shape[..], &[Dim::Known(dim)]].concat()));
            let longer: Vec<Vec<Dim>> = longer.collect();
            shapes.extend(longer);
        }
        for other in &shapes {
            for operand in &shapes {
                let Ok(result) = broadcast_shapes(operand, other) else {
                    continue;
                };
                let fits = |shape: &&Vec<Dim>| broadcast_shapes(shape, other) == Ok(result.clone());
                let all: Vec<&Vec<Dim>> = shapes.iter().filter(fits).collect();
                let found = broadcast_operand(&result, Some(other));
                let expected = (all.len() == 1).then(|| operand.clone());
                if found != expected {
                    return Err(format!(
                        "{operand:?} beside {other:?}: {found:?}, not {expected:?}"
                    ));
                }
            }
        }
        Ok(())
    }
}
