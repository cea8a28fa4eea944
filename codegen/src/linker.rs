//! The linker's run, and the libraries of a target's system.

use crate::{CodegenError, Target, files::TemporaryFolder, installation};
use relay_machine::target::Architecture;
use std::{
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// Links an object to a shared one, with more of the linker's arguments.
///
/// # Errors
/// If the linker is missing or refuses, or a temporary file cannot be written.
pub(crate) fn share(
    object: &[u8],
    arguments: impl IntoIterator<Item = impl AsRef<OsStr>>,
) -> Result<Vec<u8>, CodegenError> {
    let at_folder = |source| io(Path::new("temporary folder"), source);
    let folder = TemporaryFolder::new().map_err(at_folder)?;
    let [from, to] = ["object.o", "object.so"].map(|file| folder.path().join(file));
    fs::write(&from, object).map_err(at_folder)?;
    let mut command = Command::new(installation::linker()?);
    command.arg("-shared").arg("-o").args([&to, &from]);
    run(command.args(arguments))?;
    fs::read(&to).map_err(at_folder)
}

/// Runs the linker.
pub(crate) fn run(command: &mut Command) -> Result<(), CodegenError> {
    let result = command.output();
    let result = result.map_err(|source| io(Path::new(command.get_program()), source))?;
    if result.status.success() {
        return Ok(());
    }
    let message = String::from_utf8_lossy(&result.stderr).into_owned();
    Err(CodegenError::Link(message))
}

/// An error of a file.
pub(crate) fn io(path: &Path, source: std::io::Error) -> CodegenError {
    CodegenError::Io {
        path: path.to_path_buf(),
        source,
    }
}

/// The shared libraries that every Linux program uses; linked by path, so that no compiler is
/// needed on the machine.
pub(crate) fn system_libraries(architecture: &Architecture) -> Result<Vec<PathBuf>, CodegenError> {
    let remedy = format!(
        "install the C library and GCC's runtime library of {} (Debian: {})",
        architecture.name,
        architecture.packages()
    );
    let names = [
        "libc.so.6",
        "libm.so.6",
        "libgcc_s.so.1",
        architecture.loader,
    ];
    let names = names.into_iter();
    names
        .map(|name| find_in_folders(architecture, name, &remedy))
        .collect()
}

/// A shared library of the target's system, by its file's name.
///
/// # Errors
/// If it is not there: `remedy` says what to do.
pub(crate) fn find_library(
    target: &Target,
    name: &str,
    remedy: &str,
) -> Result<PathBuf, CodegenError> {
    find_in_folders(target.architecture, name, remedy)
}

fn find_in_folders(
    architecture: &Architecture,
    name: &str,
    remedy: &str,
) -> Result<PathBuf, CodegenError> {
    let libraries = architecture.libraries;
    let mut folders = vec![
        format!("/lib/{libraries}"),
        format!("/usr/lib/{libraries}"),
        // Debian's packages for building on another architecture.
        format!("/usr/{libraries}/lib"),
    ];
    if architecture.is_host() {
        folders.extend(["/lib64", "/usr/lib64", "/usr/lib"].map(String::from));
    }
    let paths = folders.iter().map(|folder| Path::new(folder).join(name));
    let found = paths.into_iter().find(|path| path.exists());
    found.ok_or_else(|| CodegenError::Missing {
        what: format!("{name} in {}", folders.join(", ")),
        remedy: remedy.into(),
    })
}
