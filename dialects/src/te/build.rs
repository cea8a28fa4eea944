//! Making `te.compute`, `te.extern` and `te.schedule`.

use super::{Cache, Compute, Pragma, Reducer, Role, ops};
use crate::{
    dim::{Dim, dims},
    index,
    ir::{Attr, Block, Builder, Op, Type, Value},
    ops::{scf, tensor},
    relay::build::extent_list,
    tir::{Scope, Thread},
};

/// A tensor; `body` gives the element at each index.
pub fn compute<D: Into<Dim> + Copy>(
    b: &Builder,
    name: &str,
    shape: &[D],
    element: Type,
    body: impl FnOnce(&Builder, &[Value]) -> Value,
) -> Value {
    let make = |b: &Builder, indices: &[Value], _: &[Value]| vec![body(b, indices)];
    build(b, name, &dims(shape), &[element], Reduction::none(), make)[0]
}

/// A tensor whose elements are `reducer` over the reduce axes of what `body` gives for an index
/// and a reduce index.
pub fn reduce<D: Into<Dim> + Copy, E: Into<Dim> + Copy>(
    b: &Builder,
    name: &str,
    shape: &[D],
    element: Type,
    (reducer, extents): (Reducer, &[E]),
    body: impl FnOnce(&Builder, &[Value], &[Value]) -> Value,
) -> Value {
    let reduction = Reduction {
        extents: dims(extents),
        reducer: Some(reducer),
        combiner: None,
        identity: None,
    };
    let make = |b: &Builder, indices: &[Value], reduce: &[Value]| vec![body(b, indices, reduce)];
    build(b, name, &dims(shape), &[element], reduction, make)[0]
}

/// A tuple reduction: `combine` takes the accumulated values, then the new ones.
pub fn reduce_tuple<D: Into<Dim> + Copy, E: Into<Dim> + Copy>(
    b: &Builder,
    name: &str,
    shape: &[D],
    identity: &[Attr],
    extents: &[E],
    body: impl FnOnce(&Builder, &[Value], &[Value]) -> Vec<Value>,
    combine: impl FnOnce(&Builder, &[Value], &[Value]) -> Vec<Value>,
) -> Vec<Value> {
    let elements: Vec<Type> = identity.iter().map(|value| value.typ()).collect();
    let types = [&elements[..], &elements[..]].concat();
    let block = Block::new(b.ctx, &types);
    let inside = Builder::at_end(block, b.loc, b.ctx);
    let arguments = block.args();
    let (old, new) = arguments.split_at(elements.len());
    ops::Yield::build(&inside, &combine(&inside, old, new));
    let reduction = Reduction {
        extents: dims(extents),
        reducer: Some(Reducer::Custom),
        combiner: Some(block),
        identity: Some(Attr::array(b.ctx, identity)),
    };
    build(b, name, &dims(shape), &elements, reduction, body)
}

struct Reduction {
    extents: Vec<Dim>,
    reducer: Option<Reducer>,
    combiner: Option<Block>,
    identity: Option<Attr>,
}

impl Reduction {
    fn none() -> Self {
        Self {
            extents: Vec::new(),
            reducer: None,
            combiner: None,
            identity: None,
        }
    }
}

fn build(
    b: &Builder,
    name: &str,
    shape: &[Dim],
    elements: &[Type],
    reduction: Reduction,
    body: impl FnOnce(&Builder, &[Value], &[Value]) -> Vec<Value>,
) -> Vec<Value> {
    let index = Type::index(b.ctx);
    let block = Block::new(b.ctx, &vec![index; shape.len() + reduction.extents.len()]);
    let inside = Builder::at_end(block, b.loc, b.ctx);
    let arguments = block.args();
    let (indices, reduce) = arguments.split_at(shape.len());
    ops::Yield::build(&inside, &body(&inside, indices, reduce));
    let types: Vec<Type> = elements
        .iter()
        .map(|element| Type::tensor_of(shape, *element))
        .collect();
    ops::Compute::build_with(
        b,
        &types,
        name,
        Some(axis_names(b, block, shape, reduction.extents.len())),
        extent_list(b.ctx, &reduction.extents),
        reduction.reducer,
        reduction.identity,
        None,
        block,
        reduction.combiner,
    )
    .results()
}

/// Tensors that a loop program fills: `write` gets a buffer for each input, and one for each result.
pub fn program(
    b: &Builder,
    name: &str,
    inputs: &[Value],
    results: &[Type],
    write: impl FnOnce(&Builder, &[Value], &[Value]),
) -> Vec<Value> {
    let buffer = |ty: Type| Type::memref(&ty.shape(), ty.element());
    let tensors = inputs.iter().map(|input| input.ty());
    let buffers: Vec<Type> = tensors.chain(results.iter().copied()).map(buffer).collect();
    let block = Block::new(b.ctx, &buffers);
    let arguments = block.args();
    let (read, filled) = arguments.split_at(inputs.len());
    write(&Builder::at_end(block, b.loc, b.ctx), read, filled);
    ops::Extern::build(b, results, name, inputs, block).results()
}

/// The names that axes have where nobody gives others: those of the axes of computes that they subscript, or else
/// [`default_name`].
fn axis_names(b: &Builder, body: Block, shape: &[Dim], reduce: usize) -> Attr {
    let list = |letter, count| (0..count).map(move |number| default_name(letter, number, count));
    let mut names: Vec<String> = list('i', shape.len()).chain(list('k', reduce)).collect();
    let subscripted = subscripted(body, shape);
    for (number, known) in subscripted.iter().enumerate() {
        let is_taken = |name: &String| {
            let mut others = subscripted.iter().enumerate();
            others.any(|(other, known)| other != number && known.contains(name))
        };
        if let [name] = &known[..]
            && !is_taken(name)
        {
            names[number].clone_from(name);
        }
    }
    let names: Vec<Attr> = names.iter().map(|name| Attr::str(b.ctx, name)).collect();
    Attr::array(b.ctx, &names)
}

/// The name of an axis that nothing names: a letter, with a number if there are several.
fn default_name(letter: char, number: usize, count: usize) -> String {
    match count {
        1 => letter.to_string(),
        _ => format!("{letter}{number}"),
    }
}

/// Of each argument of a compute's body, the given names of the axes of other computes that it stands for in a
/// subscript. Where a dimension has one element, 0 stands for the axis, too.
fn subscripted(body: Block, shape: &[Dim]) -> Vec<Vec<String>> {
    let arguments = body.args();
    let is_whole = |dimension: usize, subscript: Value, rank: usize| {
        let is_one = rank == shape.len() && shape[dimension] == 1;
        is_one && index::constant(subscript) == Some(0)
    };
    let mut found = vec![Vec::new(); arguments.len()];
    let mut visit = |op: Op| {
        let operands = op.operands();
        let compute = operands.first().filter(|_| op.is(tensor::Extract::NAME));
        let Some(compute) = compute.and_then(|tensor| Compute::making(*tensor)) else {
            return;
        };
        for (dimension, subscript) in operands[1..].iter().enumerate() {
            let name = compute.axis_name(dimension);
            let is_given = name != default_name('i', dimension, operands.len() - 1);
            let rank = operands.len() - 1;
            let argument = arguments.iter().position(|argument| argument == subscript);
            let argument =
                argument.or_else(|| is_whole(dimension, *subscript, rank).then_some(dimension));
            if let Some(argument) = argument.filter(|_| is_given && !name.is_empty())
                && !found[argument].contains(&name)
            {
                found[argument].push(name);
            }
        }
    };
    body.ops().into_iter().for_each(|op| op.walk(&mut visit));
    found
}

/// Names the axes of the compute that makes a tensor, spatial ones first.
pub fn name_axes<Name: AsRef<str>>(tensor: Value, names: &[Name]) -> Value {
    if let Some(compute) = Compute::making(tensor) {
        compute.set_axis_names(names);
    }
    tensor
}

/// Says what the compute that makes a tensor is for.
pub fn with_role(tensor: Value, role: Role) -> Value {
    if let Some(compute) = Compute::making(tensor) {
        compute.set_role(role);
    }
    tensor
}

/// The element of a tensor.
pub fn read(b: &Builder, tensor: Value, indices: &[Value]) -> Value {
    tensor::Extract::build(b, tensor, indices)
}

/// `then` where the condition holds, else `otherwise`; only the one that is needed is evaluated.
pub fn if_then_else(
    b: &Builder,
    condition: Value,
    then: impl FnOnce(&Builder) -> Value,
    otherwise: impl FnOnce(&Builder) -> Value,
) -> Value {
    if_then_else_all(b, condition, |b| vec![then(b)], |b| vec![otherwise(b)])[0]
}

/// As [`if_then_else`], of several values.
pub fn if_then_else_all(
    b: &Builder,
    condition: Value,
    then: impl FnOnce(&Builder) -> Vec<Value>,
    otherwise: impl FnOnce(&Builder) -> Vec<Value>,
) -> Vec<Value> {
    let (yes, types) = branch(b, then);
    let (no, _) = branch(b, otherwise);
    scf::If::build(b, &types, condition, yes, Some(no)).results()
}

/// A block that yields some values, and their types.
fn branch(b: &Builder, values: impl FnOnce(&Builder) -> Vec<Value>) -> (Block, Vec<Type>) {
    let block = Block::new(b.ctx, &[]);
    let inside = Builder::at_end(block, b.loc, b.ctx);
    let values = values(&inside);
    scf::Yield::build(&inside, &values);
    (block, values.into_iter().map(Value::ty).collect())
}

/// When `te.prefetch` asks for what an iteration reads or writes, and into which cache.
#[derive(Clone, Copy)]
pub struct Prefetch {
    offset: i64,
    every: i64,
    cache: Cache,
    over: Option<Value>,
}

impl Prefetch {
    /// So many iterations before, at once, into the first cache.
    pub fn ahead(offset: i64) -> Self {
        Self {
            offset,
            every: 1,
            cache: Cache::First,
            over: None,
        }
    }

    /// Into another cache.
    pub fn into(self, cache: Cache) -> Self {
        Self { cache, ..self }
    }

    /// Evenly over the iterations of all loops inside, down to `over`.
    pub fn spread(self, over: Value) -> Self {
        let over = Some(over);
        Self { over, ..self }
    }

    /// Shared by `every` iterations that read the same.
    pub fn shared(self, every: i64) -> Self {
        Self { every, ..self }
    }
}

/// Writes a `te.schedule` at the end of a function.
pub struct ScheduleBuilder {
    b: Builder,
}

impl ScheduleBuilder {
    /// A schedule before the op that `b` stands before: the function's return.
    pub fn new(b: &Builder) -> Self {
        let block = Block::new(b.ctx, &[]);
        ops::Schedule::build(b, block);
        Self {
            b: Builder::at_end(block, b.loc, b.ctx),
        }
    }

    /// The stage that computes a tensor.
    pub fn stage(&self, tensor: Value) -> Value {
        ops::Stage::build(&self.b, tensor)
    }

    /// The stage's axes: `count` of them, data axes first.
    pub fn axes(&self, stage: Value, count: usize) -> Vec<Value> {
        let handle = Type::parse(self.b.ctx, "!te.axis").expect("the te dialect is loaded");
        ops::Axes::build(&self.b, &vec![handle; count], stage).results()
    }

    /// Splits by the inner extent; returns the outer and the inner axis.
    pub fn split(&self, axis: Value, factor: i64) -> (Value, Value) {
        self.split_with(axis, factor, false)
    }

    /// As [`Self::split`]; where the inner extent does not divide the axis, the last part begins earlier, also where
    /// threads share the parts. The stage does not reduce.
    pub fn split_inwards(&self, axis: Value, factor: i64) -> (Value, Value) {
        self.split_with(axis, factor, true)
    }

    fn split_with(&self, axis: Value, factor: i64, shift_inwards: bool) -> (Value, Value) {
        let parts = ops::Split::build_with(&self.b, axis, Some(factor), None, shift_inwards, false);
        (parts.result(0), parts.result(1))
    }

    /// Fuses neighbours, outermost first, into one axis.
    pub fn fuse(&self, axes: &[Value]) -> Value {
        ops::Fuse::build(&self.b, axes)
    }

    /// Puts axes into this order.
    pub fn reorder(&self, axes: &[Value]) {
        ops::Reorder::build(&self.b, axes);
    }

    /// Runs an axis as vector instructions.
    pub fn vectorize(&self, axis: Value) {
        ops::Vectorize::build(&self.b, axis);
    }

    /// Shares an axis among threads.
    pub fn parallel(&self, axis: Value) {
        ops::Parallel::build(&self.b, axis);
    }

    /// Repeats an axis' body.
    pub fn unroll(&self, axis: Value) {
        ops::Unroll::build(&self.b, axis);
    }

    /// Computes `stage` inside the loop `axis` of `parent`.
    pub fn compute_at(&self, stage: Value, parent: Value, axis: Value) {
        ops::ComputeAt::build(&self.b, stage, parent, axis);
    }

    /// Substitutes a stage into its consumers.
    pub fn compute_inline(&self, stage: Value) {
        ops::ComputeInline::build(&self.b, stage);
    }

    /// Substitutes a stage that is zero where a condition does not hold into sums of products, which the condition guards.
    pub fn inline_guarding(&self, stage: Value) {
        ops::ComputeInline::build_with(&self.b, stage, true);
    }

    /// Leaves out iterations of an axis in which all elements of a reduction are its identity.
    pub fn skip(&self, stage: Value, axis: Value) {
        ops::Skip::build(&self.b, stage, axis);
    }

    /// Computes into `scope`, then copies out; returns the computing stage.
    pub fn cache_write(&self, stage: Value, scope: Scope) -> Value {
        ops::CacheWrite::build(&self.b, stage, scope)
    }

    /// Copies a tensor into `scope` for some of its readers; returns the copying stage.
    pub fn cache_read(&self, tensor: Value, readers: &[Value], scope: Scope) -> Value {
        ops::CacheRead::build(&self.b, tensor, readers, scope)
    }

    /// Makes the reduce axis dimension `factor_axis` of partial results; returns their stage.
    pub fn rfactor(&self, stage: Value, axis: Value, factor_axis: i64) -> Value {
        ops::Rfactor::build_with(&self.b, stage, axis, Some(factor_axis))
    }

    /// Lays a stage's buffer out by an affine map attribute.
    pub fn transform_layout(&self, stage: Value, map: Attr) {
        ops::TransformLayout::build(&self.b, stage, map);
    }

    /// Makes the stride of a dimension leave `offset` when divided by `factor`.
    pub fn storage_align(&self, stage: Value, axis: Value, factor: i64, offset: i64) {
        ops::StorageAlign::build(&self.b, stage, axis, factor, offset);
    }

    /// The stages that `output` is computed from, up to `inputs`, and itself.
    pub fn create_group(&self, output: Value, inputs: &[Value], include_inputs: bool) -> Value {
        ops::CreateGroup::build_with(&self.b, output, inputs, include_inputs)
    }

    /// Computes a stage one iteration ahead.
    pub fn double_buffer(&self, stage: Value) {
        ops::DoubleBuffer::build(&self.b, stage);
    }

    /// Keeps what the next iteration needs of a stage again.
    pub fn rolling_buffer(&self, stage: Value) {
        ops::RollingBuffer::build(&self.b, stage);
    }

    /// Asks for what the loop of `axis` reads or writes of a tensor some iterations later.
    pub fn prefetch(&self, tensor: Value, axis: Value, when: Prefetch) {
        let cache = (when.cache != Cache::First).then_some(when.cache);
        let every = (when.every != 1).then_some(when.every);
        ops::Prefetch::build_with(&self.b, tensor, axis, when.over, cache, when.offset, every);
    }

    /// Binds an axis to one of a grid of threads, such as `blockIdx.x`.
    pub fn bind(&self, axis: Value, thread: Thread) {
        ops::Bind::build(&self.b, axis, thread);
    }

    /// Tells the passes on loops what to do with an axis; `te.pragma` lists the names.
    pub fn pragma(&self, axis: Value, pragma: Pragma, value: i64) {
        ops::Pragma::build(&self.b, axis, pragma, value);
    }

    /// Has the intrinsic of that name do the loops from an axis inwards.
    pub fn tensorize(&self, axis: Value, intrin: &str) {
        ops::Tensorize::build(&self.b, axis, intrin);
    }

    /// Says where a stage's buffer lies.
    pub fn set_scope(&self, stage: Value, scope: Scope) {
        ops::SetScope::build(&self.b, stage, scope);
    }
}
