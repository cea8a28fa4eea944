//! [`SPEC`].

use relay_dialects::{
    attrs,
    ir::Op,
    ops::builtin,
    pass::{Default, OptionSpec, Options, PassResult, PassSpec, fail},
};
use relay_machine::{Target, ir::attach};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "attach-target",
    summary: "say on a module which machine it is for",
    description: include_str!("attach_target.md"),
    anchor: builtin::Module::NAME,
    options: &[
        OptionSpec {
            name: "target",
            summary: "one target, as for relayc compile --target",
            default: Default::Str(Target::NATIVE),
        },
        OptionSpec {
            name: "keep",
            summary: "leave a module alone that names its machine already",
            default: Default::Bool(false),
        },
    ],
    run,
};

fn run(module: Op, options: &Options) -> PassResult {
    if options.bool("keep") && module.has_attr(attrs::MACHINE) {
        return Ok(());
    }
    match Target::parse(options.str("target")) {
        Ok(target) => {
            attach(module, &target);
            Ok(())
        }
        Err(error) => fail(module, error.to_string()),
    }
}
