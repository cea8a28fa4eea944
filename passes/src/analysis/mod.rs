//! Facts about IR; nothing here changes it.

pub mod analyzer;
pub mod condition;
pub mod access;
pub mod flops;
pub mod linear;
pub mod quasi_affine;
pub mod sharing;
