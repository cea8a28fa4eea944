//! Affine maps, read from their attribute.

use super::Attr;
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
    /// The value at a point.
    pub fn value(&self, point: &[i64]) -> i64 {
        match self {
            Self::Dim(dim) => point[*dim],
            Self::Constant(value) => *value,
            Self::Add(lhs, rhs) => lhs.value(point) + rhs.value(point),
            Self::Mul(lhs, rhs) => lhs.value(point) * rhs.value(point),
            Self::FloorDiv(lhs, rhs) => lhs.value(point).div_euclid(rhs.value(point)),
            Self::CeilDiv(lhs, rhs) => -(-lhs.value(point)).div_euclid(rhs.value(point)),
            Self::Mod(lhs, rhs) => lhs.value(point).rem_euclid(rhs.value(point)),
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
}

impl Attr {
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
