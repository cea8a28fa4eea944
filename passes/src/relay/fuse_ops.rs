//! `fuse-ops`: groups operators into primitive functions, each of which becomes one kernel.

mod attention_groups;
mod fusion;
mod row_groups;
mod widening;

use crate::graph::{
    operators::{self, is_view},
    rewrite,
};
use crate::machine::machine;
use attention_groups::is_attention;
use fusion::{Joins, Node};
use relay_dialects::{
    hash::fnv,
    inferred,
    ir::{Attr, Block, Builder, Loc, Op, Type, Value},
    ops::{builtin, func},
    pass::{Default, OptionSpec, Options, PassResult, PassSpec, fail},
    relay::{Pattern, custom, pattern},
    tir::KernelKind,
};
use relay_topi::Machine;
use row_groups::is_row_group;
use std::collections::{HashMap, HashSet};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "fuse-ops",
    summary: "group operators into primitive functions",
    description: include_str!("fuse_ops.md"),
    anchor: builtin::Module::NAME,
    options: &[
        OptionSpec {
            name: "max-depth",
            summary: "the maximum number of operators in one function",
            default: Default::Int(256),
        },
        OptionSpec {
            name: "max-function-args",
            summary: "the maximum number of arguments and results of one function; 0 for any number",
            default: Default::Int(0),
        },
        OptionSpec {
            name: "enabled",
            summary: "fuse operators; if false, each operator becomes its own function",
            default: Default::Bool(true),
        },
    ],
    run,
};

/// The length at which a function's name is cut.
const NAME_LIMIT: usize = 80;

fn run(module: Op, options: &Options) -> PassResult {
    let depth = if options.bool("enabled") {
        options.int("max-depth").max(1) as usize
    } else {
        1
    };
    let Ok(most_args) = usize::try_from(options.int("max-function-args")) else {
        return fail(module, "max-function-args is negative");
    };
    inferred::check(module)?;
    let mut outliner = Outliner::new(module);
    let machine = machine(module)?;
    for function in operators::functions(module) {
        for block in blocks_inside(function) {
            for group in groups(block, depth, most_args, machine) {
                outliner.outline(&group);
            }
        }
    }
    // Constants that now live inside the functions are left without uses.
    operators::functions(module)
        .into_iter()
        .for_each(rewrite::erase_dead);
    Ok(())
}

/// The blocks of `op`'s regions and of those inside.
pub(super) fn blocks_inside(op: Op) -> Vec<Block> {
    let mut blocks: Vec<Block> = op
        .regions()
        .into_iter()
        .flat_map(|region| region.blocks())
        .collect();
    let inner: Vec<Block> = blocks
        .iter()
        .flat_map(|block| block.ops())
        .flat_map(blocks_inside)
        .collect();
    blocks.extend(inner);
    blocks
}

/// The groups of a block's operators if no option says otherwise, each in textual order.
pub(super) fn standard_groups(block: Block, machine: Machine) -> Vec<Vec<Op>> {
    let options = Options::defaults(&SPEC);
    groups(block, options.int("max-depth") as usize, 0, machine)
}

/// The groups of a block's operators, each in textual order.
fn groups(block: Block, max_depth: usize, most_args: usize, machine: Machine) -> Vec<Vec<Op>> {
    let ops: Vec<Op> = block
        .ops()
        .into_iter()
        .filter(|op| pattern(*op).is_some())
        .collect();
    let index: HashMap<Op, usize> = ops.iter().enumerate().map(|(i, op)| (*op, i)).collect();
    let nodes: Vec<Node> = ops.iter().map(|op| node(*op, &index)).collect();
    let mut groups: HashMap<usize, Vec<Op>> = HashMap::new();
    let of = |members: &[usize]| -> Vec<Op> { members.iter().map(|index| ops[*index]).collect() };
    let fits = |members: &[usize]| argument_count(&of(members)) <= most_args;
    let joins = Joins {
        are_rows: &|members| is_row_group(&of(members)),
        are_attention: &|members| is_attention(&of(members), machine),
        widen_bytes: &|members| {
            widening::widening(&of(members))
                .iter()
                .map(|op| index[op])
                .collect()
        },
        fit_function: (most_args > 0).then_some(&fits),
    };
    let roots = fusion::partition(&nodes, max_depth, &joins);
    for (op, root) in ops.iter().zip(&roots) {
        groups.entry(*root).or_default().push(*op);
    }
    let mut order: Vec<usize> = groups.keys().copied().collect();
    order.sort_unstable();
    order
        .iter()
        .filter_map(|root| groups.remove(root))
        .flat_map(|group| {
            if max_depth > 1 {
                peel(group)
            } else {
                vec![group]
            }
        })
        .collect()
}

/// Takes reshapes at a group's edges out of it: on their own they cost nothing, in a kernel they make
/// its subscripts quotients. One whose result is returned stays, so that the kernel writes there.
fn peel(mut group: Vec<Op>) -> Vec<Vec<Op>> {
    let mut peeled = Vec::new();
    loop {
        let inside = |op: Option<Op>| op.is_some_and(|op| group.contains(&op));
        let is_edge = |op: &Op| {
            let reads = op.operands().iter().any(|value| inside(value.def()));
            let users = op.result(0).users();
            let is_read = users.iter().any(|user| inside(Some(*user)));
            let is_returned = users.iter().any(|user| pattern(*user).is_none());
            !reads || (!is_read && !is_returned)
        };
        let edge = group.iter().position(|op| is_view(*op) && is_edge(op));
        match edge {
            Some(place) if group.len() > 1 => peeled.push(vec![group.remove(place)]),
            _ => break,
        }
    }
    peeled.push(group);
    peeled
}

fn node(op: Op, index: &HashMap<Op, usize>) -> Node {
    let mut node = Node {
        pattern: node_pattern(op),
        outputs: Vec::new(),
        escapes: !op.is_used(),
    };
    for result in op.results() {
        for (user, _) in result.uses() {
            match index.get(&user) {
                Some(&user_index) => node.outputs.push((user_index, edge_pattern(result, user))),
                None => node.escapes = true,
            }
        }
    }
    // The order of uses is MLIR's; the result must not depend on it.
    node.outputs.sort_unstable();
    node
}

fn node_pattern(op: Op) -> Pattern {
    pattern(op).unwrap_or(Pattern::Opaque)
}

/// A broadcast operand of the result's shape is read element by element.
fn edge_pattern(value: Value, user: Op) -> Pattern {
    let pattern = node_pattern(user);
    let same =
        |ty: Type| ty.is_tensor() && value.ty().is_tensor() && ty.shape() == value.ty().shape();
    if pattern == Pattern::Broadcast && same(user.result(0).ty()) {
        Pattern::Elemwise
    } else {
        pattern
    }
}

/// Whether this value is a constant of one element, which a function keeps inside.
fn is_scalar_constant(value: Value) -> bool {
    operators::constant(value).is_some() && value.ty().count() == 1
}

/// Moves groups into functions, one for all groups that are alike.
struct Outliner {
    module: Op,
    names: HashSet<String>,
    /// The last number behind a name.
    numbers: HashMap<String, usize>,
    /// From a function's text under a neutral name to its symbol.
    known: HashMap<String, String>,
}

impl Outliner {
    fn new(module: Op) -> Self {
        let names = module
            .body()
            .ops()
            .into_iter()
            .filter_map(Op::symbol)
            .collect();
        Self {
            module,
            names,
            numbers: HashMap::new(),
            known: HashMap::new(),
        }
    }

    fn outline(&mut self, group: &[Op]) {
        let Some(&last) = group.last() else { return };
        let members: HashSet<Op> = group.iter().copied().collect();
        let inputs = inputs(group, &members);
        let outputs = outputs(group, &members);
        let loc = group_loc(group);
        let function = self.function(group, &inputs, &outputs, loc);
        let symbol = self.share(function, &base_name(group));
        let types: Vec<Type> = outputs.iter().map(|value| value.ty()).collect();
        let call = Builder::before(last)
            .with_loc(loc)
            .call(&symbol, &inputs, &types);
        for (output, result) in outputs.iter().zip(call.results()) {
            for user in output.users() {
                if !members.contains(&user) {
                    replace_operand(user, *output, result);
                }
            }
        }
        group.iter().rev().for_each(|op| op.erase());
    }

    /// A new function at the module's end that does what the group does.
    fn function(&self, group: &[Op], inputs: &[Value], outputs: &[Value], loc: Loc) -> Op {
        let ctx = self.module.ctx();
        let types = |values: &[Value]| values.iter().map(|value| value.ty()).collect::<Vec<Type>>();
        let mut attrs = vec![
            ("sym_visibility", Attr::str(ctx, "private")),
            (relay_dialects::attrs::PRIMITIVE, Attr::unit(ctx)),
        ];
        // Of a scalar constant that became part of the function there is no buffer to view.
        if !inputs.is_empty() && group.iter().all(|op| is_view(*op)) {
            attrs.push(KernelKind::View.on_function(ctx));
        }
        let builder = Builder::at_end(self.module.body(), loc, ctx);
        let function = builder.func("fused", &types(inputs), &types(outputs), &attrs);
        let body = function.body();
        let inside = Builder::at_end(body, loc, ctx);
        let mut map: HashMap<Value, Value> = inputs.iter().copied().zip(body.args()).collect();
        for op in group {
            let operands: Vec<Value> = op
                .operands()
                .into_iter()
                .map(|value| copied(&inside, &mut map, value))
                .collect();
            let copy = inside.insert(op.clone_detached());
            copy.set_operands(&operands);
            map.extend(op.results().into_iter().zip(copy.results()));
        }
        let returned: Vec<Value> = outputs.iter().map(|value| map[value]).collect();
        func::Return::build(&inside, &returned);
        function
    }

    /// The symbol of a function like this one: an older one, or this under a name of its own.
    fn share(&mut self, function: Op, base: &str) -> String {
        let text = function.to_text(false);
        if let Some(symbol) = self.known.get(&text) {
            function.erase();
            return symbol.clone();
        }
        let number = self.numbers.entry(base.to_owned()).or_default();
        let mut name = base.to_owned();
        while !self.names.insert(name.clone()) {
            *number += 1;
            name = format!("{base}_{number}");
        }
        function.set_attr("sym_name", Attr::str(function.ctx(), &name));
        self.known.insert(text, name.clone());
        name
    }
}

/// The arguments and results of the function that a group would be.
fn argument_count(group: &[Op]) -> usize {
    let members: HashSet<Op> = group.iter().copied().collect();
    inputs(group, &members).len() + outputs(group, &members).len()
}

/// What the group reads and does not make itself, in order of first use.
fn inputs(group: &[Op], members: &HashSet<Op>) -> Vec<Value> {
    let mut inputs = Vec::new();
    for value in group.iter().flat_map(|op| op.operands()) {
        let inside = value.def().is_some_and(|def| members.contains(&def));
        if !inside && !is_scalar_constant(value) && !inputs.contains(&value) {
            inputs.push(value);
        }
    }
    inputs
}

/// What the group makes and others read; for a group that nobody reads, its last results.
fn outputs(group: &[Op], members: &HashSet<Op>) -> Vec<Value> {
    let escapes = |value: &Value| value.users().iter().any(|user| !members.contains(user));
    let outputs: Vec<Value> = group
        .iter()
        .flat_map(|op| op.results())
        .filter(escapes)
        .collect();
    if outputs.is_empty() {
        group.last().map(|op| op.results()).unwrap_or_default()
    } else {
        outputs
    }
}

/// The value inside the function for `value`; scalar constants are copied at their first use.
fn copied(inside: &Builder, map: &mut HashMap<Value, Value>, value: Value) -> Value {
    *map.entry(value).or_insert_with(|| {
        let constant = value
            .def()
            .expect("what is no input of the group is a constant");
        inside.insert(constant.clone_detached()).result(0)
    })
}

fn replace_operand(user: Op, from: Value, to: Value) {
    for (index, operand) in user.operands().into_iter().enumerate() {
        if operand == from {
            user.set_operand(index, to);
        }
    }
}

fn group_loc(group: &[Op]) -> Loc {
    let parts: Vec<Loc> = group.iter().map(|op| op.loc()).collect();
    match parts.as_slice() {
        [one] => *one,
        _ => Loc::fused(group[0].ctx(), &parts),
    }
}

/// `fused_conv2d_add_relu`; long names end in a hash of the whole.
fn base_name(group: &[Op]) -> String {
    let mut name = String::from("fused");
    for op in group {
        let full = custom::of(*op).map_or_else(|| op.name(), |known| known.name().into());
        let short = full.trim_start_matches("relay.").trim_start_matches("nn.");
        name.push('_');
        name.push_str(&short.replace('.', "_"));
    }
    if name.len() <= NAME_LIMIT {
        return name;
    }
    let suffix = format!("_{:016x}", fnv(&name));
    format!("{}{suffix}", &name[..NAME_LIMIT - suffix.len()])
}
