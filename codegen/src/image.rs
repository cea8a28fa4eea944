//! What a GPU loads.

use relay_dialects::{
    attrs,
    ir::{Attr, Op},
};

/// The code of some grids' threads.
#[derive(Debug)]
pub struct Image {
    /// What the device loads.
    pub(crate) bytes: Vec<u8>,
    /// Its functions.
    pub(crate) grids: Vec<Grid>,
}

/// A function of one thread.
#[derive(Debug)]
pub(crate) struct Grid {
    /// Its name.
    pub(crate) name: String,
    /// The bytes of memory that the threads of a block share.
    pub(crate) shared_bytes: i64,
}

impl Grid {
    /// All of a module.
    pub(crate) fn all(module: Op) -> Vec<Self> {
        let functions = module.functions().into_iter();
        let functions = functions.filter(|func| func.has_attr(attrs::DEVICE_FUNCTION));
        let grid = |func: Op| Self {
            name: func.symbol().unwrap_or_default(),
            shared_bytes: func
                .attr(attrs::SHARED_BYTES)
                .and_then(Attr::as_i64)
                .unwrap_or(0),
        };
        functions.map(grid).collect()
    }
}
