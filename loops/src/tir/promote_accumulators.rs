//! `promote-accumulators`: local buffers into SSA values that loops carry.
//!
//! ```mlir
//! %acc = memref.alloca() : memref<16xf32>
//! vector.store %zero, %acc[%c0] : memref<16xf32>, vector<16xf32>
//! scf.for %k = %c0 to %n step %c1 {
//!   %x = vector.load %acc[%c0] : memref<16xf32>, vector<16xf32>
//!   %y = arith.addf %x, %v : vector<16xf32>
//!   vector.store %y, %acc[%c0] : memref<16xf32>, vector<16xf32>
//! }
//! ```
//! becomes
//! ```mlir
//! %y = scf.for %k = %c0 to %n step %c1 iter_args(%x = %zero) -> vector<16xf32> {
//!   %y = arith.addf %x, %v : vector<16xf32>
//!   scf.yield %y : vector<16xf32>
//! }
//! ```
//! so that an accumulator is a register by construction.

use crate::estimates::MAX_SLOTS;
use relay_dialects::index::constant;
use relay_dialects::ops::{func, memref, scf, vector};
use relay_dialects::{
    ir::{Block, Builder, Op, Type, Value},
    pass::{Options, PassResult, PassSpec},
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "promote-accumulators",
    summary: "Turn local buffers with constant subscripts into values that loops carry",
    description: "A `memref.alloca` becomes SSA values, if every access is a load or store of one element or vector at \
                  constant subscripts, in straight-line code and `scf.for` loops. There is one value per element or \
                  vector; the loops that change it carry it. Upstream's `mem2reg` promotes single elements only and \
                  stops at loops. A buffer with other accesses does not change.",
    anchor: func::Func::NAME,
    options: &[],
    run,
};

fn run(func: Op, _options: &Options) -> PassResult {
    for alloca in func.find_all(memref::Alloca::NAME) {
        if let Some(slots) = slots(alloca) {
            let mut promotion = Promotion {
                buffer: alloca.result(0),
                slots,
            };
            let Some(block) = alloca.block() else {
                continue;
            };
            let mut values = vec![None; promotion.slots.len()];
            promotion.block(block, &mut values);
            alloca.erase();
        }
    }
    Ok(())
}

/// One element or vector of a buffer: its constant subscripts.
type Slot = (Vec<i64>, Type);

/// The slots of a buffer, if it is accessed in no other way and never read before it is written.
fn slots(alloca: Op) -> Option<Vec<Slot>> {
    let buffer = alloca.result(0);
    let mut slots: Vec<Slot> = Vec::new();
    for (user, operand) in buffer.uses() {
        let slot = access(user, operand, buffer)?;
        if !only_loops_between(user, alloca) {
            return None;
        }
        if !slots.contains(&slot) {
            slots.push(slot);
        }
    }
    let disjoint = slots
        .iter()
        .enumerate()
        .all(|(i, a)| slots[..i].iter().all(|b| !overlap(a, b)));
    (disjoint && slots.len() <= MAX_SLOTS && written_first(alloca, &slots)).then_some(slots)
}

/// The slot that an op loads or stores; `None` if it does something else with the buffer.
fn access(op: Op, operand: usize, buffer: Value) -> Option<Slot> {
    let (place, ty) = match op.name().as_str() {
        memref::Load::NAME | vector::Load::NAME => (0, op.result(0).ty()),
        memref::Store::NAME | vector::Store::NAME => (1, op.operand(0).ty()),
        _ => return None,
    };
    if operand != place || (ty.is_vector() && ty.shape().len() != 1) {
        return None;
    }
    let subscripts = op.operands()[place + 1..]
        .iter()
        .map(|index| constant(*index))
        .collect::<Option<Vec<_>>>()?;
    debug_assert_eq!(op.operand(place), buffer);
    Some((subscripts, ty))
}

fn only_loops_between(op: Op, alloca: Op) -> bool {
    std::iter::successors(op.parent(), |op| op.parent())
        .take_while(|ancestor| Some(*ancestor) != alloca.parent())
        .all(|ancestor| ancestor.is(scf::For::NAME))
}

/// Whether two slots share an element: those of a row-major buffer do if their last subscripts
/// are closer than the lanes that they cover.
fn overlap(a: &Slot, b: &Slot) -> bool {
    let lanes = |slot: &Slot| {
        if slot.1.is_vector() {
            slot.1.shape()[0]
        } else {
            1
        }
    };
    let (Some((a_last, a_outer)), Some((b_last, b_outer))) = (a.0.split_last(), b.0.split_last())
    else {
        return true;
    };
    a_outer == b_outer
        && *a_last < b_last.saturating_add(lanes(b))
        && *b_last < a_last.saturating_add(lanes(a))
}

/// Whether every slot is stored to before the first loop or load that needs it.
fn written_first(alloca: Op, slots: &[Slot]) -> bool {
    let Some(block) = alloca.block() else {
        return false;
    };
    let mut written = vec![false; slots.len()];
    block_writes_first(block, alloca.result(0), slots, &mut written)
}

fn block_writes_first(
    block: Block,
    buffer: Value,
    slots: &[Slot],
    written: &mut Vec<bool>,
) -> bool {
    for op in block.ops() {
        if op.is(scf::For::NAME) {
            // What the body writes for itself holds inside it; after the loop only what was
            // written before it is sure, for the loop may run no iteration.
            let before = written.clone();
            let touched = touched_slots(op, buffer, slots);
            if !block_writes_first(op.body(), buffer, slots, written) {
                return false;
            }
            let carried_unwritten = touched.iter().any(|&slot| !before[slot]);
            *written = before;
            if carried_unwritten && used_after(op, buffer, slots, &touched) {
                return false;
            }
        } else if let Some((slot, is_store)) = touch(op, buffer, slots) {
            if !is_store && !written[slot] {
                return false;
            }
            written[slot] = true;
        }
    }
    true
}

/// Whether ops behind a loop in its block touch slots that only the loop wrote.
fn used_after(op: Op, buffer: Value, slots: &[Slot], touched: &[usize]) -> bool {
    std::iter::successors(op.next(), |op| op.next()).any(|later| {
        let mut first_is_load = false;
        later.walk(|inner| {
            if let Some((slot, is_store)) = touch(inner, buffer, slots) {
                first_is_load |= !is_store && touched.contains(&slot);
            }
        });
        first_is_load
    })
}

/// Which slot an op touches, and whether it stores.
fn touch(op: Op, buffer: Value, slots: &[Slot]) -> Option<(usize, bool)> {
    let (place, is_store) = match op.name().as_str() {
        memref::Load::NAME | vector::Load::NAME => (0, false),
        memref::Store::NAME | vector::Store::NAME => (1, true),
        _ => return None,
    };
    if op.operand(place) != buffer {
        return None;
    }
    let slot = access(op, place, buffer)?;
    slots
        .iter()
        .position(|known| *known == slot)
        .map(|index| (index, is_store))
}

fn touched_slots(op: Op, buffer: Value, slots: &[Slot]) -> Vec<usize> {
    let mut touched = Vec::new();
    op.walk(|inner| {
        if let Some((slot, _)) = touch(inner, buffer, slots)
            && !touched.contains(&slot)
        {
            touched.push(slot);
        }
    });
    touched.sort_unstable();
    touched
}

struct Promotion {
    buffer: Value,
    slots: Vec<Slot>,
}

impl Promotion {
    /// Replaces the accesses in a block; `values` holds what each slot holds.
    fn block(&mut self, block: Block, values: &mut [Option<Value>]) {
        for op in block.ops() {
            if op.is(scf::For::NAME) {
                self.carry(op, values);
            } else if let Some((slot, is_store)) = touch(op, self.buffer, &self.slots) {
                if is_store {
                    values[slot] = Some(op.operand(0));
                    op.erase();
                } else {
                    let value = values[slot].expect("every slot is written before it is read");
                    op.replace_with(&[value]);
                }
            }
        }
    }

    /// Rebuilds a loop so that it carries the slots that it touches.
    fn carry(&mut self, op: Op, values: &mut [Option<Value>]) {
        // A slot that holds nothing yet is the loop's own: each iteration writes it first.
        let carried: Vec<usize> = touched_slots(op, self.buffer, &self.slots)
            .into_iter()
            .filter(|slot| values[*slot].is_some())
            .collect();
        if carried.is_empty() {
            let mut inner = values.to_vec();
            self.block(op.body(), &mut inner);
            return;
        }
        let start: Vec<Value> = carried.iter().filter_map(|slot| values[*slot]).collect();
        let types: Vec<Type> = op
            .results()
            .iter()
            .map(|result| result.ty())
            .chain(start.iter().map(|value| value.ty()))
            .collect();
        let mut arguments = vec![Type::index(op.ctx())];
        arguments.extend(&types);
        let block = Block::new(op.ctx(), &arguments);
        let operands = op.operands();
        let (bounds, carried_before) = operands.split_at(3);
        let carried_values = [carried_before, &start].concat();
        let old_count = op.result_count();
        let copy = scf::For::build(
            &Builder::before(op),
            &types,
            bounds[0],
            bounds[1],
            bounds[2],
            &carried_values,
            block,
        );
        for (old, new) in op.body().args().into_iter().zip(block.args()) {
            old.replace_all_uses_with(new);
        }
        for inner in op.body().ops() {
            let detached_end = Builder::at_end(block, inner.loc(), inner.ctx());
            move_to_end(inner, &detached_end);
        }
        let mut inner_values = values.to_vec();
        for (index, slot) in carried.iter().enumerate() {
            inner_values[*slot] = Some(block.arg(1 + old_count + index));
        }
        self.block(block, &mut inner_values);
        if let Some(end) = block.terminator() {
            let mut yielded = end.operands();
            yielded.extend(carried.iter().filter_map(|slot| inner_values[*slot]));
            end.set_operands(&yielded);
        }
        for (index, slot) in carried.iter().enumerate() {
            values[*slot] = Some(copy.result(old_count + index));
        }
        let results = copy.results();
        op.replace_with(&results[..old_count]);
    }
}

/// Moves an op to where a builder stands.
fn move_to_end(op: Op, b: &Builder) {
    op.detach();
    b.insert(op);
}
