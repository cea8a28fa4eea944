//! How the last part of a loop is computed where the parts may not divide it.
//!
//! A loop's extent may be known only when the kernel runs. A part that is a register tile or a vector has a fixed size all the same, and
//! the last one begins earlier where it would go beyond the end: that takes an extent of at least one part. So there are [versions](Version) of
//! the loops, of smaller and smaller tiles, and the kernel takes the first one that its extents allow.

use super::{Attach, AxisId, Relation, Schedule, SplitSize, Stage, StageId, divides, split};
use relay_dialects::{
    dim::Dim,
    te::Role,
    tir::{LoopKind, Scope},
};
use relay_topi::cost::sizes::smaller_part;
use std::collections::{BTreeMap, HashMap};

/// How the parts of a split come out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tail {
    /// They divide the loop.
    Even,
    /// The last one begins earlier. Some elements are computed twice, to the same value.
    Shifted,
    /// The loop over the inside of the last one ends earlier.
    Clipped,
    /// Elements beyond the end have a condition.
    Guarded,
}

/// How large the parts of open loops are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tile {
    /// As the schedule says.
    Full,
    /// [Smaller ones](smaller_part), in whole vectors.
    Smaller,
    /// Those made smaller once more.
    Smallest,
    /// One vector, or one element where no vector lies along the loop.
    Vector,
    /// One element.
    Element,
}

/// The loops of a kernel for some extents.
#[derive(Clone, Debug, PartialEq)]
pub struct Version {
    /// How large the parts of open loops are.
    pub tile: Tile,
    /// The least extents that they take.
    pub at_least: BTreeMap<Dim, i64>,
}

impl Schedule {
    /// The versions that all extents together need, those of larger tiles first. The last one takes any extents.
    pub fn versions(&self) -> Vec<Version> {
        let mut versions: Vec<Version> = Vec::new();
        for tile in [
            Tile::Full,
            Tile::Smaller,
            Tile::Smallest,
            Tile::Vector,
            Tile::Element,
        ] {
            let at_least = self.at_least(tile);
            let is_last = at_least.is_empty();
            let is_new = |known: &Version| known.at_least != at_least;
            if versions.last().is_none_or(is_new) {
                versions.push(Version { tile, at_least });
            }
            if is_last {
                break;
            }
        }
        versions
    }

    /// Where a stage's loops stand where parts of open loops are of a size. An operand that is widened once for a full tile is widened
    /// where it is read in smaller ones: a copy pays for many rows, and takes longer than the product of one.
    pub fn attach(&self, id: StageId, tile: Tile) -> Attach {
        let stage = &self.stages[id];
        let compute = stage.compute();
        let widens = || compute.is_some_and(|known| known.role() == Some(Role::Widen));
        match stage.attach {
            Attach::At { .. } if tile != Tile::Full && widens() => Attach::Inline,
            attach => attach,
        }
    }

    /// The least extents that parts of a size take.
    fn at_least(&self, tile: Tile) -> BTreeMap<Dim, i64> {
        let mut found = BTreeMap::new();
        for (id, stage) in self.stages.iter().enumerate() {
            // What threads exchange has a known size, whatever the tensor has.
            let is_part = matches!(stage.scope(), Scope::Shared | Scope::Fragment);
            if stage.attach == Attach::Inline || is_part {
                continue;
            }
            let extents = self.extents(id, &stage.shape, tile);
            for (number, relation) in stage.relations.iter().enumerate() {
                let Relation::Split { parent, inner, .. } = *relation else {
                    continue;
                };
                let Some(factor) = extents[&inner].known() else {
                    continue;
                };
                let whole = extents[&parent];
                if self.tail(id, number, &extents) == Tail::Shifted
                    && !self.is_always(whole, factor)
                {
                    let known = found.entry(whole).or_insert(factor);
                    *known = factor.max(*known);
                }
            }
        }
        found
    }

    /// Whether an extent is certain to be at least a number.
    fn is_always(&self, extent: Dim, at_least: i64) -> bool {
        let size = |symbol: &str| self.least_sizes.get(symbol).copied().unwrap_or(0);
        extent.least(&size).is_some_and(|least| least >= at_least)
    }

    /// The extents of all axes of a stage when its data axes have the extents `region`, and parts of open loops are of a size.
    pub fn extents(&self, id: StageId, region: &[Dim], tile: Tile) -> HashMap<AxisId, Dim> {
        let stage = &self.stages[id];
        stage.extents_with(region, |number, extents| {
            let Relation::Split {
                parent,
                inner,
                size: SplitSize::Factor(factor),
                ..
            } = stage.relations[number]
            else {
                return None;
            };
            let whole = extents[&parent];
            let is_certain = self.is_always(whole, factor);
            if tile == Tile::Full || is_certain || self.tail(id, number, extents) != Tail::Shifted {
                return None;
            }
            let lanes = self.lanes(stage, inner).unwrap_or(1).min(factor);
            let smaller = match tile {
                Tile::Smaller => smaller_part(factor, lanes),
                Tile::Smallest => smaller_part(smaller_part(factor, lanes), lanes),
                Tile::Vector => lanes,
                Tile::Full | Tile::Element => 1,
            };
            Some(split(whole, SplitSize::Factor(smaller)))
        })
    }

    /// The lanes of the vectors along an axis, or a part of it.
    fn lanes(&self, stage: &Stage, axis: AxisId) -> Option<i64> {
        let is_vector = |axis: AxisId| self.axes[axis].kind == LoopKind::Vectorized;
        stage.relations.iter().find_map(|relation| match *relation {
            Relation::Split {
                inner,
                size: SplitSize::Factor(factor),
                ..
            } if inner == axis && is_vector(axis) => Some(factor),
            Relation::Split { parent, inner, .. } if parent == axis => self.lanes(stage, inner),
            _ => None,
        })
    }

    /// How the parts of a stage's split, a relation by number, come out where axes have these extents.
    pub fn tail(&self, id: StageId, number: usize, extents: &HashMap<AxisId, Dim>) -> Tail {
        let stage = &self.stages[id];
        let Relation::Split {
            parent,
            outer,
            inner,
            shifts,
            ..
        } = stage.relations[number]
        else {
            return Tail::Even;
        };
        let (whole, factor) = (extents[&parent], extents[&inner]);
        let is_clipped = self.is_clipped(id, parent, extents);
        if !is_clipped && divides(factor, whole) {
            return Tail::Even;
        }
        let is_open = is_clipped || !whole.is_known();
        let may_shift = shifts || self.may_shift(stage, outer, inner);
        let may_clip = self.is_serial(stage, inner) && stage.begins_before(outer, inner);
        let is_whole = is_clipped || !may_shift || !self.feeds_parts(id, outer, inner);
        if is_open && factor.is_known() && may_clip && is_whole {
            return Tail::Clipped;
        }
        match may_shift && factor.is_known() && !is_clipped {
            true => Tail::Shifted,
            false => Tail::Guarded,
        }
    }

    /// Whether an axis is the inside of parts, of which the last one ends earlier.
    pub fn is_clipped(&self, id: StageId, axis: AxisId, extents: &HashMap<AxisId, Dim>) -> bool {
        let relations = self.stages[id].relations.iter().enumerate();
        relations.into_iter().any(|(number, relation)| {
            matches!(*relation, Relation::Split { inner, .. } if inner == axis)
                && self.tail(id, number, extents) == Tail::Clipped
        })
    }

    /// Whether other stages are computed for a whole part of a split.
    fn feeds_parts(&self, id: StageId, outer: AxisId, inner: AxisId) -> bool {
        let stage = &self.stages[id];
        let of_part = |axis: AxisId| stage.derives(outer, axis) && !stage.derives(inner, axis);
        self.stages.iter().any(|other| {
            let is_operand = other
                .compute()
                .is_none_or(|compute| compute.role() == Some(Role::Widen));
            matches!(other.attach, Attach::At { parent, axis } if parent == id && of_part(axis))
                && !is_operand
        })
    }

    /// Whether the innermost loop over an axis may end at any number.
    fn is_serial(&self, stage: &Stage, axis: AxisId) -> bool {
        if stage.leaf.contains(&axis) {
            return self.axes[axis].kind == LoopKind::Serial;
        }
        stage.relations.iter().any(|relation| match *relation {
            Relation::Split { parent, inner, .. } => parent == axis && self.is_serial(stage, inner),
            _ => false,
        })
    }

    fn may_shift(&self, stage: &Stage, outer: AxisId, inner: AxisId) -> bool {
        let axes = &self.axes;
        if axes[outer].reduce || axes[outer].is_shared() {
            return false;
        }
        // Only a loop as it was split: of a fused one the parts may run on several threads.
        let Some(place) = stage.leaf.iter().position(|&axis| axis == outer) else {
            return false;
        };
        // Nor may the threads that share the parts' insides meet in the elements of two parts.
        stage.leaf[..place].iter().all(|&axis| {
            let shares = axes[axis].is_shared() && stage.derives(inner, axis);
            !axes[axis].reduce && !shares
        })
    }
}

impl Stage {
    /// Whether all loops over an axis stand around those over another one.
    fn begins_before(&self, outer: AxisId, inner: AxisId) -> bool {
        let places = |axis: AxisId| {
            let leaf = self.leaf.iter().enumerate();
            leaf.filter(move |(_, leaf)| self.derives(axis, **leaf))
                .map(|(place, _)| place)
        };
        let (last, first) = (places(outer).max(), places(inner).min());
        last.zip(first).is_some_and(|(last, first)| last < first)
    }

    /// Whether `axis` is `root` or was made from it.
    pub fn derives(&self, root: AxisId, axis: AxisId) -> bool {
        axis == root
            || self.relations.iter().any(|relation| match *relation {
                Relation::Split {
                    parent,
                    outer,
                    inner,
                    ..
                } => (axis == outer || axis == inner) && self.derives(root, parent),
                Relation::Fuse {
                    outer,
                    inner,
                    fused,
                } => axis == fused && (self.derives(root, outer) || self.derives(root, inner)),
                Relation::Factored { .. } => false,
            })
    }
}
