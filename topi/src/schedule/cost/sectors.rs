//! Sectors of a GPU's memory: it moves no fewer bytes.

use super::gpu;

/// The bytes of a sector. CUDA C++ best practices guide, "Coalesced access to global memory": 32.
pub const SECTOR_BYTES: i64 = 32;

/// The bytes of the sectors that so many runs of elements have. A run begins anywhere in a sector: what it does not need of its first and
/// last one, its neighbours do, from the cache that multiprocessors share.
pub fn of_runs((runs, elements): (i64, i64), bytes: i64) -> f64 {
    let length = elements * bytes;
    let all = match length % SECTOR_BYTES {
        0 => length,
        _ => length + SECTOR_BYTES,
    };
    runs as f64 * gpu::bytes_with_cache(length as f64, all as f64)
}
