//! What a tuner asks of its workers, and what they answer: a line of JSON each.
//!
//! A worker is whatever speaks this on its standard input and output: this program, or one that passes the lines on to another
//! machine. `python/relay_mlir/tune_ray.py` is such a program. What is asked about libraries is what a
//! [runner](relay_runner::protocol) is asked, too.

use relay_runner::{Answer, Pair, Trouble};
use relay_tune::{ScheduleText, record::Failure};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// A question with the time that the work may take. A worker that works elsewhere keeps that time itself: what its own travels
/// take is not the schedule's fault.
#[derive(Debug, Serialize)]
pub struct Question<'r> {
    /// The question.
    #[serde(flatten)]
    pub request: &'r Request,
    /// The seconds.
    pub limit: f64,
}

/// A question.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "ask", rename_all = "kebab-case")]
pub enum Request {
    /// Compile a kernel under a schedule.
    Build {
        /// The kernel's module, without a schedule.
        module: String,
        /// The schedule.
        schedule: ScheduleText,
        /// Which of its arguments are weights: producers write the others.
        weights: Vec<bool>,
        /// Where to write the library.
        library: PathBuf,
    },
    /// Time two libraries of a kernel in turns.
    Time(Pair),
    /// Time two libraries of a whole network in turns.
    Network(Pair),
    /// Time the kernels of two libraries of a whole network, which have a clock around each node.
    Profile(Pair),
}

/// An answer.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "answer", rename_all = "kebab-case")]
pub enum Reply {
    /// The library is there.
    Built,
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
        how: Failure,
        /// What was said.
        reason: String,
    },
    /// There is no machine that could do it, which says nothing of the schedule.
    Lost {
        /// Why, and what to do.
        reason: String,
    },
}

impl Reply {
    /// The times of the incumbent and of the candidate; or in which way there are none, and why.
    pub fn times(self) -> Result<[Vec<f64>; 2], (Failure, String)> {
        match self {
            Self::Timed {
                incumbent,
                candidate,
            } => Ok([incumbent, candidate]),
            Self::Failed { how, reason } => Err((how, reason)),
            _ => Err((Failure::Crash, "a worker gave no times".into())),
        }
    }
}

impl From<Answer> for Reply {
    fn from(answer: Answer) -> Self {
        match answer {
            Answer::Timed {
                incumbent,
                candidate,
            } => Self::Timed {
                incumbent,
                candidate,
            },
            Answer::Profiled { kernels } => Self::Profiled { kernels },
            Answer::Failed { how, reason } => Self::Failed {
                how: failure(how),
                reason,
            },
            Answer::Described(_) | Answer::Kept => Self::Failed {
                how: Failure::Crash,
                reason: "a runner answered something else than it was asked".into(),
            },
        }
    }
}

/// What a record says of trouble.
pub fn failure(how: Trouble) -> Failure {
    match how {
        Trouble::Crash => Failure::Crash,
        Trouble::Time => Failure::Time,
        Trouble::Memory => Failure::Memory,
        Trouble::Wrong => Failure::Wrong,
    }
}
