//! What a rule puts in the place of what it matches.

use super::{
    super::{Datum, Match, Pattern, Subject},
    functions::function,
    operators::{self, Probe},
    patterns::operator,
    scalars::{self, Scalar},
    scope::Scope,
    syntax::{Expr, ExprKind, Refused, Span, Word},
};
use relay_dialects::{
    Element,
    ir::{Attr, Builder, Loc, NamedAttr, Op, Type, Value, named},
    names, relay,
    signatures::Holds,
};

/// Something to make.
pub(super) enum Make {
    /// What the pattern has bound.
    Bound(Pattern, Span),
    /// A number of the element type of what stands beside it.
    Number(Scalar),
    /// A constant all of whose elements are a number, of a type or of an element type.
    Constant { number: Scalar, ty: Scalar },
    /// An operator.
    Op(MakeOp),
    /// A result of an operator of several.
    Result { op: MakeOp, index: usize },
}

/// An operator to make.
pub(super) struct MakeOp {
    name: String,
    args: Vec<Make>,
    /// The op whose attributes it has, but for those below.
    like: Option<Pattern>,
    attrs: Vec<MakeAttr>,
}

struct MakeAttr {
    name: String,
    holds: Holds,
    value: Scalar,
}

/// Reads a replacement. MLIR checks its operators; `locate` says where a place is for it.
pub(super) fn read(
    expr: &Expr,
    scope: &mut Scope,
    probe: &Probe,
    locate: &dyn Fn(Span) -> Loc,
) -> Result<Make, Refused> {
    let mut reader = Reader {
        scope,
        probe,
        locate,
    };
    match reader.make(expr)? {
        Make::Number(_) => expr
            .span
            .refuse("this number has no type: nothing beside it is a tensor"),
        made => Ok(made),
    }
}

struct Reader<'a> {
    scope: &'a mut Scope,
    probe: &'a Probe,
    locate: &'a dyn Fn(Span) -> Loc,
}

impl Reader<'_> {
    fn make(&mut self, expr: &Expr) -> Result<Make, Refused> {
        if is_scalar(expr) {
            return scalars::read(expr, self.scope).map(Make::Number);
        }
        match &expr.kind {
            ExprKind::Name(name) => {
                let pattern = self.scope.place(name, expr.span)?;
                Ok(Make::Bound(pattern, expr.span))
            }
            ExprKind::Infix(infix, lhs, rhs) => {
                let Some(name) = operator(*infix) else {
                    let text = infix.text();
                    return expr
                        .span
                        .refuse(format!("'{text}' has no meaning in a replacement"));
                };
                let args = [lhs, rhs].map(|arg| self.make(arg));
                let [lhs, rhs] = args;
                self.op(name, vec![lhs?, rhs?], &[], expr.span)
                    .map(Make::Op)
            }
            ExprKind::Minus(inner) => {
                let inner = self.make(inner)?;
                self.op(names::relay::NEGATIVE, vec![inner], &[], expr.span)
                    .map(Make::Op)
            }
            ExprKind::Call { name, args, .. } if name.text == "constant" => match &args[..] {
                [number, ty] => Ok(Make::Constant {
                    number: scalars::read(number, self.scope)?,
                    ty: scalars::read(ty, self.scope)?,
                }),
                _ => name
                    .span
                    .refuse("'constant' takes a number and a type or an element type"),
            },
            ExprKind::Call { name, args, attrs } => {
                self.call(name, args, attrs, expr.span).map(Make::Op)
            }
            ExprKind::Result(inner, index) => match &inner.kind {
                ExprKind::Call { name, args, attrs } => {
                    let op = self.call(name, args, attrs, inner.span)?;
                    let index = index.parse();
                    let index =
                        index.map_err(|_| expr.span.wrong("there are not so many results"))?;
                    Ok(Make::Result { op, index })
                }
                _ => inner.span.refuse("only an operator has results"),
            },
            ExprKind::Wildcard | ExprKind::Rest => {
                expr.span.refuse("a replacement is made of what has a name")
            }
            ExprKind::Optional(_) | ExprKind::Classed(..) | ExprKind::Bind(..) => {
                expr.span.refuse("this has a meaning in patterns only")
            }
            _ => expr.span.refuse("this is no replacement"),
        }
    }

    fn call(
        &mut self,
        name: &Word,
        args: &[Expr],
        attrs: &[(Word, Expr)],
        span: Span,
    ) -> Result<MakeOp, Refused> {
        let full = match name.text.as_str() {
            "tuple" => Some(names::relay::TUPLE.to_string()),
            known => operators::full_name(known),
        };
        let Some(full) = full else {
            return name
                .span
                .refuse(format!("there is no operator '{}'", name.text));
        };
        let args = args
            .iter()
            .map(|arg| self.make(arg))
            .collect::<Result<_, _>>()?;
        self.op(&full, args, attrs, span)
    }

    fn op(
        &mut self,
        name: &str,
        args: Vec<Make>,
        attrs: &[(Word, Expr)],
        span: Span,
    ) -> Result<MakeOp, Refused> {
        let is_number = |arg: &Make| matches!(arg, Make::Number(_));
        if !args.is_empty() && args.iter().all(is_number) {
            return span.refuse("these numbers have no type: nothing beside them is a tensor");
        }
        operators::check_operands(name, args.len(), span)?;
        let (mut like, mut made) = (None, Vec::new());
        for (attr, value) in attrs {
            if let ExprKind::Name(source) = &value.kind
                && attr.text.starts_with('%')
            {
                like = Some(self.scope.place(source, value.span)?);
                continue;
            }
            let holds = operators::attr(name, &attr.text, attr.span)?;
            if let Ok(datum) = scalars::literal(value)
                && !operators::takes(holds, &datum)
            {
                let (wanted, actual) = (operators::text(holds), datum.kind());
                let message = format!("'{}' is {wanted}, not {actual}", attr.text);
                return value.span.refuse(message);
            }
            let value = scalars::read(value, self.scope)?;
            made.push(MakeAttr {
                name: attr.text.clone(),
                holds,
                value,
            });
        }
        let op = MakeOp {
            name: name.into(),
            args,
            like,
            attrs: made,
        };
        // What it is like has the attributes that are needed.
        if op.like.is_none() {
            let samples = op.attrs.iter();
            let samples: Vec<_> = samples
                .map(|attr| (attr.name.as_str(), attr.holds))
                .collect();
            let loc = (self.locate)(span);
            if !self.probe.is_whole(name, op.args.len(), &samples, loc) {
                return span.refuse("it cannot be made with these attributes");
            }
        }
        Ok(op)
    }
}

/// Whether an expression is data, and no part of the graph: `sqrt(2)` is a number, `sqrt(%x)` is not.
fn is_scalar(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Field(..) => true,
        ExprKind::Minus(inner) => is_scalar(inner),
        ExprKind::Infix(infix, lhs, rhs) => {
            operator(*infix).is_some() && is_scalar(lhs) && is_scalar(rhs)
        }
        ExprKind::Call { name, args, .. } if function(&name.text).is_some() => {
            operators::full_name(&name.text).is_none() || args.iter().all(is_scalar)
        }
        _ => false,
    }
}

/// Why a replacement is not made in this place.
pub(super) enum Unmade {
    /// It does not fit here.
    Misfit(String),
    /// The rule is wrong.
    Wrong(Refused),
}

impl From<Refused> for Unmade {
    fn from(refused: Refused) -> Self {
        Self::Wrong(refused)
    }
}

/// Makes replacements for one match.
pub(super) struct Maker<'a> {
    found: &'a Match,
    /// What is replaced.
    root: Op,
    builder: Builder,
    /// The ops that were made, in order.
    made: Vec<Op>,
}

impl<'a> Maker<'a> {
    pub(super) fn new(found: &'a Match, root: Op) -> Self {
        Self {
            found,
            root,
            builder: Builder::before(root),
            made: Vec::new(),
        }
    }

    pub(super) fn make(&mut self, make: &Make) -> Result<Value, Unmade> {
        match make {
            Make::Bound(pattern, span) => {
                let Some(value) = self.found.get(pattern).and_then(Subject::value) else {
                    return misfit("has a name that is bound to several results");
                };
                if value.def() == Some(self.root) {
                    let message = "the replacement reads what it replaces";
                    return Err(span.wrong(message).into());
                }
                Ok(value)
            }
            // Numbers are made by the operator that takes them, which knows their type.
            Make::Number(number) => Err(number.span.wrong("this number has no type").into()),
            Make::Constant { number, ty } => {
                let Some(ty_datum) = ty.compute(self.found)? else {
                    return misfit("the type of a constant is not known");
                };
                let ctx = self.builder.ctx;
                let ty = match &ty_datum {
                    Datum::Element(element) => Some(Type::tensor(&[], element.ty(ctx))),
                    Datum::Type(text) => Type::parse(ctx, text),
                    _ => None,
                }
                .filter(|ty| ty.is_tensor() && ty.is_static())
                .ok_or_else(|| ty.span.wrong("this is no type of a constant"))?;
                self.constant(number, ty)
            }
            Make::Op(op) => match self.op(op)?.results()[..] {
                [value] => Ok(value),
                _ => misfit("an operator of the replacement has several results"),
            },
            Make::Result { op, index } => {
                let results = self.op(op)?.results();
                let value = results.get(*index).copied();
                value.ok_or_else(|| Unmade::Misfit(format!("there is no result {index}")))
            }
        }
    }

    fn op(&mut self, make: &MakeOp) -> Result<Op, Unmade> {
        let mut args: Vec<Option<Value>> = Vec::new();
        for arg in &make.args {
            args.push(match arg {
                Make::Number(_) => None,
                _ => Some(self.make(arg)?),
            });
        }
        let element = args
            .iter()
            .flatten()
            .next()
            .map(|value| value.ty().element());
        let mut operands = Vec::new();
        for (value, arg) in args.into_iter().zip(&make.args) {
            operands.push(match (value, arg, element) {
                (Some(value), _, _) => value,
                (None, Make::Number(number), Some(element)) => {
                    self.constant(number, Type::tensor(&[], element))?
                }
                _ => return misfit("a number stands beside no tensor"),
            });
        }
        let attrs = self.attrs(make)?;
        self.typed(&make.name, &operands, &named(&attrs))
    }

    fn attrs(&self, make: &MakeOp) -> Result<Vec<(String, Attr)>, Unmade> {
        let source = make.like.as_ref().and_then(|like| self.found.get(like));
        let source = source.and_then(Subject::op);
        let mut attrs = source.map(Op::attrs).unwrap_or_default();
        for MakeAttr { name, holds, value } in &make.attrs {
            let Some(datum) = value.compute(self.found)? else {
                return misfit(format!(
                    "the attribute '{name}' depends on what is not known"
                ));
            };
            let Some(attr) = operators::to_attr(*holds, self.builder.ctx, &datum) else {
                let (wanted, actual) = (operators::text(*holds), datum.kind());
                return Err(value
                    .span
                    .wrong(format!("'{name}' is {wanted}, not {actual}"))
                    .into());
            };
            attrs.retain(|(known, _)| known != name);
            attrs.push((name.clone(), attr));
        }
        Ok(attrs)
    }

    /// An op with the results that its type relation gives.
    fn typed(
        &mut self,
        name: &str,
        operands: &[Value],
        attrs: &[NamedAttr<'_>],
    ) -> Result<Op, Unmade> {
        // The first one fills in the attributes' defaults, on which the types depend.
        let draft = self.builder.op(name, operands, &[], attrs);
        let attrs = draft.attrs();
        draft.erase();
        let inputs: Vec<Type> = operands.iter().map(|operand| operand.ty()).collect();
        let ctx = self.builder.ctx;
        let dict = Attr::dict(ctx, &named(&attrs));
        let types = relay::infer(ctx, name, &inputs, dict);
        let types = types.map_err(|reason| Unmade::Misfit(format!("{name} {reason}")))?;
        let op = self.builder.op(name, operands, &types, &named(&attrs));
        self.made.push(op);
        Ok(op)
    }

    fn constant(&mut self, number: &Scalar, ty: Type) -> Result<Value, Unmade> {
        let Some(datum) = number.compute(self.found)? else {
            return misfit("a number depends on what is not known");
        };
        let Some(value) = datum.number() else {
            return Err(number
                .span
                .wrong(format!("this is {}, no number", datum.kind()))
                .into());
        };
        let element = Element::of(ty.element());
        let Some(element) = element.filter(|element| fits(value, *element)) else {
            return misfit(format!("{value} is no {}", ty.element()));
        };
        let scalar = Attr::number(element.ty(self.builder.ctx), value);
        let attr = Attr::splat(ty, scalar);
        let op = self
            .builder
            .op(names::relay::CONSTANT, &[], &[ty], &[("value", attr)]);
        self.made.push(op);
        Ok(op.result(0))
    }

    /// Takes back all that was made.
    pub(super) fn undo(self) {
        self.made.into_iter().rev().for_each(Op::erase);
    }
}

/// Whether a tensor of that element type can hold a number, rounded if it holds floats.
fn fits(value: f64, element: Element) -> bool {
    if element.is_float() {
        return true;
    }
    let bits = element.bits() as i32;
    let (low, high) = match element.kind() {
        relay_dialects::element::Kind::Signed => (-2f64.powi(bits - 1), 2f64.powi(bits - 1)),
        _ => (0.0, 2f64.powi(bits)),
    };
    value.fract() == 0.0 && (low..high).contains(&value)
}

fn misfit<T>(reason: impl Into<String>) -> Result<T, Unmade> {
    Err(Unmade::Misfit(reason.into()))
}
