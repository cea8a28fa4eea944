//! Products of bytes: of unsigned data and a weight of signed bytes in words of four.
//!
//! `qnn-legalize` has brought them into this form: zero points are zero, and the weight is known.

use super::{Altered, Layouts, blocks_conv2d::PackedConv2d, groups::merged, pointwise::Pointwise};
use crate::graph::{
    operators::{cast, is_foldable, make},
    shapes::{fill_axis, first_channels, pad_axis, slice_axis, transform},
};
use crate::relay::qnn_legalize::{is_depthwise, zero_of_weight};
use relay_dialects::{
    Element,
    dim::Dim,
    index::ceil_div,
    ir::{Attr, Builder, Op, Value},
    names::relay,
    relay::{
        Attrs,
        build::{changed, scalar, splat},
        ops::qnn::{BYTE_BITS, DATA_ZERO, FIRST_BYTE, WORD},
    },
};
use relay_topi::{
    Machine,
    cost::{
        amx::{self, limits},
        bytes::groups_together,
        sizes::planned_shape,
    },
    intrin::x86_amx::{COLUMNS, Conv, Numbers, Shape},
};

/// `qnn.conv2d` and `qnn.dense`, if the processor's instructions for bytes fit them.
pub fn product(layouts: &mut Layouts<'_>, op: Op) -> Altered {
    if is_depthwise(op) {
        return depthwise(layouts, op);
    }
    let elements = [0, 1].map(|number| Element::of(op.operand(number).ty().element()));
    let is_fit = elements == [Some(Element::U8), Some(Element::I8)] && is_foldable(op.operand(1));
    match op.name().as_str() {
        relay::QNN_CONV2D if is_fit => conv2d(layouts, op),
        relay::QNN_DENSE if is_fit => dense(layouts, op),
        _ => None,
    }
}

/// The channels in a block of data, which are whole words. They are all of an image's few channels, or as many as a vector has
/// 32-bit lanes, or one word where it has fewer lanes than that.
fn data_block(channels: i64, known: Option<i64>, lanes: i64) -> i64 {
    let whole = ceil_div(channels, WORD) * WORD;
    let known = known.filter(|block| block % WORD == 0);
    known.unwrap_or(whole.min(lanes.max(WORD)))
}

/// Data in blocks of channels, and the weight with as many inputs, of as many groups.
struct Blocks {
    data: Value,
    weight: Value,
    block: i64,
    groups: i64,
    /// The channels in a block of the result.
    lanes: i64,
    /// The rows in which tiles see the pixels of a 1 x 1 convolution.
    pointwise: Option<Pointwise>,
}

impl Blocks {
    /// Those of a convolution in one group: zeros fill up the last block.
    fn whole(layouts: &mut Layouts<'_>, b: &Builder, op: Op) -> Option<Self> {
        let (data, weight) = (op.operand(0), op.operand(1));
        let channels = data.ty().dims()[1].known()?;
        let known = layouts.packer.filled_block_of(data);
        let (lanes, block, pointwise) = match Tiles::of(op, known, layouts.machine) {
            Some(tiles) => (tiles.lanes, tiles.block, tiles.pointwise),
            None => {
                let lanes = layouts.packer.lanes;
                (lanes, data_block(channels, known, lanes), None)
            }
        };
        let (data, inputs) = if known.is_none() && channels <= WORD {
            (words_of_image(b, data, channels), block)
        } else {
            let data = layouts.packer.filled_up(b, data, block);
            (data, data.ty().shape()[1] * block)
        };
        let weight = fill_axis(b, weight, 0, lanes);
        Some(Self {
            data,
            weight: pad_axis(b, weight, 1, inputs - channels),
            block,
            groups: 1,
            lanes,
            pointwise,
        })
    }

    /// Those of a convolution in groups: some of them together are whole blocks.
    fn grouped(layouts: &mut Layouts<'_>, b: &Builder, op: Op, groups: i64) -> Option<Self> {
        let (data, weight) = (op.operand(0), op.operand(1));
        let lanes = layouts.packer.lanes;
        let together = groups_together(groups, &weight.ty().shape(), lanes)?;
        let weight = merged(b, weight, (groups, together));
        let inputs = weight.ty().shape()[1];
        let is_whole = |block: &i64| inputs % block == 0 && block % WORD == 0;
        let known = layouts.packer.filled_block_of(data).filter(is_whole);
        let block = known.or_else(|| (WORD..=lanes.max(WORD)).rev().find(is_whole))?;
        Some(Self {
            data: layouts.packer.filled_up(b, data, block),
            weight,
            block,
            groups: groups / together,
            lanes,
            pointwise: None,
        })
    }
}

/// How AMX tiles multiply a convolution in one group.
struct Tiles {
    /// The channels in a block of the result.
    lanes: i64,
    /// The channels in a block of the data.
    block: i64,
    /// The rows in which tiles see the pixels of a 1 x 1 convolution.
    pointwise: Option<Pointwise>,
}

impl Tiles {
    /// None if the machine has none, or if they do not fit. Data that are in blocks already have `known` channels in each.
    fn of(op: Op, known: Option<i64>, machine: Machine) -> Option<Self> {
        if !amx::multiplies_bytes(machine) {
            return None;
        }
        let attrs = Attrs::of(op);
        let ints = |name| -> Option<[i64; 2]> { attrs.ints(name).ok()?.try_into().ok() };
        let [outputs, inputs, rows, columns] = op.operand(1).ty().shape()[..] else {
            return None;
        };
        let lanes = amx::result_block(Numbers::Bytes, outputs);
        let block = data_block(inputs, known, amx::data_block(Numbers::Bytes));
        let pointwise = Pointwise::of(op).and_then(|it| it.in_usual_rows(lanes, machine));
        let result = planned_shape(op, op.result(0));
        let width = match &pointwise {
            Some(pointwise) => pointwise.width(),
            None => op.result(0).ty().dims()[3],
        };
        let strides = match pointwise {
            // What a stride leaves out is gone before.
            Some(_) => [1, 1],
            None => ints("strides")?,
        };
        let dilation = ints("dilation")?;
        let result = [result[2], width.known()?];
        let reach =
            |at: usize, taps: i64| (result[at] - 1) * strides[at] + (taps - 1) * dilation[at] + 1;
        let shape = Shape {
            blocks: ceil_div(inputs, block),
            words: block / WORD,
            result_blocks: ceil_div(outputs, lanes),
            result_block: lanes,
            data: [reach(0, rows), reach(1, columns)],
            kernel: [rows, columns],
            strides,
            dilation,
            result,
        };
        Conv::choose(Numbers::Bytes, shape, limits(Numbers::Bytes))?;
        Some(Self {
            lanes,
            block,
            pointwise,
        })
    }
}

fn conv2d(layouts: &mut Layouts<'_>, op: Op) -> Altered {
    let builder = Builder::before(op);
    let made = match Attrs::of(op).int("groups").ok()? {
        1 => Blocks::whole(layouts, &builder, op),
        groups => Blocks::grouped(layouts, &builder, op, groups),
    };
    let Blocks {
        data,
        weight,
        block,
        groups,
        lanes,
        pointwise,
    } = made?;
    let layout = format!("OIHW{}i{lanes}o{WORD}i", block / WORD);
    let weight = words(&builder, transform(&builder, weight, "OIHW", &layout));
    let text = |text: String| Attr::str(builder.ctx, &text);
    let packed = PackedConv2d {
        name: relay::QNN_CONTRIB_CONV2D_NCHWC,
        operands: [data, weight],
        attributes: vec![
            ("groups", Attr::i64(builder.ctx, groups)),
            ("data_layout", text(format!("NCHW{}c", block / WORD))),
            (
                "kernel_layout",
                text(format!("OIHW{}i{lanes}o", block / WORD)),
            ),
        ],
    };
    let made = packed.make(&builder, op, pointwise)?;
    layouts.packer.replace(op, made, lanes);
    Some(())
}

/// An image of few channels in words, each of which holds the channels of a pixel. Arithmetic on words is on whole vectors; a
/// layout transform would move single bytes.
fn words_of_image(builder: &Builder, image: Value, channels: i64) -> Value {
    let word = Element::I32.ty(builder.ctx);
    let pad = image.def_of(relay::NN_PAD).and_then(padding_of_pixels);
    let source = pad.as_ref().map_or(image, |pad| pad.source);
    let wide = cast(builder, source, word);
    let byte = |channel: i64| {
        let byte = slice_axis(builder, wide, 1, (channel, channel + 1, 1));
        let place = scalar(builder, word, (BYTE_BITS * channel) as f64);
        match channel {
            0 => byte,
            _ => make(builder, relay::LEFT_SHIFT, &[byte, place], &[]),
        }
    };
    let mut words = (1..channels).map(byte).fold(byte(0), |words, byte| {
        make(builder, relay::BITWISE_OR, &[words, byte], &[])
    });
    if let Some(pad) = pad {
        let pixel = i32::from_ne_bytes([pad.byte; 4]);
        let pixel = scalar(builder, word, pixel.into());
        words = make(
            builder,
            relay::NN_PAD,
            &[words, pixel],
            &[("pad_width", pad.widths)],
        );
    }
    transform(builder, words, "NCHW", "NCHW1c")
}

/// What surrounds an image.
struct Padding {
    source: Value,
    widths: Attr,
    byte: u8,
}

/// The padding of an image with known bytes, if it adds whole pixels.
fn padding_of_pixels(pad: Op) -> Option<Padding> {
    let attrs = Attrs::of(pad);
    let widths = attrs.ints("pad_width").ok()?;
    let is_constant = attrs.str("pad_mode").is_ok_and(|mode| mode == "constant");
    let byte = splat(pad.operand(1))?;
    (is_constant && widths[..4] == [0; 4]).then_some(Padding {
        source: pad.operand(0),
        widths: pad.attr("pad_width")?,
        byte: byte as u8,
    })
}

/// Each channel on its own, in f32.
fn depthwise(layouts: &mut Layouts<'_>, op: Op) -> Altered {
    let (data, weight) = (op.operand(0), op.operand(1));
    let channels = weight.ty().shape()[0];
    let builder = Builder::before(op);
    let known = layouts.packer.padded_block_of(data);
    let block = known.unwrap_or(layouts.packer.lanes);
    let data = layouts.packer.filled_up(&builder, data, block);
    let float = |value| cast(&builder, value, Element::F32.ty(builder.ctx));
    let zero = zero_of_weight(&builder, op);
    let weight = make(
        &builder,
        relay::SUBTRACT,
        &[float(weight), float(zero)],
        &[],
    );
    let filled = data.ty().shape()[1] * block;
    let weight = pad_axis(&builder, weight, 0, filled - channels);
    let layout = format!("OIHW1i{block}o");
    let weight = transform(&builder, weight, "OIHW", &layout);
    let text = |text: &str| Attr::str(builder.ctx, text);
    let old = op.attrs();
    let mut attrs = changed(
        &old,
        &[
            ("groups", Attr::i64(builder.ctx, filled)),
            ("data_layout", text(&format!("NCHW{block}c"))),
            ("kernel_layout", text(&layout)),
        ],
    );
    attrs.retain(|(name, _)| !["channels", "kernel_size"].contains(name));
    let name = relay::QNN_CONTRIB_DEPTHWISE_CONV2D_NCHWC;
    let operands = [data, weight, float(op.operand(DATA_ZERO))];
    let sums = builder.inferred(name, &operands, &attrs)?.result(0);
    // Who makes floats of the sums reads them as they are.
    for user in op.result(0).users() {
        if user.is(relay::CAST) && user.result(0).ty().element().is_f32() {
            layouts.packer.replace(user, sums, block);
        }
    }
    let sums = cast(&builder, sums, op.result(0).ty().element());
    layouts.packer.replace(op, sums, block);
    Some(())
}

fn dense(layouts: &mut Layouts<'_>, op: Op) -> Altered {
    let (data, weight) = (op.operand(0), op.operand(1));
    let [outputs, inputs] = weight.ty().shape()[..] else {
        return None;
    };
    let lanes = layouts.packer.lanes;
    let builder = Builder::before(op);
    let weight = fill_axis(&builder, weight, 1, WORD);
    let data = pad_axis(&builder, data, 1, weight.ty().shape()[1] - inputs);
    let on_tiles = amx::multiplies_bytes(layouts.machine) && data.ty().dims()[0] != Dim::from(1);
    let columns = if on_tiles { COLUMNS } else { lanes };
    let weight = fill_axis(&builder, weight, 0, columns);
    let layout = format!("NC{lanes}n{WORD}c");
    let weight = words(&builder, transform(&builder, weight, "NC", &layout));
    let made = make(
        &builder,
        relay::QNN_CONTRIB_DENSE_PACK,
        &[data, weight],
        &[],
    );
    op.result(0)
        .replace_all_uses_with(first_channels(&builder, made, outputs));
    Some(())
}

/// The last dimension of a weight, of four bytes, as one word.
pub fn words(builder: &Builder, weight: Value) -> Value {
    let word = Element::I32.ty(builder.ctx);
    let low = [
        cast(builder, weight, word),
        scalar(builder, word, FIRST_BYTE),
    ];
    joined(
        builder,
        make(builder, relay::BITWISE_AND, &low, &[]),
        BYTE_BITS,
    )
}

/// The last dimension, of numbers of so many bits, as one number, the first one in the lowest bits.
pub fn joined(builder: &Builder, numbers: Value, bits: i64) -> Value {
    let shape = numbers.ty().shape();
    let places = (shape[shape.len() - 1], bits);
    let placed = along_last(builder, numbers, relay::LEFT_SHIFT, places);
    // No two have a bit in common.
    let axis = [("axis", Attr::ints(builder.ctx, &[shape.len() as i64 - 1]))];
    make(builder, relay::SUM, &[placed], &axis)
}

/// The numbers along the last dimension, shifted by `bits` more from each of `count` places to the next. One number is taken for all places.
pub fn along_last(
    builder: &Builder,
    numbers: Value,
    shift: &str,
    (count, bits): (i64, i64),
) -> Value {
    let element = numbers.ty().element();
    let places = (0..count).map(|place| scalar(builder, element, (bits * place) as f64));
    let places: Vec<Value> = places.collect();
    let axis = [("axis", Attr::i64(builder.ctx, 0))];
    let places = make(builder, relay::STACK, &places, &axis);
    make(builder, shift, &[numbers, places], &[])
}
