//! The names of a rule.

use super::{
    super::Pattern,
    scalars::{Scalar, word_literal},
    syntax::{MAX_PARTS, Refused, Span, Word},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
};

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
    /// What the rule computes under a name.
    data: BTreeMap<String, Data>,
    /// The parts of all that was read by the name of data.
    parts: usize,
    /// What the rule makes under a name.
    made: BTreeMap<String, Made>,
}

/// Data with a name.
struct Data {
    scalar: Rc<Scalar>,
    /// The parts that are computed each time that the name is read.
    parts: usize,
    span: Span,
    is_used: bool,
}

/// A part of the replacement with a name.
struct Made {
    /// Which of them it is, in the order in which they are made.
    number: usize,
    span: Span,
    is_used: bool,
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
        if self.made.contains_key(name) {
            return span.refuse(format!(
                "%{name} is made by the rule, and known in its replacement only"
            ));
        }
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

    /// The number of parts that are computed because data were read by name.
    pub(super) fn parts(&self) -> usize {
        self.parts
    }

    /// Gives data a name, which each reading computes with so many parts.
    pub(super) fn compute(
        &mut self,
        name: &Word,
        scalar: Scalar,
        parts: usize,
    ) -> Result<(), Refused> {
        let is_known = word_literal(&name.text).is_some() || self.data.contains_key(&name.text);
        if is_known {
            let message = format!("'{}' has a meaning already", name.text);
            return name.span.refuse(message);
        }
        let data = Data {
            scalar: Rc::new(scalar),
            parts,
            span: name.span,
            is_used: false,
        };
        self.data.insert(name.text.clone(), data);
        Ok(())
    }

    /// Whether data have this name.
    pub(super) fn has_data(&self, name: &str) -> bool {
        self.data.contains_key(name)
    }

    /// The data of this name, if there are some.
    pub(super) fn data(&mut self, name: &str, span: Span) -> Result<Option<Rc<Scalar>>, Refused> {
        let Some(data) = self.data.get_mut(name) else {
            return Ok(None);
        };
        data.is_used = true;
        // Names of names of names would be computed without end.
        self.parts += data.parts;
        if self.parts > MAX_PARTS {
            return span.refuse(format!(
                "with what the names stand for, this has more than {MAX_PARTS} parts"
            ));
        }
        Ok(Some(Rc::clone(&data.scalar)))
    }

    /// Gives the next part of the replacement that is made a name.
    pub(super) fn make(&mut self, name: &Word) -> Result<(), Refused> {
        let text = &name.text;
        if self.names.contains_key(text) || self.made.contains_key(text) {
            return name.span.refuse(format!("%{text} has a meaning already"));
        }
        let made = Made {
            number: self.made.len(),
            span: name.span,
            is_used: false,
        };
        self.made.insert(text.clone(), made);
        Ok(())
    }

    /// Which part of the replacement has this name, if one has.
    pub(super) fn made(&mut self, name: &str) -> Option<usize> {
        let made = self.made.get_mut(name)?;
        made.is_used = true;
        Some(made.number)
    }

    /// Refuses names that nobody reads.
    pub(super) fn finish(&self) -> Result<(), Refused> {
        let unread = |(name, binder): (&String, &Binder)| {
            let message = format!("%{name} is used nowhere; write _ for what has no name");
            (!binder.is_used).then_some((binder.span, message))
        };
        let unread_data = |(name, data): (&String, &Data)| {
            (!data.is_used).then(|| (data.span, format!("'{name}' is used nowhere")))
        };
        let unread_made = |(name, made): (&String, &Made)| {
            (!made.is_used).then(|| (made.span, format!("%{name} is used nowhere")))
        };
        let unused = self.names.iter().filter_map(unread);
        let unused = unused.chain(self.data.iter().filter_map(unread_data));
        let unused = unused.chain(self.made.iter().filter_map(unread_made));
        match unused.min_by_key(|(span, _)| span.start) {
            Some((span, message)) => span.refuse(message),
            None => Ok(()),
        }
    }
}
