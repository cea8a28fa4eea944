//! The values of symbols in a function over buffers, and of forms of them.

use relay_dialects::{
    attrs::{DEFINES, SYMBOL_VALUES},
    dim::{Dim, Factor, Form},
    index,
    ir::{Attr, Builder, Op, Type, Value},
    ops::{arith, func, memref},
};
use std::collections::HashMap;

/// The operations on a way from a symbol to a value of it. A value with as many may be a sum of two to the power of as many terms.
const MOST_STEPS: usize = 12;

/// The values of symbols by name: parameters, and what calls give that check computed values.
#[derive(Clone, Debug, Default)]
pub struct Symbols(HashMap<String, Value>);

impl Symbols {
    /// Those of a function: its parameters of type `index`, in the order of its list of names, and those that it computes.
    pub fn of(func: Op) -> Self {
        let values = func
            .body()
            .args()
            .into_iter()
            .filter(|value| value.ty().is_index());
        let named = names(func).into_iter().zip(values);
        let named = named.filter(|(name, _)| !name.is_empty());
        let computed = definitions(func).into_iter();
        let computed = computed.map(|(name, call)| (name, call.result(0)));
        Self(named.chain(computed).collect())
    }

    /// Notes the value of a symbol.
    pub fn define(&mut self, name: &str, value: Value) {
        self.0.insert(name.into(), value);
    }

    /// The name of the symbol that a value is.
    pub fn name(&self, value: Value) -> Option<&str> {
        let mut all = self.0.iter();
        all.find_map(|(name, known)| (*known == value).then_some(name.as_str()))
    }

    /// The value of a symbol.
    pub fn get(&self, name: &str) -> Option<Value> {
        self.0.get(name).copied()
    }

    /// The value of a dimension, computed at `b`; `None` if a symbol of it has none.
    pub fn value(&self, b: &Builder, dim: Dim) -> Option<Value> {
        match dim {
            Dim::Known(extent) => Some(b.index(extent)),
            Dim::Open(form) => self.form(b, form),
            Dim::Unknown => None,
        }
    }

    fn form(&self, b: &Builder, form: Form) -> Option<Value> {
        form.terms()
            .try_fold(b.index(0), |sum, (coefficient, factors)| {
                let first = b.index(coefficient);
                let product = factors.iter().try_fold(first, |product, factor| {
                    Some(index::mul(b, product, self.factor(b, *factor)?))
                });
                Some(index::add(b, sum, product?))
            })
    }

    fn factor(&self, b: &Builder, factor: Factor) -> Option<Value> {
        let (lhs, rhs, combine): (_, _, fn(&Builder, Value, Value) -> Value) = match factor {
            Factor::Symbol(name) => return self.get(name),
            Factor::Quotient(lhs, rhs) => (lhs, rhs, arith::FloorDivSI::build),
            Factor::Max(lhs, rhs) => (lhs, rhs, |b, lhs, rhs| arith::MaxSI::build(b, lhs, rhs)),
            Factor::Min(lhs, rhs) => (lhs, rhs, |b, lhs, rhs| arith::MinSI::build(b, lhs, rhs)),
        };
        Some(combine(b, self.form(b, lhs)?, self.form(b, rhs)?))
    }

    /// The form of symbols that a value is, if few steps compute it of these alone.
    pub fn dim(&self, value: Value) -> Option<Dim> {
        self.dim_within(value, MOST_STEPS)
    }

    fn dim_within(&self, value: Value, steps: usize) -> Option<Dim> {
        if let Some(number) = index::constant(value) {
            return Some(Dim::Known(number));
        }
        if let Some(name) = self.name(value) {
            return Some(Dim::symbol(name));
        }
        let (op, steps) = (value.def()?, steps.checked_sub(1)?);
        let combine: fn(Dim, Dim) -> Result<Dim, String> = match op.name().as_str() {
            arith::AddI::NAME => |lhs, rhs| lhs.plus(rhs),
            arith::SubI::NAME => |lhs, rhs| lhs.minus(rhs),
            arith::MulI::NAME => |lhs, rhs| lhs.times(rhs),
            arith::FloorDivSI::NAME => |lhs, rhs| lhs.floor_div(rhs),
            arith::MaxSI::NAME => |lhs, rhs| lhs.max(rhs),
            arith::MinSI::NAME => |lhs, rhs| lhs.min(rhs),
            _ => return None,
        };
        let lhs = self.dim_within(op.operand(0), steps)?;
        combine(lhs, self.dim_within(op.operand(1), steps)?).ok()
    }

    /// A row-major buffer of these dimensions over the elements of `source`, in the same scope; `None` if a symbol has no value.
    pub fn view(&self, b: &Builder, source: Value, ty: Type, dims: &[Dim]) -> Option<Value> {
        let ty = ty.in_memory_space(source.ty().memory_space());
        if source.ty() == ty {
            return Some(source);
        }
        // The type of a buffer without elements is that of an empty list.
        let known = ty.dims();
        let dims = if ty.is_static() { &known[..] } else { dims };
        let mut strides = vec![Dim::Known(1); dims.len()];
        for dim in (1..dims.len()).rev() {
            strides[dim - 1] = dims[dim].times(strides[dim]).ok()?;
        }
        let values = |dims: &[Dim]| {
            let open = dims.iter().filter(|dim| !dim.is_known());
            open.map(|dim| self.value(b, *dim))
                .collect::<Option<Vec<Value>>>()
        };
        let numbers = |dims: &[Dim]| dims.iter().map(|dim| dim.to_mlir()).collect::<Vec<i64>>();
        Some(memref::ReinterpretCast::build(
            b,
            ty,
            source,
            &[],
            &values(dims)?,
            &values(&strides)?,
            &[0],
            &numbers(dims),
            &numbers(&strides),
        ))
    }
}

/// The symbols that a function computes, in order, each with the call that checks its value. Those in branches and loops are among them.
pub fn definitions(graph: Op) -> Vec<(String, Op)> {
    let calls = graph.find_all(func::Call::NAME).into_iter();
    let defined = calls.filter_map(|call| Some((call.attr(DEFINES).and_then(Attr::as_str)?, call)));
    defined.collect()
}

/// The symbols that a function's parameters of type `index` hold, in order; a parameter that holds none has an empty name.
pub fn names(func: Op) -> Vec<String> {
    func.attr(SYMBOL_VALUES)
        .and_then(Attr::as_texts)
        .unwrap_or_default()
}
