//! Products of one matrix with weights of one shape, stacked to a batch.

use super::is_dense;
use crate::graph::{
    operators::{make, remake},
    parallel::{Combined, Combiner},
};
use relay_dialects::{
    ir::{Attr, Builder, Op, Value},
    names,
    relay::{row::LayoutRule, row_of},
};

/// Each product is one of a batch; so is what follows it.
pub struct Batch;

impl Combiner for Batch {
    fn takes(&self, op: Op) -> bool {
        is_dense(op)
    }

    fn agree(&self, lhs: Op, rhs: Op) -> bool {
        lhs.operand(1).ty() == rhs.operand(1).ty()
    }

    fn product(&self, builder: &Builder, roots: &[Op]) -> Combined {
        let weights: Vec<Value> = roots.iter().map(|root| root.operand(1)).collect();
        // A batch of 1 meets all others.
        let one = [("axis", Attr::i64(builder.ctx, 0))];
        let data = make(
            builder,
            names::relay::EXPAND_DIMS,
            &[roots[0].operand(0)],
            &one,
        );
        let operands = [data, stack(builder, &weights)];
        let attrs = [("transpose_b", Attr::bool(builder.ctx, true))];
        Combined {
            value: make(builder, names::relay::NN_BATCH_MATMUL, &operands, &attrs),
            axis: 0,
            extents: vec![1; roots.len()],
        }
    }

    fn follows(&self, _combined: &Combined, level: &[Op], parent: usize) -> bool {
        let first = level[0];
        let is_by_element = match row_of(first).map(|row| row.layout) {
            Some(LayoutRule::Elementwise) => true,
            // A matrix stays one, so that the batch stays before it.
            Some(LayoutRule::Broadcasting { .. }) => first.result(0).ty().shape().len() == 2,
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
        let operands = (0..first.operand_count()).map(|place| {
            if place == parent {
                return combined.value;
            }
            let matrices = level
                .iter()
                .map(|op| as_matrix(builder, op.operand(place)))
                .collect::<Vec<Value>>();
            stack(builder, &matrices)
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
        let split = builder.inferred(names::relay::SPLIT, &[combined.value], &attrs);
        let split = split.expect("a batch is split into its members");
        let axis = [("axis", Attr::ints(ctx, &[combined.axis as i64]))];
        let squeeze = |part: Value| make(builder, names::relay::SQUEEZE, &[part], &axis);
        split.results().into_iter().map(squeeze).collect()
    }
}

/// Values one after the other along a new first axis.
fn stack(builder: &Builder, values: &[Value]) -> Value {
    let attrs = [("axis", Attr::i64(builder.ctx, 0))];
    make(builder, names::relay::STACK, values, &attrs)
}

/// A number or a vector as the matrix that broadcasting would see in it.
fn as_matrix(builder: &Builder, value: Value) -> Value {
    let missing = 2_usize.saturating_sub(value.ty().shape().len());
    if missing == 0 {
        return value;
    }
    let attrs = [
        ("axis", Attr::i64(builder.ctx, 0)),
        ("num_newaxis", Attr::i64(builder.ctx, missing as i64)),
    ];
    make(builder, names::relay::EXPAND_DIMS, &[value], &attrs)
}
