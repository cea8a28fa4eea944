//! Frames of a signal: parts of one length that begin one step after the other.

use super::{slice::sliced, subscript::subscripts};
use crate::graph::{builder::GraphBuilder, error::Result, value::Value};
use relay_dialects::dim::{self, Dim};

/// What frames a signal has.
#[derive(Clone, Copy)]
pub struct Frames {
    /// The numbers of each frame.
    pub length: i64,
    /// The distance from one to the next.
    pub step: i64,
}

/// The most numbers of a frame, and of a step.
const LONGEST: i64 = 1 << 26;

impl Frames {
    fn check(self) -> Result<()> {
        let is_right = |number| (1..=LONGEST).contains(&number);
        match is_right(self.length) && is_right(self.step) {
            true => Ok(()),
            false => Err(format!(
                "frames of length {} and step {} are not supported",
                self.length, self.step
            )),
        }
    }
}

/// The frames of a signal along its last axis, which becomes [frame, number]. What is left at the end is in no frame.
///
/// # Errors
/// If no frame fits the signal.
pub fn framed(b: &mut GraphBuilder, x: &Value, frames: Frames) -> Result<Value> {
    frames.check()?;
    let Frames { length, step } = frames;
    let Some(extent) = x.dims().last().copied() else {
        return Err("a scalar has no frames".into());
    };
    if dim::at_most(Dim::Known(length), extent).is_none() {
        return Err(format!(
            "frames of length {length} do not fit a signal of length {extent}"
        ));
    }
    b.equate(Dim::Known(length).min(extent)?, Dim::Known(length))?;
    let count = extent.minus(length)?.floor_div(step)?.plus(1)?;
    let starts = subscripts(b, 2, 0, count)?;
    let starts = b.with_scalar("multiply", &starts, step as f64)?;
    let within = subscripts(b, 2, 1, length)?;
    let places = b.binary("add", &starts, &within)?;
    b.taken(x, &places, x.rank() - 1)
}

/// The sum of frames, [frame, number] along the last two axes, each at its place in the signal.
///
/// # Errors
/// If the frames have another length.
pub fn overlapped(b: &mut GraphBuilder, x: &Value, frames: Frames) -> Result<Value> {
    frames.check()?;
    let Frames { length, step } = frames;
    let (rows, &[count, of_frame]) = x.dims().split_at(x.rank().saturating_sub(2)) else {
        return Err(format!("shape {:?} has no frames", x.dims()));
    };
    let rows = rows.to_vec();
    if of_frame != length {
        return Err(format!("frames of {of_frame} numbers, expected {length}"));
    }
    // A frame is pieces of one step. The first ones of all frames make a signal, and so do the second ones, a step later.
    let pieces = length.div_euclid(step) + i64::from(length % step != 0);
    let (frame, number) = (x.rank() - 2, x.rank() - 1);
    let zero = b.scalar(x.element(), 0.0);
    let mut widths = vec![Dim::Known(0); 2 * x.rank()];
    widths[2 * number + 1] = Dim::Known(pieces * step - length);
    let whole = b.pad(x, &zero, &widths, "constant")?;
    let mut sum: Option<Value> = None;
    for piece in 0..pieces {
        let from = Dim::Known(piece * step);
        let to = Dim::Known((piece + 1) * step);
        let part = sliced(b, &whole, &[(number, from, to, 1)])?;
        let mut widths = vec![Dim::Known(0); 2 * x.rank()];
        widths[2 * frame] = Dim::Known(piece);
        widths[2 * frame + 1] = Dim::Known(pieces - 1 - piece);
        let part = b.pad(&part, &zero, &widths, "constant")?;
        sum = Some(match sum {
            None => part,
            Some(sum) => b.binary("add", &sum, &part)?,
        });
    }
    let sum = sum.ok_or("a frame has no numbers")?;
    let all = count.plus(pieces - 1)?.times(step)?;
    let signal = b.reshape(&sum, &[&rows[..], &[all]].concat())?;
    let end = count.plus(-1)?.times(step)?.plus(length)?;
    let last = signal.rank() - 1;
    sliced(b, &signal, &[(last, Dim::Known(0), end, 1)])
}
