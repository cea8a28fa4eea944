//! What a file of records holds: lines of JSON, each complete in itself.

use crate::{key::Key, schedule::ScheduleText};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, time::SystemTime};

/// A line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Line {
    /// What a key stands for. It comes before the lines that name the key.
    Kernel(Kernel),
    /// A schedule that was tried.
    Trial(Trial),
    /// The fastest schedule so far of a search that has not ended: the search goes on from it. No kernel gets it before it has won in the
    /// network; then it is a [`Line::Choice`].
    Lead(Choice),
    /// Which schedule a kernel gets from now on.
    Choice(Choice),
    /// A search that has nothing more to try.
    Finished(Finished),
    /// How an operator is laid out from now on.
    Layout(Layout),
    /// What it costs to run some kernels in the place of others.
    Exchange(Exchange),
    /// A line that a newer version wrote, of which this one knows nothing but that others may need it.
    #[serde(untagged)]
    Newer(Newer),
}

/// What a line holds that is whole, and of no kind that is known.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Newer {
    /// What is not known here.
    pub kind: String,
    /// The kernel, if it names one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// The rest.
    #[serde(flatten)]
    pub rest: serde_json::Map<String, serde_json::Value>,
}

/// A kernel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Kernel {
    /// The [version](crate::key::VERSION) of the text.
    pub version: u32,
    /// The key's digest, by which other lines name the kernel.
    pub key: String,
    /// What it computes; see [`Key::text`].
    pub text: String,
    /// The same for any number of samples; see [`Key::family`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub family: Option<String>,
    /// How many samples it has, if it has a family.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub samples: Option<i64>,
    /// The name of the function in the first model that had it.
    pub name: String,
    /// The floating-point operations of a call.
    pub flops: u64,
    /// The bytes of its inputs and outputs.
    pub bytes: u64,
    /// A module with the function of tensor expressions, without a schedule, and a `main` that calls it.
    pub module: String,
}

impl Kernel {
    /// Its key, of which `key` is the digest.
    pub fn whole_key(&self) -> Key {
        Key {
            text: self.text.clone(),
            family: self.family.clone().zip(self.samples),
        }
    }

    /// What a line says of a key.
    pub fn describe(key: &Key, name: &str, module: String) -> Self {
        let (family, samples) = key.family.clone().unzip();
        Self {
            version: crate::key::VERSION,
            key: key.digest(),
            text: key.text.clone(),
            family,
            samples,
            name: name.to_owned(),
            flops: 0,
            bytes: 0,
            module,
        }
    }
}

/// A schedule that was tried.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trial {
    /// The kernel.
    pub key: String,
    /// The machine: instructions, caches, cores.
    pub target: String,
    /// The number of threads that ran it.
    pub threads: usize,
    /// What proposed it: a template and its knobs, or a sketch and its decisions.
    pub from: String,
    /// The schedule.
    pub schedule: ScheduleText,
    /// What came of it.
    pub outcome: Outcome,
    /// Seconds since 1970.
    pub time: u64,
}

/// The seconds since 1970, for [`Trial::time`]; 0 by a clock that is set to an earlier time.
pub fn now() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs())
}

/// What came of a trial.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// It computes what the default computes.
    Ran {
        /// The median over rounds of the fastest run in each.
        nanoseconds: f64,
        /// How many times as long as the default it took. It was timed beside the best schedule so far: this is the median over rounds of
        /// their ratio, times how many times as long as the default that one took.
        of_default: f64,
    },
    /// It is no schedule of this kernel, does not compile, or did not come to an end as it should.
    Failed {
        /// In which way.
        how: Failure,
        /// What was said.
        reason: String,
    },
    /// It comes from elsewhere, and was not tried yet.
    Imported,
}

/// In which way a trial failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Failure {
    /// The schedule cannot be carried out.
    Illegal,
    /// It was not compiled.
    Build,
    /// Compiling took too long.
    BuildTime,
    /// The process ended.
    Crash,
    /// A run took too long.
    Time,
    /// There was not enough memory.
    Memory,
    /// It computed something else than the default.
    Wrong,
}

impl Failure {
    /// How it is told.
    pub fn describe(self) -> &'static str {
        match self {
            Self::Illegal => "no legal schedule",
            Self::Build => "does not compile",
            Self::BuildTime => "takes too long to compile",
            Self::Crash => "ends the process",
            Self::Time => "takes too long",
            Self::Memory => "takes too much memory",
            Self::Wrong => "computes something else than the default",
        }
    }
}

/// A schedule of a kernel: which it gets, or which leads the search for it. Of several lines of a kind for a kernel and a target the last
/// one holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Choice {
    /// The kernel.
    pub key: String,
    /// The machine.
    pub target: String,
    /// What proposed it; empty for the default.
    pub from: String,
    /// The schedule; none for the default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schedule: Option<ScheduleText>,
    /// How many times as long as the default it took in the test that it won.
    pub of_default: f64,
}

/// A search that has nothing more to try.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finished {
    /// The kernel.
    pub key: String,
    /// The machine.
    pub target: String,
    /// The tuner and its space.
    pub tuner: String,
    /// The number of threads that schedules were run with; 0 in older records, which say nothing of it.
    #[serde(default)]
    pub threads: usize,
}

/// How an operator is laid out and computed. Of several lines for an operator and a target the last one holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Layout {
    /// The [version](crate::operator::VERSION) of the text.
    pub version: u32,
    /// What the operator computes; see [`operator::text`](crate::operator::text).
    pub operator: String,
    /// The machine.
    pub target: String,
    /// What was chosen, as `alter-op-layout` writes it; none for the default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub choice: Option<String>,
    /// How many times as long the network took with all that was chosen at the same time.
    pub of_default: f64,
}

/// Kernels that a network calls in the place of others, when operators in it are laid out in another way. All have their default
/// schedules.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Exchange {
    /// The machine.
    pub target: String,
    /// The number of threads.
    pub threads: usize,
    /// By key, how many calls of each kernel a run has more than before, or fewer, below zero.
    pub calls: BTreeMap<String, i64>,
    /// What came of it; none in older records where one of the kernels could not be compiled or run, so that nothing is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub times: Option<Times>,
}

/// What an exchange of kernels costs, in nanoseconds of a run of the network.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Times {
    /// What the calls take that there are fewer of.
    pub before: f64,
    /// What the exchange adds to that.
    pub more: f64,
}
