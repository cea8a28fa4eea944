//! Constant tensors: element types, contents, external files.

use super::{error::Result, proto};
use bytes::Bytes;
use relay_dialects::ir::{Ctx, Type};
use std::{
    borrow::Cow,
    cell::RefCell,
    collections::HashMap,
    fs::File,
    path::{Component, Path, PathBuf},
};

/// More elements than this in one tensor is taken for a damaged model.
pub const MAX_ELEMENTS: i64 = 1 << 40;

/// An element type that the importer supports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DType {
    /// 32-bit float
    F32,
    /// 64-bit float
    F64,
    /// 8-bit integer
    I8,
    /// 16-bit integer
    I16,
    /// 32-bit integer
    I32,
    /// 64-bit integer
    I64,
    /// boolean
    Bool,
}

/// ONNX's names of element types, by number.
const ONNX_NAMES: [&str; 24] = [
    "undefined",
    "float",
    "uint8",
    "int8",
    "uint16",
    "int16",
    "int32",
    "int64",
    "string",
    "bool",
    "float16",
    "double",
    "uint32",
    "uint64",
    "complex64",
    "complex128",
    "bfloat16",
    "float8e4m3fn",
    "float8e4m3fnuz",
    "float8e5m2",
    "float8e5m2fnuz",
    "uint4",
    "int4",
    "float4e2m1",
];

/// ONNX's name of an element type.
pub fn onnx_type_name(number: i64) -> &'static str {
    usize::try_from(number)
        .ok()
        .and_then(|number| ONNX_NAMES.get(number))
        .unwrap_or(&"unknown")
}

impl DType {
    /// The type with ONNX's number.
    pub fn of_onnx(number: i64) -> Result<Self> {
        Ok(match number {
            1 => Self::F32,
            3 => Self::I8,
            5 => Self::I16,
            6 => Self::I32,
            7 => Self::I64,
            9 => Self::Bool,
            11 => Self::F64,
            _ => {
                let name = usize::try_from(number)
                    .ok()
                    .and_then(|number| ONNX_NAMES.get(number));
                return Err(match name {
                    Some(name) => format!(
                        "element type {name} is not supported; float, double, int8, int16, int32, \
                         int64 and bool are"
                    ),
                    None => format!("element type number {number} is unknown"),
                });
            }
        })
    }

    /// That of an MLIR element type.
    pub fn of_type(ty: Type) -> Result<Self> {
        Ok(match (ty.is_float(), ty.bit_width()) {
            (true, 32) => Self::F32,
            (true, 64) => Self::F64,
            (false, 1) => Self::Bool,
            (false, 8) => Self::I8,
            (false, 16) => Self::I16,
            (false, 32) => Self::I32,
            (false, 64) => Self::I64,
            _ => return Err(format!("element type {ty} is not supported")),
        })
    }

    /// The MLIR type.
    pub fn to_type(self, ctx: Ctx) -> Type {
        match self {
            Self::F32 => Type::f32(ctx),
            Self::F64 => Type::f64(ctx),
            Self::I8 => Type::int(ctx, 8),
            Self::I16 => Type::int(ctx, 16),
            Self::I32 => Type::int(ctx, 32),
            Self::I64 => Type::int(ctx, 64),
            Self::Bool => Type::int(ctx, 1),
        }
    }

    /// Bytes per element.
    pub fn width(self) -> usize {
        match self {
            Self::I8 | Self::Bool => 1,
            Self::I16 => 2,
            Self::F32 | Self::I32 => 4,
            Self::F64 | Self::I64 => 8,
        }
    }

    /// Whether it is a float.
    pub fn is_float(self) -> bool {
        matches!(self, Self::F32 | Self::F64)
    }
}

/// Checks a shape's dimensions and returns its element count.
pub fn element_count(shape: &[i64]) -> Result<i64> {
    if let Some(dim) = shape.iter().find(|&&dim| dim < 0) {
        return Err(format!("dimension {dim} of shape {shape:?} is negative"));
    }
    // Dimensions beside a 0 are bounded, too, so that no product of some of them overflows.
    let bound = shape
        .iter()
        .try_fold(1i64, |count, &dim| count.checked_mul(dim.max(1)))
        .filter(|&count| count <= MAX_ELEMENTS)
        .ok_or_else(|| format!("shape {shape:?} has more than 2^40 elements"))?;
    Ok(if shape.contains(&0) { 0 } else { bound })
}

/// Elements as numbers.
#[derive(Clone, Debug, PartialEq)]
pub enum Numbers {
    /// Of an integer type or booleans.
    Ints(Vec<i64>),
    /// Of a float type.
    Floats(Vec<f64>),
}

/// A tensor known at compile time.
#[derive(Clone, Debug)]
pub struct Const {
    /// The element type.
    pub dtype: DType,
    /// The shape.
    pub shape: Vec<i64>,
    payload: Payload,
}

#[derive(Clone, Debug)]
enum Payload {
    /// All elements.
    Bytes(Bytes),
    /// One element, which all are equal to.
    Splat(Vec<u8>),
}

impl Const {
    /// A tensor whose elements are all the first one of `numbers`.
    pub fn splat(dtype: DType, shape: Vec<i64>, numbers: &Numbers) -> Self {
        let mut element = encode(dtype, numbers);
        element.truncate(dtype.width());
        Self {
            dtype,
            shape,
            payload: Payload::Splat(element),
        }
    }

    /// A tensor of the given elements, as many as the shape asks for.
    pub fn new(dtype: DType, shape: Vec<i64>, numbers: &Numbers) -> Self {
        let payload = Payload::Bytes(Bytes::from(encode(dtype, numbers)));
        Self {
            dtype,
            shape,
            payload,
        }
    }

    /// A tensor from its elements' bytes, as many as the shape asks for.
    pub fn of_bytes(dtype: DType, shape: Vec<i64>, bytes: Vec<u8>) -> Self {
        let payload = Payload::Bytes(Bytes::from(bytes));
        Self {
            dtype,
            shape,
            payload,
        }
    }

    /// A vector of int64.
    pub fn ints(values: &[i64]) -> Self {
        let shape = vec![values.len() as i64];
        Self::new(DType::I64, shape, &Numbers::Ints(values.to_vec()))
    }

    /// The number of elements.
    pub fn count(&self) -> usize {
        self.shape.iter().product::<i64>() as usize
    }

    /// The bytes of the one element that all are equal to, if it was made so.
    pub fn splat_bytes(&self) -> Option<&[u8]> {
        match &self.payload {
            Payload::Splat(element) => Some(element),
            Payload::Bytes(_) => None,
        }
    }

    /// All elements' bytes.
    pub fn bytes(&self) -> Cow<'_, [u8]> {
        match &self.payload {
            Payload::Splat(element) => Cow::Owned(element.repeat(self.count())),
            Payload::Bytes(bytes) => Cow::Borrowed(bytes),
        }
    }

    /// As [`Const::bytes`], without a copy of what is in memory.
    pub fn shared_bytes(&self) -> Bytes {
        match &self.payload {
            Payload::Splat(element) => Bytes::from(element.repeat(self.count())),
            Payload::Bytes(bytes) => bytes.clone(),
        }
    }

    /// The elements as numbers.
    pub fn numbers(&self) -> Numbers {
        let bytes = self.bytes();
        macro_rules! read {
            ($ty:ty, $kind:ident, $as:ty) => {
                Numbers::$kind(
                    bytes
                        .chunks_exact(size_of::<$ty>())
                        .map(|chunk| {
                            let chunk = chunk.try_into().expect("chunks have this size");
                            <$ty>::from_le_bytes(chunk) as $as
                        })
                        .collect(),
                )
            };
        }
        match self.dtype {
            DType::F32 => read!(f32, Floats, f64),
            DType::F64 => read!(f64, Floats, f64),
            DType::I8 => read!(i8, Ints, i64),
            DType::I16 => read!(i16, Ints, i64),
            DType::I32 => read!(i32, Ints, i64),
            DType::I64 => read!(i64, Ints, i64),
            DType::Bool => Numbers::Ints(bytes.iter().map(|&byte| i64::from(byte != 0)).collect()),
        }
    }

    /// The elements, if they are integers or booleans.
    pub fn to_ints(&self) -> Option<Vec<i64>> {
        match self.numbers() {
            Numbers::Ints(values) => Some(values),
            Numbers::Floats(_) => None,
        }
    }

    /// The elements as floats.
    pub fn to_floats(&self) -> Vec<f64> {
        match self.numbers() {
            Numbers::Ints(values) => values.into_iter().map(|value| value as f64).collect(),
            Numbers::Floats(values) => values,
        }
    }

    /// The same elements in another shape with as many.
    pub fn reshaped(&self, shape: Vec<i64>) -> Self {
        Self {
            shape,
            ..self.clone()
        }
    }
}

/// The bytes of `numbers` as elements of `dtype`; conversions truncate and wrap.
fn encode(dtype: DType, numbers: &Numbers) -> Vec<u8> {
    macro_rules! write {
        ($ty:ty, $numbers:expr) => {
            $numbers
                .iter()
                .flat_map(|&number| (number as $ty).to_le_bytes())
                .collect()
        };
    }
    macro_rules! each {
        ($numbers:expr, $zero:expr) => {
            match dtype {
                DType::F32 => write!(f32, $numbers),
                DType::F64 => write!(f64, $numbers),
                DType::I8 => write!(i8, $numbers),
                DType::I16 => write!(i16, $numbers),
                DType::I32 => write!(i32, $numbers),
                DType::I64 => write!(i64, $numbers),
                DType::Bool => $numbers.iter().map(|&n| u8::from(n != $zero)).collect(),
            }
        };
    }
    match numbers {
        Numbers::Ints(numbers) => each!(numbers, 0),
        Numbers::Floats(numbers) => each!(numbers, 0.0),
    }
}

/// Reads tensors, those in other files too.
#[derive(Default)]
pub struct Tensors {
    folder: Option<PathBuf>,
    files: RefCell<HashMap<PathBuf, Bytes>>,
}

impl Tensors {
    /// Tensors of a model in `folder`; external data may lie in that folder only. Without a
    /// folder there is no external data.
    pub fn new(folder: Option<&Path>) -> Self {
        Self {
            folder: folder.map(Path::to_path_buf),
            files: RefCell::default(),
        }
    }

    /// Checks and reads one tensor.
    pub fn read(&self, tensor: &proto::Tensor) -> Result<Const> {
        let dtype = DType::of_onnx(i64::from(tensor.data_type))?;
        let count = element_count(&tensor.dims)? as usize;
        let shape = tensor.dims.clone();
        let external = tensor.data_location == 1 || !tensor.external_data.is_empty();
        if !external && tensor.raw_data.is_empty() && count != 0 {
            let numbers = typed_data(tensor, dtype);
            let found = match &numbers {
                Numbers::Ints(values) => values.len(),
                Numbers::Floats(values) => values.len(),
            };
            if found != count {
                return Err(format!(
                    "shape {shape:?} asks for {count} elements, the tensor holds {found}"
                ));
            }
            return Ok(Const::new(dtype, shape, &numbers));
        }
        let bytes = if external {
            self.external(&tensor.external_data)?
        } else {
            tensor.raw_data.clone()
        };
        // At most 2^40 elements of 8 bytes: no overflow.
        let wanted = count * dtype.width();
        if bytes.len() != wanted {
            return Err(format!(
                "shape {shape:?} asks for {wanted} bytes, the tensor holds {}",
                bytes.len()
            ));
        }
        Ok(Const {
            dtype,
            shape,
            payload: Payload::Bytes(bytes),
        })
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
        let relative = Path::new(location);
        let plain = |part| matches!(part, Component::Normal(_) | Component::CurDir);
        if location.is_empty() || !relative.components().all(plain) {
            return Err(format!(
                "external data '{location}' is not below the model's folder"
            ));
        }
        let cannot = |error| format!("cannot read external data '{location}': {error}");
        let folder = folder.canonicalize().map_err(cannot)?;
        let path = folder.join(relative).canonicalize().map_err(cannot)?;
        if !path.starts_with(&folder) {
            return Err(format!(
                "external data '{location}' leaves the model's folder through a link"
            ));
        }
        if let Some(bytes) = self.files.borrow().get(&path) {
            return Ok(bytes.clone());
        }
        let bytes = map_file(&path).map_err(cannot)?;
        self.files.borrow_mut().insert(path, bytes.clone());
        Ok(bytes)
    }
}

/// Maps a file into memory.
pub fn map_file(path: &Path) -> std::io::Result<Bytes> {
    let file = File::open(path)?;
    let meta = file.metadata()?;
    if !meta.is_file() {
        return Err(std::io::Error::other("not a regular file"));
    }
    if meta.len() == 0 {
        return Ok(Bytes::new());
    }
    // SAFETY: the map is read-only and private; as with any mapped file, another process that
    // shortens the file meanwhile makes reads fault.
    let map = unsafe { memmap2::Mmap::map(&file)? };
    Ok(Bytes::from_owner(map))
}

fn typed_data(tensor: &proto::Tensor, dtype: DType) -> Numbers {
    let widen = |values: &[f32]| values.iter().map(|&value| f64::from(value)).collect();
    match dtype {
        DType::F32 => Numbers::Floats(widen(&tensor.float_data)),
        DType::F64 => Numbers::Floats(tensor.double_data.clone()),
        DType::I64 => Numbers::Ints(tensor.int64_data.clone()),
        _ => Numbers::Ints(
            tensor
                .int32_data
                .iter()
                .map(|&value| i64::from(value))
                .collect(),
        ),
    }
}
