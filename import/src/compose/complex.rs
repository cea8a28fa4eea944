//! Complex numbers, as their real and their imaginary parts: the IR has no element type for them.

use super::slice::strided_slice;
use crate::graph::{builder::GraphBuilder, error::Result, value::Value};
use relay_dialects::dim::Dim;
use std::f64::consts::PI;

/// A tensor of complex numbers. Both parts have the same shape and the same type of floats.
#[derive(Clone)]
pub struct Complex {
    /// The real parts.
    pub real: Value,
    /// The imaginary parts.
    pub imaginary: Value,
}

impl Complex {
    /// Real numbers as complex ones.
    pub fn of_real(b: &mut GraphBuilder, real: Value) -> Result<Self> {
        let imaginary = b.full(real.element(), real.dims(), 0.0)?;
        Ok(Self { real, imaginary })
    }

    /// Pairs of a real and an imaginary part along the last axis, as complex numbers without that axis.
    ///
    /// # Errors
    /// If the last axis is no pair.
    pub fn of_pairs(b: &mut GraphBuilder, pairs: &Value) -> Result<Self> {
        let Some((Dim::Known(2), dims)) = pairs.dims().split_last() else {
            return Err(format!(
                "the last axis of shape {:?} holds no pairs of a real and an imaginary part",
                pairs.dims()
            ));
        };
        let mut part = |part: i64| {
            let half = strided_slice(b, pairs, &[(dims.len(), part, part + 1, 1)])?;
            b.reshape(&half, dims)
        };
        Ok(Self {
            real: part(0)?,
            imaginary: part(1)?,
        })
    }

    /// The pairs of both parts, along a new last axis.
    pub fn pairs(&self, b: &mut GraphBuilder) -> Result<Value> {
        let dims = [self.real.dims(), &[Dim::Known(1)]].concat();
        let parts = [
            b.reshape(&self.real, &dims)?,
            b.reshape(&self.imaginary, &dims)?,
        ];
        b.concatenate(&parts, self.real.rank())
    }

    /// What a function makes of each part.
    ///
    /// # Errors
    /// Those of the function.
    pub fn each(&self, mut function: impl FnMut(&Value) -> Result<Value>) -> Result<Self> {
        Ok(Self {
            real: function(&self.real)?,
            imaginary: function(&self.imaginary)?,
        })
    }

    /// The conjugate numbers.
    pub fn conjugate(&self, b: &mut GraphBuilder) -> Result<Self> {
        Ok(Self {
            real: self.real.clone(),
            imaginary: b.unary("negative", &self.imaginary)?,
        })
    }

    /// The numbers turned by a quarter: times i.
    fn turned(&self, b: &mut GraphBuilder) -> Result<Self> {
        Ok(Self {
            real: b.unary("negative", &self.imaginary)?,
            imaginary: self.real.clone(),
        })
    }

    /// The squares of the absolute values.
    fn squares(&self, b: &mut GraphBuilder) -> Result<Value> {
        let real = b.binary("multiply", &self.real, &self.real)?;
        let imaginary = b.binary("multiply", &self.imaginary, &self.imaginary)?;
        b.binary("add", &real, &imaginary)
    }

    /// The absolute values. Their squares have to be in the range of the element type.
    pub fn abs(&self, b: &mut GraphBuilder) -> Result<Value> {
        let squares = self.squares(b)?;
        b.unary("sqrt", &squares)
    }

    /// The angles with the positive real numbers, from -π to π.
    pub fn angle(&self, b: &mut GraphBuilder) -> Result<Value> {
        angle(b, &self.imaginary, &self.real)
    }

    /// The numbers times real ones.
    pub fn scaled(&self, b: &mut GraphBuilder, factor: &Value) -> Result<Self> {
        self.each(|part| b.binary("multiply", part, factor))
    }

    /// The numbers of absolute value 1 in the same direction; 0 of 0.
    pub fn sign(&self, b: &mut GraphBuilder) -> Result<Self> {
        let abs = self.abs(b)?;
        let is_zero = b.with_scalar("equal", &abs, 0.0)?;
        let one = b.scalar(abs.element(), 1.0);
        let length = b.op("where", &[is_zero, one, abs], &[])?;
        self.each(|part| b.binary("divide", part, &length))
    }
}

/// The angles of points with the positive half of the first axis, from -π to π. That of the origin is 0.
pub fn angle(b: &mut GraphBuilder, y: &Value, x: &Value) -> Result<Value> {
    let quotient = b.binary("divide", y, x)?;
    let angle = b.unary("atan", &quotient)?;
    let is_below = b.with_scalar("less", y, 0.0)?;
    let half_turn = b.scalar(x.element(), PI);
    let other_half = b.scalar(x.element(), -PI);
    let turn = b.op("where", &[is_below, other_half, half_turn], &[])?;
    let turned = b.binary("add", &angle, &turn)?;
    let is_left = b.with_scalar("less", x, 0.0)?;
    let angle = b.op("where", &[is_left, turned, angle], &[])?;
    // 0 / 0 is no angle.
    let both = [
        b.with_scalar("equal", x, 0.0)?,
        b.with_scalar("equal", y, 0.0)?,
    ];
    let is_origin = b.binary("logical_and", &both[0], &both[1])?;
    let zero = b.scalar(x.element(), 0.0);
    b.op("where", &[is_origin, zero, angle], &[])
}

/// The products of complex numbers, with broadcasting.
pub fn multiply(b: &mut GraphBuilder, x: &Complex, y: &Complex) -> Result<Complex> {
    let real = b.binary("multiply", &x.real, &y.real)?;
    let imaginary = b.binary("multiply", &x.imaginary, &y.imaginary)?;
    let first = b.binary("multiply", &x.real, &y.imaginary)?;
    let second = b.binary("multiply", &x.imaginary, &y.real)?;
    Ok(Complex {
        real: b.binary("subtract", &real, &imaginary)?,
        imaginary: b.binary("add", &first, &second)?,
    })
}

/// The quotients of complex numbers, with broadcasting. The divisors are scaled first, so that their squares stay in range.
pub fn divide(b: &mut GraphBuilder, x: &Complex, y: &Complex) -> Result<Complex> {
    let real = b.unary("abs", &y.real)?;
    let imaginary = b.unary("abs", &y.imaginary)?;
    let scale = b.binary("maximum", &real, &imaginary)?;
    let divisor = y.each(|part| b.binary("divide", part, &scale))?;
    let conjugate = divisor.conjugate(b)?;
    let square = divisor.squares(b)?;
    let square = b.binary("multiply", &square, &scale)?;
    let product = multiply(b, x, &conjugate)?;
    product.each(|part| b.binary("divide", part, &square))
}

/// One divided by the numbers.
pub fn reciprocal(b: &mut GraphBuilder, x: &Complex) -> Result<Complex> {
    let one = b.scalar(x.real.element(), 1.0);
    let one = Complex::of_real(b, one)?;
    divide(b, &one, x)
}

/// A comparison of each part, and what is said of both: `equal` and `logical_and`, or `not_equal` and `logical_or`.
pub fn compare(b: &mut GraphBuilder, [x, y]: [&Complex; 2], op: &str, both: &str) -> Result<Value> {
    let real = b.binary(op, &x.real, &y.real)?;
    let imaginary = b.binary(op, &x.imaginary, &y.imaginary)?;
    b.binary(both, &real, &imaginary)
}

/// The numbers of these absolute values and angles.
pub fn polar(b: &mut GraphBuilder, abs: &Value, angle: &Value) -> Result<Complex> {
    let (cos, sin) = (b.unary("cos", angle)?, b.unary("sin", angle)?);
    Ok(Complex {
        real: b.binary("multiply", abs, &cos)?,
        imaginary: b.binary("multiply", abs, &sin)?,
    })
}

/// The exponential function.
pub fn exp(b: &mut GraphBuilder, x: &Complex) -> Result<Complex> {
    let abs = b.unary("exp", &x.real)?;
    polar(b, &abs, &x.imaginary)
}

/// The natural logarithms with imaginary parts from -π to π.
pub fn log(b: &mut GraphBuilder, x: &Complex) -> Result<Complex> {
    let abs = x.abs(b)?;
    Ok(Complex {
        real: b.unary("log", &abs)?,
        imaginary: x.angle(b)?,
    })
}

/// The square roots with real parts that are not negative.
pub fn sqrt(b: &mut GraphBuilder, x: &Complex) -> Result<Complex> {
    // Of the two parts, the one that no cancellation loses digits of is computed first, and the other one from it.
    let size = b.unary("abs", &x.real)?;
    let abs = x.abs(b)?;
    let sum = b.binary("add", &abs, &size)?;
    let half = b.with_scalar("multiply", &sum, 0.5)?;
    let large = b.unary("sqrt", &half)?;
    let is_zero = b.with_scalar("equal", &large, 0.0)?;
    let one = b.scalar(large.element(), 1.0);
    let divisor = b.op("where", &[is_zero, one, large.clone()], &[])?;
    let quotient = b.binary("divide", &x.imaginary, &divisor)?;
    let small = b.with_scalar("multiply", &quotient, 0.5)?;
    let is_left = b.with_scalar("less", &x.real, 0.0)?;
    let small_size = b.unary("abs", &small)?;
    let is_below = b.with_scalar("less", &x.imaginary, 0.0)?;
    let opposite = b.unary("negative", &large)?;
    let signed = b.op("where", &[is_below, opposite, large.clone()], &[])?;
    Ok(Complex {
        real: b.op("where", &[is_left.clone(), small_size, large], &[])?,
        imaginary: b.op("where", &[is_left, signed, small], &[])?,
    })
}

/// The powers of complex numbers; those of 0 are 0, and 1 with the exponent 0.
pub fn power(b: &mut GraphBuilder, x: &Complex, exponent: &Complex) -> Result<Complex> {
    let log = log(b, x)?;
    let scaled = multiply(b, &log, exponent)?;
    let power = exp(b, &scaled)?;
    let zero = b.scalar(x.real.element(), 0.0);
    let squares = x.squares(b)?;
    let is_zero = b.binary("equal", &squares, &zero)?;
    let exponents = exponent.squares(b)?;
    let is_one = b.binary("equal", &exponents, &zero)?;
    let of_zero = b.cast(&is_one, x.real.element())?;
    Ok(Complex {
        real: b.op("where", &[is_zero.clone(), of_zero, power.real], &[])?,
        imaginary: b.op("where", &[is_zero, zero, power.imaginary], &[])?,
    })
}

/// The hyperbolic sine, or with `is_even` the cosine.
pub fn hyperbolic(b: &mut GraphBuilder, x: &Complex, is_even: bool) -> Result<Complex> {
    let (sinh, cosh) = (b.unary("sinh", &x.real)?, b.unary("cosh", &x.real)?);
    let (sin, cos) = (b.unary("sin", &x.imaginary)?, b.unary("cos", &x.imaginary)?);
    let (first, second) = if is_even { (cosh, sinh) } else { (sinh, cosh) };
    Ok(Complex {
        real: b.binary("multiply", &first, &cos)?,
        imaginary: b.binary("multiply", &second, &sin)?,
    })
}

/// The hyperbolic tangent.
pub fn tanh(b: &mut GraphBuilder, x: &Complex) -> Result<Complex> {
    let (sinh, cosh) = (hyperbolic(b, x, false)?, hyperbolic(b, x, true)?);
    divide(b, &sinh, &cosh)
}

/// The sine: that of z is -i sinh(iz).
pub fn sin(b: &mut GraphBuilder, x: &Complex) -> Result<Complex> {
    let turned = x.turned(b)?;
    let sinh = hyperbolic(b, &turned, false)?;
    Ok(Complex {
        imaginary: b.unary("negative", &sinh.real)?,
        real: sinh.imaginary,
    })
}

/// The cosine: that of z is cosh(iz).
pub fn cos(b: &mut GraphBuilder, x: &Complex) -> Result<Complex> {
    let turned = x.turned(b)?;
    hyperbolic(b, &turned, true)
}

/// What a function that is linear in each of some tensors makes of complex ones. `function` takes the part of each complex tensor that
/// it is to read, true for the imaginary one, and returns its results.
///
/// # Errors
/// Those of the function, or if there are more than four complex tensors.
pub fn multilinear(
    b: &mut GraphBuilder,
    count: usize,
    mut function: impl FnMut(&mut GraphBuilder, &[bool]) -> Result<Vec<Value>>,
) -> Result<Vec<Complex>> {
    if count > 4 {
        return Err(format!(
            "a product of {count} complex tensors; up to 4 are supported"
        ));
    }
    let mut sums: [Option<Vec<Value>>; 2] = [None, None];
    for choice in 0..1_u32 << count {
        let parts: Vec<bool> = (0..count).map(|place| choice >> place & 1 == 1).collect();
        let made = function(b, &parts)?;
        // Each imaginary part brings a factor i: 1, i, -1, -i.
        let turns = choice.count_ones() % 4;
        let sum = &mut sums[turns as usize % 2];
        *sum = Some(match sum.take() {
            // The first term of both sums, of no and of one imaginary part, is added.
            None => made,
            Some(before) => {
                let op = if turns < 2 { "add" } else { "subtract" };
                let pairs = before.iter().zip(&made);
                pairs
                    .map(|(before, made)| b.binary(op, before, made))
                    .collect::<Result<_>>()?
            }
        });
    }
    let [Some(real), Some(imaginary)] = sums else {
        return Err("no tensor is complex".into());
    };
    let pairs = real.into_iter().zip(imaginary);
    Ok(pairs
        .map(|(real, imaginary)| Complex { real, imaginary })
        .collect())
}
