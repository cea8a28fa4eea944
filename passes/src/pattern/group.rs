//! What of the graph a match takes with it: the ops that become a function of their own.

use super::Match;
use relay_dialects::ir::{Op, Value};
use std::collections::HashSet;

/// Ops of one block that compute one op's results, of which nothing else is read.
pub struct Group {
    /// The op whose results are read.
    pub root: Op,
    /// All of its ops in textual order, the root last.
    pub ops: Vec<Op>,
    /// What they read from outside, each once, in the order in which they read it.
    pub inputs: Vec<Value>,
    /// The constants that the pattern asks for, which belong to the group.
    pub constants: Vec<Value>,
}

impl Group {
    /// That of a match at `root`; `None` if it is cut by a use from outside, or lies in several blocks.
    pub fn of(found: &Match, root: Op) -> Option<Self> {
        let block = root.block()?;
        let members: HashSet<Op> = found.ops().into_iter().collect();
        let local = |op: &Op| op.block() == Some(block);
        // What a branch of an `if` computes goes with the `if`.
        let mut ops: Vec<Op> = members.iter().copied().filter(local).collect();
        ops.sort_by(|a, b| b.is_before(*a).cmp(&a.is_before(*b)));
        if ops.last() != Some(&root) {
            return None;
        }
        let mut inside: HashSet<Op> = HashSet::new();
        ops.iter().for_each(|op| op.walk(|op| inside.extend([op])));
        if !members.is_subset(&inside) {
            return None;
        }
        let is_cut = |op: &Op| {
            let mut users = op.results().into_iter().flat_map(Value::users);
            *op != root && users.any(|user| !inside.contains(&user))
        };
        if ops.iter().any(is_cut) {
            return None;
        }
        let constants = found.constants();
        let inputs = inputs(&ops, &inside, &constants);
        Some(Self {
            root,
            ops,
            inputs,
            constants,
        })
    }

    /// The operators' names, each with `_` behind it, in textual order: what TVM calls `PartitionedFromPattern`.
    pub fn name(&self) -> String {
        let short = |op: &Op| {
            let name = op.name();
            name.strip_prefix("relay.").unwrap_or(&name).to_string() + "_"
        };
        self.ops.iter().map(short).collect()
    }
}

fn inputs(ops: &[Op], inside: &HashSet<Op>, constants: &[Value]) -> Vec<Value> {
    let mut inputs = Vec::new();
    let is_inside = |value: Value| match (value.def(), value.owner_block()) {
        (Some(op), _) => inside.contains(&op),
        (None, block) => {
            let around = block.and_then(|block| block.parent());
            around.is_some_and(|op| inside.contains(&op))
        }
    };
    let mut read = |op: Op| {
        for value in op.operands() {
            if !is_inside(value) && !constants.contains(&value) && !inputs.contains(&value) {
                inputs.push(value);
            }
        }
    };
    for op in ops {
        // The op reads before those inside it.
        read(*op);
        op.walk(&mut read);
    }
    inputs
}
