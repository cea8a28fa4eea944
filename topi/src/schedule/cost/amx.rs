//! Products on AMX's tiles of bf16.

use super::Cycles;

/// Multiply-adds of numbers in a cycle: `tdpbf16ps` does 16 x 16 x 32 of them, and begins every 16 cycles (Intel's
/// optimization manual, "Intel AMX").
const PRODUCTS_PER_CYCLE: f64 = 512.0;

/// So many multiply-adds of numbers.
pub fn products(multiply_adds: i64) -> Cycles {
    Cycles(multiply_adds as f64 / PRODUCTS_PER_CYCLE)
}
