//! Self-contained shared libraries.

use crate::{
    CodegenError, Target, append,
    emit::{Form, emit_part},
    files::{self, TemporaryFolder},
    installation,
    interface::Interface,
    kernels,
    launch::DeviceCode,
    library::{self, Options, Part},
    linker::{io, run, system_libraries},
    variants::{Choice, Variants},
    weights::Weights,
};
use relay_dialects::{dim::Dim, ir::Op};
use std::{
    collections::BTreeSet,
    ffi::OsString,
    fs,
    io::Write as _,
    path::{Path, PathBuf},
    process::Command,
};

/// The name under which every library exports its descriptor, for programs that load a library of which they
/// know nothing else. Nothing in a library refers to it: such a reference would find the descriptor of the
/// library that was loaded first.
const DESCRIPTOR: &str = "relay_model_descriptor";

/// How libraries are linked. What nothing defines is an error then, not when the library is loaded.
const FLAGS: &[&str] = &[
    "-shared",
    "--gc-sections",
    "--strip-debug",
    "-z",
    "defs",
    "-z",
    "now",
    "-z",
    "relro",
    "--hash-style=gnu",
];

/// Makes a shared library: the calls of kernels, which are a module of the llvm dialect, the
/// kernels, the constants and the runtime.
///
/// # Errors
/// If LLVM refuses the module, the linker, the runtime or a system library is missing, or a file
/// cannot be written.
pub fn write_library(
    module: Op,
    interface: &Interface,
    kernels: &[kernels::Object],
    options: &Options,
    output: &Path,
) -> Result<(), CodegenError> {
    needs_system(&options.target)?;
    let calls = emit_part(module, interface, options, Form::Object, &Part::Calls)?;
    let kernels: Vec<&kernels::Object> = kernels.iter().collect();
    link(&[calls], &kernels, &interface.weights, options, output)
}

/// The code of a library for one of several targets.
#[derive(Debug)]
pub struct Variant<'a> {
    /// Its target: a [level](Target::level) of a processor's instructions, or one with a GPU.
    pub target: Target,
    /// The calls of kernels: a module of the llvm dialect.
    pub module: Op,
    /// What the library needs to know of it.
    pub interface: &'a Interface,
    /// Its kernels.
    pub kernels: &'a [kernels::Object],
}

impl Variant<'_> {
    /// Its kernels, if a GPU runs them.
    fn device_code(&self) -> Option<DeviceCode> {
        Some(DeviceCode::of(&self.target.device?, self.interface))
    }
}

/// Makes a shared library of several variants of one program on the same constants, newest first; a
/// run takes the newest one that the machine can run. The target of `options` is not used.
///
/// # Errors
/// As [`write_library`]; and if there is no variant, one has neither a level nor a GPU, or they have not the same
/// constants.
pub fn write_bundle(
    variants: &[Variant<'_>],
    options: &Options,
    output: &Path,
) -> Result<(), CodegenError> {
    let fail = |reason: &str| CodegenError::Lowering(format!("several targets: {reason}"));
    let (oldest, newer) = variants.split_last().ok_or_else(|| fail("there is none"))?;
    let weights = &oldest.interface.weights;
    if newer
        .iter()
        .any(|variant| variant.interface.weights != *weights)
    {
        return Err(fail("their constants differ"));
    }
    let (choice, mut numbers) = numbers(variants).map_err(|reason| fail(&reason))?;
    let number = numbers.pop().unwrap_or_default();
    let names: Vec<String> = variants
        .iter()
        .map(|variant| variant.target.describe())
        .collect();
    let first = Part::Oldest(Variants {
        number,
        others: numbers.clone(),
        choice,
        arenas: largest_arenas(variants).map_err(CodegenError::Lowering)?,
        targets: names.join(", "),
        codes: variants.iter().filter_map(Variant::device_code).collect(),
    });
    let parts = numbers.into_iter().map(Part::Newer).chain([first]);
    let calls = variants.iter().zip(parts).map(|(variant, part)| {
        let options = Options {
            target: variant.target.clone(),
            ..options.clone()
        };
        emit_part(
            variant.module,
            variant.interface,
            &options,
            Form::Object,
            &part,
        )
    });
    let calls: Vec<Vec<u8>> = calls.collect::<Result<_, _>>()?;
    let kernels: Vec<&kernels::Object> = variants
        .iter()
        .flat_map(|variant| variant.kernels)
        .collect();
    let options = Options {
        target: oldest.target.clone(),
        ..options.clone()
    };
    link(&calls, &kernels, weights, &options, output)
}

/// What chooses between variants, and the number of each: levels, or the places of chips in the library.
///
/// # Errors
/// If one has neither a level nor a GPU.
fn numbers(variants: &[Variant<'_>]) -> Result<(Choice, Vec<i32>), String> {
    if variants
        .iter()
        .all(|variant| variant.target.device.is_some())
    {
        return Ok((Choice::Gpu, (0..).take(variants.len()).collect()));
    }
    let level = |variant: &Variant<'_>| {
        let level = variant.target.level();
        level.ok_or("a target is none of x86-64-vN")
    };
    let levels = variants.iter().map(level).collect::<Result<_, _>>()?;
    Ok((Choice::Processor, levels))
}

/// The bytes of arenas in which each of some variants can run.
fn largest_arenas(variants: &[Variant<'_>]) -> Result<Vec<Dim>, String> {
    let mut largest: Vec<Dim> = Vec::new();
    for variant in variants {
        let arenas = variant.interface.arenas();
        largest.resize(arenas.len().max(largest.len()), Dim::Known(0));
        for (most, arena) in largest.iter_mut().zip(arenas) {
            *most = Dim::max(*most, arena)?;
        }
    }
    Ok(largest)
}

/// Links a library that exports the C interface of the model and its descriptor, nothing else.
fn link(
    calls: &[Vec<u8>],
    kernels: &[&kernels::Object],
    weights: &Weights,
    options: &Options,
    output: &Path,
) -> Result<(), CodegenError> {
    let (name, architecture) = (&options.name, options.target.architecture);
    let folder =
        TemporaryFolder::new().map_err(|source| io(Path::new("temporary folder"), source))?;
    let path = |file: &str| folder.path().join(file);
    let write = |file: &str, content: &[u8]| {
        let path = path(file);
        fs::write(&path, content)
            .map(|()| path.clone())
            .map_err(|source| io(&path, source))
    };
    let mut objects = Vec::new();
    for (index, calls) in calls.iter().enumerate() {
        objects.push(write(&format!("calls{index}.o"), calls)?);
    }
    for kernel in kernels {
        objects.push(write(&format!("{}.o", kernel.symbol), &kernel.bytes)?);
    }
    let needed: BTreeSet<&PathBuf> = kernels
        .iter()
        .flat_map(|kernel| &kernel.libraries)
        .collect();
    let exports = format!(
        "{{ global: {DESCRIPTOR}; {}; local: *; }};\n",
        library::exports(name).join("; ")
    );
    let descriptor = library::descriptor_symbol(name);
    let exports = write("exports.map", exports.as_bytes())?;
    let placeholder = write("weights.o", &weights_object(weights, options, false)?)?;
    let linked = path("linked.so");
    let mut command = Command::new(installation::linker()?);
    command
        .args(FLAGS)
        .args(kernels.iter().flat_map(readable_names))
        .arg(format!("--defsym={DESCRIPTOR}={descriptor}"))
        .arg(format!("--version-script={}", exports.display()))
        .args(library_name(output))
        .arg("-o")
        .arg(&linked)
        .args(objects)
        .arg(installation::runtime(architecture.name, folder.path())?)
        // The constants are last, so that nothing follows them in memory.
        .arg(placeholder)
        .args(needed)
        .args(system_libraries(architecture)?);
    run(&mut command)?;
    write_with_constants(&linked, weights, output)
}

/// The option that gives a library the name of its file. A program that is linked with the library looks for that name when it
/// starts, in the folders that it was told of; without it, for the path under which the linker found the library.
fn library_name(output: &Path) -> Option<OsString> {
    let mut option = OsString::from("--soname=");
    option.push(output.file_name()?);
    Some(option)
}

/// Writes what was linked, and the constants behind it.
fn write_with_constants(
    linked: &Path,
    weights: &Weights,
    output: &Path,
) -> Result<(), CodegenError> {
    let mut library = fs::read(linked).map_err(|source| io(linked, source))?;
    if !weights.is_empty() {
        append::prepare(&mut library).map_err(CodegenError::Link)?;
    }
    files::write_whole(output, 0o777, |file| {
        file.write_all(&library)?;
        weights.write(file)
    })
    .map_err(|source| io(output, source))
}

/// A relocatable object with the constants that one without them, made with the same options, asks for, and with the code of
/// its external kernels.
///
/// # Errors
/// If the linker is missing or refuses, or a temporary file cannot be written.
pub fn with_constants(
    object: &[u8],
    interface: &Interface,
    external: &[kernels::Object],
    options: &Options,
) -> Result<Vec<u8>, CodegenError> {
    needs_system(&options.target)?;
    let folder =
        TemporaryFolder::new().map_err(|source| io(Path::new("temporary folder"), source))?;
    let path = |file: &str| folder.path().join(file);
    let constants = weights_object(&interface.weights, options, true)?;
    for (file, content) in [("code.o", object), ("weights.o", &constants)] {
        fs::write(path(file), content).map_err(|source| io(&path(file), source))?;
    }
    let mut command = Command::new(installation::linker()?);
    command.args(["--relocatable", "-o"]);
    command.args(["whole.o", "code.o", "weights.o"].map(path));
    for kernel in external {
        let object = path(&format!("{}.o", kernel.symbol));
        fs::write(&object, &kernel.bytes).map_err(|source| io(&object, source))?;
        command.arg(object);
    }
    run(&mut command)?;
    fs::read(path("whole.o")).map_err(|source| io(&path("whole.o"), source))
}

/// Refuses to link for a machine on which there is no runtime.
fn needs_system(target: &Target) -> Result<(), CodegenError> {
    if target.has_system() {
        return Ok(());
    }
    Err(CodegenError::Target {
        text: target.describe(),
        reason: "where there is no operating system, models run without the runtime: --emit bare makes such a model"
            .into(),
    })
}

fn weights_object(
    weights: &Weights,
    options: &Options,
    filled: bool,
) -> Result<Vec<u8>, CodegenError> {
    let object = weights.object(&options.name, options.target.architecture.machine, filled);
    object.map_err(|error| CodegenError::Link(error.to_string()))
}

/// A kernel's names in the model beside its symbol, so that profilers and debuggers show them.
fn readable_names(kernel: &&kernels::Object) -> Vec<String> {
    let is_plain = |name: &&String| {
        name.bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    let names = kernel.names.iter().filter(is_plain);
    names
        .map(|name| format!("--defsym=relay_{name}={}", kernel.symbol))
        .collect()
}
