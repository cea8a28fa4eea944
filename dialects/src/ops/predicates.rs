//! What predicates of `arith.cmpi` mean.

use super::arith::CmpIPredicate;

impl CmpIPredicate {
    /// Whether it holds between two numbers.
    pub fn holds(self, lhs: i64, rhs: i64) -> bool {
        let (unsigned_lhs, unsigned_rhs) = (lhs as u64, rhs as u64);
        match self {
            Self::Eq => lhs == rhs,
            Self::Ne => lhs != rhs,
            Self::Slt => lhs < rhs,
            Self::Sle => lhs <= rhs,
            Self::Sgt => lhs > rhs,
            Self::Sge => lhs >= rhs,
            Self::Ult => unsigned_lhs < unsigned_rhs,
            Self::Ule => unsigned_lhs <= unsigned_rhs,
            Self::Ugt => unsigned_lhs > unsigned_rhs,
            Self::Uge => unsigned_lhs >= unsigned_rhs,
        }
    }
}
