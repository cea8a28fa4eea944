//! The table of operators from outside.

use super::{
    attributes::OPERATOR,
    declaration::{Declaration, Meaning},
    operator::Operator,
};
use crate::{
    ir::Op,
    names,
    relay::{Attrs, Call, Row, TensorType},
    signatures,
    similar::suggestion,
};
use std::sync::{PoisonError, RwLock};

/// The table of the process.
static TABLE: RwLock<Vec<&'static Operator>> = RwLock::new(Vec::new());

/// Adds an operator.
///
/// # Errors
/// If the name is none, is taken, or a model's operator is taken that becomes this one.
pub fn register(declaration: Declaration, meaning: Box<dyn Meaning>) -> Result<(), String> {
    check(&declaration)?;
    let mut table = TABLE.write().unwrap_or_else(PoisonError::into_inner);
    for known in table.iter().map(|known| &known.declaration) {
        let name = &known.name;
        if *name == declaration.name {
            return Err(format!("the operator \"{name}\" is registered already"));
        }
        if known.onnx.is_some() && known.onnx == declaration.onnx {
            return Err(format!("ONNX's operator becomes \"{name}\" already"));
        }
        if known.torch.is_some() && known.torch == declaration.torch {
            return Err(format!("PyTorch's operator becomes \"{name}\" already"));
        }
    }
    table.push(Box::leak(Box::new(Operator::new(
        declaration,
        meaning,
        relation,
    ))));
    Ok(())
}

fn check(declaration: &Declaration) -> Result<(), String> {
    let name = &declaration.name;
    let is_word = |word: &str| {
        let mut letters = word.chars();
        let begins = letters
            .next()
            .is_some_and(|it| it.is_ascii_alphabetic() || it == '_');
        begins && letters.all(|it| it.is_ascii_alphanumeric() || it == '_')
    };
    if !name.contains('.') || !name.split('.').all(is_word) {
        return Err(format!(
            "\"{name}\" is no operator's name: a namespace, a point and a name, such as mylib.swish"
        ));
    }
    if signatures::find(&format!("relay.{name}")).is_some() {
        return Err(format!("relay has the operator {name} itself"));
    }
    if declaration.results == 0 {
        return Err(format!("\"{name}\" has no result"));
    }
    let mut seen = std::collections::HashSet::new();
    for attribute in &declaration.attributes {
        let name = &attribute.name;
        if !is_word(name) || name == OPERATOR || !seen.insert(name) {
            return Err(format!(
                "'{name}' is no attribute's name, or is declared twice"
            ));
        }
    }
    Ok(())
}

/// All operators, in the order in which they were registered.
pub fn all() -> Vec<&'static Operator> {
    TABLE.read().unwrap_or_else(PoisonError::into_inner).clone()
}

fn search(holds: impl Fn(&Declaration) -> bool) -> Option<&'static Operator> {
    all().into_iter().find(|known| holds(&known.declaration))
}

/// The operator of that name.
///
/// # Errors
/// That there is none, and how one gets there.
pub fn find(name: &str) -> Result<&'static Operator, String> {
    search(|known| known.name == name).ok_or_else(|| {
        let known = all();
        let meant = suggestion(name, known.iter().map(|known| known.name()));
        format!(
            "the operator \"{name}\" is not registered{meant}; load the plugin that declares it (--load-operators=FILE, \
             or relay_mlir.load_operators in Python), or declare it with relay_mlir.register_op"
        )
    })
}

/// The operator that attributes name.
///
/// # Errors
/// If they name none that is registered.
pub fn of_attrs(attrs: &Attrs) -> Result<&'static Operator, String> {
    find(&attrs.str(OPERATOR)?).map_err(|reason| format!("{reason} (C1)"))
}

/// The type relation of the operator that attributes name.
pub(in crate::relay) fn relation(call: &Call) -> Result<Vec<TensorType>, String> {
    of_attrs(&call.attrs)?.infer(call)
}

/// The operator of an op; `None` if it is of this project, or is not registered.
pub fn of(op: Op) -> Option<&'static Operator> {
    op.is(names::relay::CUSTOM)
        .then(|| of_attrs(&Attrs::of(op)).ok())
        .flatten()
}

/// The row of an op's operator, likewise.
pub fn row_of(op: Op) -> Option<&'static Row> {
    of(op).map(|known| &known.row)
}

/// The operator that an ONNX operator becomes.
pub fn of_onnx(domain: &str, operator: &str) -> Option<&'static Operator> {
    let is_it = |(of, name): &(String, String)| of == domain && name == operator;
    search(|known| known.onnx.as_ref().is_some_and(is_it))
}

/// The operator that a PyTorch operator becomes: `mylib::swish`.
pub fn of_torch(operator: &str) -> Option<&'static Operator> {
    search(|known| known.torch.as_deref() == Some(operator))
}
