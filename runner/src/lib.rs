//! Timing compiled models beside each other, as a tuner asks for it.
//!
//! A [`Timer`] loads two libraries, compares what they compute, and times them in [turns]. A tuner's worker on its own machine is
//! one; on another machine, the program `relay-runner` [serves](serve) a tuner that speaks its [protocol] over a connection. Nothing here
//! compiles; it also times a [folder](bundle) of candidates that was copied to a machine: what a runner needs is the system's libraries alone.

pub mod bundle;
pub mod describe;
pub mod ends;
pub mod input;
pub mod memory;
pub mod process;
pub mod protocol;
pub mod random;
pub mod serve;
pub mod statistics;
mod store;
mod timer;
pub mod turns;

pub use protocol::{Answer, Ask, Description, Pair, Question, Trouble};
pub use timer::Timer;
