//! Tensors to run a model with when nobody gives any.

use half::{bf16, f16};
use relay_runtime::{DType, Port, RuntimeError, Tensor};

/// Seeded random tensors: floats in [-1, 1), integers from 0 to 7, random booleans.
///
/// # Errors
/// If a dimension is open, or there is not enough memory.
pub fn random(ports: &[Port], seed: u64) -> Result<Vec<Tensor>, RuntimeError> {
    tensors(ports, seed, -1.0)
}

/// The same with floats in [0, 1), of which more functions are defined.
///
/// # Errors
/// If a dimension is open, or there is not enough memory.
pub fn positive(ports: &[Port], seed: u64) -> Result<Vec<Tensor>, RuntimeError> {
    tensors(ports, seed, 0.0)
}

/// Floats are at least `least`, and less than 1.
fn tensors(ports: &[Port], seed: u64, least: f64) -> Result<Vec<Tensor>, RuntimeError> {
    let mut state = seed;
    let mut next = move || {
        // SplitMix64 (Steele, Lea and Flood, 2014).
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    };
    let fill = |port: &Port| {
        if port.is_open() {
            let (name, shape) = (&port.name, port.show_shape());
            return Err(RuntimeError::Input(format!(
                "input '{name}' has the shape {shape}: its open dimensions have no sizes"
            )));
        }
        let mut tensor = Tensor::try_zeros(port.dtype, &port.shape)?;
        for element in tensor.bytes_mut().chunks_exact_mut(port.dtype.size()) {
            write_random(element, port.dtype, next(), least);
        }
        Ok(tensor)
    };
    ports.iter().map(fill).collect()
}

/// Makes an element of random bits.
fn write_random(element: &mut [u8], dtype: DType, bits: u64, least: f64) {
    let unit = (bits >> 11) as f64 / (1u64 << 53) as f64;
    let float = least + unit * (1.0 - least);
    match dtype {
        DType::F16 => element.copy_from_slice(&f16::from_f64(float).to_le_bytes()),
        DType::F32 => element.copy_from_slice(&(float as f32).to_le_bytes()),
        DType::F64 => element.copy_from_slice(&float.to_le_bytes()),
        DType::BF16 => element.copy_from_slice(&bf16::from_f32(float as f32).to_le_bytes()),
        DType::Bool => element.fill((bits & 1) as u8),
        DType::I8
        | DType::I16
        | DType::I32
        | DType::I64
        | DType::U8
        | DType::U16
        | DType::U32
        | DType::U64
        | DType::I4
        | DType::U4 => element.copy_from_slice(&(bits % 8).to_le_bytes()[..dtype.size()]),
        DType::I2 | DType::U2 => element.fill((bits % 2) as u8),
        DType::F8E4M3FN => element.fill(below_one(bits, 0x38, 0x80, least)),
        DType::F8E4M3FNUZ => element.fill(below_one(bits, 0x40, 0x80, least)),
        DType::F8E5M2 => element.fill(below_one(bits, 0x3c, 0x80, least)),
        DType::F8E5M2FNUZ => element.fill(below_one(bits, 0x40, 0x80, least)),
        DType::F4E2M1FN => element.fill(below_one(bits, 0x2, 0x8, least)),
    }
}

/// The bits of a float of 8 bits or fewer that is less than 1, whose bits are `one`. It may be negative if `least` is, but is no negative
/// zero, which some formats lack.
fn below_one(bits: u64, one: u8, sign: u8, least: f64) -> u8 {
    let magnitude = (bits >> 8) as u8 % one;
    match least < 0.0 && magnitude != 0 && bits & 1 == 1 {
        true => magnitude | sign,
        false => magnitude,
    }
}
