//! Libraries of others: passes for `--load-pass-plugin` of MLIR's tools, and operators for `--load-operators`.

use crate::DriverError;
use object::{
    Endianness,
    elf::DT_NEEDED,
    read::{ReadCache, elf::ElfFile64},
};
use relay_dialects::{plugin, relay::custom};
use std::{
    collections::BTreeSet,
    fs::{self, File},
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

/// Loads the passes of a library, once; its whole path. They stay for as long as the process lives.
///
/// # Errors
/// If there is no such file, it is no plugin, or it is made for another MLIR.
pub fn load(path: &Path) -> Result<PathBuf, DriverError> {
    static LOADED: Loaded = Loaded::new(BTreeSet::new());
    load_once(&LOADED, path, |whole, needed| {
        check_mlir(&needed?)?;
        plugin::load(whole)
    })
}

/// Loads the operators that a library declares, once. They stay for as long as the process lives.
///
/// # Errors
/// If there is no such file, it declares none, or it is made for another MLIR.
pub fn load_operators(path: &Path) -> Result<(), DriverError> {
    static LOADED: Loaded = Loaded::new(BTreeSet::new());
    let loaded = load_once(&LOADED, path, |whole, needed| {
        // A library in C uses no MLIR, so any MLIR suits it. The system's loader says why a file is no library.
        let needed = needed.unwrap_or_default();
        if needed.iter().any(|name| name.starts_with("libMLIR")) {
            check_mlir(&needed)?;
        }
        custom::load(whole)
    });
    loaded.map(drop)
}

/// The whole paths of the libraries that are loaded.
type Loaded = Mutex<BTreeSet<PathBuf>>;

/// Loads a library that is not among the loaded ones; its whole path. `load` gets that, and the names of the libraries that it needs.
fn load_once(
    loaded: &Loaded,
    path: &Path,
    load: impl FnOnce(&Path, Result<Vec<String>, String>) -> Result<(), String>,
) -> Result<PathBuf, DriverError> {
    let whole = path.canonicalize().map_err(DriverError::io(path))?;
    let file = File::open(&whole).map_err(DriverError::io(path))?;
    let mut loaded = loaded.lock().unwrap_or_else(PoisonError::into_inner);
    if !loaded.contains(&whole) {
        load(&whole, needed_libraries(file)).map_err(|reason| DriverError::Plugin {
            path: path.into(),
            reason,
        })?;
        loaded.insert(whole.clone());
    }
    Ok(whole)
}

/// The names of the libraries that a library is linked with.
fn needed_libraries(file: File) -> Result<Vec<String>, String> {
    let cache = ReadCache::new(file);
    let elf = ElfFile64::<Endianness, _>::parse(&cache)
        .map_err(|_| "is no shared library of this system".to_string())?;
    let table = elf.elf_dynamic_table().unwrap_or_default();
    let needed = table.iter().filter(|entry| entry.tag == DT_NEEDED);
    let names = needed.filter_map(|entry| std::str::from_utf8(table.string(entry).ok()?).ok());
    Ok(names.map(str::to_owned).collect())
}

/// The files that this process has mapped, as Linux lists them.
fn mapped_files() -> String {
    fs::read_to_string("/proc/self/maps").unwrap_or_default()
}

/// Whether a plugin finds the MLIR among these files by its name: a plugin that does not would load a second one.
fn is_shared(maps: &str) -> bool {
    let names = maps.lines().filter_map(|line| line.rsplit('/').next());
    names
        .into_iter()
        .any(|name| name.starts_with("libMLIR.so."))
}

/// Checks which MLIR a library is linked with: a second one in the process would know nothing of the first.
fn check_mlir(needed: &[String]) -> Result<(), String> {
    let ours = relay_codegen::mlir_version();
    match needed
        .iter()
        .find_map(|name| name.strip_prefix("libMLIR.so."))
    {
        Some(theirs) if theirs == ours => match is_shared(&mapped_files()) {
            true => Ok(()),
            false => Err(format!(
                "is linked with libMLIR.so.{ours}, and this installation has an MLIR of its own under another name, \
                 as Python's wheel has; load plugins in an installation that uses the system's MLIR"
            )),
        },
        Some(theirs) => Err(format!(
            "is made for MLIR {theirs}, and relayc uses MLIR {ours}; build it with the packages of that one"
        )),
        None => Err(format!(
            "is no plugin: those are linked with libMLIR.so.{ours}"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plugins_share_the_mlir_that_they_name() {
        let own = "7f95 r-xp 00 08:01 5 /usr/lib/llvm-22/lib/libMLIR.so.22.1\n";
        let of_wheel = "7f95 r-xp 00 08:01 5 /venv/relay_mlir.libs/libMLIR-0a1b2c3d.so.22.1\n";
        assert!(is_shared(own));
        assert!(!is_shared(of_wheel));
        assert!(is_shared(&mapped_files()));
    }
}
