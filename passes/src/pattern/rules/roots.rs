//! At which operators the rules of a file may match: few of many rules are about the same one.

use super::super::{
    Pattern,
    language::Kind,
    matcher::{is_named, operands_of},
};
use relay_dialects::{ir::Op, names};
use std::collections::{BTreeSet, HashMap};

/// The rules of a file by the operators at which they match; rules are numbers.
pub(super) struct Roots {
    /// Those that name the operator, and those that name none, in their order.
    by_name: HashMap<String, Vec<usize>>,
    /// Those that name none.
    anywhere: Vec<usize>,
}

impl Roots {
    /// Those of rules with these patterns.
    pub(super) fn of<'a>(patterns: impl Iterator<Item = &'a Pattern>) -> Self {
        let named: Vec<_> = patterns.map(roots).collect();
        let all: BTreeSet<&String> = named.iter().flatten().flatten().collect();
        let with = |name: Option<&String>| -> Vec<usize> {
            let is_at = |roots: &Option<BTreeSet<String>>| match (roots, name) {
                (Some(roots), Some(name)) => roots.contains(name),
                (roots, _) => roots.is_none(),
            };
            (0..named.len())
                .filter(|&rule| is_at(&named[rule]))
                .collect()
        };
        let by_name = all.iter().map(|name| ((*name).clone(), with(Some(name))));
        Self {
            by_name: by_name.collect(),
            anywhere: with(None),
        }
    }

    /// The rules that may match at an op.
    pub(super) fn at(&self, op: Op) -> &[usize] {
        self.by_name.get(&op.name()).unwrap_or(&self.anywhere)
    }
}

/// The names of the ops at which a pattern may match; `None` if these may be any.
fn roots(pattern: &Pattern) -> Option<BTreeSet<String>> {
    match pattern.kind() {
        Kind::Call { callee, args } => {
            let mut names = callees(callee)?;
            let args = args.as_deref().unwrap_or_default();
            names.extend(associated(callee, args).map(String::from));
            Some(names)
        }
        Kind::Alt(first, second) => Some(&roots(first)? | &roots(second)?),
        Kind::Attrs(inner, _)
        | Kind::Type(inner, _)
        | Kind::Shape(inner, _)
        | Kind::DataType(inner, _) => roots(inner),
        Kind::Dominates { child, .. } => roots(child),
        _ => None,
    }
}

/// The other operator at which a pattern of products and quotients matches, which the matcher associates anew.
fn associated(callee: &Pattern, args: &[Pattern]) -> Option<&'static str> {
    use names::relay::{DIVIDE, MULTIPLY};
    let [first, second] = args else { return None };
    if is_named(callee, DIVIDE) && operands_of(first, MULTIPLY).is_some() {
        return Some(MULTIPLY);
    }
    let is_quotient = |arg| operands_of(arg, DIVIDE).is_some();
    let has_quotient = is_quotient(first) || is_quotient(second);
    (is_named(callee, MULTIPLY) && has_quotient).then_some(DIVIDE)
}

/// The names of operators that a pattern of a callee matches; `None` if these may be any.
fn callees(pattern: &Pattern) -> Option<BTreeSet<String>> {
    match pattern.kind() {
        Kind::Op(name) => Some(BTreeSet::from([name.clone()])),
        Kind::Alt(first, second) => Some(&callees(first)? | &callees(second)?),
        Kind::Attrs(inner, _) => callees(inner),
        _ => None,
    }
}
