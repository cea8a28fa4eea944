//! The distinct kernels of a model, each as a model of its own.

use crate::{
    DriverError,
    compile::{self, CompileOptions},
    frontend,
};
use relay_codegen::cache::Key;
use relay_dialects::{
    attrs,
    ir::{Attr, Op, Type},
    names,
    tir::KernelKind,
};
use relay_passes::pipeline::Level;
use std::{collections::HashSet, path::Path};

/// What the fused function is called in a kernel's module.
pub(crate) const NAME: &str = relay_runner::protocol::KERNEL;

/// A fused function of operators, and a `main` that calls it; its weights are inputs.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// A digest of what it computes: equal functions of several models have the same.
    pub id: String,
    /// The function's name in the model.
    pub name: String,
    /// The model's name.
    pub model: String,
    /// The module, as text.
    pub text: String,
}

impl Kernel {
    /// What is wrong with it.
    pub(super) fn error(&self, reason: impl std::fmt::Display) -> DriverError {
        DriverError::Kernel {
            model: self.model.clone(),
            name: self.name.clone(),
            reason: reason.to_string(),
        }
    }

    /// A fused function in a module of its own. Locations and the name are not part of the text.
    fn of(function: Op, model: &str) -> Self {
        let name = function.symbol().unwrap_or_default();
        let text = standalone(function);
        Self {
            id: Key::of(&[text.as_bytes()]).short().to_owned(),
            name,
            model: model.to_owned(),
            text,
        }
    }
}

/// The text of a module with a function and a `main` that calls it. A schedule is left out, but for the intrinsics that it names.
pub(crate) fn standalone(function: Op) -> String {
    // Outside of its module, its values are numbered from 0 on.
    let alone = function.clone_detached();
    alone.set_attr("sym_name", Attr::str(alone.ctx(), NAME));
    let mut intrinsics = String::new();
    if let Some(schedule) = relay_tune::schedule::schedule(alone) {
        let named = schedule.find_all(names::te::TENSORIZE);
        let named: Vec<String> = named.into_iter().filter_map(intrinsic_of).collect();
        intrinsics = intrinsics_beside(function, |name| named.contains(name));
        schedule.erase();
    }
    let text = format!("{}\n{intrinsics}{alone}\n", main(alone));
    alone.erase();
    text
}

fn intrinsic_of(tensorize: Op) -> Option<String> {
    tensorize.attr("intrin")?.as_symbol()
}

/// The text of those tensor intrinsics in a function's module that are `wanted` by their names.
pub(crate) fn intrinsics_beside(function: Op, wanted: impl Fn(&String) -> bool) -> String {
    let module = function.parent().into_iter();
    let beside = module.flat_map(|module| module.body().ops());
    let is_wanted =
        |op: &Op| op.is(names::te::TENSOR_INTRIN) && op.symbol().is_some_and(|name| wanted(&name));
    let intrinsics = beside.filter(is_wanted);
    intrinsics.map(|op| op.to_text(false) + "\n").collect()
}

/// The types of a function's arguments, and of what it returns.
fn function_types(function: Op) -> (Vec<Type>, Vec<Type>) {
    let arguments = function.body().args();
    let inputs = arguments.iter().map(|argument| argument.ty()).collect();
    let returned = function.body().terminator().map(Op::operands);
    let results = returned.iter().flatten().map(|result| result.ty());
    (inputs, results.collect())
}

/// A `main` that calls a function on its own arguments.
fn main(function: Op) -> String {
    main_with(function, |_, _| None)
}

/// A `main` that calls a function on its own arguments, and before that functions of one argument on some of them: `producer` gives the
/// name of such a function for an argument's place and type, whose result stands for the argument.
pub(crate) fn main_with(
    function: Op,
    mut producer: impl FnMut(usize, Type) -> Option<String>,
) -> String {
    let (inputs, results) = function_types(function);
    let (mut declared, mut produced, mut called) = (Vec::new(), String::new(), Vec::new());
    for (place, ty) in inputs.iter().enumerate() {
        declared.push(format!("%a{place}: {ty}"));
        let Some(name) = producer(place, *ty) else {
            called.push(format!("%a{place}"));
            continue;
        };
        produced += &format!("  %p{place} = call @{name}(%a{place}) : ({ty}) -> {ty}\n");
        called.push(format!("%p{place}"));
    }
    let returned: Vec<String> = (0..results.len())
        .map(|place| format!("%r#{place}"))
        .collect();
    let (count, inputs, results) = (results.len(), list(&inputs), list(&results));
    format!(
        "func.func @main({}) -> ({results}) {{\n{produced}  %r:{count} = call @{NAME}({}) : ({inputs}) -> ({results})\n  \
         return {} : {results}\n}}",
        declared.join(", "),
        called.join(", "),
        returned.join(", "),
    )
}

fn list(types: &[Type]) -> String {
    let types: Vec<String> = types.iter().map(ToString::to_string).collect();
    types.join(", ")
}

/// The distinct kernels of a model, in the order of its functions.
///
/// # Errors
/// See [`DriverError`].
pub fn kernels(path: &Path, options: &CompileOptions) -> Result<Vec<Kernel>, DriverError> {
    let context = compile::prepare();
    let mut module = frontend::load(&context, path, &options.reading)?;
    compile::run_passes(&context, &mut module, Level::Relay, options)?;
    let model = path.file_stem().unwrap_or_default().to_string_lossy();
    let is_kernel =
        |function: &Op| function.has_attr(attrs::PRIMITIVE) && !KernelKind::View.is_of(*function);
    let functions = Op::of_module(&module).functions().into_iter();
    let all = functions.filter(is_kernel);
    let mut known = HashSet::new();
    Ok(all
        .map(|function| Kernel::of(function, &model))
        .filter(|kernel| known.insert(kernel.id.clone()))
        .collect())
}
