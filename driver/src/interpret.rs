//! Running a program by walking it: `relayc run --executor interpreter`.

use crate::{
    DriverError,
    frontend::{self, Reading},
    npz,
};
use relay_codegen::evaluate::register_passes;
use relay_dialects::{
    attrs::NAME,
    ir::{Attr, DYNAMIC, Op},
    pass::{run_pipeline, with_diagnostics},
};
use relay_interpreter::{Kernels, Value};
use relay_runtime::{DType, Port, Tensor};
use std::{collections::BTreeMap, path::Path, rc::Rc};

/// What the interpreter needs to know of types before it begins.
const PIPELINE: &str = "infer-type";

/// Runs a program on inputs from a file, or on seeded random ones. Returns what `@main` gives.
///
/// # Errors
/// If the program cannot be read, has an input that is no tensor, or one of an open shape and no file of inputs, or
/// does not run to its end.
pub fn interpret(
    path: &Path,
    reading: &Reading,
    inputs: Option<&Path>,
    seed: u64,
) -> Result<Value, DriverError> {
    register_passes();
    let context = relay_dialects::context();
    let mut module = frontend::load(&context, path, reading)?;
    let (done, diagnostics) =
        with_diagnostics(&context, || run_pipeline(&context, &mut module, PIPELINE));
    done.map_err(|message| DriverError::Model {
        path: path.into(),
        reason: format!("{message}\n{diagnostics}"),
    })?;
    let module = Op::of_module(&module);
    let wrong = |reason| DriverError::Model {
        path: path.into(),
        reason,
    };
    let ports = ports(module).map_err(wrong)?;
    let tensors = match inputs {
        Some(inputs) => npz::read(inputs, &ports)?,
        None => {
            let open = ports.iter().find(|port| port.shape.contains(&DYNAMIC));
            if let Some(Port { name, .. }) = open {
                return Err(wrong(format!(
                    "the input '{name}' of @main has open dimensions; --inputs has to give it"
                )));
            }
            npz::random(&ports, seed)?
        }
    };
    let arguments = tensors.into_iter().map(Rc::new).map(Value::Tensor);
    let value = relay_interpreter::run(module, &mut Kernels::default(), arguments.collect())?;
    Ok(value)
}

/// The inputs of `@main`.
fn ports(module: Op) -> Result<Vec<Port>, String> {
    let main = module
        .function("main")
        .filter(|main| main.block_in(0).is_some());
    let main = main.ok_or("there is no function @main with a body")?;
    let attrs = main.attr("arg_attrs").and_then(Attr::as_array);
    let parameters = main.body().args().into_iter().enumerate();
    let port = |(index, value): (usize, relay_dialects::ir::Value)| {
        let of_parameter = attrs
            .as_ref()
            .and_then(|attrs| attrs.get(index)?.get(NAME)?.as_str());
        let name = of_parameter.unwrap_or_else(|| format!("input{index}"));
        let ty = value.ty();
        let dtype = DType::parse(&ty.element().to_string());
        match dtype.filter(|_| ty.is_tensor()) {
            Some(dtype) => Ok(Port::new(name, dtype, ty.shape())),
            None => Err(format!(
                "the input '{name}' of @main is {ty}; it has to be a tensor"
            )),
        }
    };
    parameters.map(port).collect()
}

/// The tensors of a result by name, as a file holds them: `output0` and so on.
///
/// # Errors
/// If something else than tensors is in it.
pub fn tensors(value: &Value) -> Result<BTreeMap<String, Tensor>, DriverError> {
    let tensors = value.tensors().ok_or_else(|| {
        DriverError::Usage(
            "the program gives no tensors, which is all that a file holds; leave --outputs out to see it".into(),
        )
    })?;
    let copy = |tensor: &Tensor| Tensor::from_bytes(tensor.dtype(), tensor.shape(), tensor.bytes());
    let named = tensors.iter().enumerate();
    Ok(named
        .filter_map(|(index, tensor)| Some((format!("output{index}"), copy(tensor)?)))
        .collect())
}
