//! `partition-graph`: functions for external code generators.

use crate::graph::{
    external::{declare, mark_constants, part},
    operators::{constant, functions},
};
use relay_dialects::{
    attrs::{COMPOSITE, REGION, TARGET},
    inferred,
    ir::{Attr, Block, Builder, Loc, Op, Type, Value},
    ops::{builtin, func},
    pass::{Options, PassResult, PassSpec, fail},
};
use std::collections::{HashMap, HashSet};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "partition-graph",
    summary: "move regions into functions for external code generators",
    description: include_str!("partition_graph.md"),
    anchor: builtin::Module::NAME,
    options: &[],
    run,
};

fn run(module: Op, _options: &Options) -> PassResult {
    inferred::check(module)?;
    let mut parts = Parts::default();
    for function in functions(module) {
        if function.has_attr(COMPOSITE) {
            continue;
        }
        let name = function.symbol().unwrap_or_default();
        for region in regions(function) {
            parts.outline(module, &region, &name)?;
        }
    }
    Ok(())
}

/// Operators that become one function.
struct Region {
    target: String,
    /// In textual order.
    ops: Vec<Op>,
}

/// The regions of a function, by their first ops.
fn regions(function: Op) -> Vec<Region> {
    let mut regions: Vec<Region> = Vec::new();
    let mut known: HashMap<(String, i64), usize> = HashMap::new();
    function.walk(|op| {
        let Some(target) = op.attr(TARGET).and_then(Attr::as_str) else {
            return;
        };
        let number = op.attr(REGION).and_then(Attr::as_i64);
        let place = number.map(|number| {
            let next = regions.len();
            *known.entry((target.clone(), number)).or_insert(next)
        });
        match place.and_then(|place| regions.get_mut(place)) {
            Some(region) => region.ops.push(op),
            None => regions.push(Region {
                target,
                ops: vec![op],
            }),
        }
    });
    regions
}

/// The modules of the targets.
#[derive(Default)]
struct Parts {
    modules: HashMap<String, Op>,
}

impl Parts {
    /// Moves a region into a function of its target's module, and calls that.
    fn outline(&mut self, module: Op, region: &Region, around: &str) -> PassResult {
        let (Some(&first), Some(&last)) = (region.ops.first(), region.ops.last()) else {
            return Ok(());
        };
        if region.ops.iter().any(|op| op.block() != first.block()) {
            return fail(last, "is in another block than an operator of its region");
        }
        move_readers_behind(&region.ops, last)?;
        let edges = Edges::of(&region.ops);
        let part = *(self.modules.entry(region.target.clone()))
            .or_insert_with(|| part(module, &region.target));
        let name = fresh_name([module, part], &format!("{}_{around}", region.target));
        let types = |values: &[Value]| values.iter().map(|value| value.ty()).collect::<Vec<Type>>();
        let (inputs, outputs) = (types(&edges.inputs), types(&edges.outputs));
        let location = Loc::fused(
            module.ctx(),
            &region.ops.iter().map(|op| op.loc()).collect::<Vec<_>>(),
        );
        let before = Builder::before(first.ancestor(func::Func::NAME).unwrap_or(first));
        declare(&before.with_loc(location), &name, &inputs, &outputs);
        let call = Builder::before(last)
            .with_loc(location)
            .call(&name, &edges.inputs, &outputs);
        let body = part.body();
        let function =
            Builder::at_end(body, location, module.ctx()).func(&name, &inputs, &outputs, &[]);
        mark_constants(function, &edges.inputs);
        fill(function.body(), region, &edges, location);
        for (output, called) in edges.outputs.iter().zip(call.results()) {
            for (user, index) in output.uses() {
                if user.ancestor(func::Func::NAME) != Some(function) {
                    user.set_operand(index, called);
                }
            }
        }
        take_composites(module, body, &region.ops);
        Ok(())
    }
}

/// Moves what stands between the ops of a region and reads their results behind the last of them.
fn move_readers_behind(ops: &[Op], last: Op) -> PassResult {
    let members: HashSet<Op> = ops.iter().copied().collect();
    let mut behind: HashSet<Op> = HashSet::new();
    let mut moved = Vec::new();
    let mut next = ops.first().copied();
    while let Some(op) = next.filter(|op| *op != last) {
        next = op.next();
        if reads(op, |def| {
            (members.contains(&def) && !members.contains(&op)) || behind.contains(&def)
        }) {
            if members.contains(&op) {
                return cyclic(op);
            }
            behind.insert(op);
            moved.push(op);
        }
    }
    if reads(last, |def| behind.contains(&def)) {
        return cyclic(last);
    }
    for op in moved.into_iter().rev() {
        op.move_after(last);
    }
    Ok(())
}

fn cyclic(op: Op) -> PassResult {
    fail(
        op,
        "reads what waits for its own region, which cannot be one function: merge-compiler-regions makes regions that can",
    )
}

/// Whether an op, or something inside it, reads a result of an op for which `wanted` holds.
fn reads(op: Op, wanted: impl Fn(Op) -> bool) -> bool {
    let found = op.find(|inner| {
        let mut defs = inner.operands().into_iter().filter_map(Value::def);
        defs.any(&wanted)
    });
    found.is_some()
}

/// What a region reads and gives.
struct Edges {
    inputs: Vec<Value>,
    outputs: Vec<Value>,
    /// Constants of one element, which go into the function.
    scalars: Vec<Value>,
}

impl Edges {
    fn of(ops: &[Op]) -> Self {
        let members: HashSet<Op> = ops.iter().copied().collect();
        let mut edges = Self {
            inputs: Vec::new(),
            outputs: Vec::new(),
            scalars: Vec::new(),
        };
        for value in ops.iter().flat_map(|op| op.operands()) {
            let is_inside = value.def().is_some_and(|def| members.contains(&def));
            let is_scalar = constant(value).is_some() && value.ty().count() == 1;
            let list = match is_scalar {
                true => &mut edges.scalars,
                false => &mut edges.inputs,
            };
            if !is_inside && !list.contains(&value) {
                list.push(value);
            }
        }
        let results = ops.iter().flat_map(|op| op.results());
        let is_read = |value: &Value| value.users().iter().any(|user| !members.contains(user));
        edges.outputs = results.filter(is_read).collect();
        edges
    }
}

/// Moves a region's ops into a function's body.
fn fill(body: Block, region: &Region, edges: &Edges, location: Loc) {
    let Some(first) = region.ops.first() else {
        return;
    };
    let inside = Builder::at_end(body, location, first.ctx());
    let mut known: HashMap<Value, Value> = edges.inputs.iter().copied().zip(body.args()).collect();
    for scalar in &edges.scalars {
        if let Some(op) = scalar.def() {
            known.insert(*scalar, inside.insert(op.clone_detached()).result(0));
        }
    }
    for op in &region.ops {
        op.detach();
        op.remove_attr(TARGET);
        op.remove_attr(REGION);
        inside.insert(*op);
        for (index, value) in op.operands().into_iter().enumerate() {
            if let Some(inner) = known.get(&value) {
                op.set_operand(index, *inner);
            }
        }
    }
    func::Return::build(&inside, &edges.outputs);
    for scalar in edges.scalars.iter().filter(|value| !value.is_used()) {
        if let Some(op) = scalar.def() {
            op.erase();
        }
    }
}

/// Moves the composite functions that ops call into their module, each before the function that calls it.
fn take_composites(module: Op, body: Block, ops: &[Op]) {
    for op in ops.iter().filter(|op| op.is(func::Call::NAME)) {
        let callee = op.attr("callee").and_then(Attr::as_symbol);
        let composite = callee.and_then(|callee| module.lookup(&callee));
        if let (Some(composite), Some(function)) = (composite, op.ancestor(func::Func::NAME))
            && composite.has_attr(COMPOSITE)
            && function.block() == Some(body)
        {
            composite.move_before(function);
        }
    }
}

/// A name that no symbol of the modules has.
fn fresh_name(modules: [Op; 2], base: &str) -> String {
    let name = |number: usize| format!("{base}_{number}");
    (0..)
        .map(name)
        .find(|name| modules.iter().all(|module| module.lookup(name).is_none()))
        .unwrap_or_default()
}
