//! Parts of the graph, and what patterns ask of them.

use super::Datum;
use relay_dialects::{
    attrs::NAME,
    ir::{Attr, Op, Value},
    names,
    ops::{builtin, func},
    relay::{self, row_of},
};

/// The operator attribute by which TVM knows an operator's fusion pattern.
const OP_PATTERN: &str = "TOpPattern";

/// A part of the graph that a pattern is matched with.
#[derive(Clone, Copy, Debug)]
pub enum Subject {
    /// A value.
    Value(Value),
    /// All results of an op that has several: the tuple that TVM's operator would give.
    Results(Op),
    /// What this op calls: its operator, or a function.
    Callee(Op),
}

impl Subject {
    /// What an op gives.
    pub fn of(op: Op) -> Self {
        match op.result_count() {
            1 => Self::Value(op.result(0)),
            _ => Self::Results(op),
        }
    }

    /// The value, if it is one.
    pub fn value(self) -> Option<Value> {
        match self {
            Self::Value(value) => Some(value),
            _ => None,
        }
    }

    /// The op that gives all of this and nothing else.
    pub fn op(self) -> Option<Op> {
        match self {
            Self::Value(value) => value.def().filter(|op| op.result_count() == 1),
            Self::Results(op) => Some(op),
            Self::Callee(_) => None,
        }
    }

    pub(super) fn is(self, other: Self) -> bool {
        match (self, other) {
            (Self::Value(lhs), Self::Value(rhs)) => lhs == rhs,
            (Self::Results(lhs), Self::Results(rhs)) => lhs == rhs,
            (Self::Callee(lhs), Self::Callee(rhs)) => {
                lhs.name() == rhs.name() && lhs.attr("callee") == rhs.attr("callee")
            }
            _ => false,
        }
    }
}

/// Whether an op is what TVM has as a call.
pub(super) fn is_call(op: Op) -> bool {
    use names::relay::{CONSTANT, IF, TUPLE, TUPLE_GET};
    let is_language = [CONSTANT, IF, TUPLE, TUPLE_GET]
        .iter()
        .any(|name| op.is(name));
    op.is(func::Call::NAME) || (relay::is_operator(op) && !is_language)
}

/// Whether the order of an operator's operands does not matter.
pub(super) fn is_commutative(op: Op) -> bool {
    let algebra = row_of(op).and_then(|row| row.algebra);
    algebra.is_some_and(|algebra| algebra.is_group)
}

/// What a value is a field of, if it is field `index`.
pub(super) fn taken_from(value: Value, index: Option<usize>) -> Option<Subject> {
    let op = value.def()?;
    let is_field = |number: usize| index.is_none_or(|index| index == number);
    if op.is(names::relay::TUPLE_GET) {
        let number = usize::try_from(op.attr("index")?.as_i64()?).ok()?;
        return is_field(number).then(|| Subject::Value(op.operand(0)));
    }
    (op.result_count() > 1 && is_field(value.number())).then_some(Subject::Results(op))
}

/// Whether a value is a parameter, of that name in the model unless the name is empty.
pub(super) fn is_parameter(value: Value, name: &str) -> bool {
    let Some(block) = value.owner_block() else {
        return false;
    };
    let known = || {
        let attrs = block.parent()?.attr("arg_attrs")?.as_array()?;
        attrs.get(value.number())?.get(NAME)
    };
    name.is_empty() || known().is_some_and(|known| known.is_str(name))
}

/// The function that a `func.call` calls.
pub(super) fn function(call: Op) -> Option<Op> {
    let callee = call
        .is(func::Call::NAME)
        .then(|| call.attr("callee")?.as_symbol())
        .flatten()?;
    call.ancestor(builtin::Module::NAME)?.lookup(&callee)
}

/// Whether it has an attribute with this value.
pub(super) fn has_attr(subject: Subject, name: &str, expected: &Datum) -> bool {
    let op = match subject {
        Subject::Callee(op) => function(op).or(Some(op)),
        Subject::Value(value) => value.def(),
        Subject::Results(op) => Some(op),
    };
    let Some(op) = op else { return false };
    if name == OP_PATTERN {
        let pattern = relay::pattern(op).map(|pattern| Datum::Int(pattern as i64));
        return pattern.is_some_and(|pattern| pattern.is(expected));
    }
    let actual = op.attr(name).and_then(Datum::of);
    actual.is_some_and(|actual| expected.is(&actual))
}

/// Whether two values are one, or computed by the same operators of the same values.
pub(super) fn is_same(lhs: Value, rhs: Value) -> bool {
    let mut pairs = vec![(lhs, rhs)];
    while let Some((lhs, rhs)) = pairs.pop() {
        if lhs == rhs {
            continue;
        }
        let (Some(left), Some(right)) = (lhs.def(), rhs.def()) else {
            return false;
        };
        let attrs = |op: Op| -> Vec<(String, Attr)> { op.attrs() };
        let is_alike = left.name() == right.name()
            && lhs.number() == rhs.number()
            && lhs.ty() == rhs.ty()
            && attrs(left) == attrs(right)
            && left.operand_count() == right.operand_count()
            && left.regions().is_empty();
        if !is_alike {
            return false;
        }
        pairs.extend(left.operands().into_iter().zip(right.operands()));
    }
    true
}
