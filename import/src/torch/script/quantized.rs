//! Quantised tensors: an integer q stands for the float scale * (q - zero point).
//!
//! The importer keeps such a tensor as floats between `qnn.quantize` and `qnn.dequantize`, and notes its steps by its name. An operator on it
//! is the one on floats, and the result is quantised again. The pass `fake-quantization-to-integer` makes operators on integers of these.

use super::{
    eval::Evaluator,
    operator::Arguments,
    packed::Packed,
    value::{Steps, Val, known_number},
};
use crate::{
    graph::{constant::Const, error::Result, value::Value},
    torch::{
        element::of_quantized,
        item::{Item, Number},
        ops::quantized::{Grain, grain_of_range},
        pickle::{Quantized, StoredSteps},
        scope::Origin,
    },
};
use relay_dialects::element::Element;
use std::rc::Rc;

/// Operators of ATen whose results are elements of their quantised operand.
const MOVES: [&str; 42] = [
    "alias",
    "channel_shuffle",
    "chunk",
    "clone",
    "contiguous",
    "cpu",
    "detach",
    "dropout",
    "expand",
    "feature_dropout",
    "flatten",
    "index_select",
    "max_pool1d",
    "max_pool2d",
    "max_pool3d",
    "narrow",
    "native_channel_shuffle",
    "permute",
    "pixel_shuffle",
    "pixel_unshuffle",
    "relu",
    "relu_",
    "repeat",
    "reshape",
    "select",
    "slice",
    "split",
    "split_with_sizes",
    "squeeze",
    "squeeze_",
    "swapaxes",
    "t",
    "to",
    "transpose",
    "unbind",
    "unflatten",
    "unsqueeze",
    "unsqueeze_",
    "upsample_nearest1d",
    "upsample_nearest2d",
    "upsample_nearest3d",
    "view",
];

/// Operators on quantised tensors, without the endings `_relu`, `_dynamic`, `_prepack` and `_unpack`.
const LAYERS: [&str; 30] = [
    "add",
    "add_scalar",
    "batch_norm",
    "batch_norm1d",
    "batch_norm2d",
    "batch_norm3d",
    "cat",
    "celu",
    "conv1d",
    "conv2d",
    "conv2d_add",
    "conv3d",
    "conv_transpose1d",
    "conv_transpose2d",
    "conv_transpose3d",
    "elu",
    "group_norm",
    "hardswish",
    "instance_norm",
    "layer_norm",
    "leaky_relu",
    "linear",
    "linear_leaky_relu",
    "linear_tanh",
    "matmul",
    "mul",
    "mul_scalar",
    "prelu",
    "sigmoid",
    "softmax",
];

/// The greatest byte, and the greatest number of 7 bits, to which PyTorch can reduce the range of data.
const GREATEST: [f64; 2] = [255.0, 127.0];

/// The scale of a quantised tensor that was multiplied with 0, in PyTorch.
const SCALE_OF_ZEROS: f64 = 0.1;

/// The greatest number of 16 bits. Greater weights become it.
const GREATEST_HALF: f64 = 65504.0;

/// How the names of layers end that hold weights of 16 bits.
const HALVES: &str = "_fp16";

/// Whether an operator on quantised tensors is read here.
pub fn is_known(name: &str) -> bool {
    let quantizing = ["quantize_per_tensor", "quantize_per_channel", "dequantize"];
    let asking = ["int_repr", "q_scale", "q_zero_point"];
    match name.split_once("::") {
        Some(("aten", own)) => quantizing.contains(&own) || asking.contains(&own),
        Some(("quantized", own)) => {
            let own = own.strip_suffix(HALVES).unwrap_or(own);
            let own = ["_prepack", "_unpack", "_dynamic"]
                .iter()
                .find_map(|ending| own.strip_suffix(ending))
                .unwrap_or(own);
            LAYERS.contains(&own) || LAYERS.contains(&own.strip_suffix("_relu").unwrap_or(own))
        }
        _ => false,
    }
}

impl<'g> Evaluator<'g, '_> {
    /// The result of an operator that quantises, or takes quantised tensors; none if it is another one.
    ///
    /// # Errors
    /// What is wrong with its arguments.
    pub fn quantized(&mut self, name: &str, arguments: &Arguments<'g>) -> Result<Option<Val<'g>>> {
        let places = &arguments.places[..];
        if let Some(own) = name.strip_prefix("quantized::") {
            return match is_known(name) {
                true if arguments.values().any(Val::has_lost) => Ok(Some(Val::Lost)),
                true => self.layer(own, places).map(Some),
                false => Ok(None),
            };
        }
        let Some(own) = name.strip_prefix("aten::") else {
            return Ok(None);
        };
        let value = match (own, places) {
            ("quantize_per_tensor", [x, scale, zero_point, dtype]) => {
                let grain = self.one_grain(scale, zero_point)?;
                let element = integers(dtype)?;
                self.rounded(own, x, Steps { grain, element })?
            }
            ("quantize_per_channel", [x, scales, zero_points, axis, dtype]) => {
                let grain = Grain {
                    scale: self.value_as(scales, Element::F32)?,
                    zero_point: self.value_as(zero_points, Element::I32)?,
                    axis: int(axis)?,
                };
                let element = integers(dtype)?;
                self.rounded(own, x, Steps { grain, element })?
            }
            ("dequantize", [Val::List(items)]) => {
                let items = items.borrow().clone();
                let items = items.iter().map(|item| self.floats(own, item));
                Val::list(items.collect::<Result<_>>()?)
            }
            ("dequantize", [x]) => self.floats(own, x)?,
            _ => return self.on_quantized(name, own, arguments),
        };
        Ok(Some(value))
    }

    /// A quantised tensor of the file.
    ///
    /// # Errors
    /// If its elements do not lie in the file.
    pub fn quantized_weight(&mut self, path: &Rc<str>, stored: &Quantized) -> Result<Val<'g>> {
        let integers = self.weight(path, &stored.integers)?;
        let Val::Tensor(name) = integers else {
            return Ok(integers);
        };
        let integers = self.value_of(&integers)?;
        let grain = match &stored.steps {
            StoredSteps::PerTensor(scale, zero_point) => Grain {
                scale: self.b().scalar(Element::F32, *scale),
                zero_point: self.b().scalar(Element::I32, *zero_point as f64),
                axis: 0,
            },
            StoredSteps::PerChannel(scales, zero_points, axis) => {
                let [scales, zero_points] = [scales, zero_points].map(|stored| stored.read());
                let (scales, zero_points) = (self.b().known(scales?), self.b().known(zero_points?));
                Grain {
                    scale: self.b().cast(&scales, Element::F32)?,
                    zero_point: self.b().cast(&zero_points, Element::I32)?,
                    axis: *axis,
                }
            }
        };
        let element = integers.element();
        let floats = grain.dequantized(self.b(), &integers)?;
        let floats = self.define(name, Item::Tensor(floats));
        self.state
            .quantized
            .insert(floats, Steps { grain, element });
        Ok(Val::Tensor(floats))
    }

    /// An operator of ATen's on a quantised tensor.
    fn on_quantized(
        &mut self,
        name: &str,
        own: &str,
        arguments: &Arguments<'g>,
    ) -> Result<Option<Val<'g>>> {
        let mut operands = arguments.places.iter();
        let steps = match (own, &arguments.places[..]) {
            ("cat" | "stack", [Val::List(items), ..]) => {
                let first = items.borrow().first().cloned();
                first.and_then(|first| self.steps_of(&first))
            }
            _ => operands.find_map(|operand| self.steps_of(operand)),
        };
        let Some(steps) = steps else {
            return Ok(None);
        };
        let asked = match own {
            "is_quantized" => Some(Val::bool(true)),
            "q_scale" => Some(number(steps.grain.scale.clone())),
            "q_zero_point" => Some(number(steps.grain.zero_point.clone())),
            "int_repr" => {
                let x = self.value_of(&arguments.places[0])?;
                let integers = steps.grain.quantized(self.b(), &x, steps.element)?;
                Some(self.tensor(integers))
            }
            _ => None,
        };
        if asked.is_some() {
            return Ok(asked);
        }
        let steps = self.steps_behind(own, steps);
        let result = self.plain(name, arguments.clone(), &[])?;
        self.quantized_again(own, result, &steps).map(Some)
    }

    /// The steps of an operator's result: those of its operand, or of a range that the operator has.
    fn steps_behind(&mut self, own: &str, steps: Steps) -> Steps {
        let (scale, zero_point) = match (own.trim_end_matches('_'), steps.element) {
            ("sigmoid" | "hardsigmoid", Element::I8) => (1.0 / 256.0, -128.0),
            ("sigmoid" | "hardsigmoid", _) => (1.0 / 256.0, 0.0),
            ("tanh", Element::I8) => (1.0 / 128.0, 0.0),
            ("tanh", _) => (1.0 / 128.0, 128.0),
            _ => return steps,
        };
        let grain = Grain {
            scale: self.b().scalar(Element::F32, scale),
            zero_point: self.b().scalar(Element::I32, zero_point),
            axis: 0,
        };
        Steps { grain, ..steps }
    }

    /// What an operator makes of a quantised tensor, in its steps. Lists stay the same lists.
    fn quantized_again(&mut self, own: &str, result: Val<'g>, steps: &Steps) -> Result<Val<'g>> {
        let is_move = MOVES.contains(&own);
        match &result {
            Val::Tensor(name) => {
                let is_float = self.value_of(&result)?.element().is_float();
                if is_move || !is_float {
                    self.state
                        .quantized
                        .extend(is_float.then(|| (*name, steps.clone())));
                    return Ok(result);
                }
                self.rounded(own, &result, steps.clone())
            }
            Val::List(items) if is_move => {
                for item in items.borrow().iter() {
                    if let Val::Tensor(name) = item {
                        self.state.quantized.insert(name, steps.clone());
                    }
                }
                Ok(result)
            }
            Val::Tuple(items, names) => {
                let items = items.iter();
                let items = items.map(|item| self.quantized_again(own, item.clone(), steps));
                let items = items.collect::<Result<Vec<_>>>()?;
                Ok(Val::Tuple(Rc::new(items.into()), names.clone()))
            }
            _ => Ok(result),
        }
    }

    /// An operator on quantised tensors, `quantized::add`, whose last arguments are the scale and the zero point of its result.
    fn layer(&mut self, own: &str, places: &[Val<'g>]) -> Result<Val<'g>> {
        if let Some(own) = own.strip_suffix(HALVES)
            && !own.ends_with("_unpack")
        {
            return self.layer_of_halves(own, places);
        }
        let own = own.strip_suffix(HALVES).unwrap_or(own);
        if own.ends_with("_prepack") {
            return Packed::pack(places);
        }
        if own.ends_with("_unpack") {
            let [packed] = places else {
                return Err(
                    "a packed weight is taken apart with other arguments than it should".into(),
                );
            };
            let packed = Packed::of(packed)?;
            return Ok(Val::tuple(vec![packed.weight, packed.bias]));
        }
        if let Some(own) = own.strip_suffix("_dynamic") {
            return self.dynamic_layer(own, places);
        }
        let (own, is_relu) = match own {
            "leaky_relu" | "linear_leaky_relu" => (own, false),
            _ => match own.strip_suffix("_relu") {
                Some(own) => (own, true),
                None => (own, false),
            },
        };
        let first = match places.first() {
            Some(Val::List(items)) => items.borrow().first().cloned(),
            other => other.cloned(),
        };
        let first = first.ok_or("it has no operand")?;
        let first = self.resolved(&first)?;
        let steps = self
            .steps_of(&first)
            .ok_or("its operand is no quantised tensor")?;
        if let ("add" | "add_scalar" | "mul" | "mul_scalar", [_, number]) = (own, places) {
            return self.with_number((own, is_relu), &first, number, steps);
        }
        let (operands, [scale, zero_point]) = apart(own, places)?;
        let grain = match scale {
            Val::None => steps.grain,
            scale => self.one_grain(&scale, &zero_point)?,
        };
        let result = self.layer_of_floats(own, operands)?;
        let result = match is_relu {
            true => self.plain_of("relu", vec![result])?,
            false => result,
        };
        let element = steps.element;
        self.rounded(own, &result, Steps { grain, element })
    }

    /// The floats of a layer before they are quantised.
    fn layer_of_floats(&mut self, own: &str, operands: Vec<Val<'g>>) -> Result<Val<'g>> {
        let all = operands.clone();
        let operands = |places: &[usize]| -> Result<Vec<Val<'g>>> {
            let places = places.iter().map(|place| operands.get(*place).cloned());
            let all: Option<Vec<_>> = places.collect();
            all.ok_or_else(|| "it has fewer operands than it should".into())
        };
        let with = |places: &[usize], more: [Val<'g>; 1]| {
            operands(places).map(|operands| [&operands[..], &more].concat())
        };
        let epsilon = |places: &[usize], behind: usize| {
            let mut all = operands(places)?;
            let rest = [Val::bool(false), Val::Number(Number::Float(0.0))];
            all.extend(rest);
            all.extend(operands(&[behind])?);
            all.push(Val::bool(false));
            Ok::<_, String>(all)
        };
        match own {
            "add" | "mul" | "matmul" | "prelu" | "leaky_relu" | "cat" => {
                self.plain_of(own, operands(&[0, 1])?)
            }
            "hardswish" | "sigmoid" => self.plain_of(own, operands(&[0])?),
            // What stands behind the number of the slope may be left out.
            "elu" | "celu" => self.plain_of(own, all),
            "softmax" => self.plain_of(own, with(&[0, 1], [Val::None])?),
            "layer_norm" | "group_norm" => {
                self.plain_of(own, with(&[0, 1, 2, 3, 4], [Val::bool(false)])?)
            }
            "instance_norm" => {
                let mut all = operands(&[0, 1, 2])?;
                all.extend([Val::None, Val::None, Val::bool(true)]);
                all.push(Val::Number(Number::Float(0.0)));
                all.extend(operands(&[3])?);
                all.push(Val::bool(false));
                self.plain_of(own, all)
            }
            "batch_norm" | "batch_norm1d" | "batch_norm2d" | "batch_norm3d" => {
                self.plain_of("batch_norm", epsilon(&[0, 1, 2, 3, 4], 5)?)
            }
            "conv2d_add" => {
                let product = self.product("conv2d", &operands(&[0, 2])?)?;
                let sum = [&operands(&[1])?[..], &[product]].concat();
                self.plain_of("add", sum)
            }
            "linear_tanh" => {
                let product = self.product("linear", &operands(&[0, 1])?)?;
                self.plain_of("tanh", vec![product])
            }
            "linear_leaky_relu" => {
                let product = self.product("linear", &operands(&[0, 1])?)?;
                let slope = [&[product], &operands(&[2])?[..]].concat();
                self.plain_of("leaky_relu", slope)
            }
            _ => self.product(own, &operands(&[0, 1])?),
        }
    }

    /// A dense layer or a convolution with a packed weight.
    fn product(&mut self, own: &str, operands: &[Val<'g>]) -> Result<Val<'g>> {
        let [x, packed] = operands else {
            return Err("it has fewer operands than it should".into());
        };
        let packed = Packed::of(packed)?;
        let mut weight = self.resolved(&packed.weight)?;
        let mut places = Vec::new();
        if let Some(rank) = own
            .chars()
            .rev()
            .nth(1)
            .and_then(|digit| digit.to_digit(10))
        {
            let rank = rank as usize;
            // A convolution of one dimension is packed with a weight of one row.
            if rank == 1 && self.value_of(&weight)?.rank() == 4 {
                weight = self.plain_of("squeeze", vec![weight, Val::int(2)])?;
            }
            places = packed.window.arguments(rank, own.contains("transpose"));
        }
        let bias = self.resolved(&packed.bias)?;
        let operands = [&[x.clone(), weight, bias], &places[..]].concat();
        self.plain_of(own, operands)
    }

    /// A layer that quantises its data in each run, and returns floats.
    fn dynamic_layer(&mut self, own: &str, places: &[Val<'g>]) -> Result<Val<'g>> {
        let [x, packed, rest @ ..] = places else {
            return Err("it has fewer operands than it should".into());
        };
        let is_reduced = matches!(rest, [Val::Number(Number::Bool(true)), ..]);
        let floats = self.value_as(x, Element::F32)?;
        let greatest = GREATEST[usize::from(is_reduced)];
        let grain = grain_of_range(self.b(), &floats, greatest)?;
        let element = Element::U8;
        let x = self.rounded("quantized", x, Steps { grain, element })?;
        let (own, is_relu) = match own.strip_suffix("_relu") {
            Some(own) => (own, true),
            None => (own, false),
        };
        let result = self.product(own, &[x, packed.clone()])?;
        match is_relu {
            true => self.plain_of("relu", vec![result]),
            false => Ok(result),
        }
    }

    /// A dense layer whose weight has 16 bits, or the packing of such a weight. It computes in floats of 32 bits.
    fn layer_of_halves(&mut self, own: &str, places: &[Val<'g>]) -> Result<Val<'g>> {
        if let ("linear_prepack", [weight, bias]) = (own, places) {
            let bounds =
                [-GREATEST_HALF, GREATEST_HALF].map(|bound| Val::Number(Number::Float(bound)));
            let weight = self.plain_of(
                "clamp",
                [std::slice::from_ref(weight), &bounds[..]].concat(),
            )?;
            let weight = self.value_as(&weight, Element::F16)?;
            let weight = self.b().cast(&weight, Element::F32)?;
            let weight = self.tensor(weight);
            return Packed::pack(&[weight, bias.clone()]);
        }
        let result = self.product("linear", places)?;
        match own {
            "linear_dynamic" => Ok(result),
            "linear_relu_dynamic" => self.plain_of("relu", vec![result]),
            _ => Err("there is no such layer with weights of 16 bits".into()),
        }
    }

    /// A sum or a product of a quantised tensor with a number.
    fn with_number(
        &mut self,
        (own, is_relu): (&str, bool),
        x: &Val<'g>,
        number: &Val<'g>,
        steps: Steps,
    ) -> Result<Val<'g>> {
        let known = match number {
            Val::Number(number) => number.known(),
            _ => None,
        };
        let known = known.ok_or("its second operand is no known number")?;
        let (scale, zero_point, number) = steps_with_number(own, known, &steps)?;
        let number = Val::Number(Number::Float(number));
        let mut result = self.plain_of(&own[..3], vec![x.clone(), number])?;
        if is_relu {
            result = self.plain_of("relu", vec![result])?;
        }
        let scale = Val::Number(Number::Float(scale));
        let grain = self.one_grain(&scale, &Val::int(zero_point))?;
        self.rounded(own, &result, Steps { grain, ..steps })
    }

    /// An operator of ATen's on floats.
    fn plain_of(&mut self, own: &str, places: Vec<Val<'g>>) -> Result<Val<'g>> {
        let named = Vec::new();
        let arguments = Arguments { places, named };
        self.plain(&format!("aten::{own}"), arguments, &[])
    }

    /// Floats in steps.
    fn rounded(&mut self, base: &str, x: &Val<'g>, steps: Steps) -> Result<Val<'g>> {
        let x = self.value_as(x, Element::F32)?;
        let name = self.fresh(base);
        self.b().enter(name);
        let integers = steps.grain.quantized(self.b(), &x, steps.element)?;
        let floats = steps.grain.dequantized(self.b(), &integers)?;
        self.converter
            .scope
            .define(name, Item::Tensor(floats), Origin::Own);
        self.state.quantized.insert(name, steps);
        if !self.state.is_guarded {
            self.state.computed.push(name);
        }
        Ok(Val::Tensor(name))
    }

    /// A quantised tensor as floats, which have no steps.
    fn floats(&mut self, base: &str, x: &Val<'g>) -> Result<Val<'g>> {
        let x = self.value_of(x)?;
        let name = self.define(base, Item::Tensor(x));
        Ok(Val::Tensor(name))
    }

    fn steps_of(&self, value: &Val<'g>) -> Option<Steps> {
        match value {
            Val::Tensor(name) => self.state.quantized.get(name).cloned(),
            _ => None,
        }
    }

    /// Steps of all elements.
    fn one_grain(&mut self, scale: &Val<'g>, zero_point: &Val<'g>) -> Result<Grain> {
        let scale = self.value_as(scale, Element::F32)?;
        let zero_point = self.value_as(zero_point, Element::I32)?;
        Ok(Grain {
            scale: self.b().reshape_to_scalar(&scale)?,
            zero_point: self.b().reshape_to_scalar(&zero_point)?,
            axis: 0,
        })
    }

    fn value_as(&mut self, value: &Val<'g>, element: Element) -> Result<Value> {
        match value {
            Val::Number(number) => number.cast(self.b(), element),
            value => {
                let value = self.value_of(value)?;
                self.b().cast(&value, element)
            }
        }
    }
}

/// The steps of a sum or a product with a number, and the number that is added or multiplied with: PyTorch keeps the integers of the operand
/// where the result's steps can say the same.
fn steps_with_number(own: &str, number: f64, steps: &Steps) -> Result<(f64, i64, f64)> {
    let scale = steps.grain.scale.constant().map(Const::to_floats);
    let zero_point = steps.grain.zero_point.constant().and_then(Const::to_ints);
    let (Some(&[scale]), Some(&[zero_point])) = (scale.as_deref(), zero_point.as_deref()) else {
        return Err("its operand has steps that are not known".into());
    };
    let (least, greatest) = (steps.element.least(), steps.element.greatest());
    let zero_point = zero_point as f64;
    let (scale, zero_point, number) = match own {
        "add" | "add_scalar" => {
            let added = (number / scale).round_ties_even();
            let moved = zero_point - added;
            let range = greatest - least;
            let (scale_then, zero_point) = match moved {
                _ if moved < least => ((greatest - moved) / range * scale, least),
                _ if moved > greatest => ((moved - least) / range * scale, greatest),
                _ => (scale, moved),
            };
            (scale_then, zero_point, scale * added)
        }
        _ if number == 0.0 => (SCALE_OF_ZEROS, 0.0, 0.0),
        _ if number < 0.0 => (-number * scale, greatest + least - zero_point, number),
        _ => (number * scale, zero_point, number),
    };
    Ok((scale, zero_point as i64, number))
}

/// The operands of a layer, and the scale and the zero point of its result.
fn apart<'g>(own: &str, places: &[Val<'g>]) -> Result<(Vec<Val<'g>>, [Val<'g>; 2])> {
    let at = match own {
        "elu" | "celu" => 1,
        "linear_leaky_relu" => 2,
        _ => places.len().saturating_sub(2),
    };
    match places.get(at..at + 2) {
        Some([scale, zero_point]) => {
            let rest = [&places[..at], &places[at + 2..]].concat();
            Ok((rest, [scale.clone(), zero_point.clone()]))
        }
        _ => Err("it has no scale and no zero point of its result".into()),
    }
}

fn number<'g>(value: Value) -> Val<'g> {
    Val::Number(known_number(Item::Number(value)))
}

fn int(value: &Val<'_>) -> Result<i64> {
    match value {
        Val::Number(Number::Int(number)) => Ok(*number),
        other => Err(format!(
            "{} stands in the place of an integer",
            other.kind()
        )),
    }
}

/// The type of integers that an argument names.
fn integers(dtype: &Val<'_>) -> Result<Element> {
    of_quantized(int(dtype)?)
}
