//! The machine that runs bytecode.
//!
//! It trusts the kernels that it is linked with, and nothing of the program but what was [checked](super::check): a register
//! holds a value that is counted for it, or a number, or nothing; what an instruction needs of it is looked at first. Calls
//! have their registers on a stack of the machine's own, so that recursion ends where memory does.

use super::{
    Constant, Function, Instruction, Operand, Program, Register,
    heap::{self, Facts, Heap, Kind, Object},
    native::{self, too_deep},
    sizes,
};
use std::mem;

/// The most registers of all calls that are under way. Each takes 16 bytes.
const MOST_REGISTERS: usize = 1 << 26;

/// What a register holds.
#[derive(Clone, Copy)]
enum Slot {
    Nothing,
    Number(i64),
    /// A value of the heap, which this register holds.
    Value(*mut Object),
}

/// A call that is under way.
struct Frame<'p> {
    function: &'p Function,
    /// The next instruction.
    next: usize,
    /// Where its registers begin.
    base: usize,
    /// The caller's register that gets the result.
    to: Register,
}

pub(super) struct Machine<'p, 'h> {
    program: &'p Program,
    heap: &'h mut Heap,
    kernels: &'p [native::Kernel],
    frames: Vec<Frame<'p>>,
    registers: Vec<Slot>,
}

type Done = Result<(), String>;

impl<'p, 'h> Machine<'p, 'h> {
    /// A machine for a program with its kernels and their [sizes], and constants of so many bytes.
    ///
    /// # Errors
    /// If the program has other kernels, or kernels of other sizes, or a constant lies elsewhere.
    pub(super) fn new(
        program: &'p Program,
        heap: &'h mut Heap,
        (kernels, known_sizes): (&'p [native::Kernel], &[u64]),
        weights_bytes: u64,
    ) -> Result<Self, String> {
        if kernels.len() != program.kernels.len() {
            return Err("the bytecode is of another library: it has other kernels".into());
        }
        // Kernels read and write as many bytes as they were compiled for, whatever the bytecode says.
        if sizes(&program.kernels) != known_sizes {
            return Err("the bytecode is of another library: its kernels take other sizes".into());
        }
        let is_inside = |constant: &Constant| {
            let end = constant.offset.checked_add(constant.bytes);
            end.is_some_and(|end| end <= weights_bytes)
        };
        if !program.constants.iter().all(is_inside) {
            return Err("the bytecode is of another library: it has other constants".into());
        }
        Ok(Self {
            program,
            heap,
            kernels,
            frames: Vec::new(),
            registers: Vec::new(),
        })
    }

    /// Runs the entry.
    ///
    /// # Safety
    /// The arguments are values of the heap, which the caller gives away. The kernels are those of the program's library, and
    /// its constants are those that the heap names.
    pub(super) unsafe fn run(mut self, arguments: &[*mut Object]) -> Result<*mut Object, String> {
        let entry = self.program.functions.first();
        let entry = entry.ok_or("the program has no functions")?;
        if entry.parameters as usize != arguments.len() {
            return Err("the bytecode is of another library: it takes other inputs".into());
        }
        self.enter(entry, arguments.iter().copied().map(Slot::Value), 0)?;
        while let Some(frame) = self.frames.last_mut() {
            self.heap.steps_left -= 1;
            if self.heap.steps_left <= 0 && !self.heap.goes_on() {
                return Err(self.heap.failure.take().unwrap_or_default());
            }
            let function = frame.function;
            let at = frame.next;
            let Some(instruction) = function.code.get(at) else {
                return Err(format!("function '{}' has no end", function.name));
            };
            frame.next += 1;
            if let Instruction::Ret { value } = instruction {
                let value = self.take(*value)?;
                if let Some(result) = self.leave(value) {
                    return Ok(result);
                }
                continue;
            }
            let done = self.step(function, at, instruction);
            done.map_err(|reason| match instruction {
                Instruction::Fatal { .. } => reason,
                _ => format!("function '{}', instruction {at}: {reason}", function.name),
            })?;
        }
        Err("the program has no result".into())
    }

    fn step(&mut self, function: &'p Function, at: usize, instruction: &'p Instruction) -> Done {
        match instruction {
            Instruction::Ret { .. } => Ok(()),
            Instruction::Move { to, from } => {
                let value = self.take(*from)?;
                self.set(*to, Slot::Value(value))
            }
            Instruction::Fatal { message } => Err(self.program.messages[*message as usize].clone()),
            Instruction::Invoke {
                to,
                function: number,
                arguments,
            } => {
                let arguments = self.take_all(arguments)?;
                let is_last = Program::is_tail_call(function, at);
                self.call(*number, arguments, *to, is_last)
            }
            Instruction::InvokeClosure {
                to,
                closure,
                arguments,
            } => {
                let (number, all) = self.opened(*closure, arguments)?;
                let is_last = Program::is_tail_call(function, at);
                self.call(number, all, *to, is_last)
            }
            Instruction::InvokePacked { kernel, arguments } => self.packed(*kernel, arguments),
            Instruction::If {
                test,
                target,
                yes,
                no,
            } => {
                let next = if self.number(*test)? == *target {
                    yes
                } else {
                    no
                };
                self.go_on(*next)
            }
            Instruction::Goto { target } => self.go_on(*target),
            Instruction::KillRegister { register } => self.set(*register, Slot::Nothing),
            Instruction::SetField {
                object,
                index,
                value,
            } => self.set_field(*object, *index, *value),
            _ => self.make(instruction),
        }
    }

    /// Instructions that do nothing but fill a register.
    fn make(&mut self, instruction: &Instruction) -> Done {
        let (to, made) = match instruction {
            Instruction::AllocTensor { to, bytes } => (*to, self.heap.tensor(*bytes)),
            Instruction::AllocAdt { to, tag, fields } => {
                (*to, self.data(Kind::Data, *tag, fields)?)
            }
            Instruction::AllocClosure {
                to,
                function,
                captured,
            } => (*to, self.data(Kind::Closure, *function, captured)?),
            Instruction::GetField { to, object, index } => (*to, self.field(*object, *index)?),
            Instruction::LoadConst { to, constant } => {
                let Constant { offset, bytes } = self.program.constants[*constant as usize];
                let data = self.heap.weights.wrapping_add(offset as usize).cast_mut();
                (*to, self.heap.view(data, bytes, std::ptr::null_mut()))
            }
            Instruction::ReshapeTensor { to, from } => {
                let (_, facts) = self.value(from.register, Kind::Tensor)?;
                let owner = self.take(*from)?;
                // SAFETY: it is a tensor, which was just taken.
                let data = unsafe { heap::data(owner) };
                (*to, self.heap.view(data, facts.length, owner))
            }
            Instruction::GetTag { to, object } => {
                let (_, facts) = self.value(*object, Kind::Data)?;
                return self.set(*to, Slot::Number(i64::from(facts.tag)));
            }
            _ => return Err("it is no instruction".into()),
        };
        match made.is_null() {
            true => Err(self.heap.failure.take().unwrap_or_default()),
            false => self.set(to, Slot::Value(made)),
        }
    }

    /// The register of the present call.
    fn slot(&mut self, register: Register) -> Result<&mut Slot, String> {
        let base = self.frames.last().map_or(0, |frame| frame.base);
        let slot = self.registers.get_mut(base + register as usize);
        slot.ok_or_else(|| format!("there is no register {register}"))
    }

    /// Has a register hold something else than it did.
    fn set(&mut self, register: Register, slot: Slot) -> Done {
        let before = mem::replace(self.slot(register)?, slot);
        self.let_go(before);
        Ok(())
    }

    fn let_go(&mut self, slot: Slot) {
        if let Slot::Value(object) = slot {
            // SAFETY: the register held it, and holds it no more.
            unsafe { self.heap.release(object) };
        }
    }

    /// The value in a register, which holds it on.
    fn value(&mut self, register: Register, kind: Kind) -> Result<(*mut Object, Facts), String> {
        let Slot::Value(object) = *self.slot(register)? else {
            return Err(format!("register {register} holds no value"));
        };
        // SAFETY: the register holds it.
        let facts = unsafe { heap::facts(object) };
        match facts.kind == kind {
            true => Ok((object, facts)),
            false => Err(format!("register {register} holds a value of another kind")),
        }
    }

    /// The value of an operand, which the caller then holds.
    fn take(&mut self, operand: Operand) -> Result<*mut Object, String> {
        let slot = self.slot(operand.register)?;
        let Slot::Value(object) = *slot else {
            return Err(format!("register {} holds no value", operand.register));
        };
        if operand.is_last {
            *slot = Slot::Nothing;
            return Ok(object);
        }
        // SAFETY: the register holds it.
        Ok(unsafe { heap::hold(object) })
    }

    fn take_all(&mut self, operands: &[Operand]) -> Result<Vec<Slot>, String> {
        let taken = operands
            .iter()
            .map(|each| self.take(*each).map(Slot::Value));
        taken.collect()
    }

    /// A closure's function and arguments.
    fn opened(
        &mut self,
        closure: Operand,
        arguments: &[Operand],
    ) -> Result<(u32, Vec<Slot>), String> {
        let (object, facts) = self.value(closure.register, Kind::Closure)?;
        // SAFETY: the closure has so many fields, and is held until they are.
        let field = |index| unsafe { Slot::Value(heap::hold(*heap::field_of(object, index))) };
        let mut all: Vec<Slot> = (0..facts.length as usize).map(field).collect();
        all.extend(self.take_all(arguments)?);
        let closure = self.take(closure)?;
        self.let_go(Slot::Value(closure));
        let function = &self.program.functions[facts.tag as usize];
        match function.parameters as usize == all.len() {
            true => Ok((facts.tag, all)),
            false => Err("the closure does not take so many arguments".into()),
        }
    }

    /// Begins a call. If it ends its function, its caller is that function's.
    fn call(&mut self, number: u32, arguments: Vec<Slot>, to: Register, is_last: bool) -> Done {
        let mut to = to;
        if is_last && let Some(frame) = self.frames.pop() {
            to = frame.to;
            self.drop_registers(frame.base);
        }
        let function = &self.program.functions[number as usize];
        self.enter(function, arguments.into_iter(), to)
    }

    fn enter(
        &mut self,
        function: &'p Function,
        arguments: impl Iterator<Item = Slot>,
        to: Register,
    ) -> Done {
        let base = self.registers.len();
        let end = base + function.registers as usize;
        if end > MOST_REGISTERS {
            return Err(too_deep());
        }
        self.registers.extend(arguments);
        self.registers.resize(end, Slot::Nothing);
        self.frames.push(Frame {
            function,
            next: 0,
            base,
            to,
        });
        Ok(())
    }

    /// Lets go of all registers from one on.
    fn drop_registers(&mut self, base: usize) {
        while self.registers.len() > base {
            if let Some(slot) = self.registers.pop() {
                self.let_go(slot);
            }
        }
    }

    /// Ends a call. Gives the result if it was the entry's.
    fn leave(&mut self, value: *mut Object) -> Option<*mut Object> {
        let frame = self.frames.pop()?;
        self.drop_registers(frame.base);
        if self.frames.is_empty() {
            return Some(value);
        }
        // The caller has the register, as was checked.
        let _ = self.set(frame.to, Slot::Value(value));
        None
    }

    fn go_on(&mut self, at: u32) -> Done {
        if let Some(frame) = self.frames.last_mut() {
            frame.next = at as usize;
        }
        Ok(())
    }

    /// A number, or the truth of a tensor of one byte: 0 or 1.
    fn number(&mut self, register: Register) -> Result<i64, String> {
        if let Slot::Number(number) = *self.slot(register)? {
            return Ok(number);
        }
        let (object, facts) = self.value(register, Kind::Tensor)?;
        if facts.length != 1 {
            return Err(format!("register {register} holds no truth"));
        }
        // SAFETY: the tensor has one byte.
        Ok(i64::from(unsafe { *heap::data(object) } != 0))
    }

    fn data(&mut self, kind: Kind, tag: u32, fields: &[Operand]) -> Result<*mut Object, String> {
        let values = self.take_all(fields)?;
        let made = self.heap.fields(kind, tag, fields.len());
        if !made.is_null() {
            for (index, slot) in values.into_iter().enumerate() {
                if let Slot::Value(value) = slot {
                    // SAFETY: it was made with so many fields.
                    unsafe { heap::field_of(made, index).write(value) };
                }
            }
        }
        Ok(made)
    }

    /// A field, which the caller then holds.
    fn field(&mut self, register: Register, index: u32) -> Result<*mut Object, String> {
        let (object, facts) = self.value(register, Kind::Data)?;
        if u64::from(index) >= facts.length {
            return Err(format!("there is no field {index}"));
        }
        // SAFETY: it has such a field.
        Ok(unsafe { heap::hold(*heap::field_of(object, index as usize)) })
    }

    fn set_field(&mut self, register: Register, index: u32, value: Operand) -> Done {
        let (object, facts) = self.value(register, Kind::Data)?;
        if u64::from(index) >= facts.length {
            return Err(format!("there is no field {index}"));
        }
        // If the value is the object itself, and is read for the last time, then it holds itself from now on.
        let value = self.take(value)?;
        // SAFETY: it has such a field, and somebody holds it: its register, or itself.
        let before = unsafe { mem::replace(&mut *heap::field_of(object, index as usize), value) };
        self.let_go(Slot::Value(before));
        Ok(())
    }

    /// Runs a kernel.
    fn packed(&mut self, number: u32, arguments: &[Register]) -> Done {
        let kernel = &self.program.kernels[number as usize];
        let read = arguments.len() - kernel.outputs as usize;
        let mut places = Vec::with_capacity(arguments.len() + kernel.workspaces.len());
        for (index, (register, bytes)) in arguments.iter().zip(&kernel.tensors).enumerate() {
            let (object, facts) = self.value(*register, Kind::Tensor)?;
            if facts.length != *bytes || (index >= read && !facts.is_own) {
                return Err(format!(
                    "register {register} holds a tensor that kernel '{}' does not take",
                    kernel.name
                ));
            }
            // SAFETY: it is a tensor that the register holds.
            places.push(unsafe { heap::data(object) });
        }
        let mut spaces = Vec::with_capacity(kernel.workspaces.len());
        for bytes in &kernel.workspaces {
            let space = self.heap.tensor(*bytes);
            if space.is_null() {
                return Err(self.heap.failure.take().unwrap_or_default());
            }
            spaces.push(space);
            // SAFETY: it is a tensor, which was just made.
            places.push(unsafe { heap::data(space) });
        }
        // SAFETY: the kernel takes buffers of these sizes; those that it fills are nobody else's.
        unsafe { self.kernels[number as usize](places.as_ptr()) };
        spaces
            .into_iter()
            .for_each(|space| self.let_go(Slot::Value(space)));
        Ok(())
    }
}
