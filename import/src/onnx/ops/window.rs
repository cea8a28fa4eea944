//! The window that convolutions and pools slide over the spatial axes.

use crate::{
    graph::{error::Result, value::is_open},
    onnx::node::Node,
};
use relay_dialects::{
    dim::{self, Dim},
    relay::ops::window::LARGEST,
};

pub use crate::compose::sliding::Window;

/// How padding is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AutoPad {
    /// Attribute `pads`.
    Explicit,
    /// Output is input divided by stride; odd padding goes to the end.
    SameUpper,
    /// Output is input divided by stride; odd padding goes to the start.
    SameLower,
    /// None.
    Valid,
}

/// Reads `auto_pad`.
pub fn auto_pad(n: &Node<'_>) -> Result<AutoPad> {
    Ok(match n.attr_str_or("auto_pad", "NOTSET")?.as_str() {
        "NOTSET" | "" => AutoPad::Explicit,
        "SAME_UPPER" => AutoPad::SameUpper,
        "SAME_LOWER" => AutoPad::SameLower,
        "VALID" => AutoPad::Valid,
        other => {
            return Err(format!(
                "attribute 'auto_pad' is '{other}', which is unknown"
            ));
        }
    })
}

/// A list attribute with `count` values of at least `least`, all `default` if it is absent.
pub fn dims(n: &Node<'_>, name: &str, count: usize, default: i64, least: i64) -> Result<Vec<i64>> {
    let values = n.attr_ints(name)?.unwrap_or_else(|| vec![default; count]);
    if values.len() != count {
        return Err(format!(
            "attribute '{name}' is {values:?}, expected {count} values"
        ));
    }
    if let Some(value) = values
        .iter()
        .find(|&&value| value < least || value > LARGEST)
    {
        return Err(format!(
            "attribute '{name}' holds {value}, which is out of range"
        ));
    }
    Ok(values)
}

impl Window {
    /// Reads strides, dilations and pads for a kernel over the spatial extents `input`, by which padding does not depend on open ones.
    pub fn read<D: Into<Dim> + Copy>(n: &Node<'_>, kernel: Vec<i64>, input: &[D]) -> Result<Self> {
        let window = Self::read_open(n, kernel, input)?;
        let mut extents = dim::dims(input).into_iter();
        match extents.find(|extent| !extent.is_known() && !window.around.is_empty()) {
            Some(open) => Err(is_open(open)),
            None => Ok(window),
        }
    }

    /// The same where padding may depend on open extents.
    pub fn read_open<D: Into<Dim> + Copy>(
        n: &Node<'_>,
        kernel: Vec<i64>,
        input: &[D],
    ) -> Result<Self> {
        let input = dim::dims(input);
        let rank = kernel.len();
        if rank != input.len() {
            return Err(format!(
                "the kernel {kernel:?} has {rank} spatial axes, the input {}",
                input.len()
            ));
        }
        if kernel
            .iter()
            .any(|&extent| !(1..=LARGEST).contains(&extent))
        {
            return Err(format!("the kernel {kernel:?} has an extent out of range"));
        }
        let mut known = input.iter().filter_map(|extent| extent.known());
        if let Some(extent) = known.find(|extent| !(0..=LARGEST).contains(extent)) {
            return Err(format!("the input's extent {extent} is out of range"));
        }
        let strides = dims(n, "strides", rank, 1, 1)?;
        let dilations = dims(n, "dilations", rank, 1, 1)?;
        let pads = dims(n, "pads", 2 * rank, 0, 0)?;
        let mut window = Self {
            before: pads[..rank].to_vec(),
            after: pads[rank..].to_vec(),
            kernel,
            strides,
            dilations,
            around: Vec::new(),
        };
        let mode = auto_pad(n)?;
        if mode == AutoPad::Explicit {
            return Ok(window);
        }
        window.set_auto_pad(mode, &input)?;
        Ok(window)
    }

    /// Pads an input of these extents as a mode other than the explicit one says.
    fn set_auto_pad(&mut self, mode: AutoPad, input: &[Dim]) -> Result<()> {
        let mut around = Vec::with_capacity(input.len());
        for (axis, extent) in input.iter().enumerate() {
            let total = match mode {
                AutoPad::Valid => Dim::Known(0),
                _ => self.same(axis, *extent)?,
            };
            let small = total.floor_div(2)?;
            let large = total.minus(small)?;
            around.push(match mode {
                AutoPad::SameUpper => [small, large],
                _ => [large, small],
            });
        }
        let side = |side: usize| around.iter().map(|pair| pair[side].known()).collect();
        let sides: (Option<Vec<i64>>, Option<Vec<i64>>) = (side(0), side(1));
        if let (Some(before), Some(after)) = sides {
            (self.before, self.after) = (before, after);
        } else {
            let none = vec![0; input.len()];
            (self.before, self.after) = (none.clone(), none);
            self.around = around;
        }
        Ok(())
    }

    /// The padding with which there are as many places as strides on an axis. It is the same for every extent if the stride is 1.
    fn same(&self, axis: usize, extent: Dim) -> Result<Dim> {
        let (span, stride) = (self.span(axis), self.strides[axis]);
        let extent = if stride == 1 { Dim::Known(1) } else { extent };
        let steps = extent.minus(1)?.floor_div(stride)?.times(stride)?;
        steps.plus(span)?.minus(extent)?.max(0)
    }
}
