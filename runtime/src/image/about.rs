//! What a model says of itself: `relay_model_descriptor_t` of `include/relay_runtime.h`.

use super::{
    Checked, Fault, damaged,
    memory::{Fields, Memory},
    symbols::Symbols,
};
use crate::{
    DType, Port, Symbol,
    descriptor::{ABI_VERSION, COMPUTED, FUNCTIONS, NOT_DONATED, OPEN},
    tensor::byte_length,
};
use object::ReadRef;

/// The symbol of the descriptor.
const DESCRIPTOR: &str = "relay_model_descriptor";

/// Where memory for one run ends that a process could have.
const ARENA_LIMIT: u64 = 1 << 47;

/// The bytes of a `relay_tensor_info`, of a `relay_symbol_info`, of a `relay_condition_info`, of a `relay_device_image_t`, of a
/// `relay_device_code_t`, of a pointer or a number of 64 bits, and of the number of an output.
const INFO: u64 = 40;
const SYMBOL: u64 = 40;
const CONDITION: u64 = 24;
const IMAGE: u64 = 16;
const CODE: u64 = 24;
const WORD: u64 = 8;
const NUMBER: u64 = 4;

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
    /// The numbers that are known when it runs.
    pub symbols: Vec<Symbol>,
    /// The bytes that one run works in; 0 if they depend on symbols.
    pub arena_bytes: u64,
    /// The bytes of its constants.
    pub weights_bytes: u64,
    /// Its timed nodes.
    pub nodes: Vec<Node>,
    /// What must be equal when it runs.
    pub conditions: Vec<Condition>,
    /// The kind of the device that its kernels run on, `cuda` or `rocm`; `None` if that is the processor.
    pub device: Option<String>,
    /// What the device loads, for each chip that the library is for.
    pub codes: Vec<ChipCode>,
}

/// What a device loads if it has a chip.
#[derive(Clone, Debug)]
pub struct ChipCode {
    /// LLVM's name of the chip.
    pub chip: String,
    /// The number of images.
    pub images: usize,
    /// Their bytes.
    pub bytes: u64,
}

/// Two forms of symbols that must be equal when a model runs.
#[derive(Clone, Debug)]
pub struct Condition {
    /// One of the forms.
    pub lhs: String,
    /// The other one.
    pub rhs: String,
    /// The node of the model that needs them to be equal.
    pub node: String,
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
    check_functions(symbols, &name)?;
    let (target, precision) = (fields.text()?, fields.text()?);
    let features = names(&fields.text()?);
    let (mut inputs, outputs) = (
        ports(&mut fields, "inputs")?,
        ports(&mut fields, "outputs")?,
    );
    let symbols = symbols_of(&mut fields, &inputs)?;
    let arena_bytes = fields.u64()?;
    if arena_bytes > ARENA_LIMIT {
        return damaged(format!("a run of it works in {arena_bytes} bytes"));
    }
    let weights_bytes = fields.sized("constants")?;
    fields.function()?;
    if symbols.is_empty() {
        // Nothing calls it.
        fields.u64()?;
        check_known(&inputs, &outputs)?;
    } else {
        fields.function()?;
    }
    let nodes = nodes(&mut fields)?;
    let conditions = conditions(&mut fields)?;
    donations(&mut fields, &mut inputs, &outputs)?;
    let device = device(&mut fields)?;
    let codes = codes(&mut fields, device.is_some())?;
    Ok(About {
        name,
        target,
        precision,
        features,
        inputs,
        outputs,
        symbols,
        arena_bytes,
        weights_bytes,
        nodes,
        conditions,
        device,
        codes,
    })
}

/// Checks that the library exports the functions of a model of this name.
fn check_functions(symbols: &Symbols<'_>, name: &str) -> Checked<()> {
    let mut exported = FUNCTIONS
        .iter()
        .map(|function| format!("{name}_{function}"));
    match exported.find(|symbol| !symbols.has_function(symbol)) {
        None => Ok(()),
        Some(symbol) => damaged(format!("it has no function {symbol}")),
    }
}

/// The names of a text with commas between them.
fn names(text: &str) -> Vec<String> {
    let names = text.split(',').filter(|name| !name.is_empty());
    names.map(ToOwned::to_owned).collect()
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
            let dims = forms(&mut infos, &shape)?;
            let Some(dtype) = DType::parse(&dtype) else {
                return damaged(format!("tensor '{name}' has the unknown type '{dtype}'"));
            };
            let closed = shape.iter().zip(&dims);
            let closed = closed.filter(|(_, form)| form.is_none());
            let closed: Vec<i64> = closed.map(|(extent, _)| *extent).collect();
            if byte_length(dtype, &closed).is_none() {
                return damaged(format!("tensor '{name}' has the shape {shape:?}"));
            }
            let is_open = dims.iter().any(Option::is_some);
            let dims = if is_open { dims } else { Vec::new() };
            Ok(Port {
                name,
                dtype,
                shape,
                dims,
                donated: None,
            })
        })
        .collect()
}

/// For each dimension of a shape the text of its form, if it is open.
fn forms<'d, R: ReadRef<'d>>(
    info: &mut Fields<'_, '_, R>,
    shape: &[i64],
) -> Checked<Vec<Option<String>>> {
    if info.is_null()? {
        info.u64()?;
        return Ok(vec![None; shape.len()]);
    }
    let mut texts = info.list(shape.len() as u32, WORD, "forms of dimensions")?;
    let form = |extent: &i64| match texts.is_null()? {
        true => texts.u64().map(|_| None),
        false if *extent != OPEN => damaged(format!("a dimension of {extent} has a form")),
        false => texts.text().map(Some),
    };
    shape.iter().map(form).collect()
}

/// A number of symbols and the pointer to them.
fn symbols_of<'d, R: ReadRef<'d>>(
    fields: &mut Fields<'_, '_, R>,
    inputs: &[Port],
) -> Checked<Vec<Symbol>> {
    let count = fields.u32()?;
    let mut infos = fields.list(count, SYMBOL, "symbols")?;
    let symbol = |_| {
        let name = infos.text()?;
        let (least, most, multiple) = (infos.i64()?, infos.i64()?, infos.i64()?);
        let (input, dimension) = (infos.u32()?, infos.u32()?);
        let is_computed = input == COMPUTED;
        let form = inputs
            .get(input as usize)
            .and_then(|port| port.dims.get(dimension as usize)?.as_deref());
        let has_source = is_computed || form == Some(&name);
        if !has_source || least < 0 || most < least || multiple < 1 {
            return damaged(format!(
                "symbol '{name}' is dimension {dimension} of input {input}, from {least} to {most} in steps of {multiple}"
            ));
        }
        Ok(Symbol {
            name,
            least,
            most,
            multiple,
            is_computed,
        })
    };
    (0..count).map(symbol).collect()
}

/// Checks that no dimension is open.
fn check_known(inputs: &[Port], outputs: &[Port]) -> Checked<()> {
    match inputs.iter().chain(outputs).find(|port| port.is_open()) {
        None => Ok(()),
        Some(port) => damaged(format!(
            "tensor '{}' has the shape {}, and there are no symbols",
            port.name,
            port.show_shape()
        )),
    }
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

/// A number of conditions and the pointer to them.
fn conditions<'d, R: ReadRef<'d>>(fields: &mut Fields<'_, '_, R>) -> Checked<Vec<Condition>> {
    let count = fields.u32()?;
    let mut infos = fields.list(count, CONDITION, "conditions")?;
    let condition = |_| {
        Ok(Condition {
            lhs: infos.text()?,
            rhs: infos.text()?,
            node: infos.text()?,
        })
    };
    (0..count).map(condition).collect()
}

/// The pointer to the numbers of outputs that inputs are donated to, one for each input, if there is one.
fn donations<'d, R: ReadRef<'d>>(
    fields: &mut Fields<'_, '_, R>,
    inputs: &mut [Port],
    outputs: &[Port],
) -> Checked<()> {
    if fields.is_null()? {
        fields.u64()?;
        return Ok(());
    }
    let mut numbers = fields.list(inputs.len() as u32, NUMBER, "numbers of donated inputs")?;
    let mut taken = vec![false; outputs.len()];
    for input in inputs {
        let number = numbers.u32()?;
        if number == NOT_DONATED {
            continue;
        }
        let output = number as usize;
        let is_alike = |other: &Port| {
            (other.dtype, &other.shape, &other.dims) == (input.dtype, &input.shape, &input.dims)
        };
        if !outputs.get(output).is_some_and(is_alike) || std::mem::replace(&mut taken[output], true)
        {
            return damaged(format!(
                "input '{}' is donated to output {number}",
                input.name
            ));
        }
        input.donated = Some(output);
    }
    Ok(())
}

/// The pointer to the function that opens a device, and the name of the kind of device, if there is one.
fn device<'d, R: ReadRef<'d>>(fields: &mut Fields<'_, '_, R>) -> Checked<Option<String>> {
    if fields.is_null()? {
        fields.u64()?;
        return match fields.is_null()? {
            true => Ok(None),
            false => damaged("it names a device, and has no function that opens one"),
        };
    }
    fields.function()?;
    match fields.is_null()? {
        true => damaged("it opens a device that has no name"),
        false => fields.text().map(Some),
    }
}

/// What the device loads, for each chip. A library with a device has code for one at least.
fn codes<'d, R: ReadRef<'d>>(
    fields: &mut Fields<'_, '_, R>,
    has_device: bool,
) -> Checked<Vec<ChipCode>> {
    let count = fields.u32()?;
    if has_device && count == 0 {
        return damaged("it opens a device, and has code for no chip");
    }
    let mut codes = fields.list(count, CODE, "chips")?;
    let code = |_| {
        let chip = codes.text()?;
        let sizes = images(&mut codes)?;
        Ok(ChipCode {
            chip,
            images: sizes.len(),
            bytes: sizes.iter().sum(),
        })
    };
    (0..count).map(code).collect()
}

/// The bytes of each image of a chip. A kernel that has nothing there has none.
fn images<'d, R: ReadRef<'d>>(code: &mut Fields<'_, '_, R>) -> Checked<Vec<u64>> {
    let count = code.u32()?;
    let mut images = code.list(count, WORD, "images")?;
    let mut sizes = Vec::new();
    for _ in 0..count {
        match images.is_null()? {
            true => drop(images.u64()?),
            false => sizes.push(images.list(1, IMAGE, "images")?.sized("an image")?),
        }
    }
    Ok(sizes)
}
