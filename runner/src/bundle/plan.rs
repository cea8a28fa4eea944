//! The plan of a folder of candidates: what is timed beside what, and how.

use crate::protocol::Pair;
use serde::{Deserialize, Serialize};
use std::{
    fs, io,
    path::{Component, Path},
};

/// The version of the plan, and of the file of results.
pub const VERSION: u32 = 1;

/// The file of a folder that has the plan.
pub const FILE: &str = "plan.json";

/// A plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// [`VERSION`] of the compiler that wrote it.
    pub version: u32,
    /// The target of the libraries, as `--target` takes it.
    pub target: String,
    /// The machine that they are for, as records name it.
    pub machine: String,
    /// The architecture of the processor, as LLVM calls it.
    pub architecture: String,
    /// The kind of GPU that runs the kernels, if one does: `cuda` or `rocm`.
    pub device: Option<String>,
    /// The number of threads; 0 for as many as the machine has processors.
    pub threads: usize,
    /// What the numbers of inputs are drawn by.
    pub seed: u64,
    /// The seconds that timing one candidate may take.
    pub limit: f64,
    /// The most bytes of memory of the processor that running one may take. There is no limit for GPUs: their drivers ask for more than they
    /// use.
    pub memory: Option<u64>,
    /// How each candidate is timed beside the default.
    pub look: Turns,
    /// How the best ones are timed again.
    pub test: Turns,
    /// The most candidates of a kernel that are timed again.
    pub finalists: usize,
    /// The kernels.
    pub kernels: Vec<Kernel>,
}

/// How two libraries take turns.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Turns {
    /// How many rounds there are.
    pub rounds: usize,
    /// The seconds of a turn.
    pub seconds: f64,
}

/// A kernel of the models.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Kernel {
    /// The digest of its key, as records have it.
    pub key: String,
    /// Its name in the first model.
    pub name: String,
    /// Which of its inputs are weights, and the bytes among which they lie; see [`Pair`].
    pub weights: Vec<bool>,
    /// See above.
    pub footprint: u64,
    /// The file of the library with the default schedule.
    pub default: String,
    /// The other schedules.
    pub candidates: Vec<Candidate>,
}

/// A schedule of a kernel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    /// The template and its knobs, as records have them.
    pub from: String,
    /// The file of its library.
    pub library: String,
}

impl Plan {
    /// Reads the plan of a folder.
    ///
    /// # Errors
    /// If it cannot be read, is of another version, or does not fit the folder.
    pub fn read(folder: &Path) -> io::Result<Self> {
        let path = folder.join(FILE);
        let wrong = |reason: String| io::Error::other(format!("{}: {reason}", path.display()));
        let text = fs::read_to_string(&path).map_err(|error| wrong(error.to_string()))?;
        let plan = Self::parse(&text).map_err(wrong)?;
        match plan.missing(folder) {
            None => Ok(plan),
            Some(library) => Err(wrong(format!(
                "the library {library} is not in the folder; copy the whole folder"
            ))),
        }
    }

    /// A library that is not in a folder.
    fn missing(&self, folder: &Path) -> Option<&str> {
        let mut libraries = self.kernels.iter().flat_map(Kernel::libraries);
        libraries.find(|library| !folder.join(library).is_file())
    }

    /// Reads a plan's text.
    fn parse(text: &str) -> Result<Self, String> {
        let damaged = |error: serde_json::Error| {
            format!(
                "it is damaged: {error}; export the candidates again, and copy the whole folder"
            )
        };
        let value: serde_json::Value = serde_json::from_str(text).map_err(damaged)?;
        check_version(value.get("version"))?;
        let plan: Self = serde_json::from_value(value).map_err(damaged)?;
        match plan.fault() {
            None => Ok(plan),
            Some(fault) => Err(format!(
                "it is damaged: {fault}; export the candidates again"
            )),
        }
    }

    /// What cannot be in a plan.
    fn fault(&self) -> Option<String> {
        let is_positive = |number: f64| number.is_finite() && number > 0.0;
        let has_turns = |turns: Turns| turns.rounds > 0 && is_positive(turns.seconds);
        if !is_positive(self.limit) || !has_turns(self.look) || !has_turns(self.test) {
            return Some("a time or a number of rounds is not positive".into());
        }
        let mut libraries = self.kernels.iter().flat_map(Kernel::libraries);
        let foreign = libraries.find(|library| !is_name(library));
        foreign.map(|library| format!("'{library}' is no name of a file in the folder"))
    }

    /// The number of candidates.
    pub fn count(&self) -> usize {
        self.kernels
            .iter()
            .map(|kernel| kernel.candidates.len())
            .sum()
    }
}

impl Kernel {
    /// The files of its libraries.
    fn libraries(&self) -> impl Iterator<Item = &str> {
        let others = self.candidates.iter().map(|it| &it.library[..]);
        std::iter::once(&self.default[..]).chain(others)
    }

    /// The question for the times of a library of a folder beside the default.
    pub(super) fn pair(&self, plan: &Plan, folder: &Path, library: &str, turns: Turns) -> Pair {
        Pair {
            incumbent: folder.join(&self.default),
            candidate: folder.join(library),
            weights: self.weights.clone(),
            footprint: self.footprint,
            seed: plan.seed,
            threads: plan.threads,
            rounds: turns.rounds,
            turn: turns.seconds,
        }
    }
}

/// Checks the version of a plan or of results.
///
/// # Errors
/// If it is another one.
pub(super) fn check_version(version: Option<&serde_json::Value>) -> Result<(), String> {
    let version = version.and_then(serde_json::Value::as_u64);
    match version {
        None => Err("it is damaged: it names no version".into()),
        Some(version) if version == u64::from(VERSION) => Ok(()),
        Some(version) => Err(format!(
            "it has version {version}, and this program reads version {VERSION}; take relay-runner and relayc of one release"
        )),
    }
}

/// Whether a text is the name of a file in a folder, and no path out of it.
fn is_name(text: &str) -> bool {
    let mut parts = Path::new(text).components();
    matches!(
        (parts.next(), parts.next()),
        (Some(Component::Normal(_)), None)
    )
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A plan with one kernel and three candidates.
    pub(in super::super) fn plan() -> Plan {
        let candidate = |from: &str, library: &str| Candidate {
            from: from.into(),
            library: library.into(),
        };
        let turns = Turns {
            rounds: 1,
            seconds: 0.001,
        };
        Plan {
            version: VERSION,
            target: "native".into(),
            machine: "here".into(),
            architecture: std::env::consts::ARCH.into(),
            device: None,
            threads: 1,
            seed: 0,
            limit: 1.0,
            memory: Some(1 << 30),
            look: turns,
            test: turns,
            finalists: 1,
            kernels: vec![Kernel {
                key: "k".into(),
                name: "dense".into(),
                weights: Vec::new(),
                footprint: 0,
                default: "0.so".into(),
                candidates: vec![
                    candidate("a", "1.so"),
                    candidate("b", "2.so"),
                    candidate("c", "3.so"),
                ],
            }],
        }
    }

    fn parse(change: impl FnOnce(&mut serde_json::Value)) -> Result<Plan, String> {
        let mut value = serde_json::to_value(plan()).expect("it is JSON");
        change(&mut value);
        Plan::parse(&value.to_string())
    }

    #[test]
    fn a_plan_is_read_as_it_was_written() {
        assert_eq!(parse(|_| {}), Ok(plan()));
    }

    #[test]
    fn what_is_no_plan_is_refused() {
        let library = |name: &'static str| {
            move |plan: &mut serde_json::Value| {
                plan["kernels"][0]["candidates"][1]["library"] = name.into()
            }
        };
        let refusal = |parsed: Result<Plan, String>| parsed.expect_err("it is no plan");
        assert!(refusal(parse(|plan| plan["version"] = 2.into())).contains("version 2"));
        assert!(refusal(parse(|plan| plan["version"] = "new".into())).contains("names no version"));
        assert!(refusal(parse(|plan| plan["limit"] = 0.into())).contains("not positive"));
        assert!(refusal(parse(|plan| plan["kernels"] = "none".into())).contains("damaged"));
        for name in ["../2.so", "/tmp/2.so", "a/2.so", "", ".."] {
            assert!(
                refusal(parse(library(name))).contains("no name of a file"),
                "{name}"
            );
        }
        assert!(refusal(Plan::parse("{\"version\": 1, \"tar")).contains("damaged"));
    }
}
