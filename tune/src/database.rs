//! A file of records, which several processes may write at a time.
//!
//! Lines are only added, each by one write while the file is locked. A process that ends in the middle of a line leaves a part of
//! it: the next writer begins on a new line, and readers count what they cannot read and go on.

use crate::{
    key::{Key, VERSION},
    operator,
    record::{Choice, Exchange, Finished, Kernel, Layout, Line, Newer, Trial},
};
use std::{
    collections::{BTreeMap, HashMap},
    fs::{File, OpenOptions},
    io::{self, Read, Seek, SeekFrom, Write},
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
};

/// What is wrong with a file of records.
#[derive(Debug, thiserror::Error)]
#[error("{}: {reason}", path.display())]
pub struct DatabaseError {
    /// The file.
    pub path: PathBuf,
    /// What the system says.
    pub reason: io::Error,
}

/// What a file of records says.
#[derive(Clone, Debug, Default)]
pub struct Database {
    kernels: HashMap<String, Kernel>,
    /// The keys in the order in which they appear.
    order: Vec<String>,
    trials: Vec<Trial>,
    /// By kernel and machine, as the next.
    choices: BTreeMap<(String, String), Choice>,
    leads: BTreeMap<(String, String), Choice>,
    finished: Vec<Finished>,
    /// By operator and machine.
    layouts: BTreeMap<(String, String), Layout>,
    exchanges: Vec<Exchange>,
    newer: Vec<Newer>,
    /// The lines that could not be read, by number from 1 on.
    pub unread: Vec<usize>,
}

/// How a record fits a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fit {
    /// It is of the same kernel.
    Exact,
    /// It is of the same kernel with so many samples.
    Samples(i64),
}

impl Database {
    /// Reads a file; one that is not there is empty.
    ///
    /// # Errors
    /// If the system refuses to read it.
    pub fn read(path: &Path) -> Result<Self, DatabaseError> {
        let text = match std::fs::read(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(reason) => return Err(wrong(path, reason)),
        };
        Ok(Self::parse(&String::from_utf8_lossy(&text)))
    }

    /// Reads the lines of a text.
    pub fn parse(text: &str) -> Self {
        let mut database = Self::default();
        for (number, line) in text.lines().enumerate() {
            if line.trim().is_empty() {
                continue;
            }
            match serde_json::from_str(line) {
                Ok(line) => database.take(line),
                Err(_) => database.unread.push(number + 1),
            }
        }
        database
    }

    /// Takes over a line.
    pub fn take(&mut self, line: Line) {
        match line {
            Line::Kernel(kernel) => {
                let known = self.kernels.get(&kernel.key);
                if known.is_none() {
                    self.order.push(kernel.key.clone());
                }
                // A line of an older version says less.
                if known.is_none_or(|known| known.version < kernel.version) {
                    self.kernels.insert(kernel.key.clone(), kernel);
                }
            }
            Line::Trial(trial) => self.trials.push(trial),
            Line::Lead(lead) => {
                let key = (lead.key.clone(), lead.target.clone());
                self.leads.insert(key, lead);
            }
            Line::Choice(choice) => {
                let key = (choice.key.clone(), choice.target.clone());
                self.leads.remove(&key);
                self.choices.insert(key, choice);
            }
            Line::Finished(finished) => self.finished.push(finished),
            Line::Layout(layout) => {
                let key = (layout.operator.clone(), layout.target.clone());
                self.layouts.insert(key, layout);
            }
            Line::Exchange(exchange) => self.exchanges.push(exchange),
            Line::Newer(newer) => self.newer.push(newer),
        }
    }

    /// The kernels, in the order in which they appear.
    pub fn kernels(&self) -> impl Iterator<Item = &Kernel> {
        self.order.iter().filter_map(|key| self.kernels.get(key))
    }

    /// A kernel by the digest of its key.
    pub fn kernel(&self, key: &str) -> Option<&Kernel> {
        self.kernels.get(key)
    }

    /// All trials, in their order.
    pub fn trials(&self) -> &[Trial] {
        &self.trials
    }

    /// The trials of a kernel on a machine.
    pub fn trials_of<'a>(
        &'a self,
        key: &'a str,
        target: &'a str,
    ) -> impl Iterator<Item = &'a Trial> {
        let is_of = move |trial: &&Trial| trial.key == key && trial.target == target;
        self.trials.iter().filter(is_of)
    }

    /// What was chosen, by kernel and machine.
    pub fn choices(&self) -> impl Iterator<Item = &Choice> {
        self.choices.values()
    }

    /// What was chosen for a kernel on a machine.
    pub fn choice_of(&self, key: &str, target: &str) -> Option<&Choice> {
        self.choices.get(&(key.to_owned(), target.to_owned()))
    }

    /// The schedules that lead searches which have not ended, by kernel and machine.
    pub fn leads(&self) -> impl Iterator<Item = &Choice> {
        self.leads.values()
    }

    /// The schedule that leads the search for a kernel on a machine. None if the search has ended.
    pub fn lead_of(&self, key: &str, target: &str) -> Option<&Choice> {
        self.leads.get(&(key.to_owned(), target.to_owned()))
    }

    /// The searches that have nothing more to try.
    pub fn finished(&self) -> &[Finished] {
        &self.finished
    }

    /// Whether a search has nothing more to try.
    pub fn is_finished(&self, finished: &Finished) -> bool {
        self.finished.contains(finished)
    }

    /// How operators are laid out, by operator and machine.
    pub fn layouts(&self) -> impl Iterator<Item = &Layout> {
        self.layouts.values()
    }

    /// How an operator is laid out on a machine, by its text. An empty `target` stands for any machine.
    pub fn layout_of(&self, text: &str, target: &str) -> Option<&Layout> {
        let is_current = |layout: &&Layout| layout.version == operator::VERSION;
        if !target.is_empty() {
            let key = (text.to_owned(), target.to_owned());
            return self.layouts.get(&key).filter(is_current);
        }
        let mut of_operator = self.layouts().filter(|layout| layout.operator == text);
        of_operator.find(is_current)
    }

    /// What exchanges of kernels cost, in the order in which they were measured.
    pub fn exchanges(&self) -> &[Exchange] {
        &self.exchanges
    }

    /// What newer versions wrote that is not known here.
    pub fn newer(&self) -> &[Newer] {
        &self.newer
    }

    /// What was chosen for a kernel on a machine: for this one, or else for the one of the same family whose number of samples is
    /// nearest. An empty `target` stands for any machine that has one. Defaults that were chosen are none.
    pub fn find(&self, key: &Key, target: &str) -> Option<(&Choice, Fit)> {
        let is_for = |choice: &&Choice| target.is_empty() || choice.target == target;
        let of = |kernel: &Kernel| {
            let is_of = |choice: &&Choice| choice.key == kernel.key && is_for(choice);
            let scheduled = |choice: &&Choice| is_of(choice) && choice.schedule.is_some();
            let found = self.choices().find(scheduled);
            found.or_else(|| self.choices().find(is_of))
        };
        let current = || self.kernels().filter(|kernel| kernel.version == VERSION);
        if let Some(exact) = current().find(|kernel| kernel.text == key.text)
            && let Some(choice) = of(exact)
        {
            return choice.schedule.is_some().then_some((choice, Fit::Exact));
        }
        let (family, samples) = key.family.as_ref()?;
        let mut relatives: Vec<(i64, &Choice)> = current()
            .filter(|kernel| kernel.family.as_ref() == Some(family))
            .filter_map(|kernel| Some((kernel.samples?, of(kernel)?)))
            .filter(|(_, choice)| choice.schedule.is_some())
            .collect();
        relatives.sort_by_key(|(other, _)| (other.abs_diff(*samples), *other));
        let (other, choice) = relatives.first()?;
        Some((choice, Fit::Samples(*other)))
    }
}

/// A file that lines are added to.
#[derive(Debug)]
pub struct Writer {
    path: PathBuf,
    file: File,
}

impl Writer {
    /// Opens a file, or makes it.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn open(path: &Path) -> Result<Self, DatabaseError> {
        Ok(Self {
            path: path.to_owned(),
            file: open(path).map_err(|reason| wrong(path, reason))?,
        })
    }

    /// Does something with what the file says, which may replace the file. Other writers wait, and then add to what is there.
    ///
    /// # Errors
    /// If the system refuses, or it fails.
    pub fn exclusively<T, E: From<DatabaseError>>(
        &mut self,
        work: impl FnOnce(&Database) -> Result<T, E>,
    ) -> Result<T, E> {
        self.lock().map_err(|reason| wrong(&self.path, reason))?;
        let done = Database::read(&self.path)
            .map_err(E::from)
            .and_then(|read| work(&read));
        let unlocked = self.file.unlock();
        unlocked.map_err(|reason| wrong(&self.path, reason))?;
        done
    }

    /// Adds a line.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn add(&mut self, line: &Line) -> Result<(), DatabaseError> {
        let text = serde_json::to_string(line).map_err(io::Error::other);
        let result = text.and_then(|text| self.add_locked(text));
        result.map_err(|reason| wrong(&self.path, reason))
    }

    fn add_locked(&mut self, mut text: String) -> io::Result<()> {
        text.push('\n');
        self.lock()?;
        let written = self.is_torn().and_then(|torn| {
            // One write: what a reader sees ends with a line, unless this process is killed in it.
            let start = if torn { "\n" } else { "" };
            self.file.write_all(format!("{start}{text}").as_bytes())
        });
        self.file.unlock()?;
        written
    }

    /// Locks the file that has the name now: another one may have come into the place of the one that was opened.
    fn lock(&mut self) -> io::Result<()> {
        loop {
            self.file.lock()?;
            match is_at(&self.file, &self.path) {
                Ok(true) => return Ok(()),
                Ok(false) => self.file = open(&self.path)?,
                Err(error) => {
                    self.file.unlock()?;
                    return Err(error);
                }
            }
        }
    }

    /// Whether the file ends in the middle of a line.
    fn is_torn(&mut self) -> io::Result<bool> {
        if self.file.seek(SeekFrom::End(0))? == 0 {
            return Ok(false);
        }
        let mut last = [0];
        self.file.seek(SeekFrom::End(-1))?;
        self.file.read_exact(&mut last)?;
        Ok(last != *b"\n")
    }
}

/// Opens a file to add to it, or makes it.
fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.create(true).read(true).append(true).open(path)
}

/// Whether an open file is the one with a name.
fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    let named = match std::fs::metadata(path) {
        Ok(named) => named,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(error),
    };
    let opened = file.metadata()?;
    Ok((opened.dev(), opened.ino()) == (named.dev(), named.ino()))
}

fn wrong(path: &Path, reason: io::Error) -> DatabaseError {
    DatabaseError {
        path: path.to_owned(),
        reason,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ScheduleText, record::Outcome};

    fn kernel(samples: i64) -> Line {
        Line::Kernel(Kernel {
            version: VERSION,
            key: format!("key{samples}"),
            text: format!("f32[{samples}]"),
            family: Some("f32[n]".into()),
            samples: Some(samples),
            name: "f".into(),
            flops: 0,
            bytes: 0,
            module: String::new(),
        })
    }

    fn choice(samples: i64, text: Option<&str>) -> Line {
        let schedule = text.map(|text| ScheduleText {
            tensors: Vec::new(),
            text: text.into(),
            intrinsics: Vec::new(),
        });
        Line::Choice(Choice {
            key: format!("key{samples}"),
            target: "here".into(),
            from: String::new(),
            schedule,
            of_default: 0.9,
        })
    }

    fn key(samples: i64) -> Key {
        Key {
            text: format!("f32[{samples}]"),
            family: Some(("f32[n]".into(), samples)),
        }
    }

    /// JSON has the shortest digits of a number, and a reader that rounds once finds the number again.
    #[test]
    fn numbers_are_the_same_after_their_way_through_a_file() {
        let trial = |number: u32| Trial {
            key: "key".into(),
            target: "here".into(),
            threads: 1,
            from: format!("{number}"),
            schedule: ScheduleText {
                tensors: Vec::new(),
                text: String::new(),
                intrinsics: Vec::new(),
            },
            outcome: Outcome::Ran {
                nanoseconds: 1e5 / f64::from(number),
                of_default: f64::from(number) / 997.0,
            },
            time: 0,
        };
        let trials: Vec<Trial> = (1..1000).map(trial).collect();
        let lines = trials.iter().cloned().map(Line::Trial);
        let lines: Vec<String> = lines
            .map(|line| serde_json::to_string(&line).expect("it is JSON"))
            .collect();
        assert_eq!(Database::parse(&lines.join("\n")).trials(), trials);
    }

    #[test]
    fn the_nearest_number_of_samples_is_found() {
        let mut database = Database::default();
        for line in [
            kernel(1),
            kernel(8),
            choice(1, Some("one")),
            choice(8, Some("eight")),
        ] {
            database.take(line);
        }
        let found = |samples| {
            let (choice, fit) = database.find(&key(samples), "here")?;
            Some((choice.schedule.clone()?.text, fit))
        };
        assert_eq!(found(8), Some(("eight".into(), Fit::Exact)));
        assert_eq!(found(7), Some(("eight".into(), Fit::Samples(8))));
        assert_eq!(found(2), Some(("one".into(), Fit::Samples(1))));
        assert!(database.find(&key(8), "elsewhere").is_none());
        assert!(database.find(&key(8), "").is_some());
    }

    #[test]
    fn what_leads_is_no_choice_until_it_is_chosen() {
        let Line::Choice(lead) = choice(1, Some("one")) else {
            unreachable!("it is a choice");
        };
        let mut database = Database::default();
        database.take(kernel(1));
        database.take(Line::Lead(lead.clone()));
        assert!(database.find(&key(1), "here").is_none());
        assert_eq!(database.lead_of("key1", "here"), Some(&lead));
        database.take(Line::Choice(lead));
        assert!(database.find(&key(1), "here").is_some());
        assert_eq!(database.leads().count(), 0);
    }

    #[test]
    fn the_last_choice_holds() {
        let mut database = Database::default();
        for line in [kernel(1), choice(1, Some("one")), choice(1, None)] {
            database.take(line);
        }
        assert!(
            database.find(&key(1), "here").is_none(),
            "it is the default"
        );
    }

    #[test]
    fn a_line_that_was_cut_is_counted_and_followed_by_a_whole_one() {
        let folder = tempfile::tempdir().expect("there is a folder for temporary files");
        let path = folder.path().join("records.jsonl");
        let mut writer = Writer::open(&path).expect("it can be written");
        writer.add(&kernel(1)).expect("it is written");
        let text = std::fs::read_to_string(&path).expect("it is read");
        std::fs::write(&path, &text[..text.len() - 10]).expect("it is written");
        writer.add(&kernel(2)).expect("it is written");
        let database = Database::read(&path).expect("it is read");
        assert_eq!(database.unread, [1]);
        assert_eq!(database.kernels().count(), 1);
        let none = Database::read(&folder.path().join("none")).expect("no file is an empty one");
        assert_eq!(none.kernels().count(), 0);
    }

    #[test]
    fn what_a_newer_version_wrote_is_kept_as_it_is() {
        let text =
            r#"{"kind":"trial","key":"k","outcome":"measured twice","time":18446744073709551615}"#;
        let database = Database::parse(&format!("{text}\n{{\"name\": 1}}\n"));
        assert_eq!(database.unread, [2], "what names no kind is no record");
        let [newer] = database.newer() else {
            panic!("{:?}", database.newer());
        };
        let again = serde_json::to_string(&Line::Newer(newer.clone()));
        assert_eq!(again.expect("it is JSON"), text);
    }

    #[test]
    fn a_writer_goes_on_in_the_file_that_replaced_its_own() {
        let folder = tempfile::tempdir().expect("there is a folder for temporary files");
        let path = folder.path().join("records.jsonl");
        let mut writer = Writer::open(&path).expect("it can be written");
        writer.add(&kernel(1)).expect("it is written");
        let replace = |database: &Database| {
            assert_eq!(database.kernels().count(), 1);
            let new = folder.path().join("new");
            std::fs::write(&new, "").expect("it is written");
            std::fs::rename(&new, &path).expect("it is moved");
            Ok::<(), DatabaseError>(())
        };
        let mut other = Writer::open(&path).expect("it can be written");
        other.exclusively(replace).expect("it is replaced");
        writer.add(&kernel(2)).expect("it is written");
        let database = Database::read(&path).expect("it is read");
        assert_eq!(
            database.kernels().map(|it| it.samples).collect::<Vec<_>>(),
            [Some(2)]
        );
    }

    #[test]
    fn writers_take_turns() {
        let folder = tempfile::tempdir().expect("there is a folder for temporary files");
        let path = folder.path().join("records.jsonl");
        std::thread::scope(|scope| {
            for writer in 0..4 {
                let path = &path;
                scope.spawn(move || {
                    let mut file = Writer::open(path).expect("it can be written");
                    for number in 0..100 {
                        file.add(&kernel(writer * 100 + number))
                            .expect("it is written");
                    }
                });
            }
        });
        let database = Database::read(&path).expect("it is read");
        assert_eq!(
            (database.unread.len(), database.kernels().count()),
            (0, 400)
        );
    }
}
