//! From the source text of TorchScript to its parts.

use super::{
    syntax::{Class, Expr, File, Function, Parameter, Stmt, StmtKind, read_names},
    token::{Token, Word, tokens},
};
use crate::graph::error::Result;
use std::rc::Rc;

/// How deep expressions and statements may lie in others. PyTorch writes fewer.
const DEEPEST: usize = 100;

/// Reads a file.
///
/// # Errors
/// The line, and what is wrong with it.
pub fn parse(source: &str, name: &str) -> Result<File> {
    let tokens = tokens(source).map_err(|reason| format!("{name}, {reason}"))?;
    let mut parser = Parser {
        tokens: &tokens,
        at: 0,
        depth: 0,
        file: name.into(),
    };
    let file = parser.file();
    file.map_err(|reason| format!("{name}, line {}: {reason}", parser.line()))
}

struct Parser<'t, 's> {
    tokens: &'t [Token<'s>],
    at: usize,
    depth: usize,
    file: Rc<str>,
}

impl<'t, 's> Parser<'t, 's> {
    fn word(&self) -> &'t Word<'s> {
        self.tokens
            .get(self.at)
            .map_or(&Word::End, |token| &token.word)
    }

    fn line(&self) -> u32 {
        let last = self.tokens.len().saturating_sub(1);
        self.tokens
            .get(self.at.min(last))
            .map_or(1, |token| token.line)
    }

    /// Takes a word if it is the next one.
    fn takes(&mut self, word: &Word<'_>) -> bool {
        let is_next = self.word() == word;
        self.at += usize::from(is_next);
        is_next
    }

    fn takes_sign(&mut self, sign: &str) -> bool {
        self.takes(&Word::Sign(sign))
    }

    fn takes_name(&mut self, name: &str) -> bool {
        self.takes(&Word::Name(name))
    }

    fn expect(&mut self, word: &Word<'_>) -> Result<()> {
        match self.takes(word) {
            true => Ok(()),
            false => Err(format!("expected {word:?}, found {:?}", self.word())),
        }
    }

    fn sign(&mut self, sign: &str) -> Result<()> {
        self.expect(&Word::Sign(sign))
    }

    fn name(&mut self) -> Result<String> {
        match self.word() {
            Word::Name(name) => {
                self.at += 1;
                Ok((*name).to_owned())
            }
            other => Err(format!("expected a name, found {other:?}")),
        }
    }

    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth >= DEEPEST {
            return Err(format!("more than {DEEPEST} levels lie in each other"));
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    fn file(&mut self) -> Result<File> {
        let mut file = File::default();
        loop {
            if self.takes(&Word::End) {
                return Ok(file);
            }
            match self.word() {
                Word::Name("def") => file.functions.push(self.function()?),
                Word::Name("class") => file.classes.push(self.class()?),
                // Names of constants, in older files.
                _ => drop(self.simple()?),
            }
        }
    }

    fn class(&mut self) -> Result<(String, Class)> {
        self.at += 1;
        let name = self.name()?;
        let mut class = Class::default();
        if self.takes_sign("(") {
            class.base = self.name()?;
            while !self.takes_sign(")") {
                if self.takes(&Word::End) {
                    return Err("a class's bases do not end".into());
                }
                self.at += 1;
            }
        }
        self.sign(":")?;
        self.expect(&Word::Newline)?;
        self.expect(&Word::Indent)?;
        while !self.takes(&Word::Dedent) {
            if *self.word() == Word::Name("def") {
                let method = self.function()?;
                class.methods.insert(method.name.clone(), method);
                continue;
            }
            self.attribute(&mut class)?;
        }
        Ok((name, class))
    }

    /// Reads what a class says of its attributes.
    fn attribute(&mut self, class: &mut Class) -> Result<()> {
        match self.simple()?.kind {
            StmtKind::Declare(name, ty) => class.attributes.push((name, ty)),
            StmtKind::Assign {
                mut targets, value, ..
            } => match (targets.pop(), value) {
                // `x : Final[int] = 3`, whose type does not matter.
                (Some(Expr::Name(name)), value) => {
                    class.constants.insert(name, value);
                }
                // `__annotations__["0"] = T`, of names that Python does not allow.
                (Some(Expr::Item(_, mut key)), ty) => {
                    if let Some(Expr::Text(name)) = key.pop() {
                        class.attributes.push((name.to_string(), ty));
                    }
                }
                _ => {}
            },
            _ => {}
        }
        Ok(())
    }

    fn function(&mut self) -> Result<Function> {
        self.at += 1;
        let name = self.name()?;
        self.sign("(")?;
        let mut parameters = Vec::new();
        while !self.takes_sign(")") {
            let is_mark = self.takes_sign("*");
            if !is_mark {
                parameters.push(self.parameter()?);
            }
            if !self.takes_sign(",") {
                self.sign(")")?;
                break;
            }
        }
        let returns = match self.takes_sign("->") {
            true => Some(self.expr()?),
            false => None,
        };
        let body = self.block()?;
        let mut reads = std::collections::HashSet::new();
        read_names(&body, &mut |name| {
            reads.insert(name.to_owned());
        });
        Ok(Function {
            name,
            file: Rc::clone(&self.file),
            parameters,
            returns,
            body,
            reads,
        })
    }

    fn parameter(&mut self) -> Result<Parameter> {
        let name = self.name()?;
        let ty = match self.takes_sign(":") {
            true => Some(self.expr()?),
            false => None,
        };
        let default = match self.takes_sign("=") {
            true => Some(self.expr()?),
            false => None,
        };
        Ok(Parameter { name, ty, default })
    }

    /// Reads what stands behind a colon: statements further to the right.
    fn block(&mut self) -> Result<Vec<Stmt>> {
        self.sign(":")?;
        self.expect(&Word::Newline)?;
        self.expect(&Word::Indent)?;
        self.deeper(|parser| {
            let mut stmts = Vec::new();
            while !parser.takes(&Word::Dedent) {
                stmts.push(parser.stmt()?);
            }
            Ok(stmts)
        })
    }

    fn stmt(&mut self) -> Result<Stmt> {
        let line = self.line();
        let kind = match self.word() {
            Word::Name("if") => {
                self.at += 1;
                let condition = self.expr()?;
                let yes = self.block()?;
                let no = match self.takes_name("else") {
                    true => self.block()?,
                    false => Vec::new(),
                };
                StmtKind::If(condition, [yes, no])
            }
            Word::Name("while") => {
                self.at += 1;
                StmtKind::While(self.expr()?, self.block()?)
            }
            Word::Name("for") => {
                self.at += 1;
                let (targets, _) = self.list_until("in")?;
                StmtKind::For(targets, self.expr()?, self.block()?)
            }
            Word::Name("with") => {
                self.at += 1;
                let context = self.expr()?;
                let name = match self.takes_name("as") {
                    true => Some(self.primary()?),
                    false => None,
                };
                StmtKind::With(context, name, self.block()?)
            }
            _ => return self.simple(),
        };
        Ok(Stmt { kind, line })
    }

    /// Reads the targets of a loop.
    fn list_until(&mut self, keyword: &str) -> Result<(Vec<Expr>, bool)> {
        let mut targets = vec![self.primary()?];
        while self.takes_sign(",") {
            targets.push(self.primary()?);
        }
        self.expect(&Word::Name(keyword))?;
        let apart = targets.len() > 1;
        Ok((targets, apart))
    }

    /// Reads a statement of one line.
    fn simple(&mut self) -> Result<Stmt> {
        let line = self.line();
        let kind = match self.word() {
            Word::Name("pass") => {
                self.at += 1;
                StmtKind::Pass
            }
            Word::Name("return") => {
                self.at += 1;
                match self.word() {
                    Word::Newline => StmtKind::Return(Expr::None),
                    _ => StmtKind::Return(self.values()?.0),
                }
            }
            _ => self.assignment()?,
        };
        self.expect(&Word::Newline)?;
        Ok(Stmt { kind, line })
    }

    fn assignment(&mut self) -> Result<StmtKind> {
        let (first, apart) = self.values()?;
        if self.takes_sign(":") {
            let ty = self.expr()?;
            if !self.takes_sign("=") {
                return match first {
                    Expr::Name(name) => Ok(StmtKind::Declare(name, ty)),
                    _ => Err("a type is said of no name".into()),
                };
            }
            let value = self.values()?.0;
            let targets = vec![first];
            return Ok(StmtKind::Assign {
                targets,
                apart: false,
                value,
            });
        }
        if !self.takes_sign("=") {
            return Ok(StmtKind::Expr(first));
        }
        let value = self.values()?.0;
        let targets = match (first, apart) {
            (Expr::Tuple(targets), true) => targets,
            (target, _) => vec![target],
        };
        Ok(StmtKind::Assign {
            targets,
            apart,
            value,
        })
    }

    /// Reads an expression, or several with commas, which are a tuple. Says whether there was a comma.
    fn values(&mut self) -> Result<(Expr, bool)> {
        let first = self.expr()?;
        if *self.word() != Word::Sign(",") {
            return Ok((first, false));
        }
        let mut all = vec![first];
        while self.takes_sign(",") {
            if matches!(self.word(), Word::Sign("=") | Word::Newline) {
                break;
            }
            all.push(self.expr()?);
        }
        Ok((Expr::Tuple(all), true))
    }

    fn expr(&mut self) -> Result<Expr> {
        self.deeper(|parser| {
            let value = parser.primary()?;
            if !parser.takes_name("if") {
                return Ok(value);
            }
            let condition = parser.expr()?;
            parser.expect(&Word::Name("else"))?;
            let other = parser.expr()?;
            Ok(Expr::Choice(Box::new([condition, value, other])))
        })
    }

    fn primary(&mut self) -> Result<Expr> {
        let mut expr = self.atom()?;
        loop {
            if self.takes_sign(".") {
                expr = Expr::Attribute(Box::new(expr), self.name()?);
            } else if self.takes_sign("(") {
                expr = Expr::Call(Box::new(expr), self.arguments()?);
            } else if self.takes_sign("[") {
                expr = Expr::Item(Box::new(expr), self.items("]")?.0);
            } else {
                return Ok(expr);
            }
            if self.chain(&expr) > DEEPEST {
                return Err(format!("a chain has more than {DEEPEST} links"));
            }
        }
    }

    /// How many names, calls and subscripts stand behind each other.
    fn chain(&self, expr: &Expr) -> usize {
        let (mut length, mut expr) = (0, expr);
        while let Expr::Attribute(of, _) | Expr::Item(of, _) | Expr::Call(of, _) = expr {
            (length, expr) = (length + 1, of);
        }
        length
    }

    fn atom(&mut self) -> Result<Expr> {
        let word = self.word();
        self.at += 1;
        Ok(match word {
            Word::Name("None") => Expr::None,
            Word::Name("True") => Expr::Bool(true),
            Word::Name("False") => Expr::Bool(false),
            Word::Name(name) => Expr::Name((*name).to_owned()),
            Word::Int(number) => Expr::Int(*number),
            Word::Float(number) => Expr::Float(*number),
            Word::Text(text) => Expr::Text(text.as_str().into()),
            Word::Sign("-") => match self.deeper(Self::primary)? {
                Expr::Int(number) => Expr::Int(number.wrapping_neg()),
                Expr::Float(number) => Expr::Float(-number),
                other => Expr::Negative(Box::new(other)),
            },
            Word::Sign("(") => match self.items(")")? {
                (mut one, false) if one.len() == 1 => one.remove(0),
                (all, _) => Expr::Tuple(all),
            },
            Word::Sign("[") => Expr::List(self.items("]")?.0),
            Word::Sign("{") => {
                let mut entries = Vec::new();
                while !self.takes_sign("}") {
                    let key = self.expr()?;
                    self.sign(":")?;
                    entries.push((key, self.expr()?));
                    if !self.takes_sign(",") {
                        self.sign("}")?;
                        break;
                    }
                }
                Expr::Dict(entries)
            }
            other => {
                self.at -= 1;
                return Err(format!("expected an expression, found {other:?}"));
            }
        })
    }

    /// Reads expressions up to a bracket. Says whether there was a comma.
    fn items(&mut self, end: &str) -> Result<(Vec<Expr>, bool)> {
        let (mut items, mut comma) = (Vec::new(), false);
        while !self.takes_sign(end) {
            items.push(self.expr()?);
            if !self.takes_sign(",") {
                self.sign(end)?;
                break;
            }
            comma = true;
        }
        Ok((items, comma))
    }

    fn arguments(&mut self) -> Result<Vec<(Option<String>, Expr)>> {
        let mut arguments = Vec::new();
        while !self.takes_sign(")") {
            let named = match (
                self.word(),
                self.tokens.get(self.at + 1).map(|token| &token.word),
            ) {
                (Word::Name(name), Some(Word::Sign("="))) => {
                    self.at += 2;
                    Some((*name).to_owned())
                }
                _ => None,
            };
            arguments.push((named, self.expr()?));
            if !self.takes_sign(",") {
                self.sign(")")?;
                break;
            }
        }
        Ok(arguments)
    }
}
