//! Signals: windows, which are weights that fall to both ends, Fourier transforms, and bands of their frequencies.

use super::{
    linear::dense,
    row::{Row, row},
    select::strided_slice,
    subscript::subscripts,
};
use crate::{
    graph::{
        builder::GraphBuilder,
        constant::{Const, Numbers, element_count},
        error::Result,
        value::Value,
    },
    onnx::{element::of_onnx, node::Node},
};
use relay_dialects::{
    dim::{self, Dim},
    element::Element,
};
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

/// A Fourier transform of a signal.
struct Fourier {
    /// How many numbers of the signal it reads.
    read: i64,
    /// How many steps its circle has.
    length: i64,
    /// How many numbers it gives.
    given: i64,
    /// A real signal's numbers on one side of the circle say what those on the other side are.
    one_sided: bool,
    inverse: bool,
}

/// The most elements of a transform's matrix, which is a constant, and of each of its dimensions.
const LARGEST: i64 = 1 << 26;

const NOT_ONE_SIDED: &str = "one side of the circle says all of a real signal only, and the way back from it takes pairs of a real and an imaginary part";

impl Fourier {
    /// A transform of a signal of so many numbers, of which those behind the length are left out.
    fn of(extent: i64, length: i64, one_sided: bool, inverse: bool) -> Result<Self> {
        if !(1..=LARGEST).contains(&length) {
            return Err(format!(
                "a transform has length {length}; 1 to 2^26 are supported"
            ));
        }
        let side = if one_sided { length / 2 + 1 } else { length };
        let (read, given) = if inverse {
            (side, length)
        } else {
            (length, side)
        };
        Ok(Self {
            read: extent.min(read),
            length,
            given,
            one_sided,
            inverse,
        })
    }

    /// The parts of each number it gives. What comes back from one side is a real signal.
    fn parts(&self) -> i64 {
        if self.one_sided && self.inverse { 1 } else { 2 }
    }

    /// The transform of each row of a matrix, whose numbers are pairs of a real and an imaginary part, or real ones. It is a product: so
    /// it takes as many steps as the square of the length, but those of the fastest operator there is.
    fn rows(&self, b: &mut GraphBuilder, x: &Value, is_complex: bool) -> Result<Value> {
        let factors = self.factors(b, is_complex)?;
        let factors = b.cast(&factors, x.element())?;
        dense(b, x, &factors)
    }

    /// The weight of the product: [given, parts, read, 2], or [given, parts, read] of real signals, as a matrix.
    fn factors(&self, b: &mut GraphBuilder, is_complex: bool) -> Result<Value> {
        let parts = if is_complex { 2 } else { 1 };
        let shape = [self.parts() * self.given, parts as i64 * self.read];
        if element_count(&shape)? > LARGEST {
            return Err(format!(
                "a transform of length {} takes a matrix of {shape:?}; up to 2^26 elements are supported",
                self.length
            ));
        }
        let turn = if self.inverse { TAU } else { -TAU } / self.length as f64;
        let circle: Vec<(f64, f64)> = (0..self.length)
            .map(|step| (turn * step as f64).sin_cos())
            .collect();
        let mut factors = Vec::new();
        for given in 0..self.given {
            for part in 0..self.parts() {
                for read in 0..self.read {
                    let (sin, cos) = circle[(given * read % self.length) as usize];
                    // (x + iy)(cos + i sin) has the real part x cos - y sin, and the imaginary one x sin + y cos.
                    let of_parts = if part == 0 { [cos, -sin] } else { [sin, cos] };
                    let weight = self.weight(read);
                    factors.extend(of_parts[..parts].iter().map(|factor| factor * weight));
                }
            }
        }
        let factors = Numbers::Floats(factors);
        Ok(b.known(Const::new(Element::F64, shape.to_vec(), &factors)))
    }

    /// What a number that is read counts: from one side twice, where there is another one for it on the other side.
    fn weight(&self, read: i64) -> f64 {
        let is_pair = self.one_sided && read > 0 && 2 * read != self.length;
        match (self.inverse, is_pair) {
            (false, _) => 1.0,
            (true, false) => 1.0 / self.length as f64,
            (true, true) => 2.0 / self.length as f64,
        }
    }
}

/// Whether the numbers of a signal are pairs: its last axis holds one part of each, or two.
fn is_complex(x: &Value) -> Result<bool> {
    match x.dims().last() {
        Some(Dim::Known(1)) => Ok(false),
        Some(Dim::Known(2)) => Ok(true),
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
    let (axis, last) = (x.axis(axis)?, x.rank().saturating_sub(1));
    let is_complex = is_complex(&x)?;
    if axis == last {
        return Err(format!("axis {axis} holds the parts of numbers"));
    }
    let one_sided = n.attr_bool_or("onesided", false)?;
    let inverse = n.attr_bool_or("inverse", false)?;
    let length = match n.optional_int(1, "the length")? {
        Some(length) => length,
        None if one_sided && inverse => 2 * (x.extent(axis)? - 1),
        None => x.extent(axis)?,
    };
    if one_sided && is_complex != inverse {
        return Err(NOT_ONE_SIDED.into());
    }
    let fourier = Fourier::of(x.extent(axis)?, length, one_sided, inverse)?;
    let x = strided_slice(b, &x, &[(axis, 0, fourier.read, 1)])?;
    // The axis comes before the parts, and goes back to where it was.
    let there: Vec<usize> = (0..last)
        .filter(|at| *at != axis)
        .chain([axis, last])
        .collect();
    let mut back: Vec<usize> = (0..last - 1).collect();
    back.insert(axis, last - 1);
    back.push(last);
    let moved = b.transpose(&x, &there)?;
    let rows = b.matrix(&moved, last - 1)?;
    let result = fourier.rows(b, &rows, is_complex)?;
    let numbers = [fourier.given, fourier.parts()].map(Dim::Known);
    let shape = [&moved.dims()[..last - 1], &numbers].concat();
    let result = b.reshape(&result, &shape)?;
    Ok(vec![b.transpose(&result, &back)?])
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
    let is_complex = is_complex(&x)?;
    let &[samples, extent, parts] = x.dims() else {
        return Err(format!(
            "the signal has shape {:?}, expected rank 3",
            x.dims()
        ));
    };
    let fits = dim::at_most(Dim::Known(length), extent).is_some();
    if step < 1 || length < 1 || !fits {
        return Err(format!(
            "frames of length {length} and step {step} do not fit a signal of length {extent}"
        ));
    }
    if one_sided && is_complex {
        return Err(NOT_ONE_SIDED.into());
    }
    b.equate(Dim::Known(length).min(extent)?, Dim::Known(length))?;
    let frames = extent.minus(length)?.floor_div(step)?.plus(1)?;
    let starts = subscripts(b, 2, 0, frames)?;
    let starts = b.with_scalar("multiply", &starts, step as f64)?;
    let within = subscripts(b, 2, 1, length)?;
    let places = b.binary("add", &starts, &within)?;
    let mut framed = b.taken(&x, &places, 1)?;
    if let Some(window) = window {
        let window = b.reshape(&window, &[length, 1])?;
        framed = b.binary("multiply", &framed, &window)?;
    }
    let fourier = Fourier::of(length, length, one_sided, false)?;
    let columns = parts.times(length)?;
    let rows = b.reshape(&framed, &[samples.times(frames)?, columns])?;
    let result = fourier.rows(b, &rows, is_complex)?;
    Ok(vec![b.reshape(
        &result,
        &[samples, frames, Dim::Known(fourier.given), Dim::Known(2)],
    )?])
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
