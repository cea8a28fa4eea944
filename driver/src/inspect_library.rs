//! Describes a compiled model from its file alone: nothing of it is loaded or run, so that it may be for another
//! machine.

use crate::DriverError;
use relay_runtime::{Port, image::Image};
use serde::Serialize;
use std::{fmt, path::Path};

/// A compiled model's interface and sizes, in bytes.
#[derive(Clone, Debug, Serialize)]
pub struct LibrarySummary {
    /// The prefix of its exported functions.
    pub name: String,
    /// What it was compiled for.
    pub target: String,
    /// The floats that its convolutions and matrix products read.
    pub precision: String,
    /// The features of the processor that its code needs, by LLVM's names.
    pub features: Vec<String>,
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
/// If the file is no such library, or damaged.
pub fn inspect_library(path: &Path) -> Result<LibrarySummary, DriverError> {
    std::fs::metadata(path).map_err(DriverError::io(path))?;
    let image = Image::read(path)?;
    let about = image.about;
    let ports = |ports: &[Port]| ports.iter().map(LibraryPort::from).collect();
    Ok(LibrarySummary {
        inputs: ports(&about.inputs),
        outputs: ports(&about.outputs),
        name: about.name,
        target: about.target,
        precision: about.precision,
        features: about.features,
        weights: about.weights_bytes,
        arena: about.arena_bytes,
        code: image.code_bytes,
        file: image.file_bytes,
    })
}

impl fmt::Display for LibrarySummary {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(formatter, "target: {}", self.target)?;
        writeln!(formatter, "precision: {}", self.precision)?;
        let needs = ["needs:".to_string(), self.features.join(", ")].join(" ");
        writeln!(formatter, "{}", needs.trim_end())?;
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
