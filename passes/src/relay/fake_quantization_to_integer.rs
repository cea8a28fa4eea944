//! `fake-quantization-to-integer`: operators on dequantised operands as operators on integers.

mod images;
mod moves;
mod regions;

use self::regions::Regions;
use crate::graph::{
    operators::{cast, is_foldable, is_plain_conv2d, known_number, make, remake},
    rewrite,
    shapes::reshape,
};
use relay_dialects::{
    Element,
    ir::{Attr, Builder, Op, Value, named},
    names::relay,
    ops::func,
    pass::{Default, OptionSpec, Options, PassResult, PassSpec, fail},
    relay::{Attrs, relation::normalize_axis},
};
use relay_topi::cost::bytes::{fits_groups, is_worth_packing};

/// Whether whole regions are converted.
const ALL: OptionSpec = OptionSpec {
    name: "all",
    summary: "compute on integers from qnn.dequantize to qnn.quantize, also where floats are as fast",
    default: Default::Bool(false),
};

/// Whether it is an error if a region is not converted.
const HARD_FAIL: OptionSpec = OptionSpec {
    name: "hard-fail",
    summary: "with all: fail if an operator of a region has no form on integers",
    default: Default::Bool(false),
};

/// Whether single operators are converted, too.
const OPTIONAL_QAT: OptionSpec = OptionSpec {
    name: "optional-qat",
    summary: "with all: then convert operators on dequantised operands that no region ends behind, one by one",
    default: Default::Bool(false),
};

/// Whether the softmax of bytes is computed by shifts.
const SOFTMAX: OptionSpec = OptionSpec {
    name: "softmax",
    summary: "with all: also nn.softmax, which is less exact on integers",
    default: Default::Bool(false),
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "fake-quantization-to-integer",
    summary: "compute on integers in the place of dequantised floats",
    description: include_str!("fake_quantization_to_integer.md"),
    anchor: func::Func::NAME,
    options: &[ALL, HARD_FAIL, OPTIONAL_QAT, SOFTMAX],
    run,
};

/// What is no slower than on floats.
const RULES: &[rewrite::Rule] = &[
    images::conv1d,
    images::conv1d_transpose,
    images::conv3d,
    conv2d,
    conv2d_transpose,
    dense,
    matmul,
    matmul_of_data,
    moves::sink,
    moves::pad,
    moves::concatenate,
    moves::quantize,
];

fn run(function: Op, options: &Options) -> PassResult {
    if options.bool(ALL.name) {
        convert_regions(function, options)?;
    }
    rewrite::apply(function, RULES)
}

fn convert_regions(function: Op, options: &Options) -> PassResult {
    let mut regions = Regions {
        takes_inexact: options.bool(SOFTMAX.name),
        failed: None,
    };
    rewrite::apply_each(function, &mut |op| regions.quantize(op))?;
    if let Some(failed) = regions.failed.filter(|_| options.bool(HARD_FAIL.name)) {
        let message = "has no form on integers, but is between qnn.dequantize and qnn.quantize; leave hard-fail out to keep its floats";
        return fail(failed, message);
    }
    if options.bool(OPTIONAL_QAT.name) {
        rewrite::apply_each(function, &mut |op| regions.single(op))?;
    }
    Ok(())
}

/// The attribute that says an element type.
fn out_dtype(element: Element, b: &Builder) -> (&'static str, Attr) {
    ("out_dtype", Attr::ty(element.ty(b.ctx)))
}

/// The step of a sum of products, or that of each output.
fn steps_of_products(b: &Builder, data: Value, weight: Value) -> Value {
    make(b, relay::MULTIPLY, &[weight, data], &[])
}

/// The attributes of a convolution in the layouts that quantised ones have.
fn plain_layout(attrs: &[(String, Attr)]) -> Vec<(&str, Attr)> {
    let mut attrs = named(attrs);
    attrs.retain(|(name, _)| *name != "out_layout");
    attrs
}

/// A tensor of bytes, and what a step and zero are.
struct Quantized {
    bytes: Value,
    scale: Value,
    zero: Value,
}

impl Quantized {
    /// The operand of a `qnn.dequantize` from bytes to f32.
    fn of(value: Value) -> Option<(Self, Op)> {
        let op = value.def_of(relay::QNN_DEQUANTIZE)?;
        let element = Element::of(op.operand(0).ty().element())?;
        let fits = matches!(element, Element::I8 | Element::U8) && value.ty().element().is_f32();
        let quantized = Self {
            bytes: op.operand(0),
            scale: op.operand(1),
            zero: op.operand(2),
        };
        fits.then_some((quantized, op))
    }

    /// Data with one scale.
    fn of_data(value: Value) -> Option<Self> {
        let (known, _) = Self::of(value)?;
        let is_whole = [known.scale, known.zero]
            .iter()
            .all(|value| value.ty().shape().is_empty());
        is_whole.then_some(known)
    }

    /// A constant weight with one scale, or with one for each output, which are along `axis`.
    fn of_weight(value: Value, axis: usize) -> Option<Self> {
        if let Some(op) = value.def_of(relay::TRANSPOSE)
            && value.ty().shape().len() == 2
        {
            let source = Self::of_weight(op.operand(0), 1 - axis)?;
            let moved = remake(&Builder::before(op), op, &[source.bytes], &[]);
            return Some(Self {
                bytes: moved,
                ..source
            });
        }
        let (known, op) = Self::of(value)?;
        let rank = known.bytes.ty().shape().len();
        let own = normalize_axis(Attrs::of(op).int("axis").ok()?, rank).ok()?;
        let is_along = [known.scale, known.zero]
            .iter()
            .all(|value| value.ty().shape().is_empty() || own == axis);
        (is_along && is_foldable(known.bytes)).then_some(known)
    }
}

/// A product of integers in the place of `op`, in steps of the product of the scales. `behind` dimensions of the result are
/// behind that of outputs.
fn product(
    b: &Builder,
    name: &str,
    [data, weight]: [&Quantized; 2],
    attrs: &[(&str, Attr)],
    behind: usize,
) -> Option<Value> {
    let operands = [
        data.bytes,
        weight.bytes,
        data.zero,
        weight.zero,
        data.scale,
        weight.scale,
    ];
    let sums = b.inferred(name, &operands, attrs)?.result(0);
    let sums = cast(b, sums, data.scale.ty().element());
    let step = steps_of_products(b, data.scale, weight.scale);
    let step = match step.ty().shape()[..] {
        [count] if behind > 0 => reshape(b, step, &[&[count], &vec![1; behind][..]].concat()),
        _ => step,
    };
    Some(make(b, relay::MULTIPLY, &[sums, step], &[]))
}

/// Whether a convolution of bytes has a kernel: in one group, of each channel on its own, or of groups that fill up vectors.
fn has_kernel(groups: i64, kernel: &[i64]) -> bool {
    kernel[..2] == [groups, 1] || fits_groups(groups, kernel)
}

fn conv2d(op: Op) -> Option<Vec<Value>> {
    if !is_plain_conv2d(op) {
        return None;
    }
    let (groups, kernel) = (
        Attrs::of(op).int("groups").ok()?,
        op.operand(1).ty().shape(),
    );
    let has_channels = op.operand(0).ty().dims()[1].is_known();
    if !has_channels || !has_kernel(groups, &kernel) {
        return None;
    }
    let weight = Quantized::of_weight(op.operand(1), 0)?;
    let data = Quantized::of_data(op.operand(0))?;
    let b = Builder::before(op);
    let attrs = op.attrs();
    let attrs = plain_layout(&attrs);
    let operands = [&data, &weight];
    Some(vec![product(&b, relay::QNN_CONV2D, operands, &attrs, 2)?])
}

/// A transposed convolution in one group. `qnn-legalize` makes a convolution of it, for which zeros fill up the weight.
fn conv2d_transpose(op: Op) -> Option<Vec<Value>> {
    let attrs = Attrs::of(op);
    let is = |name: &str, layout: &str| attrs.str(name).is_ok_and(|it| it == layout);
    let has_kernel = op.is(relay::NN_CONV2D_TRANSPOSE)
        && is("data_layout", "NCHW")
        && is("kernel_layout", "IOHW")
        && attrs.int("groups").ok()? == 1
        && op.operand(0).ty().dims()[1].is_known();
    if !has_kernel {
        return None;
    }
    let weight = Quantized::of_weight(op.operand(1), 1)?;
    known_number(weight.zero)?;
    let data = Quantized::of_data(op.operand(0))?;
    let b = Builder::before(op);
    let attrs = op.attrs();
    let attrs = plain_layout(&attrs);
    let operands = [&data, &weight];
    let name = relay::QNN_CONV2D_TRANSPOSE;
    Some(vec![product(&b, name, operands, &attrs, 2)?])
}

fn dense(op: Op) -> Option<Vec<Value>> {
    if !op.is(relay::NN_DENSE) {
        return None;
    }
    let weight = Quantized::of_weight(op.operand(1), 0)?;
    let data = Quantized::of_data(op.operand(0))?;
    let b = Builder::before(op);
    Some(vec![product(
        &b,
        relay::QNN_DENSE,
        [&data, &weight],
        &[],
        0,
    )?])
}

/// A product with a matrix, of rows or of batches of rows.
fn matmul(op: Op) -> Option<Vec<Value>> {
    let is_product = op.is(relay::NN_MATMUL) || op.is(relay::NN_BATCH_MATMUL);
    if !is_product || op.operand(1).ty().shape().len() != 2 {
        return None;
    }
    let attrs = Attrs::of(op);
    if attrs.bool("transpose_a").ok()? {
        return None;
    }
    let is_transposed = attrs.bool("transpose_b").ok()?;
    let weight = Quantized::of_weight(op.operand(1), usize::from(!is_transposed))?;
    let data = Quantized::of_data(op.operand(0))?;
    let b = Builder::before(op);
    let axes = [("axes", Attr::ints(b.ctx, &[1, 0]))];
    let weight = match is_transposed {
        true => weight,
        false => Quantized {
            bytes: make(&b, relay::TRANSPOSE, &[weight.bytes], &axes),
            ..weight
        },
    };
    Some(vec![product(
        &b,
        relay::QNN_DENSE,
        [&data, &weight],
        &[],
        0,
    )?])
}

/// A product of two tensors of data. The second one is packed into words when the model runs, which many rows pay for.
fn matmul_of_data(op: Op) -> Option<Vec<Value>> {
    if !op.is(relay::NN_MATMUL) && !op.is(relay::NN_BATCH_MATMUL) {
        return None;
    }
    let shape = op.result(0).ty().dims();
    let (rows, lhs) = (shape[shape.len() - 2], op.operand(0).ty().dims());
    let attrs = Attrs::of(op);
    let flag = |name: &str| Some(Attr::bool(op.ctx(), attrs.bool(name).ok()?));
    let depth = match attrs.bool("transpose_a").ok()? {
        true => lhs[lhs.len() - 2],
        false => lhs[lhs.len() - 1],
    };
    let attrs = [
        ("transpose_a", flag("transpose_a")?),
        ("transpose_b", flag("transpose_b")?),
    ];
    if !depth.is_known() || !is_worth_packing(rows) {
        return None;
    }
    let [data, weight] = [op.operand(0), op.operand(1)].map(Quantized::of_data);
    let operands = [&data?, &weight?];
    let b = Builder::before(op);
    let name = relay::QNN_BATCH_MATMUL;
    Some(vec![product(&b, name, operands, &attrs, 0)?])
}
