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
#[derive(Clone)]
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
    /// Padding before and after each axis of which some depends on open extents, or nothing. Then there is none beside it.
    pub around: Vec<[Dim; 2]>,
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
    ///
    /// # Errors
    /// If 64 bits do not hold one.
    pub fn padded<D: Into<Dim> + Copy>(&self, input: &[D]) -> Result<Vec<Dim>> {
        let padding = self.before.iter().zip(&self.after);
        let extents = dim::dims(input).into_iter().zip(padding);
        extents
            .map(|(extent, (before, after))| extent.plus(before + after))
            .collect()
    }

    /// How many places the window, which fits, has on each axis of the input.
    ///
    /// # Errors
    /// If 64 bits do not hold a number.
    pub fn places<D: Into<Dim> + Copy>(&self, input: &[D]) -> Result<Vec<Dim>> {
        let padded = self.padded(input)?.into_iter().enumerate();
        let places = |(axis, extent): (usize, Dim)| {
            let room = extent.minus(self.span(axis))?;
            room.floor_div(self.strides[axis])?.plus(1)
        };
        padded.map(places).collect()
    }

    /// The input with the padding around it that [`Self::read_open`] leaves to an operator before the window.
    pub fn surrounded(&self, b: &mut GraphBuilder, x: &Value, fill: f64) -> Result<Value> {
        let fill = b.scalar(x.element(), fill);
        self.surrounded_by(b, x, &fill)
    }

    /// The same with a scalar of the input's type that the model computes.
    pub fn surrounded_by(&self, b: &mut GraphBuilder, x: &Value, fill: &Value) -> Result<Value> {
        if self.around.is_empty() {
            return Ok(x.clone());
        }
        let none = [Dim::Known(0); 4];
        let widths: Vec<Dim> = none
            .into_iter()
            .chain(self.around.as_flattened().iter().copied())
            .collect();
        b.pad(x, fill, &widths, "constant")
    }

    /// The subscript of the window's first element on a spatial axis, negative in padding, at each of so many places. They lie along
    /// `along` in a tensor of so many axes, of which all others have an extent of 1.
    pub fn starts(
        &self,
        b: &mut GraphBuilder,
        axis: usize,
        places: Dim,
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
