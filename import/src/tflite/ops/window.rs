//! The windows of convolutions and pools.

use crate::{
    graph::{builder::GraphBuilder, error::Result, value::Value},
    tflite::node::Node,
};
use relay_dialects::{dim::Dim, relay::ops::window::LARGEST};

/// A window over the spatial axes, which are all but the first and the last one.
pub struct Window {
    /// Its extents.
    pub kernel: Vec<i64>,
    /// Its steps.
    pub strides: Vec<i64>,
    /// The distance between its elements.
    pub dilation: Vec<i64>,
    /// Padding before each axis and after it.
    pub around: Vec<[Dim; 2]>,
}

/// The options that say steps, by the number of spatial axes.
const STRIDES: [&[&str]; 2] = [
    &["stride_h", "stride_w"],
    &["stride_d", "stride_h", "stride_w"],
];
const DILATION: [&[&str]; 2] = [
    &["dilation_h_factor", "dilation_w_factor"],
    &[
        "dilation_d_factor",
        "dilation_h_factor",
        "dilation_w_factor",
    ],
];

/// Whether a node's option `padding` says that a window lies wherever its first element is in the data.
pub fn is_same(n: &Node<'_>) -> Result<bool> {
    match n.byte("padding")? {
        0 => Ok(true),
        1 => Ok(false),
        other => Err(format!("option 'padding' is {other}, which is unknown")),
    }
}

/// Options that are numbers from 1 on.
pub fn positive(n: &Node<'_>, names: &[&str]) -> Result<Vec<i64>> {
    let read = names.iter().map(|name| {
        let number = n.int(name)?;
        match (1..=LARGEST).contains(&number) {
            true => Ok(number),
            false => Err(format!(
                "option '{name}' is {number}, which is out of range"
            )),
        }
    });
    read.collect()
}

impl Window {
    /// The window of a node's options over data.
    pub fn of(n: &Node<'_>, x: &Value, kernel: Vec<i64>, is_dilated: bool) -> Result<Self> {
        let rank = kernel.len();
        let table = rank.checked_sub(2).filter(|table| *table < STRIDES.len());
        let table = table.ok_or_else(|| format!("{rank} spatial axes are not supported"))?;
        if x.rank() != rank + 2 {
            return Err(format!(
                "the data has shape {:?}; a rank of {} was expected",
                x.dims(),
                rank + 2
            ));
        }
        if let Some(extent) = kernel
            .iter()
            .find(|extent| !(1..=LARGEST).contains(*extent))
        {
            return Err(format!(
                "the window has an extent of {extent}, which is out of range"
            ));
        }
        let strides = positive(n, STRIDES[table])?;
        let dilation = match is_dilated {
            true => positive(n, DILATION[table])?,
            false => vec![1; rank],
        };
        let mut window = Self {
            around: vec![[Dim::Known(0); 2]; rank],
            kernel,
            strides,
            dilation,
        };
        if is_same(n)? {
            for axis in 0..rank {
                window.around[axis] = window.same(axis, x.dims()[axis + 1])?;
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
            let room = x.dims()[axis + 1]
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

    /// Its padding, as attributes say it: first before all axes, then after. Padding that depends on open dimensions is put around the data.
    pub fn padded(&self, b: &mut GraphBuilder, x: &Value, fill: f64) -> Result<(Value, Vec<i64>)> {
        let side = |side: usize| self.around.iter().map(move |pair| pair[side].known());
        let known: Option<Vec<i64>> = side(0).chain(side(1)).collect();
        if let Some(known) = known {
            return Ok((x.clone(), known));
        }
        let none = [[Dim::Known(0); 2]];
        let widths: Vec<Dim> = none
            .iter()
            .chain(&self.around)
            .chain(&none)
            .flatten()
            .copied()
            .collect();
        let fill = b.scalar(x.element(), fill);
        let padded = b.pad(x, &fill, &widths, "constant")?;
        Ok((padded, vec![0; 2 * self.kernel.len()]))
    }
}
