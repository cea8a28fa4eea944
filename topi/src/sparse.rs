//! Operators on sparse matrices: loop programs, because how many elements a row has stands in the data.

mod across;
mod along;
mod csr;
mod image;
mod matrix;
mod sums;

use crate::{Compute, Expression, schedule::cost::programs::LEAST_OF_VECTOR};
use across::Vectors;
use along::Lanes;
use matrix::{Dense, Sparse, zeros};
use relay_dialects::{
    index,
    ir::{Type, Value},
    te::build,
};

/// The family's rows.
pub const ROWS: &[(&str, Compute)] = &[
    ("nn.sparse_dense", dense),
    ("nn.sparse_conv2d", image::conv2d),
    ("nn.sparse_transpose", csr::transpose),
    ("nn.sparse_add", csr::add),
];

/// The vectors of the dense matrix are its rows. Of high blocks or few vectors, the rows of a block are computed together,
/// which lie together in the result; else it is neighbouring vectors, which do so in the result's transpose.
fn dense(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let sparse = Sparse::of(e, 1)?;
    if sparse.entries == 0 || e.result_shape()?.contains(&0) {
        return zeros(e);
    }
    let (vectors, columns) = (e.shape(0)?[0], e.shape(0)?[1]);
    let is_left = e.attrs().bool("sparse_lhs")?;
    if vectors < LEAST_OF_VECTOR || (sparse.height >= LEAST_OF_VECTOR && !is_left) {
        let dense = Dense {
            data: e.inputs[0],
            columns,
            place: &|_, column| column,
        };
        let vectors = Vectors {
            count: vectors,
            start: &|b, vector| index::scale(b, vector, columns),
        };
        let ty = Type::tensor(&[vectors.count, sparse.outputs()], e.element);
        let result = across::product(e, &sparse, &dense, &vectors, ty);
        return Ok(vec![if is_left { turned(e, result) } else { result }]);
    }
    let dense = Dense {
        data: turned(e, e.inputs[0]),
        columns,
        place: &|b, column| index::scale(b, column, vectors),
    };
    let lanes = Lanes {
        batches: 1,
        stride: 0,
        count: vectors,
    };
    let ty = Type::tensor(&[sparse.outputs(), vectors], e.element);
    let result = along::product(e, &sparse, &dense, &lanes, ty);
    Ok(vec![if is_left { result } else { turned(e, result) }])
}

/// The transpose of a matrix.
fn turned(e: &Expression<'_>, matrix: Value) -> Value {
    let ty = matrix.ty();
    let shape: Vec<i64> = ty.shape().into_iter().rev().collect();
    build::compute(e.b, "transpose", &shape, ty.element(), |b, at| {
        build::read(b, matrix, &[at[1], at[0]])
    })
}
