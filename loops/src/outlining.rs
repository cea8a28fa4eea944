//! Moving a loop into a function of its own: what it uses from outside.

use crate::{buffers::texts, symbols::Symbols};
use relay_dialects::{
    attrs,
    dim::Dim,
    ir::{Block, Builder, Op, Value},
    ops::{arith, func, memref},
    tir::{self, AllocBuffer},
};
use std::collections::HashMap;

/// Says which symbols the function of a loop is given, whose `captured` parameters come behind `first` others.
pub fn note_symbols(func: Op, outlined: Op, first: usize, captured: &[Value]) {
    let symbols = Symbols::of(func);
    let numbers = captured.iter().filter(|value| value.ty().is_index());
    let names = numbers.map(|value| symbols.name(*value).unwrap_or_default().to_owned());
    let of_loop = std::iter::repeat_n(String::new(), first);
    let names: Vec<String> = of_loop.chain(names).collect();
    if names.iter().any(|name| !name.is_empty()) {
        outlined.set_attr(attrs::SYMBOL_VALUES, texts(func.ctx(), &names));
    }
}

/// Which parameters of a loop's function may lie in one place: those that stand for such ones of the function around the loop, or for views
/// of them, and several views of one buffer.
pub fn in_place(func: Op, first: usize, captured: &[Value]) -> Vec<usize> {
    let parameters = func.body().args();
    let around = tir::in_place(func).into_iter();
    let around: Vec<Value> = around.map(|number| parameters[number]).collect();
    let buffers: Vec<Value> = captured.iter().map(|value| viewed(*value)).collect();
    let count = |buffer: &Value| buffers.iter().filter(|other| *other == buffer).count();
    let is_shared = |buffer: &Value| around.contains(buffer) || count(buffer) > 1;
    let places = (first..).zip(&buffers);
    let shared = places.filter(|(_, buffer)| is_shared(buffer));
    shared.map(|(place, _)| place).collect()
}

/// The buffer that a value is, or is a view of.
pub fn viewed(value: Value) -> Value {
    let operands = value.def().map(|def| def.operands()).unwrap_or_default();
    match operands.first() {
        Some(buffer) if buffer.ty().is_memref() => viewed(*buffer),
        _ => value,
    }
}

/// The values that a loop's body uses from outside, or that what is [copied] into it uses, each once.
pub fn captures(op: Op) -> Vec<Value> {
    let mut found = Vec::new();
    let copied = copied(op);
    let is_copied = |value: Value| value.def().is_some_and(|def| copied.contains(&def));
    let mut add = |value: Value| {
        if !is_copied(value) && !found.contains(&value) {
            found.push(value);
        }
    };
    visit_outer_operands(op, &mut add);
    copied
        .iter()
        .flat_map(|made| made.operands())
        .for_each(&mut add);
    symbols_of_buffers(op).into_iter().for_each(&mut add);
    found
}

/// The values of the symbols in the dimensions of buffers that a loop makes: `plan-workspace` needs them.
fn symbols_of_buffers(op: Op) -> Vec<Value> {
    let function =
        std::iter::successors(op.parent(), |op| op.parent()).find(|op| op.is(func::Func::NAME));
    let symbols = function.map(Symbols::of).unwrap_or_default();
    let dims = AllocBuffer::all(op).into_iter().flat_map(AllocBuffer::dims);
    let names = dims.flat_map(Dim::symbols);
    names.filter_map(|name| symbols.get(name)).collect()
}

/// Writes what a loop's function computes again, because it is no argument, and maps the values.
pub fn write_copied(b: &Builder, op: Op, map: &mut HashMap<Value, Value>) {
    for made in copied(op) {
        let copy = b.insert(made.clone_detached());
        let operands = made.operands().into_iter();
        let operands = operands.map(|operand| map.get(&operand).copied().unwrap_or(operand));
        copy.set_operands(&operands.collect::<Vec<_>>());
        map.insert(made.result(0), copy.result(0));
    }
}

/// What is written again in the function of a loop, because it is no argument: constants from outside, and buffers with open
/// extents; each once, after what it is made of.
fn copied(op: Op) -> Vec<Op> {
    let mut found = Vec::new();
    visit_outer_operands(op, |value| copy_before(value, &mut found));
    found
}

/// Adds what makes a value, if that is to be copied, and before it what makes its operands.
fn copy_before(value: Value, found: &mut Vec<Op>) {
    let is_copied = |def: &Op| {
        let is_open = def.is(memref::ReinterpretCast::NAME) && !value.ty().is_static();
        def.is(arith::Constant::NAME) || is_open
    };
    let Some(def) = value
        .def()
        .filter(is_copied)
        .filter(|def| !found.contains(def))
    else {
        return;
    };
    for operand in def.operands() {
        copy_before(operand, found);
    }
    found.push(def);
}

fn visit_outer_operands(op: Op, mut visit: impl FnMut(Value)) {
    op.walk(|inner| {
        if inner == op {
            return;
        }
        for operand in inner.operands() {
            let owner = match operand.def() {
                Some(def) => def.parent(),
                None => operand.owner_block().and_then(Block::parent),
            };
            let mut around = std::iter::successors(owner, |op| op.parent());
            if !around.any(|ancestor| ancestor == op) {
                visit(operand);
            }
        }
    });
}
