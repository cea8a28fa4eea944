//! The file of results: lines of JSON, each complete in itself. The first one has the plan; a process that ends in the middle of a line loses
//! this line only.

use super::plan::{Plan, VERSION, check_version};
use crate::protocol::{Answer, Description, Trouble};
use serde::{Deserialize, Serialize};
use std::{
    fs::{File, OpenOptions, TryLockError},
    io::{self, Read, Seek, SeekFrom, Write},
    path::Path,
};

/// A line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "line", rename_all = "kebab-case")]
enum Line {
    /// What is timed, and where.
    Plan(Header),
    /// What came of a candidate.
    Result(Measured),
}

/// What is timed, and where.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// [`VERSION`] of the runner.
    pub version: u32,
    /// The plan, with as many threads as ran it.
    pub plan: Plan,
    /// The machine.
    pub runner: Description,
}

/// What came of a candidate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// The key of the kernel.
    pub key: String,
    /// The candidate; empty for the default beside itself.
    pub from: String,
    /// Which of the plan's turns were taken.
    pub stage: Stage,
    /// What came of it.
    pub outcome: Outcome,
}

/// The turns of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// The first ones.
    Look,
    /// Those of finalists.
    Test,
}

/// What came of a candidate in turns with the default.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// It computes what the default computes. The nanoseconds of a run in each round.
    Timed {
        /// Of the default.
        default: Vec<f64>,
        /// Of the candidate.
        candidate: Vec<f64>,
    },
    /// It does not, or did not end as it should.
    Failed {
        /// In which way.
        how: Trouble,
        /// What was said.
        reason: String,
    },
}

impl From<Answer> for Outcome {
    fn from(answer: Answer) -> Self {
        match answer {
            Answer::Timed {
                incumbent,
                candidate,
            } => Self::Timed {
                default: incumbent,
                candidate,
            },
            Answer::Failed { how, reason } => Self::Failed { how, reason },
            Answer::Described(_) | Answer::Kept | Answer::Profiled { .. } => Self::Failed {
                how: Trouble::Crash,
                reason: "something else was answered than was asked".into(),
            },
        }
    }
}

/// What a file says.
#[derive(Debug, PartialEq)]
pub struct Results {
    /// What was timed, and where.
    pub header: Header,
    /// What came of it.
    pub measured: Vec<Measured>,
    /// The number of lines that are none.
    pub unread: usize,
}

impl Results {
    /// Reads a file of results.
    ///
    /// # Errors
    /// If the system refuses, or it is none of this version.
    pub fn read(path: &Path) -> io::Result<Self> {
        Self::parse(&std::fs::read_to_string(path)?).map_err(io::Error::other)
    }

    fn parse(text: &str) -> Result<Self, String> {
        let mut lines = text.lines();
        let first = lines.next().unwrap_or_default();
        let none = |_| "it is no file of results, or its first line is damaged";
        let value: serde_json::Value = serde_json::from_str(first).map_err(none)?;
        check_version(value.get("version"))?;
        let Line::Plan(header) = serde_json::from_value(value).map_err(none)? else {
            return Err("its first line has no plan".into());
        };
        let mut results = Self {
            header,
            measured: Vec::new(),
            unread: 0,
        };
        for line in lines.filter(|line| !line.trim().is_empty()) {
            match serde_json::from_str(line) {
                Ok(Line::Result(measured)) => results.measured.push(measured),
                _ => results.unread += 1,
            }
        }
        Ok(results)
    }
}

/// A file that results are added to. One process writes it at a time.
#[derive(Debug)]
pub(super) struct Writer(File);

impl Writer {
    /// Opens a file of results, or begins one. Returns what it says already.
    ///
    /// # Errors
    /// If the system refuses, another process writes the file, or it is of another plan or machine.
    pub(super) fn open(path: &Path, header: &Header) -> io::Result<(Self, Vec<Measured>)> {
        let mut file = (OpenOptions::new().create(true).read(true).append(true)).open(path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(io::Error::other(
                    "another runner writes it; wait for its end",
                ));
            }
            Err(TryLockError::Error(error)) => return Err(error),
        }
        let mut text = String::new();
        file.read_to_string(&mut text)?;
        let mut writer = Self(file);
        if text.is_empty() {
            writer.add_line(&Line::Plan(header.clone()))?;
            return Ok((writer, Vec::new()));
        }
        let known = Results::parse(&text).map_err(io::Error::other)?;
        if known.header != *header {
            return Err(io::Error::other(
                "it is of another plan or another machine; name another file with --results, or remove it",
            ));
        }
        Ok((writer, known.measured))
    }

    /// Adds a result.
    ///
    /// # Errors
    /// If the system refuses.
    pub(super) fn add(&mut self, measured: Measured) -> io::Result<()> {
        self.add_line(&Line::Result(measured))
    }

    fn add_line(&mut self, line: &Line) -> io::Result<()> {
        let mut text = serde_json::to_string(line)?;
        text.push('\n');
        if self.is_torn()? {
            text.insert(0, '\n');
        }
        // One write: what a reader sees ends with a line, unless this process is killed in it.
        self.0.write_all(text.as_bytes())?;
        // A candidate may take the machine down with it.
        self.0.sync_data()
    }

    /// Whether the file ends in the middle of a line.
    fn is_torn(&mut self) -> io::Result<bool> {
        if self.0.seek(SeekFrom::End(0))? == 0 {
            return Ok(false);
        }
        let mut last = [0];
        self.0.seek(SeekFrom::End(-1))?;
        self.0.read_exact(&mut last)?;
        Ok(last != *b"\n")
    }
}

/// What a file of this runner begins with.
pub(super) fn header(plan: &Plan, runner: Description) -> Header {
    Header {
        version: VERSION,
        plan: plan.clone(),
        runner,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{bundle::plan::tests::plan, describe::this_machine};

    fn measured(from: &str) -> Measured {
        Measured {
            key: "k".into(),
            from: from.into(),
            stage: Stage::Look,
            outcome: Outcome::Timed {
                default: vec![2.0],
                candidate: vec![1.0],
            },
        }
    }

    #[test]
    fn a_file_that_was_cut_goes_on_with_a_new_line() {
        let folder = tempfile::tempdir().expect("there is a folder for temporary files");
        let path = folder.path().join("results.jsonl");
        let header = header(&plan(), this_machine());
        let (mut writer, known) = Writer::open(&path, &header).expect("it is new");
        assert!(known.is_empty());
        writer.add(measured("a")).expect("it is written");
        writer.add(measured("b")).expect("it is written");
        let other = Writer::open(&path, &header).expect_err("somebody writes it");
        assert!(other.to_string().contains("another runner"), "{other}");
        drop(writer);
        let text = std::fs::read_to_string(&path).expect("it is read");
        std::fs::write(&path, &text[..text.len() - 10]).expect("it is cut");
        let (mut writer, known) = Writer::open(&path, &header).expect("it goes on");
        assert_eq!(known, [measured("a")]);
        writer.add(measured("c")).expect("it is written");
        let results = Results::read(&path).expect("it is read");
        assert_eq!(results.measured, [measured("a"), measured("c")]);
        assert_eq!((results.unread, results.header), (1, header));
    }

    #[test]
    fn results_of_another_plan_are_refused() {
        let folder = tempfile::tempdir().expect("there is a folder for temporary files");
        let path = folder.path().join("results.jsonl");
        let own = header(&plan(), this_machine());
        drop(Writer::open(&path, &own).expect("it is new"));
        let mut other = own.clone();
        other.plan.seed = 7;
        let refused = Writer::open(&path, &other).expect_err("the plan is another one");
        assert!(refused.to_string().contains("another plan"), "{refused}");
        for (text, reason) in [
            ("", "no file of results"),
            ("{\"line\":\"plan\",\"version\":9}", "version 9"),
            ("{\"line\":\"plan\",\"version\":1}", "first line is damaged"),
        ] {
            let said = Results::parse(text).expect_err("it is none");
            assert!(said.contains(reason), "{said}");
        }
    }
}
