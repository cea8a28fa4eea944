//! Programs of the whole language: functions that call each other, closures and data types.
//!
//! A module is a program if it holds something that is no graph of operators ([`is_program`]). Its functions are taken out of
//! the module when their operators are in primitive functions ([`take`]), and become the instructions of a
//! [`Program`](relay_runtime::program::Program); what is left are kernels, which go down as those of graphs do. Then there is
//! machine code for the instructions ([`native`]), or the library holds them as data, for the runtime's machine: these are the
//! two [executors](crate::interface::Executor).

mod functions;
mod lower;
mod matching;
pub(crate) mod native;
mod state;
mod uses;

pub use lower::take;

use crate::interface::Taken;
use relay_dialects::{
    attrs,
    ir::{Attr, Op, Type},
    names::relay,
    ops::func,
    tir::KernelKind,
};

/// The ops of the language that no graph has.
const LANGUAGE: &[&str] = &[
    relay::FN,
    relay::CALL,
    relay::GLOBAL,
    relay::CLOSURE,
    relay::CONSTRUCT,
    relay::MATCH,
    relay::REF_CREATE,
    relay::REF_READ,
    relay::REF_WRITE,
];

/// Whether a module is no graph of operators around kernels: it has ops of the language, functions of operators that call each
/// other, or an entry that takes or gives tuples.
pub fn is_program(module: Op) -> bool {
    let has_language = || module.find(|op| LANGUAGE.contains(&op.name().as_str()));
    let calls = || module.find(|op| op.is(func::Call::NAME) && calls_operators(module, op));
    has_tuples(module) || has_language().is_some() || calls().is_some()
}

/// Whether a call is one of a function of operators that is no kernel.
fn calls_operators(module: Op, call: Op) -> bool {
    let callee = call.attr("callee").and_then(Attr::as_symbol);
    let function = callee.and_then(|callee| module.lookup(&callee));
    function.is_some_and(|function| {
        let has_operators = || function.find(|op| op.name().starts_with("relay."));
        !is_kernel(function) && function.block_in(0).is_some() && has_operators().is_some()
    })
}

/// Whether a function is a kernel, or becomes one.
fn is_kernel(function: Op) -> bool {
    function.has_attr(attrs::PRIMITIVE) || KernelKind::of_function(function).is_some()
}

fn has_tuples(module: Op) -> bool {
    let main = module.function("main");
    let ty = main.and_then(|main| main.function_type());
    ty.is_some_and(|ty| {
        let mut types = ty.inputs().into_iter().chain(ty.results());
        types.any(|ty: Type| ty.fields().is_some())
    })
}

/// Notes what kernels have become, when memory is planned: which memory they work in, and how much they compute.
pub(crate) fn set_kernels(taken: &mut Taken, module: Op) {
    for kernel in &mut taken.program.kernels {
        let function = module.lookup(&kernel.name);
        let parameters = function.map(|function| function.body().args());
        let parameters = parameters.unwrap_or_default().into_iter();
        let workspaces = parameters.skip(kernel.tensors.len());
        kernel.workspaces = workspaces
            .map(|place| place.ty().byte_count() as u64)
            .collect();
        let flops = function.and_then(|function| function.attr(attrs::FLOPS)?.as_i64());
        taken
            .flops
            .push(flops.and_then(|flops| flops.try_into().ok()).unwrap_or(0));
        taken.symbols.push(kernel.name.clone());
    }
}
