//! Describes a compiled model from its file alone: nothing of it is loaded or run, so that it may be for another
//! machine.

use crate::{DriverError, sizes::show_values};
use relay_runtime::{
    Port, Symbol,
    image::{ChipCode, Condition, Image},
};
use serde::Serialize;
use std::{fmt, path::Path};

/// A compiled model's interface and sizes, in bytes.
#[derive(Clone, Debug, Serialize)]
pub struct LibrarySummary {
    /// The prefix of its exported functions.
    pub name: String,
    /// What it was compiled for.
    pub target: String,
    /// The kind of the device that its kernels run on, `cuda` or `rocm`; `None` if that is the processor.
    pub device: Option<String>,
    /// The chips that it has kernels for, the one that is preferred first; none for a processor.
    pub chips: Vec<Chip>,
    /// The floats that its convolutions and matrix products read.
    pub precision: String,
    /// The features of the processor that its code needs, by LLVM's names.
    pub features: Vec<String>,
    /// Its inputs.
    pub inputs: Vec<LibraryPort>,
    /// Its outputs.
    pub outputs: Vec<LibraryPort>,
    /// Inputs that may lie in the memory of outputs.
    pub donated: Vec<Donation>,
    /// The constants.
    pub weights: u64,
    /// The numbers that are known when it runs.
    pub symbols: Vec<LibrarySymbol>,
    /// Forms of them that must be equal.
    pub conditions: Vec<LibraryCondition>,
    /// What an instance works in; `None` if that depends on them.
    pub arena: Option<u64>,
    /// The machine code: the kernels and the runtime.
    pub code: u64,
    /// The file.
    pub file: u64,
}

/// A chip of a GPU.
#[derive(Clone, Debug, Serialize)]
pub struct Chip {
    /// LLVM's name: `sm_90`, `gfx942`.
    pub name: String,
    /// The number of images that the GPU loads.
    pub images: usize,
    /// Their bytes.
    pub bytes: u64,
}

impl From<ChipCode> for Chip {
    fn from(code: ChipCode) -> Self {
        Self {
            name: code.chip,
            images: code.images,
            bytes: code.bytes,
        }
    }
}

/// An input or output of a library.
#[derive(Clone, Debug, Serialize)]
pub struct LibraryPort {
    /// Its name.
    pub name: String,
    /// Its element type, by MLIR's name.
    pub dtype: String,
    /// Its dimensions.
    pub shape: Vec<Extent>,
}

/// An input that may lie in the memory of an output.
#[derive(Clone, Debug, Serialize)]
pub struct Donation {
    /// The input's name.
    pub input: String,
    /// The output's name.
    pub output: String,
}

/// A dimension of an input or output.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Extent {
    /// A number.
    Known(i64),
    /// A form of symbols.
    Open(String),
}

/// A number that is known when a library runs.
#[derive(Clone, Debug, Serialize)]
pub struct LibrarySymbol {
    /// Its name.
    pub name: String,
    /// The least value.
    pub least: i64,
    /// The greatest value, if there is one.
    pub most: Option<i64>,
    /// What its value is a multiple of.
    pub multiple: i64,
    /// Whether a run computes it.
    pub computed: bool,
    /// Its values as people read them.
    #[serde(skip)]
    values: String,
}

/// Two forms of symbols that must be equal when a library runs.
#[derive(Clone, Debug, Serialize)]
pub struct LibraryCondition {
    /// One of the forms.
    pub lhs: String,
    /// The other one.
    pub rhs: String,
    /// The node of the model that needs them to be equal.
    pub node: String,
}

impl From<Condition> for LibraryCondition {
    fn from(condition: Condition) -> Self {
        let Condition { lhs, rhs, node } = condition;
        Self { lhs, rhs, node }
    }
}

impl From<&Symbol> for LibrarySymbol {
    fn from(symbol: &Symbol) -> Self {
        Self {
            name: symbol.name.clone(),
            least: symbol.least,
            most: Some(symbol.most).filter(|most| *most != i64::MAX),
            multiple: symbol.multiple,
            computed: symbol.is_computed,
            values: match symbol.is_computed {
                true => format!("{}, computed by a run", show_values(symbol)),
                false => show_values(symbol),
            },
        }
    }
}

impl From<&Port> for LibraryPort {
    fn from(port: &Port) -> Self {
        let extent = |(text, extent): (String, &i64)| match *extent {
            known @ 0.. => Extent::Known(known),
            _ => Extent::Open(text),
        };
        let shape = port.dimensions().into_iter().zip(&port.shape);
        Self {
            name: port.name.clone(),
            dtype: port.dtype.name().into(),
            shape: shape.map(extent).collect(),
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
    let donation = |input: &Port| {
        let output = about.outputs.get(input.donated?)?;
        Some(Donation {
            input: input.name.clone(),
            output: output.name.clone(),
        })
    };
    Ok(LibrarySummary {
        donated: about.inputs.iter().filter_map(donation).collect(),
        inputs: ports(&about.inputs),
        outputs: ports(&about.outputs),
        name: about.name,
        target: about.target,
        device: about.device,
        chips: about.codes.into_iter().map(Chip::from).collect(),
        precision: about.precision,
        features: about.features,
        weights: about.weights_bytes,
        arena: match about.symbols.is_empty() {
            true => Some(about.arena_bytes),
            false => Some(about.arena_bytes).filter(|bytes| *bytes > 0),
        },
        symbols: about.symbols.iter().map(LibrarySymbol::from).collect(),
        conditions: (about.conditions.into_iter())
            .map(LibraryCondition::from)
            .collect(),
        code: image.code_bytes,
        file: image.file_bytes,
    })
}

impl fmt::Display for Extent {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Known(extent) => extent.fmt(formatter),
            Self::Open(form) => formatter.write_str(form),
        }
    }
}

impl fmt::Display for LibrarySummary {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(formatter, "target: {}", self.target)?;
        if let Some(device) = &self.device {
            writeln!(formatter, "device: {device}")?;
        }
        for Chip {
            name,
            images,
            bytes,
        } in &self.chips
        {
            writeln!(formatter, "  {name}: {images} images, {bytes} bytes")?;
        }
        writeln!(formatter, "precision: {}", self.precision)?;
        let needs = ["needs:".to_string(), self.features.join(", ")].join(" ");
        writeln!(formatter, "{}", needs.trim_end())?;
        for (title, ports) in [("inputs", &self.inputs), ("outputs", &self.outputs)] {
            writeln!(formatter, "{title}:")?;
            for LibraryPort { name, dtype, shape } in ports {
                let dims: Vec<String> = shape.iter().map(Extent::to_string).collect();
                writeln!(formatter, "  {name}: {dtype}[{}]", dims.join(", "))?;
            }
        }
        if !self.donated.is_empty() {
            writeln!(formatter, "in one place, if the caller likes:")?;
        }
        for Donation { input, output } in &self.donated {
            writeln!(formatter, "  {input} and {output}")?;
        }
        if !self.symbols.is_empty() {
            writeln!(formatter, "open dimensions:")?;
        }
        for symbol in &self.symbols {
            writeln!(formatter, "  {}: {}", symbol.name, symbol.values)?;
        }
        if !self.conditions.is_empty() {
            writeln!(formatter, "equal dimensions:")?;
        }
        for LibraryCondition { lhs, rhs, node } in &self.conditions {
            writeln!(formatter, "  {lhs} = {rhs}, for node '{node}'")?;
        }
        for (title, bytes) in [
            ("weights", Some(self.weights)),
            ("arena", self.arena),
            ("code", Some(self.code)),
            ("file", Some(self.file)),
        ] {
            match bytes {
                Some(bytes) => writeln!(formatter, "{title}: {bytes} bytes")?,
                None => writeln!(formatter, "{title}: by the open dimensions")?,
            }
        }
        Ok(())
    }
}
