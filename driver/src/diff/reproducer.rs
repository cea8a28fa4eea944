//! A node alone.

use super::{
    part::{Part, Places},
    search::Suspect,
};
use crate::{
    DriverError,
    compile::CompileOptions,
    exposed::{Exposed, Tensors},
    output,
};
use melior::{Context, ir::Module};
use relay_dialects::{ir::Op, names};
use std::path::Path;

/// A module that computes the tensor at `place` of the tensors right before it, and those tensors, as they are
/// expected to be.
pub fn alone<'c>(
    context: &'c Context,
    exposed: &Exposed<'_>,
    place: usize,
    inputs: &Tensors,
    expected: &Tensors,
) -> (Module<'c>, Tensors) {
    let tensors = exposed.tensors.iter().enumerate();
    let known: Places = tensors
        .filter(|(other, tensor)| *other != place && expected.contains_key(&tensor.port.name))
        .map(|(other, _)| other)
        .collect();
    let part = Part::new(exposed, &known, &Places::from([place]));
    (part.module(context), part.inputs(inputs, expected))
}

/// Writes the IR of a part, and how to run it.
pub fn write(
    folder: &Path,
    module: &Module<'_>,
    options: &CompileOptions,
    suspect: &Suspect,
) -> Result<(), DriverError> {
    let save = |name: &str, content: &[u8]| {
        let path = folder.join(name);
        output::write(&path, content)
    };
    let module = Op::of_module(module);
    save("node.mlirbc", &module.to_bytecode())?;
    save("node.mlir", module.to_text(true).as_bytes())?;
    let constants = match module.find_all(names::relay::CONSTANT).len() {
        0 => String::new(),
        _ => " (node.mlir is the same as text; large constants are left out)".into(),
    };
    let text = format!(
        "{suspect} differs from what is expected.\n\n\
         node.mlirbc    the node{constants}\n\
         inputs.npz     what it reads\n\
         expected.npz   what it should give\n\
         found.npz      what it gave\n\n\
         In this folder:\n\n    \
         relayc diff node.mlirbc --inputs inputs.npz --ref expected.npz {}\n",
        options.as_flags()
    );
    save("README.txt", text.as_bytes())
}
