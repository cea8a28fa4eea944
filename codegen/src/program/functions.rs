//! One function as instructions.
//!
//! A value of the IR has a register from where it is made to where it is read for the last time; the register is another
//! value's then. What an operand is read for the last time by takes it; what nothing takes is given back by a
//! `KillRegister`. A region ends by jumping behind its op, or by returning, where nothing of the function follows: so calls
//! in branches end the function, too.

use super::{
    is_kernel,
    state::{State, cannot},
    uses::Uses,
};
use crate::CodegenError;
use relay_dialects::{
    ir::{Attr, Block, Op, Value},
    names::relay,
    ops::func,
    tir::KernelKind,
};
use relay_runtime::program::{Function, Instruction, Operand, Register};
use std::collections::HashMap;

/// A place in the code whose number is known later. Jumps name it until then.
pub(super) type Label = u32;

/// What is said of a loop.
const NO_LOOPS: &str = "is a loop of a graph, and programs have recursive functions instead: compile it as a graph, \
                        without an executor of programs";

/// Where the values at the end of a block go.
#[derive(Clone, Copy)]
enum Out<'r> {
    /// To the caller.
    Caller,
    /// Into registers; then on at a label.
    Registers(&'r [Register], Label),
}

/// What the regions of an op have in common.
pub(super) struct Join {
    /// Whether the function ends with each of them.
    ends: bool,
    /// Where their results go otherwise,
    results: Vec<Register>,
    /// and where it goes on then.
    label: Label,
    /// The values that nothing uses behind the op.
    dying: Vec<Value>,
    /// The registers that were free before the op,
    free: Vec<Register>,
    /// and the first one that there was not yet.
    first: Register,
}

/// A function that is being written.
pub(super) struct Body<'s> {
    pub(super) state: &'s mut State,
    pub(super) uses: Uses,
    code: Vec<Instruction>,
    /// Where labels are.
    labels: Vec<u32>,
    pub(super) registers: HashMap<Value, Register>,
    free: Vec<Register>,
    next: Register,
    /// The register for numbers, if there is one.
    number: Option<Register>,
    /// What is given back where a pattern does not take a value: at a label; and where to go on.
    pub(super) stubs: Vec<(Label, Register, Label)>,
}

pub(super) type Done = Result<(), CodegenError>;

impl<'s> Body<'s> {
    /// The instructions of a function.
    ///
    /// # Errors
    /// If an op in it has no instruction.
    pub(super) fn lower(state: &'s mut State, function: Op) -> Result<Function, CodegenError> {
        let body = function.body();
        let mut lowered = Self {
            state,
            uses: Uses::of(function),
            code: Vec::new(),
            labels: Vec::new(),
            registers: HashMap::new(),
            free: Vec::new(),
            next: 0,
            number: None,
            stubs: Vec::new(),
        };
        let parameters = body.args();
        for parameter in &parameters {
            lowered.define(*parameter);
        }
        for parameter in &parameters {
            lowered.drop_unused(body, *parameter);
        }
        lowered.block(body, Out::Caller)?;
        lowered.set_targets();
        Ok(Function {
            name: function.symbol().unwrap_or_default(),
            parameters: parameters.len() as u32,
            registers: lowered.next,
            code: lowered.code,
        })
    }

    /// Puts the numbers of instructions into jumps.
    fn set_targets(&mut self) {
        for instruction in &mut self.code {
            match instruction {
                Instruction::If { yes, no, .. } => {
                    *yes = self.labels[*yes as usize];
                    *no = self.labels[*no as usize];
                }
                Instruction::Goto { target } => *target = self.labels[*target as usize],
                _ => {}
            }
        }
    }

    pub(super) fn emit(&mut self, instruction: Instruction) {
        self.code.push(instruction);
    }

    /// A label that is nowhere yet.
    pub(super) fn label(&mut self) -> Label {
        self.labels.push(u32::MAX);
        self.labels.len() as u32 - 1
    }

    /// The next instruction is at a label.
    pub(super) fn place(&mut self, label: Label) {
        self.labels[label as usize] = self.code.len() as u32;
    }

    pub(super) fn fresh(&mut self) -> Register {
        self.free.pop().unwrap_or_else(|| {
            self.next += 1;
            self.next - 1
        })
    }

    /// The register for numbers, which is never one of values.
    pub(super) fn number(&mut self) -> Register {
        *self.number.get_or_insert_with(|| {
            self.next += 1;
            self.next - 1
        })
    }

    /// A register for a value.
    pub(super) fn define(&mut self, value: Value) -> Register {
        let register = self.fresh();
        self.registers.insert(value, register);
        register
    }

    /// Gives back what a register holds, which is nobody's then.
    pub(super) fn kill(&mut self, register: Register) {
        self.emit(Instruction::KillRegister { register });
        self.free.push(register);
    }

    /// Gives a value back that nothing in its block uses.
    pub(super) fn drop_unused(&mut self, block: Block, value: Value) {
        if !self.uses.is_used_in(block, value) {
            let register = self.registers[&value];
            self.kill(register);
        }
    }

    pub(super) fn register(&self, op: Op, value: Value) -> Result<Register, CodegenError> {
        match self.registers.get(&value) {
            Some(register) => Ok(*register),
            None => cannot(
                op,
                "uses a value of another function: run lambda-lift before",
            ),
        }
    }

    /// The operands of an op from one on, which take what is not used again.
    fn operands(&mut self, op: Op, from: usize) -> Result<Vec<Operand>, CodegenError> {
        let values = op.operands();
        let mut operands = Vec::new();
        for (index, value) in values.iter().enumerate().skip(from) {
            let register = self.register(op, *value)?;
            let is_last = !values[index + 1..].contains(value)
                && !values[..from].contains(value)
                && self.uses.is_last(op, *value);
            operands.push(Operand { register, is_last });
        }
        self.free_taken(&operands);
        Ok(operands)
    }

    fn free_taken(&mut self, operands: &[Operand]) {
        let taken = operands.iter().filter(|operand| operand.is_last);
        self.free.extend(taken.map(|operand| operand.register));
    }

    /// Gives back those of some operands, which an instruction only reads, that are not used again.
    fn kill_read(&mut self, op: Op, values: &[Value]) -> Done {
        for (index, value) in values.iter().enumerate() {
            if !values[..index].contains(value) && self.uses.is_last(op, *value) {
                let register = self.register(op, *value)?;
                self.kill(register);
            }
        }
        Ok(())
    }

    fn block(&mut self, block: Block, out: Out<'_>) -> Done {
        for op in block.ops() {
            if op.is(func::Return::NAME) || op.is(relay::YIELD) {
                return self.end(op, out);
            }
            // What an op that ends the function gives is what the function gives.
            let ends = matches!(out, Out::Caller)
                && op.next().is_some_and(|next| {
                    next.next().is_none()
                        && next.operands() == op.results()
                        && op.result_count() > 0
                });
            if self.op(op, ends)? {
                return Ok(());
            }
            for result in op.results() {
                if !self.uses.is_used_in(block, result) {
                    let register = self.register(op, result)?;
                    self.kill(register);
                }
            }
        }
        Ok(())
    }

    /// The end of a block.
    fn end(&mut self, end: Op, out: Out<'_>) -> Done {
        let operands = self.operands(end, 0)?;
        match out {
            Out::Caller => {
                let value = match operands[..] {
                    [value] => value,
                    _ => self.tuple(operands),
                };
                self.emit(Instruction::Ret { value });
            }
            Out::Registers(registers, label) => {
                for (to, from) in registers.iter().zip(operands) {
                    self.emit(Instruction::Move { to: *to, from });
                }
                self.emit(Instruction::Goto { target: label });
            }
        }
        Ok(())
    }

    /// Several values as one, which is used once.
    fn tuple(&mut self, fields: Vec<Operand>) -> Operand {
        let register = self.fresh();
        self.emit(Instruction::AllocAdt {
            to: register,
            tag: 0,
            fields,
        });
        Operand {
            register,
            is_last: true,
        }
    }

    /// An op. Whether it has ended the function, which it may if nothing follows it.
    fn op(&mut self, op: Op, ends: bool) -> Result<bool, CodegenError> {
        match op.name().as_str() {
            func::Call::NAME => {
                let callee = self.state.callee(op)?;
                if is_kernel(callee) {
                    return self.kernel(op, callee).map(|()| false);
                }
                let function = self.state.number(callee)?;
                let arguments = self.operands(op, 0)?;
                let to = self.fresh();
                self.emit(Instruction::Invoke {
                    to,
                    function,
                    arguments,
                });
                Ok(self.called(op, to, ends))
            }
            relay::CALL => {
                let arguments = self.operands(op, 1)?;
                let closure = self.closure_operand(op)?;
                let to = self.fresh();
                self.emit(Instruction::InvokeClosure {
                    to,
                    closure,
                    arguments,
                });
                Ok(self.called(op, to, ends))
            }
            relay::IF => self.branch(op, ends),
            relay::MATCH => self.matched(op, ends),
            _ => self.value(op).map(|()| false),
        }
    }

    /// What a call calls. It is taken if the arguments do not have it as well.
    fn closure_operand(&mut self, op: Op) -> Result<Operand, CodegenError> {
        let value = op.operand(0);
        let operand = Operand {
            register: self.register(op, value)?,
            is_last: self.uses.is_last(op, value),
        };
        self.free_taken(&[operand]);
        Ok(operand)
    }

    /// What a call has given.
    fn called(&mut self, op: Op, to: Register, ends: bool) -> bool {
        if ends {
            let value = Operand {
                register: to,
                is_last: true,
            };
            self.emit(Instruction::Ret { value });
            return true;
        }
        let results = op.results();
        if let [result] = results[..] {
            self.registers.insert(result, to);
            return false;
        }
        for (index, result) in results.into_iter().enumerate() {
            let field = self.define(result);
            self.emit(Instruction::GetField {
                to: field,
                object: to,
                index: index as u32,
            });
        }
        self.kill(to);
        false
    }

    /// A call of a kernel, or of a view.
    fn kernel(&mut self, op: Op, callee: Op) -> Done {
        if KernelKind::View.is_of(callee) {
            let from = self.operands(op, 0)?;
            let to = self.define(op.result(0));
            let from = from[0];
            self.emit(Instruction::ReshapeTensor { to, from });
            return Ok(());
        }
        let kernel = self.state.kernel(callee, op)?;
        let mut arguments = Vec::new();
        for value in op.operands() {
            arguments.push(self.register(op, value)?);
        }
        for result in op.results() {
            let to = self.define(result);
            let bytes = result.ty().byte_count() as u64;
            self.emit(Instruction::AllocTensor { to, bytes });
            arguments.push(to);
        }
        self.emit(Instruction::InvokePacked { kernel, arguments });
        self.kill_read(op, &op.operands())
    }

    /// An op that makes a value.
    fn value(&mut self, op: Op) -> Done {
        match op.name().as_str() {
            relay::CONSTANT => {
                let constant = self.state.constant(op)?;
                let to = self.define(op.result(0));
                self.emit(Instruction::LoadConst { to, constant });
            }
            relay::TUPLE | relay::REF_CREATE => self.data(op, 0)?,
            relay::CONSTRUCT => {
                let path = op.attr("constructor").and_then(Attr::as_nested_symbol);
                let (of, constructor) = path.unwrap_or_default();
                let (tag, _) = self.state.tag(op, &of, &constructor)?;
                self.data(op, tag)?;
            }
            relay::GLOBAL | relay::CLOSURE => {
                let callee = self.state.callee(op)?;
                let function = self.state.number(callee)?;
                let captured = self.operands(op, 0)?;
                let to = self.define(op.result(0));
                self.emit(Instruction::AllocClosure {
                    to,
                    function,
                    captured,
                });
            }
            relay::TUPLE_GET | relay::REF_READ => {
                let index = op.attr("index").and_then(Attr::as_i64).unwrap_or(0) as u32;
                let object = self.register(op, op.operand(0))?;
                let to = self.define(op.result(0));
                self.emit(Instruction::GetField { to, object, index });
                self.kill_read(op, &op.operands())?;
            }
            relay::REF_WRITE => {
                let value = self.operands(op, 1)?[0];
                let object = self.register(op, op.operand(0))?;
                self.emit(Instruction::SetField {
                    object,
                    index: 0,
                    value,
                });
                self.kill_read(op, &op.operands()[..1])?;
                let (to, fields) = (self.define(op.result(0)), Vec::new());
                self.emit(Instruction::AllocAdt { to, tag: 0, fields });
            }
            relay::FN => return cannot(op, "is a closure in place: run lambda-lift before"),
            relay::SCAN | relay::WHILE => return cannot(op, NO_LOOPS),
            _ => {
                return cannot(
                    op,
                    "is no part of a program: run fuse-ops before, so that operators are in kernels",
                );
            }
        }
        Ok(())
    }

    fn data(&mut self, op: Op, tag: u32) -> Done {
        let fields = self.operands(op, 0)?;
        let to = self.define(op.result(0));
        self.emit(Instruction::AllocAdt { to, tag, fields });
        Ok(())
    }

    fn branch(&mut self, op: Op, ends: bool) -> Result<bool, CodegenError> {
        let test = self.register(op, op.operand(0))?;
        let (yes, no) = (self.label(), self.label());
        self.emit(Instruction::If {
            test,
            target: 1,
            yes,
            no,
        });
        let join = self.join(op, ends);
        for (index, label) in [yes, no].into_iter().enumerate() {
            let Some(block) = op.block_in(index) else {
                return cannot(op, "has an empty branch");
            };
            self.place(label);
            self.begin_region(&join);
            self.region(&join, block)?;
        }
        Ok(self.end_regions(op, join))
    }

    /// What the regions of an op, of which one runs, have in common.
    pub(super) fn join(&mut self, op: Op, ends: bool) -> Join {
        let results = op.results().into_iter();
        let results = if ends {
            Vec::new()
        } else {
            results.map(|_| self.fresh()).collect()
        };
        Join {
            ends,
            results,
            label: self.label(),
            dying: self.uses.ends_with(op),
            free: self.free.clone(),
            first: self.next,
        }
    }

    /// Registers that no region before this one needs are free in it.
    pub(super) fn begin_region(&mut self, join: &Join) {
        self.free.clone_from(&join.free);
        let number = self.number;
        let made = (join.first..self.next).filter(|register| Some(*register) != number);
        self.free.extend(made);
    }

    /// A region: first it gives back what only others use.
    pub(super) fn region(&mut self, join: &Join, block: Block) -> Done {
        for value in &join.dying {
            if !self.uses.is_used_in(block, *value)
                && let Some(register) = self.registers.get(value)
            {
                self.kill(*register);
            }
        }
        let out = match join.ends {
            true => Out::Caller,
            false => Out::Registers(&join.results, join.label),
        };
        self.block(block, out)
    }

    /// What follows the regions of an op. Whether nothing does.
    pub(super) fn end_regions(&mut self, op: Op, join: Join) -> bool {
        self.begin_region(&join);
        let dying = join.dying.iter();
        let dying: Vec<Register> = dying
            .filter_map(|value| self.registers.get(value).copied())
            .collect();
        self.free.extend(dying);
        for (result, register) in op.results().into_iter().zip(&join.results) {
            self.registers.insert(result, *register);
        }
        self.place(join.label);
        join.ends
    }
}
