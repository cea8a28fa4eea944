//! Volumes as stacks of planes: the planes of the only sample as samples of an image.
//!
//! A convolution of volumes that is computed as one of planes gives a stack. What follows it element by element
//! works on the stack, and so does the next one, so that nothing is put in order between them.

use crate::graph::{
    operators::{make, remake},
    shapes::reshape,
};
use relay_dialects::{
    ir::{Attr, Builder, Op, Value},
    names,
    relay::{Attrs, Pattern, pattern},
};
use std::collections::HashMap;

/// The order of a stack's dimensions in the volume, and of the volume's in the stack.
const SWAPPED: [i64; 5] = [0, 2, 1, 3, 4];

/// Knows for volumes of one sample the stacks [planes, channels, height, width] that they were made of.
#[derive(Default)]
pub struct Stacks {
    stacks: HashMap<Value, Value>,
}

impl Stacks {
    /// The stack of a volume [1, channels, planes, height, width].
    pub fn stack(&self, builder: &Builder, volume: Value) -> Value {
        if let Some(stack) = self.stacks.get(&volume) {
            return *stack;
        }
        let planes = swapped(builder, volume);
        reshape(builder, planes, &planes.ty().shape()[1..])
    }

    /// Puts the volume of a stack in the place of `op`'s result.
    pub fn replace(&mut self, op: Op, stack: Value) {
        let builder = Builder::before(op);
        let shape = [&[1], &stack.ty().shape()[..]].concat();
        let volume = swapped(&builder, reshape(&builder, stack, &shape));
        op.result(0).replace_all_uses_with(volume);
        self.stacks.insert(volume, stack);
    }

    /// A volume that was made of a stack, or the stack of a known volume, as convolutions of bytes write them; whether it
    /// is the latter, which is not computed then.
    pub fn view(&mut self, op: Op) -> Option<()> {
        let source = op.operands().first()?.def()?;
        if is_swap(op) && source.is(names::relay::RESHAPE) {
            let stack = source.operand(0);
            let whole = [&[1], &stack.ty().shape()[..]].concat();
            if source.result(0).ty().shape() == whole {
                self.stacks.insert(op.result(0), stack);
            }
        } else if op.is(names::relay::RESHAPE) && is_swap(source) {
            let stack = *self.stacks.get(&source.operand(0))?;
            if stack.ty() == op.result(0).ty() {
                op.result(0).replace_all_uses_with(stack);
                return Some(());
            }
        }
        None
    }

    /// An operator that works element by element on volumes whose stacks are known; whether it is one.
    pub fn elementwise(&mut self, op: Op) -> Option<()> {
        let is_elementwise = match pattern(op)? {
            Pattern::Elemwise => op.operand_count() == 1,
            // With an axis it is more than numpy's broadcasting: `bias_add`, `prelu`.
            Pattern::Broadcast => op.operand_count() == 2 && !op.has_attr("axis"),
            _ => false,
        };
        let operands = op.operands();
        let shape = op.result(0).ty().shape();
        let knows = |value: &Value| value.ty().shape() == shape && self.stacks.contains_key(value);
        if !is_elementwise || !operands.iter().any(knows) {
            return None;
        }
        let builder = Builder::before(op);
        let stacks: Option<Vec<Value>> = operands
            .iter()
            .map(|value| self.broadcast(&builder, *value, &shape))
            .collect();
        let made = remake(&builder, op, &stacks?, &[]);
        self.replace(op, made);
        Some(())
    }

    /// What broadcasts against a stack as an operand does against a volume of `shape`.
    fn broadcast(&self, builder: &Builder, value: Value, shape: &[i64]) -> Option<Value> {
        let own = value.ty().shape();
        if own == shape {
            return Some(self.stack(builder, value));
        }
        match own[..] {
            [] => Some(value),
            // Numbers of channels alone.
            [c, 1, 1, 1] | [1, c, 1, 1, 1] => Some(reshape(builder, value, &[c, 1, 1])),
            _ if value.ty().count() == 1 => Some(reshape(builder, value, &[1])),
            _ => None,
        }
    }
}

/// Whether an operator exchanges channels and planes.
fn is_swap(op: Op) -> bool {
    let axes = || Attrs::of(op).ints("axes");
    op.is(names::relay::TRANSPOSE) && axes().is_ok_and(|axes| axes == SWAPPED)
}

fn swapped(builder: &Builder, value: Value) -> Value {
    let attrs = [("axes", Attr::ints(builder.ctx, &SWAPPED))];
    make(builder, names::relay::TRANSPOSE, &[value], &attrs)
}
