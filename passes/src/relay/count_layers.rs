//! `count-layers`: how many operators of some kinds come one behind the other.

use crate::analysis::{layers::depth, macs::multiplies};
use relay_dialects::{
    ir::Op,
    ops::builtin,
    pass::{Default, OptionSpec, Options, PassResult, PassSpec, fail},
    relay::row,
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "count-layers",
    summary: "print on stderr the number of layers of each function",
    description: include_str!("count_layers.md"),
    anchor: builtin::Module::NAME,
    options: &[OptionSpec {
        name: "operators",
        summary: "the operators to count: nn.conv2d,nn.dense; by default all convolutions and matrix products",
        default: Default::Str(""),
    }],
    run,
};

fn run(module: Op, options: &Options) -> PassResult {
    let listed = options.str("operators").split(',').map(str::trim);
    let listed = listed.filter(|name| !name.is_empty());
    let names: Vec<String> = listed.map(|name| format!("relay.{name}")).collect();
    if let Some(unknown) = names.iter().find(|name| row(name).is_none()) {
        return fail(
            module,
            format!("is to count {unknown}, which is no operator"),
        );
    }
    for function in module.functions() {
        let counts = |op: Op| match names.is_empty() {
            true => multiplies(op),
            false => names.iter().any(|name| op.is(name)),
        };
        let count = depth(function, counts);
        eprintln!("@{}: {count} layers", function.symbol().unwrap_or_default());
    }
    Ok(())
}
