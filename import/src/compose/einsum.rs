//! Sums of products, in Einstein's notation.

use super::{
    linear::{batched, dense},
    reduce::along,
    slice::strided_slice,
    subscript::compare,
};
use crate::graph::{builder::GraphBuilder, error::Result, value::Value};
use relay_dialects::{
    dim::{self, Dim},
    relay::ops::einsum::{Equation, Label},
};
use std::collections::{BTreeMap, BTreeSet};

/// Terms are multiplied from left to right, two at a time: by a product of matrices if there is something to sum over, else element by
/// element. Labels that only one of the two has, and that are not needed later, are summed over before.
///
/// # Errors
/// If the equation does not fit the values.
pub fn einsum(b: &mut GraphBuilder, values: Vec<Value>, equation: &str) -> Result<Value> {
    let ranks: Vec<usize> = values.iter().map(Value::rank).collect();
    let Equation { terms, result } = Equation::parse(equation, &ranks)
        .map_err(|reason| format!("the equation is '{equation}': {reason}"))?;
    let terms = terms.into_iter().zip(values);
    let terms: Vec<Term> = terms
        .map(|(labels, value)| Term { labels, value })
        .collect();
    let extents = extents(&terms)?;
    let terms: Vec<Term> = terms
        .into_iter()
        .map(|term| term.narrowed(b, &extents)?.diagonal(b))
        .collect::<Result<_>>()?;
    let mut terms = terms.into_iter();
    let mut product = terms.next().ok_or("it has no inputs")?;
    while let Some(next) = terms.next() {
        let later = terms.as_slice().iter().flat_map(|term| &term.labels);
        let needed: BTreeSet<Label> = later.chain(&result).copied().collect();
        product = product.times(b, &next, &needed)?;
    }
    let sum = product.summed(b, |label| result.contains(&label))?;
    sum.grouped(
        b,
        &result.iter().map(std::slice::from_ref).collect::<Vec<_>>(),
    )
}

/// The extent of each label. A term may have 1 in its place.
fn extents(terms: &[Term]) -> Result<BTreeMap<Label, Dim>> {
    let mut extents = BTreeMap::new();
    for term in terms {
        for (&label, &extent) in term.labels.iter().zip(term.value.dims()) {
            let known = extents.entry(label).or_insert(extent);
            let before = *known;
            *known = dim::broadcast(before, extent)
                .ok_or_else(|| format!("the label {label} has extents {before} and {extent}"))?;
        }
    }
    Ok(extents)
}

/// A tensor whose axes have labels.
struct Term {
    value: Value,
    labels: Vec<Label>,
}

impl Term {
    /// The term without the axes of extent 1 whose labels have a larger extent elsewhere: their one element stands for all.
    fn narrowed(self, b: &mut GraphBuilder, extents: &BTreeMap<Label, Dim>) -> Result<Self> {
        let axes = self.labels.iter().zip(self.value.dims());
        let is_kept =
            |label: &Label, extent: Dim| extent != 1 || extents.get(label) == Some(&extent);
        let (labels, shape): (Vec<Label>, Vec<Dim>) = axes
            .filter(|(label, extent)| is_kept(label, **extent))
            .unzip();
        Ok(Self {
            value: b.reshape(&self.value, &shape)?,
            labels,
        })
    }

    /// The term with one axis, the diagonal, in the place of axes with the same label. Where rows lie one after the other, the next element
    /// of a diagonal is a row and a column further.
    fn diagonal(mut self, b: &mut GraphBuilder) -> Result<Self> {
        while let Some((first, second)) = self.repeated() {
            let rest = (0..self.labels.len()).filter(|axis| ![first, second].contains(axis));
            let rest: Vec<usize> = rest.collect();
            let moved = b.transpose(&self.value, &[&[first, second], &rest[..]].concat())?;
            let labels = rest.iter().map(|&axis| self.labels[axis]);
            self = Self {
                value: of_diagonal(b, &moved)?,
                labels: [self.labels[first]].into_iter().chain(labels).collect(),
            };
        }
        Ok(self)
    }

    /// Two axes with the same label.
    fn repeated(&self) -> Option<(usize, usize)> {
        let labels = self.labels.iter().enumerate();
        let mut pairs = labels.filter_map(|(axis, label)| {
            let first = self.labels[..axis]
                .iter()
                .position(|other| other == label)?;
            Some((first, axis))
        });
        pairs.next()
    }

    /// The sum over the labels that are not kept.
    fn summed(&self, b: &mut GraphBuilder, keep: impl Fn(Label) -> bool) -> Result<Self> {
        let axes = 0..self.labels.len();
        let (kept, summed): (Vec<usize>, Vec<usize>) =
            axes.partition(|&axis| keep(self.labels[axis]));
        Ok(Self {
            value: along(b, "sum", &self.value, (&summed, false))?,
            labels: kept.into_iter().map(|axis| self.labels[axis]).collect(),
        })
    }

    /// The product with another term, of which the `needed` labels stay.
    fn times(&self, b: &mut GraphBuilder, other: &Self, needed: &BTreeSet<Label>) -> Result<Self> {
        let left = self.summed(b, |it| other.labels.contains(&it) || needed.contains(&it))?;
        let right = other.summed(b, |it| self.labels.contains(&it) || needed.contains(&it))?;
        let is_shared = |label: &&Label| right.labels.contains(label);
        let (shared, rows): (Vec<Label>, Vec<Label>) = left.labels.iter().partition(is_shared);
        let (batch, inner): (Vec<Label>, Vec<Label>) =
            shared.into_iter().partition(|label| needed.contains(label));
        let columns = right
            .labels
            .iter()
            .filter(|label| !left.labels.contains(label));
        let columns: Vec<Label> = columns.copied().collect();
        let shape = [(&left, &batch), (&left, &rows), (&right, &columns)]
            .map(|(term, labels)| term.shape_of(labels));
        let value = match (inner.is_empty(), batch.is_empty()) {
            (true, _) => {
                let left = left.grouped(b, &[&batch, &rows, &[]])?;
                let right = right.grouped(b, &[&batch, &[], &columns])?;
                b.binary("multiply", &left, &right)?
            }
            (false, true) => {
                let left = left.grouped(b, &[&rows, &inner])?;
                let right = right.grouped(b, &[&columns, &inner])?;
                dense(b, &left, &right)?
            }
            (false, false) => {
                let left = left.grouped(b, &[&batch, &rows, &inner])?;
                let right = right.grouped(b, &[&batch, &inner, &columns])?;
                batched(b, &left, &right)?
            }
        };
        Ok(Self {
            value: b.reshape(&value, &shape.concat())?,
            labels: [batch, rows, columns].concat(),
        })
    }

    /// The extents of some of its labels.
    fn shape_of(&self, labels: &[Label]) -> Vec<Dim> {
        let axes = labels.iter().filter_map(|label| self.axis(*label));
        axes.map(|axis| self.value.dims()[axis]).collect()
    }

    fn axis(&self, label: Label) -> Option<usize> {
        self.labels.iter().position(|other| *other == label)
    }

    /// The tensor with an axis for each group of labels. The groups together hold all of its labels.
    fn grouped(&self, b: &mut GraphBuilder, groups: &[&[Label]]) -> Result<Value> {
        let labels = groups.iter().flat_map(|group| group.iter());
        let axes: Vec<usize> = labels.filter_map(|label| self.axis(*label)).collect();
        let moved = b.transpose(&self.value, &axes)?;
        let extents = groups
            .iter()
            .map(|group| dim::product(&self.shape_of(group)));
        b.reshape(&moved, &extents.collect::<Result<Vec<Dim>>>()?)
    }
}

/// The diagonal of the first two axes of a tensor, as its first axis. Where rows lie one after the other, the next element of a diagonal is
/// a row and a column further. No slice has such a stride if the axes are open: then all others count as nothing in a sum.
fn of_diagonal(b: &mut GraphBuilder, x: &Value) -> Result<Value> {
    let (extent, others) = (x.dims()[0], &x.dims()[2..]);
    if let Some(known) = extent.known() {
        let square = known * known;
        let flat = b.reshape(x, &[&[Dim::Known(square)], others].concat())?;
        return strided_slice(b, &flat, &[(0, 0, square, known + 1)]);
    }
    let counts = compare(b, "equal", (extent, extent), 0)?;
    let ones = vec![Dim::Known(1); others.len()];
    let counts = b.reshape(&counts, &[&[extent, extent], &ones[..]].concat())?;
    let nothing = b.scalar(x.element(), 0.0);
    let kept = b.op("where", &[counts, x.clone(), nothing], &[])?;
    along(b, "sum", &kept, (&[1], false))
}
