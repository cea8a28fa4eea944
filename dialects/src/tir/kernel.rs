//! Functions that are kernels.

use super::KernelKind;
use crate::{
    attrs::KERNEL,
    ir::{Ctx, NamedAttr, Op},
};

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
