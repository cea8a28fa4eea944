//! Complex numbers and Fourier transforms: what makes them and reads them, and what operators of real numbers do with them.

use super::row::{Row, items};
use crate::{
    compose::{
        complex::{
            Complex, angle, compare, cos, divide, exp, hyperbolic, log, multilinear, multiply,
            power, reciprocal, sin, sqrt, tanh,
        },
        fourier::{self, Axis, Kind, Signal},
        shape::transposed,
    },
    graph::{builder::GraphBuilder, error::Result, value::Value},
    tensorflow::{element::part, item::Item, node::Node},
};

/// The family's rows: operators that read or make complex numbers, whatever their inputs are.
pub const ROWS: &[Row] = &[
    items(&["Complex"], |n, _| {
        let (real, imaginary) = n.both()?;
        Ok(vec![Complex { real, imaginary }.into()])
    }),
    items(&["ComplexAbs"], |n, b| {
        Ok(vec![n.numbers(b, 0)?.abs(b)?.into()])
    }),
    items(&["Real"], |n, b| Ok(vec![n.numbers(b, 0)?.real.into()])),
    items(&["Imag"], |n, b| {
        Ok(vec![n.numbers(b, 0)?.imaginary.into()])
    }),
    items(&["Angle"], |n, b| {
        let x = n.numbers(b, 0)?;
        Ok(vec![angle(b, &x.imaginary, &x.real)?.into()])
    }),
    items(&["Conj"], |n, b| {
        Ok(vec![match n.item(0)? {
            Item::Complex(x) => x.conjugate(b)?.into(),
            real => real.clone(),
        }])
    }),
    items(&["ConjugateTranspose"], |n, b| {
        let x = n.numbers(b, 0)?;
        let axes = n.known(1)?;
        let turned = x.each(|part| transposed(b, part, &axes))?;
        Ok(vec![turned.conjugate(b)?.into()])
    }),
    items(&["FFT"], |n, b| whole(n, b, 1, false)),
    items(&["FFT2D"], |n, b| whole(n, b, 2, false)),
    items(&["FFT3D"], |n, b| whole(n, b, 3, false)),
    items(&["IFFT"], |n, b| whole(n, b, 1, true)),
    items(&["IFFT2D"], |n, b| whole(n, b, 2, true)),
    items(&["IFFT3D"], |n, b| whole(n, b, 3, true)),
    items(&["RFFT"], |n, b| half(n, b, 1)),
    items(&["RFFT2D"], |n, b| half(n, b, 2)),
    items(&["RFFT3D"], |n, b| half(n, b, 3)),
    items(&["IRFFT"], |n, b| of_half(n, b, 1)),
    items(&["IRFFT2D"], |n, b| of_half(n, b, 2)),
    items(&["IRFFT3D"], |n, b| of_half(n, b, 3)),
];

/// What operators do with complex numbers that do something else with real ones.
const OF_COMPLEX: &[Row] = &[
    items(&["Cos"], |n, b| unary(n, b, cos)),
    items(&["Cosh"], |n, b| unary(n, b, |b, x| hyperbolic(b, x, true))),
    items(&["Equal"], |n, b| compared(n, b, "equal", "logical_and")),
    items(&["Exp"], |n, b| unary(n, b, exp)),
    items(&["Log"], |n, b| unary(n, b, log)),
    items(&["NotEqual"], |n, b| {
        compared(n, b, "not_equal", "logical_or")
    }),
    items(&["Pow"], |n, b| {
        let (x, exponent) = (n.numbers(b, 0)?, n.numbers(b, 1)?);
        Ok(vec![power(b, &x, &exponent)?.into()])
    }),
    items(&["RealDiv", "Div"], |n, b| {
        let (x, y) = (n.numbers(b, 0)?, n.numbers(b, 1)?);
        Ok(vec![divide(b, &x, &y)?.into()])
    }),
    items(&["Reciprocal", "Inv"], |n, b| unary(n, b, reciprocal)),
    items(&["Rsqrt"], |n, b| {
        unary(n, b, |b, x| {
            let root = sqrt(b, x)?;
            reciprocal(b, &root)
        })
    }),
    items(&["Sign"], |n, b| unary(n, b, |b, x| x.sign(b))),
    items(&["Sin"], |n, b| unary(n, b, sin)),
    items(&["Sinh"], |n, b| {
        unary(n, b, |b, x| hyperbolic(b, x, false))
    }),
    items(&["Sqrt"], |n, b| unary(n, b, sqrt)),
    items(&["Square"], |n, b| unary(n, b, |b, x| multiply(b, x, x))),
    items(&["Tanh"], |n, b| unary(n, b, tanh)),
    items(&["OnesLike"], |n, b| {
        let x = n.numbers(b, 0)?.real;
        let ones = b.full(x.element(), x.dims(), 1.0)?;
        Ok(vec![Complex::of_real(b, ones)?.into()])
    }),
    items(&["Cast"], cast),
];

/// Operators that do with each part what they do with real numbers. Their real inputs are subscripts, axes and sizes.
const BY_PARTS: &[&str] = &[
    "Add",
    "AddN",
    "AddV2",
    "BatchToSpaceND",
    "BroadcastTo",
    "Concat",
    "ConcatV2",
    "Cumsum",
    "ExpandDims",
    "Fill",
    "Gather",
    "GatherNd",
    "GatherV2",
    "MatrixBandPart",
    "MatrixDiag",
    "MatrixDiagPart",
    "MatrixDiagPartV2",
    "MatrixDiagPartV3",
    "MatrixDiagV2",
    "MatrixDiagV3",
    "Mean",
    "Neg",
    "Pack",
    "Pad",
    "PadV2",
    "Reshape",
    "ReverseV2",
    "Roll",
    "ScatterNd",
    "SegmentSum",
    "Select",
    "SelectV2",
    "Slice",
    "SpaceToBatchND",
    "Split",
    "SplitV",
    "Squeeze",
    "StridedSlice",
    "Sub",
    "Sum",
    "TensorScatterAdd",
    "TensorScatterUpdate",
    "Tile",
    "Transpose",
    "Unpack",
    "UnsortedSegmentSum",
    "ZerosLike",
];

/// Operators that are linear in each tensor that they read.
const PRODUCTS: &[&str] = &[
    "BatchMatMul",
    "BatchMatMulV2",
    "BatchMatMulV3",
    "Einsum",
    "MatMul",
    "Mul",
];

/// Operators that read shapes alone.
const SHAPES: &[&str] = &["Rank", "Shape", "ShapeN", "Size"];

/// Operators that pass what they read on, or read it themselves.
const PASSING: &[&str] = &[
    "Identity",
    "IdentityN",
    "PartitionedCall",
    "StatefulPartitionedCall",
    "StopGradient",
    "PreventGradient",
    "Snapshot",
    "EnsureShape",
    "CheckNumerics",
    "CheckNumericsV2",
    "PlaceholderWithDefault",
    "Const",
    "Assert",
    "NoOp",
];

/// Converts a node that reads complex numbers.
///
/// # Errors
/// What is wrong with it, or that it takes none.
pub fn convert(row: &Row, n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Item>> {
    let op = n.written.op.as_str();
    let is_own = ROWS.iter().any(|own| own.names.contains(&op)) || PASSING.contains(&op);
    if is_own {
        return row.results_of(n, b);
    }
    if let Some(own) = OF_COMPLEX.iter().find(|own| own.names.contains(&op)) {
        return own.results_of(n, b);
    }
    let tensors = |b: &mut GraphBuilder, inputs: Vec<Item>| -> Result<Vec<Value>> {
        let items = row.results_of(&n.with(inputs), b)?;
        items.iter().map(Item::tensor).collect()
    };
    if SHAPES.contains(&op) {
        return row.results_of(&n.with(n.parts(false)), b);
    }
    if BY_PARTS.contains(&op) {
        let real = tensors(b, n.parts(false))?;
        let imaginary = tensors(b, n.parts(true))?;
        let pairs = real.into_iter().zip(imaginary);
        return Ok(pairs
            .map(|(real, imaginary)| Complex { real, imaginary }.into())
            .collect());
    }
    if PRODUCTS.contains(&op) {
        // A flag may ask for the conjugates of an operand.
        let inputs = n.conjugated(b)?;
        let complex = inputs
            .iter()
            .filter(|item| matches!(item, Item::Complex(_)));
        let made = multilinear(b, complex.count(), |b, choice| {
            let mut choice = choice.iter();
            let parts = inputs.iter().map(|item| match item {
                Item::Complex(x) if choice.next() == Some(&true) => x.imaginary.clone().into(),
                Item::Complex(x) => x.real.clone().into(),
                other => other.clone(),
            });
            let parts = parts.collect();
            tensors(b, parts)
        })?;
        return Ok(made.into_iter().map(Item::from).collect());
    }
    Err(format!("'{op}' takes no complex numbers"))
}

impl<'n, 'm> Node<'n, 'm> {
    /// Whether it reads complex numbers, or makes some of real ones.
    pub fn is_complex(&self) -> bool {
        let is_cast = self.written.op == "Cast"
            && matches!(self.attrs.ty("DstT"), Ok(Some(ty)) if part(ty).is_some());
        is_cast
            || self
                .inputs
                .iter()
                .any(|item| matches!(item, Item::Complex(_)))
    }

    /// A tensor of complex numbers; the imaginary parts of real ones are 0.
    fn numbers(&self, b: &mut GraphBuilder, place: usize) -> Result<Complex> {
        match self.item(place)? {
            Item::Complex(numbers) => Ok(numbers.clone()),
            _ => Complex::of_real(b, self.input(place)?),
        }
    }

    fn signal(&self, place: usize) -> Result<Signal> {
        match self.item(place)? {
            Item::Complex(numbers) => Ok(Signal::Complex(numbers.clone())),
            _ => self.input(place).map(Signal::Real),
        }
    }

    /// The inputs, with one part of complex ones.
    fn parts(&self, is_imaginary: bool) -> Vec<Item> {
        let items = self.inputs.iter().map(|item| match item {
            Item::Complex(x) if is_imaginary => x.imaginary.clone().into(),
            Item::Complex(x) => x.real.clone().into(),
            other => other.clone(),
        });
        items.collect()
    }

    /// The inputs, with the conjugates of those that a product of batches turns.
    fn conjugated(&self, b: &mut GraphBuilder) -> Result<Vec<Item>> {
        let flags = match self.written.op.as_str() {
            "BatchMatMul" | "BatchMatMulV2" | "BatchMatMulV3" => [
                self.attrs.flag("adj_x", false)?,
                self.attrs.flag("adj_y", false)?,
            ],
            _ => [false; 2],
        };
        let mut inputs = Vec::with_capacity(self.inputs.len());
        for (place, item) in self.inputs.iter().enumerate() {
            inputs.push(match item {
                Item::Complex(x) if flags.get(place) == Some(&true) => x.conjugate(b)?.into(),
                other => other.clone(),
            });
        }
        Ok(inputs)
    }

    /// The node with other inputs.
    fn with(&self, inputs: Vec<Item>) -> Self {
        Self {
            written: self.written,
            attrs: self.attrs.clone(),
            inputs,
            host: self.host,
        }
    }
}

fn unary(
    n: &Node<'_, '_>,
    b: &mut GraphBuilder,
    function: impl Fn(&mut GraphBuilder, &Complex) -> Result<Complex>,
) -> Result<Vec<Item>> {
    let x = n.numbers(b, 0)?;
    Ok(vec![function(b, &x)?.into()])
}

/// Whether numbers are equal, or not.
fn compared(n: &Node<'_, '_>, b: &mut GraphBuilder, op: &str, both: &str) -> Result<Vec<Item>> {
    n.attrs.ignore(&["incompatible_shape_error"]);
    let (x, y) = (n.numbers(b, 0)?, n.numbers(b, 1)?);
    Ok(vec![compare(b, [&x, &y], op, both)?.into()])
}

/// Real numbers as complex ones, complex ones in another type, or their real parts.
fn cast(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Item>> {
    n.attrs.ignore(&["SrcT", "Truncate"]);
    let x = n.numbers(b, 0)?;
    let element = n.attrs.element("DstT", x.real.element())?;
    let is_complex = n.attrs.ty("DstT")?.and_then(part).is_some();
    let made = x.each(|part| b.cast(part, element))?;
    Ok(vec![match is_complex {
        true => made.into(),
        false => made.real.into(),
    }])
}

/// The transform of the last axes.
fn whole(
    n: &Node<'_, '_>,
    b: &mut GraphBuilder,
    count: usize,
    is_inverse: bool,
) -> Result<Vec<Item>> {
    let x = n.signal(0)?;
    let axes = last_axes(x.real(), &vec![None; count])?;
    Ok(vec![
        fourier::whole(b, x, &axes, Kind::plain(is_inverse))?.into(),
    ])
}

/// One half of the transform of real numbers, of lengths that input 1 says.
fn half(n: &Node<'_, '_>, b: &mut GraphBuilder, count: usize) -> Result<Vec<Item>> {
    let x = n.input(0)?;
    let axes = last_axes(&x, &lengths(n, count)?)?;
    Ok(vec![
        fourier::half(b, &x, &axes, Kind::plain(false))?.into(),
    ])
}

/// The real numbers of one half of a transform, of lengths that input 1 says.
fn of_half(n: &Node<'_, '_>, b: &mut GraphBuilder, count: usize) -> Result<Vec<Item>> {
    let x = n.numbers(b, 0)?;
    let axes = last_axes(&x.real, &lengths(n, count)?)?;
    Ok(vec![
        fourier::of_half(b, x, &axes, Kind::plain(true))?.into(),
    ])
}

/// The last axes, as many as there are lengths.
fn last_axes(x: &Value, lengths: &[Option<i64>]) -> Result<Vec<Axis>> {
    let count = lengths.len();
    match x.rank().checked_sub(count) {
        Some(first) => Ok((first..).zip(lengths.iter().copied()).collect()),
        None => Err(format!("shape {:?} has no {count} axes", x.dims())),
    }
}

fn lengths(n: &Node<'_, '_>, count: usize) -> Result<Vec<Option<i64>>> {
    let lengths = n.known(1)?;
    match lengths.len() == count {
        true => Ok(lengths.into_iter().map(Some).collect()),
        false => Err(format!("{} lengths, expected {count}", lengths.len())),
    }
}
