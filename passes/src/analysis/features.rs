//! Which parts of the language a module uses.

use crate::graph::calls::CallGraph;
use relay_dialects::{
    attrs::{PRIMITIVE, TYPE_PARAMS},
    ir::{Op, Type},
    names::relay,
    ops::func,
    relay::pattern,
};
use relay_loops::analysis::is_inside;
use std::collections::BTreeSet;

/// Ops that are a feature each, and its name.
const BY_OP: &[(&str, &str)] = &[
    (relay::CONSTANT, "constant"),
    (relay::TUPLE, "tuple"),
    (relay::TUPLE_GET, "tuple-get"),
    (relay::FN, "function-value"),
    (relay::GLOBAL, "function-value"),
    (relay::CLOSURE, "closure"),
    (relay::CALL, "indirect-call"),
    (relay::IF, "if"),
    (relay::SCAN, "scan"),
    (relay::WHILE, "while"),
    (relay::MATCH, "match"),
    (relay::CONSTRUCT, "constructor"),
    (relay::REF_CREATE, "ref-create"),
    (relay::REF_READ, "ref-read"),
    (relay::REF_WRITE, "ref-write"),
    (func::Call::NAME, "call"),
];

/// The names of the features, in alphabetical order. What primitive functions hold does not count: it is kernels.
pub fn features(module: Op) -> BTreeSet<&'static str> {
    let mut found = BTreeSet::new();
    for function in module.functions() {
        if function.has_attr(PRIMITIVE) {
            continue;
        }
        if function.has_attr(TYPE_PARAMS) {
            found.insert("type-parameters");
        }
        function.walk(|op| found.extend(of_op(op)));
    }
    if CallGraph::of(module).recursive().next().is_some() {
        found.insert("recursion");
    }
    found
}

/// The features that one op, or the type of what it gives, is.
fn of_op(op: Op) -> Vec<&'static str> {
    let known = BY_OP.iter().filter(|(name, _)| op.is(name));
    let mut found: Vec<&'static str> = known.map(|(_, feature)| *feature).collect();
    if pattern(op).is_some() {
        found.push("operator");
    }
    if op.is(relay::FN) {
        found.extend(of_function(op));
    }
    for value in op.results() {
        if value.uses().len() > 1 {
            found.push("shared-value");
        }
        if value.ty().is_tensor() && !value.ty().is_static() {
            found.push("open-dimension");
        }
    }
    found
}

/// The features of a function that is a value: whether it sees values around it, calls itself, and takes or gives functions.
fn of_function(op: Op) -> Vec<&'static str> {
    let mut found = Vec::new();
    let sees = |inner: Op| {
        let mut read = inner.operands().into_iter();
        inner != op && read.any(|value| !is_inside(value, op))
    };
    if op.find(sees).is_some() {
        found.push("closure");
    }
    if op.has_attr("recursive") {
        found.push("recursion");
    }
    if let Some((inputs, result)) = op.result(0).ty().as_function() {
        let is_function = |ty: &Type| ty.as_function().is_some();
        if inputs.iter().chain([&result]).any(is_function) {
            found.push("higher-order-function");
        }
    }
    found
}
