//! Signals: windows, which are weights that fall to both ends, Fourier transforms, and bands of their frequencies.

use super::{
    row::{Row, row},
    subscript::subscripts,
};
use crate::{
    compose::{
        complex::Complex,
        fourier::{Kind, Signal, half, of_half, whole},
        frames::{Frames, framed},
    },
    graph::{
        builder::GraphBuilder,
        constant::{Const, Numbers, element_count},
        error::Result,
        value::Value,
    },
    onnx::{element::of_onnx, node::Node},
};
use relay_dialects::{dim::Dim, element::Element};
use std::f64::consts::{LN_10, TAU};

/// The family's rows. The windows' numbers, which have no unit, are those of ONNX's operators.
pub const ROWS: &[Row] = &[
    row("BlackmanWindow", 17, |n, b| {
        cosines(n, b, &[0.42, -0.5, 0.08])
    }),
    row("DFT", 17, dft),
    row("HammingWindow", 17, |n, b| {
        cosines(n, b, &[25.0 / 46.0, -21.0 / 46.0])
    }),
    row("HannWindow", 17, |n, b| cosines(n, b, &[0.5, -0.5])),
    row("MelWeightMatrix", 17, mel_weights),
    row("STFT", 17, stft),
];

/// A sum of cosines with these factors: of angle 0, of one turn over the window, of two, and so on. The last element of a window that is
/// not periodic is at the end of a turn, that of another one is a step before it.
fn cosines(n: &Node<'_>, b: &mut GraphBuilder, factors: &[f64]) -> Result<Vec<Value>> {
    n.check_inputs(1)?;
    let size = n.int(0, "the size")?;
    if size < 0 {
        return Err(format!("the size (input 0) is {size}"));
    }
    let element = of_onnx(n.attr_i64_or("output_datatype", 1)?)?;
    let steps = match n.attr_bool_or("periodic", true)? {
        true => size,
        false => size - 1,
    };
    let places = subscripts(b, 1, 0, size)?;
    let places = b.cast(&places, Element::F64)?;
    let mut sum = b.filled(Element::F64, &[size], 0.0)?;
    for (turns, &factor) in factors.iter().enumerate() {
        let angle = turns as f64 * TAU / steps.max(1) as f64;
        let angles = b.with_scalar("multiply", &places, angle)?;
        let cosine = b.unary("cos", &angles)?;
        let term = b.with_scalar("multiply", &cosine, factor)?;
        sum = b.binary("add", &sum, &term)?;
    }
    Ok(vec![b.cast(&sum, element)?])
}

/// The most frequencies, bands, and elements of their weights, which are a constant.
const LARGEST: i64 = 1 << 26;

const NOT_ONE_SIDED: &str = "one side of the circle says all of a real signal only, and the way back from it takes pairs of a real and an imaginary part";

/// The numbers of a signal, whose last axis holds one part of each, or two.
fn signal(b: &mut GraphBuilder, x: &Value) -> Result<Signal> {
    match x.dims().split_last() {
        Some((Dim::Known(1), dims)) => Ok(Signal::Real(b.reshape(x, dims)?)),
        Some((Dim::Known(2), _)) => Ok(Signal::Complex(Complex::of_pairs(b, x)?)),
        _ => Err(format!(
            "the last axis of a signal of shape {:?} holds neither 1 nor 2 parts of numbers",
            x.dims()
        )),
    }
}

/// The transform along one axis. What is behind its length is left out; what is missing counts as 0.
fn dft(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(if n.opset < 20 { 2 } else { 3 })?;
    let x = n.input(0)?;
    let axis = match n.opset {
        ..20 => n.attr_i64_or("axis", 1)?,
        _ => n.optional_int(2, "the axis")?.unwrap_or(-2),
    };
    let axis = x.axis(axis)?;
    if axis + 1 == x.rank() {
        return Err(format!("axis {axis} holds the parts of numbers"));
    }
    let one_sided = n.attr_bool_or("onesided", false)?;
    let inverse = n.attr_bool_or("inverse", false)?;
    let axes = [(axis, n.optional_int(1, "the length")?)];
    let kind = Kind::plain(inverse);
    let made = match (signal(b, &x)?, one_sided) {
        (signal, false) => whole(b, signal, &axes, kind)?,
        (Signal::Real(x), true) if !inverse => half(b, &x, &axes, kind)?,
        (Signal::Complex(x), true) if inverse => {
            let real = of_half(b, x, &axes, kind)?;
            let shape = [real.dims(), &[Dim::Known(1)]].concat();
            return Ok(vec![b.reshape(&real, &shape)?]);
        }
        _ => return Err(NOT_ONE_SIDED.into()),
    };
    Ok(vec![made.pairs(b)?])
}

/// The transforms of parts of a signal that lie so many steps apart, each with a window's weights.
fn stft(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(4)?;
    let x = n.input(0)?;
    let step = n.int(1, "the step")?;
    let window = n.optional(2);
    let length = match (n.optional_int(3, "the length")?, &window) {
        (Some(length), _) => length,
        (None, Some(window)) => window.shape()?.first().copied().unwrap_or(0),
        (None, None) => {
            return Err("there is neither a window (input 2) nor a length (input 3)".into());
        }
    };
    let one_sided = n.attr_bool_or("onesided", true)?;
    if x.rank() != 3 {
        return Err(format!(
            "the signal has shape {:?}, expected rank 3",
            x.dims()
        ));
    }
    let frames = signal(b, &x)?.each(|part| {
        let made = framed(b, part, Frames { length, step })?;
        match &window {
            Some(window) => {
                let window = b.reshape(window, &[length])?;
                b.binary("multiply", &made, &window)
            }
            None => Ok(made),
        }
    })?;
    let (axes, kind) = ([(2, Some(length))], Kind::plain(false));
    let made = match (frames, one_sided) {
        (Signal::Real(frames), true) => half(b, &frames, &axes, kind)?,
        (Signal::Complex(_), true) => return Err(NOT_ONE_SIDED.into()),
        (frames, false) => whole(b, frames, &axes, kind)?,
    };
    Ok(vec![made.pairs(b)?])
}

/// A frequency of f Hz is MELS * log10(1 + f / CORNER) mels (O'Shaughnessy, Speech Communication, 1987; ONNX's MelWeightMatrix).
const MELS: f64 = 2595.0;
/// A frequency, in Hz.
const CORNER: f64 = 700.0;

/// The weights that make bands of a transform's frequencies, [frequencies, bands]. The bands are triangles, equally wide in mels: each
/// rises from the centre of the one before it to its own, and falls to that of the next.
fn mel_weights(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(5)?;
    let bands = n.int(0, "the number of bands")?;
    let length = n.int(1, "the transform's length")?;
    let rate = n.int(2, "the sample rate")?;
    let mels = |place, what| match n.floats(place, what)?[..] {
        [hertz] => Ok(MELS * (hertz / CORNER).ln_1p() / LN_10),
        _ => Err(format!("{what} (input {place}) is not one number")),
    };
    let (low, high) = (mels(3, "the lower edge")?, mels(4, "the upper edge")?);
    let element = of_onnx(n.attr_i64_or("output_datatype", 1)?)?;
    if [bands, length].iter().any(|it| !(0..=LARGEST).contains(it)) || rate < 1 {
        return Err(format!(
            "there are no {bands} bands of a transform of length {length} at {rate} Hz"
        ));
    }
    let shape = [length / 2 + 1, bands];
    if element_count(&shape)? > LARGEST {
        return Err(format!(
            "weights of shape {shape:?} are too many; up to 2^26 are supported"
        ));
    }
    let step = (high - low) / (bands + 2) as f64;
    let centres: Vec<i64> = (0..bands + 2)
        .map(|band| {
            let mels = band as f64 * step + low;
            let hertz = CORNER * (mels / MELS * LN_10).exp_m1();
            ((length + 1) as f64 * hertz / rate as f64).floor() as i64
        })
        .collect();
    if centres[0] < 0 || centres.last().is_some_and(|&end| end > shape[0]) {
        return Err(format!(
            "the bands' edges are outside of 0 to {} Hz",
            rate / 2
        ));
    }
    let weights = (0..shape[0]).flat_map(|at| {
        centres
            .windows(3)
            .map(move |band| triangle(at, [band[0], band[1], band[2]]))
    });
    let weights = Numbers::Floats(weights.collect());
    let weights = b.known(Const::new(Element::F64, shape.to_vec(), &weights));
    Ok(vec![b.cast(&weights, element)?])
}

/// The weight of a frequency in a band that rises from the first of three frequencies to the second and falls to the third.
fn triangle(at: i64, [start, top, end]: [i64; 3]) -> f64 {
    match at {
        at if at == top => 1.0,
        at if (start..top).contains(&at) => (at - start) as f64 / (top - start) as f64,
        at if (top..end).contains(&at) => (end - at) as f64 / (end - top) as f64,
        _ => 0.0,
    }
}
