//! Fields of tuples are taken before values are copied: a copy of one field is less than one of the tuple.

use super::{ops_in, planned};
use relay_dialects::{
    ir::{Builder, Op},
    names::relay,
    relay::device::OnDevice,
};

/// Makes `on_device(t.i)` of `on_device(t).i`.
pub fn project_before_copies(module: Op) {
    for function in planned(module) {
        for op in ops_in(function) {
            if op.is(relay::TUPLE_GET) {
                project(op);
            }
        }
    }
}

fn project(field: Op) {
    loop {
        let marked = field.operand(0).def_of(relay::ON_DEVICE);
        let Some(mark) = marked.and_then(OnDevice::of).filter(OnDevice::is_normal) else {
            return;
        };
        field.set_operand(0, mark.op.operand(0));
        let users = field.result(0).uses();
        let result = mark.around(&Builder::after(field), field.result(0));
        for (user, index) in users {
            user.set_operand(index, result);
        }
        if !mark.op.is_used() {
            mark.op.erase();
        }
    }
}
