//! What is left behind when a signal ends the process: nothing.

use relay_codegen::files;
use relay_runner::ends;
use signal_hook::{
    consts::{SIGHUP, SIGINT, SIGPIPE, SIGTERM},
    iterator::Signals,
    low_level::emulate_default_handler,
};
use std::{
    ffi::c_int,
    fs, io, mem,
    sync::{Mutex, PoisonError},
    thread,
};

/// Taken by who ends this process, and never given back.
static END: Mutex<()> = Mutex::new(());

/// Has Ctrl-C, the end of the terminal and `kill` delete the temporary folders before they end this process, as
/// they would without this. A signal that whoever started this process wants to be ignored stays ignored.
///
/// # Errors
/// If the system refuses a handler or a thread.
pub fn clean_up_at_the_end() -> io::Result<()> {
    let ignored = ignored();
    let handled = [SIGHUP, SIGINT, SIGTERM].into_iter();
    end_by_any(handled.filter(|signal| ignored & (1 << (signal - 1)) == 0))
}

/// Has a write to a pipe that nobody reads any more do the same, for a command that prints while it has temporary folders. The write is an
/// error then, of which nothing is to be said: the process is about to end.
///
/// # Errors
/// As [`clean_up_at_the_end`].
pub fn clean_up_when_nobody_reads() -> io::Result<()> {
    end_by_any([SIGPIPE])
}

/// Ends this process, as [`clean_up_when_nobody_reads`] does, as soon as nobody reads its standard output, whether it writes or not: what
/// it works at may hang, and is for nobody.
///
/// # Errors
/// If the system refuses a thread.
pub fn end_when_nobody_reads() -> io::Result<()> {
    let wait = || {
        // A standard output that is closed here is not waited for.
        if ends::wait_while_read(io::stdout()).is_ok() {
            end_by(SIGPIPE);
        }
    };
    thread::Builder::new().name("reader".into()).spawn(wait)?;
    Ok(())
}

/// Does not return while this process is being ended: what it has started may fail then, as its files go first, and that means nothing.
pub fn wait_if_it_ends() {
    drop(END.lock());
}

/// Ends this process by the first of some signals that comes.
fn end_by_any(signals: impl IntoIterator<Item = c_int>) -> io::Result<()> {
    let mut signals = Signals::new(signals)?;
    let wait = move || {
        if let Some(signal) = signals.forever().next() {
            end_by(signal);
        }
    };
    thread::Builder::new().name("signals".into()).spawn(wait)?;
    Ok(())
}

/// Deletes the temporary folders, and ends this process as the signal does where nobody handles it, so that a shell sees what happened.
fn end_by(signal: c_int) {
    mem::forget(END.lock().unwrap_or_else(PoisonError::into_inner));
    files::remove_temporary_folders();
    if emulate_default_handler(signal).is_err() {
        std::process::abort();
    }
}

/// The signals that are ignored, one bit each, as Linux shows them: `nohup` and background jobs of scripts ignore
/// some.
fn ignored() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .unwrap_or(0)
}
