//! Bare models: the folder of C around an object that needs no runtime, for microcontrollers and WebAssembly.
//!
//! `NAME.h` declares one function, `NAME_run`, with a pointer for each tensor; `NAME.c` has the memory that it works in;
//! `NAME.json` says the same to programs.

use crate::{DriverError, output};
use relay_codegen::{
    bare::Code,
    interface::{Interface, Port},
    library::Options,
};
use relay_dialects::dim::Dim;
use relay_runtime::DType;
use serde::Serialize;
use std::{collections::HashSet, fmt::Write as _, path::Path};

/// What `NAME.json` says.
#[derive(Serialize)]
struct Facts<'a> {
    name: &'a str,
    target: String,
    precision: &'a str,
    inputs: Vec<Tensor>,
    outputs: Vec<Tensor>,
    arena_bytes: u64,
    workspace_bytes: [u64; 2],
    weights_bytes: usize,
}

/// An input or output.
#[derive(Serialize)]
struct Tensor {
    name: String,
    /// A name that C has no other use for.
    identifier: String,
    dtype: String,
    shape: Vec<i64>,
    /// Of an input, the number of the output that may be passed the same pointer.
    #[serde(skip_serializing_if = "Option::is_none")]
    donated: Option<usize>,
}

impl Tensor {
    fn elements(&self) -> i64 {
        self.shape.iter().product()
    }

    /// The element type in C; floats of 16 bits are their bits.
    fn c_type(&self) -> String {
        let dtype = DType::parse(&self.dtype);
        match dtype {
            Some(DType::F32) => "float".into(),
            Some(DType::F64) => "double".into(),
            Some(DType::I8 | DType::I16 | DType::I32 | DType::I64) => {
                format!("int{}_t", &self.dtype[1..])
            }
            _ => format!("uint{}_t", 8 * dtype.map_or(1, DType::size)),
        }
    }
}

/// Writes a bare model into a folder.
///
/// # Errors
/// If a file cannot be written.
pub fn write(
    code: &Code,
    interface: &Interface,
    options: &Options,
    folder: &Path,
) -> Result<(), DriverError> {
    let mut taken = HashSet::new();
    let mut tensors = |ports: &[Port]| -> Vec<Tensor> {
        ports.iter().map(|port| tensor(port, &mut taken)).collect()
    };
    let facts = Facts {
        name: &options.name,
        target: options.target.describe(),
        precision: options.precision.name(),
        inputs: tensors(&interface.inputs),
        outputs: tensors(&interface.outputs),
        arena_bytes: known(interface.arena).unsigned_abs(),
        workspace_bytes: code.workspace_bytes,
        weights_bytes: interface.weights.len(),
    };
    let json = serde_json::to_string_pretty(&facts).map_err(|error| DriverError::Output {
        path: folder.into(),
        reason: error.to_string(),
    })?;
    let (header, source) = (header(&facts), source(&facts));
    let files: [(&str, &[u8]); 4] = [
        ("o", &code.object),
        ("h", header.as_bytes()),
        ("c", source.as_bytes()),
        ("json", json.as_bytes()),
    ];
    for (extension, content) in files {
        let path = folder.join(format!("{}.{extension}", options.name));
        output::write(&path, content)?;
    }
    Ok(())
}

/// What is said of a tensor; its identifier is not among those that are taken.
fn tensor(port: &Port, taken: &mut HashSet<String>) -> Tensor {
    let letter = |letter: char| {
        if letter.is_ascii_alphanumeric() {
            letter
        } else {
            '_'
        }
    };
    // The prefix keeps it from being a keyword, and from beginning with a digit.
    let plain: String = port.name.chars().map(letter).collect();
    let mut identifier = format!("t_{plain}");
    while !taken.insert(identifier.clone()) {
        identifier.push('_');
    }
    Tensor {
        name: port.name.clone(),
        identifier,
        dtype: port.element.to_string(),
        shape: port.dims.iter().copied().map(known).collect(),
        donated: port.donated,
    }
}

/// An extent; code of bare models is made where all are numbers.
fn known(dim: Dim) -> i64 {
    dim.known().unwrap_or(0)
}

/// The parameters of `NAME_run`, in the model's order.
fn parameters(facts: &Facts<'_>) -> String {
    let inputs = facts.inputs.iter().map(|tensor| ("const ", tensor));
    let all = inputs.chain(facts.outputs.iter().map(|tensor| ("", tensor)));
    let one = |(qualifier, tensor): (&str, &Tensor)| {
        format!("{qualifier}{} *{}", tensor.c_type(), tensor.identifier)
    };
    let list: Vec<String> = all.map(one).collect();
    match list.is_empty() {
        true => "void".into(),
        false => list.join(", "),
    }
}

fn header(facts: &Facts<'_>) -> String {
    let name = facts.name;
    let upper = name.to_uppercase();
    let mut text = format!(
        "/*\n * The model `{name}`, compiled for {}; relayc wrote this file.\n *\n \
         * It uses no allocator, no threads and no system. Its memory is static: one call at a time.\n */\n\
         #ifndef RELAY_BARE_{upper}_H\n#define RELAY_BARE_{upper}_H\n\n#include <stdint.h>\n\n\
         #ifdef __cplusplus\nextern \"C\" {{\n#endif\n\n",
        facts.target
    );
    let [first, second] = facts.workspace_bytes;
    let sizes = [
        (
            "ARENA_BYTES",
            facts.arena_bytes,
            "read and written by each run",
        ),
        ("WORKSPACE_BYTES", first + second, "the same"),
        ("WEIGHTS_BYTES", facts.weights_bytes as u64, "constant"),
    ];
    for (what, bytes, comment) in sizes {
        let _ = writeln!(text, "#define {upper}_{what} {bytes} /* {comment} */");
    }
    text.push('\n');
    let kinds = [("input", &facts.inputs), ("output", &facts.outputs)];
    for (kind, tensors) in kinds {
        for (index, tensor) in tensors.iter().enumerate() {
            let (kind_upper, count) = (kind.to_uppercase(), tensor.elements());
            let shape: Vec<String> = tensor.shape.iter().map(i64::to_string).collect();
            let comment = tensor.name.replace("*/", "* /").replace('\n', " ");
            let donated = tensor.donated.map_or(String::new(), |output| {
                format!("; may be the pointer of output {output}, which replaces it")
            });
            let _ = writeln!(
                text,
                "/* {kind} {index}: {comment}, {}[{}]{donated} */\n#define {upper}_{kind_upper}_{index}_ELEMENTS {count}",
                tensor.dtype,
                shape.join(", "),
            );
        }
    }
    let _ = write!(
        text,
        "\n/* Runs the model on tensors that are dense and row-major; 0 if all went well. */\n\
         int32_t {name}_run({});\n\n#ifdef __cplusplus\n}}\n#endif\n\n#endif\n",
        parameters(facts)
    );
    text
}

/// Copies a donated input that is another buffer than its output there: the graph reads it from the output.
fn copy(input: &Tensor, facts: &Facts<'_>) -> String {
    let Some(output) = input.donated.and_then(|output| facts.outputs.get(output)) else {
        return String::new();
    };
    let (from, to, count) = (&input.identifier, &output.identifier, input.elements());
    format!(
        "  for (int64_t at = 0; {from} != {to} && at < {count}; at++)\n    {to}[at] = {from}[at];\n"
    )
}

fn source(facts: &Facts<'_>) -> String {
    let name = facts.name;
    let upper = name.to_uppercase();
    let list = |tensors: &[Tensor], qualifier: &str| {
        let pointers: Vec<&str> = tensors
            .iter()
            .map(|tensor| tensor.identifier.as_str())
            .collect();
        // C has no arrays without elements.
        let first = if pointers.is_empty() { "0" } else { "" };
        format!("{qualifier}[] = {{{first}{}}};", pointers.join(", "))
    };
    let inputs = list(&facts.inputs, "const void *inputs");
    let outputs = list(&facts.outputs, "void *outputs");
    let copies: String = facts
        .inputs
        .iter()
        .map(|input| copy(input, facts))
        .collect();
    let [first, second] = facts.workspace_bytes.map(|bytes| bytes.max(1));
    let arena = facts.arena_bytes.max(1);
    format!(
        "/* What the model `{name}` works with; relayc wrote this file. */\n\
         #include \"{name}.h\"\n\n\
         /* Where its memory goes: __attribute__((section(\"...\"))), for example. */\n\
         #ifndef {upper}_MEMORY\n#define {upper}_MEMORY\n#endif\n\n\
         static {upper}_MEMORY _Alignas(64) uint8_t arena[{arena}];\n\
         static {upper}_MEMORY _Alignas(64) uint8_t of_kernels[{first}], of_loops[{second}];\n\n\
         extern const uint8_t {name}_weights[];\n\
         int32_t {name}_run_graph(const void *const *inputs, void *const *outputs, void *arena, const uint8_t *weights,\n\
         \x20                        void *unused, const int64_t *symbols);\n\
         void {name}_parallel_for(void *unused, void (*body)(void *closure, int64_t begin, int64_t end), void *closure,\n\
         \x20                        int64_t extent, int64_t threads);\n\
         uint8_t *{name}_workspace(int64_t level, int64_t bytes);\n\n\
         /* What the runtime does on threads. */\n\
         void {name}_parallel_for(void *unused, void (*body)(void *closure, int64_t begin, int64_t end), void *closure,\n\
         \x20                        int64_t extent, int64_t threads) {{\n  (void)unused, (void)threads;\n  body(closure, 0, extent);\n}}\n\n\
         uint8_t *{name}_workspace(int64_t level, int64_t bytes) {{\n  (void)bytes;\n  return level == 0 ? of_kernels : of_loops;\n}}\n\n\
         int32_t {name}_run({}) {{\n  {inputs}\n  {outputs}\n{copies}  return {name}_run_graph(inputs, outputs, arena, {name}_weights, 0, 0);\n}}\n",
        parameters(facts)
    )
}
