//! Where values are used for the last time.

use relay_dialects::ir::{Block, Op, Value};
use std::collections::HashMap;

/// The uses of all values in a function.
#[derive(Default)]
pub(super) struct Uses {
    /// The op of a block that is the last one to use a value, itself or in its regions: from the block that defines the value
    /// inwards.
    last: HashMap<(Block, Value), Op>,
    /// What the regions of an op use of the values around it, and what it uses itself.
    around: HashMap<Op, Vec<Value>>,
}

/// The block that defines a value.
fn home(value: Value) -> Option<Block> {
    match value.def() {
        Some(op) => op.block(),
        None => value.owner_block(),
    }
}

impl Uses {
    pub(super) fn of(function: Op) -> Self {
        let mut uses = Self::default();
        function.walk(|op| {
            for value in op.operands() {
                uses.add(op, value);
            }
        });
        uses
    }

    fn add(&mut self, user: Op, value: Value) {
        let home = home(value);
        let mut op = user;
        while let Some(block) = op.block() {
            self.last.insert((block, value), op);
            if !op.regions().is_empty() {
                let around = self.around.entry(op).or_default();
                if !around.contains(&value) {
                    around.push(value);
                }
            }
            if Some(block) == home {
                return;
            }
            match block.parent() {
                Some(parent) => op = parent,
                None => return,
            }
        }
    }

    /// Whether a value is used in a block, or in a region of its ops.
    pub(super) fn is_used_in(&self, block: Block, value: Value) -> bool {
        self.last.contains_key(&(block, value))
    }

    /// Whether nothing that runs behind an op uses a value, which the op uses.
    pub(super) fn is_last(&self, op: Op, value: Value) -> bool {
        let home = home(value);
        let mut op = op;
        while let Some(block) = op.block() {
            if self.last.get(&(block, value)) != Some(&op) {
                return false;
            }
            if Some(block) == home {
                return true;
            }
            match block.parent() {
                Some(parent) => op = parent,
                None => return false,
            }
        }
        false
    }

    /// The values that an op with regions is the last one to use.
    pub(super) fn ends_with(&self, op: Op) -> Vec<Value> {
        let around = self.around.get(&op).into_iter().flatten().copied();
        around.filter(|value| self.is_last(op, *value)).collect()
    }
}
