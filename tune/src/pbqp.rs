//! Which of its alternatives each node of a graph takes, if what they cost is a sum over nodes and pairs of neighbours: a
//! partitioned boolean quadratic problem (PBQP).
//!
//! Nodes leave the graph one by one. One without neighbours takes the cheapest alternative (reduction R0); the best of one with a
//! single neighbour is known for each alternative of that one, and becomes a part of its costs (RI); that of one with two
//! neighbours becomes a part of what these cost as a pair (RII). Chains, trees, and all graphs in which branches only part and
//! meet are solved so, which is dynamic programming. Where every node has three neighbours or more, the one with most takes what
//! seems cheapest (RN). Then nodes come back in the opposite order, and take the best for what their neighbours took. (Hames and
//! Scholz, "Nearly optimal register allocation with PBQP", 2006.)

use std::collections::{BTreeMap, BTreeSet};

/// What pairs of alternatives cost: a row for each of the first node's.
type Matrix = Vec<Vec<f64>>;

/// A graph whose nodes have alternatives.
#[derive(Clone, Debug, Default)]
pub struct Problem {
    /// By node, what each of its alternatives costs.
    costs: Vec<Vec<f64>>,
    /// By pairs of nodes, the smaller number first.
    edges: BTreeMap<(usize, usize), Matrix>,
}

/// What the nodes take.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    /// By node, the number of its alternative.
    pub choices: Vec<usize>,
    /// What they cost together.
    pub cost: f64,
    /// Whether nothing costs less for certain.
    pub is_optimal: bool,
}

impl Problem {
    /// Adds a node with what its alternatives cost, of which there is one at least. Returns its number.
    pub fn add_node(&mut self, costs: Vec<f64>) -> usize {
        self.costs.push(costs);
        self.costs.len() - 1
    }

    /// Adds to what two alternatives of different nodes cost as a pair: each is a node with the number of its alternative.
    pub fn add_pair(&mut self, first: (usize, usize), second: (usize, usize), cost: f64) {
        let (low, high) = if first.0 < second.0 {
            (first, second)
        } else {
            (second, first)
        };
        let (rows, columns) = (self.costs[low.0].len(), self.costs[high.0].len());
        let matrix = self.edges.entry((low.0, high.0));
        let matrix = matrix.or_insert_with(|| vec![vec![0.0; columns]; rows]);
        matrix[low.1][high.1] += cost;
    }

    /// What an assignment costs: by node, the number of its alternative.
    pub fn cost(&self, choices: &[usize]) -> f64 {
        let nodes = self.costs.iter().zip(choices);
        let pairs = self.edges.iter();
        nodes.map(|(costs, choice)| costs[*choice]).sum::<f64>()
            + pairs
                .map(|((low, high), matrix)| matrix[choices[*low]][choices[*high]])
                .sum::<f64>()
    }

    /// An assignment that costs little: the cheapest where no node is decided by what seems best.
    pub fn solve(&self) -> Solution {
        let mut left = Reduction::of(self);
        let mut is_optimal = true;
        while let Some(node) = left.next() {
            match left.neighbours(node)[..] {
                [] => left.take_out(node),
                [one] => left.fold_into_costs(node, one),
                [one, other] => left.fold_into_pair(node, one, other),
                _ => {
                    left.decide(node);
                    is_optimal = false;
                }
            }
        }
        let choices = left.choices();
        Solution {
            cost: self.cost(&choices),
            choices,
            is_optimal,
        }
    }
}

/// A node that left the graph, with all that its choice depends on.
struct Gone {
    node: usize,
    costs: Vec<f64>,
    /// By neighbour that was there then, a row of costs for each alternative.
    edges: Vec<(usize, Matrix)>,
}

/// What is left of a problem.
struct Reduction {
    left: BTreeSet<usize>,
    rest: Problem,
    gone: Vec<Gone>,
}

impl Reduction {
    fn of(problem: &Problem) -> Self {
        Self {
            left: (0..problem.costs.len()).collect(),
            rest: problem.clone(),
            gone: Vec::new(),
        }
    }

    /// The node to leave next: one with fewest neighbours, if those are two at most, or else one with most.
    fn next(&self) -> Option<usize> {
        let degree = |node: &usize| self.neighbours(*node).len();
        let fewest = self.left.iter().copied().min_by_key(degree)?;
        match degree(&fewest) {
            0..=2 => Some(fewest),
            _ => self.left.iter().copied().max_by_key(degree),
        }
    }

    fn neighbours(&self, node: usize) -> Vec<usize> {
        let other = |(low, high): &(usize, usize)| match (*low == node, *high == node) {
            (true, _) => Some(*high),
            (_, true) => Some(*low),
            _ => None,
        };
        self.rest.edges.keys().filter_map(other).collect()
    }

    /// Takes a node out of the graph.
    fn take_out(&mut self, node: usize) {
        let edges = self.neighbours(node).into_iter().filter_map(|other| {
            let pair = (node.min(other), node.max(other));
            let matrix = self.rest.edges.remove(&pair)?;
            let matrix = if node < other {
                matrix
            } else {
                transposed(&matrix)
            };
            Some((other, matrix))
        });
        let edges = edges.collect();
        self.left.remove(&node);
        self.gone.push(Gone {
            node,
            costs: self.rest.costs[node].clone(),
            edges,
        });
    }

    /// Takes a node out that has one neighbour.
    fn fold_into_costs(&mut self, node: usize, one: usize) {
        self.take_out(node);
        let Some(gone) = self.gone.last() else {
            return;
        };
        for (choice, cost) in self.rest.costs[one].iter_mut().enumerate() {
            *cost += gone.best(|other| if other == one { choice } else { 0 }).1;
        }
    }

    /// Takes a node out that has two neighbours.
    fn fold_into_pair(&mut self, node: usize, one: usize, other: usize) {
        self.take_out(node);
        let Some(gone) = self.gone.last() else {
            return;
        };
        for first in 0..self.rest.costs[one].len() {
            for second in 0..self.rest.costs[other].len() {
                let choice = |neighbour| if neighbour == one { first } else { second };
                let cost = gone.best(choice).1;
                self.rest.add_pair((one, first), (other, second), cost);
            }
        }
    }

    /// Takes a node out with the alternative that costs least if each neighbour takes the best for it alone.
    fn decide(&mut self, node: usize) {
        self.take_out(node);
        let Some(gone) = self.gone.last_mut() else {
            return;
        };
        let costs = &self.rest.costs;
        let seems = |choice: usize| {
            let neighbours = gone.edges.iter().map(|(other, matrix)| {
                let pairs = costs[*other].iter().zip(&matrix[choice]);
                pairs
                    .map(|(cost, pair)| cost + pair)
                    .fold(f64::INFINITY, f64::min)
            });
            gone.costs[choice] + neighbours.sum::<f64>()
        };
        let chosen = least((0..gone.costs.len()).map(seems)).0;
        for (other, matrix) in &gone.edges {
            for (cost, pair) in self.rest.costs[*other].iter_mut().zip(&matrix[chosen]) {
                *cost += pair;
            }
        }
        for (choice, cost) in gone.costs.iter_mut().enumerate() {
            if choice != chosen {
                *cost = f64::INFINITY;
            }
        }
    }

    /// What all nodes take, after all have left.
    fn choices(&self) -> Vec<usize> {
        let mut choices = vec![0; self.rest.costs.len()];
        for gone in self.gone.iter().rev() {
            choices[gone.node] = gone.best(|other| choices[other]).0;
        }
        choices
    }
}

impl Gone {
    /// The alternative that costs least for what the neighbours take, and its cost.
    fn best(&self, choice_of: impl Fn(usize) -> usize) -> (usize, f64) {
        least(self.costs.iter().enumerate().map(|(choice, cost)| {
            let pairs = self.edges.iter();
            cost + pairs
                .map(|(other, matrix)| matrix[choice][choice_of(*other)])
                .sum::<f64>()
        }))
    }
}

/// The first of the least numbers, with its place.
fn least(numbers: impl Iterator<Item = f64>) -> (usize, f64) {
    let smaller = |least: (usize, f64), next: (usize, f64)| match next.1 < least.1 {
        true => next,
        false => least,
    };
    numbers.enumerate().reduce(smaller).unwrap_or_default()
}

fn transposed(matrix: &Matrix) -> Matrix {
    let columns = matrix.first().map_or(0, Vec::len);
    let column = |place: usize| matrix.iter().map(|row| row[place]).collect();
    (0..columns).map(column).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The least that any assignment costs.
    fn cheapest(problem: &Problem) -> f64 {
        let mut choices = vec![0; problem.costs.len()];
        let mut least = f64::INFINITY;
        loop {
            least = least.min(problem.cost(&choices));
            // The next number, whose digits count alternatives.
            let Some(place) =
                (0..choices.len()).find(|&node| choices[node] + 1 < problem.costs[node].len())
            else {
                return least;
            };
            choices[place] += 1;
            choices[..place].fill(0);
        }
    }

    /// A problem of some nodes, with an edge for each pair that `is_edge` says. Costs are whole numbers, so that sums are exact.
    fn problem(
        nodes: std::ops::Range<usize>,
        is_edge: impl Fn(&[usize], usize, usize) -> bool,
    ) -> impl Strategy<Value = Problem> {
        let sizes = prop::collection::vec((1..4usize, 0..1000usize), nodes);
        (sizes, prop::collection::vec(-9..10i32, 600)).prop_map(move |(sizes, numbers)| {
            let mut numbers = numbers.into_iter().map(f64::from).cycle();
            let mut number = || numbers.next().unwrap_or_default();
            let chance: Vec<usize> = sizes.iter().map(|(_, chance)| *chance).collect();
            let mut problem = Problem::default();
            for (size, _) in &sizes {
                problem.add_node((0..*size).map(|_| number()).collect());
            }
            for second in 0..sizes.len() {
                for first in (0..second).filter(|first| is_edge(&chance, *first, second)) {
                    for one in 0..sizes[first].0 {
                        for other in 0..sizes[second].0 {
                            problem.add_pair((second, other), (first, one), number());
                        }
                    }
                }
            }
            problem
        })
    }

    proptest! {
        #[test]
        fn trees_are_solved(problem in problem(1..9, |chance, first, second| chance[second] % second == first)) {
            let solution = problem.solve();
            prop_assert!(solution.is_optimal);
            prop_assert_eq!(solution.cost, cheapest(&problem));
        }

        /// A node meets the one before it, and one further up: branches part and meet.
        #[test]
        fn branches_that_meet_are_solved(problem in problem(1..8, |chance, first, second| {
            first + 1 == second || (second % 2 == 0 && first + 2 == second && chance[second] % 3 > 0)
        })) {
            let solution = problem.solve();
            prop_assert!(solution.is_optimal);
            prop_assert_eq!(solution.cost, cheapest(&problem));
        }

        #[test]
        fn graphs_are_assigned(problem in problem(1..7, |chance, first, second| (chance[first] + chance[second]) % 4 > 0)) {
            let solution = problem.solve();
            let least = cheapest(&problem);
            prop_assert_eq!(solution.cost, problem.cost(&solution.choices));
            prop_assert!(solution.cost >= least);
            prop_assert!(!solution.is_optimal || solution.cost == least);
        }
    }
}
