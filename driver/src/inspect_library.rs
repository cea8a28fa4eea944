//! Describes a compiled model from its file alone: nothing of it is loaded or run, so that it may be for another
//! machine.

mod memory;

use crate::DriverError;
use memory::Memory;
use object::{Object, ObjectSection, SectionFlags, elf::SHF_EXECINSTR, read::ReadCache};
use relay_runtime::{Port, descriptor::ABI_VERSION};
use serde::Serialize;
use std::{fmt, fs::File, path::Path};

/// A compiled model's interface and sizes, in bytes.
#[derive(Clone, Debug, Serialize)]
pub struct LibrarySummary {
    /// The prefix of its exported functions.
    pub name: String,
    /// What it was compiled for.
    pub target: String,
    /// The floats that its convolutions and matrix products read.
    pub precision: String,
    /// Its inputs.
    pub inputs: Vec<LibraryPort>,
    /// Its outputs.
    pub outputs: Vec<LibraryPort>,
    /// The constants.
    pub weights: u64,
    /// What an instance works in.
    pub arena: u64,
    /// The machine code: the kernels and the runtime.
    pub code: u64,
    /// The file.
    pub file: u64,
}

/// An input or output of a library.
#[derive(Clone, Debug, Serialize)]
pub struct LibraryPort {
    /// Its name.
    pub name: String,
    /// Its element type, by MLIR's name.
    pub dtype: String,
    /// Its dimensions.
    pub shape: Vec<i64>,
}

impl From<&Port> for LibraryPort {
    fn from(port: &Port) -> Self {
        Self {
            name: port.name.clone(),
            dtype: port.dtype.name().into(),
            shape: port.shape.clone(),
        }
    }
}

/// Describes a library that `relayc compile` made, for any machine.
///
/// # Errors
/// If the file is no such library.
pub fn inspect_library(path: &Path) -> Result<LibrarySummary, DriverError> {
    let fail = |reason: String| DriverError::Model {
        path: path.into(),
        reason,
    };
    let opened = File::open(path).map_err(DriverError::io(path))?;
    let length = opened.metadata().map_err(DriverError::io(path))?.len();
    let cache = ReadCache::new(opened);
    let file =
        object::File::parse(&cache).map_err(|error| fail(format!("is not a library: {error}")))?;
    let described = Memory::new(&file).and_then(|memory| describe(&memory));
    described
        .map(|summary| LibrarySummary {
            code: code_bytes(&file),
            file: length,
            ..summary
        })
        .map_err(|reason| fail(format!("is no library of relayc: {reason}")))
}

/// Reads the descriptor, which `relay_model_descriptor_t` in the runtime's C header lays out.
fn describe(memory: &Memory<'_, '_>) -> Result<LibrarySummary, String> {
    let mut fields = memory.at_symbol("relay_model_descriptor")?;
    let version = fields.u32()?;
    if version != ABI_VERSION {
        return Err(format!(
            "its interface is of version {version}, this relayc knows {ABI_VERSION}; compile the model again"
        ));
    }
    let (name, target, precision) = (fields.text()?, fields.text()?, fields.text()?);
    let (inputs, outputs) = (ports(&mut fields)?, ports(&mut fields)?);
    let arena = fields.u64()?;
    let _constants = fields.pointer()?;
    Ok(LibrarySummary {
        name,
        target,
        precision,
        inputs,
        outputs,
        weights: fields.u64()?,
        arena,
        code: 0,
        file: 0,
    })
}

/// Reads a number of tensors and the pointer to them.
fn ports(fields: &mut memory::Fields<'_, '_, '_>) -> Result<Vec<LibraryPort>, String> {
    let count = fields.u32()?;
    let mut fields = fields.follow()?;
    let mut ports = Vec::new();
    for _ in 0..count {
        let (name, dtype) = (fields.text()?, fields.text()?);
        let rank = fields.u32()?;
        let mut dims = fields.follow()?;
        let shape: Result<Vec<i64>, String> = (0..rank).map(|_| dims.i64()).collect();
        ports.push(LibraryPort {
            name,
            dtype,
            shape: shape?,
        });
    }
    Ok(ports)
}

/// The bytes of all sections that are executed.
fn code_bytes<'d>(file: &impl Object<'d>) -> u64 {
    let is_code = |flags| match flags {
        SectionFlags::Elf { sh_flags, .. } => sh_flags.contains(SHF_EXECINSTR),
        _ => false,
    };
    let code = file.sections().filter(|section| is_code(section.flags()));
    code.map(|section| section.size()).sum()
}

impl fmt::Display for LibrarySummary {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(formatter, "target: {}", self.target)?;
        writeln!(formatter, "precision: {}", self.precision)?;
        for (title, ports) in [("inputs", &self.inputs), ("outputs", &self.outputs)] {
            writeln!(formatter, "{title}:")?;
            for LibraryPort { name, dtype, shape } in ports {
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
