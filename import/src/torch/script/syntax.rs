//! The parts of TorchScript's serialised source.

use std::{
    collections::{BTreeMap, HashSet},
    rc::Rc,
};

/// An expression, or a type, which is written as one.
#[derive(Debug)]
pub enum Expr {
    /// `None`.
    None,
    /// A boolean.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A float.
    Float(f64),
    /// A text.
    Text(Rc<str>),
    /// A name.
    Name(String),
    /// `x.name`.
    Attribute(Box<Expr>, String),
    /// `x[i]`; types have several in the brackets.
    Item(Box<Expr>, Vec<Expr>),
    /// `f(x, name=y)`.
    Call(Box<Expr>, Vec<(Option<String>, Expr)>),
    /// `(x, y)`.
    Tuple(Vec<Expr>),
    /// `[x, y]`.
    List(Vec<Expr>),
    /// `{x: y}`.
    Dict(Vec<(Expr, Expr)>),
    /// `-x`.
    Negative(Box<Expr>),
    /// `x if condition else y`: condition, x, y.
    Choice(Box<[Expr; 3]>),
}

/// A statement and its line.
#[derive(Debug)]
pub struct Stmt {
    /// What it does.
    pub kind: StmtKind,
    /// Its line, from 1 on.
    pub line: u32,
}

/// What a statement does.
#[derive(Debug)]
pub enum StmtKind {
    /// `x = value`, or `x, y = value`, which takes the value apart.
    Assign {
        /// The targets.
        targets: Vec<Expr>,
        /// Whether the value is taken apart: one target may have a comma behind it.
        apart: bool,
        /// The value.
        value: Expr,
    },
    /// `x : type`, which says nothing that matters here.
    Declare(String, Expr),
    /// `if`.
    If(Expr, [Vec<Stmt>; 2]),
    /// `while`.
    While(Expr, Vec<Stmt>),
    /// `for x in values`.
    For(Vec<Expr>, Expr, Vec<Stmt>),
    /// `with context as name`: context, name, statements.
    With(Expr, Option<Expr>, Vec<Stmt>),
    /// `return`.
    Return(Expr),
    /// An expression.
    Expr(Expr),
    /// `pass`.
    Pass,
}

/// A parameter of a function.
#[derive(Debug)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: Option<Expr>,
    /// What it is if no argument is given.
    pub default: Option<Expr>,
}

/// A function or a method.
#[derive(Debug)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// The file.
    pub file: Rc<str>,
    /// Its parameters; the first one of a method is the object.
    pub parameters: Vec<Parameter>,
    /// The type of what it returns.
    pub returns: Option<Expr>,
    /// Its statements.
    pub body: Vec<Stmt>,
    /// The names that it reads.
    pub reads: HashSet<String>,
}

/// A class.
#[derive(Debug, Default)]
pub struct Class {
    /// The class that it is made of: `Module`, `NamedTuple`.
    pub base: String,
    /// Attributes in order, with their types.
    pub attributes: Vec<(String, Expr)>,
    /// Attributes that are constants of the class.
    pub constants: BTreeMap<String, Expr>,
    /// Methods by name.
    pub methods: BTreeMap<String, Function>,
}

/// What a file defines.
#[derive(Debug, Default)]
pub struct File {
    /// Functions.
    pub functions: Vec<Function>,
    /// Classes by name.
    pub classes: Vec<(String, Class)>,
}

/// The names in a path of names, such as `ops.prim.device`; none if it is another expression.
pub fn path(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Name(name) => Some(name.clone()),
        Expr::Attribute(of, name) => {
            let mut whole = path(of)?;
            whole.push('.');
            whole.push_str(name);
            Some(whole)
        }
        _ => None,
    }
}

impl Expr {
    /// Calls a function for each name that the expression reads.
    pub fn names<'e>(&'e self, see: &mut impl FnMut(&'e str)) {
        match self {
            Self::None | Self::Bool(_) | Self::Int(_) | Self::Float(_) | Self::Text(_) => {}
            Self::Name(name) => see(name),
            Self::Attribute(of, _) | Self::Negative(of) => of.names(see),
            Self::Item(of, items) => {
                of.names(see);
                items.iter().for_each(|item| item.names(see));
            }
            Self::Call(function, arguments) => {
                function.names(see);
                arguments
                    .iter()
                    .for_each(|(_, argument)| argument.names(see));
            }
            Self::Tuple(items) | Self::List(items) => items.iter().for_each(|item| item.names(see)),
            Self::Dict(items) => items.iter().for_each(|(key, value)| {
                key.names(see);
                value.names(see);
            }),
            Self::Choice(parts) => parts.iter().for_each(|part| part.names(see)),
        }
    }
}

/// Calls a function for each name that statements read.
pub fn read_names<'s>(stmts: &'s [Stmt], see: &mut impl FnMut(&'s str)) {
    for stmt in stmts {
        match &stmt.kind {
            StmtKind::Assign { targets, value, .. } => {
                let places = targets
                    .iter()
                    .filter(|target| !matches!(target, Expr::Name(_)));
                places.for_each(|place| place.names(see));
                value.names(see);
            }
            StmtKind::If(condition, branches) => {
                condition.names(see);
                branches.iter().for_each(|branch| read_names(branch, see));
            }
            StmtKind::While(values, body) | StmtKind::For(_, values, body) => {
                values.names(see);
                read_names(body, see);
            }
            StmtKind::With(context, _, body) => {
                context.names(see);
                read_names(body, see);
            }
            StmtKind::Return(value) | StmtKind::Expr(value) => value.names(see),
            StmtKind::Declare(..) | StmtKind::Pass => {}
        }
    }
}

/// The names that statements give values to, each once and in order.
pub fn assigned_names(stmts: &[Stmt]) -> Vec<&str> {
    fn add<'s>(stmts: &'s [Stmt], names: &mut Vec<&'s str>) {
        let put = |targets: &'s [Expr], names: &mut Vec<&'s str>| {
            for target in targets {
                if let Expr::Name(name) = target
                    && !names.contains(&name.as_str())
                {
                    names.push(name);
                }
            }
        };
        for stmt in stmts {
            match &stmt.kind {
                StmtKind::Assign { targets, .. } => put(targets, names),
                StmtKind::If(_, branches) => branches.iter().for_each(|branch| add(branch, names)),
                StmtKind::While(_, body) => add(body, names),
                StmtKind::With(_, name, body) => {
                    put(name.as_slice(), names);
                    add(body, names);
                }
                StmtKind::For(targets, _, body) => {
                    put(targets, names);
                    add(body, names);
                }
                _ => {}
            }
        }
    }
    let mut names = Vec::new();
    add(stmts, &mut names);
    names
}

/// A type as it is written.
pub fn text(ty: &Expr) -> String {
    match ty {
        Expr::Item(of, inner) => {
            let inner: Vec<String> = inner.iter().map(text).collect();
            format!("{}[{}]", text(of), inner.join(", "))
        }
        other => path(other).unwrap_or_else(|| "?".into()),
    }
}
