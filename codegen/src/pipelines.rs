//! The standard orders of passes as pipelines in MLIR's registry, for any tool of MLIR.
//!
//! [`relay_passes::pipeline`] writes the orders down; here are the options that choose one, which are those of
//! `relayc compile`.

use crate::Target;
use relay_dialects::{
    pass::{Default, OptionSpec, Options},
    pipeline::PipelineSpec,
};
use relay_passes::pipeline::{Goal, Level, MAX_OPT_LEVEL, Order, Precision};

/// All pipelines.
pub const ALL: &[PipelineSpec] = &[
    PipelineSpec {
        flag: "relay-pipeline",
        summary: "the passes of relayc compile, from an imported model to a level",
        options: &[TARGET, OPT_LEVEL, PRECISION, OPTIMIZE, CACHE, TO],
        passes: |options| Ok(order(options)?.passes(level(options)?)),
    },
    PipelineSpec {
        flag: "relay-lower",
        summary: "the passes of relayc compile after fusion, from primitive functions to a level",
        options: &[TARGET, CANDIDATE, TO],
        passes: lower,
    },
];

const TARGET: OptionSpec = OptionSpec {
    name: "target",
    summary: "one target, as for relayc compile --target",
    default: Default::Str("native"),
};

const OPT_LEVEL: OptionSpec = OptionSpec {
    name: "opt-level",
    summary: "the optimisation level, from 0 (a kernel for each operator) to 3",
    default: Default::Int(MAX_OPT_LEVEL as i64),
};

const PRECISION: OptionSpec = OptionSpec {
    name: "precision",
    summary: "the float type of products and the operators after them: f32 for the model's types, or bf16",
    default: Default::Str("f32"),
};

const OPTIMIZE: OptionSpec = OptionSpec {
    name: "optimize",
    summary: "what to weigh where a faster kernel needs larger weights: speed, balanced, or size",
    default: Default::Str("speed"),
};

const CACHE: OptionSpec = OptionSpec {
    name: "cache",
    summary: "use the user's cache of programs that fold constants",
    default: Default::Bool(true),
};

const CANDIDATE: OptionSpec = OptionSpec {
    name: "candidate",
    summary: "the schedule of each function: its rank by predicted cycles",
    default: Default::Int(0),
};

const TO: OptionSpec = OptionSpec {
    name: "to",
    summary: "the last level: relay, te, tir, planned (with the places of buffers) or lowered (for the conversions to LLVM)",
    default: Default::Str("lowered"),
};

/// The order that the options of `relay-pipeline` choose.
fn order(options: &Options) -> Result<Order, String> {
    let given = options.int(OPT_LEVEL.name);
    let opt_level = u8::try_from(given).ok();
    let opt_level = opt_level
        .filter(|level| *level <= MAX_OPT_LEVEL)
        .ok_or_else(|| format!("there is no opt-level {given}; levels are 0 to {MAX_OPT_LEVEL}"))?;
    Ok(Order {
        opt_level,
        precision: named(options, &PRECISION, Precision::ALL, Precision::name)?,
        goal: named(options, &OPTIMIZE, Goal::ALL, Goal::name)?,
        cache: options.bool(CACHE.name),
        ..standard(options)?
    })
}

/// The order of a target.
fn standard(options: &Options) -> Result<Order, String> {
    let target = Target::parse(options.str(TARGET.name)).map_err(|error| error.to_string())?;
    Ok(Order::standard(&target))
}

/// The passes of `relay-lower`.
fn lower(options: &Options) -> Result<Vec<String>, String> {
    let rank = options.int(CANDIDATE.name);
    let candidate = usize::try_from(rank)
        .map_err(|_| format!("there is no candidate {rank}; ranks start at 0"))?;
    let order = Order {
        candidate,
        ..standard(options)?
    };
    let above = order.passes(Level::Relay).len();
    let below = order.passes(level(options)?).split_off(above);
    Ok([vec![order.attach_target()], below].concat())
}

/// The level to stop at.
fn level(options: &Options) -> Result<Level, String> {
    named(options, &TO, Level::ALL, Level::name)
}

/// What an option's value is the name of.
fn named<T: Copy>(
    options: &Options,
    option: &OptionSpec,
    all: &[T],
    name: fn(T) -> &'static str,
) -> Result<T, String> {
    let given = options.str(option.name);
    let known = all.iter().copied();
    known
        .clone()
        .find(|one| name(*one) == given)
        .ok_or_else(|| {
            let names: Vec<&str> = known.map(name).collect();
            let names = names.join(", ");
            format!(
                "'{given}' is no value of {}, which is one of {names}",
                option.name
            )
        })
}
