//! Reading models: ours as MLIR text or bytecode or in Relay's own text, others through the importer.

use crate::DriverError;
use melior::{
    Context,
    ir::{Module, operation::OperationLike},
};
use relay_dialects::{
    element::Element,
    ir::Op,
    names,
    ops::{builtin, func, memref},
    pass::with_diagnostics,
};
use relay_import::{
    frontend::{self, FRONTENDS, Frontend},
    graph::options::Options,
    model::Model,
    relay_text,
    source::Source,
    weights,
};
pub use relay_import::{
    graph::options::{Extent, Unsaid},
    source::Choice,
};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::Arc,
};

/// An element type as MLIR, numpy or PyTorch spell it: `i64`, `int64`, `bool`.
///
/// # Errors
/// If it is none.
pub fn element_type(text: &str) -> Result<Element, String> {
    let short = match text {
        "bool" => "i1".to_owned(),
        "bfloat16" => "bf16".to_owned(),
        text => text
            .replace("uint", "ui")
            .replace("int", "i")
            .replace("float", "f"),
    };
    let element = Element::parse(text).or_else(|| Element::parse(&short));
    element.ok_or_else(|| format!("'{text}' is no element type, such as f32, i64, ui8 or bool"))
}

/// Shapes of inputs, by name.
pub type Shapes = BTreeMap<String, Vec<Extent>>;

/// What is said of a model beside its file.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// Shapes of inputs whose dimensions the model leaves open.
    pub shapes: Shapes,
    /// Sizes of dimensions by the names that the model gives to them.
    pub dims: BTreeMap<String, Extent>,
    /// Element types of inputs, by name, where the model does not say them.
    pub types: BTreeMap<String, Element>,
    /// Values of inputs as texts, by name. The inputs become constants.
    pub values: BTreeMap<String, String>,
    /// What becomes of dimensions of which nothing is said.
    pub unsaid: Unsaid,
    /// A folder. Files of weights beside the model may be links to files below it.
    pub data_root: Option<PathBuf>,
    /// Files of weights, which take the place of the model's own.
    pub weights: Vec<PathBuf>,
    /// The signature and the outputs that are wanted of a model that has several.
    pub choice: Choice,
}

impl Reading {
    /// Opens a model of another framework; `None` if the file is not of a format of theirs.
    pub(crate) fn open(&self, path: &Path) -> Result<Option<Box<dyn Model>>, DriverError> {
        if parser(path).is_some() {
            return Ok(None);
        }
        let Some(frontend) = frontend::find(path) else {
            return Ok(None);
        };
        if self.choice != Choice::default() && !frontend.has_choice {
            return Err(DriverError::Model {
                path: path.into(),
                reason: "--signature and --fetch are for models of TensorFlow and TensorFlow Lite"
                    .into(),
            });
        }
        let mut source = Source::open(&frontend.file(path), self.data_root.as_deref())?;
        source.choice = self.choice.clone();
        Ok(Some((frontend.open)(source)?))
    }

    /// How to import a model of another framework.
    ///
    /// # Errors
    /// If a file of weights cannot be read.
    pub(crate) fn options(&self) -> Result<Options, DriverError> {
        let weights = weights::open(&self.weights, self.data_root.as_deref())?;
        Ok(Options {
            shapes: self.shapes.clone(),
            dims: self.dims.clone(),
            types: self.types.clone(),
            literals: self.values.clone(),
            unsaid: self.unsaid,
            weights: Arc::new(weights),
            ..Options::default()
        })
    }
}

/// Whether a model has dimensions of which nothing is said, and which stay open therefore.
pub(crate) fn leaves_dimensions_open(path: &Path, reading: &Reading) -> bool {
    reading.unsaid == Unsaid::Open
        && reading.options().is_ok_and(|options| {
            let model = reading.open(path).ok().flatten();
            model.is_some_and(|model| model.leaves_dimensions_open(&options))
        })
}

/// Reads a model into a module.
///
/// # Errors
/// If the file cannot be read, or holds no model of a known format.
pub fn load<'c>(
    context: &'c Context,
    path: &Path,
    reading: &Reading,
) -> Result<Module<'c>, DriverError> {
    let Some(parse) = parser(path) else {
        let model = reading.open(path)?.ok_or_else(|| unknown(path))?;
        return Ok(model.import(context, &reading.options()?)?);
    };
    let takes_weights = is_text(path);
    if let Some(reason) = needless(reading, takes_weights) {
        return Err(DriverError::Model {
            path: path.into(),
            reason: format!("{reason} is for files of other frameworks: {}", endings()),
        });
    }
    let module = parse(context, path)?;
    if takes_weights && !reading.weights.is_empty() {
        let weights = weights::open(&reading.weights, reading.data_root.as_deref())?;
        let bound = relay_text::bind(Op::of_module(&module), &weights);
        bound.map_err(|reason| DriverError::Model {
            path: path.into(),
            reason,
        })?;
    }
    Ok(module)
}

/// Whether a file is Relay's own text, by its name: its parameters may be weights, as in TVM.
fn is_text(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str());
    ending.is_some_and(|ending| TEXT.contains(&ending))
}

/// How names of files of Relay's own text end.
const TEXT: [&str; 2] = ["relay", "rly"];

/// Reads a file of ours.
type Parse = for<'c> fn(&'c Context, &Path) -> Result<Module<'c>, DriverError>;

/// What reads a file of ours, by the ending of its name.
fn parser(path: &Path) -> Option<Parse> {
    match path.extension()?.to_str()? {
        "mlir" | "mlirbc" => Some(parse_mlir),
        ending if TEXT.contains(&ending) => Some(parse_relay),
        _ => None,
    }
}

/// What a file of ours says itself of what is said of it.
fn needless(reading: &Reading, takes_weights: bool) -> Option<&'static str> {
    if !reading.shapes.is_empty() {
        return Some("the types of its function say the shapes; --shape");
    }
    if !reading.dims.is_empty() {
        return Some("the types of its function say the dimensions; --dim");
    }
    if !reading.types.is_empty() {
        return Some("the types of its function say the element types; --type");
    }
    if !reading.values.is_empty() {
        return Some("its function takes all of its inputs; --value");
    }
    if !reading.weights.is_empty() && !takes_weights {
        return Some("it holds its own constants; --params");
    }
    if reading.choice != Choice::default() {
        return Some("it has one entry; --signature and --fetch");
    }
    let root = reading.data_root.as_ref();
    let root = root.filter(|_| reading.weights.is_empty());
    root.map(|_| "it holds its own constants; --data-root")
}

fn unknown(path: &Path) -> DriverError {
    DriverError::Model {
        path: path.into(),
        reason: format!(
            "not a model file that relayc reads; give it one that ends in {}, .relay or .mlir",
            endings()
        ),
    }
}

/// How files of other frameworks end.
fn endings() -> String {
    let all = FRONTENDS
        .iter()
        .flat_map(|frontend: &Frontend| frontend.extensions);
    let mut endings: Vec<String> = Vec::new();
    for ending in all.map(|ending| format!(".{ending}")) {
        if !endings.contains(&ending) {
            endings.push(ending);
        }
    }
    endings.join(", ")
}

/// A program in Relay's own text.
fn parse_relay<'c>(context: &'c Context, path: &Path) -> Result<Module<'c>, DriverError> {
    let text = std::fs::read_to_string(path).map_err(DriverError::io(path))?;
    let module = relay_text::import(context, &text, &path.to_string_lossy());
    module.map_err(|error| DriverError::Model {
        path: path.into(),
        reason: format!("not valid Relay:\n{error}"),
    })
}

fn parse_mlir<'c>(context: &'c Context, path: &Path) -> Result<Module<'c>, DriverError> {
    let bytes = std::fs::read(path).map_err(DriverError::io(path))?;
    let name = path.to_string_lossy();
    let (module, diagnostics) =
        with_diagnostics(context, || relay_dialects::parse(context, &bytes, &name));
    let wrong = |reason: String| DriverError::Model {
        path: path.into(),
        reason,
    };
    let module = module
        .filter(|module| module.as_operation().verify())
        .ok_or_else(|| wrong(format!("not valid MLIR:\n{diagnostics}")))?;
    check_kinds(Op::of_module(&module)).map_err(wrong)?;
    Ok(module)
}

/// What the module of a model holds at any level.
const KINDS: &[&str] = &[
    func::Func::NAME,
    builtin::Module::NAME,
    memref::Global::NAME,
    names::relay::TYPE_DEF,
    names::te::TENSOR_INTRIN,
];

/// Refuses what no level knows: passes would leave it as it is, and it would become part of the library.
fn check_kinds(module: Op) -> Result<(), String> {
    let mut ops = module.body().ops().into_iter();
    let unknown = ops.find(|op| !KINDS.iter().any(|known| op.is(known)));
    let Some(op) = unknown else { return Ok(()) };
    Err(format!(
        "{}: a model holds no '{}', but functions and what they refer to: {}",
        op.loc(),
        op.name(),
        KINDS.join(", ")
    ))
}
