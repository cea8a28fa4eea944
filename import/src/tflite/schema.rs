//! What a file says, table by table.
//!
//! The numbers are those of the fields in version 3d of the schema of TensorFlow Lite.

use super::flat::{Flat, Table};
use crate::graph::error::Result;

/// The identifier in a file's first bytes.
pub const IDENTIFIER: &[u8; 4] = b"TFL3";

/// The only version of files that there is.
const VERSION: u32 = 3;

/// A model's parts.
pub struct Model {
    /// The operators that it uses.
    pub codes: Vec<Code>,
    /// The graphs; the first one is the model, the others are its branches and loops, or other entries.
    pub graphs: Vec<Graph>,
    /// Where constants lie.
    pub buffers: Vec<Buffer>,
    /// The signatures: the graphs that applications may run.
    pub entries: Vec<Entry>,
}

/// A signature.
pub struct Entry {
    /// Its name.
    pub name: String,
    /// The number of its graph.
    pub graph: u32,
    /// The names of inputs, with the numbers of their tensors.
    pub inputs: Vec<(String, i32)>,
    /// The names of outputs, with the numbers of their tensors.
    pub outputs: Vec<(String, i32)>,
}

/// An operator that a model uses.
pub struct Code {
    /// Its number.
    pub builtin: i32,
    /// Its name, if it is none of TensorFlow Lite's own.
    pub custom: String,
}

/// A graph.
pub struct Graph {
    /// Its name.
    pub name: String,
    /// Its tensors.
    pub tensors: Vec<Tensor>,
    /// The numbers of those that it takes.
    pub inputs: Vec<i32>,
    /// The numbers of those that it returns.
    pub outputs: Vec<i32>,
    /// Its operators, in the order in which they run.
    pub operators: Vec<Operator>,
}

/// A tensor.
#[derive(Default)]
pub struct Tensor {
    /// Its name.
    pub name: String,
    /// Its dimensions; 1 stands for open ones, too.
    pub shape: Vec<i32>,
    /// Its dimensions, -1 for open ones; empty if none is open.
    pub open_shape: Vec<i32>,
    /// The number of its elements' type.
    pub ty: i8,
    /// The number of the buffer of its elements.
    pub buffer: u32,
    /// The number of what lies in another file; 0 if nothing does.
    pub external: u32,
    /// Whether it keeps its elements from run to run.
    pub is_variable: bool,
    /// What its integers stand for.
    pub quantization: Quantization,
    /// How its elements that are not zero are listed.
    pub sparsity: Option<Sparsity>,
}

/// What integers stand for: scale * (integer - zero).
#[derive(Default)]
pub struct Quantization {
    /// One step, or one for each subscript of a dimension.
    pub scales: Vec<f32>,
    /// The integers that stand for zero.
    pub zeros: Vec<i64>,
    /// The dimension that they belong to.
    pub axis: i32,
    /// Whether other details say it: blocks of a dimension have scales, or several dimensions have.
    pub has_details: bool,
}

/// How the elements that are not zero are listed.
pub struct Sparsity {
    /// The order of dimensions, those of the tensor and behind them those of blocks.
    pub order: Vec<i32>,
    /// The dimension that each dimension of a block belongs to.
    pub blocks: Vec<i32>,
    /// What is known of each dimension.
    pub dims: Vec<SparseDim>,
}

/// A dimension of a sparse tensor.
pub enum SparseDim {
    /// All of its subscripts are there.
    Dense(i32),
    /// Those that are listed are there.
    Listed {
        /// For each place so far, where its list begins; and the end of the last one.
        segments: Vec<i64>,
        /// The lists of subscripts.
        subscripts: Vec<i64>,
    },
}

/// A node of a graph.
pub struct Operator {
    /// The number of its operator.
    pub code: u32,
    /// The numbers of the tensors that it reads; -1 for one that is left out.
    pub inputs: Vec<i32>,
    /// The numbers of the tensors that it computes.
    pub outputs: Vec<i32>,
    /// Its options.
    pub options: Option<Options>,
    /// The options of an operator that is none of TensorFlow Lite's own: their place and size.
    pub custom: (usize, usize),
}

/// Where a node's options are.
#[derive(Clone, Copy)]
pub struct Options {
    /// Whether they are of the second list of kinds.
    pub is_second: bool,
    /// Their kind.
    pub kind: u8,
    /// Their place.
    pub at: usize,
}

/// Where a constant's bytes are in the file.
#[derive(Clone, Copy, Default)]
pub struct Buffer {
    /// The first one.
    pub at: u64,
    /// How many there are.
    pub size: u64,
}

/// All elements of a vector of tables, read by a function.
fn all<'f, T>(
    tables: Result<Vec<Table<'f>>>,
    read: impl Fn(&Table<'f>) -> Result<T>,
) -> Result<Vec<T>> {
    tables?.iter().map(read).collect()
}

impl Model {
    /// Reads a file.
    ///
    /// # Errors
    /// If it is none, or damaged.
    pub fn read(bytes: &[u8]) -> Result<Self> {
        let flat = Flat::new(bytes);
        let root = flat.root(IDENTIFIER)?;
        let version = root.u32(0, 0)?;
        if version != VERSION {
            return Err(format!(
                "its version is {version}; only {VERSION} is supported"
            ));
        }
        Ok(Self {
            codes: all(root.tables(1), Code::read)?,
            graphs: all(root.tables(2), Graph::read)?,
            buffers: all(root.tables(4), Buffer::read)?,
            entries: all(root.tables(7), Entry::read)?,
        })
    }

    /// Whether a graph may be part of an entry: it is that one, or no entry of its own.
    pub fn belongs_to(&self, graph: usize, entry: usize) -> bool {
        let is_entry = || {
            let mut entries = self.entries.iter();
            entries.any(|entry| entry.graph as usize == graph)
        };
        graph == entry || !is_entry()
    }
}

impl Entry {
    fn read(table: &Table<'_>) -> Result<Self> {
        let tensor = |named: &Table<'_>| Ok((named.text(0)?, named.u32(1, 0)? as i32));
        Ok(Self {
            inputs: all(table.tables(0), tensor)?,
            outputs: all(table.tables(1), tensor)?,
            name: table.text(2)?,
            graph: table.u32(4, 0)?,
        })
    }
}

impl Code {
    fn read(table: &Table<'_>) -> Result<Self> {
        // Older files have the number in a byte; what is in both is the greater one.
        let old = i32::from(table.i8(0, 0)?);
        Ok(Self {
            builtin: table.i32(3, 0)?.max(old),
            custom: table.text(1)?,
        })
    }
}

impl Graph {
    fn read(table: &Table<'_>) -> Result<Self> {
        Ok(Self {
            tensors: all(table.tables(0), Tensor::read)?,
            inputs: table.i32s(1)?,
            outputs: table.i32s(2)?,
            operators: all(table.tables(3), Operator::read)?,
            name: table.text(4)?,
        })
    }
}

/// The tensor of a number.
pub fn tensor(graph: &Graph, number: i32) -> Option<&Tensor> {
    graph.tensors.get(usize::try_from(number).ok()?)
}

impl Tensor {
    fn read(table: &Table<'_>) -> Result<Self> {
        let quantization = table.table(4)?;
        let sparsity = table.table(6)?;
        Ok(Self {
            shape: table.i32s(0)?,
            ty: table.i8(1, 0)?,
            buffer: table.u32(2, 0)?,
            name: table.text(3)?,
            quantization: quantization
                .map_or_else(|| Ok(Quantization::default()), |it| Quantization::read(&it))?,
            is_variable: table.bool(5, false)?,
            sparsity: sparsity.map(|it| Sparsity::read(&it)).transpose()?,
            open_shape: table.i32s(7)?,
            external: table.u32(10, 0)?,
        })
    }
}

impl Quantization {
    fn read(table: &Table<'_>) -> Result<Self> {
        Ok(Self {
            scales: table.f32s(2)?,
            zeros: table.i64s(3)?,
            axis: table.i32(6, 0)?,
            has_details: table.u8(4, 0)? != 0,
        })
    }
}

impl Sparsity {
    fn read(table: &Table<'_>) -> Result<Self> {
        Ok(Self {
            order: table.i32s(0)?,
            blocks: table.i32s(1)?,
            dims: all(table.tables(2), SparseDim::read)?,
        })
    }
}

impl SparseDim {
    fn read(table: &Table<'_>) -> Result<Self> {
        match table.i8(0, 0)? {
            0 => Ok(Self::Dense(table.i32(1, 0)?)),
            1 => Ok(Self::Listed {
                segments: list(table, 2)?,
                subscripts: list(table, 4)?,
            }),
            other => Err(format!(
                "a dimension of a sparse tensor has the format {other}"
            )),
        }
    }
}

/// A union of lists of integers of several widths.
fn list(table: &Table<'_>, kind: usize) -> Result<Vec<i64>> {
    let Some(values) = table.table(kind + 1)? else {
        return Ok(Vec::new());
    };
    match table.u8(kind, 0)? {
        1 => Ok(values.i32s(0)?.into_iter().map(i64::from).collect()),
        2 => Ok(values.u16s(0)?.into_iter().map(i64::from).collect()),
        3 => Ok(values.u8s(0)?.into_iter().map(i64::from).collect()),
        other => Err(format!("a list of a sparse tensor is of the kind {other}")),
    }
}

impl Operator {
    fn read(table: &Table<'_>) -> Result<Self> {
        let options = |kind: usize, is_second: bool| -> Result<Option<Options>> {
            let found = match table.u8(kind, 0)? {
                0 => None,
                number => table.table(kind + 1)?.map(|options| Options {
                    is_second,
                    kind: number,
                    at: options.place(),
                }),
            };
            Ok(found)
        };
        let large = (table.u64(9, 0)?, table.u64(10, 0)?);
        let custom = match (table.span(5)?, large) {
            (Some(span), (_, 0)) => span,
            (_, (at, size)) => (
                usize::try_from(at).unwrap_or(usize::MAX),
                usize::try_from(size).unwrap_or(usize::MAX),
            ),
        };
        Ok(Self {
            code: table.u32(0, 0)?,
            inputs: table.i32s(1)?,
            outputs: table.i32s(2)?,
            options: options(3, false)?.or(options(11, true)?),
            custom,
        })
    }
}

impl Buffer {
    fn read(table: &Table<'_>) -> Result<Self> {
        let inside = table.span(0)?.filter(|(_, size)| *size > 0);
        Ok(match inside {
            Some((at, size)) => Self {
                at: at as u64,
                size: size as u64,
            },
            // Models above 2 GiB have what is large behind the tables. An offset of 0 or 1 says that nothing is there.
            None => match table.u64(1, 0)? {
                0 | 1 => Self::default(),
                at => Self {
                    at,
                    size: table.u64(2, 0)?,
                },
            },
        })
    }
}
