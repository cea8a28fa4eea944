//! Tensors in numpy's files. Numpy has no bf16: those are f32 there.

use crate::DriverError;
use ndarray::{ArrayD, IxDyn};
use ndarray_npy::{NpzReader, NpzWriter, ReadNpzError, ReadableElement};
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

fn read_port(archive: &mut NpzReader<File>, port: &Port) -> Result<Tensor, ReadNpzError> {
    macro_rules! numbers {
        ($ty:ty) => {
            read_array::<$ty>(archive, port, |value, bytes| {
                bytes.extend(value.to_le_bytes())
            })
        };
    }
    match port.dtype {
        DType::F32 => numbers!(f32),
        DType::F64 => numbers!(f64),
        DType::BF16 => read_array::<f32>(archive, port, |value, bytes| {
            bytes.extend(to_bf16(*value).to_le_bytes())
        }),
        DType::I8 => numbers!(i8),
        DType::I16 => numbers!(i16),
        DType::I32 => numbers!(i32),
        DType::I64 => numbers!(i64),
        DType::Bool => {
            read_array::<bool>(archive, port, |value, bytes| bytes.push(u8::from(*value)))
        }
    }
}

fn read_array<T: ReadableElement>(
    archive: &mut NpzReader<File>,
    port: &Port,
    put: impl Fn(&T, &mut Vec<u8>),
) -> Result<Tensor, ReadNpzError> {
    let array: ArrayD<T> = archive.by_name(&port.name)?;
    let shape: Vec<i64> = array.shape().iter().map(|&dim| dim as i64).collect();
    let mut bytes = Vec::new();
    // `iter` is in logical order, whatever the order in the file.
    array.iter().for_each(|value| put(value, &mut bytes));
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
        macro_rules! numbers {
            ($ty:ty) => {{
                let size = size_of::<$ty>();
                let values = tensor.bytes().chunks_exact(size).map(|bytes| {
                    <$ty>::from_le_bytes(bytes.try_into().expect("chunks have this size"))
                });
                archive
                    .add_array(port.name.as_str(), &shaped(tensor, values.collect()))
                    .map_err(fail)?;
            }};
        }
        match tensor.dtype() {
            DType::F32 => numbers!(f32),
            DType::F64 => numbers!(f64),
            DType::BF16 => {
                let numbers = tensor.bytes().chunks_exact(2);
                let values = numbers.map(|pair| f32::from_le_bytes([0, 0, pair[0], pair[1]]));
                archive
                    .add_array(port.name.as_str(), &shaped(tensor, values.collect()))
                    .map_err(fail)?;
            }
            DType::I8 => numbers!(i8),
            DType::I16 => numbers!(i16),
            DType::I32 => numbers!(i32),
            DType::I64 => numbers!(i64),
            DType::Bool => {
                let values = tensor.bytes().iter().map(|&byte| byte != 0).collect();
                archive
                    .add_array(port.name.as_str(), &shaped(tensor, values))
                    .map_err(fail)?;
            }
        }
    }
    archive.finish().map(|_| ()).map_err(fail)
}

/// The bits of the bf16 nearest to a number, of two the even one.
fn to_bf16(number: f32) -> u16 {
    let bits = number.to_bits();
    let rounded = if number.is_nan() {
        // Rounding could carry into the exponent; a quiet NaN stays one.
        bits | 0x0040_0000
    } else {
        bits.wrapping_add(0x7fff + ((bits >> 16) & 1))
    };
    (rounded >> 16) as u16
}

fn shaped<T>(tensor: &Tensor, values: Vec<T>) -> ArrayD<T> {
    let shape: Vec<usize> = tensor.shape().iter().map(|&dim| dim as usize).collect();
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
                        DType::BF16 => to_bf16(unit as f32).to_le_bytes().to_vec(),
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
