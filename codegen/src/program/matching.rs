//! Matches as instructions: the patterns are tried in order, and the first one that takes the value binds its names.

use super::{
    functions::{Body, Done, Label},
    state::cannot,
};
use crate::CodegenError;
use relay_dialects::{
    ir::{Attr, Block, Op, Value},
    relay::language::pattern::Pattern,
};
use relay_runtime::program::{Instruction, Operand, Register};
use std::vec::IntoIter;

impl Body<'_> {
    /// A match. Whether it ends the function.
    pub(super) fn matched(&mut self, op: Op, ends: bool) -> Result<bool, CodegenError> {
        let value = self.register(op, op.operand(0))?;
        let patterns = op
            .attr("patterns")
            .and_then(Attr::as_array)
            .unwrap_or_default();
        let is_partial = op.has_attr("partial") || patterns.is_empty();
        let join = self.join(op, ends);
        for (index, pattern) in patterns.iter().enumerate() {
            let (Some(pattern), Some(arm)) = (Pattern::of(*pattern), op.block_in(index)) else {
                return cannot(op, format!("has no arm {index}"));
            };
            self.begin_region(&join);
            let next = self.label();
            // What no other arm takes, the last one does: they are exhaustive.
            if is_partial || index + 1 < patterns.len() {
                self.test(op, value, &pattern, next)?;
            }
            self.bind(value, &pattern, arm, &mut arm.args().into_iter());
            self.region(&join, arm)?;
            self.place_stubs();
            self.place(next);
        }
        if is_partial {
            let text = format!("{}: no arm of the match takes the value", op.loc());
            let message = self.state.message(text);
            self.emit(Instruction::Fatal { message });
        }
        Ok(self.end_regions(op, join))
    }

    /// Goes on at `fail` if a pattern does not take a value.
    fn test(&mut self, op: Op, value: Register, pattern: &Pattern, fail: Label) -> Done {
        if let Pattern::Constructor { of, name, .. } = pattern {
            let (tag, count) = self.state.tag(op, of, name)?;
            if count > 1 {
                let (to, yes) = (self.number(), self.label());
                self.emit(Instruction::GetTag { to, object: value });
                self.emit(Instruction::If {
                    test: to,
                    target: i64::from(tag),
                    yes,
                    no: fail,
                });
                self.place(yes);
            }
        }
        for (index, field) in pattern.fields().iter().enumerate() {
            if self.is_sure(op, field)? {
                continue;
            }
            let to = self.fresh();
            self.emit(Instruction::GetField {
                to,
                object: value,
                index: index as u32,
            });
            let inner = self.label();
            self.test(op, to, field, inner)?;
            self.kill(to);
            self.stubs.push((inner, to, fail));
        }
        Ok(())
    }

    /// Whether a pattern takes every value of its type.
    fn is_sure(&self, op: Op, pattern: &Pattern) -> Result<bool, CodegenError> {
        if let Pattern::Constructor { of, name, .. } = pattern
            && self.state.tag(op, of, name)?.1 > 1
        {
            return Ok(false);
        }
        for field in pattern.fields() {
            if !self.is_sure(op, field)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Gives registers to the names in a pattern that its arm uses.
    fn bind(
        &mut self,
        value: Register,
        pattern: &Pattern,
        arm: Block,
        names: &mut IntoIter<Value>,
    ) {
        if let Pattern::Name(_) = pattern {
            if let Some(name) = names.next().filter(|name| self.uses.is_used_in(arm, *name)) {
                let from = Operand {
                    register: value,
                    is_last: false,
                };
                let to = self.define(name);
                self.emit(Instruction::Move { to, from });
            }
            return;
        }
        for (index, field) in pattern.fields().iter().enumerate() {
            let get = |to| Instruction::GetField {
                to,
                object: value,
                index: index as u32,
            };
            if let Pattern::Name(_) = field {
                if let Some(name) = names.next().filter(|name| self.uses.is_used_in(arm, *name)) {
                    let to = self.define(name);
                    self.emit(get(to));
                }
                continue;
            }
            let inside = names.as_slice();
            let inside = &inside[..field.names().min(inside.len())];
            if inside.iter().any(|name| self.uses.is_used_in(arm, *name)) {
                let part = self.fresh();
                self.emit(get(part));
                self.bind(part, field, arm, names);
                self.kill(part);
            } else {
                names.by_ref().take(field.names()).for_each(drop);
            }
        }
    }

    /// What is given back where patterns do not take a value.
    fn place_stubs(&mut self) {
        for (label, register, target) in std::mem::take(&mut self.stubs) {
            self.place(label);
            self.emit(Instruction::KillRegister { register });
            self.emit(Instruction::Goto { target });
        }
    }
}
