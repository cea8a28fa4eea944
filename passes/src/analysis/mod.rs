//! Facts about IR; nothing here changes it.

pub mod linear;
