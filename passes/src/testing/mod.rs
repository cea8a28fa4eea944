//! Passes for tests of tools. No pipeline has them.

pub mod inject_fault;

use relay_dialects::pass::PassSpec;

/// The passes of this folder.
pub const ALL: &[&PassSpec] = &[&inject_fault::SPEC];
