//! Patterns over Relay's graphs, as TVM's `dataflow_pattern` has them, and rule files that hold such patterns.
//!
//! [`language`] says what a pattern is, [`matcher`] where it matches, [`group`] what of the graph a match takes with
//! it. [`rules`] reads rules from text, and [`rewriter`] applies them.

pub mod datum;
mod dominance;
pub mod embedded;
pub mod group;
pub mod language;
pub mod matcher;
pub mod rewriter;
pub mod rules;
mod subject;

#[cfg(test)]
mod tests;

pub use datum::Datum;
pub use language::{
    Pattern, any_tuple, dominates, has_attr, has_dtype, has_shape, has_type, is_constant, is_expr,
    is_function, is_if, is_op, is_tuple, is_tuple_get_item, is_var, wildcard,
};
pub use matcher::{Match, match_at};
pub use subject::Subject;
