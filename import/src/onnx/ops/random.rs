//! Random numbers.
//!
//! They come from Philox 4x32-10 (Salmon, Moraes, Dror and Shaw: Parallel Random Numbers: As Easy as 1, 2, 3; 2011). The subscript of an
//! element is the counter, and the key is the node's seed; without one, it is made of the node's name. So each run gives the same numbers,
//! on every machine. ONNX does not say which generator there is.

use super::{
    cumulative::sums_of_rows,
    reduce::along,
    row::{Row, row},
};
use crate::{
    graph::{
        attr::Param, builder::GraphBuilder, constant::element_count, error::Result, value::Value,
    },
    onnx::{element::of_onnx, node::Node},
};
use relay_dialects::{
    dim::{self, Dim},
    element::Element,
    hash::fnv,
};

/// The family's rows.
pub const ROWS: &[Row] = &[
    row("Bernoulli", 15, bernoulli),
    row("Multinomial", 7, multinomial),
    row("RandomNormal", 1, |n, b| normal(n, b, &Wanted::shape(n)?)),
    row("RandomNormalLike", 1, |n, b| {
        normal(n, b, &Wanted::like(n)?)
    }),
    row("RandomUniform", 1, |n, b| uniform(n, b, &Wanted::shape(n)?)),
    row("RandomUniformLike", 1, |n, b| {
        uniform(n, b, &Wanted::like(n)?)
    }),
];

/// The factors of two words of Philox's counter.
const FACTORS: [u32; 2] = [0xd251_1f53, 0xcd9e_8d57];
/// The numbers that Philox adds to the words of the key after each round.
const STEPS: [u32; 2] = [0x9e37_79b9, 0xbb67_ae85];
/// The rounds of Philox 4x32-10.
const ROUNDS: u32 = 10;

/// The tensor that a node makes.
struct Wanted {
    dims: Vec<Dim>,
    element: Element,
}

impl Wanted {
    /// A tensor of the shape in an attribute.
    fn shape(n: &Node<'_>) -> Result<Self> {
        n.check_inputs(0)?;
        let shape = n.attr_ints("shape")?;
        let shape = shape.ok_or("attribute 'shape' is missing")?;
        element_count(&shape)?;
        let element = element(n, Element::F32)?;
        let dims = dim::dims(&shape);
        Ok(Self { dims, element })
    }

    /// A tensor of the shape of the input.
    fn like(n: &Node<'_>) -> Result<Self> {
        n.check_inputs(1)?;
        let x = n.input(0)?;
        let element = element(n, x.element())?;
        let dims = x.dims().to_vec();
        Ok(Self { dims, element })
    }
}

/// The type of a node's result: what it says, or `default`.
fn element(n: &Node<'_>, default: Element) -> Result<Element> {
    n.attr_i64("dtype")?.map_or(Ok(default), of_onnx)
}

/// The key of a node: the bits of its seed, or what its name gives.
fn seed(n: &Node<'_>, b: &GraphBuilder) -> Result<[u32; 2]> {
    let seed = n.attr_f32("seed")?;
    Ok(seed.map_or_else(|| key(b), |seed| [seed.to_bits(), 0]))
}

/// The key of the current node without a seed: a hash of its name.
pub(super) fn key(b: &GraphBuilder) -> [u32; 2] {
    let hash = fnv(b.node());
    [hash as u32, (hash >> 32) as u32]
}

/// Two words of 32 random bits for each element of a list, as integers of 64 bits.
fn words(b: &mut GraphBuilder, count: Dim, mut key: [u32; 2]) -> Result<[Value; 2]> {
    let place = b.iota(Element::U64, &[count], 0)?;
    let zero = b.scalar(Element::U64, 0.0);
    let mut counter = [low(b, &place)?, high(b, &place)?, zero.clone(), zero];
    for _ in 0..ROUNDS {
        let [first, second, third, fourth] = &counter;
        let products = [
            b.with_scalar("multiply", first, FACTORS[0].into())?,
            b.with_scalar("multiply", third, FACTORS[1].into())?,
        ];
        let mut mixed = |product: &Value, word: &Value, key: u32| {
            let high = high(b, product)?;
            let both = b.binary("bitwise_xor", &high, word)?;
            b.with_scalar("bitwise_xor", &both, key.into())
        };
        let (one, other) = (
            mixed(&products[1], second, key[0])?,
            mixed(&products[0], fourth, key[1])?,
        );
        counter = [one, low(b, &products[1])?, other, low(b, &products[0])?];
        key = [0, 1].map(|word| key[word].wrapping_add(STEPS[word]));
    }
    let [first, second, ..] = counter;
    Ok([first, second])
}

/// The lower and the higher 32 bits of integers of 64.
fn low(b: &mut GraphBuilder, value: &Value) -> Result<Value> {
    b.with_scalar("bitwise_and", value, u32::MAX.into())
}

fn high(b: &mut GraphBuilder, value: &Value) -> Result<Value> {
    b.with_scalar("right_shift", value, 32.0)
}

/// The float type that random numbers of a type are computed in, and how many bits of a fraction they have: as many as the type holds, so
/// that none is rounded to 1.
fn precision(element: Element) -> Result<(Element, u32)> {
    Ok(match element {
        Element::F64 => (Element::F64, 53),
        Element::F32 => (Element::F32, 24),
        Element::F16 => (Element::F32, 11),
        Element::Bf16 => (Element::F32, 8),
        other => return Err(format!("random numbers are not of {other}")),
    })
}

/// Numbers from 0 to less than 1, as multiples of 2^-bits, of a word; of 53 bits, those that are missing come from another word.
fn fractions(
    b: &mut GraphBuilder,
    [word, more]: [&Value; 2],
    (wide, bits): (Element, u32),
) -> Result<Value> {
    let whole = if bits > 32 {
        let upper = b.with_scalar("left_shift", word, f64::from(bits - 32))?;
        let lower = b.with_scalar("right_shift", more, f64::from(64 - bits))?;
        b.binary("bitwise_or", &upper, &lower)?
    } else {
        b.with_scalar("right_shift", word, f64::from(32 - bits))?
    };
    let number = b.cast(&whole, wide)?;
    b.with_scalar("multiply", &number, 0.5f64.powi(bits as i32))
}

/// A tensor of numbers from 0 to less than 1, in the type that those of `element` are computed in.
pub(super) fn unit(
    b: &mut GraphBuilder,
    dims: &[Dim],
    element: Element,
    key: [u32; 2],
) -> Result<Value> {
    let precision = precision(element)?;
    let [word, more] = words(b, dim::product(dims)?, key)?;
    let flat = fractions(b, [&word, &more], precision)?;
    b.reshape(&flat, dims)
}

fn uniform(n: &Node<'_>, b: &mut GraphBuilder, wanted: &Wanted) -> Result<Vec<Value>> {
    let (low, high) = (n.attr_f32_or("low", 0.0)?, n.attr_f32_or("high", 1.0)?);
    let key = seed(n, b)?;
    let unit = unit(b, &wanted.dims, wanted.element, key)?;
    Ok(vec![stretched(b, &unit, (high - low, low), wanted)?])
}

/// Normal numbers, by the method of Box and Muller.
fn normal(n: &Node<'_>, b: &mut GraphBuilder, wanted: &Wanted) -> Result<Vec<Value>> {
    let (mean, scale) = (n.attr_f32_or("mean", 0.0)?, n.attr_f32_or("scale", 1.0)?);
    let key = seed(n, b)?;
    let (wide, _) = precision(wanted.element)?;
    let [length, angle] = words(b, dim::product(&wanted.dims)?, key)?;
    // 32 bits of each: the farthest number is 6.7 deviations away.
    let length = b.cast(&length, wide)?;
    let length = b.with_scalar("add", &length, 1.0)?;
    let length = b.with_scalar("multiply", &length, 0.5f64.powi(32))?;
    let logarithm = b.unary("log", &length)?;
    let square = b.with_scalar("multiply", &logarithm, -2.0)?;
    // A number that was rounded up to 1 has no logarithm above 0.
    let square = b.with_scalar("maximum", &square, 0.0)?;
    let radius = b.unary("sqrt", &square)?;
    let turns = fractions(b, [&angle, &angle], (wide, 24))?;
    let angle = b.with_scalar("multiply", &turns, std::f64::consts::TAU)?;
    let cosine = b.unary("cos", &angle)?;
    let deviates = b.binary("multiply", &radius, &cosine)?;
    Ok(vec![stretched(b, &deviates, (scale, mean), wanted)?])
}

/// Numbers times a scale and moved, as the tensor that is wanted.
fn stretched(
    b: &mut GraphBuilder,
    numbers: &Value,
    (scale, distance): (f64, f64),
    wanted: &Wanted,
) -> Result<Value> {
    let scaled = b.with_scalar("multiply", numbers, scale)?;
    let moved = b.with_scalar("add", &scaled, distance)?;
    let shaped = b.reshape(&moved, &wanted.dims)?;
    b.cast(&shaped, wanted.element)
}

/// Ones with the given probabilities.
fn bernoulli(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let (wanted, x) = (Wanted::like(n)?, n.input(0)?);
    let key = seed(n, b)?;
    let unit = unit(b, &wanted.dims, x.element(), key)?;
    let chance = b.cast(&x, unit.element())?;
    let hits = b.binary("less", &unit, &chance)?;
    Ok(vec![b.cast(&hits, wanted.element)?])
}

/// Draws classes, whose probabilities are given as logarithms that may all have the same number more.
fn multinomial(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(1)?;
    let x = n.input(0)?;
    let &[rows, classes] = x.dims() else {
        return Err(format!(
            "the input has shape {:?}, expected a matrix",
            x.dims()
        ));
    };
    let draws = n.attr_i64_or("sample_size", 1)?;
    let element = of_onnx(n.attr_i64_or("dtype", 6)?)?;
    if draws < 1 {
        return Err(format!("attribute 'sample_size' is {draws}"));
    }
    let key = seed(n, b)?;
    let wide = b.cast(&x, Element::F64)?;
    let attrs = [("axis", Param::Int(1))];
    let chances = b.op("nn.softmax", &[wide], &attrs)?;
    let below = sums_of_rows(b, &chances)?;
    let one = Dim::Known(1);
    let below = b.reshape(&below, &[rows, one, classes])?;
    let dims = [rows, Dim::Known(draws), one];
    let unit = unit(b, &dims, Element::F64, key)?;
    // The class is the number of those before it. Rounding may leave the sum of all chances below a drawn number.
    let is_behind = b.binary("greater_equal", &unit, &below)?;
    let is_behind = b.cast(&is_behind, Element::I64)?;
    let class = along(b, "sum", &is_behind, (&[2], false))?;
    let class = b.with_size("minimum", &class, classes.minus(1)?)?;
    Ok(vec![b.cast(&class, element)?])
}
