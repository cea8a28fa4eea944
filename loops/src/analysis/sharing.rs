//! Which buffers of a function that calls kernels may share memory.
//!
//! A kernel that only concatenates its inputs is not needed if each input is computed in its place in the
//! output. An output may lie in the place of an input if each of its elements is written after the last read of
//! the same element of the input. Both are proved from the kernels' subscripts ([`access`](super::access)), not
//! from the operators that the kernels came from.

use super::access::{self, Copies};
use crate::symbols::names;
use relay_dialects::{
    ir::{Block, Op, Value},
    ops::{amx, builtin, func, memref, scf, vector},
    tir::{AllocBuffer, KernelKind},
};
use std::collections::HashMap;

/// A buffer: its bytes, and when the first and the last op that touch it run ([`Order`]).
#[derive(Clone, Debug)]
pub struct Buffer {
    /// The `tir.alloc_buffer`.
    pub op: Op,
    /// Its size.
    pub bytes: i64,
    /// The position of the first op that touches it.
    pub first: usize,
    /// The position of the last one.
    pub last: usize,
}

/// Buffers that share one place in memory, and are alive together.
#[derive(Clone, Debug)]
pub struct Group {
    /// The size of the place.
    pub bytes: i64,
    /// The position of the first op that touches a member.
    pub first: usize,
    /// The position of the last one.
    pub last: usize,
    /// The members: numbers of buffers, with where in the place they begin, in bytes.
    pub members: Vec<(usize, i64)>,
}

/// Where the buffers of a function may lie.
#[derive(Debug)]
pub struct Sharing {
    /// The buffers.
    pub buffers: Vec<Buffer>,
    /// Groups that hold each buffer once.
    pub groups: Vec<Group>,
    /// Calls that have nothing left to do.
    pub needless: Vec<Op>,
    /// The kernels that are called with an output in the place of an input, each time with the parameters that lie there.
    pub in_place: Vec<(Op, Vec<usize>)>,
}

impl Group {
    /// Whether it is alive at a position.
    pub fn lives_at(&self, at: usize) -> bool {
        (self.first..=self.last).contains(&at)
    }
}

impl Sharing {
    /// The sharing in a function whose kernels are in `module`. Buffers begin at multiples of `alignment` bytes.
    pub fn of(func: Op, module: Op, alignment: i64) -> Self {
        let mut finder = Finder::new(func, module, alignment);
        let calls: Vec<(usize, Op)> = finder.calls();
        for (at, call) in &calls {
            finder.join_copies(*at, *call);
        }
        let mut in_place = Vec::new();
        for (at, call) in &calls {
            if !finder.sharing.needless.contains(call) {
                let output = finder.join_in_place(*at, *call);
                in_place.extend(output.map(|output| (*call, output)));
            }
        }
        let together = in_place.iter().filter_map(|it| finder.together(*it));
        finder.sharing.in_place = together.collect();
        let mut sharing = finder.sharing;
        sharing.groups.retain(|group| !group.members.is_empty());
        sharing
    }
}

/// When ops of a function run: positions that count from its start. An op with regions ends behind all that is in them.
#[derive(Debug)]
struct Order {
    spans: HashMap<Op, (usize, usize)>,
    /// Behind all ops.
    end: usize,
}

impl Order {
    fn of(func: Op) -> Self {
        let mut order = Self {
            spans: HashMap::new(),
            end: 0,
        };
        let mut next = 0;
        order.number(func, &mut next);
        order.end = next;
        order
    }

    fn number(&mut self, around: Op, next: &mut usize) {
        let blocks = around
            .regions()
            .into_iter()
            .flat_map(|region| region.blocks());
        for op in blocks.flat_map(Block::ops) {
            let first = *next;
            *next += 1;
            if !op.regions().is_empty() {
                self.number(op, next);
                *next += 1;
            }
            self.spans.insert(op, (first, *next - 1));
        }
    }

    /// When an op begins.
    fn start(&self, op: Op) -> Option<usize> {
        self.spans.get(&op).map(|(start, _)| *start)
    }

    /// When a user of a buffer of `block` runs: if it is in a loop and the buffer is not, from the first step to the last one.
    fn span(&self, user: Op, block: Block) -> Option<(usize, usize)> {
        let mut around = std::iter::successors(Some(user), |op| op.parent());
        let outermost = around.find(|op| op.block() == Some(block))?;
        self.spans.get(&outermost).copied()
    }

    /// When the first and the last user of a buffer run; none if it has none.
    fn life(&self, buffer: Value, values: &[Value]) -> Option<(usize, usize)> {
        let block = buffer.def()?.block()?;
        let users = values.iter().flat_map(|value| value.users());
        // What a loop carries out of its steps is behind them, and may be alive at any time.
        let spans = users.map(|user| self.span(user, block).unwrap_or((0, self.end)));
        spans.reduce(|(first, last), (start, end)| (first.min(start), last.max(end)))
    }
}

/// When the first and the last op of a function that touch a buffer, or a view of it, run, as positions; none if none does.
pub fn life(func: Op, buffer: Value) -> Option<(usize, usize)> {
    Order::of(func).life(buffer, &showing(buffer))
}

/// The values through which a buffer is read or written: itself, views of it, and what loops carry of those.
fn showing(buffer: Value) -> Vec<Value> {
    let mut all = vec![buffer];
    let mut next = 0;
    while let Some(value) = all.get(next).copied() {
        next += 1;
        for (user, operand) in value.uses() {
            for shown in passed_on(user, operand) {
                if !all.contains(&shown) {
                    all.push(shown);
                }
            }
        }
    }
    all
}

/// The values that an op makes of a buffer that is one of its operands.
fn passed_on(user: Op, operand: usize) -> Vec<Value> {
    let views = [
        memref::ReinterpretCast::NAME,
        memref::View::NAME,
        builtin::UnrealizedConversionCast::NAME,
    ];
    if views.iter().any(|view| user.is(view)) {
        return user.results();
    }
    // Before a loop, and at the end of a step, the same is carried on: to the next step, or to the results.
    let carried = |of: Op, index: Option<usize>, first: usize, region: usize| {
        let argument = |index: usize| of.block_in(region)?.args().get(first + index).copied();
        let result = |index: usize| of.results().get(index).copied();
        let both = index.map(|index| [argument(index), result(index)]);
        both.into_iter().flatten().flatten().collect()
    };
    let around = user.parent();
    let is_in = |name: &str| around.filter(|around| around.is(name));
    if user.is(scf::For::NAME) {
        return carried(user, operand.checked_sub(3), 1, 0);
    }
    if user.is(scf::While::NAME) {
        return carried(user, Some(operand), 0, 0);
    }
    if user.is(scf::Condition::NAME) {
        return around.map_or_else(Vec::new, |of| carried(of, operand.checked_sub(1), 0, 1));
    }
    match (is_in(scf::For::NAME), is_in(scf::While::NAME)) {
        (Some(of), _) if user.is(scf::Yield::NAME) => carried(of, Some(operand), 1, 0),
        (_, Some(of)) if user.is(scf::Yield::NAME) => carried(of, Some(operand), 0, 0),
        _ => Vec::new(),
    }
}

/// What is known of a kernel.
struct Kernel {
    op: Op,
    copies: Option<Copies>,
    in_place: Vec<(usize, usize)>,
    /// Of each parameter, whether it is only read.
    is_input: Vec<bool>,
}

struct Finder {
    func: Op,
    alignment: i64,
    sharing: Sharing,
    /// Of each buffer, its group.
    group: Vec<usize>,
    kernels: HashMap<String, Kernel>,
    /// Of each buffer, where it begins in its group.
    offset: Vec<i64>,
    /// Values that are a whole buffer.
    whole: HashMap<Value, usize>,
    /// Of each buffer, those values.
    values: Vec<Vec<Value>>,
    /// Values that may be a part of buffers, or all of one of several.
    parts: HashMap<Value, Vec<usize>>,
    order: Order,
}

impl Finder {
    fn new(func: Op, module: Op, alignment: i64) -> Self {
        let kernels = module
            .functions()
            .into_iter()
            .filter(|kernel| KernelKind::Generated.is_of(*kernel))
            .filter_map(|kernel| Some((kernel.symbol()?, Kernel::of(kernel))))
            .collect();
        let mut finder = Self {
            func,
            alignment,
            sharing: Sharing {
                buffers: Vec::new(),
                groups: Vec::new(),
                needless: Vec::new(),
                in_place: Vec::new(),
            },
            group: Vec::new(),
            offset: Vec::new(),
            kernels,
            whole: HashMap::new(),
            values: Vec::new(),
            parts: HashMap::new(),
            order: Order::of(func),
        };
        let is_static = |alloc: &AllocBuffer| alloc.buffer().ty().is_static();
        for alloc in AllocBuffer::all(func).into_iter().filter(is_static) {
            finder.add(alloc);
        }
        finder
    }

    /// Adds a buffer, in a group of its own.
    fn add(&mut self, alloc: AllocBuffer) {
        let bytes = relay_dialects::index::ceil_div(alloc.bytes(), self.alignment);
        let number = self.sharing.buffers.len();
        self.values.push(Vec::new());
        self.note_whole(alloc.buffer(), number);
        let values = showing(alloc.buffer());
        let life = self.order.life(alloc.buffer(), &values);
        let (first, last) = life.unwrap_or((usize::MAX, 0));
        let parts = values
            .into_iter()
            .filter(|value| !self.whole.contains_key(value));
        for part in parts.collect::<Vec<_>>() {
            self.parts.entry(part).or_default().push(number);
        }
        let buffer = Buffer {
            op: alloc.op(),
            bytes: bytes * self.alignment,
            first,
            last,
        };
        self.sharing.groups.push(Group {
            bytes: buffer.bytes,
            first: buffer.first,
            last: buffer.last,
            members: vec![(number, 0)],
        });
        self.group.push(number);
        self.offset.push(0);
        self.sharing.buffers.push(buffer);
    }

    /// Notes the values that are a whole buffer: the buffer, and the same elements under other shapes.
    fn note_whole(&mut self, value: Value, number: usize) {
        self.whole.insert(value, number);
        self.values[number].push(value);
        for user in value.users() {
            if user.is(memref::ReinterpretCast::NAME) {
                self.note_whole(user.result(0), number);
            }
        }
    }

    /// The kernel calls in the function, with their positions, in order.
    fn calls(&self) -> Vec<(usize, Op)> {
        let calls = self.func.find_all(func::Call::NAME).into_iter();
        let calls = calls.filter(|call| self.kernel(*call).is_some());
        let mut calls: Vec<(usize, Op)> = calls
            .filter_map(|call| Some((self.order.start(call)?, call)))
            .collect();
        calls.sort_unstable_by_key(|(at, _)| *at);
        calls
    }

    fn kernel(&self, call: Op) -> Option<&Kernel> {
        if !call.is(func::Call::NAME) {
            return None;
        }
        self.kernels.get(&call.attr("callee")?.as_symbol()?)
    }

    /// Whether one kernel fills a buffer, others read it, and nothing else uses it.
    fn is_written_once(&self, buffer: usize) -> bool {
        let mut writers = 0;
        for value in &self.values[buffer] {
            for (user, operand) in value.uses() {
                if user.is(memref::ReinterpretCast::NAME) {
                    continue;
                }
                match self.kernel(user) {
                    Some(kernel) if kernel.is_input[operand] => {}
                    Some(_)
                        if self.order.start(user) == Some(self.sharing.buffers[buffer].first) =>
                    {
                        writers += 1;
                    }
                    _ => return false,
                }
            }
        }
        writers == 1
    }

    /// Removes a call that only copies, if its inputs can lie in their parts of its output.
    fn join_copies(&mut self, at: usize, call: Op) {
        let Some(joined) = self.joinable(at, call) else {
            return;
        };
        let (output, parts) = joined;
        for (input, offset) in parts {
            self.join(input, output, offset);
        }
        self.sharing.needless.push(call);
    }

    /// The output of a call that only copies, and its inputs with their offsets in it in bytes, if the inputs
    /// can lie there.
    fn joinable(&self, at: usize, call: Op) -> Option<(usize, Vec<(usize, i64)>)> {
        let copies = self.kernel(call)?.copies.as_ref()?;
        if call.operand_count() != copies.parts.len() + 1 {
            return None;
        }
        let buffer = |operand: usize| self.whole.get(&call.operand(operand)).copied();
        let output = buffer(copies.output)?;
        let is_new = self.sharing.groups[self.group[output]].members.len() == 1
            && self.sharing.buffers[output].first == at;
        if !is_new || !self.is_written_once(output) {
            return None;
        }
        let width = call.operand(copies.output).ty().element().byte_width() as i64;
        let mut parts = Vec::new();
        let mut groups = vec![self.group[output]];
        for part in &copies.parts {
            let input = buffer(part.input)?;
            let (group, offset) = (self.group[input], part.offset * width);
            let is_whole = self.sharing.groups[group].bytes == self.sharing.buffers[input].bytes;
            let is_aligned = offset % self.alignment == 0;
            if !is_whole || !is_aligned || groups.contains(&group) || !self.is_written_once(input) {
                return None;
            }
            groups.push(group);
            parts.push((input, offset));
        }
        Some((output, parts))
    }

    /// Puts an output of a call in the place of an input that dies there, where the kernel allows
    /// it; which operand that output is.
    fn join_in_place(&mut self, at: usize, call: Op) -> Option<usize> {
        let pairs = self.kernel(call)?.in_place.clone();
        for (input, output) in &pairs {
            let buffer = |operand: usize| self.whole.get(&call.operand(operand)).copied();
            let (Some(from), Some(to)) = (buffer(*input), buffer(*output)) else {
                continue;
            };
            // The kernel must allow the same for everything else that the call reads of that place.
            let allows = |operand: usize| {
                let mut parts = self.parts.get(&call.operand(operand)).into_iter().flatten();
                if parts.any(|part| self.group[*part] == self.group[from]) {
                    return false;
                }
                let other = buffer(operand).filter(|other| self.group[*other] == self.group[from]);
                other.is_none_or(|other| other == from && pairs.contains(&(operand, *output)))
            };
            let operands = 0..call.operand_count();
            let dies = self.sharing.groups[self.group[from]].last == at;
            if dies
                && self.group[from] != self.group[to]
                && operands.filter(|operand| operand != output).all(allows)
                && self.is_written_once(to)
                && self.replace(at, from, to)
            {
                return Some(*output);
            }
        }
        None
    }

    /// The kernel of a call, and those operands of the call that lie where one of them does.
    fn together(&self, (call, operand): (Op, usize)) -> Option<(Op, Vec<usize>)> {
        let group = |operand: usize| Some(self.group[*self.whole.get(&call.operand(operand))?]);
        let operands = 0..call.operand_count();
        let same = operands.filter(|other| group(*other) == group(operand));
        Some((self.kernel(call)?.op, same.collect()))
    }

    /// Puts `to`, which is made at `at`, into the place of `from`; returns whether that is possible.
    fn replace(&mut self, at: usize, from: usize, to: usize) -> bool {
        let group = |buffer: usize| &self.sharing.groups[self.group[buffer]];
        let size = self.sharing.buffers[to].bytes;
        if self.sharing.buffers[to].first != at || self.sharing.buffers[from].bytes != size {
            return false;
        }
        if group(to).members.len() == 1 {
            self.join(to, from, 0);
            return true;
        }
        // The output is a part of a larger buffer: the input moves into that part, if nothing was there before.
        let begin = self.offset[to];
        let is_free = group(to).members.iter().all(|(member, offset)| {
            let other = &self.sharing.buffers[*member];
            let apart = *offset >= begin + size || offset + other.bytes <= begin;
            apart || other.first >= at
        });
        if !is_free || group(from).bytes != size {
            return false;
        }
        self.join(from, to, 0);
        true
    }

    /// Moves the group that begins with `inner` to `offset` in `outer`.
    fn join(&mut self, inner: usize, outer: usize, offset: i64) {
        let offset = self.offset[outer] + offset;
        let (source, target) = (self.group[inner], self.group[outer]);
        let moved = std::mem::take(&mut self.sharing.groups[source].members);
        let (first, last) = (
            self.sharing.groups[source].first,
            self.sharing.groups[source].last,
        );
        let group = &mut self.sharing.groups[target];
        group.first = group.first.min(first);
        group.last = group.last.max(last);
        for (member, at) in moved {
            (self.group[member], self.offset[member]) = (target, at + offset);
            group.members.push((member, at + offset));
        }
    }
}

impl Kernel {
    fn of(op: Op) -> Self {
        let is_input = |value: &Value| {
            let mut users = value.users().into_iter();
            let loads = [
                memref::Load::NAME,
                vector::Load::NAME,
                vector::Gather::NAME,
                amx::TileLoad::NAME,
            ];
            let is_read = |user: Op| loads.iter().any(|load| user.is(load));
            users.all(|user| is_read(user) || access::is_hint(user))
        };
        // Nothing is proved of subscripts in buffers whose extents are open.
        let is_open = !names(op).is_empty();
        Self {
            op,
            copies: access::copies(op).filter(|_| !is_open),
            in_place: access::in_place(op)
                .into_iter()
                .filter(|_| !is_open)
                .collect(),
            is_input: op.body().args().iter().map(is_input).collect(),
        }
    }
}
