//! `insert-barriers`: threads of a block wait for each other where they exchange data in shared memory.

use crate::outlining::viewed;
use relay_dialects::{
    attrs,
    index::any_part,
    ir::{Block, Builder, Op, Value},
    ops::{func, gpu, memref, scf, vector},
    pass::{Options, PassFailed, PassResult, PassSpec, fail},
    tir::{For, Scope},
};
use std::collections::HashSet;

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "insert-barriers",
    summary: "Insert barriers between accesses of threads to the memory that they share",
    description: "In a function of one thread of a grid, a `gpu.barrier` comes before an access to a shared buffer if, \
                  since the last barrier, another step has written what this one reads or writes, or read what this one \
                  writes. The last steps of a loop's body come before its first ones. All threads of a block must \
                  reach a barrier, so the pass reports an error if one would be in a branch or loop that depends on \
                  the thread. In TVM, this is `ThreadSync`.",
    anchor: func::Func::NAME,
    options: &[],
    run,
};

fn run(func: Op, _options: &Options) -> PassResult {
    if !func.has_attr(attrs::DEVICE_FUNCTION) {
        return Ok(());
    }
    let mut pending = Accesses::default();
    visit(func.body(), &mut pending)
}

/// Shared buffers that were accessed since the last barrier.
#[derive(Clone, Default)]
struct Accesses {
    read: HashSet<Value>,
    written: HashSet<Value>,
}

impl Accesses {
    /// What an op, with all that is in it, accesses.
    fn of(op: Op) -> Self {
        let mut found = Self::default();
        found.add_inner(op);
        op.walk(|inner| found.add_inner(inner));
        found
    }

    fn add_inner(&mut self, op: Op) {
        let buffers = op.operands().into_iter().filter(|value| is_shared(*value));
        let is_view = op.result_count() == 1 && op.result(0).ty().is_memref();
        for buffer in buffers.map(viewed).filter(|_| !is_view) {
            match op.name().as_str() {
                memref::Load::NAME | vector::Load::NAME => drop(self.read.insert(buffer)),
                memref::Store::NAME | vector::Store::NAME => drop(self.written.insert(buffer)),
                _ => {
                    self.read.insert(buffer);
                    self.written.insert(buffer);
                }
            }
        }
    }

    fn is_empty(&self) -> bool {
        self.read.is_empty() && self.written.is_empty()
    }

    /// Whether threads must wait between these accesses and later ones.
    fn conflict_with(&self, later: &Self) -> bool {
        let meet = |some: &HashSet<Value>, others: &HashSet<Value>| !some.is_disjoint(others);
        meet(&self.written, &later.read)
            || meet(&self.written, &later.written)
            || meet(&self.read, &later.written)
    }

    fn extend(&mut self, other: Self) {
        self.read.extend(other.read);
        self.written.extend(other.written);
    }
}

/// Whether a value is a buffer that the threads of a block share.
fn is_shared(value: Value) -> bool {
    Scope::of_buffer(value.ty()) == Some(Scope::Shared)
}

/// Inserts barriers into a block, which all threads run.
fn visit(block: Block, pending: &mut Accesses) -> PassResult {
    for op in block.ops() {
        if op.is(gpu::Barrier::NAME) {
            *pending = Accesses::default();
            continue;
        }
        let accesses = Accesses::of(op);
        if accesses.is_empty() {
            continue;
        }
        let is_region = For::of(op).is_some() || op.is(scf::If::NAME);
        if is_region && is_uniform(op) {
            enter(op, pending)?;
            continue;
        }
        if is_region {
            check_alone(op)?;
        }
        if pending.conflict_with(&accesses) {
            gpu::Barrier::build(&Builder::before(op).with_loc(op.loc()));
            *pending = Accesses::default();
        }
        pending.extend(accesses);
    }
    Ok(())
}

/// Inserts barriers into a loop or branch that all threads of a block take alike.
fn enter(op: Op, pending: &mut Accesses) -> PassResult {
    if For::of(op).is_some() {
        // The second time, what is pending at the end of an iteration meets the begin of the next one.
        visit(op.body(), pending)?;
        return visit(op.body(), pending);
    }
    let before = pending.clone();
    for branch in [0, 1].into_iter().filter_map(|index| op.block_in(index)) {
        let mut inside = before.clone();
        visit(branch, &mut inside)?;
        pending.extend(inside);
    }
    Ok(())
}

/// Whether all threads of a block run a loop or branch alike: its bounds or its condition depend neither on the thread nor on data.
fn is_uniform(op: Op) -> bool {
    let varies = |value: Value| {
        any_part(value, |part| {
            let is_free = |op: Op| {
                let name = op.name();
                !op.is(gpu::ThreadId::NAME)
                    && !name.starts_with("memref.")
                    && !name.starts_with("vector.")
            };
            part.def().is_some_and(|op| !is_free(op))
        })
    };
    !op.operands().into_iter().any(varies)
}

/// Checks that a loop or branch that only some threads take needs no barrier inside.
fn check_alone(op: Op) -> Result<(), PassFailed> {
    let accesses = Accesses::of(op);
    if accesses.read.is_disjoint(&accesses.written) {
        return Ok(());
    }
    fail(
        op,
        "reads and writes a shared buffer where not all threads of a block are: they cannot wait for each other there",
    )
}
