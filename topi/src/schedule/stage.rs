//! A stage: a `te.compute` with what schedules ask of it.

use super::cost::{
    self,
    sizes::{planned, planned_shape},
};
use crate::{conv::GROUPS, product::BLOCK};
use relay_dialects::{
    dim::Dim,
    index::{self, constant},
    ir::{Attr, Op, Value},
    names,
    ops::{arith, math, tensor},
    te::{Compute, Role},
};

/// A stage.
#[derive(Clone, Copy, PartialEq)]
pub struct Stage {
    /// Its `te.compute`.
    pub op: Op,
}

/// One place in which a stage's expression reads another stage.
#[derive(Clone, Copy)]
pub struct Read {
    /// The `tensor.extract`.
    pub op: Op,
    /// The stage whose expression it is in.
    pub reader: Stage,
}

impl Read {
    /// Whether every element of the reader reads the element of the same index.
    pub fn is_pointwise(self) -> bool {
        let shape = self.op.operand(0).ty().dims();
        if self.reader.dims() != shape || self.reader.reduces() {
            return false;
        }
        let indices = self.reader.op.body().args();
        let subscripts = self.op.operands();
        // In a dimension of one element every index is the same.
        subscripts[1..]
            .iter()
            .zip(&indices)
            .zip(&shape)
            .all(|((subscript, index), dim)| *dim == 1 || subscript == index)
    }

    /// Whether every element of the reader reads elements whose indices differ from its own in the last
    /// dimension at most.
    pub fn stays_in_block(self) -> bool {
        let (shape, own) = (self.op.operand(0).ty().dims(), self.reader.dims());
        let (Some((_, outer)), Some((_, own_outer))) = (shape.split_last(), own.split_last())
        else {
            return false;
        };
        let indices = self.reader.op.body().args();
        let subscripts = self.op.operands();
        let mut subscripts = subscripts[1..].iter().zip(&indices).take(outer.len());
        outer == own_outer && !self.reader.reduces() && subscripts.all(|(at, index)| at == index)
    }

    /// Whether the reader's elements are dot products with rows of the tensor, of which neighbours along its last data axis read
    /// different ones.
    pub fn is_row_of_dots(self) -> bool {
        let axes = self.reader.op.body().args();
        let subscripts = self.op.operands();
        let Some(column) = self.reader.shape().len().checked_sub(1) else {
            return false;
        };
        let (rows, last) = (&subscripts[1..subscripts.len() - 1], subscripts.last());
        self.reader.role().is_none()
            && self.reader.reduces()
            && last == axes.last()
            && rows.contains(&axes[column])
    }

    /// Whether neighbours along the reader's last data axis read different elements of a row: more than a few
    /// that they take turns with.
    pub fn follows_last_axis(self) -> bool {
        let rank = self.reader.shape().len();
        let subscripts = self.op.operands();
        let last = subscripts[subscripts.len() - 1];
        rank > 0 && grows_with(last, self.reader.op.body().arg(rank - 1))
    }
}

impl Stage {
    /// The stages of a function, in order.
    pub fn all(func: Op) -> Vec<Self> {
        let ops = func.body().ops().into_iter();
        ops.filter(|op| op.is(names::te::COMPUTE))
            .map(|op| Self { op })
            .collect()
    }

    /// The stage that computes a tensor.
    pub fn of(tensor: Value) -> Option<Self> {
        let op = tensor.def_of(names::te::COMPUTE)?;
        Some(Self { op })
    }

    /// Erases it if nothing reads it.
    pub fn erase_unused(self) {
        if !self.op.is_used() {
            self.op.erase();
        }
    }

    /// The first tensor that it computes.
    pub fn tensor(self) -> Value {
        self.op.result(0)
    }

    /// The dimensions of its tensors.
    pub fn dims(self) -> Vec<Dim> {
        self.tensor().ty().dims()
    }

    /// The shape of its tensors; of open dimensions what is [planned](cost::sizes) for.
    pub fn shape(self) -> Vec<i64> {
        planned(self.op, &self.dims())
    }

    /// The extents of its reduce axes, likewise.
    pub fn reduce_extents(self) -> Vec<i64> {
        let dims = Compute::of(self.op).and_then(|compute| compute.reduce_dims().ok());
        planned(self.op, &dims.unwrap_or_default())
    }

    /// What it is for.
    pub fn role(self) -> Option<Role> {
        Compute::of(self.op)?.role()
    }

    /// Whether it is for this.
    pub fn is(self, role: Role) -> bool {
        self.role() == Some(role)
    }

    /// Whether it has reduce axes.
    pub fn reduces(self) -> bool {
        !self.reduce_extents().is_empty()
    }

    /// The bytes of the widest number that it reads or computes.
    pub fn bytes(self) -> i64 {
        let mut widest = self.tensor().ty().element().byte_width();
        self.op.walk(|op: Op| {
            if op.is(tensor::Extract::NAME) {
                widest = widest.max(op.result(0).ty().byte_width());
            }
        });
        widest as i64
    }

    /// The number of axes, data and reduce.
    pub fn axes(self) -> usize {
        self.shape().len() + self.reduce_extents().len()
    }

    /// The number of scalar evaluations.
    pub fn work(self) -> i64 {
        self.shape().iter().chain(&self.reduce_extents()).product()
    }

    /// The extent of the last axis of the result, which a packed stage runs as one vector.
    pub fn lanes(self) -> i64 {
        self.shape().last().copied().unwrap_or(1).max(1)
    }

    /// The extent of the last data axis of more than one element.
    pub fn row_extent(self) -> i64 {
        let shape = self.shape();
        shape
            .iter()
            .rev()
            .copied()
            .find(|dim| *dim != 1)
            .unwrap_or(1)
    }

    /// The bytes of the tensors that it reads, each once.
    pub fn read_bytes(self) -> i64 {
        let tensors = self.read_tensors().into_iter();
        tensors.map(|tensor| bytes_of(self.op, tensor)).sum()
    }

    /// The bytes of the tensors that it computes.
    pub fn written_bytes(self) -> i64 {
        let tensors = self.op.results().into_iter();
        tensors.map(|tensor| bytes_of(self.op, tensor)).sum()
    }

    /// The bytes of the tensors of which neighbours along its last axis read the same elements: of a product's or a
    /// convolution's first operand.
    pub fn data_bytes(self) -> i64 {
        let mut data: Vec<Value> = Vec::new();
        self.op.walk(|op: Op| {
            let read = Read { op, reader: self };
            if op.is(tensor::Extract::NAME)
                && !read.follows_last_axis()
                && !data.contains(&op.operand(0))
            {
                data.push(op.operand(0));
            }
        });
        data.into_iter()
            .map(|tensor| bytes_of(self.op, tensor))
            .sum()
    }

    fn read_tensors(self) -> Vec<Value> {
        let mut tensors: Vec<Value> = Vec::new();
        self.op.walk(|op: Op| {
            if op.is(tensor::Extract::NAME) && !tensors.contains(&op.operand(0)) {
                tensors.push(op.operand(0));
            }
        });
        tensors
    }

    /// Whether its element takes more than a few cycles.
    pub fn is_costly(self) -> bool {
        let mut costly = false;
        self.op.walk(|op: Op| costly |= is_function(&op.name()));
        costly
    }

    /// Whether an element of it, or of a stage that may be computed with it, is costly.
    pub fn computes_functions(self) -> bool {
        let mut found = vec![self];
        let mut next = 0;
        while let Some(stage) = found.get(next).copied() {
            next += 1;
            if stage.is_costly() {
                return true;
            }
            for producer in stage.producers() {
                if !producer.reduces() && !found.contains(&producer) {
                    found.push(producer);
                }
            }
        }
        false
    }

    /// Whether threads should share it, evaluated element by element.
    pub fn is_worth_sharing(self) -> bool {
        cost::is_worth_sharing(self.work())
    }

    /// Whether threads should share it when a tile of vectors of `lanes` is kept in registers: some
    /// microseconds' work, which is more than a loop takes to start on threads that look for work.
    pub fn is_worth_sharing_tiles(self, lanes: i64) -> bool {
        cost::is_worth_sharing(self.work() / lanes)
    }

    /// Whether an extent is open.
    pub fn is_open(self) -> bool {
        let reduced = Compute::of(self.op).and_then(|compute| compute.reduce_dims().ok());
        let mut dims = self.dims().into_iter().chain(reduced.unwrap_or_default());
        dims.any(|dim| !dim.is_known())
    }

    /// Whether the number of terms of its results is open.
    pub fn sums_open_number(self) -> bool {
        let reduced = Compute::of(self.op).and_then(|compute| compute.reduce_dims().ok());
        reduced
            .unwrap_or_default()
            .iter()
            .any(|dim| !dim.is_known())
    }

    /// Whether threads share it, evaluated element by element. If its extents are open, the program decides that by its work:
    /// see `outline-parallel`.
    pub fn is_shared(self) -> bool {
        self.is_open() || self.is_worth_sharing()
    }

    /// Whether threads share its tiles of vectors of `lanes`; likewise.
    pub fn are_tiles_shared(self, lanes: i64) -> bool {
        self.is_open() || self.is_worth_sharing_tiles(lanes)
    }

    /// The channels, or blocks of them, of a convolution's result that read the same data.
    pub fn channels_of_group(self) -> i64 {
        let groups = self.op.attr(GROUPS).and_then(Attr::as_i64).unwrap_or(1);
        self.shape()[1] / groups.max(1)
    }

    /// The columns of a product that lie together in its second operand, if they lie in blocks.
    pub fn block(self) -> Option<i64> {
        self.op.attr(BLOCK).and_then(Attr::as_i64)
    }

    /// Whether a loop program (`te.extern`) reads it, which takes tensors that lie in memory as a whole.
    pub fn is_read_whole(self) -> bool {
        let users = self.op.results().into_iter().flat_map(Value::users);
        users.into_iter().any(|user| user.is(names::te::EXTERN))
    }

    /// Where other stages read this one.
    pub fn reads(self) -> Vec<Read> {
        let users = self.op.results().into_iter().flat_map(Value::users);
        users
            .filter_map(|op| {
                let reader = std::iter::successors(Some(op), |op| op.parent())
                    .find(|op| op.is(names::te::COMPUTE))?;
                let reader = Stage { op: reader };
                Some(Read { op, reader })
            })
            .collect()
    }

    /// The stages that this one reads.
    pub fn producers(self) -> Vec<Stage> {
        let mut producers: Vec<Stage> = Vec::new();
        self.op.walk(|op| {
            if op.is(tensor::Extract::NAME)
                && let Some(op) = op.operand(0).def_of(names::te::COMPUTE)
                && !producers.contains(&Stage { op })
            {
                producers.push(Stage { op });
            }
        });
        producers
    }

    /// The stages that read this one.
    pub fn readers(self) -> Vec<Stage> {
        let mut readers: Vec<Stage> = Vec::new();
        for read in self.reads() {
            if !readers.contains(&read.reader) {
                readers.push(read.reader);
            }
        }
        readers
    }
}

/// Whether an index depends on an axis, other than by which of a few turns it is.
fn grows_with(index: Value, axis: Value) -> bool {
    let takes_turns = |op: Op| {
        let turns = || constant(op.operand(1)).is_some_and(|count| count <= cost::MOST_TURNS);
        op.is(arith::RemSI::NAME) && turns()
    };
    let grows = |op: Op| {
        let mut parts = op.operands().into_iter();
        !takes_turns(op) && parts.any(|part| grows_with(part, axis))
    };
    index == axis || index.def().is_some_and(grows)
}

/// Whether an op takes many times as long as an addition.
pub fn is_function(name: &str) -> bool {
    name.starts_with(math::PREFIX) || name == arith::DivF::NAME || name == arith::RemF::NAME
}

/// The bytes of a tensor that an op reads or makes, of open dimensions those that are planned for.
pub fn bytes_of(op: Op, tensor: Value) -> i64 {
    let bytes = tensor.ty().element().byte_width() as i64;
    index::product(&planned_shape(op, tensor)).saturating_mul(bytes)
}
