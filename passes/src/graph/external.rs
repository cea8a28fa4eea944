//! Functions for external code generators: those of each stand in a module of their own, and what calls them sees declarations.

use super::{names::fresh, operators::is_foldable};
use relay_dialects::{
    attrs::{COMPILER, CONSTANT_PARAMETER},
    ir::{Attr, Block, Builder, Op, Type, Value},
    ops::builtin,
    pass::{Default, OptionSpec},
    tir::KernelKind,
};

/// The option of a pass that names one code generator.
pub const TARGET: OptionSpec = OptionSpec {
    name: "target",
    summary: "the external code generator; all by default",
    default: Default::Str(""),
};

/// The modules of the functions of one code generator, or of all if none is named.
pub fn parts(module: Op, target: &str) -> Vec<Op> {
    let is_wanted = |op: &Op| {
        let compiler = op.attr(COMPILER).filter(|_| op.is(builtin::Module::NAME));
        compiler.is_some_and(|name| target.is_empty() || name.is_str(target))
    };
    module.body().ops().into_iter().filter(is_wanted).collect()
}

/// The module of a code generator's functions, which is made at the end if there is none.
pub fn part(module: Op, target: &str) -> Op {
    if let Some(known) = parts(module, target).first() {
        return *known;
    }
    let ctx = module.ctx();
    let name = match module.lookup(target) {
        None => target.to_owned(),
        Some(_) => fresh(module, target),
    };
    let builder = Builder::at_end(module.body(), module.loc(), ctx);
    let inner = builder.module(Some(&name), Block::new(ctx, &[]));
    inner.set_attr(COMPILER, Attr::str(ctx, target));
    inner
}

/// Declares the function of a code generator that is called.
pub fn declare(builder: &Builder, name: &str, inputs: &[Type], outputs: &[Type]) {
    let declaration = builder.declare(name, inputs, outputs);
    let (kind, external) = KernelKind::External.on_function(builder.ctx);
    declaration.set_attr(kind, external);
}

/// Says which parameters of a function are constants, by what its only call passes.
pub fn mark_constants(function: Op, inputs: &[Value]) {
    let ctx = function.ctx();
    let marked = |value: &Value| match is_foldable(*value) {
        true => Attr::dict(ctx, &[(CONSTANT_PARAMETER, Attr::unit(ctx))]),
        false => Attr::dict(ctx, &[]),
    };
    if inputs.iter().any(|value| is_foldable(*value)) {
        let attrs: Vec<Attr> = inputs.iter().map(marked).collect();
        function.set_attr("arg_attrs", Attr::array(ctx, &attrs));
    }
}
