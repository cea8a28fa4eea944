//! The processes that work for a tuner: started when they are needed, ended when they take too long, and started again.

use super::protocol::{Question, Reply, Request, failure};
use crate::{DriverError, compile::CompileOptions, records, signals};
use relay_codegen::{CodegenError, Stop};
use relay_runner::{
    process::{Answered, Answerer},
    serve::line_of,
};
use relay_tune::record::Failure;
use std::{
    ffi::OsString,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

/// How workers are started.
#[derive(Clone, Debug)]
pub struct Start {
    /// The program and its arguments: `relayc tune-worker` and how to compile.
    pub command: Vec<OsString>,
    /// How much longer than the work itself an answer may take.
    pub patience: Duration,
    /// Asked while a worker works.
    pub stop: Stop,
}

/// How long a program that passes requests on may take beside the work: it may have to find another machine.
const PATIENCE: Duration = Duration::from_secs(300);

impl Start {
    /// This program as a worker, with so many bytes of memory at most.
    ///
    /// # Errors
    /// If the system does not say which program this is.
    pub fn of_this_program(options: &CompileOptions, memory: u64) -> Result<Self, DriverError> {
        let program = std::env::current_exe().map_err(DriverError::io("this program"))?;
        Ok(Self::of_program(
            vec![program.into_os_string()],
            options,
            memory,
        ))
    }

    /// The words that start `relayc` on this machine, as a worker, with so many bytes of memory at most.
    pub fn of_program(program: Vec<OsString>, options: &CompileOptions, memory: u64) -> Self {
        let mut command = program;
        command.push("tune-worker".into());
        command.extend(arguments(options, memory));
        Self {
            command,
            patience: Duration::ZERO,
            stop: options.stop.clone(),
        }
    }

    /// Another program as a worker, with arguments of its own, which those of `relayc tune-worker` follow. It may pass
    /// requests on to other machines.
    ///
    /// # Errors
    /// If no program is named.
    pub fn of_command(
        mut command: Vec<OsString>,
        options: &CompileOptions,
        memory: u64,
    ) -> Result<Self, DriverError> {
        if command.is_empty() {
            let reason = "the command of a worker is empty; name a program that speaks as relayc tune-worker does";
            return Err(DriverError::Usage(reason.into()));
        }
        command.extend(arguments(options, memory));
        let machine = format!("--machine={}", records::machine(&options.target));
        command.push(machine.into());
        Ok(Self {
            command,
            patience: PATIENCE,
            stop: options.stop.clone(),
        })
    }

    /// The same for a program that works on this machine, and so looks for no other one.
    pub fn without_patience(self) -> Self {
        Self {
            patience: Duration::ZERO,
            ..self
        }
    }
}

/// What a worker is told of how to compile.
fn arguments(options: &CompileOptions, memory: u64) -> impl Iterator<Item = OsString> {
    let arguments = [
        "--no-cache".to_owned(),
        format!("--target={}", options.target.text),
        format!("--precision={}", options.precision.name()),
        format!("--memory={memory}"),
    ];
    let passes = options.pass_flags().into_iter();
    let passes = passes.map(|(flag, value)| format!("{flag}={value}"));
    arguments.into_iter().chain(passes).map(OsString::from)
}

/// Somebody who answers requests.
pub trait Answers: Send {
    /// Asks, and waits for the answer for so long.
    ///
    /// # Errors
    /// If nobody can be asked, or somebody asked the work to stop.
    fn ask(&mut self, request: &Request, limit: Duration) -> Result<Reply, DriverError>;
}

impl Answers for Box<dyn Answers> {
    fn ask(&mut self, request: &Request, limit: Duration) -> Result<Reply, DriverError> {
        (**self).ask(request, limit)
    }
}

/// A worker: a process that is started when something is asked, and again after one that does not answer was ended.
#[derive(Debug)]
pub struct Worker {
    start: Start,
    answerer: Answerer,
}

impl Worker {
    /// A worker that is started so.
    pub fn new(start: Start) -> Self {
        Self {
            answerer: Answerer::new(start.command.clone()),
            start,
        }
    }

    /// The answer to a request, or what else has come of it.
    fn reply(&mut self, request: &Request, limit: Duration) -> Result<Reply, DriverError> {
        self.start.stop.check()?;
        let question = Question {
            request,
            limit: limit.as_secs_f64(),
        };
        let question = line_of(&question).map_err(DriverError::io("a request"))?;
        let goes_on = || self.start.stop.check().is_ok();
        let wait = limit + self.start.patience;
        self.answerer.relieve();
        let answered = (self.answerer)
            .ask(&question, wait, &goes_on)
            .map_err(DriverError::io(self.answerer.program()))?;
        let ended = match answered {
            Answered::Line(line) => match serde_json::from_str(&line) {
                Ok(Reply::Lost { reason }) => return Err(DriverError::Usage(reason)),
                Ok(reply) => return Ok(reply),
                Err(_) => self.answerer.refuse(&line),
            },
            Answered::Late => return Ok(late(request, limit)),
            Answered::Ended(ended) => ended,
            Answered::Stopped => return Err(CodegenError::Stopped.into()),
        };
        Ok(Reply::Failed {
            how: failure(ended.trouble()),
            reason: ended.reason(),
        })
    }
}

impl Answers for Worker {
    fn ask(&mut self, request: &Request, limit: Duration) -> Result<Reply, DriverError> {
        let reply = self.reply(request, limit)?;
        if let Reply::Failed { .. } = reply {
            signals::wait_if_it_ends();
        }
        Ok(reply)
    }
}

/// What a request has come to that was not answered in time.
fn late(request: &Request, limit: Duration) -> Reply {
    Reply::Failed {
        how: match request {
            Request::Build { .. } => Failure::BuildTime,
            _ => Failure::Time,
        },
        reason: format!("it took more than {:.0} s", limit.as_secs_f64()),
    }
}

/// Has each request answered by one of the workers; the answers are in the order of the requests. More workers than there are requests
/// have nothing to do.
///
/// # Errors
/// If no worker can be started.
pub fn ask_all<A: Answers>(
    workers: &mut [A],
    requests: &[Request],
    limit: Duration,
) -> Result<Vec<Reply>, DriverError> {
    let next = AtomicUsize::new(0);
    let replies: Mutex<Vec<(usize, Reply)>> = Mutex::default();
    let work = |worker: &mut A| {
        loop {
            let place = next.fetch_add(1, Ordering::Relaxed);
            let Some(request) = requests.get(place) else {
                return Ok(());
            };
            let reply = worker.ask(request, limit)?;
            let mut replies = replies.lock().unwrap_or_else(PoisonError::into_inner);
            replies.push((place, reply));
        }
    };
    thread::scope(|scope| {
        let threads: Vec<_> = (workers.iter_mut().take(requests.len()))
            .map(|worker| scope.spawn(|| work(worker)))
            .collect();
        let ended = threads.into_iter().map(|thread| match thread.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        ended.collect::<Result<Vec<()>, DriverError>>()
    })?;
    let mut replies = replies.into_inner().unwrap_or_else(PoisonError::into_inner);
    replies.sort_by_key(|(place, _)| *place);
    Ok(replies.into_iter().map(|(_, reply)| reply).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use relay_runner::Pair;

    fn request() -> Request {
        Request::Time(Pair {
            incumbent: "a.so".into(),
            candidate: "b.so".into(),
            weights: Vec::new(),
            footprint: 0,
            seed: 0,
            threads: 1,
            rounds: 1,
            turn: 0.001,
        })
    }

    /// A worker that counts what it was asked.
    #[derive(Clone, Default)]
    struct Asked(usize);

    impl Answers for Asked {
        fn ask(&mut self, _: &Request, _: Duration) -> Result<Reply, DriverError> {
            self.0 += 1;
            Ok(Reply::Built)
        }
    }

    #[test]
    fn no_more_work_than_are_needed() {
        let mut workers = vec![Asked::default(); 100_000];
        let requests = [request(), request()];
        let replies = ask_all(&mut workers, &requests, Duration::ZERO).expect("they answer");
        assert_eq!(replies.len(), requests.len());
        let asked: usize = workers.iter().take(2).map(|worker| worker.0).sum();
        assert_eq!(asked, requests.len(), "the others have no thread");
    }

    #[test]
    fn what_is_no_answer_is_told() {
        let command = ["sh", "-c", "echo hello; read line; sleep 60"];
        let mut worker = Worker::new(Start {
            command: command.map(OsString::from).to_vec(),
            patience: Duration::ZERO,
            stop: Stop::default(),
        });
        let reply = worker.ask(&request(), Duration::from_secs(60));
        let Ok(Reply::Failed { how, reason }) = reply else {
            panic!("{reply:?} is no failure");
        };
        assert_eq!(how, Failure::Crash);
        assert_eq!(reason, "it says 'hello', which is no answer");
    }
}
