//! Where buffers lie in the arena, and from which call of a kernel to which.

use relay_dialects::{
    Element,
    ir::{Attr, Op, Value},
    ops::{arith, func, memref},
};
use std::collections::HashMap;

/// The memory of a graph.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// The buffers.
    pub places: Vec<Place>,
    /// The calls of kernels in order, by the names of the model's nodes.
    pub calls: Vec<String>,
}

/// A buffer's place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Its first byte in the arena.
    pub offset: u64,
    /// Its bytes.
    pub bytes: u64,
    /// The first call of a kernel that takes it, from 0.
    pub first: usize,
    /// The last such call.
    pub last: usize,
}

/// The memory of a function after `plan-memory`.
pub fn plan(main: Op) -> Plan {
    let calls = main.find_all(func::Call::NAME);
    let number: HashMap<Op, usize> = calls
        .iter()
        .enumerate()
        .map(|(at, call)| (*call, at))
        .collect();
    let views = main.find_all(memref::View::NAME).into_iter();
    let places = views.filter_map(|view| {
        let mut used = Vec::new();
        calls_of(view.result(0), &number, &mut used);
        Some(Place {
            offset: constant(view.operand(1))?,
            bytes: bytes(view.result(0))?,
            first: *used.iter().min()?,
            last: *used.iter().max()?,
        })
    });
    Plan {
        places: places.collect(),
        calls: calls
            .iter()
            .map(|call| call.loc().names().join(" + "))
            .collect(),
    }
}

/// The calls that take a buffer, or a view of it.
fn calls_of(value: Value, number: &HashMap<Op, usize>, used: &mut Vec<usize>) {
    for user in value.users() {
        match number.get(&user) {
            Some(at) => used.push(*at),
            None => {
                let views = user.results().into_iter();
                views.for_each(|view| calls_of(view, number, used));
            }
        }
    }
}

fn constant(value: Value) -> Option<u64> {
    let value = value.def_of(arith::Constant::NAME)?.attr("value");
    value.and_then(Attr::as_i64)?.try_into().ok()
}

fn bytes(value: Value) -> Option<u64> {
    let ty = value.ty();
    let count: u64 = ty.count().try_into().ok()?;
    count.checked_mul(Element::of(ty.element())?.bytes() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_buffer_lives_as_long_as_views_of_it() {
        crate::testing::register();
        let context = relay_dialects::context();
        let text = r#"
            func.func private @kernel(memref<4xf32>, memref<4xf32>)
            func.func @main(%in: memref<4xf32>, %out: memref<4xf32>, %arena: memref<32xi8>) {
              %c0 = arith.constant 0 : index
              %c16 = arith.constant 16 : index
              %a = memref.view %arena[%c0][] : memref<32xi8> to memref<4xf32>
              %b = memref.view %arena[%c16][] : memref<32xi8> to memref<2x2xf32>
              %flat = memref.collapse_shape %b [[0, 1]] : memref<2x2xf32> into memref<4xf32>
              call @kernel(%in, %a) : (memref<4xf32>, memref<4xf32>) -> () loc("one")
              call @kernel(%a, %flat) : (memref<4xf32>, memref<4xf32>) -> () loc("two")
              call @kernel(%flat, %out) : (memref<4xf32>, memref<4xf32>) -> () loc("three")
              return
            }"#;
        let module = melior::ir::Module::parse(&context, text).expect("the text is a module");
        let main = Op::of_module(&module).lookup("main").expect("it is there");
        let place = |offset, first, last| Place {
            offset,
            bytes: 16,
            first,
            last,
        };
        assert_eq!(plan(main).places, [place(0, 0, 1), place(16, 1, 2)]);
        assert_eq!(plan(main).calls, ["one", "two", "three"]);
    }
}
