//! From text to trees.

use super::syntax::{
    AttrValue, Attribute, Call, Constructor, DataType, Definition, Dim, Expr, Function, Infix,
    Kind, Match, Meta, Number, Param, Pattern, Place, Program, Sequence, Step, Type, is_element,
};
use grammar::{Grammar, Rule};
use pest::{
    Parser, Span,
    error::{Error, ErrorVariant, InputLocation},
    iterators::Pair,
};

#[allow(
    missing_docs,
    reason = "pest writes the list of rules, without comments"
)]
mod grammar {
    /// What reads the grammar's rules.
    #[derive(pest_derive::Parser)]
    #[grammar = "relay_text/grammar.pest"]
    pub struct Grammar;
}

/// The version of the text, which a file begins with.
pub const VERSION: &str = "0.0.5";

/// How deeply parentheses, brackets, braces and comments may be nested, and how many operands an expression of infix
/// operators or calls of what calls give may have: readers go down each of them once.
const DEEPEST: usize = 128;

/// What is wrong with a text, and where: the line with a caret.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct TextError(Box<Error<Rule>>);

impl TextError {
    /// An error at some bytes of a text.
    pub fn at(text: &str, span: &std::ops::Range<usize>, message: impl Into<String>) -> Self {
        let span = Span::new(text, span.start, span.end).unwrap_or_else(|| whole(text));
        Self::of(span, message)
    }

    fn of(span: Span<'_>, message: impl Into<String>) -> Self {
        let message = message.into();
        let error = Error::new_from_span(ErrorVariant::CustomError { message }, span);
        Self(Box::new(error))
    }

    /// The byte where it begins.
    fn begin(&self) -> usize {
        match self.0.location {
            InputLocation::Pos(begin) | InputLocation::Span((begin, _)) => begin,
        }
    }

    /// The same, with the name of the file.
    pub fn in_file(self, name: &str) -> Self {
        Self(Box::new(self.0.with_path(name)))
    }
}

fn whole(text: &str) -> Span<'_> {
    Span::new(text, 0, text.len()).expect("a text has its own bytes")
}

type Result<T> = std::result::Result<T, TextError>;

/// Reads a file of definitions.
///
/// # Errors
/// The first place that is none of the language, with what may stand there.
pub fn parse(text: &str) -> Result<Program> {
    let mut program = Program::default();
    for pair in root(Rule::program, text)?.into_inner() {
        match pair.as_rule() {
            Rule::version => version(pair)?,
            Rule::function => {
                let mut parts = pair.into_inner().skip(1);
                let name = unprefixed(&next(&mut parts));
                let function = function(next(&mut parts))?;
                program
                    .definitions
                    .push(Definition::Function(name, function));
            }
            Rule::data_type => {
                let data = data_type(pair.into_inner().skip(1))?;
                program.definitions.push(Definition::Data(data));
            }
            Rule::opaque_type => {
                let data = data_type(pair.into_inner().skip(2))?;
                program.definitions.push(Definition::Opaque(data));
            }
            Rule::metadata => program.metadata = metadata(pair),
            _ => {}
        }
    }
    Ok(program)
}

/// Reads a program; or an expression as the function `@main` of a program: its parameters are the variables that are free in
/// it. A function without a name is `@main` itself.
///
/// # Errors
/// As [`parse`]; of what is neither, what is wrong with it as the one that is read further.
pub fn parse_any(text: &str) -> Result<Program> {
    parse(text).or_else(|error| match root(Rule::expression, text) {
        Ok(pair) => expression_program(pair),
        Err(other) if other.begin() > error.begin() => Err(other),
        Err(_) => Err(error),
    })
}

/// An expression as a program.
fn expression_program(pair: Pair<'_, Rule>) -> Result<Program> {
    let mut metadata_section = None;
    let mut value = None;
    for pair in pair.into_inner() {
        match pair.as_rule() {
            Rule::version => version(pair)?,
            Rule::sequence => value = Some(sequence(pair)?),
            Rule::metadata => metadata_section = metadata(pair),
            _ => {}
        }
    }
    let definitions = value.map(|value| Definition::Function("main".into(), main(value)));
    Ok(Program {
        definitions: definitions.into_iter().collect(),
        metadata: metadata_section,
    })
}

/// The function that an expression is, or that has it as its body.
fn main(body: Sequence) -> Function {
    let Sequence { steps, value } = body;
    let is_free = |step: &Step| matches!(step, Step::Free(..));
    let (free, steps): (Vec<Step>, Vec<Step>) = steps.into_iter().partition(is_free);
    let params = free.into_iter().filter_map(|step| match step {
        Step::Free(name, ty) => Some(Param {
            name,
            device: None,
            ty,
        }),
        _ => None,
    });
    let params: Vec<Param> = params.collect();
    match value.kind {
        Kind::Function(function) if steps.is_empty() && params.is_empty() => *function,
        _ => Function {
            type_params: Vec::new(),
            params,
            attributes: Vec::new(),
            result: None,
            body: Sequence { steps, value },
        },
    }
}

/// Reads an expression.
///
/// # Errors
/// As [`parse`].
pub fn parse_expression(text: &str) -> Result<Sequence> {
    for pair in root(Rule::expression, text)?.into_inner() {
        match pair.as_rule() {
            Rule::version => version(pair)?,
            Rule::sequence => return sequence(pair),
            _ => {}
        }
    }
    Err(TextError::of(whole(text), "expected an expression"))
}

fn root(rule: Rule, text: &str) -> Result<Pair<'_, Rule>> {
    check_nesting(text)?;
    let mut pairs = Grammar::parse(rule, text)
        .map_err(|error| TextError(Box::new(error.renamed_rules(|rule| describe(*rule)))))?;
    Ok(pairs.next().expect("a rule that is read makes a pair"))
}

/// Checks that no part of a text is nested too deeply for a reader that calls itself.
fn check_nesting(text: &str) -> Result<()> {
    let bytes = text.as_bytes();
    let end = text.find("#[metadata]").unwrap_or(text.len());
    let (mut at, mut depth, mut comments) = (0, 0_usize, 0_usize);
    while at < end {
        let rest = &bytes[at..end];
        let mut length = 1;
        if rest.starts_with(b"/*") {
            (comments, length) = (comments + 1, 2);
        } else if comments > 0 {
            if rest.starts_with(b"*/") {
                (comments, length) = (comments - 1, 2);
            }
        } else if rest.starts_with(b"//") {
            length = rest
                .iter()
                .position(|byte| *byte == b'\n')
                .unwrap_or(rest.len());
        } else if rest[0] == b'"' {
            let close = rest[1..].iter().position(|byte| *byte == b'"');
            length = close.map_or(rest.len(), |close| close + 2);
        } else if b"([{".contains(&rest[0]) {
            depth += 1;
        } else if b")]}".contains(&rest[0]) {
            depth = depth.saturating_sub(1);
        }
        if depth + comments > DEEPEST {
            let message =
                format!("nested more than {DEEPEST} times; give parts of it names with let");
            return Err(TextError::at(text, &(at..at + 1), message));
        }
        at += length;
    }
    Ok(())
}

/// What a rule is called in messages.
fn describe(rule: Rule) -> String {
    let text = match rule {
        Rule::EOI => "the end of the file",
        Rule::program => "def, type or extern type",
        Rule::type_args => "types in brackets",
        Rule::closure | Rule::params => "parameters",
        Rule::expression | Rule::sequence | Rule::infix | Rule::postfix => "an expression",
        Rule::number => "a number",
        Rule::boolean => "True or False",
        Rule::meta => "meta[...][...]",
        Rule::graph => "%0",
        Rule::local => "%name",
        Rule::global => "@name",
        Rule::operator_name => "an operator",
        Rule::operator => "an infix operator",
        Rule::call => "arguments",
        Rule::projection => "a field",
        Rule::index => "a number of a field",
        Rule::paren => "(",
        Rule::body => "{",
        Rule::comma => ",",
        Rule::name => "a name",
        Rule::string => "a string",
        Rule::attribute => "name=value",
        Rule::version => "#[version = \"0.0.5\"]",
        Rule::metadata => "#[metadata]",
        Rule::function | Rule::kw_def => "def",
        Rule::data_type | Rule::kw_type => "type",
        Rule::opaque_type | Rule::kw_extern => "extern type",
        Rule::let_ | Rule::kw_let => "let",
        Rule::free_var | Rule::kw_free_var => "free_var",
        Rule::lambda | Rule::kw_fn | Rule::function_type => "fn",
        Rule::if_ | Rule::kw_if => "if",
        Rule::kw_else => "else",
        Rule::match_ | Rule::kw_match => "match",
        Rule::ref_create | Rule::ref_type | Rule::kw_ref => "ref",
        Rule::ref_read | Rule::kw_ref_read => "ref_read",
        Rule::ref_write | Rule::kw_ref_write => "ref_write",
        Rule::incomplete | Rule::wildcard => "_",
        Rule::tensor_type | Rule::kw_tensor => "Tensor",
        Rule::tuple_type => "types in parentheses",
        Rule::named_type => "the name of a type",
        Rule::annotation => "a type",
        Rule::result => "-> and the result's type",
        other => return format!("{other:?}").replace('_', " "),
    };
    text.into()
}

/// The next part of a pair.
fn next<'t>(parts: &mut impl Iterator<Item = Pair<'t, Rule>>) -> Pair<'t, Rule> {
    parts.next().expect("the grammar has this part")
}

/// A name without the sign before it.
fn unprefixed(pair: &Pair<'_, Rule>) -> String {
    pair.as_str()[1..].into()
}

fn version(pair: Pair<'_, Rule>) -> Result<()> {
    let span = pair.as_span();
    let found = text(next(&mut pair.into_inner()));
    if found == VERSION {
        return Ok(());
    }
    let message = format!("the text is of version {found}, expected {VERSION}");
    Err(TextError::of(span, message))
}

/// What stands in a string, or behind `#[metadata]`.
fn text(pair: Pair<'_, Rule>) -> String {
    next(&mut pair.into_inner()).as_str().into()
}

fn metadata(pair: Pair<'_, Rule>) -> Option<String> {
    Some(text(pair).trim().into())
}

/// A data type from its name on.
fn data_type<'t>(parts: impl Iterator<Item = Pair<'t, Rule>>) -> Result<DataType> {
    let mut parts = parts.peekable();
    let (name, place) = placed(&next(&mut parts));
    let type_params = type_params(&mut parts);
    let constructors = parts
        .map(|pair| {
            let mut parts = pair.into_inner();
            let (name, place) = placed(&next(&mut parts));
            let fields = parts.next().map(types).transpose()?.unwrap_or_default();
            Ok(Constructor {
                name,
                fields,
                place,
            })
        })
        .collect::<Result<_>>()?;
    Ok(DataType {
        name,
        type_params,
        constructors,
        place,
    })
}

/// A name, and where it stands.
fn placed(pair: &Pair<'_, Rule>) -> (String, Place) {
    let span = pair.as_span();
    (pair.as_str().into(), Place(span.start()..span.end()))
}

/// The type parameters that come next, if there are any.
fn type_params<'t>(
    parts: &mut std::iter::Peekable<impl Iterator<Item = Pair<'t, Rule>>>,
) -> Vec<String> {
    let params = parts.next_if(|pair| pair.as_rule() == Rule::type_params);
    params.map_or(Vec::new(), |pair| {
        pair.into_inner().map(|name| name.as_str().into()).collect()
    })
}

fn function(pair: Pair<'_, Rule>) -> Result<Function> {
    let mut parts = pair.into_inner().peekable();
    let type_params = type_params(&mut parts);
    let (mut params, mut attributes) = (Vec::new(), Vec::new());
    for pair in next(&mut parts).into_inner() {
        match pair.as_rule() {
            Rule::attribute => attributes.push(attribute(pair)?),
            _ => params.push(param(pair)?),
        }
    }
    let result = parts
        .next_if(|pair| pair.as_rule() == Rule::result)
        .map(|pair| type_(next(&mut pair.into_inner())))
        .transpose()?;
    Ok(Function {
        type_params,
        params,
        attributes,
        result,
        body: body(next(&mut parts))?,
    })
}

fn param(pair: Pair<'_, Rule>) -> Result<Param> {
    let mut parts = pair.into_inner();
    let mut param = Param {
        name: unprefixed(&next(&mut parts)),
        device: None,
        ty: None,
    };
    for pair in parts {
        match pair.as_rule() {
            Rule::device => param.device = Some(attribute(next(&mut pair.into_inner()))?),
            _ => param.ty = Some(annotation(pair)?),
        }
    }
    Ok(param)
}

fn annotation(pair: Pair<'_, Rule>) -> Result<Type> {
    type_(next(&mut pair.into_inner()))
}

/// A local with its annotation.
fn variable<'t>(
    parts: &mut impl Iterator<Item = Pair<'t, Rule>>,
) -> Result<(String, Option<Type>)> {
    let name = unprefixed(&next(parts));
    let ty = parts.next().map(annotation).transpose()?;
    Ok((name, ty))
}

fn body(pair: Pair<'_, Rule>) -> Result<Sequence> {
    sequence(next(&mut pair.into_inner()))
}

fn sequence(pair: Pair<'_, Rule>) -> Result<Sequence> {
    let mut parts: Vec<Pair<'_, Rule>> = pair.into_inner().collect();
    let last = parts.pop().expect("the grammar has a step");
    if last.as_rule() != Rule::infix {
        let message = "a sequence ends with its value: an expression has to follow";
        return Err(TextError::of(last.as_span(), message));
    }
    let steps: Vec<Step> = parts.into_iter().map(step).collect::<Result<_>>()?;
    let value = expression(last)?;
    match value.kind {
        // Parentheses around all of it say nothing.
        Kind::Block(inner) if steps.is_empty() => Ok(*inner),
        _ => Ok(Sequence { steps, value }),
    }
}

fn step(pair: Pair<'_, Rule>) -> Result<Step> {
    Ok(match pair.as_rule() {
        Rule::let_ => {
            let mut parts: Vec<Pair<'_, Rule>> = pair.into_inner().skip(1).collect();
            let value = parts.pop().expect("the grammar has a value");
            let (name, ty) = variable(&mut parts.into_iter())?;
            Step::Let(name, ty, expression(value)?)
        }
        Rule::binding => {
            let mut parts = pair.into_inner();
            let number = graph(&next(&mut parts))?;
            Step::Bind(number, expression(next(&mut parts))?)
        }
        Rule::free_var => {
            let (name, ty) = variable(&mut pair.into_inner().skip(1))?;
            Step::Free(name, ty)
        }
        _ => Step::Effect(expression(pair)?),
    })
}

fn graph(pair: &Pair<'_, Rule>) -> Result<u32> {
    small(pair, &pair.as_str()[1..])
}

/// A number of a value, a field or an entry.
fn small(pair: &Pair<'_, Rule>, digits: &str) -> Result<u32> {
    let number = digits.parse();
    number.map_err(|_| TextError::of(pair.as_span(), "the number does not fit 32 bits"))
}

/// Operands between operators: those that bind closer are put together first, from left to right.
fn expression(pair: Pair<'_, Rule>) -> Result<Expr> {
    let span = pair.as_span();
    let mut parts = pair.into_inner();
    if parts.len() > 2 * DEEPEST {
        let message = format!("more than {DEEPEST} operands; give parts of it names with let");
        return Err(TextError::of(span, message));
    }
    let mut operands = vec![postfix(next(&mut parts))?];
    let mut operators: Vec<Infix> = Vec::new();
    while let Some(pair) = parts.next() {
        let known = Infix::ALL
            .iter()
            .find(|infix| infix.facts().0 == pair.as_str());
        let operator = *known.expect("the grammar has these operators");
        while operators
            .last()
            .is_some_and(|last| last.facts().2 >= operator.facts().2)
        {
            join(&mut operands, &mut operators);
        }
        operators.push(operator);
        operands.push(postfix(next(&mut parts))?);
    }
    while !operators.is_empty() {
        join(&mut operands, &mut operators);
    }
    Ok(operands.pop().expect("one operand is left"))
}

/// Puts the last two operands together.
fn join(operands: &mut Vec<Expr>, operators: &mut Vec<Infix>) {
    let (Some(rhs), Some(lhs), Some(operator)) = (operands.pop(), operands.pop(), operators.pop())
    else {
        return;
    };
    let span = lhs.span.start..rhs.span.end;
    let kind = Kind::Infix(operator, Box::new([lhs, rhs]));
    operands.push(Expr { kind, span });
}

/// An atom, what it is called with, and fields of that.
fn postfix(pair: Pair<'_, Rule>) -> Result<Expr> {
    let mut parts = pair.into_inner();
    let mut expr = atom(next(&mut parts))?;
    if parts.len() > DEEPEST {
        let end = parts.last().map(|pair| pair.as_span());
        let message = format!("more than {DEEPEST} calls of what a call gives");
        return Err(TextError::of(end.expect("there are parts"), message));
    }
    for pair in parts {
        let span = expr.span.start..pair.as_span().end();
        let kind = match pair.as_rule() {
            Rule::call => call(expr, pair)?,
            _ => {
                let index = next(&mut pair.into_inner());
                Kind::Project(Box::new(expr), small(&index, index.as_str())?)
            }
        };
        expr = Expr { kind, span };
    }
    Ok(expr)
}

fn call(callee: Expr, pair: Pair<'_, Rule>) -> Result<Kind> {
    let (mut arguments, mut attributes) = (Vec::new(), Vec::new());
    for pair in pair.into_inner() {
        match pair.as_rule() {
            Rule::attribute => attributes.push(attribute(pair)?),
            _ => arguments.push(expression(pair)?),
        }
    }
    Ok(Kind::Call(Box::new(Call {
        callee,
        arguments,
        attributes,
    })))
}

fn atom(pair: Pair<'_, Rule>) -> Result<Expr> {
    let span = pair.as_span();
    let kind = match pair.as_rule() {
        Rule::number => Kind::Number(number(&pair)?),
        Rule::boolean => Kind::Bool(pair.as_str() == "True"),
        Rule::meta => Kind::Meta(meta(&pair)?),
        Rule::graph => Kind::Graph(graph(&pair)?),
        Rule::local => Kind::Local(unprefixed(&pair)),
        Rule::global => Kind::Global(unprefixed(&pair)),
        Rule::operator_name => Kind::Named(pair.as_str().into()),
        Rule::lambda => Kind::Function(Box::new(function(next(&mut pair.into_inner().skip(1)))?)),
        Rule::match_ => match_(pair)?,
        Rule::if_ => {
            let mut parts = pair
                .into_inner()
                .filter(|pair| matches!(pair.as_rule(), Rule::sequence | Rule::body));
            let condition = sequence(next(&mut parts))?;
            let branches = [body(next(&mut parts))?, body(next(&mut parts))?];
            let [yes, no] = branches;
            Kind::If(Box::new([condition, yes, no]))
        }
        Rule::ref_create => {
            Kind::RefCreate(Box::new(sequence(next(&mut pair.into_inner().skip(1)))?))
        }
        Rule::ref_read => Kind::RefRead(Box::new(sequence(next(&mut pair.into_inner().skip(1)))?)),
        Rule::ref_write => {
            let mut parts = pair.into_inner().skip(1);
            let target = sequence(next(&mut parts))?;
            Kind::RefWrite(Box::new([target, sequence(next(&mut parts))?]))
        }
        Rule::paren => return paren(pair),
        _ => return Ok(block(body(pair)?, span)),
    };
    let span = span.start()..span.end();
    Ok(Expr { kind, span })
}

fn match_(pair: Pair<'_, Rule>) -> Result<Kind> {
    let mut parts = pair.into_inner().skip(1).peekable();
    let partial = parts
        .next_if(|pair| pair.as_rule() == Rule::partial)
        .is_some();
    let value = postfix(next(&mut parts))?;
    let arms = parts
        .map(|pair| {
            let mut parts = pair.into_inner();
            Ok((pattern(next(&mut parts))?, sequence(next(&mut parts))?))
        })
        .collect::<Result<_>>()?;
    Ok(Kind::Match(Box::new(Match {
        partial,
        value,
        arms,
    })))
}

/// A tuple; without a comma what stands in the parentheses.
fn paren(pair: Pair<'_, Rule>) -> Result<Expr> {
    let span = pair.as_span();
    let parts: Vec<Pair<'_, Rule>> = pair.into_inner().collect();
    let has_comma = parts.iter().any(|pair| pair.as_rule() == Rule::comma);
    let fields = parts
        .into_iter()
        .filter(|pair| pair.as_rule() == Rule::sequence);
    let mut fields = fields.map(sequence).collect::<Result<Vec<_>>>()?;
    match (fields.pop(), has_comma) {
        (Some(only), false) => Ok(block(only, span)),
        (last, _) => {
            fields.extend(last);
            Ok(Expr {
                kind: Kind::Tuple(fields),
                span: span.start()..span.end(),
            })
        }
    }
}

/// A sequence as an expression.
fn block(sequence: Sequence, span: Span<'_>) -> Expr {
    if sequence.steps.is_empty() {
        return sequence.value;
    }
    Expr {
        kind: Kind::Block(Box::new(sequence)),
        span: span.start()..span.end(),
    }
}

fn pattern(pair: Pair<'_, Rule>) -> Result<Pattern> {
    let fields = |pair: Pair<'_, Rule>| pair.into_inner().map(pattern).collect::<Result<Vec<_>>>();
    Ok(match pair.as_rule() {
        Rule::variable_pattern => {
            let (name, ty) = variable(&mut pair.into_inner())?;
            Pattern::Variable(name, ty)
        }
        Rule::tuple_pattern => Pattern::Tuple(fields(pair)?),
        Rule::constructor_pattern => {
            let mut parts = pair.into_inner();
            let name = next(&mut parts).as_str().into();
            let given = parts.next().map(fields).transpose()?;
            Pattern::Constructor(name, given.unwrap_or_default())
        }
        _ => Pattern::Wildcard,
    })
}

fn attribute(pair: Pair<'_, Rule>) -> Result<Attribute> {
    let mut parts = pair.into_inner();
    Ok(Attribute {
        name: next(&mut parts).as_str().into(),
        value: value(next(&mut parts))?,
    })
}

fn value(pair: Pair<'_, Rule>) -> Result<AttrValue> {
    Ok(match pair.as_rule() {
        Rule::string => AttrValue::Text(text(pair)),
        Rule::list => AttrValue::List(pair.into_inner().map(value).collect::<Result<_>>()?),
        Rule::nothing => AttrValue::Nothing,
        _ => AttrValue::Expr(expression(pair)?),
    })
}

fn types(pair: Pair<'_, Rule>) -> Result<Vec<Type>> {
    pair.into_inner().map(type_).collect()
}

fn type_(pair: Pair<'_, Rule>) -> Result<Type> {
    let rule = pair.as_rule();
    if rule == Rule::incomplete {
        return Ok(Type::Incomplete);
    }
    if rule == Rule::tuple_type {
        return Ok(Type::Tuple(types(pair)?));
    }
    let mut parts = pair.into_inner();
    Ok(match rule {
        Rule::function_type => {
            let mut parts = parts.skip(1).peekable();
            let type_params = type_params(&mut parts);
            let arguments = types(next(&mut parts))?;
            Type::Function(type_params, arguments, Box::new(type_(next(&mut parts))?))
        }
        Rule::ref_type => Type::Ref(Box::new(type_(next(&mut parts.skip(1)))?)),
        Rule::tensor_type => {
            let mut parts: Vec<Pair<'_, Rule>> = parts.skip(1).collect();
            let element = parts.pop().expect("the grammar has an element type");
            let dims = parts.into_iter().map(dim).collect::<Result<_>>()?;
            Type::Tensor(dims, element.as_str().into())
        }
        _ => {
            let name = next(&mut parts).as_str().to_owned();
            let args = parts.next().map(types).transpose()?;
            match args {
                None if is_element(&name) => Type::Tensor(Vec::new(), name),
                args => Type::Named(name, args.unwrap_or_default()),
            }
        }
    })
}

fn dim(pair: Pair<'_, Rule>) -> Result<Dim> {
    match pair.as_rule() {
        Rule::unknown => Ok(Dim::Unknown),
        Rule::meta => Ok(Dim::Meta(meta(&pair)?)),
        _ => match number(&pair)? {
            Number::Int(extent, _) if extent >= 0 => Ok(Dim::Known(extent)),
            _ => Err(TextError::of(
                pair.as_span(),
                "a dimension is a whole number that is not negative, or ?",
            )),
        },
    }
}

fn meta(pair: &Pair<'_, Rule>) -> Result<Meta> {
    let inside = pair.as_str().trim_start_matches("meta[");
    let (key, index) = inside.split_once("][").expect("the grammar has both");
    Ok(Meta {
        key: key.into(),
        index: small(pair, index.trim_end_matches(']'))?,
    })
}

fn number(pair: &Pair<'_, Rule>) -> Result<Number> {
    let number = Number::parse(pair.as_str());
    number.map_err(|reason| TextError::of(pair.as_span(), reason))
}
