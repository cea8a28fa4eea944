//! Regression trees on binned features, grown by the gain in a loss of second order (Friedman 2001; Chen and Guestrin, KDD 2016).
//!
//! They are ours because a score is a sum over the rows of a schedule, and a loss compares schedules: the slopes of all rows of a kernel
//! depend on one another.

use super::loss::Slope;
use serde::{Deserialize, Serialize};

/// The most bins of a feature.
const BINS: usize = 32;

/// How trees grow.
#[derive(Clone, Copy, Debug)]
pub struct Growth {
    /// The most splits from the root to a leaf.
    pub depth: usize,
    /// The least sum of second derivatives in a leaf.
    pub least: f64,
    /// What is added to that sum: the weight of the squares of what leaves say.
    pub lambda: f64,
    /// What part of a leaf's step is taken.
    pub rate: f64,
    /// The part of the features that a tree may ask for.
    pub share: f64,
}

/// A tree. The root is the first node, and both sides of a split come behind it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tree(Vec<Node>);

/// A node of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum Node {
    /// Rows whose feature is at most the threshold go to `low`, others to the node behind that.
    Split {
        feature: usize,
        threshold: f32,
        low: usize,
    },
    /// What is said of the rows; JSON gives back numbers of 32 bits as they were.
    Leaf(f32),
}

impl Tree {
    /// What it says of a row.
    pub fn value(&self, row: &[f32]) -> f64 {
        let mut place = 0;
        loop {
            match self.0.get(place) {
                Some(Node::Split {
                    feature,
                    threshold,
                    low,
                }) => {
                    let is_high = row.get(*feature).is_some_and(|value| value > threshold);
                    place = low + usize::from(is_high);
                }
                Some(Node::Leaf(value)) => return f64::from(*value),
                None => return 0.0,
            }
        }
    }

    /// Whether each split names a feature of so many, and nodes behind it: whoever reads a tree from a file asks this first.
    pub fn is_sound(&self, width: usize) -> bool {
        let is_sound = |(place, node): (usize, &Node)| match node {
            Node::Split { feature, low, .. } => {
                *feature < width && *low > place && low + 1 < self.0.len()
            }
            Node::Leaf(value) => value.is_finite(),
        };
        !self.0.is_empty() && self.0.iter().enumerate().all(is_sound)
    }
}

/// Rows with each feature cut into bins.
pub struct Binned {
    /// Of each feature, the greatest value of each bin but the last.
    thresholds: Vec<Vec<f32>>,
    /// The bins, feature by feature.
    bins: Vec<Vec<u8>>,
    rows: usize,
}

impl Binned {
    /// Cuts features where as many of their values lie on both sides.
    pub fn of(rows: &[&[f32]], width: usize) -> Self {
        let column = |feature: usize| -> Vec<f32> { rows.iter().map(|row| row[feature]).collect() };
        let thresholds: Vec<Vec<f32>> = (0..width).map(|feature| cuts(column(feature))).collect();
        let bin = |feature: usize, value: f32| {
            let below = thresholds[feature].partition_point(|threshold| *threshold < value);
            u8::try_from(below).unwrap_or(u8::MAX)
        };
        let bins = (0..width)
            .map(|feature| rows.iter().map(|row| bin(feature, row[feature])).collect())
            .collect();
        Self {
            thresholds,
            bins,
            rows: rows.len(),
        }
    }

    /// A tree that lowers the loss whose slopes the rows have.
    pub fn grow(&self, slopes: &[Slope], growth: Growth, random: &mut fastrand::Rng) -> Tree {
        let asked: Vec<usize> = (0..self.bins.len())
            .filter(|feature| !self.thresholds[*feature].is_empty())
            .filter(|_| random.f64() < growth.share)
            .collect();
        let mut grower = Grower {
            binned: self,
            slopes,
            growth,
            asked,
            nodes: vec![Node::Leaf(0.0)],
        };
        let all: Vec<usize> = (0..self.rows).collect();
        grower.grow(0, &all, growth.depth);
        Tree(grower.nodes)
    }
}

/// The thresholds between the bins of a feature.
fn cuts(mut values: Vec<f32>) -> Vec<f32> {
    values.sort_by(f32::total_cmp);
    let count = values.len();
    let mut distinct = values.clone();
    distinct.dedup();
    let mut cuts: Vec<f32> = match distinct.len() <= BINS {
        true => distinct,
        false => (1..BINS).map(|bin| values[bin * count / BINS]).collect(),
    };
    cuts.dedup();
    // Nothing lies above the greatest value.
    if cuts.last() == values.last() {
        cuts.pop();
    }
    cuts
}

/// A tree while it grows.
struct Grower<'b> {
    binned: &'b Binned,
    slopes: &'b [Slope],
    growth: Growth,
    /// The features that it may ask for.
    asked: Vec<usize>,
    nodes: Vec<Node>,
}

impl Grower<'_> {
    /// Makes the node for some rows, and those below it.
    fn grow(&mut self, node: usize, rows: &[usize], depth: usize) {
        let total = sum(rows.iter().map(|row| self.slopes[*row]));
        let split = if depth > 0 {
            self.split(rows, total)
        } else {
            None
        };
        let Some((feature, bin)) = split else {
            let step = total.gradient / (total.hessian + self.growth.lambda);
            self.nodes[node] = Node::Leaf((-self.growth.rate * step) as f32);
            return;
        };
        let bins = &self.binned.bins[feature];
        let (low, high): (Vec<usize>, Vec<usize>) =
            rows.iter().partition(|row| usize::from(bins[**row]) <= bin);
        let below = self.nodes.len();
        self.nodes.extend([Node::Leaf(0.0); 2]);
        self.nodes[node] = Node::Split {
            feature,
            threshold: self.binned.thresholds[feature][bin],
            low: below,
        };
        self.grow(below, &low, depth - 1);
        self.grow(below + 1, &high, depth - 1);
    }

    /// The feature and the last bin of the lower side that gain most; none if nothing gains.
    fn split(&self, rows: &[usize], total: Slope) -> Option<(usize, usize)> {
        let whole = self.worth(total);
        let mut best = None;
        let mut most = 1e-9;
        for &feature in &self.asked {
            let mut sums = [Slope::default(); BINS + 1];
            for &row in rows {
                let bin = usize::from(self.binned.bins[feature][row]);
                sums[bin] = sum([sums[bin], self.slopes[row]].into_iter());
            }
            let mut low = Slope::default();
            let bins = self.binned.thresholds[feature].len();
            for (bin, of_bin) in sums.iter().enumerate().take(bins) {
                low = sum([low, *of_bin].into_iter());
                let high = Slope {
                    gradient: total.gradient - low.gradient,
                    hessian: total.hessian - low.hessian,
                };
                if low.hessian.min(high.hessian) < self.growth.least {
                    continue;
                }
                let gain = self.worth(low) + self.worth(high) - whole;
                if gain > most {
                    (most, best) = (gain, Some((feature, bin)));
                }
            }
        }
        best
    }

    /// By how much a leaf with this slope lowers the loss, twice.
    fn worth(&self, slope: Slope) -> f64 {
        slope.gradient * slope.gradient / (slope.hessian + self.growth.lambda)
    }
}

fn sum(slopes: impl Iterator<Item = Slope>) -> Slope {
    slopes.fold(Slope::default(), |sum, slope| Slope {
        gradient: sum.gradient + slope.gradient,
        hessian: sum.hessian + slope.hessian,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: Growth = Growth {
        depth: 2,
        least: 0.5,
        lambda: 0.0,
        rate: 1.0,
        share: 1.0,
    };

    #[test]
    fn a_tree_finds_a_step() {
        let rows: [&[f32]; 4] = [&[0.0, 7.0], &[1.0, 7.0], &[2.0, 7.0], &[3.0, 7.0]];
        let wanted = [5.0, 5.0, -1.0, -1.0];
        let slopes = wanted.map(|wanted| Slope {
            gradient: -wanted,
            hessian: 1.0,
        });
        let binned = Binned::of(&rows, 2);
        let tree = binned.grow(&slopes, WHOLE, &mut fastrand::Rng::with_seed(0));
        assert_eq!(rows.map(|row| tree.value(row)), wanted);
        assert!(tree.is_sound(2));
        assert!(!tree.is_sound(0));
    }

    #[test]
    fn many_values_share_bins() {
        let values: Vec<f32> = (0..1000_u16).map(f32::from).collect();
        let cuts = cuts(values);
        assert_eq!(cuts.len(), BINS - 1);
        assert_eq!(cuts[0], 31.0);
    }
}
