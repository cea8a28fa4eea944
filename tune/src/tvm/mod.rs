//! The logs of TVM's tuners: what they say, and which kernels of ours it is about.

pub mod ansor;
pub mod autotvm;
mod loops;
mod result;
mod steps;
mod tiling;
pub mod workload;

use serde_json::Value as Json;

pub use workload::Workload;

/// A line of a log.
#[derive(Clone, Debug, PartialEq)]
pub enum Logged {
    /// AutoTVM's, of version 0.2.
    AutoTvm(autotvm::Trial),
    /// The auto-scheduler's (Ansor's), of version 0.6 or before.
    Ansor(ansor::Trial),
}

impl Logged {
    /// The seconds that it took, on whatever machine that was.
    pub fn seconds(&self) -> f64 {
        match self {
            Self::AutoTvm(trial) => trial.seconds,
            Self::Ansor(trial) => trial.seconds,
        }
    }
}

/// Reads a line. None of an empty line, or of a comment.
///
/// # Errors
/// What is wrong with it, for people.
pub fn read(line: &str) -> Result<Option<Logged>, String> {
    let line = line.trim();
    if line.is_empty() || line.starts_with('#') {
        return Ok(None);
    }
    let json: Json = serde_json::from_str(line).map_err(|error| match line.contains('\t') {
        true => "is of AutoTVM's pickle protocol; log with protocol='json'".to_owned(),
        false => format!("is no JSON: {error}"),
    })?;
    if json.get("input").is_some() {
        return autotvm::read(&json).map(Logged::AutoTvm).map(Some);
    }
    if json.get("i").is_some() {
        return ansor::read(&json).map(Logged::Ansor).map(Some);
    }
    match json.get("v").and_then(Json::as_f64) {
        Some(version) => Err(format!(
            "is of version {version} of AutoTVM's log, expected 0.2"
        )),
        None => Err("is neither of AutoTVM nor of the auto-scheduler".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_lines_are_named() {
        let wrong = |line: &str| read(line).err().unwrap_or_default();
        assert_eq!(read(" \n"), Ok(None));
        assert_eq!(read("# a comment"), Ok(None));
        assert!(wrong("{\"input\": [").starts_with("is no JSON"));
        assert!(wrong("llvm\tgASV\tgASV\tgASV\t0.2\t0.9").contains("pickle"));
        assert!(wrong("{\"v\": 0.1, \"i\": 1}").contains("the auto-scheduler's log"));
        assert!(wrong("{\"v\": 0.1}").contains("version 0.1"));
        assert!(wrong("[]").contains("neither"));
    }
}
