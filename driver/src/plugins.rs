//! Passes of others: libraries made for `--load-pass-plugin` of MLIR's tools.

use crate::DriverError;
use object::{
    Endianness,
    elf::DT_NEEDED,
    read::{ReadCache, elf::ElfFile64},
};
use relay_dialects::plugin;
use std::{
    collections::BTreeSet,
    fs::File,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

/// Loads the passes of a library, once; its whole path. They stay for as long as the process lives.
///
/// # Errors
/// If there is no such file, it is no plugin, or it is made for another MLIR.
pub fn load(path: &Path) -> Result<PathBuf, DriverError> {
    static LOADED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    let whole = path.canonicalize().map_err(DriverError::io(path))?;
    let file = File::open(&whole).map_err(DriverError::io(path))?;
    let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
    if loaded.contains(&whole) {
        return Ok(whole);
    }
    let done = check(file).and_then(|()| plugin::load(&whole));
    done.map_err(|reason| DriverError::Plugin {
        path: path.into(),
        reason,
    })?;
    loaded.insert(whole.clone());
    Ok(whole)
}

/// Checks which MLIR a library is linked with: a second one in the process would know nothing of the first.
fn check(file: File) -> Result<(), String> {
    let cache = ReadCache::new(file);
    let elf = ElfFile64::<Endianness, _>::parse(&cache)
        .map_err(|_| "is no shared library of this system".to_string())?;
    let table = elf.elf_dynamic_table().unwrap_or_default();
    let mut needed = table
        .iter()
        .filter(|entry| entry.tag == DT_NEEDED)
        .filter_map(|entry| std::str::from_utf8(table.string(entry).ok()?).ok());
    let ours = relay_codegen::mlir_version();
    match needed.find_map(|name| name.strip_prefix("libMLIR.so.")) {
        Some(theirs) if theirs == ours => Ok(()),
        Some(theirs) => Err(format!(
            "is made for MLIR {theirs}, and relayc uses MLIR {ours}; build it with the packages of that one"
        )),
        None => Err(format!(
            "is no plugin: those are linked with libMLIR.so.{ours}"
        )),
    }
}
