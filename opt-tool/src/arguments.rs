//! What `relay-opt` takes beside the options of MLIR's optimiser driver, written as that driver takes it.

use relay_dialects::pass::PassSpec;
use relay_passes::{DECIDING, relay::attach_target};
use std::ffi::{OsStr, OsString};

/// The option that names a target.
const OPTION: &str = "--target";

/// The variable that names the target of modules without one, if the option is not given.
pub const VARIABLE: &str = "RELAY_OPT_TARGET";

/// What `--help` says of the option.
pub const HELP: &str = "\
OVERVIEW: MLIR's optimiser driver with the dialects relay, te and tir, and their passes

  --target=<target>   - The target that layouts and schedules are for, as for relayc compile --target. Without it, a module
                        keeps the target that it names (relay.machine), and others are for this machine.
  --load-operators=<file> - Load a library that declares operators (relay_operators.h). May be repeated.
";

/// The driver's arguments for ours: `--flag=VALUE` of a pass with one text is spelled out, and the pass `attach-target` comes first
/// where a target is given, or where a pass needs one. `default` is the target of modules that name none.
///
/// # Errors
/// If the option lacks its value.
pub fn spell_out(
    arguments: Vec<OsString>,
    default: &str,
    passes: &[&PassSpec],
) -> Result<Vec<OsString>, String> {
    let (target, mut arguments) = take_target(arguments)?;
    let needs = arguments.iter().any(|argument| needs_machine(argument));
    if target.is_some() || needs {
        let text = target.as_deref().unwrap_or(default);
        attach(&mut arguments, text, target.is_none());
    }
    let long = |argument: OsString| {
        let mut passes = passes.iter();
        let spelled = passes.find_map(|pass| pass.spelled_out(argument.to_str()?));
        spelled.map_or(argument, OsString::from)
    };
    Ok(arguments.into_iter().map(long).collect())
}

/// The target that is given last, and the other arguments.
fn take_target(arguments: Vec<OsString>) -> Result<(Option<String>, Vec<OsString>), String> {
    let (mut target, mut others) = (None, Vec::new());
    let mut arguments = arguments.into_iter();
    while let Some(argument) = arguments.next() {
        match argument.to_str().and_then(|text| text.strip_prefix(OPTION)) {
            Some("") => {
                let value = arguments.next().and_then(|value| value.into_string().ok());
                target = Some(value.ok_or(format!("{OPTION} needs a target: {OPTION}=x86-64-v3"))?);
            }
            Some(rest) if rest.starts_with('=') => target = Some(rest[1..].to_owned()),
            _ => others.push(argument),
        }
    }
    Ok((target, others))
}

/// Whether an argument is the flag of a pass that decides by the machine, or a pipeline with one.
fn needs_machine(argument: &OsStr) -> bool {
    let Some(argument) = argument.to_str() else {
        return false;
    };
    let is_word = |letter: char| letter.is_ascii_alphanumeric() || letter == '-';
    let mut words = match pipeline(argument) {
        Some(pipeline) => pipeline.split(|letter| !is_word(letter)).collect(),
        None => vec![argument.split('=').next().unwrap_or_default()],
    }
    .into_iter();
    words.any(|word: &str| {
        let flag = word.trim_start_matches('-');
        DECIDING.iter().any(|pass| pass.flag == flag)
    })
}

/// The text of `--pass-pipeline=TEXT`.
fn pipeline(argument: &str) -> Option<&str> {
    let dashed = argument.trim_start_matches('-');
    dashed.strip_prefix("pass-pipeline=")
}

/// Puts the pass that names the target before all others.
fn attach(arguments: &mut Vec<OsString>, target: &str, keep: bool) {
    let flag = attach_target::SPEC.flag;
    let options = format!("target=\"{target}\" keep={keep}");
    let root = "builtin.module(";
    for argument in arguments.iter_mut() {
        if let Some(text) = argument.to_str().filter(|text| pipeline(text).is_some()) {
            *argument = text
                .replacen(root, &format!("{root}{flag}{{{options}}},"), 1)
                .into();
            return;
        }
    }
    arguments.insert(1, format!("--{flag}={options}").into());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spelled(arguments: &str) -> String {
        let arguments = arguments.split(' ').map(OsString::from).collect();
        let arguments = spell_out(arguments, "native", &relay_passes::all());
        let arguments = arguments.expect("they are complete");
        arguments
            .join(OsStr::new(" "))
            .into_string()
            .expect("it is UTF-8")
    }

    #[test]
    fn a_target_is_attached_where_it_counts() {
        for (given, expected) in [
            ("opt --cse", "opt --cse"),
            (
                "opt --fuse-ops=max-depth=2 --cse",
                "opt --attach-target=target=\"native\" keep=true --fuse-ops=max-depth=2 --cse",
            ),
            (
                "opt x.mlir --target=x86-64-v3 --cse",
                "opt --attach-target=target=\"x86-64-v3\" keep=false x.mlir --cse",
            ),
            (
                "opt --target wasm32 x.mlir",
                "opt --attach-target=target=\"wasm32\" keep=false x.mlir",
            ),
            (
                "opt --pass-pipeline=builtin.module(func.func(alter-op-layout),cse)",
                "opt --pass-pipeline=builtin.module(attach-target{target=\"native\" keep=true},func.func(alter-op-layout),cse)",
            ),
            (
                "opt --pass-pipeline=builtin.module(defuse-ops)",
                "opt --pass-pipeline=builtin.module(defuse-ops)",
            ),
            ("opt --rewrite=x.pat", "opt --rewrite=rules=x.pat"),
        ] {
            assert_eq!(spelled(given), expected);
        }
        let incomplete = vec!["opt".into(), OPTION.into()];
        spell_out(incomplete, "native", &[]).expect_err("there is no target");
    }
}
