//! A window that slides over the spatial axes of images, for operators that are composed of others.

use super::subscript::subscripts;
use crate::graph::{builder::GraphBuilder, error::Result, value::Value};
use relay_dialects::dim::{self, Dim};

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

impl Window {
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

    /// The input with the padding of [`Self::around`], which is an operator before the window.
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
