//! The cheapest way to compute each node of a graph once.

use std::collections::{BTreeMap, BTreeSet};

/// Nodes that are computed together, and what that costs.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// The nodes by number, each once, in ascending order. There is at least one.
    pub nodes: Vec<usize>,
    /// What the part costs, from 0 on.
    pub cost: f64,
}

/// Parts that hold each node once.
#[derive(Clone, Debug, PartialEq)]
pub struct Cover {
    /// The parts by their place in the list, by their first nodes.
    pub parts: Vec<usize>,
    /// The sum of what they cost.
    pub cost: f64,
    /// Whether no other cover is cheaper. Otherwise there were too many to look at.
    pub is_cheapest: bool,
}

/// The cheapest cover of the nodes `0..count`; of several the one whose parts stand first. `None` if there is none.
///
/// The search is that of Collage (Jeon et al., PACT 2022): a state is a set of covered nodes, and the parts that lead on from
/// it are those whose first node is the first one that is not covered. So each set of parts is met in one order only, and of
/// all ways to a state the cheapest is kept. States that have the same first uncovered node are looked at together; where
/// these are more than `width`, the cheapest are.
pub fn cheapest(count: usize, parts: &[Part], width: usize) -> Option<Cover> {
    let mut starting: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (number, part) in parts.iter().enumerate() {
        starting[part.nodes[0]].push(number);
    }
    let mut search = Search {
        steps: vec![Step::default()],
        waiting: vec![BTreeMap::new(); count + 1],
        is_cheapest: true,
    };
    search.waiting[0].insert(BTreeSet::new(), 0);
    for (first, starting) in starting.iter().enumerate() {
        for (covered, step) in search.take(first, width) {
            for &number in starting {
                let part = &parts[number];
                if part.nodes.iter().all(|node| !covered.contains(node)) {
                    let covered = covered.iter().chain(&part.nodes).copied().collect();
                    search.add(first, covered, (step, number, part.cost));
                }
            }
        }
    }
    search.finish(count)
}

/// A part behind others.
#[derive(Clone, Copy, Default)]
struct Step {
    /// What all of them cost.
    cost: f64,
    /// The step before, by number, and the part; none at the start.
    last: Option<(usize, usize)>,
}

struct Search {
    steps: Vec<Step>,
    /// For each first uncovered node, the covered ones behind it, and the cheapest step that leads there.
    waiting: Vec<BTreeMap<BTreeSet<usize>, usize>>,
    is_cheapest: bool,
}

impl Search {
    /// The states with this first uncovered node.
    fn take(&mut self, first: usize, width: usize) -> Vec<(BTreeSet<usize>, usize)> {
        let states = std::mem::take(&mut self.waiting[first]);
        let mut states: Vec<_> = states.into_iter().collect();
        if states.len() > width {
            self.is_cheapest = false;
            let cost = |(_, step): &(BTreeSet<usize>, usize)| self.steps[*step].cost;
            states.sort_by(|a, b| cost(a).total_cmp(&cost(b)));
            states.truncate(width);
        }
        states
    }

    /// Adds the state in which `covered`, and all nodes before `first`, are covered.
    fn add(
        &mut self,
        mut first: usize,
        mut covered: BTreeSet<usize>,
        (before, part, cost): (usize, usize, f64),
    ) {
        while covered.remove(&first) {
            first += 1;
        }
        let cost = self.steps[before].cost + cost;
        let known = self.waiting[first].get(&covered);
        if known.is_none_or(|known| cost < self.steps[*known].cost) {
            self.waiting[first].insert(covered, self.steps.len());
            self.steps.push(Step {
                cost,
                last: Some((before, part)),
            });
        }
    }

    /// The cover that led to where all nodes are covered.
    fn finish(&self, count: usize) -> Option<Cover> {
        let step = self.waiting[count].get(&BTreeSet::new())?;
        let cost = self.steps[*step].cost;
        let mut parts = Vec::new();
        let mut last = self.steps[*step].last;
        while let Some((before, part)) = last {
            parts.push(part);
            last = self.steps[before].last;
        }
        parts.reverse();
        Some(Cover {
            parts,
            cost,
            is_cheapest: self.is_cheapest,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The least cost of all covers, by trying each part or none of it after the other.
    fn least(count: usize, parts: &[Part]) -> Option<f64> {
        let all = (0..1_u32 << parts.len()).filter_map(|taken| {
            let is_taken = |number: &usize| taken >> number & 1 == 1;
            let chosen: Vec<&Part> = (0..parts.len())
                .filter(is_taken)
                .map(|number| &parts[number])
                .collect();
            let mut nodes: Vec<usize> = chosen.iter().flat_map(|part| part.nodes.clone()).collect();
            nodes.sort_unstable();
            let is_cover = nodes == (0..count).collect::<Vec<_>>();
            is_cover.then(|| chosen.iter().map(|part| part.cost).sum::<f64>())
        });
        all.min_by(f64::total_cmp)
    }

    /// Whole costs, so that sums are exact in any order.
    fn parts(count: usize) -> impl Strategy<Value = Vec<Part>> {
        let part = (proptest::collection::btree_set(0..count, 1..4), 0..20_u8);
        let part = part.prop_map(|(nodes, cost)| Part {
            nodes: nodes.into_iter().collect(),
            cost: f64::from(cost),
        });
        proptest::collection::vec(part, 0..12)
    }

    fn graph() -> impl Strategy<Value = (usize, Vec<Part>)> {
        (1..7_usize).prop_flat_map(|count| (Just(count), parts(count)))
    }

    proptest! {
        #[test]
        fn a_cover_is_the_cheapest_of_all((count, parts) in graph()) {
            let cover = cheapest(count, &parts, usize::MAX);
            prop_assert_eq!(cover.as_ref().map(|cover| cover.cost), least(count, &parts));
            if let Some(cover) = cover {
                prop_assert!(cover.is_cheapest);
                let chosen = cover.parts.iter().map(|part| &parts[*part]);
                let mut nodes: Vec<usize> = chosen.flat_map(|part| part.nodes.clone()).collect();
                nodes.sort_unstable();
                prop_assert_eq!(nodes, (0..count).collect::<Vec<_>>());
            }
        }

        #[test]
        fn a_narrow_search_finds_a_cover_that_costs_no_less((count, mut parts) in graph()) {
            // Each node has a part of its own, as the passes' graphs have.
            parts.truncate(8);
            parts.extend((0..count).map(|node| Part { nodes: vec![node], cost: 9.0 }));
            let narrow = cheapest(count, &parts, 1).map(|cover| (cover.cost, cover.is_cheapest));
            let wide = cheapest(count, &parts, usize::MAX).map(|cover| cover.cost);
            let (Some((narrow, is_cheapest)), Some(wide)) = (narrow, wide) else {
                return Err(TestCaseError::fail("each node has a part"));
            };
            prop_assert!(narrow >= wide);
            prop_assert!(!is_cheapest || narrow == wide);
        }
    }

    #[test]
    fn the_first_of_equal_covers_is_taken() {
        let part = |nodes: &[usize], cost| Part {
            nodes: nodes.to_vec(),
            cost,
        };
        let parts = [part(&[0, 1], 2.0), part(&[0], 1.0), part(&[1], 1.0)];
        let cover = cheapest(2, &parts, 10).map(|cover| cover.parts);
        assert_eq!(cover, Some(vec![0]));
    }
}
