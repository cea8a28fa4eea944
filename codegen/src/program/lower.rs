//! From modules of primitive functions and the language to the instructions of programs.

use super::{
    functions::Body,
    is_kernel,
    state::{State, cannot, check},
};
use crate::{
    CodegenError,
    interface::{Executor, Port, Taken},
};
use relay_dialects::{
    attrs,
    dim::dims,
    ir::{Attr, Op, Type},
    names::relay,
    ops::func,
    tir::KernelKind,
};

/// Takes the functions of a program out of its module, which is at the [level](relay_passes::pipeline::Level::Relay) of
/// primitive functions. What only the entry reaches is taken; nothing but primitive functions is left.
///
/// # Errors
/// If there is no entry, it takes or gives what no buffer holds, or a function holds what cannot be run.
pub fn take(module: Op, executor: Executor) -> Result<Taken, CodegenError> {
    let main = module.function("main");
    let main = main.filter(|main| main.block_in(0).is_some());
    let main = main.ok_or(CodegenError::NoEntry)?;
    let (inputs, outputs) = ports(main)?;
    let mut state = State::new(module);
    state.number(main)?;
    let mut done = 0;
    while let Some(function) = state.open.get(done).copied() {
        done += 1;
        let code = Body::lower(&mut state, function)?;
        state.program.functions.push(code);
    }
    for op in module.body().ops() {
        let is_left = op.is(func::Func::NAME) && is_kernel(op) && !KernelKind::View.is_of(op);
        if !is_left && (op.is(func::Func::NAME) || op.is(relay::TYPE_DEF)) {
            op.erase();
        }
    }
    Ok(Taken {
        program: state.program,
        executor,
        symbols: Vec::new(),
        flops: Vec::new(),
        inputs,
        outputs,
        weights: state.weights,
    })
}

/// What the entry takes and gives.
fn ports(main: Op) -> Result<(Vec<Port>, Vec<Port>), CodegenError> {
    let ty = main.function_type();
    let ty = ty.ok_or(CodegenError::NoEntry)?;
    let given: Vec<Type> = ty.results().into_iter().flat_map(leaves).collect();
    let list = |types: Vec<Type>, names: &str, kind: &str| -> Result<Vec<Port>, CodegenError> {
        let named = main
            .attr(names)
            .and_then(Attr::as_array)
            .unwrap_or_default();
        let port = |(index, ty): (usize, Type)| {
            let name = named
                .get(index)
                .and_then(|entries| entries.get(attrs::NAME)?.as_str());
            let name = name.unwrap_or_else(|| format!("{kind}{index}"));
            if let Err(reason) = check(ty) {
                return cannot(
                    main,
                    format!("has the {kind} '{name}' of type {ty}: {reason}"),
                );
            }
            Ok(Port {
                name,
                element: ty.element(),
                dims: dims(&ty.shape()),
                donated: None,
            })
        };
        types.into_iter().enumerate().map(port).collect()
    };
    let inputs = list(ty.inputs(), "arg_attrs", "input")?;
    Ok((inputs, list(given, "res_attrs", "output")?))
}

/// The types in a tuple, and in tuples in it; of anything else, itself.
fn leaves(ty: Type) -> Vec<Type> {
    match ty.fields() {
        Some(fields) => fields.into_iter().flat_map(leaves).collect(),
        None => vec![ty],
    }
}
