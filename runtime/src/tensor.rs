//! Tensors that the caller hands over and gets back.

use std::fmt;

/// An element type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DType {
    /// 32-bit float.
    F32,
    /// 64-bit float.
    F64,
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
}

impl DType {
    const NAMES: [(DType, &'static str, usize); 7] = [
        (DType::F32, "f32", 4),
        (DType::F64, "f64", 8),
        (DType::Bool, "i1", 1),
        (DType::I8, "i8", 1),
        (DType::I16, "i16", 2),
        (DType::I32, "i32", 4),
        (DType::I64, "i64", 8),
    ];

    /// From MLIR's name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::NAMES
            .iter()
            .find(|(_, known, _)| *known == name)
            .map(|(dtype, _, _)| *dtype)
    }

    /// The bytes of an element.
    pub fn size(self) -> usize {
        Self::NAMES
            .iter()
            .find(|(dtype, _, _)| *dtype == self)
            .map_or(0, |(_, _, size)| *size)
    }
}

impl fmt::Display for DType {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = Self::NAMES
            .iter()
            .find(|(dtype, _, _)| dtype == self)
            .map_or("?", |(_, name, _)| name);
        formatter.write_str(name)
    }
}

/// A block of bytes as aligned as the widest vectors like it.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
struct Line([u8; 64]);

/// A dense row-major tensor; its data starts at a multiple of 64 bytes.
#[derive(Clone, Debug)]
pub struct Tensor {
    dtype: DType,
    shape: Vec<i64>,
    length: usize,
    lines: Vec<Line>,
}

impl Tensor {
    /// A tensor of zeros.
    pub fn zeros(dtype: DType, shape: &[i64]) -> Self {
        let length = shape.iter().product::<i64>() as usize * dtype.size();
        Self {
            dtype,
            shape: shape.to_vec(),
            length,
            lines: vec![Line([0; 64]); length.div_ceil(64)],
        }
    }

    /// A tensor from its elements' bytes; `None` if they are not as many as the shape says.
    pub fn from_bytes(dtype: DType, shape: &[i64], bytes: &[u8]) -> Option<Self> {
        let mut tensor = Self::zeros(dtype, shape);
        if bytes.len() != tensor.length {
            return None;
        }
        tensor.bytes_mut().copy_from_slice(bytes);
        Some(tensor)
    }

    /// A tensor of 32-bit floats; `None` if they are not as many as the shape says.
    pub fn from_f32(shape: &[i64], values: &[f32]) -> Option<Self> {
        let bytes: Vec<u8> = values
            .iter()
            .flat_map(|value| value.to_le_bytes())
            .collect();
        Self::from_bytes(DType::F32, shape, &bytes)
    }

    /// The element type.
    pub fn dtype(&self) -> DType {
        self.dtype
    }

    /// The dimensions.
    pub fn shape(&self) -> &[i64] {
        &self.shape
    }

    /// The elements' bytes.
    pub fn bytes(&self) -> &[u8] {
        // SAFETY: lines are plain bytes, and there are at least `length` of them.
        unsafe { std::slice::from_raw_parts(self.lines.as_ptr().cast(), self.length) }
    }

    /// The elements' bytes, to be changed.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: as above; the borrow is unique.
        unsafe { std::slice::from_raw_parts_mut(self.lines.as_mut_ptr().cast(), self.length) }
    }

    /// The elements of a tensor of 32-bit floats; `None` for other types.
    pub fn to_f32(&self) -> Option<Vec<f32>> {
        (self.dtype == DType::F32).then(|| {
            self.bytes()
                .chunks_exact(4)
                .map(|bytes| f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
                .collect()
        })
    }
}
