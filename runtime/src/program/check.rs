//! What has to hold of a program before it runs.
//!
//! What a register holds is looked at when it is read; here is what needs to be looked at once.

use super::{Function, Instruction, Program, Register};

/// The most registers of a function. A call has memory for all of them.
const MOST_REGISTERS: u32 = 1 << 20;

/// Checks a program.
///
/// # Errors
/// The first thing that is wrong, with its function and instruction.
pub(super) fn check(program: &Program) -> Result<(), String> {
    if program.functions.is_empty() {
        return Err("the program has no functions".into());
    }
    for kernel in &program.kernels {
        if kernel.outputs as usize > kernel.tensors.len() {
            return Err(format!("kernel '{}' fills more than it takes", kernel.name));
        }
    }
    for function in &program.functions {
        let at = |at: usize| {
            move |reason: String| {
                format!("function '{}', instruction {at}: {reason}", function.name)
            }
        };
        if function.registers > MOST_REGISTERS || function.parameters > function.registers {
            return Err(at(0)(format!("it has {} registers", function.registers)));
        }
        for (index, instruction) in function.code.iter().enumerate() {
            registers(function, instruction).map_err(at(index))?;
            numbers(program, instruction).map_err(at(index))?;
            flow(function, index, instruction).map_err(at(index))?;
        }
        if function.code.is_empty() {
            return Err(at(0)("it does nothing".into()));
        }
    }
    Ok(())
}

fn registers(function: &Function, instruction: &Instruction) -> Result<(), String> {
    let all = instruction.read().into_iter().chain(instruction.filled());
    let has = |register: &Register| *register < function.registers;
    match all.into_iter().find(|register| !has(register)) {
        Some(register) => Err(format!("there is no register {register}")),
        None => Ok(()),
    }
}

/// Checks what an instruction names by number, but for its own function's.
fn numbers(program: &Program, instruction: &Instruction) -> Result<(), String> {
    let there = |what: &str, number: u32, count: usize| match (number as usize) < count {
        true => Ok(()),
        false => Err(format!("there is no {what} {number}")),
    };
    match instruction {
        Instruction::Invoke {
            function,
            arguments,
            ..
        } => {
            there("function", *function, program.functions.len())?;
            let takes = program.functions[*function as usize].parameters as usize;
            count("function", takes == arguments.len())
        }
        Instruction::AllocClosure {
            function, captured, ..
        } => {
            there("function", *function, program.functions.len())?;
            let takes = program.functions[*function as usize].parameters as usize;
            count("function", captured.len() <= takes)
        }
        Instruction::InvokePacked { kernel, arguments } => {
            there("kernel", *kernel, program.kernels.len())?;
            let kernel = &program.kernels[*kernel as usize];
            count("kernel", kernel.tensors.len() == arguments.len())?;
            let (read, filled) = arguments.split_at(arguments.len() - kernel.outputs as usize);
            let is_apart = |(index, register): (usize, &Register)| {
                !read.contains(register) && !filled[..index].contains(register)
            };
            match filled.iter().enumerate().all(is_apart) {
                true => Ok(()),
                false => Err("it fills a tensor that it has twice".into()),
            }
        }
        Instruction::LoadConst { constant, .. } => {
            there("constant", *constant, program.constants.len())
        }
        Instruction::Fatal { message } => there("message", *message, program.messages.len()),
        _ => Ok(()),
    }
}

fn count(what: &str, is_right: bool) -> Result<(), String> {
    match is_right {
        true => Ok(()),
        false => Err(format!("the {what} does not take so many arguments")),
    }
}

fn flow(function: &Function, index: usize, instruction: &Instruction) -> Result<(), String> {
    let length = function.code.len();
    let mut targets = instruction.targets().into_iter();
    if let Some(target) = targets.find(|target| *target as usize >= length) {
        return Err(format!("there is no instruction {target}"));
    }
    match instruction.falls_through() && index + 1 == length {
        true => Err("the function does not end here".into()),
        false => Ok(()),
    }
}
