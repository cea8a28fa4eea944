//! The work of a loop with open extents, as a number that the program computes before it runs the loop.

use super::is_inside;
use crate::estimates::EVALUATIONS_OF_A_FUNCTION;
use relay_dialects::{
    index,
    ir::{Block, Builder, Op, Value},
    ops::{arith, math, memref, scf, vector},
    tir::For,
};
use relay_machine::units::UNITS;
use std::collections::HashMap;

/// The evaluations of all iterations of a loop, written at `b` before it. Each stored element or vector is one evaluation. Functions and
/// products of a matrix unit are several. The last iteration may do less, but counts like the first one. `None` if the extent of a loop
/// inside depends on data.
pub fn evaluations(b: &Builder, found: For) -> Option<Value> {
    let mut counter = Counter {
        b,
        around: found.op(),
        firsts: HashMap::new(),
    };
    counter.of_loop(found)
}

struct Counter<'b> {
    b: &'b Builder,
    /// The loop that is counted.
    around: Op,
    /// The value of each index inside it in the first iterations of the loops around the index.
    firsts: HashMap<Value, Value>,
}

impl Counter<'_> {
    fn of_loop(&mut self, found: For) -> Option<Value> {
        let (lower, upper) = found.bounds();
        self.of_iterations(lower.value(self.b), upper.value(self.b), found.body())
    }

    /// The evaluations of a body from one value of its variable, its first argument, to before another one.
    fn of_iterations(&mut self, lower: Value, upper: Value, body: Block) -> Option<Value> {
        let (lower, upper) = (self.first(lower)?, self.first(upper)?);
        self.firsts.insert(body.arg(0), lower);
        let extent = index::sub(self.b, upper, lower);
        Some(index::mul(self.b, extent, self.of_block(body)?))
    }

    fn of_block(&mut self, block: Block) -> Option<Value> {
        let ops = block.ops().into_iter();
        // One number for all ops that are no loops.
        let own: i64 = ops.clone().map(of_op).sum();
        ops.filter(|op| !op.regions().is_empty())
            .try_fold(self.b.index(own), |sum, op| {
                let inner = self.of_regions(op)?;
                Some(index::add(self.b, sum, inner))
            })
    }

    fn of_regions(&mut self, op: Op) -> Option<Value> {
        if let Some(found) = For::of(op) {
            return self.of_loop(found);
        }
        if op.is(scf::For::NAME) {
            let steps = self.of_iterations(op.operand(0), op.operand(1), op.body())?;
            let step = self.first(op.operand(2))?;
            return Some(index::div(self.b, steps, step));
        }
        if !op.is(scf::If::NAME) {
            return None;
        }
        // Most iterations take the branch with more work: the other one computes a tail.
        let blocks = op.regions().into_iter();
        let mut branches = blocks.filter_map(|region| region.first_block());
        branches.try_fold(self.b.index(0), |most, branch| {
            let work = self.of_block(branch)?;
            Some(index::max(self.b, most, work))
        })
    }

    /// What an index is in the first iterations of the loops around it, computed before the loop.
    fn first(&mut self, value: Value) -> Option<Value> {
        if !is_inside(value, self.around) {
            return Some(value);
        }
        if let Some(known) = self.firsts.get(&value) {
            return Some(*known);
        }
        let def = value.def().filter(|def| is_arithmetic(*def))?;
        let operands = def.operands().into_iter();
        let operands: Option<Vec<Value>> = operands.map(|operand| self.first(operand)).collect();
        let operands = operands?;
        let copy = self.b.insert(def.clone_detached());
        copy.set_operands(&operands);
        self.firsts.insert(value, copy.result(0));
        Some(copy.result(0))
    }
}

/// Whether an op computes one number of others, and reads no memory.
fn is_arithmetic(op: Op) -> bool {
    op.name().starts_with(arith::PREFIX) && op.regions().is_empty() && op.results().len() == 1
}

/// The evaluations of one op without its regions.
fn of_op(op: Op) -> i64 {
    if let Some(unit) = UNITS.iter().find(|unit| op.is(unit.op)) {
        let multiply_adds = unit.rows * unit.columns * unit.depth;
        return (multiply_adds as f64 / unit.per_cycle) as i64;
    }
    let name = op.name();
    match name.as_str() {
        memref::Store::NAME
        | vector::Store::NAME
        | vector::MaskedStore::NAME
        | vector::Scatter::NAME => 1,
        _ if name.starts_with(math::PREFIX) && !op.is(math::Fma::NAME) => EVALUATIONS_OF_A_FUNCTION,
        _ => 0,
    }
}
