//! Fourier transforms: of axes, and of frames of a signal.

use super::{
    row::{Row, complex, row},
    shape::swapped,
};
use crate::{
    compose::{
        complex::Complex,
        fourier::{self, Axis, Kind, Scale, Signal},
        frames::{Frames, framed, overlapped},
        slice::sliced,
    },
    graph::{
        builder::GraphBuilder,
        constant::{Const, Numbers},
        error::Result,
        value::Value,
    },
    torch::{
        item::Item,
        node::Node,
        promote::{DEFAULT, as_float},
    },
};
use relay_dialects::dim::Dim;

/// The family's rows.
pub const ROWS: &[Row] = &[
    complex("_fft_c2c", plain_whole),
    complex("_fft_c2r", plain_real),
    complex("_fft_r2c", plain_of_real),
    complex("fft_fft", |n, b| whole(n, b, Axes::One, false)),
    complex("fft_fft2", |n, b| whole(n, b, Axes::Two, false)),
    complex("fft_fftn", |n, b| whole(n, b, Axes::Any, false)),
    row("fft_fftfreq", |n, b| frequencies(n, b, false)),
    row("fft_fftshift", |n, b| shifted(n, b, false)),
    complex("fft_hfft", |n, b| {
        let x = n.numbers(b, "self")?.conjugate(b)?;
        real(n, b, x, Axes::One, false)
    }),
    complex("fft_ifft", |n, b| whole(n, b, Axes::One, true)),
    complex("fft_ifft2", |n, b| whole(n, b, Axes::Two, true)),
    complex("fft_ifftn", |n, b| whole(n, b, Axes::Any, true)),
    row("fft_ifftshift", |n, b| shifted(n, b, true)),
    complex("fft_ihfft", |n, b| of_real(n, b, Axes::One, true)),
    complex("fft_irfft", |n, b| {
        let x = n.numbers(b, "self")?;
        real(n, b, x, Axes::One, true)
    }),
    complex("fft_irfft2", |n, b| {
        let x = n.numbers(b, "self")?;
        real(n, b, x, Axes::Two, true)
    }),
    complex("fft_irfftn", |n, b| {
        let x = n.numbers(b, "self")?;
        real(n, b, x, Axes::Any, true)
    }),
    complex("fft_rfft", |n, b| of_real(n, b, Axes::One, false)),
    complex("fft_rfft2", |n, b| of_real(n, b, Axes::Two, false)),
    row("fft_rfftfreq", |n, b| frequencies(n, b, true)),
    complex("fft_rfftn", |n, b| of_real(n, b, Axes::Any, false)),
    complex("istft", istft),
    complex("stft", stft),
];

/// Which axes an operator transforms.
#[derive(Clone, Copy, PartialEq)]
enum Axes {
    /// One, of length `n`.
    One,
    /// Two, of lengths `s`.
    Two,
    /// Any, of lengths `s`.
    Any,
}

/// The axes that a node transforms, with the lengths that it says.
fn axes(n: &Node<'_>, x: &Value, axes: Axes) -> Result<Vec<Axis>> {
    if axes == Axes::One {
        let axis = x.axis(n.int_or("dim", -1)?)?;
        return Ok(vec![(axis, n.int("n")?)]);
    }
    let lengths = n.ints("s")?;
    let rank = x.rank() as i64;
    let default = match (axes, &lengths) {
        (Axes::Two, _) => vec![-2, -1],
        (_, Some(lengths)) => (rank - lengths.len() as i64..rank).collect(),
        _ => (0..rank).collect(),
    };
    let places = x.axes(&n.ints("dim")?.unwrap_or(default))?;
    let lengths = lengths.unwrap_or_else(|| vec![-1; places.len()]);
    if places.len() != lengths.len() || places.is_empty() {
        return Err(format!(
            "{} lengths for {} axes",
            lengths.len(),
            places.len()
        ));
    }
    let pairs = places.into_iter().zip(lengths);
    // A length of -1 is that of the axis.
    Ok(pairs
        .map(|(axis, length)| (axis, (length != -1).then_some(length)))
        .collect())
}

/// The kind of a transform, with what its results are divided by.
fn kind(n: &Node<'_>, is_inverse: bool) -> Result<Kind> {
    let scale = match (n.text("norm")?, is_inverse) {
        (None | Some("backward"), false) | (Some("forward"), true) => Scale::One,
        (None | Some("backward"), true) | (Some("forward"), false) => Scale::Length,
        (Some("ortho"), _) => Scale::Root,
        (Some(other), _) => return Err(format!("argument 'norm' is '{other}'")),
    };
    Ok(Kind { is_inverse, scale })
}

fn whole(n: &Node<'_>, b: &mut GraphBuilder, of: Axes, is_inverse: bool) -> Result<Item> {
    let x = floats(n, b, "self")?;
    let axes = axes(n, x.real(), of)?;
    let kind = kind(n, is_inverse)?;
    Ok(fourier::whole(b, x, &axes, kind)?.into())
}

/// One half of a transform of real numbers: the last axis is the one that is halved.
fn of_real(n: &Node<'_>, b: &mut GraphBuilder, of: Axes, is_inverse: bool) -> Result<Item> {
    let Signal::Real(x) = floats(n, b, "self")? else {
        return Err("argument 'self' is complex, expected real numbers".into());
    };
    let axes = axes(n, &x, of)?;
    let kind = kind(n, is_inverse)?;
    Ok(fourier::half(b, &x, &axes, kind)?.into())
}

/// Real numbers of one half of their transform along the last axis.
fn real(
    n: &Node<'_>,
    b: &mut GraphBuilder,
    x: Complex,
    of: Axes,
    is_inverse: bool,
) -> Result<Item> {
    let axes = axes(n, &x.real, of)?;
    let kind = kind(n, is_inverse)?;
    Ok(fourier::of_half(b, x, &axes, kind)?.into())
}

/// The kind of a decomposed operator, which says the scale by a number.
fn numbered_kind(n: &Node<'_>, is_inverse: bool) -> Result<Kind> {
    let scale = match n.required_int("normalization")? {
        0 => Scale::One,
        1 => Scale::Root,
        2 => Scale::Length,
        other => return Err(format!("argument 'normalization' is {other}")),
    };
    Ok(Kind { is_inverse, scale })
}

/// The axes that a decomposed operator says.
fn listed(n: &Node<'_>, x: &Value) -> Result<Vec<Axis>> {
    let axes = n.ints("dim")?.ok_or("argument 'dim' is missing")?;
    let axes = x.axes(&axes)?.into_iter();
    Ok(axes.map(|axis| (axis, None)).collect())
}

fn plain_whole(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Item> {
    let x = floats(n, b, "self")?;
    let axes = listed(n, x.real())?;
    let kind = numbered_kind(n, !n.bool_or("forward", true)?)?;
    Ok(fourier::whole(b, x, &axes, kind)?.into())
}

fn plain_of_real(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Item> {
    let x = n.tensor("self")?;
    let axes = listed(n, &x)?;
    let kind = numbered_kind(n, false)?;
    let made = match n.bool_or("onesided", true)? {
        true => fourier::half(b, &x, &axes, kind)?,
        false => fourier::whole(b, Signal::Real(x), &axes, kind)?,
    };
    Ok(made.into())
}

fn plain_real(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Item> {
    let x = n.numbers(b, "self")?;
    let mut axes = listed(n, &x.real)?;
    if let Some((_, length)) = axes.last_mut() {
        *length = Some(n.required_int("last_dim_size")?);
    }
    let kind = numbered_kind(n, true)?;
    Ok(fourier::of_half(b, x, &axes, kind)?.into())
}

/// The frequencies of a transform of so many numbers that lie so far apart.
fn frequencies(n: &Node<'_>, b: &mut GraphBuilder, is_half: bool) -> Result<Value> {
    n.ignore(&["layout", "device", "pin_memory", "requires_grad"]);
    let (count, distance) = (n.required_int("n")?, n.float_or("d", 1.0)?);
    if !(1..=1 << 26).contains(&count) {
        return Err(format!("argument 'n' is {count}"));
    }
    let element = n.element("dtype")?.unwrap_or(DEFAULT);
    let factor = 1.0 / (count as f64 * distance);
    let places: Vec<i64> = match is_half {
        true => (0..=count / 2).collect(),
        false => (0..(count + 1) / 2).chain(-(count / 2)..0).collect(),
    };
    let numbers = places.iter().map(|place| *place as f64 * factor);
    let numbers = Numbers::Floats(numbers.collect());
    Ok(b.known(Const::new(element, vec![places.len() as i64], &numbers)))
}

/// The frequency 0 in the middle of axes, or back at their beginning.
fn shifted(n: &Node<'_>, b: &mut GraphBuilder, is_back: bool) -> Result<Value> {
    let mut x = n.tensor("self")?;
    let axes = match n.ints("dim")? {
        Some(axes) => x.axes(&axes)?,
        None => (0..x.rank()).collect(),
    };
    for axis in axes {
        let extent = x.extent(axis)?;
        let first = match is_back {
            true => extent / 2,
            false => (extent + 1) / 2,
        };
        let places: Vec<i64> = (first..extent).chain(0..first).collect();
        let places = b.known(Const::ints(&places));
        x = b.taken(&x, &places, axis)?;
    }
    Ok(x)
}

/// The window of a transform of frames, in the middle of each frame; none if all numbers count alike.
fn window(n: &Node<'_>, b: &mut GraphBuilder, length: i64) -> Result<Option<Value>> {
    let extent = n.int("win_length")?.unwrap_or(length);
    if !(1..=length).contains(&extent) {
        return Err(format!(
            "a window of {extent} numbers in frames of {length}"
        ));
    }
    let window = match n.has("window") {
        true => match floats(n, b, "window")? {
            Signal::Real(window) => window,
            Signal::Complex(_) => return Err("a complex window is not supported".into()),
        },
        false if extent == length => return Ok(None),
        false => b.filled(DEFAULT, &[extent], 1.0)?,
    };
    if window.dims() != [Dim::Known(extent)] {
        return Err(format!(
            "a window of shape {:?}, expected {extent} numbers",
            window.dims()
        ));
    }
    let before = (length - extent) / 2;
    let widths = [before, length - extent - before];
    let zero = b.scalar(window.element(), 0.0);
    b.pad(&window, &zero, &widths, "constant").map(Some)
}

/// The kind of the transform of frames.
fn normalized(n: &Node<'_>, is_inverse: bool) -> Result<Kind> {
    Ok(match n.bool_or("normalized", false)? {
        true => Kind {
            is_inverse,
            scale: Scale::Root,
        },
        false => Kind::plain(is_inverse),
    })
}

/// The transforms of frames of a signal: [batch, frequency, frame].
fn stft(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Item> {
    n.ignore(&["align_to_window"]);
    let x = floats(n, b, "self")?;
    let length = n.required_int("n_fft")?;
    let step = n.int("hop_length")?.unwrap_or(length / 4);
    let window = window(n, b, length)?;
    let is_complex = matches!(x, Signal::Complex(_));
    let is_half = n.bool_or("onesided", !is_complex)?;
    if is_half && is_complex {
        return Err("the transform of complex numbers has no half that says all".into());
    }
    if n.has("center") && n.bool_or("center", true)? {
        return Err("frames that are padded here are not supported: pad the signal before".into());
    }
    n.ignore(&["pad_mode"]);
    let frames = Frames { length, step };
    let parts = x.each(|part| {
        let made = framed(b, part, frames)?;
        match &window {
            Some(window) => {
                let window = b.cast(window, made.element())?;
                b.binary("multiply", &made, &window)
            }
            None => Ok(made),
        }
    })?;
    let axis = [(parts.real().rank() - 1, Some(length))];
    let kind = normalized(n, false)?;
    let made = match (parts, is_half) {
        (Signal::Real(real), true) => fourier::half(b, &real, &axis, kind)?,
        (parts, _) => fourier::whole(b, parts, &axis, kind)?,
    };
    let made = made.each(|part| swapped(b, part, -1, -2))?;
    match n.bool_or("return_complex", is_complex)? {
        true => Ok(made.into()),
        false => Ok(made.pairs(b)?.into()),
    }
}

/// The signal whose frames have these transforms, [batch, frequency, frame]: the sum of its frames over the sum of the windows' squares.
fn istft(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Item> {
    let x = n.numbers(b, "self")?;
    let length = n.required_int("n_fft")?;
    let step = n.int("hop_length")?.unwrap_or(length / 4);
    let window = window(n, b, length)?;
    if n.bool_or("return_complex", false)? {
        return Err("a signal of complex numbers is not supported".into());
    }
    let rank = x.real.rank();
    if !(2..=3).contains(&rank) {
        return Err(format!("shape {:?} has no frames", x.real.dims()));
    }
    let extent = x.real.extent(rank - 2)?;
    if !n.bool_or("onesided", extent != length)? || extent != length / 2 + 1 {
        return Err(format!(
            "{extent} frequencies of frames of {length} are not one half of them, which is not supported"
        ));
    }
    let kind = normalized(n, true)?;
    let frames = fourier::of_half(b, x, &[(rank - 2, Some(length))], kind)?;
    let mut frames = swapped(b, &frames, -1, -2)?;
    let window = match window {
        Some(window) => b.cast(&window, frames.element())?,
        None => b.filled(frames.element(), &[length], 1.0)?,
    };
    frames = b.binary("multiply", &frames, &window)?;
    let squares = b.binary("multiply", &window, &window)?;
    let count = frames.dims()[rank - 2];
    let squares = b.broadcast(&squares, &[count, Dim::Known(length)])?;
    let of = Frames { length, step };
    let sum = overlapped(b, &frames, of)?;
    let weights = overlapped(b, &squares, of)?;
    let signal = b.binary("divide", &sum, &weights)?;
    trimmed(n, b, &signal, length)
}

/// The part of a signal that a node asks for: without the padding in front, and of its length.
fn trimmed(n: &Node<'_>, b: &mut GraphBuilder, signal: &Value, length: i64) -> Result<Item> {
    let start = match n.bool_or("center", true)? {
        true => length / 2,
        false => 0,
    };
    let last = signal.rank() - 1;
    let total = signal.dims()[last];
    let wanted = n.int("length")?;
    let end = match wanted {
        Some(wanted) => match total.known() {
            Some(total) => Dim::Known(total.min(start + wanted)),
            None => Dim::Known(start + wanted),
        },
        None => total.minus(start)?,
    };
    let signal = sliced(b, signal, &[(last, Dim::Known(start), end, 1)])?;
    let Some(missing) = wanted.zip(signal.dims()[last].known()) else {
        return Ok(signal.into());
    };
    let mut widths = vec![0; 2 * signal.rank()];
    widths[2 * last + 1] = missing.0 - missing.1;
    let zero = b.scalar(signal.element(), 0.0);
    Ok(b.pad(&signal, &zero, &widths, "constant")?.into())
}

/// A tensor of floats, or of complex numbers; whole numbers as floats.
fn floats(n: &Node<'_>, b: &mut GraphBuilder, name: &str) -> Result<Signal> {
    match n.signal(name)? {
        Signal::Real(real) => {
            let element = as_float(real.element());
            Ok(Signal::Real(b.cast(&real, element)?))
        }
        complex => Ok(complex),
    }
}
