//! Windows that slide over the spatial dimensions, as in convolutions and pools.

use super::rule;
use crate::{dim::Dim, relay::Attrs};

/// The largest extent, step or padding of a window: 64 bits hold the product of any two of them.
pub const LARGEST: i64 = 1 << 30;

/// The steps of a window in each spatial dimension.
#[derive(Clone, Debug)]
pub struct Window<Extent = i64> {
    /// Its extent.
    pub size: Vec<Extent>,
    /// From one position to the next.
    pub strides: Vec<i64>,
    /// Between the elements that it covers.
    pub dilation: Vec<i64>,
    /// What surrounds the data before.
    pub before: Vec<i64>,
    /// What surrounds the data after.
    pub after: Vec<i64>,
}

impl<Extent: Into<Dim> + Copy> Window<Extent> {
    /// The window of extent `size` with the attributes `strides`, `dilation` and `padding`.
    ///
    /// # Errors
    /// If an attribute has another length than there are dimensions, or is out of range; if the
    /// window is empty or too large.
    pub fn of(attrs: &Attrs, size: &[Extent]) -> Result<Self, String> {
        let rank = size.len();
        let padding = numbers(attrs, "padding", 2 * rank, 0)?;
        let dilation = numbers(attrs, "dilation", rank, 1)?;
        let sizes = size.iter().map(|size| (*size).into());
        for size in sizes.filter_map(Dim::known) {
            if size < 1 {
                return Err(format!("a window of {size} elements is empty (C4)"));
            }
            if size > LARGEST {
                return Err(format!(
                    "a window of {size} elements has more than {LARGEST} (C4)"
                ));
            }
        }
        Ok(Self {
            size: size.to_vec(),
            strides: numbers(attrs, "strides", rank, 1)?,
            dilation,
            before: padding[..rank].to_vec(),
            after: padding[rank..].to_vec(),
        })
    }

    /// The elements that the window covers from its first to its last in a dimension.
    ///
    /// # Errors
    /// If 64 bits do not hold them.
    pub fn reach(&self, dim: usize) -> Result<Dim, String> {
        let last = self.size[dim].into().minus(1)?;
        last.times(self.dilation[dim])?.plus(1)
    }

    /// How many positions the window has over `space`. With `ceil`, a last one may reach beyond the padding, but must
    /// start within data or padding before.
    ///
    /// # Errors
    /// If the window is larger than the padded data.
    pub fn positions(&self, space: &[Dim], ceil: bool) -> Result<Vec<Dim>, String> {
        (0..space.len())
            .map(|dim| self.positions_in(dim, space[dim], ceil))
            .collect()
    }

    fn positions_in(&self, dim: usize, extent: Dim, ceil: bool) -> Result<Dim, String> {
        let (before, after) = (self.before[dim], self.after[dim]);
        let (span, stride) = (self.reach(dim).map_err(rule("C3"))?, self.strides[dim]);
        let count = |room: Dim| match ceil {
            false => room.floor_div(stride)?.plus(1),
            true => {
                let within = extent.plus(before - 1)?.floor_div(stride)?;
                room.ceil_div(stride)?.min(within)?.plus(1)
            }
        };
        let padded = extent.plus(before + after).map_err(rule("C3"))?;
        let room = padded.minus(span).map_err(rule("C3"))?;
        if room.known().is_some_and(|room| room < 0) {
            return Err(format!(
                "a window of {span} does not fit into {padded} in dimension {dim} (C4)"
            ));
        }
        count(room).map_err(rule("C3"))
    }
}

impl Window<i64> {
    /// The elements that the window covers from its first to its last in a dimension.
    pub fn span(&self, dim: usize) -> i64 {
        (self.size[dim] - 1) * self.dilation[dim] + 1
    }
}

/// The attribute `name`, a list of `length` numbers from `least` to [`LARGEST`].
///
/// # Errors
/// If it is not.
pub fn numbers(attrs: &Attrs, name: &str, length: usize, least: i64) -> Result<Vec<i64>, String> {
    let values = attrs.ints(name)?;
    if values.len() != length
        || values
            .iter()
            .any(|value| !(least..=LARGEST).contains(value))
    {
        return Err(format!(
            "{name} {values:?} is not {length} numbers from {least} to {LARGEST} (C3)"
        ));
    }
    Ok(values)
}
