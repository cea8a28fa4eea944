//! What a search for layers has measured, in a file: a search that was stopped goes on where it was.

use super::figures::Alone;
use crate::DriverError;
use serde::{Deserialize, Serialize};
use std::{
    collections::BTreeMap,
    fs::{self, OpenOptions},
    io::{ErrorKind, Write as _},
    path::{Path, PathBuf},
};

/// A measurement.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Measured {
    /// A layer alone.
    Alone(usize, Alone),
    /// The score of the model with these layers float.
    Float(Vec<usize>, f64),
}

/// A line of the file.
#[derive(Debug, Serialize, Deserialize)]
struct Line {
    /// Which model, data and metric it belongs to.
    search: String,
    measured: Measured,
}

/// The measurements of a search.
#[derive(Debug, Default)]
pub struct Journal {
    /// The file, and the name of the search in it.
    file: Option<(PathBuf, String)>,
    alone: BTreeMap<usize, Alone>,
    scores: BTreeMap<Vec<usize>, f64>,
}

impl Journal {
    /// The measurements of a search that a file holds, to which others are added. Lines of other searches stay. A line that was
    /// being written when a search was stopped is left out.
    ///
    /// # Errors
    /// If the file is there and cannot be read.
    pub fn open(path: &Path, search: String) -> Result<Self, DriverError> {
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
            Err(error) => return Err(DriverError::io(path)(error)),
        };
        let mut journal = Self::default();
        let lines = text
            .lines()
            .filter_map(|line| serde_json::from_str(line).ok());
        for line in lines.filter(|line: &Line| line.search == search) {
            journal.note(line.measured);
        }
        journal.file = Some((path.into(), search));
        Ok(journal)
    }

    /// What is known of a layer alone.
    pub fn alone(&self, layer: usize) -> Option<Alone> {
        self.alone.get(&layer).copied()
    }

    /// The score with these layers float, in ascending order.
    pub fn score(&self, float: &[usize]) -> Option<f64> {
        self.scores.get(float).copied()
    }

    /// Adds what was measured of a layer alone.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn add_alone(&mut self, layer: usize, alone: Alone) -> Result<(), DriverError> {
        self.add(Measured::Alone(layer, alone))
    }

    /// Adds the score with these layers float.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn add_score(&mut self, float: &[usize], score: f64) -> Result<(), DriverError> {
        self.add(Measured::Float(float.to_vec(), score))
    }

    fn add(&mut self, measured: Measured) -> Result<(), DriverError> {
        if let Some((path, search)) = &self.file {
            let line = Line {
                search: search.clone(),
                measured: measured.clone(),
            };
            let text = serde_json::to_string(&line);
            let text = text.map_err(|error| DriverError::io(path)(error.into()))?;
            let mut options = OpenOptions::new();
            let file = options.create(true).append(true).open(path);
            // A new line before it ends one that was being written.
            file.and_then(|mut file| write!(file, "\n{text}\n"))
                .map_err(DriverError::io(path))?;
        }
        self.note(measured);
        Ok(())
    }

    fn note(&mut self, measured: Measured) {
        match measured {
            Measured::Alone(layer, alone) => {
                self.alone.insert(layer, alone);
            }
            Measured::Float(layers, score) => {
                self.scores.insert(layers, score);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stopped_search_is_read_up_to_where_it_was() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let path = folder.path().join("search.jsonl");
        let open = |search: &str| Journal::open(&path, search.into()).expect("it is read");
        let alone = Alone {
            sqnr_db: Some(40.0),
            error: 0.01,
            output_error: 0.02,
            drop: 0.0,
        };
        let mut first = open("a");
        first.add_alone(3, alone).expect("it is written");
        first.add_score(&[1, 3], 0.5).expect("it is written");
        // What a stopped process leaves.
        let torn = fs::read_to_string(&path).expect("it is there") + "{\"search\":\"a\",\"meas";
        fs::write(&path, torn).expect("it is written");
        let mut second = open("a");
        assert_eq!(second.alone(3).map(|alone| alone.sqnr_db), Some(Some(40.0)));
        assert_eq!(
            (second.score(&[1, 3]), second.score(&[1])),
            (Some(0.5), None)
        );
        second.add_score(&[1], 0.25).expect("it is written");
        assert_eq!(open("a").score(&[1]), Some(0.25));
        assert_eq!(open("b").score(&[1]), None);
    }
}
