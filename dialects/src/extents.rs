//! Numbers of elements.

/// The product of extents, none of which is negative; `i64::MAX` where 64 bits do not hold it.
pub fn product(extents: &[i64]) -> i64 {
    if extents.contains(&0) {
        return 0;
    }
    extents
        .iter()
        .fold(1, |product: i64, extent| product.saturating_mul(*extent))
}
