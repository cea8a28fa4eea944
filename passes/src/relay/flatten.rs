//! 1 x 1 convolutions whose channels do not come in blocks, as products with the pixels in one
//! dimension.
//!
//! A reshape costs nothing, so those of data and result need no layout of their own; but what
//! follows must work on the product's shape, so that it is fused with it.

use super::{
    dataflow::{make, remake},
    packing::reshape,
};
use relay_dialects::{
    ir::{Builder, Op, Value},
    relay::Attrs,
};
use std::collections::HashMap;

/// Knows for plain NCHW values which [groups, channels, pixels] values they were reshaped from.
#[derive(Default)]
pub struct Flattened {
    flat: HashMap<Value, Value>,
}

impl Flattened {
    /// `nn.conv2d` of one sample with a 1 x 1 kernel at every pixel as `nn.batch_matmul`. None if it
    /// is something else.
    pub fn conv2d(&mut self, op: Op) -> Option<()> {
        let attrs = Attrs::of(op);
        let (data, weight) = (op.operand(0), op.operand(1));
        let (input, kernel) = (data.ty().shape(), weight.ty().shape());
        let all = |name: &str, number: i64| {
            let numbers = attrs.ints(name).ok()?;
            numbers.iter().all(|&found| found == number).then_some(())
        };
        all("strides", 1)?;
        all("padding", 0)?;
        if kernel[2..] != [1, 1] || input[0] != 1 {
            return None;
        }
        let groups = attrs.int("groups").ok()?;
        let pixels = input[2] * input[3];
        let builder = Builder::before(op);
        let weight = reshape(
            &builder,
            weight,
            &[groups, kernel[0] / groups, input[1] / groups],
        );
        let data = self.flat(&builder, data, [groups, input[1] / groups, pixels]);
        let product = make(&builder, "nn.batch_matmul", &[weight, data], &[]);
        self.replace(op, product);
        Some(())
    }

    /// Whether an operand of `op` is there flattened.
    pub fn knows_any(&self, op: Op) -> bool {
        op.operands()
            .iter()
            .any(|value| self.flat.contains_key(value))
    }

    /// What works element by element on one operand.
    pub fn unary(&mut self, op: Op) -> Option<()> {
        let flat = *self.flat.get(&op.operand(0))?;
        let made = remake(&Builder::before(op), op, &[flat], &[]);
        self.replace(op, made);
        Some(())
    }

    /// Broadcasting operators with a flattened operand of the result's shape; the others have that
    /// shape, too, or one number for each channel or for all.
    pub fn binary(&mut self, op: Op) -> Option<()> {
        let shape = op.result(0).ty().shape();
        let operands = op.operands();
        let known = |value: &&Value| value.ty().shape() == shape && self.flat.contains_key(value);
        let flat = self.flat[operands.iter().find(known)?].ty().shape();
        let targets = operands
            .iter()
            .map(|value| broadcast_shape(&value.ty().shape(), &shape, [flat[0], flat[1], flat[2]]))
            .collect::<Option<Vec<_>>>()?;
        let builder = Builder::before(op);
        let operands: Vec<Value> = operands
            .iter()
            .zip(targets)
            .map(|(value, target)| self.flat(&builder, *value, target))
            .collect();
        let made = remake(&builder, op, &operands, &[]);
        self.replace(op, made);
        Some(())
    }

    /// A plain value in the given shape of as many elements.
    fn flat(&self, builder: &Builder, value: Value, shape: [i64; 3]) -> Value {
        match self.flat.get(&value) {
            Some(flat) if flat.ty().shape() == shape => *flat,
            _ => reshape(builder, value, &shape),
        }
    }

    fn replace(&mut self, op: Op, flat: Value) {
        let builder = Builder::before(op);
        let plain = reshape(&builder, flat, &op.result(0).ty().shape());
        op.result(0).replace_all_uses_with(plain);
        self.flat.insert(plain, flat);
    }
}

/// The shape in which an operand of `own` broadcasts against [groups, channels, pixels] as it did
/// against `shape`, [1, channels, height, width].
fn broadcast_shape(own: &[i64], shape: &[i64], flat: [i64; 3]) -> Option<[i64; 3]> {
    let [groups, channels, _] = flat;
    let lead = shape.len() - own.len();
    let per_channel = |(dim, extent): (usize, &i64)| *extent == 1 || dim + lead == 1;
    if own == shape {
        Some(flat)
    } else if own.iter().product::<i64>() == 1 {
        Some([1, 1, 1])
    } else if own.iter().enumerate().all(per_channel) {
        Some([groups, channels, 1])
    } else {
        None
    }
}
