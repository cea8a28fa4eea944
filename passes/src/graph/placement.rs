//! Where values are computed: in which of the scopes that a function's branches are, and in which order.

use super::operators::functions;
use relay_dialects::{
    ir::{Block, Op},
    names::relay,
    relay::row_of,
};
use std::collections::HashSet;

/// The ops of the language that only make a value.
const VALUES: &[&str] = &[
    relay::CONSTANT,
    relay::TUPLE,
    relay::TUPLE_GET,
    relay::ON_DEVICE,
    relay::DEVICE_COPY,
    relay::FN,
    relay::GLOBAL,
    relay::CLOSURE,
    relay::CONSTRUCT,
];

/// Whether nothing but its results shows when and how often an op runs: it is an operator or makes a value, or it
/// chooses between such ops. Ops on references and calls do not move, and neither does a match that may end the program.
pub fn moves(op: Op) -> bool {
    if op.is(relay::IF) || op.is(relay::MATCH) && !op.has_attr("partial") {
        return scopes(op).into_iter().flat_map(Block::ops).all(moves);
    }
    op.is(relay::YIELD) || row_of(op).is_some() || VALUES.iter().any(|name| op.is(name))
}

/// The branches or arms of an op, of which at most one runs, at most once for each time that the op runs.
fn scopes(op: Op) -> Vec<Block> {
    if op.is(relay::IF) || op.is(relay::MATCH) {
        let regions = op.regions().into_iter();
        return regions.flat_map(|region| region.blocks()).collect();
    }
    Vec::new()
}

/// All blocks inside of the functions of a module.
pub fn blocks(module: Op) -> Vec<Block> {
    let mut found = Vec::new();
    for function in functions(module) {
        function.walk(|op| {
            let regions = op.regions().into_iter();
            found.extend(regions.flat_map(|region| region.blocks()));
        });
    }
    found
}

/// Moves what only one branch or arm uses into it, in all functions of a module.
pub fn sink(module: Op) {
    // Inner blocks come first, and users before what they use: all uses are at their places when a value is looked at.
    for block in blocks(module) {
        for op in block.ops().into_iter().rev() {
            if moves(op)
                && let Some(user) = first_user(op, block)
            {
                op.move_before(user);
            }
        }
    }
}

/// The ops of a block that [`sink`] would move, each with the op that it would move to.
pub fn misplaced(block: Block) -> Vec<(Op, Op)> {
    let movable = block.ops().into_iter().filter(|op| moves(*op));
    movable
        .filter_map(|op| Some((op, first_user(op, block)?)))
        .collect()
}

/// The first op of the innermost scope around all uses of an op in `block` that uses it; none if that is `block`.
fn first_user(op: Op, block: Block) -> Option<Op> {
    let users = op.results().into_iter().flat_map(|value| value.users());
    let mut paths = users.map(|user| path(user, block));
    let mut common = paths.next()?;
    let mut others = Vec::new();
    for path in paths {
        let shared = common.iter().zip(&path);
        let length = shared.take_while(|(a, b)| a.1 == b.1).count();
        common.truncate(length);
        others.push(path);
    }
    let depth = common.len().checked_sub(1).filter(|depth| *depth > 0)?;
    let users = [common].into_iter().chain(others);
    let users = users.map(|path| path[depth].0);
    users.reduce(|first, user| if user.is_before(first) { user } else { first })
}

/// The scopes from `block` inwards to a user of a value in it, each with the op that is or holds the user. A function or a
/// loop that uses the value is a user itself: its body is no such scope, as it may run often.
fn path(user: Op, block: Block) -> Vec<(Op, Block)> {
    let mut path = Vec::new();
    let mut at = Some(user);
    while let Some(op) = at {
        if [relay::FN, relay::SCAN, relay::WHILE]
            .iter()
            .any(|name| op.is(name))
        {
            path.clear();
        }
        let Some(around) = op.block() else { break };
        path.push((op, around));
        if around == block {
            break;
        }
        at = op.parent();
    }
    path.reverse();
    path
}

/// Puts the ops of each block of a module into the order in which its end, and what cannot move, needs them.
pub fn order(module: Op) {
    for block in blocks(module) {
        let ops = block.ops();
        let Some((end, rest)) = ops.split_last() else {
            continue;
        };
        let mut placed = HashSet::new();
        let roots = rest.iter().filter(|op| !moves(**op) || !op.is_used());
        for root in roots.chain([end]) {
            place(*root, block, *end, &mut placed);
        }
    }
}

/// Places an op behind all that it needs of its block, each behind what that needs, in the order of operands.
fn place(root: Op, block: Block, end: Op, placed: &mut HashSet<Op>) {
    let mut open = vec![(root, needs(root, block).into_iter())];
    while let Some((op, rest)) = open.last_mut() {
        let op = *op;
        match rest.find(|needed| !placed.contains(needed)) {
            Some(needed) => open.push((needed, needs(needed, block).into_iter())),
            None => {
                open.pop();
                if placed.insert(op) && op != end {
                    op.move_before(end);
                }
            }
        }
    }
}

/// The ops of a block that an op of it, or what is inside, reads, in the order in which they are read.
fn needs(op: Op, block: Block) -> Vec<Op> {
    let mut found = Vec::new();
    // The op reads its own operands before what is inside reads any.
    let mut read = op.operands();
    op.walk(|inner| read.extend(inner.operands()));
    for def in read.into_iter().filter_map(|value| value.def()) {
        if def.block() == Some(block) && def != op && !found.contains(&def) {
            found.push(def);
        }
    }
    found
}
