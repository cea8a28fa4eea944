//! Types.

use super::{Ctx, DYNAMIC, collect_text};
use mlir_sys::*;
use std::{fmt, ptr};

/// A type.
#[derive(Clone, Copy)]
pub struct Type(pub(crate) MlirType);
identity!(Type);

impl fmt::Display for Type {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        unsafe { mlirTypePrint(self.0, Some(collect_text), (&raw mut text).cast()) };
        formatter.write_str(&text)
    }
}
impl fmt::Debug for Type {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

impl Type {
    /// Names a raw type.
    ///
    /// # Safety
    /// `raw` is a type of a live context.
    pub unsafe fn from_raw(raw: MlirType) -> Self {
        Self(raw)
    }

    /// The C API's handle.
    pub fn to_raw(self) -> MlirType {
        self.0
    }

    /// The 32-bit float.
    pub fn f32(ctx: Ctx) -> Self {
        Self(unsafe { mlirF32TypeGet(ctx.0) })
    }

    /// The 64-bit float.
    pub fn f64(ctx: Ctx) -> Self {
        Self(unsafe { mlirF64TypeGet(ctx.0) })
    }

    /// The 16-bit float with the exponents of f32.
    pub fn bf16(ctx: Ctx) -> Self {
        Self(unsafe { mlirBF16TypeGet(ctx.0) })
    }

    /// The 16-bit float of IEEE 754.
    pub fn f16(ctx: Ctx) -> Self {
        Self(unsafe { mlirF16TypeGet(ctx.0) })
    }

    /// The float with 4 bits of exponent and 3 of fraction.
    pub fn f8_e4m3fn(ctx: Ctx) -> Self {
        Self(unsafe { mlirFloat8E4M3FNTypeGet(ctx.0) })
    }

    /// The float with 4 bits of exponent and 3 of fraction, and no negative zero.
    pub fn f8_e4m3fnuz(ctx: Ctx) -> Self {
        Self(unsafe { mlirFloat8E4M3FNUZTypeGet(ctx.0) })
    }

    /// The float with 5 bits of exponent and 2 of fraction.
    pub fn f8_e5m2(ctx: Ctx) -> Self {
        Self(unsafe { mlirFloat8E5M2TypeGet(ctx.0) })
    }

    /// The float with 5 bits of exponent and 2 of fraction, and no negative zero.
    pub fn f8_e5m2fnuz(ctx: Ctx) -> Self {
        Self(unsafe { mlirFloat8E5M2FNUZTypeGet(ctx.0) })
    }

    /// The float with 2 bits of exponent and 1 of fraction.
    pub fn f4_e2m1fn(ctx: Ctx) -> Self {
        Self(unsafe { mlirFloat4E2M1FNTypeGet(ctx.0) })
    }

    /// The unsigned integer of `width` bits.
    pub fn unsigned(ctx: Ctx, width: u32) -> Self {
        Self(unsafe { mlirIntegerTypeUnsignedGet(ctx.0, width) })
    }

    /// The signless integer of `width` bits.
    pub fn int(ctx: Ctx, width: u32) -> Self {
        Self(unsafe { mlirIntegerTypeGet(ctx.0, width) })
    }

    /// The type of loop variables and subscripts.
    pub fn index(ctx: Ctx) -> Self {
        Self(unsafe { mlirIndexTypeGet(ctx.0) })
    }

    /// A ranked tensor; a dimension may be [`DYNAMIC`].
    pub fn tensor(shape: &[i64], element: Type) -> Self {
        let encoding = MlirAttribute { ptr: ptr::null() };
        let rank = shape.len() as isize;
        Self(unsafe { mlirRankedTensorTypeGet(rank, shape.as_ptr(), element.0, encoding) })
    }

    /// A row-major buffer in the default memory space.
    pub fn memref(shape: &[i64], element: Type) -> Self {
        let none = MlirAttribute { ptr: ptr::null() };
        let rank = shape.len() as isize;
        Self(unsafe { mlirMemRefTypeContiguousGet(element.0, rank, shape.as_ptr(), none) })
    }

    /// A fixed-length vector.
    pub fn vector(shape: &[i64], element: Type) -> Self {
        let rank = shape.len() as isize;
        Self(unsafe { mlirVectorTypeGet(rank, shape.as_ptr(), element.0) })
    }

    /// A function type.
    pub fn function(ctx: Ctx, inputs: &[Type], results: &[Type]) -> Self {
        let raw = |types: &[Type]| types.iter().map(|ty| ty.0).collect::<Vec<_>>();
        let (ins, outs) = (raw(inputs), raw(results));
        Self(unsafe {
            mlirFunctionTypeGet(
                ctx.0,
                ins.len() as isize,
                ins.as_ptr(),
                outs.len() as isize,
                outs.as_ptr(),
            )
        })
    }

    /// A tuple type.
    pub fn tuple(ctx: Ctx, fields: &[Type]) -> Self {
        let fields: Vec<MlirType> = fields.iter().map(|ty| ty.0).collect();
        Self(unsafe { mlirTupleTypeGet(ctx.0, fields.len() as isize, fields.as_ptr()) })
    }

    /// Parses a type, for those that have no constructor here.
    pub fn parse(ctx: Ctx, text: &str) -> Option<Self> {
        let raw = unsafe { mlirTypeParseGet(ctx.0, super::string_ref(text)) };
        (!raw.ptr.is_null()).then_some(Self(raw))
    }

    /// The context that owns it.
    pub fn ctx(self) -> Ctx {
        Ctx(unsafe { mlirTypeGetContext(self.0) })
    }

    /// Whether it is a ranked tensor.
    pub fn is_tensor(self) -> bool {
        unsafe { mlirTypeIsARankedTensor(self.0) }
    }

    /// Whether it is a memref.
    pub fn is_memref(self) -> bool {
        unsafe { mlirTypeIsAMemRef(self.0) }
    }

    /// Whether it is a function type.
    pub fn is_function(self) -> bool {
        unsafe { mlirTypeIsAFunction(self.0) }
    }

    /// Whether it is a vector.
    pub fn is_vector(self) -> bool {
        unsafe { mlirTypeIsAVector(self.0) }
    }

    /// Whether it is `index`.
    pub fn is_index(self) -> bool {
        unsafe { mlirTypeIsAIndex(self.0) }
    }

    /// Whether it is a float of any width.
    pub fn is_float(self) -> bool {
        unsafe { mlirTypeIsAFloat(self.0) }
    }

    /// Whether it is the 32-bit float.
    pub fn is_f32(self) -> bool {
        unsafe { mlirTypeIsAF32(self.0) }
    }

    /// Whether it is the 16-bit float with the exponents of f32.
    pub fn is_bf16(self) -> bool {
        unsafe { mlirTypeIsABF16(self.0) }
    }

    /// Whether it is the 16-bit float of IEEE 754.
    pub fn is_f16(self) -> bool {
        unsafe { mlirTypeIsAF16(self.0) }
    }

    /// Whether it is the 64-bit float.
    pub fn is_f64(self) -> bool {
        unsafe { mlirTypeIsAF64(self.0) }
    }

    /// Whether it is a signless integer, such as `i8`.
    pub fn is_signless(self) -> bool {
        unsafe { self.is_int() && mlirIntegerTypeIsSignless(self.0) }
    }

    /// Whether it is an unsigned integer, as `ui8`.
    pub fn is_unsigned(self) -> bool {
        unsafe { self.is_int() && mlirIntegerTypeIsUnsigned(self.0) }
    }

    /// Whether it is an integer (not `index`).
    pub fn is_int(self) -> bool {
        unsafe { mlirTypeIsAInteger(self.0) }
    }

    /// Whether it is `i1`.
    pub fn is_bool(self) -> bool {
        self.is_int() && self.bit_width() == 1
    }

    /// The integer type that `arith` computes with: an unsigned integer becomes a signless one of the same
    /// width. Any other type is left as it is.
    pub fn signless(self) -> Type {
        if self.is_unsigned() {
            Self::int(self.ctx(), self.bit_width())
        } else {
            self
        }
    }

    /// The least and the greatest number of an integer type, as bits of 64: of `ui64`, the greatest is -1.
    pub fn int_range(self) -> (i64, i64) {
        let unused = 64 - self.bit_width().min(64);
        if self.is_unsigned() {
            (0, (u64::MAX >> unused) as i64)
        } else {
            (i64::MIN >> unused, i64::MAX >> unused)
        }
    }

    /// The bits of an integer or float, which this must be.
    pub fn bit_width(self) -> u32 {
        // MLIR does not check the type, and would read whatever lies there.
        assert!(self.is_int() || self.is_float(), "{self} has no width");
        unsafe {
            if self.is_int() {
                mlirIntegerTypeGetWidth(self.0)
            } else {
                mlirFloatTypeGetWidth(self.0)
            }
        }
    }

    /// The bytes that one element takes in a buffer; a boolean takes one.
    pub fn byte_width(self) -> usize {
        if self.is_index() {
            8
        } else {
            self.bit_width().div_ceil(8) as usize
        }
    }

    /// The dimensions of a tensor, memref or vector; [`DYNAMIC`] where unknown. Of anything else, none.
    pub fn shape(self) -> Vec<i64> {
        unsafe {
            // MLIR checks neither, and would read whatever lies there.
            if !mlirTypeIsAShaped(self.0) || !mlirShapedTypeHasRank(self.0) {
                return Vec::new();
            }
            let rank = mlirShapedTypeGetRank(self.0);
            (0..rank as isize)
                .map(|dim| mlirShapedTypeGetDimSize(self.0, dim))
                .collect()
        }
    }

    /// Whether all dimensions are known.
    pub fn is_static(self) -> bool {
        !self.shape().contains(&DYNAMIC)
    }

    /// The number of elements of a static shape; `i64::MAX` where there are more.
    pub fn count(self) -> i64 {
        crate::extents::product(&self.shape())
    }

    /// The bytes of a static shape's elements; `i64::MAX` where there are more.
    pub fn byte_count(self) -> i64 {
        let bytes = self.element().byte_width() as i64;
        self.count().saturating_mul(bytes)
    }

    /// The element type of a tensor, memref or vector; of anything else, itself.
    pub fn element(self) -> Type {
        unsafe {
            if mlirTypeIsAShaped(self.0) {
                Self(mlirShapedTypeGetElementType(self.0))
            } else {
                self
            }
        }
    }

    /// A number or a vector with other elements.
    #[must_use]
    pub fn with_element(self, element: Type) -> Type {
        if self.is_vector() {
            Self::vector(&self.shape(), element)
        } else {
            element
        }
    }

    /// The inputs of a function type, which this must be.
    pub fn inputs(self) -> Vec<Type> {
        assert!(self.is_function(), "{self} has no inputs");
        let count = unsafe { mlirFunctionTypeGetNumInputs(self.0) };
        (0..count)
            .map(|i| Self(unsafe { mlirFunctionTypeGetInput(self.0, i) }))
            .collect()
    }

    /// The results of a function type, which this must be.
    pub fn results(self) -> Vec<Type> {
        assert!(self.is_function(), "{self} has no results");
        let count = unsafe { mlirFunctionTypeGetNumResults(self.0) };
        (0..count)
            .map(|i| Self(unsafe { mlirFunctionTypeGetResult(self.0, i) }))
            .collect()
    }

    /// The fields of a tuple type.
    pub fn fields(self) -> Option<Vec<Type>> {
        unsafe {
            mlirTypeIsATuple(self.0).then(|| {
                (0..mlirTupleTypeGetNumTypes(self.0))
                    .map(|i| Self(mlirTupleTypeGetType(self.0, i)))
                    .collect()
            })
        }
    }
}
