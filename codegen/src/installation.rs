//! Where this compiler's own files are: the linker and the runtime that libraries are made with.
//!
//! A compiler is installed as programs, or as a Python extension, with what they need beside them or in
//! `../lib/relay-mlir`; it works where it stands, wherever that is. The runtime for the machine's own architecture
//! is carried inside, so that it is the one that the compiler was made with.

use crate::CodegenError;
use std::{
    fs,
    path::{Path, PathBuf},
    sync::OnceLock,
};

/// The variable that names the linker, an `ld.lld`.
pub const LINKER_VARIABLE: &str = "RELAY_LINKER";

/// The variable that names the runtime's static library.
pub const RUNTIME_VARIABLE: &str = "RELAY_RUNTIME_LIB";

/// The variable that names the program that times models on another machine.
pub const RUNNER_VARIABLE: &str = "RELAY_RUNNER";

/// The name of the program that times models on another machine.
const RUNNER_NAME: &str = "relay-runner";

/// The name of the runtime's static library.
pub const RUNTIME_NAME: &str = "librelay_runtime.a";

/// The runtime's static library for the architecture that this compiler runs on.
pub static RUNTIME: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/librelay_runtime.a"));

/// The headers of compiled models, and of code generators: names and texts.
pub static HEADERS: &[(&str, &str)] = &[
    (
        "relay_codegen.h",
        include_str!("../include/relay_codegen.h"),
    ),
    (
        "relay_operators.h",
        include_str!("../../dialects/include/relay_operators.h"),
    ),
    (
        "relay_runtime.h",
        include_str!("../../runtime/include/relay_runtime.h"),
    ),
    (
        "relay_runtime.hpp",
        include_str!("../../runtime/include/relay_runtime.hpp"),
    ),
];

/// The file that holds this code: a program, or the shared library of a Python extension. `None` if it was
/// replaced or removed since it was started.
pub fn own_file() -> Option<&'static Path> {
    static FILE: OnceLock<Option<PathBuf>> = OnceLock::new();
    let find = || {
        let maps = fs::read_to_string("/proc/self/maps").ok()?;
        let here = own_file as fn() -> Option<&'static Path> as usize;
        mapped_at(&maps, here).filter(|path| path.exists())
    };
    FILE.get_or_init(find).as_deref()
}

/// The file that Linux's list of a process's mappings has at an address. A line is
/// `start-end rights offset device inode   path`.
fn mapped_at(maps: &str, address: usize) -> Option<PathBuf> {
    let holds = |range: &str| {
        let (start, end) = range.split_once('-')?;
        let start = usize::from_str_radix(start, 16).ok()?;
        let end = usize::from_str_radix(end, 16).ok()?;
        Some((start..end).contains(&address))
    };
    let line = maps
        .lines()
        .find(|line| line.split(' ').next().and_then(holds) == Some(true))?;
    let path = line.find('/').map(|at| &line[at..])?;
    Some(PathBuf::from(path))
}

/// The folders where an installation has files of its own: beside this code, and `../lib/relay-mlir`.
fn own_folders() -> Vec<PathBuf> {
    let beside = own_file().and_then(Path::parent);
    let folders = beside.map(|folder| vec![folder.into(), folder.join("../lib/relay-mlir")]);
    folders.unwrap_or_default()
}

/// What a variable of the environment names; an error if that is no file.
fn named_by(variable: &str) -> Result<Option<PathBuf>, CodegenError> {
    let Some(path) = std::env::var_os(variable).map(PathBuf::from) else {
        return Ok(None);
    };
    if path.is_file() {
        return Ok(Some(path));
    }
    Err(CodegenError::Missing {
        what: format!("the file {} that {variable} names", path.display()),
        remedy: "correct the variable, or unset it".into(),
    })
}

/// The linker, `ld.lld`: the one that [`LINKER_VARIABLE`] names; else the installation's own; else that of the
/// LLVM that this compiler was built with; else one on the `PATH`.
///
/// # Errors
/// If there is none, or the variable names no file.
pub fn linker() -> Result<PathBuf, CodegenError> {
    if let Some(path) = named_by(LINKER_VARIABLE)? {
        return Ok(path);
    }
    let (major, ..) = inkwell::support::get_llvm_version();
    let built_with = Path::new(env!("MLIR_SYS_220_PREFIX")).join("bin");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let own = own_folders().into_iter().chain([built_with]);
    let own = own.map(|folder| folder.join("ld.lld"));
    let names = [format!("ld.lld-{major}"), "ld.lld".into()];
    let others = names.iter().flat_map(|name| {
        let folders = std::env::split_paths(&path).collect::<Vec<_>>().into_iter();
        folders.map(move |folder| folder.join(name))
    });
    let found = own.chain(others).find(|path| path.is_file());
    found.ok_or_else(|| CodegenError::Missing {
        what: format!("the linker ld.lld of LLVM {major}"),
        remedy: format!(
            "install it (Debian: lld-{major}), or set {LINKER_VARIABLE} to the path of an ld.lld"
        ),
    })
}

/// The runtime's static library: the one that [`RUNTIME_VARIABLE`] names; else, for the architecture that this
/// compiler runs on, the one that it carries, which is written into `folder`; else the one in a folder of that
/// architecture's name in the installation.
///
/// # Errors
/// If there is none, the variable names no file, or the folder cannot be written to.
pub(crate) fn runtime(architecture: &str, folder: &Path) -> Result<PathBuf, CodegenError> {
    if let Some(path) = named_by(RUNTIME_VARIABLE)? {
        return Ok(path);
    }
    if architecture == std::env::consts::ARCH {
        let path = folder.join(RUNTIME_NAME);
        let written = fs::write(&path, RUNTIME);
        return match written {
            Ok(()) => Ok(path),
            Err(source) => Err(CodegenError::Io { path, source }),
        };
    }
    let folders = own_folders().into_iter();
    let found = folders
        .map(|folder| folder.join(architecture).join(RUNTIME_NAME))
        .find(|path| path.is_file());
    found.ok_or_else(|| CodegenError::Missing {
        what: format!("a runtime for {architecture}"),
        remedy: format!(
            "build it with `cargo build -p relay-runtime --target {architecture}-unknown-linux-gnu` and \
             set {RUNTIME_VARIABLE} to its {RUNTIME_NAME}, or make an object with --emit object, to be \
             linked on such a machine"
        ),
    })
}

/// The program that times models on a machine of an architecture: the one that [`RUNNER_VARIABLE`] names; else, for the
/// architecture that this compiler runs on, the installation's own; else the one in a folder of that architecture's name in the
/// installation.
///
/// # Errors
/// If there is none, or the variable names no file.
pub fn runner(architecture: &str) -> Result<PathBuf, CodegenError> {
    if let Some(path) = named_by(RUNNER_VARIABLE)? {
        return Ok(path);
    }
    let place = match architecture == std::env::consts::ARCH {
        true => PathBuf::from(RUNNER_NAME),
        false => Path::new(architecture).join(RUNNER_NAME),
    };
    let folders = own_folders().into_iter();
    let found = folders
        .map(|folder| folder.join(&place))
        .find(|path| path.is_file());
    found.ok_or_else(|| CodegenError::Missing {
        what: format!("a {RUNNER_NAME} for {architecture}"),
        remedy: format!(
            "build it with `cargo build --release -p relay-runner --target {architecture}-unknown-linux-gnu` and set \
             {RUNNER_VARIABLE} to it"
        ),
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot go on says where")]
mod tests {
    use super::*;

    #[test]
    fn this_code_is_in_the_program_of_its_test() {
        assert_eq!(own_file(), Some(std::env::current_exe().unwrap().as_path()));
    }

    #[test]
    fn a_mapping_is_found_by_an_address_in_it() {
        let maps = "1000-2000 r-xp 00000000 08:01 12     /usr/bin/python3\n\
                    2000-3000 r-xp 00000000 00:00 0 \n\
                    f000-f100 r-xp 00001000 08:01 13     /a folder/extension.so\n";
        let at = |address| mapped_at(maps, address);
        assert_eq!(at(0x1fff), Some("/usr/bin/python3".into()));
        assert_eq!(at(0x2000), None);
        assert_eq!(at(0xf000), Some("/a folder/extension.so".into()));
        assert_eq!(at(0xf100), None);
    }

    #[test]
    fn the_runtime_defines_only_what_models_call() {
        use object::{Object as _, ObjectSymbol as _, read::archive::ArchiveFile};
        let archive = ArchiveFile::parse(RUNTIME).unwrap();
        let mut names = Vec::new();
        for member in archive.members() {
            let data = member.unwrap().data(RUNTIME).unwrap();
            let object = object::File::parse(data).unwrap();
            let defined = object
                .symbols()
                .filter(|symbol| symbol.is_global() && symbol.is_definition());
            names.extend(defined.map(|symbol| symbol.name().unwrap().to_string()));
        }
        assert!(names.contains(&"relay_rt_run".to_string()), "{names:?}");
        let others: Vec<&String> = names
            .iter()
            .filter(|name| !name.starts_with("relay_rt_"))
            .collect();
        assert!(others.is_empty(), "{others:?}");
    }
}
