//! Loads of elements that lie apart: what `vectorize-loop` makes of them.

use relay_dialects::{
    index,
    ir::{Attr, Builder, Type, Value},
    ops::{arith, vector},
};

/// A subscript of such a load.
#[derive(Clone, Copy)]
pub enum Subscript {
    /// The same in all lanes.
    Same(Value),
    /// From its value in the first lane on by so much for each lane.
    Step(Value, i64),
    /// A vector of values.
    Each(Value),
}

/// A `vector.gather` of `ty` from `buffer`: one instruction on processors that have it. `None` if the
/// elements or the distances between them have not the size that such instructions take.
pub fn gather(b: &Builder, buffer: Value, subscripts: &[Subscript], ty: Type) -> Option<Value> {
    let element = ty.element();
    let fits = element.is_float() || element.is_int();
    let is_plain = !buffer.ty().to_string().contains(['(', '?']) && buffer.ty().is_static();
    if !fits || ![32, 64].contains(&element.bit_width()) || !is_plain {
        return None;
    }
    let (shape, lanes) = (buffer.ty().shape(), ty.shape()[0]);
    if i32::try_from(buffer.ty().count()).is_err() {
        return None;
    }
    let strides = index::strides(&shape);
    let int = Type::int(b.ctx, 32);
    let offset_ty = Type::vector(&[lanes], int);
    // What is known of the distances from the first lane on, and what is not.
    let (mut step, mut offsets, mut base) = (0_i64, None, Vec::new());
    for (subscript, stride) in subscripts.iter().zip(&strides) {
        match *subscript {
            Subscript::Same(value) => base.push(value),
            Subscript::Step(first, by) => {
                base.push(first);
                step = by.checked_mul(*stride)?.checked_add(step)?;
            }
            Subscript::Each(vector) => {
                base.push(b.index(0));
                let narrow = arith::IndexCast::build(b, offset_ty, vector);
                let scaled = multiple(b, narrow, *stride);
                offsets = Some(match offsets {
                    Some(others) => arith::AddI::build(b, others, scaled),
                    None => scaled,
                });
            }
        }
    }
    let distances: Vec<u8> = (0..lanes)
        .flat_map(|lane| i32::try_from(lane.saturating_mul(step)).map(i32::to_le_bytes))
        .flatten()
        .collect();
    let known = dense(b, offset_ty, &distances)?;
    let offsets = match offsets {
        Some(others) if step == 0 => others,
        Some(others) => arith::AddI::build(b, others, known),
        None => known,
    };
    let all = Type::vector(&[lanes], Type::int(b.ctx, 1));
    let mask = splat(b, all, Attr::int(all.element(), 1));
    let nothing = if element.is_float() {
        Attr::float(element, 0.0)
    } else {
        Attr::int(element, 0)
    };
    let nothing = splat(b, ty, nothing);
    let gathered = vector::Gather::build(b, ty, buffer, &base, offsets, mask, nothing);
    Some(gathered)
}

fn multiple(b: &Builder, vector: Value, factor: i64) -> Value {
    if factor == 1 {
        return vector;
    }
    let ty = vector.ty();
    let factor = splat(b, ty, Attr::int(ty.element(), factor));
    arith::MulI::build(b, vector, factor)
}

fn dense(b: &Builder, ty: Type, bytes: &[u8]) -> Option<Value> {
    let value = Attr::dense(ty, bytes)?;
    Some(arith::Constant::build(b, value))
}

fn splat(b: &Builder, ty: Type, scalar: Attr) -> Value {
    let value = Attr::splat(ty, scalar);
    arith::Constant::build(b, value)
}
