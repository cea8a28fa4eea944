//! Programs of the whole language: functions that call each other, closures and data types.
//!
//! A graph is a row of kernels, and needs none of this. A program has a row of [instructions](Instruction) for each
//! function. There are two ways to run it. The compiler writes machine code for the instructions, which calls
//! [`native`]; or the instructions are in the library as data ([`bytes`]), and the [machine](machine) runs them. Both run the
//! same kernels, and have their values in the same [heap](heap).
//!
//! The instructions are those of TVM's virtual machine, by their names, but for these. Operands say whether they are used
//! again, so that what is not needed any more is given back at once, and a call that ends a function takes no memory.
//! [`Instruction::SetField`] is for references. Shapes are known when a program is compiled, and the heap keeps the memory of
//! what was given back: there is no `AllocStorage`, `AllocTensorReg`, `ShapeOf` or `DeviceCopy`.

pub mod bytes;
mod check;
pub mod heap;
mod listing;
mod machine;
pub mod native;
pub(crate) mod run;
mod stack;

use serde::{Deserialize, Serialize};

/// The number of a register of a function. The first ones hold its arguments.
pub type Register = u32;

/// A register that an instruction reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Operand {
    /// The register.
    pub register: Register,
    /// Whether nothing reads it later: the instruction takes the value out of it.
    pub is_last: bool,
}

/// What a function does next. Jumps name instructions of their function by number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Instruction {
    /// `to` holds what `from` holds.
    Move {
        /// Where to.
        to: Register,
        /// Where from.
        from: Operand,
    },
    /// Gives a value to the caller.
    Ret {
        /// The value.
        value: Operand,
    },
    /// Ends the program with an error.
    Fatal {
        /// The number of its message.
        message: u32,
    },
    /// Calls a function.
    Invoke {
        /// Where its result goes.
        to: Register,
        /// The number of the function.
        function: u32,
        /// Its arguments.
        arguments: Vec<Operand>,
    },
    /// Calls what a closure was made of: with what it captured, and then these arguments.
    InvokeClosure {
        /// Where its result goes.
        to: Register,
        /// The closure.
        closure: Operand,
        /// The arguments.
        arguments: Vec<Operand>,
    },
    /// Runs a kernel on tensors: those that it reads, and then those that it fills.
    InvokePacked {
        /// The number of the kernel.
        kernel: u32,
        /// The tensors.
        arguments: Vec<Register>,
    },
    /// Makes a tensor whose elements are not set.
    AllocTensor {
        /// Where it goes.
        to: Register,
        /// Its bytes.
        bytes: u64,
    },
    /// Makes a value of a data type, a tuple or a reference.
    AllocAdt {
        /// Where it goes.
        to: Register,
        /// The number of the constructor; 0 for tuples and references.
        tag: u32,
        /// The fields.
        fields: Vec<Operand>,
    },
    /// Makes a closure.
    AllocClosure {
        /// Where it goes.
        to: Register,
        /// The number of the function.
        function: u32,
        /// Its first arguments.
        captured: Vec<Operand>,
    },
    /// Reads a field of a value that [`Instruction::AllocAdt`] made.
    GetField {
        /// Where it goes.
        to: Register,
        /// The value.
        object: Register,
        /// The number of the field.
        index: u32,
    },
    /// Sets a field of a value that [`Instruction::AllocAdt`] made.
    SetField {
        /// The value.
        object: Register,
        /// The number of the field.
        index: u32,
        /// What it is to hold.
        value: Operand,
    },
    /// Reads the number of the constructor that made a value.
    GetTag {
        /// Where it goes, as a number.
        to: Register,
        /// The value.
        object: Register,
    },
    /// Goes on at one of two instructions.
    If {
        /// A number, or a tensor of one element of one byte.
        test: Register,
        /// What it is compared with.
        target: i64,
        /// Where to go on if it is that.
        yes: u32,
        /// Where to go on if not.
        no: u32,
    },
    /// Goes on at an instruction.
    Goto {
        /// Which.
        target: u32,
    },
    /// Makes a tensor of a constant of the model's.
    LoadConst {
        /// Where it goes.
        to: Register,
        /// The number of the constant.
        constant: u32,
    },
    /// The same elements under another shape.
    ReshapeTensor {
        /// Where it goes.
        to: Register,
        /// The tensor.
        from: Operand,
    },
    /// Gives back what a register holds.
    KillRegister {
        /// The register.
        register: Register,
    },
}

/// A function.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Function {
    /// Its name in the model.
    pub name: String,
    /// How many arguments it takes.
    pub parameters: u32,
    /// How many registers it has.
    pub registers: u32,
    /// What it does.
    pub code: Vec<Instruction>,
}

/// A kernel, as instructions see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kernel {
    /// Its name.
    pub name: String,
    /// The bytes of the tensors that it takes: those that it reads, and then those that it fills.
    pub tensors: Vec<u64>,
    /// How many of them it fills.
    pub outputs: u32,
    /// The bytes of memory that it works in, which it takes after the tensors.
    pub workspaces: Vec<u64>,
}

/// The sizes of what kernels take, as a list of numbers: for each how many tensors it takes, how many of these it fills and how
/// many workspaces it takes, and then the bytes of each.
pub fn sizes(kernels: &[Kernel]) -> Vec<u64> {
    let of_one = |kernel: &Kernel| {
        let (tensors, workspaces) = (&kernel.tensors, &kernel.workspaces);
        let counts = [
            tensors.len() as u64,
            u64::from(kernel.outputs),
            workspaces.len() as u64,
        ];
        [&counts[..], &tensors[..], &workspaces[..]].concat()
    };
    kernels.iter().flat_map(of_one).collect()
}

/// A constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Constant {
    /// Where it begins in the model's constants, in bytes.
    pub offset: u64,
    /// Its bytes.
    pub bytes: u64,
}

/// A program.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Program {
    /// Its functions. The first one is the entry; it takes the inputs, and gives a tensor, or a tuple of outputs.
    pub functions: Vec<Function>,
    /// The constants that it reads.
    pub constants: Vec<Constant>,
    /// The kernels that it runs.
    pub kernels: Vec<Kernel>,
    /// What its errors say.
    pub messages: Vec<String>,
}

impl Program {
    /// The number of a function's instruction `at` is a call that ends the function: nothing but the `Ret` of its result
    /// follows.
    pub fn is_tail_call(function: &Function, at: usize) -> bool {
        let to = match function.code.get(at) {
            Some(Instruction::Invoke { to, .. } | Instruction::InvokeClosure { to, .. }) => *to,
            _ => return false,
        };
        let value = Operand {
            register: to,
            is_last: true,
        };
        function.code.get(at + 1) == Some(&Instruction::Ret { value })
    }
}

impl Instruction {
    /// The register that it fills.
    pub fn filled(&self) -> Option<Register> {
        match self {
            Self::Move { to, .. }
            | Self::Invoke { to, .. }
            | Self::InvokeClosure { to, .. }
            | Self::AllocTensor { to, .. }
            | Self::AllocAdt { to, .. }
            | Self::AllocClosure { to, .. }
            | Self::GetField { to, .. }
            | Self::GetTag { to, .. }
            | Self::LoadConst { to, .. }
            | Self::ReshapeTensor { to, .. } => Some(*to),
            Self::Ret { .. }
            | Self::Fatal { .. }
            | Self::InvokePacked { .. }
            | Self::SetField { .. }
            | Self::If { .. }
            | Self::Goto { .. }
            | Self::KillRegister { .. } => None,
        }
    }

    /// The registers that it reads.
    pub fn read(&self) -> Vec<Register> {
        let all = |operands: &[Operand]| operands.iter().map(|each| each.register).collect();
        match self {
            Self::Move { from, .. } | Self::ReshapeTensor { from, .. } => vec![from.register],
            Self::Ret { value } => vec![value.register],
            Self::Invoke { arguments, .. } => all(arguments),
            Self::InvokeClosure {
                closure, arguments, ..
            } => [vec![closure.register], all(arguments)].concat(),
            Self::InvokePacked { arguments, .. } => arguments.clone(),
            Self::AllocAdt { fields, .. } => all(fields),
            Self::AllocClosure { captured, .. } => all(captured),
            Self::GetField { object, .. } | Self::GetTag { object, .. } => vec![*object],
            Self::SetField { object, value, .. } => vec![*object, value.register],
            Self::If { test, .. } => vec![*test],
            Self::KillRegister { register } => vec![*register],
            Self::Fatal { .. }
            | Self::AllocTensor { .. }
            | Self::Goto { .. }
            | Self::LoadConst { .. } => Vec::new(),
        }
    }

    /// The instructions at which the function may go on, if not at the next one.
    pub fn targets(&self) -> Vec<u32> {
        match self {
            Self::If { yes, no, .. } => vec![*yes, *no],
            Self::Goto { target } => vec![*target],
            _ => Vec::new(),
        }
    }

    /// Whether the function may go on at the next one.
    pub fn falls_through(&self) -> bool {
        !matches!(
            self,
            Self::Ret { .. } | Self::Fatal { .. } | Self::If { .. } | Self::Goto { .. }
        )
    }
}
