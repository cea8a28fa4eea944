//! TOPI: what each Relay operator computes, as tensor expressions, and how.
//!
//! [`compute`] writes an operator's `te.compute` ops; one table row per operator, by family.
//! [`schedule()`] writes the `te.schedule` of a whole function.

mod anchors;
mod annotation;
mod batch_space;
mod binary;
mod bits;
mod blocks;
mod cache;
mod conv;
mod custom;
mod deform;
mod detection;
mod einsum;
mod fixed_point;
mod gradients;
mod image;
mod indexing;
pub mod intrin;
mod lists;
mod losses;
mod nn;
mod pool;
mod precision;
mod product;
mod program;
mod qnn;
mod random;
mod reduce;
mod sampling;
mod scalar;
mod scatter;
pub mod schedule;
mod selection;
mod shaping;
mod signal;
mod sort;
mod sparse;
mod stored;
mod transform;
mod unary;
mod volume;
mod window;
pub mod winograd;

pub use schedule::{
    Candidate, F32_BYTES, Fitted, LINE_BYTES, Machine, Plan, TEMPLATES, cost, rewrite, schedule,
};

use relay_dialects::{
    dim::Dim,
    ir::{Builder, Op, Type, Value},
    relay::{Attrs, row},
    te::{Reducer, build},
};
use std::{collections::HashMap, sync::LazyLock};

/// An operator being expressed: its attributes and the tensors that stand for its operands.
pub struct Expression<'a> {
    /// Where `te.compute` ops go.
    pub b: &'a Builder,
    /// The operator.
    pub op: Op,
    /// Its operands, as tensors of the function being written, in the types that are computed in.
    pub inputs: &'a [Value],
    /// The type that elements of its result are computed in.
    pub element: Type,
}

impl Expression<'_> {
    /// The operator's attributes.
    pub fn attrs(&self) -> Attrs {
        Attrs::of(self.op)
    }

    /// The dimensions of operand `index`.
    pub fn dims(&self, index: usize) -> Vec<Dim> {
        self.inputs[index].ty().dims()
    }

    /// The dimensions of the first result.
    pub fn result_dims(&self) -> Vec<Dim> {
        self.op.result(0).ty().dims()
    }

    /// The shape of operand `index`, for expressions that need numbers.
    ///
    /// # Errors
    /// If a dimension is open.
    pub fn shape(&self, index: usize) -> Result<Vec<i64>, String> {
        known_shape(self.inputs[index].ty())
    }

    /// The shape of the first result, likewise.
    ///
    /// # Errors
    /// If a dimension is open.
    pub fn result_shape(&self) -> Result<Vec<i64>, String> {
        known_shape(self.op.result(0).ty())
    }

    /// An extent of operand `index`, for expressions that need a number there.
    ///
    /// # Errors
    /// If the dimension is open.
    pub fn known_dim(&self, index: usize, dim: usize) -> Result<i64, String> {
        known(self.inputs[index].ty(), self.dims(index)[dim])
    }

    /// Checks that index arithmetic can find the places of the first result's elements along a dimension in the first
    /// operand: they are fractions of both extents.
    ///
    /// # Errors
    /// If 64 bits do not hold eight times the product of the extents, which is what finding the nearest element takes. Extents
    /// that are known when the model runs are of tensors in memory.
    pub fn check_fractions(&self, dim: usize) -> Result<(), String> {
        let extents = [self.dims(0)[dim], self.result_dims()[dim]];
        let [Some(source), Some(result)] = extents.map(Dim::known) else {
            return Ok(());
        };
        let product = source.saturating_mul(result).saturating_mul(8);
        if product == i64::MAX {
            return Err(format!(
                "takes {result} elements from places between {source} in dimension {dim}: 64 bits do not hold such fractions"
            ));
        }
        Ok(())
    }

    /// The operator as one `te.compute`: `body` writes the result's element at the given indices.
    ///
    /// # Errors
    /// Never; it has the type of a row's function.
    pub fn elements(
        &self,
        body: impl FnOnce(&Builder, &[Value]) -> Value,
    ) -> Result<Vec<Value>, String> {
        let shape = self.result_dims();
        let result = build::compute(self.b, &self.name(), &shape, self.element, body);
        Ok(vec![result])
    }

    /// The operator as one sum: `body` writes a term at indices of the result and at those of `extents`, over which terms are summed up.
    ///
    /// # Errors
    /// As [`Self::elements`].
    pub fn sums<D: Into<Dim> + Copy>(
        &self,
        extents: &[D],
        body: impl FnOnce(&Builder, &[Value], &[Value]) -> Value,
    ) -> Result<Vec<Value>, String> {
        let (name, shape) = (self.name(), self.result_dims());
        let sum = (Reducer::Sum, extents);
        Ok(vec![build::reduce(
            self.b,
            &name,
            &shape,
            self.element,
            sum,
            body,
        )])
    }

    /// Tensors of these types that hold nothing but zeros, or no elements at all.
    pub fn zeros(&self, types: &[Type]) -> Vec<Value> {
        let zeros = types.iter().map(|ty| {
            let zero = |b: &Builder, _: &[Value]| b.constant(ty.element(), 0.0);
            build::compute(self.b, &self.name(), &ty.shape(), ty.element(), zero)
        });
        zeros.collect()
    }

    /// The operator's name without the dialect, for stages.
    pub fn name(&self) -> String {
        self.op
            .name()
            .trim_start_matches("relay.")
            .trim_start_matches("nn.")
            .to_string()
    }
}

/// The extents of a tensor, all of which are numbers.
fn known_shape(ty: Type) -> Result<Vec<i64>, String> {
    ty.dims().into_iter().map(|dim| known(ty, dim)).collect()
}

/// The number that a dimension of a tensor is.
fn known(ty: Type, dim: Dim) -> Result<i64, String> {
    dim.known().ok_or_else(|| {
        format!("has a tensor of type {ty}; dimension {dim} is open, and the operator's expression needs a number there")
    })
}

/// Writes an operator's expression; returns the tensors that stand for its results.
type Compute = fn(&Expression<'_>) -> Result<Vec<Value>, String>;

/// The rows of all families: an operator's name without the dialect, and its expression.
fn rows() -> impl Iterator<Item = &'static (&'static str, Compute)> {
    [
        unary::ROWS,
        binary::ROWS,
        reduce::ROWS,
        transform::ROWS,
        conv::ROWS,
        custom::ROWS,
        deform::ROWS,
        anchors::ROWS,
        annotation::ROWS,
        bits::ROWS,
        einsum::ROWS,
        gradients::ROWS,
        indexing::ROWS,
        random::ROWS,
        signal::ROWS,
        volume::ROWS,
        detection::ROWS,
        pool::ROWS,
        product::ROWS,
        nn::ROWS,
        image::ROWS,
        lists::ROWS,
        losses::ROWS,
        batch_space::ROWS,
        winograd::ROWS,
        sampling::ROWS,
        scatter::ROWS,
        cache::ROWS,
        selection::ROWS,
        shaping::ROWS,
        sort::ROWS,
        sparse::ROWS,
        qnn::ROWS,
        blocks::ROWS,
    ]
    .into_iter()
    .flatten()
}

/// The operators that have an expression, without the dialect.
pub fn operators() -> Vec<&'static str> {
    rows().map(|(name, _)| *name).collect()
}

/// The expression of an operator, by its name without the dialect.
fn expression(name: &str) -> Option<Compute> {
    static BY_NAME: LazyLock<HashMap<&str, Compute>> = LazyLock::new(|| rows().copied().collect());
    BY_NAME.get(name).copied()
}

/// Writes the expression of `op` over the tensors `inputs` at `b`; returns its results.
///
/// # Errors
/// If the operator has no expression, or not one for these attributes or types.
pub fn compute(b: &Builder, op: Op, inputs: &[Value]) -> Result<Vec<Value>, String> {
    let name = op.name();
    if row(&name).is_some_and(|row| !row.shape_operands.is_empty()) {
        return Err("has a shape that an operand says; run dynamic-to-static before".into());
    }
    if row(&name).is_some_and(|row| row.is_legalised) {
        return Err("is written as other operators by qnn-legalize; run that before".into());
    }
    let known = row(&name).and_then(|row| expression(row.name));
    let compute = known.ok_or("has no tensor expression; add its row to topi/src/<family>.rs")?;
    let is_nameless = |ty: &Type| !ty.is_tensor() || ty.dims().contains(&Dim::Unknown);
    let types = inputs.iter().map(|input| input.ty());
    if let Some(bad) = types
        .chain(op.results().iter().map(|it| it.ty()))
        .find(is_nameless)
    {
        return Err(format!(
            "has an operand or result of type {bad}; tensor expressions need extents that are numbers or named"
        ));
    }
    let element = op.result(0).ty().element();
    if row(&op.name()).is_some_and(|row| row.precision.keeps_elements()) {
        return compute(&Expression {
            b,
            op,
            inputs,
            element,
        });
    }
    let inputs: Vec<Value> = inputs
        .iter()
        .map(|input| precision::widened(b, *input))
        .collect();
    let results = compute(&Expression {
        b,
        op,
        inputs: &inputs,
        element: precision::computed(element),
    })?;
    let results = results.into_iter().zip(op.results());
    Ok(results
        .map(|(computed, result)| precision::narrowed(b, computed, result.ty()))
        .collect())
}

#[cfg(test)]
mod tests {
    use relay_dialects::relay::{ops, row::Row};
    use std::collections::BTreeSet;

    /// A row has two halves, because crates depend in one direction: each has the other.
    #[test]
    fn every_row_has_an_expression_and_every_expression_a_row() {
        // Where operands say the shape, or other operators are written, there is no kernel.
        let has_kernel = |row: &&Row| row.shape_operands.is_empty() && !row.is_legalised;
        let declared = ops::rows().filter(has_kernel).map(|row| row.name);
        let declared: BTreeSet<&str> = declared.collect();
        let computed: BTreeSet<&str> = super::operators().into_iter().collect();
        assert_eq!(declared, computed);
    }
}
