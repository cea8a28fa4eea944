//! What the threads of a block share.
//!
//! A stage in shared memory is computed by all threads of its block, each of which does its own iterations of the loops that are
//! bound to threads. All of them wait for each other before they read it, so all of them must come there, and equally often.

use super::Lowering;
use crate::te::lower_te::schedule::{Illegal, StageId};
use relay_dialects::{
    index::any_part,
    ir::{Block, Op, Value},
    ops::scf,
    tir::{Bound, For, Scope, Thread},
};

/// Whether a value numbers the threads of a block: it is the variable of a loop that is bound to them.
pub(super) fn is_thread(value: Value) -> bool {
    let owner = || value.owner_block().and_then(Block::parent);
    let bound = value.def().is_none().then(owner).flatten();
    let thread = bound.and_then(For::of).and_then(For::thread);
    thread.is_some_and(|thread| !thread.is_block())
}

impl Lowering<'_> {
    /// Notes that a buffer of a stage is shared by the threads of a block, if it is.
    pub(super) fn note_shared(&mut self, id: StageId, buffers: &[Value]) {
        let looks = self.probed.is_some() || self.watched.is_some();
        if self.schedule.stages[id].scope() == Scope::Shared && !looks {
            self.shared
                .extend(buffers.iter().map(|buffer| (id, *buffer)));
        }
    }

    /// Whether all threads of a block compute each of the stages that they share, in all loops written so far.
    pub(super) fn check_shared(&self) -> Result<(), Illegal> {
        for (id, buffer) in &self.shared {
            let name = &self.schedule.stages[*id].name;
            let reason = buffer.def().and_then(reason_to_miss);
            if let Some(reason) = reason {
                let reason =
                    format!("stage '{name}' is shared by the threads of a block, and {reason}");
                return Err(self.illegal(*id, reason));
            }
        }
        Ok(())
    }
}

/// Why some threads would not come to an op, or not as often as others; none if all do.
fn reason_to_miss(op: Op) -> Option<String> {
    let around: Vec<Op> = std::iter::successors(op.parent(), |op| op.parent()).collect();
    let loops: Vec<For> = around.iter().copied().filter_map(For::of).collect();
    let is_block = |known: &For| known.thread().is_some_and(Thread::is_block);
    let Some(grid) = loops.last().filter(|_| loops.iter().any(is_block)) else {
        return Some("no loop around it is bound to blocks: bind one to blockIdx.x".into());
    };
    let varies = |value: Value| any_part(value, is_thread);
    let condition = around
        .iter()
        .find(|op| op.is(scf::If::NAME) && varies(op.operand(0)));
    if condition.is_some() {
        return Some("a condition around it holds for some of them only".into());
    }
    for known in &loops {
        let (lower, upper) = known.bounds();
        let varies = |bound: Bound| matches!(bound, Bound::Dynamic(value) if varies(value));
        if varies(lower) || varies(upper) {
            return Some(
                "a loop around it has another number of iterations for each of them".into(),
            );
        }
    }
    loops.iter().find_map(|known| reason_to_skip(*known, *grid))
}

/// Why some threads of a grid would skip a loop.
fn reason_to_skip(known: For, grid: For) -> Option<String> {
    let thread = known.thread().filter(|thread| thread.is_of_block())?;
    let twice = || For::around(known.op()).any(|outer| outer.thread() == Some(thread));
    if twice() {
        return Some(format!(
            "two loops around it are bound to {thread}: attach it outside of the inner one"
        ));
    }
    let bound = For::all(grid.op()).into_iter();
    let longest = bound
        .filter(|other| other.thread() == Some(thread))
        .filter_map(For::extent)
        .max();
    let (own, longest) = known.extent().zip(longest)?;
    (own < longest).then(|| {
        format!("{own} of {longest} threads along {thread} run the loop around it: attach it outside of that loop")
    })
}
