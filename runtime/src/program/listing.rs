//! Programs as text, for people.

use super::{Instruction, Operand, Program, Register};
use std::fmt;

/// A register with a mark where it is read for the last time.
impl fmt::Display for Operand {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = if self.is_last { "!" } else { "" };
        write!(formatter, "r{}{mark}", self.register)
    }
}

/// Function by function, an instruction a line. `r1!` is what register 1 holds for the last time.
impl fmt::Display for Program {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, function) in self.functions.iter().enumerate() {
            let (name, parameters) = (&function.name, function.parameters);
            let parameters: Vec<String> = (0..parameters).map(|each| format!("r{each}")).collect();
            let (parameters, registers) = (parameters.join(", "), function.registers);
            writeln!(
                formatter,
                "function {number} @{name}({parameters}), {registers} registers"
            )?;
            for (index, instruction) in function.code.iter().enumerate() {
                writeln!(formatter, "{index:>5}: {}", Line(self, instruction))?;
            }
        }
        for (number, kernel) in self.kernels.iter().enumerate() {
            let (read, filled) = kernel
                .tensors
                .split_at(kernel.tensors.len() - kernel.outputs as usize);
            writeln!(
                formatter,
                "kernel {number} @{} {read:?} -> {filled:?}",
                kernel.name
            )?;
        }
        for (number, constant) in self.constants.iter().enumerate() {
            let (offset, bytes) = (constant.offset, constant.bytes);
            writeln!(formatter, "constant {number} {bytes} bytes at {offset}")?;
        }
        for (number, message) in self.messages.iter().enumerate() {
            writeln!(formatter, "message {number} {message:?}")?;
        }
        Ok(())
    }
}

/// An instruction of a program.
struct Line<'p>(&'p Program, &'p Instruction);

impl Line<'_> {
    fn function(&self, number: u32) -> String {
        let function = self.0.functions.get(number as usize);
        function.map_or_else(
            || number.to_string(),
            |function| format!("@{}", function.name),
        )
    }

    fn kernel(&self, number: u32) -> String {
        let kernel = self.0.kernels.get(number as usize);
        kernel.map_or_else(|| number.to_string(), |kernel| format!("@{}", kernel.name))
    }
}

fn list(operands: &[Operand]) -> String {
    let operands: Vec<String> = operands.iter().map(Operand::to_string).collect();
    operands.join(", ")
}

fn registers(registers: &[Register]) -> String {
    let registers: Vec<String> = registers.iter().map(|each| format!("r{each}")).collect();
    registers.join(", ")
}

impl fmt::Display for Line<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(to) = self.1.filled() {
            write!(formatter, "r{to} = ")?;
        }
        match self.1 {
            Instruction::Move { from, .. } => write!(formatter, "move {from}"),
            Instruction::Ret { value } => write!(formatter, "ret {value}"),
            Instruction::Fatal { message } => write!(formatter, "fatal {message}"),
            Instruction::Invoke {
                function,
                arguments,
                ..
            } => write!(
                formatter,
                "invoke {}({})",
                self.function(*function),
                list(arguments)
            ),
            Instruction::InvokeClosure {
                closure, arguments, ..
            } => write!(formatter, "invoke_closure {closure}({})", list(arguments)),
            Instruction::InvokePacked { kernel, arguments } => {
                let (kernel, arguments) = (self.kernel(*kernel), registers(arguments));
                write!(formatter, "invoke_packed {kernel}({arguments})")
            }
            Instruction::AllocTensor { bytes, .. } => write!(formatter, "alloc_tensor {bytes}"),
            Instruction::AllocAdt { tag, fields, .. } => {
                write!(formatter, "alloc_adt {tag} ({})", list(fields))
            }
            Instruction::AllocClosure {
                function, captured, ..
            } => write!(
                formatter,
                "alloc_closure {}({})",
                self.function(*function),
                list(captured)
            ),
            Instruction::GetField { object, index, .. } => {
                write!(formatter, "get_field r{object}[{index}]")
            }
            Instruction::SetField {
                object,
                index,
                value,
            } => write!(formatter, "set_field r{object}[{index}] = {value}"),
            Instruction::GetTag { object, .. } => write!(formatter, "get_tag r{object}"),
            Instruction::If {
                test,
                target,
                yes,
                no,
            } => write!(formatter, "if r{test} == {target} goto {yes} else {no}"),
            Instruction::Goto { target } => write!(formatter, "goto {target}"),
            Instruction::LoadConst { constant, .. } => write!(formatter, "load_const {constant}"),
            Instruction::ReshapeTensor { from, .. } => write!(formatter, "reshape_tensor {from}"),
            Instruction::KillRegister { register } => write!(formatter, "kill r{register}"),
        }
    }
}
