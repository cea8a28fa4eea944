//! A model that many threads run.

use crate::{Error, Input, Model, Outputs, Session};
use std::sync::{Mutex, PoisonError};

/// A model that any number of threads run at once: each call has a session of its own while it runs. Sessions are made when
/// they are needed, and kept; they share the model's constants.
pub struct Shared {
    model: Model,
    threads: usize,
    idle: Mutex<Vec<Session>>,
}

impl Shared {
    /// `threads` is that of each session: 1 where calls come from many threads.
    pub fn new(model: Model, threads: usize) -> Self {
        Self {
            model,
            threads,
            idle: Mutex::default(),
        }
    }

    /// The model.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Runs the model, as [`Session::run`] does.
    ///
    /// # Errors
    /// As [`Session::new`] and [`Session::run`].
    pub fn run(&self, inputs: &[(&str, Input<'_>)]) -> Result<Outputs, Error> {
        // A list that a thread panicked over is whole: it was only added to or taken from.
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let found = idle().pop();
        let mut session = match found {
            Some(session) => session,
            None => Session::new(&self.model, self.threads)?,
        };
        let result = session.run(inputs);
        idle().push(session);
        result
    }
}
