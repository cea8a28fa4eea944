//! Loads whose subscripts have the lane's remainder by a small number: what `vectorize-loop` makes of them.

use super::vector_form::depends_on_lane;
use crate::analysis::linear::linear;
use relay_dialects::{
    index::constant,
    ir::{Attr, Builder, Op, Type, Value},
    ops::{arith, vector},
};

/// How the lanes of a load find their elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turns {
    /// So many elements that lie together: the lanes take turns with them.
    Few(i64),
    /// Rows of so many elements that lie together: together, they are a run of as many elements as there are lanes.
    Rows(i64),
}

impl Turns {
    /// That of a load in a loop of `lanes` iterations from 0, if it is of either kind.
    pub fn of(load: Op, lane: Value, lanes: i64) -> Option<Self> {
        let buffer = load.operand(0).ty();
        let operands = load.operands();
        let (last, outer) = operands[1..].split_last()?;
        let count = remainder(*last, lane).filter(|count| lanes % count == 0)?;
        let varying = |at: &Value| depends_on_lane(*at, lane);
        if !outer.iter().any(varying) {
            return Some(Self::Few(count));
        }
        let (row, outer) = outer.split_last()?;
        let is_row = is_plain(buffer)
            && buffer.shape().last() == Some(&count)
            && linear(*last).terms.len() == 1
            && linear(*last).constant == 0
            && quotient(*row, lane) == Some(count);
        (is_row && !outer.iter().any(varying)).then_some(Self::Rows(count))
    }
}

/// The number by which a subscript has the lane's remainder, if it depends on the lane in no other way.
fn remainder(subscript: Value, lane: Value) -> Option<i64> {
    divisor(subscript, lane, arith::RemSI::NAME)
}

/// The number by which a subscript has the lane's quotient, if it depends on the lane in no other way.
fn quotient(subscript: Value, lane: Value) -> Option<i64> {
    divisor(subscript, lane, arith::DivSI::NAME)
}

fn divisor(subscript: Value, lane: Value, division: &str) -> Option<i64> {
    let form = linear(subscript);
    let mut varying = form
        .terms
        .iter()
        .filter(|(term, _)| depends_on_lane(*term, lane));
    let (term, factor) = varying.next()?;
    let op = term.def_of(division)?;
    let is_of_lane = *factor == 1 && varying.next().is_none() && op.operand(0) == lane;
    constant(op.operand(1)).filter(|divisor| is_of_lane && *divisor > 0)
}

/// Whether a buffer's elements lie in the order of its subscripts, as many as its shape says.
fn is_plain(buffer: Type) -> bool {
    buffer.is_static() && !buffer.to_string().contains('(')
}

/// The shape of a plain buffer with its last two dimensions as one.
pub fn joined(shape: &[i64]) -> Vec<i64> {
    let rank = shape.len();
    let mut joined = shape[..rank - 1].to_vec();
    joined[rank - 2] *= shape[rank - 1];
    joined
}

/// The first or the second (0 or 1) of each pair of 32-bit numbers of a vector, as the lower or upper half of a number of 64
/// bits. Two shuffles whose results are added would become LLVM's horizontal addition, which has the first 16 registers
/// only; a tile of sums has all 32.
pub fn half_of_pairs(b: &Builder, pairs: Value, which: i64, ty: Type) -> Value {
    let lanes = ty.shape()[0];
    let (wide, narrow) = (Type::int(b.ctx, 64), Type::int(b.ctx, 32));
    let wide = Type::vector(&[lanes], wide);
    let mut numbers = vector::BitCast::build(b, wide, pairs);
    if which == 1 {
        let bits = Attr::splat(wide, Attr::int(wide.element(), 32));
        let bits = arith::Constant::build(b, bits);
        numbers = arith::ShRUI::build(b, numbers, bits);
    }
    let halves = Type::vector(&[lanes], narrow);
    let halves = arith::TruncI::build(b, halves, numbers);
    vector::BitCast::build(b, ty, halves)
}
