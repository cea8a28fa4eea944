//! The products of a graph that can read bytes, and `op.annotation.simulated_quantize` at their operands.

use super::{
    constants::floats,
    operators::{is_foldable, is_plain_conv2d, make},
};
use relay_dialects::{
    ir::{Attr, Builder, Op, Type, Value},
    names::relay,
    relay::{
        Attrs,
        build::{scalar, splat},
        ops::annotation::{INPUT, WEIGHT},
    },
    rewrite,
};
use std::collections::HashSet;

/// A product of data and a constant weight that kernels of bytes can compute.
#[derive(Clone, Debug)]
pub struct Product {
    /// The operator.
    pub op: Op,
    /// Its name: that of its node in the model, or its operator with a number behind it. No two products of a function share one.
    pub name: String,
    /// The axis of the weight along which its outputs are.
    pub outputs: usize,
}

/// The products of a function, in textual order. Simulated operands do not change what is found.
pub fn products(function: Op) -> Vec<Product> {
    let mut names = HashSet::new();
    let ops = rewrite::operators(function).into_iter();
    let found = ops.filter_map(|op| Some((op, outputs_axis(op)?)));
    let numbered = found.enumerate().map(|(number, (op, outputs))| {
        let mut name = node_name(op, number);
        while !names.insert(name.clone()) {
            name.push('\'');
        }
        Product { op, name, outputs }
    });
    numbered.collect()
}

/// The name of an operator's node in the model; without one, the operator with a number behind it.
pub fn node_name(op: Op, number: usize) -> String {
    let nodes = op.loc().names();
    match nodes.is_empty() {
        true => format!("{}_{number}", operator_name(op)),
        false => nodes.join(" + "),
    }
}

/// Where operators go that read a value before `reader` does: behind what computes the value, or at the start of its block.
pub fn behind(value: Value, reader: Op) -> Builder {
    match (value.def(), value.owner_block()) {
        (Some(op), _) => Builder::after(op),
        (None, Some(block)) => Builder::at_start(block, reader.loc(), reader.ctx()),
        (None, None) => Builder::before(reader),
    }
}

/// An operator's name without its dialect and its family: `conv2d`.
pub fn operator_name(op: Op) -> String {
    let name = op.name();
    let short = name.rsplit('.').next().unwrap_or_default();
    short.to_owned()
}

/// The axis of a product's weight with its outputs; `None` of what `fake-quantization-to-integer` leaves as it is.
fn outputs_axis(op: Op) -> Option<usize> {
    let axis = match op.name().as_str() {
        relay::NN_CONV2D => is_known_conv2d(op).then_some(0),
        relay::NN_DENSE => Some(0),
        relay::NN_MATMUL | relay::NN_BATCH_MATMUL => matrix_axis(op),
        _ => None,
    }?;
    let (data, weight) = (op.operand(0), op.operand(1));
    let are_f32 = data.ty().element().is_f32() && weight.ty().element().is_f32();
    (are_f32 && is_foldable(weight) && !is_foldable(data)).then_some(axis)
}

/// Whether a convolution is in one group, or of each channel on its own.
fn is_known_conv2d(op: Op) -> bool {
    let (groups, kernel) = (Attrs::of(op).int("groups"), op.operand(1).ty().shape());
    let is_depthwise = || groups == Ok(kernel[0]) && kernel[1] == 1;
    is_plain_conv2d(op)
        && op.operand(0).ty().dims()[1].is_known()
        && (groups == Ok(1) || is_depthwise())
}

/// The axis of the outputs in a matrix that rows are multiplied with.
fn matrix_axis(op: Op) -> Option<usize> {
    let attrs = Attrs::of(op);
    let is_of_rows = op.operand(1).ty().dims().len() == 2 && !attrs.bool("transpose_a").ok()?;
    let is_transposed = attrs.bool("transpose_b").ok()?;
    is_of_rows.then_some(usize::from(!is_transposed))
}

/// An `op.annotation.simulated_quantize`.
#[derive(Clone, Copy, Debug)]
pub struct Simulated(pub Op);

impl Simulated {
    /// All of a function, in textual order.
    pub fn all(function: Op) -> Vec<Self> {
        let ops = function.find_all(relay::OP_ANNOTATION_SIMULATED_QUANTIZE);
        ops.into_iter().map(Self).collect()
    }

    /// The one that makes a value.
    pub fn of(value: Value) -> Option<Self> {
        value
            .def_of(relay::OP_ANNOTATION_SIMULATED_QUANTIZE)
            .map(Self)
    }

    /// Marks data that a table of ranges calls `tensor`. There is no scale yet.
    pub fn data(b: &Builder, data: Value, tensor: &str) -> Value {
        let none = scalar(b, data.ty().element(), 0.0);
        let attrs = [
            ("kind", Attr::i64(b.ctx, INPUT)),
            ("tensor", Attr::str(b.ctx, tensor)),
        ];
        Self::make(b, [data, none, none, none], &attrs)
    }

    /// Marks a weight with its outputs along `axis`. There is no scale yet.
    pub fn weight(b: &Builder, weight: Value, axis: usize) -> Value {
        let none = scalar(b, weight.ty().element(), 0.0);
        let attrs = [
            ("kind", Attr::i64(b.ctx, WEIGHT)),
            ("axis", Attr::i64(b.ctx, axis as i64)),
        ];
        Self::make(b, [weight, none, none, none], &attrs)
    }

    fn make(b: &Builder, operands: [Value; 4], attrs: &[(&str, Attr)]) -> Value {
        make(b, relay::OP_ANNOTATION_SIMULATED_QUANTIZE, &operands, attrs)
    }

    /// What is to be quantised.
    pub fn source(self) -> Value {
        self.0.operand(0)
    }

    /// Whether it is a weight.
    pub fn is_weight(self) -> bool {
        Attrs::of(self.0).int("kind") == Ok(WEIGHT)
    }

    /// Whether it has no scale yet.
    pub fn is_open(self) -> bool {
        splat(self.0.operand(1)) == Some(0.0)
    }

    /// The name of its data in a table of ranges.
    pub fn tensor(self) -> Option<String> {
        self.0.attr("tensor").and_then(Attr::as_str)
    }

    /// The axis along which there is a scale for each subscript.
    pub fn axis(self) -> usize {
        let axis = Attrs::of(self.0).int("axis").ok();
        axis.and_then(|axis| usize::try_from(axis).ok())
            .unwrap_or_default()
    }

    /// Gives it a scale, or one for each subscript along its axis, and the least and greatest steps from 0.
    pub fn set(self, scales: &[f64], (least, greatest): (i64, i64), is_signed: bool) {
        let b = Builder::before(self.0);
        let float = self.source().ty().element();
        let number = |number: i64| scalar(&b, float, number as f64);
        let scale = match scales {
            [one] => scalar(&b, float, *one),
            _ => vector(&b, scales),
        };
        let source = self.source();
        self.0
            .set_operands(&[source, scale, number(least), number(greatest)]);
        self.0.set_attr("sign", Attr::bool(b.ctx, is_signed));
    }

    /// The integer that stands for 0 in bytes, if the steps from 0 are those of all bytes.
    pub fn zero_point(self) -> Option<i64> {
        let [least, greatest] = [2, 3].map(|operand| splat(self.0.operand(operand)));
        let (least, greatest) = (least? as i64, greatest? as i64);
        let first = if self.is_signed() { -128 } else { 0 };
        (greatest - least == 255).then_some(first - least)
    }

    /// Whether its bytes are signed.
    pub fn is_signed(self) -> bool {
        Attrs::of(self.0).bool("sign") != Ok(false)
    }
}

/// A constant of f32 and rank 1.
fn vector(b: &Builder, numbers: &[f64]) -> Value {
    let numbers: Vec<f32> = numbers.iter().map(|number| *number as f32).collect();
    constant_of(b, &numbers, &[numbers.len() as i64])
}

/// A constant of f32, of as many numbers as its shape has elements.
pub fn constant_of(b: &Builder, numbers: &[f32], shape: &[i64]) -> Value {
    let bytes: Vec<u8> = numbers
        .iter()
        .flat_map(|number| number.to_le_bytes())
        .collect();
    let ty = Type::tensor(shape, Type::f32(b.ctx));
    let value = Attr::dense(ty, &bytes).expect("the bytes are those of the type");
    b.value(relay::CONSTANT, &[], ty, &[("value", value)])
}

/// The numbers of a constant of floats, by the subscripts along one of its axes.
pub fn groups_along(value: Value, axis: usize) -> Option<Vec<Vec<f32>>> {
    let numbers = floats(value)?;
    let shape = value.ty().shape();
    let count = usize::try_from(*shape.get(axis)?).ok()?;
    let behind: i64 = shape[axis + 1..].iter().product();
    let behind = usize::try_from(behind).ok()?.max(1);
    let mut groups = vec![Vec::new(); count];
    for (place, number) in numbers.into_iter().enumerate() {
        groups[place / behind % count].push(number);
    }
    Some(groups)
}
