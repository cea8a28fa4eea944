//! Functions: those of the module, and those that are values.

use super::{Reader, Result};
use crate::relay_text::{
    attributes,
    syntax::{Function, Param},
};
use relay_dialects::{
    attrs::{NAME, PARAM_DEVICES, TYPE_PARAMS, VIRTUAL_DEVICE},
    ir::{Attr, Bindings, Block, Builder, Op, Type, Value},
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
        self.type_params.clear();
        self.declare_type_params(&function.type_params);
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
        self.type_params.clear();
        self.declare_type_params(&function.type_params);
        let Signature { params, result, .. } = self.functions[name].clone();
        let top = self.builder(module.body(), span);
        let body = Block::at(top.loc, &params);
        let func = top.func_of(name, body, &[], &[]);
        self.scopes = vec![named(&function.params, body.args())];
        let value = self.sequence(body, &function.body)?;
        func::Return::build(&self.builder(body, span), &[value]);
        let declared = result;
        let result = match declared.has_incomplete() {
            true => value.ty(),
            false => self.returned(body, value, declared, (name, span))?,
        };
        if result != declared {
            self.call_as_value(module, name);
        }
        let params: Vec<Type> = body.args().iter().map(|value| value.ty()).collect();
        let ty = Type::function(self.ctx, &params, &[result]);
        func.set_attr("function_type", Attr::ty(ty));
        self.describe(func, function, span)?;
        self.keep_attributes(func, function, span)?;
        if let Some(signature) = self.functions.get_mut(name) {
            signature.params = params;
            signature.result = result;
        }
        Ok(())
    }

    /// Calls a function as a value where it is called by its name: these calls have the type that its result was declared to be of.
    fn call_as_value(&self, module: Op, name: &str) {
        for call in module.find_all(func::Call::NAME) {
            if call.attr("callee").and_then(Attr::as_symbol).as_deref() == Some(name) {
                let params: Vec<Type> = call.operands().iter().map(|value| value.ty()).collect();
                let result = call.result(0).ty();
                let b = Builder::before(call);
                let callee = self.global_of(b, name, &params, result);
                call.replace_with(&[self.applied(b, callee, &call.operands(), result)]);
            }
        }
    }

    /// The type of what a function gives that is declared to give another: the declared one, or one that leaves fewer
    /// dimensions open.
    fn returned(
        &self,
        body: Block,
        value: Value,
        declared: Type,
        (name, span): (&str, &Range<usize>),
    ) -> Result<Type> {
        let what = format!("the result of @{name}");
        self.expect(value, declared, (&what, span))?;
        if value.ty().is_incomplete() && body.args().contains(&value) {
            value.set_ty(declared);
        }
        let found = value.ty();
        match found.refines(declared) {
            true => Ok(found),
            false => {
                let message = format!(
                    "{what} is declared as {declared}, but all that is known of this is {found}"
                );
                Err(self.error(span, message))
            }
        }
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
        let around = self.type_params.len();
        self.declare_type_params(&function.type_params);
        let value = self.closure_of(block, function, (own, expected), span);
        self.type_params.truncate(around);
        value
    }

    fn closure_of(
        &mut self,
        block: Block,
        function: &Function,
        (own, expected): (Option<&str>, Type),
        span: &Range<usize>,
    ) -> Result<Value> {
        let type_params = self.own_type_params(function);
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
            self.note_generic(itself, &type_params);
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
        if !type_params.is_empty() {
            attrs.push((TYPE_PARAMS, self.texts(&type_params)));
        }
        let op = b.region_op(relay::FN, &[], &[ty], &attrs, &[Some(body)]);
        self.keep_attributes(op, function, span)?;
        self.note_generic(op.result(0), &type_params);
        Ok(op.result(0))
    }

    /// The type parameters of the function that is being read.
    fn own_type_params(&self, function: &Function) -> Vec<String> {
        let around = self.type_params.len() - function.type_params.len();
        let own = self.type_params[around..].iter();
        own.map(|param| param.name.clone()).collect()
    }

    /// Notes that a value is a function with type parameters, if it is one.
    fn note_generic(&mut self, value: Value, type_params: &[String]) {
        if !type_params.is_empty() {
            self.generic.insert(value, type_params.to_vec());
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

    pub(super) fn texts(&self, texts: &[String]) -> Attr {
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
