//! What quantised integers stand for.

use super::{
    element::{element, name},
    schema::Tensor,
};
use crate::graph::{
    attr::Param,
    builder::GraphBuilder,
    constant::{Const, Numbers},
    error::Result,
    value::Value,
};
use relay_dialects::element::Element;

/// An integer q stands for scale * (q - zero), with one scale and zero for all or for each subscript of a dimension.
#[derive(Clone, Debug, PartialEq)]
pub struct Grain {
    /// The scales.
    pub scales: Vec<f32>,
    /// The zeros, as many.
    pub zeros: Vec<i64>,
    /// The dimension that they belong to, if there are several.
    pub axis: usize,
    /// The integers.
    pub element: Element,
}

impl Grain {
    /// Whether a tensor has a scale, and integers that operators compute with as quantised ones.
    pub fn is_of(tensor: &Tensor) -> bool {
        let is_narrow = matches!(
            element(tensor.ty),
            Ok(Element::I8 | Element::U8 | Element::I16)
        );
        is_narrow && (!tensor.quantization.scales.is_empty() || tensor.quantization.has_details)
    }

    /// That of a tensor.
    ///
    /// # Errors
    /// If it has none, or one that is not valid.
    pub fn of(tensor: &Tensor) -> Result<Self> {
        let quantization = &tensor.quantization;
        if quantization.has_details {
            return Err("scales of blocks, or of several dimensions, are not supported".into());
        }
        let scales = quantization.scales.clone();
        let count = scales.len();
        let mut zeros = quantization.zeros.clone();
        // No zeros are zeros, and one is that of all.
        match zeros.first().copied() {
            None => zeros = vec![0; count],
            Some(zero) if zeros.len() == 1 => zeros = vec![zero; count],
            Some(_) => {}
        }
        let is_wrong = |scale: &f32| !scale.is_finite() || *scale <= 0.0;
        let out = |zero: &i64| i32::try_from(*zero).is_err();
        if count == 0
            || zeros.len() != count
            || scales.iter().any(is_wrong)
            || zeros.iter().any(out)
        {
            return Err(format!(
                "its {} have scales {:?} and zeros {:?}, which are not valid",
                name(tensor.ty),
                head(&scales),
                head(&zeros)
            ));
        }
        let axis = usize::try_from(quantization.axis).ok();
        let axis =
            axis.filter(|axis| count == 1 || tensor.shape.get(*axis) == Some(&(count as i32)));
        let axis = axis.ok_or_else(|| {
            format!(
                "its {count} scales do not belong to dimension {} of {:?}",
                quantization.axis, tensor.shape
            )
        })?;
        Ok(Self {
            scales,
            zeros,
            axis,
            element: element(tensor.ty)?,
        })
    }

    /// The one scale.
    ///
    /// # Errors
    /// If there are several.
    pub fn scale(&self) -> Result<f32> {
        match self.scales[..] {
            [scale] => Ok(scale),
            _ => Err(format!(
                "{} scales where one is expected",
                self.scales.len()
            )),
        }
    }

    /// The one integer that stands for zero.
    ///
    /// # Errors
    /// If there are several.
    pub fn zero(&self) -> Result<i64> {
        match self.zeros.split_first() {
            Some((zero, others)) if others.iter().all(|other| other == zero) => Ok(*zero),
            _ => Err("zeros differ where one is expected".into()),
        }
    }

    /// The scales, as an operand.
    pub fn scales(&self, b: &GraphBuilder) -> Value {
        let numbers = self.scales.iter().map(|&scale| scale.into()).collect();
        operand(b, Element::F32, Numbers::Floats(numbers), self.scales.len())
    }

    /// The zeros, as an operand; one if they are equal.
    pub fn zeros(&self, b: &GraphBuilder) -> Value {
        let zeros = match self.zero() {
            Ok(_) => &self.zeros[..1],
            Err(_) => &self.zeros[..],
        };
        operand(b, Element::I32, Numbers::ints(zeros), zeros.len())
    }

    /// The numbers that a tensor's integers stand for.
    pub fn dequantised(&self, b: &mut GraphBuilder, value: &Value) -> Result<Value> {
        let zeros = operand(
            b,
            Element::I32,
            Numbers::ints(&self.zeros),
            self.zeros.len(),
        );
        let operands = [value.clone(), self.scales(b), zeros];
        b.op(
            "qnn.dequantize",
            &operands,
            &[("axis", Param::Int(self.axis as i64))],
        )
    }

    /// The same in floats of 64 bits, which hold products of an integer and its scale exactly.
    pub fn wide_numbers(&self, b: &mut GraphBuilder, value: &Value) -> Result<Value> {
        let of_axis = |b: &mut GraphBuilder, numbers: Vec<f64>| {
            let mut shape = vec![1; value.rank()];
            if let Some(extent) = shape.get_mut(self.axis) {
                *extent = numbers.len() as i64;
            }
            b.known(Const::new(Element::F64, shape, &Numbers::Floats(numbers)))
        };
        let zeros = of_axis(b, self.zeros.iter().map(|&zero| zero as f64).collect());
        let scales = of_axis(b, self.scales.iter().map(|&scale| scale.into()).collect());
        let wide = b.cast(value, Element::F64)?;
        let distances = b.binary("subtract", &wide, &zeros)?;
        b.binary("multiply", &distances, &scales)
    }

    /// The integers that stand for a tensor's numbers.
    pub fn quantised(&self, b: &mut GraphBuilder, value: &Value) -> Result<Value> {
        let zeros = operand(
            b,
            Element::I32,
            Numbers::ints(&self.zeros),
            self.zeros.len(),
        );
        let operands = [value.clone(), self.scales(b), zeros];
        let attrs = [
            ("axis", Param::Int(self.axis as i64)),
            ("out_dtype", Param::Type(self.element)),
        ];
        b.op("qnn.quantize", &operands, &attrs)
    }

    /// The range of integers that a number's range is, cut to the element's.
    pub fn range(&self, least: Option<f32>, greatest: Option<f32>) -> Result<[f64; 2]> {
        let (scale, zero) = (self.scale()?, self.zero()?);
        let step = |number: f32| f64::from((number / scale).round()) + zero as f64;
        let (low, high) = (self.element.least(), self.element.greatest());
        Ok([
            least.map_or(low, |number| step(number).clamp(low, high)),
            greatest.map_or(high, |number| step(number).clamp(low, high)),
        ])
    }
}

/// A number, or a vector of several.
fn operand(b: &GraphBuilder, element: Element, numbers: Numbers, count: usize) -> Value {
    let shape = if count == 1 {
        vec![]
    } else {
        vec![count as i64]
    };
    b.known(Const::new(element, shape, &numbers))
}

/// The first elements of a list, for messages.
fn head<T>(list: &[T]) -> &[T] {
    &list[..list.len().min(4)]
}
