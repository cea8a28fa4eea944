//! Facts about IR; nothing here changes it.

pub mod bytes;
pub mod flops;
pub mod linear;
pub mod loops;
