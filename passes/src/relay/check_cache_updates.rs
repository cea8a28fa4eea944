//! `check-cache-updates`: a run whose updates would write beyond a cache ends with an error.

use relay_dialects::{
    dim::Dim,
    element::Element,
    ir::{Attr, Builder, Op, Type, Value},
    names::relay,
    ops::builtin,
    pass::{Options, PassResult, PassSpec, fail},
    relay::{
        Attrs,
        build::{constant, extent, make, splat},
        language::computed_symbols,
        relation::normalize_axis,
    },
    symbols::{Symbol, UNBOUNDED, set_symbols, symbols},
};
use std::collections::HashSet;

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "check-cache-updates",
    summary: "have a library check where it updates its caches",
    description: include_str!("check_cache_updates.md"),
    anchor: builtin::Module::NAME,
    options: &[],
    run,
};

/// How the symbols of positions are called.
const POSITION: &str = "cache_position";

fn run(module: Op, _options: &Options) -> PassResult {
    let Some(main) = module.function("main") else {
        return Ok(());
    };
    let mut known = match symbols(module) {
        Ok(known) => known,
        Err(reason) => return fail(module, reason),
    };
    let mut taken = taken_names(module);
    let mut checked: Vec<(Value, Dim)> = Vec::new();
    for update in main.find_all(relay::CACHE_UPDATE) {
        // What a branch or a loop computes cannot be checked.
        if update.parent() != Some(main) {
            continue;
        }
        let most = match last_position(update) {
            Ok(most) => most,
            Err(reason) => return fail(update, reason),
        };
        let position = update.operand(2);
        if !checked.contains(&(position, most)) && !is_known_to_fit(position, most) {
            checked.push((position, most));
            for name in check(update, most, &mut taken) {
                let bound = most.known().unwrap_or(UNBOUNDED);
                match Symbol::bounded(&name, 0, bound, 1) {
                    Ok(symbol) => known.push(symbol),
                    Err(reason) => return fail(update, reason),
                }
            }
        }
    }
    if !checked.is_empty() {
        set_symbols(module, &known);
    }
    Ok(())
}

/// The names of symbols in a module.
fn taken_names(module: Op) -> HashSet<String> {
    let declared = symbols(module).unwrap_or_default().into_iter();
    let types = module.functions().into_iter();
    let types = types.filter_map(|function| function.function_type());
    let dims = types.flat_map(Type::inputs).filter(|ty| ty.is_tensor());
    let dims = dims.flat_map(Type::dims).flat_map(Dim::symbols);
    let all = declared.map(|symbol| symbol.name);
    let all = all.chain(computed_symbols(module));
    all.chain(dims.map(String::from)).collect()
}

/// The last row at which an update may begin.
fn last_position(update: Op) -> Result<Dim, String> {
    let (cache, new) = (update.operand(0).ty().dims(), update.operand(1).ty().dims());
    let axis = normalize_axis(Attrs::of(update).int("axis")?, cache.len())?;
    cache[axis].minus(new[axis])
}

/// Whether a position is a number that is not too large.
fn is_known_to_fit(position: Value, most: Dim) -> bool {
    let first = constant(position).and_then(|_| splat(position));
    let both = first.zip(most.known());
    both.is_some_and(|(first, most)| first >= 0.0 && first <= most as f64)
}

/// Checks the least and the greatest position of an update; the symbols that they become.
fn check(update: Op, most: Dim, taken: &mut HashSet<String>) -> Vec<String> {
    let b = Builder::before(update).with_loc(update.loc());
    let wide = Type::int(b.ctx, 64);
    let mut position = update.operand(2);
    if Element::of(position.ty().element()) != Some(Element::I64) {
        let dtype = [("dtype", Attr::ty(wide))];
        position = make(&b, relay::CAST, &[position], &dtype);
    }
    let ends = match position.ty().dims().is_empty() {
        true => vec![position],
        false => {
            let end = |name| make(&b, name, &[position], &[]);
            vec![end(relay::MIN), end(relay::MAX)]
        }
    };
    let define = |end: Value| {
        let names = std::iter::once(POSITION.to_owned());
        let mut names = names.chain((2..).map(|number| format!("{POSITION}_{number}")));
        let name = names.find(|name| !taken.contains(name)).unwrap_or_default();
        let attrs = [
            ("symbol", Attr::str(b.ctx, &name)),
            ("most", extent(b.ctx, most)),
        ];
        b.op(relay::DIM_OF, &[end], &[], &attrs);
        taken.insert(name.clone());
        name
    };
    ends.into_iter().map(define).collect()
}
