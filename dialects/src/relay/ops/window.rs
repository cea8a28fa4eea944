//! Windows that slide over the spatial dimensions, as in convolutions and pools.

use super::rule;
use crate::{
    ir::DYNAMIC,
    relay::{Attrs, dim},
};

/// The largest extent, step or padding of a window: 64 bits hold the product of any two of them.
pub const LARGEST: i64 = 1 << 30;

/// The steps of a window in each spatial dimension.
#[derive(Clone, Debug)]
pub struct Window {
    /// Its extent; [`DYNAMIC`] where unknown.
    pub size: Vec<i64>,
    /// From one position to the next.
    pub strides: Vec<i64>,
    /// Between the elements that it covers.
    pub dilation: Vec<i64>,
    /// What surrounds the data before.
    pub before: Vec<i64>,
    /// What surrounds the data after.
    pub after: Vec<i64>,
}

impl Window {
    /// The window of extent `size` with the attributes `strides`, `dilation` and `padding`.
    ///
    /// # Errors
    /// If an attribute has another length than there are dimensions, or is out of range; if the
    /// window is empty or too large.
    pub fn of(attrs: &Attrs, size: &[i64]) -> Result<Self, String> {
        let rank = size.len();
        let padding = numbers(attrs, "padding", 2 * rank, 0)?;
        let dilation = numbers(attrs, "dilation", rank, 1)?;
        for &size in size.iter().filter(|size| **size != DYNAMIC) {
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

    /// The elements that the window covers from its first to its last in a dimension; [`DYNAMIC`] if its extent
    /// is unknown.
    pub fn span(&self, dim: usize) -> i64 {
        let size = self.size[dim];
        if size == DYNAMIC {
            return DYNAMIC;
        }
        (size - 1) * self.dilation[dim] + 1
    }

    /// How many positions the window has over `space`; [`DYNAMIC`] where the data's or the window's
    /// extent is. With `ceil`, a last one may reach beyond the padding, but must start within data
    /// or padding before.
    ///
    /// # Errors
    /// If the window is larger than the padded data.
    pub fn positions(&self, space: &[i64], ceil: bool) -> Result<Vec<i64>, String> {
        (0..space.len())
            .map(|dim| self.positions_in(dim, space[dim], ceil))
            .collect()
    }

    fn positions_in(&self, dim: usize, extent: i64, ceil: bool) -> Result<i64, String> {
        let (before, after) = (self.before[dim], self.after[dim]);
        let (span, stride) = (self.span(dim), self.strides[dim]);
        let padded = dim::sum(&[extent, before, after]).map_err(rule("C3"))?;
        if padded == DYNAMIC || span == DYNAMIC {
            return Ok(DYNAMIC);
        }
        let room = padded - span;
        if room < 0 {
            return Err(format!(
                "a window of {span} does not fit into {padded} in dimension {dim} (C4)"
            ));
        }
        let whole = room / stride + 1;
        if !ceil {
            return Ok(whole);
        }
        let count = whole + i64::from(room % stride != 0);
        let starts_outside = (count - 1).saturating_mul(stride) >= extent + before;
        Ok(count - i64::from(starts_outside))
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
