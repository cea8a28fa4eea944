//! Progress of long work, drawn on stderr.

use indicatif::{ProgressBar, ProgressStyle};
use std::time::Duration;

/// One stage of a compilation: how many of its steps are done. It is gone when it is dropped.
#[derive(Debug)]
pub struct Stage(ProgressBar);

impl Stage {
    /// A stage of so many steps, of which `done` are done already.
    pub fn new(shown: bool, name: &'static str, steps: usize, done: usize) -> Self {
        let bar = if shown {
            ProgressBar::new(steps as u64)
        } else {
            ProgressBar::hidden()
        };
        bar.set_style(
            ProgressStyle::with_template("{bar:24} {prefix} {pos}/{len} {msg} {elapsed}")
                .unwrap_or_else(|_| ProgressStyle::default_bar()),
        );
        bar.set_prefix(name);
        bar.set_position(done as u64);
        if shown {
            // So that a step that takes long is seen to go on.
            bar.enable_steady_tick(Duration::from_millis(200));
        }
        Self(bar)
    }

    /// Says which step is done now.
    pub fn enter(&self, step: &str) {
        self.0.set_message(step.to_owned());
    }

    /// One more step is done.
    pub fn step(&self) {
        self.0.inc(1);
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
