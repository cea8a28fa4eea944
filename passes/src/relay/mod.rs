//! Passes on Relay's operators.

mod dataflow;
pub mod fuse_ops;
mod fusion;

use relay_dialects::pass::PassSpec;

/// The passes of this folder.
pub const ALL: &[&PassSpec] = &[&fuse_ops::SPEC];
