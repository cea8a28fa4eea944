//! Where channels lie: `channels_last` or `channels_first`.

use super::config::Config;
use crate::graph::{error::Result, value::Value};

/// The place of channels in data with spatial axes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    /// How many spatial axes there are, from 1 to 3.
    pub spatial: usize,
    is_last: bool,
}

/// Layouts of data by the number of spatial axes: channels last, and first.
const LAYOUTS: [[&str; 2]; 3] = [["NWC", "NCW"], ["NHWC", "NCHW"], ["NDHWC", "NCDHW"]];

impl Format {
    /// Reads the attribute `data_format`.
    ///
    /// # Errors
    /// If it is unknown, or data have another number of axes.
    pub fn of(config: &Config<'_>, x: &Value, spatial: usize) -> Result<Self> {
        let is_last = match config.text_or("data_format", "channels_last")? {
            "channels_last" => true,
            "channels_first" => false,
            other => return Err(format!("attribute 'data_format' is '{other}'")),
        };
        match x.rank() == spatial + 2 && (1..=LAYOUTS.len()).contains(&spatial) {
            true => Ok(Self { spatial, is_last }),
            false => Err(format!(
                "data of shape {:?} have no {spatial} spatial axes",
                x.dims()
            )),
        }
    }

    /// The layout of data.
    pub fn layout(self) -> &'static str {
        LAYOUTS[self.spatial - 1][usize::from(!self.is_last)]
    }

    /// The first spatial axis.
    pub fn first(self) -> usize {
        if self.is_last { 1 } else { 2 }
    }

    /// The spatial axes.
    pub fn axes(self) -> Vec<usize> {
        (self.first()..self.first() + self.spatial).collect()
    }

    /// The axis of channels.
    pub fn channels(self) -> usize {
        if self.is_last { self.spatial + 1 } else { 1 }
    }
}
