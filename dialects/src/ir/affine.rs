//! Affine maps, read from their attribute and written as one.

use super::{Attr, Ctx};
use mlir_sys::*;

/// A result of an affine map: an expression of its dimensions.
#[derive(Clone, Debug, PartialEq)]
pub enum AffineExpr {
    /// A dimension, by number.
    Dim(usize),
    /// A number.
    Constant(i64),
    /// A sum.
    Add(Box<AffineExpr>, Box<AffineExpr>),
    /// A product.
    Mul(Box<AffineExpr>, Box<AffineExpr>),
    /// A quotient, rounded down.
    FloorDiv(Box<AffineExpr>, Box<AffineExpr>),
    /// A quotient, rounded up.
    CeilDiv(Box<AffineExpr>, Box<AffineExpr>),
    /// A remainder.
    Mod(Box<AffineExpr>, Box<AffineExpr>),
}

/// A map from indices to indices, without symbols.
#[derive(Clone, Debug, PartialEq)]
pub struct AffineMap {
    /// The number of indices that it takes.
    pub dims: usize,
    /// What it gives.
    pub results: Vec<AffineExpr>,
}

impl AffineExpr {
    /// `self + other`.
    pub fn plus(self, other: Self) -> Self {
        match (self, other) {
            (Self::Constant(0), other) | (other, Self::Constant(0)) => other,
            (lhs, rhs) => Self::Add(lhs.into(), rhs.into()),
        }
    }

    /// `self * number`.
    pub fn times(self, number: i64) -> Self {
        match number {
            1 => self,
            _ => Self::Mul(self.into(), Box::new(Self::Constant(number))),
        }
    }

    /// `self / number`, rounded down.
    pub fn floor_div(self, number: i64) -> Self {
        match number {
            1 => self,
            _ => Self::FloorDiv(self.into(), Box::new(Self::Constant(number))),
        }
    }

    /// The remainder of `self / number`.
    pub fn modulo(self, number: i64) -> Self {
        Self::Mod(self.into(), Box::new(Self::Constant(number)))
    }

    /// The value at a point; `None` where a divisor is not positive, or 64 bits do not hold the value.
    pub fn value(&self, point: &[i64]) -> Option<i64> {
        let both = |lhs: &Self, rhs: &Self| Some((lhs.value(point)?, rhs.value(point)?));
        let divided = |lhs, rhs| both(lhs, rhs).filter(|(_, divisor)| *divisor > 0);
        match self {
            Self::Dim(dim) => point.get(*dim).copied(),
            Self::Constant(value) => Some(*value),
            Self::Add(lhs, rhs) => both(lhs, rhs).and_then(|(lhs, rhs)| lhs.checked_add(rhs)),
            Self::Mul(lhs, rhs) => both(lhs, rhs).and_then(|(lhs, rhs)| lhs.checked_mul(rhs)),
            Self::FloorDiv(lhs, rhs) => divided(lhs, rhs).map(|(lhs, rhs)| lhs.div_euclid(rhs)),
            Self::CeilDiv(lhs, rhs) => {
                let (lhs, rhs) = divided(lhs, rhs)?;
                Some(lhs.div_euclid(rhs) + i64::from(lhs.rem_euclid(rhs) > 0))
            }
            Self::Mod(lhs, rhs) => divided(lhs, rhs).map(|(lhs, rhs)| lhs.rem_euclid(rhs)),
        }
    }

    /// None for symbols.
    fn read(raw: MlirAffineExpr) -> Option<Self> {
        unsafe {
            if mlirAffineExprIsADim(raw) {
                return Some(Self::Dim(mlirAffineDimExprGetPosition(raw) as usize));
            }
            if mlirAffineExprIsAConstant(raw) {
                return Some(Self::Constant(mlirAffineConstantExprGetValue(raw)));
            }
            let make = if mlirAffineExprIsAAdd(raw) {
                Self::Add
            } else if mlirAffineExprIsAMul(raw) {
                Self::Mul
            } else if mlirAffineExprIsAFloorDiv(raw) {
                Self::FloorDiv
            } else if mlirAffineExprIsACeilDiv(raw) {
                Self::CeilDiv
            } else if mlirAffineExprIsAMod(raw) {
                Self::Mod
            } else {
                return None;
            };
            let lhs = Self::read(mlirAffineBinaryOpExprGetLHS(raw))?;
            let rhs = Self::read(mlirAffineBinaryOpExprGetRHS(raw))?;
            Some(make(lhs.into(), rhs.into()))
        }
    }

    /// As MLIR has it, which simplifies what it can.
    fn write(&self, ctx: Ctx) -> MlirAffineExpr {
        let binary = |make: unsafe extern "C" fn(_, _) -> _, lhs: &Self, rhs: &Self| unsafe {
            make(lhs.write(ctx), rhs.write(ctx))
        };
        match self {
            Self::Dim(dim) => unsafe { mlirAffineDimExprGet(ctx.0, *dim as isize) },
            Self::Constant(value) => unsafe { mlirAffineConstantExprGet(ctx.0, *value) },
            Self::Add(lhs, rhs) => binary(mlirAffineAddExprGet, lhs, rhs),
            Self::Mul(lhs, rhs) => binary(mlirAffineMulExprGet, lhs, rhs),
            Self::FloorDiv(lhs, rhs) => binary(mlirAffineFloorDivExprGet, lhs, rhs),
            Self::CeilDiv(lhs, rhs) => binary(mlirAffineCeilDivExprGet, lhs, rhs),
            Self::Mod(lhs, rhs) => binary(mlirAffineModExprGet, lhs, rhs),
        }
    }
}

impl Attr {
    /// An affine map.
    pub fn affine_map(ctx: Ctx, map: &AffineMap) -> Self {
        let results = map.results.iter().map(|result| result.write(ctx));
        let mut results: Vec<MlirAffineExpr> = results.collect();
        let (dims, count) = (map.dims as isize, results.len() as isize);
        unsafe {
            let map = mlirAffineMapGet(ctx.0, dims, 0, count, results.as_mut_ptr());
            Self(mlirAffineMapAttrGet(map))
        }
    }

    /// The map in an affine map attribute; `None` if it has symbols.
    pub fn as_affine_map(self) -> Option<AffineMap> {
        unsafe {
            if !mlirAttributeIsAAffineMap(self.0) {
                return None;
            }
            let map = mlirAffineMapAttrGetValue(self.0);
            let dims = mlirAffineMapGetNumDims(map) as usize;
            let results = (0..mlirAffineMapGetNumResults(map))
                .map(|result| AffineExpr::read(mlirAffineMapGetResult(map, result)))
                .collect::<Option<_>>()?;
            Some(AffineMap { dims, results })
        }
    }
}
