//! Rule files as trees, before anything is known of their names.

use lalrpop_util::ParseError;
use std::{fmt, ops::Range};

/// Expressions nest this deep; what looks at them is recursive.
const MAX_DEPTH: usize = 100;
/// A rule's expressions have this many parts; a match goes as deep.
pub(super) const MAX_PARTS: usize = 1000;

/// Bytes of a rule file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// The byte after the last.
    pub end: usize,
}

/// What is wrong in a rule file, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// Where.
    pub span: Span,
    /// What, as a diagnostic's text.
    pub message: String,
}

impl fmt::Display for Refused {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl Span {
    /// Says that something is wrong here.
    pub fn refuse<T>(self, message: impl Into<String>) -> Result<T, Refused> {
        Err(self.wrong(message))
    }

    /// What is wrong here.
    pub fn wrong(self, message: impl Into<String>) -> Refused {
        let message = message.into();
        Refused {
            span: self,
            message,
        }
    }
}

impl From<Range<usize>> for Span {
    fn from(Range { start, end }: Range<usize>) -> Self {
        Self { start, end }
    }
}

/// A word with its place.
#[derive(Clone, Debug)]
pub(super) struct Word {
    pub(super) text: String,
    pub(super) span: Span,
}

/// A rule.
pub(super) struct RuleText {
    pub(super) name: Word,
    pub(super) pattern: Expr,
    pub(super) clauses: Vec<Clause>,
    pub(super) replacement: Option<Expr>,
}

/// What stands between the pattern and the replacement.
pub(super) enum Clause {
    /// `where static(%x)`.
    Where(Expr),
    /// `let behind = rank(%x) - 1`: data.
    Compute(Word, Expr),
    /// `let %sum = %x + %y`: a part of the replacement.
    Make(Word, Expr),
}

/// An expression.
#[derive(Clone, Debug)]
pub(super) struct Expr {
    pub(super) kind: ExprKind,
    pub(super) span: Span,
    depth: usize,
    parts: usize,
}

impl Expr {
    /// The number of its parts.
    pub(super) fn size(&self) -> usize {
        self.parts
    }
}

/// Kinds of expressions. Names are without their `%`.
#[derive(Clone, Debug)]
pub(super) enum ExprKind {
    /// `%x`.
    Name(String),
    /// `%x = ...`.
    Bind(String, Box<Expr>),
    /// `_`.
    Wildcard,
    /// `...`.
    Rest,
    /// `1`.
    Int(i64),
    /// `1.0`.
    Float(f64),
    /// `"NCHW"`.
    Text(String),
    /// `f32`.
    Word(String),
    /// `tensor<4xf32>`.
    Type(String),
    /// `[1, 2]`.
    List(Vec<Expr>),
    /// `nn.pad(%x) {pad_mode = "edge"}`.
    Call {
        name: Word,
        args: Vec<Expr>,
        attrs: Vec<(Word, Expr)>,
    },
    /// `%x + %y`.
    Infix(Infix, Box<Expr>, Box<Expr>),
    /// `not ...`.
    Not(Box<Expr>),
    /// `-1`.
    Minus(Box<Expr>),
    /// `nn.relu(%x)?`.
    Optional(Box<Expr>),
    /// `%c.axis`.
    Field(Box<Expr>, Word),
    /// `split(%x)#1`.
    Result(Box<Expr>, String),
    /// `%c: constant`.
    Classed(Box<Expr>, Box<Expr>),
}

/// What stands between two expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Infix {
    Or,
    And,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Is,
    Alternative,
    Add,
    Subtract,
    Multiply,
    Divide,
}

impl Infix {
    /// How it is written.
    pub(super) fn text(self) -> &'static str {
        match self {
            Self::Or => "or",
            Self::And => "and",
            Self::Equal => "==",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::LessEqual => "<=",
            Self::Greater => ">",
            Self::GreaterEqual => ">=",
            Self::Is => "is",
            Self::Alternative => "|",
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
        }
    }
}

/// What the parser's actions give.
type Parsed<'input, T> = Result<T, ParseError<usize, lalrpop_util::lexer::Token<'input>, Refused>>;

impl ExprKind {
    pub(super) fn infix(infix: Infix, lhs: Expr, rhs: Expr) -> Self {
        Self::Infix(infix, lhs.into(), rhs.into())
    }

    pub(super) fn int<'input>(text: &str, span: Span) -> Parsed<'input, Expr> {
        let error = || {
            span.wrong(format!("{text} has more than 64 bits"))
                .into_parse_error()
        };
        let value = text.parse().map_err(|_| error())?;
        Ok(leaf(span.start, span.end, Self::Int(value)))
    }

    pub(super) fn float<'input>(text: &str, span: Span) -> Parsed<'input, Expr> {
        let finite = text.parse().ok().filter(|value: &f64| value.is_finite());
        let error = || {
            span.wrong(format!("{text} is no 64-bit float"))
                .into_parse_error()
        };
        Ok(leaf(
            span.start,
            span.end,
            Self::Float(finite.ok_or_else(error)?),
        ))
    }

    /// The expressions right inside this one.
    fn parts(&self) -> Vec<&Expr> {
        match self {
            Self::List(items) => items.iter().collect(),
            Self::Call { args, attrs, .. } => args
                .iter()
                .chain(attrs.iter().map(|(_, value)| value))
                .collect(),
            Self::Infix(_, lhs, rhs) | Self::Classed(lhs, rhs) => vec![lhs, rhs],
            Self::Bind(_, inner)
            | Self::Not(inner)
            | Self::Minus(inner)
            | Self::Optional(inner)
            | Self::Field(inner, _)
            | Self::Result(inner, _) => vec![inner],
            _ => Vec::new(),
        }
    }
}

impl Refused {
    fn into_parse_error<'input>(
        self,
    ) -> ParseError<usize, lalrpop_util::lexer::Token<'input>, Refused> {
        ParseError::User { error: self }
    }
}

/// An expression without parts.
pub(super) fn leaf(start: usize, end: usize, kind: ExprKind) -> Expr {
    let span = Span { start, end };
    let (depth, parts) = (0, 1);
    Expr {
        kind,
        span,
        depth,
        parts,
    }
}

/// An expression with parts.
pub(super) fn node<'input>(start: usize, end: usize, kind: ExprKind) -> Parsed<'input, Expr> {
    let span = Span { start, end };
    let inner = kind.parts();
    let depth = 1 + inner.iter().map(|part| part.depth).max().unwrap_or(0);
    let parts = 1 + inner.iter().map(|part| part.parts).sum::<usize>();
    let message = if depth > MAX_DEPTH {
        format!("expressions nest more than {MAX_DEPTH} deep here")
    } else if parts > MAX_PARTS {
        format!("this has more than {MAX_PARTS} parts")
    } else {
        return Ok(Expr {
            kind,
            span,
            depth,
            parts,
        });
    };
    Err(span.wrong(message).into_parse_error())
}
