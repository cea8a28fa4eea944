//! What is left behind when a signal ends the process: nothing.

use relay_codegen::files;
use signal_hook::{
    consts::{SIGHUP, SIGINT, SIGTERM},
    iterator::Signals,
    low_level::emulate_default_handler,
};
use std::{ffi::c_int, fs, io, thread};

/// Has Ctrl-C, the end of the terminal and `kill` delete the temporary folders before they end this process, as
/// they would without this. A signal that whoever started this process wants to be ignored stays ignored.
///
/// # Errors
/// If the system refuses a handler or a thread.
pub fn clean_up_at_the_end() -> io::Result<()> {
    let ignored = ignored();
    let handled = [SIGHUP, SIGINT, SIGTERM].into_iter();
    let handled = handled.filter(|signal| ignored & (1 << (signal - 1)) == 0);
    let mut signals = Signals::new(handled)?;
    let wait = move || {
        if let Some(signal) = signals.forever().next() {
            files::remove_temporary_folders();
            end_by(signal);
        }
    };
    thread::Builder::new().name("signals".into()).spawn(wait)?;
    Ok(())
}

/// Ends this process as the signal does where nobody handles it, so that a shell sees what happened.
fn end_by(signal: c_int) {
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
