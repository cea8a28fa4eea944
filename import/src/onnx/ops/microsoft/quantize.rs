//! Operators on quantised tensors, which are computed as [`quantize`](super::super::quantize) says.

use super::super::{
    linear::product,
    pool::{Beyond, averages},
    quantize::{
        Matrix, by_column, by_row, distances, in_bytes, integer_product, product_of_bytes,
        quantized, scaled,
    },
    recurrent::lstm_of_bytes,
    reduce::along,
    row::{Row, row},
};
use crate::{
    compose::activation::leak,
    graph::{attr::Param, builder::GraphBuilder, error::Result, value::Value},
    onnx::node::Node,
};
use relay_dialects::element::Element;

/// The family's rows.
pub const ROWS: &[Row] = &[
    row("com.microsoft.DynamicQuantizeLSTM", 1, lstm_of_bytes),
    row("com.microsoft.DynamicQuantizeMatMul", 1, dynamic_matmul),
    row("com.microsoft.MatMulIntegerToFloat", 1, matmul_to_float),
    row("com.microsoft.QGemm", 1, gemm),
    row("com.microsoft.QLinearAdd", 1, |n, b| binary(n, b, "add")),
    row("com.microsoft.QLinearAveragePool", 1, average_pool),
    row("com.microsoft.QLinearConcat", 1, concat),
    row(
        "com.microsoft.QLinearGlobalAveragePool",
        1,
        global_average_pool,
    ),
    row("com.microsoft.QLinearLeakyRelu", 1, leaky_relu),
    row("com.microsoft.QLinearMul", 1, |n, b| {
        binary(n, b, "multiply")
    }),
    row("com.microsoft.QLinearSigmoid", 1, sigmoid),
    row("com.microsoft.QLinearSoftmax", 1, softmax),
];

/// The numbers that a tensor stands for; it is an input, and its scale and zero point are the two behind it.
fn numbers(n: &Node<'_>, b: &mut GraphBuilder, index: usize) -> Result<Value> {
    let zero = n.optional(index + 2).map(|zero| b.reshape_to_scalar(&zero));
    let zero = zero.transpose()?;
    let steps = distances(b, &n.input(index)?, zero.as_ref(), Element::F32)?;
    let scale = b.reshape_to_scalar(&n.input(index + 1)?)?;
    b.binary("multiply", &steps, &scale)
}

/// Quantises a result to a type; its scale is an input, and its zero point is the one behind it.
fn result(
    n: &Node<'_>,
    b: &mut GraphBuilder,
    numbers: &Value,
    (index, element): (usize, Element),
) -> Result<Vec<Value>> {
    let scale = b.reshape_to_scalar(&n.input(index)?)?;
    let zero = n.optional(index + 1).map(|zero| b.reshape_to_scalar(&zero));
    let zero = zero.transpose()?;
    if zero.as_ref().is_some_and(|zero| zero.element() != element) {
        return Err("operands and results have zero points of two types".into());
    }
    Ok(vec![quantized(b, numbers, &scale, zero.as_ref(), element)?])
}

fn binary(n: &Node<'_>, b: &mut GraphBuilder, op: &str) -> Result<Vec<Value>> {
    n.check_inputs(8)?;
    let (x, y) = (numbers(n, b, 0)?, numbers(n, b, 3)?);
    let both = b.binary(op, &x, &y)?;
    result(n, b, &both, (6, n.input(0)?.element()))
}

/// What a function makes of the numbers of the first input, quantised.
fn unary(
    n: &Node<'_>,
    b: &mut GraphBuilder,
    function: impl FnOnce(&mut GraphBuilder, &Value) -> Result<Value>,
) -> Result<Vec<Value>> {
    n.check_inputs(5)?;
    let x = numbers(n, b, 0)?;
    let made = function(b, &x)?;
    result(n, b, &made, (3, n.input(0)?.element()))
}

fn sigmoid(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    unary(n, b, |b, x| b.unary("sigmoid", x))
}

fn leaky_relu(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let alpha = n.attr_f32_or("alpha", 0.01)?;
    unary(n, b, |b, x| leak(b, x, alpha))
}

/// Before version 13 of Softmax, the input is seen as a matrix whose columns start at the axis.
fn softmax(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let is_flat = n.required_i64("opset")? < 13;
    let axis = n.attr_i64_or("axis", if is_flat { 1 } else { -1 })?;
    unary(n, b, |b, x| {
        let axis = x.axis(axis)?;
        let (x, axis, shape) = match is_flat {
            true => (b.matrix(x, axis)?, 1, x.dims()),
            false => (x.clone(), axis, x.dims()),
        };
        let result = b.op("nn.softmax", &[x], &[("axis", Param::Int(axis as i64))])?;
        b.reshape(&result, shape)
    })
}

fn average_pool(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    check_channels_first(n)?;
    // ONNX Runtime divides by all elements of a window that reaches beyond the padding.
    unary(n, b, |b, x| averages(n, b, x.clone(), Beyond::Counts))
}

fn global_average_pool(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    check_channels_first(n)?;
    unary(n, b, |b, x| {
        let axes: Vec<usize> = (2..x.rank()).collect();
        along(b, "mean", x, (&axes, true))
    })
}

fn check_channels_first(n: &Node<'_>) -> Result<()> {
    match n.attr_bool_or("channels_last", false)? {
        true => Err("attribute 'channels_last' is 1, which is not supported".into()),
        false => Ok(()),
    }
}

/// The first two inputs are the result's scale and zero point, the others three for each tensor.
fn concat(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let count = n.input_count();
    if count < 5 || count % 3 != 2 {
        return Err(format!(
            "it has {count} inputs, expected 2 and 3 for each tensor"
        ));
    }
    let parts = (2..count).step_by(3).map(|index| numbers(n, b, index));
    let parts: Vec<Value> = parts.collect::<Result<_>>()?;
    let axis = parts[0].axis(n.required_i64("axis")?)?;
    let all = b.concatenate(&parts, axis)?;
    result(n, b, &all, (0, n.input(2)?.element()))
}

/// A' * B' of the distances from their zero points, as floats.
fn gemm_sums(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let (x, y) = (n.input(0)?, n.input(3)?);
    if x.rank() != 2 || y.rank() != 2 {
        return Err(format!(
            "A and B have shapes {:?} and {:?}, expected matrices",
            x.dims(),
            y.dims()
        ));
    }
    let left_zero = b.reshape_to_scalar(&n.input(2)?)?;
    let right_zero = n.input(5)?;
    let x = match n.attr_bool_or("transA", false)? {
        true => b.transpose(&x, &[1, 0])?,
        false => x,
    };
    let matrix = Matrix {
        values: &y,
        is_transposed: n.attr_bool_or("transB", false)?,
    };
    let zeros = [Some(&left_zero), Some(&right_zero)];
    if let Some(sums) = product_of_bytes(b, &x, &matrix, zeros)? {
        return b.cast(&sums, Element::F32);
    }
    let y = match matrix.is_transposed {
        true => b.transpose(&y, &[1, 0])?,
        false => y,
    };
    let x = distances(b, &x, Some(&left_zero), Element::F32)?;
    let right_zero = by_column(b, &right_zero)?;
    let y = distances(b, &y, Some(&right_zero), Element::F32)?;
    product(b, &x, &y)
}

/// alpha * A' * B' + C, where C has the scale of the product. Without a scale, the result is of floats.
fn gemm(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(9)?;
    let mut sums = gemm_sums(n, b)?;
    if let Some(bias) = n.optional(6) {
        let bias = b.cast(&bias, Element::F32)?;
        sums = b.binary("add", &sums, &bias)?;
    }
    let (left, right) = (
        b.reshape_to_scalar(&n.input(1)?)?,
        by_column(b, &n.input(4)?)?,
    );
    let factor = b.binary("multiply", &left, &right)?;
    let factor = b.with_scalar("multiply", &factor, n.attr_f32_or("alpha", 1.0)?)?;
    let numbers = scaled(b, &sums, &factor)?;
    match n.optional(7) {
        Some(_) => result(n, b, &numbers, (7, n.input(0)?.element())),
        None => Ok(vec![numbers]),
    }
}

/// The left side is of floats, and becomes bytes first.
fn dynamic_matmul(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(5)?;
    let [bytes, scale, zero] = in_bytes(b, &n.input(0)?)?;
    let right = by_column(b, &n.input(2)?)?;
    let factor = b.binary("multiply", &scale, &right)?;
    let sides = [(&bytes, Some(zero)), (&n.input(1)?, n.optional(3))];
    Ok(vec![integer_product(b, sides, &factor, n.optional(4))?])
}

fn matmul_to_float(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(7)?;
    let (left, right) = (by_row(b, &n.input(2)?)?, by_column(b, &n.input(3)?)?);
    let factor = b.binary("multiply", &left, &right)?;
    let left_zero = n.optional(4).map(|zero| by_row(b, &zero)).transpose()?;
    let sides = [(&n.input(0)?, left_zero), (&n.input(1)?, n.optional(5))];
    Ok(vec![integer_product(b, sides, &factor, n.optional(6))?])
}
