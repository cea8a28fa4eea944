//! What came of compiling a model.

use super::CompileOptions;
use melior::ir::Module;
use relay_codegen::Target;
use relay_dialects::{dim::Dim, ir::Op};
use relay_passes::{analysis::weights, pipeline::Goal};
use serde::Serialize;
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    path::Path,
    time::Duration,
};

/// What was made of a model.
#[derive(Debug, Default)]
pub struct Made {
    /// The number of kernels that were compiled by themselves, for all targets; `None` if the output is no library.
    pub kernels: Option<usize>,
    /// The weights; `None` if the output is of a level at which they have no layouts.
    pub weights: Option<Weights>,
    /// The names of dimensions that stay open.
    pub open: Vec<String>,
}

/// What `relayc compile` says of its output.
#[derive(Debug, Serialize)]
pub struct Report {
    /// The file, or the folder of a bare model.
    pub output: String,
    /// What it is for: several targets of a library, newest first.
    pub targets: Vec<String>,
    /// The bytes of the file; `None` for a folder.
    pub file: Option<u64>,
    /// As in [`Made`].
    pub kernels: Option<usize>,
    /// As in [`Made`].
    pub weights: Option<Weights>,
    /// As in [`Made`].
    pub open: Vec<String>,
    /// How long it took, in nanoseconds.
    pub time_ns: u64,
    /// What was warned of.
    pub warnings: Vec<String>,
    /// Whether weights may grow for speed.
    #[serde(skip)]
    may_grow: bool,
}

impl Report {
    /// Describes what was written to `output`.
    pub fn new(
        made: Made,
        output: &Path,
        options: &CompileOptions,
        (time, warnings): (Duration, Vec<String>),
    ) -> Self {
        let targets = [&options.target].into_iter().chain(&options.older);
        let about = output.metadata().ok().filter(|about| about.is_file());
        Self {
            output: output.display().to_string(),
            targets: targets.map(Target::describe).collect(),
            file: about.map(|about| about.len()),
            kernels: made.kernels,
            weights: made.weights,
            open: made.open,
            time_ns: u64::try_from(time.as_nanos()).unwrap_or(u64::MAX),
            warnings,
            may_grow: options.goal != Goal::Size,
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let targets = self.targets.join(", ");
        write!(formatter, "wrote {} for {targets}", self.output)?;
        if !self.open.is_empty() {
            let open = self.open.join(", ");
            write!(
                formatter,
                "\nopen dimensions: {open}; --dim and --shape fix or bound them"
            )?;
        }
        // Whoever wonders about the size of the file finds here what it is made of.
        let Some(weights) = self.weights.as_ref().filter(|weights| weights.have_grown()) else {
            return Ok(());
        };
        write!(formatter, "\n{weights}")?;
        match self.may_grow {
            true => formatter.write_str("; --optimize size keeps their size"),
            false => Ok(()),
        }
    }
}

/// The bytes of a model's weights.
#[derive(Debug, Serialize)]
pub struct Weights {
    /// Those of the model.
    pub model: u64,
    /// Those of the library.
    pub library: u64,
    /// Those of the library by layout, largest first.
    pub layouts: Vec<Layout>,
}

/// The weights in a layout.
#[derive(Debug, Serialize)]
pub struct Layout {
    /// The layout, as operators name it; "plain" without one.
    pub layout: String,
    /// The bytes.
    pub bytes: u64,
}

impl Weights {
    /// Describes those of a model, of `model` bytes, that has these bytes by layout in a library.
    pub fn new(model: u64, by_layout: BTreeMap<String, u64>) -> Self {
        let layouts = by_layout.into_iter();
        let mut layouts: Vec<Layout> = layouts
            .map(|(layout, bytes)| Layout { layout, bytes })
            .collect();
        layouts.sort_by_key(|layout| std::cmp::Reverse(layout.bytes));
        Self {
            model,
            library: layouts.iter().map(|layout| layout.bytes).sum(),
            layouts,
        }
    }

    /// Whether they take a tenth more than in the model, or still more.
    pub fn have_grown(&self) -> bool {
        self.library > self.model + self.model / 10
    }
}

impl fmt::Display for Weights {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let megabytes = |bytes: u64| format!("{:.1} MB", bytes as f64 / 1e6);
        let layouts = self.layouts.iter();
        let layouts: Vec<String> = layouts
            .map(|Layout { layout, bytes }| format!("{} in {layout}", megabytes(*bytes)))
            .collect();
        write!(
            formatter,
            "{} of weights, {} in the model: {}",
            megabytes(self.library),
            megabytes(self.model),
            layouts.join("; ")
        )
    }
}

/// The bytes of a module's constants by layout, at the level of fused operators.
pub(super) fn by_layout(module: &Module<'_>) -> BTreeMap<String, u64> {
    weights::by_layout(Op::of_module(module))
}

/// The names of the open dimensions that a module's inputs say.
pub(super) fn open_dimensions(module: &Module<'_>) -> Vec<String> {
    let main = Op::of_module(module).function("main");
    let ty = main.and_then(|main| main.function_type());
    let inputs = ty.map(|ty| ty.inputs()).unwrap_or_default().into_iter();
    let dims = inputs.filter(|ty| ty.is_tensor()).flat_map(|ty| ty.dims());
    let names: BTreeSet<&str> = dims.flat_map(Dim::symbols).collect();
    names.into_iter().map(String::from).collect()
}

/// The bytes of a module's constants, before any pass.
pub(super) fn held(module: &Module<'_>) -> u64 {
    weights::held_bytes(Op::of_module(module))
}
