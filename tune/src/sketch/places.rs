//! Where a stage that is not tiled may be computed.

use super::{
    form::{Form, Sketch, Tail},
    graph::{Axes, Graph, Source},
    state::{Choice, Loop, Place},
};
use relay_topi::cost;
use std::collections::{BTreeMap, BTreeSet};

/// A sketch of which the choices are known from some stage on.
#[derive(Clone, Copy)]
pub struct View<'a> {
    /// The stages.
    pub graph: &'a Graph,
    /// What becomes of them.
    pub sketch: &'a Sketch,
    /// What was chosen for them.
    pub choices: &'a [Choice],
}

/// An outer loop of a stage, by their numbers. Of loops that threads share, which are fused, it is the last.
pub type At = (usize, usize);

impl View<'_> {
    /// Whether a stage is part of its readers.
    pub fn is_inlined(&self, stage: usize) -> bool {
        let place = self.choices[stage].place();
        self.sketch.forms[stage] == Form::Inlined
            || matches!(place, Some(Place::Inline | Place::Guard))
    }

    /// The outer loops that stand in a stage's own nest, and how many of them are fused.
    pub fn outer(&self, stage: usize) -> (Vec<Loop>, usize) {
        let node = &self.graph.stages[stage];
        let chosen = match self.sketch.forms[stage] {
            Form::Consumer(tiled) => &self.choices[tiled],
            _ => &self.choices[stage],
        };
        match chosen {
            Choice::Given => (Vec::new(), 0),
            Choice::Nest(nest) => (nest.outer(node), nest.parallel),
            Choice::Tile(tile) => (tile.outer(&node.shape), tile.parallel),
            Choice::Factor(factor) => (factor.outer(node), factor.parallel),
        }
    }

    /// The loops around the place in which a stage reads others, outermost first.
    pub fn path(&self, stage: usize) -> Vec<At> {
        if let Form::Tiled(Tail::Consumer(consumer)) = self.sketch.forms[stage] {
            return self.path(consumer);
        }
        let mut path = match self.choices[stage].place() {
            Some(Place::At {
                stage: holder,
                depth,
            }) => self.path_to(holder, depth),
            _ => Vec::new(),
        };
        let (loops, fused) = self.outer(stage);
        let depths = fused.saturating_sub(1)..loops.len();
        path.extend(depths.map(|depth| (stage, depth)));
        path
    }

    /// The loops from the outermost to one of a stage's own.
    fn path_to(&self, stage: usize, depth: usize) -> Vec<At> {
        let path = self.path(stage);
        let is_before = |at: &At| at.0 != stage || at.1 <= depth;
        path.into_iter().take_while(is_before).collect()
    }

    /// The stages with loops of their own that read a stage, also by way of inlined ones.
    fn readers(&self, stage: usize) -> BTreeSet<usize> {
        let (mut found, mut open, mut seen) = (BTreeSet::new(), vec![stage], BTreeSet::new());
        while let Some(producer) = open.pop() {
            for (reader, _) in self.graph.reads_of(producer) {
                if !self.is_inlined(reader) {
                    found.insert(reader);
                } else if seen.insert(reader) {
                    open.push(reader);
                }
            }
        }
        found
    }

    /// Where a stage may be computed; what is returned, at the root alone.
    pub fn candidates(&self, stage: usize) -> Vec<Place> {
        let node = &self.graph.stages[stage];
        if node.is_returned {
            return vec![Place::Root];
        }
        let mut found = vec![Place::Root];
        if !node.reduces() && node.results == 1 {
            found.extend(self.inlined(stage));
        }
        let readers = self.readers(stage);
        let mut paths = readers.iter().map(|reader| self.path(*reader));
        let Some(first) = paths.next() else {
            return vec![Place::Root];
        };
        let common = |known: Vec<At>, path: Vec<At>| {
            let both = known.into_iter().zip(path);
            let both = both.take_while(|(a, b)| a == b);
            both.map(|(a, _)| a).collect()
        };
        let shared: Vec<At> = paths.fold(first, common);
        let is_worth = |place: &Place| match *place {
            Place::At {
                stage: holder,
                depth,
            } => self.is_worth(stage, (holder, depth)),
            _ => true,
        };
        let at = shared
            .into_iter()
            .map(|(stage, depth)| Place::At { stage, depth });
        found.extend(at.filter(is_worth));
        found
    }

    /// The ways in which a stage may be part of its readers.
    fn inlined(&self, stage: usize) -> Vec<Place> {
        let is_inlined = |reader: usize| self.is_inlined(reader);
        if self.graph.evaluations(stage, &is_inlined) > cost::MOST_INLINED {
            return Vec::new();
        }
        let guards = self.graph.stages[stage].is_zero_outside
            && (self.graph.reads_of(stage))
                .all(|(reader, read)| read.is_factor && !self.is_inlined(reader));
        // Where nothing is added outside of the condition, that costs less than adding zeros.
        match guards {
            true => vec![Place::Guard],
            false => vec![Place::Inline],
        }
    }

    /// Whether conditions of inlined stages are part of a stage's expression.
    pub fn has_branches(&self, stage: usize) -> bool {
        self.graph.stages[stage]
            .reads
            .iter()
            .any(|read| match read.source {
                Source::Stage(producer) if self.is_inlined(producer) => {
                    self.graph.stages[producer].has_branches || self.has_branches(producer)
                }
                _ => false,
            })
    }

    /// The stages in whose vectors a stage's loop around its own may ask for what comes next.
    pub fn asking(&self, stage: usize) -> Vec<usize> {
        let (loops, fused) = self.outer(stage);
        let depth = loops.len().checked_sub(2);
        let is_root = self.choices[stage].place() == Some(Place::Root);
        let Some(depth) = depth.filter(|depth| is_root && fused <= depth + 1) else {
            return Vec::new();
        };
        let here = self.path_to(stage, depth).last().copied();
        let is_here = |other: &usize| {
            let is_nest = matches!(self.choices[*other], Choice::Nest(_));
            let place = self.choices[*other].place();
            let at = match place {
                Some(Place::At { stage, depth }) => Some((stage, depth)),
                _ => None,
            };
            *other == stage || (is_nest && at == here && self.outer(*other).0.len() > 1)
        };
        (0..=stage).filter(is_here).collect()
    }

    /// Whether computing a stage in a loop, again for each iteration that needs the same of it, takes no longer than
    /// all stages do.
    fn is_worth(&self, stage: usize, at: At) -> bool {
        let mut deepest = BTreeMap::new();
        for (holder, depth) in self.path_to(at.0, at.1) {
            deepest.insert(holder, depth);
        }
        let times = deepest.into_iter();
        let times = times.map(|at| self.repeated(stage, at));
        let work = self.graph.stages[stage].work();
        times.fold(work, i64::saturating_mul) <= self.graph.work()
    }

    /// How many iterations of a stage's outer loops, down to one of them, need the same of another stage.
    fn repeated(&self, stage: usize, (holder, depth): At) -> i64 {
        let (loops, _) = self.outer(holder);
        let needed = self.needed(holder, stage);
        let down = loops.iter().take(depth + 1);
        let same = down.filter(|known| !needed.contains(known.axis));
        same.map(|known| known.extent).fold(1, i64::saturating_mul)
    }

    /// The data axes of a stage on which it depends which part of another one it needs, by whatever way.
    fn needed(&self, holder: usize, stage: usize) -> Axes {
        // For each stage between, and each of its data axes.
        let mut known: BTreeMap<usize, Vec<Axes>> = BTreeMap::new();
        for between in (stage..=holder).rev() {
            let rank = self.graph.stages[between].shape.len();
            let is_tile = self.sketch.forms[between] == Form::Tiled(Tail::Consumer(holder));
            let own = (0..rank).map(|axis| match between == holder || is_tile {
                true => Axes::default().with(axis),
                false => Axes::default(),
            });
            let mut axes: Vec<Axes> = own.collect();
            for (reader, read) in self.graph.reads_of(between) {
                let Some(of_reader) = known.get(&reader) else {
                    continue;
                };
                for (axes, subscript) in axes.iter_mut().zip(&read.subscripts) {
                    let needed = of_reader.iter().enumerate();
                    let needed = needed.filter(|(axis, _)| subscript.contains(*axis));
                    *axes = needed.fold(*axes, |axes, (_, more)| axes.union(*more));
                }
            }
            known.insert(between, axes);
        }
        let of_stage = known.remove(&stage).unwrap_or_default();
        of_stage.into_iter().fold(Axes::default(), Axes::union)
    }

    /// The arguments that a stage may read from copies: those that lie in rows along its own.
    pub fn copied(&self, stage: usize) -> Vec<usize> {
        let node = &self.graph.stages[stage];
        let mut found = Vec::new();
        for read in &node.reads {
            if let Source::Argument(argument) = read.source
                && read.shape.len() > 1
                && node.row().is_some_and(|row| read.along().contains(row))
                && !found.contains(&argument)
            {
                found.push(argument);
            }
        }
        found
    }
}
