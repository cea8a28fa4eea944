//! `plan-memory`: one arena for everything that lives between kernels.
//!
//! Buffers get offsets into one arena so that two that are alive at the same time never overlap
//! (greedy by size, as in TFLite's planner: Pisarchyk and Lee, "Efficient Memory Management for
//! Deep Neural Net Inference", 2020). Kernels' own buffers of global scope are taken out into their
//! callers first, so that they share the arena, too.

use crate::analysis::sharing::{Group, Sharing, life};
use crate::symbols::{Symbols, definitions};
use crate::{buffers::ALIGNMENT, kernel_limits::check_vectors};
use relay_dialects::{
    attrs::LATER_ARENAS,
    dim::{self, Dim},
    index,
    ir::{Attr, Builder, Op, Type, Value},
    limits::{BUFFER_BYTES, TOO_LARGE},
    ops::{builtin, func, memref},
    pass::{Options, PassResult, PassSpec, fail},
    relay::build::extent_list,
    symbols::arena_name,
    tir::{self, AllocBuffer, KernelKind, Scope},
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "plan-memory",
    summary: "Give all buffers between kernels a place in one arena",
    description: include_str!("plan_memory.md"),
    anchor: builtin::Module::NAME,
    options: &[],
    run,
};

fn run(module: Op, _options: &Options) -> PassResult {
    check_vectors(module)?;
    let functions: Vec<Op> = module.functions();
    let (kernels, others): (Vec<Op>, Vec<Op>) = functions
        .iter()
        .partition(|func| KernelKind::Generated.is_of(**func));
    let calls: Vec<Op> = others
        .iter()
        .flat_map(|func| func.find_all(func::Call::NAME))
        .collect();
    for kernel in kernels {
        hoist_buffers(kernel, &calls);
    }
    for func in functions
        .iter()
        .filter(|func| func.has_attr(relay_dialects::attrs::NUM_INPUTS))
    {
        plan(*func, module)?;
    }
    Ok(())
}

/// Makes a kernel's global buffers parameters, and allocates them before each call.
fn hoist_buffers(kernel: Op, calls: &[Op]) {
    let buffers: Vec<Op> = kernel
        .body()
        .ops()
        .into_iter()
        .filter(|op| AllocBuffer::of(*op).is_some_and(|alloc| alloc.scope() == Scope::Global))
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
    for buffer in buffers {
        let ty = buffer.result(0).ty();
        let dims = AllocBuffer::of(buffer).map_or_else(Vec::new, AllocBuffer::dims);
        buffer.replace_with(&[kernel.add_parameter(ty)]);
        note_dims(kernel, &dims);
        for call in &callers {
            let workspace =
                AllocBuffer::of_tensor(&Builder::before(*call), ty, &dims, Scope::Global, "");
            let operands: Vec<Value> = call.operands().into_iter().chain([workspace]).collect();
            call.set_operands(&operands);
        }
    }
}

/// Says of the last parameter of a kernel which dimensions it has, if some are open.
fn note_dims(kernel: Op, dims: &[Dim]) {
    if dims.iter().all(|dim| dim.is_known()) {
        return;
    }
    let (ctx, count) = (kernel.ctx(), kernel.body().args().len());
    let mut attrs = kernel
        .attr("arg_attrs")
        .and_then(Attr::as_array)
        .unwrap_or_default();
    attrs.resize(count, Attr::dict(ctx, &[]));
    if let Some(last) = attrs.last_mut() {
        *last = last.with(relay_dialects::attrs::DIMS, extent_list(ctx, dims));
    }
    kernel.set_attr("arg_attrs", Attr::array(ctx, &attrs));
}

fn plan(func: Op, module: Op) -> PassResult {
    let sharing = Sharing::of(func, module, ALIGNMENT);
    let (offsets, total) = assign(&sharing.groups);
    if total > BUFFER_BYTES {
        return fail(func, format!("its arena of {total} bytes {TOO_LARGE}"));
    }
    let ctx = func.ctx();
    let defined = definitions(func);
    let open = Slots::of(func, total, &defined);
    let (slots, later) = match open {
        Ok(open) => open,
        Err(reason) => return fail(func, reason),
    };
    let (bytes, size) = match slots.buffers.is_empty() {
        true => (Attr::i64(ctx, total), total),
        // What is behind the first byte is known when the model runs.
        false => (Attr::str(ctx, &slots.total.to_string()), 1),
    };
    func.set_attr(relay_dialects::attrs::ARENA_BYTES, bytes);
    if !defined.is_empty() {
        let all: Vec<Dim> = later.iter().map(|slots| slots.total).collect();
        func.set_attr(LATER_ARENAS, extent_list(ctx, &all));
    }
    let arena = Type::memref(&[size], Type::int(ctx, 8));
    sharing.needless.iter().for_each(|call| call.erase());
    for (kernel, together) in sharing.in_place {
        tir::join_in_place(kernel, &together);
    }
    let arena = func.add_parameter(arena);
    for (group, place) in sharing.groups.iter().zip(offsets) {
        for (buffer, offset) in &group.members {
            let op = sharing.buffers[*buffer].op;
            let b = Builder::before(op);
            let place = b.index(place + offset);
            let view = memref::View::build(&b, op.result(0).ty(), arena, place, &[]);
            op.replace_with(&[view]);
        }
    }
    slots.place(func, arena)?;
    for (number, (slots, (_, call))) in later.into_iter().zip(defined).enumerate() {
        if !slots.buffers.is_empty() {
            let arena = later_arena(module, call, number);
            slots.place(func, arena)?;
        }
    }
    Ok(())
}

/// Takes the arena for buffers that need the value of a symbol, behind the call that defines it.
fn later_arena(module: Op, call: Op, number: usize) -> Value {
    let ty = Type::memref(&[1], Type::int(call.ctx(), 8));
    let name = arena_name(number);
    Builder::at_end(module.body(), call.loc(), call.ctx()).declare(&name, &[], &[ty]);
    let taken = Builder::before(call).call(&name, &[], &[ty]);
    taken.move_after(call);
    taken.result(0)
}

/// The places of buffers whose extents are open: behind all others, one after the other. Buffers of one size that are not
/// alive together share one.
#[derive(Default)]
struct Slots {
    /// The buffers, each with where it begins.
    buffers: Vec<(AllocBuffer, Dim)>,
    /// Where the last one ends.
    total: Dim,
}

impl Slots {
    /// The places in a function: those whose sizes are known from the beginning, behind `start` bytes, and those that need the
    /// value of a symbol that the function computes. They are in the arena of the last such symbol.
    fn of(func: Op, start: i64, defined: &[(String, Op)]) -> Result<(Self, Vec<Self>), String> {
        let open = AllocBuffer::all(func)
            .into_iter()
            .filter(|alloc| !alloc.buffer().ty().is_static());
        let lives = open.filter_map(|alloc| Some((life(func, alloc.buffer())?, alloc)));
        let mut lives: Vec<_> = lives.collect();
        lives.sort_by_key(|(life, _)| *life);
        let mut stages = vec![Vec::new(); defined.len() + 1];
        for (life, alloc) in lives {
            let symbols = alloc.dims().into_iter().flat_map(Dim::symbols);
            let place = |name: &str| defined.iter().position(|(symbol, _)| symbol == name);
            let last = symbols.filter_map(place).max();
            stages[last.map_or(0, |last| last + 1)].push((life, alloc));
        }
        let begin = Dim::Known(index::ceil_div(start, ALIGNMENT) * ALIGNMENT);
        let begins = std::iter::once(begin).chain(std::iter::repeat(Dim::Known(0)));
        let stages = stages.into_iter().zip(begins);
        let slots = stages.map(|(lives, begin)| Self::behind(begin, lives));
        let mut slots = slots.collect::<Result<Vec<_>, String>>()?.into_iter();
        Ok((slots.next().unwrap_or_default(), slots.collect()))
    }

    /// The places of buffers behind others, each with its life.
    fn behind(start: Dim, lives: Vec<((usize, usize), AllocBuffer)>) -> Result<Self, String> {
        // Of each place its size, where it begins, and until when it is taken.
        let mut places: Vec<(Dim, Dim, usize)> = Vec::new();
        let mut buffers = Vec::new();
        let mut total = start;
        for ((first, last), alloc) in lives {
            let width = alloc.buffer().ty().element().byte_width() as i64;
            let bytes = dim::product(&alloc.dims())?.times(width)?;
            // A window that does not fit leaves fewer than no elements: then there are none.
            let size = bytes.max(0)?.ceil_div(ALIGNMENT)?.times(ALIGNMENT)?;
            match places
                .iter_mut()
                .find(|(known, _, until)| *known == size && *until < first)
            {
                Some((_, start, until)) => {
                    *until = last;
                    buffers.push((alloc, *start));
                }
                None => {
                    places.push((size, total, last));
                    buffers.push((alloc, total));
                    total = total.plus(size)?;
                }
            }
        }
        Ok(Self { buffers, total })
    }

    /// Replaces the buffers by views of the arena.
    fn place(self, func: Op, arena: Value) -> PassResult {
        let symbols = Symbols::of(func);
        for (alloc, start) in self.buffers {
            let b = Builder::before(alloc.op());
            let dims = alloc.dims();
            let open = dims.iter().filter(|dim| !dim.is_known());
            let sizes: Option<Vec<Value>> = open.map(|dim| symbols.value(&b, *dim)).collect();
            let Some((start, sizes)) = symbols.value(&b, start).zip(sizes) else {
                return fail(
                    alloc.op(),
                    "has an extent that no input of the graph says, and nothing before computes",
                );
            };
            let view = memref::View::build(&b, alloc.buffer().ty(), arena, start, &sizes);
            alloc.op().replace_with(&[view]);
        }
        Ok(())
    }
}

/// The bytes that are alive at each position.
fn alive(groups: &[Group]) -> Vec<i64> {
    let living = || groups.iter().filter(|group| group.first <= group.last);
    let positions = living().map(|group| group.last + 1).max().unwrap_or(0);
    let mut change = vec![0; positions + 1];
    for group in living() {
        change[group.first] += group.bytes;
        change[group.last + 1] -= group.bytes;
    }
    let mut sum = 0;
    for bytes in &mut change {
        sum += *bytes;
        *bytes = sum;
    }
    change
}

/// The most bytes that are alive at once while a group is.
fn crowd(alive: &[i64], group: &Group) -> i64 {
    let life = alive.get(group.first..=group.last).unwrap_or(&[]);
    life.iter().copied().max().unwrap_or(0)
}

/// Offsets of groups, and the bytes that they take: the best of three orders, by size, by size and
/// length of life, and where it is most crowded first.
fn assign(groups: &[Group]) -> (Vec<i64>, i64) {
    let alive = alive(groups);
    let life = |group: &Group| group.last.saturating_sub(group.first) as i64 + 1;
    let keys = |key: &dyn Fn(&Group) -> (i64, i64)| -> Vec<(i64, i64)> {
        groups.iter().map(key).collect()
    };
    let orders = [
        keys(&|group| (-group.bytes, 0)),
        keys(&|group| (group.bytes.saturating_mul(-life(group)), 0)),
        keys(&|group| (-crowd(&alive, group), -group.bytes)),
    ];
    let plans = orders.iter().map(|keys| {
        let mut sorted: Vec<usize> = (0..groups.len()).collect();
        sorted.sort_by_key(|&index| (keys[index], groups[index].first));
        assign_in_order(groups, &sorted)
    });
    plans.min_by_key(|(_, total)| *total).unwrap_or_default()
}

/// How many positions one list of [`Placed`] is for.
const SPAN: usize = 32;

/// The groups that have a place, by the positions at which they are alive: most live for a few only, however many there
/// are.
#[derive(Default)]
struct Placed {
    spans: Vec<Vec<usize>>,
}

impl Placed {
    fn add(&mut self, group: &Group, index: usize) {
        for span in group.first / SPAN..=group.last / SPAN {
            if self.spans.len() <= span {
                self.spans.resize_with(span + 1, Vec::new);
            }
            self.spans[span].push(index);
        }
    }

    /// Those that may be alive while a group is, some of them more than once.
    fn near(&self, group: &Group) -> impl Iterator<Item = usize> {
        let spans = self.spans.iter().take(group.last / SPAN + 1);
        spans.skip(group.first / SPAN).flatten().copied()
    }
}

/// Places groups in an order: each goes into the smallest gap between those that live at the same
/// time.
fn assign_in_order(groups: &[Group], order: &[usize]) -> (Vec<i64>, i64) {
    let mut offsets = vec![0; groups.len()];
    let mut placed = Placed::default();
    let mut total = 0;
    for &index in order {
        let group = &groups[index];
        let mut neighbours: Vec<(i64, i64)> = placed
            .near(group)
            .filter(|&other| groups[other].first <= group.last && group.first <= groups[other].last)
            .map(|other| (offsets[other], offsets[other] + groups[other].bytes))
            .collect();
        neighbours.sort_unstable();
        let mut best: Option<(i64, i64)> = None;
        let mut end = 0;
        for (start, stop) in neighbours {
            let gap = start - end;
            if gap >= group.bytes && best.is_none_or(|(size, _)| gap < size) {
                best = Some((gap, end));
            }
            end = end.max(stop);
        }
        offsets[index] = best.map_or(end, |(_, offset)| offset);
        total = total.max(offsets[index] + group.bytes);
        placed.add(group, index);
    }
    (offsets, total)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn group() -> impl Strategy<Value = Group> {
        (1_i64..64, 0_usize..12, 0_usize..6).prop_map(|(lines, first, life)| Group {
            bytes: lines * ALIGNMENT,
            first,
            last: first + life,
            members: Vec::new(),
        })
    }

    /// The most bytes that are alive at once: no arena can be smaller.
    fn peak(groups: &[Group]) -> i64 {
        let sums = groups.iter().map(|group| {
            let alive = groups.iter().filter(|other| other.lives_at(group.first));
            alive.map(|other| other.bytes).sum()
        });
        sums.max().unwrap_or(0)
    }

    proptest! {
        #[test]
        fn groups_that_are_alive_together_lie_apart(groups in prop::collection::vec(group(), 0..24)) {
            let (offsets, total) = assign(&groups);
            for (index, group) in groups.iter().enumerate() {
                prop_assert!(offsets[index] >= 0 && offsets[index] + group.bytes <= total);
                for other in 0..index {
                    let meet = groups[other].first <= group.last && group.first <= groups[other].last;
                    let apart = offsets[other] + groups[other].bytes <= offsets[index]
                        || offsets[index] + group.bytes <= offsets[other];
                    prop_assert!(!meet || apart);
                }
            }
            prop_assert!(total >= peak(&groups));
        }

        #[test]
        fn a_chain_takes_what_is_alive_at_once(lines in prop::collection::vec(1_i64..64, 1..24)) {
            // Each buffer is read by who makes the next one.
            let groups: Vec<Group> = (lines.iter().enumerate())
                .map(|(at, lines)| Group {
                    bytes: lines * ALIGNMENT,
                    first: at,
                    last: at + 1,
                    members: Vec::new(),
                })
                .collect();
            let sum: i64 = groups.iter().map(|group| group.bytes).sum();
            let (_, total) = assign(&groups);
            prop_assert!(total >= peak(&groups) && (groups.len() < 3 || total < sum));
        }
    }
}
