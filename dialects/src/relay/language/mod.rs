//! What is language and no operator: constants, tuples, `if`, loops, functions, data types, matches, references and devices.

pub mod adt;
mod base;
mod device;
mod exhaustive;
mod function;
mod loops;
mod matching;
pub mod pattern;
mod reference;
mod symbol;

pub use base::infer;
pub use function::{generic, itself, type_params};
pub use loops::{Scan, While};
pub use symbol::{DimOf, computed_symbols};

use crate::{
    ir::{Op, Type},
    names::relay,
    ops::builtin,
};

/// Checks an op of the language by what it holds itself.
///
/// # Errors
/// What is wrong, as a diagnostic's text.
pub fn verify(op: Op) -> Result<(), String> {
    match op.name().as_str() {
        relay::IF => base::verify_if(op),
        relay::SCAN => loops::verify_scan(op),
        relay::WHILE => loops::verify_while(op),
        relay::YIELD => base::verify_yield(op),
        relay::FN => function::verify(op),
        relay::INSTANTIATE => function::verify_instantiate(op),
        relay::CALL => function::verify_call(op),
        relay::TYPE_DEF => adt::verify(op),
        relay::MATCH => matching::verify(op),
        relay::ON_DEVICE => device::verify_on_device(op),
        relay::DEVICE_COPY => device::verify_copy(op),
        relay::DIM_OF => symbol::verify(op),
        relay::REF_CREATE => reference::verify_create(op),
        relay::REF_READ => reference::verify_read(op),
        relay::REF_WRITE => reference::verify_write(op),
        _ => Ok(()),
    }
}

/// Checks an op of the language against the functions and data types of its module.
///
/// # Errors
/// What is wrong, as a diagnostic's text.
pub fn verify_symbols(op: Op) -> Result<(), String> {
    let Some(module) = op.ancestor(builtin::Module::NAME) else {
        return Ok(());
    };
    match op.name().as_str() {
        relay::GLOBAL | relay::CLOSURE => function::verify_global(op, module),
        relay::CONSTRUCT => adt::verify_construct(op, module),
        relay::MATCH => matching::verify_symbols(op, module),
        _ => Ok(()),
    }
}

/// Checks that a region ends in a `relay.yield` of one value that may stand for one of type `expected`.
fn check_yield(op: Op, region: usize, what: &str, expected: Type) -> Result<(), String> {
    let end = op.block_in(region).and_then(|block| block.terminator());
    let end = end.filter(|end| end.is(relay::YIELD));
    let yielded: Vec<Type> = end.map_or_else(Vec::new, |end| {
        end.operands().iter().map(|value| value.ty()).collect()
    });
    match yielded[..] {
        [ty] if ty.is_compatible(expected) => Ok(()),
        [ty] => Err(format!("{what} yields {ty}, expected {expected}")),
        _ => Err(format!(
            "{what} does not end in a relay.yield of one value of type {expected}"
        )),
    }
}
