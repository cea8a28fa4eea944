//! Which operators are the attention of a transformer: softmax(scores) * values, where the scores are a
//! product, scaled and masked. One kernel computes them for some rows at a time, so that the scores, of
//! which there are as many as the square of the positions, never go to memory.
//!
//! After FlashAttention (Dao et al., 2022). On a CPU with whole rows of scores in place of an online softmax: its
//! cache holds some rows of any length that occurs. A GPU's shared memory does not, and no memory of a known size holds rows of an open
//! length: there the keys come block by block.

use crate::graph::operators::is_computed_in_f32;
use relay_dialects::{
    ir::{Op, Value},
    names,
    relay::{Attrs, Pattern, pattern, relation::normalize_axis, row::Precision, row_of},
};
use relay_topi::{
    Machine,
    cost::amx::{self, limits},
    intrin::x86_amx::{self, Numbers},
};

/// Whether a group is an attention and nothing else: a product, what scales and masks its result, a softmax
/// of the rows, the product of that with another operand, and what follows it element by element. On a
/// processor with AMX, products of bf16 must fit AMX tiles, for which the softmax is rounded. With open lengths, what moves the keys and the
/// values is in the group, too: the kernel reads a block of them where they lie, as in a decoder's cache.
pub fn is_attention(group: &[Op], machine: Machine) -> bool {
    let all = |wanted: fn(Op) -> bool| -> Vec<Op> {
        let ops = group.iter().copied();
        ops.filter(|op| wanted(*op)).collect()
    };
    let products = all(|op| op.is(names::relay::NN_BATCH_MATMUL));
    let softmaxes = all(|op| row_of(op).is_some_and(|row| row.gives_weights));
    let ([scores, values], [softmax]) = (&products[..], &softmaxes[..]) else {
        return false;
    };
    let members = [*scores, *softmax, *values];
    let is_open = members.iter().any(|op| !has_static_result(*op));
    let moved = match is_open {
        true => [
            moves(scores.operand(1), group),
            moves(values.operand(1), group),
        ]
        .concat(),
        false => Vec::new(),
    };
    let in_attention = |op: &Op| group.contains(op) && !moved.contains(op);
    let mut rest = group
        .iter()
        .filter(|op| !members.contains(op) && !moved.contains(op));
    let made_here = |value: Value| value.def().is_some_and(|def| in_attention(&def));
    let is_for_tiles = machine.gpu.is_none()
        && amx::multiplies_bf16(machine)
        && is_product_of_bf16(*scores)
        && is_product_of_bf16(*values);
    let types_fit = match is_for_tiles {
        true => softmax.result(0).ty().element().is_f32() && fit_amx_tiles(*scores, *values),
        false => {
            let is_sized = match is_open {
                true => has_known_rows(*scores, *values),
                false => members.iter().all(|op| has_static_result(*op)),
            };
            is_sized && members.iter().all(|op| has_result_in_f32(*op))
        }
    };
    types_fit
        && is_of_rows(*softmax)
        && is_plain_product(*scores)
        && is_plain_product(*values)
        && before_cast(values.operand(0)) == softmax.result(0)
        && made_here(softmax.operand(0))
        && !made_here(values.operand(1))
        && !scores.operands().into_iter().any(made_here)
        && rest.all(|op| is_elementwise(*op))
}

/// The operators of a group that move elements of one tensor, of which `value` is the last one's result.
fn moves(value: Value, group: &[Op]) -> Vec<Op> {
    let is_move = |op: &Op| {
        let row = row_of(*op);
        group.contains(op)
            && op.operand_count() == 1
            && op.result_count() == 1
            && row.is_some_and(|row| row.precision == Precision::Moves)
    };
    let move_of = |value: Value| value.def().filter(is_move);
    std::iter::successors(move_of(value), |op| move_of(op.operand(0))).collect()
}

/// Whether an operator has one result, which kernels compute in f32.
fn has_result_in_f32(op: Op) -> bool {
    op.result_count() == 1 && is_computed_in_f32(op.result(0).ty().element())
}

/// Whether queries, keys and values have known numbers of elements, some each, where their count is open.
fn has_known_rows(scores: Op, values: Op) -> bool {
    let rows = [scores.operand(0), values.result(0)].map(|rows| rows.ty().dims());
    let mut widths = rows.iter().filter_map(|dims| dims.last());
    widths.all(|width| width.known().is_some_and(|width| width > 0))
}

/// Whether the shape of an operator's first result is static.
fn has_static_result(op: Op) -> bool {
    op.result(0).ty().is_static()
}

/// Whether the operands and the result of a product are of bf16, and of static shapes.
fn is_product_of_bf16(product: Op) -> bool {
    let values = product.operands().into_iter().chain(product.results());
    let mut types = values.map(|value| value.ty());
    types.all(|ty| ty.is_static() && ty.element().is_bf16())
}

/// Whether two products with matrices that lie in rows fit AMX tiles.
fn fit_amx_tiles(scores: Op, values: Op) -> bool {
    [scores, values].iter().all(|product| {
        let (data, result) = (product.operand(0).ty(), product.result(0).ty());
        match (&data.shape()[..], &result.shape()[..]) {
            ([_, rows, inputs], [_, _, columns]) => {
                x86_amx::Dense::of_rows(*rows, *inputs, *columns, limits(Numbers::Bf16)).is_some()
            }
            _ => false,
        }
    })
}

/// What a value is cast from, or the value.
fn before_cast(value: Value) -> Value {
    value
        .def_of(names::relay::CAST)
        .map_or(value, |cast| cast.operand(0))
}

/// Whether a softmax runs along the last dimension of rank 3.
fn is_of_rows(softmax: Op) -> bool {
    let axis = Attrs::of(softmax).int("axis");
    let axis = axis.and_then(|axis| normalize_axis(axis, softmax.operand(0).ty().shape().len()));
    softmax.operand(0).ty().shape().len() == 3 && axis == Ok(2)
}

/// Whether a product reads both operands as they lie.
fn is_plain_product(product: Op) -> bool {
    let attrs = Attrs::of(product);
    let is_off = |name: &str| attrs.bool(name) == Ok(false);
    is_off("transpose_a") && is_off("transpose_b")
}

/// Whether an operator works element by element.
fn is_elementwise(op: Op) -> bool {
    matches!(pattern(op), Some(Pattern::Elemwise | Pattern::Broadcast))
}
