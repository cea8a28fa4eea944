//! Writes down what was found: devices of parameters and results, copies where devices differ, and `relay.on_device` on
//! operands that lie elsewhere than the result of who reads them.

use super::{
    constraints::{Constraints, Signature},
    ops_in, planned,
};
use relay_dialects::{
    attrs::{PARAM_DEVICES, VIRTUAL_DEVICE},
    ir::{Attr, Builder, Op, Value},
    names::relay,
    relay::{
        VirtualDevice,
        device::{DeviceCopy, fixed},
    },
};
use std::collections::HashSet;

/// What makes functions, which say themselves where their results lie.
const FUNCTIONS: &[&str] = &[relay::FN, relay::GLOBAL, relay::CLOSURE, relay::INSTANTIATE];

/// Writes it into the module.
pub fn write(constraints: &mut Constraints) {
    for function in planned(constraints.module) {
        declare(constraints, function);
        let ops = ops_in(function);
        let passing: HashSet<Op> = (ops.iter().copied())
            .filter(|op| is_passing(constraints, *op))
            .collect();
        let mut changes = Vec::new();
        for op in ops.iter().filter(|op| !passing.contains(*op)) {
            if op.is(relay::FN) {
                declare_closure(constraints, *op);
            }
            changes.extend(changes_of(constraints, *op, &passing));
        }
        changes.into_iter().for_each(Change::apply);
        // Users stand behind what they use.
        for op in ops.into_iter().rev() {
            if passing.contains(&op) {
                op.erase();
            }
        }
    }
}

/// Whether an op only passes its operand on: marks are written anew, and a copy to where a value lies already is none. Any
/// other copy gets the devices that were found.
fn is_passing(constraints: &mut Constraints, op: Op) -> bool {
    if !op.is(relay::DEVICE_COPY) {
        return op.is(relay::ON_DEVICE);
    }
    let (from, to) = (
        constraints.of_use(op, 0),
        constraints.of_value(op.result(0)),
    );
    let devices = [from, to].map(|domain| constraints.domains.device_of(domain).clone());
    for (name, device) in DeviceCopy::DEVICES.iter().zip(&devices) {
        op.set_attr(name, Attr::str(op.ctx(), &device.to_string()));
    }
    devices[0] == devices[1]
}

/// Notes the devices of a function of the module.
fn declare(constraints: &Constraints, function: Op) {
    let Some(Signature { params, result }) = constraints.signature(function) else {
        return;
    };
    let ctx = function.ctx();
    let attr = |device: &VirtualDevice| Attr::str(ctx, &device.to_string());
    let known = function
        .attr("arg_attrs")
        .and_then(Attr::as_array)
        .unwrap_or_default();
    let params = params.into_iter().enumerate().map(|(index, param)| {
        let device = attr(constraints.domains.device_of(param));
        let known = known.get(index).copied().unwrap_or(Attr::dict(ctx, &[]));
        known.with(VIRTUAL_DEVICE, device)
    });
    let params: Vec<Attr> = params.collect();
    if !params.is_empty() {
        function.set_attr("arg_attrs", Attr::array(ctx, &params));
    }
    function.set_attr(VIRTUAL_DEVICE, attr(constraints.domains.device_of(result)));
}

/// Notes the devices of a function that is a value.
fn declare_closure(constraints: &mut Constraints, function: Op) {
    let Some((params, result)) = constraints.function_at(function) else {
        return;
    };
    let ctx = function.ctx();
    let attr = |device: &VirtualDevice| Attr::str(ctx, &device.to_string());
    let params: Vec<Attr> = (params.into_iter())
        .map(|param| attr(constraints.domains.device_of(param)))
        .collect();
    function.set_attr(PARAM_DEVICES, Attr::array(ctx, &params));
    function.set_attr(VIRTUAL_DEVICE, attr(constraints.domains.device_of(result)));
}

/// What an operand becomes.
struct Change {
    op: Op,
    index: usize,
    /// The value without marks.
    value: Value,
    /// Where it lies.
    lies: VirtualDevice,
    /// Where the op needs it.
    needed: VirtualDevice,
    /// Where a reader takes it to lie who only sees the op.
    seen: VirtualDevice,
}

/// What the operands of an op become.
fn changes_of(constraints: &mut Constraints, op: Op, passing: &HashSet<Op>) -> Vec<Change> {
    let result = op.results().first().copied();
    let own = result.map(|result| {
        let domain = constraints.of_value(result);
        constraints.domains.device_of(domain).clone()
    });
    let operands = 0..op.operand_count();
    let change = |index| {
        let needed = constraints.of_use(op, index);
        let needed = constraints.domains.device_of(needed).clone();
        let (value, lies) = origin(constraints, op, index, passing);
        Change {
            op,
            index,
            value,
            lies,
            seen: own.clone().unwrap_or_else(|| needed.clone()),
            needed,
        }
    };
    operands.map(change).collect()
}

/// The value that marks and idle copies pass on to an operand, and where it lies.
fn origin(
    constraints: &mut Constraints,
    mut op: Op,
    mut index: usize,
    passing: &HashSet<Op>,
) -> (Value, VirtualDevice) {
    while let Some(mark) = op.operand(index).def().filter(|def| passing.contains(def)) {
        (op, index) = (mark, 0);
    }
    let domain = constraints.of_use(op, index);
    (
        op.operand(index),
        constraints.domains.device_of(domain).clone(),
    )
}

impl Change {
    fn apply(self) {
        let b = Builder::before(self.op);
        let mut value = self.value;
        if self.lies != self.needed {
            value = marked(&b, value, &self.lies);
            value = DeviceCopy::build(&b, value, &self.lies, &self.needed);
        }
        if self.needed != self.seen {
            value = marked(&b, value, &self.needed);
        }
        if value != self.op.operand(self.index) {
            self.op.set_operand(self.index, value);
        }
    }
}

/// A value with a mark of where it lies, unless whoever made it says so: parameters and functions.
fn marked(b: &Builder, value: Value, device: &VirtualDevice) -> Value {
    let says = value
        .def()
        .is_none_or(|op| FUNCTIONS.iter().any(|name| op.is(name)));
    match says {
        true => value,
        false => fixed(b, value, device),
    }
}
