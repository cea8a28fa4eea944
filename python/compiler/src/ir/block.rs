//! What Python calls on a block: above all, making operations in it.

use super::{
    attribute,
    handles::{Block, Operation, Value},
};
use crate::errors;
use pyo3::{prelude::*, types::PyDict};
use relay_dialects::{
    declared,
    ir::{self, Builder, Loc, NamedAttr, Op, Type},
    pass::with_diagnostics,
    signatures,
};

#[pymethods]
impl Block {
    /// The values that it takes.
    #[getter]
    fn arguments(&self, py: Python<'_>) -> PyResult<Vec<Value>> {
        let count = self.block(py)?.args().len();
        Ok((0..count)
            .map(|number| Value::argument(self.again(py), number))
            .collect())
    }

    /// Its operations in order.
    #[getter]
    fn operations(&self, py: Python<'_>) -> PyResult<Vec<Operation>> {
        let module = self.module().bind(py);
        let ops = self.block(py)?.ops().into_iter();
        Ok(ops.map(|op| Operation::lend(module, op)).collect())
    }

    /// The operation around it.
    #[getter]
    fn owner(&self, py: Python<'_>) -> Operation {
        self.operation(py)
    }

    /// Makes an operation at the end. `types` are those of its results; without them, its type relation finds them.
    /// `regions` has, for each region, the types of its first block's arguments, or None for a region without blocks.
    /// `node` is the name that messages and profiles know it by.
    #[pyo3(signature = (name, operands=Vec::new(), attributes=None, types=None, regions=Vec::new(), node=None))]
    #[expect(
        clippy::too_many_arguments,
        reason = "they are what an operation is made of"
    )]
    fn append(
        &self,
        py: Python<'_>,
        name: &str,
        operands: Vec<PyRef<'_, Value>>,
        attributes: Option<&Bound<'_, PyDict>>,
        types: Option<Vec<String>>,
        regions: Vec<Option<Vec<String>>>,
        node: Option<&str>,
    ) -> PyResult<Operation> {
        let handle = self.module();
        let module = handle.bind(py).borrow();
        let ctx = module.ctx();
        if !module.with_context(|context| context.is_registered_operation(name)) {
            return Err(errors::of_ir(format!("there is no operation '{name}'")));
        }
        let operands = operands.iter().map(|value| value.in_module(py, handle));
        let operands = operands.collect::<PyResult<Vec<_>>>()?;
        let mut named = Vec::new();
        for (key, value) in attributes.into_iter().flatten() {
            named.push((
                key.extract::<String>()?,
                attribute::from_python(&module, &value)?,
            ));
        }
        let named: Vec<NamedAttr<'_>> = ir::named(&named);
        let parse = |texts: &Vec<String>| {
            let types = texts
                .iter()
                .map(|text| attribute::parse_type(&module, text));
            types.collect::<PyResult<Vec<Type>>>()
        };
        let types = types.as_ref().map(parse).transpose()?;
        let first = |arguments: &Option<Vec<String>>| arguments.as_ref().map(parse).transpose();
        let regions = regions.iter().map(first).collect::<PyResult<Vec<_>>>()?;
        let block = self.block(py)?;
        let loc = node.map_or_else(|| Loc::unknown(ctx), |node| Loc::name(ctx, node));
        let builder = Builder::at_end(block, loc, ctx);
        let make = || match &types {
            None if regions.is_empty() => builder.inferred(name, &operands, &named),
            types => {
                let types = types.as_deref().unwrap_or_default();
                let blocks = regions
                    .iter()
                    .map(|types| Some(ir::Block::new(ctx, types.as_ref()?)));
                let blocks: Vec<Option<ir::Block>> = blocks.collect();
                Some(builder.region_op(name, &operands, types, &named, &blocks))
            }
        };
        let (made, reasons): (Option<Op>, String) =
            module.with_context(|context| with_diagnostics(context, make));
        let made = made.ok_or_else(|| {
            errors::of_ir(format!("{name} does not fit its operands:\n{reasons}"))
        })?;
        check_attributes(made, name)?;
        Ok(Operation::lend(handle.bind(py), made))
    }
}

/// Takes an operation of our dialects away again that has attributes which it does not declare.
fn check_attributes(made: Op, name: &str) -> PyResult<()> {
    if signatures::find(name).is_none() {
        return Ok(());
    }
    declared::verify_own(made).map_err(|reason| {
        made.erase();
        errors::of_ir(format!("{name} {reason}"))
    })
}
