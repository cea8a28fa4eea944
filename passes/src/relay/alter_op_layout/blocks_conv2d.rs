//! Convolutions on channels in blocks of a vector's width.

use super::{
    Altered, Layouts,
    flatten::Flattened,
    is_alterable,
    packing::{Packer, block_size, padded_channels},
    pointwise::Pointwise,
};
use crate::graph::{
    operators::{is_foldable, make},
    shapes::{pad_axis, transform},
};
use relay_dialects::{
    index::ceil_div,
    ir::{Attr, Builder, Op, Type, Value},
    names,
    relay::{Attrs, build::changed},
};
use relay_topi::cost::{
    fewest,
    layout::{MIN_BLOCK, Pixels},
    winograd,
};

/// `nn.conv2d` whose groups hold whole blocks of channels, and depthwise ones of what is packed already.
pub fn conv2d(layouts: &mut Layouts, op: Op) -> Altered {
    if !is_alterable(op) {
        return None;
    }
    let blocks = Blocks::of(layouts, op)?;
    let algorithm = Algorithm::of(layouts, op, &blocks);
    let pointwise = Pointwise::of(op, layouts.machine);
    let pointwise = pointwise.filter(|_| matches!(algorithm, Algorithm::Direct));

    let builder = Builder::before(op);
    let packer = &mut layouts.packer;
    let data = packer.packed(&builder, op.operand(0), blocks.data);
    let weight = algorithm.weight(&builder, op.operand(1), &blocks);
    let packed = PackedConv2d {
        name: algorithm.operator(),
        operands: [data, weight],
        attributes: algorithm.attributes(&builder, &blocks),
        block: blocks.result,
    };
    let made = packed.make(&builder, op, pointwise)?;
    packer.replace(op, made, blocks.result);
    Some(())
}

/// A convolution in place of a plain one.
pub struct PackedConv2d<'a> {
    /// The operator.
    pub name: &'a str,
    /// Data and weight, in blocks.
    pub operands: [Value; 2],
    /// The attributes in which it differs.
    pub attributes: Vec<(&'a str, Attr)>,
    /// The channels of the result that one block holds.
    pub block: i64,
}

impl PackedConv2d<'_> {
    /// Makes it in place of `op`, on the rows that a 1 x 1 convolution shall see.
    pub fn make(self, builder: &Builder, op: Op, pointwise: Option<Pointwise>) -> Option<Value> {
        let old = op.attrs();
        let mut changes = self.attributes;
        if pointwise.is_some() {
            // What a stride leaves out is gone before.
            changes.push(("strides", Attr::ints(builder.ctx, &[1, 1])));
        }
        let mut all = changed(&old, &changes);
        all.retain(|(name, _)| *name != "out_layout");
        let [data, weight] = self.operands;
        let conv = |data| {
            let made = builder.inferred(self.name, &[data, weight], &all)?;
            Some(made.result(0))
        };
        match pointwise {
            None => conv(data),
            Some(pointwise) => {
                let made = conv(pointwise.data(builder, data, self.block))?;
                Some(pointwise.result(builder, made))
            }
        }
    }
}

/// In which blocks a convolution reads and makes channels.
struct Blocks {
    is_depthwise: bool,
    /// The channels of the data that one block holds.
    data: i64,
    /// The channels of the result that one block holds.
    result: i64,
    /// The channels of the result, with those that fill up its last block.
    outputs: i64,
    /// So many channels fill up the last block of the data: they are multiplied by zeros.
    more_inputs: i64,
    /// So many channels of the data are met at a time, each output having as many sums: a vector holds the sums of a
    /// narrow block of outputs.
    inputs_at_once: i64,
}

impl Blocks {
    /// None if the channels of a group make no whole blocks that are worth it.
    fn of(layouts: &Layouts, op: Op) -> Option<Self> {
        let packer = &layouts.packer;
        let data = op.operand(0);
        let (inputs, kernel) = (data.ty().shape()[1], op.operand(1).ty().shape());
        let groups = Attrs::of(op).int("groups").ok()?;
        let is_depthwise = groups > 1 && groups == inputs && kernel[0] == groups;
        let outputs = padded_outputs(layouts, op, groups)?;
        let known = match groups {
            1 => packer.filled_block_of(data),
            _ => packer.block_of(data),
        };
        let more_inputs = known.map_or(0, |_| packer.channels(data) - inputs);
        let (data, result) = if is_depthwise {
            (known?, known?)
        } else {
            let of_group = (inputs + more_inputs) / groups;
            let whole = known.filter(|block| of_group % block == 0);
            let data = whole.unwrap_or_else(|| data_block(of_group, packer));
            (data, block_size(outputs / groups, packer.lanes))
        };
        let least = if groups > 1 {
            packer.lanes / 2
        } else {
            MIN_BLOCK
        };
        let is_wide = op.operand(0).ty().element().is_f32();
        (result >= least).then_some(Self {
            is_depthwise,
            data,
            result,
            outputs,
            more_inputs,
            inputs_at_once: match is_wide {
                true => inputs_at_once(data, result, packer.lanes),
                false => 1,
            },
        })
    }
}

/// As many channels of a block of data as there are blocks of the result in a vector, if they divide the block.
fn inputs_at_once(data: i64, result: i64, lanes: i64) -> i64 {
    let count = lanes / result;
    if data % count == 0 { count } else { 1 }
}

/// The channels of a block of plain data that is packed for this convolution. Few, as of an image, are read where
/// they are, and so are those that come in pairs: a loop over two is short.
fn data_block(channels: i64, packer: &Packer) -> i64 {
    match (channels, block_size(channels, packer.lanes)) {
        (1..=4, _) | (_, 2) => 1,
        (_, block) => block,
    }
}

/// The output channels of a convolution with those that fill up the last block, which make whole vectors of odd
/// numbers. None if it takes fewer cycles as a product of plain pixels.
fn padded_outputs(layouts: &Layouts, op: Op, groups: i64) -> Option<i64> {
    let (kernel, lanes) = (op.operand(1).ty().shape(), layouts.packer.lanes);
    if groups != 1 {
        return Some(kernel[0]);
    }
    let usual = padded_channels(&kernel, lanes);
    if usual % lanes == 0 || !op.operand(0).ty().element().is_f32() || !Flattened::is_product(op) {
        return Some(usual);
    }
    let pixels = Pixels {
        count: op.result(0).ty().shape()[2..].iter().product(),
        inputs: kernel[1],
        outputs: kernel[0],
        are_packed: layouts.packer.filled_block_of(op.operand(0)).is_some(),
    };
    let narrow = block_size(kernel[0], lanes);
    // The narrow one first: it is chosen of two that take as long.
    let blocks = [narrow, lanes]
        .into_iter()
        .filter(|block| *block >= MIN_BLOCK);
    let block = fewest(blocks, |block| pixels.in_blocks(*block))?;
    let is_faster = pixels.in_blocks(block) < pixels.plain(layouts.machine);
    is_faster.then_some(ceil_div(kernel[0], block) * block)
}

/// How a convolution in blocks is computed.
#[derive(Clone, Copy)]
enum Algorithm {
    /// Each channel on its own.
    Depthwise,
    /// Sums over the channels and the window.
    Direct,
    /// Winograd's, on tiles of so many rows and columns.
    Winograd(i64),
}

impl Algorithm {
    fn of(layouts: &Layouts, op: Op, blocks: &Blocks) -> Self {
        if blocks.is_depthwise {
            return Self::Depthwise;
        }
        winograd_tile(layouts, op).map_or(Self::Direct, Self::Winograd)
    }

    fn operator(self) -> &'static str {
        match self {
            Self::Depthwise => names::relay::NN_CONTRIB_DEPTHWISE_CONV2D_NCHWC,
            Self::Direct => names::relay::NN_CONTRIB_CONV2D_NCHWC,
            Self::Winograd(_) => names::relay::NN_CONTRIB_CONV2D_WINOGRAD_WITHOUT_WEIGHT_TRANSFORM,
        }
    }

    fn kernel_layout(self, blocks: &Blocks) -> String {
        let Blocks { data, result, .. } = blocks;
        match self {
            Self::Depthwise => format!("OIHW1i{result}o"),
            Self::Direct => match blocks.inputs_at_once {
                1 => format!("OIHW{data}i{result}o"),
                several => format!("OIHW{}i{result}o{several}i", data / several),
            },
            Self::Winograd(_) => format!("HWOI{result}o"),
        }
    }

    /// The weight in the layout that it is read in.
    fn weight(self, builder: &Builder, weight: Value, blocks: &Blocks) -> Value {
        let missing = blocks.outputs - weight.ty().shape()[0];
        let filled = |weight: Value| {
            let weight = pad_axis(builder, weight, 0, missing);
            pad_axis(builder, weight, 1, blocks.more_inputs)
        };
        let layout = self.kernel_layout(blocks);
        match self {
            Self::Winograd(tile) => {
                let weight = filled(wide(builder, before_cast(weight)));
                transformed(builder, weight, tile, &layout)
            }
            _ => transform(builder, filled(weight), "OIHW", &layout),
        }
    }

    /// The attributes in which the convolution differs from the plain one.
    fn attributes(self, builder: &Builder, blocks: &Blocks) -> Vec<(&'static str, Attr)> {
        let text = |text: String| Attr::str(builder.ctx, &text);
        let mut changes = vec![
            ("data_layout", text(format!("NCHW{}c", blocks.data))),
            ("kernel_layout", text(self.kernel_layout(blocks))),
        ];
        if let Self::Winograd(tile) = self {
            changes.push(("tile_size", Attr::i64(builder.ctx, tile)));
        }
        changes
    }
}

/// The tile with which Winograd's algorithm is the faster way to compute a `nn.conv2d`. Its
/// weight must be known, so that it is transformed at compile time.
fn winograd_tile(layouts: &Layouts, op: Op) -> Option<i64> {
    let attrs = Attrs::of(op);
    let is_one = |name: &str| Some(attrs.ints(name).ok()?.iter().all(|&number| number == 1));
    let kernel = op.operand(1).ty().shape();
    let result = op.result(0).ty().shape();
    let fits = layouts.winograd
        && attrs.int("groups").ok()? == 1
        && is_foldable(op.operand(1))
        && is_one("strides")?
        && is_one("dilation")?;
    let shape = winograd::Shape {
        places: [result[0], result[2], result[3]],
        channels: [kernel[1], kernel[0]],
        kernel: [kernel[2], kernel[3]],
    };
    fits.then(|| winograd::choose_tile(shape, layouts.machine))?
}

/// A weight in f32: what it is transformed to for Winograd's algorithm stays so where the data is narrow,
/// because the transforms of data and result amplify its errors.
fn wide(builder: &Builder, weight: Value) -> Value {
    let single = Type::f32(builder.ctx);
    if weight.ty().element() == single {
        return weight;
    }
    make(
        builder,
        names::relay::CAST,
        &[weight],
        &[("dtype", Attr::ty(single))],
    )
}

/// The f32 that a narrow weight is cast from, if it is.
fn before_cast(weight: Value) -> Value {
    let source = weight
        .def_of(names::relay::CAST)
        .map(|cast| cast.operand(0));
    let is_rounded = |source: &Value| source.ty().element().is_f32();
    source.filter(is_rounded).unwrap_or(weight)
}

/// A weight transformed for Winograd's algorithm.
fn transformed(builder: &Builder, weight: Value, tile: i64, layout: &str) -> Value {
    let name = names::relay::NN_CONTRIB_CONV2D_WINOGRAD_WEIGHT_TRANSFORM;
    let attrs = [("tile_size", Attr::i64(builder.ctx, tile))];
    let weight = make(builder, name, &[weight], &attrs);
    transform(builder, weight, "HWOI", layout)
}
