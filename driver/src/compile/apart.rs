//! What leaves a module below the level of operators: the functions of a program, and those that external code generators
//! write the code of.

use super::{CompileOptions, made, program, run_between, run_passes};
use crate::DriverError;
use melior::{Context, ir::Module};
use relay_codegen::{
    external::{
        self,
        graph::{Function, Part},
    },
    interface::Taken,
};
use relay_dialects::{
    attrs,
    ir::{Attr, Op},
    pass::{run_pipeline, with_diagnostics},
};
use relay_passes::{
    analysis::flops::flops,
    pipeline::{Level, Order},
};
use std::collections::{BTreeMap, BTreeSet};

/// What was taken out of a module.
#[derive(Debug, Default)]
pub(crate) struct Apart {
    /// The functions of a program.
    pub program: Option<Taken>,
    /// The functions for external code generators.
    pub external: Vec<Part>,
    /// The bytes of the constants that stay, by layout.
    pub layouts: BTreeMap<String, u64>,
}

/// Takes a module down to a level. What leaves it on the way is no part of it then.
///
/// # Errors
/// If a pass fails, or a function holds what cannot be run or told of.
pub(crate) fn lower(
    context: &Context,
    module: &mut Module<'_>,
    level: Level,
    options: &CompileOptions,
) -> Result<Apart, DriverError> {
    run_passes(context, module, level.min(Level::Relay), options)?;
    if level == Level::Relay {
        return Ok(Apart::default());
    }
    let apart = take(context, module, options)?;
    run_between(context, module, (Level::Relay, level), options)?;
    Ok(apart)
}

/// Takes out of a module what is not lowered with it.
///
/// # Errors
/// If a function holds what cannot be run or told of, or a program has functions for external code generators.
pub(super) fn take(
    context: &Context,
    module: &Module<'_>,
    options: &CompileOptions,
) -> Result<Apart, DriverError> {
    count_flops(context, module, options);
    let external = external::take(Op::of_module(module), &options.target)?;
    if options.program && !(external.is_empty() && options.codegen.is_empty()) {
        return Err(DriverError::Usage(
            "external code generators take parts of graphs, and this model is a program of the whole language; leave \
             --codegen out"
                .into(),
        ));
    }
    if let Some(device) = options.target.device {
        refuse_for_gpus(options)?;
        say_hosted(&external, device.card.gpu.kind.name());
    }
    Ok(Apart {
        program: program::take(module, options)?,
        external,
        layouts: made::by_layout(module),
    })
}

/// Refuses what runs on processors only.
fn refuse_for_gpus(options: &CompileOptions) -> Result<(), DriverError> {
    match options.program {
        false => Ok(()),
        true => Err(DriverError::Usage(
            "programs with functions and data types cannot run on a GPU yet; compile for a processor: leave --target out, or name \
             one"
            .into(),
        )),
    }
}

/// Says which operators the host runs in a model for a GPU, and why.
fn say_hosted(external: &[Part], device: &str) {
    for part in external {
        let nodes: Vec<&str> = part.functions.iter().flat_map(operators).collect();
        let kinds: BTreeSet<&str> = nodes.iter().copied().collect();
        let kinds: Vec<&str> = kinds.into_iter().collect();
        tracing::warn!(
            "{} operators run on the host, and their tensors are copied from and to the device ({device}), because the code \
             generator '{}' writes code for processors: {}",
            nodes.len(),
            part.target,
            kinds.join(", ")
        );
    }
}

/// Relay's names of the operators of a function, also of those in composites.
fn operators(function: &Function) -> Vec<&str> {
    let names = function.nodes.iter().map(|node| match &node.body {
        Some(body) => operators(body),
        None if node.data.is_some() => Vec::new(),
        None => vec![node.op.as_str()],
    });
    names.flatten().collect()
}

/// Says of external kernels how many floating-point operations they take, for profiles. They are counted on tensor expressions
/// of the operators, as those of our own are; what cannot be counted has no number.
fn count_flops(context: &Context, module: &Module<'_>, options: &CompileOptions) {
    let root = Op::of_module(module);
    let units = root.body().ops().into_iter();
    for unit in units.filter(|op| op.has_attr(attrs::COMPILER)) {
        let Some(mut copy) = relay_dialects::parse(context, &unit.to_bytecode(), "-") else {
            continue;
        };
        let order = Order {
            opt_level: 0,
            ..Order::standard(&options.target)
        };
        let passes = order.passes(Level::Te).join(",");
        let (done, _) = with_diagnostics(context, || run_pipeline(context, &mut copy, &passes));
        for function in unit.functions() {
            let name = function.symbol().unwrap_or_default();
            let counted = Op::of_module(&copy).lookup(&name).filter(|_| done.is_ok());
            let operations = counted.and_then(|function| flops(function, Op::of_module(&copy)));
            let operations = operations
                .and_then(|count| i64::try_from(count).ok())
                .filter(|count| *count > 0);
            if let (Some(operations), Some(declaration)) = (operations, root.lookup(&name)) {
                declaration.set_attr(attrs::FLOPS, Attr::i64(root.ctx(), operations));
            }
        }
    }
}

/// Refuses to make a bare model with external code.
///
/// # Errors
/// If there are external code generators.
pub(super) fn refuse_bare(options: &CompileOptions) -> Result<(), DriverError> {
    match options.codegen.is_empty() {
        true => Ok(()),
        false => Err(DriverError::Usage(
            "a bare model runs without a system, which external code needs; leave --emit bare or --codegen out".into(),
        )),
    }
}
