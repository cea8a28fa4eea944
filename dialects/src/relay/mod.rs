//! Relay: the operators' semantics.
//!
//! One table row per operator ([`ops::rows`]): its type relation, its pattern for fusion, its
//! verifier and fold if it has them.

pub mod attrs;
pub mod build;
pub mod dim;
pub mod layout;
pub mod ops;
pub mod relation;

pub use attrs::Attrs;
pub use layout::Layout;
pub use relation::{Call, TensorType};

use crate::ir::{Attr, Ctx, DYNAMIC, Op, Type, Value};

/// How an operator takes part in fusion (TVM's `OpPatternKind`), from the most to the least
/// fusible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Pattern {
    /// One element of each operand, at the same subscript.
    Elemwise,
    /// As elementwise, with broadcasting.
    Broadcast,
    /// Each element from one element of each operand.
    Injective,
    /// A commutative reduction.
    CommReduce,
    /// A heavy operator that can take elementwise ones after it.
    OutElemwiseFusable,
    /// Never fused.
    Opaque,
}

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

/// A row of the operator table; a column that an operator lacks is `None`.
pub struct Row {
    /// The name without the dialect: `nn.conv2d`.
    pub name: &'static str,
    /// From operands and attributes to result types.
    pub relation: fn(&Call) -> Result<Vec<TensorType>, String>,
    /// Its pattern for fusion.
    pub pattern: Pattern,
    /// Simplifies the op to a constant or an operand.
    pub fold: Option<Fold>,
}

impl Row {
    /// A row without a fold.
    pub const fn new(
        name: &'static str,
        pattern: Pattern,
        relation: fn(&Call) -> Result<Vec<TensorType>, String>,
    ) -> Self {
        Self {
            name,
            relation,
            pattern,
            fold: None,
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

/// The row of an operator, by its full name `relay.<name>`.
pub fn row(full_name: &str) -> Option<&'static Row> {
    let name = full_name.strip_prefix("relay.")?;
    ops::rows().find(|row| row.name == name)
}

/// The pattern of a relay operator; `None` for anything else.
pub fn pattern(op: Op) -> Option<Pattern> {
    row(&op.name()).map(|row| row.pattern)
}

/// Runs the type relation of `name`. Operands whose types are yet to be inferred leave the result
/// so.
///
/// # Errors
/// What is wrong with the operands or attributes, as a diagnostic's text.
pub fn infer(ctx: Ctx, name: &str, operands: &[Type], attrs: Attr) -> Result<Vec<Type>, String> {
    if let Some(types) = ops::language::infer(ctx, name, operands, attrs) {
        return types;
    }
    let row =
        row(name).ok_or_else(|| format!("has no type relation; add its row to {}", ops::TABLE))?;
    if operands.iter().any(|ty| ty.is_incomplete()) {
        return Ok(vec![Type::incomplete(ctx)]);
    }
    let inputs = operands
        .iter()
        .enumerate()
        .map(|(index, ty)| {
            TensorType::of(*ty)
                .ok_or_else(|| format!("operand {index} is {ty}, not a ranked tensor"))
        })
        .collect::<Result<_, _>>()?;
    let call = Call {
        ctx,
        inputs,
        attrs: Attrs::of_dict(attrs),
    };
    let types = (row.relation)(&call)?;
    types.iter().try_for_each(countable)?;
    Ok(types.iter().map(TensorType::to_type).collect())
}

/// Checks that 64 bits count the elements, as far as they are known.
fn countable(ty: &TensorType) -> Result<(), String> {
    let known: Vec<i64> = (ty.shape.iter().copied())
        .filter(|&dim| dim != DYNAMIC)
        .collect();
    dim::product(&known).map(drop).map_err(|_| {
        let shape = relation::show(&ty.shape);
        format!("the result {shape} has more elements than 64 bits count")
    })
}

/// Checks an op beyond what ODS and its type relation state.
///
/// # Errors
/// What is wrong, as a diagnostic's text.
pub fn verify(op: Op) -> Result<(), String> {
    ops::language::verify(op)
}

/// Folds an op; `constants` holds the operands that are constant.
pub fn fold(op: Op, constants: &[Option<Attr>]) -> Option<Folded> {
    if op.is("relay.constant") {
        return op.attr("value").map(Folded::Constant);
    }
    row(&op.name())?.fold?(op, constants)
}
