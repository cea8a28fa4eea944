//! What a tuner tells of its work.

use relay_runner::statistics::Comparison;
use relay_tune::record::{Failure, Trial};
use serde::Serialize;

/// Something that a tuner did.
#[derive(Debug, Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event<'e> {
    /// The operators whose layouts are chosen by what other ones take.
    Operators {
        /// The number of them.
        operators: usize,
        /// The other layouts that there are, of all of them.
        alternatives: usize,
        /// The seconds that they may take.
        seconds: f64,
    },
    /// A network with another layout of an operator was measured, or of two operators beside what each costs alone.
    Layout {
        /// What the operators compute.
        operators: Vec<&'e str>,
        /// Their layouts.
        choices: Vec<&'e str>,
        /// The nanoseconds of the kernels that a run does not call any more.
        before: f64,
        /// How many nanoseconds more those take that it calls in their place.
        more: f64,
    },
    /// The whole network was timed with other layouts.
    Layouts {
        /// The model.
        model: &'e str,
        /// The number of operators that have another one.
        operators: usize,
        /// How many times as long as before it takes.
        ratio: f64,
        /// The chance that it wins as many rounds if it is as fast as before.
        chance: f64,
    },
    /// The kernels that there are, each timed with the best schedule that is known.
    Kernels {
        /// The kernels.
        kernels: Vec<Status>,
        /// A run of each model.
        run: Run,
    },
    /// A kernel, or a model, that cannot be timed.
    Unusable {
        /// Its name.
        kernel: &'e str,
        /// Why.
        reason: &'e str,
    },
    /// A schedule was tried.
    Tried {
        /// The kernel's name.
        kernel: &'e str,
        /// What came of it.
        trial: &'e Trial,
    },
    /// A round of a kernel is over.
    Round {
        /// The kernel.
        kernel: Status,
        /// A run of each model.
        run: Run,
    },
    /// A tuned kernel was timed where it stands in the network.
    InPlace {
        /// The model.
        model: &'e str,
        /// The kernel's name.
        kernel: &'e str,
        /// How many times as long as the default it took alone.
        alone: f64,
        /// The same among the others.
        in_place: f64,
    },
    /// The whole network was timed.
    Network {
        /// The model.
        model: &'e str,
        /// The number of its tuned kernels.
        kernels: usize,
        /// How many times as long as the default it takes.
        ratio: f64,
        /// The chance that it wins as many rounds if it is as fast as the default.
        chance: f64,
    },
}

impl<'e> Event<'e> {
    /// The network with other layouts beside the one before.
    pub fn layouts(model: &'e str, operators: usize, comparison: Comparison) -> Self {
        Self::Layouts {
            model,
            operators,
            ratio: comparison.ratio,
            chance: comparison.chance,
        }
    }

    /// The network beside the default.
    pub fn network(model: &'e str, kernels: usize, comparison: Comparison) -> Self {
        Self::Network {
            model,
            kernels,
            ratio: comparison.ratio,
            chance: comparison.chance,
        }
    }
}

/// How far the search for a kernel is.
#[derive(Clone, Debug, Serialize)]
pub struct Status {
    /// The function's name.
    pub name: String,
    /// The key's digest.
    pub key: String,
    /// How often a run of each model calls it.
    pub calls: usize,
    /// The schedules that were tried.
    pub trials: usize,
    /// Those of them that failed.
    pub failed: usize,
    /// Whether there is nothing more to try.
    pub finished: bool,
    /// The nanoseconds of a call: with the default, with the best, and the least by the machine's limits.
    pub default: f64,
    /// See above.
    pub best: f64,
    /// See above.
    pub least: f64,
    /// The floating-point operations of a call.
    pub flops: u64,
    /// What proposed the best; empty for the default.
    pub from: String,
}

impl Status {
    /// 10^9 operations in a second, at so many nanoseconds a call.
    pub fn gflops(&self, nanoseconds: f64) -> f64 {
        if nanoseconds > 0.0 {
            self.flops as f64 / nanoseconds
        } else {
            0.0
        }
    }
}

/// A run of each model.
#[derive(Clone, Debug, Serialize)]
pub struct Run {
    /// The milliseconds of all together, with what was found.
    pub milliseconds: f64,
    /// The milliseconds of all together, with the default.
    pub default: f64,
    /// Each of them.
    pub models: Vec<OfModel>,
    /// The seconds that are left.
    pub left: f64,
}

/// A run of a model, summed over the calls of all kernels.
#[derive(Clone, Debug, Serialize)]
pub struct OfModel {
    /// The model.
    pub model: String,
    /// The milliseconds with what was found.
    pub milliseconds: f64,
    /// The milliseconds with the default.
    pub default: f64,
}

/// Who is told what a tuner does.
pub trait View {
    /// Takes in an event.
    fn see(&mut self, event: &Event<'_>);
}

/// Tells that a kernel or a model cannot be timed, in which way it failed, and what was said.
pub fn tell_failure(view: &mut dyn View, name: &str, how: Failure, reason: &str) {
    view.see(&Event::Unusable {
        kernel: name,
        reason: &format!("{}: {reason}", how.describe()),
    });
}
