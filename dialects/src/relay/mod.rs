//! Relay: the operators' semantics.
//!
//! One table row per operator ([`ops::rows`]) holds every fact about it: see [`row::Row`].

pub mod attrs;
pub mod build;
pub mod custom;
pub mod device;
pub mod language;
pub mod layout;
mod lookup;
pub mod operands;
pub mod ops;
pub mod relation;
pub mod row;

pub use attrs::Attrs;
pub use device::VirtualDevice;
pub use language::verify_symbols;
pub use layout::Layout;
pub use lookup::{is_operator, pattern, row, row_of};
pub use relation::{Call, TensorType};
pub use row::{Folded, Row};

use crate::{
    dim::{self, Dim},
    element::Element,
    ir::{Attr, Ctx, Op, Type},
    names,
};

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

impl Pattern {
    /// The patterns by the names that declarations of operators give them.
    pub const NAMES: &[(&str, Self)] = &[
        ("elementwise", Self::Elemwise),
        ("broadcast", Self::Broadcast),
        ("injective", Self::Injective),
        ("reduction", Self::CommReduce),
        ("complex", Self::OutElemwiseFusable),
        ("opaque", Self::Opaque),
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        let found = Self::NAMES.iter().find(|(_, known)| *known == self);
        found.map_or("opaque", |(name, _)| name)
    }

    /// That of a name.
    pub fn of_name(name: &str) -> Option<Self> {
        let found = Self::NAMES.iter().find(|(known, _)| *known == name);
        found.map(|(_, pattern)| *pattern)
    }
}

/// Runs the type relation of `name`. If the type of an operand is yet to be inferred, so is the result's.
///
/// # Errors
/// If the operands or attributes break the relation, with the text of a diagnostic.
pub fn infer(ctx: Ctx, name: &str, operands: &[Type], attrs: Attr) -> Result<Vec<Type>, String> {
    if let Some(types) = language::infer(ctx, name, operands, attrs) {
        return types;
    }
    let row =
        row(name).ok_or_else(|| format!("has no type relation; add its row to {}", ops::TABLE))?;
    if operands.iter().any(|ty| ty.is_incomplete()) {
        let count = custom::of_attrs(&Attrs::of_dict(attrs)).map_or(1, |it| it.declaration.results);
        return Ok(vec![Type::incomplete(ctx); count]);
    }
    let inputs = operands
        .iter()
        .enumerate()
        .map(|(index, ty)| {
            TensorType::of(*ty)
                .ok_or_else(|| format!("operand {index} is {ty}, not a ranked tensor"))
        })
        .collect::<Result<Vec<_>, _>>()?;
    check_elements(row, &inputs)?;
    inputs
        .iter()
        .try_for_each(|ty| countable("an operand", ty))?;
    let call = Call {
        ctx,
        inputs,
        attrs: Attrs::of_dict(attrs),
    };
    let types = (row.relation)(&call)?;
    types
        .iter()
        .try_for_each(|ty| countable("the result", ty))?;
    Ok(types.iter().map(TensorType::to_type).collect())
}

/// The types that follow for the operands of `name` which have none yet; none for all others.
///
/// # Errors
/// What is wrong with the attributes, with the text of a diagnostic.
pub fn infer_operands(
    ctx: Ctx,
    name: &str,
    (known, results): (&[Type], &[Type]),
    attrs: Attr,
) -> Result<Vec<Option<Type>>, String> {
    let nothing = vec![None; known.len()];
    let Some(rule) = row(name).and_then(|row| row.operands) else {
        return Ok(nothing);
    };
    let tensors = |types: &[Type]| types.iter().map(|ty| TensorType::of(*ty)).collect();
    let call = operands::Known {
        ctx,
        operands: tensors(known),
        results: tensors(results),
        attrs: Attrs::of_dict(attrs),
    };
    let follows = rule(&call)?.into_iter().chain(std::iter::repeat(None));
    let types = known.iter().zip(follows).map(|(known, follows)| {
        let follows = follows.filter(|_| known.is_incomplete());
        follows.map(|ty| ty.to_type())
    });
    Ok(types.collect())
}

/// Checks the constraint C0, which all operators have: operands have an element type, the first one a type that the
/// operator takes.
fn check_elements(row: &Row, inputs: &[TensorType]) -> Result<(), String> {
    for (index, input) in inputs.iter().enumerate() {
        let element = Element::of(input.element).ok_or_else(|| {
            format!(
                "operand {index} is of {}, no element type (C0)",
                input.element
            )
        })?;
        if index == 0 && !row.elements.contains(element) {
            let taken = row.elements.name();
            return Err(format!("takes {taken}, not {element} (C0)"));
        }
    }
    Ok(())
}

/// Checks that 64 bits hold the number of elements, as far as the dimensions are known.
fn countable(role: &str, ty: &TensorType) -> Result<(), String> {
    let known: Vec<Dim> = (ty.shape.iter().copied())
        .filter(|dim| dim.is_known())
        .collect();
    dim::product(&known).map(drop).map_err(|_| {
        let shape = relation::show(&ty.shape);
        format!("{role} of shape {shape} has more elements than 64 bits count")
    })
}

/// Checks an op beyond what ODS and its type relation state.
///
/// # Errors
/// What is wrong, as a diagnostic's text.
pub fn verify(op: Op) -> Result<(), String> {
    language::verify(op)
}

/// Folds an op; `constants` holds the operands that are constant.
pub fn fold(op: Op, constants: &[Option<Attr>]) -> Option<Folded> {
    if op.is(names::relay::CONSTANT) {
        return op.attr("value").map(Folded::Constant);
    }
    row_of(op)?.fold?(op, constants)
}
