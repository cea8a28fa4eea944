//! Expressions.

use super::{Reader, Result};
use crate::relay_text::{
    element, metadata,
    syntax::{Expr, Kind, Number, Sequence, Step, Type as Written},
};
use relay_dialects::{
    element::Element,
    ir::{Attr, Block, Builder, Op, Type, Value},
    names::relay,
    relay::language::itself,
};
use std::{collections::HashMap, ops::Range};

impl Reader<'_> {
    /// The value of a sequence, in a scope of its own.
    pub(super) fn sequence(&mut self, block: Block, sequence: &Sequence) -> Result<Value> {
        self.scopes.push(HashMap::new());
        let value = self.steps(block, sequence);
        self.scopes.pop();
        value
    }

    fn steps(&mut self, block: Block, sequence: &Sequence) -> Result<Value> {
        for step in &sequence.steps {
            match step {
                Step::Let(name, ty, value) => {
                    let value = self.bound(block, name, ty.as_ref(), value)?;
                    self.bind(format!("%{name}"), value);
                }
                Step::Bind(number, value) => {
                    let value = match &value.kind {
                        Kind::Function(function) => {
                            let open = Type::incomplete(self.ctx);
                            self.closure(block, function, (None, open), &value.span)?
                        }
                        _ => self.expr(block, value)?,
                    };
                    self.bind(format!("%{number}"), value);
                }
                Step::Effect(value) => drop(self.expr(block, value)?),
                Step::Free(name, _) => {
                    let message = format!("%{name} is free: give the function a parameter");
                    return Err(self.error(&sequence.value.span, message));
                }
            }
        }
        self.expr(block, &sequence.value)
    }

    /// What a `let` binds. A function may call itself by its name.
    fn bound(
        &mut self,
        block: Block,
        name: &str,
        ty: Option<&Written>,
        value: &Expr,
    ) -> Result<Value> {
        let span = &value.span;
        if let Some(ty @ Written::Function(names, ..)) = ty
            && !names.is_empty()
        {
            return self.bound_generic(block, name, ty, value);
        }
        let value = match &value.kind {
            Kind::Function(function) => {
                let ty = self.written(ty, span)?;
                self.closure(block, function, (Some(name), ty), span)?
            }
            // Another name for a function with type parameters has them, too.
            Kind::Local(other) if ty.is_none() => self.name(&format!("%{other}"), span)?,
            _ => self.expr(block, value)?,
        };
        let ty = self.written(ty, span)?;
        self.expect(value, ty, (&format!("%{name}"), span))?;
        Ok(value)
    }

    /// What a `let` binds that is written to be of a type with type parameters: a function with these.
    fn bound_generic(
        &mut self,
        block: Block,
        name: &str,
        ty: &Written,
        value: &Expr,
    ) -> Result<Value> {
        let span = &value.span;
        let (Written::Function(names, params, result), Kind::Function(function)) =
            (ty, &value.kind)
        else {
            return self.missing(span, "values of types with type parameters of their own");
        };
        if *names != function.type_params {
            let message = format!(
                "%{name} is declared with the type parameters {names:?}, but the function has others"
            );
            return Err(self.error(span, message));
        }
        let around = self.type_params.len();
        self.declare_type_params(names);
        let plain = Written::Function(Vec::new(), params.clone(), result.clone());
        let expected = self.written(Some(&plain), span);
        self.type_params.truncate(around);
        let expected = expected?;
        let value = self.closure(block, function, (Some(name), expected), span)?;
        self.expect(value, expected, (&format!("%{name}"), span))?;
        Ok(value)
    }

    /// Checks that a value may stand for what is declared to be of a type, and gives it the type where it has none yet.
    /// Returns what is known.
    pub(super) fn expect(
        &self,
        value: Value,
        ty: Type,
        (what, span): (&str, &Range<usize>),
    ) -> Result<Type> {
        let found = value.ty();
        if !found.is_compatible(ty) {
            let message = format!("{what} is declared as {ty}, but this is {found}");
            return Err(self.error(span, message));
        }
        // The type of a tuple is that of its fields.
        if let (Some(tuple), Some(fields)) = (value.def_of(relay::TUPLE), ty.fields())
            && found.has_incomplete()
        {
            for (field, ty) in tuple.operands().into_iter().zip(fields) {
                self.expect(field, ty, (what, span))?;
            }
        }
        if found.has_incomplete() && !ty.has_incomplete() && value.def().is_some() {
            match value.def_of(relay::FN) {
                Some(function) => self.complete(function, ty, (what, span))?,
                None => value.set_ty(ty),
            }
        }
        Ok(if ty.has_incomplete() { found } else { ty })
    }

    /// Gives a function that is a value the types of a function's type where it has none yet: these are those of its
    /// parameters and its body, too.
    fn complete(&self, function: Op, ty: Type, place: (&str, &Range<usize>)) -> Result<()> {
        let Some((params, result)) = ty.as_function() else {
            return Ok(());
        };
        let mut params_of = function.body().args();
        let itself = itself(function).map(|_| params_of.remove(0));
        for (param, ty) in params_of.iter().zip(params) {
            if param.ty().has_incomplete() {
                param.set_ty(ty);
            }
        }
        let end = function.body().terminator();
        for value in end.map(Op::operands).unwrap_or_default() {
            self.expect(value, result, place)?;
        }
        let types: Vec<Type> = params_of.iter().map(|param| param.ty()).collect();
        let ty = Type::function(self.ctx, &types, &[result]);
        for value in itself.into_iter().chain([function.result(0)]) {
            value.set_ty(ty);
        }
        Ok(())
    }

    pub(super) fn expr(&mut self, block: Block, expr: &Expr) -> Result<Value> {
        let span = &expr.span;
        match &expr.kind {
            Kind::Number(number) => self.number(self.builder(block, span), *number, span),
            Kind::Bool(value) => {
                let number = |ty| Attr::int(ty, i64::from(*value));
                self.scalar(self.builder(block, span), Some(Element::Bool), number, span)
            }
            Kind::Local(name) => self.used_name(&format!("%{name}"), block, span),
            Kind::Graph(number) => self.used_name(&format!("%{number}"), block, span),
            Kind::Tuple(fields) => {
                let fields = fields.iter().map(|field| self.sequence(block, field));
                let fields = fields.collect::<Result<Vec<Value>>>()?;
                self.made(self.builder(block, span), relay::TUPLE, &fields, &[], span)
                    .map(|op| op.result(0))
            }
            Kind::Project(tuple, index) => {
                let tuple = self.expr(block, tuple)?;
                self.field(self.builder(block, span), tuple, *index, span)
            }
            Kind::Infix(infix, operands) => {
                let operands = operands.iter().map(|operand| self.expr(block, operand));
                let operands = operands.collect::<Result<Vec<Value>>>()?;
                let name = format!("relay.{}", infix.facts().1);
                self.made(self.builder(block, span), &name, &operands, &[], span)
                    .map(|op| op.result(0))
            }
            Kind::If(parts) => self.branches(block, parts, span),
            Kind::Block(sequence) => self.sequence(block, sequence),
            Kind::Call(call) => self.call(block, call, span),
            Kind::Meta(meta) if meta.key == metadata::CONSTANT => {
                self.constant(self.builder(block, span), meta.index, span)
            }
            Kind::Meta(_) => self.missing(span, "metadata that is no constant"),
            Kind::Global(name) => self.global(self.builder(block, span), name, span),
            Kind::Function(function) => {
                let open = Type::incomplete(self.ctx);
                let value = self.closure(block, function, (None, open), span)?;
                Ok(self.used(value, block, span))
            }
            Kind::Named(name) if self.constructors.contains_key(name) => {
                self.constructor(block, name, span)
            }
            Kind::Named(name) => self.operator_value(block, name, span),
            Kind::Match(written) => self.matching(block, written, span),
            Kind::RefCreate(value) => self.ref_create(block, value, span),
            Kind::RefRead(reference) => self.ref_read(block, reference, span),
            Kind::RefWrite(parts) => self.ref_write(block, parts, span),
        }
    }

    fn used_name(&self, name: &str, block: Block, span: &Range<usize>) -> Result<Value> {
        let value = self.name(name, span)?;
        Ok(self.used(value, block, span))
    }

    /// A constant of the metadata.
    fn constant(&self, b: Builder, index: u32, span: &Range<usize>) -> Result<Value> {
        let Some(array) = self.metadata.constants.get(index as usize) else {
            return Err(self.error(span, format!("the metadata has no constant {index}")));
        };
        let ty = Type::tensor(&array.shape, array.element.ty(self.ctx));
        let value = Attr::dense(ty, &array.bytes)
            .ok_or_else(|| self.error(span, format!("the bytes are no constant of type {ty}")))?;
        let op = self.made(b, relay::CONSTANT, &[], &[("value", value)], span)?;
        Ok(op.result(0))
    }

    fn number(&self, b: Builder, number: Number, span: &Range<usize>) -> Result<Value> {
        match number {
            Number::Int(value, bits) => {
                let element = element::parse(&format!("int{bits}"));
                self.scalar(b, element, |ty| Attr::int(ty, value), span)
            }
            Number::Float(value, bits) => {
                let element = element::parse(&format!("float{bits}"));
                self.scalar(b, element, |ty| Attr::float(ty, value), span)
            }
        }
    }

    fn scalar(
        &self,
        b: Builder,
        element: Option<Element>,
        number: impl FnOnce(Type) -> Attr,
        span: &Range<usize>,
    ) -> Result<Value> {
        let element =
            element.ok_or_else(|| self.error(span, "there are no tensors of such numbers"))?;
        let element = element.ty(self.ctx);
        let value = Attr::splat(Type::tensor(&[], element), number(element));
        let op = self.made(b, relay::CONSTANT, &[], &[("value", value)], span)?;
        Ok(op.result(0))
    }

    pub(super) fn field(
        &self,
        b: Builder,
        tuple: Value,
        index: u32,
        span: &Range<usize>,
    ) -> Result<Value> {
        let fields = tuple.def_of(relay::TUPLE).map(Op::operands);
        if let Some(field) = fields.and_then(|fields| fields.get(index as usize).copied()) {
            return Ok(field);
        }
        let index = [("index", Attr::i64(self.ctx, index.into()))];
        let op = self.made(b, relay::TUPLE_GET, &[tuple], &index, span)?;
        Ok(op.result(0))
    }

    fn branches(
        &mut self,
        block: Block,
        [condition, yes, no]: &[Sequence; 3],
        span: &Range<usize>,
    ) -> Result<Value> {
        let condition = self.sequence(block, condition)?;
        let mut ty = Type::incomplete(self.ctx);
        let mut blocks = Vec::new();
        for branch in [yes, no] {
            let inner = Block::new(self.ctx, &[]);
            let value = self.sequence(inner, branch)?;
            self.builder(inner, &branch.value.span)
                .op(relay::YIELD, &[value], &[], &[]);
            if ty.has_incomplete() {
                ty = value.ty();
            }
            blocks.push(Some(inner));
        }
        let b = self.builder(block, span);
        let op = b.region_op(relay::IF, &[condition], &[ty], &[], &blocks);
        Ok(op.result(0))
    }
}
