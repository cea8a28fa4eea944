//! The machine code of one function.

use super::Native;
use crate::{CodegenError, writer::parameter};
use inkwell::{
    IntPredicate,
    basic_block::BasicBlock,
    intrinsics::Intrinsic,
    llvm_sys::LLVMTailCallKind,
    values::{BasicMetadataValueEnum, BasicValueEnum, FunctionValue, IntValue, PointerValue},
};
use relay_runtime::program::{Function, Instruction, Operand, Program, Register, heap};
use std::collections::HashMap;

/// A function that is being written.
pub(super) struct Code<'n, 'w, 'm, 'c> {
    n: &'n Native<'w, 'm, 'c>,
    function: &'n Function,
    value: FunctionValue<'c>,
    /// The heap.
    all: PointerValue<'c>,
    /// Where each register is.
    registers: Vec<PointerValue<'c>>,
    /// Where it holds numbers.
    numbers: HashMap<Register, PointerValue<'c>>,
    /// The blocks that begin with the instructions of these numbers.
    blocks: HashMap<u32, BasicBlock<'c>>,
    /// What a failure goes to.
    failed: BasicBlock<'c>,
}

type Done = Result<(), CodegenError>;

impl<'n, 'w, 'm, 'c> Code<'n, 'w, 'm, 'c> {
    /// Writes a function.
    pub(super) fn write(n: &'n Native<'w, 'm, 'c>, number: usize) -> Done {
        let (function, value) = (&n.program().functions[number], n.functions[number]);
        let (w, builder) = (n.w, &n.w.builder);
        w.enter(value);
        let all = parameter(value, 0).into_pointer_value();
        if Native::needs_stack(function) {
            Self::check_stack(n, number)?;
        }
        let mut registers = Vec::new();
        let mut numbers = HashMap::new();
        for register in 0..function.registers {
            let place = builder.build_alloca(w.ptr, "register")?;
            if register < function.parameters {
                builder.build_store(place, parameter(value, register + 1))?;
            }
            registers.push(place);
        }
        for instruction in &function.code {
            if let Instruction::GetTag { to, .. } = instruction
                && !numbers.contains_key(to)
            {
                numbers.insert(*to, builder.build_alloca(w.i64, "number")?);
            }
        }
        let [first, failed] =
            ["first", "failed"].map(|name| w.context.append_basic_block(value, name));
        if Native::has_calls(function) {
            Self::count_step(n, number, [first, failed])?;
        } else {
            builder.build_unconditional_branch(first)?;
        }
        let mut blocks = HashMap::from([(0, first)]);
        for target in function.code.iter().flat_map(Instruction::targets) {
            let append = || w.context.append_basic_block(value, &format!("at{target}"));
            blocks.entry(target).or_insert_with(append);
        }
        builder.position_at_end(failed);
        builder.build_return(Some(&w.ptr.const_null()))?;
        let code = Self {
            n,
            function,
            value,
            all,
            registers,
            numbers,
            blocks,
            failed,
        };
        code.instructions()
    }

    /// Goes on on another stack if this one ends below.
    fn check_stack(n: &Native<'w, 'm, 'c>, number: usize) -> Done {
        let (w, builder, value) = (n.w, &n.w.builder, n.functions[number]);
        let missing = || CodegenError::Llvm("there is no llvm.frameaddress".into());
        let frame = Intrinsic::find("llvm.frameaddress").ok_or_else(missing)?;
        let frame = frame
            .get_declaration(w.module, &[w.ptr.into()])
            .ok_or_else(missing)?;
        let call = builder.build_call(frame, &[w.i32.const_zero().into()], "frame")?;
        let here = call.try_as_basic_value().basic().ok_or_else(missing)?;
        let here = builder.build_ptr_to_int(here.into_pointer_value(), w.i64, "here")?;
        let all = parameter(value, 0).into_pointer_value();
        let place = n.w.behind(all, heap::STACK_LIMIT)?;
        let limit = builder.build_load(w.i64, place, "limit")?.into_int_value();
        let is_below = builder.build_int_compare(IntPredicate::ULT, here, limit, "below")?;
        let [deeper, go_on] =
            ["deeper", "go_on"].map(|name| w.context.append_basic_block(value, name));
        builder.build_conditional_branch(is_below, deeper, go_on)?;
        builder.position_at_end(deeper);
        let count = value.count_params() - 1;
        let list = builder.build_alloca(w.ptr.array_type(count), "arguments")?;
        for index in 0..count {
            builder.build_store(w.slot(list, index)?, parameter(value, index + 1))?;
        }
        let entry = n.entries[number].as_global_value().as_pointer_value();
        let result =
            n.runtime_value("relay_rt_deeper", &[all.into(), entry.into(), list.into()])?;
        builder.build_return(Some(&result))?;
        builder.position_at_end(go_on);
        Ok(())
    }

    /// Counts a call, and asks now and then whether the program goes on.
    fn count_step(
        n: &Native<'w, 'm, 'c>,
        number: usize,
        [go_on, failed]: [BasicBlock<'c>; 2],
    ) -> Done {
        let (w, builder, value) = (n.w, &n.w.builder, n.functions[number]);
        let all = parameter(value, 0).into_pointer_value();
        let place = w.behind(all, heap::STEPS_LEFT)?;
        let left = builder.build_load(w.i64, place, "left")?.into_int_value();
        let left = builder.build_int_sub(left, w.i64.const_int(1, false), "left")?;
        builder.build_store(place, left)?;
        let zero = w.i64.const_zero();
        let is_out = builder.build_int_compare(IntPredicate::SLE, left, zero, "is_out")?;
        let ask = w.context.append_basic_block(value, "ask");
        builder.build_conditional_branch(is_out, ask, go_on)?;
        builder.position_at_end(ask);
        let goes_on = w.runtime("relay_rt_goes_on", w.i32.fn_type(&[w.ptr.into()], false));
        let call = builder.build_call(goes_on, &[all.into()], "goes_on")?;
        let missing = || CodegenError::Llvm("relay_rt_goes_on gives nothing".into());
        let answer = call.try_as_basic_value().basic().ok_or_else(missing)?;
        let (answer, no) = (answer.into_int_value(), w.i32.const_zero());
        let is_yes = builder.build_int_compare(IntPredicate::NE, answer, no, "is_yes")?;
        builder.build_conditional_branch(is_yes, go_on, failed)?;
        Ok(())
    }

    fn instructions(&self) -> Done {
        let builder = &self.n.w.builder;
        let mut is_open = false;
        for (at, instruction) in self.function.code.iter().enumerate() {
            if let Some(block) = self.blocks.get(&(at as u32)) {
                if is_open {
                    builder.build_unconditional_branch(*block)?;
                }
                builder.position_at_end(*block);
                is_open = true;
            }
            // What nothing goes on at is not reached.
            if is_open {
                is_open = self.instruction(at, instruction)?;
            }
        }
        Ok(())
    }

    /// An instruction. Whether the function may go on at the next one.
    fn instruction(&self, at: usize, instruction: &Instruction) -> Result<bool, CodegenError> {
        let builder = &self.n.w.builder;
        match instruction {
            Instruction::Ret { value } => {
                let value = self.take(*value)?;
                builder.build_return(Some(&value))?;
            }
            Instruction::Fatal { message } => self.fatal(*message)?,
            Instruction::Invoke {
                to,
                function,
                arguments,
            } => {
                let arguments = self.take_all(arguments)?;
                let called = self.n.functions[*function as usize];
                let arguments = [vec![self.all.into()], arguments].concat();
                let call = builder.build_call(called, &arguments, "result")?;
                return self.called(call, at, *to);
            }
            Instruction::InvokeClosure {
                to,
                closure,
                arguments,
            } => return self.call_closure(at, *to, *closure, arguments),
            Instruction::If {
                test,
                target,
                yes,
                no,
            } => {
                let number = self.number(*test)?;
                let target = self.n.w.i64.const_int(*target as u64, true);
                let is_it = builder.build_int_compare(IntPredicate::EQ, number, target, "is")?;
                builder.build_conditional_branch(is_it, self.blocks[yes], self.blocks[no])?;
            }
            Instruction::Goto { target } => {
                builder.build_unconditional_branch(self.blocks[target])?;
            }
            _ => {
                self.plain(instruction)?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Instructions after which the function goes on.
    fn plain(&self, instruction: &Instruction) -> Done {
        let w = self.n.w;
        match instruction {
            Instruction::Move { to, from } => {
                let value = self.take(*from)?;
                self.set(*to, value)
            }
            Instruction::InvokePacked { kernel, arguments } => {
                self.packed(*kernel as usize, arguments)
            }
            Instruction::AllocTensor { to, bytes } => {
                let bytes = w.i64.const_int(*bytes, false);
                self.make(*to, "relay_rt_tensor", &[self.all.into(), bytes.into()])
            }
            Instruction::AllocAdt { to, tag, fields } => {
                self.data(*to, "relay_rt_data", *tag, fields)
            }
            Instruction::AllocClosure {
                to,
                function,
                captured,
            } => {
                let entry = self.n.closures[&(*function, captured.len())];
                self.data(*to, "relay_rt_closure", entry, captured)
            }
            Instruction::GetField { .. }
            | Instruction::SetField { .. }
            | Instruction::GetTag { .. } => self.part(instruction),
            Instruction::LoadConst { to, constant } => {
                let constant = self.n.program().constants[*constant as usize];
                let weights = self.n.load(self.n.w.behind(self.all, heap::WEIGHTS)?)?;
                let data = self.n.w.behind(weights, constant.offset as usize)?;
                let bytes = w.i64.const_int(constant.bytes, false);
                self.view(*to, data, bytes, w.ptr.const_null())
            }
            Instruction::ReshapeTensor { to, from } => {
                let owner = self.take(*from)?;
                let data = self.n.load(self.n.field(owner, 0)?)?;
                let place = self.n.w.behind(owner, heap::LENGTH)?;
                let bytes = w
                    .builder
                    .build_load(w.i64, place, "bytes")?
                    .into_int_value();
                self.view(*to, data, bytes, owner)
            }
            Instruction::KillRegister { register } => {
                let value = self.get(*register)?;
                self.release(value)
            }
            _ => Err(CodegenError::Llvm("an instruction has no code".into())),
        }
    }

    /// Instructions that read or set a part of a value.
    fn part(&self, instruction: &Instruction) -> Done {
        let w = self.n.w;
        match instruction {
            Instruction::GetField { to, object, index } => {
                let object = self.get(*object)?;
                let value = self.n.load(self.n.field(object, *index as usize)?)?;
                w.builder.build_call(self.n.hold, &[value.into()], "")?;
                self.set(*to, value)
            }
            Instruction::SetField {
                object,
                index,
                value,
            } => {
                let place = self.n.field(self.get(*object)?, *index as usize)?;
                let value = self.take(*value)?;
                let before = self.n.load(place)?;
                w.builder.build_store(place, value)?;
                self.release(before)
            }
            Instruction::GetTag { to, object } => {
                let place = self.n.w.behind(self.get(*object)?, heap::TAG)?;
                let tag = w.builder.build_load(w.i32, place, "tag")?.into_int_value();
                let tag = w.builder.build_int_z_extend(tag, w.i64, "tag")?;
                w.builder.build_store(self.numbers[to], tag)?;
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn get(&self, register: Register) -> Result<PointerValue<'c>, CodegenError> {
        self.n.load(self.registers[register as usize])
    }

    fn set(&self, register: Register, value: PointerValue<'c>) -> Done {
        let place = self.registers[register as usize];
        self.n.w.builder.build_store(place, value)?;
        Ok(())
    }

    /// The value of an operand, which the function then holds beside its registers.
    fn take(&self, operand: Operand) -> Result<PointerValue<'c>, CodegenError> {
        let value = self.get(operand.register)?;
        if !operand.is_last {
            self.n
                .w
                .builder
                .build_call(self.n.hold, &[value.into()], "")?;
        }
        Ok(value)
    }

    fn take_all(
        &self,
        operands: &[Operand],
    ) -> Result<Vec<BasicMetadataValueEnum<'c>>, CodegenError> {
        let taken = operands.iter().map(|each| self.take(*each).map(Into::into));
        taken.collect()
    }

    fn release(&self, value: PointerValue<'c>) -> Done {
        let arguments = [self.all.into(), value.into()];
        self.n
            .w
            .builder
            .build_call(self.n.release, &arguments, "")?;
        Ok(())
    }

    /// Goes on if a value is not null, which it is after a failure.
    fn check(&self, value: PointerValue<'c>) -> Done {
        let w = self.n.w;
        let go_on = w.context.append_basic_block(self.value, "made");
        let is_null = w.builder.build_is_null(value, "failed")?;
        w.builder
            .build_conditional_branch(is_null, self.failed, go_on)?;
        w.builder.position_at_end(go_on);
        Ok(())
    }

    /// Has a function of the runtime make a value.
    fn make(&self, to: Register, name: &str, arguments: &[BasicValueEnum<'c>]) -> Done {
        let value = self.n.runtime_value(name, arguments)?;
        self.check(value)?;
        self.set(to, value)
    }

    fn view(
        &self,
        to: Register,
        data: PointerValue<'c>,
        bytes: IntValue<'c>,
        owner: PointerValue<'c>,
    ) -> Done {
        let arguments = [self.all.into(), data.into(), bytes.into(), owner.into()];
        self.make(to, "relay_rt_view", &arguments)
    }

    fn data(&self, to: Register, name: &str, tag: u32, fields: &[Operand]) -> Done {
        let w = self.n.w;
        let values = self.take_all(fields)?;
        let tag = w.i32.const_int(u64::from(tag), false);
        let count = w.i64.const_int(fields.len() as u64, false);
        let made = self
            .n
            .runtime_value(name, &[self.all.into(), tag.into(), count.into()])?;
        self.check(made)?;
        for (index, value) in values.into_iter().enumerate() {
            let place = self.n.field(made, index)?;
            w.builder.build_store(place, value.into_pointer_value())?;
        }
        self.set(to, made)
    }

    /// What follows a call: the function's end, or its result.
    fn called(
        &self,
        call: inkwell::values::CallSiteValue<'c>,
        at: usize,
        to: Register,
    ) -> Result<bool, CodegenError> {
        call.set_call_convention(super::TAIL);
        let result = call.try_as_basic_value().basic();
        let result = result.map_or(
            self.n.w.ptr.const_null(),
            BasicValueEnum::into_pointer_value,
        );
        // Something may jump to the instruction behind.
        if Program::is_tail_call(self.function, at) {
            call.set_tail_call_kind(LLVMTailCallKind::LLVMTailCallKindMustTail);
            self.n.w.builder.build_return(Some(&result))?;
            return Ok(false);
        }
        self.check(result)?;
        self.set(to, result)?;
        Ok(true)
    }

    fn call_closure(
        &self,
        at: usize,
        to: Register,
        closure: Operand,
        arguments: &[Operand],
    ) -> Result<bool, CodegenError> {
        let (n, w) = (self.n, self.n.w);
        let given = self.take_all(arguments)?;
        let closure = self.take(closure)?;
        let place = n.w.behind(closure, heap::TAG)?;
        let tag = w.builder.build_load(w.i32, place, "tag")?.into_int_value();
        let tag = w.builder.build_int_z_extend(tag, w.i64, "tag")?;
        let table = n
            .table
            .ok_or_else(|| CodegenError::Llvm("there is no table of closures".into()))?;
        let slot = w.entry(table.as_pointer_value(), tag)?;
        let called = n.load(slot)?;
        let ty = n.function_type(arguments.len() + 1);
        let all = [vec![self.all.into(), closure.into()], given].concat();
        let call = w.builder.build_indirect_call(ty, called, &all, "result")?;
        self.called(call, at, to)
    }

    /// Runs a kernel, with memory to work in if it needs some.
    fn packed(&self, kernel: usize, arguments: &[Register]) -> Done {
        let w = self.n.w;
        let mut buffers: Vec<BasicMetadataValueEnum<'c>> = Vec::new();
        for register in arguments {
            let tensor = self.get(*register)?;
            buffers.push(self.n.load(self.n.field(tensor, 0)?)?.into());
        }
        let mut spaces = Vec::new();
        for bytes in &self.n.program().kernels[kernel].workspaces {
            let bytes = w.i64.const_int(*bytes, false);
            let space = self
                .n
                .runtime_value("relay_rt_tensor", &[self.all.into(), bytes.into()])?;
            self.check(space)?;
            buffers.push(self.n.load(self.n.field(space, 0)?)?.into());
            spaces.push(space);
        }
        self.n.run_kernel(kernel, &buffers)?;
        spaces.into_iter().try_for_each(|space| self.release(space))
    }

    /// The number in a register, or the truth of a tensor of one byte.
    fn number(&self, register: Register) -> Result<IntValue<'c>, CodegenError> {
        let (w, builder) = (self.n.w, &self.n.w.builder);
        if let Some(place) = self.numbers.get(&register) {
            return Ok(builder
                .build_load(w.i64, *place, "number")?
                .into_int_value());
        }
        let data = self.n.load(self.n.field(self.get(register)?, 0)?)?;
        let byte = builder
            .build_load(w.context.i8_type(), data, "byte")?
            .into_int_value();
        let zero = w.context.i8_type().const_zero();
        let is_true = builder.build_int_compare(IntPredicate::NE, byte, zero, "true")?;
        Ok(builder.build_int_z_extend(is_true, w.i64, "truth")?)
    }

    /// Ends the program with an error.
    fn fatal(&self, message: u32) -> Done {
        let w = self.n.w;
        let text = w.string(&self.n.program().messages[message as usize]);
        let ty = w.context.void_type().fn_type(&[w.ptr.into(); 2], false);
        let fatal = w.runtime("relay_rt_fatal", ty);
        w.builder
            .build_call(fatal, &[self.all.into(), text.into()], "")?;
        w.builder.build_unconditional_branch(self.failed)?;
        Ok(())
    }
}
