//! `un-cps`: what gives its result again in front of functions that hand it on.

use crate::graph::{
    entries::{ENTRIES, entries},
    names::fresh,
};
use relay_dialects::{
    attrs::TYPE_PARAMS,
    inferred,
    ir::{Attr, Bindings, Block, Builder, Op, Type, Value},
    names::relay,
    ops::{builtin, func},
    pass::{Options, PassResult, PassSpec, fail},
    relay::language::type_params,
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "un-cps",
    summary: "convert functions from continuation-passing style to direct style",
    description: include_str!("un_cps.md"),
    anchor: builtin::Module::NAME,
    options: &[ENTRIES],
    run,
};

fn run(module: Op, options: &Options) -> PassResult {
    inferred::check(module)?;
    for function in entries(module, options)? {
        if let Some(interface) = Interface::of(function) {
            wrap(module, function, &interface)?;
        }
    }
    Ok(())
}

/// What a function takes and hands on, if it hands on what it gives.
struct Interface {
    /// The type parameter that is the answer.
    answer: String,
    params: Vec<Type>,
    results: Vec<Type>,
}

impl Interface {
    fn of(function: Op) -> Option<Self> {
        let ty = function.function_type()?;
        let (mut params, result) = ty.as_function()?;
        let answer = result.as_type_var()?;
        let next = params.pop().filter(|next| next.is_function())?;
        let is_open = type_params(function).contains(&answer);
        (is_open && next.results() == [result]).then(|| Self {
            answer,
            params,
            results: next.inputs(),
        })
    }

    /// Whether the answer stands in a type that callers see.
    fn shows_answer(&self) -> bool {
        let mut seen = self.params.iter().chain(&self.results);
        let is_answer = |ty: Type| ty.as_type_var().as_ref() == Some(&self.answer);
        seen.any(|ty| ty.any_part(&mut |part| is_answer(part)))
    }
}

/// Gives the name of a function to a new one that calls it, and gives what it hands on.
fn wrap(module: Op, function: Op, interface: &Interface) -> PassResult {
    if interface.shows_answer() {
        return fail(
            function,
            "takes or gives functions that hand on their results: only what takes and gives none can be called as before",
        );
    }
    let ctx = module.ctx();
    let name = function.symbol().unwrap_or_default();
    let inner = fresh(module, &format!("{name}_cps"));
    let rest: Vec<Attr> = (type_params(function).iter())
        .filter(|name| **name != interface.answer)
        .map(|name| Attr::str(ctx, name))
        .collect();
    let mut attrs = Vec::new();
    if !rest.is_empty() {
        attrs.push((TYPE_PARAMS, Attr::array(ctx, &rest)));
    }
    if let Some(mut names) = function.attr("arg_attrs").and_then(Attr::as_array) {
        names.pop();
        attrs.push(("arg_attrs", Attr::array(ctx, &names)));
    }
    let top = Builder::before(function);
    rename(module, function, &name, &inner);
    let outer = top.func(&name, &interface.params, &interface.results, &attrs);
    let b = Builder::at_end(outer.body(), function.loc(), ctx);
    let values = call(&b, function, &inner, interface, &outer.body().args());
    func::Return::build(&b, &values);
    Ok(())
}

/// Gives a function another name, everywhere, and hides it.
fn rename(module: Op, function: Op, name: &str, new: &str) {
    let ctx = module.ctx();
    module.walk(|op| {
        let callee = op.attr("callee").and_then(Attr::as_symbol);
        if callee.is_some_and(|callee| callee == name) {
            op.set_attr("callee", Attr::symbol(ctx, new));
        }
    });
    function.set_attr("sym_name", Attr::str(ctx, new));
    function.set_attr("sym_visibility", Attr::str(ctx, "private"));
    function.remove_attr("arg_attrs");
}

/// Calls a function, and gives what it hands on.
fn call(
    b: &Builder,
    function: Op,
    name: &str,
    interface: &Interface,
    arguments: &[Value],
) -> Vec<Value> {
    let ctx = b.ctx;
    let answer = match interface.results[..] {
        [result] => result,
        _ => Type::tuple(ctx, &interface.results),
    };
    let body = Block::at(b.loc, &interface.results);
    let inside = Builder::at_end(body, b.loc, ctx);
    let handed = match body.args()[..] {
        [value] => value,
        _ => inside.value(relay::TUPLE, &body.args(), answer, &[]),
    };
    inside.op(relay::YIELD, &[handed], &[], &[]);
    let ty = Type::function(ctx, &interface.results, &[answer]);
    let identity = b.region_op(relay::FN, &[], &[ty], &[], &[Some(body)]);
    let declared = function.function_type();
    let bindings = Bindings::from([(interface.answer.clone(), answer)]);
    let ty = declared.unwrap_or(ty).substitute(&bindings);
    let callee = [("callee", Attr::symbol(ctx, name))];
    let callee = b.value(relay::GLOBAL, &[], ty, &callee);
    let operands = [&[callee], arguments, &identity.results()].concat();
    let value = b.value(relay::CALL, &operands, answer, &[]);
    if interface.results.len() == 1 {
        return vec![value];
    }
    let fields = interface.results.iter().zip(0..);
    fields
        .map(|(ty, index)| {
            let index = [("index", Attr::i64(ctx, index))];
            b.value(relay::TUPLE_GET, &[value], *ty, &index)
        })
        .collect()
}
