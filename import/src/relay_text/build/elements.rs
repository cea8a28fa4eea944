//! Operands that TVM converts before it computes with them. Ours are converted by casts.

use super::{Reader, Result};
use crate::relay_text::{
    element,
    operators::implied_element,
    syntax::{AttrValue, Attribute},
};
use relay_dialects::{
    element::Element,
    ir::{Attr, Builder, Value},
    names::relay,
    relay::{row, row::Precision},
};
use std::ops::Range;

/// Operators and their operand that TVM converts to the elements of the first one.
const CONVERTED: &[(&str, usize)] = &[(relay::NN_PAD, 1), (relay::DYN_NN_PAD, 2)];

/// The attribute that names the type of an operator's sums of products.
const OUT_DTYPE: &str = "out_dtype";

/// Sums of products of integers of at most this many bits are exact in f64: 2^21 products of the largest ones.
const WIDEST_FACTOR: u32 = 16;

impl Reader<'_> {
    /// Converts the operands of an operator as TVM does: what fills a tensor becomes of its elements, and `out_dtype` is the type
    /// that factors are multiplied in. The attribute is
    /// removed then. Returns the type that the result has to be cast to, if the operator cannot compute in it.
    pub(super) fn convert(
        &self,
        b: Builder,
        full: &str,
        operands: &mut [Value],
        attributes: &mut Vec<Attribute>,
        span: &Range<usize>,
    ) -> Result<Option<Element>> {
        for (_, index) in CONVERTED.iter().filter(|(name, _)| *name == full) {
            if let [Some(first), Some(other)] =
                [0, *index].map(|index| operands.get(index).copied().and_then(element_of))
                && first != other
            {
                operands[*index] = self.cast(b, operands[*index], first, span)?;
            }
        }
        // Quantised products give one type, whatever they multiply in.
        let gives_another = implied_element(full.trim_start_matches("relay."), operands).is_none();
        let multiplies =
            gives_another && row(full).is_some_and(|row| row.precision == Precision::Multiplies);
        let Some(at) = (attributes.iter()).position(|given| multiplies && given.name == OUT_DTYPE)
        else {
            return Ok(None);
        };
        let (Some(out), Some(factors)) = (named(&attributes[at].value), operands.get_mut(..2))
        else {
            return Ok(None);
        };
        attributes.remove(at);
        self.widen(b, full, factors, out, span)
    }

    /// Casts two factors to the type that they are multiplied in; or to f64, if the operator computes with floats only.
    fn widen(
        &self,
        b: Builder,
        full: &str,
        factors: &mut [Value],
        out: Element,
        span: &Range<usize>,
    ) -> Result<Option<Element>> {
        let mut elements: Vec<Option<Element>> = factors.iter().map(|v| element_of(*v)).collect();
        // A weight of unknown type has the elements of the data. If nothing is known, the casts may turn out to change nothing.
        elements[1] = elements[1].or(elements[0]);
        if elements.iter().all(|element| *element == Some(out)) {
            return Ok(None);
        }
        let computes_in = |element| row(full).is_some_and(|row| row.elements.contains(element));
        let common = match computes_in(out) {
            true => out,
            false => Element::F64,
        };
        let is_exact = |element: &Option<Element>| {
            element.is_some_and(|element| element.is_integer() && element.bits() <= WIDEST_FACTOR)
        };
        if common != out && !(out.is_integer() && elements.iter().all(is_exact)) {
            let name = full.trim_start_matches("relay.");
            let out = element::name(out);
            let message = format!(
                "`{name}` gives {out} only for integers of at most {WIDEST_FACTOR} bits; cast its operands to floats"
            );
            return Err(self.error(span, message));
        }
        for (factor, element) in factors.iter_mut().zip(elements) {
            if element != Some(common) {
                *factor = self.cast(b, *factor, common, span)?;
            }
        }
        Ok((common != out).then_some(out))
    }

    /// Casts sums in f64 to integers. A sum that these do not hold wraps, as in integers.
    pub(super) fn narrow(
        &self,
        b: Builder,
        sums: Value,
        out: Element,
        span: &Range<usize>,
    ) -> Result<Value> {
        let whole = self.cast(b, sums, Element::I64, span)?;
        match out {
            Element::I64 => Ok(whole),
            _ => self.cast(b, whole, out, span),
        }
    }

    fn cast(&self, b: Builder, value: Value, to: Element, span: &Range<usize>) -> Result<Value> {
        let dtype = [("dtype", Attr::ty(to.ty(self.ctx)))];
        let op = self.made(b, relay::CAST, &[value], &dtype, span)?;
        Ok(op.result(0))
    }
}

/// The element type of a name.
fn named(value: &AttrValue) -> Option<Element> {
    match value {
        AttrValue::Text(name) => element::parse(name),
        _ => None,
    }
}

/// The element type of a tensor.
fn element_of(value: Value) -> Option<Element> {
    let ty = Some(value.ty()).filter(|ty| ty.is_tensor())?;
    Element::of(ty.element())
}
