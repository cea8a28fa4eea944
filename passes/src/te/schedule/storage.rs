//! What a schedule says of a stage's buffer.

use super::AxisId;
use relay_dialects::ir::{Op, Value};

/// The stride of one dimension, rounded up.
#[derive(Clone, Copy, Debug)]
pub struct Align {
    /// The dimension.
    pub dimension: usize,
    /// The stride leaves `offset` when divided by this.
    pub factor: i64,
    /// What it leaves.
    pub offset: i64,
    /// The primitive.
    pub op: Op,
}

/// How the iterations of a loop share the buffer of a stage that is computed in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Buffering {
    /// There are two: while one is read, the other is filled.
    Double,
    /// It is circular: what the next iteration reads again stays.
    Rolling,
}

/// What a loop fetches ahead.
#[derive(Clone, Copy, Debug)]
pub struct Prefetch {
    /// The tensor.
    pub tensor: Value,
    /// The loop.
    pub axis: AxisId,
    /// The loop inside that shares what is fetched; none if all is fetched at once.
    pub over: Option<AxisId>,
    /// How many iterations ahead.
    pub offset: i64,
    /// The primitive.
    pub op: Op,
}
