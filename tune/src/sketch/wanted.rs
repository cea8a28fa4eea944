//! What is known of a schedule that somebody else found, in words that fit any layout: the nearest state of a space is asked for by it.

use std::fmt;

/// A schedule of others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// The tiles of the first reduction that is tiled.
    pub tiles: Option<Tiles>,
    /// The reductions that are made in steps, producers first.
    pub partials: Vec<Partial>,
}

/// Loops SSRSRS of a reduction. Axes are numbered as here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tiles {
    /// Its data axes.
    pub data: Vec<DataAxis>,
    /// Its reduce axes.
    pub reduce: Vec<ReduceAxis>,
    /// The data axes in the order of the loops of the first level.
    pub order: Vec<usize>,
    /// The data axes in the order of the loops of the fourth level.
    pub inner: Vec<usize>,
    /// The loops of the first two levels that threads share.
    pub shared: Vec<Outer>,
    /// The most steps of loops that are unrolled.
    pub unroll: i64,
    /// Where stages before it are computed, in their order, as far as that is known.
    pub producers: Vec<Spot>,
}

/// A data axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DataAxis {
    /// Its extent.
    pub extent: i64,
    /// The extents of the second, third and fourth level.
    pub sizes: [i64; 3],
}

/// A reduce axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReduceAxis {
    /// Its extent.
    pub extent: i64,
    /// The extent of the second level.
    pub inner: i64,
}

/// A loop of the first two levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outer {
    /// The data axis.
    pub axis: usize,
    /// The level: 0 or 1.
    pub level: usize,
}

/// Where a stage is computed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Spot {
    /// Nowhere: it is part of its readers.
    Inline,
    /// Before its readers.
    Root,
    /// In the last of these loops of what reads it.
    In(Vec<Outer>),
}

/// A reduction in steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Partial {
    /// The terms of a result.
    pub terms: i64,
    /// The terms that are in one part, or are the lanes of partial results.
    pub inner: i64,
    /// Whether parts are reduced by themselves; else lanes are.
    pub by_parts: bool,
}

impl Tiles {
    /// The same, with a data axis and the next one as one axis: a layout may have the pixels of an image in one dimension. A loop is
    /// among some if those of both axes are.
    pub fn merged(&self, axis: usize) -> Self {
        let after = |old: usize| if old > axis { old - 1 } else { old };
        let mut data = self.data.clone();
        let next = data.remove(axis + 1);
        let one = &mut data[axis];
        one.extent = one.extent.saturating_mul(next.extent);
        for (size, other) in one.sizes.iter_mut().zip(next.sizes) {
            *size = size.saturating_mul(other);
        }
        let loops = |loops: &[Outer]| {
            let has = |axis: usize, level: usize| loops.contains(&Outer { axis, level });
            let kept = loops.iter().filter(|one| match one.axis {
                it if it == axis => has(axis + 1, one.level),
                it => it != axis + 1,
            });
            let kept = kept.map(|one| Outer {
                axis: after(one.axis),
                level: one.level,
            });
            kept.collect()
        };
        let order = |order: &[usize], dropped: usize| {
            let kept = order.iter().filter(|one| **one != dropped);
            kept.map(|one| after(*one)).collect()
        };
        Self {
            data,
            reduce: self.reduce.clone(),
            order: order(&self.order, axis + 1),
            inner: order(&self.inner, axis),
            shared: loops(&self.shared),
            unroll: self.unroll,
            producers: (self.producers.iter())
                .map(|spot| match spot {
                    Spot::In(around) => Spot::In(loops(around)),
                    other => other.clone(),
                })
                .collect(),
        }
    }
}

impl fmt::Display for Wanted {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts: Vec<String> = self.tiles.iter().map(Tiles::to_string).collect();
        let partials = self.partials.iter();
        parts.extend(partials.map(|partial| format!("sums of {} terms in steps", partial.terms)));
        formatter.write_str(&parts.join(" and "))
    }
}

impl fmt::Display for Tiles {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let joined = |extents: Vec<String>| extents.join("x");
        let data = self.data.iter().map(|axis| axis.extent.to_string());
        let reduce = self.reduce.iter().map(|axis| axis.extent.to_string());
        let (data, reduce) = (joined(data.collect()), joined(reduce.collect()));
        write!(formatter, "{data} sums over {reduce}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_axes_become_one() {
        let outer = |axis, level| Outer { axis, level };
        let axis = |extent, sizes| DataAxis { extent, sizes };
        let tiles = Tiles {
            data: vec![axis(4, [1, 1, 1]), axis(56, [7, 1, 4]), axis(28, [2, 2, 7])],
            reduce: vec![],
            order: vec![0, 1, 2],
            inner: vec![2, 1, 0],
            shared: vec![outer(0, 0), outer(1, 0), outer(2, 0), outer(1, 1)],
            unroll: 64,
            producers: vec![Spot::Inline, Spot::In(vec![outer(0, 0), outer(1, 0)])],
        };
        let merged = Tiles {
            data: vec![axis(4, [1, 1, 1]), axis(56 * 28, [14, 2, 28])],
            reduce: vec![],
            order: vec![0, 1],
            inner: vec![1, 0],
            shared: vec![outer(0, 0), outer(1, 0)],
            unroll: 64,
            producers: vec![Spot::Inline, Spot::In(vec![outer(0, 0)])],
        };
        assert_eq!(tiles.merged(1), merged);
    }
}
