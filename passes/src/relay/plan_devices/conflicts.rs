//! Copies of operands that operators need on different devices, though no `relay.on_device` stands there.
//!
//! What `relay.on_device` says of an operator holds for its operands, too, and for theirs. A value that has to be on two
//! devices then stays on the first one, and is copied for who needs it on the other. Only operators copy their operands in
//! this way: what else reads a value may need it where it is.

use super::{constraints::floats, is_primitive, ops_in, planned};
use relay_dialects::{
    ir::{Builder, Op, Value},
    relay::{
        VirtualDevice,
        device::{DeviceCopy, OnDevice},
        row_of,
    },
};
use std::collections::{HashMap, HashSet};

/// Makes the copies.
pub fn copy_operands(module: Op) {
    for function in planned(module) {
        let mut demands = Demands::default();
        demands.flow(function);
        demands.copy();
    }
}

/// What users need of values.
#[derive(Default)]
struct Demands {
    devices: HashMap<Value, VirtualDevice>,
    seen: HashSet<Op>,
    /// Operands that are needed on another device than their values lie on.
    conflicts: Vec<(Op, usize)>,
}

impl Demands {
    /// Goes through a function against the flow of values, from its result on.
    fn flow(&mut self, function: Op) {
        let mut open = ends(function);
        // What nothing reads comes last; the last op of it first.
        let rest = ops_in(function);
        let mut rest = rest.into_iter().rev();
        loop {
            while let Some(op) = open.pop() {
                if self.seen.insert(op) {
                    self.visit(op);
                    open.extend(ends(op));
                    let operands = op.operands().into_iter().rev();
                    open.extend(operands.filter_map(Value::def));
                }
            }
            match rest.find(|op| !self.seen.contains(op)) {
                Some(op) => open.push(op),
                None => return,
            }
        }
    }

    /// Says of an op's operands what it needs of them.
    fn visit(&mut self, op: Op) {
        let needed = match (OnDevice::of(op), DeviceCopy::of(op)) {
            (Some(mark), _) if mark.constrains_body => mark.device,
            (Some(_), _) => return,
            (_, Some(copy)) => copy.from,
            _ if row_of(op).is_some() => self.place(op),
            _ => return,
        };
        let shapes = row_of(op).map_or(&[][..], |row| row.shape_operands);
        for index in (0..op.operand_count()).filter(|index| !shapes.contains(index)) {
            let value = op.operand(index);
            if floats(value) {
                continue;
            }
            let device = self.devices.entry(value).or_default();
            match device.join(&needed) {
                Some(joined) => *device = joined,
                None => self.conflicts.push((op, index)),
            }
        }
    }

    /// Where an operator's results are needed, as far as it is known.
    fn place(&self, op: Op) -> VirtualDevice {
        let results = op.results().into_iter();
        let mut devices = results.filter_map(|result| self.devices.get(&result));
        devices.next().cloned().unwrap_or_default()
    }

    /// Copies the operands of operators.
    fn copy(self) {
        for (op, index) in &self.conflicts {
            if row_of(*op).is_none() {
                continue;
            }
            let value = op.operand(*index);
            let (from, to) = (self.devices.get(&value), self.place(*op));
            if let Some(from) =
                from.filter(|from| !from.is_unconstrained() && !to.is_unconstrained())
            {
                let copied = DeviceCopy::build(&Builder::before(*op), value, from, &to);
                op.set_operand(*index, copied);
            }
        }
    }
}

/// The last ops of an op's regions.
fn ends(op: Op) -> Vec<Op> {
    if is_primitive(op) {
        return Vec::new();
    }
    let regions = op
        .regions()
        .into_iter()
        .filter_map(|region| region.first_block());
    regions.filter_map(|block| block.terminator()).collect()
}
