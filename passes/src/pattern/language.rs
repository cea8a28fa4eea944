//! The pattern language: what TVM's `relay.dataflow_pattern` has, under its names.
//!
//! A [`Pattern`] is a node that others refer to; a clone is the same node. A node is bound to one part of the graph in
//! a match, so the same node twice means the same value. In SSA, `let` is no construct of its own, and has no pattern.

use super::Datum;
use relay_dialects::{Element, ir::Value, names, relay::row};
use std::{
    fmt,
    ops::{Add, BitOr, Div, Mul, Sub},
    rc::Rc,
};

/// A node of a pattern.
#[derive(Clone)]
pub struct Pattern(Rc<Kind>);

/// What a node matches.
pub(super) enum Kind {
    /// This value, or one that is computed in the same way.
    Expr(Value),
    /// A parameter of a function; one of that name unless the name is empty.
    Var(String),
    /// A `relay.constant`; with a number, one whose elements are all that number.
    Constant(Option<f64>),
    /// Anything.
    Wildcard,
    /// An operator, by its full name.
    Op(String),
    /// What an operator or a function makes of operands; without patterns for these, of any.
    Call {
        callee: Pattern,
        args: Option<Vec<Pattern>>,
    },
    /// The callee of a `func.call`; without patterns for its parameters, with any.
    Function {
        params: Option<Vec<Pattern>>,
        body: Pattern,
    },
    /// A result of `relay.if`.
    If {
        condition: Pattern,
        then: Pattern,
        other: Pattern,
    },
    /// A `relay.tuple`; without patterns for its fields, any.
    Tuple(Option<Vec<Pattern>>),
    /// A field of a tuple, or a result of an op of several; without a number, any.
    TupleGetItem {
        tuple: Pattern,
        index: Option<usize>,
    },
    /// The first of the two that matches.
    Alt(Pattern, Pattern),
    /// What has this type.
    Type(Pattern, String),
    /// What has this shape; [`Datum::Any`] stands for any dimension.
    Shape(Pattern, Datum),
    /// What has this element type.
    DataType(Pattern, Element),
    /// What has these attributes.
    Attrs(Pattern, Vec<(String, Datum)>),
    /// All paths upwards from `child` are of `path` until they reach `parent`.
    Dominates {
        parent: Pattern,
        path: Pattern,
        child: Pattern,
    },
}

/// An operator: of the table, or a `relay.` op by its full name.
pub fn is_op(name: &str) -> Pattern {
    let full = if row(name).is_some() || name.starts_with("relay.") {
        name.to_string()
    } else {
        format!("relay.{name}")
    };
    Pattern::new(Kind::Op(full))
}

/// A parameter of a function. One that is called `name` in the model, unless that is empty.
pub fn is_var(name: &str) -> Pattern {
    Pattern::new(Kind::Var(name.into()))
}

/// A constant.
pub fn is_constant() -> Pattern {
    Pattern::new(Kind::Constant(None))
}

/// A constant all of whose elements are this number.
pub fn is_number(number: f64) -> Pattern {
    Pattern::new(Kind::Constant(Some(number)))
}

/// A value, or one that the same operators compute of the same values.
pub fn is_expr(value: Value) -> Pattern {
    Pattern::new(Kind::Expr(value))
}

/// Anything.
pub fn wildcard() -> Pattern {
    Pattern::new(Kind::Wildcard)
}

/// A tuple of these fields.
pub fn is_tuple(fields: &[Pattern]) -> Pattern {
    Pattern::new(Kind::Tuple(Some(fields.to_vec())))
}

/// A tuple.
pub fn any_tuple() -> Pattern {
    Pattern::new(Kind::Tuple(None))
}

/// A field of a tuple, or a result of an op of several: that of this number, or any.
pub fn is_tuple_get_item(tuple: &Pattern, index: Option<usize>) -> Pattern {
    let tuple = tuple.clone();
    Pattern::new(Kind::TupleGetItem { tuple, index })
}

/// A result of `relay.if`, with what its two regions yield.
pub fn is_if(condition: &Pattern, then: &Pattern, other: &Pattern) -> Pattern {
    let (condition, then, other) = (condition.clone(), then.clone(), other.clone());
    Pattern::new(Kind::If {
        condition,
        then,
        other,
    })
}

/// A function that is called, by what it returns; its parameters, or any.
pub fn is_function(params: Option<&[Pattern]>, body: &Pattern) -> Pattern {
    let (params, body) = (params.map(<[Pattern]>::to_vec), body.clone());
    Pattern::new(Kind::Function { params, body })
}

/// Anything of this type, as MLIR writes it.
pub fn has_type(text: &str) -> Pattern {
    wildcard().has_type(text)
}

/// Anything of this shape.
pub fn has_shape(shape: &[i64]) -> Pattern {
    wildcard().has_shape(Datum::dims(shape))
}

/// Anything of this element type.
pub fn has_dtype(element: Element) -> Pattern {
    wildcard().has_dtype(element)
}

/// Anything with these attributes.
pub fn has_attr(attrs: &[(&str, Datum)]) -> Pattern {
    wildcard().has_attr(attrs)
}

/// `child`, if all that it is computed of goes back to one `parent` by way of `path`, and nothing on the way, nor the
/// parent, is read but on the way to the child.
pub fn dominates(parent: &Pattern, path: &Pattern, child: &Pattern) -> Pattern {
    let (parent, path, child) = (parent.clone(), path.clone(), child.clone());
    Pattern::new(Kind::Dominates {
        parent,
        path,
        child,
    })
}

impl Pattern {
    fn new(kind: Kind) -> Self {
        Self(Rc::new(kind))
    }

    pub(super) fn kind(&self) -> &Kind {
        &self.0
    }

    /// Whether both are the same node.
    pub fn is(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }

    /// What this operator or function makes of these operands.
    pub fn call(&self, args: &[Pattern]) -> Self {
        let (callee, args) = (self.clone(), Some(args.to_vec()));
        Self::new(Kind::Call { callee, args })
    }

    /// What this operator or function makes of any operands.
    pub fn call_any(&self) -> Self {
        let (callee, args) = (self.clone(), None);
        Self::new(Kind::Call { callee, args })
    }

    /// This, with or without what `wrap` puts around it.
    pub fn optional(&self, wrap: impl FnOnce(&Self) -> Self) -> Self {
        self.clone() | wrap(self)
    }

    /// This, if it has the type that MLIR writes so.
    pub fn has_type(&self, text: &str) -> Self {
        Self::new(Kind::Type(self.clone(), text.into()))
    }

    /// This, if it has this shape.
    pub fn has_shape(&self, shape: Datum) -> Self {
        Self::new(Kind::Shape(self.clone(), shape))
    }

    /// This, if it has this element type.
    pub fn has_dtype(&self, element: Element) -> Self {
        Self::new(Kind::DataType(self.clone(), element))
    }

    /// This, if it has these attributes: an operator call its own, a function those of its `func.func`. `TOpPattern`
    /// is the number of the operator's fusion pattern, as in TVM.
    pub fn has_attr(&self, attrs: &[(&str, Datum)]) -> Self {
        let attrs = attrs
            .iter()
            .map(|(name, value)| ((*name).to_string(), value.clone()));
        Self::new(Kind::Attrs(self.clone(), attrs.collect()))
    }
}

impl BitOr for Pattern {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self::new(Kind::Alt(self, other))
    }
}

macro_rules! infix {
    ($($name:ident $method:ident $op:ident;)*) => {
        $(impl $name for Pattern {
            type Output = Self;
            fn $method(self, other: Self) -> Self {
                is_op(names::relay::$op).call(&[self, other])
            }
        })*
    };
}

infix! {
    Add add ADD;
    Sub sub SUBTRACT;
    Mul mul MULTIPLY;
    Div div DIVIDE;
}

impl fmt::Display for Pattern {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind() {
            Kind::Expr(value) => write!(out, "expr({})", value.ty()),
            Kind::Var(name) if name.is_empty() => out.write_str("var"),
            Kind::Var(name) => write!(out, "var({name:?})"),
            Kind::Constant(None) => out.write_str("constant"),
            Kind::Constant(Some(number)) => write!(out, "{number:?}"),
            Kind::Wildcard => out.write_str("_"),
            Kind::Op(name) => out.write_str(name.strip_prefix("relay.").unwrap_or(name)),
            Kind::Call { callee, args } => write!(out, "{callee}{}", Listed(args)),
            Kind::Function { params, body } => write!(out, "function{} = {body}", Listed(params)),
            Kind::If {
                condition,
                then,
                other,
            } => write!(out, "if({condition}, {then}, {other})"),
            Kind::Tuple(fields) => write!(out, "tuple{}", Listed(fields)),
            Kind::TupleGetItem { tuple, index: None } => write!(out, "{tuple}#_"),
            Kind::TupleGetItem {
                tuple,
                index: Some(index),
            } => write!(out, "{tuple}#{index}"),
            Kind::Alt(first, second) => write!(out, "({first} | {second})"),
            Kind::Type(inner, text) => write!(out, "{inner}: {text}"),
            Kind::Shape(inner, shape) => write!(out, "{inner}: {shape}"),
            Kind::DataType(inner, element) => write!(out, "{inner}: {element}"),
            Kind::Attrs(inner, attrs) => {
                let attrs: Vec<String> = attrs
                    .iter()
                    .map(|(name, value)| format!("{name} = {value}"))
                    .collect();
                write!(out, "{inner} {{{}}}", attrs.join(", "))
            }
            Kind::Dominates {
                parent,
                path,
                child,
            } => {
                write!(out, "dominates({parent}, {path}, {child})")
            }
        }
    }
}

/// Patterns in parentheses, or dots where anything may stand.
struct Listed<'a>(&'a Option<Vec<Pattern>>);

impl fmt::Display for Listed<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(items) = self.0 else {
            return out.write_str("(...)");
        };
        let items: Vec<String> = items.iter().map(Pattern::to_string).collect();
        write!(out, "({})", items.join(", "))
    }
}
