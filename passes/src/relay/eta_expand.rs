//! `eta-expand`: functions that call them in the place of functions of the module that are values.

use relay_dialects::{
    ir::{Attr, Block, Builder, Op, Type, Value},
    names::relay,
    ops::builtin,
    pass::{Default, OptionSpec, Options, PassResult, PassSpec},
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "eta-expand",
    summary: "wrap functions of the module that are values in relay.fn",
    description: include_str!("eta_expand.md"),
    anchor: builtin::Module::NAME,
    options: &[
        OptionSpec {
            name: "expand-global-var",
            summary: "wrap functions of the module that are values",
            default: Default::Bool(true),
        },
        OptionSpec {
            name: "expand-closure",
            summary: "wrap functions of the module with their first arguments",
            default: Default::Bool(false),
        },
    ],
    run,
};

fn run(module: Op, options: &Options) -> PassResult {
    let wanted = [
        ("expand-global-var", relay::GLOBAL),
        ("expand-closure", relay::CLOSURE),
    ];
    for (_, name) in wanted.iter().filter(|(option, _)| options.bool(option)) {
        module.find_all(name).into_iter().for_each(expand);
    }
    Ok(())
}

/// Puts a function that calls it in the place of one of the module, wherever it is no callee.
fn expand(op: Op) {
    let value = op.result(0);
    let is_callee = |(user, index): &(Op, usize)| user.is(relay::CALL) && *index == 0;
    let uses: Vec<(Op, usize)> = value.uses();
    let others: Vec<_> = uses.iter().filter(|each| !is_callee(each)).collect();
    let (Some((params, result)), false) = (value.ty().as_function(), others.is_empty()) else {
        return;
    };
    let function = called(op, &params, result);
    for (user, index) in others {
        user.set_operand(*index, function);
    }
    if !op.is_used() {
        op.erase();
    }
}

/// A function with a call of what an op names, with the captured values of the op before its own parameters.
fn called(op: Op, params: &[Type], result: Type) -> Value {
    let ctx = op.ctx();
    let body = Block::at(op.loc(), params);
    let b = Builder::at_end(body, op.loc(), ctx);
    let captured = op.operands();
    let types: Vec<Type> = captured.iter().map(|value| value.ty()).collect();
    let whole = Type::function(ctx, &[&types[..], params].concat(), &[result]);
    let callee = [("callee", op.attr("callee").unwrap_or(Attr::unit(ctx)))];
    let callee = b.value(relay::GLOBAL, &[], whole, &callee);
    let operands = [&[callee], &captured[..], &body.args()].concat();
    let made = b.value(relay::CALL, &operands, result, &[]);
    b.op(relay::YIELD, &[made], &[], &[]);
    let ty = op.result(0).ty();
    let function = Builder::after(op).region_op(relay::FN, &[], &[ty], &[], &[Some(body)]);
    function.result(0)
}
