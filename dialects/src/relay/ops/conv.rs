//! Convolutions.

use super::columns::*;
use super::{
    rule, weights,
    window::{Window, numbers},
};
use crate::{
    Element,
    dim::{self, Dim},
    relay::{Call, Layout, TensorType},
};

/// The family's rows.
pub const ROWS: &[Row] = &[
    Row::new(
        "nn.conv1d",
        OutElemwiseFusable,
        FLOATS,
        Multiplies,
        |call| conv(call, "W"),
    )
    .with_operands(|known| weights::conv(known, "W", false))
    .with_layout(Convolution(1))
    .with_products(window),
    Row::new(
        "nn.conv2d",
        OutElemwiseFusable,
        FLOATS,
        Multiplies,
        |call| conv(call, "HW"),
    )
    .with_operands(|known| weights::conv(known, "HW", false))
    .with_layout(Convolution(2))
    .with_scaling(Scaling::Weight)
    .with_products(window),
    Row::new(
        "nn.conv3d",
        OutElemwiseFusable,
        FLOATS,
        Multiplies,
        |call| conv(call, "DHW"),
    )
    .with_operands(|known| weights::conv(known, "DHW", false))
    .with_layout(Convolution(3))
    .with_products(window),
    Row::new(
        "nn.conv1d_transpose",
        OutElemwiseFusable,
        FLOATS,
        Multiplies,
        |call| conv_transpose(call, "W"),
    )
    .with_operands(|known| weights::conv(known, "W", true))
    .with_products(window_across),
    Row::new(
        "nn.conv2d_transpose",
        OutElemwiseFusable,
        FLOATS,
        Multiplies,
        |call| conv_transpose(call, "HW"),
    )
    .with_operands(|known| weights::conv(known, "HW", true))
    .with_products(window_across),
    Row::new(
        "nn.conv3d_transpose",
        OutElemwiseFusable,
        FLOATS,
        Multiplies,
        |call| conv_transpose(call, "DHW"),
    )
    .with_operands(|known| weights::conv(known, "DHW", true))
    .with_products(window_across),
    Row::new(
        "nn.contrib_conv2d_NCHWc",
        OutElemwiseFusable,
        FLOATS,
        Multiplies,
        |call| conv(call, "HW"),
    )
    .with_operands(|known| weights::conv(known, "HW", false))
    .filling_with_zeros()
    .with_products(window),
    Row::new(
        "nn.contrib_depthwise_conv2d_NCHWc",
        OutElemwiseFusable,
        FLOATS,
        Multiplies,
        |call| conv(call, "HW"),
    )
    .with_operands(|known| weights::conv(known, "HW", false))
    .filling_with_zeros()
    .with_products(window),
    Row::new(
        "nn.contrib_conv2d_winograd_without_weight_transform",
        OutElemwiseFusable,
        FLOATS,
        Multiplies,
        winograd,
    )
    .filling_with_zeros(),
    Row::new(
        "nn.contrib_conv2d_winograd_weight_transform",
        Opaque,
        FLOATS,
        Prepares,
        winograd_weight,
    ),
];

/// The products of a window: one for each element of the weight that belongs to a channel of the result.
fn window(call: &Call) -> Option<i64> {
    let weight = &call.inputs.get(1)?.shape;
    let kernel = Layout::parse(&call.attrs.str("kernel_layout").ok()?).ok()?;
    let channels = kernel.extent('O', weight).ok()?.known()?;
    dim::product(weight).ok()?.known()?.checked_div(channels)
}

/// Those of a transposed convolution, as TVM counts them: of all the elements that a window reads, those between the
/// data's are zeros. Its weight has all channels of the data, but of those of the result one group's.
fn window_across(call: &Call) -> Option<i64> {
    window(call)?.checked_div(call.attrs.int("groups").ok()?)
}

/// The operands of a convolution, whatever their layouts.
struct Operands<'a> {
    call: &'a Call,
    data: Layout,
    weight: Layout,
    /// The spatial letters: `W`, `HW` or `DHW`.
    space: &'static str,
    groups: i64,
}

impl<'a> Operands<'a> {
    fn of(call: &'a Call, space: &'static str) -> Result<Self, String> {
        Self::checked(call, space, false)
    }

    /// As [`Operands::of`]. With `wide_weight`, the weight may be of the type that the data is computed in.
    fn checked(call: &'a Call, space: &'static str, wide_weight: bool) -> Result<Self, String> {
        let [data, weight] = &call.inputs[..] else {
            return Err("takes data and weight".into());
        };
        let (element, own) = (data.element, weight.element);
        let computed_in = Element::of(element).map(Element::computed_in);
        let is_wide = || computed_in.is_some() && computed_in == Element::of(own);
        if element != own && !(wide_weight && is_wide()) {
            return Err(format!(
                "takes data and weight of one type, not {element} and {own} (C6)"
            ));
        }
        let operands = Self {
            call,
            data: layout(call, "data_layout", &format!("NC{space}"))?,
            weight: layout(call, "kernel_layout", &format!("OI{space}"))?,
            space,
            groups: call.attrs.int("groups")?,
        };
        let fits = |layout: &Layout, name, ty: &TensorType| {
            layout.fits(name, &ty.shape).map_err(rule("C1"))
        };
        fits(&operands.data, "data", data)?;
        fits(&operands.weight, "weight", weight)?;
        operands.check_blocks()?;
        Ok(operands)
    }

    /// Blocks of output channels need a place in the result, whose layout is that of the data.
    fn check_blocks(&self) -> Result<(), String> {
        if self.weight.is_split('O') && !self.data.is_split('C') {
            return Err(
                "the weight has blocks of outputs, but the data none of channels (C5)".into(),
            );
        }
        let are_split_again = |layout: &Layout, letter| {
            let parts = layout.axes().iter().filter(|axis| axis.letter == letter);
            parts.count() > 2
        };
        if are_split_again(&self.data, 'C') || are_split_again(&self.weight, 'O') {
            return Err("only blocks of a weight's inputs are split again (C5)".into());
        }
        Ok(())
    }

    fn data(&self, letter: char) -> Result<Dim, String> {
        self.data.extent(letter, &self.call.inputs[0].shape)
    }

    fn weight(&self, letter: char) -> Result<Dim, String> {
        self.weight.extent(letter, &self.call.inputs[1].shape)
    }

    fn spatial(&self) -> Result<(Vec<Dim>, Vec<Dim>), String> {
        let letters = || self.space.chars();
        let data = letters().map(|letter| self.data(letter));
        let kernel = letters().map(|letter| self.weight(letter));
        Ok((
            data.collect::<Result<_, _>>()?,
            kernel.collect::<Result<_, _>>()?,
        ))
    }

    /// The outputs and the kernel, of which attributes may say what the weight does not know.
    fn agreed(&self, outputs: Dim, kernel: &[Dim]) -> Result<(Dim, Vec<Dim>), String> {
        let attrs = &self.call.attrs;
        let outputs = weights::agree(attrs, "channels", outputs).map_err(rule("C7"))?;
        let kernel = weights::agree_all(attrs, "kernel_size", kernel).map_err(rule("C7"))?;
        Ok((outputs, kernel))
    }

    /// The result's type: the data's layout with the output's channels and extents; channels are in blocks as
    /// the weight's output channels are.
    fn result(&self, channels: Dim, space: &[Dim]) -> Result<Vec<TensorType>, String> {
        let block = self.weight.factor('O');
        let outer = dim::quotient(channels, block)
            .ok_or_else(|| format!("blocks of {block} do not divide {channels} outputs (C2)"))?;
        let batch = self.data('N')?;
        let shape: Vec<Dim> = self
            .data
            .axes()
            .iter()
            .map(|axis| match (axis.letter, axis.factor) {
                ('N', _) => batch,
                ('C', Some(_)) => Dim::Known(block),
                ('C', None) => outer,
                (letter, _) => self
                    .space
                    .find(letter)
                    .map_or(Dim::Known(1), |position| space[position]),
            })
            .collect();
        Ok(vec![TensorType::new(shape, self.call.inputs[0].element)])
    }
}

/// The layout in attribute `name`, which has the dimensions `letters` in any order. Only channels may be split.
fn layout(call: &Call, name: &str, letters: &str) -> Result<Layout, String> {
    let text = call.attrs.str(name)?;
    let layout = Layout::parse(&text).map_err(rule("C5"))?;
    let known = layout.axes().iter().all(|axis| {
        letters.contains(axis.letter) && (axis.factor.is_none() || "COI".contains(axis.letter))
    });
    let complete = letters
        .chars()
        .all(|letter| layout.position(letter).is_some());
    if known && complete {
        Ok(layout)
    } else {
        Err(format!(
            "{name} '{text}' does not order the dimensions {letters} (C5)"
        ))
    }
}

/// The relation of a convolution with these spatial dimensions.
///
/// # Errors
/// If it does not hold.
pub fn conv(call: &Call, space: &'static str) -> Result<Vec<TensorType>, String> {
    let operands = Operands::of(call, space)?;
    let (channels, outputs) = (operands.data('C')?, operands.weight('O')?);
    let (per_group, groups) = (operands.weight('I')?, operands.groups);
    let fits = groups >= 1
        && dim::unify(channels, per_group.times(groups).map_err(rule("C2"))?).is_some()
        && dim::quotient(outputs, groups).is_some();
    if !fits {
        return Err(format!(
            "{} channels and {} outputs do not fit a weight of {} inputs in {groups} groups (C2)",
            channels, outputs, per_group
        ));
    }
    let (space, kernel) = operands.spatial()?;
    let (outputs, kernel) = operands.agreed(outputs, &kernel)?;
    let space = Window::of(&call.attrs, &kernel)?.positions(&space, false)?;
    operands.result(outputs, &space)
}

/// The largest transformed Winograd tile for which there are interpolation points.
pub(super) const MAX_ALPHA: i64 = 8;

/// The kernel's extent in a dimension, from a weight that was transformed to Winograd tiles of `alpha`. What has an
/// extent of 1 is not transformed.
fn winograd_kernel(call: &Call, alpha: Dim, is_only: bool) -> Result<Dim, String> {
    let tile = call.attrs.int("tile_size")?;
    if alpha == 1 && !is_only {
        return Ok(alpha);
    }
    let fits = |alpha: &i64| (1..=MAX_ALPHA).contains(alpha) && (2..=*alpha).contains(&tile);
    match alpha.known().filter(fits) {
        Some(alpha) => Ok(Dim::Known(alpha - tile + 1)),
        None => Err(format!(
            "tile_size {tile} does not fit a transformed weight of {alpha} (C4)"
        )),
    }
}

fn winograd(call: &Call) -> Result<Vec<TensorType>, String> {
    let operands = Operands::checked(call, "HW", true)?;
    let (channels, inputs) = (operands.data('C')?, operands.weight('I')?);
    if operands.groups != 1 || dim::unify(channels, inputs).is_none() {
        return Err(format!(
            "{} channels in {} groups do not fit a weight of {} inputs (C2)",
            channels, operands.groups, inputs
        ));
    }
    let (space, alpha) = operands.spatial()?;
    let is_only = alpha.iter().all(|alpha| *alpha == 1);
    let kernel = alpha
        .iter()
        .map(|alpha| winograd_kernel(call, *alpha, is_only))
        .collect::<Result<Vec<_>, _>>()?;
    let window = Window::of(&call.attrs, &kernel)?;
    let is_one = |numbers: &[i64]| numbers.iter().all(|number| *number == 1);
    if !is_one(&window.strides) || !is_one(&window.dilation) {
        return Err("strides and dilation are 1 (C3)".into());
    }
    let space = window.positions(&space, false)?;
    operands.result(operands.weight('O')?, &space)
}

fn winograd_weight(call: &Call) -> Result<Vec<TensorType>, String> {
    let weight = &call.inputs[0];
    let [outputs, inputs, height, width] = weight.shape[..] else {
        return Err(format!(
            "expected a weight of rank 4, got {} (C1)",
            weight.shape.len()
        ));
    };
    let extents = height.known().zip(width.known());
    let extents =
        extents.filter(|(height, width)| *height.min(width) >= 1 && *height.max(width) >= 2);
    let Some((height, width)) = extents else {
        return Err(format!(
            "the kernel is {height} x {width}, expected one of known extents of which one is above 1 (C1)"
        ));
    };
    let longest = height.max(width);
    let tile = call.attrs.int("tile_size")?;
    let alpha = tile.saturating_add(longest - 1);
    if tile < 2 || alpha > MAX_ALPHA {
        return Err(format!(
            "tile_size {tile} with a kernel of {longest} gives tiles of {alpha}, expected at most \
             {MAX_ALPHA}, and tile_size at least 2 (C2)"
        ));
    }
    let transformed = |extent: i64| if extent == 1 { 1 } else { tile + extent - 1 };
    let [height, width] = [height, width].map(|extent| Dim::Known(transformed(extent)));
    let shape = vec![height, width, outputs, inputs];
    Ok(vec![TensorType::new(shape, weight.element)])
}

pub(super) fn conv_transpose(call: &Call, space: &'static str) -> Result<Vec<TensorType>, String> {
    let operands = Operands::of(call, space)?;
    let (channels, inputs) = (operands.data('C')?, operands.weight('I')?);
    let groups = operands.groups;
    let fits = groups >= 1
        && dim::unify(channels, inputs)
            .is_some_and(|channels| dim::quotient(channels, groups).is_some());
    if !fits {
        return Err(format!(
            "{channels} channels do not fit a weight of {inputs} inputs in {groups} groups (C2)"
        ));
    }
    let outputs = operands.weight('O')?.times(groups).map_err(rule("C2"))?;
    let (space, kernel) = operands.spatial()?;
    let (outputs, kernel) = operands.agreed(outputs, &kernel)?;
    let window = Window::of(&call.attrs, &kernel)?;
    let extra = numbers(&call.attrs, "output_padding", space.len(), 0)?;
    let space = (0..space.len())
        .map(|dim| spread(&window, dim, space[dim], extra[dim]))
        .collect::<Result<Vec<_>, _>>()?;
    operands.result(outputs, &space)
}

/// The extent of a transposed convolution's result in a spatial dimension: what windows at `extent`
/// positions reach, less the padding, and `extra` at the end.
fn spread(window: &Window<Dim>, dim: usize, extent: Dim, extra: i64) -> Result<Dim, String> {
    if extent == 0 {
        return Err(format!("the data is empty in dimension {dim} (C4)"));
    }
    let (before, after) = (window.before[dim], window.after[dim]);
    let reached = || {
        let last = extent.minus(1)?.times(window.strides[dim])?;
        last.plus(window.reach(dim)?)?.plus(extra - before - after)
    };
    let result = reached().map_err(rule("C3"))?;
    if result.known().is_some_and(|result| result < 1) {
        return Err(format!(
            "the result would have the extent {result} in dimension {dim} (C4)"
        ));
    }
    Ok(result)
}
