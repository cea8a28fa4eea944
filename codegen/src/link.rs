//! Self-contained shared libraries.

use crate::{
    CodegenError,
    emit::{Form, emit},
    library::{Options, WEIGHTS_SYMBOL},
    lower::Interface,
    target::Architecture,
};
use object::{
    BinaryFormat, Endianness, SectionKind, SymbolFlags, SymbolKind, SymbolScope,
    write::{Object, Symbol, SymbolSection},
};
use relay_dialects::ir::Op;
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// The variable that names the runtime's static library, for installations elsewhere.
pub const RUNTIME_VARIABLE: &str = "RELAY_RUNTIME_LIB";

/// Makes a module of the llvm dialect a shared library: its code, its constants and the runtime.
///
/// # Errors
/// If LLVM refuses the module, the linker, the runtime or a system library is missing, or a file
/// cannot be written.
pub fn write_library(
    module: Op,
    interface: &Interface,
    options: &Options,
    output: &Path,
) -> Result<(), CodegenError> {
    let kernels = emit(module, interface, options, Form::Object)?;
    link(&kernels, &interface.weights, options, output)
}

/// Links kernels, constants and the runtime to a shared library that exports the C interface of
/// the model and its descriptor, nothing else.
fn link(
    kernels: &[u8],
    weights: &[u8],
    options: &Options,
    output: &Path,
) -> Result<(), CodegenError> {
    let (name, architecture) = (&options.name, options.target.architecture);
    let folder = tempfile::tempdir().map_err(|source| io(Path::new("temporary folder"), source))?;
    let write = |file: &str, content: &[u8]| {
        let path = folder.path().join(file);
        fs::write(&path, content)
            .map(|()| path.clone())
            .map_err(|source| io(&path, source))
    };
    let kernels = write("kernels.o", kernels)?;
    let weights = write("weights.o", &weights_object(weights, architecture)?)?;
    let exports = format!(
        "{{ global: relay_model_descriptor; {name}_create; {name}_run; {name}_destroy; \
         {name}_last_error; {name}_profile; local: *; }};\n"
    );
    let exports = write("exports.map", exports.as_bytes())?;
    // Replacing a file that a process has mapped would pull its pages away.
    let fresh = folder.path().join("library.so");
    let mut command = Command::new(linker()?);
    command
        .args([
            "-shared",
            "--gc-sections",
            "--strip-debug",
            "-z",
            "now",
            "-z",
            "relro",
            "--hash-style=gnu",
        ])
        .arg(format!("--version-script={}", exports.display()))
        .arg("-o")
        .arg(&fresh)
        .args([&kernels, &weights, &runtime_library()?])
        .args(system_libraries(architecture)?);
    let result = command
        .output()
        .map_err(|source| io(Path::new("ld.lld"), source))?;
    if !result.status.success() {
        return Err(CodegenError::Link(
            String::from_utf8_lossy(&result.stderr).into_owned(),
        ));
    }
    match fs::remove_file(output) {
        Ok(()) => {}
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
        Err(source) => return Err(io(output, source)),
    }
    fs::copy(&fresh, output)
        .map(|_| ())
        .map_err(|source| io(output, source))
}

fn io(path: &Path, source: std::io::Error) -> CodegenError {
    CodegenError::Io {
        path: path.to_path_buf(),
        source,
    }
}

/// The constants as an object: LLVM would take seconds to print a hundred megabytes of them.
fn weights_object(weights: &[u8], architecture: &Architecture) -> Result<Vec<u8>, CodegenError> {
    let mut object = Object::new(BinaryFormat::Elf, architecture.object, Endianness::Little);
    let section = object.add_section(
        Vec::new(),
        b".rodata.relay_weights".to_vec(),
        SectionKind::ReadOnlyData,
    );
    object.append_section_data(section, weights, 64);
    object.add_symbol(Symbol {
        name: WEIGHTS_SYMBOL.into(),
        value: 0,
        size: weights.len() as u64,
        kind: SymbolKind::Data,
        scope: SymbolScope::Linkage,
        weak: false,
        section: SymbolSection::Section(section),
        flags: SymbolFlags::None,
    });
    object
        .write()
        .map_err(|error| CodegenError::Link(error.to_string()))
}

/// `ld.lld` of the LLVM that we are built with.
fn linker() -> Result<PathBuf, CodegenError> {
    let path = Path::new(env!("MLIR_SYS_220_PREFIX")).join("bin/ld.lld");
    if path.exists() {
        return Ok(path);
    }
    Err(CodegenError::Missing {
        what: format!("the linker {}", path.display()),
        remedy: "install Debian's lld package of the same LLVM version".into(),
    })
}

/// The runtime, beside the executable or one folder up (where cargo puts test programs).
fn runtime_library() -> Result<PathBuf, CodegenError> {
    if let Some(path) = std::env::var_os(RUNTIME_VARIABLE).map(PathBuf::from) {
        return Ok(path);
    }
    let executable = std::env::current_exe().ok();
    let folders = executable
        .iter()
        .flat_map(|path| path.ancestors().skip(1).take(2));
    let found = folders
        .map(|folder| folder.join("librelay_runtime.a"))
        .find(|path| path.exists());
    found.ok_or_else(|| CodegenError::Missing {
        what: "librelay_runtime.a beside this program".into(),
        remedy: format!("build it with `cargo build -p relay-runtime`, or set {RUNTIME_VARIABLE}"),
    })
}

/// The shared libraries that every Linux program uses; linked by path, so that no compiler is
/// needed on the machine.
fn system_libraries(architecture: &Architecture) -> Result<Vec<PathBuf>, CodegenError> {
    let folders = [
        format!("/lib/{}", architecture.libraries),
        format!("/usr/lib/{}", architecture.libraries),
        "/lib64".into(),
        "/usr/lib64".into(),
        "/usr/lib".into(),
    ];
    let find = |name: &str| {
        folders
            .iter()
            .map(|folder| Path::new(folder).join(name))
            .find(|path| path.exists())
            .ok_or_else(|| CodegenError::Missing {
                what: format!("{name} in {}", folders.join(", ")),
                remedy: "install the C library and GCC's runtime library".into(),
            })
    };
    let names = [
        "libc.so.6",
        "libm.so.6",
        "libgcc_s.so.1",
        architecture.loader,
    ];
    names.into_iter().map(find).collect()
}
