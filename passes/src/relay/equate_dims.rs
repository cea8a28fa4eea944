//! `equate-dims`: dimensions that must be equal, as one form, and the conditions under which they are.

mod solution;

use crate::graph::retype::called;
use relay_dialects::{
    dim::{self, Dim, Equation},
    ir::{Attr, Block, Builder, DYNAMIC, Op, Region, Type, Value},
    names,
    ops::builtin,
    pass::{Options, PassResult, PassSpec, fail},
    relay::{
        Call, TensorType,
        build::{extents, make},
        language::{DimOf, computed_symbols},
        row_of,
    },
    symbols::{Condition, conditions, set_conditions},
};
use solution::Solution;

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "equate-dims",
    summary: "replace dimensions that must be equal by one form, and record what a library has to check",
    description: include_str!("equate_dims.md"),
    anchor: builtin::Module::NAME,
    options: &[],
    run,
};

fn run(module: Op, _options: &Options) -> PassResult {
    let mut all = match conditions(module) {
        Ok(all) => all,
        Err(reason) => return fail(module, reason),
    };
    let known = all.len();
    let computed = computed_symbols(module);
    let compared = compared(module);
    let mut unchecked = None;
    module.walk(|op| {
        for (lhs, rhs) in assumed(op) {
            let mut names = [lhs, rhs].into_iter().flat_map(Dim::symbols);
            let is_computed = |name: &&str| computed.iter().any(|known| known == name);
            let is_compared = compared.contains(&(lhs, rhs)) || compared.contains(&(rhs, lhs));
            if is_compared
                && (op.ancestor(names::relay::IF).is_some()
                    || names.clone().any(|name| is_computed(&name)))
            {
                continue;
            }
            if let Some(name) = names.find(is_computed) {
                unchecked.get_or_insert((op, lhs, rhs, name));
                continue;
            }
            let is_known = |known: &Condition| {
                let known = (known.lhs, known.rhs);
                known == (lhs, rhs) || known == (rhs, lhs)
            };
            let is_new = !all.iter().any(is_known);
            if is_new {
                let node = node_of(op);
                all.push(Condition { lhs, rhs, node });
            }
        }
    });
    if let Some((op, lhs, rhs, name)) = unchecked {
        return fail(
            op,
            format!(
                "takes the dimensions {lhs} and {rhs} to be equal, and the graph computes '{name}': only dimensions of inputs are \
                 compared"
            ),
        );
    }
    if all.is_empty() {
        return Ok(());
    }
    let order = symbols_in_order(module);
    let solution = match Solution::of(&all, &order) {
        Ok(solution) => solution,
        Err(reason) => return fail(module, reason),
    };
    if all.len() > known {
        set_conditions(module, &all);
    }
    rewrite(module, &solution)
}

/// The dimensions that a run compares by `relay.dim_of`: the form that the number is, and its one value.
fn compared(module: Op) -> Vec<Equation> {
    let all = module.find_all(names::relay::DIM_OF).into_iter();
    let pairs = all.filter_map(|op| {
        let dim = DimOf::of(op)?;
        (dim.most == Some(dim.least)).then_some((dim.form?, dim.least))
    });
    pairs.collect()
}

/// What an operator's type relation takes to be equal.
fn assumed(op: Op) -> Vec<Equation> {
    let is_open = |value: &Value| value.ty().is_tensor() && value.ty().shape().contains(&DYNAMIC);
    let Some(row) = row_of(op).filter(|_| op.operands().iter().any(is_open)) else {
        return Vec::new();
    };
    // A relation that does not hold is the verifier's matter.
    let relation = || Call::of(op).map(|call| (row.relation)(&call));
    let (_, equations) = dim::noted(relation);
    let is_form = |(lhs, rhs): &Equation| *lhs != Dim::Unknown && *rhs != Dim::Unknown;
    equations.into_iter().filter(is_form).collect()
}

/// What a message calls an op: by the nodes of the model that it came from, or by its name.
fn node_of(op: Op) -> String {
    let names = op.loc().names();
    match names.is_empty() {
        true => op.name(),
        false => names.join(", "),
    }
}

/// The names of the module's symbols, in the order of the parameters that have them.
fn symbols_in_order(module: Op) -> Vec<&'static str> {
    let functions = module.functions().into_iter();
    let types = functions.filter_map(|function| function.function_type());
    let dims = types
        .flat_map(Type::inputs)
        .filter(|ty| ty.is_tensor())
        .flat_map(Type::dims);
    let mut names = Vec::new();
    for name in dims.flat_map(Dim::symbols) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// Has the forms of a solution stand in all types and attributes of a module's functions, but for the parameters of functions that
/// nothing in the module calls.
fn rewrite(module: Op, solution: &Solution) -> PassResult {
    let called = called(module);
    let mut wrong = None;
    for function in module.functions() {
        if function.block_in(0).is_none() {
            continue;
        }
        let keeps_parameters = !function.symbol().is_some_and(|name| called.contains(&name));
        if let Err(reason) = rewrite_function(function, keeps_parameters, solution) {
            wrong.get_or_insert((function, reason));
        }
    }
    match wrong {
        Some((function, reason)) => fail(function, reason),
        None => Ok(()),
    }
}

fn rewrite_function(
    function: Op,
    keeps_parameters: bool,
    solution: &Solution,
) -> Result<(), String> {
    let arguments = function.body().args();
    let kept: Vec<Type> = arguments.iter().map(|argument| argument.ty()).collect();
    let mut ops = Vec::new();
    function.walk(|op| ops.push(op));
    ops.sort_by_key(|op| *op != function);
    ops.into_iter()
        .try_for_each(|op| rewrite_op(op, solution))?;
    let declared = function.function_type().map(Type::results);
    let results = declared.unwrap_or_default().into_iter();
    let results: Vec<Type> = results
        .map(|ty| solution.ty(ty))
        .collect::<Result<_, _>>()?;
    if keeps_parameters {
        for (argument, kept) in arguments.iter().zip(&kept) {
            keep(function, *argument, *kept);
        }
    }
    let inputs: Vec<Type> = arguments.iter().map(|argument| argument.ty()).collect();
    let ty = Type::function(function.ctx(), &inputs, &results);
    function.set_attr("function_type", Attr::ty(ty));
    Ok(())
}

fn rewrite_op(op: Op, solution: &Solution) -> Result<(), String> {
    let blocks = op.regions().into_iter().flat_map(Region::blocks);
    for argument in blocks.flat_map(Block::args) {
        argument.set_ty(solution.ty(argument.ty())?);
    }
    for (name, attr) in op.attrs() {
        if let Some(dims) = forms(attr) {
            let new = dims.iter().map(|dim| solution.dim(*dim));
            let new: Vec<Dim> = new.collect::<Result<_, _>>()?;
            if new != dims {
                op.set_attr(&name, extents(op.ctx(), &new));
            }
        }
    }
    let own = own_types(op);
    for (number, result) in op.results().into_iter().enumerate() {
        let ty = solution.ty(result.ty())?;
        let own = own
            .get(number)
            .copied()
            .filter(|own| *own != ty && ty.is_tensor() && !own.dims().contains(&Dim::Unknown));
        result.set_ty(own.unwrap_or(ty));
        if own.is_some() {
            reshape(&Builder::after(op), result, ty);
        }
    }
    Ok(())
}

/// The dimensions in an attribute that is a list of them, of which some are forms.
fn forms(attr: Attr) -> Option<Vec<Dim>> {
    let is_form = |entry: Attr| entry.as_str().is_some();
    let has_forms = attr.as_array()?.into_iter().any(is_form);
    has_forms.then(|| attr.as_dims()).flatten()
}

/// The types of results by the type relation of an operator, for its operands as they are now: a slice of `min(n, 64)` of 64 rows
/// has them also where `n` stands for `min(n, 64)`.
fn own_types(op: Op) -> Vec<Type> {
    let types = row_of(op).and_then(|row| {
        let types = (row.relation)(&Call::of(op)?).ok()?;
        Some(types.iter().map(TensorType::to_type).collect())
    });
    types.unwrap_or_default()
}

/// Leaves a parameter its type, and has a reshape to the new one take its place.
fn keep(function: Op, argument: Value, kept: Type) {
    let new = argument.ty();
    if new == kept {
        return;
    }
    argument.set_ty(kept);
    reshape(
        &Builder::at_start(function.body(), argument.loc(), function.ctx()),
        argument,
        new,
    );
}

/// Has a reshape to another type of as many elements take the place of a value.
fn reshape(builder: &Builder, value: Value, ty: Type) {
    let attrs = [("newshape", extents(builder.ctx, &ty.dims()))];
    let shaped = make(builder, names::relay::RESHAPE, &[value], &attrs);
    value.replace_all_uses_with(shaped);
    if let Some(reshape) = shaped.def() {
        reshape.set_operand(0, value);
    }
}
