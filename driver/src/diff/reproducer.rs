//! A node alone.

use super::search::Suspect;
use crate::{
    DriverError,
    compile::CompileOptions,
    exposed::{Exposed, Tensors, set_results},
    output,
};
use melior::{
    Context,
    ir::{Location, Module},
};
use relay_dialects::{
    ir::{Attr, Builder, Ctx, Loc, Op, Point, Type, Value},
    names,
    ops::func,
};
use std::{collections::HashMap, path::Path};

/// A module that computes the tensor at `place` of the tensors right before it, and those tensors, as they are
/// expected to be.
pub fn alone<'c>(
    context: &'c Context,
    exposed: &Exposed<'_>,
    place: usize,
    inputs: &Tensors,
    expected: &Tensors,
) -> (Module<'c>, Tensors) {
    let known: HashMap<Value, &str> = exposed
        .tensors
        .iter()
        .enumerate()
        .filter(|(other, tensor)| *other != place && expected.contains_key(&tensor.port.name))
        .filter_map(|(_, tensor)| Some((exposed.value(tensor)?, tensor.port.name.as_str())))
        .collect();
    let tensor = &exposed.tensors[place];
    let Some(result) = exposed.value(tensor) else {
        unreachable!("a tensor of a model has IR");
    };
    let mut part = Part {
        known,
        ops: Vec::new(),
        reads: Vec::new(),
    };
    part.collect(result);
    let ports = exposed.inputs();
    let name = |value: Value| match part.known.get(&value) {
        Some(name) => (*name).to_owned(),
        None => ports[value.number()].name.clone(),
    };
    let reads: Vec<(Value, String)> = part
        .reads
        .iter()
        .map(|&value| (value, name(value)))
        .collect();
    let module = part.module(context, &reads, (&tensor.port.name, result));
    let tensors = reads.iter().filter_map(|(_, name)| {
        let tensor = expected.get(name).or_else(|| inputs.get(name))?;
        Some((name.clone(), tensor.clone()))
    });
    (module, tensors.collect())
}

/// A part of a model.
struct Part<'a> {
    /// The tensors at which it ends.
    known: HashMap<Value, &'a str>,
    /// Its operators, each after what it reads.
    ops: Vec<Op>,
    /// What it reads of the rest.
    reads: Vec<Value>,
}

impl Part<'_> {
    /// Adds what computes `value`.
    fn collect(&mut self, value: Value) {
        let Some(op) = value.def() else {
            if !self.reads.contains(&value) {
                self.reads.push(value);
            }
            return;
        };
        if self.ops.contains(&op) {
            return;
        }
        for operand in op.operands() {
            if self.known.contains_key(&operand) {
                if !self.reads.contains(&operand) {
                    self.reads.push(operand);
                }
            } else {
                self.collect(operand);
            }
        }
        self.ops.push(op);
    }

    fn module<'c>(
        &self,
        context: &'c Context,
        reads: &[(Value, String)],
        (name, result): (&str, Value),
    ) -> Module<'c> {
        let ctx = Ctx::of(context);
        let module = Module::new(Location::unknown(context));
        let top = Builder {
            ctx,
            loc: Loc::unknown(ctx),
            point: Point::End(Op::of_module(&module).body()),
        };
        let types: Vec<Type> = reads.iter().map(|(value, _)| value.ty()).collect();
        let main = top.func("main", &types, &[], &[]);
        let inside = Builder::at_end(main.body(), top.loc, ctx);
        let mut map: HashMap<Value, Value> = reads
            .iter()
            .map(|(value, _)| *value)
            .zip(main.body().args())
            .collect();
        for op in &self.ops {
            let operands: Vec<Value> = op.operands().iter().map(|value| map[value]).collect();
            let copy = inside.insert(op.clone_detached());
            copy.set_operands(&operands);
            map.extend(op.results().into_iter().zip(copy.results()));
        }
        func::Return::build(&inside, &[map[&result]]);
        let named: Vec<Attr> = reads
            .iter()
            .map(|(_, name)| {
                Attr::dict(ctx, &[(relay_dialects::attrs::NAME, Attr::str(ctx, name))])
            })
            .collect();
        main.set_attr("arg_attrs", Attr::array(ctx, &named));
        set_results(main, &[(name.to_owned(), result.ty())]);
        module
    }
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
