//! Loops and layouts of matrices that a warp of a GPU multiplies: how an axis is cut into the parts of an instruction, and which
//! of these number lanes and registers.

use super::cost::gpu;
use crate::intrin::warp::{Matrix, WarpProduct, in_order};
use relay_dialects::{
    ir::{AffineExpr, AffineMap, Attr, Value},
    te::build::ScheduleBuilder,
    tir::Thread,
};
use relay_machine::warp_units::{Part, Place};

/// A tensor in memory with matrices of an operand along two of its dimensions: those of rows or columns, and of the reduction.
pub struct MatrixOperand {
    /// The tensor.
    pub tensor: Value,
    /// The dimensions.
    pub dims: [usize; 2],
}

impl MatrixOperand {
    /// The bytes of an element.
    pub fn bytes(&self) -> i64 {
        self.tensor.ty().element().byte_width() as i64
    }

    /// The number of dimensions.
    pub fn rank(&self) -> usize {
        self.tensor.ty().shape().len()
    }

    /// Lays a part of it out in shared memory, with `depth` indices of the reduction beside each other. Rows begin in different banks.
    pub fn lay_out_shared(&self, s: &ScheduleBuilder, copy: Value, depth: i64) {
        let [own, reduced] = self.dims;
        let mut dims: Vec<AffineExpr> = (0..self.rank()).map(AffineExpr::Dim).collect();
        let row = dims[own]
            .clone()
            .times(gpu::stride_of_rows(depth, self.bytes()));
        let place = row.plus(dims[reduced].clone());
        let (first, last) = (own.max(reduced), own.min(reduced));
        dims.remove(first);
        dims.remove(last);
        dims.push(place);
        self.lay_out(s, copy, dims);
    }

    fn lay_out(&self, s: &ScheduleBuilder, copy: Value, results: Vec<AffineExpr>) {
        let map = AffineMap {
            dims: self.rank(),
            results,
        };
        s.transform_layout(copy, Attr::affine_map(self.tensor.ctx(), &map));
    }

    /// Lays a copy out as matrices that the lanes of a warp hold, each with the elements that it loads.
    pub fn load(&self, product: WarpProduct, matrix: Matrix, s: &ScheduleBuilder, copy: Value) {
        let unit = product.unit;
        self.lay_out(s, copy, matrix.layout(unit, self.rank(), self.dims));
        let axes = s.axes(copy, self.rank());
        let of_own = match matrix {
            Matrix::First | Matrix::Sums => unit.rows,
            Matrix::Second => unit.columns,
        };
        let (own, own_parts) = cut(s, axes[self.dims[0]], of_own);
        let (reduced, terms) = cut(s, axes[self.dims[1]], unit.depth);
        let others = (0..self.rank()).filter(|dim| !self.dims.contains(dim));
        let others: Vec<Value> = others.map(|dim| axes[dim]).collect();
        let matrices = [&others[..], &[own, reduced]].concat();
        let (lanes, registers) = spread(&product.places(matrix), &[own_parts, terms].concat());
        s.reorder(&[&lanes[..], &matrices, &registers].concat());
        let (last, others) = registers.split_last().unwrap_or((&matrices[0], &[]));
        matrices
            .iter()
            .chain(others)
            .for_each(|axis| s.unroll(*axis));
        // Neighbours along the reduction are beside each other, in shared memory and in registers.
        s.vectorize(*last);
        s.bind(s.fuse(&lanes), Thread::ThreadX);
    }
}

/// The loops over matrices of sums.
pub struct Sums {
    /// Those that number the lanes of a warp.
    pub lanes: Vec<Value>,
    /// Those over matrices, of rows and of columns.
    pub matrices: Vec<Value>,
    /// Those that number the registers of a lane.
    pub registers: Vec<Value>,
}

impl Sums {
    /// Cuts an axis of rows and one of columns.
    pub fn of(product: WarpProduct, s: &ScheduleBuilder, [rows, columns]: [Value; 2]) -> Self {
        let (above, row_parts) = cut(s, rows, product.unit.rows);
        let (side_by_side, column_parts) = cut(s, columns, product.unit.columns);
        let parts = [row_parts, column_parts].concat();
        let (lanes, registers) = spread(&product.places(Matrix::Sums), &parts);
        Self {
            lanes,
            matrices: vec![above, side_by_side],
            registers,
        }
    }

    /// Has lanes compute their elements, which are written out.
    pub fn bind(&self, s: &ScheduleBuilder) {
        let kept = self.matrices.iter().chain(&self.registers);
        kept.for_each(|axis| s.unroll(*axis));
        s.bind(s.fuse(&self.lanes), Thread::ThreadX);
    }
}

/// Lays sums out as matrices along two dimensions of a tensor of the given rank, those of rows and of columns.
pub fn lay_out_sums(
    product: WarpProduct,
    s: &ScheduleBuilder,
    sums: Value,
    (tensor, dims): (Value, [usize; 2]),
) {
    let rank = tensor.ty().shape().len();
    let results = Matrix::Sums.layout(product.unit, rank, dims);
    let map = AffineMap {
        dims: rank,
        results,
    };
    s.transform_layout(sums, Attr::affine_map(tensor.ctx(), &map));
}

/// Has a warp multiply matrices: the loops over the axes of results of a stage, of which two are those of rows and of columns, and
/// over `inside`, a part of the reduce axis. The loops `outer` stand around them. Returns the loop over the matrices of the reduction.
pub fn multiply(
    product: WarpProduct,
    s: &ScheduleBuilder,
    (axes, [row, column]): (&[Value], [usize; 2]),
    (outer, inside): (&[Value], Value),
) -> Value {
    let unit = product.unit;
    let (inner, terms) = cut(s, inside, unit.depth);
    let (above, rows) = cut(s, axes[row], unit.rows);
    let (side_by_side, columns) = cut(s, axes[column], unit.columns);
    let all_parts = [rows, columns].concat();
    let order = product.order_of_sums();
    let parts: Vec<Value> = order.into_iter().map(|part| all_parts[part]).collect();
    let others = (0..axes.len()).filter(|axis| ![row, column].contains(axis));
    let others: Vec<Value> = others.map(|axis| axes[axis]).collect();
    let matrices = [&others[..], &[above, side_by_side]].concat();
    s.reorder(&[outer, &[inner], &matrices, &parts, &terms].concat());
    s.unroll(inner);
    // What is set to zero first has these loops, too.
    let (_, registers) = spread(&product.places(Matrix::Sums), &all_parts);
    matrices
        .iter()
        .chain(&registers)
        .for_each(|axis| s.unroll(*axis));
    s.tensorize(parts[0], &product.name());
    inner
}

/// Whether the loops over the parts of one matrix are as long as the parts, along an axis of an extent: a loop is no longer than its axis.
pub fn has_all_digits(extent: i64, parts: &[Part]) -> bool {
    let inside: i64 = parts[1..].iter().map(|part| part.extent).product();
    extent > (parts[0].extent - 1) * inside
}

/// Cuts an axis into the parts of matrices. Returns the loop over matrices, then those over the parts.
pub fn cut(s: &ScheduleBuilder, axis: Value, parts: &[Part]) -> (Value, Vec<Value>) {
    let mut inside: i64 = parts.iter().map(|part| part.extent).product();
    let (matrix, mut rest) = s.split(axis, inside);
    let mut loops = Vec::new();
    for part in &parts[..parts.len() - 1] {
        inside /= part.extent;
        let (outer, inner) = s.split(rest, inside);
        loops.push(outer);
        rest = inner;
    }
    loops.push(rest);
    (matrix, loops)
}

/// The loops over parts that number lanes, and those over parts that number registers, each in the order of their places.
pub fn spread(places: &[Place], parts: &[Value]) -> (Vec<Value>, Vec<Value>) {
    let is_of_lanes = |part: &usize| matches!(places[*part], Place::Lanes(_));
    let (lanes, registers): (Vec<usize>, Vec<usize>) =
        in_order(places).into_iter().partition(is_of_lanes);
    let loops = |numbers: Vec<usize>| numbers.into_iter().map(|part| parts[part]).collect();
    (loops(lanes), loops(registers))
}
