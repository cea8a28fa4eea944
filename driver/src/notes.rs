//! Warnings as a part of a result.

use std::{
    io::{self, Write},
    sync::{Arc, Mutex, PoisonError},
};
use tracing::Level;

/// Lines that were logged.
#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        lines.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Does `work`; returns what it returns and the warnings that it logged, a line each.
pub fn with_warnings<T>(work: impl FnOnce() -> T) -> (T, Vec<String>) {
    let lines = Lines::default();
    let writer = lines.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_writer(move || writer.clone())
        .with_ansi(false)
        .with_max_level(Level::WARN)
        .without_time()
        .with_target(false)
        .with_level(false)
        .finish();
    let result = tracing::subscriber::with_default(subscriber, work);
    let lines = lines.0.lock().unwrap_or_else(PoisonError::into_inner);
    let text = String::from_utf8_lossy(&lines);
    (
        result,
        text.lines().map(|line| line.trim().to_owned()).collect(),
    )
}
