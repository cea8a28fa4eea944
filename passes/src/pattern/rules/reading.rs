//! Reads what rules compute: conditions, attributes, numbers.

use super::{
    functions::{CLASSES, FUNCTIONS, Form, Run, function},
    operators,
    scalars::{Kind, Scalar, literal},
    scope::Scope,
    syntax::{Expr, ExprKind, Infix, Refused, Span, Word},
};
use relay_dialects::similar::suggestion;

/// Reads something to compute.
pub(super) fn read(expr: &Expr, scope: &mut Scope) -> Result<Scalar, Refused> {
    let kind = match &expr.kind {
        ExprKind::List(items) => Kind::List(
            items
                .iter()
                .map(|item| read(item, scope))
                .collect::<Result<_, _>>()?,
        ),
        ExprKind::Field(inner, field) => attr(inner, field, scope)?,
        ExprKind::Word(word) => match scope.data(word, expr.span)? {
            Some(scalar) => Kind::Named(scalar),
            None => Kind::Literal(literal(expr)?),
        },
        ExprKind::Call { name, args, attrs } => {
            if let Some((name, _)) = attrs.first() {
                return name.span.refuse("functions have no attributes");
            }
            apply(name, args, expr.span, scope)?
        }
        ExprKind::Infix(Infix::Is, lhs, class) => {
            let ExprKind::Word(word) = &class.kind else {
                return class
                    .span
                    .refuse("behind 'is' stands a class of element types");
            };
            let known = CLASSES.iter().find(|(name, _)| name == word);
            let Some((_, is_of)) = known else {
                let names: Vec<&str> = CLASSES.iter().map(|(name, _)| *name).collect();
                return class
                    .span
                    .refuse(format!("'{word}' is none of {}", names.join(", ")));
            };
            Kind::IsOf(Box::new(read(lhs, scope)?), *is_of)
        }
        ExprKind::Infix(Infix::Alternative, ..) => {
            return expr
                .span
                .refuse("'|' has a meaning in patterns only; conditions have 'or'");
        }
        ExprKind::Infix(infix, lhs, rhs) => Kind::Infix(
            *infix,
            Box::new(read(lhs, scope)?),
            Box::new(read(rhs, scope)?),
        ),
        ExprKind::Not(inner) => Kind::Not(Box::new(read(inner, scope)?)),
        ExprKind::Minus(inner) => Kind::Minus(Box::new(read(inner, scope)?)),
        ExprKind::Name(name) => {
            scope.read(name, expr.span)?;
            return expr.span.refuse(format!(
                "%{name} is a part of the graph; its value(), shape() or an attribute is data"
            ));
        }
        ExprKind::Bind(..) => return expr.span.refuse("a name is given in patterns only"),
        _ => Kind::Literal(literal(expr)?),
    };
    let span = expr.span;
    Scalar { kind, span }.check()
}

/// Reads a condition.
pub(super) fn condition(expr: &Expr, scope: &mut Scope) -> Result<Scalar, Refused> {
    let read = read(expr, scope)?;
    match read.form() {
        form if form.meets(Form::Bool) => Ok(read),
        form => expr
            .span
            .refuse(format!("this is {}, no condition", form.text())),
    }
}

/// `%c.axis`.
fn attr(inner: &Expr, field: &Word, scope: &mut Scope) -> Result<Kind, Refused> {
    let ExprKind::Name(name) = &inner.kind else {
        return inner
            .span
            .refuse("only what has a name has attributes here");
    };
    let (pattern, operator) = scope.read(name, inner.span)?;
    let holds = operator.map(|operator| operators::attr(&operator, &field.text, field.span));
    let form = holds.transpose()?.map_or(Form::Any, operators::form);
    Ok(Kind::Attr(pattern, field.text.clone(), form))
}

fn apply(name: &Word, args: &[Expr], span: Span, scope: &mut Scope) -> Result<Kind, Refused> {
    if let (
        "bound",
        [
            Expr {
                kind: ExprKind::Name(bound),
                span,
                ..
            },
        ],
    ) = (name.text.as_str(), args)
    {
        return Ok(Kind::Bound(scope.read(bound, *span)?.0));
    }
    let Some(function) = function(&name.text) else {
        let meant = suggestion(&name.text, FUNCTIONS.iter().map(|function| function.name));
        let message = format!("there is no function '{}'{meant}", name.text);
        return name.span.refuse(message);
    };
    let (value_count, data_count) = match function.run {
        Run::Value(_) => (1, 0),
        Run::ValueData(_) => (1, 1),
        Run::Data(_) => (0, 1),
        Run::TwoData(_) => (0, 2),
    };
    if args.len() != value_count + data_count {
        let wanted = value_count + data_count;
        let message = format!(
            "'{}' takes {wanted} arguments, not {}",
            name.text,
            args.len()
        );
        return span.refuse(message);
    }
    let (values, data) = args.split_at(value_count);
    let value = |arg: &Expr, scope: &mut Scope| match &arg.kind {
        ExprKind::Name(name) => Ok(scope.read(name, arg.span)?.0),
        _ => arg.span.refuse(format!(
            "'{}' takes the name of a part of the graph",
            name.text
        )),
    };
    Ok(Kind::Apply {
        function,
        values: values
            .iter()
            .map(|arg| value(arg, scope))
            .collect::<Result<_, _>>()?,
        data: data
            .iter()
            .map(|arg| read(arg, scope))
            .collect::<Result<_, _>>()?,
    })
}
