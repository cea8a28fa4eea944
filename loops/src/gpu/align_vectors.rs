//! `align-vectors`: a thread moves a vector by one instruction where its address allows that.

use super::is_in_shared_memory;
use crate::{analysis::quasi_affine::Form, buffers::ALIGNMENT};
use relay_dialects::{
    attrs,
    index::constant,
    ir::{Attr, DYNAMIC, Op, Value},
    ops::{func, memref, vector},
    pass::{Options, PassResult, PassSpec},
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "align-vectors",
    summary: "Say how the addresses of vectors are aligned",
    description: "Without `alignment`, LLVM takes the address of a vector to be a multiple of its element's bytes only, and a GPU then moves \
                  the elements one by one. The operands of a kernel, and what a thread or a block has in memory of its own, begin at \
                  multiples of 16 bytes; where all vectors of a `vector.load` or `vector.store` do so, too, or at smaller powers of two \
                  that are more than an element, the op says so.",
    anchor: func::Func::NAME,
    options: &[],
    run,
};

/// The bytes that a GPU moves at most by one instruction of a thread.
const MOST_BYTES: i64 = 16;

const ALIGN: &str = "alignment";

fn run(func: Op, _options: &Options) -> PassResult {
    if !func.has_attr(attrs::DEVICE_FUNCTION) {
        return Ok(());
    }
    let accesses = [(vector::Load::NAME, 0), (vector::Store::NAME, 1)];
    for (name, place) in accesses {
        for access in func.find_all(name) {
            align(access, place);
        }
    }
    Ok(())
}

/// Notes the alignment of an access to the buffer that is this operand.
fn align(access: Op, place: usize) {
    let operands = access.operands();
    let buffer = operands[place];
    if !is_aligned(buffer) {
        return;
    }
    let (shape, bytes) = (
        buffer.ty().shape(),
        buffer.ty().element().byte_width() as i64,
    );
    let are_known = shape.iter().skip(1).all(|extent| *extent != DYNAMIC);
    let Some(form) = Form::of_element(&operands[place + 1..], &shape).filter(|_| are_known) else {
        return;
    };
    let numbers = form.terms.iter().map(|(_, by)| *by).chain([form.constant]);
    let offsets: Option<Vec<i64>> = numbers.map(|number| number.checked_mul(bytes)).collect();
    let Some(offsets) = offsets else { return };
    let is_right = |alignment: &i64| offsets.iter().all(|offset| offset % alignment == 0);
    let powers = std::iter::successors(Some(MOST_BYTES), |power| Some(power / 2));
    let found = powers.take_while(|power| *power > bytes).find(is_right);
    if let Some(alignment) = found {
        access.set_attr(ALIGN, Attr::i64(access.ctx(), alignment));
    }
}

/// Whether a buffer begins at a multiple of [`MOST_BYTES`].
fn is_aligned(buffer: Value) -> bool {
    let Some(op) = buffer.def() else {
        return true;
    };
    match op.name().as_str() {
        memref::Alloca::NAME => op.attr(ALIGN).and_then(Attr::as_i64) == Some(ALIGNMENT),
        memref::View::NAME => {
            let offset = constant(op.operand(1));
            is_in_shared_memory(op.operand(0).ty())
                && offset.is_some_and(|offset| offset % ALIGNMENT == 0)
        }
        _ => false,
    }
}
