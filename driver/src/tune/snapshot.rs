//! What networks are compiled with to be tested: a file of records of its own.
//!
//! Another tuner may write into the records meanwhile, and what it has not tested yet is not this one's to test.

use super::{
    Settings,
    lines::write,
    search::{Best, Search},
};
use crate::{DriverError, output};
use relay_codegen::files::TemporaryFolder;
use relay_tune::{Database, record::Line};
use std::path::{Path, PathBuf};

/// Files of records that have the layouts of a tuner's records, and the schedules that the tuner gives them.
pub struct Snapshot {
    layouts: Vec<Line>,
    folder: TemporaryFolder,
    /// How many files there are.
    files: usize,
}

impl Snapshot {
    /// The layouts of a tuner's records.
    ///
    /// # Errors
    /// If there is no folder for files.
    pub fn new(records: &Database) -> Result<Self, DriverError> {
        Ok(Self {
            layouts: records.layouts().cloned().map(Line::Layout).collect(),
            folder: output::temporary_folder()?,
            files: 0,
        })
    }

    /// A file without schedules: all kernels get their defaults.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn of_layouts(&mut self) -> Result<PathBuf, DriverError> {
        self.file(Vec::new())
    }

    /// A file with a schedule for each kernel, or none for the default. It says the defaults, too: a kernel that nothing is said of gets
    /// the schedule of the same kernel with another number of samples.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn of(
        &mut self,
        lineup: &[Option<&Best>],
        searches: &[Search<'_, '_>],
        settings: &Settings,
    ) -> Result<PathBuf, DriverError> {
        let lines = searches.iter().zip(lineup).flat_map(|(search, best)| {
            let default = Best::default_of(search.task);
            let choice = best.unwrap_or(&default).choice(search.task, settings);
            [
                Line::Kernel(search.task.kernel.clone()),
                Line::Choice(choice),
            ]
        });
        self.file(lines.collect())
    }

    /// A file with the best schedule of each kernel.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn of_best(
        &mut self,
        searches: &[Search<'_, '_>],
        settings: &Settings,
    ) -> Result<PathBuf, DriverError> {
        let best: Vec<Option<&Best>> = searches.iter().map(|search| Some(&search.best)).collect();
        self.of(&best, searches, settings)
    }

    /// Where libraries may go that are compiled with these files.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    fn file(&mut self, schedules: Vec<Line>) -> Result<PathBuf, DriverError> {
        self.files += 1;
        let file = self
            .folder
            .path()
            .join(format!("records{}.jsonl", self.files));
        write(&[&self.layouts[..], &schedules].concat(), &file)?;
        Ok(file)
    }
}
