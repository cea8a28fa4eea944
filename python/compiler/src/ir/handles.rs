//! Handles of what a module holds: names by which it is found, or found to be gone.

use super::store::Module;
use crate::errors;
use pyo3::prelude::*;
use relay_dialects::ir::{self, Op};
use std::hash::{Hash, Hasher};

/// An operation of a module. It keeps the module alive; once it is erased, whatever asks it for something raises.
#[pyclass(frozen, eq, hash, module = "relay_mlir.ir")]
pub struct Operation {
    module: Py<Module>,
    number: u64,
}

impl PartialEq for Operation {
    fn eq(&self, other: &Self) -> bool {
        self.module.is(&other.module) && self.number == other.number
    }
}

impl Hash for Operation {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.module.as_ptr().addr(), self.number).hash(state);
    }
}

impl Operation {
    /// The handle of an operation.
    pub fn lend(module: &Bound<'_, Module>, op: Op) -> Self {
        let number = module.borrow().number(op);
        let module = module.clone().unbind();
        Self { module, number }
    }

    /// The operation itself.
    ///
    /// # Errors
    /// If it is gone.
    pub fn op(&self, py: Python<'_>) -> PyResult<Op> {
        self.module.bind(py).borrow().find(self.number)
    }

    /// Its module.
    pub fn module(&self) -> &Py<Module> {
        &self.module
    }

    /// Another handle of the same operation.
    pub fn again(&self, py: Python<'_>) -> Self {
        let module = self.module.clone_ref(py);
        Self {
            module,
            number: self.number,
        }
    }
}

/// A block of an operation's region: where operations are made.
#[pyclass(frozen, module = "relay_mlir.ir")]
pub struct Block {
    owner: Operation,
    region: usize,
    number: usize,
}

impl Block {
    /// A block by its numbers.
    pub fn of(owner: Operation, region: usize, number: usize) -> Self {
        Self {
            owner,
            region,
            number,
        }
    }

    /// The block itself.
    ///
    /// # Errors
    /// If its operation is gone, or has no such block any more.
    pub fn block(&self, py: Python<'_>) -> PyResult<ir::Block> {
        let region = self.owner.op(py)?.regions().get(self.region).copied();
        let block = region.and_then(|region| region.blocks().get(self.number).copied());
        block.ok_or_else(|| errors::of_ir("the block is gone"))
    }

    /// The operation around it.
    pub fn operation(&self, py: Python<'_>) -> Operation {
        self.owner.again(py)
    }

    /// The module that it is in.
    pub fn module(&self) -> &Py<Module> {
        self.owner.module()
    }

    /// Another handle of the same block.
    pub fn again(&self, py: Python<'_>) -> Self {
        Self::of(self.owner.again(py), self.region, self.number)
    }
}

/// A value that operations read.
#[pyclass(frozen, subclass, module = "relay_mlir.ir")]
pub struct Value {
    pub(super) place: Place,
    number: usize,
}

/// Where a value comes from.
pub(super) enum Place {
    Result(Operation),
    Argument(Block),
}

impl Value {
    /// A result of an operation.
    pub fn result(op: Operation, number: usize) -> Self {
        let place = Place::Result(op);
        Self { place, number }
    }

    /// An argument of a block.
    pub fn argument(block: Block, number: usize) -> Self {
        let place = Place::Argument(block);
        Self { place, number }
    }

    /// What Python is given for a value of a module.
    pub fn of(module: &Bound<'_, Module>, value: ir::Value) -> PyResult<Self> {
        if let Some(op) = value.def() {
            return Ok(Self::result(Operation::lend(module, op), value.number()));
        }
        let gone = || errors::of_ir("the value is in no operation");
        let block = value.owner_block().ok_or_else(gone)?;
        let owner = block.parent().ok_or_else(gone)?;
        for (region, blocks) in owner.regions().into_iter().enumerate() {
            let mut blocks = blocks.blocks().into_iter();
            if let Some(number) = blocks.position(|other| other == block) {
                let block = Block::of(Operation::lend(module, owner), region, number);
                return Ok(Self::argument(block, value.number()));
            }
        }
        Err(gone())
    }

    /// The module that it is in.
    pub fn module(&self) -> &Py<Module> {
        match &self.place {
            Place::Result(op) => op.module(),
            Place::Argument(block) => block.module(),
        }
    }

    /// The value itself.
    ///
    /// # Errors
    /// If what it comes from is gone.
    pub fn value(&self, py: Python<'_>) -> PyResult<ir::Value> {
        let values = match &self.place {
            Place::Result(op) => op.op(py)?.results(),
            Place::Argument(block) => block.block(py)?.args(),
        };
        let value = values.get(self.number).copied();
        value.ok_or_else(|| errors::of_ir("the value is gone"))
    }

    /// The value itself, to be read in a module.
    ///
    /// # Errors
    /// If it is gone, or in another module.
    pub fn in_module(&self, py: Python<'_>, module: &Py<Module>) -> PyResult<ir::Value> {
        if !self.module().is(module) {
            return Err(errors::of_ir("the value is in another module"));
        }
        self.value(py)
    }
}
