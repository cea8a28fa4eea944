//! `plan-memory`: one arena for everything that lives between kernels.
//!
//! Buffers get offsets into one arena so that two that are alive at the same time never overlap
//! (greedy by size, as in TFLite's planner: Pisarchyk and Lee, "Efficient Memory Management for
//! Deep Neural Net Inference", 2020). Kernels' own buffers of global scope are taken out into their
//! callers first, so that they share the arena, too.

use relay_dialects::{
    ir::{Attr, Builder, Op, Type, Value},
    pass::{Options, PassResult, PassSpec},
};
use std::collections::HashMap;

/// Buffers start at multiples of this, in bytes: a cache line and the widest vector.
const ALIGNMENT: i64 = 64;

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "plan-memory",
    summary: "Give all buffers between kernels a place in one arena",
    description: "In every function that calls kernels, `tir.alloc_buffer` becomes a `memref.view` \
                  of an arena, which is a new last parameter; its size is the function's attribute \
                  `relay.arena_bytes`. Buffers share bytes if their lives do not overlap. Kernels' \
                  own buffers of global scope become parameters and are planned with the others.",
    anchor: "builtin.module",
    options: &[],
    run,
};

fn run(module: Op, _options: &Options) -> PassResult {
    let functions: Vec<Op> = module.functions();
    let (kernels, others): (Vec<Op>, Vec<Op>) = functions
        .iter()
        .partition(|func| func.has_attr("tir.kernel"));
    let calls: Vec<Op> = others
        .iter()
        .flat_map(|func| func.find_all("func.call"))
        .collect();
    for kernel in kernels {
        hoist_buffers(kernel, &calls);
    }
    for func in functions
        .iter()
        .filter(|func| func.has_attr("relay.num_inputs"))
    {
        plan(*func);
    }
    Ok(())
}

/// Makes a kernel's global buffers parameters, and allocates them before each call.
fn hoist_buffers(kernel: Op, calls: &[Op]) {
    let buffers: Vec<Op> = kernel
        .body()
        .ops()
        .into_iter()
        .filter(|op| op.is("tir.alloc_buffer") && is_global(*op))
        .collect();
    if buffers.is_empty() {
        return;
    }
    let symbol = kernel.symbol();
    let callers: Vec<Op> = calls
        .iter()
        .copied()
        .filter(|call| call.attr("callee").and_then(Attr::as_symbol) == symbol)
        .collect();
    if callers.is_empty() {
        return;
    }
    for buffer in buffers {
        let ty = buffer.result(0).ty();
        buffer.replace_with(&[kernel.add_parameter(ty)]);
        for call in &callers {
            let scope = Attr::str(call.ctx(), "global");
            let workspace =
                Builder::before(*call).value("tir.alloc_buffer", &[], ty, &[("scope", scope)]);
            let operands: Vec<Value> = call.operands().into_iter().chain([workspace]).collect();
            call.set_operands(&operands);
        }
    }
}

fn is_global(op: Op) -> bool {
    op.attr("scope").and_then(Attr::as_str).as_deref() == Some("global")
}

/// A buffer's bytes and life: the first and last op of the function's block that touch it.
struct Life {
    op: Op,
    bytes: i64,
    first: usize,
    last: usize,
}

fn plan(func: Op) {
    let ops = func.body().ops();
    let place: HashMap<Op, usize> = ops
        .iter()
        .copied()
        .enumerate()
        .map(|(i, op)| (op, i))
        .collect();
    let mut lives: Vec<Life> = func
        .find_all("tir.alloc_buffer")
        .into_iter()
        .map(|op| {
            let ty = op.result(0).ty();
            let mut life = Life {
                op,
                bytes: round_up(ty.count() * ty.element().byte_width() as i64),
                first: usize::MAX,
                last: 0,
            };
            extend_life(&mut life, op.result(0), &place);
            life
        })
        .collect();
    lives.sort_by_key(|life| (std::cmp::Reverse(life.bytes), life.first));
    let offsets = assign(&lives);
    let total = lives
        .iter()
        .zip(&offsets)
        .map(|(life, offset)| life.bytes + offset)
        .max()
        .unwrap_or(0);

    func.set_attr("relay.arena_bytes", Attr::i64(func.ctx(), total));
    let ctx = func.ctx();
    let arena_type = Type::memref(&[total], Type::int(ctx, 8));
    let arena = func.add_parameter(arena_type);
    for (life, offset) in lives.iter().zip(&offsets) {
        let b = Builder::before(life.op);
        let operands = [arena, b.index(*offset)];
        let view = b.value("memref.view", &operands, life.op.result(0).ty(), &[]);
        life.op.replace_with(&[view]);
    }
}

fn round_up(bytes: i64) -> i64 {
    relay_dialects::index::ceil_div(bytes, ALIGNMENT) * ALIGNMENT
}

/// Widens a life by all uses of `value` and of the views made of it.
fn extend_life(life: &mut Life, value: Value, place: &HashMap<Op, usize>) {
    for user in value.users() {
        let outermost =
            std::iter::successors(Some(user), |op| op.parent()).find_map(|op| place.get(&op));
        if let Some(&at) = outermost {
            life.first = life.first.min(at);
            life.last = life.last.max(at);
        }
        if user.is("memref.reinterpret_cast") {
            extend_life(life, user.result(0), place);
        }
    }
}

/// Offsets, largest buffer first: each goes into the smallest gap between those that live at the
/// same time.
fn assign(lives: &[Life]) -> Vec<i64> {
    let mut offsets: Vec<i64> = Vec::new();
    for (index, life) in lives.iter().enumerate() {
        let mut neighbours: Vec<(i64, i64)> = (0..index)
            .filter(|&other| lives[other].first <= life.last && life.first <= lives[other].last)
            .map(|other| (offsets[other], offsets[other] + lives[other].bytes))
            .collect();
        neighbours.sort_unstable();
        let mut best: Option<(i64, i64)> = None;
        let mut end = 0;
        for (start, stop) in neighbours {
            let gap = start - end;
            if gap >= life.bytes && best.is_none_or(|(size, _)| gap < size) {
                best = Some((gap, end));
            }
            end = end.max(stop);
        }
        offsets.push(best.map_or(end, |(_, offset)| offset));
    }
    offsets
}
