//! Symbols whose values are computed.

use crate::{
    dim::Dim,
    element::Element,
    ir::{Attr, Op},
    names::relay,
};

/// A `relay.dim_of`: where the value of a symbol is read from a tensor.
#[derive(Clone, Debug)]
pub struct DimOf {
    /// The op.
    pub op: Op,
    /// The name of the symbol.
    pub symbol: String,
    /// The least value that it may have.
    pub least: Dim,
    /// The greatest one, if there is a bound.
    pub most: Option<Dim>,
    /// The form that the number is, if that is said.
    pub form: Option<Dim>,
}

impl DimOf {
    /// What an op says, if it is one.
    pub fn of(op: Op) -> Option<Self> {
        let bound = |name: &str| match op.attr(name) {
            Some(bound) => bound.as_dim().map(Some),
            None => Some(None),
        };
        op.is(relay::DIM_OF).then_some(Self {
            op,
            symbol: op.attr("symbol").and_then(Attr::as_str)?,
            least: bound("least")?.unwrap_or_default(),
            most: bound("most")?,
            form: bound("of")?,
        })
    }
}

/// The names of the symbols that a module computes.
pub fn computed_symbols(module: Op) -> Vec<String> {
    let all = module.find_all(relay::DIM_OF).into_iter();
    all.filter_map(|op| Some(DimOf::of(op)?.symbol)).collect()
}

/// Checks a `relay.dim_of`.
pub(super) fn verify(op: Op) -> Result<(), String> {
    let size = op.operand(0).ty();
    let is_number = size.is_tensor()
        && size.dims().is_empty()
        && Element::of(size.element()) == Some(Element::I64);
    if !is_number && !size.is_incomplete() {
        return Err(format!("reads {size}, expected tensor<i64> (C1)"));
    }
    let name = op.attr("symbol").and_then(Attr::as_str).unwrap_or_default();
    let is_name = matches!(Dim::parse(&name), Ok(Dim::Open(_)));
    if !is_name || Dim::parse(&name) != Ok(Dim::symbol(&name)) {
        return Err(format!("'{name}' is no name of a symbol (C2)"));
    }
    let is_bound = |bound: Attr| {
        let dim = bound.as_dim();
        dim.is_some_and(|dim| dim != Dim::Unknown && dim.known().is_none_or(|dim| dim >= 0))
    };
    let mut bounds = ["least", "most", "of"]
        .into_iter()
        .filter_map(|name| op.attr(name));
    match bounds.find(|bound| !is_bound(*bound)) {
        Some(other) => Err(format!("a bound is {other}, no dimension (C3)")),
        None => Ok(()),
    }
}
