//! Matrix products.

use crate::{Compute, Expression, scalar};
use relay_dialects::{
    index,
    ir::{Builder, Value},
    te::build,
};

/// The family's rows.
pub const ROWS: &[(&str, Compute)] = &[
    ("nn.dense", dense),
    ("nn.contrib_dense_pack", dense_pack),
    ("nn.matmul", matmul),
    ("nn.batch_matmul", matmul),
];

/// The tag by which schedules know products whose last axis is contiguous in the second operand.
pub const MATMUL: &str = "matmul";
/// The tag of a product with a packed weight: [m, units / n, n].
pub const DENSE_PACK: &str = "dense_pack";

fn dense(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let inputs = e.shape(0)[1];
    let element = e.inputs[0].ty().element();
    Ok(vec![build::reduce(
        e.b,
        "dense",
        &e.result_shape(),
        element,
        ("sum", &[inputs]),
        |b, at, reduce| {
            let data = build::read(b, e.inputs[0], &[at[0], reduce[0]]);
            scalar::mul(b, data, build::read(b, e.inputs[1], &[at[1], reduce[0]]))
        },
    )])
}

/// The product with its units in blocks, then the blocks one after the other.
fn dense_pack(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let (data, weight) = (e.shape(0), e.shape(1));
    let [blocks, inputs, block] = weight[..] else {
        return Err("takes a weight of rank 3".into());
    };
    let element = e.inputs[0].ty().element();
    let shape = [data[0], blocks, block];
    let body = |b: &Builder, at: &[Value], reduce: &[Value]| {
        let data = build::read(b, e.inputs[0], &[at[0], reduce[0]]);
        scalar::mul(
            b,
            data,
            build::read(b, e.inputs[1], &[at[1], reduce[0], at[2]]),
        )
    };
    let packed = build::reduce_tagged(
        e.b,
        "dense",
        DENSE_PACK,
        &shape,
        element,
        ("sum", &[inputs]),
        body,
    );
    Ok(vec![build::compute(
        e.b,
        "unpack",
        &e.result_shape(),
        element,
        |b, at| {
            build::read(
                b,
                packed,
                &[
                    at[0],
                    index::div(b, at[1], block),
                    index::rem(b, at[1], block),
                ],
            )
        },
    )])
}

fn matmul(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let (transpose_a, transpose_b) = (
        e.attrs().bool("transpose_a")?,
        e.attrs().bool("transpose_b")?,
    );
    let (a, other) = (e.shape(0), e.shape(1));
    let rank = a.len();
    let inner = if transpose_a {
        a[rank - 2]
    } else {
        a[rank - 1]
    };
    let element = e.inputs[0].ty().element();
    let tag = if transpose_b { "" } else { MATMUL };
    let body = |b: &Builder, at: &[Value], reduce: &[Value]| {
        let batch = |shape: &[i64]| {
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
        scalar::mul(
            b,
            build::read(b, e.inputs[0], &lhs),
            build::read(b, e.inputs[1], &rhs),
        )
    };
    Ok(vec![build::reduce_tagged(
        e.b,
        "matmul",
        tag,
        &e.result_shape(),
        element,
        ("sum", &[inner]),
        body,
    )])
}
