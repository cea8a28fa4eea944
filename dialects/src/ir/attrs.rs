//! Attributes.

use super::{Ctx, Type, collect_text, is_text, string_ref, to_string};
use crate::dim::Dim;
use mlir_sys::*;
use std::{fmt, ptr};

/// An attribute.
#[derive(Clone, Copy)]
pub struct Attr(pub(crate) MlirAttribute);

/// An attribute with its name, in the form that ops are built from.
pub type NamedAttr<'a> = (&'a str, Attr);

/// [`Op::attrs`](super::Op::attrs) in the form that ops are built from.
pub fn named(attrs: &[(String, Attr)]) -> Vec<NamedAttr<'_>> {
    let pairs = attrs.iter();
    pairs.map(|(name, attr)| (name.as_str(), *attr)).collect()
}
identity!(Attr);

impl fmt::Display for Attr {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        unsafe { mlirAttributePrint(self.0, Some(collect_text), (&raw mut text).cast()) };
        formatter.write_str(&text)
    }
}
impl fmt::Debug for Attr {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

/// Constructors.
impl Attr {
    /// Names a raw attribute.
    ///
    /// # Safety
    /// `raw` is an attribute of a live context.
    pub unsafe fn from_raw(raw: MlirAttribute) -> Self {
        Self(raw)
    }

    /// The C API's handle.
    pub fn to_raw(self) -> MlirAttribute {
        self.0
    }

    /// A 64-bit integer.
    pub fn i64(ctx: Ctx, value: i64) -> Self {
        Self::int(Type::int(ctx, 64), value)
    }

    /// An integer or index of the given type.
    pub fn int(ty: Type, value: i64) -> Self {
        Self(unsafe { mlirIntegerAttrGet(ty.0, value) })
    }

    /// A boolean.
    pub fn bool(ctx: Ctx, value: bool) -> Self {
        Self(unsafe { mlirBoolAttrGet(ctx.0, value.into()) })
    }

    /// A 64-bit float.
    pub fn f64(ctx: Ctx, value: f64) -> Self {
        Self::float(Type::f64(ctx), value)
    }

    /// A float of the given type.
    pub fn float(ty: Type, value: f64) -> Self {
        Self(unsafe { mlirFloatAttrDoubleGet(ty.ctx().0, ty.0, value) })
    }

    /// The number `value` in any scalar type.
    pub fn number(ty: Type, value: f64) -> Self {
        if ty.is_float() {
            Self::float(ty, value)
        } else {
            Self::int(ty, value as i64)
        }
    }

    /// A string.
    pub fn str(ctx: Ctx, value: &str) -> Self {
        Self(unsafe { mlirStringAttrGet(ctx.0, string_ref(value)) })
    }

    /// `array<i64: ...>`.
    pub fn ints(ctx: Ctx, values: &[i64]) -> Self {
        Self(unsafe { mlirDenseI64ArrayGet(ctx.0, values.len() as isize, values.as_ptr()) })
    }

    /// `array<f64: ...>`.
    pub fn floats(ctx: Ctx, values: &[f64]) -> Self {
        Self(unsafe { mlirDenseF64ArrayGet(ctx.0, values.len() as isize, values.as_ptr()) })
    }

    /// `array<i32: ...>`.
    pub fn short_ints(ctx: Ctx, values: &[i32]) -> Self {
        Self(unsafe { mlirDenseI32ArrayGet(ctx.0, values.len() as isize, values.as_ptr()) })
    }

    /// A list of attributes.
    pub fn array(ctx: Ctx, values: &[Attr]) -> Self {
        let raw: Vec<MlirAttribute> = values.iter().map(|value| value.0).collect();
        Self(unsafe { mlirArrayAttrGet(ctx.0, raw.len() as isize, raw.as_ptr()) })
    }

    /// A dictionary.
    pub fn dict(ctx: Ctx, entries: &[NamedAttr<'_>]) -> Self {
        let raw: Vec<MlirNamedAttribute> = entries
            .iter()
            .map(|(name, value)| MlirNamedAttribute {
                name: ctx.ident(name),
                attribute: value.0,
            })
            .collect();
        Self(unsafe { mlirDictionaryAttrGet(ctx.0, raw.len() as isize, raw.as_ptr()) })
    }

    /// A type.
    pub fn ty(ty: Type) -> Self {
        Self(unsafe { mlirTypeAttrGet(ty.0) })
    }

    /// The attribute whose presence is its meaning.
    pub fn unit(ctx: Ctx) -> Self {
        Self(unsafe { mlirUnitAttrGet(ctx.0) })
    }

    /// The reference `@name`.
    pub fn symbol(ctx: Ctx, name: &str) -> Self {
        Self(unsafe { mlirFlatSymbolRefAttrGet(ctx.0, string_ref(name)) })
    }

    /// A reference to a symbol inside of one: `@List::@Cons`.
    pub fn nested_symbol(ctx: Ctx, outer: &str, inner: &str) -> Self {
        let inner = unsafe { mlirFlatSymbolRefAttrGet(ctx.0, string_ref(inner)) };
        Self(unsafe { mlirSymbolRefAttrGet(ctx.0, string_ref(outer), 1, &raw const inner) })
    }

    /// `dense<v>`: every element of the tensor or vector type `ty` is `scalar`.
    pub fn splat(ty: Type, scalar: Attr) -> Self {
        Self(unsafe { mlirDenseElementsAttrSplatGet(ty.0, scalar.0) })
    }

    /// `dense<...>` from the elements' bytes, one byte per boolean. `None` if `bytes` does not
    /// have the size of `ty`.
    pub fn dense(ty: Type, bytes: &[u8]) -> Option<Self> {
        if bytes.len() as i64 != ty.byte_count() {
            return None;
        }
        if ty.element().is_bool() {
            let flags: Vec<i32> = bytes.iter().map(|&byte| i32::from(byte != 0)).collect();
            let count = flags.len() as isize;
            return Some(Self(unsafe {
                mlirDenseElementsAttrBoolGet(ty.0, count, flags.as_ptr())
            }));
        }
        let raw =
            unsafe { mlirDenseElementsAttrRawBufferGet(ty.0, bytes.len(), bytes.as_ptr().cast()) };
        (!raw.ptr.is_null()).then_some(Self(raw))
    }

    /// `dense_resource<name>`, which takes over `bytes` without a copy.
    pub fn resource<T: AsRef<[u8]> + Send + Sync + 'static>(
        ty: Type,
        name: &str,
        bytes: T,
    ) -> Self {
        // The blob keeps the boxed owner of the bytes; MLIR calls `drop_blob` when the context is destroyed.
        unsafe extern "C" fn drop_blob<T>(
            owner: *mut std::ffi::c_void,
            _data: *const std::ffi::c_void,
            _size: usize,
            _align: usize,
        ) {
            drop(unsafe { Box::from_raw(owner.cast::<T>()) });
        }
        let owner = Box::new(bytes);
        let bytes = (*owner).as_ref();
        let (data, length) = (bytes.as_ptr(), bytes.len());
        Self(unsafe {
            mlirUnmanagedDenseResourceElementsAttrGet(
                ty.0,
                string_ref(name),
                data.cast_mut().cast(),
                length,
                // Elements are read as bytes or copied, never through a typed reference.
                1,
                false,
                Some(drop_blob::<T>),
                Box::into_raw(owner).cast(),
            )
        })
    }

    /// Parses an attribute, for those that have no constructor here.
    pub fn parse(ctx: Ctx, text: &str) -> Option<Self> {
        let raw = unsafe { mlirAttributeParseGet(ctx.0, string_ref(text)) };
        (!raw.ptr.is_null()).then_some(Self(raw))
    }
}

/// Readers: each returns `None` if the attribute is of another kind.
impl Attr {
    /// The value of an integer, boolean or index.
    pub fn as_i64(self) -> Option<i64> {
        unsafe {
            if mlirAttributeIsABool(self.0) {
                return Some(i64::from(mlirBoolAttrGetValue(self.0)));
            }
            mlirAttributeIsAInteger(self.0).then(|| match self.typ().is_unsigned() {
                true => mlirIntegerAttrGetValueUInt(self.0) as i64,
                false => mlirIntegerAttrGetValueInt(self.0),
            })
        }
    }

    /// The value of a float.
    pub fn as_f64(self) -> Option<f64> {
        unsafe { mlirAttributeIsAFloat(self.0).then(|| mlirFloatAttrGetValueDouble(self.0)) }
    }

    /// The value of a boolean.
    pub fn as_bool(self) -> Option<bool> {
        unsafe { mlirAttributeIsABool(self.0).then(|| mlirBoolAttrGetValue(self.0)) }
    }

    /// The text of a string.
    pub fn as_str(self) -> Option<String> {
        unsafe { mlirAttributeIsAString(self.0).then(|| to_string(mlirStringAttrGetValue(self.0))) }
    }

    /// The strings of an array of strings.
    pub fn as_texts(self) -> Option<Vec<String>> {
        self.as_array()?.into_iter().map(Attr::as_str).collect()
    }

    /// A list of dimensions: of integers, or of integers and texts of forms.
    pub fn as_dims(self) -> Option<Vec<Dim>> {
        if let Some(extents) = self.as_ints() {
            return Some(extents.into_iter().map(Dim::Known).collect());
        }
        self.as_array()?.into_iter().map(Attr::as_dim).collect()
    }

    /// A dimension: an integer, or the text of a form.
    pub fn as_dim(self) -> Option<Dim> {
        match self.as_str() {
            Some(form) => Dim::parse(&form).ok(),
            None => self.as_i64().map(Dim::Known),
        }
    }

    /// Whether it is the string `text`.
    pub fn is_str(self, text: &str) -> bool {
        unsafe { mlirAttributeIsAString(self.0) && is_text(mlirStringAttrGetValue(self.0), text) }
    }

    /// The name in a symbol reference.
    pub fn as_symbol(self) -> Option<String> {
        unsafe {
            mlirAttributeIsAFlatSymbolRef(self.0)
                .then(|| to_string(mlirFlatSymbolRefAttrGetValue(self.0)))
        }
    }

    /// The outer and the inner name of a reference to a symbol inside of one.
    pub fn as_nested_symbol(self) -> Option<(String, String)> {
        unsafe {
            let nested = mlirAttributeIsASymbolRef(self.0)
                && mlirSymbolRefAttrGetNumNestedReferences(self.0) == 1;
            nested.then(|| {
                let inner = mlirSymbolRefAttrGetNestedReference(self.0, 0);
                (
                    to_string(mlirSymbolRefAttrGetRootReference(self.0)),
                    to_string(mlirSymbolRefAttrGetRootReference(inner)),
                )
            })
        }
    }

    /// The values of `array<i64: ...>`.
    pub fn as_ints(self) -> Option<Vec<i64>> {
        unsafe {
            mlirAttributeIsADenseI64Array(self.0).then(|| {
                (0..mlirDenseArrayGetNumElements(self.0))
                    .map(|i| mlirDenseI64ArrayGetElement(self.0, i))
                    .collect()
            })
        }
    }

    /// The values of `array<f64: ...>`.
    pub fn as_floats(self) -> Option<Vec<f64>> {
        unsafe {
            mlirAttributeIsADenseF64Array(self.0).then(|| {
                (0..mlirDenseArrayGetNumElements(self.0))
                    .map(|i| mlirDenseF64ArrayGetElement(self.0, i))
                    .collect()
            })
        }
    }

    /// The values of `array<i32: ...>`.
    pub fn as_short_ints(self) -> Option<Vec<i32>> {
        unsafe {
            mlirAttributeIsADenseI32Array(self.0).then(|| {
                (0..mlirDenseArrayGetNumElements(self.0))
                    .map(|i| mlirDenseI32ArrayGetElement(self.0, i))
                    .collect()
            })
        }
    }

    /// The elements of a list.
    pub fn as_array(self) -> Option<Vec<Attr>> {
        unsafe {
            mlirAttributeIsAArray(self.0).then(|| {
                (0..mlirArrayAttrGetNumElements(self.0))
                    .map(|i| Attr(mlirArrayAttrGetElement(self.0, i)))
                    .collect()
            })
        }
    }

    /// The code in a `#gpu.object`: text or bytes, as its format says.
    pub fn gpu_object(self) -> Option<Vec<u8>> {
        unsafe {
            mlirAttributeIsAGPUObjectAttr(self.0).then(|| {
                let code = mlirGPUObjectAttrGetObject(self.0);
                std::slice::from_raw_parts(code.data.cast::<u8>(), code.length).to_vec()
            })
        }
    }

    /// The type in a type attribute.
    pub fn as_type(self) -> Option<Type> {
        unsafe { mlirAttributeIsAType(self.0).then(|| Type(mlirTypeAttrGetValue(self.0))) }
    }

    /// An entry of a dictionary.
    pub fn get(self, name: &str) -> Option<Attr> {
        unsafe {
            if !mlirAttributeIsADictionary(self.0) {
                return None;
            }
            let raw = mlirDictionaryAttrGetElementByName(self.0, string_ref(name));
            (!raw.ptr.is_null()).then_some(Attr(raw))
        }
    }

    /// The entries of a dictionary, by their names.
    pub fn as_entries(self) -> Option<Vec<(String, Attr)>> {
        unsafe {
            mlirAttributeIsADictionary(self.0).then(|| {
                (0..mlirDictionaryAttrGetNumElements(self.0))
                    .map(|i| {
                        let entry = mlirDictionaryAttrGetElement(self.0, i);
                        let name = to_string(mlirIdentifierStr(entry.name));
                        (name, Attr(entry.attribute))
                    })
                    .collect()
            })
        }
    }

    /// A copy of a dictionary in which `name` has this value, whether it was there or not.
    pub fn with(self, name: &str, value: Attr) -> Attr {
        let known = self.as_entries().unwrap_or_default();
        let mut entries: Vec<NamedAttr<'_>> = known
            .iter()
            .filter(|(known, _)| known != name)
            .map(|(known, value)| (known.as_str(), *value))
            .collect();
        entries.push((name, value));
        Self::dict(value.ctx(), &entries)
    }

    /// The context that owns it.
    pub fn ctx(self) -> Ctx {
        Ctx(unsafe { mlirAttributeGetContext(self.0) })
    }

    /// The type of a typed attribute, such as that of a dense constant.
    pub fn typ(self) -> Type {
        Type(unsafe { mlirAttributeGetType(self.0) })
    }

    /// Whether it is `dense<...>` or `dense_resource<...>`.
    pub fn is_elements(self) -> bool {
        unsafe { mlirAttributeIsAElements(self.0) }
    }

    /// Whether it is `dense_resource<...>`.
    pub fn is_resource(self) -> bool {
        unsafe { mlirAttributeIsADenseResourceElements(self.0) }
    }

    /// The one scalar of a splat.
    pub fn splat_value(self) -> Option<Attr> {
        unsafe {
            (mlirAttributeIsADenseElements(self.0) && mlirDenseElementsAttrIsSplat(self.0))
                .then(|| Attr(mlirDenseElementsAttrGetSplatValue(self.0)))
        }
    }

    /// The elements' bytes in row-major order, one byte per boolean: the content of a buffer of this type.
    /// `None` for any attribute but `dense` and `dense_resource`, for a resource whose bytes are not there, such
    /// as one read from text that elided them, and for a splat of more bytes than the [limit](crate::limits).
    pub fn bytes(self) -> Option<Vec<u8>> {
        self.read(<[u8]>::to_vec)
    }

    /// Calls `visit` with [`Attr::bytes`]; bytes that are in memory in this form are not copied.
    pub fn read<T>(self, visit: impl FnOnce(&[u8]) -> T) -> Option<T> {
        let ty = self.is_elements().then(|| self.typ())?;
        let count = ty.count() as usize;
        let width = ty.element().byte_width();
        if count == 0 {
            // MLIR may have no place for them.
            return Some(visit(&[]));
        }
        unsafe {
            if mlirAttributeIsADenseResourceElements(self.0) {
                let blob = crate::ffi::relayResourceData(self.0);
                if blob.data.is_null() || Some(blob.length) != count.checked_mul(width) {
                    return None;
                }
                let data = blob.data.cast::<u8>();
                return Some(visit(std::slice::from_raw_parts(data, blob.length)));
            }
            if !mlirAttributeIsADenseElements(self.0) {
                return None;
            }
            if ty.element().is_bool() {
                return Some(visit(&self.bool_bytes(count)?));
            }
            let data = mlirDenseElementsAttrGetRawData(self.0).cast::<u8>();
            if mlirDenseElementsAttrIsSplat(self.0) {
                let element = std::slice::from_raw_parts(data, width);
                return Some(visit(&repeated(element, count)?));
            }
            Some(visit(std::slice::from_raw_parts(data, count * width)))
        }
    }

    fn bool_bytes(self, count: usize) -> Option<Vec<u8>> {
        unsafe {
            if mlirDenseElementsAttrIsSplat(self.0) {
                let value = mlirDenseElementsAttrGetBoolSplatValue(self.0) != 0;
                return repeated(&[u8::from(value)], count);
            }
            let value = |i| u8::from(mlirDenseElementsAttrGetBoolValue(self.0, i as isize));
            Some((0..count).map(value).collect())
        }
    }
}

/// The bytes of one element repeated; `None` beyond the [limit](crate::limits), or if there is not the memory.
fn repeated(element: &[u8], count: usize) -> Option<Vec<u8>> {
    let length = element.len().checked_mul(count)?;
    if length > crate::limits::constant_bytes() {
        return None;
    }
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(length).ok()?;
    if let [byte] = element {
        bytes.resize(length, *byte);
    } else {
        (0..count).for_each(|_| bytes.extend_from_slice(element));
    }
    Some(bytes)
}

/// Memory spaces, which are attributes.
impl Type {
    /// The memory space of a memref, if it names one.
    pub fn memory_space(self) -> Option<Attr> {
        let raw = unsafe { mlirMemRefTypeGetMemorySpace(self.0) };
        (!raw.ptr.is_null()).then_some(Attr(raw))
    }

    /// A memref like this one in another memory space, or in none.
    pub fn in_memory_space(self, space: Option<Attr>) -> Self {
        let (shape, element) = (self.shape(), self.element());
        let space = space.map_or(MlirAttribute { ptr: ptr::null() }, |space| space.0);
        Self(unsafe {
            let layout = mlirMemRefTypeGetLayout(self.0);
            mlirMemRefTypeGet(
                element.0,
                shape.len() as isize,
                shape.as_ptr(),
                layout,
                space,
            )
        })
    }
}
