//! Fourier transforms.

use super::columns::*;
use crate::{
    dim::{self, Dim},
    relay::{Call, TensorType},
};

/// The family's rows.
pub const ROWS: &[Row] = &[
    Row::new("dft", Opaque, FLOATS, Sums, dft),
    Row::new("stft", Opaque, FLOATS, Sums, stft),
];

fn dft(call: &Call) -> Result<Vec<TensorType>, String> {
    match &call.inputs[..] {
        [re, im] if re == im && re.rank() > 0 => Ok(call.inputs.clone()),
        [re, im] => Err(format!(
            "parts {} and {} are not of one type of rank 1 or more (C1)",
            re.to_type(),
            im.to_type()
        )),
        _ => Err("takes two operands".into()),
    }
}

fn stft(call: &Call) -> Result<Vec<TensorType>, String> {
    let [data, window] = &call.inputs[..] else {
        return Err("takes two operands".into());
    };
    let [size, hop, width] = ["n_fft", "hop_length", "win_length"].map(|name| call.attrs.int(name));
    let (size, hop, width) = (size?, hop?, width?);
    let is_window = matches!(window.shape[..], [extent] if dim::unify(extent, width).is_some());
    let count = data.shape.last().and_then(|extent| extent.known());
    let count = count.filter(|_| data.rank() <= 2 && is_window && window.element == data.element);
    let count = count.ok_or_else(|| {
        format!(
            "a window {} of {width} elements does not fit data {} (C1)",
            window.to_type(),
            data.to_type()
        )
    })?;
    if hop < 1 || width < 1 || size < width || count < size {
        return Err(format!(
            "windows of {width} elements, each {hop}, for {size} bins do not fit {count} elements (C2)"
        ));
    }
    let bins = match call.attrs.bool("onesided")? {
        true => size / 2 + 1,
        false => size,
    };
    let frames = (count - size) / hop + 1;
    let mut shape = data.shape.clone();
    shape.pop();
    shape.extend([bins, frames, 2].map(Dim::Known));
    Ok(vec![TensorType::new(shape, data.element)])
}
