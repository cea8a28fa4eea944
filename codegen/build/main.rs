//! Digests the compiler's sources, and makes the static library of the runtime that the compiler carries: a library of one object without debugging
//! information, which defines the functions that compiled models call and no other name.

mod sources;

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, exit},
};

/// What the names of the functions begin with that compiled models call.
const INTERFACE: &str = "relay_rt_";

fn main() {
    if let Err(message) = build() {
        eprintln!("relay-codegen: {message}");
        exit(1);
    }
}

fn build() -> Result<(), String> {
    for input in [
        "../runtime/src",
        "../runtime/Cargo.toml",
        "../Cargo.toml",
        "../Cargo.lock",
    ] {
        println!("cargo:rerun-if-changed={input}");
    }
    println!("cargo:rerun-if-env-changed=MLIR_SYS_220_PREFIX");
    sources::digest_sources()?;
    let out = PathBuf::from(variable("OUT_DIR")?);
    let library = out.join("librelay_runtime.a");
    if is_linting() {
        return fs::write(&library, "").map_err(|error| error.to_string());
    }
    let tools = PathBuf::from(variable("MLIR_SYS_220_PREFIX")?).join("bin");
    let built = compile(&out.join("runtime"))?;
    let object = out.join("relay_runtime.o");
    let mut names = Command::new(tools.join("llvm-nm"));
    names.args(["--defined-only", "--extern-only", "--just-symbol-name"]);
    let names = run(names.arg(&built))?;
    let interface = names.lines().filter(|name| name.starts_with(INTERFACE));
    let mut link = Command::new(tools.join("ld.lld"));
    link.args(["--relocatable", "--gc-sections"]);
    link.args(interface.map(|name| format!("--undefined={name}")));
    run(link.arg(built).arg("-o").arg(&object))?;
    let mut strip = Command::new(tools.join("llvm-objcopy"));
    strip.args(["--strip-debug", "--strip-unneeded", "--wildcard"]);
    strip.arg(format!("--keep-global-symbol={INTERFACE}*"));
    run(strip.arg(&object))?;
    // llvm-ar adds to a library that there is.
    if library.exists() {
        fs::remove_file(&library).map_err(|error| format!("{}: {error}", library.display()))?;
    }
    run(Command::new(tools.join("llvm-ar"))
        .arg("rcsD")
        .arg(&library)
        .arg(object))?;
    Ok(())
}

/// Has cargo compile the runtime without its loader, for the machine that the compiler is for.
fn compile(folder: &Path) -> Result<PathBuf, String> {
    let target = variable("TARGET")?;
    let mut cargo = Command::new(variable("CARGO")?);
    cargo
        .args(["rustc", "--quiet", "--lib", "--crate-type", "staticlib"])
        .args(["--no-default-features", "--profile", "carried"])
        .args(["--manifest-path", "../runtime/Cargo.toml"])
        .args(["--target", &target, "--target-dir"])
        .arg(folder)
        // What cargo says to this script is not meant for another cargo.
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .env_remove("RUSTC_WRAPPER")
        .env_remove("RUSTC_WORKSPACE_WRAPPER");
    run(&mut cargo)?;
    Ok(folder.join(target).join("carried/librelay_runtime.a"))
}

/// Clippy runs build scripts of its own and links nothing.
fn is_linting() -> bool {
    env::var_os("RUSTC_WORKSPACE_WRAPPER")
        .is_some_and(|wrapper| Path::new(&wrapper).ends_with("clippy-driver"))
}

fn variable(name: &str) -> Result<String, String> {
    env::var(name).map_err(|_| format!("{name} is not set; run cargo from inside the workspace"))
}

/// Runs a program; what it prints, if it succeeds.
fn run(command: &mut Command) -> Result<String, String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let result = command.output();
    let result = result.map_err(|error| format!("cannot run {program}: {error}"))?;
    if result.status.success() {
        return Ok(String::from_utf8_lossy(&result.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&result.stderr);
    Err(format!("{program} failed:\n{said}"))
}
