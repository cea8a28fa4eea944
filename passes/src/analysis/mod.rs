//! Facts about IR; nothing here changes it.

pub mod analyzer;
pub mod condition;
pub mod flops;
pub mod linear;
