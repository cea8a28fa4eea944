//! What a program of Ansor's steps has that our sketches have, too: the tiles of its reduction, and what is reduced in steps.

use super::{
    loops::{Placed, Program, Stage},
    steps::{Mark, Place},
};
use crate::sketch::{
    Wanted,
    wanted::{DataAxis, Outer, Partial, ReduceAxis, Spot, Tiles},
};

/// The parts of a data axis and of a reduce axis in loops SSRSRS, which are Ansor's for CPUs.
const DATA: usize = 4;
const REDUCE: usize = 2;

impl Program {
    /// What sketches have of it.
    ///
    /// # Errors
    /// Why that is nothing.
    pub fn wanted(&self) -> Result<Wanted, String> {
        let stages = self.stages.iter().enumerate();
        let mut tiled = stages.filter(|(_, stage)| stage.levels() >= DATA);
        let tiles = tiled
            .next()
            .map(|(number, stage)| self.tiles(number, stage));
        let factors = self.stages.iter().filter_map(|stage| stage.factor);
        let partials = factors.map(|factor| Partial {
            terms: factor.extent,
            inner: factor.inner,
            by_parts: factor.is_outer,
        });
        let wanted = Wanted {
            tiles: tiles.transpose()?,
            partials: partials.collect(),
        };
        if wanted == Wanted::default() {
            return Err("its steps make no tiles and no partial results".into());
        }
        Ok(wanted)
    }

    /// The tiles of a stage.
    fn tiles(&self, number: usize, stage: &Stage) -> Result<Tiles, String> {
        let rank = stage.rank()?;
        let data = stage.axes[..rank].iter().map(|axis| {
            let [_, second, third, fourth] = axis.parts[..] else {
                return None;
            };
            let extent = |part: usize| stage.parts[part].extent;
            Some(DataAxis {
                extent: axis.extent?,
                sizes: [extent(second)?, extent(third)?, extent(fourth)?],
            })
        });
        let reduce = stage.axes[rank..].iter().map(|axis| {
            let inner = *axis.parts.last()?;
            Some(ReduceAxis {
                extent: axis.extent?,
                inner: stage.parts[inner].extent?,
            })
        });
        let unknown = "its tiles are of loops of unknown extents";
        Ok(Tiles {
            data: data.collect::<Option<_>>().ok_or(unknown)?,
            reduce: reduce.collect::<Option<_>>().ok_or(unknown)?,
            order: stage.order(rank, 0),
            inner: stage.order(rank, DATA - 1),
            shared: self.shared(number),
            unroll: stage.unroll.unwrap_or(0),
            producers: self.producers(number),
        })
    }

    /// The stage in whose loops another one's tiles are: that which it is computed in, or itself.
    fn holder(&self, number: usize) -> usize {
        match self.stages[number].place {
            Some(Placed::In(place)) => place.stage,
            _ => number,
        }
    }

    /// The loops that threads share.
    fn shared(&self, number: usize) -> Vec<Outer> {
        let holder = &self.stages[self.holder(number)];
        let shared = holder.loops.iter();
        let shared = shared.filter(|one| one.mark == Mark::Parallel);
        shared.flat_map(|one| holder.outer(&one.parts)).collect()
    }

    /// Where stages before it are computed. Tensors that nothing computes are in no step.
    fn producers(&self, number: usize) -> Vec<Spot> {
        let before = self.stages[..number].iter();
        let computed = before.filter(|stage| stage.place.is_some() || !stage.loops.is_empty());
        let spot = |stage: &Stage| match stage.place {
            Some(Placed::Inline) => Spot::Inline,
            Some(Placed::In(place)) => self.spot(place, number),
            Some(Placed::Root) | None => Spot::Root,
        };
        computed.map(spot).collect()
    }

    /// The place that a loop around tiles is, or one in them.
    fn spot(&self, place: Place, number: usize) -> Spot {
        let holder = self.holder(number);
        let stage = &self.stages[holder];
        let last = match place.stage {
            it if it == holder => place.at,
            it if it == number => stage.loops.len().saturating_sub(1),
            _ => return Spot::Root,
        };
        let around = stage.loops.iter().take(last + 1);
        Spot::In(around.flat_map(|one| stage.outer(&one.parts)).collect())
    }
}

impl Stage {
    /// The most parts of an axis.
    fn levels(&self) -> usize {
        let levels = self.axes.iter().map(|axis| axis.parts.len());
        levels.max().unwrap_or(0)
    }

    /// How many of its axes are data axes, by the parts that they have.
    fn rank(&self) -> Result<usize, String> {
        let levels = self.axes.iter().map(|axis| axis.parts.len());
        let rank = levels.clone().take_while(|levels| *levels == DATA).count();
        let are_reduced = levels.skip(rank).all(|levels| levels == REDUCE);
        let is_fused = self.axes.iter().any(|axis| axis.is_fused);
        match are_reduced && !is_fused {
            true => Ok(rank),
            false => Err(format!(
                "its tiles are none of {DATA} levels of data axes and {REDUCE} of reduce axes (SSRSRS)"
            )),
        }
    }

    /// The axes of so many, in the order of the loops of a level.
    fn order(&self, rank: usize, level: usize) -> Vec<usize> {
        let parts = self.loops.iter().flat_map(|one| &one.parts);
        let axis = |part: &usize| {
            let axis = self.parts[*part].axis;
            (axis < rank && self.axes[axis].parts[level] == *part).then_some(axis)
        };
        parts.filter_map(axis).collect()
    }

    /// Which parts are loops of the first two levels. What follows from them inside is none.
    fn outer(&self, parts: &[usize]) -> Vec<Outer> {
        let outer = |part: &usize| {
            let axis = self.parts[*part].axis;
            let levels = &self.axes[axis].parts;
            let level = levels.iter().position(|known| known == part)?;
            (level < 2 && level + 1 < levels.len()).then_some(Outer { axis, level })
        };
        parts.iter().filter_map(outer).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::steps::Step;
    use super::*;
    use serde_json::{Value as Json, json};

    /// A product of 64x96 and 96x80 with a stage after it, as a log of TVM's has one.
    fn product() -> Vec<Json> {
        let steps = json!([
            ["SP", 2, 0, 64, [2, 1, 4], 1],
            ["SP", 2, 4, 80, [1, 5, 16], 1],
            ["SP", 2, 8, 96, [4], 1],
            ["RE", 2, [0, 4, 1, 5, 8, 2, 6, 9, 3, 7]],
            ["FSP", 4, 0, 0, 2],
            ["FSP", 4, 3, 1, 2],
            ["RE", 4, [0, 3, 1, 4, 2, 5]],
            ["CA", 2, 4, 3],
            ["FU", 4, [0, 1]],
            ["AN", 4, 0, 3],
            ["PR", 2, 0, "auto_unroll_max_step$8"],
            ["AN", 2, 9, 2],
            ["AN", 4, 4, 2]
        ]);
        steps.as_array().expect("it is a list").clone()
    }

    fn wanted(steps: &[Json]) -> Result<Wanted, String> {
        let steps: Result<Vec<Step>, String> = steps.iter().map(Step::read).collect();
        Program::of(&steps?)?.wanted()
    }

    #[test]
    fn tiles_are_found() {
        let tiles = wanted(&product()).expect("it has tiles").tiles;
        let outer = |axis, level| Outer { axis, level };
        let data = |extent, sizes| DataAxis { extent, sizes };
        let reduce = ReduceAxis {
            extent: 96,
            inner: 4,
        };
        let expected = Tiles {
            data: vec![data(64, [2, 1, 4]), data(80, [1, 5, 16])],
            reduce: vec![reduce],
            order: vec![0, 1],
            inner: vec![0, 1],
            shared: vec![outer(0, 0), outer(1, 0)],
            unroll: 8,
            producers: vec![],
        };
        assert_eq!(tiles, Some(expected));
    }

    #[test]
    fn stages_before_are_where_steps_say() {
        let spots = |step: Json| {
            let steps = [product(), vec![step]].concat();
            let tiles = wanted(&steps).expect("it has tiles").tiles;
            tiles.expect("it has tiles").producers
        };
        assert_eq!(spots(json!(["CI", 1])), [Spot::Inline]);
        assert_eq!(spots(json!(["CR", 1])), [Spot::Root]);
        let both = vec![Outer { axis: 0, level: 0 }, Outer { axis: 1, level: 0 }];
        assert_eq!(spots(json!(["CA", 1, 4, 0])), [Spot::In(both)]);
        let all = spots(json!(["CA", 1, 2, 5]));
        assert!(matches!(&all[..], [Spot::In(loops)] if loops.len() == 4));
    }

    #[test]
    fn partial_results_are_found() {
        let steps = json!([["SP", 1, 1, 1000, [20], 1], ["RF", 1, 1, 1]]);
        let partials = wanted(steps.as_array().expect("it is a list"));
        let expected = Partial {
            terms: 1000,
            inner: 20,
            by_parts: true,
        };
        assert_eq!(partials.map(|it| it.partials), Ok(vec![expected]));
    }

    #[test]
    fn what_has_neither_says_so() {
        let reason = |steps: Json| wanted(steps.as_array().expect("it is a list")).err();
        let plain = reason(json!([["FU", 2, [0, 1]], ["AN", 2, 0, 3]]));
        assert!(plain.is_some_and(|it| it.contains("no tiles")));
        // Of GPUs: five levels.
        let deep = reason(json!([["SP", 2, 0, 64, [2, 1, 4, 1], 1]]));
        assert!(deep.is_some_and(|it| it.contains("SSRSRS")));
        let open = reason(json!([["SP", 2, 0, 0, [2, 1, 4], 1]]));
        assert!(open.is_some_and(|it| it.contains("unknown extents")));
    }
}
