//! What passes on Relay's graphs share: questions about operators, makers of some, and the driver of rewrites.

pub mod bounds;
pub mod calls;
pub mod constants;
pub mod entries;
pub mod external;
pub mod few_bits;
pub mod kept;
pub mod names;
pub mod operators;
pub mod parallel;
pub mod placement;
pub mod retype;
pub mod shapes;
pub mod simulated;
pub mod sparse;

pub use relay_dialects::rewrite;
