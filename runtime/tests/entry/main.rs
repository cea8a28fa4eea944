//! The crate's tests: models written in C, linked with the runtime as the compiler links them.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on says where")]

mod c_interface;
mod cgroup;
mod device;
mod dlpack;
mod donation;
mod loader;
mod pool;
mod support;
