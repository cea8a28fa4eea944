//! What a GPU loads.

use relay_dialects::{
    attrs,
    index::constant,
    ir::{Attr, Op},
    ops::func,
    tir::Thread,
};

/// The most threads of a block, if a launch computes them.
pub(crate) const MOST_THREADS: i64 = 1024;

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
    /// The threads of a block, if each launch says the same number before the model runs.
    pub(crate) threads: Option<i64>,
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
            threads: Self::threads(module, func),
        };
        functions.map(grid).collect()
    }

    /// What a launch has for the function, for readers of its code.
    pub(crate) fn launch(&self) -> String {
        let threads = match self.threads {
            Some(threads) => threads.to_string(),
            None => format!("at most {MOST_THREADS}"),
        };
        format!(
            "{} has blocks of {threads} threads and {} bytes of shared memory",
            self.name, self.shared_bytes
        )
    }

    /// The threads of a function's blocks.
    fn threads(module: Op, func: Op) -> Option<i64> {
        let calls = module.find_all(func::Call::NAME).into_iter();
        let callee = |call: &Op| call.attr("callee").and_then(Attr::as_symbol);
        let mut calls = calls.filter(|call| callee(call) == func.symbol());
        let threads = |call: Op| {
            let axes = Thread::AXES.into_iter().enumerate();
            let of_block = axes.filter(|(_, axis)| !axis.is_block());
            let extents = of_block.map(|(place, _)| constant(call.operand(place)));
            extents.product::<Option<i64>>()
        };
        let first = threads(calls.next()?)?;
        calls
            .all(|call| threads(call) == Some(first))
            .then_some(first)
    }
}
