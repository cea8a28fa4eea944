//! Runs a model and looks at the tensors inside of it.

use crate::{
    DriverError, compile,
    compile::CompileOptions,
    diff,
    exposed::{self, Exposed, Inner, Tensors},
    npz, run,
};
use globset::{Glob, GlobSet, GlobSetBuilder};
use std::path::Path;

/// Which tensors to look at.
#[derive(Clone, Debug)]
pub struct Look {
    /// The nodes and tensors whose values are wanted.
    pub dump: GlobSet,
    /// Whether to look for elements that are no numbers.
    pub nan: bool,
    /// Whether to look for infinite elements.
    pub infinite: bool,
}

/// What was seen.
#[derive(Debug)]
pub struct Seen {
    /// What the model returns.
    pub outputs: Tensors,
    /// The tensors that were wanted.
    pub dumped: Tensors,
    /// The first tensor in the model's order with an element that was looked for.
    pub first: Option<String>,
}

/// The patterns of `--dump` as one.
///
/// # Errors
/// If one of them is none.
pub fn patterns(texts: &[String]) -> Result<GlobSet, String> {
    let mut set = GlobSetBuilder::new();
    for text in texts {
        set.add(Glob::new(text).map_err(|error| error.to_string())?);
    }
    set.build().map_err(|error| error.to_string())
}

/// Compiles a model with the tensors to look at as outputs, and runs it once. So operators are fused otherwise than in
/// the model as it is: a tensor that is looked at ends a kernel.
///
/// # Errors
/// See [`DriverError`]; and if a pattern fits no tensor.
pub fn look(
    path: &Path,
    options: &CompileOptions,
    look: &Look,
    inputs: (Option<&Path>, u64),
    threads: usize,
) -> Result<Seen, DriverError> {
    let context = compile::prepare();
    let exposed = Exposed::load(&context, path, &options.reading)?;
    let is_wanted =
        |tensor: &Inner| look.dump.is_match(&tensor.node) || look.dump.is_match(&tensor.port.name);
    let watches = look.nan || look.infinite;
    let is_watched = |tensor: &Inner| watches && diff::is_float(tensor.port.dtype);
    if !look.dump.is_empty() && !exposed.tensors.iter().any(is_wanted) {
        let nodes: Vec<&str> = exposed
            .tensors
            .iter()
            .map(|inner| inner.node.as_str())
            .collect();
        return Err(DriverError::Model {
            path: path.into(),
            reason: format!("no node fits --dump; there are {}", nodes.join(", ")),
        });
    }
    let ports = exposed.inputs();
    let given = run::inputs(&ports, inputs.0, inputs.1)?;
    let given: Tensors = ports.into_iter().map(|port| port.name).zip(given).collect();
    let module = exposed.keep(|tensor| is_wanted(tensor) || is_watched(tensor));
    let found = exposed::run(&context, module, &given, options, threads)?;
    let of = |wanted: &dyn Fn(&Inner) -> bool| -> Tensors {
        let tensors = exposed.tensors.iter().filter(|tensor| wanted(tensor));
        let named = tensors.filter_map(|tensor| {
            let name = &tensor.port.name;
            Some((name.clone(), found.get(name)?.clone()))
        });
        named.collect()
    };
    let first = exposed.tensors.iter().find_map(|tensor| {
        let values = found.get(&tensor.port.name)?;
        let (place, value) = diff::find(values, look.nan, look.infinite)?;
        Some(format!(
            "node '{}' ({}): element {place} of {} is {value}",
            tensor.node, tensor.operator, tensor.port.name
        ))
    });
    Ok(Seen {
        outputs: of(&|tensor| tensor.is_output),
        dumped: of(&is_wanted),
        first: first.filter(|_| watches),
    })
}

/// Saves tensors as `tensors.npz` in a folder, which is made.
///
/// # Errors
/// If it cannot be written.
pub fn save(folder: &Path, tensors: &Tensors) -> Result<(), DriverError> {
    std::fs::create_dir_all(folder).map_err(DriverError::io(folder))?;
    npz::write_all(&folder.join("tensors.npz"), tensors)
}
