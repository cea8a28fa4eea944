//! What Python calls on an operation.

use super::{
    attribute,
    handles::{Block, Operation, Value},
};
use crate::errors;
use pyo3::{
    prelude::*,
    types::{PyDict, PyList},
};
use relay_dialects::{ir::Op, pass::with_diagnostics};

#[pymethods]
impl Operation {
    /// The full name, such as `relay.nn.conv2d`.
    #[getter]
    fn name(&self, py: Python<'_>) -> PyResult<String> {
        Ok(self.op(py)?.name())
    }

    /// The values that it reads.
    #[getter]
    fn operands(&self, py: Python<'_>) -> PyResult<Vec<Value>> {
        let operands = self.op(py)?.operands().into_iter();
        operands
            .map(|value| Value::of(self.module().bind(py), value))
            .collect()
    }

    /// The values that it makes.
    #[getter]
    fn results(&self, py: Python<'_>) -> PyResult<Vec<Value>> {
        let count = self.op(py)?.result_count();
        Ok((0..count)
            .map(|number| Value::result(self.again(py), number))
            .collect())
    }

    /// Its result, if it has one.
    #[getter]
    fn result(&self, py: Python<'_>) -> PyResult<Value> {
        let op = self.op(py)?;
        match op.result_count() {
            1 => Ok(Value::result(self.again(py), 0)),
            count => Err(errors::of_ir(format!(
                "{} has {count} results, not one",
                op.name()
            ))),
        }
    }

    /// Its attributes by name: numbers, strings and lists as Python has them, others as texts.
    #[getter]
    fn attributes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let attributes = PyDict::new(py);
        for (name, value) in self.op(py)?.attrs() {
            attributes.set_item(name, attribute::to_python(py, value)?)?;
        }
        Ok(attributes)
    }

    /// Sets or replaces an attribute.
    fn set_attribute(&self, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = value.py();
        let attribute = attribute::from_python(&self.module().bind(py).borrow(), value)?;
        self.op(py)?.set_attr(name, attribute);
        Ok(())
    }

    /// Removes an attribute if it is there.
    fn remove_attribute(&self, py: Python<'_>, name: &str) -> PyResult<()> {
        self.op(py)?.remove_attr(name);
        Ok(())
    }

    /// The blocks of each region.
    #[getter]
    fn regions(&self, py: Python<'_>) -> PyResult<Vec<Vec<Block>>> {
        let regions = self.op(py)?.regions().into_iter().enumerate();
        let blocks = |region: usize, count: usize| {
            let blocks = (0..count).map(|block| Block::of(self.again(py), region, block));
            blocks.collect()
        };
        Ok(regions
            .map(|(region, of)| blocks(region, of.blocks().len()))
            .collect())
    }

    /// The operation around this one; None for a module.
    #[getter]
    fn parent(&self, py: Python<'_>) -> PyResult<Option<Self>> {
        let parent = self.op(py)?.parent();
        Ok(parent.map(|op| Operation::lend(self.module().bind(py), op)))
    }

    /// The names of the model's nodes that it stands for.
    #[getter]
    fn nodes(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        Ok(self.op(py)?.loc().names())
    }

    /// This operation and all inside it, outer ones first.
    fn walk<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let mut found = Vec::new();
        outer_first(self.op(py)?, &mut found);
        let module = self.module().bind(py);
        PyList::new(
            py,
            found
                .into_iter()
                .map(|op| Operation::lend(module, op))
                .collect::<Vec<_>>(),
        )
    }

    /// Removes the operation, whose results nobody may read.
    fn erase(&self, py: Python<'_>) -> PyResult<()> {
        let op = self.op(py)?;
        if op.parent().is_none() {
            return Err(errors::of_ir("a module cannot be erased"));
        }
        if op.is_used() {
            let name = op.name();
            return Err(errors::of_ir(format!(
                "{name} is still read; replace its results first"
            )));
        }
        self.module().bind(py).borrow().erase(op);
        Ok(())
    }

    /// Has all readers of its results read other values, and removes it.
    fn replace_with(&self, py: Python<'_>, values: Vec<PyRef<'_, Value>>) -> PyResult<()> {
        let op = self.op(py)?;
        if values.len() != op.result_count() {
            let (name, count) = (op.name(), op.result_count());
            return Err(errors::of_ir(format!(
                "{name} has {count} results, and {} values are given",
                values.len()
            )));
        }
        let values = values
            .iter()
            .map(|value| value.in_module(py, self.module()));
        let values = values.collect::<PyResult<Vec<_>>>()?;
        for (result, value) in op.results().into_iter().zip(values) {
            if result.ty() != value.ty() {
                let (from, to) = (result.ty(), value.ty());
                return Err(errors::of_ir(format!(
                    "a value of type {from} is replaced by one of {to}"
                )));
            }
            result.replace_all_uses_with(value);
        }
        self.erase(py)
    }

    /// Raises if the operation is not valid; the text says why.
    fn verify(&self, py: Python<'_>) -> PyResult<()> {
        let op = self.op(py)?;
        let module = self.module().bind(py).borrow();
        let (valid, reasons) =
            module.with_context(|context| with_diagnostics(context, || op.verify()));
        match valid {
            true => Ok(()),
            false => Err(errors::of_ir(format!(
                "{} is not valid:\n{reasons}",
                op.name()
            ))),
        }
    }

    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(self.op(py)?.to_string())
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        match self.op(py) {
            Ok(op) => format!("<Operation {}>", op.name()),
            Err(_) => "<Operation that is gone>".into(),
        }
    }
}

fn outer_first(op: Op, found: &mut Vec<Op>) {
    found.push(op);
    for region in op.regions() {
        for block in region.blocks() {
            for inner in block.ops() {
                outer_first(inner, found);
            }
        }
    }
}
