//! The pattern of a rule.

use super::{
    super::{
        Datum, Pattern, any_tuple, dominates, is_constant, is_if, is_op, is_tuple,
        is_tuple_get_item, is_var, language::is_number, wildcard,
    },
    operators,
    scalars::{literal, tensor_type},
    scope::{Read, Scope},
    syntax::{Expr, ExprKind, Infix, Refused, Word},
};
use relay_dialects::{Element, names};

/// The callee that is any operator.
const ANY_OPERATOR: &str = "operator";

/// Reads a pattern and its names.
pub(super) fn read(expr: &Expr, scope: &mut Scope) -> Result<Read, Refused> {
    match &expr.kind {
        ExprKind::Name(name) => named(name, expr, wildcard(), scope),
        ExprKind::Bind(name, inner) => {
            let mut read = read(inner, scope)?;
            scope.bind(name, expr.span, &read)?;
            read.certain.insert(name.clone());
            Ok(read)
        }
        ExprKind::Wildcard => Ok(Read::of(wildcard())),
        ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Minus(_) => {
            let number = literal(expr)?.number();
            let number = number.ok_or_else(|| expr.span.wrong("a pattern negates nothing"))?;
            Ok(Read::of(is_number(number)))
        }
        ExprKind::Classed(inner, class) => classed(inner, class, scope),
        ExprKind::Infix(infix, lhs, rhs) => infix_pattern(*infix, lhs, rhs, expr, scope),
        ExprKind::Optional(inner) => optional(inner, scope),
        ExprKind::Result(inner, index) => {
            let index = index.parse();
            let index = index.map_err(|_| expr.span.wrong("there are not so many results"))?;
            let inner = read(inner, scope)?;
            Ok(Read::with(
                is_tuple_get_item(&inner.pattern, Some(index)),
                &[&inner],
            ))
        }
        ExprKind::Call { name, args, attrs } => call(name, args, attrs, scope),
        ExprKind::Rest => expr
            .span
            .refuse("'...' stands for all operands, and for nothing else"),
        ExprKind::Word(word) => expr.span.refuse(format!(
            "'{word}' is no pattern; operators have parentheses"
        )),
        _ => expr.span.refuse("this is no pattern"),
    }
}

/// A name, which is bound to `fresh` where it stands first.
fn named(name: &str, expr: &Expr, fresh: Pattern, scope: &mut Scope) -> Result<Read, Refused> {
    let mut read = match scope.again(name) {
        Some((pattern, certain)) => Read {
            pattern,
            certain,
            operator: None,
        },
        None => {
            let read = Read::of(fresh);
            scope.bind(name, expr.span, &read)?;
            read
        }
    };
    read.certain.insert(name.into());
    Ok(read)
}

/// `%c: constant`, `%x: f32`, `%x: [1, _]`.
fn classed(inner: &Expr, class: &Expr, scope: &mut Scope) -> Result<Read, Refused> {
    let of = |base: &Pattern| -> Result<Pattern, Refused> {
        match &class.kind {
            ExprKind::Type(text) => Ok(base.has_type(&tensor_type(text, class.span)?)),
            ExprKind::List(_) => Ok(base.has_shape(literal(class)?)),
            ExprKind::Word(word) => match Element::parse(word) {
                Some(element) => Ok(base.has_dtype(element)),
                None => class.span.refuse(format!(
                    "'{word}' is none of constant, var, an element type, a shape, and a type"
                )),
            },
            _ => class.span.refuse("this is no class"),
        }
    };
    let leaf = match &class.kind {
        ExprKind::Word(word) if word == "constant" => Some(is_constant()),
        ExprKind::Word(word) if word == "var" => Some(is_var("")),
        _ => None,
    };
    match (&inner.kind, leaf) {
        (ExprKind::Name(name), leaf) => {
            let fresh = leaf.map_or_else(|| of(&wildcard()), Ok)?;
            if scope.again(name).is_some() {
                return inner
                    .span
                    .refuse(format!("%{name} has its class where it stands first"));
            }
            named(name, inner, fresh, scope)
        }
        (ExprKind::Wildcard, Some(leaf)) => Ok(Read::of(leaf)),
        (_, Some(_)) => class.span.refuse("only a name or _ is a constant or a var"),
        (_, None) => {
            let mut read = read(inner, scope)?;
            read.pattern = of(&read.pattern)?;
            Ok(read)
        }
    }
}

fn infix_pattern(
    infix: Infix,
    lhs: &Expr,
    rhs: &Expr,
    expr: &Expr,
    scope: &mut Scope,
) -> Result<Read, Refused> {
    if infix == Infix::Alternative {
        let (lhs, rhs) = (read(lhs, scope)?, read(rhs, scope)?);
        return Ok(either(&lhs, &rhs));
    }
    let Some(operator) = operator(infix) else {
        return expr
            .span
            .refuse(format!("'{}' has no meaning in a pattern", infix.text()));
    };
    let parts = [read(lhs, scope)?, read(rhs, scope)?];
    let args = parts.each_ref().map(|part| part.pattern.clone());
    let mut read = Read::with(is_op(operator).call(&args), &parts.each_ref());
    read.operator = Some(operator.into());
    Ok(read)
}

/// The operator that is written between its operands.
pub(super) fn operator(infix: Infix) -> Option<&'static str> {
    match infix {
        Infix::Add => Some(names::relay::ADD),
        Infix::Subtract => Some(names::relay::SUBTRACT),
        Infix::Multiply => Some(names::relay::MULTIPLY),
        Infix::Divide => Some(names::relay::DIVIDE),
        _ => None,
    }
}

fn either(lhs: &Read, rhs: &Read) -> Read {
    Read {
        pattern: lhs.pattern.clone() | rhs.pattern.clone(),
        certain: lhs.certain.intersection(&rhs.certain).cloned().collect(),
        operator: lhs
            .operator
            .clone()
            .filter(|_| lhs.operator == rhs.operator),
    }
}

/// `nn.relu(%x)?`: the first operand, with or without the operator.
fn optional(inner: &Expr, scope: &mut Scope) -> Result<Read, Refused> {
    let (name, args, attrs) = match &inner.kind {
        ExprKind::Call { name, args, attrs } if !args.is_empty() => (name, args, attrs),
        _ => {
            return inner
                .span
                .refuse("only an operator with operands can be left out");
        }
    };
    let first = read(&args[0], scope)?;
    let (pattern, certain) = (first.pattern.clone(), first.certain.clone());
    let mut parts = vec![Read {
        pattern,
        certain,
        operator: None,
    }];
    for arg in &args[1..] {
        parts.push(read(arg, scope)?);
    }
    let with = operator_call(name, Some(parts), attrs)?;
    Ok(either(&first, &with))
}

fn call(
    name: &Word,
    args: &[Expr],
    attrs: &[(Word, Expr)],
    scope: &mut Scope,
) -> Result<Read, Refused> {
    let is_any = matches!(
        args,
        [Expr {
            kind: ExprKind::Rest,
            ..
        }]
    );
    match (name.text.as_str(), args) {
        ("tuple", _) if is_any => Ok(Read::of(any_tuple())),
        (
            "var",
            [
                Expr {
                    kind: ExprKind::Text(known),
                    ..
                },
            ],
        ) => Ok(Read::of(is_var(known))),
        ("if", [condition, then, other]) => {
            let condition = read(condition, scope)?;
            let then = scope.in_branch(|scope| read(then, scope))?;
            let other = scope.in_branch(|scope| read(other, scope))?;
            let pattern = is_if(&condition.pattern, &then.pattern, &other.pattern);
            Ok(Read::with(pattern, &[&condition, &then, &other]))
        }
        ("dominates", [parent, path, child]) => {
            let (parent, path) = (read(parent, scope)?, read(path, scope)?);
            let child = read(child, scope)?;
            let pattern = dominates(&parent.pattern, &path.pattern, &child.pattern);
            // A path may match often, or not at all.
            Ok(Read::with(pattern, &[&parent, &child]))
        }
        ("if" | "dominates", _) => name
            .span
            .refuse(format!("'{}' takes three patterns", name.text)),
        ("var", _) => name
            .span
            .refuse("'var' takes the name of a parameter, as text"),
        _ => {
            let parts: Option<Vec<Read>> = match is_any {
                true => None,
                false => Some(
                    args.iter()
                        .map(|arg| read(arg, scope))
                        .collect::<Result<_, _>>()?,
                ),
            };
            operator_call(name, parts, attrs)
        }
    }
}

fn operator_call(
    name: &Word,
    parts: Option<Vec<Read>>,
    attrs: &[(Word, Expr)],
) -> Result<Read, Refused> {
    let patterns: Option<Vec<Pattern>> = parts
        .as_ref()
        .map(|parts| parts.iter().map(|part| part.pattern.clone()).collect());
    let parts = parts.unwrap_or_default();
    let parts: Vec<&Read> = parts.iter().collect();
    if name.text == "tuple" {
        return Ok(Read::with(is_tuple(&patterns.unwrap_or_default()), &parts));
    }
    let operator = operators::full_name(&name.text);
    if let (Some(operator), Some(patterns)) = (&operator, &patterns) {
        operators::check_operands(operator, patterns.len(), name.span)?;
    }
    let callee = match &operator {
        Some(full) => is_op(full),
        None if name.text == ANY_OPERATOR => wildcard(),
        None => return Err(operators::unknown(name)),
    };
    let call = patterns.map_or_else(|| callee.call_any(), |patterns| callee.call(&patterns));
    let attrs = attrs_pattern(operator.as_deref(), attrs)?;
    let attrs: Vec<_> = attrs
        .iter()
        .map(|(name, value)| (name.as_str(), value.clone()))
        .collect();
    let pattern = if attrs.is_empty() {
        call
    } else {
        call.has_attr(&attrs)
    };
    let mut read = Read::with(pattern, &parts);
    read.operator = operator;
    Ok(read)
}

fn attrs_pattern(
    operator: Option<&str>,
    attrs: &[(Word, Expr)],
) -> Result<Vec<(String, Datum)>, Refused> {
    let mut read = Vec::new();
    for (name, value) in attrs {
        let datum = literal(value)?;
        if let Some(operator) = operator
            && !matches!(datum, Datum::Any)
            && name.text != "TOpPattern"
        {
            let holds = operators::attr(operator, &name.text, name.span)?;
            if !operators::takes(holds, &datum) {
                return value.span.refuse(format!(
                    "'{}' is {}, not {}",
                    name.text,
                    operators::text(holds),
                    datum.kind()
                ));
            }
        }
        read.push((name.text.clone(), datum));
    }
    Ok(read)
}
