//! The dimensions of tensors in their types: the shape, and the texts of open dimensions in the encoding.

use super::{Attr, DYNAMIC, Type};
use crate::dim::Dim;
use mlir_sys::{mlirRankedTensorTypeGet, mlirRankedTensorTypeGetEncoding};

impl Type {
    /// A ranked tensor. Its encoding has the texts of those dimensions that are not known, if any of them is a form.
    pub fn tensor_of(dims: &[Dim], element: Type) -> Self {
        let shape: Vec<i64> = dims.iter().map(|dim| dim.to_mlir()).collect();
        if !dims.iter().any(|dim| matches!(dim, Dim::Open(_))) {
            return Self::tensor(&shape, element);
        }
        let ctx = element.ctx();
        let open = dims.iter().filter(|dim| !dim.is_known());
        let texts: Vec<Attr> = open.map(|dim| Attr::str(ctx, &dim.to_string())).collect();
        let (rank, encoding) = (shape.len() as isize, Attr::array(ctx, &texts).to_raw());
        // The shape has as many extents as its rank says; all parts are of one live context.
        unsafe {
            Self::from_raw(mlirRankedTensorTypeGet(
                rank,
                shape.as_ptr(),
                element.to_raw(),
                encoding,
            ))
        }
    }

    /// The dimensions of a tensor, with the forms in its encoding; a text that is no form stands for nothing known. Of a memref or
    /// vector, those of [`Self::shape`].
    pub fn dims(self) -> Vec<Dim> {
        let shape = self.shape();
        let texts = match shape.contains(&DYNAMIC) && self.is_tensor() {
            true => self.encoding().and_then(Attr::as_array),
            false => None,
        };
        let mut texts = texts.unwrap_or_default().into_iter();
        let dim = |extent: i64| match extent {
            DYNAMIC => {
                let text = texts.next().and_then(Attr::as_str);
                let form = text.and_then(|text| Dim::parse(&text).ok());
                form.unwrap_or(Dim::Unknown)
            }
            known => Dim::Known(known),
        };
        shape.into_iter().map(dim).collect()
    }

    /// The encoding of a ranked tensor, if it has one.
    pub fn encoding(self) -> Option<Attr> {
        let encoding = unsafe { mlirRankedTensorTypeGetEncoding(self.to_raw()) };
        // A raw attribute of a type of a live context.
        (!encoding.ptr.is_null()).then(|| unsafe { Attr::from_raw(encoding) })
    }
}
