//! Describes a compiled model.

use crate::DriverError;
use object::{Object, ObjectSection, SectionFlags, elf::SHF_EXECINSTR};
use relay_runtime::{Model, Port};
use std::{fmt, fs, path::Path};

/// A compiled model's interface and sizes, in bytes.
#[derive(Clone, Debug)]
pub struct LibrarySummary {
    /// What it was compiled for.
    pub target: String,
    /// The floats that its convolutions and matrix products read.
    pub precision: String,
    /// Its inputs.
    pub inputs: Vec<Port>,
    /// Its outputs.
    pub outputs: Vec<Port>,
    /// The constants.
    pub weights: u64,
    /// What an instance works in.
    pub arena: u64,
    /// The machine code: the kernels and the runtime.
    pub code: u64,
    /// The file.
    pub file: u64,
}

/// Describes a library that `relayc compile` made.
///
/// # Errors
/// If the file is no such library, or cannot be loaded on this machine.
pub fn inspect_library(path: &Path) -> Result<LibrarySummary, DriverError> {
    let bytes = fs::read(path).map_err(DriverError::io(path))?;
    let code = code_bytes(&bytes).map_err(|error| DriverError::Model {
        path: path.into(),
        reason: format!("is not a library: {error}"),
    })?;
    let model = Model::load(path)?;
    Ok(LibrarySummary {
        target: model.target().into(),
        precision: model.precision().into(),
        inputs: model.inputs().to_vec(),
        outputs: model.outputs().to_vec(),
        weights: model.weights_bytes(),
        arena: model.arena_bytes(),
        code,
        file: bytes.len() as u64,
    })
}

/// The bytes of all sections that are executed.
fn code_bytes(library: &[u8]) -> Result<u64, object::Error> {
    let file = object::File::parse(library)?;
    let is_code = |flags| match flags {
        SectionFlags::Elf { sh_flags, .. } => sh_flags.contains(SHF_EXECINSTR),
        _ => false,
    };
    let code = file.sections().filter(|section| is_code(section.flags()));
    Ok(code.map(|section| section.size()).sum())
}

impl fmt::Display for LibrarySummary {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(formatter, "target: {}", self.target)?;
        writeln!(formatter, "precision: {}", self.precision)?;
        for (title, ports) in [("inputs", &self.inputs), ("outputs", &self.outputs)] {
            writeln!(formatter, "{title}:")?;
            for Port { name, dtype, shape } in ports {
                writeln!(formatter, "  {name}: {dtype}{shape:?}")?;
            }
        }
        for (title, bytes) in [
            ("weights", self.weights),
            ("arena", self.arena),
            ("code", self.code),
            ("file", self.file),
        ] {
            writeln!(formatter, "{title}: {bytes} bytes")?;
        }
        Ok(())
    }
}
