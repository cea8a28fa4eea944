//! Loops that an intrinsic does.
//!
//! The stage's expression is written once into scratch loops, and the intrinsic's description beside
//! it; if the two are the same, what the loops outside add to the stage's subscripts is where the
//! intrinsic's operands start.

use super::{
    Lowering, Nest, load,
    region::{rematerialize, varies_inside},
};
use crate::te::lower_te::schedule::{Attach, Illegal, Tensorize};
use relay_dialects::index;
use relay_dialects::ir::{Attr, Block, Builder, Op, Point, Type, Value};
use relay_dialects::ops::{amx, memref, tensor, vector};
use relay_dialects::te::{Compute, Reducer};
use relay_dialects::tir::For;
use relay_loops::analysis::linear::{Linear, linear};
use relay_loops::copying::remap;
use std::collections::HashMap;

/// Where an operand of the intrinsic lies: a buffer, the first subscript in each of its dimensions,
/// and the dimension that each of the operand's runs along, with the distance of neighbours in it.
struct Window {
    buffer: Value,
    start: Vec<Value>,
    /// The first subscripts as forms of values of the scratch loops.
    origin: Vec<Linear>,
    runs: Vec<(usize, i64)>,
}

/// On an intrinsic: it is all of a reduction, and sets the result.
const WHOLE: &str = "whole";

impl Lowering<'_> {
    /// Writes the intrinsic in place of the loops from `position` inwards.
    pub(super) fn tensorize(
        &mut self,
        b: &Builder,
        nest: &mut Nest,
        position: usize,
        tensorize: &Tensorize,
    ) -> Result<(), Illegal> {
        let illegal = |reason: String| Illegal {
            op: tensorize.op,
            reason,
        };
        let is_whole = tensorize.intrin.has_attr(WHOLE);
        let reduces = !self.schedule.stages[nest.stage].reduce_extents.is_empty();
        if is_whole && reduces && nest.initialized {
            let reason = "the intrinsic is a whole reduction, and a loop of the stage's is outside";
            return Err(illegal(reason.into()));
        }
        if !is_whole && !nest.initialized {
            self.initialize(b, nest, position)?;
        }
        nest.initialized = true;
        let compute = tensorize.description().map_err(illegal)?;
        self.check_loops(nest, position, compute).map_err(illegal)?;

        // The loops, to be thrown away.
        let variables = nest.variables.clone();
        let leaf = &self.schedule.stages[nest.stage].leaf[position..];
        let scratch = For::serial(b, 0, 1);
        let mut inside = scratch.inside(b);
        let scratch = scratch.op();
        for axis in leaf {
            inside = self.open_loop(&inside, nest, *axis);
        }
        let windows = self.windows(b, &inside, nest, position, compute, scratch);
        nest.variables = variables;
        let windows = windows.map_err(illegal);
        scratch.erase();
        write(b, tensorize.intrin, &windows?).map_err(illegal)
    }

    /// Whether the loops from `position` inwards are those of a compute.
    fn check_loops(&self, nest: &Nest, position: usize, compute: Compute) -> Result<(), String> {
        let stage = &self.schedule.stages[nest.stage];
        let leaf = &stage.leaf[position..];
        let is_here = |axis| Attach::At {
            parent: nest.stage,
            axis,
        };
        let stages = &self.schedule.stages;
        if leaf
            .iter()
            .any(|axis| stages.iter().any(|stage| stage.attach == is_here(*axis)))
        {
            return Err("a stage is computed in the loops".into());
        }
        let stage_loops: Vec<(i64, bool)> = leaf
            .iter()
            .map(|axis| {
                (
                    nest.extents[axis].to_mlir(),
                    self.schedule.axes[*axis].reduce,
                )
            })
            .collect();
        let described = described_loops(compute);
        if stage_loops != described {
            return Err(format!(
                "the loops are {}, those of the intrinsic {}",
                show(&stage_loops),
                show(&described)
            ));
        }
        let own = stage.compute().filter(|_| !stage.reduce_extents.is_empty());
        let (own, described) = (own.and_then(Compute::reducer), compute.reducer());
        if own != described || own == Some(Reducer::Custom) {
            let name = |reducer: Option<Reducer>| reducer.map_or("", Reducer::keyword);
            return Err(format!(
                "the stage reduces by '{}', the intrinsic by '{}'",
                name(own),
                name(described)
            ));
        }
        Ok(())
    }

    /// Where the intrinsic's operands, and last its result, lie.
    fn windows(
        &mut self,
        b: &Builder,
        inside: &Builder,
        nest: &Nest,
        position: usize,
        compute: Compute,
        scratch: Op,
    ) -> Result<Vec<Window>, String> {
        let stage = &self.schedule.stages[nest.stage];
        let (guarded, indices, local) = self.enter_point(inside, nest, true);
        if block_of(&guarded) != block_of(inside) {
            return Err("an imperfect split needs a condition inside the loops".into());
        }
        let realized = self.realized[&nest.stage].clone();
        if realized.buffers.len() != 1 {
            return Err("the stage has several results".into());
        }
        let reduce: Vec<Value> = stage
            .reduce
            .iter()
            .map(|axis| self.root_value(inside, nest, *axis, &mut super::Guards::default()))
            .collect();
        let value = self.evaluate(inside, nest.stage, &indices, &reduce)?[0];
        let subscripts = realized.subscripts(inside, &indices, local);
        let result = load(inside, realized.buffers[0], &subscripts);

        let compute = compute.op();
        let loops: Vec<Value> = stage.leaf[position..]
            .iter()
            .map(|axis| nest.variables[axis])
            .collect();
        let mut matching = Matching {
            b: *b,
            scratch,
            axes: compute.body().args().into_iter().zip(loops).collect(),
            windows: HashMap::new(),
        };
        let described = compute.body().terminator().map(|end| end.operand(0));
        matching.same(value, described.ok_or("the description yields nothing")?)?;
        let operands = compute.block().map(Block::args).unwrap_or_default();
        let mut windows = Vec::new();
        for operand in operands {
            let window = matching.windows.remove(&operand);
            windows.push(window.ok_or("the description does not read one of its operands")?);
        }
        let rank = compute.result(0).ty().shape().len();
        let axes = &compute.body().args()[..rank];
        windows.push(matching.window(result, axes)?);
        Ok(windows)
    }
}

impl Tensorize {
    /// The `te.compute` that describes the intrinsic.
    fn description(&self) -> Result<Compute, String> {
        let block = self.intrin.body();
        let mut computes = block.ops().into_iter().filter_map(Compute::of);
        match (computes.next(), computes.next()) {
            (Some(compute), None) if compute.op().result_count() == 1 => Ok(compute),
            _ => Err("the intrinsic's description is not one te.compute with one result".into()),
        }
    }
}

fn described_loops(compute: Compute) -> Vec<(i64, bool)> {
    let data = compute.shape().into_iter();
    let reduce = compute.reduce_extents().into_iter();
    data.map(|extent| (extent, false))
        .chain(reduce.map(|extent| (extent, true)))
        .collect()
}

fn show(loops: &[(i64, bool)]) -> String {
    let loops: Vec<String> = loops
        .iter()
        .map(|(extent, reduce)| format!("{extent}{}", if *reduce { " (reduce)" } else { "" }))
        .collect();
    format!("[{}]", loops.join(", "))
}

/// Compares a stage's expression with a description.
struct Matching {
    b: Builder,
    scratch: Op,
    /// The loop variable for each axis of the description.
    axes: HashMap<Value, Value>,
    windows: HashMap<Value, Window>,
}

impl Matching {
    /// Whether two values are the same expression; notes where operands lie.
    fn same(&mut self, value: Value, described: Value) -> Result<(), String> {
        if self.axes.get(&described) == Some(&value) {
            return Ok(());
        }
        let (Some(op), Some(other)) = (value.def(), described.def()) else {
            return Err("the stage's expression is not the intrinsic's".into());
        };
        if op.is(memref::Load::NAME) && other.is(tensor::Extract::NAME) {
            let window = self.window(value, &other.operands()[1..])?;
            return match self.windows.get(&other.operand(0)) {
                Some(known) if !known.is_same(&window) => Err(
                    "the description reads an operand twice, and the stage reads two tensors there, or other places".into(),
                ),
                Some(_) => Ok(()),
                None => {
                    self.windows.insert(other.operand(0), window);
                    Ok(())
                }
            };
        }
        let is_same = op.name() == other.name()
            && op.attrs() == other.attrs()
            && op.operand_count() == other.operand_count()
            && value.number() == described.number()
            && value.ty() == described.ty()
            && op.regions().is_empty();
        if !is_same {
            return Err(format!(
                "the stage's expression has {} where the intrinsic's has {}",
                op.name(),
                other.name()
            ));
        }
        let operands = op.operands().into_iter().zip(other.operands());
        operands
            .into_iter()
            .try_for_each(|(mine, theirs)| self.same(mine, theirs))
    }

    /// The window that a load reads, when an operand is read at these subscripts.
    fn window(&self, value: Value, described: &[Value]) -> Result<Window, String> {
        let access = value.def().ok_or("a value without an op")?;
        let (buffer, subscripts) = (access.operand(0), &access.operands()[1..]);
        let wrong = || "the stage's subscripts are not the intrinsic's".to_string();
        let (mut start, mut origin) = (Vec::new(), Vec::new());
        let mut runs: Vec<(usize, i64)> = Vec::new();
        for (dimension, subscript) in subscripts.iter().enumerate() {
            let form = linear(*subscript);
            let (mut inner, outer): (Vec<_>, Vec<_>) = form
                .terms
                .iter()
                .copied()
                .partition(|(term, _)| varies_inside(*term, self.scratch));
            let mut constant = form.constant;
            while !inner.is_empty() {
                let wanted = linear(*described.get(runs.len()).ok_or_else(wrong)?);
                let distance = self.take(&mut inner, &wanted).ok_or_else(wrong)?;
                // Neighbours in the last part are neighbours in the buffer.
                if inner.is_empty() && distance != 1 {
                    return Err(wrong());
                }
                constant -= distance * wanted.constant;
                runs.push((dimension, distance));
            }
            let mut first = self.b.index(constant);
            for (term, factor) in &outer {
                let term = rematerialize(&self.b, self.scratch, *term);
                first = index::add(&self.b, first, index::scale(&self.b, term, *factor));
            }
            start.push(first);
            origin.push(Linear {
                constant,
                terms: outer,
            });
        }
        if runs.len() != described.len() {
            return Err(wrong());
        }
        Ok(Window {
            buffer,
            start,
            origin,
            runs,
        })
    }

    /// Takes the terms of a described subscript, times a factor, out of those of a stage's; the factor.
    fn take(&self, terms: &mut Vec<(Value, i64)>, wanted: &Linear) -> Option<i64> {
        let mut found = Vec::new();
        for (axis, by) in &wanted.terms {
            let variable = self.axes.get(axis)?;
            let at = terms.iter().position(|(term, _)| term == variable)?;
            let (_, times) = terms.remove(at);
            if times % by != 0 {
                return None;
            }
            found.push(times / by);
        }
        let factor = *found.first()?;
        let is_multiple = found.iter().all(|other| *other == factor);
        is_multiple.then_some(factor)
    }
}

/// Copies the implementation, with its parameters in their windows.
fn write(b: &Builder, intrin: Op, windows: &[Window]) -> Result<(), String> {
    let body = intrin
        .block_in(1)
        .ok_or("the intrinsic has no implementation")?;
    let windows: HashMap<Value, &Window> = body.args().into_iter().zip(windows).collect();
    check_uses(&windows)?;
    let mut map = HashMap::new();
    for op in body.ops() {
        let copy = b.insert(op.clone_detached());
        remap(copy, &map);
        map.extend(op.results().into_iter().zip(copy.results()));
        copy.walk(|inner| move_access(inner, &windows));
    }
    Ok(())
}

/// Whether the parameters are only loaded from and stored to, vectors and tiles along what is contiguous.
fn check_uses(windows: &HashMap<Value, &Window>) -> Result<(), String> {
    for (parameter, window) in windows {
        for (user, operand) in parameter.uses() {
            let name = user.name();
            if place(&name) != Some(operand) {
                return Err(format!("the implementation uses {name} on an operand"));
            }
            if name.starts_with(vector::PREFIX) && !window.ends_contiguous(1) {
                return Err("the implementation takes vectors along what is not contiguous".into());
            }
            if name.starts_with(amx::PREFIX) && !window.holds_amx_tile(parameter.ty(), user) {
                return Err("the implementation takes tiles of rows that lie otherwise".into());
            }
        }
    }
    Ok(())
}

impl Window {
    /// Whether two reads of an operand find it at one place.
    fn is_same(&self, other: &Self) -> bool {
        let origins = self.origin.iter().zip(&other.origin);
        let mut differences = origins.map(|(mine, theirs)| mine.clone().plus(theirs, -1));
        self.buffer == other.buffer
            && self.runs == other.runs
            && differences.all(|difference| difference == Linear::default())
    }

    /// Whether the operand's last `count` dimensions are the buffer's.
    fn ends_contiguous(&self, count: usize) -> bool {
        let last = |length: usize| length.saturating_sub(count)..length;
        let own = self.runs.get(last(self.runs.len())).unwrap_or_default();
        let wanted = last(self.start.len()).map(|dimension| (dimension, 1));
        own.len() == count && own.iter().copied().eq(wanted)
    }

    /// Whether a tile that is loaded or stored at an operand is one of the buffer: its rows lie along the last
    /// dimensions but one of both, or at a distance in dimensions in which neighbours are as far apart in both.
    fn holds_amx_tile(&self, operand: Type, access: Op) -> bool {
        if !has_stride(access) {
            return self.ends_contiguous(2);
        }
        let of_buffer = index::strides(&self.buffer.ty().shape());
        let here = self
            .runs
            .iter()
            .map(|(dimension, by)| of_buffer[*dimension].saturating_mul(*by));
        let reach = reach(access);
        // What is further apart than a tile reaches, it does not run along.
        here.zip(index::strides(&operand.shape()))
            .all(|(here, there)| here == there || there >= reach)
    }
}

/// How many elements lie from the first to the last of a tile whose rows have a distance.
fn reach(access: Op) -> i64 {
    let operands = access.operands();
    let tile = match (&operands[..], access.results().first()) {
        (_, Some(loaded)) => loaded.ty(),
        ([.., stored, _], None) => stored.ty(),
        _ => return i64::MAX,
    };
    let distance = operands.last().copied().and_then(index::constant);
    match (&tile.shape()[..], distance) {
        ([rows, columns], Some(distance)) => {
            distance.saturating_mul(rows - 1).saturating_add(*columns)
        }
        _ => i64::MAX,
    }
}

/// Whether an access to a tile says how far apart the tile's rows are.
fn has_stride(op: Op) -> bool {
    let operands = op.operands();
    let indices = operands
        .iter()
        .filter(|value| value.ty().is_index())
        .count();
    indices > operands[0].ty().shape().len()
}

/// Which operand of an access is its buffer.
fn place(name: &str) -> Option<usize> {
    match name {
        memref::Load::NAME
        | memref::Prefetch::NAME
        | vector::Load::NAME
        | amx::TileLoad::NAME
        | amx::TileStore::NAME => Some(0),
        memref::Store::NAME | vector::Store::NAME => Some(1),
        _ => None,
    }
}

fn move_access(op: Op, windows: &HashMap<Value, &Window>) {
    let Some(place) = place(&op.name()) else {
        return;
    };
    let Some(window) = windows.get(&op.operand(place)) else {
        return;
    };
    let b = Builder::before(op);
    let mut operands = op.operands();
    let mut subscripts = operands.split_off(place + 1);
    let rest = subscripts.split_off(window.runs.len());
    operands[place] = window.buffer;
    let mut at = window.start.clone();
    for ((dimension, distance), subscript) in window.runs.iter().zip(subscripts) {
        let distance = index::scale(&b, subscript, *distance);
        at[*dimension] = index::add(&b, at[*dimension], distance);
    }
    operands.extend(&at);
    operands.extend(&rest);
    op.set_operands(&operands);
    if op.name().starts_with(amx::PREFIX) {
        // Of a load the buffer, subscripts and the stride, of a store the tile before that.
        let (indices, stride) = (at.len() as i32, i32::from(has_stride(op)));
        let segments = match op.is(amx::TileStore::NAME) {
            true => &[1, indices, 1, stride][..],
            false => &[1, indices, stride],
        };
        op.set_attr("operandSegmentSizes", Attr::short_ints(b.ctx, segments));
    }
}

/// The block that a builder writes to.
pub(super) fn block_of(b: &Builder) -> Option<Block> {
    match b.point {
        Point::End(block) => Some(block),
        Point::Before(op) => op.block(),
    }
}
