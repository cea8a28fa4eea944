//! Passes on tensor expressions.

pub mod te_apply_knobs;
pub mod erase_signs;
pub mod lower_te;
pub mod relay_to_te;

use relay_dialects::pass::PassSpec;

/// The passes of this folder.
pub const ALL: &[&PassSpec] = &[
    &relay_to_te::SPEC,
    &te_apply_knobs::SPEC,
    &erase_signs::SPEC,
    &lower_te::SPEC,
];
