//! Forms of open dimensions as tensors: their values are computed when the model runs.

use super::{constant::Const, error::Result, value::Value};
use relay_dialects::{
    dim::{Dim, Factor, Form},
    element::Element,
    ir::{Attr, Builder, Type, Value as IrValue},
    names::relay,
    relay::build::make,
};
use std::collections::HashMap;

/// Where the sizes of symbols are read.
#[derive(Default)]
pub struct Sources(HashMap<&'static str, Source>);

#[derive(Clone, Copy)]
enum Source {
    /// From an axis of an input.
    Axis(IrValue, usize),
    /// From a number that the model computes.
    Number(IrValue),
}

impl Sources {
    /// A name that no symbol has, which begins with `base`.
    pub fn new_name(&self, base: &str) -> String {
        let is_free = |name: &String| !self.0.contains_key(name.as_str());
        let numbered = (1..).map(|number| format!("{base}.{number}"));
        let mut names = std::iter::once(base.to_owned()).chain(numbered);
        names.find(is_free).unwrap_or_default()
    }

    /// Notes the number that is the size of a symbol.
    pub fn define(&mut self, name: &'static str, number: IrValue) {
        self.0.insert(name, Source::Number(number));
    }

    /// Adds the dimensions of an input that are symbols alone.
    pub fn add(&mut self, input: IrValue) {
        for (axis, dim) in input.ty().dims().into_iter().enumerate() {
            if let [name] = dim.symbols()[..]
                && dim == Dim::symbol(name)
            {
                self.0.entry(name).or_insert(Source::Axis(input, axis));
            }
        }
    }

    /// The tensor whose elements are these forms.
    pub fn compute(&self, builder: &Builder, value: &Value, forms: &[Dim]) -> Result<IrValue> {
        let ctx = builder.ctx;
        let mut parts = Vec::with_capacity(forms.len());
        for form in forms {
            let one = self.dim(builder, *form)?;
            let attrs = [("newshape", Attr::ints(ctx, &[1]))];
            parts.push(make(builder, relay::RESHAPE, &[one], &attrs));
        }
        let joined = match parts[..] {
            [one] => one,
            _ => {
                let attrs = [("axis", Attr::i64(ctx, 0))];
                make(builder, relay::CONCATENATE, &parts, &attrs)
            }
        };
        let attrs = [("newshape", Attr::ints(ctx, value.shape()?))];
        let shaped = make(builder, relay::RESHAPE, &[joined], &attrs);
        if value.element() == Element::I64 {
            return Ok(shaped);
        }
        let attrs = [("dtype", Attr::ty(value.element().ty(ctx)))];
        Ok(make(builder, relay::CAST, &[shaped], &attrs))
    }

    /// A number of rank 0.
    fn dim(&self, builder: &Builder, dim: Dim) -> Result<IrValue> {
        match dim {
            Dim::Known(size) => constant(builder, size),
            Dim::Open(form) => self.form(builder, form),
            Dim::Unknown => Err("a dimension that depends on data is used as a number".into()),
        }
    }

    fn form(&self, builder: &Builder, form: Form) -> Result<IrValue> {
        let mut sum = None;
        for (coefficient, factors) in form.terms() {
            let mut product = match (coefficient, factors) {
                (1, [_, ..]) => None,
                _ => Some(constant(builder, coefficient)?),
            };
            for factor in factors {
                let factor = self.factor(builder, *factor)?;
                product = Some(joined(builder, relay::MULTIPLY, product, factor));
            }
            if let Some(product) = product {
                sum = Some(joined(builder, relay::ADD, sum, product));
            }
        }
        sum.map_or_else(|| constant(builder, 0), Ok)
    }

    fn factor(&self, builder: &Builder, factor: Factor) -> Result<IrValue> {
        let (name, lhs, rhs) = match factor {
            Factor::Symbol(name) => return self.symbol(builder, name),
            Factor::Quotient(lhs, rhs) => (relay::FLOOR_DIVIDE, lhs, rhs),
            Factor::Max(lhs, rhs) => (relay::MAXIMUM, lhs, rhs),
            Factor::Min(lhs, rhs) => (relay::MINIMUM, lhs, rhs),
        };
        let operands = [self.form(builder, lhs)?, self.form(builder, rhs)?];
        Ok(make(builder, name, &operands, &[]))
    }

    fn symbol(&self, builder: &Builder, name: &str) -> Result<IrValue> {
        let source = self.0.get(name).copied().ok_or_else(|| {
            format!("the size of '{name}' is used as a number, and no input has '{name}' alone as a dimension")
        })?;
        let (input, axis) = match source {
            Source::Axis(input, axis) => (input, axis),
            Source::Number(number) => return Ok(number),
        };
        let index = Attr::ty(Element::I64.ty(builder.ctx));
        let sizes = make(builder, relay::SHAPE_OF, &[input], &[("dtype", index)]);
        let axis = constant(builder, axis as i64)?;
        let attrs = [("axis", Attr::i64(builder.ctx, 0))];
        Ok(make(builder, relay::TAKE, &[sizes, axis], &attrs))
    }
}

fn joined(builder: &Builder, name: &str, lhs: Option<IrValue>, rhs: IrValue) -> IrValue {
    match lhs {
        Some(lhs) => make(builder, name, &[lhs, rhs], &[]),
        None => rhs,
    }
}

/// A `relay.constant` of rank 0.
fn constant(builder: &Builder, number: i64) -> Result<IrValue> {
    let ty = Type::tensor(&[], Element::I64.ty(builder.ctx));
    let bytes = Const::ints(&[number]).shared_bytes();
    let value = Attr::dense(ty, &bytes).ok_or("cannot make a constant of one number")?;
    Ok(builder.value(relay::CONSTANT, &[], ty, &[("value", value)]))
}
