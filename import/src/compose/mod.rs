//! What several formats compose of relay's operators. Nothing here knows a format: a conversion reads a node's attributes and calls
//! a function with plain arguments.

pub mod activation;
pub mod attention;
pub mod blocks;
pub mod einsum;
pub mod gather;
pub mod grid;
pub mod linear;
pub mod norm;
pub mod reduce;
pub mod resample;
pub mod rotary;
pub mod scatter;
pub mod shape;
pub mod slice;
pub mod steps;
pub mod subscript;
