//! Passes that only GPUs' pipelines have.

pub mod bind_grid;
pub mod expand_device_math;
pub mod insert_barriers;
pub mod lower_device_ops;
pub mod outline_grids;
pub mod place_shared;
pub mod raise_scratch;

use relay_dialects::pass::PassSpec;

/// The passes of this folder.
pub const ALL: &[&PassSpec] = &[
    &raise_scratch::SPEC,
    &bind_grid::SPEC,
    &outline_grids::SPEC,
    &insert_barriers::SPEC,
    &expand_device_math::SPEC,
    &place_shared::SPEC,
    &lower_device_ops::SPEC,
];
