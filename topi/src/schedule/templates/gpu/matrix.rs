//! Products on a GPU whose warps multiply matrices: dense layers, products of matrices and convolutions of 16-bit floats.
//!
//! One operand has the rows, the other one the columns. A block computes a tile of the results step by step along the reduction: its threads copy
//! what a step needs of both operands into shared memory, and each warp loads small matrices from there and multiplies them.

use super::powers;
use crate::{
    intrin::warp::{Matrix, WarpProduct},
    schedule::{
        Machine,
        cost::{
            Cycles,
            gpu::{self, Launch, Steps, Work},
        },
        declare,
        epilogue::Epilogue,
        operands::{self, Operand},
        stage::Stage,
        templates::{Doc, Template, Way},
        warp_matrices::{self, has_all_digits},
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

/// A product of matrices.
pub struct MatrixProduct {
    /// The product, and what is computed with its results.
    epilogue: Epilogue,
    form: Form,
    /// The extents of the axes, those of the results first.
    extents: Vec<i64>,
    gpu: Gpu,
}

/// How a product is one of matrices.
struct Form {
    /// The operand with the rows, and the one with the columns.
    operands: [Factor; 2],
    /// The axes of rows, of columns, and the reduce axis of the matrices.
    axes: [usize; 3],
    /// The axis of the results beside that of the columns along which tiles may lie, too: the rows of an image.
    beside: Option<usize>,
    product: WarpProduct,
    /// The multiply-adds of matrices that a multiprocessor begins in a cycle.
    rate: f64,
}

/// An operand.
struct Factor {
    operand: Operand,
    /// The tensor whose elements it widens.
    narrow: warp_matrices::MatrixOperand,
}

/// A tile.
#[derive(Clone, Debug, PartialEq)]
pub struct Knobs {
    /// The warps of a block along rows and columns.
    warps: [i64; 2],
    /// The matrices of a warp along rows and columns.
    matrices: [i64; 2],
    /// The indices of a warp along the axis beside that of the columns.
    beside: i64,
    /// The indices along the reduce axis in a step.
    depth: i64,
}

impl fmt::Display for Knobs {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [rows, columns] = self.warps;
        let [above, side_by_side] = self.matrices;
        write!(
            formatter,
            "warps={rows}x{columns} matrices={above}x{side_by_side} beside={} depth={}",
            self.beside, self.depth
        )
    }
}

impl Factor {
    /// An operand that moves along an axis of rows or columns and along the reduce axis one by one; none if it does not.
    fn of(operand: Operand, reader: Stage, axes: [usize; 2]) -> Option<Self> {
        let dims = [operand.dimension(axes[0])?, operand.dimension(axes[1])?];
        let tensor = operand.narrow(reader)?;
        (dims[0] != dims[1]).then_some(Self {
            operand,
            narrow: warp_matrices::MatrixOperand { tensor, dims },
        })
    }

    fn bytes(&self) -> i64 {
        self.narrow.bytes()
    }

    /// The elements that a block copies in a step.
    fn part(&self, step: &[i64]) -> i64 {
        self.operand.part(step).iter().product()
    }
}

impl Form {
    /// None if warps have no instruction for it, or it has few rows, columns or terms.
    fn of(stage: Stage, gpu: Gpu) -> Option<Self> {
        if stage.sums_open_number() || stage.op.result_count() != 1 {
            return None;
        }
        let [first, second] = operands::of(stage)?;
        let narrow = first.narrow(stage)?.ty().element();
        let element = Element::of(narrow)?;
        let (unit, rate) = gpu.units.find(element)?;
        if second.narrow(stage)?.ty().element() != narrow
            || Element::of(stage.tensor().ty().element()) != Some(unit.sum)
        {
            return None;
        }
        let (shape, reduced) = (stage.shape(), stage.reduce_extents());
        let depth = shape.len();
        let own = [
            first.own_axes(&second, &shape),
            second.own_axes(&first, &shape),
        ];
        let last = [*own[0].last()?, *own[1].last()?];
        let [rows, columns, _] = unit.shape();
        // Matrices have fewer columns than rows, and neighbours along columns are beside each other.
        let is_short = shape[last[0]] <= columns && shape[last[1]] > columns && columns < rows;
        let is_swapped = is_short || own[0].len() > own[1].len();
        if [&shape[..], &reduced].concat().contains(&0) {
            return None;
        }
        let mut sides = [(first, last[0], &own[0]), (second, last[1], &own[1])];
        if is_swapped {
            sides.reverse();
        }
        let [(with_rows, row, _), (with_columns, column, others)] = sides;
        let has_all_lanes = has_all_digits(shape[row], unit.rows)
            && has_all_digits(shape[column], unit.columns)
            && has_all_digits(*reduced.first()?, unit.depth);
        if !has_all_lanes {
            return None;
        }
        let beside = others.len().checked_sub(2).map(|place| others[place]);
        let beside = beside.filter(|axis| with_columns.dimension(*axis).is_some());
        let operands = [
            Factor::of(with_rows, stage, [row, depth])?,
            Factor::of(with_columns, stage, [column, depth])?,
        ];
        let product = WarpProduct { unit, is_swapped };
        Some(Self {
            operands,
            axes: [row, column, depth],
            beside,
            product,
            rate,
        })
    }
}

impl MatrixProduct {
    /// The product of a stage, if it is one of matrices.
    pub fn of(epilogue: Epilogue, gpu: Gpu) -> Result<Self, Epilogue> {
        let stage = epilogue.stages[0];
        match Form::of(stage, gpu) {
            Some(form) => Ok(Self {
                form,
                extents: [stage.shape(), stage.reduce_extents()].concat(),
                gpu,
                epilogue,
            }),
            None => Err(epilogue),
        }
    }

    fn rank(&self) -> usize {
        self.form.axes[2]
    }

    /// The rows, columns and depth of a matrix.
    fn matrix(&self) -> [i64; 3] {
        self.form.product.unit.shape()
    }

    /// The extents of all axes in a step of a block.
    fn step(&self, knobs: &Knobs) -> Vec<i64> {
        let mut step = vec![1; self.extents.len()];
        let [row, column, depth] = self.form.axes;
        let of_matrix = self.matrix();
        step[row] = knobs.warps[0] * knobs.matrices[0] * of_matrix[0];
        step[column] = knobs.warps[1] * knobs.matrices[1] * of_matrix[1];
        if let Some(beside) = self.form.beside {
            step[beside] = knobs.beside;
        }
        step[depth] = knobs.depth;
        step
    }

    /// The bytes of both operands.
    fn read_bytes(&self) -> i64 {
        let bytes = |factor: &Factor| factor.part(&self.extents) * factor.bytes();
        self.form.operands.iter().map(bytes).sum()
    }

    fn threads(&self, knobs: &Knobs) -> i64 {
        knobs.warps.iter().product::<i64>() * self.gpu.warp
    }

    /// The bytes of shared memory of a block.
    fn shared_bytes(&self, knobs: &Knobs) -> i64 {
        let step = self.step(knobs);
        let bytes = |factor: &Factor| {
            let rows = factor.part(&step) / knobs.depth;
            rows * gpu::stride_of_rows(knobs.depth, factor.bytes()) * factor.bytes()
        };
        let copies = if self.has_steps(knobs) { 2 } else { 1 };
        copies * self.form.operands.iter().map(bytes).sum::<i64>()
    }

    /// Whether there are several steps along the reduce axis, so that one is copied while another one is computed.
    fn has_steps(&self, knobs: &Knobs) -> bool {
        knobs.depth < self.extents[self.form.axes[2]]
    }

    /// The matrices of a warp: of rows, of columns, and of sums.
    fn of_warp(knobs: &Knobs) -> [i64; 3] {
        let columns = knobs.matrices[1] * knobs.beside;
        [knobs.matrices[0], columns, knobs.matrices[0] * columns]
    }

    /// The 32-bit registers of a lane.
    fn registers(&self, knobs: &Knobs) -> i64 {
        let registers = self.form.product.unit.registers();
        let bytes = [
            self.form.operands[0].bytes(),
            self.form.operands[1].bytes(),
            gpu::REGISTER_BYTES,
        ];
        let all = Self::of_warp(knobs).into_iter().zip(registers).zip(bytes);
        let words = all.map(|((matrices, elements), bytes)| {
            matrices * ceil_div(elements * bytes, gpu::REGISTER_BYTES)
        });
        gpu::registers_of_tile(words.sum(), 0)
    }

    fn all(&self) -> Vec<Knobs> {
        let [row, column, depth] = self.form.axes;
        let of_matrix = self.matrix();
        let along = |axis: usize, extent: i64| {
            let all = (self.extents[axis] / extent).max(1);
            powers(gpu::MOST_WARPS_ALONG).flat_map(move |warps| {
                let pairs = powers(gpu::MOST_MATRICES_ALONG).map(move |matrices| (warps, matrices));
                pairs.filter(move |(warps, matrices)| warps * matrices <= all)
            })
        };
        let beside = self.form.beside.map_or(1, |axis| self.extents[axis]);
        let besides =
            move || powers(gpu::MOST_MATRICES_ALONG).filter(move |extent| *extent <= beside);
        let depths = gpu::DEPTHS_OF_MATRICES
            .map(|times| times * of_matrix[2])
            .into_iter();
        let depths: Vec<i64> = depths
            .filter(|step| *step < self.extents[depth] + of_matrix[2])
            .collect();
        let rows: Vec<_> = along(row, of_matrix[0]).collect();
        let columns: Vec<_> = along(column, of_matrix[1]).collect();
        let tiles = rows
            .iter()
            .flat_map(|rows| columns.iter().map(move |columns| (*rows, *columns)));
        let tiles = tiles.flat_map(|tile| besides().map(move |beside| (tile, beside)));
        let knobs = tiles.flat_map(|((rows, columns), beside)| {
            depths.iter().map(move |depth| Knobs {
                warps: [rows.0, columns.0],
                matrices: [rows.1, columns.1],
                beside,
                depth: *depth,
            })
        });
        knobs.collect()
    }

    fn fits(&self, knobs: &Knobs) -> bool {
        self.threads(knobs) <= self.gpu.threads_of_block.min(gpu::MOST_THREADS_OF_MATRICES)
            && self.shared_bytes(knobs) <= gpu::most_shared_bytes(self.gpu)
            && self.registers(knobs)
                <= gpu::MOST_REGISTERS_OF_MATRICES.min(self.gpu.registers_of_thread)
    }

    /// Splits the results into blocks, warps, lanes, and what each lane keeps. Returns the loop over warps.
    fn emit_result(&self, knobs: &Knobs, s: &ScheduleBuilder, result: Value) -> Value {
        let unit = self.form.product.unit;
        let mut blocks = s.axes(result, self.rank());
        let (mut warps, mut matrices, mut parts) = (Vec::new(), Vec::new(), Vec::new());
        for (side, of_axis) in [unit.rows, unit.columns].into_iter().enumerate() {
            let axis = self.form.axes[side];
            let of_warp = knobs.matrices[side] * self.matrix()[side];
            let (block, inside) = s.split(blocks[axis], of_warp * knobs.warps[side]);
            let (warp, inside) = s.split(inside, of_warp);
            let (matrix, digits) = warp_matrices::cut(s, inside, of_axis);
            blocks[axis] = block;
            warps.push(warp);
            matrices.push(matrix);
            parts.extend(digits);
        }
        if let Some(axis) = self.form.beside {
            let (block, inside) = s.split(blocks[axis], knobs.beside);
            blocks[axis] = block;
            matrices.insert(1, inside);
        }
        let (lanes, registers) =
            warp_matrices::spread(&self.form.product.places(Matrix::Sums), &parts);
        s.reorder(&[&blocks[..], &warps, &lanes, &matrices, &registers].concat());
        s.bind(s.fuse(&blocks), Thread::BlockX);
        matrices
            .iter()
            .chain(&registers)
            .for_each(|axis| s.unroll(*axis));
        s.bind(s.fuse(&lanes), Thread::ThreadX);
        let warp = s.fuse(&warps);
        s.bind(warp, Thread::ThreadY);
        warp
    }

    /// Splits the reduction into steps, and these into matrices. Returns the loop over steps, and that over the matrices of one.
    fn emit_sums(&self, knobs: &Knobs, s: &ScheduleBuilder, sums: Value) -> [Value; 2] {
        let axes = s.axes(sums, self.extents.len());
        let [row, column, depth] = self.form.axes;
        let (step, inside) = s.split(axes[depth], knobs.depth);
        let outer = [&axes[depth + 1..], &[step]].concat();
        let results = (&axes[..self.rank()], [row, column]);
        let inner = warp_matrices::multiply(self.form.product, s, results, (&outer, inside));
        [step, inner]
    }

    /// Has all threads of a block copy what a step needs of an operand.
    fn emit_copy(&self, factor: &Factor, knobs: &Knobs, s: &ScheduleBuilder, copy: Value) {
        let rank = factor.operand.rank();
        factor.narrow.lay_out_shared(s, copy, knobs.depth);
        let mut axes = s.axes(copy, rank);
        let vector = gpu::VECTOR_BYTES / factor.bytes();
        let (last, extent) = (rank - 1, self.extents[self.form.axes[2]]);
        // What lies beside each other in memory does so in shared memory, too.
        if factor.narrow.dims[1] == last && knobs.depth % vector == 0 && extent % vector == 0 {
            let (outer, lanes) = s.split(axes[last], vector);
            axes[last] = outer;
            s.reorder(&[&axes[..], &[lanes]].concat());
            s.vectorize(lanes);
        }
        let (_, thread) = s.split(s.fuse(&axes), self.threads(knobs));
        let (warp, lane) = s.split(thread, self.gpu.warp);
        s.bind(warp, Thread::ThreadY);
        s.bind(lane, Thread::ThreadX);
    }
}

impl Template for MatrixProduct {
    type Knobs = Knobs;

    const DOC: Doc = Doc {
        name: "gpu/matrix",
        applies: "On a GPU with instructions for matrices: a dense layer, a product of matrices, or a convolution of steps of one, of 16-bit floats, with what follows it element by element.",
        ways: &[Way {
            knobs: "warps, matrices, beside, depth",
            loops: "Blocks of `warps` along rows and columns, of `matrices` each, at `beside` indices along the axis before that of the columns. One step for each tap of a window and for `depth` indices along the first reduce axis: the threads copy what it reads. Then the matrices of the step.",
            kept: "Registers: the sums of a warp, and the matrices that it multiplies. Shared memory: the operands of a step.",
        }],
    };

    fn space(&self, _: Machine) -> Vec<Knobs> {
        let mut fitting = self.all();
        fitting.retain(|knobs| self.fits(knobs));
        if fitting.is_empty() {
            fitting.push(Knobs {
                warps: [1, 1],
                matrices: [1, 1],
                beside: 1,
                depth: self.matrix()[2],
            });
        }
        fitting
    }

    fn cost(&self, knobs: &Knobs, _: Machine) -> Cycles {
        let rank = self.rank();
        let (step, threads) = (self.step(knobs), self.threads(knobs));
        let pieces = |axes: std::ops::Range<usize>| {
            let counts = axes.map(|axis| ceil_div(self.extents[axis], step[axis]));
            counts.product::<i64>()
        };
        let (blocks, steps) = (pieces(0..rank), pieces(rank..step.len()));
        let launch = Launch {
            blocks,
            threads,
            registers: self.registers(knobs),
            shared_bytes: self.shared_bytes(knobs),
        };
        let warps = (blocks * knobs.warps.iter().product::<i64>()) as f64;
        let terms = (steps * knobs.depth) as f64;
        let [_, _, sums] = Self::of_warp(knobs);
        let [rows, columns, depth] = self.matrix();
        let multiply_adds = warps * (sums * rows * columns) as f64 * terms;
        let registers = self.form.product.unit.registers();
        let read = Self::of_warp(knobs).into_iter().zip(&registers[..2]);
        let read: i64 = read.map(|(matrices, elements)| matrices * elements).sum();
        let words = warps * (read * self.gpu.warp) as f64 * terms / depth as f64
            * self.form.operands[0].bytes() as f64
            / gpu::REGISTER_BYTES as f64;
        let copied = (blocks * steps) as f64 * launch.shared_bytes as f64;
        let work = Work {
            // What takes the multiprocessor as long as so many multiply-adds of single numbers.
            operations: multiply_adds * self.gpu.fma_per_cycle as f64 / self.form.rate,
            bytes: gpu::bytes_with_cache(self.read_bytes() as f64, copied)
                + self.epilogue.last.written_bytes() as f64,
            shared_words: words,
        };
        gpu::cycles(launch, work, self.gpu) + Steps { steps, launch }.cycles(self.gpu)
    }

    fn emit(&self, knobs: &Knobs, s: &ScheduleBuilder, _: Machine) {
        self.epilogue.inline(s);
        let copies = self.form.operands.each_ref().map(|factor| {
            let wide = s.stage(factor.operand.tensor);
            let matrices = s.cache_read(factor.narrow.tensor, &[wide], Scope::Fragment);
            let part = s.cache_read(factor.narrow.tensor, &[matrices], Scope::Shared);
            (matrices, part)
        });
        let (sums, result) = self.epilogue.fragment(s);
        let warp = self.emit_result(knobs, s, result);
        s.compute_at(sums, result, warp);
        let [step, inner] = self.emit_sums(knobs, s, sums);
        let [row, column, _] = self.form.axes;
        let tensor = self.epilogue.last.tensor();
        warp_matrices::lay_out_sums(self.form.product, s, sums, (tensor, [row, column]));
        let sides = self
            .form
            .operands
            .iter()
            .zip(copies)
            .zip([Matrix::First, Matrix::Second]);
        for ((factor, (matrices, part)), matrix) in sides {
            s.compute_at(matrices, sums, inner);
            s.compute_at(part, sums, step);
            if self.has_steps(knobs) {
                s.double_buffer(part);
            }
            factor.narrow.load(self.form.product, matrix, s, matrices);
            self.emit_copy(factor, knobs, s, part);
        }
        declare(self.epilogue.stages[0].op, &self.form.product.name(), |b| {
            self.form.product.intrinsic(b)
        });
    }
}
