//! What was measured, as a file of JSON.

use super::Kernel;
use crate::{DriverError, output};
use serde::{Deserialize, Serialize};
use std::{fs, path::Path};

/// How kernels are measured. Times of other settings do not go into one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    /// The number of threads.
    pub threads: usize,
    /// The most schedules of a kernel.
    pub candidates: usize,
}

/// The kernels that were measured.
#[derive(Debug, Serialize, Deserialize)]
pub struct Record {
    /// How.
    pub settings: Settings,
    /// The machine that they were compiled for.
    pub target: String,
    /// In the order in which they were measured.
    pub kernels: Vec<Measured>,
}

/// A kernel.
#[derive(Debug, Serialize, Deserialize)]
pub struct Measured {
    /// See [`Kernel::id`].
    pub id: String,
    /// See [`Kernel::name`].
    pub name: String,
    /// The first model that has it.
    pub model: String,
    /// See [`Kernel::text`].
    pub text: String,
    /// The floating-point operations of a call.
    pub flops: u64,
    /// The bytes of its inputs and outputs.
    pub bytes: u64,
    /// How many schedules it has.
    pub space: usize,
    /// The clock, from the FMA peak that was measured beside it.
    pub cycles_per_nanosecond: f64,
    /// Some of its schedules, the default first.
    pub candidates: Vec<Timed>,
    /// The default and the fastest of the others, timed anew.
    pub finals: Vec<Final>,
    /// What is wrong with schedules: they do not compile, or compute something else.
    pub failures: Vec<String>,
}

/// The time of a schedule.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Timed {
    /// Its place by predicted cycles; 0 is the default.
    pub rank: usize,
    /// The template and its knobs.
    pub knobs: String,
    /// The predicted cycles.
    pub cycles: f64,
    /// The median of a run.
    pub nanoseconds: f64,
}

/// The time of one of the fastest schedules, or of the default.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Final {
    /// Its place by predicted cycles; 0 is the default.
    pub rank: usize,
    /// The median of a run.
    pub nanoseconds: f64,
    /// How many times as long as the default it takes.
    pub of_default: f64,
}

impl Record {
    /// The record in a file that another run has left, or an empty one.
    ///
    /// # Errors
    /// If the file cannot be read, or was recorded with other settings or for another machine.
    pub fn open(path: &Path, settings: Settings, target: &str) -> Result<Self, DriverError> {
        let fail = |reason: String| DriverError::Data {
            path: path.into(),
            reason,
        };
        if !path.exists() {
            return Ok(Self {
                settings,
                target: target.to_owned(),
                kernels: Vec::new(),
            });
        }
        let found = Self::read(path)?;
        if found.settings != settings || found.target != target {
            return Err(fail(format!(
                "was recorded for {} with {:?}, not for {target} with {settings:?}; remove it, or name another file",
                found.target, found.settings
            )));
        }
        Ok(found)
    }

    /// The record in a file.
    ///
    /// # Errors
    /// If it cannot be read, or is none.
    pub fn read(path: &Path) -> Result<Self, DriverError> {
        let text = fs::read_to_string(path).map_err(DriverError::io(path))?;
        serde_json::from_str(&text).map_err(|error| DriverError::Data {
            path: path.into(),
            reason: format!("is no record of candidates: {error}"),
        })
    }

    /// Whether a kernel was measured.
    pub fn has(&self, kernel: &Kernel) -> bool {
        self.kernels.iter().any(|known| known.id == kernel.id)
    }

    /// Writes the file; a run that is stopped leaves the one before, or this.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), DriverError> {
        let text = serde_json::to_string_pretty(self).map_err(|error| DriverError::Data {
            path: path.into(),
            reason: error.to_string(),
        })?;
        output::write(path, text.as_bytes())
    }
}

impl Measured {
    /// In a line: how many schedules, and the fastest beside the default.
    pub fn describe(&self) -> String {
        let (count, space) = (self.candidates.len(), self.space);
        let default = self.finals.first().map_or(0.0, |first| first.nanoseconds);
        let fastest = self.finals.iter().map(|last| (last.of_default, last.rank));
        let (of_default, rank) = fastest
            .min_by(|a, b| a.0.total_cmp(&b.0))
            .unwrap_or((1.0, 0));
        let named = self.candidates.iter().find(|timed| timed.rank == rank);
        let failures = match self.failures.len() {
            0 => String::new(),
            count => format!("; {count} FAILED"),
        };
        format!(
            "{count} of {space} schedules, the default takes {:.4} ms, the fastest {of_default:.3} of it ({}){failures}",
            default / 1e6,
            named.map_or("", |timed| &timed.knobs)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_go_on_with_the_same_settings_only() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let path = folder.path().join("record.json");
        let settings = Settings {
            threads: 1,
            candidates: 8,
        };
        let record = Record::open(&path, settings, "a").expect("there is none");
        record.write(&path).expect("it is written");
        let again = Record::open(&path, settings, "a").expect("it is there");
        assert!(again.kernels.is_empty());
        assert!(Record::open(&path, settings, "b").is_err());
        let other = Settings {
            threads: 2,
            ..settings
        };
        let error = Record::open(&path, other, "a").expect_err("other threads");
        assert!(error.to_string().contains("name another file"), "{error}");
    }
}
