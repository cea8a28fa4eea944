//! Compiles the C sources in `tests/c/`.

use relay_runtime::descriptor::ABI_VERSION;
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
    time::SystemTime,
};
use tempfile::TempDir;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// What a hand-written model is compiled with.
pub(crate) struct Options {
    pub(crate) name: &'static str,
    pub(crate) scale: u32,
    pub(crate) abi: u32,
    pub(crate) features: &'static str,
    pub(crate) extent: u32,
    /// The bytes of the constants: a factor, and zeros.
    pub(crate) weights: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            name: "alpha",
            scale: 2,
            abi: ABI_VERSION,
            features: "",
            extent: 1001,
            weights: 4,
        }
    }
}

/// A folder for one test's files.
pub(crate) fn folder() -> TempDir {
    tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap()
}

/// The newest static library that cargo made of this crate: it makes one with each build of it.
fn static_library() -> PathBuf {
    let deps = std::env::current_exe().unwrap();
    let deps = deps.parent().unwrap();
    let made = |path: &Path| -> Option<SystemTime> { path.metadata().ok()?.modified().ok() };
    [deps, deps.parent().unwrap()]
        .into_iter()
        .flat_map(|folder| fs::read_dir(folder).unwrap().flatten())
        .map(|entry| entry.path())
        .filter(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with("librelay_runtime") && name.ends_with(".a")
        })
        .max_by_key(|path| made(path))
        .expect("cargo builds librelay_runtime.a with the tests")
}

/// The first of some compilers that is installed, with the header on its path and every warning an error.
fn installed(names: &[&str]) -> Command {
    let is_installed = |name: &&&str| {
        let mut version = Command::new(name);
        version.arg("--version").output().is_ok()
    };
    let name = names.iter().find(is_installed);
    let mut command = Command::new(name.expect("a compiler is installed"));
    command.args(["-O1", "-Wall", "-Wextra", "-Werror", "-I"]);
    command.arg(Path::new(ROOT).join("include"));
    command
}

fn compiler() -> Command {
    installed(&["clang-22", "cc", "gcc", "clang"])
}

/// A compiler of C++17.
pub(crate) fn cpp_compiler() -> Command {
    let mut command = installed(&["clang++-22", "c++", "g++", "clang++"]);
    command.args(["-std=c++17", "-pedantic"]);
    command
}

pub(crate) fn source(name: &str) -> PathBuf {
    Path::new(ROOT).join("tests/c").join(name)
}

/// Runs a command; what it prints, if it succeeds.
pub(crate) fn run(command: &mut Command) -> String {
    let Output {
        status,
        stdout,
        stderr,
    } = command.output().unwrap();
    let (stdout, stderr) = (
        String::from_utf8_lossy(&stdout),
        String::from_utf8_lossy(&stderr),
    );
    assert!(
        status.success(),
        "{command:?}: {status}\n{stdout}\n{stderr}"
    );
    stdout.into_owned()
}

/// Compiles a model to `<folder>/<name>.so`, which exports what compiled models export.
pub(crate) fn model(folder: &Path, options: &Options) -> PathBuf {
    let defined = [
        format!("-DNAME={}", options.name),
        format!("-DSCALE={}", options.scale),
        format!("-DABI={}", options.abi),
        format!("-DFEATURES=\"{}\"", options.features),
        format!("-DEXTENT={}", options.extent),
        format!("-DWEIGHTS={}", options.weights),
    ];
    link_model(folder, options.name, "model.c", &defined)
}

/// Compiles the model with open dimensions, with bounds or without.
pub(crate) fn open_model(folder: &Path, is_bounded: bool) -> PathBuf {
    let defined = is_bounded.then(|| "-DBOUNDED".to_string());
    link_model(folder, "open", "open.c", defined.as_slice())
}

/// Compiles the model whose shapes depend on data.
pub(crate) fn computed_model(folder: &Path) -> PathBuf {
    link_model(folder, "computed", "computed.c", &[])
}

/// Compiles the model with a donated input, which is of another type than its output if it `is_wrong`.
pub(crate) fn donated_model(folder: &Path, is_wrong: bool) -> PathBuf {
    let defined = is_wrong.then(|| "-DWRONG".to_string());
    link_model(folder, "donated", "donated.c", defined.as_slice())
}

/// Compiles the model for a GPU, with a macro that changes it.
pub(crate) fn device_model(folder: &Path, variant: Option<&str>) -> PathBuf {
    let defined = variant.map(|variant| format!("-D{variant}"));
    link_model(folder, "device", "device.c", defined.as_slice())
}

fn link_model(folder: &Path, name: &str, file: &str, defined: &[String]) -> PathBuf {
    let output = folder.join(format!("{name}.so"));
    let script = folder.join(format!("{name}.map"));
    fs::write(
        &script,
        format!("{{ global: relay_model_descriptor; {name}_*; local: *; }};"),
    )
    .unwrap();
    let mut command = compiler();
    command.args(["-shared", "-fPIC", "-Wl,--gc-sections"]);
    command.arg(format!("-Wl,--version-script={}", script.display()));
    command.args(defined);
    command.arg(source(file)).arg(static_library());
    run(command
        .args(["-lpthread", "-ldl", "-lm", "-lgcc_s", "-o"])
        .arg(&output));
    output
}

/// Compiles a shared library that is no model to `<folder>/<name>.so`.
pub(crate) fn library(folder: &Path, name: &str, text: &str) -> PathBuf {
    let (source, output) = [".c", ".so"]
        .map(|end| folder.join(format!("{name}{end}")))
        .into();
    fs::write(&source, text).unwrap();
    run(compiler()
        .args(["-shared", "-fPIC", "-o"])
        .arg(&output)
        .arg(&source));
    output
}

/// Compiles a C program with further libraries to `<folder>/<name>`.
pub(crate) fn program(folder: &Path, name: &str, libraries: &[&Path]) -> PathBuf {
    let output = folder.join(name);
    let mut command = compiler();
    command.arg(source(&format!("{name}.c"))).args(libraries);
    command.arg(format!("-Wl,-rpath,{}", folder.display()));
    run(command.args(["-ldl", "-lpthread", "-o"]).arg(&output));
    output
}
