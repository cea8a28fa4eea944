//! `merge-compiler-regions`: how much of a graph an external code generator gets at once.

use crate::graph::operators::functions;
use petgraph::unionfind::UnionFind;
use relay_dialects::{
    attrs::{COMPOSITE, REGION, TARGET},
    ir::{Attr, Block, Op, Value},
    ops::builtin,
    pass::{Options, PassResult, PassSpec},
};
use std::collections::{BTreeMap, HashMap, HashSet};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "merge-compiler-regions",
    summary: "group operators that one external code generator can compute together",
    description: include_str!("merge_compiler_regions.md"),
    anchor: builtin::Module::NAME,
    options: &[],
    run,
};

fn run(module: Op, _options: &Options) -> PassResult {
    let mut number = 0;
    for function in functions(module) {
        if function.has_attr(COMPOSITE) {
            continue;
        }
        for block in blocks_with_targets(function) {
            let regions = Regions::of(block);
            for members in regions.members() {
                for op in members {
                    op.set_attr(REGION, Attr::i64(op.ctx(), number));
                }
                number += 1;
            }
        }
    }
    Ok(())
}

/// The blocks with an op that has a target, in textual order.
fn blocks_with_targets(function: Op) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    function.walk(|op| {
        let block = op.block().filter(|_| op.has_attr(TARGET));
        blocks.extend(block.filter(|block| !blocks.contains(block)));
    });
    blocks
}

/// The graph of a block while regions grow: each node is a region, or an op outside of all.
struct Regions {
    /// The ops of the block.
    ops: Vec<Op>,
    /// Which of these are one node.
    joined: UnionFind<usize>,
    /// Of each node, the places of the ops that it reads the results of.
    sources: Vec<Vec<usize>>,
}

impl Regions {
    fn of(block: Block) -> Self {
        let ops = block.ops();
        let places: HashMap<Op, usize> = ops.iter().copied().zip(0..).collect();
        let mut regions = Self {
            joined: UnionFind::new(ops.len()),
            sources: ops.iter().map(|op| sources(*op, &places)).collect(),
            ops,
        };
        for place in 0..regions.ops.len() {
            regions.join_sources(place);
        }
        regions
    }

    /// Joins an op with the regions that it reads from.
    fn join_sources(&mut self, place: usize) {
        let target = |regions: &Self, place: usize| regions.ops[place].attr(TARGET);
        let Some(own) = target(self, place) else {
            return;
        };
        for source in self.sources[place].clone() {
            let (one, other) = (self.joined.find(source), self.joined.find(place));
            let are_alike = one != other && target(self, source) == Some(own);
            if are_alike && !self.is_between(one, other) && !self.is_between(other, one) {
                self.joined.union(one, other);
                let kept = self.joined.find(one);
                let gone = std::mem::take(&mut self.sources[one + other - kept]);
                self.sources[kept].extend(gone);
            }
        }
    }

    /// Whether `last` waits for something that waits for `first`.
    fn is_between(&self, first: usize, last: usize) -> bool {
        let mut seen = HashSet::from([first, last]);
        let mut rest: Vec<usize> = Vec::new();
        let mut visit = |node: usize, rest: &mut Vec<usize>| {
            for source in &self.sources[node] {
                let source = self.joined.find(*source);
                if source == first && node != last {
                    return true;
                }
                if seen.insert(source) {
                    rest.push(source);
                }
            }
            false
        };
        let mut next = Some(last);
        while let Some(node) = next {
            if visit(node, &mut rest) {
                return true;
            }
            next = rest.pop();
        }
        false
    }

    /// The ops of each region, in textual order, regions by their first op.
    fn members(&self) -> Vec<Vec<Op>> {
        let mut members: BTreeMap<usize, Vec<Op>> = BTreeMap::new();
        let mut first: HashMap<usize, usize> = HashMap::new();
        for (place, op) in self.ops.iter().enumerate() {
            if op.has_attr(TARGET) {
                let first = first.entry(self.joined.find(place)).or_insert(place);
                members.entry(*first).or_default().push(*op);
            }
        }
        members.into_values().collect()
    }
}

/// The places of the ops that an op, or something inside it, reads the results of.
fn sources(op: Op, places: &HashMap<Op, usize>) -> Vec<usize> {
    let mut sources = Vec::new();
    op.walk(|inner| {
        let defs = inner.operands().into_iter().filter_map(Value::def);
        sources.extend(defs.filter_map(|def| places.get(&def)));
    });
    let own = places.get(&op);
    sources.retain(|source| Some(source) != own);
    sources
}
