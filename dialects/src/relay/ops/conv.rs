//! Convolutions.

use super::window::Window;
use crate::relay::{Call, Layout, Pattern::OutElemwiseFusable, Row, TensorType, relation::show};

/// The family's rows.
pub const ROWS: &[Row] = &[
    Row::new("nn.conv1d", OutElemwiseFusable, conv),
    Row::new("nn.conv2d", OutElemwiseFusable, conv),
    Row::new("nn.conv3d", OutElemwiseFusable, conv),
    Row::new("nn.conv1d_transpose", OutElemwiseFusable, conv_transpose),
    Row::new("nn.conv2d_transpose", OutElemwiseFusable, conv_transpose),
    Row::new("nn.conv3d_transpose", OutElemwiseFusable, conv_transpose),
    Row::new("nn.contrib_conv2d_NCHWc", OutElemwiseFusable, conv),
    Row::new(
        "nn.contrib_depthwise_conv2d_NCHWc",
        OutElemwiseFusable,
        conv,
    ),
];

/// The dimensions of a convolution's operands, whatever their layouts.
struct Operands {
    data: Layout,
    weight: Layout,
    /// The spatial letters: `W`, `HW` or `DHW`.
    space: String,
    groups: i64,
}

impl Operands {
    fn of(call: &Call) -> Result<Self, String> {
        let [data, weight] = &call.inputs[..] else {
            return Err("takes data and weight".into());
        };
        if data.element != weight.element || !data.element.is_float() {
            return Err(format!(
                "takes floats of one type, not {} and {}",
                data.element, weight.element
            ));
        }
        let operands = Self {
            data: Layout::parse(&call.attrs.str("data_layout")?)?,
            weight: Layout::parse(&call.attrs.str("kernel_layout")?)?,
            space: "DHW"
                .chars()
                .filter(|letter| {
                    call.attrs
                        .str("data_layout")
                        .is_ok_and(|text| text.contains(*letter))
                })
                .collect(),
            groups: call.attrs.int("groups")?,
        };
        for (name, layout, input) in [
            ("data", &operands.data, data),
            ("weight", &operands.weight, weight),
        ] {
            let rank = layout.axes().len();
            if rank != input.rank() {
                return Err(format!(
                    "expected {name} rank {rank}, got {} (C1)",
                    input.rank()
                ));
            }
        }
        Ok(operands)
    }

    fn data(&self, call: &Call, letter: char) -> Result<i64, String> {
        self.data
            .extent(letter, &call.inputs[0].shape)
            .ok_or_else(|| format!("data has no dimension {letter}"))
    }

    fn weight(&self, call: &Call, letter: char) -> Result<i64, String> {
        self.weight
            .extent(letter, &call.inputs[1].shape)
            .ok_or_else(|| format!("weight has no dimension {letter}"))
    }

    fn spatial(&self, call: &Call) -> Result<(Vec<i64>, Vec<i64>), String> {
        let data = self
            .space
            .chars()
            .map(|letter| self.data(call, letter))
            .collect::<Result<_, _>>()?;
        let kernel = self
            .space
            .chars()
            .map(|letter| self.weight(call, letter))
            .collect::<Result<_, _>>()?;
        Ok((data, kernel))
    }

    /// The result's type: the data's layout with other channels and space; the channels are blocked
    /// as the weight's output channels are.
    fn result(&self, call: &Call, channels: i64, space: &[i64]) -> Result<Vec<TensorType>, String> {
        let block = self.weight.factor('O');
        let packed = self.data.factor('C') > 1 || block > 1;
        let batch = self.data(call, 'N')?;
        let shape = self
            .data
            .axes()
            .iter()
            .map(|axis| match (axis.letter, axis.factor) {
                ('N', _) => batch,
                ('C', Some(_)) => block,
                ('C', None) => {
                    if packed {
                        channels / block
                    } else {
                        channels
                    }
                }
                (letter, _) => self
                    .space
                    .find(letter)
                    .map_or(1, |position| space[position]),
            })
            .collect();
        Ok(vec![TensorType::new(shape, call.inputs[0].element)])
    }
}

fn conv(call: &Call) -> Result<Vec<TensorType>, String> {
    let operands = Operands::of(call)?;
    let (channels, outputs) = (operands.data(call, 'C')?, operands.weight(call, 'O')?);
    let per_group = operands.weight(call, 'I')?;
    let groups = operands.groups;
    if groups < 1 || channels != per_group * groups || outputs % groups != 0 {
        return Err(format!(
            "{channels} channels and {outputs} outputs do not fit a weight of {per_group} inputs in {groups} groups (C2)"
        ));
    }
    let (space, kernel) = operands.spatial(call)?;
    let space = Window::of(&call.attrs, &kernel)?.positions(&space, false)?;
    operands.result(call, outputs, &space)
}

fn conv_transpose(call: &Call) -> Result<Vec<TensorType>, String> {
    let operands = Operands::of(call)?;
    let (channels, inputs) = (operands.data(call, 'C')?, operands.weight(call, 'I')?);
    let outputs = operands.weight(call, 'O')? * operands.groups;
    if operands.groups < 1 || channels != inputs || channels % operands.groups != 0 {
        return Err(format!(
            "{channels} channels do not fit a weight of {inputs} inputs in {} groups (C2)",
            operands.groups
        ));
    }
    let (space, kernel) = operands.spatial(call)?;
    let window = Window::of(&call.attrs, &kernel)?;
    let extra = call.attrs.ints("output_padding")?;
    if extra.len() != space.len() || extra.iter().any(|&extra| extra < 0) {
        return Err(format!(
            "output_padding {} is not one number per spatial dimension",
            show(&extra)
        ));
    }
    let space: Vec<i64> = (0..space.len())
        .map(|dim| {
            (space[dim] - 1) * window.strides[dim] + window.span(dim)
                - window.before[dim]
                - window.after[dim]
                + extra[dim]
        })
        .collect();
    if space.iter().any(|&dim| dim < 1) {
        return Err(format!(
            "the result would have the spatial shape {}",
            show(&space)
        ));
    }
    operands.result(call, outputs, &space)
}
