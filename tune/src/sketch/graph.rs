//! What sketches know of a function of computes: a graph of stages as plain data, without IR.

use relay_dialects::{
    index::{Predicate, depends_on},
    ir::{Op, Value},
    ops::{arith, func, scf, tensor},
    te::Compute,
};
use relay_topi::schedule::stage::{self, Stage};
use std::collections::{BTreeSet, HashMap};

/// The stages of a function, producers first, in the order of its `te.compute` ops.
#[derive(Clone, Debug)]
pub struct Graph {
    /// The stages.
    pub stages: Vec<Node>,
}

/// A stage.
#[derive(Clone, Debug)]
pub struct Node {
    /// The extents of its data axes.
    pub shape: Vec<i64>,
    /// The extents of its reduce axes.
    pub reduce: Vec<i64>,
    /// How many tensors it computes.
    pub results: usize,
    /// The bytes of the widest number that it reads or computes.
    pub bytes: i64,
    /// Where its expression reads tensors.
    pub reads: Vec<Read>,
    /// Whether the function returns one of its tensors.
    pub is_returned: bool,
    /// Whether its element takes more than a few cycles.
    pub is_costly: bool,
    /// Whether its expression has branches, as padding has.
    pub has_branches: bool,
    /// Whether it is zero outside of a condition, as padding is.
    pub is_zero_outside: bool,
    /// The short data axes that choose among constants of the expression, as those of Winograd's matrices do.
    pub choosing: Axes,
}

/// What is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// A stage, by its number.
    Stage(usize),
    /// An argument of the function, by its number.
    Argument(usize),
}

/// A place in which an expression reads a tensor.
#[derive(Clone, Debug)]
pub struct Read {
    /// The tensor.
    pub source: Source,
    /// Its shape.
    pub shape: Vec<i64>,
    /// For each of its dimensions, the axes of the reader that the subscript depends on.
    pub subscripts: Vec<Axes>,
    /// Whether every element of the reader reads the element of the same index.
    pub is_pointwise: bool,
    /// Whether the reader sums products with what it reads of this tensor.
    pub is_factor: bool,
}

/// Some axes of a stage: its data axes are numbered first, then its reduce axes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Axes(u64);

/// More axes than any operator has; a set of them is one word.
const MOST_AXES: usize = 64;

/// The most elements of an axis that chooses among constants: its iterations become code.
const MOST_CHOSEN: i64 = 16;

impl Axes {
    /// Whether an axis is one of them.
    pub fn contains(self, axis: usize) -> bool {
        axis < MOST_AXES && self.0 >> axis & 1 == 1
    }

    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// With one more.
    pub fn with(self, axis: usize) -> Self {
        Self(self.0 | 1 << axis)
    }

    /// With all of some others.
    pub fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl Read {
    /// The axes of the reader that any subscript depends on.
    pub fn axes(&self) -> Axes {
        let subscripts = self.subscripts.iter().copied();
        subscripts.fold(Axes::default(), Axes::union)
    }

    /// The axes on which it depends which of the elements that lie together is read.
    pub fn along(&self) -> Axes {
        let row = (0..self.shape.len())
            .rev()
            .find(|dim| self.shape[*dim] != 1);
        row.map_or(Axes::default(), |dim| self.subscripts[dim])
    }
}

impl Node {
    /// Whether it has reduce axes.
    pub fn reduces(&self) -> bool {
        !self.reduce.is_empty()
    }

    /// The number of elements.
    pub fn elements(&self) -> i64 {
        self.shape
            .iter()
            .fold(1, |all, extent| all.saturating_mul(*extent))
    }

    /// The number of terms of an element.
    pub fn terms(&self) -> i64 {
        self.reduce
            .iter()
            .fold(1, |all, extent| all.saturating_mul(*extent))
    }

    /// The data axes that choose among constants and along which no vectors lie: where they are unrolled, each copy has constants of its
    /// own.
    pub fn unrollable(&self) -> impl Iterator<Item = usize> {
        let row = self.row();
        let is_so = move |axis: &usize| self.choosing.contains(*axis) && Some(*axis) != row;
        (0..self.shape.len()).filter(is_so)
    }

    /// The number of scalar evaluations.
    pub fn work(&self) -> i64 {
        self.elements().saturating_mul(self.terms())
    }

    /// The data axis along which vectors lie: the last one of more than one element, or the last one. None if
    /// it has no data axes.
    pub fn row(&self) -> Option<usize> {
        let long = (0..self.shape.len())
            .rev()
            .find(|axis| self.shape[*axis] != 1);
        long.or(self.shape.len().checked_sub(1))
    }

    /// Whether a tile of elements needs fewer loads than these each on their own.
    pub fn has_reuse(&self) -> bool {
        let long = (0..self.shape.len()).filter(|axis| self.shape[*axis] > 1);
        let missing = |read: &Read| {
            let axes = read.axes();
            long.clone().find(|axis| !axes.contains(*axis))
        };
        let mut missed = self.reads.iter().filter_map(missing);
        match (self.reduces(), missed.next()) {
            (true, first) => first.is_some(),
            // Each operand is read again along another axis.
            (false, Some(first)) => missed.any(|axis| axis != first),
            (false, None) => false,
        }
    }

    /// Whether neighbours along its row read what lies together, for each term of a sum anew.
    pub fn reads_rows(&self) -> bool {
        let Some(row) = self.row() else { return false };
        let rank = self.shape.len();
        let reduce = rank..rank + self.reduce.len();
        let is_term = |read: &Read| reduce.clone().any(|axis| read.axes().contains(axis));
        let mut reads = self.reads.iter();
        reads.any(|read| read.along().contains(row) && (!self.reduces() || is_term(read)))
    }

    /// Whether the terms of its last reduce axis lie together, so that they can be the lanes of vectors.
    pub fn reduces_rows(&self) -> bool {
        let last = self.shape.len() + self.reduce.len();
        let of_last = |read: &Read| read.axes().contains(last - 1);
        let mut reads = self.reads.iter().filter(|read| of_last(read)).peekable();
        self.reduces()
            && reads.peek().is_some()
            && reads.all(|read| read.along().contains(last - 1))
    }
}

impl Graph {
    /// The graph of a function that holds nothing but computes, each of one element at least, and no schedule.
    pub fn of(func: Op) -> Option<Self> {
        let end = func.body().terminator()?;
        let others = [arith::Constant::NAME, func::Return::NAME];
        let (computes, rest): (Vec<Op>, Vec<Op>) = func
            .body()
            .ops()
            .into_iter()
            .partition(|op| op.is(Compute::NAME));
        if !rest.iter().all(|op| others.iter().any(|name| op.is(name))) {
            return None;
        }
        let mut numbers: HashMap<Value, Source> = HashMap::new();
        for (number, argument) in func.body().args().into_iter().enumerate() {
            numbers.insert(argument, Source::Argument(number));
        }
        for (number, op) in computes.iter().enumerate() {
            let results = op.results().into_iter();
            numbers.extend(results.map(|result| (result, Source::Stage(number))));
        }
        let returned = end.operands();
        let nodes = computes.iter().map(|op| node(*op, &numbers, &returned));
        let stages: Vec<Node> = nodes.collect::<Option<_>>()?;
        (!stages.is_empty()).then_some(Self { stages })
    }

    /// Where a stage is read, with the stage that reads it.
    pub fn reads_of(&self, stage: usize) -> impl Iterator<Item = (usize, &Read)> {
        let later = self.stages.iter().enumerate().skip(stage + 1);
        let reads =
            later.flat_map(|(reader, node)| node.reads.iter().map(move |read| (reader, read)));
        reads.filter(move |(_, read)| read.source == Source::Stage(stage))
    }

    /// How many elements of a stage one evaluation of a stage in memory needs, if it is part of its readers, as some
    /// of these are.
    pub fn evaluations(&self, stage: usize, is_inlined: &dyn Fn(usize) -> bool) -> usize {
        let mut seen = BTreeSet::new();
        let of_read = |(reader, read): (usize, &Read)| {
            // Elements of the same index are computed once.
            if read.is_pointwise && !seen.insert(reader) {
                return 0;
            }
            match is_inlined(reader) {
                true => self.evaluations(reader, is_inlined),
                false => 1,
            }
        };
        self.reads_of(stage)
            .map(of_read)
            .fold(0, usize::saturating_add)
    }

    /// The scalar evaluations of all stages.
    pub fn work(&self) -> i64 {
        let work = self.stages.iter().map(Node::work);
        work.fold(0, i64::saturating_add)
    }
}

/// What is known of a compute; none if it has no elements, or reads what is no argument and no compute.
fn node(op: Op, numbers: &HashMap<Value, Source>, returned: &[Value]) -> Option<Node> {
    let compute = Compute::of(op)?;
    let known = Stage { op };
    let extents = compute.extents();
    if extents.len() > MOST_AXES || extents.iter().any(|extent| *extent < 1) {
        return None;
    }
    let reads = op.find_all(tensor::Extract::NAME).into_iter();
    let reads = reads.map(|read| self::read(read, known, numbers));
    let mut branches = false;
    op.walk(|op| branches |= op.is(scf::If::NAME));
    Some(Node {
        shape: compute.shape(),
        reduce: compute.reduce_extents(),
        results: op.result_count(),
        bytes: known.bytes().max(1),
        reads: reads.collect::<Option<_>>()?,
        is_returned: op.results().iter().any(|result| returned.contains(result)),
        is_costly: known.is_costly(),
        has_branches: branches,
        is_zero_outside: compute.zero_outside().is_some(),
        choosing: choosing(known),
    })
}

fn read(op: Op, reader: Stage, numbers: &HashMap<Value, Source>) -> Option<Read> {
    let operands = op.operands();
    let (tensor, subscripts) = operands.split_first()?;
    let axes = reader.op.body().args();
    let of_subscript = |subscript: &Value| {
        let needed = (0..axes.len()).filter(|axis| depends_on(*subscript, axes[*axis]));
        needed.fold(Axes::default(), Axes::with)
    };
    Some(Read {
        source: *numbers.get(tensor)?,
        shape: tensor.ty().shape(),
        subscripts: subscripts.iter().map(of_subscript).collect(),
        is_pointwise: stage::Read { op, reader }.is_pointwise(),
        is_factor: Compute::of(reader.op)?.sums_products_with(*tensor),
    })
}

/// The short data axes that a branch or `arith.select` compares with numbers, to take one of several expressions.
fn choosing(stage: Stage) -> Axes {
    let axes = stage.op.body().args();
    let mut found = Axes::default();
    stage.op.walk(|op: Op| {
        if !op.is(arith::Select::NAME) && !op.is(scf::If::NAME) {
            return;
        }
        let condition = op.operand(0);
        for (axis, extent) in stage.shape().into_iter().enumerate() {
            let is_short = 1 < extent && extent <= MOST_CHOSEN;
            if is_short && is_choice(condition, axes[axis]) {
                found = found.with(axis);
            }
        }
    });
    found
}

/// Whether a condition asks for one number of an axis.
fn is_choice(condition: Value, axis: Value) -> bool {
    let compared = condition.def_of(arith::CmpI::NAME);
    compared.is_some_and(|op| {
        arith::CmpI::of(op).is_some_and(|op| op.predicate() == Predicate::Eq)
            && op.operand(0) == axis
            && op.operand(1).def_of(arith::Constant::NAME).is_some()
    })
}
