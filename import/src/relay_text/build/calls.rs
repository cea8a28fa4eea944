//! Calls: of operators, constructors, functions of the module, and functions that are values.

use super::{Reader, Result};
use crate::relay_text::{
    attributes,
    operators::{self, OF_LISTS, OF_TUPLES},
    syntax::{Call, Expr, Kind},
};
use relay_dialects::{
    declared::no_attribute,
    ir::{Attr, Block, Builder, Type, Value},
    names::relay,
    relay::{
        build::forget_hints,
        device::{DeviceCopy, OnDevice},
        row,
    },
    signatures::{self, Operands},
};
use std::ops::Range;

/// The operator that TVM's executors call functions by.
const CALL_LOWERED: &str = "call_lowered";

/// The operator by which TVM says that a value is not read any more.
const KILL: &str = "memory.kill";

impl Reader<'_> {
    pub(super) fn call(&mut self, block: Block, call: &Call, span: &Range<usize>) -> Result<Value> {
        match &call.callee.kind {
            Kind::Named(name) if name == CALL_LOWERED => {
                return self.call_lowered(block, call, span);
            }
            Kind::Named(name) if name == KILL => return self.kill(block, call, span),
            _ => {}
        }
        let callee = match &call.callee.kind {
            Kind::Named(_) | Kind::Global(_) => None,
            _ => Some(self.expr(block, &call.callee)?),
        };
        let arguments = call.arguments.iter();
        let arguments = arguments.map(|argument| self.expr(block, argument));
        let arguments = arguments.collect::<Result<Vec<Value>>>()?;
        let b = self.builder(block, span);
        match (&call.callee.kind, callee) {
            (Kind::Named(name), _) if self.constructors.contains_key(name) => {
                self.construct(b, name, &arguments, span)
            }
            (Kind::Named(name), _) => self.operator(b, name, arguments, call, span),
            (Kind::Global(name), _) => self.call_global(b, name, &arguments, &call.callee.span),
            (_, Some(callee)) => self.apply(b, callee, &arguments, &call.callee.span),
            (_, None) => self.missing(span, "such calls"),
        }
    }

    /// `call_lowered(@f, (a, b))`, which says that the function will be compiled before the call: it means the call `@f(a, b)`.
    fn call_lowered(&mut self, block: Block, call: &Call, span: &Range<usize>) -> Result<Value> {
        if let Some(given) = call.attributes.first() {
            return Err(self.error(
                span,
                format!("{CALL_LOWERED} has no attribute {}", given.name),
            ));
        }
        let [callee, tuple] = &call.arguments[..] else {
            let given = call.arguments.len();
            let message =
                format!("{CALL_LOWERED} takes a function and a tuple, not {given} arguments");
            return Err(self.error(span, message));
        };
        let Kind::Global(name) = &callee.kind else {
            let message = format!("{CALL_LOWERED} calls a function of the module: @name");
            return Err(self.error(&callee.span, message));
        };
        let arguments = self.expr(block, tuple)?;
        let b = self.builder(block, span);
        let arguments = self.fields(b, arguments, &tuple.span)?;
        self.call_global(b, name, &arguments, &callee.span)
    }

    /// `memory.kill(%x)`: nobody reads %x behind it. Passes that share memory find that themselves, so nothing is left of it.
    fn kill(&mut self, block: Block, call: &Call, span: &Range<usize>) -> Result<Value> {
        let [killed] = &call.arguments[..] else {
            let given = call.arguments.len();
            let message = format!("{KILL} takes a value, not {given}");
            return Err(self.error(span, message));
        };
        self.expr(block, killed)?;
        self.made(self.builder(block, span), relay::TUPLE, &[], &[], span)
            .map(|op| op.result(0))
    }

    /// A function of the module as a value.
    pub(super) fn global(&self, b: Builder, name: &str, span: &Range<usize>) -> Result<Value> {
        let Some(signature) = self.functions.get(name) else {
            return Err(self.error(span, format!("there is no function @{name}")));
        };
        let (params, result) = signature.unused();
        Ok(self.global_of(b, name, &params, result))
    }

    pub(super) fn global_of(&self, b: Builder, name: &str, params: &[Type], result: Type) -> Value {
        let ty = Type::function(self.ctx, params, &[result]);
        let callee = [("callee", Attr::symbol(self.ctx, name))];
        b.op(relay::GLOBAL, &[], &[ty], &callee).result(0)
    }

    fn call_global(
        &self,
        b: Builder,
        name: &str,
        arguments: &[Value],
        span: &Range<usize>,
    ) -> Result<Value> {
        let Some(signature) = self.functions.get(name) else {
            return Err(self.error(span, format!("there is no function @{name}")));
        };
        let types: Vec<Type> = arguments.iter().map(|value| value.ty()).collect();
        let (params, result) = signature
            .used(&types)
            .map_err(|message| self.error(span, format!("@{name} is called: {message}")))?;
        // MLIR compares the types of a call with those of the function.
        if signature.is_closed() && params == types {
            return Ok(b.call(name, arguments, &[result]).result(0));
        }
        let callee = self.global_of(b, name, &params, result);
        Ok(self.applied(b, callee, arguments, result))
    }

    /// A call of a value.
    fn apply(
        &self,
        b: Builder,
        callee: Value,
        arguments: &[Value],
        span: &Range<usize>,
    ) -> Result<Value> {
        let ty = callee.ty();
        if ty.is_incomplete() {
            return Ok(self.applied(b, callee, arguments, ty));
        }
        let Some((params, result)) = ty.as_function() else {
            return Err(self.error(span, format!("expected a function, not {ty}")));
        };
        if params.len() != arguments.len() {
            let (has, given) = (params.len(), arguments.len());
            let message = format!("the function has {has} parameters, but is given {given}");
            return Err(self.error(span, message));
        }
        for (index, (param, argument)) in params.iter().zip(arguments).enumerate() {
            let given = argument.ty();
            if !param.is_compatible(given) {
                let message = format!("parameter {index} is {param}, but is given {given}");
                return Err(self.error(span, message));
            }
        }
        Ok(self.applied(b, callee, arguments, result))
    }

    pub(super) fn applied(
        &self,
        b: Builder,
        callee: Value,
        arguments: &[Value],
        result: Type,
    ) -> Value {
        let operands = [&[callee], arguments].concat();
        b.op(relay::CALL, &operands, &[result], &[]).result(0)
    }

    fn operator(
        &self,
        b: Builder,
        name: &str,
        mut operands: Vec<Value>,
        call: &Call,
        span: &Range<usize>,
    ) -> Result<Value> {
        // Some of TVM's names begin as all of ours do.
        let name = name.strip_prefix("relay.").unwrap_or(name);
        let full = format!("relay.{name}");
        if [relay::ON_DEVICE, relay::DEVICE_COPY].contains(&full.as_str()) {
            return self.device(b, &full, &operands, call, span);
        }
        if row(&full).is_none() {
            return self.outside(b, name, &operands, call, span);
        }
        if let (true, [tuple]) = (OF_TUPLES.contains(&name), &operands[..]) {
            operands = self.fields(b, *tuple, span)?;
        }
        if let (OF_LISTS, [lists @ .., scale, zero]) = (name, &operands[..]) {
            let lists = lists.iter().map(|list| self.fields(b, *list, span));
            let lists = lists.collect::<Result<Vec<_>>>()?;
            operands = [&lists.concat()[..], &[*scale, *zero]].concat();
        }
        let mut given = call.attributes.clone();
        let narrower = self.convert(b, &full, &mut operands, &mut given, span)?;
        let fail = |reason: String| self.error(span, reason);
        let attrs = operators::attributes(self.ctx, name, &operands, &given).map_err(fail)?;
        let named: Vec<(&str, Attr)> = attrs
            .iter()
            .map(|(name, attr)| (name.as_str(), *attr))
            .collect();
        let op = self.made(b, &full, &operands, &named, span)?;
        if let Some(attr) = op.foreign_attrs().first() {
            return Err(fail(format!("`{name}` {}", no_attribute(&full, attr))));
        }
        if operands.iter().all(|value| !value.ty().has_incomplete()) {
            // The types say it now.
            forget_hints(op);
        }
        let results = match name {
            // Inference gives the statistics back as they are.
            "nn.batch_norm" => [&op.results()[..], &operands[3..]].concat(),
            // These are tuples even of one field.
            "split" | "meshgrid" => op.results(),
            _ if op.results().len() > 1 => op.results(),
            _ => match narrower {
                Some(element) => return self.narrow(b, op.result(0), element, span),
                None => return Ok(op.result(0)),
            },
        };
        self.made(b, relay::TUPLE, &results, &[], span)
            .map(|op| op.result(0))
    }

    /// An operator as a value: the function that calls it, without attributes.
    pub(super) fn operator_value(
        &self,
        block: Block,
        name: &str,
        span: &Range<usize>,
    ) -> Result<Value> {
        let count = match signatures::find(&format!("relay.{name}")).map(|op| op.operands) {
            Some(Operands::AtLeast(_)) => {
                let message = format!(
                    "`{name}` takes any number of operands; as a value it is fn (%x) {{ {name}(%x) }}"
                );
                return Err(self.error(span, message));
            }
            Some(Operands::Exactly(count)) => count,
            None => 0,
        };
        let body = Block::new(self.ctx, &vec![Type::incomplete(self.ctx); count]);
        let callee = Kind::Named(name.into()).into();
        let call = Call {
            callee: Expr {
                span: span.clone(),
                ..callee
            },
            arguments: Vec::new(),
            attributes: Vec::new(),
        };
        let made = self.operator(self.builder(body, span), name, body.args(), &call, span)?;
        Ok(self.function_of(block, body, made, span))
    }

    /// `on_device` or `device_copy`, whose attributes name devices of the metadata.
    fn device(
        &self,
        b: Builder,
        full: &str,
        operands: &[Value],
        call: &Call,
        span: &Range<usize>,
    ) -> Result<Value> {
        if operands.len() != 1 {
            let message = format!("it has 1 operand, but is given {}", operands.len());
            return Err(self.error(span, message));
        }
        let is_device =
            |name: &str| name == OnDevice::DEVICE || DeviceCopy::DEVICES.contains(&name);
        let mut attrs = Vec::new();
        for given in &call.attributes {
            let name = given.name.as_str();
            let known = signatures::find(full).is_some_and(|op| op.attr(name).is_some());
            let attr = match (known, &given.value) {
                (true, value) if is_device(name) => {
                    attributes::device(self.ctx, value, &self.metadata.devices)
                }
                (true, value) => operators::flag(value)
                    .map(|flag| Attr::bool(self.ctx, flag))
                    .ok_or_else(|| format!("{given} is no flag")),
                (false, _) => Err(format!("it {}", no_attribute(full, name))),
            };
            attrs.push((name, attr.map_err(|reason| self.error(span, reason))?));
        }
        let op = self.made(b, full, operands, &attrs, span)?;
        Ok(op.result(0))
    }

    /// All fields of a tuple.
    fn fields(&self, b: Builder, tuple: Value, span: &Range<usize>) -> Result<Vec<Value>> {
        let fields = tuple.ty().fields();
        let count = fields
            .ok_or_else(|| self.error(span, "expected a tuple of known fields"))?
            .len();
        (0..count as u32)
            .map(|index| self.field(b, tuple, index, span))
            .collect()
    }
}
