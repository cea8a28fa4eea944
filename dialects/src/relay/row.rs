//! The operator table: one [`Row`] per operator, which holds every fact about it but what it computes.
//!
//! What it computes is a row of its own in `relay-topi`, which depends on this crate; a test there ties
//! each row to its expression and back.

use super::{Call, Pattern, TensorType};
use crate::{
    element::Elements,
    ir::{Attr, Op, Value},
};

/// From operands and attributes to result types, or what is wrong with them.
pub type Relation = fn(&Call) -> Result<Vec<TensorType>, String>;

/// What an op folds to.
#[derive(Clone, Copy, Debug)]
pub enum Folded {
    /// A constant.
    Constant(Attr),
    /// A value that is there already.
    Value(Value),
}

/// Simplifies an op to a constant or a value that is there; knows which operands are constant.
pub type Fold = fn(Op, &[Option<Attr>]) -> Option<Folded>;

/// An operator. Each column has a default, which most operators have, but for those that [`Row::new`]
/// takes.
pub struct Row {
    /// The name without the dialect: `nn.conv2d`.
    pub name: &'static str,
    /// Its pattern for fusion.
    pub pattern: Pattern,
    /// The element types of its first operand.
    pub elements: Elements,
    /// What errors of narrow floats do to its result.
    pub precision: Precision,
    /// From operands and attributes to result types.
    pub relation: Relation,
    /// What `alter-op-layout` does with it.
    pub layout: LayoutRule,
    /// Which axes of its operand it needs as a whole.
    pub schedule: Schedule,
    /// Whether it gives infinity for zero, so that it must not be given the zeros that fill up blocks of channels.
    pub has_pole_at_zero: bool,
    /// Whether its result has the bytes of its operand, in the same order: it is a view.
    pub is_view: bool,
    /// Laws of arithmetic that hold for it.
    pub algebra: Option<Algebra>,
    /// What it does beside giving its results.
    pub effects: Effects,
    /// Simplifies the op to a constant or an operand.
    pub fold: Option<Fold>,
}

impl Row {
    /// A row whose other columns have their defaults.
    pub const fn new(
        name: &'static str,
        pattern: Pattern,
        elements: Elements,
        precision: Precision,
        relation: Relation,
    ) -> Self {
        Self {
            name,
            pattern,
            elements,
            precision,
            relation,
            layout: LayoutRule::Keep,
            schedule: Schedule::Free,
            has_pole_at_zero: false,
            is_view: false,
            algebra: None,
            effects: Effects::None,
            fold: None,
        }
    }

    /// The same with a rule of layouts.
    pub const fn with_layout(self, layout: LayoutRule) -> Self {
        Self { layout, ..self }
    }

    /// The same with a schedule class.
    pub const fn with_schedule(self, schedule: Schedule) -> Self {
        Self { schedule, ..self }
    }

    /// The same, with infinity for zero.
    pub const fn with_pole_at_zero(self) -> Self {
        Self {
            has_pole_at_zero: true,
            ..self
        }
    }

    /// The same, as a view.
    pub const fn view(self) -> Self {
        Self {
            is_view: true,
            ..self
        }
    }

    /// The same with laws of arithmetic.
    pub const fn with_algebra(self, algebra: Algebra) -> Self {
        Self {
            algebra: Some(algebra),
            ..self
        }
    }

    /// The same with a fold.
    pub const fn with_fold(self, fold: Fold) -> Self {
        Self {
            fold: Some(fold),
            ..self
        }
    }
}

/// What an operator does with narrow floats (TVM's `MIXED_PRECISION_ALWAYS`, `FOLLOW`, `NEVER`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Category {
    /// Takes them, whatever it is given: they are what makes it cheaper.
    Always,
    /// Takes them if it is given them.
    Follow,
    /// Takes f32.
    Never,
}

/// What errors of narrow floats do to an operator's result; `to-mixed-precision` follows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    /// A product reads each number of a weight once or a few times, and many numbers per result.
    Multiplies,
    /// Moves elements, and computes nothing with them.
    Moves,
    /// Gives one of its operands' elements, and computes nothing with them.
    Chooses,
    /// The result's relative error is near the operands', and is computed in f32.
    Near,
    /// Averages few elements, or in f32: pools and resizes.
    Averages,
    /// Gives booleans or subscripts, or takes nothing else.
    Decides,
    /// A small relative error of the operand becomes a large one of the result.
    Amplifies,
    /// Jumps: an error that moves an operand over a whole number moves the result by one.
    Jumps,
    /// Jumps, and says itself how it converts elements: `cast`.
    Converts,
    /// A sum of many elements, which differences are taken with.
    Sums,
    /// Computed at compile time, in double precision.
    Prepares,
}

impl Precision {
    /// What follows for narrow floats.
    pub fn category(self) -> Category {
        match self {
            Self::Multiplies => Category::Always,
            Self::Moves | Self::Chooses | Self::Near | Self::Averages | Self::Decides => {
                Category::Follow
            }
            Self::Amplifies | Self::Jumps | Self::Converts | Self::Sums | Self::Prepares => {
                Category::Never
            }
        }
    }

    /// Whether the operator takes elements as they are; others compute with narrow floats in f32.
    pub fn keeps_elements(self) -> bool {
        matches!(self, Self::Moves | Self::Converts)
    }
}

/// What `alter-op-layout` does with an operator whose operands may be there in blocks of channels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LayoutRule {
    /// Nothing: it reads and writes plain layouts.
    Keep,
    /// A convolution with this many spatial dimensions on NC...: it chooses the layout. Those of other
    /// than two become ones of two where that pays.
    Convolution(usize),
    /// A product of two matrices, the second one transposed: it chooses the second one's layout.
    Dense,
    /// A product of matrices or of batches of them.
    Matmul,
    /// Works on pixels, in the layout that its attribute `layout` names.
    Spatial,
    /// Works on each element of its one operand.
    Elementwise,
    /// Works on each two elements under numpy's broadcasting. With `filled`, its results for whatever
    /// fills up the last block stay numbers, so that they do no harm to others.
    Broadcasting {
        /// Whether the last block may be filled up.
        filled: bool,
    },
    /// Puts its operands one after the other.
    Concatenate,
    /// Puts elements around its first operand.
    Pad,
    /// Takes elements along the axes that its attribute `axes` names.
    Slice,
    /// Reduces the axes that its attribute `axis` names.
    Reduce,
}

/// What a schedule must know of an operator before its expression is there: which axes of an operand an
/// element of the result needs as a whole, so that kernels go through them together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Schedule {
    /// None that kernels wait for.
    Free,
    /// Those that its attributes `axis` and `exclude` name, once.
    Reduce,
    /// The one in its attribute `axis`, several times.
    Normalize,
}

/// Laws of arithmetic.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Algebra {
    /// The number that changes nothing as the second operand.
    pub neutral: f64,
    /// Whether neither the operands' order matters nor how operators in a row are grouped, but for
    /// rounding.
    pub is_group: bool,
}

/// What an op does beside giving its results; TableGen's traits say the same of each op, and a test
/// holds the two together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effects {
    /// Nothing.
    None,
}
