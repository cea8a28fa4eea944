//! `outline-grids`: a grid of threads becomes a function of one thread.

use super::{bound_loops, branch};
use crate::{
    analysis::is_inside,
    copying::remap,
    outlining::{captures, in_place, note_symbols, write_copied},
};
use relay_dialects::{
    attrs, index,
    ir::{Attr, Builder, Op, Type, Value},
    ops::{builtin, func, gpu},
    pass::{Options, PassResult, PassSpec, fail},
    tir::{self, Bound, For, KernelKind, LoopKind, Thread},
};
use std::collections::HashMap;

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "outline-grids",
    summary: "Move the body of each grid of threads into a function of one thread",
    description: include_str!("outline_grids.md"),
    anchor: builtin::Module::NAME,
    options: &[],
    run,
};

/// The axes of a launch, in the order of its operands.
const AXES: [Thread; 6] = Thread::AXES;

fn run(module: Op, _options: &Options) -> PassResult {
    let kernels = module.functions().into_iter();
    for func in kernels.filter(|func| KernelKind::Generated.is_of(*func)) {
        let ops = func.body().ops().into_iter();
        for (count, grid) in ops.filter_map(For::of).enumerate() {
            let name = format!("{}_grid_{count}", func.symbol().unwrap_or_default());
            outline(func, grid, &name)?;
        }
    }
    Ok(())
}

/// Moves a grid of `func` into a function of its own, and calls that.
fn outline(func: Op, grid: For, name: &str) -> PassResult {
    let op = grid.op();
    let captured = captures(op);
    let is_passed = |value: &&Value| value.ty().is_memref() || value.ty().is_index();
    if let Some(value) = captured.iter().find(|value| !is_passed(value)) {
        let ty = value.ty();
        return fail(
            op,
            format!("is a grid and uses a value of type {ty} from outside"),
        );
    }
    let mut extents = [Bound::Static(1); AXES.len()];
    for (axis, extent) in AXES.iter().zip(&mut extents) {
        if let Some(found) = extent_of(grid, *axis).or_else(|reason| fail(op, reason))? {
            *extent = found;
        }
    }
    write_function(func, grid, name, &captured, &extents);
    let call = Builder::before(op);
    let extents = extents.iter().map(|extent| extent.value(&call));
    let operands: Vec<Value> = extents.chain(captured).collect();
    call.call(name, &operands, &[]);
    op.erase();
    Ok(())
}

/// The extent of a grid's axis: the longest of the loops that are bound to it; none if no loop is.
///
/// # Errors
/// If two loops have extents that cannot be compared, or an extent is computed inside of the grid.
fn extent_of(grid: For, axis: Thread) -> Result<Option<Bound>, String> {
    let loops = bound_loops(grid.op()).into_iter();
    let mut found: Option<Bound> = None;
    for bound in loops.filter(|bound| bound.thread() == Some(axis)) {
        let is_known = |extent: &Bound| match extent {
            Bound::Static(_) => true,
            Bound::Dynamic(value) => !is_inside(*value, grid.op()),
        };
        let Some(extent) = extent(bound).filter(is_known) else {
            return Err(format!(
                "has a loop of {} whose extent is not known before the launch",
                axis.keyword()
            ));
        };
        found = match (found, extent) {
            (None, extent) => Some(extent),
            (Some(Bound::Static(one)), Bound::Static(other)) => Some(Bound::Static(one.max(other))),
            (Some(known), extent) if known == extent => Some(known),
            _ => {
                let axis = axis.keyword();
                return Err(format!(
                    "has loops of {axis} whose extents cannot be compared"
                ));
            }
        };
    }
    Ok(found)
}

/// The iterations of a bound loop: its upper bound where it starts at 0 and the bound is known before the launch.
fn extent(bound: For) -> Option<Bound> {
    match bound.bounds() {
        (Bound::Static(0), Bound::Dynamic(value)) => Some(Bound::Dynamic(value)),
        _ => bound.extent().map(Bound::Static),
    }
}

/// The function of one thread of a grid, and of what the grid uses from outside.
fn write_function(func: Op, grid: For, name: &str, captured: &[Value], extents: &[Bound]) {
    let op = grid.op();
    let index_type = Type::index(op.ctx());
    let captured_types = captured.iter().map(|value| value.ty());
    let types: Vec<Type> = [index_type; AXES.len()]
        .into_iter()
        .chain(captured_types)
        .collect();
    let marks = [
        ("sym_visibility", Attr::str(op.ctx(), "private")),
        (attrs::DEVICE_FUNCTION, Attr::unit(op.ctx())),
    ];
    let before = Builder::before(func).with_loc(op.loc());
    let outlined = before.func(name, &types, &[], &marks);
    note_symbols(func, outlined, AXES.len(), captured);
    tir::set_in_place(outlined, &in_place(func, AXES.len(), captured));
    let arguments = outlined.body().args();
    let b = Builder::at_end(outlined.body(), op.loc(), op.ctx());
    let inside = arguments[AXES.len()..].iter().copied();
    let mut map: HashMap<Value, Value> = captured.iter().copied().zip(inside).collect();
    write_copied(&b, op, &mut map);
    let used: Vec<Option<Thread>> = bound_loops(grid.op())
        .into_iter()
        .map(For::thread)
        .collect();
    let ids: [Option<Value>; AXES.len()] = std::array::from_fn(|place| {
        let is_used = used.contains(&Some(AXES[place]));
        is_used.then(|| id(&b, AXES[place], extents[place].constant()))
    });
    // The copy of the grid is a step of a block that the function has for a moment.
    let around = For::serial(&b, 0, 1);
    let copy = around.inside(&b).insert(op.clone_detached());
    remap(copy, &map);
    for bound in For::all(around.op()) {
        let Some(axis) = bound.thread() else { continue };
        let place = AXES.iter().position(|known| *known == axis);
        match place.and_then(|place| Some((place, ids[place]?))) {
            Some((place, id)) => bind(bound, id, extents[place]),
            None => bound.set_kind(LoopKind::Serial),
        }
    }
    for inner in around.body().ops() {
        inner.move_before(around.op());
    }
    around.op().erase();
    func::Return::build(&b, &[]);
}

/// The number of this thread, or of its block, along an axis of so many.
fn id(b: &Builder, axis: Thread, extent: Option<i64>) -> Value {
    use gpu::Dimension::{X, Y, Z};
    let extent = extent.filter(|extent| *extent > 0);
    match axis {
        Thread::BlockX => gpu::BlockId::build_with(b, X, extent),
        Thread::BlockY => gpu::BlockId::build_with(b, Y, extent),
        Thread::BlockZ => gpu::BlockId::build_with(b, Z, extent),
        Thread::ThreadX => gpu::ThreadId::build_with(b, X, extent),
        Thread::ThreadY => gpu::ThreadId::build_with(b, Y, extent),
        Thread::ThreadZ | Thread::Virtual => gpu::ThreadId::build_with(b, Z, extent),
    }
}

/// Replaces a bound loop by the iteration of this thread. Where the loop has fewer iterations than there are threads, the others skip it. Loops
/// whose extent is known at run time only have as many: see [`extent_of`].
fn bind(bound: For, id: Value, extent: Bound) {
    let op = bound.op();
    let b = Builder::before(op);
    let (lower, upper) = bound.bounds();
    let iteration = index::add(&b, id, lower.value(&b));
    bound.variable().replace_all_uses_with(iteration);
    let has_fewer = matches!(extent, Bound::Static(threads) if bound.extent() != Some(threads));
    let place = match has_fewer {
        true => branch(&b, index::less(&b, iteration, upper.value(&b))),
        false => op,
    };
    for inner in bound.body().ops() {
        inner.move_before(place);
    }
    op.erase();
}
