//! Names for new functions.

use relay_dialects::ir::Op;

/// A name that nothing in a module has: another one with a number behind it.
pub fn fresh(module: Op, name: &str) -> String {
    let mut numbered = (0..).map(|number: u64| format!("{name}_{number}"));
    let free = numbered.find(|name| module.lookup(name).is_none());
    free.unwrap_or_else(|| name.into())
}
