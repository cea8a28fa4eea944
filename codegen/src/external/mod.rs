//! Bring your own codegen: kernels that somebody else writes the code of.
//!
//! `partition-graph` puts what a generator takes into a module of its own, and leaves calls of external kernels. [`take`]
//! reads such modules into [data](graph), [`compile`] has the generators write code and makes objects of it, which are
//! linked as those of our own kernels are. A generator is an [`ExternalCodegen`], one of the [table](BUILT_IN) or
//! of a [plugin].

mod c;
mod c_compiler;
mod dnnl;
pub mod graph;
pub mod plugin;

use crate::{
    CodegenError, Target,
    cache::{self, Key},
    kernels::Object,
};
use graph::{Function, Part};
use relay_dialects::{
    attrs::{self, COMPOSITE},
    ir::{Attr, Op},
};
use std::{
    collections::BTreeSet,
    fmt,
    path::{Path, PathBuf},
    sync::Arc,
};

/// An external code generator.
pub trait ExternalCodegen: fmt::Debug + Send + Sync {
    /// Its name, with which the rules of what it takes begin.
    fn name(&self) -> &str;

    /// What `merge-composite` is told of its rules: `target=c`, or `rules=FILE`.
    fn rules(&self) -> String;

    /// The library that it was loaded from; none if it is built in.
    fn library(&self) -> Option<&Path> {
        None
    }

    /// Writes the code of functions. Each is a C function of pointers to the inputs and then to the outputs, which do not
    /// overlap and have the alignment of their elements. It may be called on several threads at once.
    ///
    /// # Errors
    /// If something cannot be written: which operator, and why.
    fn generate(&self, functions: &[Function], target: &Target) -> Result<Generated, CodegenError>;
}

/// What a generator wrote.
#[derive(Clone, Debug, Default)]
pub struct Generated {
    /// Sources in C, each of which is compiled on its own.
    pub sources: Vec<String>,
    /// Relocatable objects.
    pub objects: Vec<Vec<u8>>,
    /// Shared libraries that the code needs when it runs.
    pub libraries: Vec<Library>,
}

/// A shared library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Library {
    /// Its name without `lib` and what follows it: `dnnl` for `libdnnl.so`.
    pub name: String,
    /// How one gets it.
    pub remedy: String,
}

/// The generators that are built in.
pub const BUILT_IN: &[&dyn ExternalCodegen] = &[&c::C, &dnnl::Dnnl];

/// A generator: the name of one that is built in, or the path of a [plugin], which has a `/` or ends in `.so`.
///
/// # Errors
/// If there is none of that name, or the plugin cannot be loaded.
pub fn find(text: &str) -> Result<Arc<dyn ExternalCodegen>, CodegenError> {
    let is_path = text.contains('/') || text.ends_with(".so");
    if is_path {
        return Ok(Arc::new(plugin::Plugin::load(text.as_ref())?));
    }
    match BUILT_IN.iter().find(|codegen| codegen.name() == text) {
        Some(codegen) => Ok(Arc::new(Borrowed(*codegen))),
        None => {
            let names: Vec<&str> = BUILT_IN.iter().map(|codegen| codegen.name()).collect();
            Err(CodegenError::External(format!(
                "there is no code generator '{text}'; {} are built in, others are named by their libraries' paths",
                names.join(" and ")
            )))
        }
    }
}

/// A generator of the table.
#[derive(Debug)]
struct Borrowed(&'static dyn ExternalCodegen);

impl ExternalCodegen for Borrowed {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn rules(&self) -> String {
        self.0.rules()
    }

    fn generate(&self, functions: &[Function], target: &Target) -> Result<Generated, CodegenError> {
        self.0.generate(functions, target)
    }
}

/// Who of several generators, and of this compiler, computes an operator.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Placement {
    /// The first generator that takes it.
    #[default]
    First,
    /// Whoever takes the least time on this machine.
    Measured,
    /// Whoever costs the least by a table in a file; what that does not name is measured.
    Costs(PathBuf),
}

impl Placement {
    /// Reads `first`, `measured`, or the path of a file of costs.
    ///
    /// # Errors
    /// If it is none of these.
    pub fn parse(text: &str) -> Result<Self, String> {
        match text {
            "first" => Ok(Self::First),
            "measured" => Ok(Self::Measured),
            path if path.ends_with(".json") => Ok(Self::Costs(path.into())),
            _ => Err(format!(
                "the placement is '{text}'; there are first, measured, and files of costs, whose names end in .json"
            )),
        }
    }
}

/// The passes that find what generators take. `$machine` and `$cache` stand for options of an
/// [order](relay_passes::pipeline::Order).
pub fn passes(codegens: &[Arc<dyn ExternalCodegen>], placement: &Placement) -> Vec<String> {
    if codegens.is_empty() {
        return Vec::new();
    }
    let mut passes = match placement {
        Placement::First => first(codegens),
        Placement::Measured => vec![cheapest(codegens, None)],
        Placement::Costs(path) => vec![cheapest(codegens, Some(path))],
    };
    passes.extend(["merge-compiler-regions", "partition-graph"].map(String::from));
    passes
}

/// The passes by which the first generator that takes an operator has it.
fn first(codegens: &[Arc<dyn ExternalCodegen>]) -> Vec<String> {
    let names: Vec<&str> = codegens.iter().map(|codegen| codegen.name()).collect();
    let merge =
        |codegen: &Arc<dyn ExternalCodegen>| format!("merge-composite{{{}}}", codegen.rules());
    let mut passes: Vec<String> = codegens.iter().map(merge).collect();
    passes.push(format!("annotate-target{{targets={}}}", names.join(",")));
    passes
}

/// The pass by which the cheapest one has it.
fn cheapest(codegens: &[Arc<dyn ExternalCodegen>], costs: Option<&Path>) -> String {
    let mut options = vec!["cache=$cache".to_owned()];
    for (option, key) in [("targets", "target="), ("rules", "rules=")] {
        let rules: Vec<String> = codegens.iter().map(|codegen| codegen.rules()).collect();
        let rules: Vec<&str> = rules
            .iter()
            .filter_map(|rules| rules.strip_prefix(key))
            .collect();
        if !rules.is_empty() {
            options.push(format!("{option}='{}'", rules.join(",")));
        }
    }
    let plugins = codegens.iter().filter_map(|codegen| codegen.library());
    let plugins: Vec<String> = plugins.map(|path| path.display().to_string()).collect();
    if !plugins.is_empty() {
        options.push(format!("plugins='{}'", plugins.join(",")));
    }
    if let Some(costs) = costs {
        options.push(format!("costs='{}'", costs.display()));
    }
    format!("collage-partition{{{}}}", options.join(" "))
}

/// Takes the modules of external functions out of a module, which keeps the declarations and learns the symbols of the code
/// that is to be written.
///
/// # Errors
/// If a function holds what no generator can be told of.
pub fn take(module: Op, target: &Target) -> Result<Vec<Part>, CodegenError> {
    let mut parts = Vec::new();
    for unit in module.body().ops() {
        let Some(name) = unit.attr(attrs::COMPILER).and_then(Attr::as_str) else {
            continue;
        };
        let key = Key::of(&[
            b"external",
            cache::identity(target).as_bytes(),
            &unit.to_bytecode(),
        ]);
        let mut functions = Vec::new();
        for function in unit.functions() {
            if function.has_attr(COMPOSITE) {
                continue;
            }
            let called = function.symbol().unwrap_or_default();
            let symbol = format!("relay_external_{}_{called}", key.short());
            functions.push(graph::read(unit, function, &symbol)?);
            if let Some(declaration) = module.lookup(&called) {
                declaration.set_attr(attrs::SYMBOL, Attr::str(module.ctx(), &symbol));
            }
        }
        parts.push(Part {
            target: name,
            functions,
        });
        unit.erase();
    }
    Ok(parts)
}

/// Has generators write the code of what was taken; objects for the linker.
///
/// # Errors
/// If a generator is missing or fails, the C compiler does, or a library that the code needs is missing.
pub fn compile(
    parts: &[Part],
    codegens: &[Arc<dyn ExternalCodegen>],
    target: &Target,
) -> Result<Vec<Object>, CodegenError> {
    let mut objects = Vec::new();
    for part in parts {
        let codegen = codegens
            .iter()
            .find(|codegen| codegen.name() == part.target);
        let codegen = codegen.ok_or_else(|| {
            CodegenError::External(format!(
                "the module has functions for '{0}'; name that generator: --codegen={0}",
                part.target
            ))
        })?;
        let generated = codegen.generate(&part.functions, target)?;
        let libraries = generated.libraries.iter();
        let libraries = libraries.map(|library| {
            crate::linker::find_library(target, &format!("lib{}.so", library.name), &library.remedy)
        });
        let libraries: Vec<_> = libraries.collect::<Result<_, _>>()?;
        let mut all = generated.objects;
        for source in &generated.sources {
            all.push(c_compiler::compile(source, target)?);
        }
        let origins = part
            .functions
            .iter()
            .map(|function| function.symbol.as_str());
        let origin = origins
            .collect::<BTreeSet<_>>()
            .into_iter()
            .next()
            .unwrap_or("relay_external");
        for (number, bytes) in all.into_iter().enumerate() {
            objects.push(Object {
                symbol: format!("{origin}_{number}"),
                names: Vec::new(),
                bytes,
                libraries: libraries.clone(),
            });
        }
    }
    Ok(objects)
}
