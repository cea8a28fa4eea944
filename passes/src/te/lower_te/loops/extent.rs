//! Extents as values: numbers, and what symbols come to.

use super::Lowering;
use relay_dialects::{
    dim::Dim,
    index::{self, Extent as _},
    ir::{Attr, Builder, Op, Value},
    ops::arith,
    tir::Bound,
};

/// An extent in index arithmetic.
#[derive(Clone, Copy, Debug)]
pub(super) enum Extent {
    /// A number.
    Known(i64),
    /// A value that the kernel is given, or computes of such.
    Open(Value),
}

impl index::Extent for Extent {
    fn known(self) -> Option<i64> {
        match self {
            Self::Known(extent) => Some(extent),
            Self::Open(value) => index::constant(value),
        }
    }

    fn to_value(self, b: &Builder) -> Value {
        match self {
            Self::Known(extent) => b.index(extent),
            Self::Open(value) => value,
        }
    }
}

impl From<Extent> for Bound {
    fn from(extent: Extent) -> Self {
        match extent {
            Extent::Known(extent) => Self::Static(extent),
            Extent::Open(value) => value.into(),
        }
    }
}

impl Lowering<'_> {
    /// The value of a `te.extent`, computed at `b`.
    ///
    /// # Errors
    /// If it is not of a form.
    pub(super) fn value_of_extent(&self, b: &Builder, op: Op) -> Result<Value, String> {
        let form = op.attr("form").and_then(Attr::as_str).unwrap_or_default();
        Ok(self.extent(b, Dim::parse(&form)?).to_value(b))
    }

    /// An extent, computed at `b` where it is a form. The version's least extent is written as a maximum, by which all bounds
    /// that follow from it are known.
    pub(super) fn extent(&self, b: &Builder, dim: Dim) -> Extent {
        match dim {
            Dim::Known(extent) => Extent::Known(extent),
            open => {
                let value = self.symbols.value(b, open);
                let value = value.expect("a kernel is given all symbols that its function names");
                let least = self.version.at_least.get(&open);
                Extent::Open(least.map_or(value, |least| {
                    arith::MaxSI::build(b, value, b.index(*least))
                }))
            }
        }
    }
}
