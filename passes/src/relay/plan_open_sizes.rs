//! `plan-open-sizes`: sizes of open dimensions for which all tensors have enough elements to plan schedules for.

use relay_dialects::{
    ir::{Block, Op, Region, Type, Value},
    ops::builtin,
    pass::{Options, PassResult, PassSpec, fail},
    relay::language::computed_symbols,
    symbols::{Symbol, set_symbols, symbols},
};
use relay_topi::schedule::cost::sizes;

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "plan-open-sizes",
    summary: "raise the planned sizes of open dimensions until no tensor is too short to plan for",
    description: include_str!("plan_open_sizes.md"),
    anchor: builtin::Module::NAME,
    options: &[],
    run,
};

fn run(module: Op, _options: &Options) -> PassResult {
    let mut all = match symbols(module) {
        Ok(all) => all,
        Err(reason) => return fail(module, reason),
    };
    let types = open_types(module);
    let names = types.iter().flat_map(|ty| ty.dims());
    for name in names.flat_map(|dim| dim.symbols()) {
        if !all.iter().any(|known| known.name == name) {
            all.push(Symbol::any(name));
        }
    }
    let computed = computed_symbols(module);
    let is_given = |symbol: &Symbol| !computed.contains(&symbol.name);
    let mut raised = false;
    for ty in types {
        raised |= sizes::raise(&mut all, &ty.dims(), is_given);
    }
    if raised {
        all.sort_by(|one, other| one.name.cmp(&other.name));
        set_symbols(module, &all);
    }
    Ok(())
}

/// The types of a module's tensors that have open dimensions, each once.
fn open_types(module: Op) -> Vec<Type> {
    let mut found = Vec::new();
    module.walk(|op| {
        let blocks = op.regions().into_iter().flat_map(Region::blocks);
        let values = blocks.flat_map(Block::args).chain(op.results());
        for ty in values.map(Value::ty).filter(|ty| ty.is_tensor()) {
            let is_open = ty.dims().iter().any(|dim| !dim.is_known());
            if is_open && !found.contains(&ty) {
                found.push(ty);
            }
        }
    });
    found
}
