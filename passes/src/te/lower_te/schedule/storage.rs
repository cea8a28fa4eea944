//! What a schedule says of a stage's buffer.

use super::{AxisId, StageId};
use relay_dialects::ir::{Op, Value};
use relay_dialects::te::Cache;

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

/// What a loop asks for ahead.
#[derive(Clone, Copy, Debug)]
pub struct Prefetch {
    /// The tensor.
    pub tensor: Value,
    /// The loop.
    pub axis: AxisId,
    /// The loop inside of it, and its stage, over whose iterations the requests are spread; none if all are made at once.
    pub over: Option<(StageId, AxisId)>,
    /// How many iterations ahead.
    pub offset: i64,
    /// So many iterations, from a multiple of it on, share the requests.
    pub every: i64,
    /// Where to.
    pub cache: Cache,
    /// The primitive.
    pub op: Op,
}
