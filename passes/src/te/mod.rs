//! Passes on tensor expressions.

pub mod erase_signs;
pub mod lower_te;
pub mod relay_to_te;
pub mod te_apply_knobs;
pub mod te_auto_schedule;

use relay_dialects::pass::PassSpec;

/// The passes of this folder.
pub const ALL: &[&PassSpec] = &[
    &relay_to_te::SPEC,
    &te_apply_knobs::SPEC,
    &te_auto_schedule::SPEC,
    &erase_signs::SPEC,
    &lower_te::SPEC,
];
