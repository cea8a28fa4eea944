//! A worker: a process that compiles and times kernels for a tuner, and may end while it does.

use super::{
    producers::{behind_producers, schedule_producers},
    protocol::{Reply, Request},
};
use crate::{
    DriverError,
    candidates::kernel::NAME,
    compile::{self, CompileOptions},
    records, signals,
};
use melior::Context;
use relay_dialects::ir::Op;
use relay_passes::te::lower_te::check_schedule;
use relay_runner::Timer;
use relay_tune::{ScheduleText, record::Failure};
use std::{
    io::{BufRead, Write},
    path::Path,
};

/// Answers requests, a line each, until there are no more. Where `machine` is not the one that this is, as records name it, the
/// answers say so.
///
/// The answers go to the standard output. When nobody reads that any more, the process ends at once: so one in which a schedule hangs does
/// not outlive a tuner that was killed. That nobody asks any more would be no reason: who has sent the last request may close the pipe
/// and wait for the answer.
///
/// # Errors
/// If nobody reads the answers, or the system refuses a thread.
pub fn serve(
    requests: impl BufRead,
    mut replies: impl Write,
    options: &CompileOptions,
    machine: Option<&str>,
) -> Result<(), DriverError> {
    signals::end_when_nobody_reads().map_err(DriverError::io("the tuner"))?;
    let other = machine.and_then(|machine| other_machine(machine, options));
    let mut worker = Worker {
        context: compile::prepare(),
        options,
        timer: Timer::default(),
    };
    for line in requests.lines() {
        let line = line.map_err(DriverError::io("the tuner's requests"))?;
        let reply = match (&other, serde_json::from_str(&line)) {
            (Some(reason), _) => Reply::Lost {
                reason: reason.clone(),
            },
            (None, Ok(request)) => worker.answer(&request),
            (None, Err(error)) => failed(Failure::Crash, format!("not a request: {error}")),
        };
        let mut text = serde_json::to_string(&reply).unwrap_or_default();
        text.push('\n');
        let sent = replies.write_all(text.as_bytes());
        sent.and_then(|()| replies.flush())
            .map_err(DriverError::io("the tuner"))?;
    }
    Ok(())
}

/// What is wrong if this is another machine than the tuner's.
fn other_machine(expected: &str, options: &CompileOptions) -> Option<String> {
    let found = records::machine(&options.target);
    (found != expected).then(|| {
        format!(
            "a worker runs on another machine than records are made for: it is '{found}', and they are for '{expected}'; have \
             workers start on machines like the tuner's only"
        )
    })
}

/// What a worker keeps from one request to the next.
struct Worker<'o> {
    context: Context,
    options: &'o CompileOptions,
    timer: Timer,
}

impl Worker<'_> {
    fn answer(&mut self, request: &Request) -> Reply {
        match request {
            Request::Build {
                module,
                schedule,
                weights,
                library,
            } => {
                let built = self.build((module, schedule), weights, library);
                built.unwrap_or_else(|reply| reply)
            }
            Request::Time(pair) => self.timer.time(pair).into(),
            Request::Network(pair) => self.timer.network(pair).into(),
            Request::Profile(pair) => self.timer.profile(pair).into(),
        }
    }

    /// Compiles a kernel under a schedule, behind producers of its data and with a clock around it.
    fn build(
        &self,
        (module, schedule): (&str, &ScheduleText),
        weights: &[bool],
        library: &Path,
    ) -> Result<Reply, Reply> {
        let context = &self.context;
        let parse = |text: &str| {
            relay_dialects::parse(context, text.as_bytes(), "kernel.mlir")
                .ok_or_else(|| failed(Failure::Build, "the kernel's module does not parse"))
        };
        let no_kernel = || failed(Failure::Build, "the kernel's module has no kernel");
        let alone = parse(module)?;
        let kernel = Op::of_module(&alone).lookup(NAME).ok_or_else(no_kernel)?;
        let mut module = parse(&behind_producers(kernel, weights))?;
        let whole = Op::of_module(&module);
        let function = whole.lookup(NAME).ok_or_else(no_kernel)?;
        schedule_producers(whole, self.options.target.schedules_for());
        let inserted = schedule.insert(function, whole);
        inserted
            .and_then(|()| check_schedule(function, whole))
            .map_err(|reason| failed(Failure::Illegal, reason))?;
        let wrong = |error: DriverError| failed(Failure::Build, error);
        let options = &CompileOptions {
            profile: true,
            ..self.options.clone()
        };
        let program = compile::te_to_program(context, &mut module, options).map_err(wrong)?;
        compile::write_library(&module, &program, NAME, library, options).map_err(wrong)?;
        Ok(Reply::Built)
    }
}

fn failed(how: Failure, reason: impl ToString) -> Reply {
    Reply::Failed {
        how,
        reason: reason.to_string(),
    }
}
