//! Programs of Relay's text as trees.
//!
//! A tree says what is written, no more: names are not looked up, types not inferred. Two trees are equal if their
//! programs are, wherever these stand in their files. They serialise without their places.

use super::element::ALIASES;
use serde::{Serialize, Serializer};
use std::ops::Range;

/// A file: definitions and what their `meta[...]` refer to.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Program {
    /// Functions and types, in order.
    pub definitions: Vec<Definition>,
    /// The metadata section, which is JSON.
    pub metadata: Option<String>,
}

/// What a file defines.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum Definition {
    /// `def @name(...) { ... }`
    Function(String, Function),
    /// `type Name[A] { Cons(A, Name[A]), Nil }`
    Data(DataType),
    /// `extern type Name[A]`: a type without constructors.
    Opaque(DataType),
}

/// An algebraic data type.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DataType {
    /// Its name.
    pub name: String,
    /// Its type parameters.
    pub type_params: Vec<String>,
    /// Its constructors.
    pub constructors: Vec<Constructor>,
    /// Where its name stands.
    #[serde(skip)]
    pub place: Place,
}

/// The bytes of a text where something stands. All places are equal: trees of equal programs are.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Place(pub Range<usize>);

impl PartialEq for Place {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// A constructor of a data type.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Constructor {
    /// Its name.
    pub name: String,
    /// The types of its fields.
    pub fields: Vec<Type>,
    /// Where its name stands.
    #[serde(skip)]
    pub place: Place,
}

/// A function, with a name or without.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Function {
    /// Its type parameters.
    pub type_params: Vec<String>,
    /// Its parameters.
    pub params: Vec<Param>,
    /// Its attributes, which stand among the parameters.
    pub attributes: Vec<Attribute>,
    /// The type of its result, if it is written.
    pub result: Option<Type>,
    /// What it computes.
    pub body: Sequence,
}

/// A parameter.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Param {
    /// Its name, without `%`.
    pub name: String,
    /// Where it lies: `{virtual_device=meta[VirtualDevice][0]}`.
    pub device: Option<Attribute>,
    /// Its type, if it is written.
    pub ty: Option<Type>,
}

/// Steps, and the value of the last one.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Sequence {
    /// What comes before the value.
    pub steps: Vec<Step>,
    /// The value.
    pub value: Expr,
}

/// What is done before a value.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum Step {
    /// `let %x: T = value`
    Let(String, Option<Type>, Expr),
    /// `%0 = value`
    Bind(u32, Expr),
    /// `free_var %x: T`
    Free(String, Option<Type>),
    /// A value that nobody reads.
    Effect(Expr),
}

/// An expression and the bytes of the text where it stands.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct Expr {
    /// The expression.
    pub kind: Kind,
    /// Its place.
    #[serde(skip)]
    pub span: Range<usize>,
}

impl PartialEq for Expr {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind
    }
}

impl From<Kind> for Expr {
    /// An expression that stands nowhere.
    fn from(kind: Kind) -> Self {
        Self { kind, span: 0..0 }
    }
}

/// The kinds of expressions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum Kind {
    /// `1`, `1i64`, `1.5f`
    Number(Number),
    /// `True`
    Bool(bool),
    /// `meta[relay.Constant][0]`
    Meta(Meta),
    /// `%x`
    Local(String),
    /// `%0`
    Graph(u32),
    /// `@f`
    Global(String),
    /// An operator, or a constructor: `nn.conv2d`, `Nil`
    Named(String),
    /// `fn (%x) { ... }`
    Function(Box<Function>),
    /// `if (c) { ... } else { ... }`
    If(Box<[Sequence; 3]>),
    /// `match (x) { ... }`
    Match(Box<Match>),
    /// `ref(x)`
    RefCreate(Box<Sequence>),
    /// `ref_read(r)`
    RefRead(Box<Sequence>),
    /// `ref_write(r, x)`
    RefWrite(Box<[Sequence; 2]>),
    /// `(a, b)`
    Tuple(Vec<Sequence>),
    /// `t.0`
    Project(Box<Expr>, u32),
    /// `f(x, axis=1)`
    Call(Box<Call>),
    /// `a + b`
    Infix(Infix, Box<[Expr; 2]>),
    /// `{ ... }` and `( ... )`
    Block(Box<Sequence>),
}

/// A call.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Call {
    /// What is called.
    pub callee: Expr,
    /// Its arguments.
    pub arguments: Vec<Expr>,
    /// Its attributes.
    pub attributes: Vec<Attribute>,
}

/// A match.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Match {
    /// Whether some values may match no arm: `match?`.
    pub partial: bool,
    /// What is matched.
    pub value: Expr,
    /// The arms, of which the first that matches is taken.
    pub arms: Vec<(Pattern, Sequence)>,
}

/// A pattern of a match.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum Pattern {
    /// `_`
    Wildcard,
    /// `%x: T`
    Variable(String, Option<Type>),
    /// `(p, q)`
    Tuple(Vec<Pattern>),
    /// `Cons(p, q)`
    Constructor(String, Vec<Pattern>),
}

/// An operator between two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Infix {
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
}

impl Infix {
    /// All of them.
    pub const ALL: &[Self] = &[
        Self::Multiply,
        Self::Divide,
        Self::Add,
        Self::Subtract,
        Self::Less,
        Self::LessEqual,
        Self::Greater,
        Self::GreaterEqual,
        Self::Equal,
        Self::NotEqual,
    ];

    /// How it is written, the operator that it stands for, and how closely it binds: those of the highest number are
    /// read first. All read from left to right.
    pub fn facts(self) -> (&'static str, &'static str, u8) {
        match self {
            Self::Multiply => ("*", "multiply", 12),
            Self::Divide => ("/", "divide", 12),
            Self::Add => ("+", "add", 10),
            Self::Subtract => ("-", "subtract", 10),
            Self::Less => ("<", "less", 8),
            Self::LessEqual => ("<=", "less_equal", 8),
            Self::Greater => (">", "greater", 8),
            Self::GreaterEqual => (">=", "greater_equal", 8),
            Self::Equal => ("==", "equal", 7),
            Self::NotEqual => ("!=", "not_equal", 7),
        }
    }
}

/// A number: the value and the bits of its type.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub enum Number {
    /// An integer of 16, 32 or 64 bits.
    Int(i64, u32),
    /// A float of 16, 32 or 64 bits.
    Float(#[serde(serialize_with = "as_text")] f64, u32),
}

/// Writes a float as a text, because JSON has no infinities.
fn as_text<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

/// `meta[relay.Constant][0]`: an entry of the metadata section.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Meta {
    /// The kind of object.
    pub key: String,
    /// Its number among those of its kind.
    pub index: u32,
}

/// `name=value`
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Attribute {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: AttrValue,
}

/// What an attribute holds.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum AttrValue {
    /// `"text"`
    Text(String),
    /// `[1, 2]`
    List(Vec<AttrValue>),
    /// `None`
    Nothing,
    /// A number, a boolean, an entry of the metadata.
    Expr(Expr),
}

/// A type.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum Type {
    /// `_`
    Incomplete,
    /// `Tensor[(1, ?), float32]`, and `float32` for no dimensions.
    Tensor(Vec<Dim>, String),
    /// `(A, B)`
    Tuple(Vec<Type>),
    /// `fn [T](A) -> B`
    Function(Vec<String>, Vec<Type>, Box<Type>),
    /// `ref(A)`
    Ref(Box<Type>),
    /// A data type with its arguments, or a type parameter: `List[A]`
    Named(String, Vec<Type>),
}

/// A dimension of a tensor.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum Dim {
    /// `?`
    Unknown,
    /// So many elements.
    Known(i64),
    /// An expression in the metadata.
    Meta(Meta),
}

/// Whether a name is that of an element type, and so the type of a tensor without dimensions.
pub fn is_element(name: &str) -> bool {
    let of_bits = ["int", "uint", "float", "bfloat"].into_iter().any(|kind| {
        let bits = name.strip_prefix(kind);
        bits.is_some_and(|bits| bits.starts_with(|first: char| first.is_ascii_digit()))
    });
    of_bits || name == "bool" || ALIASES.iter().any(|(alias, _)| *alias == name)
}
