//! Sparse matrices, and what they are multiplied with.

use crate::{
    Expression,
    program::{between, load},
    scalar,
    transform::clipped,
};
use relay_dialects::{
    index,
    ir::{Builder, Value},
    te::build,
};

/// A sparse matrix, as tensors.
pub struct Sparse {
    /// The blocks, or in CSR the elements.
    pub data: Value,
    /// Their columns, counted in blocks.
    pub indices: Value,
    /// The numbers of the rows' first blocks, and how many there are.
    pub starts: Value,
    /// How many blocks there are.
    pub entries: i64,
    /// How many rows of blocks.
    pub rows: i64,
    /// The rows of a block.
    pub height: i64,
    /// The columns of a block.
    pub width: i64,
}

impl Sparse {
    /// The matrix of an operator's operands from number `first` on.
    ///
    /// # Errors
    /// If a dimension is open.
    pub fn of(e: &Expression<'_>, first: usize) -> Result<Self, String> {
        let shape = e.shape(first)?;
        let extent = |dim: usize| shape.get(dim).copied().unwrap_or(1);
        Ok(Self {
            data: e.inputs[first],
            indices: e.inputs[first + 1],
            starts: e.inputs[first + 2],
            entries: shape[0],
            rows: e.shape(first + 2)?[0] - 1,
            height: extent(1),
            width: extent(2),
        })
    }

    /// The number of its rows.
    pub fn outputs(&self) -> i64 {
        self.rows * self.height
    }

    /// Blocks whose columns lie together: [entries, width, height], or the data themselves where they lie so.
    pub fn by_columns(&self, e: &Expression<'_>) -> Value {
        if self.width == 1 || self.height == 1 {
            return self.data;
        }
        let shape = [self.entries, self.width, self.height];
        let element = self.data.ty().element();
        build::compute(e.b, "blocks", &shape, element, |b, at| {
            build::read(b, self.data, &[at[0], at[2], at[1]])
        })
    }

    /// Its entries, in a loop program that has these buffers for their columns and for where rows begin.
    pub fn entries(&self, columns: i64, indices: Value, starts: Value) -> Entries {
        Entries {
            indices,
            starts,
            count: self.entries,
            columns,
        }
    }
}

/// Where the entries of a sparse matrix are, in a loop program.
pub struct Entries {
    indices: Value,
    starts: Value,
    count: i64,
    /// The number of columns that there are.
    columns: i64,
}

impl Entries {
    /// A loop over the entries of a row; `body` gets the number of each, and its column. What the data says is moved to
    /// what there is, so that nothing outside is read.
    pub fn each(&self, b: &Builder, row: Value, body: impl FnOnce(&Builder, Value, Value)) {
        let start = |row: Value| {
            let number = load(b, self.starts, &[row]);
            clipped(b, scalar::to_index(b, number), self.count)
        };
        let behind = start(index::add(b, row, b.index(1)));
        between(b, start(row), behind, |b, entry| {
            let column = self.column(b, entry);
            body(b, entry, column);
        });
    }

    /// The column of an entry.
    pub fn column(&self, b: &Builder, entry: Value) -> Value {
        let column = load(b, self.indices, &[entry]);
        clipped(b, scalar::to_index(b, column), self.columns - 1)
    }
}

/// What a sparse matrix is multiplied with: vectors, somewhere in a tensor.
pub struct Dense<'a> {
    /// The tensor.
    pub data: Value,
    /// The elements of a vector: the columns of the sparse matrix.
    pub columns: i64,
    /// How far from the vector's start the element for a column lies.
    pub place: &'a dyn Fn(&Builder, Value) -> Value,
}

/// What an operator gives that has nothing to add up.
///
/// # Errors
/// Never; it has the type of a row's function.
pub fn zeros(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    e.elements(|b, _| b.constant(e.element, 0.0))
}
