//! The words in which rows are written.

pub use crate::relay::{
    Pattern::*,
    row::{Algebra, LayoutRule::*, Precision::*, Row, Scaling, Schedule},
};

use crate::element::Elements;

/// Any elements, of which nothing is computed.
pub const ANY: Elements = Elements::ANY;
/// Any elements that are computed with.
pub const VALUES: Elements = Elements::VALUES;
/// Booleans.
pub const BOOLEANS: Elements = Elements::BOOLEANS;
/// Floats.
pub const FLOATS: Elements = Elements::FLOATS;
/// Integers.
pub const INTEGERS: Elements = Elements::INTEGERS;
/// Integers and booleans.
pub const BITS: Elements = Elements::BITS;
/// Integers and floats.
pub const NUMBERS: Elements = Elements::NUMBERS;
