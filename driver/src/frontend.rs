//! Reading models: ours as MLIR text or bytecode, others through the importer.

use crate::DriverError;
use melior::{
    Context,
    ir::{Module, operation::OperationLike},
};
use relay_dialects::pass::with_diagnostics;
use relay_import::onnx::{Onnx, Options};
use std::{collections::BTreeMap, path::Path};

/// Shapes of inputs, by name.
pub type Shapes = BTreeMap<String, Vec<i64>>;

/// Reads a model into a module. `shapes` gives the shapes of inputs whose dimensions the model leaves open.
///
/// # Errors
/// If the file cannot be read, or holds no model of a known format.
pub fn load<'c>(
    context: &'c Context,
    path: &Path,
    shapes: &Shapes,
) -> Result<Module<'c>, DriverError> {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("mlir" | "mlirbc") if shapes.is_empty() => parse_mlir(context, path),
        Some("mlir" | "mlirbc") => Err(DriverError::Model {
            path: path.into(),
            reason: "the types of its function say the shapes; --shape is for .onnx files".into(),
        }),
        Some("onnx") => Ok(Onnx::open(path)?.import(context, &with_shapes(shapes))?),
        _ => Err(DriverError::Model {
            path: path.into(),
            reason: "not a model file that relayc reads; give it a .onnx or .mlir file".into(),
        }),
    }
}

/// How to import a model with shapes given.
pub(crate) fn with_shapes(shapes: &Shapes) -> Options {
    Options {
        shapes: shapes.clone(),
        ..Options::default()
    }
}

fn parse_mlir<'c>(context: &'c Context, path: &Path) -> Result<Module<'c>, DriverError> {
    let bytes = std::fs::read(path).map_err(DriverError::io(path))?;
    let name = path.to_string_lossy();
    let (module, diagnostics) =
        with_diagnostics(context, || relay_dialects::parse(context, &bytes, &name));
    module
        .filter(|module| module.as_operation().verify())
        .ok_or_else(|| DriverError::Model {
            path: path.into(),
            reason: format!("not valid MLIR:\n{diagnostics}"),
        })
}
