//! The names of a rule.

use super::{
    super::Pattern,
    syntax::{Refused, Span},
};
use std::collections::{BTreeMap, BTreeSet};

/// A pattern that has been read.
pub(super) struct Read {
    pub(super) pattern: Pattern,
    /// The names that it binds whenever it matches.
    pub(super) certain: BTreeSet<String>,
    /// The one operator whose result it matches.
    pub(super) operator: Option<String>,
}

impl Read {
    /// Without names.
    pub(super) fn of(pattern: Pattern) -> Self {
        Self {
            pattern,
            certain: BTreeSet::new(),
            operator: None,
        }
    }

    /// With the names of its parts.
    pub(super) fn with(pattern: Pattern, parts: &[&Read]) -> Self {
        let certain = parts
            .iter()
            .flat_map(|part| part.certain.iter().cloned())
            .collect();
        Self {
            pattern,
            certain,
            operator: None,
        }
    }
}

/// What is known while a rule is read.
#[derive(Default)]
pub(super) struct Scope {
    names: BTreeMap<String, Binder>,
    /// The names that every match binds, to one value each.
    certain: BTreeSet<String>,
    /// How many branches of `if` there are around.
    branches: usize,
}

/// A name.
struct Binder {
    pattern: Pattern,
    /// The names that are bound wherever this one is.
    certain: BTreeSet<String>,
    span: Span,
    is_used: bool,
    /// The operator that the name is bound to a result of, if it can be no other.
    operator: Option<String>,
    /// Whether it stands in branches of `if` only: its value may not be there outside.
    is_in_branch: bool,
}

impl Scope {
    /// The node of a name that stands in the pattern once more, and the names that are bound with it.
    pub(super) fn again(&mut self, name: &str) -> Option<(Pattern, BTreeSet<String>)> {
        let is_outside = self.branches == 0;
        let binder = self.names.get_mut(name)?;
        binder.is_used = true;
        binder.is_in_branch &= !is_outside;
        Some((binder.pattern.clone(), binder.certain.clone()))
    }

    /// Gives what has been read of the pattern a name.
    pub(super) fn bind(&mut self, name: &str, span: Span, read: &Read) -> Result<(), Refused> {
        let binder = Binder {
            pattern: read.pattern.clone(),
            certain: read.certain.clone(),
            span,
            is_used: false,
            operator: read.operator.clone(),
            is_in_branch: self.branches > 0,
        };
        if self.names.insert(name.into(), binder).is_some() {
            return span.refuse(format!("%{name} has a meaning already"));
        }
        Ok(())
    }

    /// Reads a branch of an `if`.
    pub(super) fn in_branch<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        self.branches += 1;
        let result = read(self);
        self.branches -= 1;
        result
    }

    /// Ends the pattern, in which these names are bound in any case.
    pub(super) fn close(&mut self, certain: BTreeSet<String>) {
        self.certain = certain;
    }

    /// A name in a condition, with the operator that it is a result of.
    pub(super) fn read(
        &mut self,
        name: &str,
        span: Span,
    ) -> Result<(Pattern, Option<String>), Refused> {
        let Some(binder) = self.names.get_mut(name) else {
            return span.refuse(format!("%{name} is not in the pattern"));
        };
        binder.is_used = true;
        Ok((binder.pattern.clone(), binder.operator.clone()))
    }

    /// A name in the replacement.
    pub(super) fn place(&mut self, name: &str, span: Span) -> Result<Pattern, Refused> {
        let (pattern, _) = self.read(name, span)?;
        if !self.certain.contains(name) {
            return span.refuse(format!("%{name} is not bound in every match"));
        }
        if self.names[name].is_in_branch {
            return span.refuse(format!("%{name} is known inside a branch of 'if' only"));
        }
        Ok(pattern)
    }

    /// Refuses names that nobody reads.
    pub(super) fn finish(&self) -> Result<(), Refused> {
        let mut unused: Vec<_> = self
            .names
            .iter()
            .filter(|(_, binder)| !binder.is_used)
            .collect();
        unused.sort_by_key(|(_, binder)| binder.span.start);
        match unused.first() {
            Some((name, binder)) => binder.span.refuse(format!(
                "%{name} is used nowhere; write _ for what has no name"
            )),
            None => Ok(()),
        }
    }
}
