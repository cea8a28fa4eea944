//! Passes on Relay's operators.

mod dataflow;
mod fusion;
mod rewrite;

pub mod canonicalize_ops;
pub mod dead_code_elimination;
pub mod eliminate_common_subexpr;
pub mod fuse_ops;
pub mod infer_type;
pub mod simplify_expr;
pub mod simplify_inference;

use relay_dialects::pass::PassSpec;

/// The passes of this folder.
pub const ALL: &[&PassSpec] = &[
    &canonicalize_ops::SPEC,
    &dead_code_elimination::SPEC,
    &eliminate_common_subexpr::SPEC,
    &fuse_ops::SPEC,
    &infer_type::SPEC,
    &simplify_expr::SPEC,
    &simplify_inference::SPEC,
];
