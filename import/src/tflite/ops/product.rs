//! The sums of products of convolutions and dense layers: of floats, of bytes, and of 16 bits with bytes.

use super::activation::Activation;
use crate::{
    compose::activation::round_from_zero,
    graph::{
        attr::Param,
        builder::GraphBuilder,
        constant::{Const, Numbers as Numbers64},
        error::Result,
        value::Value,
    },
    tflite::{
        fixed::{self, Factor},
        grain::Grain,
        node::Node,
    },
};
use relay_dialects::{element::Element, relay::ops::losses::Rounding};

/// How a product is computed.
enum Numbers {
    /// In the floats of the data.
    Floats,
    /// Of bytes, in 32 bits.
    Bytes { data: Grain, weight: Grain },
    /// Of 16 bits with bytes, in floats of 64 bits, which hold the sums exactly.
    Words { data: Grain, weight: Grain },
}

/// Data and a weight.
pub struct Product {
    /// The data.
    pub data: Value,
    weight: Value,
    numbers: Numbers,
    /// Whether one scale of the weight and that of the data are multiplied as floats of 32 bits, as in dense layers.
    is_dense: bool,
}

impl Product {
    /// The product of two inputs of a node, where the weight has its outputs in a dimension.
    pub fn read(
        n: &Node<'_>,
        b: &mut GraphBuilder,
        (data, weight): (usize, usize),
        outputs: usize,
    ) -> Result<Self> {
        let (x, w) = (n.input(data)?, n.input(weight)?);
        let mut product = Self {
            data: x,
            weight: w,
            numbers: Numbers::Floats,
            is_dense: false,
        };
        if !n.is_quantised(data) {
            if !product.data.element().is_float() {
                return Err(format!(
                    "products of {:?} without a scale are not supported",
                    product.data.element()
                ));
            }
            // A weight of bytes saves room; the numbers that it stands for are computed with.
            if n.is_quantised(weight) {
                product.weight = n.grain(weight)?.dequantised(b, &product.weight)?;
            }
            product.weight = b.cast(&product.weight, product.data.element())?;
            return Ok(product);
        }
        let grains = (n.grain(data)?, n.grain(weight)?);
        if grains.1.scales.len() > 1 && grains.1.axis != outputs {
            return Err(format!(
                "the weight's scales belong to its dimension {}, expected {outputs}, which has the outputs",
                grains.1.axis
            ));
        }
        product.numbers = match grains {
            (data, weight) if data.element == Element::I16 => Numbers::Words { data, weight },
            (data, weight) => Numbers::Bytes { data, weight },
        };
        Ok(product)
    }

    /// As a dense layer's.
    pub fn dense(self) -> Self {
        Self {
            is_dense: true,
            ..self
        }
    }

    /// What pads the data.
    pub fn fill(&self) -> f64 {
        match &self.numbers {
            Numbers::Bytes { data, .. } => data.zeros.first().map_or(0.0, |zero| *zero as f64),
            _ => 0.0,
        }
    }

    /// The sums, of data in the place of this product's. `op` is the operator for floats.
    pub fn sums(
        &self,
        b: &mut GraphBuilder,
        op: &str,
        data: &Value,
        attrs: &[(&str, Param)],
    ) -> Result<Value> {
        match &self.numbers {
            Numbers::Floats => b.op(op, &[data.clone(), self.weight.clone()], attrs),
            Numbers::Bytes {
                data: of_data,
                weight,
            } => {
                if let Some(sums) = self.around_half(b, op, data, attrs)? {
                    return Ok(sums);
                }
                let op = match op {
                    "nn.conv2d" => "qnn.conv2d",
                    "nn.conv2d_transpose" => "qnn.conv2d_transpose",
                    "nn.dense" => "qnn.dense",
                    other => return Err(format!("{other} of quantised integers is not supported")),
                };
                let operands = [
                    data.clone(),
                    self.weight.clone(),
                    of_data.zeros(b),
                    weight.zeros(b),
                    of_data.scales(b),
                    weight.scales(b),
                ];
                b.op(op, &operands, attrs)
            }
            Numbers::Words { weight, .. } => {
                if weight.zero()? != 0 {
                    return Err("the weight's zero is not 0".into());
                }
                let operands = [data, &self.weight].map(|value| b.cast(value, Element::F64));
                let [data, weight] = operands;
                let sums = b.op(op, &[data?, weight?], attrs)?;
                b.cast(&sums, Element::I64)
            }
        }
    }

    /// The sums of a convolution with a weight of bytes without a sign whose zero is not 128: those with 128, for which there are kernels, and
    /// the sums of the data in each window.
    fn around_half(
        &self,
        b: &mut GraphBuilder,
        op: &str,
        data: &Value,
        attrs: &[(&str, Param)],
    ) -> Result<Option<Value>> {
        const HALF: i64 = 128;
        let Numbers::Bytes {
            data: of_data,
            weight,
        } = &self.numbers
        else {
            return Ok(None);
        };
        let zero = weight.zero()?;
        let is_grouped = attrs
            .iter()
            .any(|(name, value)| *name == "groups" && !matches!(value, Param::Int(1)));
        let [_, height, width, inputs] = self.weight.dims()[..] else {
            return Ok(None);
        };
        if op != "nn.conv2d" || weight.element != Element::U8 || zero == HALF || is_grouped {
            return Ok(None);
        }
        let of_sums = Grain {
            zeros: vec![HALF],
            ..weight.clone()
        };
        let sums = |b: &mut GraphBuilder, weight: Value| {
            let operands = [
                data.clone(),
                weight,
                of_data.zeros(b),
                of_sums.zeros(b),
                of_data.scales(b),
                of_sums.scales(b),
            ];
            b.op("qnn.conv2d", &operands, attrs)
        };
        let products = sums(b, self.weight.clone())?;
        let one = b.full(
            Element::U8,
            &[1.into(), height, width, inputs],
            (HALF + 1) as f64,
        )?;
        let windows = sums(b, one)?;
        let rest = b.with_scalar("multiply", &windows, (HALF - zero) as f64)?;
        b.binary("add", &products, &rest).map(Some)
    }

    /// The steps of the result in a step of the sums, for each output or for all.
    fn factors(&self, data: &Grain, weight: &Grain, to: &Grain) -> Result<Vec<f64>> {
        let (scale, target) = (data.scale()?, f64::from(to.scale()?));
        // Kernels of convolutions of bytes without a sign multiply the scales first.
        let is_single = data.element == Element::U8 && !self.is_dense;
        if let ([one], true) = (&weight.scales[..], is_single) {
            return Ok(vec![f64::from(scale * one) / target]);
        }
        let each = |of_weight: &f32| f64::from(scale) * f64::from(*of_weight) / target;
        Ok(weight.scales.iter().map(each).collect())
    }

    /// Sums with their bias, in the steps of the result.
    fn scaled(
        &self,
        b: &mut GraphBuilder,
        sums: &Value,
        factors: &[f64],
        is_narrow: bool,
    ) -> Result<Value> {
        let last = sums.rank() - 1;
        match (&self.numbers, self.is_dense) {
            // Kernels of dense layers multiply in floats of 64 bits.
            (Numbers::Words { .. }, true) => {
                let numbers = Numbers64::Floats(factors.to_vec());
                let shape = if factors.len() == 1 {
                    vec![]
                } else {
                    vec![factors.len() as i64]
                };
                let factors = b.known(Const::new(Element::F64, shape, &numbers));
                let sums = b.cast(sums, Element::F64)?;
                let products = b.binary("multiply", &sums, &factors)?;
                round_from_zero(b, &products)
            }
            (Numbers::Words { .. }, false) if !is_narrow => fixed::scaled_wide(b, sums, factors),
            (_, is_dense) => {
                let sums = b.cast(sums, Element::I32)?;
                let factors: Vec<Factor> = factors.iter().copied().map(Factor::of).collect();
                let rounding = if is_dense {
                    Rounding::ToNearest
                } else {
                    Rounding::Twice
                };
                fixed::scaled_by(b, &sums, &factors, last, rounding)
            }
        }
    }
}

/// What a node returns for sums: with the bias at a place of its inputs, the activation, and quantised.
pub fn finish(
    n: &Node<'_>,
    b: &mut GraphBuilder,
    sums: Value,
    product: &Product,
    bias: usize,
) -> Result<Vec<Value>> {
    let bias = n.optional(bias);
    let activation = Activation::of(n)?;
    if n.kind
        .fields
        .iter()
        .any(|field| field.name == "quantized_bias_type")
    {
        n.ignore("quantized_bias_type")?;
    }
    let (data, weight) = match &product.numbers {
        Numbers::Floats => {
            let biased = match bias {
                Some(bias) => {
                    let bias = b.cast(&bias, sums.element())?;
                    added(b, &sums, &bias)?
                }
                None => sums,
            };
            return Ok(vec![activation.apply(b, &biased)?]);
        }
        Numbers::Bytes { data, weight } | Numbers::Words { data, weight } => (data, weight),
    };
    let has_narrow_bias = bias
        .as_ref()
        .is_some_and(|bias| bias.element() == Element::I32);
    let biased = match bias {
        Some(bias) => {
            let bias = b.cast(&bias, sums.element())?;
            added(b, &sums, &bias)?
        }
        None => sums,
    };
    let result = n.result(0)?;
    if !Grain::is_of(result) {
        return match n.element(0)? {
            Element::I32 => Ok(vec![b.cast(&biased, Element::I32)?]),
            other => Err(format!(
                "a result of {other:?} without a scale is not supported"
            )),
        };
    }
    let to = n.grain_of_result(0)?;
    let factors = product.factors(data, weight, &to)?;
    let scaled = product.scaled(b, &biased, &factors, has_narrow_bias)?;
    let range = activation.range(&to)?;
    Ok(vec![fixed::narrowed(
        b,
        &scaled,
        to.zero()?,
        range,
        to.element,
    )?])
}

/// Sums plus a vector of one number for each subscript of the last dimension.
fn added(b: &mut GraphBuilder, sums: &Value, bias: &Value) -> Result<Value> {
    let channels = sums.dims().last().copied();
    let count = relay_dialects::dim::product(bias.dims())?;
    if channels != Some(count) {
        return Err(format!(
            "the bias has shape {:?}, the sums {:?}",
            bias.dims(),
            sums.dims()
        ));
    }
    let bias = b.reshape(bias, &[count])?;
    let axis = [("axis", Param::Int(sums.rank() as i64 - 1))];
    b.op("nn.bias_add", &[sums.clone(), bias], &axis)
}
