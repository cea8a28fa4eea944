//! Element types: one table.

use crate::dlpack::{DLDataType, code};
use half::{bf16, f16};
use std::fmt;

/// An element type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DType {
    /// Boolean, one byte.
    Bool,
    /// 8-bit signed integer.
    I8,
    /// 16-bit signed integer.
    I16,
    /// 32-bit signed integer.
    I32,
    /// 64-bit signed integer.
    I64,
    /// 8-bit unsigned integer.
    U8,
    /// 16-bit unsigned integer.
    U16,
    /// 32-bit unsigned integer.
    U32,
    /// 64-bit unsigned integer.
    U64,
    /// IEEE's 16-bit float.
    F16,
    /// A 16-bit float with the exponents of f32: the first half of one.
    BF16,
    /// 32-bit float.
    F32,
    /// 64-bit float.
    F64,
    /// 8-bit float with 4 bits of exponent, without infinities.
    F8E4M3FN,
    /// The same, whose NaN has the bits of a negative zero.
    F8E4M3FNUZ,
    /// 8-bit float with 5 bits of exponent.
    F8E5M2,
    /// The same without infinities, whose NaN has the bits of a negative zero.
    F8E5M2FNUZ,
    /// 4-bit float, in the low bits of a byte.
    F4E2M1FN,
    /// 4-bit signed integer, in the low bits of a byte.
    I4,
    /// 4-bit unsigned integer, in the low bits of a byte.
    U4,
    /// 2-bit signed integer, in the low bits of a byte.
    I2,
    /// 2-bit unsigned integer, in the low bits of a byte.
    U2,
}

/// A row: an element type with its name in MLIR and in libraries, DLPack's code for its kind of number, and its
/// bytes.
type Row = (DType, &'static str, u8, usize);

const TABLE: [Row; 22] = [
    (DType::Bool, "i1", code::BOOL, 1),
    (DType::I8, "i8", code::INT, 1),
    (DType::I16, "i16", code::INT, 2),
    (DType::I32, "i32", code::INT, 4),
    (DType::I64, "i64", code::INT, 8),
    (DType::U8, "ui8", code::UINT, 1),
    (DType::U16, "ui16", code::UINT, 2),
    (DType::U32, "ui32", code::UINT, 4),
    (DType::U64, "ui64", code::UINT, 8),
    (DType::F16, "f16", code::FLOAT, 2),
    (DType::BF16, "bf16", code::BFLOAT, 2),
    (DType::F32, "f32", code::FLOAT, 4),
    (DType::F64, "f64", code::FLOAT, 8),
    (DType::F8E4M3FN, "f8E4M3FN", code::FLOAT8_E4M3FN, 1),
    (DType::F8E4M3FNUZ, "f8E4M3FNUZ", code::FLOAT8_E4M3FNUZ, 1),
    (DType::F8E5M2, "f8E5M2", code::FLOAT8_E5M2, 1),
    (DType::F8E5M2FNUZ, "f8E5M2FNUZ", code::FLOAT8_E5M2FNUZ, 1),
    // DLPack packs types of fewer than 8 bits; ours have a byte for each element, so they are bytes there.
    (DType::F4E2M1FN, "f4E2M1FN", code::UINT, 1),
    (DType::I4, "i4", code::UINT, 1),
    (DType::U4, "ui4", code::UINT, 1),
    (DType::I2, "i2", code::UINT, 1),
    (DType::U2, "ui2", code::UINT, 1),
];

impl DType {
    /// Every element type.
    pub fn all() -> impl Iterator<Item = Self> {
        TABLE.iter().map(|(dtype, ..)| *dtype)
    }

    /// From MLIR's name.
    pub fn parse(name: &str) -> Option<Self> {
        let row = TABLE.iter().find(|(_, known, ..)| *known == name);
        row.map(|(dtype, ..)| *dtype)
    }

    /// MLIR's name.
    pub fn name(self) -> &'static str {
        self.row().1
    }

    /// The bytes of an element.
    pub fn size(self) -> usize {
        self.row().3
    }

    /// Whether neither Rust nor numpy has a type for it: an element is the low bits of a byte.
    pub fn is_stored_only(self) -> bool {
        self as usize > Self::F64 as usize
    }

    /// The element type of DLPack's description; `None` for vectors and for types that are not in the table.
    pub fn from_dlpack(ty: DLDataType) -> Option<Self> {
        Self::all().find(|dtype| DLDataType::from(*dtype) == ty)
    }

    fn row(self) -> &'static Row {
        // The table is in the order of the enum's variants; a test checks that.
        &TABLE[self as usize]
    }
}

impl fmt::Display for DType {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl From<DType> for DLDataType {
    fn from(dtype: DType) -> Self {
        let (_, _, code, size) = *dtype.row();
        Self {
            code,
            bits: size as u8 * 8,
            lanes: 1,
        }
    }
}

/// A Rust type that tensors can hold.
pub trait Element: Copy + sealed::Plain {
    /// Its element type.
    const DTYPE: DType;
}

mod sealed {
    /// Types of which every pattern of bytes is a value, and which have no padding.
    pub trait Plain {}
}

macro_rules! elements {
    ($($ty:ty => $dtype:ident),*) => {
        $(impl sealed::Plain for $ty {}
        impl Element for $ty {
            const DTYPE: DType = DType::$dtype;
        })*
    };
}

// Not booleans: most bytes are no boolean. Nor elements that Rust has no type for.
elements!(
    i8 => I8, i16 => I16, i32 => I32, i64 => I64, u8 => U8, u16 => U16, u32 => U32, u64 => U64,
    f16 => F16, bf16 => BF16, f32 => F32, f64 => F64
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_type_has_its_row() {
        for (index, (dtype, name, ..)) in TABLE.iter().enumerate() {
            assert_eq!(*dtype as usize, index);
            assert_eq!(DType::parse(name), Some(*dtype));
            let is_byte = DLDataType::from(*dtype) == DType::U8.into();
            let back = if is_byte { DType::U8 } else { *dtype };
            assert_eq!(DType::from_dlpack((*dtype).into()), Some(back));
        }
        assert_eq!(DType::parse("complex<f32>"), None);
    }
}
