//! [`SPEC`].

use relay_dialects::{
    attrs,
    ir::Op,
    ops::builtin,
    pass::{Default, OptionSpec, Options, PassResult, PassSpec, fail},
};
use relay_machine::{Target, TargetError, ir::attach};
use std::sync::{Mutex, PoisonError};

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
    match parse(options.str("target")) {
        Ok(target) => {
            attach(module, &target);
            Ok(())
        }
        Err(error) => fail(module, error.to_string()),
    }
}

/// The target of a text. The last one is remembered: LLVM takes a millisecond to say what a CPU has, as long as all other passes take on
/// the module of one operator.
fn parse(text: &str) -> Result<Target, TargetError> {
    static LAST: Mutex<Option<(String, Target)>> = Mutex::new(None);
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, target)) = last.as_ref().filter(|(known, _)| known == text) {
        return Ok(target.clone());
    }
    let target = Target::parse(text)?;
    *last = Some((text.to_owned(), target.clone()));
    Ok(target)
}
