//! Attentions by blocks of keys.

use super::powers;
use crate::schedule::{F32_BYTES, Machine};

/// The most queries that go through all stages together, and the most keys of a block. By hand: with more, what is computed for keys beyond
/// the last one takes longer than what is computed once for a block.
pub const MOST_QUERIES: i64 = 64;
const MOST_KEYS: i64 = 128;

/// The least keys of a block: with fewer, the results of blocks take longer to combine than to compute. By hand.
const LEAST_KEYS: i64 = 32;

/// What a mask makes of a score of zero hides the key if it is at most this number: no score makes up for it. Masks have minus infinity, or
/// the least number of f32, -3.4e38. By hand.
pub const HIDDEN_SCORE: f64 = -1e30;

/// The keys of a block, of `depth` elements each and with values of `columns`: as many as the second cache holds beside the scores of
/// [`MOST_QUERIES`], in half of it.
pub fn keys_of_block(depth: i64, columns: i64, machine: Machine) -> i64 {
    let bytes = |keys: i64| F32_BYTES * keys * (depth + columns + MOST_QUERIES);
    let fits = |keys: &i64| bytes(*keys) <= machine.l2_bytes / 2;
    powers(MOST_KEYS)
        .filter(fits)
        .max()
        .unwrap_or(1)
        .max(LEAST_KEYS)
}
