//! Attributes and types, to and from Python.

use super::store::Module;
use crate::errors;
use pyo3::{
    exceptions::PyTypeError,
    prelude::*,
    types::{PyBool, PyDict, PyFloat, PyInt, PyString},
};
use relay_dialects::{
    ir::{Attr, Type},
    pass::with_diagnostics,
    te::{Cache, Pragma, Reducer, Role},
    tir::{Scope, Thread},
};

/// An attribute that Python has no object for, as MLIR writes it: `Attribute("dense<1> : tensor<2xi64>")`.
#[pyclass(frozen, eq, hash, module = "relay_mlir.ir")]
#[derive(PartialEq, Eq, Hash)]
pub struct Attribute {
    #[pyo3(get)]
    text: String,
}

#[pymethods]
impl Attribute {
    #[new]
    fn new(text: String) -> Self {
        Self { text }
    }

    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("Attribute({:?})", self.text)
    }
}

/// What Python is given for an attribute.
pub fn to_python<'py>(py: Python<'py>, attr: Attr) -> PyResult<Bound<'py, PyAny>> {
    if let Some(value) = attr.as_bool() {
        return Ok(PyBool::new(py, value).to_owned().into_any());
    }
    if let Some(value) = attr.as_i64() {
        return Ok(value.into_pyobject(py)?.into_any());
    }
    if let Some(value) = attr.as_f64() {
        return Ok(PyFloat::new(py, value).into_any());
    }
    if let Some(value) = attr.as_str() {
        return Ok(PyString::new(py, &value).into_any());
    }
    if let Some(values) = attr.as_ints() {
        return values.into_pyobject(py);
    }
    if let Some(values) = attr.as_floats() {
        return values.into_pyobject(py);
    }
    if let Some(values) = attr.as_array() {
        let values = values.into_iter().map(|value| to_python(py, value));
        return values.collect::<PyResult<Vec<_>>>()?.into_pyobject(py);
    }
    Ok(Bound::new(py, Attribute::new(attr.to_string()))?.into_any())
}

/// The attribute that stands for a value of Python: whole numbers have 64 bits, a list of them is one of numbers, None
/// is the attribute whose presence is its meaning.
///
/// # Errors
/// If the value is of another type, or a text that is no attribute.
pub fn from_python(module: &Module, value: &Bound<'_, PyAny>) -> PyResult<Attr> {
    let ctx = module.ctx();
    if value.is_none() {
        return Ok(Attr::unit(ctx));
    }
    if let Ok(known) = value.cast::<PyBool>() {
        return Ok(Attr::bool(ctx, known.is_true()));
    }
    if value.is_instance_of::<PyInt>() {
        return Ok(Attr::i64(ctx, value.extract()?));
    }
    if value.is_instance_of::<PyFloat>() {
        return Ok(Attr::f64(ctx, value.extract()?));
    }
    if let Ok(text) = value.cast::<PyString>() {
        return Ok(Attr::str(ctx, &text.to_cow()?));
    }
    if let Ok(attribute) = value.cast::<Attribute>() {
        let text = &attribute.get().text;
        let parse =
            |context: &melior::Context| with_diagnostics(context, || Attr::parse(ctx, text));
        let (parsed, reasons) = module.with_context(parse);
        return parsed
            .ok_or_else(|| errors::of_ir(format!("'{text}' is no attribute:\n{reasons}")));
    }
    if let Ok(entries) = value.cast::<PyDict>() {
        let mut named = Vec::new();
        for (name, value) in entries {
            named.push((name.extract::<String>()?, from_python(module, &value)?));
        }
        return Ok(Attr::dict(ctx, &relay_dialects::ir::named(&named)));
    }
    let items = value.try_iter().map_err(|_| {
        let kind = value.get_type().to_string();
        PyTypeError::new_err(format!(
            "{kind} cannot be an attribute; Attribute(\"...\") takes MLIR's text"
        ))
    })?;
    let items = items.collect::<PyResult<Vec<_>>>()?;
    if let Ok(numbers) = items
        .iter()
        .map(|item| item.extract::<i64>())
        .collect::<PyResult<Vec<i64>>>()
    {
        return Ok(Attr::ints(ctx, &numbers));
    }
    let items = items.iter().map(|item| from_python(module, item));
    Ok(Attr::array(ctx, &items.collect::<PyResult<Vec<_>>>()?))
}

/// The type that a text is.
///
/// # Errors
/// If it is none; the text says where.
pub fn parse_type(module: &Module, text: &str) -> PyResult<Type> {
    let ctx = module.ctx();
    let parse = |context: &melior::Context| with_diagnostics(context, || Type::parse(ctx, text));
    let (parsed, reasons) = module.with_context(parse);
    parsed.ok_or_else(|| errors::of_ir(format!("'{text}' is no type:\n{reasons}")))
}

/// The attribute of a keyword of te or tir: `keyword("scope", "local")`.
///
/// # Errors
/// If there is no such enum, or it has no such keyword.
#[pyfunction]
pub fn keyword(py: Python<'_>, kind: &str, word: &str) -> PyResult<Attribute> {
    macro_rules! of {
        ($name:ident) => {
            (
                $name::named(word).map(|case| case as i64),
                $name::ALL
                    .iter()
                    .map(|case| case.keyword())
                    .collect::<Vec<_>>(),
            )
        };
    }
    let _ = py;
    let (number, words) = match kind {
        "cache" => of!(Cache),
        "pragma" => of!(Pragma),
        "reducer" => of!(Reducer),
        "role" => of!(Role),
        "scope" => of!(Scope),
        "thread" => of!(Thread),
        _ => return Err(errors::of_ir(format!("there is no enum '{kind}'"))),
    };
    let number = number.ok_or_else(|| {
        let words = words.join(", ");
        errors::of_ir(format!("there is no {kind} '{word}'; there are {words}"))
    })?;
    Ok(Attribute::new(format!("{number} : i32")))
}
