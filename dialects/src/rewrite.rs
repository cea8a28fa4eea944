//! Greedy rewriting: rules tried on every operator until none applies.

use crate::{
    attrs, inferred,
    ir::{Op, Value},
    ops::{builtin, func},
    pass::{PassResult, fail},
    relay::is_operator,
};

/// A rewrite: the values that take the place of the op's results, or `None` if it does not match.
/// It makes new ops, and leaves erasing to the driver.
pub type Rule = fn(Op) -> Option<Vec<Value>>;

/// Rules that undo each other would run for ever; those of ours end long before.
const MAX_SWEEPS: usize = 64;

/// Applies `rules` to all operators inside `root` until none matches, and drops what is dead then.
///
/// # Errors
/// If types are yet to be inferred, or rules match without end.
pub fn apply(root: Op, rules: &[Rule]) -> PassResult {
    apply_each(root, &mut |op| rules.iter().find_map(|rule| rule(op)))
}

/// As [`apply`], with one rewrite that may have a state of its own.
///
/// # Errors
/// As [`apply`].
pub fn apply_each(root: Op, rewrite: &mut dyn FnMut(Op) -> Option<Vec<Value>>) -> PassResult {
    inferred::check(root)?;
    for _ in 0..MAX_SWEEPS {
        let changed = sweep(&operators(root), rewrite);
        erase_dead(root);
        if !changed {
            return Ok(());
        }
    }
    fail(
        root,
        format!("is rewritten without end: rules still match after {MAX_SWEEPS} sweeps"),
    )
}

/// Applies the rewrite to each of the operators; whether one matched.
fn sweep(operators: &[Op], rewrite: &mut dyn FnMut(Op) -> Option<Vec<Value>>) -> bool {
    let mut changed = false;
    for op in operators {
        // An earlier rewrite of this sweep may have made it useless.
        if !op.is_used() {
            continue;
        }
        if let Some(values) = rewrite(*op) {
            op.replace_with(&values);
            changed = true;
        }
    }
    changed
}

/// All operators inside `root`, in textual order.
pub fn operators(root: Op) -> Vec<Op> {
    let mut found = Vec::new();
    root.walk(|op| {
        if is_operator(op) {
            found.push(op);
        }
    });
    found
}

/// Erases operators inside `root` whose results nobody reads, and what only they read.
pub fn erase_dead(root: Op) {
    for region in root.regions() {
        for block in region.blocks() {
            for op in block.ops().into_iter().rev() {
                // Most are used, and that is asked in no time.
                if !op.is_used() && is_pure(op) {
                    op.erase();
                } else {
                    erase_dead(op);
                }
            }
        }
    }
}

/// Whether running an op has no effect but its results: by its memory effects, or because it calls a kernel, or
/// because nothing inside has one.
fn is_pure(op: Op) -> bool {
    let is_harmless = |inner: &Op| {
        let is_end = inner.block().and_then(|block| block.terminator()) == Some(*inner);
        is_end || is_pure(*inner)
    };
    let inner = || op.regions().into_iter().flat_map(|region| region.blocks());
    op.would_be_dead()
        || is_primitive_call(op)
        || (op.has_recursive_effects()
            && inner()
                .flat_map(|block| block.ops())
                .all(|op| is_harmless(&op)))
}

fn is_primitive_call(op: Op) -> bool {
    let callee = || op.attr("callee")?.as_symbol();
    let function = || op.ancestor(builtin::Module::NAME)?.lookup(&callee()?);
    op.is(func::Call::NAME)
        && function().is_some_and(|function| function.has_attr(attrs::PRIMITIVE))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{context, ir::Builder, pass::with_diagnostics, relay::build::remake};

    const FUNCTION: &str = "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
        %0 = relay.abs %x : (tensor<4xf32>) -> tensor<4xf32>
        return %0 : tensor<4xf32>
    }";

    #[test]
    fn rules_without_end_are_an_error() {
        let context = context();
        let module = melior::ir::Module::parse(&context, FUNCTION).expect("the text is a module");
        let again: Rule = |op| Some(vec![remake(&Builder::before(op), op, &op.operands(), &[])]);
        let (result, text) = with_diagnostics(&context, || apply(Op::of_module(&module), &[again]));
        assert!(result.is_err());
        assert!(text.contains("rewritten without end"), "{text}");
    }

    #[test]
    fn rules_that_end_are_applied() {
        let context = context();
        let module = melior::ir::Module::parse(&context, FUNCTION).expect("the text is a module");
        let drop: Rule = |op| Some(vec![op.operand(0)]);
        assert!(apply(Op::of_module(&module), &[drop]).is_ok());
        assert!(Op::of_module(&module).find_all("relay.abs").is_empty());
    }
}
