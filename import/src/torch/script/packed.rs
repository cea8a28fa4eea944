//! Weights of quantised layers. PyTorch packs them together with the strides and paddings of the layer.

use super::value::Val;
use crate::{graph::error::Result, torch::item::Number};

/// The namespace of the classes of packed weights.
pub const CLASSES: &str = "__torch__.torch.classes.quantized.";
/// The attribute of such an object that has what the file holds of it.
pub const STATE: &str = "state";

/// The form of a packed convolution that holds its numbers in a list.
const LISTED: i64 = 3;
/// Numbers of a packed convolution that are there once: of dimensions, of groups, and whether it is transposed.
const SINGLE: usize = 3;
/// Numbers that are there for each dimension: strides, paddings, dilations and paddings of the result.
const LISTS: usize = 4;

/// What a packed weight holds.
pub struct Packed<'g> {
    /// The weight, which is quantised.
    pub weight: Val<'g>,
    /// The bias, in floats, or none.
    pub bias: Val<'g>,
    /// The numbers of a convolution.
    pub window: Window,
}

/// The numbers of a convolution. A dense layer has none.
#[derive(Default)]
pub struct Window {
    stride: Vec<i64>,
    padding: Vec<i64>,
    dilation: Vec<i64>,
    output_padding: Vec<i64>,
    groups: i64,
}

impl Window {
    /// Reads the numbers in the order of the file.
    fn read(numbers: &[i64]) -> Result<Self> {
        let wrong = || format!("{numbers:?} are not the numbers of a packed convolution");
        let rank = numbers
            .first()
            .copied()
            .and_then(|rank| usize::try_from(rank).ok());
        let rank = rank
            .filter(|rank| (1..=3).contains(rank))
            .ok_or_else(wrong)?;
        if numbers.len() < LISTS * rank + SINGLE - 1 {
            return Err(wrong());
        }
        let list = |place: usize| numbers[1 + place * rank..][..rank].to_vec();
        Ok(Self {
            stride: list(0),
            padding: list(1),
            dilation: list(2),
            output_padding: list(3),
            groups: numbers[1 + LISTS * rank],
        })
    }

    /// The arguments of ATen's convolution of some dimensions behind the bias. A convolution of one dimension is packed as that of an image
    /// of one row.
    pub fn arguments<'g>(&self, rank: usize, is_transposed: bool) -> Vec<Val<'g>> {
        let list = |numbers: &[i64]| {
            let own = &numbers[numbers.len().saturating_sub(rank)..];
            Val::list(own.iter().copied().map(Val::int).collect())
        };
        let (stride, padding, dilation) = (
            list(&self.stride),
            list(&self.padding),
            list(&self.dilation),
        );
        let groups = Val::int(self.groups);
        match is_transposed {
            true => vec![
                stride,
                padding,
                list(&self.output_padding),
                groups,
                dilation,
            ],
            false => vec![stride, padding, dilation, groups],
        }
    }
}

impl<'g> Packed<'g> {
    /// What an argument holds that should be a packed weight.
    ///
    /// # Errors
    /// If it is none, or a damaged one.
    pub fn of(value: &Val<'g>) -> Result<Self> {
        let state = match value {
            Val::Object(object) => object.attributes.borrow().get(STATE).cloned(),
            other => Some(other.clone()),
        };
        let Some(Val::Tuple(parts, _)) = state else {
            return Err(format!(
                "{} stands in the place of a packed weight",
                value.kind()
            ));
        };
        match &parts[..] {
            [weight, bias] => Ok(Self {
                weight: weight.clone(),
                bias: bias.clone(),
                window: Window::default(),
            }),
            // The version is a text, the numbers are a tensor before the weight, and the bias has a list of its own.
            [Val::Text(_), Val::List(tensors), Val::List(bias)] => {
                let (tensors, bias) = (tensors.borrow(), bias.borrow());
                let ([Val::Weight(_, numbers), weight], [bias]) = (&tensors[..], &bias[..]) else {
                    return Err("a packed convolution has other tensors than it should".into());
                };
                let numbers = numbers.read()?.to_ints();
                let numbers =
                    numbers.ok_or("the numbers of a packed convolution are no integers")?;
                Ok(Self {
                    weight: weight.clone(),
                    bias: bias.clone(),
                    window: Window::read(&numbers)?,
                })
            }
            [Val::Number(_), Val::List(numbers), Val::List(tensors)] => {
                let tensors = tensors.borrow();
                let [.., weight, bias] = &tensors[..] else {
                    return Err("a packed convolution has no weight".into());
                };
                Ok(Self {
                    weight: weight.clone(),
                    bias: bias.clone(),
                    window: Window::read(&ints(&numbers.borrow())?)?,
                })
            }
            _ => Err("a packed weight has a form that is not known".into()),
        }
    }

    /// Packs the arguments of `quantized::linear_prepack`, `conv2d_prepack` and others.
    ///
    /// # Errors
    /// If they are others.
    pub fn pack(places: &[Val<'g>]) -> Result<Val<'g>> {
        let (weight, bias, lists, groups) = match places {
            [weight, bias] => return Ok(Val::tuple(vec![weight.clone(), bias.clone()])),
            [weight, bias, stride, padding, dilation, groups] => {
                (weight, bias, [stride, padding, dilation, padding], groups)
            }
            [
                weight,
                bias,
                stride,
                padding,
                output_padding,
                dilation,
                groups,
            ] => (
                weight,
                bias,
                [stride, padding, dilation, output_padding],
                groups,
            ),
            _ => return Err("a weight is packed with other arguments than it should".into()),
        };
        let lists = lists.map(|list| match list {
            Val::List(numbers) => ints(&numbers.borrow()),
            other => Err(format!(
                "{} stands in the place of strides or paddings",
                other.kind()
            )),
        });
        let [stride, padding, dilation, output_padding] = lists;
        let stride = stride?;
        let rank = stride.len() as i64;
        let [groups] = ints(std::slice::from_ref(groups))?[..] else {
            return Err("a convolution has no number of groups".into());
        };
        let all = [
            vec![rank],
            stride,
            padding?,
            dilation?,
            output_padding?,
            vec![groups, 0],
        ];
        let numbers = all.concat().into_iter().map(Val::int).collect();
        Ok(Val::tuple(vec![
            Val::int(LISTED),
            Val::list(numbers),
            Val::list(vec![weight.clone(), bias.clone()]),
        ]))
    }
}

fn ints(values: &[Val<'_>]) -> Result<Vec<i64>> {
    let ints = values.iter().map(|value| match value {
        Val::Number(Number::Int(number)) => Ok(*number),
        other => Err(format!("a stride or a padding is {}", other.kind())),
    });
    ints.collect()
}
