//! A wish that long work ends before it is done.

use crate::CodegenError;
use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

/// Whether work is to stop: one thread says so, and those that work ask between two steps. What is said to one copy, all
/// copies know.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Asks the work to stop.
    pub fn request(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether to go on.
    ///
    /// # Errors
    /// [`CodegenError::Stopped`] once somebody asked the work to stop.
    pub fn check(&self) -> Result<(), CodegenError> {
        match self.0.load(Ordering::Relaxed) {
            true => Err(CodegenError::Stopped),
            false => Ok(()),
        }
    }
}
