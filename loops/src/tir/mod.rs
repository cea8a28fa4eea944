//! Passes on loop programs.

pub mod approximate_math;
pub mod hoist_if_then_else;
pub mod loop_partition;
pub mod lower_block;
pub mod lower_tir;
pub mod plan_memory;
pub mod promote_accumulators;
pub mod tir_simplify;
pub mod unroll_loop;
pub mod vectorize_loop;

use relay_dialects::pass::PassSpec;

/// The passes of this folder.
pub const ALL: &[&PassSpec] = &[
    &lower_block::SPEC,
    &hoist_if_then_else::SPEC,
    &loop_partition::SPEC,
    &vectorize_loop::SPEC,
    &unroll_loop::SPEC,
    &tir_simplify::SPEC,
    &lower_tir::SPEC,
    &approximate_math::SPEC,
    &promote_accumulators::SPEC,
    &plan_memory::SPEC,
];
