//! The ops of upstream's dialects that ask for extents, choose by them, and make tensors of other extents. Indices and
//! booleans are tensors of rank 0.

use crate::{InterpreterError, error::cannot};
use relay_dialects::{
    index::strides,
    ir::{Attr, DYNAMIC, Op},
    ops::{arith, tensor},
};
use relay_runtime::{DType, Tensor};
use std::rc::Rc;

/// Whether [`run`] knows the op.
pub(crate) fn knows(op: Op) -> bool {
    matches!(
        op.name().as_str(),
        arith::Constant::NAME
            | arith::CmpI::NAME
            | arith::SubI::NAME
            | tensor::Dim::NAME
            | tensor::Cast::NAME
            | tensor::Extract::NAME
            | tensor::Pad::NAME
            | tensor::ExtractSlice::NAME
    )
}

/// What an op gives for its operands.
///
/// # Errors
/// If it is not of the forms that are known here, or what it gives is not of its type.
pub(crate) fn run(op: Op, operands: &[Rc<Tensor>]) -> Result<Rc<Tensor>, InterpreterError> {
    let number = match op.name().as_str() {
        arith::Constant::NAME => op.attr("value").and_then(Attr::as_i64),
        tensor::Dim::NAME => dim(operands),
        arith::SubI::NAME => pair(operands).and_then(|(lhs, rhs)| lhs.checked_sub(rhs)),
        _ => None,
    };
    let result = match op.name().as_str() {
        arith::CmpI::NAME => compare(op, operands),
        tensor::Cast::NAME => operands.first().cloned(),
        tensor::Extract::NAME => operands.first().filter(|_| operands.len() == 1).cloned(),
        tensor::Pad::NAME => pad(op, operands),
        tensor::ExtractSlice::NAME => slice(op, operands),
        _ => number.and_then(index).map(Rc::new),
    };
    let result = result.ok_or_else(|| cannot(op, "only some of its forms can be"))?;
    let ty = op.result(0).ty();
    let wanted = ty.shape();
    let fits = |(extent, wanted): (&i64, &i64)| extent == wanted || *wanted == DYNAMIC;
    let shape = result.shape();
    match shape.len() == wanted.len() && shape.iter().zip(&wanted).all(fits) {
        true => Ok(result),
        false => Err(cannot(
            op,
            &format!("it gives {shape:?}, and its type is {ty}"),
        )),
    }
}

fn index(number: i64) -> Option<Tensor> {
    Tensor::from_slice(&[], &[number])
}

/// The number that an index is.
fn number(tensor: &Tensor) -> Option<i64> {
    tensor.as_slice::<i64>()?.first().copied()
}

fn pair(operands: &[Rc<Tensor>]) -> Option<(i64, i64)> {
    match operands {
        [lhs, rhs] => Some((number(lhs)?, number(rhs)?)),
        _ => None,
    }
}

fn dim(operands: &[Rc<Tensor>]) -> Option<i64> {
    let place = usize::try_from(number(operands.get(1)?)?).ok()?;
    operands[0].shape().get(place).copied()
}

fn compare(op: Op, operands: &[Rc<Tensor>]) -> Option<Rc<Tensor>> {
    let (lhs, rhs) = pair(operands)?;
    let holds = arith::CmpI::of(op)?.predicate().holds(lhs, rhs);
    Tensor::from_bytes(DType::Bool, &[], &[u8::from(holds)]).map(Rc::new)
}

/// A tensor with one number around it. The last operand is the number that the op's region yields.
fn pad(op: Op, operands: &[Rc<Tensor>]) -> Option<Rc<Tensor>> {
    let (number, rest) = operands.split_last()?;
    let (source, given) = rest.split_first()?;
    let mut given = given.iter();
    let low = numbers(op, "static_low", &mut given)?;
    let high = numbers(op, "static_high", &mut given)?;
    let shape = source.shape().iter().zip(low.iter().zip(&high));
    let shape: Option<Vec<i64>> = shape
        .map(|(extent, (low, high))| extent.checked_add(*low)?.checked_add(*high))
        .collect();
    let shape = shape.filter(|_| low.iter().chain(&high).all(|width| *width >= 0))?;
    let mut padded = Tensor::try_zeros(source.dtype(), &shape).ok()?;
    let size = source.dtype().size();
    let elements = padded.bytes_mut().chunks_exact_mut(size);
    elements.for_each(|element| element.copy_from_slice(number.bytes()));
    let origin = vec![0; low.len()];
    copy(source, &origin, &mut padded, &low, source.shape());
    Some(Rc::new(padded))
}

/// A part of a tensor, without steps.
fn slice(op: Op, operands: &[Rc<Tensor>]) -> Option<Rc<Tensor>> {
    let (source, given) = operands.split_first()?;
    let mut given = given.iter();
    let offsets = numbers(op, "static_offsets", &mut given)?;
    let sizes = numbers(op, "static_sizes", &mut given)?;
    let steps = numbers(op, "static_strides", &mut given)?;
    let within = |((offset, size), extent): ((&i64, &i64), &i64)| {
        *offset >= 0 && *size >= 0 && offset.checked_add(*size).is_some_and(|end| end <= *extent)
    };
    let mut ranges = offsets.iter().zip(&sizes).zip(source.shape());
    if steps.iter().any(|step| *step != 1) || !ranges.all(within) {
        return None;
    }
    let mut part = Tensor::try_zeros(source.dtype(), &sizes).ok()?;
    let origin = vec![0; sizes.len()];
    copy(source, &offsets, &mut part, &origin, &sizes);
    Some(Rc::new(part))
}

/// The numbers that an attribute lists, with the next of `given` in the place of each that it leaves open.
fn numbers<'a>(
    op: Op,
    attr: &str,
    given: &mut impl Iterator<Item = &'a Rc<Tensor>>,
) -> Option<Vec<i64>> {
    let listed = op.attr(attr)?.as_ints()?.into_iter();
    let known = listed.map(|listed| match listed {
        DYNAMIC => number(given.next()?),
        _ => Some(listed),
    });
    known.collect()
}

/// Copies a box of elements of one tensor, from `from` on, to another one's, from `to` on.
fn copy(source: &Tensor, from: &[i64], target: &mut Tensor, to: &[i64], sizes: &[i64]) {
    if sizes.contains(&0) {
        return;
    }
    let size = source.dtype().size();
    let (outer, run) = match sizes.split_last() {
        Some((run, outer)) => (outer, *run as usize * size),
        None => (sizes, size),
    };
    let (read, written) = (strides(source.shape()), strides(target.shape()));
    let mut at = vec![0; outer.len()];
    loop {
        let place = |origin: &[i64], strides: &[i64]| {
            let indices = at.iter().copied().chain([0]).zip(origin);
            let places = indices
                .zip(strides)
                .map(|((at, origin), stride)| (at + origin) * stride);
            places.sum::<i64>() as usize * size
        };
        let (begin, end) = (place(from, &read), place(to, &written));
        target.bytes_mut()[end..][..run].copy_from_slice(&source.bytes()[begin..][..run]);
        // The next row, the last dimension first.
        let Some(dim) = (0..at.len()).rev().find(|dim| at[*dim] + 1 < outer[*dim]) else {
            return;
        };
        at[dim] += 1;
        at[dim + 1..].fill(0);
    }
}
