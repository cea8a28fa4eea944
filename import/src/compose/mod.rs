//! What several formats compose of relay's operators. Nothing here knows a format: a conversion reads a node's attributes and calls
//! a function with plain arguments.

pub mod activation;
pub mod attention;
pub mod blocks;
pub mod boxes;
pub mod complex;
pub mod custom;
pub mod deform;
pub mod determinant;
pub mod diagonal;
pub mod einsum;
pub mod fourier;
pub mod frames;
pub mod gather;
pub mod greatest;
pub mod grid;
pub mod grouped;
pub mod image;
pub mod linear;
pub mod masked_slice;
pub mod norm;
pub mod pad;
pub mod quantise;
pub mod recurrent;
pub mod reduce;
pub mod resample;
pub mod rotary;
pub mod scatter;
pub mod segment;
pub mod shape;
pub mod slice;
pub mod sliding;
pub mod steps;
pub mod subscript;
pub mod window;
