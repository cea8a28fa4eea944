//! Attentions whose warps multiply matrices.

use super::{Attention, Block, bytes_of_scores};
use crate::{
    intrin::warp::{Matrix, WarpProduct},
    schedule::{
        cost::gpu::{self, KEYS_OF_BLOCK},
        declare,
        online::{Online, Size},
        operands,
        stage::Stage,
        templates::gpu::powers,
        warp_matrices::{MatrixOperand, Sums, has_all_digits, lay_out_sums, multiply},
    },
};
use relay_dialects::{
    Element,
    index::ceil_div,
    ir::Value,
    te::build::ScheduleBuilder,
    tir::{Scope, Thread},
};
use relay_machine::Gpu;
use std::fmt;

/// The warps of a block.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Warps {
    /// Those along queries, and those along keys and columns.
    along: [i64; 2],
    /// The queries of a warp.
    rows: i64,
}

impl fmt::Display for Warps {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [queries, columns] = self.along;
        write!(formatter, "warps={queries}x{columns}")
    }
}

impl Warps {
    /// The threads of a block.
    pub(super) fn block(self, gpu: Gpu) -> Block {
        Block {
            queries: self.along[0] * self.rows,
            threads: self.along[0] * self.along[1] * gpu.warp,
            warp: Some(gpu.warp),
        }
    }
}

/// How warps multiply the matrices of an attention.
pub struct Product {
    product: WarpProduct,
    /// The multiply-adds of matrices that a multiprocessor begins in a cycle.
    pub(super) rate: f64,
    /// The operands of the scores, queries and keys, with the stages that widen them.
    scores: [(MatrixOperand, Value); 2],
    /// Those of the products, weights and values.
    values: [(MatrixOperand, Value); 2],
}

impl Product {
    /// None if warps have no instruction for it, or it has few queries, columns or elements of a query.
    pub(super) fn of(online: &Online, factors: &[operands::Operand; 2], gpu: Gpu) -> Option<Self> {
        let [queries, keys] = factors;
        let operand = |tensor: Value, dims: [usize; 2]| MatrixOperand { tensor, dims };
        let of_scores = |factor: &operands::Operand, axis: usize| {
            let dims = [factor.dimension(axis)?, factor.dimension(3)?];
            Some((operand(factor.narrow(online.scores)?, dims), factor.tensor))
        };
        let scores = [of_scores(queries, 1)?, of_scores(keys, 2)?];
        let [weights, part] = online.products.producers()[..] else {
            return None;
        };
        let values = [
            (operand(online.weights.tensor(), [1, 3]), weights.tensor()),
            (operand(online.part.tensor(), [3, 2]), part.tensor()),
        ];
        let narrow = values[0].0.tensor.ty().element();
        let mut all = scores.iter().chain(&values);
        if !all.all(|(operand, _)| operand.tensor.ty().element() == narrow) {
            return None;
        }
        let (unit, rate) = gpu.units.find(Element::of(narrow)?)?;
        let (size, [_, columns, depth]) = (online.size(), unit.shape());
        let fits = has_all_digits(size.queries, unit.rows)
            && has_all_digits(size.columns, unit.columns)
            && has_all_digits(size.depth, unit.depth)
            && KEYS_OF_BLOCK % columns.max(depth) == 0
            && unit.sum == Element::F32;
        let product = WarpProduct {
            unit,
            is_swapped: false,
        };
        fits.then_some(Self {
            product,
            rate,
            scores,
            values,
        })
    }

    /// The rows, columns and depth of a matrix.
    fn matrix(&self) -> [i64; 3] {
        self.product.unit.shape()
    }

    /// The columns of a warp.
    fn columns(&self, warps: Warps, size: Size) -> i64 {
        let of_matrix = self.matrix()[1];
        ceil_div(ceil_div(size.columns, of_matrix), warps.along[1]) * of_matrix
    }

    /// The elements of a query, in whole matrices.
    fn depth(&self, size: Size) -> i64 {
        let of_matrix = self.matrix()[2];
        ceil_div(size.depth, of_matrix) * of_matrix
    }

    /// The registers of a lane: maxima, sums and results, the products of a step, and a row of matrices of operands.
    pub(super) fn registers(&self, warps: Warps, size: Size) -> i64 {
        let [rows, columns, depth] = self.matrix();
        let own = self.columns(warps, size);
        let operands = (rows + own.max(KEYS_OF_BLOCK)) * depth / 2;
        let sums = rows * gpu::NUMBERS_OF_RESULT * own;
        let lanes = self.product.unit.lanes;
        gpu::registers_of_tile((sums + operands) / lanes, rows * columns / lanes)
    }

    /// The bytes of shared memory of a block.
    pub(super) fn shared_bytes(&self, warps: Warps, size: Size, gpu: Gpu) -> i64 {
        let block = warps.block(gpu);
        let rows = |count: i64, extent: i64| count * gpu::stride_of_rows(extent, size.bytes);
        let columns = self.columns(warps, size) * warps.along[1];
        let elements = rows(block.queries + KEYS_OF_BLOCK, self.depth(size))
            + rows(block.queries + columns, KEYS_OF_BLOCK);
        elements * size.bytes + bytes_of_scores(block)
    }

    /// The multiply-adds of a block in a step.
    pub(super) fn terms(&self, warps: Warps, size: Size) -> i64 {
        let columns = self.columns(warps, size) * warps.along[1];
        warps.along[0] * warps.rows * KEYS_OF_BLOCK * (self.depth(size) + columns)
    }

    /// The words that the warps of a block read from shared memory in a step.
    pub(super) fn words(&self, warps: Warps, size: Size) -> i64 {
        let [_, columns] = warps.along;
        let of_scores = (warps.rows + KEYS_OF_BLOCK / columns) * self.depth(size);
        let of_values = (warps.rows + self.columns(warps, size)) * KEYS_OF_BLOCK;
        warps.along[0] * columns * (of_scores + of_values) * size.bytes / gpu::REGISTER_BYTES
    }

    /// The numbers of warps to choose from.
    pub(super) fn all(&self, size: Size, gpu: Gpu) -> Vec<Warps> {
        let [rows, of_matrix, _] = self.matrix();
        let along = |most: i64| powers(gpu::MOST_WARPS_ALONG).filter(move |warps| *warps <= most);
        let queries = along((size.queries / rows).max(1));
        let all = queries.flat_map(|queries| {
            along(KEYS_OF_BLOCK / of_matrix).map(move |columns| Warps {
                along: [queries, columns],
                rows,
            })
        });
        let fits = |warps: &Warps| {
            let columns = self.columns(*warps, size);
            // All warps have columns.
            ceil_div(size.columns, columns) == warps.along[1]
                && has_all_digits(size.columns % columns + columns, self.product.unit.columns)
                && warps.block(gpu).threads
                    <= gpu.threads_of_block.min(gpu::MOST_THREADS_OF_MATRICES)
                && self.registers(*warps, size)
                    <= gpu::MOST_REGISTERS_OF_MATRICES.min(gpu.registers_of_thread)
                && self.shared_bytes(*warps, size, gpu) <= gpu::most_shared_bytes(gpu)
        };
        all.filter(fits).collect()
    }
}

/// An operand in fragments and in shared memory.
struct Copies<'a> {
    operand: &'a MatrixOperand,
    matrix: Matrix,
    fragments: Value,
    shared: Value,
}

impl<'a> Copies<'a> {
    /// Copies an operand for the stage that widens it, and what lies in shared memory for some others, too.
    fn of(
        (operand, wide): &'a (MatrixOperand, Value),
        matrix: Matrix,
        others: &[Value],
        s: &ScheduleBuilder,
    ) -> Self {
        let fragments = s.cache_read(operand.tensor, &[s.stage(*wide)], Scope::Fragment);
        let readers = [&[fragments], others].concat();
        Self {
            operand,
            matrix,
            fragments,
            shared: s.cache_read(operand.tensor, &readers, Scope::Shared),
        }
    }

    /// Has each warp load its matrices in a loop over those of the reduction.
    fn load(&self, product: WarpProduct, s: &ScheduleBuilder, (sums, inner): (Value, Value)) {
        s.compute_at(self.fragments, sums, inner);
        self.operand.load(product, self.matrix, s, self.fragments);
    }

    /// Has all threads of a block copy a part with `depth` indices of the reduction.
    fn share(
        &self,
        s: &ScheduleBuilder,
        (block, order): (Block, &[usize]),
        depth: i64,
        at: (Value, Value),
    ) {
        s.compute_at(self.shared, at.0, at.1);
        self.operand.lay_out_shared(s, self.shared, depth);
        block.share(s, self.shared, order);
    }
}

impl Product {
    /// Has warps sum in the loop `at` of a stage, along an axis of rows and one of columns. Returns the loop over the matrices of the
    /// reduction.
    fn emit_sums(
        &self,
        s: &ScheduleBuilder,
        (stage, dims): (Stage, [usize; 2]),
        at: (Value, Value),
    ) -> (Value, Value) {
        let sums = s.stage(stage.tensor());
        s.set_scope(sums, Scope::Fragment);
        s.compute_at(sums, at.0, at.1);
        lay_out_sums(self.product, s, sums, (stage.tensor(), dims));
        let axes = s.axes(sums, stage.axes());
        let (results, depth) = axes.split_at(axes.len() - 1);
        let inner = multiply(self.product, s, (results, dims), (&[], depth[0]));
        (sums, inner)
    }
}

impl Attention {
    /// Writes the schedule of some warps.
    pub(super) fn emit_warps(&self, warps: Warps, product: &Product, s: &ScheduleBuilder) {
        let (online, block) = (&self.online, warps.block(self.gpu));
        let result = s.stage(self.epilogue.last.tensor());
        let [blocks, warp] = self.emit_result_of_warps(warps, product, s, result);
        let at = self.emit_combined(product, s, (result, warp));

        for stage in [online.part, online.weights] {
            s.compute_inline(s.stage(stage.tensor()));
        }
        let terms = block.reduce(online.sums, s, at);
        let [weights, values] = &product.values;
        let weights = Copies::of(weights, Matrix::First, &[terms], s);
        let values = Copies::of(values, Matrix::Second, &[], s);
        let products = product.emit_sums(s, (online.products, [1, 3]), at);
        for copies in [weights, values] {
            copies.load(product.product, s, products);
            let order = self.order_of_copy(copies.operand.tensor);
            copies.share(s, (block, &order), KEYS_OF_BLOCK, at);
        }
        block.reduce(online.largest, s, at);

        let of_block = self.emit_blocks(warps, product, s, at);
        let [queries, keys] = &product.scores;
        let queries = Copies::of(queries, Matrix::First, &[], s);
        let keys = Copies::of(keys, Matrix::Second, &[], s);
        let scores = product.emit_sums(s, (online.scores, [1, 2]), of_block);
        for (copies, at) in [(queries, (result, blocks)), (keys, at)] {
            copies.load(product.product, s, scores);
            let order = self.order_of_copy(copies.operand.tensor);
            copies.share(s, (block, &order), product.depth(online.size()), at);
        }
        declare(online.scores.op, &product.product.name(), |b| {
            product.product.intrinsic(b)
        });
    }

    /// Splits the results into blocks, warps, lanes and what each lane keeps. Returns the loops over blocks and over warps.
    fn emit_result_of_warps(
        &self,
        warps: Warps,
        product: &Product,
        s: &ScheduleBuilder,
        result: Value,
    ) -> [Value; 2] {
        let axes = s.axes(result, 3);
        let (block, inside) = s.split(axes[1], warps.along[0] * warps.rows);
        let (above, rows) = s.split(inside, warps.rows);
        let of_warp = product.columns(warps, self.online.size());
        let (side_by_side, columns) = s.split(axes[2], of_warp);
        let sums = Sums::of(product.product, s, [rows, columns]);
        let outer = [axes[0], block, above, side_by_side];
        s.reorder(&[&outer, &sums.lanes[..], &sums.matrices, &sums.registers].concat());
        let block = s.fuse(&[axes[0], block]);
        s.bind(block, Thread::BlockX);
        sums.bind(s);
        let warp = s.fuse(&[above, side_by_side]);
        s.bind(warp, Thread::ThreadY);
        [block, warp]
    }

    /// The maxima, sums and results of a warp, in registers. Returns the loop over blocks of keys.
    fn emit_combined(
        &self,
        product: &Product,
        s: &ScheduleBuilder,
        at: (Value, Value),
    ) -> (Value, Value) {
        let stage = self.online.combined;
        let combined = s.stage(stage.tensor());
        s.set_scope(combined, Scope::Fragment);
        s.compute_at(combined, at.0, at.1);
        lay_out_sums(product.product, s, combined, (stage.tensor(), [1, 2]));
        let axes = s.axes(combined, 4);
        let sums = Sums::of(product.product, s, [axes[1], axes[2]]);
        let step = &axes[3..];
        let kept = [&axes[..1], &sums.matrices, &sums.registers].concat();
        s.reorder(&[step, &sums.lanes, &kept].concat());
        s.unroll(axes[0]);
        sums.bind(s);
        (combined, axes[3])
    }

    /// The scores of a block of keys, in shared memory. Returns the loop over warps.
    fn emit_blocks(
        &self,
        warps: Warps,
        product: &Product,
        s: &ScheduleBuilder,
        at: (Value, Value),
    ) -> (Value, Value) {
        let blocks = s.stage(self.online.blocks.tensor());
        s.set_scope(blocks, Scope::Shared);
        s.compute_at(blocks, at.0, at.1);
        let axes = s.axes(blocks, 4);
        let (above, rows) = s.split(axes[1], warps.rows);
        let (side_by_side, keys) = s.split(axes[3], KEYS_OF_BLOCK / warps.along[1]);
        let sums = Sums::of(product.product, s, [rows, keys]);
        let outer = [axes[0], axes[2], above, side_by_side];
        s.reorder(&[&outer, &sums.lanes[..], &sums.matrices, &sums.registers].concat());
        sums.bind(s);
        let warp = s.fuse(&[above, side_by_side]);
        s.bind(warp, Thread::ThreadY);
        (blocks, warp)
    }
}
