//! Passes on the graph around the kernels: one for each way to run it.

pub mod aot_lower_main;

use relay_dialects::pass::PassSpec;

/// The passes of this folder.
pub const ALL: &[&PassSpec] = &[&aot_lower_main::SPEC];
