//! Facts about IR; nothing here changes it.

pub mod flops;
pub mod linear;
