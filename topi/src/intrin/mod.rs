//! Pieces of code for instructions that no loop of vectors becomes: `te.tensor_intrin` ops, by machine.

pub mod x86_amx;
