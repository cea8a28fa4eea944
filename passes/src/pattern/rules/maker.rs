//! Makes what rules put in the place of what they match.

use super::{
    super::{Datum, Match, Subject},
    operators,
    replacement::{Again, Make, MakeAttr, MakeOp, Replacement},
    scalars::Scalar,
    syntax::Refused,
};
use relay_dialects::{
    Element,
    element::Kind,
    ir::{Attr, Builder, DYNAMIC, NamedAttr, Op, Type, Value, named},
    names, relay,
    signatures::Holds,
};

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
    /// The parts that have names.
    named: Vec<Value>,
}

impl<'a> Maker<'a> {
    pub(super) fn new(found: &'a Match, root: Op) -> Self {
        Self {
            found,
            root,
            builder: Builder::before(root),
            made: Vec::new(),
            named: Vec::new(),
        }
    }

    /// Makes all parts that have names, and the result.
    pub(super) fn make_all(&mut self, replacement: &Replacement) -> Result<Value, Unmade> {
        for part in &replacement.named {
            let value = self.make(part)?;
            self.named.push(value);
        }
        self.make(&replacement.result)
    }

    fn make(&mut self, make: &Make) -> Result<Value, Unmade> {
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
            Make::Named(number) => match self.named.get(*number) {
                Some(value) => Ok(*value),
                None => misfit("a part of the replacement is read before it is made"),
            },
            // Numbers are made by the operator that takes them, which knows their type.
            Make::Number(number) => Err(number.span.wrong("this number has no type").into()),
            Make::Constant { number, ty } => {
                let Some(ty_datum) = ty.compute(self.found)? else {
                    return misfit("the type of a constant is not known");
                };
                let ctx = self.builder.ctx;
                let ty = match &ty_datum {
                    Datum::Element(element) => Some(Type::tensor(&[], element.ty(ctx))),
                    Datum::Type(ty) => Some(*ty),
                    Datum::TypeText(text) => Type::parse(ctx, text),
                    _ => None,
                }
                .filter(|ty| ty.is_tensor() && ty.is_static())
                .ok_or_else(|| ty.span.wrong("this is no type of a constant"))?;
                self.constant(number, ty)
            }
            Make::Op(op) => single(self.op(op)?),
            Make::Again(again) => single(self.again(again)?),
            Make::Optional(op) => {
                let op = self.op(op)?;
                Ok(self.without(op).unwrap_or(single(op)?))
            }
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

    fn again(&mut self, again: &Again) -> Result<Op, Unmade> {
        let Some(op) = self.found.get(&again.op).and_then(Subject::op) else {
            return misfit("what is to be made again is no operator here");
        };
        let name = op.name();
        operators::check_operands(&name, again.args.len(), again.span)?;
        let operands = again.args.iter().map(|arg| self.make(arg));
        let operands: Vec<Value> = operands.collect::<Result<_, _>>()?;
        let mut attrs = op.attrs();
        for (attr, value) in &again.attrs {
            let holds = operators::attr(&name, &attr.text, attr.span)?;
            self.set(&mut attrs, &attr.text, holds, value)?;
        }
        self.typed(&name, &operands, &named(&attrs))
    }

    /// The operand of a view or a cast, which was made last, if that leaves everything as it is; then it is taken back.
    fn without(&mut self, op: Op) -> Option<Value> {
        let (operand, result) = (op.operands().first().copied()?, op.result(0));
        let shape = operand.ty().shape();
        // The number of elements is the same, and tells one unknown dimension, but for those of no element.
        let is_told = shape.iter().filter(|&&dim| dim == DYNAMIC).count() <= 1;
        let is_same = shape.iter().all(|&dim| dim != DYNAMIC) || (is_told && !shape.contains(&0));
        if operand.ty() != result.ty() || !(is_same || op.is(names::relay::CAST)) {
            return None;
        }
        self.made.retain(|made| *made != op);
        op.erase();
        Some(operand)
    }

    fn attrs(&self, make: &MakeOp) -> Result<Vec<(String, Attr)>, Unmade> {
        let source = make.like.as_ref().and_then(|like| self.found.get(like));
        let source = source.and_then(Subject::op);
        let mut attrs = source.map(Op::attrs).unwrap_or_default();
        for MakeAttr { name, holds, value } in &make.attrs {
            self.set(&mut attrs, name, *holds, value)?;
        }
        Ok(attrs)
    }

    /// Gives an attribute a value.
    fn set(
        &self,
        attrs: &mut Vec<(String, Attr)>,
        name: &str,
        holds: Holds,
        value: &Scalar,
    ) -> Result<(), Unmade> {
        let Some(datum) = value.compute(self.found)? else {
            return misfit(format!(
                "the attribute '{name}' depends on what is not known"
            ));
        };
        let Some(attr) = operators::to_attr(holds, self.builder.ctx, &datum) else {
            let (wanted, actual) = (operators::text(holds), datum.kind());
            let message = format!("'{name}' is {wanted}, not {actual}");
            return Err(value.span.wrong(message).into());
        };
        attrs.retain(|(known, _)| known != name);
        attrs.push((name.into(), attr));
        Ok(())
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
        Kind::Signed => (-2f64.powi(bits - 1), 2f64.powi(bits - 1)),
        _ => (0.0, 2f64.powi(bits)),
    };
    value.fract() == 0.0 && (low..high).contains(&value)
}

fn single(op: Op) -> Result<Value, Unmade> {
    match op.results()[..] {
        [value] => Ok(value),
        _ => misfit("an operator of the replacement has several results"),
    }
}

fn misfit<T>(reason: impl Into<String>) -> Result<T, Unmade> {
    Err(Unmade::Misfit(reason.into()))
}
