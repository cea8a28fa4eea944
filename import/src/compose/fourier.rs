//! Fourier transforms of any axis and length.
//!
//! A short transform is a product with a matrix, whose factors are a constant. A long one is split into two shorter ones
//! (Cooley and Tukey, An Algorithm for the Machine Calculation of Complex Fourier Series, 1965).

use super::{
    complex::{Complex, multiply},
    slice::{sliced, strided_slice},
};
use crate::graph::{
    attr::Param,
    builder::GraphBuilder,
    constant::{Const, Numbers, element_count},
    error::Result,
    value::Value,
};
use relay_dialects::{
    dim::{self, Dim},
    element::Element,
};
use std::f64::consts::TAU;

/// What is transformed.
#[derive(Clone)]
pub enum Signal {
    /// Real numbers.
    Real(Value),
    /// Complex numbers.
    Complex(Complex),
}

impl Signal {
    /// The parts of the numbers.
    fn parts(&self) -> Vec<Value> {
        match self {
            Self::Real(real) => vec![real.clone()],
            Self::Complex(numbers) => vec![numbers.real.clone(), numbers.imaginary.clone()],
        }
    }

    /// What a function makes of each part.
    ///
    /// # Errors
    /// Those of the function.
    pub fn each(&self, mut function: impl FnMut(&Value) -> Result<Value>) -> Result<Self> {
        Ok(match self {
            Self::Real(real) => Self::Real(function(real)?),
            Self::Complex(numbers) => Self::Complex(numbers.each(function)?),
        })
    }

    /// The numbers as complex ones.
    ///
    /// # Errors
    /// If no constant of zeros can be made.
    pub fn into_complex(self, b: &mut GraphBuilder) -> Result<Complex> {
        match self {
            Self::Real(real) => Complex::of_real(b, real),
            Self::Complex(numbers) => Ok(numbers),
        }
    }

    /// The real numbers, or the real parts.
    pub fn real(&self) -> &Value {
        match self {
            Self::Real(real) => real,
            Self::Complex(numbers) => &numbers.real,
        }
    }
}

/// What the results of a transform are divided by.
#[derive(Clone, Copy, PartialEq)]
pub enum Scale {
    /// Nothing.
    One,
    /// The root of the length.
    Root,
    /// The length.
    Length,
}

impl Scale {
    /// The factor of each number.
    fn factor(self, length: i64) -> f64 {
        match self {
            Self::One => 1.0,
            Self::Root => 1.0 / (length as f64).sqrt(),
            Self::Length => 1.0 / length as f64,
        }
    }
}

/// The direction and the scale of a transform.
#[derive(Clone, Copy)]
pub struct Kind {
    /// Whether it is the inverse one, whose factors turn the other way.
    pub is_inverse: bool,
    /// The scale of its results.
    pub scale: Scale,
}

impl Kind {
    /// The transform as most formats define it: the inverse one is divided by the length.
    pub fn plain(is_inverse: bool) -> Self {
        let scale = if is_inverse {
            Scale::Length
        } else {
            Scale::One
        };
        Self { is_inverse, scale }
    }

    /// The angle from one factor to the next.
    fn turn(self, length: i64) -> f64 {
        let turn = if self.is_inverse { TAU } else { -TAU };
        turn / length as f64
    }
}

/// An axis with the length of its transform; `None` is that of the axis.
pub type Axis = (usize, Option<i64>);

/// The transform of some axes, one after the other.
///
/// # Errors
/// If the extent of an axis is not known, or a length is out of range.
pub fn whole(b: &mut GraphBuilder, x: Signal, axes: &[Axis], kind: Kind) -> Result<Complex> {
    let Some((first, rest)) = axes.split_first() else {
        return x.into_complex(b);
    };
    let made = Transform::of(x.real(), *first, kind)?.whole(b, &x)?;
    whole(b, Signal::Complex(made), rest, kind)
}

/// The transform of some axes of real numbers, of which the last one is halved, to length / 2 + 1: the other half mirrors it.
///
/// # Errors
/// As [`whole`], or if there are no axes.
pub fn half(b: &mut GraphBuilder, x: &Value, axes: &[Axis], kind: Kind) -> Result<Complex> {
    let (last, others) = axes.split_last().ok_or("there are no axes")?;
    let made = Transform::of(x, *last, kind)?.half(b, x)?;
    whole(b, Signal::Complex(made), others, kind)
}

/// The real numbers that have such a transform, of which the last axis is halved: without a length, the other half makes an even one. That
/// axis is transformed backwards whatever the kind says.
///
/// # Errors
/// As [`half`].
pub fn of_half(b: &mut GraphBuilder, x: Complex, axes: &[Axis], kind: Kind) -> Result<Value> {
    let (&(axis, length), others) = axes.split_last().ok_or("there are no axes")?;
    let x = whole(b, Signal::Complex(x), others, kind)?;
    let length = match length {
        Some(length) => length,
        None => 2 * (x.real.extent(axis)? - 1),
    };
    let kind = Kind {
        is_inverse: true,
        ..kind
    };
    Transform::of(&x.real, (axis, Some(length)), kind)?.of_half(b, &x)
}

/// The transform of an axis.
#[derive(Clone, Copy)]
struct Transform {
    axis: usize,
    /// How many numbers are transformed: those behind them are left out, and zeros are added where there are fewer.
    length: i64,
    kind: Kind,
}

/// The longest transform that is one product: its matrix has 2^20 factors for each pair of parts.
const DIRECT: i64 = 1 << 10;
/// The most elements of the matrix of a transform, which is a constant.
const LARGEST: i64 = 1 << 26;

/// The matrix of a transform. The numbers that it reads and makes have one or two parts each.
struct Matrix {
    length: i64,
    /// The numbers and the parts that are read.
    read: (i64, usize),
    /// The numbers and the parts that are computed.
    given: (i64, usize),
    kind: Kind,
    /// Whether what is read is one half of a spectrum whose other half is its mirror image.
    is_half: bool,
}

impl Matrix {
    /// The constant, [parts * given, parts * read].
    fn constant(&self, b: &GraphBuilder, element: Element) -> Result<Value> {
        let ((read, read_parts), (given, given_parts)) = (self.read, self.given);
        let shape = [given * given_parts as i64, read * read_parts as i64];
        if element_count(&shape)? > LARGEST {
            return Err(format!(
                "a transform of length {} takes a matrix of {shape:?}; up to 2^26 elements are supported: choose a length with small prime factors",
                self.length
            ));
        }
        let turn = self.kind.turn(self.length);
        let scale = self.kind.scale.factor(self.length);
        let circle: Vec<(f64, f64)> = (0..self.length)
            .map(|step| (turn * step as f64).sin_cos())
            .collect();
        let mut factors = Vec::with_capacity((shape[0] * shape[1]) as usize);
        for given_part in 0..given_parts {
            for row in 0..given {
                for read_part in 0..read_parts {
                    for column in 0..read {
                        let (sin, cos) = circle[(row * column % self.length) as usize];
                        // (x + iy)(cos + i sin) has the real part x cos - y sin, and the imaginary one x sin + y cos.
                        let factor = match (given_part, read_part) {
                            (0, 0) | (1, 1) => cos,
                            (0, _) => -sin,
                            _ => sin,
                        };
                        factors.push(factor * scale * self.weight(column));
                    }
                }
            }
        }
        let factors = Const::new(element, shape.to_vec(), &Numbers::Floats(factors));
        Ok(b.known(factors))
    }

    /// How often a number counts: twice if it stands for its mirror image, too.
    fn weight(&self, place: i64) -> f64 {
        match self.is_half && place > 0 && 2 * place != self.length {
            true => 2.0,
            false => 1.0,
        }
    }

    /// The products of the rows of a tensor, along its last axis, with the matrix: the parts of the results.
    fn times(&self, b: &mut GraphBuilder, parts: &[Value]) -> Result<Vec<Value>> {
        let last = parts[0].rank() - 1;
        let joined = match parts {
            [one] => one.clone(),
            both => b.concatenate(both, last)?,
        };
        let (rows, columns) = joined.dims().split_at(last);
        let matrix = b.reshape(&joined, &[dim::product(rows)?, columns[0]])?;
        let factors = self.constant(b, joined.element())?;
        let made = b.binary("nn.dense", &matrix, &factors)?;
        let (given, count) = self.given;
        let mut results = Vec::with_capacity(count);
        for part in 0..count as i64 {
            let made = match count {
                1 => made.clone(),
                _ => strided_slice(b, &made, &[(1, part * given, (part + 1) * given, 1)])?,
            };
            results.push(b.reshape(&made, &[rows, &[Dim::Known(given)]].concat())?);
        }
        Ok(results)
    }
}

/// The two factors into which a length above [`DIRECT`] is split. The first one is the greatest divisor up to the root; one below 8 saves too little.
fn split(length: i64) -> Option<(i64, i64)> {
    if length <= DIRECT {
        return None;
    }
    let first = (8..).take_while(|first| first * first <= length);
    let first = first.filter(|first| length % first == 0).last()?;
    Some((first, length / first))
}

/// The permutation that moves an axis behind all others, and its inverse.
fn to_last(rank: usize, axis: usize) -> (Vec<usize>, Vec<usize>) {
    let there: Vec<usize> = (0..rank)
        .filter(|other| *other != axis)
        .chain([axis])
        .collect();
    let mut back: Vec<usize> = (0..rank - 1).collect();
    back.insert(axis, rank - 1);
    (there, back)
}

/// An axis with so many elements: cut off, or with zeros behind it.
fn fitted(b: &mut GraphBuilder, x: &Value, axis: usize, length: i64) -> Result<Value> {
    let extent = x.extent(axis)?;
    if extent == length {
        return Ok(x.clone());
    }
    if extent > length {
        return sliced(b, x, &[(axis, 0.into(), length.into(), 1)]);
    }
    let mut widths = vec![Dim::Known(0); 2 * x.rank()];
    widths[2 * axis + 1] = Dim::Known(length - extent);
    let zero = b.scalar(x.element(), 0.0);
    b.pad(x, &zero, &widths, "constant")
}

impl Transform {
    /// The transform of an axis of a tensor.
    fn of(x: &Value, (axis, length): Axis, kind: Kind) -> Result<Self> {
        let length = match length {
            Some(length) => length,
            None => x.extent(axis)?,
        };
        match (1..=LARGEST).contains(&length) {
            true => Ok(Self { axis, length, kind }),
            false => Err(format!(
                "a transform has length {length}; 1 to 2^26 are supported"
            )),
        }
    }

    /// The whole transform of a signal.
    fn whole(&self, b: &mut GraphBuilder, x: &Signal) -> Result<Complex> {
        match self.length == 1 && x.real().dims()[self.axis] == 1 {
            // It is the number itself.
            true => x.clone().into_complex(b),
            false => self.given(b, x, self.length),
        }
    }

    /// One half of the transform of real numbers.
    fn half(&self, b: &mut GraphBuilder, x: &Value) -> Result<Complex> {
        self.given(b, &Signal::Real(x.clone()), self.length / 2 + 1)
    }

    /// The first `given` numbers of the transform.
    fn given(&self, b: &mut GraphBuilder, x: &Signal, given: i64) -> Result<Complex> {
        let (x, back) = self.on_last(b, x, self.length)?;
        let made = self.of_last(b, &x, given)?;
        made.each(|part| b.transpose(part, &back))
    }

    /// The real numbers of which one half of a transform is given.
    fn of_half(&self, b: &mut GraphBuilder, x: &Complex) -> Result<Value> {
        let signal = Signal::Complex(x.clone());
        let (x, back) = self.on_last(b, &signal, self.length / 2 + 1)?;
        let real = match split(self.length) {
            Some(_) => {
                let whole = mirrored(b, &x, self.length)?;
                self.of_last(b, &whole, self.length)?.real
            }
            None => {
                let matrix = Matrix {
                    given: (self.length, 1),
                    is_half: true,
                    ..self.matrix(&x, self.length)?
                };
                let mut made = matrix.times(b, &x.parts())?;
                made.pop().ok_or("a transform has a part")?
            }
        };
        b.transpose(&real, &back)
    }

    /// A signal whose axis is the last one and has `most` numbers, and the order of axes back. A transform that is one product reads those
    /// alone that there are.
    fn on_last(&self, b: &mut GraphBuilder, x: &Signal, most: i64) -> Result<(Signal, Vec<usize>)> {
        let read = match split(self.length) {
            Some(_) => most,
            None => most.min(x.real().extent(self.axis)?).max(1),
        };
        let (there, back) = to_last(x.real().rank(), self.axis);
        let x = x.each(|part| {
            let part = fitted(b, part, self.axis, read)?;
            b.transpose(&part, &there)
        })?;
        Ok((x, back))
    }

    /// The matrix of the transform of a signal's last axis.
    fn matrix(&self, x: &Signal, given: i64) -> Result<Matrix> {
        Ok(Matrix {
            length: self.length,
            read: (x.real().extent(x.real().rank() - 1)?, x.parts().len()),
            given: (given, 2),
            kind: self.kind,
            is_half: false,
        })
    }

    /// The transform of the last axis; the first `given` numbers of it.
    fn of_last(&self, b: &mut GraphBuilder, x: &Signal, given: i64) -> Result<Complex> {
        let Some((first, second)) = split(self.length) else {
            let made = self.matrix(x, given)?.times(b, &x.parts())?;
            let [real, imaginary] =
                <[Value; 2]>::try_from(made).map_err(|_| "a transform has two parts")?;
            return Ok(Complex { real, imaginary });
        };
        // Subscript second * i + j of the signal; subscript k + first * l of the transform.
        let last = x.real().rank() - 1;
        let rows = x.real().dims()[..last].to_vec();
        let known = |extents: &[i64]| -> Vec<Dim> {
            let extents = extents.iter().map(|extent| Dim::Known(*extent));
            rows.iter().copied().chain(extents).collect()
        };
        let mut order: Vec<usize> = (0..last + 2).collect();
        order.swap(last, last + 1);
        let columns = x.each(|part| {
            let part = b.reshape(part, &known(&[first, second]))?;
            b.transpose(&part, &order)
        })?;
        let part_of = |length| Self { length, ..*self };
        let columns = part_of(first).of_last(b, &columns, first)?;
        let turned = self.turned(b, &columns, (first, second))?;
        let turned = turned.each(|part| b.transpose(part, &order))?;
        let made = part_of(second).of_last(b, &Signal::Complex(turned), second)?;
        made.each(|part| {
            let part = b.transpose(part, &order)?;
            let part = b.reshape(&part, &known(&[self.length]))?;
            match given == self.length {
                true => Ok(part),
                false => strided_slice(b, &part, &[(last, 0, given, 1)]),
            }
        })
    }

    /// The transforms of columns, [second, first], each number turned by its two subscripts.
    fn turned(
        &self,
        b: &mut GraphBuilder,
        columns: &Complex,
        (first, second): (i64, i64),
    ) -> Result<Complex> {
        let turn = self.kind.turn(self.length);
        let factors = |wave: fn(f64) -> f64| {
            let factors = (0..second)
                .flat_map(|j| (0..first).map(move |k| wave(turn * (j * k) as f64)))
                .collect();
            Const::new(
                columns.real.element(),
                vec![second, first],
                &Numbers::Floats(factors),
            )
        };
        let factors = Complex {
            real: b.known(factors(f64::cos)),
            imaginary: b.known(factors(f64::sin)),
        };
        multiply(b, columns, &factors)
    }
}

/// A spectrum of real numbers, of one half of it along the last axis.
fn mirrored(b: &mut GraphBuilder, half: &Signal, length: i64) -> Result<Signal> {
    let last = half.real().rank() - 1;
    // The numbers at the ends have no mirror image, and are real.
    let end = length / 2 + length % 2;
    let image = |b: &mut GraphBuilder, part: &Value| {
        let image = strided_slice(b, part, &[(last, 1, end, 1)])?;
        b.op("reverse", &[image], &[("axis", Param::Int(last as i64))])
    };
    let half = half.clone().into_complex(b)?;
    let imaginary = real_ends(b, &half.imaginary, length)?;
    let opposite = image(b, &imaginary)?;
    let opposite = b.unary("negative", &opposite)?;
    let real = image(b, &half.real)?;
    Ok(Signal::Complex(Complex {
        real: b.concatenate(&[half.real, real], last)?,
        imaginary: b.concatenate(&[imaginary, opposite], last)?,
    }))
}

/// The imaginary parts of one half of the spectrum of a real signal: 0 is at frequency 0, and at the last frequency of an even length.
fn real_ends(b: &mut GraphBuilder, part: &Value, length: i64) -> Result<Value> {
    let extent = length / 2 + 1;
    let factors = (0..extent)
        .map(|place| f64::from(u8::from(place != 0 && 2 * place != length)))
        .collect();
    let factors = Const::new(part.element(), vec![extent], &Numbers::Floats(factors));
    let factors = b.known(factors);
    b.binary("multiply", part, &factors)
}
