//! One over the square root of an integer, in fixed point as TensorFlow Lite's kernel of bytes computes it.
//!
//! Source: `GetInvSqrtQuantizedMultiplierExp` in LiteRT's `kernels/internal/common.h`, and RSQRT in `kernels/elementwise.cc`.

use super::fixed::Factor;

/// The bits behind the point of the root before it is multiplied.
const ROOT_BITS: i32 = 20;

/// The root of a half, with 31 bits behind the point.
const ROOT_OF_HALF: i32 = 1_518_500_250;

/// The steps by which Newton's method gets near.
const STEPS: usize = 5;

/// factor / sqrt(number), for a number above 0.
pub fn inverse_root(number: i32, factor: Factor) -> i64 {
    let root = root_factor(number);
    let root = times(
        1,
        Factor {
            exponent: root.exponent + ROOT_BITS,
            ..root
        },
    );
    let scaled = Factor {
        exponent: factor.exponent - ROOT_BITS,
        ..factor
    };
    times(root, scaled).into()
}

/// 1 / sqrt(number) as a multiplier and an exponent.
fn root_factor(number: i32) -> Factor {
    if number <= 1 {
        return Factor {
            multiplier: i32::MAX,
            exponent: 0,
        };
    }
    // Divides the number by a power of four, so that it is at least 1/4 and below 1, with 29 bits behind the point.
    let mut dropped = 11;
    let mut number = number;
    while number >= 1 << 29 {
        number /= 4;
        dropped += 1;
    }
    let pairs = (number.leading_zeros() as i32 - 1) / 2 - 1;
    dropped -= pairs;
    number <<= 2 * pairs;
    // Numbers with 3 bits before the point and 28 behind it.
    let (one, one_and_half) = (1 << 28, (1 << 28) + (1 << 27));
    let half = divided(number >> 1, 1);
    let mut root = one;
    for _ in 0..STEPS {
        let cube = shifted(product(product(root, root), root), 6);
        let difference = product(one_and_half, root).wrapping_sub(product(half, cube));
        root = shifted(difference, 3);
    }
    let root = product(root, ROOT_OF_HALF);
    match dropped {
        ..0 => Factor {
            multiplier: root << -dropped,
            exponent: 0,
        },
        _ => Factor {
            multiplier: root,
            exponent: -dropped,
        },
    }
}

/// A number times a factor, rounded twice.
fn times(number: i32, factor: Factor) -> i32 {
    let moved = number.wrapping_shl(factor.exponent.max(0) as u32);
    divided(product(moved, factor.multiplier), -factor.exponent.min(0))
}

/// The upper half of twice a product, rounded to the nearest.
fn product(a: i32, b: i32) -> i32 {
    if (a, b) == (i32::MIN, i32::MIN) {
        return i32::MAX;
    }
    let product = i64::from(a) * i64::from(b);
    let nudge = match product {
        ..0 => 1 - (1 << 30),
        _ => 1 << 30,
    };
    ((product + nudge) / (1 << 31)) as i32
}

/// A number over a power of two, rounded to the nearest; of two as near, to the one farther from zero.
fn divided(number: i32, bits: i32) -> i32 {
    match bits {
        ..=0 => number,
        32.. => 0,
        _ => {
            let half = 1i64 << (bits - 1);
            let wide = i64::from(number);
            let nudge = half - i64::from(wide < 0);
            ((wide + nudge) >> bits) as i32
        }
    }
}

/// A number times a power of two, cut to what 32 bits hold.
fn shifted(number: i32, bits: u32) -> i32 {
    let wide = i64::from(number) << bits;
    wide.clamp(i32::MIN.into(), i32::MAX.into()) as i32
}

#[cfg(test)]
mod tests {
    use super::{Factor, inverse_root};

    /// Results are near the root, for all numbers of bytes.
    #[test]
    fn roots_are_near() {
        for number in 1..=255 {
            let found = inverse_root(number, Factor::of(1000.0)) as f64;
            let right = 1000.0 / f64::from(number).sqrt();
            assert!((found - right).abs() <= 0.51, "{number}: {found}, {right}");
        }
    }
}
