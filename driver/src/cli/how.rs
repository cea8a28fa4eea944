//! Options that several verbs share.

use super::log::Voice;
use crate::{
    DriverError,
    compile::{CompileOptions, Emit, Insertion},
    frontend::{Choice, Extent, Reading, Unsaid, element_type},
    plugins, records, run,
    sizes::Sizes,
};
use clap::{
    ValueEnum,
    builder::{StringValueParser, TypedValueParser},
};
use relay_codegen::{
    Stop, Target,
    external::{self, Placement},
    interface::Executor,
    target,
};
use relay_dialects::element::Element;
use relay_passes::pipeline::{Goal, MAX_OPT_LEVEL, Precision};
use std::{
    convert::Infallible,
    ffi::OsStr,
    path::{Path, PathBuf},
};

/// What is said of a model beside its file.
#[derive(clap::Args)]
pub struct ReadingArgs {
    /// The shape of an input with open dimensions in an ONNX model: x=8,3,224,224. `?` or a name in the place of
    /// a number keeps the dimension open, and so does a range: 1..64, or 16..512:16 for multiples of 16.
    /// Dimensions of the same name in other inputs get the same extent, and `past + seq` gets the sum of the
    /// two. A library keeps all others open; where a verb runs the model, they are 1. The tensors of a sequence
    /// are x.0, x.1 and so on: there are as many as have shapes. May be repeated
    #[arg(long = "shape", value_name = "INPUT=D,D,..", value_parser = parse_shape)]
    shapes: Vec<(String, Vec<Extent>)>,
    /// The size of all dimensions with this name in the inputs of an ONNX model, or in the random inputs of a
    /// library: batch=8. `batch=?`,
    /// `batch=1..64` and `batch=16..512:16` keep them open. May be repeated
    #[arg(long = "dim", value_name = "NAME=SIZE", value_parser = parse_dim)]
    dims: Vec<(String, Extent)>,
    /// The element type of an input of a TorchScript file, which does not say it: ids=i64. It is f32 if nothing is said, or what the
    /// model was traced with. May be repeated
    #[arg(long = "type", value_name = "INPUT=TYPE", value_parser = parse_type)]
    types: Vec<(String, Element)>,
    /// The value of an input, which becomes a constant of the model: sr=16000. It is a number, `true`, `false`, `none`, a list such as
    /// [[1, 2], [3, 4]], or a text, as the input's type asks for. An input of a TorchScript file that is no tensor and has no default
    /// needs one. May be repeated
    #[arg(long = "value", value_name = "INPUT=VALUE", value_parser = parse_value)]
    values: Vec<(String, String)>,
    /// Weights for the model, in place of those that its file holds: a file of safetensors (`model.safetensors`, or
    /// `model.safetensors.index.json` of several), a state dictionary of PyTorch (`model.pth`), arrays of MXNet
    /// (`model-0010.params`), or what TVM's `relay.save_param_dict` writes. The names are those in the model: `layer1.0.weight`. An input of a tensor's name becomes a constant. May be
    /// repeated
    #[arg(long, value_name = "FILE")]
    params: Vec<PathBuf>,
    /// The signature to import, of a model of TensorFlow or TensorFlow Lite [default: serving_default, or the only one]
    #[arg(long, value_name = "NAME")]
    signature: Option<String>,
    /// An output of a model of TensorFlow or TensorFlow Lite to compute: one of its signature, or a node of a frozen graph, as NODE or
    /// NODE:NUMBER. All others are left out. May be repeated
    #[arg(long, value_name = "OUTPUT")]
    fetch: Vec<String>,
    /// Allow weight files beside an ONNX model that are links to files below this folder, as in a model hub's
    /// cache: ~/.cache/huggingface/hub. By default they must be in the model's own folder
    #[arg(long, value_name = "DIR")]
    data_root: Option<PathBuf>,
}

impl ReadingArgs {
    /// Unsaid dimensions are 1: most verbs run the model at once. The verbs that make a library keep them open.
    fn reading(&self) -> Reading {
        Reading {
            unsaid: Unsaid::One,
            shapes: self.shapes.iter().cloned().collect(),
            dims: self.dims.iter().cloned().collect(),
            types: self.types.iter().cloned().collect(),
            values: self.values.iter().cloned().collect(),
            data_root: self.data_root.clone(),
            weights: self.params.clone(),
            choice: Choice {
                signature: self.signature.clone(),
                outputs: self.fetch.clone(),
            },
        }
    }
}

/// Reads `name=8,3,224,224`; a name may hold any character.
fn parse_shape(text: &str) -> Result<(String, Vec<Extent>), String> {
    let (name, dims) = text
        .rsplit_once('=')
        .ok_or("an input's name, '=' and its dimensions, such as x=8,3,224,224")?;
    let dims = dims.split(',').filter(|dim| !dim.is_empty());
    let dims = dims.map(str::parse);
    Ok((name.to_owned(), dims.collect::<Result<_, _>>()?))
}

/// Reads `ids=i64`; a name may hold any character.
fn parse_type(text: &str) -> Result<(String, Element), String> {
    let (name, element) = text
        .rsplit_once('=')
        .ok_or("an input's name, '=' and an element type, such as ids=i64")?;
    Ok((name.to_owned(), element_type(element)?))
}

/// Reads `sr=16000`. What the text means depends on the input's type.
fn parse_value(text: &str) -> Result<(String, String), String> {
    let (name, value) = text
        .split_once('=')
        .ok_or("an input's name, '=' and its value, such as sr=16000")?;
    Ok((name.to_owned(), value.to_owned()))
}

/// Reads `batch=8`; a name may hold any character.
fn parse_dim(text: &str) -> Result<(String, Extent), String> {
    let (name, size) = text
        .rsplit_once('=')
        .ok_or("a dimension's name, '=' and its size, such as batch=8")?;
    Ok((name.to_owned(), size.parse()?))
}

/// The text of a target. Of `help`, clap prints what it prints for `--help`: no model has to be named.
#[derive(Clone)]
struct TargetText;

impl TypedValueParser for TargetText {
    type Value = String;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        let help = || clap::Command::new("target").override_help(target::help());
        if value == "help"
            && let Err(shown) = help().try_get_matches_from(["target", "--help"])
        {
            return Err(shown);
        }
        StringValueParser::new().parse_ref(command, argument, value)
    }
}

/// How to compile.
#[derive(clap::Args)]
pub struct How {
    #[command(flatten)]
    reading: ReadingArgs,
    /// The target: "native", a level such as x86-64-v3, a CPU such as znver4, or a triple and options, such as
    /// "x86_64-unknown-linux-gnu -mcpu=skylake" or "native -mattr=-avx512f". -l2=KIBIBYTES and -cores=NUMBER
    /// describe a CPU further. "x86-64-v3,x86-64-v4" makes a library that runs the newest level of the
    /// processor, and "cuda -arch=sm_80,sm_90" or "nvidia/a100,nvidia/h100" one that runs the code for the GPU.
    /// "help" lists triples, levels, CPUs and features [default: native]
    #[arg(long, value_parser = TargetText)]
    target: Option<String>,
    /// The optimisation level, from 0 (a kernel for each operator) to 3 [default: 3]
    #[arg(long, value_parser = clap::value_parser!(u8).range(0..=i64::from(MAX_OPT_LEVEL)))]
    opt_level: Option<u8>,
    /// The float type of convolutions, matrix products and the operators after them [default: f32]
    #[arg(long, value_enum)]
    precision: Option<PrecisionArg>,
    /// What to weigh where a faster kernel needs larger weights [default: speed]
    #[arg(long, value_enum)]
    optimize: Option<GoalArg>,
    /// Write the IR after each pass into this folder, in numbered files, with large constants elided
    #[arg(long, value_name = "DIR")]
    dump_ir: Option<PathBuf>,
    /// Verify the IR after every pass, to find a pass that breaks it
    #[arg(long)]
    verify_each: bool,
    /// Run your own passes after the first PASS of the standard order, such as "fuse-ops:my-pass{n=2}". Without
    /// PASS, they run first. May be repeated
    #[arg(long, value_name = "[PASS:]PIPELINE", value_parser = |text: &str| Ok::<_, Infallible>(Insertion::parse(text)))]
    insert_pass: Vec<Insertion>,
    /// Load an MLIR pass plugin, for --insert-pass. May be repeated
    #[arg(long, value_name = "PLUGIN.so")]
    load_pass_plugin: Vec<PathBuf>,
    /// Let an external code generator compile the operators that it takes: c, dnnl (oneDNN), or your own
    /// library, such as ./libmine.so. May be repeated
    #[arg(long, value_name = "NAME|LIB.so", value_delimiter = ',')]
    codegen: Vec<String>,
    /// The file of records, which relayc tune writes and all verbs read [default: the file that RELAY_RECORDS
    /// names, or relay-mlir/records.jsonl in the user's data folder, if it exists]
    #[arg(long, value_name = "FILE", conflicts_with = "no_records")]
    records: Option<PathBuf>,
    /// Ignore records, and compile with the default schedules
    #[arg(long)]
    no_records: bool,
    /// Who computes an operator that code generators take: the "first" of them, or the placement with the least
    /// total time, including this compiler. The times are "measured" on this machine, or come from a file of
    /// costs in JSON [default: first]
    #[arg(long, value_name = "HOW|COSTS.json", value_parser = Placement::parse)]
    placement: Option<Placement>,
    /// Compile all kernels, without the cache in RELAY_CACHE_DIR (or XDG_CACHE_HOME/relay-mlir, or
    /// ~/.cache/relay-mlir)
    #[arg(long)]
    no_cache: bool,
}

#[derive(Clone, Copy, Default, ValueEnum)]
enum PrecisionArg {
    /// The model's types
    #[default]
    F32,
    /// 16-bit floats with 8 bits of precision instead of f32. Constants and tensors between kernels take half
    /// the bytes; sums stay f32, and inputs and outputs keep their types. Products of f16 in the model stay f16.
    /// Results differ in the third digit: compare them with f32 before you rely on them
    Bf16,
}

#[derive(Clone, Copy, Default, ValueEnum)]
enum GoalArg {
    /// The shortest time, whatever the size of the library
    #[default]
    Speed,
    /// Larger weights only where they save enough time
    Balanced,
    /// The smallest library: no weight is laid out in more bytes than it has in the model
    Size,
}

impl From<GoalArg> for Goal {
    fn from(goal: GoalArg) -> Self {
        match goal {
            GoalArg::Speed => Self::Speed,
            GoalArg::Balanced => Self::Balanced,
            GoalArg::Size => Self::Size,
        }
    }
}

impl From<PrecisionArg> for Precision {
    fn from(precision: PrecisionArg) -> Self {
        match precision {
            PrecisionArg::F32 => Self::F32,
            PrecisionArg::Bf16 => Self::Bf16,
        }
    }
}

impl How {
    /// Says for which machine to compile: `choose` makes it of what was named.
    pub fn aim(&mut self, choose: impl FnOnce(Option<&str>) -> String) {
        self.target = Some(choose(self.target.as_deref()));
    }

    /// The sizes that are named for a library's open dimensions. For a model there are none: they are compiled into it.
    pub fn sizes(&self, model: &Path) -> Result<Sizes, DriverError> {
        if !run::is_library(model) {
            return Ok(Sizes::new());
        }
        self.refuse(model, false)?;
        let sizes = self.reading.dims.iter().map(|(name, extent)| match extent {
            Extent::Size(size) => Ok((name.clone(), *size)),
            Extent::Open(_) => Err(DriverError::Usage(format!(
                "--dim {name}: a library runs at one size at a time; say which: --dim {name}=8"
            ))),
        });
        sizes.collect()
    }

    /// Refuses options on how to compile where nothing is compiled, and sizes where nothing runs.
    pub fn refuse_for_library(&self, library: &Path) -> Result<(), DriverError> {
        self.refuse(library, !self.reading.dims.is_empty())
    }

    fn refuse(&self, library: &Path, has_sizes: bool) -> Result<(), DriverError> {
        let reading = &self.reading;
        let given = [
            ("--shape", !reading.shapes.is_empty()),
            ("--dim", has_sizes),
            ("--type", !reading.types.is_empty()),
            ("--value", !reading.values.is_empty()),
            ("--data-root", reading.data_root.is_some()),
            ("--params", !reading.params.is_empty()),
            ("--signature", reading.signature.is_some()),
            ("--fetch", !reading.fetch.is_empty()),
            ("--target", self.target.is_some()),
            ("--opt-level", self.opt_level.is_some()),
            ("--precision", self.precision.is_some()),
            ("--optimize", self.optimize.is_some()),
            ("--dump-ir", self.dump_ir.is_some()),
            ("--verify-each", self.verify_each),
            ("--insert-pass", !self.insert_pass.is_empty()),
            ("--load-pass-plugin", !self.load_pass_plugin.is_empty()),
            ("--codegen", !self.codegen.is_empty()),
            ("--records", self.records.is_some()),
            ("--no-records", self.no_records),
            ("--placement", self.placement.is_some()),
            ("--no-cache", self.no_cache),
        ];
        let given = given.into_iter().filter(|(_, given)| *given);
        let given: Vec<&str> = given.map(|(name, _)| name).collect();
        if given.is_empty() {
            return Ok(());
        }
        Err(DriverError::Usage(format!(
            "{} is compiled already, and {} says how to compile; leave it out, or name the model",
            library.display(),
            given.join(", ")
        )))
    }

    /// The file of records that is named.
    pub fn named_records(&self) -> Option<&Path> {
        self.records.as_deref()
    }

    /// Whether records are to be ignored.
    pub fn ignores_records(&self) -> bool {
        self.no_records
    }

    /// The file of records: the one that is named, or the usual one if it is there.
    fn records(&self) -> Option<PathBuf> {
        let usual = || records::default_path().filter(|path| path.is_file());
        let named = self.records.clone();
        named.or_else(|| (!self.no_records).then(usual).flatten())
    }

    /// The options to make `emit` of a model.
    pub fn options(&self, emit: Emit, voice: Voice) -> Result<CompileOptions, DriverError> {
        let mut targets = Target::parse_list(self.target.as_deref().unwrap_or("native"))?;
        let older = targets.split_off(1);
        if !older.is_empty() && emit != Emit::Library {
            return Err(DriverError::Usage(
                "only a library can be for several targets; name one".into(),
            ));
        }
        let target = targets.remove(0);
        let loaded = self.load_pass_plugin.iter();
        let plugins = loaded.map(|path| plugins::load(path));
        let plugins = plugins.collect::<Result<_, _>>()?;
        let codegen = self.codegen.iter().map(|name| external::find(name));
        let codegen = codegen.collect::<Result<_, _>>()?;
        let options = CompileOptions {
            target,
            older,
            opt_level: self.opt_level.unwrap_or(MAX_OPT_LEVEL),
            reading: self.reading.reading(),
            precision: self.precision.unwrap_or_default().into(),
            goal: self.optimize.unwrap_or_default().into(),
            emit,
            dump_ir: self.dump_ir.clone(),
            verify_each: self.verify_each,
            profile: false,
            cache: !self.no_cache,
            progress: voice.progress(),
            warn: true,
            candidate: 0,
            records: self.records(),
            executor: Executor::default(),
            program: false,
            codegen,
            placement: self.placement.clone().unwrap_or_default(),
            insert: self.insert_pass.clone(),
            plugins,
            stop: Stop::default(),
        };
        if self.placement.is_some() {
            options.check_placement().map_err(DriverError::Usage)?;
        }
        options.check_insertions().map_err(DriverError::Usage)?;
        Ok(options)
    }
}
