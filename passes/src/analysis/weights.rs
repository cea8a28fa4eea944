//! The constants of a module: how many bytes they take, and in which layouts.

use relay_dialects::{
    attrs,
    ir::{Attr, Op, Value},
    names,
    ops::func,
};
use std::collections::{BTreeMap, HashSet};

/// What layouts of constants are called that no operator names: they lie as in the model.
const PLAIN: &str = "plain";

/// The bytes of the constants whose elements a module holds, equal ones once.
pub fn held_bytes(module: Op) -> u64 {
    let constants = module.find_all(names::relay::CONSTANT);
    let held: HashSet<Attr> = constants.iter().filter_map(|op| op.attr("value")).collect();
    held.into_iter().filter_map(bytes).sum()
}

/// The bytes of the constants of a module of primitive functions, equal ones once, by the layout that their first
/// reader takes them in.
pub fn by_layout(module: Op) -> BTreeMap<String, u64> {
    let mut found = BTreeMap::new();
    let mut seen = HashSet::new();
    for constant in module.find_all(names::relay::CONSTANT) {
        let held = constant.attr("value").filter(|value| seen.insert(*value));
        if let Some(bytes) = held.and_then(bytes) {
            let layout = layout_of(constant.result(0), module);
            *found
                .entry(layout.unwrap_or_else(|| PLAIN.into()))
                .or_default() += bytes;
        }
    }
    found
}

/// The bytes of elements that are written out.
fn bytes(elements: Attr) -> Option<u64> {
    let is_written_out = elements.splat_value().is_none();
    let length = elements.read(<[u8]>::len).filter(|_| is_written_out)?;
    u64::try_from(length).ok()
}

/// The layout in which the first operator reads a value, also inside a function that is called with it.
fn layout_of(value: Value, module: Op) -> Option<String> {
    let user = value.users().into_iter().next()?;
    let place = (user.operands().iter()).position(|operand| *operand == value)?;
    if user.is(func::Call::NAME) {
        let callee = user.attr("callee").and_then(Attr::as_symbol)?;
        let function = module.lookup(&callee)?;
        // Functions for external code generators are declared here, and their bodies are elsewhere.
        let body = function.block_in(0);
        let parameters = body.filter(|_| function.has_attr(attrs::PRIMITIVE))?.args();
        return layout_of(*parameters.get(place)?, module);
    }
    let named = ["kernel_layout", "weight_layout"];
    let layout = named.iter().find_map(|name| user.attr(name));
    let layout = layout.and_then(Attr::as_str).filter(|_| place == 1)?;
    Some(match user.attr("tile_size").and_then(Attr::as_i64) {
        Some(tile) => format!("Winograd {tile}, {layout}"),
        None => layout,
    })
}
