//! Tensors in the graph being imported, and their axes.

use super::{
    constant::{Const, element_count},
    error::Result,
};
use relay_dialects::{
    dim::{Dim, dims},
    element::Element,
    ir::Value as IrValue,
};
use std::{cell::Cell, rc::Rc};

/// A tensor in the graph being imported: computed at run time, or known now.
///
/// What is known stays out of the IR until an op uses it, so that shape arithmetic leaves nothing
/// behind.
#[derive(Clone)]
pub struct Value(Rc<Tensor>);

struct Tensor {
    element: Element,
    shape: Vec<i64>,
    known: Option<Known>,
    ir: Cell<Option<IrValue>>,
}

struct Known {
    value: Const,
    name: String,
}

impl Value {
    /// A tensor known now. `name` is what its location and its resource are called.
    pub fn known(value: Const, name: &str) -> Self {
        Self(Rc::new(Tensor {
            element: value.element,
            shape: value.shape.clone(),
            known: Some(Known {
                value,
                name: name.into(),
            }),
            ir: Cell::new(None),
        }))
    }

    /// A value of the IR. Fails if its type is not a static tensor of a supported element type.
    pub fn computed(ir: IrValue) -> Result<Self> {
        let ty = ir.ty();
        if !ty.is_tensor() || !ty.is_static() {
            return Err(format!("{ty} is not a tensor of static shape"));
        }
        let shape = ty.shape();
        element_count(&shape)?;
        Ok(Self(Rc::new(Tensor {
            element: Element::of(ty.element())
                .ok_or_else(|| format!("element type {} is not supported", ty.element()))?,
            shape,
            known: None,
            ir: Cell::new(Some(ir)),
        })))
    }

    /// The dimensions.
    pub fn shape(&self) -> &[i64] {
        &self.0.shape
    }

    /// The number of dimensions.
    pub fn rank(&self) -> usize {
        self.0.shape.len()
    }

    /// The element type.
    pub fn element(&self) -> Element {
        self.0.element
    }

    /// The contents, if known.
    pub fn constant(&self) -> Option<&Const> {
        self.0.known.as_ref().map(|known| &known.value)
    }

    /// The name of what is known.
    pub(super) fn name(&self) -> Option<&str> {
        self.0.known.as_ref().map(|known| known.name.as_str())
    }

    /// The value in the IR, if it is there.
    pub(super) fn ir(&self) -> Option<IrValue> {
        self.0.ir.get()
    }

    /// Notes the value in the IR.
    pub(super) fn set_ir(&self, ir: IrValue) {
        self.0.ir.set(Some(ir));
    }

    /// The one number in a known tensor of one element.
    pub fn scalar(&self) -> Option<f64> {
        let constant = self.constant()?;
        (constant.count() == 1).then(|| constant.to_floats()[0])
    }

    /// An axis counted from the end if negative.
    pub fn axis(&self, axis: i64) -> Result<usize> {
        normalize_axis(axis, self.rank())
    }
}

/// An axis counted from the end if negative, checked against the rank.
pub fn normalize_axis(axis: i64, rank: usize) -> Result<usize> {
    let end = rank as i64;
    if (-end..end).contains(&axis) {
        Ok(axis.rem_euclid(end) as usize)
    } else {
        Err(format!("axis {axis} is out of range for rank {rank}"))
    }
}

/// Several axes, sorted and without repetition.
pub fn normalize_axes(axes: &[i64], rank: usize) -> Result<Vec<usize>> {
    let mut result = axes
        .iter()
        .map(|&axis| normalize_axis(axis, rank))
        .collect::<Result<Vec<_>>>()?;
    result.sort_unstable();
    if result.windows(2).any(|pair| pair[0] == pair[1]) {
        return Err(format!("axes {axes:?} repeat one"));
    }
    Ok(result)
}

/// Numpy's broadcasting of two shapes.
pub fn broadcast_shapes(lhs: &[i64], rhs: &[i64]) -> Result<Vec<i64>> {
    let shape = relay_dialects::relay::relation::broadcast_shapes(&dims(lhs), &dims(rhs))?;
    Ok(shape.into_iter().map(Dim::to_mlir).collect())
}
