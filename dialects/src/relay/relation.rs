//! What type relations work on.

use super::Attrs;
use crate::{
    dim::{self, Dim},
    ir::{Ctx, Op, Type},
};

/// The shape and element type of a tensor.
#[derive(Clone, Debug, PartialEq)]
pub struct TensorType {
    /// The dimensions.
    pub shape: Vec<Dim>,
    /// The element type.
    pub element: Type,
}

impl TensorType {
    /// A tensor type from its parts.
    pub fn new<D: Into<Dim>>(shape: Vec<D>, element: Type) -> Self {
        let shape = shape.into_iter().map(Into::into).collect();
        Self { shape, element }
    }

    /// That of a ranked tensor type.
    pub fn of(ty: Type) -> Option<Self> {
        ty.is_tensor().then(|| Self {
            shape: ty.dims(),
            element: ty.element(),
        })
    }

    /// The MLIR type.
    pub fn to_type(&self) -> Type {
        Type::tensor_of(&self.shape, self.element)
    }

    /// The number of dimensions.
    pub fn rank(&self) -> usize {
        self.shape.len()
    }
}

/// An operator with its operands' types and its attributes: all that a type relation may look at.
pub struct Call {
    /// The context, for element types.
    pub ctx: Ctx,
    /// The operands' types.
    pub inputs: Vec<TensorType>,
    /// The attributes, defaults filled in.
    pub attrs: Attrs,
}

impl Call {
    /// That of an op; `None` if an operand is no tensor.
    pub fn of(op: Op) -> Option<Self> {
        let operands = op.operands().into_iter();
        let inputs = operands.map(|value| TensorType::of(value.ty()));
        Some(Self {
            ctx: op.ctx(),
            inputs: inputs.collect::<Option<_>>()?,
            attrs: Attrs::of(op),
        })
    }
}

/// A shape as a diagnostic writes it: `[1, ?, 3]`.
pub fn show<D: Into<Dim> + Copy>(shape: &[D]) -> String {
    let dims: Vec<String> = shape.iter().map(|&dim| dim.into().to_string()).collect();
    format!("[{}]", dims.join(", "))
}

/// The most dimensions that an attribute may add to a tensor.
pub const MAX_NEW_AXES: usize = 64;

/// The result of the identity relation: the type of operand 0.
///
/// # Errors
/// Never; the signature is that of a relation.
pub fn identity(call: &Call) -> Result<Vec<TensorType>, String> {
    Ok(vec![call.inputs[0].clone()])
}

/// Numpy's broadcasting: trailing dimensions are equal, or one of them is 1. An unknown dimension
/// beside a known one is taken to be equal to it, or 1.
///
/// # Errors
/// If the shapes do not broadcast.
pub fn broadcast_shapes(lhs: &[Dim], rhs: &[Dim]) -> Result<Vec<Dim>, String> {
    let rank = lhs.len().max(rhs.len());
    let extent = |shape: &[Dim], i: usize| {
        (i + shape.len())
            .checked_sub(rank)
            .map_or(Dim::Known(1), |position| shape[position])
    };
    (0..rank)
        .map(|i| {
            dim::broadcast(extent(lhs, i), extent(rhs, i)).ok_or_else(|| {
                let (lhs, rhs) = (show(lhs), show(rhs));
                format!("shapes {lhs} and {rhs} do not broadcast (C1)")
            })
        })
        .collect()
}

/// The broadcasting relation: equal element types, broadcast shapes.
///
/// # Errors
/// If element types differ or shapes do not broadcast.
pub fn broadcast(call: &Call) -> Result<Vec<TensorType>, String> {
    let [lhs, rhs] = &call.inputs[..] else {
        return Err("takes two operands".into());
    };
    if lhs.element != rhs.element {
        return Err(format!(
            "element types {} and {} differ (C2)",
            lhs.element, rhs.element
        ));
    }
    Ok(vec![TensorType::new(
        broadcast_shapes(&lhs.shape, &rhs.shape)?,
        lhs.element,
    )])
}

/// The broadcasting relation of comparisons: as [`broadcast`], with booleans as the result.
///
/// # Errors
/// As [`broadcast`].
pub fn compare(call: &Call) -> Result<Vec<TensorType>, String> {
    let mut types = broadcast(call)?;
    types[0].element = Type::int(call.ctx, 1);
    Ok(types)
}

/// An axis counted from the end if negative, checked against the rank.
///
/// # Errors
/// If it is out of range.
pub fn normalize_axis(axis: i64, rank: usize) -> Result<usize, String> {
    let rank = rank as i64;
    if (-rank..rank).contains(&axis) {
        Ok(axis.rem_euclid(rank) as usize)
    } else {
        Err(format!("axis {axis} is out of range for rank {rank}"))
    }
}
