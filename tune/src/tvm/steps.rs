//! The steps by which TVM's auto-scheduler (Ansor) writes down what it did to a computation, as its logs of version 0.6 have them: each
//! a list of a tag and its arguments. Stages and the loops of a stage are known by their numbers at that step.

use serde_json::Value as Json;
use std::fmt;

/// A step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// `AN`: a loop is marked.
    Annotate(Place, Mark),
    /// `FU`: neighbouring loops become one.
    Fuse(usize, Vec<usize>),
    /// `PR`: a loop has a pragma.
    Pragma(Place, String),
    /// `RE`: the loops in another order; each by its number before.
    Reorder(usize, Vec<usize>),
    /// `SP`: a loop becomes several.
    Split(Place, Split),
    /// `FSP`: a loop becomes so many and one more, as another step split its loop.
    FollowSplit(Place, usize, usize),
    /// `FFSP`: a loop becomes two; the product of what other steps have at a level is the length of one of them.
    FollowFusedSplit(Place, Fused),
    /// `SA`: where the rows of a buffer begin.
    StorageAlign(usize),
    /// `CA`: a stage is computed in a loop of another one.
    ComputeAt(usize, Place),
    /// `CI`: a stage is part of its readers.
    ComputeInline(usize),
    /// `CR`: a stage is computed before its readers.
    ComputeRoot(usize),
    /// `CHR`: a tensor is copied for some readers. The copy is a stage after it.
    CacheRead(usize),
    /// `CHW`: a stage is computed elsewhere, and then copied. What is computed is a stage before it.
    CacheWrite(usize),
    /// `RF`: a loop over a reduce axis becomes a data axis of partial results, which are a stage before it.
    Factor(Place),
}

/// A loop: the number of a stage, and of one of its loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The stage.
    pub stage: usize,
    /// The loop, the outermost being 0.
    pub at: usize,
}

/// How a loop is marked. A mark of GPUs is none of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// Nothing.
    None,
    /// It is unrolled.
    Unroll,
    /// It is a vector.
    Vector,
    /// Threads share it.
    Parallel,
}

/// How a loop is split.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Split {
    /// The extent of the loop, if it was known.
    pub extent: Option<i64>,
    /// The lengths of all parts but one.
    pub lengths: Vec<i64>,
    /// Whether the outermost part is the one whose length follows from the others; else it is the innermost.
    pub inwards: bool,
}

/// How a loop is split after several others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fused {
    /// The steps that split them, by number.
    pub sources: Vec<usize>,
    /// Which of their lengths.
    pub level: usize,
    /// Whether the product is the length of the inner one.
    pub inwards: bool,
}

impl Step {
    /// Reads a step.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(json: &Json) -> Result<Self, String> {
        let parts = json.as_array().map(Vec::as_slice);
        let Some([Json::String(tag), arguments @ ..]) = parts else {
            return Err(format!("{json} is no step: a list that begins with a tag"));
        };
        let arguments = Arguments {
            step: json,
            of: arguments,
        };
        arguments.step(tag)
    }
}

/// The arguments of a step.
struct Arguments<'a> {
    step: &'a Json,
    of: &'a [Json],
}

impl Arguments<'_> {
    fn step(&self, tag: &str) -> Result<Step, String> {
        Ok(match tag {
            "AN" => Step::Annotate(self.place(0)?, self.mark()?),
            "FU" => Step::Fuse(self.number(0)?, self.numbers(1)?),
            "PR" => Step::Pragma(self.place(0)?, self.text(2)?),
            "RE" => Step::Reorder(self.number(0)?, self.numbers(1)?),
            "SP" => Step::Split(self.place(0)?, self.split()?),
            "FSP" => Step::FollowSplit(self.place(0)?, self.number(2)?, self.number(3)?),
            "FFSP" => Step::FollowFusedSplit(self.place(0)?, self.fused()?),
            "SA" => Step::StorageAlign(self.number(0)?),
            "CA" => Step::ComputeAt(self.number(0)?, self.place(1)?),
            "CI" => Step::ComputeInline(self.number(0)?),
            "CR" => Step::ComputeRoot(self.number(0)?),
            "CHR" => Step::CacheRead(self.number(0)?),
            "CHW" => Step::CacheWrite(self.number(0)?),
            "RF" => Step::Factor(self.place(0)?),
            other => return Err(format!("{} is of the unknown tag '{other}'", self.step)),
        })
    }

    /// What is wrong where an argument is none of a kind.
    fn wrong(&self, number: usize, kind: impl fmt::Display) -> String {
        format!("{}: argument {} is no {kind}", self.step, number + 1)
    }

    fn number<T: TryFrom<i64>>(&self, number: usize) -> Result<T, String> {
        let found = self.of.get(number).and_then(Json::as_i64);
        let found = found.and_then(|found| T::try_from(found).ok());
        found.ok_or_else(|| self.wrong(number, "number"))
    }

    fn numbers<T: TryFrom<i64>>(&self, number: usize) -> Result<Vec<T>, String> {
        let all = self.of.get(number).and_then(Json::as_array);
        let all = all.and_then(|all| {
            let numbers = all.iter().map(|one| T::try_from(one.as_i64()?).ok());
            numbers.collect()
        });
        all.ok_or_else(|| self.wrong(number, "list of numbers"))
    }

    fn text(&self, number: usize) -> Result<String, String> {
        let text = self.of.get(number).and_then(Json::as_str);
        text.map(str::to_owned)
            .ok_or_else(|| self.wrong(number, "text"))
    }

    /// A stage's number, and a loop's after it.
    fn place(&self, number: usize) -> Result<Place, String> {
        Ok(Place {
            stage: self.number(number)?,
            at: self.number(number + 1)?,
        })
    }

    fn mark(&self) -> Result<Mark, String> {
        match self.number::<i64>(2)? {
            0 => Ok(Mark::None),
            1 => Ok(Mark::Unroll),
            2 => Ok(Mark::Vector),
            3 => Ok(Mark::Parallel),
            4..=10 => Err(format!("{} binds a loop to threads of a GPU", self.step)),
            11 => Err(format!("{} has an intrinsic for a loop", self.step)),
            _ => Err(self.wrong(2, "mark")),
        }
    }

    fn split(&self) -> Result<Split, String> {
        let extent: i64 = self.number(2)?;
        let lengths: Vec<i64> = self.numbers(3)?;
        if extent < 0 || lengths.iter().any(|length| *length < 1) {
            return Err(format!("{} has a loop of no iterations", self.step));
        }
        Ok(Split {
            extent: (extent > 0).then_some(extent),
            lengths,
            inwards: self.flag(4)?,
        })
    }

    fn fused(&self) -> Result<Fused, String> {
        Ok(Fused {
            sources: self.numbers(2)?,
            level: self.number(3)?,
            inwards: self.flag(4)?,
        })
    }

    /// A flag: 0 or 1, or a word of JSON.
    fn flag(&self, number: usize) -> Result<bool, String> {
        match self.of.get(number).and_then(Json::as_bool) {
            Some(flag) => Ok(flag),
            None => Ok(self.number::<i64>(number)? != 0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn at(stage: usize, at: usize) -> Place {
        Place { stage, at }
    }

    #[test]
    fn every_step_is_read() {
        let split = Split {
            extent: Some(512),
            lengths: vec![2, 1, 4],
            inwards: true,
        };
        let fused = Fused {
            sources: vec![1, 0],
            level: 2,
            inwards: false,
        };
        let steps = [
            (
                json!(["AN", 4, 0, 3]),
                Step::Annotate(at(4, 0), Mark::Parallel),
            ),
            (json!(["FU", 4, [0, 1]]), Step::Fuse(4, vec![0, 1])),
            (
                json!(["PR", 2, 0, "auto_unroll_max_step$8"]),
                Step::Pragma(at(2, 0), "auto_unroll_max_step$8".into()),
            ),
            (json!(["RE", 2, [1, 0]]), Step::Reorder(2, vec![1, 0])),
            (
                json!(["SP", 2, 4, 512, [2, 1, 4], 1]),
                Step::Split(at(2, 4), split),
            ),
            (
                json!(["FSP", 4, 3, 1, 2]),
                Step::FollowSplit(at(4, 3), 1, 2),
            ),
            (
                json!(["FFSP", 3, 0, [1, 0], 2, 0]),
                Step::FollowFusedSplit(at(3, 0), fused),
            ),
            (json!(["SA", 2, 1, 8, 4]), Step::StorageAlign(2)),
            (json!(["CA", 2, 4, 3]), Step::ComputeAt(2, at(4, 3))),
            (json!(["CI", 1]), Step::ComputeInline(1)),
            (json!(["CR", 6]), Step::ComputeRoot(6)),
            (json!(["CHR", 1, "shared", [3]]), Step::CacheRead(1)),
            (json!(["CHW", 3, "local"]), Step::CacheWrite(3)),
            (json!(["RF", 3, 2, 1]), Step::Factor(at(3, 2))),
        ];
        for (json, step) in steps {
            assert_eq!(Step::read(&json), Ok(step));
        }
    }

    #[test]
    fn damage_is_named() {
        let damaged = [
            (json!(7), "is no step"),
            (json!(["XX", 1]), "unknown tag 'XX'"),
            (json!(["SP", 2, 0, 512, [2, 0], 1]), "no iterations"),
            (
                json!(["SP", 2, 0, 512, "all", 1]),
                "argument 4 is no list of numbers",
            ),
            (json!(["CI", -1]), "argument 1 is no number"),
            (json!(["PR", 2, 0]), "argument 3 is no text"),
            (json!(["AN", 2, 0, 6]), "threads of a GPU"),
            (json!(["AN", 2, 0, 11]), "an intrinsic"),
            (json!(["AN", 2, 0, 12]), "argument 3 is no mark"),
        ];
        for (json, reason) in damaged {
            let found = Step::read(&json).expect_err("it is damaged");
            assert!(found.contains(reason), "{found}");
        }
    }
}
