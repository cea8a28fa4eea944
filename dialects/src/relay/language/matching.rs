//! Matches.

use super::{adt, check_yield, exhaustive, pattern::Pattern};
use crate::ir::{Attr, Op, Type, Value};

/// The patterns of a match, one for each arm.
fn patterns(op: Op) -> Option<Vec<Pattern>> {
    let patterns = op.attr("patterns").and_then(Attr::as_array)?;
    patterns.into_iter().map(Pattern::of).collect()
}

/// Checks `relay.match` by what it holds itself.
pub(super) fn verify(op: Op) -> Result<(), String> {
    let patterns = patterns(op).ok_or("has an attribute 'patterns' that holds no patterns")?;
    let arms = op.regions().len();
    if patterns.len() != arms {
        return Err(format!("has {arms} arms and {} patterns", patterns.len()));
    }
    for (index, pattern) in patterns.iter().enumerate() {
        let named = op.block_in(index).map_or(0, |block| block.args().len());
        if named != pattern.names() {
            return Err(format!(
                "arm {index} has {named} arguments for {} names",
                pattern.names()
            ));
        }
        check_yield(op, index, &format!("arm {index}"), op.result(0).ty())
            .map_err(|message| message + " (C3)")?;
    }
    Ok(())
}

/// Checks the types of a match, and that some arm takes each value.
pub(super) fn verify_symbols(op: Op, module: Op) -> Result<(), String> {
    let patterns = patterns(op).unwrap_or_default();
    let ty = op.operand(0).ty();
    for (index, pattern) in patterns.iter().enumerate() {
        let names = op.block_in(index).map(|block| block.args());
        let mut names = names.unwrap_or_default().into_iter();
        typed(pattern, ty, module, &mut names)
            .map_err(|message| format!("arm {index}: {message}"))?;
    }
    if op.has_attr("partial") {
        return Ok(());
    }
    match exhaustive::uncovered(&patterns, ty, module)? {
        None => Ok(()),
        Some(example) => Err(format!(
            "no arm takes {example}: add one for it, or let the match be partial: `partial`, in Relay's text `match?` (C4)"
        )),
    }
}

/// Checks that a pattern is one for values of a type, and that its names have the types of what they stand for.
fn typed(
    pattern: &Pattern,
    ty: Type,
    module: Op,
    names: &mut impl Iterator<Item = Value>,
) -> Result<(), String> {
    let fields = match pattern {
        Pattern::Wildcard => return Ok(()),
        Pattern::Name(name) => {
            let given = names.next().map_or(ty, |value| value.ty());
            return match given.is_compatible(ty) {
                true => Ok(()),
                false => Err(format!("%{name} is {given}, but stands for {ty} (C2)")),
            };
        }
        Pattern::Tuple(fields) => field_types(ty, "a tuple", fields.len(), ty.fields())?,
        Pattern::Constructor { of, name, fields } => {
            let path = Attr::nested_symbol(module.ctx(), of, name);
            let (definition, tag) =
                adt::constructor(module, path).map_err(|message| message + " (C1)")?;
            let adt = ty.as_adt().filter(|(definition, _)| definition == of);
            let types = adt.map(|(_, arguments)| definition.fields(tag, &arguments));
            field_types(ty, &path.to_string(), fields.len(), types)?
        }
    };
    let mut pairs = pattern.fields().iter().zip(fields);
    pairs.try_for_each(|(field, ty)| typed(field, ty, module, names))
}

/// The types of the fields of what a pattern with `count` parts takes apart.
fn field_types(
    ty: Type,
    what: &str,
    count: usize,
    fields: Option<Vec<Type>>,
) -> Result<Vec<Type>, String> {
    if ty.is_incomplete() {
        return Ok(vec![ty; count]);
    }
    let fields = fields.ok_or_else(|| format!("{ty} is not taken apart by {what} (C1)"))?;
    if fields.len() != count {
        return Err(format!(
            "{what} has {} fields, but the pattern has {count} (C1)",
            fields.len()
        ));
    }
    Ok(fields)
}
