//! `dense-to-sparse`: products with weights that are mostly zeros, without the zeros.

use crate::graph::{
    operators::make,
    sparse::{self, BLOCK_SIZE, Conversion, FUNCTION, Matrix, NO_SHAPE, SPARSITY, WEIGHTS},
};
use relay_dialects::{
    ir::{Builder, Op, Value},
    names::relay,
    ops::builtin,
    pass::{Options, PassResult, PassSpec},
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "dense-to-sparse",
    summary: "replace nn.dense with mostly zero weights by nn.sparse_dense",
    description: include_str!("dense_to_sparse.md"),
    anchor: builtin::Module::NAME,
    options: &[WEIGHTS, BLOCK_SIZE, SPARSITY, FUNCTION],
    run,
};

fn run(module: Op, options: &Options) -> PassResult {
    let conversion = Conversion {
        operator: relay::NN_DENSE,
        matrix: &matrix,
        make: &sparse_dense,
    };
    sparse::convert(module, options, &conversion)
}

/// The weight as a matrix with a row for each unit.
fn matrix(op: Op) -> Result<Matrix, String> {
    match sparse::extents(op)?[..] {
        [rows, columns] => Ok(Matrix {
            rows,
            columns,
            is_transposed: false,
        }),
        _ => Err(NO_SHAPE.into()),
    }
}

fn sparse_dense(builder: &Builder, op: Op, [data, indices, starts]: [Value; 3]) -> Value {
    let operands = [op.operand(0), data, indices, starts];
    make(builder, relay::NN_SPARSE_DENSE, &operands, &[])
}
