//! Runners on other machines, which time what is compiled here.
//!
//! A connection is a process: `ssh`, or a command that is given. It passes on what a [runner](relay_runner::serve) is asked and what
//! it answers. One that ends is started again, and what it was asked is asked again.

use super::{
    deploy::{self, digest},
    protocol::{Reply, Request},
    workers::Answers,
};
use crate::{DriverError, compile::CompileOptions, machine, output};
use relay_codegen::{CodegenError, Stop};
use relay_runner::{
    Answer, Ask, Description, Pair, Question,
    process::{Answered, Answerer},
    protocol::VERSION,
    serve::line_of,
};
use relay_tune::record::Failure;
use std::{ffi::OsString, fs, path::Path, time::Duration};

/// How a runner is reached.
#[derive(Clone, Debug)]
pub enum Reach {
    /// A machine, as `ssh` calls it. The runner is copied there.
    Host(String),
    /// A command that answers as `relay-runner` does, whose arguments are added.
    Command(Vec<OsString>),
}

impl Reach {
    /// What it is called in messages.
    fn name(&self) -> String {
        match self {
            Self::Host(host) => host.clone(),
            Self::Command(command) => {
                let words = command.iter().map(|word| word.to_string_lossy());
                words.collect::<Vec<_>>().join(" ")
            }
        }
    }

    /// The command of a connection, once a runner is there.
    fn command(&self, memory: u64) -> Result<Vec<OsString>, DriverError> {
        match self {
            Self::Host(host) => deploy::to_host(host, memory),
            Self::Command(command) => {
                let mut command = command.clone();
                command.push(format!("--memory={memory}").into());
                Ok(command)
            }
        }
    }
}

/// A runner on another machine.
#[derive(Debug)]
pub struct Remote {
    name: String,
    connection: Answerer,
    /// The names of the libraries that it keeps, those that were used last at the end.
    kept: Vec<String>,
    description: Description,
    /// Whether nobody waits for answers any more.
    stop: Stop,
}

/// Why a question has no answer.
enum Unanswered {
    /// The connection has ended: what was said.
    Lost(String),
    /// Nothing can be asked any more.
    Over(DriverError),
}

impl From<DriverError> for Unanswered {
    fn from(error: DriverError) -> Self {
        Self::Over(error)
    }
}

/// How long a machine may take to say what it is, and to take in a library.
const CONNECT: Duration = Duration::from_secs(60);
const TRANSFER: Duration = Duration::from_secs(300);

/// A library has one second more than [`TRANSFER`] for each so many bytes. The number was set by hand: a line of 0.8 Mbit/s carries as many in
/// a second.
const LEAST_BYTES: u64 = 100_000;

/// How much longer than the work itself an answer may take on its way. The runner keeps the limit of the work.
const PATIENCE: Duration = Duration::from_secs(60);

/// How often a question is asked again over which the connection was lost. Then it is what ends the machine.
const REPEATS: usize = 3;

/// The most libraries that a runner keeps.
const MOST_KEPT: usize = 64;

impl Remote {
    /// Connects to a machine, where models may take so many bytes of memory.
    ///
    /// # Errors
    /// If it cannot be reached, or no runner starts there.
    fn connect(reach: &Reach, memory: u64, stop: &Stop) -> Result<Self, DriverError> {
        let mut connection = Answerer::new(reach.command(memory)?);
        let name = reach.name();
        let description = describe(&name, &mut connection, stop)?;
        Ok(Self {
            name,
            connection,
            kept: Vec::new(),
            description,
            stop: stop.clone(),
        })
    }

    /// Connects to machines of one kind. Where `stop` is requested, nothing is waited for.
    ///
    /// # Errors
    /// If one cannot be reached, or is of another kind than the first.
    pub fn connect_all(
        reaches: &[Reach],
        memory: u64,
        stop: &Stop,
    ) -> Result<Vec<Self>, DriverError> {
        let connect = |reach| Self::connect(reach, memory, stop);
        let remotes: Vec<Self> = reaches.iter().map(connect).collect::<Result<_, _>>()?;
        if let [first, others @ ..] = &remotes[..] {
            for other in others {
                first.check_same(other)?;
            }
        }
        Ok(remotes)
    }

    /// The target of what is compiled for it, as [`relay_codegen::Target::parse`] reads it: the one that is named, or else its triple and features;
    /// with its cache and its processors, by which records are named.
    pub fn target(&self, named: Option<&str>) -> String {
        match named {
            Some(named) => self.description.complete(named.to_owned()),
            None => self.description.target(),
        }
    }

    /// The number of threads that are meant: 0 is for as many as the machine has processors.
    pub fn threads(&self, threads: usize) -> usize {
        match threads {
            0 => self.description.cores,
            threads => threads,
        }
    }

    /// Refuses a machine that is of another kind: what is measured on one of them counts for both.
    fn check_same(&self, other: &Self) -> Result<(), DriverError> {
        match self.description == other.description {
            true => Ok(()),
            false => Err(DriverError::Usage(format!(
                "{} is another kind of machine than {}, and records are for one kind: the first is {}, the second {}; tune for \
                 each by itself",
                other.name,
                self.name,
                self.target(None),
                other.target(None)
            ))),
        }
    }

    /// The most operations in a second, in 10^9, of so many threads.
    ///
    /// # Errors
    /// If it does not run what is compiled for the target.
    pub fn peak(&mut self, options: &CompileOptions, threads: usize) -> Result<f64, DriverError> {
        let folder = output::temporary_folder()?;
        let library = folder.path().join("fma_peak.so");
        let operations = machine::fma_library(options, &library)?;
        let pair = Pair {
            incumbent: library.clone(),
            candidate: library,
            weights: Vec::new(),
            footprint: 0,
            seed: 0,
            threads,
            rounds: 5,
            turn: 0.02,
        };
        let rated = match self.ask(&Request::Network(pair), CONNECT)? {
            Reply::Timed { incumbent, .. } => rate(operations, &incumbent),
            Reply::Failed { reason, .. } => Err(reason),
            _ => Err("it gave no times".into()),
        };
        rated.map_err(|reason| {
            DriverError::Usage(format!(
                "{} does not run what is compiled for '{}': {reason}",
                self.name, options.target.text
            ))
        })
    }

    /// Starts a connection that has ended again.
    fn reconnect(&mut self) -> Result<(), DriverError> {
        self.kept.clear();
        let description = describe(&self.name, &mut self.connection, &self.stop)?;
        match description == self.description {
            true => Ok(()),
            false => Err(DriverError::Usage(format!(
                "{} is another machine than before; name a machine, not one of several behind a name",
                self.name
            ))),
        }
    }

    /// Has a pair of libraries timed, which the runner gets before if it does not keep them.
    fn time(
        &mut self,
        pair: &Pair,
        ask: fn(Pair) -> Ask,
        limit: Duration,
    ) -> Result<Answer, Unanswered> {
        let pair = Pair {
            incumbent: self.keep(&pair.incumbent)?.into(),
            candidate: self.keep(&pair.candidate)?.into(),
            ..pair.clone()
        };
        let question = question(ask(pair), limit)?;
        self.send(&question, limit + PATIENCE)
    }

    /// Sends a question to the runner that keeps libraries: another one would not know them.
    fn send(&mut self, question: &[u8], limit: Duration) -> Result<Answer, Unanswered> {
        if !self.connection.is_started() {
            return Err(Unanswered::Lost("it said what nobody asked for".into()));
        }
        send(&mut self.connection, question, limit, &self.stop)
    }

    /// The name of a library that the runner keeps.
    fn keep(&mut self, library: &Path) -> Result<String, Unanswered> {
        let content = fs::read(library).map_err(DriverError::io(library))?;
        let name = digest(&content);
        if let Some(place) = self.kept.iter().position(|kept| *kept == name) {
            self.kept.remove(place);
            self.kept.push(name.clone());
            return Ok(name);
        }
        let old = (self.kept.len() + 1).saturating_sub(MOST_KEPT);
        let keep = Ask::Keep {
            library: name.clone(),
            bytes: content.len() as u64,
            forget: self.kept.drain(..old).collect(),
        };
        let mut question = question(keep, Duration::ZERO)?;
        question.extend(content);
        let limit = TRANSFER + Duration::from_secs(question.len() as u64 / LEAST_BYTES);
        match self.send(&question, limit)? {
            Answer::Kept => {
                self.kept.push(name.clone());
                Ok(name)
            }
            Answer::Failed { reason, .. } => Err(Unanswered::Over(DriverError::Usage(format!(
                "{}: a library cannot be kept: {reason}",
                self.name
            )))),
            _ => Err(Unanswered::Lost("it kept no library".into())),
        }
    }
}

impl Answers for Remote {
    fn ask(&mut self, request: &Request, limit: Duration) -> Result<Reply, DriverError> {
        let (pair, ask): (&Pair, fn(Pair) -> Ask) = match request {
            Request::Time(pair) => (pair, Ask::Time),
            Request::Network(pair) => (pair, Ask::Network),
            Request::Profile(pair) => (pair, Ask::Profile),
            Request::Build { .. } => {
                let reason = "a runner on another machine compiles nothing";
                return Err(DriverError::Usage(reason.into()));
            }
        };
        let mut lost = Vec::new();
        while lost.len() <= REPEATS {
            if !self.connection.is_started() {
                self.reconnect()?;
            }
            match self.time(pair, ask, limit) {
                Ok(answer) => return Ok(answer.into()),
                Err(Unanswered::Lost(words)) => lost.push(words),
                Err(Unanswered::Over(error)) => return Err(error),
            }
        }
        Ok(Reply::Failed {
            how: Failure::Crash,
            reason: format!(
                "{} was lost {} times over it: {}",
                self.name,
                lost.len(),
                lost.join("; ")
            ),
        })
    }
}

/// What a machine says that it is, on a connection that is new.
fn describe(
    name: &str,
    connection: &mut Answerer,
    stop: &Stop,
) -> Result<Description, DriverError> {
    let unreachable = |words: &str| {
        DriverError::Usage(format!(
            "{name}: no runner answers: {words}; what was found so far is in the records, and the same command goes on from there"
        ))
    };
    let question = question(Ask::Describe, Duration::ZERO)?;
    match send(connection, &question, CONNECT, stop) {
        Ok(Answer::Described(description)) if description.version == VERSION => Ok(description),
        Ok(Answer::Described(Description { version, .. })) => Err(unreachable(&format!(
            "it speaks version {version} of the protocol, and this program version {VERSION}; start the runner that belongs to it"
        ))),
        Ok(_) => Err(unreachable("it does not say what machine it is")),
        Err(Unanswered::Lost(words)) => Err(unreachable(&words)),
        Err(Unanswered::Over(error)) => Err(error),
    }
}

/// The most of so many operations in a nanosecond, by the nanoseconds of some runs, or why there is none.
fn rate(operations: usize, nanoseconds: &[f64]) -> Result<f64, String> {
    let least = nanoseconds.iter().copied().fold(f64::INFINITY, f64::min);
    match operations as f64 / least {
        rate if rate.is_normal() && rate > 0.0 => Ok(rate),
        _ => Err("the times that it gave are none".into()),
    }
}

/// A question as a line.
fn question(ask: Ask, limit: Duration) -> Result<Vec<u8>, DriverError> {
    let limit = limit.as_secs_f64();
    line_of(&Question { ask, limit }).map_err(DriverError::io("a question"))
}

/// Sends a question, and what belongs to it.
fn send(
    connection: &mut Answerer,
    question: &[u8],
    limit: Duration,
    stop: &Stop,
) -> Result<Answer, Unanswered> {
    let answered = connection
        .ask(question, limit, &|| stop.check().is_ok())
        .map_err(DriverError::io(connection.program()))?;
    let words = match answered {
        Answered::Line(line) => match serde_json::from_str(&line) {
            Ok(answer) => return Ok(answer),
            Err(_) => connection.refuse(&line).reason(),
        },
        Answered::Ended(ended) => ended.words().to_owned(),
        Answered::Late => format!("it said nothing for {:.0} s", limit.as_secs_f64()),
        Answered::Stopped => {
            return Err(Unanswered::Over(CodegenError::Stopped.into()));
        }
    };
    Err(Unanswered::Lost(words))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_machine_is_infinitely_fast() {
        assert_eq!(rate(100, &[25.0, 20.0, 50.0]), Ok(5.0));
        let none: [&[f64]; 4] = [&[0.0, 20.0], &[-1.0], &[f64::NAN], &[]];
        for times in none {
            assert!(rate(100, times).is_err(), "{times:?}");
        }
    }
}
