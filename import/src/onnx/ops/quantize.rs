//! Quantised tensors: an integer stands for its distance from a zero point, times a scale.
//!
//! Where they fit, Relay's own operators on them are made (`qnn.`). Else the distances are computed with. Results that are 32-bit integers are
//! exact. Other sums are floats of 32 bits: one of more than 2^24 is rounded, so that the 8 bits that are made of it may differ in the last one.

use super::{
    block_scales,
    conv::{convolved, convolved_by},
    linear::product,
    row::{Row, row},
    select::strided_slice,
    shape::saturated,
};
use crate::{
    compose::{activation::clipped, quantise::scale_of_range},
    graph::{
        attr::Param,
        builder::GraphBuilder,
        error::Result,
        value::{Value, are_equal, is_open, normalize_axis},
    },
    onnx::{element::of_onnx, node::Node},
};
use relay_dialects::{
    dim::{self, Dim},
    element::Element,
    index::ceil_div,
};

/// The family's rows.
pub const ROWS: &[Row] = &[
    row("ConvInteger", 10, conv_integer),
    row("DequantizeLinear", 10, dequantize),
    row("DynamicQuantizeLinear", 11, dynamic_quantize),
    row("MatMulInteger", 10, matmul_integer),
    row("QLinearConv", 10, quantized_conv),
    row("QLinearMatMul", 10, quantized_matmul),
    row("QuantizeLinear", 10, quantize),
];

/// The least and the greatest number of a type that tensors are quantised to.
fn range(element: Element) -> Result<(f64, f64)> {
    Ok(match element {
        Element::I8 => (-128.0, 127.0),
        Element::U8 => (0.0, 255.0),
        Element::I16 => (-32768.0, 32767.0),
        Element::U16 => (0.0, 65535.0),
        Element::I4 => (-8.0, 7.0),
        Element::U4 => (0.0, 15.0),
        Element::I2 => (-2.0, 1.0),
        Element::U2 => (0.0, 3.0),
        other => return Err(format!("tensors are not quantised to {other}")),
    })
}

/// Which elements share a scale and a zero point: all, those with a subscript of an axis, or those with a block of such subscripts.
struct Grain {
    axis: i64,
    /// The number of subscripts of a block; 0 if there are no blocks.
    block: i64,
}

impl Grain {
    fn read(n: &Node<'_>) -> Result<Self> {
        let axis = match n.opset {
            ..13 => 1,
            _ => n.attr_i64_or("axis", 1)?,
        };
        let block = match n.opset {
            ..21 => 0,
            _ => n.attr_i64_or("block_size", 0)?,
        };
        Ok(Self { axis, block })
    }

    /// Reshapes a scale or a zero point, so that it broadcasts to a tensor of this shape.
    fn spread(&self, b: &mut GraphBuilder, value: &Value, shape: &[Dim]) -> Result<Value> {
        if self.block == 0 && matches!(value.dims(), [] | [Dim::Known(1)]) {
            return by_element(b, value, 0);
        }
        let wrong = || {
            format!(
                "a scale or zero point of shape {:?} does not fit a tensor of shape {shape:?} along axis {}, in blocks of {}",
                value.dims(),
                self.axis,
                self.block
            )
        };
        let axis = normalize_axis(self.axis, shape.len())?;
        if self.block == 0 {
            if !are_equal(value.dims(), &[shape[axis]]) {
                return Err(wrong());
            }
            return by_element(b, value, shape.len() - axis - 1);
        }
        let block = self.block;
        let extent = shape[axis].known().ok_or_else(|| is_open(shape[axis]))?;
        let fits = value.rank() == shape.len()
            && (1..=1 << 31).contains(&block)
            && value.shape()?[axis] == ceil_div(extent, block);
        if !fits {
            return Err(wrong());
        }
        let (before, behind) = value.shape()?.split_at(axis);
        let (blocks, behind) = (behind[0], &behind[1..]);
        let apart = b.reshape(value, &[before, &[blocks, 1], behind].concat())?;
        let wide = b.broadcast(&apart, &[before, &[blocks, block], behind].concat())?;
        let all = b.reshape(&wide, &[before, &[blocks * block], behind].concat())?;
        match blocks * block == extent {
            true => Ok(all),
            false => strided_slice(b, &all, &[(axis, 0, extent, 1)]),
        }
    }
}

/// Scale and zero point as Relay's quantised operators take them: scalars, or vectors along `axis`. `None` if operators on numbers
/// have to do: for blocks, wide scales, or integers of other widths.
fn qnn_grain(
    b: &mut GraphBuilder,
    (scale, zero): (&Value, Option<&Value>),
    grain: &Grain,
    (element, shape): (Element, &[Dim]),
) -> Result<Option<[Value; 2]>> {
    use Element::{F32, I8, I16, I32, U8, U16};
    let is_known = [I8, U8, I16, U16, I32].contains(&element);
    if !is_known || scale.element() != F32 || grain.block != 0 {
        return Ok(None);
    }
    let axis = normalize_axis(grain.axis, shape.len()).ok();
    let extent = axis.map(|axis| shape[axis]);
    let zero = match zero {
        Some(zero) => b.cast(zero, I32)?,
        None => b.scalar(I32, 0.0),
    };
    let mut both = Vec::new();
    for value in [scale, &zero] {
        both.push(match value.dims() {
            [] | [Dim::Known(1)] => b.reshape_to_scalar(value)?,
            [count] if extent.is_some_and(|extent| are_equal(&[*count], &[extent])) => {
                value.clone()
            }
            _ => return Ok(None),
        });
    }
    Ok(<[Value; 2]>::try_from(both).ok())
}

/// The axis of a quantised operator's vectors.
fn axis_of(grain: &Grain, rank: usize) -> (&'static str, Param) {
    let axis = normalize_axis(grain.axis, rank);
    ("axis", Param::Int(axis.map_or(-1, |axis| axis as i64)))
}

/// The floats of 8 bits or fewer that stand for numbers.
fn quantized_to_floats(
    b: &mut GraphBuilder,
    steps: &Value,
    zero: Option<&Value>,
    (element, saturates): (Element, bool),
) -> Result<Value> {
    let mut steps = b.cast(steps, Element::F32)?;
    if let Some(zero) = zero {
        let zero = b.cast(zero, Element::F32)?;
        steps = b.binary("add", &steps, &zero)?;
    }
    match saturates {
        true => saturated(b, &steps, element),
        false => b.cast(&steps, element),
    }
}

/// The integers of a type that stand for numbers. Scale and zero point broadcast to them.
pub(super) fn quantized(
    b: &mut GraphBuilder,
    x: &Value,
    scale: &Value,
    zero: Option<&Value>,
    element: Element,
) -> Result<Value> {
    let (least, greatest) = range(element)?;
    let steps = steps(b, x, scale)?;
    let rounded = b.unary("round", &steps)?;
    let mut rounded = b.cast(&rounded, Element::F32)?;
    if let Some(zero) = zero {
        let zero = b.cast(zero, Element::F32)?;
        rounded = b.binary("add", &rounded, &zero)?;
    }
    let clipped = clipped(b, &rounded, least, greatest)?;
    b.cast(&clipped, element)
}

/// Numbers in steps of a scale.
fn steps(b: &mut GraphBuilder, x: &Value, scale: &Value) -> Result<Value> {
    if !scale.element().is_float() {
        return Err("the scale is not of floats".into());
    }
    let x = b.cast(x, scale.element())?;
    b.binary("divide", &x, scale)
}

/// The distances of integers from their zero point, in another type. The zero point broadcasts to them.
pub(super) fn distances(
    b: &mut GraphBuilder,
    x: &Value,
    zero: Option<&Value>,
    element: Element,
) -> Result<Value> {
    let wide = b.cast(x, element)?;
    match zero {
        Some(zero) if zero.scalar() != Some(0.0) => {
            let zero = b.cast(zero, element)?;
            b.binary("subtract", &wide, &zero)
        }
        _ => Ok(wide),
    }
}

/// The zero point, if there is one, so that it broadcasts to a tensor of this shape.
fn zero_point(
    n: &Node<'_>,
    b: &mut GraphBuilder,
    grain: &Grain,
    shape: &[Dim],
) -> Result<Option<Value>> {
    let zero = n.optional(2);
    zero.map(|zero| grain.spread(b, &zero, shape)).transpose()
}

fn quantize(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(3)?;
    let saturates = n.attr_i64_or("saturate", 1)? != 0;
    let (x, scale) = (n.input(0)?, n.input(1)?);
    let grain = Grain::read(n)?;
    let said = match n.opset {
        ..21 => 0,
        _ => n.attr_i64_or("output_dtype", 0)?,
    };
    let element = match (n.optional(2), said) {
        (Some(zero), _) => zero.element(),
        (None, 0) => Element::U8,
        (None, said) => of_onnx(said)?,
    };
    let is_plain = x.element() == Element::F32 && n.attr_i64_or("precision", 0)? == 0;
    let own = (element, x.dims());
    let zero = n.optional(2);
    if is_plain
        && element != Element::I32
        && let Some([scale, zero]) = qnn_grain(b, (&scale, zero.as_ref()), &grain, own)?
    {
        let to = ("out_dtype", Param::Type(element));
        let attrs = [axis_of(&grain, x.rank()), to];
        return Ok(vec![b.op("qnn.quantize", &[x, scale, zero], &attrs)?]);
    }
    let mut scale = grain.spread(b, &scale, x.dims())?;
    if n.opset >= 23 {
        match n.attr_i64_or("precision", 0)? {
            0 => {}
            precision => scale = b.cast(&scale, of_onnx(precision)?)?,
        }
    }
    let zero = zero_point(n, b, &grain, x.dims())?;
    if element.minifloat().is_some() {
        let steps = steps(b, &x, &scale)?;
        let how = (element, saturates);
        return Ok(vec![quantized_to_floats(b, &steps, zero.as_ref(), how)?]);
    }
    Ok(vec![quantized(b, &x, &scale, zero.as_ref(), element)?])
}

fn dequantize(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(3)?;
    let (x, scale) = (n.input(0)?, n.input(1)?);
    let grain = Grain::read(n)?;
    let element = match n.opset {
        ..23 => scale.element(),
        _ => match n.attr_i64_or("output_dtype", 0)? {
            0 => scale.element(),
            said => of_onnx(said)?,
        },
    };
    let own = (x.element(), x.dims());
    let zero = n.optional(2);
    if element == Element::F32
        && let Some([scale, zero]) = qnn_grain(b, (&scale, zero.as_ref()), &grain, own)?
    {
        let attrs = [axis_of(&grain, x.rank())];
        return Ok(vec![b.op("qnn.dequantize", &[x, scale, zero], &attrs)?]);
    }
    if grain.block != 0 && element == scale.element() {
        let axis = normalize_axis(grain.axis, x.rank())?;
        let known =
            block_scales::dequantize(b, &x, [Some(&scale), zero.as_ref()], (axis, grain.block))?;
        if let Some(known) = known {
            return Ok(vec![known]);
        }
    }
    let zero = zero_point(n, b, &grain, x.dims())?;
    let steps = distances(b, &x, zero.as_ref(), Element::F32)?;
    let scale = grain.spread(b, &scale, x.dims())?;
    let scale = b.cast(&scale, Element::F32)?;
    let result = b.binary("multiply", &steps, &scale)?;
    Ok(vec![b.cast(&result, element)?])
}

fn dynamic_quantize(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(1)?;
    let x = n.input(0)?;
    in_bytes(b, &x).map(Vec::from)
}

/// Numbers as bytes that their range and 0 fill, with the scale and the zero point.
pub(super) fn in_bytes(b: &mut GraphBuilder, x: &Value) -> Result<[Value; 3]> {
    let (scale, least) = scale_of_range(b, x, (255.0, 1.0))?;
    let lowest = b.unary("negative", &least)?;
    let zero = quantized(b, &lowest, &scale, None, Element::U8)?;
    let result = quantized(b, x, &scale, Some(&zero), Element::U8)?;
    Ok([result, scale, zero])
}

/// Makes a vector of numbers broadcast: each belongs to a subscript of an axis behind which there are `behind` more. A single number belongs to
/// all.
fn by_element(b: &mut GraphBuilder, value: &Value, behind: usize) -> Result<Value> {
    match value.dims() {
        [] | [Dim::Known(1)] => b.reshape_to_scalar(value),
        [count] => {
            let ones = vec![Dim::Known(1); behind];
            b.reshape(value, &[&[*count], &ones[..]].concat())
        }
        _ => Ok(value.clone()),
    }
}

/// The same for a matrix on the left of a product, whose rows have a number each.
pub(super) fn by_row(b: &mut GraphBuilder, value: &Value) -> Result<Value> {
    by_element(b, value, 1)
}

/// The same for a matrix on the right of a product, whose columns have a number each.
pub(super) fn by_column(b: &mut GraphBuilder, value: &Value) -> Result<Value> {
    by_element(b, value, 0)
}

/// Whether a tensor holds bytes.
fn is_of_bytes(x: &Value) -> bool {
    [Element::I8, Element::U8].contains(&x.element())
}

/// A zero point of an operator on bytes: 32 bits, a scalar, or a vector of `count`. `None` if it is another.
fn zero_of_bytes(
    b: &mut GraphBuilder,
    zero: Option<&Value>,
    count: Option<Dim>,
) -> Result<Option<Value>> {
    let Some(zero) = zero else {
        return Ok(Some(b.scalar(Element::I32, 0.0)));
    };
    let wide = b.cast(zero, Element::I32)?;
    Ok(match zero.dims() {
        [] | [Dim::Known(1)] => Some(b.reshape_to_scalar(&wide)?),
        [own] if count.is_some_and(|count| are_equal(&[*own], &[count])) => Some(wide),
        _ => None,
    })
}

/// A matrix of bytes, on the right of a product.
pub(super) struct Matrix<'a> {
    /// Its rows, or its columns.
    pub values: &'a Value,
    /// Whether `values` has its columns.
    pub is_transposed: bool,
}

/// The product of bytes and a matrix of bytes, less their zero points, in 32 bits; `None` if it is of others.
pub(super) fn product_of_bytes(
    b: &mut GraphBuilder,
    x: &Value,
    matrix: &Matrix<'_>,
    [left, right]: [Option<&Value>; 2],
) -> Result<Option<Value>> {
    let y = matrix.values;
    if !is_of_bytes(x) || !is_of_bytes(y) || x.rank() < 2 {
        return Ok(None);
    }
    if y.rank() != 2 {
        return match matrix.is_transposed {
            true => Ok(None),
            false => product_of_batches(b, [x, y], [left, right]),
        };
    }
    let (depth, columns) = match matrix.is_transposed {
        true => (y.dims()[1], y.dims()[0]),
        false => (y.dims()[0], y.dims()[1]),
    };
    let left = zero_of_bytes(b, left, None)?;
    let right = zero_of_bytes(b, right, Some(columns))?;
    let (Some(left), Some(right)) = (left, right) else {
        return Ok(None);
    };
    let (inner, rows) = x.dims().split_last().expect("it is of rank 2 or more");
    if !are_equal(&[*inner], &[depth]) {
        return Ok(None);
    }
    let shape = [rows, &[columns]].concat();
    let flat = b.reshape(x, &[dim::product(rows)?, *inner])?;
    let weight = match matrix.is_transposed {
        true => y.clone(),
        false => b.transpose(y, &[1, 0])?,
    };
    let one = b.scalar(Element::F32, 1.0);
    let operands = [flat, weight, left, right, one.clone(), one];
    let sums = b.op("qnn.dense", &operands, &[])?;
    Ok(Some(b.reshape(&sums, &shape)?))
}

/// The products of batches of matrices of bytes, less their zero points, in 32 bits; `None` if batches broadcast, or rows have zero points of their
/// own.
fn product_of_batches(
    b: &mut GraphBuilder,
    [x, y]: [&Value; 2],
    [left, right]: [Option<&Value>; 2],
) -> Result<Option<Value>> {
    let ([batch @ .., rows, depth], [batches @ .., inner, columns]) = (x.dims(), y.dims()) else {
        return Ok(None);
    };
    if !are_equal(batch, batches) || !are_equal(&[*depth], &[*inner]) {
        return Ok(None);
    }
    let left = zero_of_bytes(b, left, None)?;
    let right = zero_of_bytes(b, right, None)?;
    let (Some(left), Some(right)) = (left, right) else {
        return Ok(None);
    };
    let (count, shape) = (dim::product(batch)?, [batch, &[*rows, *columns]].concat());
    let x = b.reshape(x, &[count, *rows, *depth])?;
    let y = b.reshape(y, &[count, *inner, *columns])?;
    let one = b.scalar(Element::F32, 1.0);
    let operands = [x, y, left, right, one.clone(), one];
    let sums = b.op("qnn.batch_matmul", &operands, &[])?;
    Ok(Some(b.reshape(&sums, &shape)?))
}

/// A tensor of rows as one of images of one row.
fn as_image(b: &mut GraphBuilder, rows: &Value) -> Result<Value> {
    match rows.dims() {
        [first, second, width] => {
            let shape = [*first, *second, Dim::Known(1), *width];
            b.reshape(rows, &shape)
        }
        _ => Ok(rows.clone()),
    }
}

/// An attribute of a convolution of rows as that of one of images of one row.
fn of_image<'a>((name, value): &(&'a str, Param)) -> (&'a str, Param) {
    let value = match (*name, value) {
        ("padding", Param::Ints(widths)) => match widths[..] {
            [before, behind] => Param::Ints(vec![0, before, 0, behind]),
            _ => value.clone(),
        },
        (_, Param::Ints(numbers)) => match numbers[..] {
            [number] => Param::Ints(vec![1, number]),
            _ => value.clone(),
        },
        ("data_layout", _) => Param::Str("NCHW"),
        ("kernel_layout", _) => Param::Str("OIHW"),
        _ => value.clone(),
    };
    (*name, value)
}

/// The sums of a convolution of bytes in one or two dimensions, less their zero points, in 32 bits; `None` if it is of others.
fn conv_of_bytes(
    n: &Node<'_>,
    b: &mut GraphBuilder,
    [x, w]: [&Value; 2],
    [of_input, of_kernel]: [Option<&Value>; 2],
) -> Result<Option<Value>> {
    let rank = x.rank();
    if !is_of_bytes(x) || !is_of_bytes(w) || ![3, 4].contains(&rank) || w.rank() != rank {
        return Ok(None);
    }
    // Without elements there is nothing to lay out in blocks of channels.
    if x.is_empty() || w.is_empty() {
        return Ok(None);
    }
    let input = zero_of_bytes(b, of_input, None)?;
    let kernel = zero_of_bytes(b, of_kernel, Some(w.dims()[0]))?;
    let (Some(input), Some(kernel)) = (input, kernel) else {
        return Ok(None);
    };
    let fill = b.cast(&input, x.element())?;
    let one = b.scalar(Element::F32, 1.0);
    let sums = convolved_by(n, b, (x, w), &fill, |b, _, x, attrs| {
        let [x, w] = [as_image(b, &x)?, as_image(b, w)?];
        let attrs: Vec<_> = attrs.iter().map(of_image).collect();
        let operands = [x, w, input, kernel, one.clone(), one];
        let image = b.op("qnn.conv2d", &operands, &attrs)?;
        match *image.dims() {
            [batch, channels, _, width] if rank == 3 => {
                b.reshape(&image, &[batch, channels, width])
            }
            _ => Ok(image),
        }
    })?;
    Ok(Some(sums))
}

/// The products' sums of distances, as floats that a factor scales: a number, or one for each column.
pub(super) fn scaled(b: &mut GraphBuilder, sums: &Value, factor: &Value) -> Result<Value> {
    let sums = b.cast(sums, Element::F32)?;
    b.binary("multiply", &sums, factor)
}

/// The product of integers, with a zero point for each side, scaled, and with a bias at the end.
pub(super) fn integer_product(
    b: &mut GraphBuilder,
    [(x, x_zero), (y, y_zero)]: [(&Value, Option<Value>); 2],
    factor: &Value,
    bias: Option<Value>,
) -> Result<Value> {
    let matrix = Matrix {
        values: y,
        is_transposed: false,
    };
    let zeros = [x_zero.as_ref(), y_zero.as_ref()];
    let sums = match product_of_bytes(b, x, &matrix, zeros)? {
        Some(sums) => sums,
        None => {
            let x = distances(b, x, x_zero.as_ref(), Element::I32)?;
            let y_zero = y_zero.map(|zero| by_column(b, &zero)).transpose()?;
            let y = distances(b, y, y_zero.as_ref(), Element::I32)?;
            product(b, &x, &y)?
        }
    };
    let numbers = scaled(b, &sums, factor)?;
    match bias {
        Some(bias) => b.binary("add", &numbers, &bias),
        None => Ok(numbers),
    }
}

fn matmul_integer(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(4)?;
    let zeros = [n.optional(2), n.optional(3)];
    let zeros = [zeros[0].as_ref(), zeros[1].as_ref()];
    let matrix = Matrix {
        values: &n.input(1)?,
        is_transposed: false,
    };
    if let Some(sums) = product_of_bytes(b, &n.input(0)?, &matrix, zeros)? {
        return Ok(vec![sums]);
    }
    let left = n.optional(2).map(|zero| by_row(b, &zero)).transpose()?;
    let right = n.optional(3).map(|zero| by_column(b, &zero));
    let right = right.transpose()?;
    let x = distances(b, &n.input(0)?, left.as_ref(), Element::I32)?;
    let y = distances(b, &n.input(1)?, right.as_ref(), Element::I32)?;
    Ok(vec![product(b, &x, &y)?])
}

fn quantized_matmul(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(8)?;
    let (left, left_zero) = (by_row(b, &n.input(1)?)?, by_row(b, &n.input(2)?)?);
    let (right, right_zero) = (by_column(b, &n.input(4)?)?, by_column(b, &n.input(5)?)?);
    let zeros = [&n.input(2)?, &n.input(5)?];
    let matrix = Matrix {
        values: &n.input(3)?,
        is_transposed: false,
    };
    let sums = match product_of_bytes(b, &n.input(0)?, &matrix, zeros.map(Some))? {
        Some(sums) => b.cast(&sums, Element::F32)?,
        None => {
            let x = distances(b, &n.input(0)?, Some(&left_zero), Element::F32)?;
            let y = distances(b, &n.input(3)?, Some(&right_zero), Element::F32)?;
            product(b, &x, &y)?
        }
    };
    let (scale, zero) = (by_row(b, &n.input(6)?)?, by_row(b, &n.input(7)?)?);
    let (left, right) = (b.cast(&left, Element::F32)?, b.cast(&right, Element::F32)?);
    let factor = b.binary("multiply", &left, &right)?;
    let result = b.binary("multiply", &sums, &factor)?;
    let scale = b.cast(&scale, Element::F32)?;
    Ok(vec![quantized(
        b,
        &result,
        &scale,
        Some(&zero),
        zero.element(),
    )?])
}

/// The same for a tensor of this rank whose first axis has the filters of a convolution, which have a number each.
fn by_filter(b: &mut GraphBuilder, value: &Value, rank: usize) -> Result<Value> {
    match (value.rank(), rank.checked_sub(1)) {
        (0 | 1, Some(behind)) => by_element(b, value, behind),
        _ => Err(format!(
            "a scale or zero point has shape {:?}, expected one for each filter",
            value.dims()
        )),
    }
}

fn conv_integer(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(4)?;
    let (x, w) = (n.input(0)?, n.input(1)?);
    let zeros = [n.optional(2), n.optional(3)];
    let zeros = [zeros[0].as_ref(), zeros[1].as_ref()];
    if let Some(sums) = conv_of_bytes(n, b, [&x, &w], zeros)? {
        return Ok(vec![sums]);
    }
    let of_input = n.optional(2).map(|zero| b.reshape_to_scalar(&zero));
    let of_input = of_input.transpose()?;
    let of_kernel = n.optional(3).map(|zero| by_filter(b, &zero, w.rank()));
    let of_kernel = of_kernel.transpose()?;
    // Convolutions are of floats; those of 64 bits hold all sums.
    let x = distances(b, &x, of_input.as_ref(), Element::F64)?;
    let w = distances(b, &w, of_kernel.as_ref(), Element::F64)?;
    let sums = convolved(n, b, &x, &w)?;
    Ok(vec![b.cast(&sums, Element::I32)?])
}

fn quantized_conv(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(9)?;
    let (x, w) = (n.input(0)?, n.input(3)?);
    let scalar = |b: &mut GraphBuilder, input| b.reshape_to_scalar(&n.input(input)?);
    let input_zero = scalar(b, 2)?;
    let kernel_zero = by_filter(b, &n.input(5)?, w.rank())?;
    let zeros = [&n.input(2)?, &n.input(5)?];
    let mut sums = match conv_of_bytes(n, b, [&x, &w], zeros.map(Some))? {
        Some(sums) => b.cast(&sums, Element::F32)?,
        None => {
            let x = distances(b, &x, Some(&input_zero), Element::F32)?;
            let w = distances(b, &w, Some(&kernel_zero), Element::F32)?;
            convolved(n, b, &x, &w)?
        }
    };
    // What belongs to a filter belongs to a channel of the result.
    let channels = sums.rank() - 1;
    if let Some(bias) = n.optional(8) {
        let bias = b.cast(&bias, Element::F32)?;
        let bias = by_filter(b, &bias, channels)?;
        sums = b.binary("add", &sums, &bias)?;
    }
    let (of_input, of_kernel) = (scalar(b, 1)?, by_filter(b, &n.input(4)?, channels)?);
    let factor = b.binary("multiply", &of_input, &of_kernel)?;
    let result = b.binary("multiply", &sums, &factor)?;
    let (scale, zero) = (scalar(b, 6)?, scalar(b, 7)?);
    Ok(vec![quantized(
        b,
        &result,
        &scale,
        Some(&zero),
        zero.element(),
    )?])
}
