//! What a rule puts in the place of what it matches.

use super::{
    super::Pattern,
    functions::function,
    operators::{self, Probe},
    patterns::operator,
    reading,
    scalars::{self, Scalar},
    scope::Scope,
    syntax::{Expr, ExprKind, Refused, Span, Word},
};
use relay_dialects::{ir::Loc, names, relay::row, signatures::Holds};

/// What takes the place of a match.
pub(super) struct Replacement {
    /// The parts that have names of their own, each made once, in this order.
    pub(super) named: Vec<Make>,
    pub(super) result: Make,
}

/// Something to make.
pub(super) enum Make {
    /// What the pattern has bound.
    Bound(Pattern, Span),
    /// One of the parts that have names.
    Named(usize),
    /// A number of the element type of what stands beside it.
    Number(Scalar),
    /// A constant all of whose elements are a number, of a type or of an element type.
    Constant { number: Scalar, ty: Scalar },
    /// An operator.
    Op(MakeOp),
    /// An operator that changes the type only; without it, where it does not change that.
    Optional(MakeOp),
    /// The operator of what the pattern has bound, of other operands.
    Again(Again),
    /// A result of an operator of several.
    Result { op: MakeOp, index: usize },
}

/// An operator to make.
pub(super) struct MakeOp {
    pub(super) name: String,
    pub(super) args: Vec<Make>,
    /// The op whose attributes it has, but for those below.
    pub(super) like: Option<Pattern>,
    pub(super) attrs: Vec<MakeAttr>,
}

/// An operator to make that is known when the rule is applied.
pub(super) struct Again {
    pub(super) op: Pattern,
    pub(super) args: Vec<Make>,
    /// The attributes that are other than those of the op.
    pub(super) attrs: Vec<(Word, Scalar)>,
    pub(super) span: Span,
}

/// An attribute of an operator to make.
pub(super) struct MakeAttr {
    pub(super) name: String,
    pub(super) holds: Holds,
    pub(super) value: Scalar,
}

/// Reads a replacement, or a part of one. MLIR checks its operators; `locate` says where a place is for it.
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
        if self.is_scalar(expr) {
            return reading::read(expr, self.scope).map(Make::Number);
        }
        match &expr.kind {
            ExprKind::Name(name) => {
                if let Some(number) = self.scope.made(name) {
                    return Ok(Make::Named(number));
                }
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
                    number: reading::read(number, self.scope)?,
                    ty: reading::read(ty, self.scope)?,
                }),
                _ => name
                    .span
                    .refuse("'constant' takes a number and a type or an element type"),
            },
            ExprKind::Call { name, args, attrs } if name.text.starts_with('%') => {
                self.again(name, args, attrs)
            }
            ExprKind::Call { name, args, attrs } => {
                self.call(name, args, attrs, expr.span).map(Make::Op)
            }
            ExprKind::Result(inner, index) => self.result(inner, index, expr.span),
            ExprKind::Wildcard | ExprKind::Rest => {
                expr.span.refuse("a replacement is made of what has a name")
            }
            ExprKind::Optional(inner) => self.optional(inner),
            ExprKind::Classed(..) | ExprKind::Bind(..) => {
                expr.span.refuse("this has a meaning in patterns only")
            }
            _ => expr.span.refuse("this is no replacement"),
        }
    }

    /// `%o(%x) {...}`.
    fn again(
        &mut self,
        name: &Word,
        args: &[Expr],
        attrs: &[(Word, Expr)],
    ) -> Result<Make, Refused> {
        let op = self.scope.place(&name.text[1..], name.span)?;
        let args = args.iter().map(|arg| self.make(arg));
        let args = args.collect::<Result<_, _>>()?;
        let mut made = Vec::new();
        for (attr, value) in attrs {
            if attr.text.starts_with('%') {
                return attr.span.refuse("it has all attributes of what it is");
            }
            made.push((attr.clone(), reading::read(value, self.scope)?));
        }
        Ok(Make::Again(Again {
            op,
            args,
            attrs: made,
            span: name.span,
        }))
    }

    /// `split(%x) {...}#1`.
    fn result(&mut self, inner: &Expr, index: &str, span: Span) -> Result<Make, Refused> {
        let ExprKind::Call { name, args, attrs } = &inner.kind else {
            return inner.span.refuse("only an operator has results");
        };
        let op = self.call(name, args, attrs, inner.span)?;
        let index = index.parse();
        let index = index.map_err(|_| span.wrong("there are not so many results"))?;
        Ok(Make::Result { op, index })
    }

    /// `reshape(%x) {...}?`.
    fn optional(&mut self, inner: &Expr) -> Result<Make, Refused> {
        let ExprKind::Call { name, args, attrs } = &inner.kind else {
            return inner.span.refuse("only an operator can be left out");
        };
        let op = self.call(name, args, attrs, inner.span)?;
        let is_view = row(&op.name).is_some_and(|row| row.is_view);
        if !is_view && op.name != names::relay::CAST {
            return inner.span.refuse(format!(
                "'{}' changes more than the type of its operand, and cannot be left out",
                name.text
            ));
        }
        Ok(Make::Optional(op))
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
            return Err(operators::unknown(name));
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
            let value = reading::read(value, self.scope)?;
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

    /// Whether an expression is data, and no part of the graph: `sqrt(2)` is a number, `sqrt(%x)` is not.
    fn is_scalar(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Field(..) => true,
            ExprKind::Word(name) => self.scope.has_data(name),
            ExprKind::Minus(inner) => self.is_scalar(inner),
            ExprKind::Infix(infix, lhs, rhs) => {
                operator(*infix).is_some() && self.is_scalar(lhs) && self.is_scalar(rhs)
            }
            ExprKind::Call { name, args, .. } if function(&name.text).is_some() => {
                operators::full_name(&name.text).is_none()
                    || args.iter().all(|arg| self.is_scalar(arg))
            }
            _ => false,
        }
    }
}
