//! `insert-barriers`: threads of a block wait for each other where they exchange data in shared memory.

use crate::{
    analysis::{
        is_inside,
        linear::linear,
        quasi_affine::{Form, Term},
    },
    outlining::viewed,
};
use relay_dialects::{
    attrs,
    index::{any_part, constant},
    ir::{Block, Builder, Op, Value},
    ops::{arith, func, gpu, memref, scf, vector},
    pass::{Options, PassResult, PassSpec, fail},
    tir::{For, Scope},
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "insert-barriers",
    summary: "Insert barriers between accesses of threads to the memory that they share",
    description: "In a function of one thread of a grid, a `gpu.barrier` comes before an access to a shared buffer if, \
                  since the last barrier, another step has written what this one reads or writes, or read what this one \
                  writes. Accesses of each thread to elements of its own need none, nor do those to different ones of several buffers that take turns. The last steps of a loop's body come before its first ones. All threads of a block must \
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
    let ids = func.find_all(gpu::ThreadId::NAME).into_iter();
    let mut barriers = Barriers {
        threads: ids.map(|id| id.result(0)).collect(),
        pending: Vec::new(),
    };
    barriers.visit(func.body())
}

/// Where barriers are.
struct Barriers {
    /// The numbers of a thread.
    threads: Vec<Value>,
    /// The accesses to shared buffers since the last barrier.
    pending: Vec<Access>,
}

/// An access to a shared buffer.
#[derive(Clone, PartialEq)]
struct Access {
    op: Op,
    buffer: Value,
    writes: bool,
    /// Where the element is, if each thread has one of its own there.
    own: Option<Own>,
    /// Which of several buffers it is in, if that is known beside accesses of the same iteration.
    slot: Option<Slot>,
}

/// The number of one of several buffers that take turns: the remainder of a form.
#[derive(Clone)]
struct Slot {
    form: Form,
    count: i64,
}

impl PartialEq for Slot {
    fn eq(&self, other: &Self) -> bool {
        self.count == other.count && self.form.distance(&other.form) == Some(0)
    }
}

impl Slot {
    /// The buffer of an access, by its first subscript.
    fn of(subscript: Value) -> Option<Self> {
        let remainder = subscript.def_of(arith::RemSI::NAME)?;
        let count = constant(remainder.operand(1)).filter(|count| *count > 0)?;
        Some(Self {
            form: Form::of(remainder.operand(0)),
            count,
        })
    }

    /// Whether it depends on a value of a loop's body.
    fn varies_in(&self, op: Op) -> bool {
        let values = self.form.values();
        values.into_iter().any(|value| is_inside(value, op))
    }

    /// Whether two are never the same.
    fn differs_from(&self, other: &Self) -> bool {
        let distance = self.form.distance(&other.form);
        self.count == other.count && distance.is_some_and(|distance| distance % self.count != 0)
    }
}

/// A place in a buffer by the thread's numbers: no two threads have the same one.
#[derive(Clone, PartialEq)]
enum Own {
    /// So many elements behind the thread's only number.
    Behind(i64),
    /// For each of its numbers, the dimension whose subscript is that number and a constant.
    Dimensions(Vec<(usize, i64)>),
}

impl Access {
    /// Whether threads must wait between this access and a later one. A store does not wait for itself: no element is stored twice by one
    /// step.
    fn conflicts_with(&self, later: &Self) -> bool {
        let is_apart = self.own.is_some() && self.own == later.own;
        let is_same = self.op == later.op && self.writes == later.writes;
        let slots = self.slot.as_ref().zip(later.slot.as_ref());
        let is_elsewhere = slots.is_some_and(|(slot, other)| slot.differs_from(other));
        let is_safe = is_apart || is_same || is_elsewhere;
        self.buffer == later.buffer && (self.writes || later.writes) && !is_safe
    }
}

/// Whether a value is a buffer that the threads of a block share.
fn is_shared(value: Value) -> bool {
    Scope::of_buffer(value.ty()) == Some(Scope::Shared)
}

impl Barriers {
    /// What an op, with all that is in it, accesses.
    fn accesses(&self, op: Op) -> Vec<Access> {
        let mut found = Vec::new();
        op.walk(|inner| found.extend(self.own_accesses(inner)));
        found
    }

    fn own_accesses(&self, op: Op) -> Vec<Access> {
        let is_view = op.result_count() == 1 && op.result(0).ty().is_memref();
        let operands = op.operands().into_iter().enumerate();
        let buffers = operands.filter(|(_, value)| is_shared(*value) && !is_view);
        let access = |(place, buffer): (usize, Value)| {
            let (reads, writes) = match op.name().as_str() {
                memref::Load::NAME | vector::Load::NAME => (true, false),
                memref::Store::NAME | vector::Store::NAME => (false, true),
                _ => (true, true),
            };
            let is_scalar = op.is(memref::Load::NAME) || op.is(memref::Store::NAME);
            let own = is_scalar.then(|| self.own(buffer, &op.operands()[place + 1..]));
            Access {
                op,
                buffer: viewed(buffer),
                writes,
                own: own
                    .flatten()
                    .filter(|_| viewed(buffer) == buffer && reads != writes),
                slot: op.operands().get(place + 1).copied().and_then(Slot::of),
            }
        };
        buffers.map(access).collect()
    }

    /// The place at some subscripts of a buffer, if it is a thread's own.
    fn own(&self, buffer: Value, subscripts: &[Value]) -> Option<Own> {
        let place = Form::of_element(subscripts, &buffer.ty().shape())?;
        if let ([thread], [(term, 1)]) = (&self.threads[..], &place.terms[..])
            && *term == Term::Value(*thread)
        {
            return Some(Own::Behind(place.constant));
        }
        let of_thread = |thread: &Value| {
            let mut dimensions = subscripts.iter().enumerate();
            dimensions.find_map(|(dimension, subscript)| {
                let form = linear(*subscript);
                let is_thread = form.terms == [(*thread, 1)];
                is_thread.then_some((dimension, form.constant))
            })
        };
        let dimensions = self.threads.iter().map(of_thread);
        dimensions.collect::<Option<_>>().map(Own::Dimensions)
    }

    /// Inserts barriers into a block, which all threads run.
    fn visit(&mut self, block: Block) -> PassResult {
        for op in block.ops() {
            if op.is(gpu::Barrier::NAME) {
                self.pending.clear();
                continue;
            }
            let accesses = self.accesses(op);
            if accesses.is_empty() {
                continue;
            }
            let is_region = For::of(op).is_some() || op.is(scf::If::NAME);
            let is_entered = is_region && is_uniform(op);
            if is_region && !is_entered && have_conflict(&accesses, &accesses) {
                return fail(
                    op,
                    "reads and writes a shared buffer where not all threads of a block are: they cannot wait for each other there",
                );
            }
            // A loop that follows needs one barrier, and not one in each iteration.
            if have_conflict(&self.pending, &accesses) {
                gpu::Barrier::build(&Builder::before(op).with_loc(op.loc()));
                self.pending.clear();
            }
            if is_entered {
                self.enter(op)?;
                continue;
            }
            self.add(accesses);
        }
        Ok(())
    }

    fn add(&mut self, accesses: Vec<Access>) {
        for access in accesses {
            if !self.pending.contains(&access) {
                self.pending.push(access);
            }
        }
    }

    /// Inserts barriers into a loop or branch that all threads of a block take alike.
    fn enter(&mut self, op: Op) -> PassResult {
        if For::of(op).is_some() {
            // The second time, what is pending at the end of an iteration meets the begin of the next one, where values of the loop are
            // other ones.
            self.visit(op.body())?;
            for access in &mut self.pending {
                access.slot.take_if(|slot| slot.varies_in(op));
            }
            return self.visit(op.body());
        }
        let before = self.pending.clone();
        let mut after = Vec::new();
        for branch in [0, 1].into_iter().filter_map(|index| op.block_in(index)) {
            self.pending.clone_from(&before);
            self.visit(branch)?;
            after.append(&mut self.pending);
        }
        self.pending = before;
        self.add(after);
        Ok(())
    }
}

/// Whether threads must wait between some accesses and later ones.
fn have_conflict(some: &[Access], later: &[Access]) -> bool {
    some.iter()
        .any(|access| later.iter().any(|other| access.conflicts_with(other)))
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
