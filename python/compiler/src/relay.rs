//! Programs of Relay between Python and modules: as Relay's text, or as a tree in JSON, with constants beside them.

use crate::{errors, ir::Module};
use pyo3::{prelude::*, pybacked::PyBackedBytes, types::PyBytes};
use relay_dialects::pass::with_diagnostics;
use relay_import::relay_text::{self as text_of_relay, Array};
use relay_passes::{DECIDING, folders};

/// The folder of passes on Relay's operators.
const FOLDER: &str = "relay";

/// A constant: its element type by TVM's name, its shape, its elements.
type Given = (String, Vec<i64>, PyBackedBytes);

/// A constant for Python.
type Lent<'py> = (String, Vec<i64>, Bound<'py, PyBytes>);

/// A pass: its flag, the op it runs on, whether it needs to know the machine, its summary, the names of its options.
type Known = (
    &'static str,
    &'static str,
    bool,
    &'static str,
    Vec<&'static str>,
);

/// The passes on Relay's operators.
#[pyfunction]
#[pyo3(name = "relay_passes")]
pub fn passes() -> Vec<Known> {
    let passes = folders()
        .filter(|folder| folder.name() == FOLDER)
        .flat_map(|folder| folder.passes);
    let known = passes.map(|pass| {
        let options = pass.options.iter().map(|option| option.name).collect();
        let decides = DECIDING.iter().any(|known| known.flag == pass.flag);
        (pass.flag, pass.anchor, decides, pass.summary, options)
    });
    known.collect()
}

/// A module of a program. `name` stands for the file in locations and messages; `constants` are what
/// `meta[relay.Constant][...]` refers to.
#[pyfunction]
pub fn relay_module(text: &str, name: &str, constants: Vec<Given>) -> PyResult<Module> {
    let constants: Vec<Array> = constants.into_iter().map(array).collect::<PyResult<_>>()?;
    Module::make(|context| {
        let (module, _) = with_diagnostics(context, || {
            text_of_relay::import_with(context, text, name, constants)
        });
        module.map_err(errors::of_ir)
    })
}

/// The program of a module: a tree in JSON, and its constants.
#[pyfunction]
pub fn relay_tree<'py>(
    py: Python<'py>,
    module: &Bound<'py, Module>,
) -> PyResult<(String, Vec<Lent<'py>>)> {
    let exported = text_of_relay::export_with_constants(module.borrow().root());
    let (program, constants) = exported.map_err(errors::of_ir)?;
    tree(py, &program, constants)
}

/// Relay's text of a module, with its constants.
#[pyfunction]
pub fn relay_text(module: &Bound<'_, Module>) -> PyResult<String> {
    let program = text_of_relay::export(module.borrow().root());
    Ok(program.map_err(errors::of_ir)?.to_string())
}

/// The program of a text, which nothing looks at: a tree in JSON, and its constants.
#[pyfunction]
pub fn relay_parse<'py>(
    py: Python<'py>,
    text: &str,
    name: &str,
) -> PyResult<(String, Vec<Lent<'py>>)> {
    let program = text_of_relay::parse_any(text);
    let program = program.map_err(|error| errors::of_ir(error.in_file(name)))?;
    let constants = program.metadata.as_deref().map(text_of_relay::constants_of);
    let constants = constants.transpose().map_err(errors::of_ir)?;
    tree(py, &program, constants.unwrap_or_default())
}

fn tree<'py>(
    py: Python<'py>,
    program: &text_of_relay::syntax::Program,
    constants: Vec<Array>,
) -> PyResult<(String, Vec<Lent<'py>>)> {
    let json = serde_json::to_string(program).map_err(errors::of_ir)?;
    let constants = constants.into_iter().map(|array| {
        let name = text_of_relay::element_name(array.element);
        (name, array.shape, PyBytes::new(py, &array.bytes))
    });
    Ok((json, constants.collect()))
}

fn array((element, shape, bytes): Given) -> PyResult<Array> {
    let known = text_of_relay::element_of(&element);
    let known = known.ok_or_else(|| errors::of_ir(format!("there are no tensors of {element}")))?;
    let count = shape
        .iter()
        .try_fold(known.bytes() as i64, |product, extent| {
            product.checked_mul(*extent)
        });
    if count.and_then(|count| usize::try_from(count).ok()) != Some(bytes.len()) {
        return Err(errors::of_ir(format!(
            "a constant of shape {shape:?} and type {element} has {} bytes",
            bytes.len()
        )));
    }
    Ok(Array {
        element: known,
        shape,
        bytes: bytes.to_vec(),
    })
}
