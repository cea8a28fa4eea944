//! What the steps of Ansor make of the loops of a computation that is not known: a stage has as many axes as steps speak of, and what
//! nobody says of an axis stays open.

use super::steps::{Fused, Mark, Place, Split, Step};
use relay_dialects::index::ceil_div;
use std::collections::BTreeSet;

/// The stages after some steps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// The stages by their numbers. Tensors that nothing computes are among them, without loops.
    pub stages: Vec<Stage>,
    /// What was done that loops do not show, in words.
    pub left: BTreeSet<String>,
}

/// A stage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stage {
    /// Its axes: its own in their order, then those that were fused of parts.
    pub axes: Vec<Axis>,
    /// The parts of axes, by numbers that stay.
    pub parts: Vec<Part>,
    /// Its loops, the outermost first.
    pub loops: Vec<Loop>,
    /// Where it is computed, if a step says so.
    pub place: Option<Placed>,
    /// The most steps of loops that are unrolled.
    pub unroll: Option<i64>,
    /// What it is the partial results of.
    pub factor: Option<Factoring>,
    /// Whether it may have more axes.
    is_open: bool,
}

/// An axis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axis {
    /// Its extent, if a step says it.
    pub extent: Option<i64>,
    /// What it was split into, the outermost part first.
    pub parts: Vec<usize>,
    /// Whether it was fused of parts of others.
    pub is_fused: bool,
}

/// A part of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// The axis.
    pub axis: usize,
    /// Its extent, if it is known.
    pub extent: Option<i64>,
}

/// A loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    /// The parts that it is over, the outermost first: several, if it was fused.
    pub parts: Vec<usize>,
    /// How it is marked.
    pub mark: Mark,
}

/// Where a stage is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placed {
    /// Nowhere: it is part of its readers.
    Inline,
    /// Before its readers.
    Root,
    /// In a loop of another one.
    In(Place),
}

/// Partial results of a reduction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Factoring {
    /// The terms of a result.
    pub extent: i64,
    /// The extent of the inner one of the two loops that they were split into.
    pub inner: i64,
    /// Whether the outer loop became a data axis; else the inner one did.
    pub is_outer: bool,
}

/// More stages, or loops of a stage, than any computation has: a damaged line is told from a true one.
const MOST: usize = 1000;

impl Default for Stage {
    fn default() -> Self {
        Self {
            axes: Vec::new(),
            parts: Vec::new(),
            loops: Vec::new(),
            place: None,
            unroll: None,
            factor: None,
            is_open: true,
        }
    }
}

impl Program {
    /// What steps make.
    ///
    /// # Errors
    /// Which step speaks of what is not there.
    pub fn of(steps: &[Step]) -> Result<Self, String> {
        let mut program = Self::default();
        for (number, step) in steps.iter().enumerate() {
            let done = program.apply(step, &steps[..number]);
            done.map_err(|reason| format!("has a wrong step {number}: {reason}"))?;
        }
        Ok(program)
    }

    fn apply(&mut self, step: &Step, before: &[Step]) -> Result<(), String> {
        match step {
            Step::Annotate(place, mark) => self.stage(place.stage)?.at(place.at)?.mark = *mark,
            Step::Fuse(stage, loops) => self.fuse(*stage, loops)?,
            Step::Pragma(place, text) => self.pragma(*place, text)?,
            Step::Reorder(stage, order) => self.stage(*stage)?.reorder(order)?,
            Step::Split(place, split) => self.split(*place, split)?,
            Step::FollowSplit(place, source, parts) => {
                let split = follow(before, *source, *parts)?;
                self.split(*place, &split)?;
            }
            Step::FollowFusedSplit(place, fused) => {
                let split = follow_fused(before, fused)?;
                self.split(*place, &split)?;
            }
            Step::StorageAlign(stage) => {
                self.stage(*stage)?;
                self.left.insert("storage_align".into());
            }
            Step::ComputeAt(stage, place) => {
                self.stage(place.stage)?.at(place.at)?;
                self.stage(*stage)?.place = Some(Placed::In(*place));
            }
            Step::ComputeInline(stage) => self.stage(*stage)?.place = Some(Placed::Inline),
            Step::ComputeRoot(stage) => self.stage(*stage)?.place = Some(Placed::Root),
            Step::CacheRead(stage) => {
                self.stage(*stage)?;
                self.insert(stage + 1, Stage::default());
                self.left.insert("cache_read".into());
            }
            Step::CacheWrite(stage) => {
                *self.stage(*stage)? = Stage::default();
                self.insert(*stage, Stage::default());
            }
            Step::Factor(place) => self.factor(*place)?,
        }
        Ok(())
    }

    /// A stage, which is there from now on.
    fn stage(&mut self, number: usize) -> Result<&mut Stage, String> {
        if number >= MOST {
            return Err(format!("there is no stage {number}"));
        }
        if self.stages.len() <= number {
            self.stages.resize_with(number + 1, Stage::default);
        }
        Ok(&mut self.stages[number])
    }

    /// Puts in a stage; those from its number on move up.
    fn insert(&mut self, number: usize, stage: Stage) {
        for known in &mut self.stages {
            if let Some(Placed::In(place)) = &mut known.place
                && place.stage >= number
            {
                place.stage += 1;
            }
        }
        self.stages.insert(number, stage);
    }

    /// Renumbers the loops of a stage in which others are computed.
    fn renumber(&mut self, stage: usize, new: impl Fn(usize) -> usize) {
        for known in &mut self.stages {
            if let Some(Placed::In(place)) = &mut known.place
                && place.stage == stage
            {
                place.at = new(place.at);
            }
        }
    }

    fn split(&mut self, place: Place, split: &Split) -> Result<(), String> {
        self.stage(place.stage)?.split(place.at, split)?;
        let more = split.lengths.len();
        self.renumber(
            place.stage,
            |at| if at >= place.at { at + more } else { at },
        );
        Ok(())
    }

    fn fuse(&mut self, stage: usize, loops: &[usize]) -> Result<(), String> {
        self.stage(stage)?.fuse(loops)?;
        if let (Some(&first), Some(&last)) = (loops.first(), loops.last()) {
            self.renumber(stage, |at| match at {
                at if at > last => at - (last - first),
                at if at > first => first,
                at => at,
            });
        }
        Ok(())
    }

    fn pragma(&mut self, place: Place, text: &str) -> Result<(), String> {
        let stage = self.stage(place.stage)?;
        let Some(most) = text.strip_prefix("auto_unroll_max_step$") else {
            self.left.insert(format!("pragma {text}"));
            return Ok(());
        };
        let most = most.parse();
        stage.unroll = Some(most.map_err(|_| format!("'{text}' has no number of steps"))?);
        Ok(())
    }

    fn factor(&mut self, place: Place) -> Result<(), String> {
        let stage = self.stage(place.stage)?;
        let factoring = stage.factoring(place.at)?;
        *stage = Stage {
            place: stage.place,
            ..Stage::default()
        };
        let partial = Stage {
            factor: Some(factoring),
            ..Stage::default()
        };
        self.insert(place.stage, partial);
        Ok(())
    }
}

/// How a step splits a loop into so many parts and one more, after another one.
fn follow(before: &[Step], source: usize, parts: usize) -> Result<Split, String> {
    let lengths = lengths_of(before, source)?;
    if parts < 1 || parts > lengths.len() + 1 {
        let most = lengths.len() + 1;
        return Err(format!(
            "it follows {parts} parts of step {source}, which has {most}"
        ));
    }
    let (own, rest) = lengths.split_at(parts - 1);
    let mut lengths = own.to_vec();
    lengths.push(product(rest)?);
    Ok(Split {
        extent: None,
        lengths,
        inwards: true,
    })
}

/// How a step splits a loop into two, after some others.
fn follow_fused(before: &[Step], fused: &Fused) -> Result<Split, String> {
    let mut factors = Vec::new();
    for &source in &fused.sources {
        let length = lengths_of(before, source)?.get(fused.level);
        let level = fused.level;
        factors.push(*length.ok_or_else(|| format!("step {source} has no level {level}"))?);
    }
    Ok(Split {
        extent: None,
        lengths: vec![product(&factors)?],
        inwards: fused.inwards,
    })
}

/// The lengths by which a step splits a loop.
fn lengths_of(before: &[Step], source: usize) -> Result<&[i64], String> {
    match before.get(source) {
        Some(Step::Split(_, split)) => Ok(&split.lengths),
        _ => Err(format!("it follows step {source}, which splits no loop")),
    }
}

/// The product of some numbers, if it is one.
fn product(numbers: &[i64]) -> Result<i64, String> {
    let mut numbers = numbers.iter();
    let product = numbers.try_fold(1_i64, |all, one| all.checked_mul(*one));
    product.ok_or_else(|| "its loops have more iterations than can be counted".into())
}

impl Stage {
    /// A loop, which is there from now on if the stage may have more axes.
    fn at(&mut self, number: usize) -> Result<&mut Loop, String> {
        while self.is_open && self.loops.len() <= number && number < MOST {
            let part = self.axis(None, false);
            self.loops.push(Loop {
                parts: vec![part],
                mark: Mark::None,
            });
        }
        let count = self.loops.len();
        let found = self.loops.get_mut(number);
        found.ok_or_else(|| format!("there is no loop {number} of {count}"))
    }

    /// Adds an axis. Returns the one part that it has.
    fn axis(&mut self, extent: Option<i64>, is_fused: bool) -> usize {
        let part = self.parts.len();
        self.parts.push(Part {
            axis: self.axes.len(),
            extent,
        });
        self.axes.push(Axis {
            extent,
            parts: vec![part],
            is_fused,
        });
        part
    }

    /// The iterations of a loop, if they are known.
    fn iterations(&self, of: &Loop) -> Option<i64> {
        let mut extents = of.parts.iter().map(|part| self.parts[*part].extent);
        extents.try_fold(1_i64, |all, extent| all.checked_mul(extent?))
    }

    fn split(&mut self, at: usize, split: &Split) -> Result<(), String> {
        self.at(at)?;
        let whole = self.single(at);
        let inner = product(&split.lengths)?;
        let extent = self.parts[whole].extent.or(split.extent);
        let axis = self.parts[whole].axis;
        if self.axes[axis].parts == [whole] {
            self.axes[axis].extent = extent;
        }
        let rest = extent.map(|extent| ceil_div(extent, inner));
        let mut extents: Vec<Option<i64>> = split.lengths.iter().copied().map(Some).collect();
        let place = if split.inwards { 0 } else { extents.len() };
        extents.insert(place, rest);
        let first = self.parts.len();
        let parts = extents.iter().map(|&extent| Part { axis, extent });
        self.parts.extend(parts);
        let new: Vec<usize> = (first..self.parts.len()).collect();
        if self.parts.len() > MOST {
            return Err(format!("there are more than {MOST} loops"));
        }
        let known = &mut self.axes[axis].parts;
        if let Some(place) = known.iter().position(|part| *part == whole) {
            known.splice(place..=place, new.iter().copied());
        }
        let loops = new.into_iter().map(|part| Loop {
            parts: vec![part],
            mark: Mark::None,
        });
        self.loops.splice(at..=at, loops);
        Ok(())
    }

    /// The one part that a loop is over; one that was fused becomes an axis.
    fn single(&mut self, at: usize) -> usize {
        if let [part] = self.loops[at].parts[..] {
            return part;
        }
        let extent = self.iterations(&self.loops[at]);
        let part = self.axis(extent, true);
        self.loops[at].parts = vec![part];
        part
    }

    fn fuse(&mut self, loops: &[usize]) -> Result<(), String> {
        let is_next = |pair: &[usize]| pair[0].checked_add(1) == Some(pair[1]);
        if !loops.windows(2).all(is_next) {
            return Err("it fuses loops that are no neighbours".into());
        }
        let (Some(&first), Some(&last)) = (loops.first(), loops.last()) else {
            return Ok(());
        };
        self.at(last)?;
        let fused = self.loops[first..=last].iter();
        let parts = fused.flat_map(|one| one.parts.iter().copied()).collect();
        let fused = Loop {
            parts,
            mark: Mark::None,
        };
        self.loops.splice(first..=last, [fused]);
        Ok(())
    }

    fn reorder(&mut self, order: &[usize]) -> Result<(), String> {
        if let Some(last) = order.len().checked_sub(1) {
            self.at(last)?;
        }
        self.is_open = false;
        let mut sorted = order.to_vec();
        sorted.sort_unstable();
        if !sorted.into_iter().eq(0..self.loops.len()) {
            let count = self.loops.len();
            return Err(format!("it is no order of {count} loops"));
        }
        self.loops = order.iter().map(|at| self.loops[*at].clone()).collect();
        Ok(())
    }

    /// The partial results that a loop makes, which is one of two that an axis was split into.
    fn factoring(&mut self, at: usize) -> Result<Factoring, String> {
        let wrong = "it factors a loop that is none of two of known extents";
        let [part] = self.at(at)?.parts[..] else {
            return Err(wrong.into());
        };
        let axis = &self.axes[self.parts[part].axis];
        match (&axis.parts[..], axis.extent) {
            (&[outer, inner], Some(extent)) => Ok(Factoring {
                extent,
                inner: self.parts[inner].extent.ok_or(wrong)?,
                is_outer: part == outer,
            }),
            _ => Err(wrong.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value as Json, json};

    fn program(steps: Json) -> Result<Program, String> {
        let steps = steps.as_array().expect("the test has a list").iter();
        Program::of(&steps.map(Step::read).collect::<Result<Vec<_>, _>>()?)
    }

    /// The loops of a stage: for each, the axes and the extents of its parts.
    fn loops(steps: Json, stage: usize) -> Vec<Vec<(usize, Option<i64>)>> {
        let program = program(steps).expect("the test's steps fit");
        let stage = &program.stages[stage];
        let part = |part: &usize| (stage.parts[*part].axis, stage.parts[*part].extent);
        let loops = stage.loops.iter();
        loops
            .map(|one| one.parts.iter().map(part).collect())
            .collect()
    }

    /// Where a stage is computed.
    fn place(steps: Json, stage: usize) -> Option<Placed> {
        program(steps).expect("the test's steps fit").stages[stage].place
    }

    #[test]
    fn splits_have_what_is_left_outside_or_inside() {
        let split = |inwards: u8| loops(json!([["SP", 2, 1, 100, [3, 4], inwards]]), 2);
        assert_eq!(
            split(1)[1..],
            [vec![(1, Some(9))], vec![(1, Some(3))], vec![(1, Some(4))]]
        );
        assert_eq!(
            split(0)[1..],
            [vec![(1, Some(3))], vec![(1, Some(4))], vec![(1, Some(9))]]
        );
        assert_eq!(split(1)[0], [(0, None)]);
    }

    #[test]
    fn splits_follow_others() {
        let source = json!(["SP", 2, 0, 64, [2, 4, 8], 1]);
        let steps = json!([source, ["FSP", 3, 0, 0, 2]]);
        assert_eq!(
            loops(steps, 3),
            [[(0, None)], [(0, Some(2))], [(0, Some(32))]]
        );
        let other = json!(["SP", 2, 4, 64, [2, 2, 2], 1]);
        let steps = json!([source, other, ["FFSP", 3, 0, [0, 1], 1, 1]]);
        assert_eq!(loops(steps, 3), [[(0, None)], [(0, Some(8))]]);
    }

    #[test]
    fn loops_are_ordered_and_fused() {
        let split = json!(["SP", 2, 0, 8, [4], 1]);
        let steps = json!([split, ["RE", 2, [2, 0, 1]], ["FU", 2, [1, 2]]]);
        assert_eq!(
            loops(steps, 2),
            [vec![(1, None)], vec![(0, Some(2)), (0, Some(4))]]
        );
        // What was fused is an axis of its own where it is split again.
        let steps = json!([split, ["FU", 2, [0, 1]], ["SP", 2, 0, 8, [2], 1]]);
        assert_eq!(loops(steps, 2), [[(1, Some(4))], [(1, Some(2))]]);
    }

    #[test]
    fn marks_and_pragmas_are_kept() {
        let steps = json!([
            ["AN", 2, 0, 3],
            ["AN", 2, 1, 2],
            ["PR", 2, 0, "auto_unroll_max_step$64"],
            ["PR", 2, 0, "debug_skip_region"],
            ["SA", 2, 1, 8, 4]
        ]);
        let program = program(steps).expect("the test's steps fit");
        let marks: Vec<Mark> = program.stages[2].loops.iter().map(|one| one.mark).collect();
        assert_eq!(marks, [Mark::Parallel, Mark::Vector]);
        assert_eq!(program.stages[2].unroll, Some(64));
        assert!(program.left.contains("storage_align") && program.left.len() == 2);
    }

    #[test]
    fn places_follow_the_loops_and_the_stages() {
        let at = |stage, at| Some(Placed::In(Place { stage, at }));
        let place_after = |step: Json| place(json!([["CA", 1, 4, 2], step]), 1);
        assert_eq!(place_after(json!(["SP", 4, 0, 8, [4, 2], 1])), at(4, 4));
        assert_eq!(place_after(json!(["SP", 4, 3, 8, [4, 2], 1])), at(4, 2));
        assert_eq!(place_after(json!(["FU", 4, [0, 1]])), at(4, 1));
        assert_eq!(place_after(json!(["FU", 4, [1, 2]])), at(4, 1));
        assert_eq!(place_after(json!(["CHR", 2, "local", [4]])), at(5, 2));
        assert_eq!(place_after(json!(["CHW", 3, "local"])), at(5, 2));
        assert_eq!(place_after(json!(["CR", 1])), Some(Placed::Root));
        assert_eq!(place_after(json!(["CI", 1])), Some(Placed::Inline));
    }

    #[test]
    fn partial_results_are_a_stage_before() {
        let steps = json!([
            ["SP", 1, 1, 1000, [20], 1],
            ["RF", 1, 2, 1],
            ["AN", 2, 0, 3]
        ]);
        let program = program(steps).expect("the test's steps fit");
        let factoring = Factoring {
            extent: 1000,
            inner: 20,
            is_outer: false,
        };
        assert_eq!(program.stages[1].factor, Some(factoring));
        assert_eq!(program.stages[2].loops[0].mark, Mark::Parallel);
    }

    #[test]
    fn what_is_not_there_is_named() {
        let wrong = |steps: Json| program(steps).expect_err("the test's steps are wrong");
        assert!(wrong(json!([["RE", 2, [0, 1]], ["AN", 2, 2, 3]])).contains("loop 2 of 2"));
        assert!(wrong(json!([["RE", 2, [0, 0]]])).contains("no order of 2 loops"));
        assert!(wrong(json!([["FU", 2, [0, 2]]])).contains("no neighbours"));
        assert!(wrong(json!([["FSP", 2, 0, 0, 2]])).contains("splits no loop"));
        assert!(wrong(json!([["RF", 2, 1, 1]])).contains("none of two"));
        assert!(wrong(json!([["CI", 100000000]])).contains("no stage"));
        assert!(wrong(json!([["AN", 0, 100000000, 3]])).contains("no loop"));
        let long = json!([["SP", 2, 0, 8, [4, i64::MAX], 1]]);
        assert!(wrong(long).contains("more iterations"));
    }
}
