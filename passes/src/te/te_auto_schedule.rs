//! `te-auto-schedule`: a schedule by sketches for functions that have none.
//!
//! ```mlir
//! func.func private @double(%a: tensor<64xf32>) -> tensor<64xf32> {
//!   %b = te.compute "b" (%i: 64) {
//!     %x = tensor.extract %a[%i] : tensor<64xf32>
//!     %y = arith.addf %x, %x : f32
//!     te.yield %y : f32
//!   } : tensor<64xf32>
//!   return %b : tensor<64xf32>
//! }
//! ```
//! becomes, for one of the seeds,
//! ```mlir
//! func.func private @double(%a: tensor<64xf32>) -> tensor<64xf32> attributes {te.state = "{...}"} {
//!   %b = te.compute "b" (%i: 64) {
//!     ...
//!   } : tensor<64xf32>
//!   te.schedule {
//!     %b.stage = te.stage %b : tensor<64xf32>
//!     %i = te.axes %b.stage
//!     %i.outer, %i.inner = te.split %i {factor = 16 : i64, shift_inwards}
//!     te.reorder %i.outer, %i.inner
//!     te.vectorize %i.inner
//!   }
//!   return %b : tensor<64xf32>
//! }
//! ```

use crate::machine::machine;
use fastrand::Rng;
use relay_dialects::{
    ir::{Attr, Op},
    ops::builtin,
    pass::{Default, OptionSpec, Options, PassResult, PassSpec, fail},
    te::Compute,
};
use relay_tune::sketch::{Space, State};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "te-auto-schedule",
    summary: "Derive a schedule from sketches for tensor expressions without one",
    description: include_str!("te_auto_schedule.md"),
    anchor: builtin::Module::NAME,
    options: &[SEED, STEPS, STATE],
    run,
};

const SEED: OptionSpec = OptionSpec {
    name: "seed",
    summary: "the seed of the random state",
    default: Default::Int(0),
};

const STEPS: OptionSpec = OptionSpec {
    name: "steps",
    summary: "the number of mutations of the state",
    default: Default::Int(0),
};

const STATE: OptionSpec = OptionSpec {
    name: "state",
    summary: "a file with a state in JSON, instead of a random one",
    default: Default::Str(""),
};

/// What is left on a function: the state that its schedule is.
const WRITTEN: &str = relay_dialects::attrs::STATE;

fn run(module: Op, options: &Options) -> PassResult {
    let machine = machine(module)?;
    let steps = options.int(STEPS.name);
    if steps < 0 {
        let reason = format!("steps is {steps}, expected a number of mutations from 0 on");
        return fail(module, reason);
    }
    let functions = module.functions().into_iter();
    let is_expressed = |func: &Op| func.body().ops().iter().any(|op| op.is(Compute::NAME));
    for func in functions.filter(is_expressed) {
        if let Some(space) = Space::of(func, machine) {
            schedule(func, &space, options)?;
        }
    }
    Ok(())
}

/// Writes the schedule of a function.
fn schedule(func: Op, space: &Space, options: &Options) -> PassResult {
    let state = match options.str(STATE.name) {
        "" => drawn(space, options),
        path => match given(path) {
            Ok(state) => state,
            Err(reason) => return fail(func, reason),
        },
    };
    if let Err(reason) = space.emit(func, &state) {
        return fail(func, reason);
    }
    if let Ok(text) = serde_json::to_string(&state) {
        func.set_attr(WRITTEN, Attr::str(func.ctx(), &text));
    }
    Ok(())
}

/// The state of the seed, with mutations.
fn drawn(space: &Space, options: &Options) -> State {
    let mut random = Rng::with_seed(options.int(SEED.name) as u64);
    let mut state = space.sample(&mut random);
    for _ in 0..options.int(STEPS.name) {
        if let Some(next) = space.mutate(&state, &mut random) {
            state = next;
        }
    }
    state
}

/// The state of a file.
fn given(path: &str) -> Result<State, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
    serde_json::from_str(&text).map_err(|error| format!("{path} holds no state: {error}"))
}
