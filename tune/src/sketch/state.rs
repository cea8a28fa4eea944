//! States: a sketch with everything decided, as plain data.

use super::graph::Node;
use relay_dialects::index::ceil_div;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A sketch and every decision that it leaves open. It means the same for equal functions in any process.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct State {
    /// Which of a space's sketches.
    pub sketch: usize,
    /// What was chosen for each stage.
    pub choices: Vec<Choice>,
}

/// What was chosen for a stage.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Choice {
    /// The sketch leaves nothing open.
    Given,
    /// Loops of its own.
    Nest(Nest),
    /// Tiles.
    Tile(Tile),
    /// Partial results.
    Factor(Factor),
}

/// Where a stage's loops stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// Nowhere: it is part of its readers.
    Inline,
    /// Nowhere, and the condition outside of which it is zero guards its readers.
    Guard,
    /// Before its readers' loops.
    Root,
    /// In a loop of a stage that reads it.
    At {
        /// The stage whose loop it is.
        stage: usize,
        /// Which of that stage's outer loops, the outermost being 0; those that are fused count each.
        depth: usize,
    },
}

/// Loops of a stage that is not tiled: outer ones over its data axes, reduce axes, the insides of splits.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Nest {
    /// Where they stand.
    pub place: Place,
    /// For each data axis, the extent of the loop inside of the reduce axes.
    pub tile: Vec<i64>,
    /// The data axes in the order of their outer loops.
    pub order: Vec<usize>,
    /// How many outer loops threads share.
    pub parallel: usize,
    /// The lanes of the vectors along the row.
    pub lanes: i64,
    /// The stage in whose vectors the loop around these asks for what its next iteration reads: this one, or one that is
    /// computed there.
    #[serde(default)]
    pub ahead: Option<usize>,
}

/// Loops SSRSRS of a tiled stage.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Tile {
    /// For each data axis, the extents of the second, third and fourth level.
    pub sizes: Vec<[i64; 3]>,
    /// For each reduce axis, the extent of the second level.
    pub reduce: Vec<i64>,
    /// The data axes in the order of the loops of the first level, and of the second.
    pub order: Vec<usize>,
    /// The data axes in the order of the loops of the third level, and of the fourth. Lanes come last in any case.
    pub inner: Vec<usize>,
    /// How many outer loops threads share.
    pub parallel: usize,
    /// The lanes of the vectors along the row.
    pub lanes: i64,
    /// Whether the innermost loop of each reduce axis is unrolled.
    pub unroll: Vec<bool>,
    /// What is copied together before it is read.
    pub copy: Option<Copied>,
}

/// A copy of what a loop reads of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Copied {
    /// The argument's number.
    pub argument: usize,
    /// Which of the outer loops.
    pub depth: usize,
}

/// How a stage is reduced in steps.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Factor {
    /// Where its loops stand.
    pub place: Place,
    /// The reduce axis that is cut into parts, and how many terms of it are in one; all of them in one part if none.
    pub part: Option<(usize, i64)>,
    /// The lanes of partial results along the last reduce axis; 1 for none.
    pub lanes: i64,
    /// The vectors of partial results side by side.
    pub sums: i64,
    /// How many outer loops threads share.
    pub parallel: usize,
}

/// An outer loop of a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loop {
    /// The data axis that it is a part of.
    pub axis: usize,
    /// Its level: 0 or 1.
    pub level: usize,
    /// Its iterations.
    pub extent: i64,
}

impl Choice {
    /// Where the stage's loops stand, if that was chosen.
    pub fn place(&self) -> Option<Place> {
        match self {
            Self::Nest(nest) => Some(nest.place),
            Self::Factor(factor) => Some(factor.place),
            Self::Given | Self::Tile(_) => None,
        }
    }

    /// The same, to be changed.
    pub fn place_mut(&mut self) -> Option<&mut Place> {
        match self {
            Self::Nest(nest) => Some(&mut nest.place),
            Self::Factor(factor) => Some(&mut factor.place),
            Self::Given | Self::Tile(_) => None,
        }
    }

    /// How many outer loops threads share, to be changed.
    pub fn parallel_mut(&mut self) -> Option<&mut usize> {
        match self {
            Self::Nest(nest) => Some(&mut nest.parallel),
            Self::Tile(tile) => Some(&mut tile.parallel),
            Self::Factor(factor) => Some(&mut factor.parallel),
            Self::Given => None,
        }
    }
}

/// Outer loops without those of one iteration; the first axis has one in any case, for others to be computed in.
fn outer(order: &[usize], levels: &[Vec<i64>]) -> Vec<Loop> {
    let mut loops = Vec::new();
    for (level, extents) in levels.iter().enumerate() {
        let of_level = order.iter().map(|&axis| Loop {
            axis,
            level,
            extent: extents[axis],
        });
        loops.extend(of_level.filter(|known| known.extent > 1));
    }
    if let (true, Some(&axis)) = (loops.is_empty(), order.first()) {
        let (level, extent) = (0, 1);
        loops.push(Loop {
            axis,
            level,
            extent,
        });
    }
    loops
}

impl Nest {
    /// That of a stage that has no loops: nothing else is to be decided.
    pub fn without_loops(place: Place, rank: usize) -> Self {
        Self {
            place,
            tile: vec![1; rank],
            order: (0..rank).collect(),
            parallel: 0,
            lanes: 1,
            ahead: None,
        }
    }

    /// Its outer loops.
    pub fn outer(&self, node: &Node) -> Vec<Loop> {
        let extents = node.shape.iter().zip(&self.tile);
        let extents = extents.map(|(extent, tile)| ceil_div(*extent, *tile));
        outer(&self.order, &[extents.collect()])
    }
}

impl Tile {
    /// The extents of the two outer levels of a data axis.
    pub fn levels(&self, axis: usize, extent: i64) -> [i64; 2] {
        let [second, third, fourth] = self.sizes[axis];
        let parts = ceil_div(extent, third * fourth);
        let second = second.min(parts);
        [ceil_div(parts, second), second]
    }

    /// Its outer loops, for a stage of that shape.
    pub fn outer(&self, shape: &[i64]) -> Vec<Loop> {
        let levels = shape.iter().enumerate();
        let levels = levels.map(|(axis, extent)| self.levels(axis, *extent));
        let levels: (Vec<i64>, Vec<i64>) = levels.map(|[first, second]| (first, second)).unzip();
        outer(&self.order, &[levels.0, levels.1])
    }

    /// The vectors of a tile of the fourth level.
    pub fn vectors(&self) -> i64 {
        self.sizes.iter().map(|sizes| sizes[2]).product::<i64>() / self.lanes
    }

    /// The elements of a tile of the third level.
    pub fn elements(&self) -> i64 {
        let sizes = self.sizes.iter().map(|sizes| sizes[1] * sizes[2]);
        sizes.fold(1, i64::saturating_mul)
    }

    /// How many times the innermost expression is in the code.
    pub fn copies(&self, node: &Node) -> i64 {
        let unrolled = self.unroll.iter().enumerate().filter(|(_, flag)| **flag);
        let inner = unrolled.map(|(axis, _)| self.innermost(axis, node));
        inner.fold(self.vectors(), i64::saturating_mul)
    }

    /// The extent of the innermost loop of a reduce axis.
    pub fn innermost(&self, axis: usize, node: &Node) -> i64 {
        match self.reduce[axis] {
            1 => node.reduce[axis],
            inner => inner,
        }
    }
}

impl Factor {
    /// Its outer loops; none if the partial results are computed before it.
    pub fn outer(&self, node: &Node) -> Vec<Loop> {
        let order: Vec<usize> = (0..node.shape.len()).collect();
        match self.part {
            Some(_) => Vec::new(),
            None => outer(&order, std::slice::from_ref(&node.shape)),
        }
    }
}

/// Numbers with something between them.
fn joined<T: fmt::Display>(numbers: impl IntoIterator<Item = T>, between: &str) -> String {
    let numbers: Vec<String> = numbers
        .into_iter()
        .map(|number| number.to_string())
        .collect();
    numbers.join(between)
}

impl fmt::Display for State {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "sketch {}", self.sketch)?;
        for (stage, choice) in self.choices.iter().enumerate() {
            if *choice != Choice::Given {
                write!(formatter, "; {stage}: {choice}")?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for Choice {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Given => Ok(()),
            Self::Nest(nest) => write!(formatter, "{nest}"),
            Self::Tile(tile) => write!(formatter, "{tile}"),
            Self::Factor(factor) => write!(formatter, "{factor}"),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Inline => formatter.write_str("inline"),
            Self::Guard => formatter.write_str("guard"),
            Self::Root => formatter.write_str("root"),
            Self::At { stage, depth } => write!(formatter, "at={stage}.{depth}"),
        }
    }
}

impl fmt::Display for Nest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if matches!(self.place, Place::Inline | Place::Guard) {
            return write!(formatter, "{}", self.place);
        }
        let (tile, order) = (joined(&self.tile, "x"), joined(&self.order, ","));
        let (place, parallel, lanes) = (self.place, self.parallel, self.lanes);
        write!(
            formatter,
            "nest {place} tile={tile} order={order} parallel={parallel} lanes={lanes}"
        )?;
        match self.ahead {
            Some(stage) => write!(formatter, " ahead={stage}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Tile {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sizes = self.sizes.iter().map(|sizes| joined(sizes, "x"));
        let (sizes, reduce) = (joined(sizes, ","), joined(&self.reduce, ","));
        let (order, inner) = (joined(&self.order, ","), joined(&self.inner, ","));
        let (parallel, lanes) = (self.parallel, self.lanes);
        let unroll = joined(self.unroll.iter().map(|flag| u8::from(*flag)), ",");
        write!(
            formatter,
            "tile {sizes} reduce={reduce} order={order}/{inner} parallel={parallel} lanes={lanes} unroll={unroll}"
        )?;
        match self.copy {
            Some(Copied { argument, depth }) => write!(formatter, " copy={argument}.{depth}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Factor {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (place, lanes, sums) = (self.place, self.lanes, self.sums);
        write!(
            formatter,
            "factor {place} lanes={lanes} sums={sums} parallel={}",
            self.parallel
        )?;
        match self.part {
            Some((axis, length)) => write!(formatter, " part={axis}.{length}"),
            None => Ok(()),
        }
    }
}
