//! Passes that only processors' pipelines have.

pub mod lower_thread_binding;

use relay_dialects::pass::PassSpec;

/// The passes of this folder.
pub const ALL: &[&PassSpec] = &[&lower_thread_binding::SPEC];
