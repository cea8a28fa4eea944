//! Patterns of matches.

use crate::ir::{Attr, Ctx};

/// A pattern.
#[derive(Clone, Debug, PartialEq)]
pub enum Pattern {
    /// `_`: any value.
    Wildcard,
    /// Any value, which then has a name: the next argument of the arm. This is the name in the text.
    Name(String),
    /// `@List::@Cons(p, q)`: a value of that constructor, whose fields have the patterns.
    Constructor {
        /// The type.
        of: String,
        /// The constructor.
        name: String,
        /// The patterns of its fields.
        fields: Vec<Pattern>,
    },
    /// `(p, q)`: a tuple whose fields have the patterns.
    Tuple(Vec<Pattern>),
}

impl Pattern {
    /// The pattern that an attribute holds: a unit for any value, a string for a name, and a list for what has parts:
    /// a constructor, or a unit for a tuple, and then the patterns of the parts.
    pub fn of(attr: Attr) -> Option<Self> {
        if attr == Attr::unit(attr.ctx()) {
            return Some(Self::Wildcard);
        }
        if let Some(name) = attr.as_str() {
            return Some(Self::Name(name));
        }
        let parts = attr.as_array()?;
        let (whole, parts) = parts.split_first()?;
        let fields = parts.iter().map(|part| Self::of(*part));
        let fields = fields.collect::<Option<Vec<_>>>()?;
        if *whole == Attr::unit(attr.ctx()) {
            return Some(Self::Tuple(fields));
        }
        let (of, name) = whole.as_nested_symbol()?;
        Some(Self::Constructor { of, name, fields })
    }

    /// The attribute that holds it.
    pub fn to_attr(&self, ctx: Ctx) -> Attr {
        let whole = match self {
            Self::Wildcard => return Attr::unit(ctx),
            Self::Name(name) => return Attr::str(ctx, name),
            Self::Constructor { of, name, .. } => Attr::nested_symbol(ctx, of, name),
            Self::Tuple(_) => Attr::unit(ctx),
        };
        let parts = self.fields().iter().map(|field| field.to_attr(ctx));
        let all: Vec<Attr> = [whole].into_iter().chain(parts).collect();
        Attr::array(ctx, &all)
    }

    /// The patterns of the parts.
    pub fn fields(&self) -> &[Pattern] {
        match self {
            Self::Wildcard | Self::Name(_) => &[],
            Self::Constructor { fields, .. } | Self::Tuple(fields) => fields,
        }
    }

    /// How many names it has.
    pub fn names(&self) -> usize {
        let own = usize::from(matches!(self, Self::Name(_)));
        own + self.fields().iter().map(Self::names).sum::<usize>()
    }
}
