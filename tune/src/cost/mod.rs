//! A model of what kernels cost, learned from what was measured.
//!
//! A schedule of a kernel is a [`Sample`]: a row of [features](features) for each store in its loops. [`Model`] gives each row a
//! score, and the schedule the sum of them, as Ansor does (Zheng et al., OSDI 2020, section 5.2); of two schedules of a kernel the one
//! with the lower score is expected to be the faster one. Scores of different kernels do not compare.

pub mod features;
pub mod loss;
pub mod model;
pub mod ranking;
pub mod trees;

pub use features::{Features, Row};
pub use loss::Loss;
pub use model::{Model, ModelError, Sample};
