//! Work that Ctrl-C ends.

use pyo3::prelude::*;
use relay_codegen::Stop;
use std::{
    panic,
    sync::mpsc::{RecvTimeoutError, channel},
    thread,
    time::Duration,
};

/// How long Python waits between two looks at its signals.
const POLL: Duration = Duration::from_millis(50);

/// The bytes of the stack of the thread that works: what Linux gives to a process's first thread.
const STACK: usize = 8 << 20;

/// Does `work` on another thread, while this one lets other Python threads run and handles signals. A handler that
/// raises, as that of Ctrl-C does, has the work stop, and its exception is raised when the work has ended.
///
/// # Errors
/// What a handler raised, or that there can be no other thread.
pub fn interruptible<T: Send>(
    py: Python<'_>,
    stop: &Stop,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    py.detach(|| {
        thread::scope(|scope| {
            let (working, ended) = channel::<()>();
            let work = move || {
                let _working = working;
                work()
            };
            let worker = thread::Builder::new().stack_size(STACK);
            let worker = worker.spawn_scoped(scope, work)?;
            let mut handled = Ok(());
            while ended.recv_timeout(POLL) == Err(RecvTimeoutError::Timeout) {
                if let Err(raised) = Python::attach(|py| py.check_signals()) {
                    stop.request();
                    handled = Err(raised);
                }
            }
            let result = worker.join();
            handled.map(|()| result.unwrap_or_else(|panic| panic::resume_unwind(panic)))
        })
    })
}
