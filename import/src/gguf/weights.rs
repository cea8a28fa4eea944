//! The tensors of a file as operands: matrices that rows are multiplied by or taken of, and vectors.

use super::{
    blocks::{Blocks, Packed},
    file::Tensor,
    tensor_type::Stored,
};
use crate::{
    compose::{blocks::numbers_of_bytes, linear::dense, reduce::along},
    graph::{attr::Param, builder::GraphBuilder, constant::Const, error::Result, value::Value},
};
use relay_dialects::{dim::Dim, element::Element};
use std::{
    cell::RefCell,
    collections::{BTreeMap, HashMap, HashSet},
};

/// The tensors of a file by name.
pub struct Weights<'f> {
    tensors: HashMap<&'f str, &'f Tensor>,
    /// The names of those that were read.
    read: RefCell<HashSet<String>>,
    /// The bytes that each type takes in the file and in the module, where they differ.
    costs: RefCell<BTreeMap<&'static str, [u64; 2]>>,
}

impl<'f> Weights<'f> {
    /// Tensors of a file.
    pub fn new(tensors: &'f [Tensor]) -> Self {
        Self {
            tensors: tensors.iter().map(|one| (&one.name[..], one)).collect(),
            read: RefCell::default(),
            costs: RefCell::default(),
        }
    }

    /// Whether there is a tensor of this name.
    pub fn has(&self, name: &str) -> bool {
        self.tensors.contains_key(name)
    }

    /// The tensors that nothing has read, in the order of their names.
    pub fn unread(&self) -> Vec<&'f str> {
        let read = self.read.borrow();
        let names = self.tensors.keys().copied();
        let mut unread: Vec<&str> = names.filter(|name| !read.contains(*name)).collect();
        unread.sort_unstable();
        unread
    }

    /// The types whose weights take more bytes than in the file: the bytes in the file and in the module.
    pub fn widened(&self) -> Vec<(&'static str, [u64; 2])> {
        let costs = self.costs.borrow();
        let all = costs.iter().map(|(name, bytes)| (*name, *bytes));
        all.filter(|(_, [file, module])| module > file).collect()
    }

    fn tensor<const RANK: usize>(&self, name: &str, shape: [i64; RANK]) -> Result<&'f Tensor> {
        let tensor = self.tensors.get(name);
        let tensor = tensor.ok_or_else(|| format!("the file has no tensor '{name}'"))?;
        self.read.borrow_mut().insert(name.into());
        match tensor.shape == shape {
            true => Ok(tensor),
            false => Err(format!(
                "tensor '{name}' has shape {:?}, expected {shape:?} by the metadata",
                tensor.shape
            )),
        }
    }

    fn note(&self, tensor: &Tensor, bytes: u64) {
        let mut costs = self.costs.borrow_mut();
        let cost = costs.entry(tensor.kind.name).or_default();
        cost[0] += tensor.bytes.len() as u64;
        cost[1] += bytes;
    }

    /// The number of rows of a matrix.
    ///
    /// # Errors
    /// If it is not there, or no matrix.
    pub fn rows(&self, name: &str) -> Result<i64> {
        match self.tensors.get(name).map(|tensor| &tensor.shape[..]) {
            Some(&[rows, _]) if rows > 0 => Ok(rows),
            Some(shape) => Err(format!(
                "tensor '{name}' has shape {shape:?}, expected a matrix with rows"
            )),
            None => Err(format!("the file has no tensor '{name}'")),
        }
    }

    /// A vector of f32.
    ///
    /// # Errors
    /// If it is not there, or not as expected.
    pub fn vector(&self, b: &mut GraphBuilder, name: &str, shape: [i64; 1]) -> Result<Value> {
        let tensor = self.tensor(name, shape)?;
        match tensor.kind.stored {
            Stored::Element(element) => wide(b, tensor, element),
            _ => Err(format!(
                "tensor '{name}' is a vector of type {}; vectors of F32, F16 and BF16 are supported",
                tensor.kind.name
            )),
        }
    }

    /// A vector of f32, if it is there.
    pub fn optional_vector(
        &self,
        b: &mut GraphBuilder,
        name: &str,
        shape: [i64; 1],
    ) -> Result<Option<Value>> {
        match self.has(name) {
            true => self.vector(b, name, shape).map(Some),
            false => Ok(None),
        }
    }

    /// The products of rows, [rows, columns], with the rows of a matrix, and its bias if there is one: `name` is that of both, without
    /// their last parts.
    ///
    /// # Errors
    /// If the matrix is not there, or not as expected.
    pub fn product(
        &self,
        b: &mut GraphBuilder,
        x: &Value,
        (name, rows): (&str, i64),
    ) -> Result<Value> {
        let shape = [rows, x.extent(1)?];
        let tensor = self.tensor(&format!("{name}.weight"), shape)?;
        let result = match tensor.kind.stored {
            Stored::Element(element) => {
                self.note(tensor, tensor.bytes.len() as u64);
                // A narrow float is widened where it is read.
                let weight = match element.is_narrow_float() {
                    true => stored(b, tensor, element),
                    false => wide(b, tensor, element)?,
                };
                dense(b, x, &weight)?
            }
            Stored::Blocks(kind) => {
                let packed = packed(tensor, &kind, shape);
                self.note(tensor, packed.bytes());
                product_of_blocks(b, x, (&packed, &kind))?
            }
            Stored::Unsupported => return Err(unsupported(tensor)),
        };
        match self.optional_vector(b, &format!("{name}.bias"), [rows])? {
            Some(bias) => b.binary("add", &result, &bias),
            None => Ok(result),
        }
    }

    /// Rows of a matrix, f32 of shape [places, columns].
    ///
    /// # Errors
    /// If it is not there, or not as expected.
    pub fn taken(
        &self,
        b: &mut GraphBuilder,
        (name, shape): (&str, [i64; 2]),
        places: &Value,
    ) -> Result<Value> {
        let tensor = self.tensor(name, shape)?;
        match tensor.kind.stored {
            Stored::Element(element) => {
                let matrix = stored(b, tensor, element);
                let rows = b.taken(&matrix, places, 0)?;
                b.cast(&rows, Element::F32)
            }
            Stored::Blocks(kind) => {
                let packed = packed(tensor, &kind, shape);
                self.note(tensor, packed.bytes());
                rows_of_blocks(b, places, (&packed, &kind))
            }
            Stored::Unsupported => Err(unsupported(tensor)),
        }
    }
}

fn unsupported(tensor: &Tensor) -> String {
    format!(
        "tensor '{}' is of type {}, which is not supported",
        tensor.name, tensor.kind.name
    )
}

/// A tensor of elements as the file has it.
fn stored(b: &GraphBuilder, tensor: &Tensor, element: Element) -> Value {
    let shape = tensor.shape.clone();
    b.known(Const::of_bytes(element, shape, tensor.bytes.clone()))
}

/// A tensor of elements in f32.
fn wide(b: &mut GraphBuilder, tensor: &Tensor, element: Element) -> Result<Value> {
    let value = stored(b, tensor, element);
    b.cast(&value, Element::F32)
}

fn packed(tensor: &Tensor, kind: &Blocks, shape: [i64; 2]) -> Packed {
    Packed::of(kind, shape, tensor.bytes.chunks(tensor.kind.bytes))
}

/// x * wᵀ, less the sums of x in each group times the least number of it: nothing is rounded that the format does not round.
fn product_of_blocks(
    b: &mut GraphBuilder,
    x: &Value,
    (packed, kind): (&Packed, &Blocks),
) -> Result<Value> {
    let operands = [
        x.clone(),
        b.known(packed.weight.clone()),
        b.known(packed.scales.clone()),
        b.scalar(Element::U8, kind.zero.into()),
    ];
    let bits = [("bits", Param::Int(kind.bits))];
    let result = b.op("nn.dense_blocks", &operands, &bits)?;
    let Some(leasts) = &packed.leasts else {
        return Ok(result);
    };
    let leasts = b.known(leasts.clone());
    let groups = [x.dims()[0], leasts.dims()[1], Dim::Known(kind.group)];
    let groups = b.reshape(x, &groups)?;
    let sums = along(b, "sum", &groups, (&[2], false))?;
    let least = dense(b, &sums, &leasts)?;
    b.binary("subtract", &result, &least)
}

/// Rows of blocks as f32.
fn rows_of_blocks(
    b: &mut GraphBuilder,
    places: &Value,
    (packed, kind): (&Packed, &Blocks),
) -> Result<Value> {
    let weight = b.known(packed.weight.clone());
    let columns = weight.dims()[1].times(kind.group)?;
    let bytes = b.taken(&weight, places, 0)?;
    let integers = numbers_of_bytes(b, &bytes, (kind.bits, kind.group))?;
    let integers = b.cast(&integers, Element::F32)?;
    let mut of_groups = |numbers: &Const| {
        let numbers = b.known(numbers.clone());
        let taken = b.taken(&numbers, places, 0)?;
        let taken = b.cast(&taken, Element::F32)?;
        let shape = [taken.dims(), &[Dim::Known(1)]].concat();
        b.reshape(&taken, &shape)
    };
    let scales = of_groups(&packed.scales)?;
    let leasts = packed.leasts.as_ref().map(&mut of_groups).transpose()?;
    let distances = b.with_scalar("subtract", &integers, kind.zero.into())?;
    let mut floats = b.binary("multiply", &distances, &scales)?;
    if let Some(leasts) = leasts {
        floats = b.binary("subtract", &floats, &leasts)?;
    }
    b.reshape(&floats, &[places.dims()[0], columns])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{gguf::file::File, graph::file::map_file};
    use std::path::Path;

    /// The numbers that a packed matrix stands for, by the definition of `nn.dequantize_blocks`.
    fn numbers(kind: &Blocks, packed: &Packed) -> Vec<f32> {
        let group = kind.group as usize;
        let integers = packed.weight.bytes();
        let integers: Vec<u8> = match kind.bits {
            4 => integers
                .iter()
                .flat_map(|byte| [byte & 15, byte >> 4])
                .collect(),
            _ => integers.into_owned(),
        };
        let scales = packed.scales.to_floats();
        let leasts = packed.leasts.as_ref().map(Const::to_floats);
        let number = |(at, integer): (usize, &u8)| {
            let distance = f32::from(*integer) - f32::from(kind.zero);
            let number = distance * scales[at / group] as f32;
            leasts
                .as_ref()
                .map_or(number, |leasts| number - leasts[at / group] as f32)
        };
        integers.iter().enumerate().map(number).collect()
    }

    /// The numbers beside the blocks are those of the Python package gguf (`test/gguf/export.py`).
    #[test]
    fn blocks_are_repacked_exactly() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../test/gguf/blocks.gguf");
        let file = map_file(&path).expect("the file is there");
        let file = File::read(&file).expect("it is a file of GGUF");
        let mut kinds = Vec::new();
        for tensor in &file.tensors {
            let Stored::Blocks(kind) = tensor.kind.stored else {
                continue;
            };
            let &[rows, columns] = &tensor.shape[..] else {
                panic!("{} is no matrix", tensor.name);
            };
            let packed = Packed::of(
                &kind,
                [rows, columns],
                tensor.bytes.chunks(tensor.kind.bytes),
            );
            let expected = file.tensors.iter();
            let expected = expected
                .clone()
                .find(|other| other.name == format!("{}.floats", tensor.name))
                .expect("there are numbers of each type");
            let expected = expected
                .bytes
                .chunks(4)
                .map(|bytes| f32::from_le_bytes(bytes.try_into().expect("a float has four bytes")));
            let found = numbers(&kind, &packed);
            assert!(expected.eq(found.iter().copied()), "{}", tensor.name);
            kinds.push(tensor.kind.name);
        }
        assert_eq!(kinds.len(), 8, "{kinds:?}");
    }
}
