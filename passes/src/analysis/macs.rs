//! How many products operators are the sums of.

use relay_dialects::{
    ir::{DYNAMIC, Op},
    relay::{Call, row_of},
};

/// The multiply-adds of an operator that sums products: of a convolution or a product of matrices, computed as its
/// definition says. `None` for other ops, and where a shape or 64 bits do not say it.
pub fn macs(op: Op) -> Option<u64> {
    let products = row_of(op)?.products?;
    let shape = op.result(0).ty().shape();
    if shape.contains(&DYNAMIC) {
        return None;
    }
    if shape.contains(&0) {
        return Some(0);
    }
    let each = products(&Call::of(op)?)?;
    let mut extents = shape.into_iter().chain([each]);
    let count = extents.try_fold(1, i64::checked_mul)?;
    u64::try_from(count).ok()
}

/// Whether an operator sums products.
pub fn multiplies(op: Op) -> bool {
    row_of(op).is_some_and(|row| row.products.is_some())
}
