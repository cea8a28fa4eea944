//! Rules as text: a pattern, conditions, and a replacement.
//!
//! [`RuleSet::load`] reads and checks them; what is wrong is a diagnostic that points into the file.

mod functions;
mod maker;
mod operators;
mod patterns;
mod reading;
mod replacement;
mod roots;
mod scalars;
mod scope;
mod syntax;

lalrpop_util::lalrpop_mod!(
    #[allow(
        missing_docs,
        clippy::all,
        clippy::unwrap_used,
        unused,
        reason = "generated code"
    )]
    grammar,
    "/pattern/rules/grammar.rs"
);

use super::{Match, Pattern, Subject, match_at};
use lalrpop_util::ParseError;
use maker::{Maker, Unmade};
use operators::Probe;
use relay_dialects::{
    ir::{Ctx, Loc, Op, Type, Value},
    pass::PassFailed,
};
use replacement::Replacement;
use roots::Roots;
use scalars::Scalar;
use scope::Scope;
use std::{cell::RefCell, fmt};
use syntax::{Clause, Refused, RuleText, Span};

/// The largest file of rules, in bytes.
const MAX_BYTES: usize = 1 << 20;

/// The functions that conditions and attributes are computed with: their names and what they give.
pub fn functions() -> impl Iterator<Item = (&'static str, &'static str)> {
    let functions = functions::FUNCTIONS.iter();
    functions.map(|function| (function.name, function.meaning))
}

/// The rules of a file.
pub struct RuleSet {
    source: Source,
    rules: Vec<Rule>,
    roots: Roots,
}

/// A rule.
pub struct Rule {
    name: String,
    span: Span,
    pattern: Pattern,
    conditions: Vec<Scalar>,
    replacement: Option<Replacement>,
}

/// What became of a rule at an op.
pub enum Rewritten {
    /// These values take the place of the op's results.
    By(Vec<Value>),
    /// It does not match.
    No,
    /// It matches, but what it makes does not fit.
    Misfit(Misfit),
}

/// Why a replacement does not fit. Most are never shown.
pub enum Misfit {
    /// It is of another type.
    Type {
        /// What it is of.
        made: Type,
        /// What the result is of.
        wanted: Type,
    },
    /// A reason in words.
    Other(String),
}

impl fmt::Display for Misfit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Type { made, wanted } => write!(formatter, "gives {made}, not {wanted}"),
            Self::Other(reason) => formatter.write_str(reason),
        }
    }
}

/// A file of rules, as diagnostics name it.
struct Source {
    path: String,
    text: String,
}

impl Source {
    /// Where a place is for MLIR, which shows the line of a file that it can read.
    fn locate(&self, ctx: Ctx, span: Span) -> Loc {
        let before = self.text.get(..span.start).unwrap_or(&self.text);
        let line = before.matches('\n').count() + 1;
        let column = before.len() - before.rfind('\n').map_or(0, |end| end + 1) + 1;
        Loc::file(ctx, &self.path, line as u32, column as u32)
    }
}

impl RuleSet {
    /// Reads the rules in `text`, of the file `path`. `around` is an op of the context with a body.
    ///
    /// # Errors
    /// If something is wrong; a diagnostic says what.
    pub fn load(around: Op, path: &str, text: &str) -> Result<Self, PassFailed> {
        let ctx = around.ctx();
        let source = Source {
            path: path.into(),
            text: text.into(),
        };
        let probe = Probe::new(around);
        let locate = |span: Span| source.locate(ctx, span);
        let rules = parse(text).and_then(|rules| read_all(&rules, &probe, &locate));
        match rules {
            Ok(rules) => {
                let roots = Roots::of(rules.iter().map(Rule::pattern));
                Ok(Self {
                    source,
                    rules,
                    roots,
                })
            }
            Err(Refused { span, message }) => {
                locate(span).emit_error(&message);
                Err(PassFailed)
            }
        }
    }

    /// Reads a file of rules.
    ///
    /// # Errors
    /// As [`load`](Self::load); and if there is no such file.
    pub fn open(module: Op, path: &str) -> Result<Self, PassFailed> {
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) => {
                let message = format!("cannot read rules: {error}");
                Loc::file(module.ctx(), path, 0, 0).emit_error(&message);
                return Err(PassFailed);
            }
        };
        Self::load(module, path, &text)
    }

    /// The rules, in the order of the file.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// The places in [`rules`](Self::rules) of those that may match at an op, in their order.
    pub fn at(&self, op: Op) -> &[usize] {
        self.roots.at(op)
    }

    /// Says that something is wrong with a rule.
    pub fn emit_error(&self, ctx: Ctx, rule: &Rule, message: &str) {
        self.source.locate(ctx, rule.span).emit_error(message);
    }

    /// Makes what a rule puts in the place of an op.
    ///
    /// # Errors
    /// If the rule computes with what it cannot compute with; a diagnostic says where.
    pub fn rewrite(&self, rule: &Rule, root: Op) -> Result<Rewritten, PassFailed> {
        rule.rewrite(root)
            .map_err(|refused| self.report(root, &refused))
    }

    /// Where a rule matches at an op.
    ///
    /// # Errors
    /// As [`rewrite`](Self::rewrite).
    pub fn find(&self, rule: &Rule, root: Op) -> Result<Option<Match>, PassFailed> {
        rule.find(root)
            .map_err(|refused| self.report(root, &refused))
    }

    fn report(&self, op: Op, refused: &Refused) -> PassFailed {
        self.source
            .locate(op.ctx(), refused.span)
            .emit_error(&refused.message);
        PassFailed
    }
}

impl Rule {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it matches.
    pub fn pattern(&self) -> &Pattern {
        &self.pattern
    }

    /// Whether it says what to put in the place of what it matches.
    pub fn has_replacement(&self) -> bool {
        self.replacement.is_some()
    }

    fn find(&self, root: Op) -> Result<Option<Match>, Refused> {
        let wrong = RefCell::new(None);
        let holds = |found: &Match| {
            wrong.borrow().is_none()
                && self.conditions.iter().all(|condition| {
                    condition.holds(found).unwrap_or_else(|refused| {
                        wrong.replace(Some(refused));
                        false
                    })
                })
        };
        let found = match_at(&self.pattern, Subject::of(root), holds);
        wrong.into_inner().map_or(Ok(found), Err)
    }

    fn rewrite(&self, root: Op) -> Result<Rewritten, Refused> {
        let Some(replacement) = &self.replacement else {
            return Ok(Rewritten::No);
        };
        let (Some(found), [result]) = (self.find(root)?, &root.results()[..]) else {
            return Ok(Rewritten::No);
        };
        let mut maker = Maker::new(&found, root);
        match maker.make_all(replacement) {
            Ok(value) if value.ty() == result.ty() => Ok(Rewritten::By(vec![value])),
            Ok(value) => {
                let (made, wanted) = (value.ty(), result.ty());
                maker.undo();
                Ok(Rewritten::Misfit(Misfit::Type { made, wanted }))
            }
            Err(Unmade::Misfit(reason)) => {
                maker.undo();
                Ok(Rewritten::Misfit(Misfit::Other(reason)))
            }
            Err(Unmade::Wrong(refused)) => {
                maker.undo();
                Err(refused)
            }
        }
    }
}

/// A list of so many tokens says nothing.
const MANY: usize = 8;

fn parse(text: &str) -> Result<Vec<RuleText>, Refused> {
    if text.len() > MAX_BYTES {
        return Span::default().refuse(format!("rules take more than {MAX_BYTES} bytes"));
    }
    PARSER.with(|parser| parser.parse(text).map_err(|error| unexpected(&error, text)))
}

thread_local! {
    /// Making one compiles regular expressions, which takes longer than to read a file.
    static PARSER: grammar::FileParser = grammar::FileParser::new();
}

/// What the parser did not expect, and what it did.
fn unexpected<T: std::fmt::Display>(error: &ParseError<usize, T, Refused>, text: &str) -> Refused {
    // Where an expression may go on, nearly every token is expected.
    let list = |expected: &[String]| match expected.len() {
        0 | MANY.. => String::new(),
        _ => {
            let expected: Vec<&str> = expected.iter().map(|text| plain(text)).collect();
            format!("; expected one of {}", expected.join(", "))
        }
    };
    match error {
        ParseError::InvalidToken { location } => {
            Span::from(*location..*location).wrong("this begins no word of the language of rules")
        }
        ParseError::UnrecognizedEof { expected, .. } => Span::from(text.len()..text.len())
            .wrong(format!("the file ends here{}", list(expected))),
        ParseError::UnrecognizedToken {
            token: (start, token, end),
            expected,
        } => {
            let hint = remedy(&token.to_string(), text.get(..*start).unwrap_or_default());
            let expected = hint.unwrap_or_else(|| list(expected));
            Span::from(*start..*end).wrong(format!("'{token}' does not fit here{expected}"))
        }
        ParseError::ExtraToken {
            token: (start, token, end),
        } => Span::from(*start..*end).wrong(format!("'{token}' does not fit here")),
        ParseError::User { error } => error.clone(),
    }
}

/// What to write in the place of a `=` behind a name: only what stands alone has its name without parentheses.
fn remedy(token: &str, before: &str) -> Option<String> {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let before = before.trim_end();
    let name = before.trim_end_matches(is_part).len();
    let is_name = before.get(..name)?.ends_with('%') && name < before.len();
    (token == "=" && is_name).then(|| {
        let name = &before[name..];
        format!("; to name a part of a pattern, write (%{name} = ...), and to compare, ==")
    })
}

/// A token as people call it.
fn plain(expected: &str) -> &str {
    match expected {
        "NAME" => "%name",
        "WORD" => "a word",
        "INT" | "FLOAT" => "a number",
        "TEXT" => "a text",
        "TYPE" => "a type",
        _ => expected,
    }
}

fn read_all(
    rules: &[RuleText],
    probe: &Probe,
    locate: &dyn Fn(Span) -> Loc,
) -> Result<Vec<Rule>, Refused> {
    let mut read: Vec<Rule> = Vec::new();
    for rule in rules {
        if read.iter().any(|known| known.name == rule.name.text) {
            return rule
                .name
                .span
                .refuse(format!("there is a rule '{}' already", rule.name.text));
        }
        read.push(read_rule(rule, probe, locate)?);
    }
    Ok(read)
}

fn read_rule(
    rule: &RuleText,
    probe: &Probe,
    locate: &dyn Fn(Span) -> Loc,
) -> Result<Rule, Refused> {
    let mut scope = Scope::default();
    let pattern = patterns::read(&rule.pattern, &mut scope)?;
    scope.close(pattern.certain);
    let (mut conditions, mut named) = (Vec::new(), Vec::new());
    for clause in &rule.clauses {
        match clause {
            Clause::Where(condition) => conditions.push(reading::condition(condition, &mut scope)?),
            Clause::Compute(name, data) => {
                let before = scope.parts();
                let scalar = reading::read(data, &mut scope)?;
                let parts = data.size() + scope.parts() - before;
                scope.compute(name, scalar, parts)?;
            }
            Clause::Make(name, part) => {
                named.push(replacement::read(part, &mut scope, probe, locate)?);
                scope.make(name)?;
            }
        }
    }
    let replacement = match &rule.replacement {
        Some(replacement) => Some(Replacement {
            named,
            result: replacement::read(replacement, &mut scope, probe, locate)?,
        }),
        None => None,
    };
    scope.finish()?;
    let (name, span) = (rule.name.text.clone(), rule.name.span);
    Ok(Rule {
        name,
        span,
        pattern: pattern.pattern,
        conditions,
        replacement,
    })
}
