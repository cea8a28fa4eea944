//! The processes that work for a tuner: started when they are needed, ended when they take too long, and started again.

use super::protocol::{Question, Reply, Request};
use crate::{DriverError, compile::CompileOptions, records};
use relay_codegen::Stop;
use relay_tune::record::Failure;
use std::{
    ffi::OsString,
    io::{BufRead, BufReader, Read, Write},
    process::{Child, ChildStdin, Command, Stdio},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
        mpsc::{self, Receiver, RecvTimeoutError},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
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
        let mut command = vec![program.into_os_string(), "tune-worker".into()];
        command.extend(arguments(options, memory));
        Ok(Self {
            command,
            patience: Duration::ZERO,
            stop: options.stop.clone(),
        })
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
}

/// What a worker is told of how to compile.
fn arguments(options: &CompileOptions, memory: u64) -> impl Iterator<Item = OsString> {
    let arguments = [
        "--no-cache".to_owned(),
        format!("--target={}", options.target.text),
        format!("--precision={}", options.precision.name()),
        format!("--memory={memory}"),
    ];
    arguments.into_iter().map(OsString::from)
}

/// A worker.
#[derive(Debug)]
pub struct Worker {
    start: Start,
    process: Option<Process>,
}

impl Worker {
    /// A worker that is started when something is asked.
    pub fn new(start: Start) -> Self {
        Self {
            start,
            process: None,
        }
    }

    /// Asks, and waits for the answer for so long. A worker that does not answer is ended.
    ///
    /// # Errors
    /// If no worker can be started, or somebody asked the work to stop.
    pub fn ask(&mut self, request: &Request, limit: Duration) -> Result<Reply, DriverError> {
        self.start.stop.check()?;
        let mut process = match self.process.take() {
            Some(process) => process,
            None => Process::start(&self.start)?,
        };
        let question = Question {
            request,
            limit: limit.as_secs_f64(),
        };
        let text = serde_json::to_string(&question)
            .map_err(|error| DriverError::Usage(format!("a request cannot be written: {error}")))?;
        // A worker that has ended does not read; then it does not answer either.
        let _ = writeln!(process.requests, "{text}");
        let reply = match process.answer(limit + self.start.patience, &self.start.stop)? {
            Ok(line) => serde_json::from_str(&line).ok(),
            Err(RecvTimeoutError::Timeout) => {
                process.end();
                return Ok(Reply::Failed {
                    how: match request {
                        Request::Build { .. } => Failure::BuildTime,
                        _ => Failure::Time,
                    },
                    reason: format!("it took more than {:.0} s", limit.as_secs_f64()),
                });
            }
            Err(RecvTimeoutError::Disconnected) => None,
        };
        match reply {
            Some(Reply::Lost { reason }) => Err(DriverError::Usage(reason)),
            Some(reply) => {
                process.answers += 1;
                self.process = (process.answers < MOST_ANSWERS).then_some(process);
                Ok(reply)
            }
            None => Ok(process.end()),
        }
    }
}

/// Has each request answered by one of the workers; the answers are in the order of the requests.
///
/// # Errors
/// If no worker can be started.
pub fn ask_all(
    workers: &mut [Worker],
    requests: &[Request],
    limit: Duration,
) -> Result<Vec<Reply>, DriverError> {
    let next = AtomicUsize::new(0);
    let replies: Mutex<Vec<(usize, Reply)>> = Mutex::default();
    let work = |worker: &mut Worker| {
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
        let threads: Vec<_> = (workers.iter_mut())
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

/// A worker's process.
#[derive(Debug)]
struct Process {
    child: Child,
    requests: ChildStdin,
    replies: Receiver<String>,
    /// What it says on its way out.
    complaints: Option<JoinHandle<String>>,
    /// How many requests it has answered.
    answers: usize,
}

/// So many requests a process answers at most. Each may load a library, which stays until the process ends, and of whose kind the
/// system has keys for 1024 (`PTHREAD_KEYS_MAX`).
const MOST_ANSWERS: usize = 400;

/// How long a worker is waited for between two looks at whether to stop.
const POLL: Duration = Duration::from_millis(50);

/// The most bytes of a worker's complaints that are kept.
const MOST_COMPLAINTS: usize = 2000;

impl Process {
    fn start(start: &Start) -> Result<Self, DriverError> {
        let program = &start.command[0];
        let failed = || DriverError::io(program);
        let mut child = Command::new(program)
            .args(&start.command[1..])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(failed())?;
        let (Some(requests), Some(output), Some(errors)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(DriverError::Usage("a worker has no pipes".into()));
        };
        let (sender, replies) = mpsc::channel();
        thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let complaints = thread::spawn(move || last_of(errors));
        Ok(Self {
            child,
            requests,
            replies,
            complaints: Some(complaints),
            answers: 0,
        })
    }

    /// The next line that it writes within a time, or why there is none.
    fn answer(
        &self,
        limit: Duration,
        stop: &Stop,
    ) -> Result<Result<String, RecvTimeoutError>, DriverError> {
        let start = Instant::now();
        loop {
            let left = limit.saturating_sub(start.elapsed());
            match self.replies.recv_timeout(left.min(POLL)) {
                Err(RecvTimeoutError::Timeout) if left > POLL => stop.check()?,
                answer => return Ok(answer),
            }
        }
    }

    /// Ends it, and says why it did not answer.
    fn end(mut self) -> Reply {
        // One that has ended already cannot be ended.
        let _ = self.child.kill();
        let status = self.child.wait();
        let said = self.complaints.take().and_then(|thread| thread.join().ok());
        let said = said.unwrap_or_default();
        let how = match said.contains("memory allocation") || said.contains("out of memory") {
            true => Failure::Memory,
            false => Failure::Crash,
        };
        let status = status.map_or_else(|error| error.to_string(), |status| status.to_string());
        Reply::Failed {
            how,
            reason: format!("{status}{}{said}", if said.is_empty() { "" } else { ": " }),
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // A worker ends when nobody asks any more; one that hangs does not.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The end of what is said.
fn last_of(mut errors: impl Read) -> String {
    let mut text = Vec::new();
    let _ = errors.read_to_end(&mut text);
    let text = String::from_utf8_lossy(&text);
    let text = text.trim();
    let mut from = text.len().saturating_sub(MOST_COMPLAINTS);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    text[from..].to_owned()
}
