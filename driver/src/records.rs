//! Where a tuner's records are, and how they name a machine.

use crate::{DriverError, output};
use relay_codegen::Target;
use relay_runtime::pool::available_threads;
use std::{
    fs::OpenOptions,
    path::{Path, PathBuf},
};

/// How records name the machine that is compiled for: instructions, caches and cores. Schedules for a GPU depend on the card alone.
pub fn machine(target: &Target) -> String {
    if let Some(device) = &target.device {
        let (card, emulated) = (
            device.card,
            if device.is_emulated { " -emulated" } else { "" },
        );
        return format!("{} -arch={}{emulated}", card.name, card.chip);
    }
    format!(
        "{} {} {} l2={}K cores={}",
        target.triple,
        target.cpu,
        target.instructions,
        target.schedules_for().l2_bytes >> 10,
        target.cores.unwrap_or_else(available_threads),
    )
}

/// The variable that names the file of records that is read if none is named; empty for none.
pub const RECORDS_VARIABLE: &str = "RELAY_RECORDS";

/// Where records are if no file is named: where `RELAY_RECORDS` says, or `relay-mlir/records.jsonl` in the user's folder for
/// data of the XDG base directory specification. None if there is neither.
pub fn default_path() -> Option<PathBuf> {
    let variable = |name: &str| std::env::var_os(name);
    if let Some(named) = variable(RECORDS_VARIABLE) {
        return (!named.is_empty()).then(|| named.into());
    }
    let given = variable("XDG_DATA_HOME").filter(|folder| !folder.is_empty());
    let home = || variable("HOME").map(|home| PathBuf::from(home).join(".local/share"));
    let folder = given.map(PathBuf::from).or_else(home)?;
    Some(folder.join("relay-mlir/records.jsonl"))
}

/// [The same](default_path), in a folder that is made if it is not there.
///
/// # Errors
/// If it cannot be made.
pub fn usual() -> Result<Option<PathBuf>, DriverError> {
    let path = default_path();
    if let Some(folder) = path.as_deref().and_then(Path::parent) {
        std::fs::create_dir_all(folder).map_err(DriverError::io(folder))?;
    }
    Ok(path)
}

/// Checks that a file of records can be written. One that is there is only added to, so that its folder does not matter.
///
/// # Errors
/// If it cannot.
pub fn check(path: &Path) -> Result<(), DriverError> {
    if !path.is_file() {
        return output::check(path);
    }
    let opened = OpenOptions::new().append(true).open(path);
    opened.map(|_| ()).map_err(|error| DriverError::Output {
        path: path.to_owned(),
        reason: format!("cannot be written: {error}"),
    })
}
