//! Matrix products.

use crate::{Compute, Expression, scalar};
use relay_dialects::{
    dim::Dim,
    index,
    ir::{Attr, Builder, Value},
    te::{Reducer, Role, build},
};

/// The family's rows.
pub const ROWS: &[(&str, Compute)] = &[
    ("nn.dense", dense),
    ("nn.contrib_dense_pack", dense_pack),
    ("nn.matmul", matmul),
    ("nn.batch_matmul", matmul),
];

/// The attribute that tells schedules how many units a block holds.
pub const BLOCK: &str = relay_dialects::attrs::BLOCK;

/// Each row of the data with each row of the weight.
///
/// # Errors
/// Never; it has the type of a row's function.
pub fn dense(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let inputs = e.dims(0)[1];
    let element = e.inputs[0].ty().element();
    let result = build::reduce(
        e.b,
        "dense",
        &e.result_dims(),
        element,
        (Reducer::Sum, &[inputs]),
        |b, at, reduce| {
            let data = build::read(b, e.inputs[0], &[at[0], reduce[0]]);
            scalar::mul(b, data, build::read(b, e.inputs[1], &[at[1], reduce[0]]))
        },
    );
    Ok(vec![build::name_axes(result, &["i", "j", "k"])])
}

/// The units lie in blocks in the weight, and one after the other in the result. Inputs may lie in blocks,
/// too, which are inside.
fn dense_pack(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    dense_pack_by(e, scalar::mul)
}

/// The same, with another product of two elements.
///
/// # Errors
/// If the weight is of another rank.
pub fn dense_pack_by(
    e: &Expression<'_>,
    multiply: fn(&Builder, Value, Value) -> Value,
) -> Result<Vec<Value>, String> {
    let weight = e.shape(1)?;
    let (inputs, block, inner) = match weight[..] {
        [_, inputs, block] => (inputs, block, None),
        [_, outer, block, inner] => (outer * inner, block, Some(inner)),
        _ => return Err("takes a weight of rank 3 or 4".into()),
    };
    let body = |b: &Builder, at: &[Value], reduce: &[Value]| {
        let data = build::read(b, e.inputs[0], &[at[0], reduce[0]]);
        let (unit, lane) = (index::div(b, at[1], block), index::rem(b, at[1], block));
        let place = match inner {
            None => vec![unit, reduce[0], lane],
            Some(inner) => {
                let (outer, input) = (
                    index::div(b, reduce[0], inner),
                    index::rem(b, reduce[0], inner),
                );
                vec![unit, outer, lane, input]
            }
        };
        multiply(b, data, build::read(b, e.inputs[1], &place))
    };
    let result = build::reduce(
        e.b,
        "dense",
        &e.result_dims(),
        e.inputs[0].ty().element(),
        (Reducer::Sum, &[inputs]),
        body,
    );
    build::with_role(result, Role::PackedDense);
    build::name_axes(result, &["i", "j", "k"]);
    if let Some(op) = result.def() {
        op.set_attr(BLOCK, Attr::i64(op.ctx(), block));
    }
    Ok(vec![result])
}

fn matmul(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let transposed = [
        e.attrs().bool("transpose_a")?,
        e.attrs().bool("transpose_b")?,
    ];
    matmul_by(e, transposed, scalar::mul)
}

/// A product of matrices, or of batches of them, whose elements are multiplied by `multiply`.
///
/// # Errors
/// Never; it has the type of a row's function.
pub fn matmul_by(
    e: &Expression<'_>,
    [transpose_a, transpose_b]: [bool; 2],
    multiply: fn(&Builder, Value, Value) -> Value,
) -> Result<Vec<Value>, String> {
    let (a, other) = (e.dims(0), e.dims(1));
    let rank = a.len();
    let inner = if transpose_a {
        a[rank - 2]
    } else {
        a[rank - 1]
    };
    let element = e.inputs[0].ty().element();
    let body = |b: &Builder, at: &[Value], reduce: &[Value]| {
        let batch = |shape: &[Dim]| {
            at[..rank - 2]
                .iter()
                .zip(shape)
                .map(|(index, &dim)| if dim == 1 { b.index(0) } else { *index })
                .collect::<Vec<_>>()
        };
        let (row, column, k) = (at[rank - 2], at[rank - 1], reduce[0]);
        let order = |transposed: bool, first: Value, second: Value| {
            if transposed {
                [second, first]
            } else {
                [first, second]
            }
        };
        let lhs = [batch(&a), order(transpose_a, row, k).to_vec()].concat();
        let rhs = [batch(&other), order(transpose_b, k, column).to_vec()].concat();
        multiply(
            b,
            build::read(b, e.inputs[0], &lhs),
            build::read(b, e.inputs[1], &rhs),
        )
    };
    let result = build::reduce(
        e.b,
        "matmul",
        &e.result_dims(),
        element,
        (Reducer::Sum, &[inner]),
        body,
    );
    if !transpose_b {
        build::with_role(result, Role::Matmul);
    }
    let batch = (0..rank - 2).map(|dim| format!("b{dim}"));
    let names: Vec<String> = batch.chain(["i", "j", "k"].map(String::from)).collect();
    Ok(vec![build::name_axes(result, &names)])
}
