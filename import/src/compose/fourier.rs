//! Fourier transforms of any axis and length.
//!
//! A short transform is a product with a matrix, whose factors are a constant. A long one is split into two shorter ones
//! (Cooley and Tukey, An Algorithm for the Machine Calculation of Complex Fourier Series, 1965).

use super::{
    complex::{Complex, multiply},
    slice::{sliced, strided_slice},
};
use crate::graph::{
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
    pub fn each(&self, function: impl FnMut(&Value) -> Result<Value>) -> Result<Self> {
        let mut function = function;
        Ok(match self {
            Self::Real(real) => Self::Real(function(real)?),
            Self::Complex(numbers) => Self::Complex(numbers.each(function)?),
        })
    }

    /// The real numbers, or the real parts.
    pub fn real(&self) -> &Value {
        match self {
            Self::Real(real) => real,
            Self::Complex(numbers) => &numbers.real,
        }
    }
}

/// By what the results of a transform are divided.
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

/// The transform of an axis.
#[derive(Clone, Copy)]
pub struct Transform {
    /// The axis.
    pub axis: usize,
    /// How many numbers are transformed: those behind them are left out, and zeros are added where there are fewer.
    pub length: i64,
    /// Whether it is the inverse one, whose factors turn the other way.
    pub is_inverse: bool,
    /// The scale of its results.
    pub scale: Scale,
}

/// The longest transform that is one product: its matrix has 2^20 factors for each pair of parts.
const DIRECT: i64 = 1 << 10;
/// The most elements of the matrix of a transform, which is a constant.
const LARGEST: i64 = 1 << 26;

/// The matrix of a transform of numbers with `read.len()` parts of some extent into parts of another.
struct Matrix {
    length: i64,
    /// The numbers and the parts that are read.
    read: (i64, usize),
    /// The numbers and the parts that are computed.
    given: (i64, usize),
    is_inverse: bool,
    factor: f64,
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
        let turn = if self.is_inverse { TAU } else { -TAU } / self.length as f64;
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
                        factors.push(factor * self.factor * self.weight(column));
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

/// The lengths into which one is split: its divisor next to its root, if that saves much.
fn split(length: i64) -> Option<(i64, i64)> {
    if length <= DIRECT {
        return None;
    }
    let first = (8..).take_while(|first| first * first <= length);
    let first = first.filter(|first| length % first == 0).last()?;
    Some((first, length / first))
}

/// The order of axes in which one and the last one have changed places by a move of the one behind all others, and the order back.
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
    /// Fails if the length is none.
    fn check(&self) -> Result<()> {
        match (1..=LARGEST).contains(&self.length) {
            true => Ok(()),
            false => Err(format!(
                "a transform has length {}; 1 to 2^26 are supported",
                self.length
            )),
        }
    }

    /// What a function makes of a signal whose axis is the last one and has so many elements.
    fn on_last(
        &self,
        b: &mut GraphBuilder,
        x: &Signal,
        read: i64,
        function: impl FnOnce(&mut GraphBuilder, &Signal) -> Result<Signal>,
    ) -> Result<Signal> {
        self.check()?;
        let (there, back) = to_last(x.real().rank(), self.axis);
        let x = x.each(|part| {
            let part = fitted(b, part, self.axis, read)?;
            b.transpose(&part, &there)
        })?;
        let made = function(b, &x)?;
        made.each(|part| b.transpose(part, &back))
    }

    /// The matrix of a transform of complex or real numbers.
    fn matrix(&self, parts: usize, given: i64) -> Matrix {
        Matrix {
            length: self.length,
            read: (self.length, parts),
            given: (given, 2),
            is_inverse: self.is_inverse,
            factor: self.scale.factor(self.length),
            is_half: false,
        }
    }

    /// The transform of the last axis, which has its length; the first `given` numbers of it.
    fn of_last(&self, b: &mut GraphBuilder, x: &Signal, given: i64) -> Result<Complex> {
        let Some((first, second)) = split(self.length) else {
            let parts = x.parts();
            let mut made = self
                .matrix(parts.len(), given)
                .times(b, &parts)?
                .into_iter();
            return match (made.next(), made.next()) {
                (Some(real), Some(imaginary)) => Ok(Complex { real, imaginary }),
                _ => Err("a transform has two parts".into()),
            };
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
        let inner = Self {
            length: first,
            ..*self
        };
        let columns = inner.of_last(b, &columns, first)?;
        let turned = self.turned(b, &columns, (first, second))?;
        let turned = turned.each(|part| b.transpose(part, &order))?;
        let outer = Self {
            length: second,
            ..*self
        };
        let made = outer.of_last(b, &Signal::Complex(turned), second)?;
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
        let turn = if self.is_inverse { TAU } else { -TAU } / self.length as f64;
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

    /// The whole transform of a signal.
    ///
    /// # Errors
    /// If the extent of the axis is not known, or the length is out of range.
    pub fn whole(&self, b: &mut GraphBuilder, x: &Signal) -> Result<Complex> {
        self.given(b, x, self.length)
    }

    /// One half of the transform of real numbers, of length / 2 + 1: the other half mirrors it.
    ///
    /// # Errors
    /// As [`Self::whole`].
    pub fn half(&self, b: &mut GraphBuilder, x: &Value) -> Result<Complex> {
        self.given(b, &Signal::Real(x.clone()), self.length / 2 + 1)
    }

    fn given(&self, b: &mut GraphBuilder, x: &Signal, given: i64) -> Result<Complex> {
        let made = self.on_last(b, x, self.length, |b, x| {
            self.of_last(b, x, given).map(Signal::Complex)
        })?;
        match made {
            Signal::Complex(made) => Ok(made),
            Signal::Real(real) => Complex::of_real(b, real),
        }
    }

    /// The real numbers of which one half of a transform is given, of length / 2 + 1.
    ///
    /// # Errors
    /// As [`Self::whole`].
    pub fn of_half(&self, b: &mut GraphBuilder, x: &Complex) -> Result<Value> {
        let read = self.length / 2 + 1;
        let made = self.on_last(b, &Signal::Complex(x.clone()), read, |b, x| {
            if split(self.length).is_some() {
                let whole = mirrored(b, x, self.length)?;
                let made = self.of_last(b, &whole, self.length)?;
                return Ok(Signal::Real(made.real));
            }
            let matrix = Matrix {
                read: (read, 2),
                given: (self.length, 1),
                is_half: true,
                ..self.matrix(2, self.length)
            };
            let mut made = matrix.times(b, &x.parts())?;
            let real = made.pop().ok_or("a transform has a part")?;
            Ok(Signal::Real(real))
        })?;
        Ok(made.real().clone())
    }
}

/// A spectrum of real numbers, of one half of it along the last axis.
fn mirrored(b: &mut GraphBuilder, half: &Signal, length: i64) -> Result<Signal> {
    let parts = half.parts();
    let (last, extent) = (parts[0].rank() - 1, length / 2 + 1);
    let mut whole = Vec::new();
    for (place, part) in parts.iter().enumerate() {
        // The numbers at the ends have no mirror image, and are real.
        let end = extent - 1 + length % 2;
        let image = strided_slice(b, part, &[(last, 1, end, 1)])?;
        let places = (0..end - 1).rev().collect::<Vec<i64>>();
        let places = b.known(Const::ints(&places));
        let image = b.taken(&image, &places, last)?;
        let part = match place {
            0 => part.clone(),
            _ => real_ends(b, part, length)?,
        };
        let image = match place {
            0 => image,
            _ => b.unary("negative", &image)?,
        };
        whole.push(b.concatenate(&[part, image], last)?);
    }
    let [real, imaginary] = &whole[..] else {
        return Err("a spectrum has two parts".into());
    };
    Ok(Signal::Complex(Complex {
        real: real.clone(),
        imaginary: imaginary.clone(),
    }))
}

/// The imaginary parts of one half of a spectrum, with 0 where real signals have no other one.
fn real_ends(b: &mut GraphBuilder, part: &Value, length: i64) -> Result<Value> {
    let extent = length / 2 + 1;
    let factors = (0..extent)
        .map(|place| f64::from(u8::from(place != 0 && 2 * place != length)))
        .collect();
    let factors = Const::new(part.element(), vec![extent], &Numbers::Floats(factors));
    let factors = b.known(factors);
    b.binary("multiply", part, &factors)
}
