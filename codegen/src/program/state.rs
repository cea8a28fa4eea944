//! What the functions of a program share: their numbers, and those of kernels, constants and messages.

use crate::{CodegenError, error::describe_constant, weights::Weights};
use relay_dialects::{
    Element,
    ir::{Attr, Op, Type},
    relay::language::adt::TypeDef,
    tir::KernelKind,
};
use relay_runtime::program::{Constant, Kernel, Program};
use std::collections::HashMap;

/// An error at an op.
pub(super) fn cannot<T>(op: Op, reason: impl std::fmt::Display) -> Result<T, CodegenError> {
    Err(CodegenError::Lowering(format!(
        "{}: '{}' {reason}",
        op.loc(),
        op.name()
    )))
}

/// What functions share.
pub(super) struct State {
    pub(super) module: Op,
    pub(super) program: Program,
    types: HashMap<String, TypeDef>,
    pub(super) weights: Weights,
    /// The functions, by number.
    pub(super) open: Vec<Op>,
    functions: HashMap<Op, u32>,
    kernels: HashMap<Op, u32>,
    constants: HashMap<u64, u32>,
    messages: HashMap<String, u32>,
}

impl State {
    pub(super) fn new(module: Op) -> Self {
        let types = TypeDef::all(module).into_iter();
        Self {
            module,
            program: Program::default(),
            types: types.map(|def| (def.name.clone(), def)).collect(),
            weights: Weights::default(),
            open: Vec::new(),
            functions: HashMap::new(),
            kernels: HashMap::new(),
            constants: HashMap::new(),
            messages: HashMap::new(),
        }
    }

    /// The function that an op calls or names.
    pub(super) fn callee(&self, op: Op) -> Result<Op, CodegenError> {
        let name = op.attr("callee").and_then(Attr::as_symbol);
        let function = name.and_then(|name| self.module.lookup(&name));
        match function.filter(|function| function.block_in(0).is_some()) {
            Some(function) => Ok(function),
            None => cannot(
                op,
                "calls a function without a body: its code is nowhere in the module",
            ),
        }
    }

    /// The number of a function, which gets one now if it has none.
    pub(super) fn number(&mut self, function: Op) -> Result<u32, CodegenError> {
        let next = self.open.len() as u32;
        let number = *self.functions.entry(function).or_insert(next);
        if number == next {
            self.open.push(function);
        }
        Ok(number)
    }

    /// The number of a kernel that a call runs.
    pub(super) fn kernel(&mut self, function: Op, call: Op) -> Result<u32, CodegenError> {
        if KernelKind::External.is_of(function) {
            return cannot(
                call,
                "calls an external kernel, which programs cannot run yet",
            );
        }
        if let Some(number) = self.kernels.get(&function) {
            return Ok(*number);
        }
        let values = [call.operands(), call.results()].concat();
        let mut tensors = Vec::new();
        for value in &values {
            let ty = value.ty();
            check(ty)
                .or_else(|reason| cannot(call, format!("has a tensor of type {ty}: {reason}")))?;
            tensors.push(ty.byte_count() as u64);
        }
        let number = self.program.kernels.len() as u32;
        self.program.kernels.push(Kernel {
            name: function.symbol().unwrap_or_default(),
            tensors,
            outputs: call.result_count() as u32,
            workspaces: Vec::new(),
        });
        self.kernels.insert(function, number);
        Ok(number)
    }

    /// The number of a constant.
    pub(super) fn constant(&mut self, op: Op) -> Result<u32, CodegenError> {
        let ty = op.result(0).ty();
        let offset = op
            .attr("value")
            .and_then(|value| self.weights.add(value, ty));
        let offset = offset.ok_or_else(|| CodegenError::NoBytes(describe_constant(op)))? as u64;
        let next = self.program.constants.len() as u32;
        let number = *self.constants.entry(offset).or_insert(next);
        if number == next {
            let bytes = ty.byte_count() as u64;
            self.program.constants.push(Constant { offset, bytes });
        }
        Ok(number)
    }

    /// The number of a message.
    pub(super) fn message(&mut self, text: String) -> u32 {
        let next = self.program.messages.len() as u32;
        let number = *self.messages.entry(text.clone()).or_insert(next);
        if number == next {
            self.program.messages.push(text);
        }
        number
    }

    /// The number of a constructor, and how many its type has.
    pub(super) fn tag(
        &self,
        op: Op,
        of: &str,
        constructor: &str,
    ) -> Result<(u32, usize), CodegenError> {
        let def = self.types.get(of);
        let tag = def.and_then(|def| Some((def.tag(constructor)? as u32, def.constructors.len())));
        match tag {
            Some(tag) => Ok(tag),
            None => cannot(
                op,
                format!("names the constructor @{of}::@{constructor}, which is not in the module"),
            ),
        }
    }
}

/// Checks that a value of a type lies in a buffer.
pub(super) fn check(ty: Type) -> Result<(), String> {
    if !ty.is_tensor() || !ty.is_static() {
        return Err("it has to be a tensor of a known shape".into());
    }
    Element::require(ty.element())?;
    match ty.byte_count() == i64::MAX {
        true => Err(relay_dialects::limits::TOO_LARGE.into()),
        false => Ok(()),
    }
}
