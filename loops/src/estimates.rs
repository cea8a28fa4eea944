//! What the passes on loops estimate. They see no machine: a kernel's machine code depends on its text alone.

/// The ops by which `loop-partition` may grow any function.
pub const FREE_OPS: usize = 2000;

/// How many times its ops a function may grow beyond [`FREE_OPS`]. By hand: LLVM takes time in proportion to the ops.
pub const GROWTH: usize = 2;

/// The iterations that make the cost of a condition around them small. By hand: a loop of two channels within a row of pixels took
/// twice as long with conditions around it, loops over all inputs and pixels took no longer.
pub const MANY_ITERATIONS: i64 = 16;

/// The most values of an accumulator that become registers. Derived: twice the 32 vector registers of AVX-512 and NEON; LLVM would
/// spill more of them again.
pub const MAX_SLOTS: usize = 64;

/// The evaluations that take as long as one of a function such as an exponential. By hand: about ten multiply-adds.
pub const EVALUATIONS_OF_A_FUNCTION: i64 = 8;

/// The most bytes of a local buffer on the stack. A thread's stack is the caller's, and may be small: musl's threads have 128 KiB.
pub const STACK_BYTES: i64 = 16 << 10;
