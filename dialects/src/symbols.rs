//! The symbols of a module: numbers that are known when its model runs, and of which open dimensions are forms.

use crate::{
    attrs::SYMBOLS,
    ir::{Attr, Ctx, Op},
};

/// `most` of a symbol without an upper bound.
pub const UNBOUNDED: i64 = i64::MAX;

/// A symbol, and what values it may have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// Its name.
    pub name: String,
    /// The least value.
    pub least: i64,
    /// The greatest value, or [`UNBOUNDED`].
    pub most: i64,
    /// What its value is a multiple of.
    pub multiple: i64,
    /// The value that the model is planned for.
    pub typical: i64,
}

/// The symbols of a module, in the order of their names.
///
/// # Errors
/// If the module's attribute is no dictionary of symbols.
pub fn symbols(module: Op) -> Result<Vec<Symbol>, String> {
    let entries = module.attr(SYMBOLS).and_then(Attr::as_entries);
    let entries = entries.unwrap_or_default().into_iter();
    entries.map(|(name, values)| symbol(name, values)).collect()
}

fn symbol(name: String, values: Attr) -> Result<Symbol, String> {
    let read = values.as_ints().as_deref().and_then(|values| match values {
        &[least, most, multiple, typical] => Some((least, most, multiple, typical)),
        _ => None,
    });
    let valid = read.filter(|(least, most, multiple, typical)| {
        *least >= 0 && *multiple >= 1 && (least..=most).contains(&typical)
    });
    let Some((least, most, multiple, typical)) = valid else {
        return Err(format!(
            "the symbol '{name}' of {SYMBOLS} has the values {values}; expected array<i64: least, most, multiple, typical>, \
             where 0 <= least <= typical <= most and 1 <= multiple"
        ));
    };
    Ok(Symbol {
        name,
        least,
        most,
        multiple,
        typical,
    })
}

/// Gives a module these symbols.
pub fn set_symbols(module: Op, symbols: &[Symbol]) {
    let ctx: Ctx = module.ctx();
    let values = |symbol: &Symbol| {
        let Symbol {
            least,
            most,
            multiple,
            typical,
            ..
        } = symbol;
        Attr::ints(ctx, &[*least, *most, *multiple, *typical])
    };
    let entries: Vec<(&str, Attr)> = (symbols.iter())
        .map(|symbol| (symbol.name.as_str(), values(symbol)))
        .collect();
    module.set_attr(SYMBOLS, Attr::dict(ctx, &entries));
}
