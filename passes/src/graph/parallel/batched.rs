//! Branches of one shape stacked to a batch.

use super::{Combined, Combiner};
use crate::graph::operators::{make, remake};
use relay_dialects::{
    ir::{Attr, Builder, Op, Value, named},
    names::relay,
    relay::{row, row::LayoutRule, row_of},
};

/// Each operator of a group is one of a batch; so is what follows it.
pub struct Batch {
    /// The operator, by its full name.
    single: String,
    /// The one that computes batches of it, with the same attributes.
    batched: String,
    /// An attribute that this one has besides.
    set: Option<&'static str>,
}

/// Which operators compute batches of which others, and the attribute that is set for it.
const PAIRS: &[(&str, &str, Option<&str>)] = &[
    (relay::NN_DENSE, relay::NN_BATCH_MATMUL, Some("transpose_b")),
    (relay::NN_MATMUL, relay::NN_BATCH_MATMUL, None),
];

impl Batch {
    /// Of `nn.dense`, by `nn.batch_matmul`.
    pub fn of_dense() -> Self {
        let (single, batched, set) = PAIRS[0];
        Self {
            single: single.into(),
            batched: batched.into(),
            set,
        }
    }

    /// Of an operator, by another one, both without the dialect. One that works element by element computes batches of
    /// itself.
    ///
    /// # Errors
    /// If there is no such operator, or the second is not known to compute batches of the first.
    pub fn of(single: &str, batched: &str) -> Result<Self, String> {
        let [single, batched] = [single, batched].map(|name| format!("relay.{name}"));
        if let Some(unknown) = [&single, &batched]
            .into_iter()
            .find(|name| row(name).is_none())
        {
            return Err(format!("there is no operator '{unknown}'"));
        }
        let pair = PAIRS
            .iter()
            .find(|pair| (pair.0, pair.1) == (&single, &batched));
        let layout = row(&single).map(|row| row.layout);
        let is_by_element = matches!(
            layout,
            Some(LayoutRule::Elementwise | LayoutRule::Broadcasting { .. })
        );
        if pair.is_none() && !(single == batched && is_by_element) {
            return Err(format!(
                "'{batched}' is not known to compute batches of '{single}'"
            ));
        }
        let set = pair.and_then(|pair| pair.2);
        Ok(Self {
            single,
            batched,
            set,
        })
    }
}

impl Combiner for Batch {
    fn takes(&self, op: Op) -> bool {
        // Operators that differ in no operand are one.
        if !op.is(&self.single) || op.operand_count() < 2 {
            return false;
        }
        // What is stacked must not be repeated: a batch stands before all dimensions.
        let rank = op.result(0).ty().shape().len();
        let is_whole = |value: &Value| value.ty().shape().len() == rank;
        op.operands().iter().all(is_whole)
            && op.operands()[1..]
                .iter()
                .all(|value| value.ty().is_static())
    }

    fn agree(&self, lhs: Op, rhs: Op) -> bool {
        let types = |op: Op| op.operands().into_iter().map(|value| value.ty());
        types(lhs).eq(types(rhs)) && lhs.attrs() == rhs.attrs()
    }

    fn product(&self, builder: &Builder, roots: &[Op]) -> Combined {
        let first = roots[0];
        // A batch of 1 meets all others.
        let one = [("axis", Attr::i64(builder.ctx, 0))];
        let data = make(builder, relay::EXPAND_DIMS, &[first.operand(0)], &one);
        let others = (1..first.operand_count()).map(|place| {
            let values: Vec<Value> = roots.iter().map(|root| root.operand(place)).collect();
            stack(builder, &values)
        });
        let operands: Vec<Value> = [data].into_iter().chain(others).collect();
        let own = first.attrs();
        let mut attrs = named(&own);
        attrs.extend(self.set.map(|name| (name, Attr::bool(builder.ctx, true))));
        Combined {
            value: make(builder, &self.batched, &operands, &attrs),
            axis: 0,
            extents: vec![1; roots.len()],
        }
    }

    fn follows(&self, combined: &Combined, level: &[Op], parent: usize) -> bool {
        let first = level[0];
        let rank = combined.value.ty().shape().len() - 1;
        let is_by_element = match row_of(first).map(|row| row.layout) {
            Some(LayoutRule::Elementwise) => true,
            // A result of as many dimensions, so that the batch stays before them.
            Some(LayoutRule::Broadcasting { .. }) => first.result(0).ty().shape().len() == rank,
            _ => false,
        };
        let mut places = (0..first.operand_count()).filter(|&place| place != parent);
        is_by_element
            && places.all(|place| {
                let ty = first.operand(place).ty();
                ty.is_static() && level.iter().all(|op| op.operand(place).ty() == ty)
            })
    }

    fn follow(
        &self,
        builder: &Builder,
        combined: &Combined,
        level: &[Op],
        parent: usize,
    ) -> Combined {
        let first = level[0];
        let rank = combined.value.ty().shape().len() - 1;
        let operands = (0..first.operand_count()).map(|place| {
            if place == parent {
                return combined.value;
            }
            let members = level.iter().map(|op| op.operand(place));
            let members: Vec<Value> = members
                .map(|value| with_rank(builder, value, rank))
                .collect();
            stack(builder, &members)
        });
        let operands: Vec<Value> = operands.collect();
        Combined {
            value: remake(&builder.with_loc(first.loc()), first, &operands, &[]),
            axis: combined.axis,
            extents: combined.extents.clone(),
        }
    }

    fn parts(&self, builder: &Builder, combined: &Combined) -> Vec<Value> {
        let ctx = builder.ctx;
        let cuts: Vec<i64> = (1..combined.extents.len() as i64).collect();
        let attrs = [
            ("indices", Attr::ints(ctx, &cuts)),
            ("axis", Attr::i64(ctx, combined.axis as i64)),
        ];
        let split = builder.inferred(relay::SPLIT, &[combined.value], &attrs);
        let split = split.expect("a batch is split into its members");
        let axis = [("axis", Attr::ints(ctx, &[combined.axis as i64]))];
        let squeeze = |part: Value| make(builder, relay::SQUEEZE, &[part], &axis);
        split.results().into_iter().map(squeeze).collect()
    }
}

/// Values one after the other along a new first axis.
fn stack(builder: &Builder, values: &[Value]) -> Value {
    let attrs = [("axis", Attr::i64(builder.ctx, 0))];
    make(builder, relay::STACK, values, &attrs)
}

/// A tensor with as many dimensions as broadcasting would see in it.
fn with_rank(builder: &Builder, value: Value, rank: usize) -> Value {
    let missing = rank.saturating_sub(value.ty().shape().len());
    if missing == 0 {
        return value;
    }
    let attrs = [
        ("axis", Attr::i64(builder.ctx, 0)),
        ("num_newaxis", Attr::i64(builder.ctx, missing as i64)),
    ];
    make(builder, relay::EXPAND_DIMS, &[value], &attrs)
}
