//! Products and common divisors of extents.

/// The product of extents, none of which is negative; `i64::MAX` where 64 bits do not hold it.
pub fn product(extents: &[i64]) -> i64 {
    if extents.contains(&0) {
        return 0;
    }
    extents
        .iter()
        .fold(1, |product: i64, extent| product.saturating_mul(*extent))
}

/// The greatest common divisor of numbers that are not negative; that of 0 and 0 is 0.
pub fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
