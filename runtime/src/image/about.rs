//! What a model says of itself: `relay_model_descriptor_t` of `include/relay_runtime.h`.

use super::{
    Checked, Fault, damaged,
    memory::{Fields, Memory},
    symbols::Symbols,
};
use crate::{
    DType, Port,
    descriptor::{ABI_VERSION, FUNCTIONS},
    tensor::byte_length,
};
use object::ReadRef;

/// The symbol of the descriptor.
const DESCRIPTOR: &str = "relay_model_descriptor";

/// Where memory for one run ends that a process could have.
const ARENA_LIMIT: u64 = 1 << 47;

/// The bytes of a `relay_tensor_info`, and of a pointer or a number of 64 bits.
const INFO: u64 = 32;
const WORD: u64 = 8;

/// What a model says of itself.
#[derive(Clone, Debug)]
pub struct About {
    /// The prefix of its exported functions.
    pub name: String,
    /// What it was compiled for.
    pub target: String,
    /// The floats that its products read.
    pub precision: String,
    /// The features of the processor that its code needs, by LLVM's names.
    pub features: Vec<String>,
    /// Its inputs.
    pub inputs: Vec<Port>,
    /// Its outputs.
    pub outputs: Vec<Port>,
    /// The bytes that one run works in.
    pub arena_bytes: u64,
    /// The bytes of its constants.
    pub weights_bytes: u64,
    /// Its timed nodes.
    pub nodes: Vec<Node>,
}

/// A timed node.
#[derive(Clone, Debug)]
pub struct Node {
    /// Its name in the model.
    pub name: String,
    /// Its kernel.
    pub kernel: String,
    /// The floating-point operations of a call; 0 where not counted.
    pub flops: u64,
}

/// The address of the descriptor, which every model has, and no other library.
pub(super) fn find(symbols: &Symbols<'_>) -> Checked<u64> {
    let no_symbol = || Fault::NoModel(format!("it has no symbol {DESCRIPTOR}"));
    symbols.data(DESCRIPTOR).ok_or_else(no_symbol)
}

/// Reads and checks the descriptor.
pub(super) fn read<'d, R: ReadRef<'d>>(
    memory: &Memory<'_, R>,
    symbols: &Symbols<'d>,
) -> Checked<About> {
    let descriptor = find(symbols)?;
    if !descriptor.is_multiple_of(WORD) {
        return damaged(format!("its descriptor is at address {descriptor:#x}"));
    }
    let mut fields = memory.at(descriptor);
    let version = fields.u32()?;
    if version != ABI_VERSION {
        return Err(Fault::NoModel(format!(
            "it has version {version} of the interface, this is {ABI_VERSION}"
        )));
    }
    let name = fields.text()?;
    for function in FUNCTIONS {
        let symbol = format!("{name}_{function}");
        if !symbols.has_function(&symbol) {
            return damaged(format!("it has no function {symbol}"));
        }
    }
    let (target, precision, features) = (fields.text()?, fields.text()?, fields.text()?);
    let features = features.split(',').filter(|name| !name.is_empty());
    let features = features.map(ToOwned::to_owned).collect();
    let (inputs, outputs) = (
        ports(&mut fields, "inputs")?,
        ports(&mut fields, "outputs")?,
    );
    let arena_bytes = fields.u64()?;
    if arena_bytes > ARENA_LIMIT {
        return damaged(format!("a run of it works in {arena_bytes} bytes"));
    }
    let weights_bytes = fields.sized("constants")?;
    fields.function()?;
    Ok(About {
        name,
        target,
        precision,
        features,
        inputs,
        outputs,
        arena_bytes,
        weights_bytes,
        nodes: nodes(&mut fields)?,
    })
}

/// A number of tensors and the pointer to them.
fn ports<'d, R: ReadRef<'d>>(fields: &mut Fields<'_, '_, R>, what: &str) -> Checked<Vec<Port>> {
    let count = fields.u32()?;
    let mut infos = fields.list(count, INFO, what)?;
    (0..count)
        .map(|_| {
            let (name, dtype, rank) = (infos.text()?, infos.text()?, infos.u32()?);
            let mut dims = infos.list(rank, WORD, "dimensions")?;
            let shape = (0..rank)
                .map(|_| dims.i64())
                .collect::<Checked<Vec<i64>>>()?;
            let Some(dtype) = DType::parse(&dtype) else {
                return damaged(format!("tensor '{name}' has the unknown type '{dtype}'"));
            };
            if byte_length(dtype, &shape).is_none() {
                return damaged(format!("tensor '{name}' has the shape {shape:?}"));
            }
            Ok(Port { name, dtype, shape })
        })
        .collect()
}

/// A number of nodes and the pointers to three lists.
fn nodes<'d, R: ReadRef<'d>>(fields: &mut Fields<'_, '_, R>) -> Checked<Vec<Node>> {
    let count = fields.u32()?;
    let mut names = fields.list(count, WORD, "names of nodes")?;
    let mut kernels = fields.list(count, WORD, "kernels of nodes")?;
    let mut flops = fields.list(count, WORD, "counts of operations")?;
    let node = |_| {
        Ok(Node {
            name: names.text()?,
            kernel: kernels.text()?,
            flops: flops.u64()?,
        })
    };
    (0..count).map(node).collect()
}
