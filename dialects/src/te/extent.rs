//! Dimensions in index arithmetic.

use super::ops;
use crate::{
    dim::Dim,
    index::Extent,
    ir::{Builder, Value},
};

/// A form is written as a `te.extent`.
impl Extent for Dim {
    fn known(self) -> Option<i64> {
        Dim::known(self)
    }

    fn to_value(self, b: &Builder) -> Value {
        match Dim::known(self) {
            Some(extent) => b.index(extent),
            None => ops::Extent::build(b, &self.to_string()),
        }
    }
}
