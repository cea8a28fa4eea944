//! Functions: those of the module, and those that are values.

use super::{Reader, Result};
use crate::relay_text::{
    attributes,
    syntax::{Function, Param},
};
use relay_dialects::{
    attrs::{NAME, PARAM_DEVICES, TYPE_PARAMS, VIRTUAL_DEVICE},
    ir::{Attr, Bindings, Block, Op, Type, Value},
    names::relay,
    ops::func,
};
use std::{collections::HashMap, ops::Range};

/// What is known of a function of the module while others are being read.
#[derive(Clone)]
pub(super) struct Signature {
    /// The names of its type parameters.
    type_params: Vec<String>,
    /// The types of its parameters, and of its result.
    params: Vec<Type>,
    result: Type,
}

impl Signature {
    /// The types of the parameters and of the result where the arguments have these types.
    ///
    /// # Errors
    /// If the function does not take such arguments.
    pub(super) fn used(&self, given: &[Type]) -> std::result::Result<(Vec<Type>, Type), String> {
        if given.len() != self.params.len() {
            let (has, given) = (self.params.len(), given.len());
            return Err(format!("it has {has} parameters, but is given {given}"));
        }
        let mut bindings = Bindings::new();
        for (index, (param, given)) in self.params.iter().zip(given).enumerate() {
            if !param.matches(*given, &self.type_params, &mut bindings) {
                let param = param.substitute(&bindings);
                return Err(format!(
                    "its parameter {index} is {param}, but is given {given}"
                ));
            }
        }
        let instantiate = |ty: &Type| ty.instantiate(&self.type_params, &bindings);
        let params = self.params.iter().map(instantiate).collect();
        Ok((params, instantiate(&self.result)))
    }

    /// The types of the parameters and of the result where nothing is known of the arguments.
    pub(super) fn unused(&self) -> (Vec<Type>, Type) {
        let instantiate = |ty: &Type| ty.instantiate(&self.type_params, &Bindings::new());
        let params = self.params.iter().map(instantiate).collect();
        (params, instantiate(&self.result))
    }

    /// Whether all is known of it, and it has no type parameters: then it can be called by its name.
    pub(super) fn is_closed(&self) -> bool {
        let mut types = self.params.iter().chain([&self.result]);
        self.type_params.is_empty() && !types.any(|ty| ty.has_incomplete())
    }
}

impl Reader<'_> {
    /// Makes a function of the module known.
    pub(super) fn declare(&mut self, name: &str, function: &Function) -> Result<()> {
        let span = &function.body.value.span;
        self.type_params.clone_from(&function.type_params);
        let params = self.param_types(&function.params, span)?;
        let result = self.written(function.result.as_ref(), span)?;
        let signature = Signature {
            type_params: function.type_params.clone(),
            params,
            result,
        };
        match self.functions.insert(name.into(), signature) {
            None => Ok(()),
            Some(_) => Err(self.error(span, format!("@{name} is defined twice"))),
        }
    }

    fn param_types(&self, params: &[Param], span: &Range<usize>) -> Result<Vec<Type>> {
        let params = params.iter();
        params
            .map(|param| self.written(param.ty.as_ref(), span))
            .collect()
    }

    /// Makes a function of the module.
    pub(super) fn function(&mut self, module: Op, name: &str, function: &Function) -> Result<()> {
        let span = &function.body.value.span;
        self.type_params.clone_from(&function.type_params);
        let Signature { params, result, .. } = self.functions[name].clone();
        let top = self.builder(module.body(), span);
        let body = Block::at(top.loc, &params);
        let func = top.func_of(name, body, &[], &[]);
        self.scopes = vec![named(&function.params, body.args())];
        let value = self.sequence(body, &function.body)?;
        func::Return::build(&self.builder(body, span), &[value]);
        let result = if result.has_incomplete() {
            value.ty()
        } else {
            let what = format!("the result of @{name}");
            self.expect(value, result, (&what, span))?
        };
        let ty = Type::function(self.ctx, &params, &[result]);
        func.set_attr("function_type", Attr::ty(ty));
        self.describe(func, function, span)?;
        self.keep_attributes(func, function, span)?;
        if let Some(signature) = self.functions.get_mut(name) {
            signature.result = result;
        }
        Ok(())
    }

    /// Notes the names of parameters and type parameters.
    fn describe(&self, func: Op, function: &Function, span: &Range<usize>) -> Result<()> {
        let text = |name: &String| Attr::str(self.ctx, name);
        let of_param = |param: &Param| -> Result<Attr> {
            let name = Attr::dict(self.ctx, &[(NAME, text(&param.name))]);
            let device = self.device_of(param, span)?;
            Ok(device.map_or(name, |device| name.with(VIRTUAL_DEVICE, device)))
        };
        let params = function.params.iter().map(of_param);
        let params = params.collect::<Result<Vec<Attr>>>()?;
        func.set_attr("arg_attrs", Attr::array(self.ctx, &params));
        if !function.type_params.is_empty() {
            func.set_attr(TYPE_PARAMS, self.texts(&function.type_params));
        }
        Ok(())
    }

    /// The device that is written behind a parameter.
    fn device_of(&self, param: &Param, span: &Range<usize>) -> Result<Option<Attr>> {
        let device = param.device.as_ref();
        let device = device
            .map(|device| attributes::device(self.ctx, &device.value, &self.metadata.devices));
        device
            .transpose()
            .map_err(|reason| self.error(span, reason))
    }

    /// The devices of a closure's parameters, if any is written.
    fn param_devices(&self, function: &Function, span: &Range<usize>) -> Result<Option<Attr>> {
        if function.params.iter().all(|param| param.device.is_none()) {
            return Ok(None);
        }
        let open = Attr::str(self.ctx, "");
        let params = function.params.iter();
        let devices = params.map(|param| Ok(self.device_of(param, span)?.unwrap_or(open)));
        let devices = devices.collect::<Result<Vec<Attr>>>()?;
        Ok(Some(Attr::array(self.ctx, &devices)))
    }

    /// Notes the attributes of a function: those that passes go by under their own names, the others as they are.
    fn keep_attributes(&self, op: Op, function: &Function, span: &Range<usize>) -> Result<()> {
        let attributes = attributes::read(self.ctx, &function.attributes, &self.metadata.devices);
        for (name, attr) in attributes.map_err(|reason| self.error(span, reason))? {
            op.set_attr(&name, attr);
        }
        Ok(())
    }

    /// A function that is a value. With a name of its own, it may call itself by it; `expected` is the type that is
    /// written beside that name.
    pub(super) fn closure(
        &mut self,
        block: Block,
        function: &Function,
        (own, expected): (Option<&str>, Type),
        span: &Range<usize>,
    ) -> Result<Value> {
        let declared = self.type_params.len();
        if let Some(name) =
            (function.type_params.iter()).find(|name| self.type_params.contains(name))
        {
            let message = format!(
                "a function around this one has the type parameter {name}, too: give it another name"
            );
            return Err(self.error(span, message));
        }
        self.type_params.extend_from_slice(&function.type_params);
        let value = self.closure_of(block, function, (own, expected), span);
        self.type_params.truncate(declared);
        value
    }

    fn closure_of(
        &mut self,
        block: Block,
        function: &Function,
        (own, expected): (Option<&str>, Type),
        span: &Range<usize>,
    ) -> Result<Value> {
        let mut params = self.param_types(&function.params, span)?;
        let mut result = self.written(function.result.as_ref(), span)?;
        if let Some((types, of_result)) = expected.as_function()
            && types.len() == params.len()
        {
            let open = params.iter_mut().chain([&mut result]);
            for (ty, expected) in open.zip(types.into_iter().chain([of_result])) {
                if ty.is_incomplete() {
                    *ty = expected;
                }
            }
        }
        let ty = Type::function(self.ctx, &params, &[result]);
        let all: Vec<Type> = own.map(|_| ty).into_iter().chain(params.clone()).collect();
        let body = Block::at(self.builder(block, span).loc, &all);
        let mut arguments = body.args();
        let itself = own.map(|_| arguments.remove(0));
        self.scopes.push(named(&function.params, arguments));
        if let (Some(name), Some(itself)) = (own, itself) {
            self.bind(format!("%{name}"), itself);
            self.note_generic(itself, function);
        }
        let value = self.sequence(body, &function.body);
        self.scopes.pop();
        let value = value?;
        self.builder(body, &function.body.value.span)
            .op(relay::YIELD, &[value], &[], &[]);
        let itself = itself.filter(|itself| itself.is_used());
        if own.is_some() && itself.is_none() {
            self.generic.remove(&body.arg(0));
            body.erase_arg(0);
        }
        if result.has_incomplete() && itself.is_none() {
            result = value.ty();
        }
        let ty = Type::function(self.ctx, &params, &[result]);
        let names = self.names(own.filter(|_| itself.is_some()), function);
        let mut attrs = vec![("names", names)];
        attrs.extend(itself.map(|_| ("recursive", Attr::unit(self.ctx))));
        let devices = self.param_devices(function, span)?;
        attrs.extend(devices.map(|devices| (PARAM_DEVICES, devices)));
        let b = self.builder(block, span);
        if !function.type_params.is_empty() {
            attrs.push((TYPE_PARAMS, self.texts(&function.type_params)));
        }
        let op = b.region_op(relay::FN, &[], &[ty], &attrs, &[Some(body)]);
        self.keep_attributes(op, function, span)?;
        self.note_generic(op.result(0), function);
        Ok(op.result(0))
    }

    /// Notes that a value is a function with type parameters, if it is one.
    fn note_generic(&mut self, value: Value, function: &Function) {
        if !function.type_params.is_empty() {
            self.generic.insert(value, function.type_params.clone());
        }
    }

    /// A value where it is used: a function with type parameters has types of its own for them at each use.
    pub(super) fn used(&self, value: Value, block: Block, span: &Range<usize>) -> Value {
        let Some(params) = self.generic.get(&value) else {
            return value;
        };
        let ty = value.ty().instantiate(params, &Bindings::new());
        let b = self.builder(block, span);
        b.op(relay::INSTANTIATE, &[value], &[ty], &[]).result(0)
    }

    fn texts(&self, texts: &[String]) -> Attr {
        let texts: Vec<Attr> = texts.iter().map(|text| Attr::str(self.ctx, text)).collect();
        Attr::array(self.ctx, &texts)
    }

    /// The names of a function for itself and for its parameters.
    fn names(&self, own: Option<&str>, function: &Function) -> Attr {
        let params = function.params.iter().map(|param| param.name.as_str());
        let names = own.into_iter().chain(params);
        let names: Vec<Attr> = names.map(|name| Attr::str(self.ctx, name)).collect();
        Attr::array(self.ctx, &names)
    }
}

/// What the names of parameters stand for.
fn named(params: &[Param], arguments: Vec<Value>) -> HashMap<String, Value> {
    let names = params.iter().map(|param| format!("%{}", param.name));
    names.zip(arguments).collect()
}
