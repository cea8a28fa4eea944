//! `te-apply-knobs`: makes a choice where schedules leave one.

use relay_dialects::{
    ir::Op,
    names,
    ops::builtin,
    pass::{Default, OptionSpec, Options, PassResult, PassSpec, fail},
};
use relay_tune::knobs::{Config, apply};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "te-apply-knobs",
    summary: "Apply a choice for each knob, and remove the knobs",
    description: include_str!("te_apply_knobs.md"),
    anchor: builtin::Module::NAME,
    options: &[CONFIG],
    run,
};

/// The choice.
const CONFIG: OptionSpec = OptionSpec {
    name: "config",
    summary: "the number of each knob: \"tile=8 order=2\"; other knobs keep their written numbers",
    default: Default::Str(""),
};

fn run(module: Op, options: &Options) -> PassResult {
    let config: Config = match options.str(CONFIG.name).parse() {
        Ok(config) => config,
        Err(reason) => return fail(module, reason),
    };
    for schedule in module.find_all(names::te::SCHEDULE) {
        if let Err(wrong) = apply(schedule, &config) {
            return fail(wrong.op, wrong.reason);
        }
    }
    Ok(())
}
