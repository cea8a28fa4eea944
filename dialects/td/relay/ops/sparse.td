#ifndef RELAY_SPARSE_TD
#define RELAY_SPARSE_TD

include "relay/RelayDialect.td"

// What the descriptions of operators on sparse matrices say of the three operands that such a matrix is.
class Relay_SparseText {
  string format = "The sparse matrix S is three operands. Entries `indptr[i]` to before `indptr[i + 1]` of `data` are "
      "those of row i, and `indices` has the column of each. In CSR, with data of rank 1, an entry is an element; in "
      "BSR, with data [entries, rows, columns], it is a block of this many rows and columns, and rows and columns of "
      "S are counted in blocks. Entries of one row at the same column are added. An entry number or a column out of "
      "range is moved to the nearest one, so nothing outside is read.\n\n";
  string constraints = "- C2: there is an index for each entry, and at least one number in `sparse_indptr`.\n"
      "- C3: indices and numbers of entries are integers.\n"
      "- C4: the element types of dense and sparse data are equal.\n";
}

def Relay_NnSparseDenseOp : Relay_Op<"nn.sparse_dense"> {
  let summary = "a dense matrix times the transpose of a sparse one, or the other way round";
  let description = "result[m, n] = sum over k of dense[m, k] * S[n, k]: `nn.dense` with a weight that is mostly zeros. With "
      "`sparse_lhs`, result[m, n] = sum over k of S[m, k] * dense[n, k]. " # Relay_SparseText<>.format #
      "- C1: the dense data is of rank 2, the sparse data of rank 1 or 3, indices and numbers of entries of rank 1.\n"
      # Relay_SparseText<>.constraints #
      "- C5: blocks have elements, and the columns of dense data are a number of whole ones; if there are entries, there "
      "are columns.\n";
  let arguments = (ins Relay_Tensor:$dense_data, Relay_Tensor:$sparse_data, Relay_Tensor:$sparse_indices,
                   Relay_Tensor:$sparse_indptr, DefaultValuedAttr<BoolAttr, "false">:$sparse_lhs);
  let results = (outs Relay_Tensor:$result);
}

def Relay_NnSparseConv2dOp : Relay_Op<"nn.sparse_conv2d"> {
  let summary = "a convolution with a sparse matrix as weight";
  let description = "Like `nn.conv2d` with strides of 1. The result has the extents of the data: a kernel of 3x3 "
      "reads a zero beyond each edge. Row o of the sparse matrix S is the weight of output o. Its columns are the "
      "inputs of all kernel positions. `layout` NHWC, the default, groups the inputs of a position, in column (y * 3 "
      "+ x) * inputs + i. NCHW groups the positions of an input, in column i * 9 + y * 3 + x. " # Relay_SparseText<>.format #
      "Sparse data of rank 2 are blocks of one column.\n\n"
      "- C1: the dense data is of rank 4, the sparse data of rank 2 or 3, indices and numbers of entries of rank 1.\n"
      # Relay_SparseText<>.constraints #
      "- C5: blocks have elements, and the inputs of all places of the kernel are a number of whole ones; if there are "
      "entries, there are inputs.\n"
      "- C6: `layout` is NHWC or NCHW.\n"
      "- C7: `kernel_size` is 1 and 1, the default, or 3 and 3.\n";
  let arguments = (ins Relay_Tensor:$dense_data, Relay_Tensor:$sparse_data, Relay_Tensor:$sparse_indices,
                   Relay_Tensor:$sparse_indptr, DefaultValuedAttr<StrAttr, "\"NHWC\"">:$layout,
                   DefaultValuedAttr<DenseI64ArrayAttr, "{1, 1}">:$kernel_size);
  let results = (outs Relay_Tensor:$result);
}

def Relay_NnSparseTransposeOp : Relay_Op<"nn.sparse_transpose"> {
  let summary = "the transpose of a square sparse matrix: its elements, rows and their numbers";
  let description = [{
    A square matrix in CSR: elements `indptr[i]` to before `indptr[i + 1]` of `data` are those of row i, and `indices`
    has the column of each. The results are its transpose in the same format. Elements of one row of the transpose are
    in the order of their original rows. Columns out of range are moved to the nearest one. If the row numbers are no
    CSR, the results are unspecified numbers.

    - C1: all are of rank 1.
    - C2: there is an index for each element, and at least one number in `sparse_indptr`.
    - C3: indices and numbers of elements are integers.
    - C4: if there are elements, there are rows.
  }];
  let arguments = (ins Relay_Tensor:$sparse_data, Relay_Tensor:$sparse_indices, Relay_Tensor:$sparse_indptr);
  let results = (outs Relay_Tensor:$data, Relay_Tensor:$indices, Relay_Tensor:$indptr);
}

def Relay_NnSparseAddOp : Relay_Op<"nn.sparse_add"> {
  let summary = "the sum of a dense matrix and a sparse one";
  let description = "result[m, n] = dense[m, n] + S[m, n], with S in CSR. " # Relay_SparseText<>.format #
      "- C1: the dense data is of rank 2, the others are of rank 1.\n"
      # Relay_SparseText<>.constraints #
      "- C5: both matrices have the same number of rows; if there are entries, there are columns.\n";
  let arguments = (ins Relay_Tensor:$dense_data, Relay_Tensor:$sparse_data, Relay_Tensor:$sparse_indices,
                   Relay_Tensor:$sparse_indptr);
  let results = (outs Relay_Tensor:$result);
}

#endif // RELAY_SPARSE_TD
