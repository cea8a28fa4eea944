//! Functions that are kernels.

use super::KernelKind;
use crate::{
    attrs::{IN_PLACE, KERNEL},
    ir::{Attr, Ctx, NamedAttr, Op},
};
use std::collections::BTreeSet;

impl KernelKind {
    /// Which kind of kernel a function is, or will be; none if it is none.
    pub fn of_function(func: Op) -> Option<Self> {
        func.attr(KERNEL).and_then(Self::of_written)
    }

    /// Whether a function is a kernel of this kind.
    pub fn is_of(self, func: Op) -> bool {
        Self::of_function(func) == Some(self)
    }

    /// The attribute that makes a function one of this kind.
    pub fn on_function(self, ctx: Ctx) -> NamedAttr<'static> {
        (KERNEL, self.written(ctx))
    }
}

/// The numbers of the parameters of a kernel, or of a parallel loop's function, that may lie in one place; all others lie in places of their own.
pub fn in_place(func: Op) -> Vec<usize> {
    let written = func.attr(IN_PLACE).and_then(Attr::as_ints);
    let numbers = written.unwrap_or_default().into_iter();
    numbers.map(|number| number as usize).collect()
}

/// Adds parameters to those of [`in_place`].
pub fn join_in_place(func: Op, parameters: &[usize]) {
    let known = in_place(func).into_iter();
    let all: BTreeSet<usize> = known.chain(parameters.iter().copied()).collect();
    set_in_place(func, &Vec::from_iter(all));
}

/// Writes what [`in_place`] reads; nothing if there are none.
pub fn set_in_place(func: Op, parameters: &[usize]) {
    if !parameters.is_empty() {
        let numbers: Vec<i64> = parameters.iter().map(|number| *number as i64).collect();
        func.set_attr(IN_PLACE, Attr::ints(func.ctx(), &numbers));
    }
}
