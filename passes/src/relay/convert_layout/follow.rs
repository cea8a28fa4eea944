//! Operators that work in another layout as they do in the model's: what they read is not brought back before them.

use super::{Layouts, Moved};
use crate::graph::operators::make;
use relay_dialects::{
    ir::{Attr, Builder, Op, Value},
    names,
    relay::{Attrs, Pattern, ops::reduce::reduced_axes, row::LayoutRule, row_of},
};

/// What an operator is in another layout.
struct Followed {
    operands: Vec<Value>,
    changes: Vec<(&'static str, Attr)>,
    /// For each result, the layouts that it has then and in the model, if they differ.
    layouts: Vec<Option<Layouts>>,
}

/// Makes an operator again on what its operands are in another layout, if it can be and one is known.
pub fn follow(moved: &mut Moved, op: Op) {
    let Some(layouts) = moved.first(op) else {
        return;
    };
    let context = Context {
        moved,
        op,
        attrs: Attrs::of(op),
        builder: Builder::before(op),
        layouts,
    };
    if let Some(followed) = context.followed() {
        moved.replace(op, &followed.operands, &followed.changes, &followed.layouts);
    }
}

/// The axes of the operand that a transpose's result has, in its order; without a list, it turns them around.
pub fn transpose_axes(op: Op) -> Vec<i64> {
    let rank = op.operand(0).ty().shape().len() as i64;
    match Attrs::of(op).ints("axes") {
        Ok(axes) if !axes.is_empty() => axes.iter().map(|axis| axis.rem_euclid(rank)).collect(),
        _ => (0..rank).rev().collect(),
    }
}

/// The axes that a reduction of data of a rank goes over, if there are any.
pub fn reduction_axes(op: Op, rank: usize) -> Option<Vec<i64>> {
    let attrs = Attrs::of(op);
    let excludes = attrs.bool("exclude").unwrap_or(false);
    let axes = reduced_axes(&attrs.ints("axis").ok()?, excludes, rank).ok()?;
    (!axes.is_empty()).then(|| axes.into_iter().map(|axis| axis as i64).collect())
}

/// An operator one of whose operands there is in another layout.
struct Context<'a> {
    moved: &'a Moved,
    op: Op,
    attrs: Attrs,
    builder: Builder,
    layouts: Layouts,
}

impl Context<'_> {
    fn followed(&self) -> Option<Followed> {
        let row = row_of(self.op)?;
        match row.layout {
            LayoutRule::Elementwise => self.on_data(vec![]),
            LayoutRule::Broadcasting { .. } => self.broadcasting(),
            LayoutRule::Concatenate => self.concatenate(),
            LayoutRule::Pad => self.pad(),
            LayoutRule::Slice => {
                let axes = self.layouts.places(&self.attrs.ints("axes").ok()?)?;
                self.on_data(vec![("axes", self.ints(&axes))])
            }
            _ if row.pattern == Pattern::CommReduce => self.reduce(),
            _ if self.op.has_attr("layout") => self.spatial(),
            _ if self.op.is(names::relay::TRANSPOSE) => self.transpose(),
            _ if row.is_view => self.squeeze(),
            _ if self.op.result_count() > 1 => self.parts(),
            _ => self.vectors(),
        }
    }

    fn int(&self, value: usize) -> Attr {
        Attr::i64(self.builder.ctx, value as i64)
    }

    fn ints(&self, values: &[i64]) -> Attr {
        Attr::ints(self.builder.ctx, values)
    }

    fn moved(&self, value: Value) -> Value {
        self.moved.in_layout(&self.builder, value, &self.layouts)
    }

    /// The operator with its first operand in the other layout, which its results have, too.
    fn on_data(&self, changes: Vec<(&'static str, Attr)>) -> Option<Followed> {
        let layouts = vec![Some(self.layouts.clone()); self.op.result_count()];
        self.giving(changes, layouts)
    }

    /// The same, with results in other layouts than the operand.
    fn giving(
        &self,
        changes: Vec<(&'static str, Attr)>,
        layouts: Vec<Option<Layouts>>,
    ) -> Option<Followed> {
        let mut operands = self.op.operands();
        let first = operands.first_mut()?;
        if first.ty().shape().len() != self.layouts.rank() {
            return None;
        }
        *first = self.moved(*first);
        Some(Followed {
            operands,
            changes,
            layouts,
        })
    }

    /// Operands of fewer dimensions get those that broadcasting would give them.
    fn broadcasting(&self) -> Option<Followed> {
        let rank = self.layouts.rank();
        let operands = self.op.operands();
        let fits = |value: &Value| value.ty().shape().len() <= rank;
        if !operands.iter().all(fits) {
            return None;
        }
        let operand = |value: &Value| {
            let shape = value.ty().shape();
            let missing = rank - shape.len();
            if shape.iter().all(|&dim| dim == 1) && missing > 0 {
                // One number has no order.
                return *value;
            }
            if missing == 0 {
                return self.moved(*value);
            }
            let attrs = [("axis", self.int(0)), ("num_newaxis", self.int(missing))];
            let whole = make(&self.builder, names::relay::EXPAND_DIMS, &[*value], &attrs);
            self.moved(whole)
        };
        Some(Followed {
            operands: operands.iter().map(operand).collect(),
            changes: vec![],
            layouts: vec![Some(self.layouts.clone())],
        })
    }

    fn concatenate(&self) -> Option<Followed> {
        let axis = self.layouts.place(self.attrs.int("axis").ok()?)?;
        let operands = self.op.operands();
        Some(Followed {
            operands: operands.iter().map(|value| self.moved(*value)).collect(),
            changes: vec![("axis", self.int(axis))],
            layouts: vec![Some(self.layouts.clone())],
        })
    }

    fn pad(&self) -> Option<Followed> {
        let widths = self.attrs.ints("pad_width").ok()?;
        let (pairs, _) = widths.as_chunks::<2>();
        let pairs = self.layouts.reorder(pairs)?;
        self.on_data(vec![("pad_width", self.ints(pairs.as_flattened()))])
    }

    /// Sums and the like over some dimensions, which may go. A search goes along one, so that the order of the others
    /// is no matter.
    fn reduce(&self) -> Option<Followed> {
        let reduced = reduction_axes(self.op, self.layouts.rank())?;
        let mut changes = vec![("axis", self.ints(&self.layouts.places(&reduced)?))];
        if self.attrs.bool("exclude").unwrap_or(false) {
            changes.push(("exclude", Attr::bool(self.builder.ctx, false)));
        }
        if self.attrs.bool("keepdims").ok()? {
            return self.on_data(changes);
        }
        self.giving(changes, vec![self.layouts.without(&reduced)])
    }

    /// Pools and resizes name the layout that they work in.
    fn spatial(&self) -> Option<Followed> {
        let own = self.attrs.str("layout").ok()?;
        let layout = Attr::str(self.builder.ctx, &self.layouts.to);
        (own == self.layouts.from)
            .then(|| self.on_data(vec![("layout", layout)]))
            .flatten()
    }

    /// A transpose gives the order that it is to give, whatever it starts from.
    fn transpose(&self) -> Option<Followed> {
        let axes = self.layouts.places(&transpose_axes(self.op))?;
        self.giving(vec![("axes", self.ints(&axes))], vec![None])
    }

    /// Of the views, a squeeze alone has a list of axes, and no element of its result is another one elsewhere.
    fn squeeze(&self) -> Option<Followed> {
        let axes = self.attrs.ints("axis").ok()?;
        let changes = vec![("axis", self.ints(&self.layouts.places(&axes)?))];
        self.giving(changes, vec![self.layouts.without(&axes)])
    }

    /// Several results that differ from the one operand along an axis only.
    fn parts(&self) -> Option<Followed> {
        let own = self.attrs.int("axis").ok()?;
        let axis = own.rem_euclid(self.layouts.rank() as i64) as usize;
        let data = self.op.operand(0).ty().shape();
        let is_part = |result: &Value| {
            let mut shape = result.ty().shape();
            if let Some(dim) = shape.get_mut(axis) {
                *dim = data[axis];
            }
            shape == data
        };
        if self.op.operand_count() != 1 || !self.op.results().iter().all(is_part) {
            return None;
        }
        let place = self.layouts.place(axis as i64)?;
        self.on_data(vec![("axis", self.int(place))])
    }

    /// Operators whose other operands are vectors along their attribute `axis`: biases, normalisations.
    fn vectors(&self) -> Option<Followed> {
        let operands = self.op.operands();
        let (data, rest) = operands.split_first()?;
        let are_vectors = rest.iter().all(|value| value.ty().shape().len() == 1);
        let keeps = self.op.result_count() == 1 && self.op.result(0).ty() == data.ty();
        // An instance norm takes the first dimension for the samples.
        let has_samples = self.op.is(names::relay::NN_INSTANCE_NORM);
        if !are_vectors || !keeps || (has_samples && self.layouts.place(0) != Some(0)) {
            return None;
        }
        let axis = self.layouts.place(self.attrs.int("axis").ok()?)?;
        self.on_data(vec![("axis", self.int(axis))])
    }
}
