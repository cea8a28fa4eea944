//! Operators whose layouts concern each other: one reads what the other makes, perhaps behind operators that work in any layout,
//! or both are read together.

use relay_dialects::ir::{Block, Op};
use std::collections::{BTreeSet, HashMap, HashSet};

/// What each operator of a block reads: operators of the same block, all in their order.
pub struct Readers(Vec<(Op, Vec<Op>)>);

impl Readers {
    /// Of a block as it is now. Operators that leave it later are still known by their handles.
    pub fn of(block: Block) -> Self {
        let sources = |op: Op| {
            let operands = op.operands().into_iter();
            operands.filter_map(|value| value.def()).collect()
        };
        let ops = block.ops().into_iter();
        Self(ops.map(|op| (op, sources(op))).collect())
    }
}

/// The pairs of neighbours among operators that have a place, the smaller place first.
pub fn pairs(readers: &Readers, place_of: impl Fn(Op) -> Option<usize>) -> HashSet<(usize, usize)> {
    let mut found = HashSet::new();
    // Of each operator, those with a place that its results come from, with nothing in between that has one.
    let mut before: HashMap<Op, BTreeSet<usize>> = HashMap::new();
    for (op, sources) in &readers.0 {
        let mut read: BTreeSet<usize> = BTreeSet::new();
        for source in sources {
            read.extend(before.get(source).into_iter().flatten());
        }
        let own = place_of(*op);
        let together: Vec<usize> = read.iter().copied().chain(own).collect();
        for (number, one) in together.iter().enumerate() {
            let others = together[number + 1..].iter().filter(|other| *other != one);
            found.extend(others.map(|other| (*one.min(other), *one.max(other))));
        }
        let seen = match own {
            Some(place) => BTreeSet::from([place]),
            None => read,
        };
        before.insert(*op, seen);
    }
    found
}
