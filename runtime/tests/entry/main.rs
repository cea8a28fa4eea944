//! The crate's tests: models written in C, linked with the runtime as the compiler links them.

mod c_interface;
mod dlpack;
mod loader;
mod pool;
mod support;
