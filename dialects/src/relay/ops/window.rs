//! What convolutions and pools have in common: windows that slide over space.

use crate::{
    ir::DYNAMIC,
    relay::{Attrs, relation::show},
};

/// How a window slides in each spatial dimension.
#[derive(Clone, Debug)]
pub struct Window {
    /// Its extent.
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
    /// If an attribute has another length than there are dimensions, or is out of range.
    pub fn of(attrs: &Attrs, size: &[i64]) -> Result<Self, String> {
        let rank = size.len();
        let list = |name: &str, length: usize, least: i64| {
            let values = attrs.ints(name)?;
            if values.len() != length || values.iter().any(|&value| value < least) {
                return Err(format!(
                    "{name} {} is not {length} numbers of at least {least}",
                    show(&values)
                ));
            }
            Ok(values)
        };
        let padding = list("padding", 2 * rank, 0)?;
        Ok(Self {
            size: size.to_vec(),
            strides: list("strides", rank, 1)?,
            dilation: list("dilation", rank, 1)?,
            before: padding[..rank].to_vec(),
            after: padding[rank..].to_vec(),
        })
    }

    /// The elements from the window's first to its last in a dimension.
    pub fn span(&self, dim: usize) -> i64 {
        (self.size[dim] - 1) * self.dilation[dim] + 1
    }

    /// How many positions the window has over `space`. With `ceil`, a last one may reach beyond the
    /// padding, but must start within data or padding before.
    ///
    /// # Errors
    /// If the window is larger than the padded data.
    pub fn positions(&self, space: &[i64], ceil: bool) -> Result<Vec<i64>, String> {
        (0..space.len())
            .map(|dim| {
                if space[dim] == DYNAMIC {
                    return Ok(DYNAMIC);
                }
                let padded = space[dim] + self.before[dim] + self.after[dim];
                let room = padded - self.span(dim);
                if room < 0 {
                    return Err(format!(
                        "a window of {} does not fit into {padded} in dimension {dim}",
                        self.span(dim)
                    ));
                }
                let stride = self.strides[dim];
                let count = if ceil {
                    (room + stride - 1) / stride
                } else {
                    room / stride
                } + 1;
                let starts_outside = (count - 1) * stride >= space[dim] + self.before[dim];
                Ok(if ceil && starts_outside {
                    count - 1
                } else {
                    count
                })
            })
            .collect()
    }
}
