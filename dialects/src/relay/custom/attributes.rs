//! Attributes of operators from outside.

use super::declaration::{Declaration, Holds};
use crate::{
    ir::{Attr, Ctx, Op, named},
    relay::Attrs,
    similar::suggestion,
};

/// The attribute that names the operator.
pub(super) const OPERATOR: &str = "op_name";

type Named = (String, Attr);

/// The attribute that names an operator.
pub fn named_operator(ctx: Ctx, name: &str) -> (&'static str, Attr) {
    (OPERATOR, Attr::str(ctx, name))
}

/// Those of an op or of one about to be made, without the operator's name and what passes leave for each other.
pub(super) fn of_call(attrs: &Attrs) -> Vec<Named> {
    own(attrs.entries())
}

/// Those of an op, likewise.
pub fn given(op: Op) -> Vec<Named> {
    own(op.attrs())
}

fn own(all: Vec<Named>) -> Vec<Named> {
    let is_own = |(name, _): &Named| name != OPERATOR && !name.contains('.');
    all.into_iter().filter(is_own).collect()
}

/// All attributes that are declared: what is given, and defaults.
///
/// # Errors
/// An attribute that is missing, unknown, or holds something else.
pub fn complete(declaration: &Declaration, ctx: Ctx, given: &[Named]) -> Result<Attr, String> {
    let declared = &declaration.attributes;
    let is_unknown = |(name, _): &&Named| declared.iter().all(|known| known.name != *name);
    if let Some((name, _)) = given.iter().find(is_unknown) {
        let meant = suggestion(name, declared.iter().map(|known| known.name.as_str()));
        return Err(format!("has no attribute '{name}'{meant}"));
    }
    let mut all: Vec<Named> = Vec::new();
    for known in declared {
        let found = given.iter().find(|(name, _)| *name == known.name);
        let attr = match (found, &known.default) {
            (Some((_, attr)), _) => *attr,
            (None, Some(default)) => Attr::parse(ctx, default).ok_or_else(|| {
                format!("has a default for '{}' that is no attribute", known.name)
            })?,
            (None, None) => return Err(format!("requires attribute '{}'", known.name)),
        };
        if !fits(known.holds, attr) {
            let expected = known.holds.text();
            return Err(format!(
                "attribute '{}' is {attr}, not {expected}",
                known.name
            ));
        }
        all.push((known.name.clone(), attr));
    }
    Ok(Attr::dict(ctx, &named(&all)))
}

fn fits(holds: Holds, attr: Attr) -> bool {
    match holds {
        Holds::Int => attr.as_i64().is_some() && !attr.typ().is_bool(),
        Holds::Bool => attr.as_bool().is_some(),
        Holds::Float => attr.as_f64().is_some(),
        Holds::Ints => attr.as_ints().is_some(),
        Holds::Floats => attr.as_floats().is_some(),
        Holds::Text => attr.as_str().is_some(),
        Holds::Type => attr.as_type().is_some(),
        Holds::Other => true,
    }
}
