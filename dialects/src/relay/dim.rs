//! Arithmetic of dimensions: any of them may be [`DYNAMIC`], and no result may leave 64 bits.

use crate::ir::DYNAMIC;

fn combine(
    (lhs, rhs): (i64, i64),
    function: fn(i64, i64) -> Option<i64>,
    sign: char,
) -> Result<i64, String> {
    if lhs == DYNAMIC || rhs == DYNAMIC {
        return Ok(DYNAMIC);
    }
    function(lhs, rhs).ok_or_else(|| format!("a dimension of {lhs} {sign} {rhs} exceeds 64 bits"))
}

/// The sum; unknown if one of the dimensions is.
///
/// # Errors
/// If it exceeds 64 bits.
pub fn sum(dims: &[i64]) -> Result<i64, String> {
    let add = |total, &dim| combine((total, dim), i64::checked_add, '+');
    dims.iter().try_fold(0, add)
}

/// The product; unknown if one of the dimensions is, unless another is 0.
///
/// # Errors
/// If it exceeds 64 bits.
pub fn product(dims: &[i64]) -> Result<i64, String> {
    if dims.contains(&0) {
        return Ok(0);
    }
    let multiply = |total, &dim| combine((total, dim), i64::checked_mul, '*');
    dims.iter().try_fold(1, multiply)
}

/// `dim / factor`, where `factor` is at least 1. Unknown if `dim` is; `None` if `factor` does not divide `dim`.
pub fn quotient(dim: i64, factor: i64) -> Option<i64> {
    if dim == DYNAMIC {
        return Some(DYNAMIC);
    }
    (dim % factor == 0).then(|| dim / factor)
}

/// The one value of two dimensions that must be equal: an unknown one is taken to be equal to a known one.
/// `None` if they differ.
pub fn unify(lhs: i64, rhs: i64) -> Option<i64> {
    match (lhs, rhs) {
        _ if lhs == rhs => Some(lhs),
        (DYNAMIC, known) | (known, DYNAMIC) => Some(known),
        _ => None,
    }
}

/// The dimension that two dimensions broadcast to: as [`unify`], and 1 gives way to any other.
pub fn broadcast(lhs: i64, rhs: i64) -> Option<i64> {
    match (lhs, rhs) {
        (1, other) | (other, 1) => Some(other),
        _ => unify(lhs, rhs),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_dimensions_stay_so() {
        assert_eq!(sum(&[2, DYNAMIC, 3]), Ok(DYNAMIC));
        assert_eq!(product(&[2, DYNAMIC, 3]), Ok(DYNAMIC));
        assert_eq!(product(&[DYNAMIC, 0]), Ok(0));
        assert_eq!(quotient(DYNAMIC, 4), Some(DYNAMIC));
        assert_eq!(unify(DYNAMIC, DYNAMIC), Some(DYNAMIC));
        assert_eq!(broadcast(1, DYNAMIC), Some(DYNAMIC));
    }

    #[test]
    fn known_dimensions_are_computed() {
        assert_eq!(sum(&[2, 1, 3]), Ok(6));
        assert_eq!(product(&[]), Ok(1));
        assert_eq!(quotient(6, 4), None);
        assert_eq!(unify(DYNAMIC, 4), Some(4));
        assert_eq!(unify(3, 4), None);
        assert_eq!(broadcast(1, 0), Some(0));
        assert_eq!(broadcast(2, 0), None);
    }

    #[test]
    fn overflow_is_an_error() {
        assert!(sum(&[i64::MAX, 1]).is_err());
        assert!(product(&[i64::MAX, 2]).is_err());
        assert_eq!(product(&[i64::MAX, 2, 0]), Ok(0));
    }
}
