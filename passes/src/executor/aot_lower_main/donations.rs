//! Inputs that may lie in the memory of outputs. Such an input is read from the output's memory: the caller's buffers are one, or the
//! runtime has copied the input there.

use super::Graph;
use relay_dialects::{
    attrs::DONATED,
    ir::{Attr, Block, Builder, Op, Value},
    names,
    ops::{func, memref},
    pass::{PassFailed, PassResult, fail},
    tir::{self, AllocBuffer, KernelKind, Scope},
};
use relay_loops::{analysis::one_place, buffers::buffer_type};

impl Graph {
    /// Has donated inputs read from the memory of their outputs. Where the kernel that makes the output changes the input in place, both
    /// are one buffer. Everywhere else the input is copied first.
    pub(super) fn donate(&mut self, b: &Builder, func: Op) -> PassResult {
        let attrs = func.attr("arg_attrs").and_then(Attr::as_array);
        let mut taken = Vec::new();
        for (input, attrs) in func
            .body()
            .args()
            .into_iter()
            .zip(attrs.unwrap_or_default())
        {
            let Some(number) = attrs.get(DONATED) else {
                continue;
            };
            let output = self.donated_output(func, input, number)?;
            if taken.contains(&output) {
                return fail(func, format!("has two inputs donated to output {output}"));
            }
            taken.push(output);
            let Some(memory) = self.outputs[output] else {
                let what = "has an input donated to";
                return fail(
                    func,
                    format!("{what} output {output}, whose shape a run computes"),
                );
            };
            let buffer = match self.updating_call(func.body(), input, output) {
                Some((kernel, parameters)) => {
                    tir::join_in_place(kernel, &parameters);
                    memory
                }
                None => {
                    let (ty, dims) = (buffer_type(input.ty()), input.ty().dims());
                    let copy = AllocBuffer::of_tensor(b, ty, &dims, Scope::Global, "");
                    memref::Copy::build(b, memory, copy);
                    copy
                }
            };
            self.buffers.insert(input, buffer);
        }
        Ok(())
    }

    /// The output that an input is donated to, which has its type.
    fn donated_output(&self, func: Op, input: Value, number: Attr) -> Result<usize, PassFailed> {
        let number = number
            .as_i64()
            .and_then(|number| usize::try_from(number).ok());
        let output = number.filter(|number| *number < self.returned.len());
        let Some(output) = output else {
            let what = format!("has an input whose {DONATED} is no number of an output");
            return fail(func, what);
        };
        let (from, to) = (input.ty(), self.returned[output].ty());
        match from == to {
            true => Ok(output),
            false => fail(
                func,
                format!("has an input of type {from} donated to output {output} of type {to}"),
            ),
        }
    }

    /// The kernel that makes an output by changing an input in place, and the numbers of its parameters that are one buffer then.
    fn updating_call(&self, graph: Block, input: Value, output: usize) -> Option<(Op, [usize; 2])> {
        let value = self.returned[output];
        let call = value
            .def()
            .filter(|call| is_call(*call) && call.block() == Some(graph))?;
        let kernel = self.module.lookup(&call.attr("callee")?.as_symbol()?)?;
        let operands = call.operands();
        let mut places = (0..operands.len()).filter(|place| operands[*place] == input);
        let (operand, None) = (places.next()?, places.next()) else {
            return None;
        };
        let result = operands.len() + value.number();
        let is_possible = KernelKind::Generated.is_of(kernel)
            // The result is written into the output.
            && self.destinations.contains_key(&value)
            && one_place::compared(kernel).contains(&(operand, result))
            && self.is_read_before(input, call, &[call]);
        is_possible.then_some((kernel, [operand, result]))
    }

    /// Whether all ops that read a value, or views of it, run before a call, but for `others`.
    fn is_read_before(&self, value: Value, call: Op, others: &[Op]) -> bool {
        value.users().into_iter().all(|user| {
            if others.contains(&user) {
                return true;
            }
            let mut around = std::iter::successors(Some(user), |op| op.parent());
            let outermost = around.find(|op| op.block() == call.block());
            let is_before = outermost.is_some_and(|op| op != call && op.is_before(call));
            let mut views = user.results().into_iter();
            is_call(user)
                && is_before
                && (!self.is_view(user) || views.all(|view| self.is_read_before(view, call, &[])))
        })
    }

    /// Whether a call gives the elements of its operand under another shape.
    fn is_view(&self, call: Op) -> bool {
        let callee = call.attr("callee").and_then(Attr::as_symbol);
        let kernel = callee.and_then(|callee| self.module.lookup(&callee));
        kernel.is_none_or(|kernel| KernelKind::View.is_of(kernel))
    }
}

/// Whether an op calls a function, which reads its operands and keeps none of them.
fn is_call(op: Op) -> bool {
    op.is(names::relay::CALL_LOWERED) || op.is(func::Call::NAME)
}
