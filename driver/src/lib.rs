//! From a model to a library: what the `relayc` command does, as functions, and the command.

pub mod bare;
pub mod bench;
pub mod candidates;
pub mod cli;
pub mod codes;
pub mod compile;
pub mod diff;
mod error;
pub mod explain;
pub mod exposed;
pub mod frontend;
pub mod generate;
pub mod html;
pub mod inspect;
pub mod inspect_library;
pub mod interpret;
pub mod machine;
pub mod measure;
pub mod notes;
pub mod npz;
pub mod output;
pub mod plugins;
mod progress;
pub mod quantize;
pub mod records;
pub mod report;
pub mod run;
mod signals;
pub mod sizes;
pub mod summary;
pub mod tune;
pub mod watch;

pub use error::DriverError;
