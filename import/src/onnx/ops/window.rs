//! The window that convolutions and pools slide over the spatial axes.

use super::subscript::subscripts;
use crate::{
    graph::{
        builder::GraphBuilder,
        error::Result,
        value::{Value, is_open},
    },
    onnx::node::Node,
};
use relay_dialects::{
    dim::{self, Dim},
    relay::ops::window::LARGEST,
};

/// A sliding window over `kernel.len()` spatial axes.
pub struct Window {
    /// Its extents.
    pub kernel: Vec<i64>,
    /// Its steps.
    pub strides: Vec<i64>,
    /// The distance between its elements.
    pub dilations: Vec<i64>,
    /// Padding before each axis.
    pub before: Vec<i64>,
    /// Padding after each axis.
    pub after: Vec<i64>,
}

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
    /// Reads strides, dilations and pads for a kernel over the spatial extents `input`.
    pub fn read<D: Into<Dim> + Copy>(n: &Node<'_>, kernel: Vec<i64>, input: &[D]) -> Result<Self> {
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
        };
        let mode = auto_pad(n)?;
        if mode == AutoPad::Explicit {
            return Ok(window);
        }
        for (axis, extent) in input.into_iter().enumerate() {
            let total = match mode {
                AutoPad::Valid => 0,
                _ => window.same(axis, extent)?,
            };
            let small = total / 2;
            let upper = mode == AutoPad::SameUpper;
            window.before[axis] = if upper { small } else { total - small };
            window.after[axis] = total - window.before[axis];
        }
        Ok(window)
    }

    /// The padding with which there are as many places as strides on an axis. It is the same for every extent if the stride is 1.
    fn same(&self, axis: usize, extent: Dim) -> Result<i64> {
        let (span, stride) = (self.span(axis), self.strides[axis]);
        let Some(extent) = extent.known().or((stride == 1).then_some(1)) else {
            return Err(is_open(extent));
        };
        let steps = (extent - 1) / stride * stride;
        Ok((steps + span - extent).max(0))
    }

    /// The extent that the window covers, with dilation.
    pub fn span(&self, axis: usize) -> i64 {
        (self.kernel[axis] - 1) * self.dilations[axis] + 1
    }

    /// The list `before..., after...`.
    pub fn padding(&self) -> Vec<i64> {
        [&self.before[..], &self.after[..]].concat()
    }

    /// Padding as `nn.pad` takes it, of a tensor that has samples and channels before its spatial axes.
    pub fn widths(&self) -> Vec<i64> {
        let spatial = self.before.iter().zip(&self.after);
        let spatial = spatial.flat_map(|(&before, &after)| [before, after]);
        [0; 4].into_iter().chain(spatial).collect()
    }

    /// The extents of the padded input.
    pub fn padded(&self, input: &[i64]) -> Vec<i64> {
        let padding = self.before.iter().zip(&self.after);
        let extents = input.iter().zip(padding);
        extents
            .map(|(extent, (before, after))| extent + before + after)
            .collect()
    }

    /// How many places the window, which fits, has on each axis of the input.
    pub fn places(&self, input: &[i64]) -> Vec<i64> {
        let padded = self.padded(input).into_iter().enumerate();
        padded
            .map(|(axis, extent)| (extent - self.span(axis)) / self.strides[axis] + 1)
            .collect()
    }

    /// The subscript of the window's first element on a spatial axis, negative in padding, at each of so many places. They lie along
    /// `along` in a tensor of so many axes, of which all others have an extent of 1.
    pub fn starts(
        &self,
        b: &mut GraphBuilder,
        axis: usize,
        places: i64,
        (rank, along): (usize, usize),
    ) -> Result<Value> {
        let number = subscripts(b, rank, along, places)?;
        let start = b.with_scalar("multiply", &number, self.strides[axis] as f64)?;
        b.with_scalar("subtract", &start, self.before[axis] as f64)
    }

    /// Fails if the window does not fit into the padded input at all. Open extents are checked when the model runs.
    pub fn check_fit<D: Into<Dim> + Copy>(&self, input: &[D]) -> Result<()> {
        for (axis, extent) in dim::dims(input).into_iter().enumerate() {
            let padded = extent.plus(self.before[axis] + self.after[axis])?;
            if padded
                .known()
                .is_some_and(|padded| self.span(axis) > padded)
            {
                return Err(format!(
                    "the window spans {} on spatial axis {axis}, more than the padded input's \
                     {padded}",
                    self.span(axis)
                ));
            }
        }
        Ok(())
    }
}
