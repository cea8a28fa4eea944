//! `donate-caches`: caches that a model gets and gives back, in one place.

use relay_dialects::{
    attrs::DONATED,
    ir::{Attr, Op, Value},
    names,
    ops::builtin,
    pass::{Options, PassResult, PassSpec},
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "donate-caches",
    summary: "let caches that a model updates lie in the memory of its outputs",
    description: include_str!("donate_caches.md"),
    anchor: builtin::Module::NAME,
    options: &[],
    run,
};

fn run(module: Op, _options: &Options) -> PassResult {
    let main = module.function("main");
    let Some(main) = main.filter(|main| main.block_in(0).is_some()) else {
        return Ok(());
    };
    let arguments = main.body().args();
    let attrs = main.attr("arg_attrs").and_then(Attr::as_array);
    let none = || vec![Attr::dict(main.ctx(), &[]); arguments.len()];
    let mut attrs = attrs.unwrap_or_else(none);
    let donated = attrs
        .iter()
        .filter_map(|attrs| attrs.get(DONATED)?.as_i64());
    let mut taken: Vec<i64> = donated.collect();
    for (input, attrs) in arguments.into_iter().zip(&mut attrs) {
        let is_free = attrs.get(DONATED).is_none();
        let Some(output) = updated(main, input).filter(|output| is_free && !taken.contains(output))
        else {
            continue;
        };
        taken.push(output);
        *attrs = attrs.with(DONATED, Attr::i64(main.ctx(), output));
    }
    if !taken.is_empty() {
        main.set_attr("arg_attrs", Attr::array(main.ctx(), &attrs));
    }
    Ok(())
}

/// The number of the result that an update makes of an input, if that is the only reader of the input.
fn updated(main: Op, input: Value) -> Option<i64> {
    let uses = input.uses();
    let &[(update, 0)] = uses.as_slice() else {
        return None;
    };
    let is_update = update.is(names::relay::CACHE_UPDATE) && update.block() == Some(main.body());
    let result = is_update.then(|| update.result(0))?;
    let returned = main.body().terminator()?.operands();
    let mut places = (0..returned.len()).filter(|place| returned[*place] == result);
    let (place, None) = (places.next()?, places.next()) else {
        return None;
    };
    (result.ty() == input.ty()).then_some(place as i64)
}
