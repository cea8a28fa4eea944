//! ONNX's tensors: their contents, in the model or in files beside it.

use super::{element::of_onnx, proto};
use crate::graph::{
    constant::{Const, Numbers, element_count},
    error::Result,
    file::map_beside,
};
use bytes::Bytes;
use half::{bf16, f16};
use relay_dialects::element::Element;
use std::{
    cell::RefCell,
    collections::HashMap,
    path::{Path, PathBuf},
};

/// Reads tensors, those in other files too.
#[derive(Default)]
pub struct Tensors {
    folder: Option<PathBuf>,
    /// Where links in the folder may lead to, too.
    root: Option<PathBuf>,
    files: RefCell<HashMap<String, Bytes>>,
}

impl Tensors {
    /// Tensors of a model in `folder`; external data may lie in that folder only. Without a
    /// folder there is no external data.
    pub fn new(folder: Option<&Path>) -> Self {
        Self {
            folder: folder.map(Path::to_path_buf),
            ..Self::default()
        }
    }

    /// See [`Onnx::with_data_root`](super::Onnx::with_data_root).
    pub fn allow_links_below(&mut self, root: Option<&Path>) {
        self.root = root.map(Path::to_path_buf);
    }

    /// Checks and reads one tensor.
    pub fn read(&self, tensor: &proto::Tensor) -> Result<Const> {
        let element = of_onnx(i64::from(tensor.data_type))?;
        let count = element_count(&tensor.dims)? as usize;
        let shape = tensor.dims.clone();
        let external = tensor.data_location == 1 || !tensor.external_data.is_empty();
        if !external && tensor.raw_data.is_empty() && count != 0 && element.is_stored_only() {
            let bytes: Vec<u8> = tensor.int32_data.iter().map(|&byte| byte as u8).collect();
            return unpacked(element, shape, Bytes::from(bytes));
        }
        if !external && tensor.raw_data.is_empty() && count != 0 {
            let numbers = typed_data(tensor, element);
            let found = match &numbers {
                Numbers::Ints(values) => values.len(),
                Numbers::Floats(values) => values.len(),
            };
            if found != count {
                return Err(format!(
                    "shape {shape:?} asks for {count} elements, the tensor holds {found}"
                ));
            }
            return Ok(Const::new(element, shape, &numbers));
        }
        let bytes = if external {
            self.external(&tensor.external_data)?
        } else {
            tensor.raw_data.clone()
        };
        if element.is_stored_only() {
            return unpacked(element, shape, bytes);
        }
        // At most 2^40 elements of 8 bytes: no overflow.
        let wanted = count * element.bytes();
        if bytes.len() != wanted {
            return Err(format!(
                "shape {shape:?} asks for {wanted} bytes, the tensor holds {}",
                bytes.len()
            ));
        }
        Ok(Const::of_bytes(element, shape, bytes))
    }

    fn external(&self, entries: &[proto::StringPair]) -> Result<Bytes> {
        let entry = |key: &str| {
            entries
                .iter()
                .find(|entry| entry.key == key)
                .map(|entry| entry.value.as_str())
        };
        let location = entry("location").ok_or("its external data names no file")?;
        let number = |key: &str| -> Result<Option<usize>> {
            entry(key)
                .map(|text| {
                    text.parse()
                        .map_err(|_| format!("{key} '{text}' of its external data is not a number"))
                })
                .transpose()
        };
        let (offset, length) = (number("offset")?.unwrap_or(0), number("length")?);
        let file = self.file(location)?;
        let rest = file.len().checked_sub(offset);
        let length = length.or(rest);
        match (rest, length) {
            (Some(rest), Some(length)) if length <= rest => Ok(file.slice(offset..offset + length)),
            _ => Err(format!(
                "its external data lies beyond the end of '{location}' ({} bytes)",
                file.len()
            )),
        }
    }

    /// Maps a file of external data, which must lie in the model's folder.
    fn file(&self, location: &str) -> Result<Bytes> {
        let folder = self
            .folder
            .as_ref()
            .ok_or("it has external data, but the model is not read from a file")?;
        if let Some(bytes) = self.files.borrow().get(location) {
            return Ok(bytes.clone());
        }
        let bytes = map_beside("external data", (folder, self.root.as_deref()), location)?;
        self.files
            .borrow_mut()
            .insert(location.into(), bytes.clone());
        Ok(bytes)
    }
}

/// A tensor of elements of 8 bits or fewer, of which ONNX has as many in a byte as fit, the first one in the lowest bits. Each gets a
/// byte.
fn unpacked(element: Element, shape: Vec<i64>, packed: Bytes) -> Result<Const> {
    let count = element_count(&shape)? as usize;
    let bits = element.bits() as usize;
    let each = 8 / bits;
    if packed.len() != count.div_ceil(each) {
        return Err(format!(
            "shape {shape:?} asks for {} bytes, the tensor holds {}",
            count.div_ceil(each),
            packed.len()
        ));
    }
    if each == 1 {
        return Ok(Const::of_bytes(element, shape, packed));
    }
    let mask = (1u8 << bits) - 1;
    let parts = packed
        .iter()
        .flat_map(|byte| (0..each).map(move |part| byte >> (part * bits) & mask));
    let bytes: Vec<u8> = parts.take(count).collect();
    Ok(Const::of_bytes(element, shape, Bytes::from(bytes)))
}

/// The elements in the list that ONNX has for their type. Floats of 16 bits are there as integers of the same
/// bits.
fn typed_data(tensor: &proto::Tensor, element: Element) -> Numbers {
    let int32 = || tensor.int32_data.iter();
    match element {
        Element::F32 => Numbers::Floats(tensor.float_data.iter().map(|&x| x.into()).collect()),
        Element::F64 => Numbers::Floats(tensor.double_data.clone()),
        Element::F16 => Numbers::Floats(
            int32()
                .map(|&bits| f16::from_bits(bits as u16).into())
                .collect(),
        ),
        Element::Bf16 => Numbers::Floats(
            int32()
                .map(|&bits| bf16::from_bits(bits as u16).into())
                .collect(),
        ),
        Element::I64 => Numbers::ints(&tensor.int64_data),
        Element::U32 | Element::U64 => Numbers::Ints(
            tensor
                .uint64_data
                .iter()
                .map(|&value| value.into())
                .collect(),
        ),
        _ => Numbers::Ints(int32().map(|&value| value.into()).collect()),
    }
}
