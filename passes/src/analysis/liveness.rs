//! Which values are in use while a call runs.

use crate::graph::operators::constant;
use relay_dialects::{
    ir::{Attr, Block, Op, Value},
    names,
    ops::func,
    tir::KernelKind,
};
use std::collections::HashSet;

/// Values that are read later. Constants are none of them, and of a view and what it shows, only the latter is.
type Live = HashSet<Value>;

/// The calls in a function in textual order, and the values that are in use while each runs: what it or something behind it
/// reads, and what it gives that is read.
pub fn at_calls(module: Op, function: Op) -> Vec<(Op, Vec<Value>)> {
    let mut walk = Walk {
        module,
        calls: Vec::new(),
    };
    if let Some(body) = function.block_in(0) {
        walk.block(body, Live::new());
    }
    walk.calls.reverse();
    walk.calls
}

/// A walk from the end of a function to its start.
struct Walk {
    module: Op,
    calls: Vec<(Op, Vec<Value>)>,
}

impl Walk {
    /// What is read in a block or behind it, of what is not made there.
    fn block(&mut self, block: Block, mut live: Live) -> Live {
        for op in block.ops().into_iter().rev() {
            live = self.op(op, live);
        }
        block.args().iter().for_each(|argument| {
            live.remove(argument);
        });
        live
    }

    /// What is read by an op or behind it, from what is read behind it.
    fn op(&mut self, op: Op, behind: Live) -> Live {
        let mut others = behind.clone();
        for result in op.results() {
            others.remove(&result);
        }
        let mut before = others.clone();
        let blocks = op.regions().into_iter().flat_map(|region| region.blocks());
        let blocks: Vec<Block> = blocks.collect();
        for block in blocks.into_iter().rev() {
            // Of several branches one runs. A closure runs elsewhere, and what it reads is read where it is made.
            let behind = match op.is(names::relay::FN) {
                true => Live::new(),
                false => others.clone(),
            };
            before.extend(self.block(block, behind));
        }
        let operands = op.operands().into_iter();
        before.extend(operands.filter_map(|value| self.shown(value)));
        if op.is(func::Call::NAME) {
            let in_use = before.union(&behind).copied();
            self.calls.push((op, in_use.collect()));
        }
        before
    }

    /// The value whose bytes these are; none of a constant.
    fn shown(&self, mut value: Value) -> Option<Value> {
        while let Some(call) = value
            .def_of(func::Call::NAME)
            .filter(|call| self.is_view(*call))
        {
            value = call.operand(0);
        }
        constant(value).is_none().then_some(value)
    }

    /// Whether a call is of a function that has its operand's bytes.
    fn is_view(&self, call: Op) -> bool {
        let callee = call.attr("callee").and_then(Attr::as_symbol);
        let callee = callee.and_then(|callee| self.module.lookup(&callee));
        callee.is_some_and(|callee| KernelKind::View.is_of(callee)) && call.operand_count() == 1
    }
}
