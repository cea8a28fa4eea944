//! Fourier transforms, as sums over tables of cosines and sines: an angle is a subscript of these, so that none grows with the signal.

use crate::{Compute, Expression, scalar};
use relay_dialects::{
    dim::Dim,
    index::{self, Extent, Predicate},
    ir::{Builder, Type, Value},
    ops::{arith, math},
    te::{Reducer, build},
};
use std::f64::consts::TAU;

/// The family's rows.
pub const ROWS: &[(&str, Compute)] = &[("dft", dft), ("stft", stft)];

/// The cosines and sines of parts of a circle.
struct Circle {
    count: Dim,
    cosines: Value,
    sines: Value,
}

impl Circle {
    fn new(b: &Builder, count: Dim, ty: Type) -> Self {
        let table = |name: &str, function: fn(&Builder, Value) -> Value| {
            build::compute(b, name, &[count], ty, |b, at| {
                let part = scalar::from_index(b, at[0], ty);
                let all = scalar::from_index(b, count.to_value(b), ty);
                let turn = scalar::mul(b, part, b.constant(ty, TAU));
                function(b, scalar::div(b, turn, all))
            })
        };
        Self {
            count,
            cosines: table("cosines", math::Cos::build),
            sines: table("sines", math::Sin::build),
        }
    }

    /// The cosine and the sine of a product of two subscripts.
    fn at(&self, b: &Builder, one: Value, other: Value) -> [Value; 2] {
        let part = index::rem(b, index::mul(b, one, other), self.count);
        [self.cosines, self.sines].map(|table| build::read(b, table, &[part]))
    }
}

fn dft(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let is_inverse = e.attrs().bool("inverse")?;
    let (shape, ty) = (e.dims(0), e.element);
    let last = shape.len() - 1;
    let count = shape[last];
    let circle = Circle::new(e.b, count, ty);
    // The other way round, the sines have the other sign.
    let part = |name: &str, is_real: bool| {
        let body = |b: &Builder, outer: &[Value], inner: &[Value]| {
            let at = [&outer[..last], inner].concat();
            let [re, im] = [0, 1].map(|operand| build::read(b, e.inputs[operand], &at));
            let [cosine, sine] = circle.at(b, outer[last], inner[0]);
            let (first, second) = if is_real { (re, im) } else { (im, re) };
            let [first, second] =
                [(first, cosine), (second, sine)].map(|(x, factor)| scalar::mul(b, x, factor));
            match is_real != is_inverse {
                true => scalar::add(b, first, second),
                false => scalar::sub(b, first, second),
            }
        };
        let reduction = (Reducer::Sum, &[count][..]);
        let sum = build::reduce(e.b, name, &shape, ty, reduction, body);
        match is_inverse {
            false => sum,
            true => build::compute(e.b, "scaled", &shape, ty, |b, at| {
                let all = scalar::from_index(b, count.to_value(b), ty);
                scalar::div(b, build::read(b, sum, at), all)
            }),
        }
    };
    Ok(vec![part("re", true), part("im", false)])
}

fn stft(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let attrs = e.attrs();
    let (hop, width) = (attrs.int("hop_length")?, attrs.int("win_length")?);
    let root = match attrs.bool("normalized")? {
        true => Some((attrs.int("n_fft")? as f64).sqrt()),
        false => None,
    };
    let (shape, ty) = (e.result_dims(), e.element);
    let batch = shape.len() - 3;
    let circle = Circle::new(e.b, Dim::Known(width), ty);
    let parts = &shape[..shape.len() - 1];
    let part = |name: &str, is_real: bool| {
        let body = |b: &Builder, outer: &[Value], inner: &[Value]| {
            let start = index::scale(b, outer[batch + 1], hop);
            let at = [&outer[..batch], &[index::add(b, start, inner[0])]].concat();
            let x = build::read(b, e.inputs[0], &at);
            let x = scalar::mul(b, x, build::read(b, e.inputs[1], inner));
            let [cosine, sine] = circle.at(b, outer[batch], inner[0]);
            scalar::mul(b, x, if is_real { cosine } else { sine })
        };
        let reduction = (Reducer::Sum, &[width][..]);
        build::reduce(e.b, name, parts, ty, reduction, body)
    };
    let (re, im) = (part("re", true), part("im", false));
    e.elements(|b, at| {
        let (before, number) = at.split_at(batch + 2);
        let is_real = index::compare(b, Predicate::Eq, number[0], b.index(0));
        let im = arith::NegF::build(b, build::read(b, im, before));
        let chosen = b.select(is_real, build::read(b, re, before), im);
        match root {
            Some(root) => scalar::div(b, chosen, b.constant(ty, root)),
            None => chosen,
        }
    })
}
