//! Facts about IR; nothing here changes it.

pub mod access;
pub mod analyzer;
pub mod bytes;
pub mod condition;
pub mod flops;
pub mod linear;
pub mod loops;
pub mod quasi_affine;
pub mod sharing;
