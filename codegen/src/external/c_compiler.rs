//! The system's C compiler, for generators that write C.

use crate::{CodegenError, Target, files::TemporaryFolder};
use std::{
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// The variable that names the C compiler, as make and its kin have it.
const VARIABLE: &str = "CC";

/// The compilers that are tried without it.
const KNOWN: &[&str] = &["cc", "gcc", "clang"];

/// Compiles a source to a relocatable object.
///
/// # Errors
/// If there is no compiler, it refuses the source, or the target is of another architecture.
pub fn compile(source: &str, target: &Target) -> Result<Vec<u8>, CodegenError> {
    if !target.architecture.is_host() || !target.has_system() {
        return Err(CodegenError::External(format!(
            "C is compiled by the system's compiler, for {} only, and the target is {}",
            std::env::consts::ARCH,
            target.describe()
        )));
    }
    let io = |path: &Path| {
        let path = path.to_path_buf();
        move |source| CodegenError::Io { path, source }
    };
    let folder = TemporaryFolder::new().map_err(io(Path::new("temporary folder")))?;
    let (text, object) = (
        folder.path().join("external.c"),
        folder.path().join("external.o"),
    );
    fs::write(&text, source).map_err(io(&text))?;
    let compiler = compiler()?;
    let mut command = Command::new(&compiler);
    // In ISO's mode, products and sums are not contracted.
    command.args([
        "-std=c11",
        "-D_GNU_SOURCE",
        "-O3",
        "-fPIC",
        "-fvisibility=hidden",
        "-w",
    ]);
    command.args(machine(target));
    command.arg("-c").arg(&text).arg("-o").arg(&object);
    let done = command.output().map_err(io(Path::new(&compiler)))?;
    if !done.status.success() {
        return Err(CodegenError::External(format!(
            "the C compiler '{}' refuses it:\n{}",
            compiler.to_string_lossy(),
            String::from_utf8_lossy(&done.stderr)
        )));
    }
    fs::read(&object).map_err(io(&object))
}

/// Which instructions the compiler may use: GCC knows other processors than LLVM, so that others are what all have.
fn machine(target: &Target) -> Option<String> {
    if target.text == "native" {
        return Some("-march=native".into());
    }
    target.level().map(|_| format!("-march={}", target.cpu))
}

fn compiler() -> Result<OsString, CodegenError> {
    if let Some(named) = std::env::var_os(VARIABLE).filter(|name| !name.is_empty()) {
        return Ok(named);
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let is_there = |name: &&&str| folders.iter().any(|folder| folder.join(name).is_file());
    match KNOWN.iter().find(is_there) {
        Some(name) => Ok(name.into()),
        None => Err(CodegenError::Missing {
            what: format!("a C compiler ({} in PATH)", KNOWN.join(", ")),
            remedy: format!(
                "external code is compiled by one: install it (Debian: gcc libc6-dev), or name it in {VARIABLE}"
            ),
        }),
    }
}
