//! `defunctionalization`: data in the place of functions that are values.

mod types;

use crate::{
    graph::{
        entries::{ENTRIES, entries},
        names::fresh,
    },
    relay::{lambda_lift, monomorphize},
};
use relay_dialects::{
    inferred,
    ir::{Attr, Block, Builder, Op, Type, Value},
    names::relay,
    ops::{builtin, func},
    pass::{Options, PassFailed, PassResult, PassSpec, fail},
    relay::language::{pattern::Pattern, type_params},
};
use types::{Case, Family, Types};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "defunctionalization",
    summary: "replace function values by data, and their calls by functions that match on it",
    description: include_str!("defunctionalization.md"),
    anchor: builtin::Module::NAME,
    options: &[ENTRIES],
    run,
};

fn run(module: Op, options: &Options) -> PassResult {
    inferred::check(module)?;
    let entries = entries(module, options)?;
    if let Some(generic) = entries
        .iter()
        .find(|entry| !type_params(**entry).is_empty())
    {
        return fail(*generic, "has type parameters, which an entry cannot have");
    }
    for pass in [&monomorphize::SPEC, &lambda_lift::SPEC] {
        (pass.run)(module, &Options::defaults(pass))?;
    }
    let mut types = Types::of(module);
    for name in [relay::GLOBAL, relay::CLOSURE] {
        for op in module.find_all(name) {
            add_case(module, op, &mut types)?;
        }
    }
    check_entries(&entries, &mut types)?;
    // What the ops say depends on types as they were: they come first.
    module.find_all(relay::MATCH).into_iter().for_each(|op| {
        rename_patterns(op, &mut types);
    });
    for op in module.find_all(relay::CONSTRUCT) {
        types.rename_constructor(op);
    }
    for op in module.find_all(relay::CALL) {
        call_apply(op, &mut types)?;
    }
    for name in [relay::GLOBAL, relay::CLOSURE] {
        for op in module.find_all(name) {
            construct(op, &mut types);
        }
    }
    module.walk(|op| convert(op, &mut types));
    let families = types.define(module)?;
    families.iter().for_each(|family| apply(module, family));
    Ok(())
}

/// The function that an op names.
fn callee(module: Op, op: Op) -> Option<(String, Type)> {
    let name = op.attr("callee").and_then(Attr::as_symbol)?;
    let ty = module.lookup(&name)?.function_type()?;
    Some((name, ty))
}

/// Notes that an op makes a function.
fn add_case(module: Op, op: Op, types: &mut Types) -> PassResult {
    let ty = op.result(0).ty();
    let captured: Vec<Type> = op.operands().iter().map(|value| value.ty()).collect();
    let Some(((callee, declared), (params, result))) = callee(module, op).zip(ty.as_function())
    else {
        return fail(op, "is no function of the module with one result");
    };
    let used = Type::function(op.ctx(), &[&captured[..], &params].concat(), &[result]);
    if used != declared {
        return fail(
            op,
            format!(
                "uses @{callee} as {used}, but it is {declared}: give both the same dimensions"
            ),
        );
    }
    types.add_case(ty, Case { callee, captured });
    Ok(())
}

/// What is called from outside keeps its type.
fn check_entries(entries: &[Op], types: &mut Types) -> PassResult {
    for function in entries {
        let ty = function.function_type();
        if let Some(ty) = ty.filter(|ty| types.parts_converted(*ty) != *ty) {
            return fail(
                *function,
                format!("is {ty}, which takes or gives functions: an entry cannot"),
            );
        }
    }
    Ok(())
}

/// Names the constructors of an op's patterns by what their types become.
fn rename_patterns(op: Op, types: &mut Types) {
    let ty = op.operand(0).ty();
    let patterns = op.attr("patterns").and_then(Attr::as_array);
    let patterns = patterns.unwrap_or_default().into_iter();
    let renamed: Vec<Attr> = patterns
        .map(|attr| match Pattern::of(attr) {
            Some(pattern) => types.rename_pattern(pattern, ty).to_attr(op.ctx()),
            None => attr,
        })
        .collect();
    op.set_attr("patterns", Attr::array(op.ctx(), &renamed));
}

/// Makes a call of a value one of the function that applies such values.
fn call_apply(op: Op, types: &mut Types) -> Result<(), PassFailed> {
    let operands = op.operands();
    let (ty, result) = (operands[0].ty(), op.result(0).ty());
    let given: Vec<Type> = operands[1..].iter().map(|value| value.ty()).collect();
    if ty != Type::function(op.ctx(), &given, &[result]) {
        return fail(
            op,
            format!("gives {given:?} to {ty} for {result}: give both the same dimensions"),
        );
    }
    let apply = types.family(ty).apply.clone();
    let call = Builder::before(op).call(&apply, &operands, &[result]);
    op.replace_with(&call.results());
    Ok(())
}

/// Makes data of a function with its first arguments.
fn construct(op: Op, types: &mut Types) {
    let ty = op.result(0).ty();
    let case = Case {
        callee: (op.attr("callee").and_then(Attr::as_symbol)).unwrap_or_default(),
        captured: op.operands().iter().map(|value| value.ty()).collect(),
    };
    let name = types.add_case(ty, case);
    let path = Attr::nested_symbol(op.ctx(), &types.family(ty).name, &name);
    let attrs = [("constructor", path)];
    let made = Builder::before(op).op(relay::CONSTRUCT, &op.operands(), &[ty], &attrs);
    op.replace_with(&made.results());
}

/// Gives what an op defines the types that stand for its own.
fn convert(op: Op, types: &mut Types) {
    let regions = op.regions().into_iter();
    let blocks = regions.flat_map(|region| region.blocks());
    let arguments = blocks.flat_map(|block| block.args());
    for value in op.results().into_iter().chain(arguments) {
        value.set_ty(types.converted(value.ty()));
    }
    if let Some(ty) = op.function_type() {
        op.set_attr("function_type", Attr::ty(types.parts_converted(ty)));
    }
}

/// Makes the function that applies what stands for functions of one type.
fn apply(module: Op, family: &Family) {
    let ctx = module.ctx();
    let data = Type::adt(ctx, &family.name, &[]);
    let top = Builder::at_end(module.body(), module.loc(), ctx);
    let inputs = [&[data], &family.params[..]].concat();
    let attrs = [("sym_visibility", Attr::str(ctx, "private"))];
    let function = top.func(&family.apply, &inputs, &[family.result], &attrs);
    let arguments = function.body().args();
    let mut patterns = Vec::new();
    let mut arms = Vec::new();
    for (name, case) in &family.cases {
        let arm = Block::new(ctx, &case.captured);
        let b = Builder::at_end(arm, module.loc(), ctx);
        let given: Vec<Value> = arm
            .args()
            .into_iter()
            .chain(arguments[1..].to_vec())
            .collect();
        let call = b.call(&case.callee, &given, &[family.result]);
        b.op(relay::YIELD, &call.results(), &[], &[]);
        let fields =
            (0..case.captured.len()).map(|field| Pattern::Name(format!("captured{field}")));
        let pattern = Pattern::Constructor {
            of: family.name.clone(),
            name: name.clone(),
            fields: fields.collect(),
        };
        patterns.push(pattern.to_attr(ctx));
        arms.push(Some(arm));
    }
    let b = Builder::at_end(function.body(), module.loc(), ctx);
    let attrs = [("patterns", Attr::array(ctx, &patterns))];
    let result = [family.result];
    let matched = b.region_op(relay::MATCH, &arguments[..1], &result, &attrs, &arms);
    func::Return::build(&b, &matched.results());
}

/// A name for something new of a module.
fn new_name(module: Op, taken: &[String], name: &str) -> String {
    let mut name = fresh(module, name);
    while taken.contains(&name) {
        name.push('_');
    }
    name
}
