//! The symbols of a module: the open dimensions of its tensors, the sizes that they may have, and the forms of them that must be
//! equal.

use crate::{
    attrs,
    dim::Dim,
    ir::{Attr, Op},
    relay::build::extent_list,
};

/// The size that is planned for where nothing bounds a symbol: loops are long enough for vectors and register tiles, and a row of as
/// many floats stays in the first cache. By hand.
pub const USUAL: i64 = 64;

/// The number of images that is planned for where nothing bounds it: register tiles of a classifier's rows have as many. By hand.
pub const USUAL_IMAGES: i64 = 4;

/// The height or width of an image that is planned for where nothing bounds it. By hand: detectors and recognisers take from 48 to 1,280
/// pixels, and after several convolutions of stride 2 there are still enough for a register tile.
pub const USUAL_PIXELS: i64 = 256;

/// `most` of a symbol without an upper bound.
pub const UNBOUNDED: i64 = i64::MAX;

/// An open dimension: its size is known when the model runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// Its name in the forms of dimensions.
    pub name: String,
    /// The least size that it may have.
    pub least: i64,
    /// The greatest size that it may have; [`i64::MAX`] without a bound.
    pub most: i64,
    /// What all its sizes are multiples of.
    pub multiple: i64,
    /// The size that is planned for.
    pub typical: i64,
}

impl Symbol {
    /// A symbol of any size.
    pub fn any(name: &str) -> Self {
        Self {
            name: name.into(),
            least: 0,
            most: i64::MAX,
            multiple: 1,
            typical: USUAL,
        }
    }

    /// A symbol whose sizes are the multiples of a number within bounds. The greatest of them is planned for, or the usual
    /// one if there is no upper bound.
    ///
    /// # Errors
    /// If there is no such size.
    pub fn bounded(name: &str, least: i64, most: i64, multiple: i64) -> Result<Self, String> {
        let wrong = || match multiple {
            1 => format!("there is no size from {least} to {most}"),
            _ => format!("there is no multiple of {multiple} from {least} to {most}"),
        };
        if least < 0 || multiple < 1 {
            return Err("a size is not negative, and a multiple of 1 or more".into());
        }
        let planned = match most {
            i64::MAX => least
                .max(USUAL)
                .checked_add(multiple - 1)
                .ok_or_else(wrong)?,
            most => most,
        };
        let typical = planned - planned.rem_euclid(multiple);
        match (least..=most).contains(&typical) {
            true => Ok(Self {
                name: name.into(),
                least,
                most,
                multiple,
                typical,
            }),
            false => Err(wrong()),
        }
    }

    /// Whether it may have a size.
    pub fn allows(&self, size: i64) -> bool {
        (self.least..=self.most).contains(&size) && size % self.multiple == 0
    }
}

/// The symbols of a module, in the order of their names; none if it says nothing of them.
///
/// # Errors
/// If the attribute is none of symbols.
pub fn symbols(module: Op) -> Result<Vec<Symbol>, String> {
    let Some(attr) = module.attr(attrs::SYMBOLS) else {
        return Ok(Vec::new());
    };
    let wrong = || {
        format!(
            "attribute '{}' is {attr}, not a dictionary of array<i64: least, most, multiple, typical>",
            attrs::SYMBOLS
        )
    };
    let entries = attr.as_entries().ok_or_else(wrong)?.into_iter();
    let symbol = |(name, sizes): (String, Attr)| {
        let [least, most, multiple, typical] = sizes.as_ints()?[..] else {
            return None;
        };
        let symbol = Symbol {
            name,
            least,
            most,
            multiple,
            typical,
        };
        (least >= 0 && multiple >= 1 && symbol.allows(typical)).then_some(symbol)
    };
    entries
        .map(|entry| symbol(entry).ok_or_else(wrong))
        .collect()
}

/// Says which symbols a module has.
pub fn set_symbols(module: Op, symbols: &[Symbol]) {
    let ctx = module.ctx();
    let entry = |symbol: &Symbol| {
        let sizes = [symbol.least, symbol.most, symbol.multiple, symbol.typical];
        (symbol.name.clone(), Attr::ints(ctx, &sizes))
    };
    let entries: Vec<(String, Attr)> = symbols.iter().map(entry).collect();
    module.set_attr(attrs::SYMBOLS, Attr::dict(ctx, &crate::ir::named(&entries)));
}

/// Two forms of symbols that must be equal when a model runs: whoever prepares it compares them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// One of the forms.
    pub lhs: Dim,
    /// The other one.
    pub rhs: Dim,
    /// The node of the model that needs them to be equal.
    pub node: String,
}

/// The conditions of a module; none if it says none.
///
/// # Errors
/// If the attribute is none of conditions.
pub fn conditions(module: Op) -> Result<Vec<Condition>, String> {
    let Some(attr) = module.attr(attrs::CONDITIONS) else {
        return Ok(Vec::new());
    };
    let condition = |entry: Attr| {
        let [lhs, rhs, node] = &entry.as_array()?[..] else {
            return None;
        };
        let [lhs, rhs] = [lhs, rhs].map(|dim| dim.as_dim().filter(|dim| *dim != Dim::Unknown));
        Some(Condition {
            lhs: lhs?,
            rhs: rhs?,
            node: node.as_str()?,
        })
    };
    let entries = attr.as_array().unwrap_or_default().into_iter();
    let conditions: Option<Vec<Condition>> = entries.map(condition).collect();
    conditions.ok_or_else(|| {
        format!(
            "attribute '{}' is {attr}, not an array of [form, form, node]",
            attrs::CONDITIONS
        )
    })
}

/// Says which conditions a module has.
pub fn set_conditions(module: Op, conditions: &[Condition]) {
    let ctx = module.ctx();
    let entry = |condition: &Condition| {
        let forms = extent_list(ctx, &[condition.lhs, condition.rhs]);
        let mut parts = forms.as_array().unwrap_or_default();
        parts.push(Attr::str(ctx, &condition.node));
        Attr::array(ctx, &parts)
    };
    let entries: Vec<Attr> = conditions.iter().map(entry).collect();
    module.set_attr(attrs::CONDITIONS, Attr::array(ctx, &entries));
}

/// The beginning of the names of functions of the runtime's that a graph calls.
const RUNTIME: &str = "relay_rt_";

/// Whether a function is the runtime's, and no kernel.
pub fn is_of_runtime(name: &str) -> bool {
    name.starts_with(RUNTIME)
}

/// The function that checks the value of the symbol that a graph computes at this place among those: from the number, and the
/// least and the greatest one that it may be, it gives the value, or -1 where the graph must not go on.
pub fn define_name(place: usize) -> String {
    format!("{RUNTIME}define_{place}")
}

/// The function that gives 0, or -1 where the graph must not go on: in a branch or a loop the value of a symbol was wrong.
pub const GO_ON: &str = "relay_rt_go_on_0";

/// The function that gives the arena for buffers that need the value of that symbol.
pub fn arena_name(place: usize) -> String {
    format!("{RUNTIME}arena_{place}")
}

/// The function that gives the memory of an output of a shape that the graph computes.
pub fn output_name(output: usize) -> String {
    format!("{RUNTIME}output_{output}")
}

#[cfg(test)]
mod tests {
    use super::{Condition, Symbol, conditions, set_conditions, set_symbols, symbols};
    use crate::{
        attrs, context,
        dim::Dim,
        ir::{Attr, Op},
    };
    use melior::ir::{Location, Module};

    #[test]
    fn what_is_written_is_read() {
        let context = context();
        let module = Module::new(Location::unknown(&context));
        let module = Op::of_module(&module);
        assert_eq!(symbols(module), Ok(Vec::new()));
        let all = [
            Symbol::any("batch"),
            Symbol::bounded("seq", 16, 512, 16).expect("there are such sizes"),
        ];
        set_symbols(module, &all);
        assert_eq!(symbols(module), Ok(all.to_vec()));
    }

    #[test]
    fn conditions_that_are_written_are_read() {
        let context = context();
        let module = Module::new(Location::unknown(&context));
        let module = Op::of_module(&module);
        assert_eq!(conditions(module), Ok(Vec::new()));
        let all = [
            (Dim::symbol("n"), Dim::Known(4)),
            (Dim::symbol("n"), Dim::symbol("m")),
        ];
        let all = all.map(|(lhs, rhs)| Condition {
            lhs,
            rhs,
            node: "sum".into(),
        });
        set_conditions(module, &all);
        assert_eq!(conditions(module), Ok(all.to_vec()));
        let attr = Attr::parse(module.ctx(), r#"[["n", "?", "sum"]]"#);
        module.set_attr(attrs::CONDITIONS, attr.expect("the text is an attribute"));
        assert!(conditions(module).is_err());
    }

    #[test]
    fn what_is_planned_for_is_allowed() {
        let typical = |least, most, multiple| {
            let symbol = Symbol::bounded("n", least, most, multiple)?;
            assert!(symbol.allows(symbol.typical));
            Ok::<i64, String>(symbol.typical)
        };
        assert_eq!(typical(1, 64, 1), Ok(64));
        assert_eq!(typical(16, 500, 16), Ok(496));
        assert_eq!(typical(0, i64::MAX, 1), Ok(64));
        assert_eq!(typical(1000, i64::MAX, 64), Ok(1024));
        assert_eq!(typical(3, 3, 1), Ok(3));
        assert!(typical(5, 4, 1).is_err());
        assert!(typical(17, 31, 16).is_err());
        assert!(typical(1, 4, 0).is_err());
        assert!(typical(-1, 4, 1).is_err());
        assert!(typical(i64::MAX - 1, i64::MAX, 64).is_err());
    }

    #[test]
    fn what_is_no_list_of_symbols_is_refused() {
        let context = context();
        let module = Module::new(Location::unknown(&context));
        let module = Op::of_module(&module);
        for text in [
            "1",
            "{n = 1}",
            "{n = array<i64: 1, 2>}",
            "{n = array<i64: 1, 2, 1, 3>}",
            "{n = array<i64: 1, 2, 0, 2>}",
        ] {
            let attr = Attr::parse(module.ctx(), text).expect("the text is an attribute");
            module.set_attr(attrs::SYMBOLS, attr);
            assert!(symbols(module).is_err(), "{text}");
        }
    }
}
