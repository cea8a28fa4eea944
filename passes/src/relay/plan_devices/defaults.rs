//! Devices for what nothing says anything of.

use super::{
    constraints::{Constraints, Signature, floats},
    domains::Cause,
    ops_in, planned,
};
use relay_dialects::{
    ir::{Loc, Op},
    ops::func,
    relay::{VirtualDevice, device::OnDevice},
};

/// Completes what is known. A copy that is allowed and that nothing asks for is none; the result of a function lies on the
/// default device, its parameters lie where its result does, and so does all else in it.
pub fn complete(constraints: &mut Constraints, default: &VirtualDevice) {
    let functions = planned(constraints.module);
    for function in &functions {
        ops_in(*function)
            .into_iter()
            .for_each(|op| avoid_copies(constraints, op));
    }
    for function in &functions {
        if let Some(Signature { params, result }) = constraints.signature(*function) {
            let cause = cause(function.loc());
            constraints
                .domains
                .default_function(&params, result, default, &cause);
        }
    }
    for function in functions {
        complete_body(constraints, function);
    }
    let rest = constraints.module.body().ops().into_iter();
    for function in rest.filter(|op| op.is(func::Func::NAME)) {
        if let Some(Signature { params, result }) = constraints.signature(function) {
            let cause = cause(function.loc());
            constraints
                .domains
                .default_function(&params, result, default, &cause);
        }
    }
}

fn cause(loc: Loc) -> Cause {
    let text = "nothing says anything else".into();
    Cause { loc, text }
}

/// A `relay.on_device` that constrains nothing and whose sides may lie together.
fn avoid_copies(constraints: &mut Constraints, op: Op) {
    let is_free = |mark: &OnDevice| !mark.constrains_body && !mark.constrains_result;
    if OnDevice::of(op).filter(is_free).is_none() {
        return;
    }
    let body = constraints.of_use(op, 0);
    let mut uses = op.result(0).uses();
    // MLIR lists the last use first.
    uses.reverse();
    for (user, index) in uses {
        let result = constraints.of_use(user, index);
        constraints.domains.unify_if_possible(result, body);
    }
}

/// The values in a function. Users are looked at before what they use: the parameters of what they call lie where its result
/// does.
fn complete_body(constraints: &mut Constraints, function: Op) {
    let Some(signature) = constraints.signature(function) else {
        return;
    };
    let device = constraints.domains.device_of(signature.result).clone();
    let mut ops = ops_in(function);
    ops.reverse();
    for op in ops {
        let cause = cause(op.loc());
        if let Some((params, result)) = constraints.function_at(op) {
            constraints
                .domains
                .default_function(&params, result, &device, &cause);
        }
        for index in 0..op.operand_count() {
            let operand = constraints.of_use(op, index);
            constraints.domains.default(operand, &device, &cause);
        }
        for result in op.results().into_iter().filter(|result| !floats(*result)) {
            let result = constraints.of_value(result);
            constraints.domains.default(result, &device, &cause);
        }
        let regions = op
            .regions()
            .into_iter()
            .filter_map(|region| region.first_block());
        for argument in regions.flat_map(|block| block.args()) {
            let argument = constraints.of_value(argument);
            constraints.domains.default(argument, &device, &cause);
        }
    }
}
