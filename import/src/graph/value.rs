//! Tensors in the graph being imported, and their axes.

use super::{
    constant::{Const, check_dims},
    error::Result,
};
use relay_dialects::{
    dim::{Dim, dims, unify},
    element::Element,
    ir::Value as IrValue,
};
use std::{
    cell::{Cell, OnceCell},
    rc::Rc,
};

/// A tensor in the graph being imported: computed at run time, or known now.
///
/// What is known stays out of the IR until an op uses it, so that shape arithmetic leaves nothing
/// behind.
#[derive(Clone)]
pub struct Value(Rc<Tensor>);

struct Tensor {
    element: Element,
    dims: Vec<Dim>,
    /// The dimensions, if all of them are numbers.
    shape: Option<Vec<i64>>,
    known: Option<Known>,
    ir: Cell<Option<IrValue>>,
    /// The symbols that its elements are the values of, if they are.
    sizes: OnceCell<Vec<Dim>>,
    /// What is known of some elements of a computed list; the others are [`Dim::Unknown`].
    parts: OnceCell<Vec<Dim>>,
    /// Whether it is computed of extents and constants only.
    is_of_shapes: Cell<bool>,
}

struct Known {
    contents: Contents,
    name: String,
}

/// What is known of a tensor's elements.
enum Contents {
    /// All elements.
    Const(Const),
    /// The form that each element is.
    Forms(Vec<Dim>),
}

impl Value {
    fn new(element: Element, dims: Vec<Dim>, known: Option<Known>, ir: Option<IrValue>) -> Self {
        Self(Rc::new(Tensor {
            element,
            shape: dims.iter().map(|dim| dim.known()).collect(),
            dims,
            known,
            ir: Cell::new(ir),
            sizes: OnceCell::new(),
            parts: OnceCell::new(),
            is_of_shapes: Cell::new(false),
        }))
    }

    /// A tensor known now. `name` is what its location and its resource are called.
    pub fn known(value: Const, name: &str) -> Self {
        let (element, dims) = (value.element, dims(&value.shape));
        let known = Known {
            contents: Contents::Const(value),
            name: name.into(),
        };
        Self::new(element, dims, Some(known), None)
    }

    /// A tensor whose elements are forms of symbols: what models compute of open dimensions.
    pub(super) fn forms(element: Element, shape: &[i64], forms: Vec<Dim>, name: &str) -> Self {
        let known = Known {
            contents: Contents::Forms(forms),
            name: name.into(),
        };
        Self::new(element, dims(shape), Some(known), None)
    }

    /// A value of the IR. Fails if its type is not a tensor of a supported element type whose dimensions are numbers or forms.
    pub fn computed(ir: IrValue) -> Result<Self> {
        let ty = ir.ty();
        let dims = ty.dims();
        if !ty.is_tensor() || dims.contains(&Dim::Unknown) {
            return Err(format!(
                "{ty} is not a tensor whose shape follows from those of the inputs"
            ));
        }
        check_dims(&dims)?;
        let element = Element::of(ty.element())
            .ok_or_else(|| format!("element type {} is not supported", ty.element()))?;
        Ok(Self::new(element, dims, None, Some(ir)))
    }

    /// The dimensions.
    pub fn dims(&self) -> &[Dim] {
        &self.0.dims
    }

    /// The dimensions as numbers.
    ///
    /// # Errors
    /// If one of them is open.
    pub fn shape(&self) -> Result<&[i64]> {
        self.0.shape.as_deref().ok_or_else(|| {
            match self.0.dims.iter().find(|dim| !dim.is_known()) {
                Some(dim) => is_open(*dim),
                None => "the shape is not known".into(),
            }
        })
    }

    /// A dimension as a number.
    ///
    /// # Errors
    /// If it is open.
    pub fn extent(&self, axis: usize) -> Result<i64> {
        let dim = self.0.dims[axis];
        dim.known().ok_or_else(|| is_open(dim))
    }

    /// Whether it is certain that it has no elements.
    pub fn is_empty(&self) -> bool {
        self.0.dims.contains(&Dim::Known(0))
    }

    /// The number of dimensions.
    pub fn rank(&self) -> usize {
        self.0.dims.len()
    }

    /// The element type.
    pub fn element(&self) -> Element {
        self.0.element
    }

    /// The contents, if known.
    pub fn constant(&self) -> Option<&Const> {
        match &self.0.known.as_ref()?.contents {
            Contents::Const(value) => Some(value),
            Contents::Forms(_) => None,
        }
    }

    /// Whether its elements are known now, at least as forms.
    pub fn is_known(&self) -> bool {
        self.0.known.is_some()
    }

    /// The form that each element is, if they are known as such and one of them is no number.
    pub fn elements(&self) -> Option<&[Dim]> {
        match &self.0.known.as_ref()?.contents {
            Contents::Const(_) => None,
            Contents::Forms(forms) => Some(forms),
        }
    }

    /// The name of what is known.
    pub(super) fn name(&self) -> Option<&str> {
        self.0.known.as_ref().map(|known| known.name.as_str())
    }

    /// The value in the IR, if it is there.
    pub fn ir(&self) -> Option<IrValue> {
        self.0.ir.get()
    }

    /// The symbols that its elements are the values of, if they are.
    pub(super) fn sizes(&self) -> Option<&[Dim]> {
        self.0.sizes.get().map(Vec::as_slice)
    }

    /// Notes the symbols that its elements are the values of. The first ones stay.
    pub(super) fn set_sizes(&self, sizes: &[Dim]) {
        self.0.sizes.get_or_init(|| sizes.to_vec());
    }

    /// What is known of some elements of a computed list; the others are [`Dim::Unknown`].
    pub(super) fn parts(&self) -> Option<&[Dim]> {
        self.0.parts.get().map(Vec::as_slice)
    }

    /// Notes what is known of some elements.
    pub(super) fn set_parts(&self, parts: Vec<Dim>) {
        self.0.parts.get_or_init(|| parts);
    }

    /// Whether it is computed of extents and constants only.
    pub fn is_of_shapes(&self) -> bool {
        self.0.is_of_shapes.get() || self.elements().is_some()
    }

    /// Notes that it is computed of extents and constants only.
    pub(super) fn set_of_shapes(&self) {
        self.0.is_of_shapes.set(true);
    }

    /// Whether it is known that all elements are 0.
    pub fn is_zero(&self) -> bool {
        let is_zero = |value: &Const| value.to_floats().iter().all(|number| *number == 0.0);
        self.constant().is_some_and(is_zero)
    }

    /// The form of a known tensor of one integer.
    pub(super) fn form(&self) -> Option<Dim> {
        match self.elements() {
            Some([form]) => Some(*form),
            Some(_) => None,
            None => {
                let constant = self.constant().filter(|constant| constant.count() == 1)?;
                constant.to_ints()?.first().copied().map(Dim::Known)
            }
        }
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

    /// Axes in the order in which they are given, each counted from the end if negative.
    pub fn axes(&self, axes: &[i64]) -> Result<Vec<usize>> {
        axes.iter().map(|axis| self.axis(*axis)).collect()
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
pub fn broadcast_shapes<L: Into<Dim> + Copy, R: Into<Dim> + Copy>(
    lhs: &[L],
    rhs: &[R],
) -> Result<Vec<Dim>> {
    relay_dialects::relay::relation::broadcast_shapes(&dims(lhs), &dims(rhs))
}

/// Whether a shape may broadcast to another.
pub fn broadcasts<D: Into<Dim> + Copy>(shape: &[Dim], to: &[D]) -> bool {
    let to = dims(to);
    let reached = broadcast_shapes(shape, &to);
    reached.is_ok_and(|reached| are_equal(&reached, &to))
}

/// Whether two shapes may be equal. Different forms are checked when the model runs.
pub fn are_equal<L: Into<Dim> + Copy, R: Into<Dim> + Copy>(lhs: &[L], rhs: &[R]) -> bool {
    let pairs = || lhs.iter().zip(rhs);
    lhs.len() == rhs.len() && pairs().all(|(lhs, rhs)| unify(*lhs, *rhs).is_some())
}

/// What is said of a dimension that has to be a number and is none.
pub fn is_open(dim: Dim) -> String {
    format!(
        "dimension '{dim}' is open, and this operator needs a number here; give the size with --dim or --shape"
    )
}
