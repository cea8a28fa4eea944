//! `bind-grid`: the loops of a kernel that no schedule has bound to a grid of threads.

use super::{bound_loops, branch};
use relay_dialects::{
    index,
    ir::{Builder, Op, Value},
    ops::{arith, func, memref},
    pass::{Options, PassResult, PassSpec, fail},
    tir::{AllocBuffer, Bound, For, KernelKind, LoopKind, Scope, Thread},
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "bind-grid",
    summary: "Bind the loops of kernels that have no thread to a grid of threads",
    description: "Each outermost loop of a kernel is a launch of a GPU. A `parallel` loop without a thread becomes \
                  blocks of 128 threads. Anything else runs on one thread: loop programs (`te.extern`) whose steps \
                  depend on each other, and stores outside of loops.",
    anchor: func::Func::NAME,
    options: &[],
    run,
};

/// The threads of a block of a loop without a schedule: a few warps, so that blocks of a small loop spread over multiprocessors.
const THREADS: i64 = 128;

fn run(func: Op, _options: &Options) -> PassResult {
    if !KernelKind::Generated.is_of(func) {
        return Ok(());
    }
    let mut program: Vec<Op> = Vec::new();
    for op in func.body().ops() {
        if bound_loops(op).is_empty() && !op.is(func::Return::NAME) {
            program.push(op);
            continue;
        }
        bind(&program)?;
        program.clear();
    }
    Ok(())
}

/// Binds steps that no schedule has bound: each loop on its own, or all together if there are other steps, which may need each other's
/// values.
fn bind(program: &[Op]) -> PassResult {
    let steps: Vec<Op> = program.iter().copied().filter(|op| !is_free(*op)).collect();
    let loops: Vec<For> = steps.iter().filter_map(|op| For::of(*op)).collect();
    if loops.len() < steps.len() {
        return run_on_one_thread(program);
    }
    for step in loops {
        match step.kind() {
            LoopKind::Parallel => share(step),
            _ => wrap(step.op(), &[step.op()]),
        }
    }
    Ok(())
}

/// Whether an op between launches computes addresses or sizes only.
fn is_free(op: Op) -> bool {
    let name = op.name();
    let is_view = [
        memref::View::NAME,
        memref::ReinterpretCast::NAME,
        memref::CollapseShape::NAME,
        memref::ExpandShape::NAME,
        memref::Cast::NAME,
        memref::SubView::NAME,
    ];
    let is_memory = AllocBuffer::of(op).is_some_and(|alloc| alloc.scope() == Scope::Global);
    name.starts_with(arith::PREFIX) || is_view.contains(&name.as_str()) || is_memory
}

/// All steps of a program on one thread.
///
/// # Errors
/// If what follows reads a value of the program.
fn run_on_one_thread(program: &[Op]) -> PassResult {
    let is_memory =
        |op: &Op| AllocBuffer::of(*op).is_some_and(|alloc| alloc.scope() == Scope::Global);
    let steps: Vec<Op> = program
        .iter()
        .copied()
        .filter(|op| !is_memory(op))
        .collect();
    let Some(place) = steps.last().and_then(|last| last.next()) else {
        return Ok(());
    };
    let is_inside = |user: &Op| {
        let mut around = std::iter::successors(Some(*user), |op| op.parent());
        around.any(|op| steps.contains(&op))
    };
    // What other loops read stays where it is, with what it is computed from.
    let mut free: Vec<Op> = Vec::new();
    for step in steps.iter().rev() {
        let mut users = step.results().into_iter().flat_map(Value::users);
        if users.all(|user| is_inside(&user) && !free.contains(&user)) {
            continue;
        }
        if !is_free(*step) {
            return fail(
                *step,
                "is a step of one thread whose value other loops of the kernel read, which is not supported on GPUs yet",
            );
        }
        free.push(*step);
    }
    let steps: Vec<Op> = steps
        .into_iter()
        .filter(|step| !free.contains(step))
        .collect();
    wrap(place, &steps);
    Ok(())
}

/// Puts ops into a grid of one thread before `place`.
fn wrap(place: Op, ops: &[Op]) {
    let b = Builder::before(place);
    let grid = For::of_kind(
        &b,
        1,
        (LoopKind::ThreadBinding, Some(Thread::BlockX)),
        "",
        &[],
    );
    for op in ops {
        op.detach();
        grid.body().append(*op);
    }
}

/// Shares the iterations of a loop among blocks of [`THREADS`].
fn share(shared: For) {
    let op = shared.op();
    let b = Builder::before(op);
    let (lower, upper) = shared.bounds();
    let extent = match shared.extent() {
        Some(extent) => Bound::Static(extent),
        None => Bound::Dynamic(index::sub(&b, upper.value(&b), lower.value(&b))),
    };
    let threads = match extent {
        Bound::Static(extent) => extent.clamp(1, THREADS),
        Bound::Dynamic(_) => THREADS,
    };
    let blocks: Bound = match extent {
        Bound::Static(extent) => index::ceil_div(extent, threads).into(),
        Bound::Dynamic(extent) => {
            index::div(&b, index::add(&b, extent, b.index(threads - 1)), threads).into()
        }
    };
    let bound = |axis| (LoopKind::ThreadBinding, Some(axis));
    let grid = For::of_kind(&b, blocks, bound(Thread::BlockX), "", &[]);
    let block = For::of_kind(&grid.inside(&b), threads, bound(Thread::ThreadX), "", &[]);
    let inside = block.inside(&b);
    let first = index::scale(&inside, grid.variable(), threads);
    let number = index::add(&inside, first, block.variable());
    let iteration = index::add(&inside, number, lower.value(&inside));
    let end = match extent {
        Bound::Static(extent) if extent % threads == 0 => None,
        _ => {
            let within = index::less(&inside, number, extent.value(&inside));
            Some(branch(&inside, within))
        }
    };
    shared.variable().replace_all_uses_with(iteration);
    for inner in shared.body().ops() {
        match end {
            Some(end) => inner.move_before(end),
            None => {
                inner.detach();
                block.body().append(inner);
            }
        }
    }
    op.erase();
}
