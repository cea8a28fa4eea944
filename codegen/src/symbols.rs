//! The symbols of kernels, which calls and nodes name.

use crate::{CodegenError, interface::Node};
use relay_dialects::{
    attrs,
    ir::{Attr, Builder, Op},
    ops::func,
    tir::KernelKind,
};
use std::collections::HashMap;

/// Has calls and nodes of external kernels name the symbols of their code.
///
/// # Errors
/// If one has no code.
pub(crate) fn name_external(module: Op, nodes: &mut [Node]) -> Result<(), CodegenError> {
    let symbols = set_symbols(module)?;
    rename(&module.find_all(func::Call::NAME), nodes, &symbols);
    Ok(())
}

/// Has calls and nodes name the kernels by their symbols.
pub(crate) fn rename(calls: &[Op], nodes: &mut [Node], symbols: &HashMap<String, String>) {
    for call in calls {
        if let Some(symbol) = callee(*call).and_then(|callee| symbols.get(&callee)) {
            call.set_attr("callee", Attr::symbol(call.ctx(), symbol));
        }
    }
    for node in nodes {
        if let Some(symbol) = symbols.get(&node.kernel) {
            node.symbol.clone_from(symbol);
        }
    }
}

/// The function that a call names.
pub(crate) fn callee(call: Op) -> Option<String> {
    call.attr("callee")?.as_symbol()
}

/// A declaration of a function before it.
pub(crate) fn declare(func: Op) -> Op {
    let types: Vec<_> = func.body().args().iter().map(|value| value.ty()).collect();
    Builder::before(func).declare("", &types, &[])
}

/// Gives the external kernels of a module the names of their code: from the names that they had.
///
/// # Errors
/// If one has no code.
fn set_symbols(module: Op) -> Result<HashMap<String, String>, CodegenError> {
    let mut symbols = HashMap::new();
    let declarations = module.body().ops().into_iter();
    for kernel in
        declarations.filter(|op| op.is(func::Func::NAME) && KernelKind::External.is_of(*op))
    {
        let name = kernel.symbol().unwrap_or_default();
        let Some(symbol) = kernel.attr(attrs::SYMBOL).and_then(Attr::as_str) else {
            return Err(CodegenError::External(format!(
                "there is no code of '{name}', which is an external kernel: the functions that partition-graph makes are \
                 compiled by the generator that --codegen names"
            )));
        };
        kernel.set_attr("sym_name", Attr::str(module.ctx(), &symbol));
        kernel.remove_attr(attrs::SYMBOL);
        symbols.insert(name, symbol);
    }
    Ok(symbols)
}
