//! Who compiles kernels for a tuner, and who times them.

use super::{
    protocol::{Reply, Request},
    remote::Remote,
    workers::{Answers, Start, Worker},
};
use crate::DriverError;
use std::time::Duration;

/// Who compiles, and who times.
pub struct Team {
    /// Those who compile.
    pub builders: Vec<Worker>,
    /// Those who time.
    pub runners: Vec<Box<dyn Answers>>,
}

impl Team {
    /// So many workers that compile. Runners on other machines time, if there are any, and else a worker on this one.
    pub fn new(start: &Start, remotes: Vec<Remote>, builders: usize) -> Self {
        let worker = || Worker::new(start.clone());
        let mut runners: Vec<Box<dyn Answers>> = Vec::new();
        for remote in remotes {
            runners.push(Box::new(remote));
        }
        if runners.is_empty() {
            runners.push(Box::new(worker()));
        }
        Self {
            builders: (0..builders).map(|_| worker()).collect(),
            runners,
        }
    }

    /// Has one of those who time do so.
    ///
    /// # Errors
    /// If nobody can be asked.
    pub fn ask(&mut self, request: &Request, limit: Duration) -> Result<Reply, DriverError> {
        match &mut self.runners[..] {
            [first, ..] => first.ask(request, limit),
            [] => Err(DriverError::Usage("nobody times kernels".into())),
        }
    }
}
