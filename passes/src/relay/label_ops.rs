//! `label-ops`: a number for what each primitive function computes.

use crate::graph::calls::is_primitive;
use relay_dialects::{
    attrs::HASH,
    ir::{Attr, Op},
    names,
    ops::builtin,
    pass::{Options, PassResult, PassSpec},
    relay::build::constant,
};
use sha2::{Digest, Sha256};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "label-ops",
    summary: "give each primitive function a hash of its computation",
    description: include_str!("label_ops.md"),
    anchor: builtin::Module::NAME,
    options: &[],
    run,
};

/// The name that all functions have while they are hashed.
const NEUTRAL: &str = "function";

fn run(module: Op, _options: &Options) -> PassResult {
    for function in module.functions() {
        if is_primitive(function) && !function.has_attr(HASH) {
            let label = Attr::str(function.ctx(), &hash(function));
            function.set_attr(HASH, label);
        }
    }
    Ok(())
}

/// The first 64 bits of the SHA-256 of a function's text under a neutral name.
fn hash(function: Op) -> String {
    let copy = function.clone_detached();
    copy.set_attr("sym_name", Attr::str(copy.ctx(), NEUTRAL));
    let mut digest = Sha256::new();
    // The text has a resource's name, not its elements.
    for op in copy.find_all(names::relay::CONSTANT) {
        let value = constant(op.result(0)).filter(|value| value.is_resource());
        if value
            .and_then(|value| value.read(|bytes| digest.update(bytes)))
            .is_some()
        {
            let parameter = copy.add_parameter(op.result(0).ty());
            op.replace_with(&[parameter]);
        }
    }
    digest.update(copy.to_string());
    copy.erase();
    let bytes = digest.finalize();
    bytes[..8]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}
