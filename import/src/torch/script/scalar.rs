//! Values from outside for parameters that are no tensors.

use super::{
    syntax::{Expr, path, text},
    value::Val,
};
use crate::{
    graph::{error::Result, literal::Literal},
    torch::item::Number,
};

/// The value of what is no tensor.
pub enum Scalar {
    /// `None`.
    None,
    /// A number.
    Number(Number),
    /// A text.
    Text(String),
    /// A list.
    List(Vec<Scalar>),
    /// A tuple.
    Tuple(Vec<Scalar>),
}

impl Scalar {
    /// Reads a value of a type. A text is taken as it stands.
    ///
    /// # Errors
    /// If it is none of the type.
    pub fn parse(ty: &Expr, said: &str) -> Result<Self> {
        match ty {
            Expr::Name(ty) if ty == "str" => Ok(Self::Text(said.into())),
            ty => Self::of(ty, &Literal::parse(said)?),
        }
    }

    fn of(ty: &Expr, literal: &Literal) -> Result<Self> {
        let (of, inner): (&Expr, &[Expr]) = match ty {
            Expr::Item(of, inner) => (of, inner),
            ty => (ty, &[]),
        };
        let int = |number: &i64| Self::Number(Number::Int(*number));
        let float = |number: f64| Self::Number(Number::Float(number));
        Ok(match (path(of).as_deref(), literal, inner) {
            (Some("Optional"), Literal::None, _) => Self::None,
            (Some("Optional"), literal, [inner]) => Self::of(inner, literal)?,
            (Some("int" | "number"), Literal::Int(number), _) => int(number),
            (Some("float"), Literal::Int(number), _) => float(*number as f64),
            (Some("float" | "number"), Literal::Float(number), _) => float(*number),
            (Some("bool"), Literal::Bool(flag), _) => Self::Number(Number::Bool(*flag)),
            (Some("str"), Literal::Text(text), _) => Self::Text(text.clone()),
            (Some("List"), Literal::List(items), [inner]) => {
                let items = items.iter().map(|item| Self::of(inner, item));
                Self::List(items.collect::<Result<_>>()?)
            }
            (Some("Tuple"), Literal::List(items), inner) if items.len() == inner.len() => {
                let items = inner.iter().zip(items);
                let items = items.map(|(inner, item)| Self::of(inner, item));
                Self::Tuple(items.collect::<Result<_>>()?)
            }
            _ => return Err(format!("{} is no {}", literal.kind(), text(ty))),
        })
    }

    /// What the program takes.
    pub fn value<'g>(&self) -> Val<'g> {
        let all = |items: &[Self]| items.iter().map(Self::value).collect();
        match self {
            Self::None => Val::None,
            Self::Number(number) => Val::Number(number.clone()),
            Self::Text(text) => Val::Text(text.as_str().into()),
            Self::List(items) => Val::list(all(items)),
            Self::Tuple(items) => Val::tuple(all(items)),
        }
    }
}
