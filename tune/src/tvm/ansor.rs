//! The log of TVM's auto-scheduler (Ansor): a line of JSON for each trial, with the key of a computation, a target, and the steps that
//! made the schedule. The computation itself is not in it.

use super::{loops::Program, result::seconds, steps::Step};
use serde_json::Value as Json;

/// A trial.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// What the key says of the tensors.
    pub tensors: Tensors,
    /// What the steps made.
    pub program: Program,
    /// The mean of the seconds that it took.
    pub seconds: f64,
}

/// The tensors of a computation, as far as its key says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tensors {
    /// Their shapes, as versions from 0.6 on have them.
    Shapes(Vec<Vec<i64>>),
    /// The numbers of their shapes one after the other.
    Numbers(Vec<i64>),
    /// Nothing: the key has a function's name and its arguments.
    Unknown,
}

/// The versions that are read. Their steps are the same.
const VERSIONS: [&str; 4] = ["v0.3", "v0.4", "v0.5", "v0.6"];

/// The targets whose loops are like ours.
const TARGETS: [&str; 2] = ["llvm", "c"];

/// More dimensions than any tensor has.
const MOST_DIMENSIONS: usize = 8;

/// The letters of a key's digest of a computation.
const DIGEST: usize = 32;

/// Reads a line.
///
/// # Errors
/// What is wrong with it, or is not known.
pub fn read(json: &Json) -> Result<Trial, String> {
    let version = json["v"].as_str().unwrap_or("no version");
    if !VERSIONS.contains(&version) {
        return Err(format!(
            "is of {version} of the auto-scheduler's log, expected v0.3 to v0.6"
        ));
    }
    let (task, state) = (&json["i"][0], &json["i"][1]);
    let key = task[0].as_str();
    let key: Option<Json> = key.and_then(|key| serde_json::from_str(key).ok());
    let tensors = tensors(&key.ok_or("has no input of a workload's key, a target and more")?)?;
    let target = task[1].as_str().ok_or("has no target")?;
    let kind = target.split_whitespace().next().unwrap_or_default();
    if !TARGETS.contains(&kind) {
        return Err(format!(
            "is for the target '{kind}', expected {}: its loops are for CPUs",
            TARGETS.join(" or ")
        ));
    }
    let steps = state[1].as_array().ok_or("has no list of steps")?.iter();
    let steps: Result<Vec<Step>, String> = steps.map(Step::read).collect();
    let steps = steps.map_err(|reason| format!("has a wrong step: {reason}"))?;
    Ok(Trial {
        tensors,
        program: Program::of(&steps)?,
        seconds: seconds(&json["r"])?,
    })
}

/// What a key says of tensors: it is a digest and shapes, or a function's name and arguments.
fn tensors(key: &Json) -> Result<Tensors, String> {
    let parts = key.as_array().map(Vec::as_slice);
    let Some([Json::String(name), arguments @ ..]) = parts else {
        return Err(format!(
            "has a workload's key that begins with no name: {key}"
        ));
    };
    let is_digest = name.len() == DIGEST && name.bytes().all(|letter| letter.is_ascii_hexdigit());
    if !is_digest || arguments.is_empty() {
        return Ok(Tensors::Unknown);
    }
    let numbers = |list: &[Json]| list.iter().map(Json::as_i64).collect::<Option<Vec<i64>>>();
    let shape = |shape: &Json| numbers(shape.as_array()?);
    let shapes: Option<Vec<Vec<i64>>> = arguments.iter().map(shape).collect();
    let known = shapes.map(Tensors::Shapes);
    Ok(known
        .or_else(|| numbers(arguments).map(Tensors::Numbers))
        .unwrap_or(Tensors::Unknown))
}

impl Tensors {
    /// Whether one of them may have so many elements: layouts are not those of other compilers, but no element is lost in them.
    pub fn may_have(&self, elements: i64) -> bool {
        let is_it = |shape: &[i64]| {
            let mut extents = shape.iter();
            let product = extents.try_fold(1_i64, |all, extent| all.checked_mul(*extent));
            product == Some(elements)
        };
        match self {
            Self::Shapes(shapes) => shapes.iter().any(|shape| is_it(shape)),
            Self::Numbers(numbers) => (1..=MOST_DIMENSIONS.min(numbers.len()))
                .any(|rank| numbers.windows(rank).any(is_it)),
            Self::Unknown => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn line(key: &str) -> Json {
        let task = json!([
            key,
            "llvm -keys=cpu -mcpu=skylake-avx512",
            [8, 64, 64, 0, 0, 0, 0, 0],
            "",
            0,
            []
        ]);
        json!({"i": [task, [[], [["CI", 1]]]], "r": [[0.002, 0.004], 0, 0.3, 1], "v": "v0.6"})
    }

    #[test]
    fn keys_say_what_tensors_there_are() {
        let tensors = |key: &str| read(&line(key)).expect("the line is whole").tensors;
        let shapes =
            tensors(r#"["1097323f3970e5c881ad3a0028ca79cb", [1, 14, 14, 256], [4, 4, 256, 256]]"#);
        assert!(shapes.may_have(14 * 14 * 256) && shapes.may_have(16 << 16));
        assert!(!shapes.may_have(14 * 14));
        let numbers =
            tensors(r#"["69115f188984ae34ede37c3b8ca40b43", 1, 7, 7, 2048, 1, 1, 1, 2048]"#);
        assert!(numbers.may_have(7 * 7 * 2048) && !numbers.may_have(11));
        let unknown = tensors(r#"["matmul_add", 1024, 1024, 1024, "float32"]"#);
        assert_eq!(unknown, Tensors::Unknown);
    }

    #[test]
    fn the_mean_of_the_costs_is_taken() {
        let trial = read(&line(r#"["test"]"#)).expect("the line is whole");
        assert!((trial.seconds - 0.003).abs() < 1e-12);
    }

    #[test]
    fn damage_is_named() {
        let damaged = |change: &dyn Fn(&mut Json)| {
            let mut line = line(r#"["test"]"#);
            change(&mut line);
            read(&line).expect_err("it is damaged")
        };
        assert!(damaged(&|line| line["v"] = json!("v0.7")).contains("v0.7"));
        assert!(damaged(&|line| line["v"] = json!(6)).contains("no version"));
        assert!(damaged(&|line| line["i"][0][0] = json!("test")).contains("no input"));
        assert!(damaged(&|line| line["i"][0][0] = json!("[1]")).contains("no name"));
        assert!(damaged(&|line| line["i"][0][1] = json!("cuda -keys=cuda,gpu")).contains("'cuda'"));
        assert!(damaged(&|line| line["i"][1] = json!([])).contains("no list of steps"));
        assert!(damaged(&|line| line["i"][1][1][0] = json!(["CI"])).contains("wrong step"));
        assert!(damaged(&|line| line["r"][1] = json!(4)).contains("error 4"));
        assert!(damaged(&|line| line["r"] = json!([])).contains("no result"));
    }
}
