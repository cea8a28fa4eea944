//! Copies of a function, and of what it calls, for one extent.

use crate::graph::{names::fresh, retype::reopen_function};
use relay_dialects::ir::{Attr, Builder, DYNAMIC, Op, Type, Value};
use std::collections::HashMap;

/// A copy of the function.
pub struct Variant {
    /// Its extent of the dimension, or [`DYNAMIC`] for any.
    pub extent: i64,
    /// The copy.
    pub function: Op,
}

impl Variant {
    /// The types of its results, once they are inferred.
    pub fn results(&self) -> Vec<Type> {
        let ty = self.function.function_type();
        ty.map(Type::results).unwrap_or_default()
    }

    /// Its parameters.
    pub fn parameters(&self) -> Vec<Value> {
        self.function.body().args()
    }
}

/// Copies `reached`, all functions with a body that `main` calls and `main` itself, to the end of the module. Of `inputs`,
/// numbers of parameters with a dimension each, the dimension gets an extent; the types that follow are left open.
pub fn make(
    module: Op,
    main: Op,
    reached: &[Op],
    extent: i64,
    inputs: &[(usize, usize)],
) -> Variant {
    let end = Builder::at_end(module.body(), module.loc(), module.ctx());
    let mut renamed = HashMap::new();
    let mut copies = Vec::new();
    for function in reached {
        let old = function.symbol().unwrap_or_default();
        let name = name(module, &old, extent);
        let copy = end.insert(function.clone_detached());
        copy.set_attr("sym_name", Attr::str(copy.ctx(), &name));
        copy.set_attr("sym_visibility", Attr::str(copy.ctx(), "private"));
        renamed.insert(old, name);
        copies.push((copy, *function == main));
    }
    let mut entry = main;
    for (copy, is_entry) in copies {
        rename(copy, &renamed);
        if is_entry {
            open_inputs(copy, extent, inputs);
            entry = copy;
        }
        reopen_function(copy, is_entry, |_| true);
    }
    Variant {
        extent,
        function: entry,
    }
}

fn name(module: Op, old: &str, extent: i64) -> String {
    let name = match extent {
        DYNAMIC => format!("{old}_dynamic"),
        _ => format!("{old}_{extent}"),
    };
    match module.lookup(&name) {
        None => name,
        Some(_) => fresh(module, &name),
    }
}

/// Has a copy name the copies of what it named.
fn rename(copy: Op, renamed: &HashMap<String, String>) {
    copy.walk(|op| {
        for (key, attr) in op.attrs() {
            if let Some(name) = attr.as_symbol().and_then(|name| renamed.get(&name)) {
                op.set_attr(&key, Attr::symbol(op.ctx(), name));
            }
        }
    });
}

/// Gives an entry's inputs their extent. The interface is that of the function that calls it.
fn open_inputs(entry: Op, extent: i64, inputs: &[(usize, usize)]) {
    let arguments = entry.body().args();
    for (place, dim) in inputs {
        let value = arguments[*place];
        let mut shape = value.ty().shape();
        shape[*dim] = extent;
        value.set_ty(Type::tensor(&shape, value.ty().element()));
    }
    entry.remove_attr("arg_attrs");
    entry.remove_attr("res_attrs");
}
