//! Convolutions on channels in blocks of a vector's width.

use super::{
    Altered, Layouts,
    choices::{Algorithm, Choice},
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
    goal::Goal,
    layout::{MIN_BLOCK, Pixels},
    sizes::{planned_shape, shape_of_sample},
    winograd,
};

/// `nn.conv2d` whose groups hold whole blocks of channels, and depthwise ones of what is packed already.
pub fn conv2d(layouts: &mut Layouts<'_>, op: Op) -> Altered {
    if !is_alterable(op) {
        return None;
    }
    match layouts.chooser.choose(op, &alternatives(layouts, op)?) {
        Some(Choice::Blocks { block, algorithm }) => in_blocks(layouts, op, (block, algorithm)),
        _ => None,
    }
}

/// A convolution on channels in blocks, those of the result in blocks of so many.
fn in_blocks(layouts: &mut Layouts<'_>, op: Op, (block, algorithm): (i64, Algorithm)) -> Altered {
    let blocks = Blocks::of(layouts, op, block)?;
    let pointwise = match algorithm {
        Algorithm::Rows(rows) => Pointwise::of(op)?.in_rows(rows),
        _ => None,
    };
    let builder = Builder::before(op);
    let packer = &mut layouts.packer;
    let data = packer.packed(&builder, op.operand(0), blocks.data);
    let weight = algorithm.weight(&builder, op.operand(1), &blocks);
    let packed = PackedConv2d {
        name: algorithm.operator(),
        operands: [data, weight],
        attributes: algorithm.attributes(&builder, &blocks),
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
                let made = conv(pointwise.data(builder, data))?;
                Some(pointwise.result(builder, made))
            }
        }
    }
}

/// In which blocks a convolution reads and makes channels.
struct Blocks {
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
    /// With the result in blocks of `block`; None if that is not how a depthwise convolution's data lies.
    fn of(layouts: &Layouts<'_>, op: Op, block: i64) -> Option<Self> {
        let packer = &layouts.packer;
        let data = op.operand(0);
        let (inputs, kernel) = (data.ty().shape()[1], op.operand(1).ty().shape());
        let groups = Attrs::of(op).int("groups").ok()?;
        let known = match groups {
            1 => packer.filled_block_of(data),
            _ => packer.block_of(data),
        };
        let more_inputs = known.map_or(0, |_| packer.channels(data) - inputs);
        let data = if is_depthwise(op, groups) {
            known.filter(|known| *known == block)?
        } else {
            let of_group = (inputs + more_inputs) / groups;
            let whole = known.filter(|block| of_group % block == 0);
            whole.unwrap_or_else(|| data_block(of_group, packer))
        };
        let is_wide = op.operand(0).ty().element().is_f32();
        Some(Self {
            data,
            result: block,
            outputs: match groups {
                1 => ceil_div(kernel[0], block) * block,
                _ => kernel[0],
            },
            more_inputs,
            inputs_at_once: match is_wide {
                true => inputs_at_once(data, block, packer.lanes),
                false => 1,
            },
        })
    }
}

/// Whether each channel is a group of its own.
fn is_depthwise(op: Op, groups: i64) -> bool {
    let (inputs, outputs) = (op.operand(0).ty().shape()[1], op.operand(1).ty().shape()[0]);
    groups > 1 && groups == inputs && outputs == groups
}

/// What an alterable convolution may become, what takes the fewest cycles first.
fn alternatives(layouts: &Layouts<'_>, op: Op) -> Option<Vec<Choice>> {
    let groups = Attrs::of(op).int("groups").ok()?;
    let usual = usual_block(layouts, op, groups);
    let mut blocks: Vec<i64> = usual.into_iter().collect();
    if groups == 1 {
        let others = other_blocks(op, layouts.packer.lanes).filter(|block| usual != Some(*block));
        blocks.extend(others);
    }
    let mut all = Vec::new();
    for block in blocks {
        let algorithms = algorithms(layouts, op, groups, block);
        all.extend(algorithms.map(|algorithm| Choice::Blocks { block, algorithm }));
    }
    match usual {
        None => all.insert(0, Choice::Plain),
        Some(_) if groups == 1 && Flattened::is_product(op) => all.push(Choice::Plain),
        Some(_) => {}
    }
    if layouts.goal == Goal::Size && is_foldable(op.operand(1)) {
        let outputs = op.operand(1).ty().shape()[0];
        all.retain(|choice| !grows(*choice, outputs));
        if all.is_empty() {
            all.push(Choice::Plain);
        }
    }
    Some(all)
}

/// Whether a convolution's weight takes more bytes than in the model: it is transformed, or zeros fill up its last block.
fn grows(choice: Choice, outputs: i64) -> bool {
    match choice {
        Choice::Blocks {
            algorithm: Algorithm::Winograd(_),
            ..
        } => true,
        Choice::Blocks { block, .. } => outputs % block != 0,
        Choice::Packed | Choice::Plain | Choice::Dots => false,
    }
}

/// The block of the result's channels with which a convolution takes the fewest cycles; None if it takes fewer on plain
/// channels.
fn usual_block(layouts: &Layouts<'_>, op: Op, groups: i64) -> Option<i64> {
    let packer = &layouts.packer;
    let outputs = padded_outputs(layouts, op, groups)?;
    let block = match is_depthwise(op, groups) {
        true => packer.block_of(op.operand(0))?,
        false => block_size(outputs / groups, packer.lanes),
    };
    let least = match groups {
        1 => MIN_BLOCK,
        _ => packer.lanes / 2,
    };
    (block >= least).then_some(block)
}

/// Blocks of whole and half vectors for the channels of a convolution's result, perhaps filled up, and the widest one that needs
/// no filling up.
fn other_blocks(op: Op, lanes: i64) -> impl Iterator<Item = i64> {
    let outputs = op.operand(1).ty().shape()[0];
    let mut blocks = vec![lanes, lanes / 2, block_size(outputs, lanes)];
    blocks.sort_unstable_by_key(|block| -block);
    blocks.dedup();
    let is_worth_it =
        move |block: &i64| *block >= MIN_BLOCK && ceil_div(outputs, *block) * block < 2 * outputs;
    blocks.into_iter().filter(is_worth_it)
}

/// How a convolution may be computed on blocks, what takes the fewest cycles first.
fn algorithms(
    layouts: &Layouts<'_>,
    op: Op,
    groups: i64,
    block: i64,
) -> impl Iterator<Item = Algorithm> {
    if is_depthwise(op, groups) {
        return vec![Algorithm::Depthwise].into_iter();
    }
    if let Some(pointwise) = Pointwise::of(op) {
        let rows = pointwise.alternatives(block, layouts.machine);
        let rows: Vec<Algorithm> = rows.into_iter().map(Algorithm::Rows).collect();
        return rows.into_iter();
    }
    let shape = winograd_shape(layouts, op, groups);
    let usual = shape.and_then(|shape| winograd::choose_tile(shape, layouts.goal, layouts.machine));
    let tiles = shape.into_iter().flat_map(winograd::tiles);
    let usual = usual.map_or(Algorithm::Direct, Algorithm::Winograd);
    let all = [Algorithm::Direct]
        .into_iter()
        .chain(tiles.map(Algorithm::Winograd));
    let others = all.filter(|algorithm| *algorithm != usual);
    let all: Vec<Algorithm> = [usual].into_iter().chain(others).collect();
    all.into_iter()
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
fn padded_outputs(layouts: &Layouts<'_>, op: Op, groups: i64) -> Option<i64> {
    let (kernel, lanes) = (op.operand(1).ty().shape(), layouts.packer.lanes);
    if groups != 1 {
        return Some(kernel[0]);
    }
    let usual = padded_channels(&kernel, lanes);
    if usual % lanes == 0 || !op.operand(0).ty().element().is_f32() || !Flattened::is_product(op) {
        return Some(usual);
    }
    let pixels = Pixels {
        count: planned_shape(op, op.result(0))[2..].iter().product(),
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

impl Algorithm {
    fn operator(self) -> &'static str {
        match self {
            Self::Depthwise => names::relay::NN_CONTRIB_DEPTHWISE_CONV2D_NCHWC,
            Self::Direct | Self::Rows(_) => names::relay::NN_CONTRIB_CONV2D_NCHWC,
            Self::Winograd(_) => names::relay::NN_CONTRIB_CONV2D_WINOGRAD_WITHOUT_WEIGHT_TRANSFORM,
        }
    }

    fn kernel_layout(self, blocks: &Blocks) -> String {
        let Blocks { data, result, .. } = blocks;
        match self {
            Self::Depthwise => format!("OIHW1i{result}o"),
            Self::Direct | Self::Rows(_) => match blocks.inputs_at_once {
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

/// What a `nn.conv2d` is to Winograd's algorithm, if it may be computed so. Its weight must be known, so that it is transformed at
/// compile time.
fn winograd_shape(layouts: &Layouts<'_>, op: Op, groups: i64) -> Option<winograd::Shape> {
    let attrs = Attrs::of(op);
    let is_one = |name: &str| Some(attrs.ints(name).ok()?.iter().all(|&number| number == 1));
    let kernel = op.operand(1).ty().shape();
    // One sample reads the whole weight, which is larger for Winograd's algorithm. An open image may be large.
    let has_open_image = op.result(0).ty().dims()[2..]
        .iter()
        .any(|dim| !dim.is_known());
    let result = match has_open_image {
        true => planned_shape(op, op.result(0)),
        false => shape_of_sample(op, op.result(0)),
    };
    let fits = layouts.winograd
        && groups == 1
        && is_foldable(op.operand(1))
        && !becomes_integers(op.result(0))
        && is_one("strides")?
        && is_one("dilation")?;
    fits.then_some(winograd::Shape {
        places: [result[0], result[2], result[3]],
        channels: [kernel[1], kernel[0]],
        kernel: [kernel[2], kernel[3]],
    })
}

/// Whether sums are converted to integers. Then they are sums of integers in floats that hold them, and have to be exact: the conversion
/// cuts off the fraction that a transform leaves.
fn becomes_integers(sums: Value) -> bool {
    let converts =
        |user: &Op| user.is(names::relay::CAST) && !user.result(0).ty().element().is_float();
    sums.users().iter().any(converts)
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
