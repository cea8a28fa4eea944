//! What a runner is asked, and what it answers: a line of JSON each.

use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// The version of this protocol. A runner of another one is not asked anything but [`Ask::Describe`].
pub const VERSION: u32 = 1;

/// The function of a library whose times count in [`Ask::Time`].
pub const KERNEL: &str = "kernel";

/// A question with the time that the work may take.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Question {
    /// The question.
    #[serde(flatten)]
    pub ask: Ask,
    /// The seconds; nothing for what is no work.
    #[serde(default)]
    pub limit: f64,
}

/// A question.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "ask", rename_all = "kebab-case")]
pub enum Ask {
    /// What machine this is.
    Describe,
    /// Keep a library. Its bytes follow the line, as many as it says.
    Keep {
        /// What other questions call it: letters and digits.
        library: String,
        /// How many bytes it has.
        bytes: u64,
        /// The libraries that are needed no more.
        forget: Vec<String>,
    },
    /// Time two libraries of a kernel in turns. They have a clock around each node; the function [`KERNEL`] counts.
    Time(Pair),
    /// Time two libraries of a whole network in turns.
    Network(Pair),
    /// Time the kernels of two libraries of a whole network, which have a clock around each node.
    Profile(Pair),
}

/// Two libraries that compute the same: files, or names of libraries that a runner keeps.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Pair {
    /// The one that holds so far; its results count.
    pub incumbent: PathBuf,
    /// The other one.
    pub candidate: PathBuf,
    /// Which of the inputs are weights. A run finds them where the network's weights are: each run has others, of equal
    /// numbers, of this many bytes in all.
    pub weights: Vec<bool>,
    /// See above.
    pub footprint: u64,
    /// What the numbers of inputs are drawn by.
    #[serde(default)]
    pub seed: u64,
    /// The number of threads.
    pub threads: usize,
    /// How many rounds there are.
    pub rounds: usize,
    /// The seconds of a turn.
    pub turn: f64,
}

/// An answer.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "answer", rename_all = "kebab-case")]
pub enum Answer {
    /// What machine this is.
    Described(Description),
    /// The library is kept.
    Kept,
    /// The nanoseconds of a run, what counts of each round.
    Timed {
        /// Of the incumbent.
        incumbent: Vec<f64>,
        /// Of the candidate, in the same rounds.
        candidate: Vec<f64>,
    },
    /// How many times as long as in the incumbent each kernel takes in the candidate, by the name of its function.
    Profiled {
        /// The names with the medians over rounds.
        kernels: Vec<(String, f64)>,
    },
    /// It cannot be done.
    Failed {
        /// In which way.
        how: Trouble,
        /// What was said.
        reason: String,
    },
}

/// In which way timing fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Trouble {
    /// A library cannot be loaded or run, or the process ended.
    Crash,
    /// It took too long.
    Time,
    /// There was not enough memory.
    Memory,
    /// The libraries compute different things.
    Wrong,
}

/// A machine, as far as compiling for it goes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Description {
    /// The [version](VERSION) of the protocol that the runner speaks.
    pub version: u32,
    /// The architecture, as LLVM calls it.
    pub architecture: String,
    /// Those of the features that change a model's code which the processor has, by LLVM's names.
    pub features: Vec<String>,
    /// The bytes of a core's own cache, where the system says them.
    pub l2_bytes: Option<i64>,
    /// The processors that a process may use.
    pub cores: usize,
}

impl Description {
    /// The target of the machine, as `--target` of `relayc` takes it: its triple and features, with the size of its cache and the number of
    /// its processors.
    pub fn target(&self) -> String {
        let mut target = format!("{}-unknown-linux-gnu", self.architecture);
        if !self.features.is_empty() {
            target += &format!(" -mattr=+{}", self.features.join(",+"));
        }
        self.complete(target)
    }

    /// A target with the size of the machine's cache and the number of its processors, where it does not say them.
    pub fn complete(&self, mut target: String) -> String {
        let has = |option: &str| target.split(' ').any(|word| word.starts_with(option));
        let (has_l2, has_cores) = (has("-l2="), has("-cores="));
        if let (false, Some(bytes)) = (has_l2, self.l2_bytes) {
            target += &format!(" -l2={}", bytes >> 10);
        }
        if !has_cores {
            target += &format!(" -cores={}", self.cores);
        }
        target
    }
}

impl Answer {
    /// What cannot be done, and why.
    pub fn failed(how: Trouble, reason: impl ToString) -> Self {
        Self::Failed {
            how,
            reason: reason.to_string(),
        }
    }
}
