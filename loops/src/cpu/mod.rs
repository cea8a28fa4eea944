//! Passes that only processors' pipelines have.

pub mod bare_buffers;
pub mod bf16_storage_legalize;
pub mod erase_scopes;
pub mod fuse_multiply_add;
pub mod fuse_round_to_integer;
pub mod lower_byte_dots;
pub mod lower_thread_binding;
pub mod outline_parallel;
pub mod plan_workspace;
pub mod skip_after_errors;

use relay_dialects::pass::PassSpec;

/// The passes of this folder.
pub const ALL: &[&PassSpec] = &[
    &lower_thread_binding::SPEC,
    &bare_buffers::SPEC,
    &skip_after_errors::SPEC,
    &outline_parallel::SPEC,
    &plan_workspace::SPEC,
    &erase_scopes::SPEC,
    &fuse_multiply_add::SPEC,
    &fuse_round_to_integer::SPEC,
    &lower_byte_dots::SPEC,
    &bf16_storage_legalize::SPEC,
];
