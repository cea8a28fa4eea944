//! Parameters that give way to those of a sparse matrix.

use super::{Block, Conversion, Matrix, types};
use crate::graph::retype::place;
use relay_dialects::{
    attrs::NAME,
    ir::{Attr, Builder, Op, Type, Value},
    pass::{PassResult, fail},
};

/// A name with the number of blocks behind a colon.
pub fn entries(weight: &str) -> Option<(&str, usize)> {
    let (name, count) = weight.rsplit_once(':')?;
    Some((name, count.parse().ok()?))
}

/// A weight that whoever calls the function gives in blocks.
pub struct Parameter<'a> {
    /// The function's name.
    pub function: &'a str,
    /// The weight's name in the model.
    pub name: &'a str,
    /// How many blocks it has.
    pub entries: usize,
}

impl Parameter<'_> {
    /// Puts three parameters, `NAME.data`, `NAME.indices` and `NAME.indptr`, behind the others and in the place of this one.
    pub fn convert(&self, module: Op, block: Block, conversion: &Conversion<'_>) -> PassResult {
        let (name, operator) = (self.name, conversion.operator);
        let found = module.lookup(self.function);
        let Some(function) = found.filter(|op| op.block_in(0).is_some()) else {
            let function = self.function;
            return fail(module, format!("has no function @{function} with a body"));
        };
        let calls = |op: Op| {
            let callee = op.attr("callee").and_then(Attr::as_symbol);
            callee.as_deref() == Some(self.function)
        };
        if let Some(call) = module.find(calls) {
            let function = self.function;
            let reason = format!("calls @{function}, and would give it weights as they were");
            return fail(call, reason);
        }
        let wrong = |reason: &str| fail(function, format!("weights names '{name}', {reason}"));
        let arguments = function.body().args();
        let at = place(function, name).filter(|at| *at < arguments.len());
        let Some(at) = at else {
            return wrong("which is no parameter");
        };
        let readers = arguments[at].uses();
        let is_weight = |(op, operand): &(Op, usize)| op.is(operator) && *operand == 1;
        if readers.is_empty() || !readers.iter().all(is_weight) {
            return wrong(&format!("which is not only a weight of {operator}"));
        }
        let mut rows = 0;
        for (op, _) in &readers {
            match (conversion.matrix)(*op) {
                Ok(matrix) if divides(block, matrix) => rows = matrix.rows / block[0],
                Ok(Matrix { rows, columns, .. }) => {
                    let [height, width] = block;
                    return wrong(&format!(
                        "of {rows} rows and {columns} columns, which blocks of {height}x{width} do not divide"
                    ));
                }
                Err(reason) => return fail(*op, format!("weights names '{name}': {reason}")),
            }
        }
        let types = types(arguments[at].ty(), block, (self.entries, rows));
        let operands = types.map(|ty| function.add_parameter(ty));
        for (op, _) in readers {
            let result = (conversion.make)(&Builder::before(op), op, operands);
            op.replace_with(&[result]);
        }
        rename(function, name);
        remove(function, at);
        Ok(())
    }
}

fn divides([height, width]: Block, matrix: Matrix) -> bool {
    matrix.rows.is_multiple_of(height) && matrix.columns.is_multiple_of(width)
}

/// Names the last three parameters after the weight.
fn rename(function: Op, name: &str) {
    let Some(mut attrs) = function.attr("arg_attrs").and_then(Attr::as_array) else {
        return;
    };
    let parts = ["data", "indices", "indptr"];
    let first = attrs.len().saturating_sub(parts.len());
    for (entry, part) in attrs[first..].iter_mut().zip(parts) {
        *entry = entry.with(NAME, Attr::str(function.ctx(), &format!("{name}.{part}")));
    }
    function.set_attr("arg_attrs", Attr::array(function.ctx(), &attrs));
}

/// Takes a parameter away that nothing reads.
fn remove(function: Op, at: usize) {
    function.body().erase_arg(at);
    let inputs: Vec<Type> = function.body().args().into_iter().map(Value::ty).collect();
    let old = function.function_type();
    let results = old.map(Type::results).unwrap_or_default();
    let new = Type::function(function.ctx(), &inputs, &results);
    function.set_attr("function_type", Attr::ty(new));
    if let Some(mut attrs) = function.attr("arg_attrs").and_then(Attr::as_array) {
        attrs.remove(at);
        function.set_attr("arg_attrs", Attr::array(function.ctx(), &attrs));
    }
}
