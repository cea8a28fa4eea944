//! Sums of products, in Einstein's notation.

use crate::{Compute, Expression, scalar};
use relay_dialects::{
    dim::Dim,
    ir::{Builder, Value},
    relay::ops::einsum::{Label, Sums},
    te::build,
};
use std::collections::BTreeMap;

/// The family's row.
pub const ROWS: &[(&str, Compute)] = &[("einsum", einsum)];

fn einsum(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let shapes: Vec<Vec<Dim>> = (0..e.inputs.len()).map(|operand| e.dims(operand)).collect();
    let Sums { equation, extents } = Sums::read(&e.attrs(), &shapes)?;
    let is_summed = |label: &&Label| !equation.result.contains(label);
    let summed: Vec<Label> = extents.keys().filter(is_summed).copied().collect();
    let product = |b: &Builder, at: &BTreeMap<Label, Value>| {
        let terms = equation.terms.iter().zip(&shapes).zip(e.inputs);
        let elements = terms.map(|((labels, shape), operand)| {
            // The one element of an axis stands for all.
            let place = |(label, extent): (&Label, &Dim)| match at.get(label) {
                Some(at) if *extent != 1 => *at,
                _ => b.index(0),
            };
            let places: Vec<Value> = labels.iter().zip(shape).map(place).collect();
            build::read(b, *operand, &places)
        });
        elements.reduce(|product, element| scalar::mul(b, product, element))
    };
    let all = |outer: &[Value], inner: &[Value]| -> BTreeMap<Label, Value> {
        let labels = equation.result.iter().chain(&summed).copied();
        labels.zip(outer.iter().chain(inner).copied()).collect()
    };
    let zero = |b: &Builder| b.constant(e.element, 0.0);
    if summed.is_empty() {
        return e.elements(|b, outer| product(b, &all(outer, &[])).unwrap_or_else(|| zero(b)));
    }
    let reduced: Vec<Dim> = summed.iter().map(|label| extents[label]).collect();
    let body = |b: &Builder, outer: &[Value], inner: &[Value]| {
        product(b, &all(outer, inner)).unwrap_or_else(|| zero(b))
    };
    e.sums(&reduced, body)
}
