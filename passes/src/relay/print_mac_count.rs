//! `print-mac-count`: how many multiply-adds a module takes.

use crate::analysis::macs::{macs, multiplies};
use relay_dialects::{
    inferred,
    ir::Op,
    ops::builtin,
    pass::{Options, PassResult, PassSpec},
};
use std::collections::BTreeMap;

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "print-mac-count",
    summary: "print on stderr the multiply-adds of convolutions and matrix products",
    description: include_str!("print_mac_count.md"),
    anchor: builtin::Module::NAME,
    options: &[],
    run,
};

fn run(module: Op, _options: &Options) -> PassResult {
    inferred::check(module)?;
    for function in module.functions() {
        let mut counts: BTreeMap<String, u64> = BTreeMap::new();
        let mut unknown = 0;
        function.walk(|op| match macs(op) {
            Some(count) => {
                let sum = counts.entry(op.name()).or_default();
                *sum = sum.saturating_add(count);
            }
            None => unknown += usize::from(multiplies(op)),
        });
        let total = counts.values().copied().fold(0, u64::saturating_add);
        eprintln!("@{}: {total}", function.symbol().unwrap_or_default());
        for (name, count) in counts {
            eprintln!("  {name}: {count}");
        }
        if unknown > 0 {
            eprintln!("  not counted, as shapes are open or too large: {unknown} operators");
        }
    }
    Ok(())
}
