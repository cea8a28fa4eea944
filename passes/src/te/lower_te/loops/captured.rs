//! What expressions capture from around them.

use relay_dialects::{
    ir::{Builder, Value},
    ops::arith,
};
use std::collections::HashMap;

/// What stands for a captured operand: its copy, or a fresh constant.
pub fn resolve(b: &Builder, operand: Value, map: &mut HashMap<Value, Value>) -> Value {
    if let Some(value) = map.get(&operand) {
        return *value;
    }
    match operand.def_of(arith::Constant::NAME) {
        Some(op) => {
            let copy = b.insert(op.clone_detached()).result(0);
            map.insert(operand, copy);
            copy
        }
        None => operand,
    }
}
