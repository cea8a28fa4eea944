//! Finds the node at which a compiled model begins to differ from a reference.
//!
//! Tensors that are made outputs change how operators are fused, and a fault may go with that. So a bisection
//! exposes as little as it needs: first the tensors between the kernels of the build as it is, then, inside of the
//! first kernel that is wrong, one tensor at a time.
//!
//! A quantised network may differ although no node is wrong: a number in the middle of two steps is rounded up here and
//! down there, and that grows. So the nodes are also computed alone, each from what the reference has before it
//! ([`rounding`]), and the reference is run again with such a number moved ([`chaos`]).

mod chaos;
mod compare;
mod part;
mod reference;
mod reproducer;
mod rounding;
mod search;

pub use chaos::{Chaos, Growth};
pub use compare::{Errors, Range, Tolerance, find, is_float, range};
pub use reference::Reference;
pub use search::Suspect;

use crate::{
    DriverError,
    compile::{self, CompileOptions},
    exposed::{self, Exposed, Inner, Tensors},
    npz,
};
use melior::{Context, ir::Module};
use part::{Part, Places};
use serde::Serialize;
use std::{
    cell::Cell,
    fmt,
    path::{Path, PathBuf},
};

/// How to compare.
#[derive(Clone, Debug)]
pub struct DiffOptions {
    /// What is right.
    pub reference: Reference,
    /// The inputs (.npz); without, seeded random ones.
    pub inputs: Option<PathBuf>,
    /// The seed of random inputs.
    pub seed: u64,
    /// How much elements may differ.
    pub tolerance: Tolerance,
    /// Whether to expose no more tensors than it takes.
    pub bisect: bool,
    /// The number of threads to run with.
    pub threads: usize,
    /// Where to write what shows the difference alone.
    pub reproducer: PathBuf,
}

/// What was found.
#[derive(Debug, Serialize)]
pub struct Report {
    /// The model's file.
    pub model: String,
    /// How much elements may differ.
    pub tolerance: Tolerance,
    /// The tensors that were compared, in the model's order.
    pub tensors: Vec<Compared>,
    /// The first node that differs, if differences are not roundings alone.
    pub first: Option<Suspect>,
    /// What shows that differences are roundings, if they are.
    pub chaos: Option<Chaos>,
    /// How often the model was compiled and run.
    pub builds: usize,
    /// The folder that shows the difference alone.
    pub reproducer: Option<String>,
    /// Whether the node alone, in that folder, differs, too.
    pub reproduces: Option<bool>,
}

/// A tensor that was compared.
#[derive(Clone, Debug, Serialize)]
pub struct Compared {
    /// The node that computes it.
    pub node: String,
    /// The node's operator.
    pub operator: String,
    /// The tensor.
    pub tensor: String,
    /// Its element type.
    pub dtype: String,
    /// Its dimensions.
    pub shape: Vec<i64>,
    /// How much it differs.
    #[serde(flatten)]
    pub errors: Errors,
    /// Whether it differs by more than the tolerance.
    pub differs: bool,
}

/// Compares a model with a reference.
///
/// # Errors
/// If the model or the reference cannot be run, or the reference has none of the model's tensors.
pub fn diff(
    path: &Path,
    options: &CompileOptions,
    how: &DiffOptions,
) -> Result<Report, DriverError> {
    let context = compile::prepare();
    let exposed = Exposed::load(&context, path, &options.reading)?;
    let ports = exposed.inputs();
    let tensors = crate::run::inputs(&ports, how.inputs.as_deref(), how.seed)?;
    let inputs: Tensors = ports
        .into_iter()
        .map(|port| port.name)
        .zip(tensors)
        .collect();
    let asked = reference::Asked {
        context: &context,
        model: path,
        exposed: &exposed,
        inputs: &inputs,
        options,
        threads: how.threads,
    };
    let expected = how.reference.tensors(&asked)?;
    let lab = Lab {
        context: &context,
        model: path,
        quantised: rounding::quantised(&exposed),
        exposed: &exposed,
        inputs: &inputs,
        expected: &expected,
        options,
        how,
        builds: Cell::new(0),
    };
    if !exposed
        .tensors
        .iter()
        .any(|tensor| expected.contains_key(&tensor.port.name))
    {
        return Err(DriverError::Model {
            path: path.into(),
            reason: "the reference has no tensor of the names that this model has".into(),
        });
    }
    lab.report()
}

/// All that is needed to build the model with some tensors exposed, and to compare them.
struct Lab<'a, 'c> {
    context: &'c Context,
    model: &'a Path,
    exposed: &'a Exposed<'c>,
    /// The places of tensors that nodes have just rounded.
    quantised: Places,
    inputs: &'a Tensors,
    expected: &'a Tensors,
    options: &'a CompileOptions,
    how: &'a DiffOptions,
    builds: Cell<usize>,
}

/// The tensors of a build, by their places in the model.
type Found = Vec<(usize, Compared)>;

impl Lab<'_, '_> {
    /// Finds the first node that differs, and writes it down alone.
    fn report(&self) -> Result<Report, DriverError> {
        let (tensors, mut first) = if self.how.bisect {
            self.bisect()?
        } else {
            let tensors = self.probe(|_| true)?;
            let first = first_differing(&tensors);
            let first = first.map(|place| Suspect::new(&self.exposed.tensors, place));
            (tensors, first)
        };
        let mut chaos = None;
        if let Some(found) = first.take() {
            (first, chaos) = self.judge(&tensors, found)?;
        }
        let mut report = Report {
            model: self.model.display().to_string(),
            tolerance: self.how.tolerance,
            tensors: tensors.into_iter().map(|(_, found)| found).collect(),
            first,
            chaos,
            builds: self.builds.get(),
            reproducer: None,
            reproduces: None,
        };
        if let Some(first) = &report.first {
            report.reproduces = Some(self.reproducer(first)?);
            report.reproducer = Some(self.how.reproducer.display().to_string());
        }
        Ok(report)
    }

    /// Builds the model with the tensors that `keep` says as outputs, and compares them and the model's own.
    fn probe(&self, keep: impl Fn(usize) -> bool) -> Result<Found, DriverError> {
        let tensors = &self.exposed.tensors;
        let place = |tensor: &Inner| tensors.iter().position(|other| std::ptr::eq(other, tensor));
        let module = self.exposed.keep(|tensor| place(tensor).is_some_and(&keep));
        let kept = (0..tensors.len()).filter(|&place| keep(place));
        self.run(module, self.inputs, &kept.collect())
    }

    /// Builds what computes the tensors at the places `wanted`, where readers of those at the places `given` read the
    /// reference's, and compares them. A rounding is no difference.
    fn probe_part(&self, wanted: &Places, given: &Places) -> Result<Found, DriverError> {
        let part = Part::new(self.exposed, given, wanted);
        let reads = part.inputs(self.inputs, self.expected);
        let mut found = self.run(part.module(self.context), &reads, wanted)?;
        for (place, found) in &mut found {
            let is_quantised = self.quantised.contains(place);
            found.differs &= !rounding::is_rounding(is_quantised, found);
        }
        Ok(found)
    }

    /// Builds a module, runs it, and compares the tensors that it has in common with the reference.
    fn run(
        &self,
        module: Module<'_>,
        inputs: &Tensors,
        kept: &Places,
    ) -> Result<Found, DriverError> {
        let tensors = &self.exposed.tensors;
        self.builds.set(self.builds.get() + 1);
        let kept: Vec<&str> = kept
            .iter()
            .map(|&place| tensors[place].port.name.as_str())
            .collect();
        tracing::info!("build {}: exposes {}", self.builds.get(), kept.join(", "));
        let (context, how) = (self.context, self.how);
        let found = exposed::run(context, module, inputs, self.options, how.threads)?;
        let mut compared = Vec::new();
        for (index, tensor) in tensors.iter().enumerate() {
            let name = &tensor.port.name;
            if let (Some(found), Some(expected)) = (found.get(name), self.expected.get(name)) {
                let errors = compare::compare(found, expected, how.tolerance);
                let errors = errors.map_err(|reason| DriverError::Data {
                    path: PathBuf::from(name),
                    reason,
                })?;
                compared.push((index, Compared::new(tensor, errors)));
            }
        }
        Ok(compared)
    }
}

/// The place of the first tensor that differs.
fn first_differing(found: &Found) -> Option<usize> {
    let mut differing = found.iter().filter(|(_, found)| found.differs);
    differing.next().map(|(place, _)| *place)
}

impl Compared {
    fn new(tensor: &Inner, errors: Errors) -> Self {
        Self {
            node: tensor.node.clone(),
            operator: tensor.operator.clone(),
            tensor: tensor.port.name.clone(),
            dtype: tensor.port.dtype.name().into(),
            shape: tensor.port.shape.clone(),
            errors,
            differs: errors.differs(),
        }
    }
}

/// A number in few characters.
fn short(number: f64) -> String {
    if number == 0.0 {
        "0".into()
    } else {
        format!("{number:.2e}")
    }
}

impl fmt::Display for Report {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            formatter,
            "{:>10}  {:>10}  {:>10}  {:>12}  node (operator): tensor",
            "max abs", "max rel", "max ULP", "beyond"
        )?;
        for found in &self.tensors {
            let Compared {
                node,
                operator,
                tensor,
                errors,
                ..
            } = found;
            writeln!(
                formatter,
                "{:>10}  {:>10}  {:>10}  {:>12}  {node} ({operator}): {tensor}{}",
                short(errors.max_abs),
                short(errors.max_rel),
                errors.max_ulp,
                format!("{}/{}", errors.beyond, errors.elements),
                if found.differs { "  <-- differs" } else { "" },
            )?;
        }
        let Tolerance { absolute, relative } = self.tolerance;
        match (&self.first, &self.chaos) {
            (None, Some(chaos)) => write!(formatter, "{chaos}")?,
            (None, None) => writeln!(
                formatter,
                "no tensor differs by more than {absolute:e} + {relative:e} of what is expected"
            )?,
            (Some(first), _) => writeln!(formatter, "first difference: {first}")?,
        }
        if let (Some(folder), Some(reproduces)) = (&self.reproducer, self.reproduces) {
            let alone = if reproduces {
                "differs"
            } else {
                "does not differ"
            };
            writeln!(formatter, "wrote {folder}: the node alone {alone} there")?;
        }
        Ok(())
    }
}

impl Lab<'_, '_> {
    /// Writes the node alone with what it reads and what it should give; whether it differs there, too.
    fn reproducer(&self, suspect: &Suspect) -> Result<bool, DriverError> {
        let folder = &self.how.reproducer;
        std::fs::create_dir_all(folder).map_err(DriverError::io(folder))?;
        let place = suspect.place;
        let alone = reproducer::alone(
            self.context,
            self.exposed,
            place,
            self.inputs,
            self.expected,
        );
        let (module, inputs) = alone;
        reproducer::write(folder, &module, self.options, suspect)?;
        npz::write_all(&folder.join("inputs.npz"), &inputs)?;
        let name = &self.exposed.tensors[place].port.name;
        let expected = &self.expected[name];
        let only = |tensor: &relay_runtime::Tensor| Tensors::from([(name.clone(), tensor.clone())]);
        npz::write_all(&folder.join("expected.npz"), &only(expected))?;
        let threads = self.how.threads;
        // Inserted passes may look for a node that is not in this part; then there is nothing to compare.
        let Ok(found) = exposed::run(self.context, module, &inputs, self.options, threads) else {
            return Ok(false);
        };
        let Some(found) = found.get(name) else {
            return Ok(false);
        };
        npz::write_all(&folder.join("found.npz"), &only(found))?;
        let errors = compare::compare(found, expected, self.how.tolerance);
        Ok(errors.is_ok_and(|errors| errors.differs()))
    }
}
