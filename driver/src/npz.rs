//! Tensors in numpy's files. Numpy has no bf16: those are f32 there.

use crate::DriverError;
use half::bf16;
use ndarray::{ArrayD, IxDyn};
use ndarray_npy::{NpzReader, NpzWriter, ReadNpzError, ReadableElement, WritableElement};
use relay_runtime::{DType, Port, Tensor};
use std::{fs::File, path::Path};

/// Reads the tensors called as `ports` are, in their order.
///
/// # Errors
/// If the file is no npz archive, or a tensor is missing or of another type or shape.
pub fn read(path: &Path, ports: &[Port]) -> Result<Vec<Tensor>, DriverError> {
    let file = File::open(path).map_err(DriverError::io(path))?;
    let fail = |reason: String| DriverError::Data {
        path: path.into(),
        reason,
    };
    let mut archive =
        NpzReader::new(file).map_err(|error| fail(format!("not an npz archive: {error}")))?;
    let names = archive.names().map_err(|error| fail(error.to_string()))?;
    ports
        .iter()
        .map(|port| {
            if !names.contains(&port.name) {
                return Err(fail(format!(
                    "holds no array '{}'; it has {}",
                    port.name,
                    names.join(", ")
                )));
            }
            let tensor = read_port(&mut archive, port).map_err(|error| {
                fail(format!(
                    "array '{}' is not {}: {error}",
                    port.name, port.dtype
                ))
            })?;
            if tensor.shape() != port.shape {
                return Err(fail(format!(
                    "array '{}' has shape {:?}, the model takes {:?}",
                    port.name,
                    tensor.shape(),
                    port.shape
                )));
            }
            Ok(tensor)
        })
        .collect()
}

/// A type of elements in a tensor, and what numpy's files hold of it.
trait Element {
    /// An element in a file.
    type Number: ReadableElement + WritableElement + Copy;
    /// The bytes of one element in a tensor.
    const SIZE: usize;
    /// Adds the bytes of one.
    fn put(number: Self::Number, bytes: &mut Vec<u8>);
    /// The number of as many bytes as one has.
    fn get(bytes: &[u8]) -> Self::Number;
}

macro_rules! numbers {
    ($($ty:ty),*) => {
        $(impl Element for $ty {
            type Number = Self;
            const SIZE: usize = size_of::<$ty>();

            fn put(number: Self, bytes: &mut Vec<u8>) {
                bytes.extend(number.to_le_bytes());
            }

            fn get(bytes: &[u8]) -> Self {
                Self::from_le_bytes(bytes.try_into().expect("there are as many as it has"))
            }
        })*
    };
}

numbers!(f32, f64, i8, i16, i32, i64);

impl Element for bool {
    type Number = Self;
    const SIZE: usize = 1;

    fn put(number: Self, bytes: &mut Vec<u8>) {
        bytes.push(u8::from(number));
    }

    fn get(bytes: &[u8]) -> Self {
        bytes.iter().any(|&byte| byte != 0)
    }
}

impl Element for bf16 {
    type Number = f32;
    const SIZE: usize = size_of::<Self>();

    fn put(number: f32, bytes: &mut Vec<u8>) {
        bytes.extend(Self::from_f32(number).to_le_bytes());
    }

    fn get(bytes: &[u8]) -> f32 {
        Self::from_le_bytes(bytes.try_into().expect("there are as many as it has")).to_f32()
    }
}

/// `$body` with `$element` as the type of a tensor's elements.
macro_rules! with_element {
    ($dtype:expr, $element:ident => $body:expr) => {
        match $dtype {
            DType::F32 => with_element!(f32 as $element => $body),
            DType::F64 => with_element!(f64 as $element => $body),
            DType::BF16 => with_element!(bf16 as $element => $body),
            DType::I8 => with_element!(i8 as $element => $body),
            DType::I16 => with_element!(i16 as $element => $body),
            DType::I32 => with_element!(i32 as $element => $body),
            DType::I64 => with_element!(i64 as $element => $body),
            DType::Bool => with_element!(bool as $element => $body),
        }
    };
    ($ty:ty as $element:ident => $body:expr) => {{
        type $element = $ty;
        $body
    }};
}

fn read_port(archive: &mut NpzReader<File>, port: &Port) -> Result<Tensor, ReadNpzError> {
    with_element!(port.dtype, E => read_array::<E>(archive, port))
}

fn read_array<E: Element>(
    archive: &mut NpzReader<File>,
    port: &Port,
) -> Result<Tensor, ReadNpzError> {
    let array: ArrayD<E::Number> = archive.by_name(&port.name)?;
    let shape: Vec<i64> = array.shape().iter().map(|&dim| dim as i64).collect();
    let mut bytes = Vec::with_capacity(array.len() * E::SIZE);
    // `iter` is in logical order, whatever the order in the file.
    array.iter().for_each(|value| E::put(*value, &mut bytes));
    Ok(Tensor::from_bytes(port.dtype, &shape, &bytes)
        .expect("an array has as many elements as its shape says"))
}

/// Writes tensors under the names of `ports`.
///
/// # Errors
/// If the file cannot be written.
pub fn write(path: &Path, ports: &[Port], tensors: &[Tensor]) -> Result<(), DriverError> {
    let file = File::create(path).map_err(DriverError::io(path))?;
    let mut archive = NpzWriter::new(file);
    let fail = |error: ndarray_npy::WriteNpzError| DriverError::Data {
        path: path.into(),
        reason: error.to_string(),
    };
    for (port, tensor) in ports.iter().zip(tensors) {
        with_element!(tensor.dtype(), E => archive.add_array(port.name.as_str(), &array::<E>(tensor)))
            .map_err(fail)?;
    }
    archive.finish().map(|_| ()).map_err(fail)
}

fn array<E: Element>(tensor: &Tensor) -> ArrayD<E::Number> {
    let shape: Vec<usize> = tensor.shape().iter().map(|&dim| dim as usize).collect();
    let values = tensor.bytes().chunks_exact(E::SIZE).map(E::get).collect();
    ArrayD::from_shape_vec(IxDyn(&shape), values)
        .expect("a tensor has as many elements as its shape says")
}

/// Seeded random tensors: floats in [-1, 1), small integers, random booleans.
pub fn random(ports: &[Port], seed: u64) -> Vec<Tensor> {
    let mut state = seed;
    let mut next = move || {
        // SplitMix64 (Steele, Lea and Flood, 2014).
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    };
    ports
        .iter()
        .map(|port| {
            let count: i64 = port.shape.iter().product();
            let bytes: Vec<u8> = (0..count)
                .flat_map(|_| {
                    let bits = next();
                    let unit = (bits >> 11) as f64 / (1u64 << 53) as f64 * 2.0 - 1.0;
                    match port.dtype {
                        DType::F32 => (unit as f32).to_le_bytes().to_vec(),
                        DType::F64 => unit.to_le_bytes().to_vec(),
                        DType::BF16 => bf16::from_f32(unit as f32).to_le_bytes().to_vec(),
                        DType::Bool => vec![(bits & 1) as u8],
                        _ => (((bits % 8) as i64).to_le_bytes()[..port.dtype.size()]).to_vec(),
                    }
                })
                .collect();
            Tensor::from_bytes(port.dtype, &port.shape, &bytes)
                .expect("as many bytes as the shape says")
        })
        .collect()
}
