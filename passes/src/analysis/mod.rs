//! Facts about IR; nothing here changes it.

pub mod condition;
pub mod flops;
pub mod linear;
