//! Which operators become one kernel: Relay's fusion rules on a dataflow graph.
//!
//! Operators fuse forward into their immediate post-dominator. Three phases: heavy operators take
//! the elementwise ones after them; injective chains join; what is left joins injective consumers.
//! Then, which Relay has not, operators join that compute rows of the same number: reductions, what
//! goes before them and what reads their results; and the products and the softmax of an attention.

use petgraph::{
    algo::dominators::simple_fast,
    graph::{Graph, NodeIndex},
};
use relay_dialects::relay::Pattern;
use std::collections::HashSet;

/// An operator in the graph.
#[derive(Debug)]
pub struct Node {
    /// How it fuses.
    pub pattern: Pattern,
    /// Who reads its results: a later node, and the pattern of that edge.
    pub outputs: Vec<(usize, Pattern)>,
    /// Whether something that is no node reads its results.
    pub escapes: bool,
}

/// The groups of `nodes`, which stand in topological order: for each node, the node that names its
/// group. No group gets more than `max_depth` nodes. `joins` tells of nodes what they may join as.
pub fn partition(nodes: &[Node], max_depth: usize, joins: &Joins<'_>) -> Vec<usize> {
    let mut partition = Partition::new(nodes, max_depth, joins.fit_function);
    for phase in [Phase::Heavy, Phase::Injective, Phase::Rest] {
        for node in 0..nodes.len() {
            partition.visit(node, phase);
        }
        if phase == Phase::Heavy {
            partition.leave_widening_to_readers(joins.widen_bytes);
        }
    }
    for node in 0..nodes.len() {
        partition.join(node, 1, joins.are_rows);
    }
    for node in 0..nodes.len() {
        partition.join(node, 2, joins.are_attention);
    }
    // What moves the keys and the values of an attention.
    for node in (0..nodes.len()).filter(|node| nodes[*node].pattern == Pattern::Injective) {
        partition.join(node, 1, joins.are_attention);
    }
    (0..nodes.len()).map(|node| partition.root(node)).collect()
}

/// A question about nodes together.
type Question<'a> = &'a dyn Fn(&[usize]) -> bool;

/// Which nodes may join though Relay's rules keep them apart.
pub struct Joins<'a> {
    /// Whether nodes compute rows of the same number.
    pub are_rows: Question<'a>,
    /// Whether nodes are an attention.
    pub are_attention: Question<'a>,
    /// The last ones of nodes in one group that only widen the bytes of the others.
    pub widen_bytes: &'a dyn Fn(&[usize]) -> Vec<usize>,
    /// Whether a function of these nodes has no more arguments than it may have, if there is a limit. Relay's rules
    /// are bound by it, too.
    pub fit_function: Option<Question<'a>>,
}

#[derive(Clone, Copy, PartialEq)]
enum Phase {
    Heavy,
    Injective,
    Rest,
}

/// A node's place in the post-dominator tree.
#[derive(Clone, Copy)]
struct Dominator {
    /// The node that all paths from this one lead to; `None` if they part for good.
    parent: Option<usize>,
    /// The strongest pattern on the paths to the parent.
    pattern: Pattern,
}

/// The tree of immediate post-dominators, by Cooper, Harvey and Kennedy's algorithm on the reversed graph.
fn post_dominators(nodes: &[Node]) -> Vec<Dominator> {
    // What is no node, where results go that escape.
    let exit = nodes.len();
    let mut reversed: Graph<(), ()> = Graph::with_capacity(nodes.len() + 1, 2 * nodes.len());
    for _ in 0..=exit {
        reversed.add_node(());
    }
    for (index, node) in nodes.iter().enumerate() {
        let readers = node.outputs.iter().map(|(reader, _)| *reader);
        let leaves = node.escapes || node.outputs.is_empty();
        for reader in readers.chain(leaves.then_some(exit)) {
            reversed.add_edge(NodeIndex::new(reader), NodeIndex::new(index), ());
        }
    }
    let dominators = simple_fast(&reversed, NodeIndex::new(exit));
    let mut tree: Vec<Dominator> = (0..exit)
        .map(|index| {
            let parent = dominators.immediate_dominator(NodeIndex::new(index));
            Dominator {
                parent: parent
                    .map(NodeIndex::index)
                    .filter(|parent| *parent != exit),
                pattern: Pattern::Opaque,
            }
        })
        .collect();
    // Readers stand after what they read, so what the paths need is there.
    for index in (0..exit).rev() {
        if let Some(pattern) = strongest(&tree, &nodes[index], tree[index].parent) {
            tree[index].pattern = pattern;
        }
    }
    tree
}

/// The strongest pattern on the paths from a node to its post-dominator; `None` without one.
fn strongest(tree: &[Dominator], node: &Node, parent: Option<usize>) -> Option<Pattern> {
    let parent = parent?;
    let paths = node.outputs.iter().map(|&(reader, edge)| {
        let way = std::iter::successors(Some(reader), |node| tree[*node].parent);
        way.take_while(|node| *node != parent)
            .map(|node| tree[node].pattern)
            .fold(edge, Pattern::max)
    });
    paths.max()
}

struct Partition<'a> {
    nodes: &'a [Node],
    tree: Vec<Dominator>,
    max_depth: usize,
    fit_function: Option<Question<'a>>,
    /// Union-find: the representative is the node that all others of the group flow into.
    parents: Vec<usize>,
    /// Of representatives: the strongest pattern in the group.
    patterns: Vec<Pattern>,
    /// Of representatives: the nodes.
    members: Vec<Vec<usize>>,
}

impl<'a> Partition<'a> {
    fn new(nodes: &'a [Node], max_depth: usize, fit_function: Option<Question<'a>>) -> Self {
        Self {
            nodes,
            tree: post_dominators(nodes),
            max_depth,
            fit_function,
            parents: (0..nodes.len()).collect(),
            patterns: nodes.iter().map(|node| node.pattern).collect(),
            members: (0..nodes.len()).map(|node| vec![node]).collect(),
        }
    }

    fn root(&self, mut node: usize) -> usize {
        while self.parents[node] != node {
            node = self.parents[node];
        }
        node
    }

    fn visit(&mut self, node: usize, phase: Phase) {
        let Dominator {
            parent: Some(sink),
            pattern: edge,
            ..
        } = self.tree[node]
        else {
            return;
        };
        let group = self.patterns[node];
        if self.root(node) == self.root(sink) {
            return;
        }
        let path_rule: fn(Pattern, bool) -> bool = match group {
            Pattern::OutElemwiseFusable if phase == Phase::Heavy && edge == Pattern::Elemwise => {
                |kind, _| kind <= Pattern::Broadcast
            }
            Pattern::Elemwise | Pattern::Broadcast
                if phase != Phase::Rest && edge <= Pattern::CommReduce =>
            {
                |kind, is_sink| {
                    kind <= Pattern::Injective || (is_sink && kind <= Pattern::OutElemwiseFusable)
                }
            }
            Pattern::Injective if phase == Phase::Injective => |kind, _| kind <= Pattern::Injective,
            Pattern::Elemwise | Pattern::Broadcast | Pattern::Injective if phase == Phase::Rest => {
                |kind, _| kind <= Pattern::Injective
            }
            _ => return,
        };
        let Some(path) = self.path(node, sink, path_rule) else {
            return;
        };
        let groups = self.groups(&path, sink);
        if self.size(&groups) <= self.max_depth && self.fit_function(&groups) {
            path.into_iter().for_each(|node| self.merge(node, sink));
        }
    }

    /// Moves what only widens bytes at the end of a group to the group of its only reader, where that computes element by
    /// element: then bytes go through memory.
    fn leave_widening_to_readers(&mut self, widen_bytes: &dyn Fn(&[usize]) -> Vec<usize>) {
        for end in 0..self.nodes.len() {
            let [(reader, edge)] = self.nodes[end].outputs[..] else {
                continue;
            };
            if self.parents[end] != end || self.nodes[end].escapes || !self.may_widen(reader, edge)
            {
                continue;
            }
            let mut members = self.members[end].clone();
            members.sort_unstable();
            let tail = widen_bytes(&members);
            let size = tail.len() + self.members[self.root(reader)].len();
            if !tail.is_empty() && size <= self.max_depth {
                members.retain(|node| !tail.contains(node));
                self.divide(&members, &tail);
            }
        }
    }

    /// Whether operators before a reader may join it over such an edge, and are computed once for each element then.
    fn may_widen(&self, reader: usize, edge: Pattern) -> bool {
        let is_heavy = self.patterns[self.root(reader)] == Pattern::OutElemwiseFusable;
        edge == Pattern::Elemwise
            || (!is_heavy && matches!(edge, Pattern::Injective | Pattern::CommReduce))
    }

    /// Makes a group of the first nodes of one, and groups of the others by themselves.
    fn divide(&mut self, first: &[usize], others: &[usize]) {
        for node in first.iter().chain(others) {
            self.parents[*node] = *node;
            self.patterns[*node] = self.nodes[*node].pattern;
            self.members[*node] = vec![*node];
        }
        if let Some((end, before)) = first.split_last() {
            before.iter().for_each(|node| self.merge(*node, *end));
        }
    }

    /// Merges a node with what is on its way to its post-dominator, and from there to the next one,
    /// as many as `steps` times, if all of that `may_join`.
    fn join(&mut self, node: usize, steps: usize, may_join: &dyn Fn(&[usize]) -> bool) {
        let (mut path, mut end) = (Vec::new(), node);
        for _ in 0..steps {
            let Some(sink) = self.tree[end].parent else {
                return;
            };
            let Some(nodes) = self.path(end, sink, |_, _| true) else {
                return;
            };
            path.extend(nodes);
            end = self.root(sink);
        }
        if self.root(node) == end {
            return;
        }
        let groups = self.groups(&path, end);
        if self.size(&groups) > self.max_depth {
            return;
        }
        if may_join(&self.members(&groups)) && self.fit_function(&groups) {
            path.into_iter().for_each(|node| self.merge(node, end));
        }
    }

    /// The number of nodes in groups.
    fn size(&self, groups: &HashSet<usize>) -> usize {
        let sizes = groups.iter().map(|group| self.members[*group].len());
        sizes.sum()
    }

    /// Whether groups may be one function together.
    fn fit_function(&self, groups: &HashSet<usize>) -> bool {
        self.fit_function
            .is_none_or(|fits| fits(&self.members(groups)))
    }

    /// The nodes in groups, in their order.
    fn members(&self, groups: &HashSet<usize>) -> Vec<usize> {
        let nodes = groups.iter().flat_map(|group| &self.members[*group]);
        let mut members: Vec<usize> = nodes.copied().collect();
        members.sort_unstable();
        members
    }

    /// The representatives of the nodes on a path and of its sink.
    fn groups(&self, path: &[usize], sink: usize) -> HashSet<usize> {
        let nodes = path.iter().chain([&sink]);
        nodes.map(|&node| self.root(node)).collect()
    }

    /// All nodes from `source` up to, not including, `sink`; `None` if one behind `source` breaks
    /// the rule.
    fn path(
        &self,
        source: usize,
        sink: usize,
        rule: fn(Pattern, bool) -> bool,
    ) -> Option<Vec<usize>> {
        let mut path = vec![source];
        let mut seen = HashSet::from([source]);
        let mut next = 0;
        while next < path.len() {
            if path.len() > self.max_depth {
                // It would not fit into a group, and may be as long as the model.
                return None;
            }
            for &(node, _) in &self.nodes[path[next]].outputs {
                if !seen.insert(node) {
                    continue;
                }
                if !rule(self.patterns[self.root(node)], node == sink) {
                    return None;
                }
                if node != sink {
                    path.push(node);
                }
            }
            next += 1;
        }
        Some(path)
    }

    fn merge(&mut self, node: usize, into: usize) {
        let (from, into) = (self.root(node), self.root(into));
        if from != into {
            self.parents[from] = into;
            let moved = std::mem::take(&mut self.members[from]);
            // The way to the representative stays short.
            moved.iter().for_each(|node| self.parents[*node] = into);
            self.members[into].extend(moved);
            self.patterns[into] = self.patterns[into].max(self.patterns[from]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Pattern::*;

    const NONE: Joins<'_> = Joins {
        are_rows: &|_| false,
        are_attention: &|_| false,
        widen_bytes: &|_| Vec::new(),
        fit_function: None,
    };

    fn node(pattern: Pattern, outputs: &[(usize, Pattern)]) -> Node {
        Node {
            pattern,
            outputs: outputs.to_vec(),
            escapes: outputs.is_empty(),
        }
    }

    #[test]
    fn heavy_takes_elementwise_after_it() {
        let nodes = [
            node(OutElemwiseFusable, &[(1, Elemwise)]),
            node(Broadcast, &[(2, Elemwise)]),
            node(Elemwise, &[(3, OutElemwiseFusable)]),
            node(OutElemwiseFusable, &[]),
        ];
        assert_eq!(partition(&nodes, 256, &NONE), [2, 2, 2, 3]);
    }

    #[test]
    fn two_heavy_ones_stay_apart() {
        // Two convolutions meet in one addition: the first takes it.
        let nodes = [
            node(OutElemwiseFusable, &[(2, Elemwise)]),
            node(OutElemwiseFusable, &[(2, Elemwise)]),
            node(Broadcast, &[]),
        ];
        assert_eq!(partition(&nodes, 256, &NONE), [2, 1, 2]);
    }

    #[test]
    fn readers_take_what_widens_bytes() {
        // Two convolutions meet in one addition. The second one's result is made bytes, and floats again.
        let nodes = [
            node(OutElemwiseFusable, &[(4, Elemwise)]),
            node(OutElemwiseFusable, &[(2, Elemwise)]),
            node(Elemwise, &[(3, Elemwise)]),
            node(Elemwise, &[(4, Elemwise)]),
            node(Broadcast, &[]),
        ];
        let joins = Joins {
            widen_bytes: &|members| members.iter().copied().filter(|node| *node == 3).collect(),
            ..NONE
        };
        assert_eq!(partition(&nodes, 256, &joins), [4, 2, 2, 4, 4]);
        assert_eq!(partition(&nodes, 256, &NONE), [4, 3, 3, 3, 4]);
        assert_eq!(partition(&nodes, 2, &joins), [4, 2, 2, 3, 4]);
    }

    #[test]
    fn diamonds_join_whole() {
        let nodes = [
            node(Elemwise, &[(1, Elemwise), (2, Elemwise)]),
            node(Elemwise, &[(3, Elemwise)]),
            node(Elemwise, &[(3, Elemwise)]),
            node(Broadcast, &[]),
        ];
        assert_eq!(partition(&nodes, 256, &NONE), [3, 3, 3, 3]);
        assert_eq!(partition(&nodes, 2, &NONE), [0, 3, 2, 3]);
    }

    #[test]
    fn functions_have_as_many_arguments_as_they_may() {
        let chain = [
            node(Elemwise, &[(1, Elemwise)]),
            node(Elemwise, &[(2, Elemwise)]),
            node(Elemwise, &[]),
        ];
        let joins = Joins {
            fit_function: Some(&|members| !(members.contains(&0) && members.contains(&2))),
            ..NONE
        };
        assert_eq!(partition(&chain, 256, &joins), [1, 1, 2]);
        let joins = Joins {
            are_rows: &|_| true,
            fit_function: Some(&|_| false),
            ..NONE
        };
        assert_eq!(partition(&chain, 256, &joins), [0, 1, 2]);
    }

    #[test]
    fn rows_join_up_to_what_reads_them_all() {
        // A convolution, its mean, and the difference of the two.
        let nodes = [
            node(OutElemwiseFusable, &[(1, CommReduce), (2, Elemwise)]),
            node(CommReduce, &[(2, Broadcast)]),
            node(Broadcast, &[]),
        ];
        let joins = Joins {
            are_rows: &|members| !members.contains(&0),
            ..NONE
        };
        assert_eq!(partition(&nodes, 256, &joins), [0, 2, 2]);
        assert_eq!(partition(&nodes, 1, &joins), [0, 1, 2]);
    }

    #[test]
    fn attention_joins_over_two_steps() {
        // The product of the scores, what scales it, the softmax, the product with the values, a relu.
        let nodes = [
            node(OutElemwiseFusable, &[(1, Elemwise)]),
            node(Broadcast, &[(2, OutElemwiseFusable)]),
            node(OutElemwiseFusable, &[(3, OutElemwiseFusable)]),
            node(OutElemwiseFusable, &[(4, Elemwise)]),
            node(Elemwise, &[]),
        ];
        let joins = Joins {
            are_attention: &|members| members == [0, 1, 2, 3, 4],
            ..NONE
        };
        assert_eq!(partition(&nodes, 256, &joins), [4; 5]);
        assert_eq!(partition(&nodes, 4, &joins), [1, 1, 2, 4, 4]);
        assert_eq!(partition(&nodes, 256, &NONE), [1, 1, 2, 4, 4]);
    }

    #[test]
    fn injective_stays_out_of_reductions() {
        let nodes = [node(Injective, &[(1, CommReduce)]), node(CommReduce, &[])];
        assert_eq!(partition(&nodes, 256, &NONE), [0, 1]);
        let nodes = [node(Elemwise, &[(1, CommReduce)]), node(CommReduce, &[])];
        assert_eq!(partition(&nodes, 256, &NONE), [1, 1]);
    }
}
