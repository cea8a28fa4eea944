//! Where a convolution's operands are read: sums of the axes of its description.

use relay_dialects::{
    index,
    ir::{Builder, Value},
};

/// An axis of the description.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum Axis {
    /// Of blocks of the result's channels.
    Columns,
    Y,
    X,
    Lane,
    /// Of input channels.
    Block,
    KernelY,
    KernelX,
    /// Of a block of input channels.
    Word,
    /// Of a word, where its numbers are summed up one after the other.
    Half,
}

/// Those that are summed over.
pub const REDUCED: [Axis; 5] = [
    Axis::Block,
    Axis::KernelY,
    Axis::KernelX,
    Axis::Word,
    Axis::Half,
];

/// A dimension of an operand: its subscript is a sum of axes, each times a factor.
pub struct Dim {
    pub extent: i64,
    pub terms: Vec<(Axis, i64)>,
}

/// The extents of dimensions.
pub fn extents(dims: &[Dim]) -> Vec<i64> {
    dims.iter().map(|dim| dim.extent).collect()
}

/// Where an axis is.
pub enum Place {
    /// At a place that is known.
    Number(i64),
    /// At an index.
    At(Value),
}

impl Place {
    /// The place so many elements further on.
    pub fn plus(self, b: &Builder, distance: i64) -> Self {
        match self {
            Self::Number(number) => Self::Number(number + distance),
            Self::At(value) => Self::At(index::add(b, value, b.index(distance))),
        }
    }
}

/// Writes the subscripts of an operand's dimensions where `place` says that each axis is.
pub fn subscripts(b: &Builder, dims: &[Dim], place: impl Fn(Axis) -> Place) -> Vec<Value> {
    dims.iter().map(|dim| subscript(b, dim, &place)).collect()
}

fn subscript(b: &Builder, dim: &Dim, place: impl Fn(Axis) -> Place) -> Value {
    let (mut known, mut sum) = (0, b.index(0));
    for (axis, factor) in &dim.terms {
        match place(*axis) {
            Place::Number(number) => known += number * factor,
            Place::At(value) => sum = index::add(b, sum, index::scale(b, value, *factor)),
        }
    }
    index::add(b, sum, b.index(known))
}
