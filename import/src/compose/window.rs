//! The windows of convolutions and pools.

use crate::graph::{builder::GraphBuilder, error::Result, value::Value};
use relay_dialects::{dim::Dim, relay::ops::window::LARGEST};

/// A window over the spatial axes.
pub struct Window {
    /// The first spatial axis of the data: 1 where the channels are last, 2 where they are before the spatial axes.
    pub first: usize,
    /// Its extents.
    pub kernel: Vec<i64>,
    /// Its steps.
    pub strides: Vec<i64>,
    /// The distance between its elements.
    pub dilation: Vec<i64>,
    /// Padding before each axis and after it.
    pub around: Vec<[Dim; 2]>,
}

/// How data are padded for a window.
pub enum Padding {
    /// So that there is a window for each `stride`th element.
    Same,
    /// Not at all.
    Valid,
    /// By so many elements before each axis and after it.
    Explicit(Vec<[i64; 2]>),
}

impl Window {
    /// The window over data.
    ///
    /// # Errors
    /// If it does not fit into the data, or a number of it is out of range.
    pub fn of(
        x: &Value,
        first: usize,
        [kernel, strides, dilation]: [Vec<i64>; 3],
        padding: &Padding,
    ) -> Result<Self> {
        let rank = kernel.len();
        if x.rank() != rank + 2 {
            return Err(format!(
                "the data has shape {:?}; a rank of {} was expected",
                x.dims(),
                rank + 2
            ));
        }
        for (what, numbers) in [
            ("extent", &kernel),
            ("step", &strides),
            ("dilation", &dilation),
        ] {
            let mut numbers = numbers.iter();
            if let Some(number) = numbers.find(|number| !(1..=LARGEST).contains(*number)) {
                return Err(format!(
                    "the window has {what} {number}, which is out of range"
                ));
            }
        }
        let mut window = Self {
            first,
            around: vec![[Dim::Known(0); 2]; rank],
            kernel,
            strides,
            dilation,
        };
        match padding {
            Padding::Valid => {}
            Padding::Same => {
                for axis in 0..rank {
                    window.around[axis] = window.same(axis, x.dims()[axis + first])?;
                }
            }
            Padding::Explicit(widths) => {
                let is_wrong = |width: &i64| !(0..=LARGEST).contains(width);
                if widths.len() != rank || widths.iter().flatten().any(is_wrong) {
                    return Err(format!("a padding of {widths:?} is out of range"));
                }
                window.around = widths.iter().map(|pair| pair.map(Dim::Known)).collect();
            }
        }
        window.check_fit(x)?;
        Ok(window)
    }

    /// The extent of the data that a window covers.
    pub fn span(&self, axis: usize) -> i64 {
        (self.kernel[axis] - 1) * self.dilation[axis] + 1
    }

    /// Padding that makes a window of each `stride`th element.
    fn same(&self, axis: usize, extent: Dim) -> Result<[Dim; 2]> {
        let (stride, span) = (self.strides[axis], self.span(axis));
        let total = match stride {
            1 => Dim::Known(span - 1),
            stride => {
                let windows = extent.plus(stride - 1)?.floor_div(stride)?;
                let covered = windows.minus(1)?.times(stride)?.plus(span)?;
                covered.minus(extent)?.max(Dim::Known(0))?
            }
        };
        let before = total.floor_div(2)?;
        Ok([before, total.minus(before)?])
    }

    fn check_fit(&self, x: &Value) -> Result<()> {
        for axis in 0..self.kernel.len() {
            let [before, after] = self.around[axis];
            let room = x.dims()[axis + self.first]
                .plus(before)?
                .plus(after)?
                .minus(self.span(axis))?;
            if room.known().is_some_and(|room| room < 0) {
                return Err(format!(
                    "a window of {} does not fit into the data, {:?}, on spatial axis {axis}",
                    self.span(axis),
                    x.dims()
                ));
            }
        }
        Ok(())
    }

    /// Whether its padding depends on open dimensions.
    pub fn is_open(&self) -> bool {
        self.around.iter().flatten().any(|width| !width.is_known())
    }

    /// Its padding, as attributes say it: first before all axes, then after. Padding that depends on open dimensions is put around the data.
    pub fn padded(&self, b: &mut GraphBuilder, x: &Value, fill: f64) -> Result<(Value, Vec<i64>)> {
        let side = |side: usize| self.around.iter().map(move |pair| pair[side].known());
        let known: Option<Vec<i64>> = side(0).chain(side(1)).collect();
        if let Some(known) = known {
            return Ok((x.clone(), known));
        }
        let mut widths = vec![[Dim::Known(0); 2]; x.rank()];
        widths[self.first..self.first + self.around.len()].copy_from_slice(&self.around);
        let widths: Vec<Dim> = widths.into_iter().flatten().collect();
        let fill = b.scalar(x.element(), fill);
        let padded = b.pad(x, &fill, &widths, "constant")?;
        Ok((padded, vec![0; 2 * self.kernel.len()]))
    }
}

/// The window of a transposed convolution, turned into padding of the result.
pub struct Transposed {
    /// Its steps.
    pub strides: Vec<i64>,
    /// Padding that is cut off, first before all axes, then after.
    pub padding: Vec<i64>,
    /// What is added after each axis.
    pub output_padding: Vec<i64>,
}

impl Transposed {
    /// The window for spatial axes of these extents. Where nothing says what extents the result has, it has those that a convolution
    /// with the same padding makes the data's of.
    ///
    /// # Errors
    /// If the extents do not fit.
    pub fn of(
        padding: &Padding,
        (kernel, strides): (&[i64], Vec<i64>),
        input: &[Dim],
        wanted: Option<&[Dim]>,
    ) -> Result<Self> {
        let count = kernel.len();
        let mut window = Self {
            padding: vec![0; 2 * count],
            output_padding: vec![0; count],
            strides,
        };
        for axis in 0..count {
            let (kernel, stride) = (kernel[axis], window.strides[axis]);
            if !(1..=LARGEST).contains(&kernel) || !(1..=LARGEST).contains(&stride) {
                return Err(format!(
                    "the kernel has an extent of {kernel} and a step of {stride}, which is out of range"
                ));
            }
            let full = input[axis].minus(1)?.times(stride)?.plus(kernel)?;
            let wanted = match wanted.and_then(|wanted| wanted.get(axis)) {
                Some(wanted) => *wanted,
                None if matches!(padding, Padding::Same) => input[axis].times(stride)?,
                None => full,
            };
            // Padding is that of the convolution from the result to the data.
            let before = match padding {
                Padding::Valid => 0,
                Padding::Explicit(widths) => widths.get(axis).map_or(0, |pair| pair[0]),
                Padding::Same => match full.minus(wanted)?.known() {
                    Some(total) => total.max(0) / 2,
                    None => (kernel - stride).max(0) / 2,
                },
            };
            let after = full.minus(before)?.minus(wanted)?;
            let after = after.known().ok_or_else(|| {
                format!("the result's extent {wanted} depends on an open dimension that the data does not have")
            })?;
            window.padding[axis] = before;
            window.padding[count + axis] = after.max(0);
            window.output_padding[axis] = after.saturating_neg().max(0);
        }
        Ok(window)
    }
}
