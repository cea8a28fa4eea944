//! Statistics of a model's tensors, and scales that are chosen by them.
//!
//! A [`Histogram`] collects the elements of a tensor in a fixed amount of memory. A [`Method`] chooses the [`Range`] that bytes are
//! to cover, and a [`Grid`] is the scale and the zero point of the bytes. [`Errors`] compares a tensor with the exact one.

mod blocks;
mod divergence;
mod errors;
mod feedback;
mod grid;
mod histogram;
mod method;
mod moments;
mod weights;

pub use blocks::{BlockGrid, Blocks, RoundedRow};
pub use errors::Errors;
pub use feedback::Feedback;
pub use grid::{Grid, Range};
pub use histogram::Histogram;
pub use method::{Method, PERCENTILE};
pub use moments::Moments;
pub use weights::scales_of_weight;
