//! The operator table: one [`Row`] per operator, which holds every fact about it but its expression.
//!
//! The expression is a row of its own in `relay-topi`, which depends on this crate. A test there ties each row
//! to its expression and back.

use super::{Call, Pattern, TensorType, operands::OperandRule};
use crate::{
    element::Elements,
    ir::{Attr, Op, Value},
};

/// A type relation: the result types for operands and attributes, or an error.
pub type Relation = fn(&Call) -> Result<Vec<TensorType>, String>;

/// How many products each element of a result is the sum of, from operands and attributes; `None` if their shapes do not
/// say.
pub type Products = fn(&Call) -> Option<i64>;

/// What an op folds to.
#[derive(Clone, Copy, Debug)]
pub enum Folded {
    /// A constant.
    Constant(Attr),
    /// A value that is there already.
    Value(Value),
}

/// Folds an op to a constant or to a value that exists already; it is told which operands are constant.
pub type Fold = fn(Op, &[Option<Attr>]) -> Option<Folded>;

/// An operator. [`Row::new`] takes the columns that every operator has; each other column has the default that
/// most operators have.
pub struct Row {
    /// The name without the dialect: `nn.conv2d`.
    pub name: &'static str,
    /// Its pattern for fusion.
    pub pattern: Pattern,
    /// The element types of its first operand.
    pub elements: Elements,
    /// What rounding errors in its operands do to its result.
    pub precision: Precision,
    /// From operands and attributes to result types.
    pub relation: Relation,
    /// From what else is known to operand types; without it nothing follows for them.
    pub operands: Option<OperandRule>,
    /// What `alter-op-layout` does with it.
    pub layout: LayoutRule,
    /// The axes of an operand of which each element of the result needs all elements.
    pub schedule: Schedule,
    /// Whether its results along `axis` are weights: none is negative, and together they are 1.
    pub gives_weights: bool,
    /// Whether it gives infinity or NaN for zero. Then it must not be given the zeros that fill up blocks of channels.
    pub has_pole_at_zero: bool,
    /// Whether zeros fill up the last block of channels of its result where they do so in its weight, or where it
    /// makes the blocks itself.
    pub fills_with_zeros: bool,
    /// Whether its result has the bytes of its operand, in the same order: then it is a view.
    pub is_view: bool,
    /// How a factor along the channels gets from its result to its operands; `fold-scale-axis` goes by it.
    pub scaling: Option<Scaling>,
    /// The products of an operator whose result is sums of them; `macs` counts by it.
    pub products: Option<Products>,
    /// Laws of arithmetic that hold for it.
    pub algebra: Option<Algebra>,
    /// The operands whose values say the shape of its result. An operator that has some has no kernel.
    pub shape_operands: &'static [usize],
    /// Whether `qnn-legalize` writes it as other operators. Then it has no expression of its own.
    pub is_legalised: bool,
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
            operands: None,
            layout: LayoutRule::Keep,
            schedule: Schedule::Free,
            gives_weights: false,
            has_pole_at_zero: false,
            fills_with_zeros: false,
            is_view: false,
            scaling: None,
            products: None,
            algebra: None,
            shape_operands: &[],
            is_legalised: false,
            effects: Effects::None,
            fold: None,
        }
    }

    /// The same with a rule for its operands' types.
    pub const fn with_operands(self, rule: OperandRule) -> Self {
        Self {
            operands: Some(rule),
            ..self
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

    /// The same, with weights along its axis.
    pub const fn giving_weights(self) -> Self {
        Self {
            gives_weights: true,
            ..self
        }
    }

    /// The same, with infinity or NaN for zero.
    pub const fn with_pole_at_zero(self) -> Self {
        Self {
            has_pole_at_zero: true,
            ..self
        }
    }

    /// The same, with zeros for what fills up blocks.
    pub const fn filling_with_zeros(self) -> Self {
        Self {
            fills_with_zeros: true,
            ..self
        }
    }

    /// The same with a way for factors.
    pub const fn with_scaling(self, scaling: Scaling) -> Self {
        Self {
            scaling: Some(scaling),
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

    /// The same, as sums of products.
    pub const fn with_products(self, products: Products) -> Self {
        Self {
            products: Some(products),
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

    /// The same, with operands that say the shape of its result.
    pub const fn with_shape_operands(self, shape_operands: &'static [usize]) -> Self {
        Self {
            shape_operands,
            ..self
        }
    }

    /// The same, as one that `qnn-legalize` writes as others.
    pub const fn legalised(self) -> Self {
        Self {
            is_legalised: true,
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
    /// It takes narrow floats, whatever its operands are: they make it cheaper.
    Always,
    /// Takes them if it is given them.
    Follow,
    /// Takes f32.
    Never,
}

/// How an operator's result depends on rounding errors of its operands; `to-mixed-precision` goes by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    /// A product: it reads each element of a weight once or a few times, and many elements for each result.
    Multiplies,
    /// It moves elements and computes nothing.
    Moves,
    /// Each element of its result is one of an operand's; it computes nothing else.
    Chooses,
    /// Its relative error is near that of its operands, and it computes in f32.
    Near,
    /// It averages few elements, or in f32: pools and resizes.
    Averages,
    /// Its result is of booleans or subscripts, or it takes no floats.
    Decides,
    /// A small relative error of an operand becomes a large one of its result.
    Amplifies,
    /// It is not continuous: an error that moves an operand past a whole number moves its result by one.
    Jumps,
    /// It is not continuous, and says itself how it converts elements: `cast`.
    Converts,
    /// It is a sum of many elements, from which differences are computed.
    Sums,
    /// It is computed at compile time, in double precision.
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

    /// Whether the operator takes narrow floats as they are. The others widen them to f32 first.
    pub fn keeps_elements(self) -> bool {
        matches!(self, Self::Moves | Self::Converts)
    }
}

/// What `alter-op-layout` does with an operator whose operands may have their channels in blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LayoutRule {
    /// Nothing: it reads and writes plain layouts.
    Keep,
    /// A convolution with this many spatial dimensions on NC...: it chooses the layout. One of one or three
    /// dimensions becomes one of two where that is cheaper.
    Convolution(usize),
    /// A product of two matrices of which the second is transposed: it chooses the second one's layout.
    Dense,
    /// A product of matrices or of batches of them.
    Matmul,
    /// A product of bytes: its operands become words of four.
    Bytes,
    /// A product with a weight of few bits in blocks that have a scale each.
    Blocks,
    /// It works on pixels, in the layout that its attribute `layout` names.
    Spatial,
    /// Works on each element of its one operand.
    Elementwise,
    /// It works on pairs of elements under numpy's broadcasting. With `filled`, its results are finite for
    /// whatever fills up the last block, so that they do no harm to others.
    Broadcasting {
        /// Whether the last block may be filled up.
        filled: bool,
    },
    /// Puts its operands one after the other.
    Concatenate,
    /// Puts elements around its first operand.
    Pad,
    /// It takes elements along the axes that its attribute `axes` names.
    Slice,
    /// It reduces the axes that its attribute `axis` names.
    Reduce,
}

/// What a schedule must know of an operator before there is an expression: of which axes of an operand an
/// element of the result needs all elements, so that kernels go through them together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Schedule {
    /// None that kernels wait for.
    Free,
    /// The axes that its attributes `axis` and `exclude` name; it goes through them once.
    Reduce,
    /// The axis in its attribute `axis`; it goes through it several times.
    Normalize,
}

/// How a factor along the channels, one number for each, gets from an operator's result to its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scaling {
    /// The product of data and weight: the weight takes a factor along the channels of the result, and one along
    /// those of the data.
    Weight,
    /// Its one operand takes the factor if that is positive.
    Positive,
    /// All operands take the factor.
    Sum,
}

/// Laws of arithmetic.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Algebra {
    /// The number that, as the second operand, leaves the first as it is.
    pub neutral: f64,
    /// Whether the operation is commutative and associative, but for rounding.
    pub is_group: bool,
}

/// The memory effects of an op. TableGen's traits state the same of each op; a test compares the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effects {
    /// Nothing.
    None,
}
