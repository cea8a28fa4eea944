//! The sizes of a library's open dimensions, where a user names them.

use crate::DriverError;
use relay_dialects::{dim::Dim, similar::suggestion};
use relay_runtime::{Model, Port, Symbol};
use std::collections::BTreeMap;

/// Sizes by the names of open dimensions.
pub type Sizes = BTreeMap<String, i64>;

/// The inputs of a library where its open dimensions have these sizes.
///
/// # Errors
/// If a size is missing, no dimension has its name, or the model does not take it.
pub fn sized_inputs(model: &Model, sizes: &Sizes) -> Result<Vec<Port>, DriverError> {
    let symbols = model.symbols().iter();
    // A run computes the others.
    let symbols: Vec<&Symbol> = symbols.filter(|symbol| !symbol.is_computed).collect();
    let is_symbol = |name: &str| symbols.iter().any(|symbol| symbol.name == name);
    if let Some(other) = sizes.keys().find(|name| !is_symbol(name)) {
        let known = symbols.iter().map(|symbol| symbol.name.as_str());
        let similar = suggestion(other, known);
        return Err(DriverError::Usage(format!(
            "the library has no open dimension '{other}', which --dim says{similar}"
        )));
    }
    if let Some(missing) = symbols
        .iter()
        .find(|symbol| !sizes.contains_key(&symbol.name))
    {
        let (name, values) = (&missing.name, show_values(missing));
        return Err(DriverError::Usage(format!(
            "the library has the open dimension '{name}', {values}: say its size (--dim {name}=4), or give --inputs"
        )));
    }
    let inputs = model.inputs().iter();
    inputs.map(|port| sized(port, sizes)).collect()
}

/// A port whose dimensions are numbers.
fn sized(port: &Port, sizes: &Sizes) -> Result<Port, DriverError> {
    let extent = |text: String| {
        let dim = Dim::parse(&text).ok();
        let extent = dim.and_then(|dim| dim.value(&|name| sizes.get(name).copied()));
        extent.ok_or_else(|| {
            DriverError::Usage(format!(
                "the dimension {text} of input '{}' has no number at these sizes",
                port.name
            ))
        })
    };
    let shape = port.dimensions().into_iter().map(extent);
    let shape: Vec<i64> = shape.collect::<Result<_, _>>()?;
    Ok(Port::new(&port.name, port.dtype, shape))
}

/// `from 1 to 64, multiples of 8`.
pub fn show_values(symbol: &Symbol) -> String {
    let most = match symbol.most {
        i64::MAX => " on".into(),
        most => format!(" to {most}"),
    };
    let multiples = match symbol.multiple {
        ..=1 => String::new(),
        multiple => format!(", multiples of {multiple}"),
    };
    format!("from {}{most}{multiples}", symbol.least)
}
