//! Operators on sparse matrices, which are three operands each: elements, columns, and where rows begin.

use super::{columns::*, keyword, rule};
use crate::{
    dim::{self, Dim},
    element::Element,
    relay::{Call, TensorType, relation::show},
};

/// The family's rows.
pub const ROWS: &[Row] = &[
    Row::new("nn.sparse_dense", OutElemwiseFusable, NUMBERS, Sums, dense),
    Row::new(
        "nn.sparse_conv2d",
        OutElemwiseFusable,
        NUMBERS,
        Sums,
        conv2d,
    ),
    Row::new("nn.sparse_transpose", Opaque, NUMBERS, Moves, transpose),
    Row::new("nn.sparse_add", Opaque, NUMBERS, Near, add),
];

/// What the types of a sparse matrix's operands say of it.
struct Sparse {
    /// The number of rows.
    rows: Dim,
    /// The number of elements or blocks that are there.
    entries: Dim,
    /// The rows and columns of a block; 1 and 1 in CSR.
    block: [Dim; 2],
}

impl Sparse {
    /// The matrix of the operands from number `first` on, whose data have one of these ranks.
    fn of(call: &Call, first: usize, ranks: &[usize]) -> Result<Self, String> {
        let data = &call.inputs[first].shape;
        if !ranks.contains(&data.len()) {
            let ranks: Vec<String> = ranks.iter().map(usize::to_string).collect();
            return Err(format!(
                "sparse data has shape {}, expected rank {} (C1)",
                show(data),
                ranks.join(" or ")
            ));
        }
        let (indices, starts) = (vector(call, first + 1)?, vector(call, first + 2)?);
        let entries = dim::unify(data[0], indices).ok_or_else(|| {
            let entries = data[0];
            format!("{entries} entries have {indices} indices (C2)")
        })?;
        if starts == 0 {
            return Err("sparse_indptr is empty; it has one number more than rows (C2)".into());
        }
        let block = [1, 2].map(|dim| data.get(dim).copied().unwrap_or(Dim::Known(1)));
        let rows = starts.minus(1)?.times(block[0])?;
        Ok(Self {
            rows,
            entries,
            block,
        })
    }

    /// Checks that a matrix with so many columns can consist of such blocks.
    fn check_columns(&self, columns: Dim) -> Result<(), String> {
        let [rows, width] = self.block;
        if rows == 0 || width == 0 {
            return Err(format!("blocks of {rows}x{width} have no elements (C5)"));
        }
        if width
            .known()
            .is_some_and(|width| dim::quotient(columns, width).is_none())
        {
            return Err(format!(
                "{columns} columns are no number of blocks of {width} (C5)"
            ));
        }
        if columns == 0 && self.entries.known().is_some_and(|entries| entries > 0) {
            let entries = self.entries;
            return Err(format!("{entries} entries lie in no column (C5)"));
        }
        Ok(())
    }
}

/// The extent of an operand that holds integers one after the other.
fn vector(call: &Call, operand: usize) -> Result<Dim, String> {
    let TensorType { shape, element } = &call.inputs[operand];
    let [extent] = shape[..] else {
        return Err(format!(
            "expected rank 1 for operand {operand}, got {} (C1)",
            shape.len()
        ));
    };
    if !Element::of(*element).is_some_and(Element::is_integer) {
        return Err(format!(
            "operand {operand} is of {element}, no integer (C3)"
        ));
    }
    Ok(extent)
}

/// Checks that operand 0 is of a rank, and of the element type of operand 1; returns its shape.
fn dense_data(call: &Call, rank: usize) -> Result<&[Dim], String> {
    let (dense, sparse) = (&call.inputs[0], &call.inputs[1]);
    if dense.rank() != rank {
        return Err(format!(
            "expected rank {rank} for operand 0, got {} (C1)",
            dense.rank()
        ));
    }
    if dense.element != sparse.element {
        return Err(format!(
            "element types {} and {} differ (C4)",
            dense.element, sparse.element
        ));
    }
    Ok(&dense.shape)
}

fn like_dense(call: &Call, shape: Vec<Dim>) -> Result<Vec<TensorType>, String> {
    Ok(vec![TensorType::new(shape, call.inputs[0].element)])
}

fn dense(call: &Call) -> Result<Vec<TensorType>, String> {
    let sparse = Sparse::of(call, 1, &[1, 3])?;
    let data = dense_data(call, 2)?;
    sparse.check_columns(data[1])?;
    let shape = match call.attrs.bool("sparse_lhs")? {
        true => vec![sparse.rows, data[0]],
        false => vec![data[0], sparse.rows],
    };
    like_dense(call, shape)
}

fn conv2d(call: &Call) -> Result<Vec<TensorType>, String> {
    let sparse = Sparse::of(call, 1, &[2, 3])?;
    let mut shape = dense_data(call, 4)?.to_vec();
    let layout = keyword(call, "layout", &["NHWC", "NCHW"]).map_err(rule("C6"))?;
    let kernel = call.attrs.ints("kernel_size")?;
    if ![[1, 1], [3, 3]].iter().any(|known| kernel == known) {
        return Err(format!(
            "kernel_size {kernel:?} is neither [1, 1] nor [3, 3] (C7)"
        ));
    }
    let channels = if layout == "NHWC" { 3 } else { 1 };
    sparse.check_columns(shape[channels].times(kernel[0])?.times(kernel[1])?)?;
    shape[channels] = sparse.rows;
    like_dense(call, shape)
}

fn transpose(call: &Call) -> Result<Vec<TensorType>, String> {
    let sparse = Sparse::of(call, 0, &[1])?;
    if sparse.rows == 0 && sparse.entries.known().is_some_and(|entries| entries > 0) {
        let entries = sparse.entries;
        return Err(format!("{entries} elements lie in no row (C4)"));
    }
    let mut results = call.inputs.clone();
    results[0].shape = vec![sparse.entries];
    results[1].shape = vec![sparse.entries];
    Ok(results)
}

fn add(call: &Call) -> Result<Vec<TensorType>, String> {
    let sparse = Sparse::of(call, 1, &[1])?;
    let data = dense_data(call, 2)?;
    sparse.check_columns(data[1])?;
    let rows = dim::unify(data[0], sparse.rows).ok_or_else(|| {
        let (dense, sparse) = (data[0], sparse.rows);
        format!("the dense matrix has {dense} rows, the sparse one {sparse} (C5)")
    })?;
    like_dense(call, vec![rows, data[1]])
}
