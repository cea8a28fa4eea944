//! What programs cost that bring their own loops: sorting, scattering and products with sparse matrices. They are written where an
//! operator is expressed, before a machine is known, so these numbers hold for all machines.

/// The most elements that are kept in order while a line is read; more are merged from runs. By hand: in the worst order each
/// element of the line moves all of them, which then takes about as long as merging runs of a thousand elements.
pub const MOST_KEPT_IN_ORDER: i64 = 16;

/// Elements are collected from a line that has at least this many times as many. By hand: in the worst order all elements are
/// collected, which takes up to twice as long as to sort the line.
pub const LEAST_OF_LINE: i64 = 8;

/// The neighbouring elements that one thread updates: a cache line of elements of 4 bytes, so that threads do not write to the
/// same line.
pub const ELEMENTS_OF_LINE: i64 = 16;

/// The elements that one thread copies: some microseconds of work. By hand.
pub const COPIED_BY_THREAD: i64 = 1 << 14;

/// Below this number of elements, setting up a vector costs more than the scalar loop. By hand.
pub const LEAST_OF_VECTOR: i64 = 4;

/// The bytes of sums of a product with a sparse matrix: eight vectors of AVX-512, which hide the latency of multiply-adds (two per cycle,
/// four cycles), or all registers of AVX2.
pub const BYTES_OF_SUMS: i64 = 512;

/// The most lanes of such a vector, of which LLVM makes several of the processor's. By hand.
pub const MOST_LANES: i64 = 64;

/// The most dense vectors that share what is read of a sparse matrix. By hand.
pub const MOST_VECTORS: i64 = 8;

/// Threads share tiles of dense vectors if there are at least this many tiles, and else rows of blocks. By hand: two for each of
/// eight threads.
pub const LEAST_TILES: i64 = 16;

/// The most rows of a sparse block that are computed together. By hand.
pub const MOST_ROWS_OF_BLOCK: i64 = 8;
