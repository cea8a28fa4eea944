//! Convolutions of bf16 on AMX tiles: channels in blocks of 32 or 16, and as many as fill them. Blocks of 32 fill the rows of tiles.
//!
//! Zeros fill up the last block of channels, of a result and of the data that it reads; groups of fewer channels
//! are computed some together, with zeros in the weight for what one group does not read of another. A product
//! on AMX tiles takes a sixteenth of a vector's time, so that a few times as many cost less than short vectors.

use super::{
    Altered, Layouts, blocks_conv2d::PackedConv2d, groups::merged, is_alterable, planes,
    pointwise::Pointwise, products,
};
use crate::graph::shapes::{fill_axis, pad_axis, transform};
use relay_dialects::{
    ir::{Attr, Builder, Op, Value},
    names,
    relay::Attrs,
};
use relay_topi::{
    Machine,
    cost::{
        amx::{self, MIN_CHANNELS, MOST_GROUPS},
        layout::MIN_BLOCK,
    },
    intrin::x86_amx::{BLOCK, Conv, Numbers, kernel_layout},
};

/// `nn.conv2d` on AMX tiles, if the machine has them and they fit.
pub fn conv2d(layouts: &mut Layouts<'_>, op: Op) -> Altered {
    if !is_alterable(op) || !products::multiplies_amx_tiles(layouts.machine, op) {
        return None;
    }
    let groups = Groups::of(op)?;
    let lanes = groups.result_block();
    let pointwise = Pointwise::of(op).and_then(|it| it.in_usual_rows(lanes, layouts.machine));
    let width = op.result(0).ty().dims()[3];
    let width = pointwise.as_ref().map_or(width, Pointwise::width);
    // Of an open row it is not known whether tiles fit it.
    if !width.known().is_some_and(Conv::fits) {
        return None;
    }
    let builder = Builder::before(op);
    let known = layouts.packer.filled_block_of(op.operand(0));
    let planes = planes::filled_up(&mut layouts.packer, &builder, op, BLOCK);
    let (data, weight, lanes) = match planes {
        // The next convolution of volumes stacks planes in the same blocks.
        Some((data, weight)) => (data, weight, BLOCK),
        None => {
            let block = groups.data_block(known);
            let data = layouts.packer.filled_up(&builder, op.operand(0), block);
            (data, op.operand(1), lanes)
        }
    };
    let block = data.ty().shape()[4];
    let layout = kernel_layout(block, lanes);
    let weight = groups.weight(&builder, weight, data.ty().shape()[1] * block, lanes);
    let packed = PackedConv2d {
        name: names::relay::NN_CONTRIB_CONV2D_NCHWC,
        operands: [data, transform(&builder, weight, "OIHW", &layout)],
        attributes: groups.attributes(&builder, block, &layout).into(),
    };
    let made = packed.make(&builder, op, pointwise)?;
    layouts.packer.replace(op, made, lanes);
    Some(())
}

/// Whether AMX tiles multiply a convolution of volumes as one of planes.
pub fn takes_planes(op: Op, machine: Machine) -> bool {
    let (kernel, result) = (op.operand(1).ty().shape(), op.result(0).ty().shape());
    products::multiplies_amx_tiles(machine, op)
        && Conv::fits(result[4])
        && kernel[1] * kernel[2] >= MIN_CHANNELS
        && kernel[0] >= MIN_BLOCK
}

/// The groups of a convolution.
struct Groups {
    count: i64,
    /// Their input channels, and those of the result.
    channels: [i64; 2],
    /// So many are computed together that both are whole blocks.
    together: i64,
}

impl Groups {
    /// None if vectors do better: of few channels, or where whole blocks would take too many groups together.
    fn of(conv: Op) -> Option<Self> {
        let count = Attrs::of(conv).int("groups").ok()?;
        let kernel = conv.operand(1).ty().shape();
        let channels = [kernel[1], kernel[0] / count.max(1)];
        let together = if count == 1 {
            let [inputs, outputs] = channels;
            let is_image = amx::takes_image(inputs, kernel[3]);
            ((inputs >= MIN_CHANNELS || is_image) && outputs >= MIN_BLOCK).then_some(1)
        } else if channels == [1, 1] {
            None
        } else {
            let whole = |together: &i64| {
                let is_whole = |channels: i64| (together * channels) % BLOCK == 0;
                count % together == 0 && channels.into_iter().all(is_whole)
            };
            (1..=MOST_GROUPS).find(whole)
        };
        Some(Self {
            count,
            channels,
            together: together?,
        })
    }

    /// The channels in a block of the result.
    fn result_block(&self) -> i64 {
        match self.count {
            1 => amx::result_block(Numbers::Bf16, self.channels[1]),
            _ => BLOCK,
        }
    }

    /// The channels in a block of the data: as many as it has in a block already, if tiles take such blocks.
    fn data_block(&self, known: Option<i64>) -> i64 {
        if self.count > 1 {
            return BLOCK;
        }
        if self.channels[0] < MIN_CHANNELS {
            return amx::IMAGE_BLOCK;
        }
        let row = amx::data_block(Numbers::Bf16);
        let known = known.filter(|block| [BLOCK, row].contains(block));
        known.unwrap_or_else(|| amx::result_block(Numbers::Bf16, self.channels[0]))
    }

    fn attributes(&self, builder: &Builder, block: i64, layout: &str) -> [(&'static str, Attr); 3] {
        let text = |text: &str| Attr::str(builder.ctx, text);
        [
            ("groups", Attr::i64(builder.ctx, self.count / self.together)),
            ("data_layout", text(&format!("NCHW{block}c"))),
            ("kernel_layout", text(layout)),
        ]
    }

    /// The weight of data of so many `channels`, with outputs in whole blocks of `lanes`.
    fn weight(&self, builder: &Builder, weight: Value, channels: i64, lanes: i64) -> Value {
        if self.count == 1 {
            let inputs = weight.ty().shape()[1];
            let weight = fill_axis(builder, weight, 0, lanes);
            pad_axis(builder, weight, 1, channels - inputs)
        } else {
            merged(builder, weight, (self.count, self.together))
        }
    }
}
