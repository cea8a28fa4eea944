//! `alter-op-layout`: channels in blocks of a vector's width.

use super::{
    amx_conv2d,
    dataflow::{is_computed_in_f32, is_foldable, is_plain_conv2d, make, remake},
    flatten::Flattened,
    packing::{Packer, block_size, pad_axis, padded_channels, transform},
    padded_taps,
    planar::make_planar,
    pointwise::Pointwise,
    products, rewrite,
};
use crate::machine::{AMX, CACHE_BYTES, VECTOR_BITS, VECTOR_REGISTERS, machine};
use relay_dialects::{
    index::ceil_div,
    ir::{Attr, Block, Builder, Op, Type, Value},
    names,
    pass::{Default, OptionSpec, Options, PassResult, PassSpec, fail},
    relay::{Attrs, build::changed, row::LayoutRule, row_of},
};
use relay_topi::{
    Machine,
    cost::{
        fewest,
        layout::{MIN_BLOCK, Pixels},
        winograd,
    },
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "alter-op-layout",
    summary: "lay out channels in blocks of a vector's width",
    description: include_str!("alter_op_layout.md"),
    anchor: "func.func",
    options: &[
        VECTOR_BITS,
        VECTOR_REGISTERS,
        CACHE_BYTES,
        AMX,
        OptionSpec {
            name: "winograd",
            summary: "use Winograd's algorithm where it is faster",
            default: Default::Bool(true),
        },
    ],
    run,
};

fn run(function: Op, options: &Options) -> PassResult {
    let bits = options.int(VECTOR_BITS.name);
    if bits < 32 || bits % 32 != 0 {
        return fail(
            function,
            format!("vector-bits is {bits}, expected a multiple of 32"),
        );
    }
    let winograd = options.bool("winograd");
    visit(function, &|| Layouts {
        packer: Packer::new(machine(options).block()),
        flattened: Flattened::default(),
        machine: machine(options),
        winograd,
    });
    rewrite::erase_dead(function);
    Ok(())
}

/// Each block on its own: what crosses a region's edge is unpacked.
fn visit(op: Op, layouts: &dyn Fn() -> Layouts) {
    for region in op.regions() {
        for block in region.blocks() {
            alter_block(block, layouts());
            block
                .ops()
                .into_iter()
                .for_each(|inner| visit(inner, layouts));
        }
    }
}

/// What decides on layouts in a block.
pub(super) struct Layouts {
    pub(super) packer: Packer,
    flattened: Flattened,
    pub(super) machine: Machine,
    /// Whether Winograd's algorithm may be used.
    winograd: bool,
}

fn alter_block(block: Block, mut layouts: Layouts) {
    make_planar(block, layouts.machine);
    padded_taps::leave_out(block, layouts.machine);
    alter_layouts(block, &mut layouts);
    layouts.flattened.sink_reshapes(block);
}

fn alter_layouts(block: Block, layouts: &mut Layouts) {
    for op in block.ops() {
        let Some(row) = row_of(op) else { continue };
        let altered = match row.layout {
            LayoutRule::Convolution(2) => amx_conv2d::conv2d(layouts, op)
                .or_else(|| conv2d(layouts, op))
                .or_else(|| flattened(&mut layouts.flattened, op)),
            LayoutRule::Dense => product(op, |op| products::dense(layouts.machine, op)),
            LayoutRule::Matmul => product(op, |op| products::matmul(layouts.machine, op)),
            LayoutRule::Spatial => spatial(&mut layouts.packer, op),
            LayoutRule::Concatenate if layouts.flattened.knows_any(op) => None,
            LayoutRule::Concatenate => concatenate(&mut layouts.packer, op),
            LayoutRule::Pad => pad(&mut layouts.packer, op),
            LayoutRule::Slice => slice(&mut layouts.packer, op),
            LayoutRule::Reduce => reduce(&mut layouts.packer, op),
            LayoutRule::Elementwise => {
                unary(&mut layouts.packer, op).or_else(|| layouts.flattened.unary(op))
            }
            LayoutRule::Broadcasting { filled } => {
                // A flattened operand costs nothing to read plain, a packed one does.
                let flat = layouts.flattened.binary(op);
                flat.or_else(|| binary(&mut layouts.packer, op, filled))
            }
            LayoutRule::Convolution(_) | LayoutRule::Keep => None,
        };
        if altered.is_some() {
            op.erase();
        }
    }
}

/// `Some` if the op's uses have moved to an altered one; so for all rules below.
pub(super) type Altered = Option<()>;

fn str_attr(builder: &Builder, text: &str) -> Attr {
    Attr::str(builder.ctx, text)
}

/// Whether a convolution is in the layouts and of a type that are altered.
pub(super) fn is_alterable(op: Op) -> bool {
    let ty = op.operand(0).ty();
    is_plain_conv2d(op) && is_computed_in_f32(ty.element()) && ty.is_static()
}

/// NCHW convolutions whose groups hold whole blocks of channels, and depthwise ones of what is
/// packed already.
fn conv2d(layouts: &mut Layouts, op: Op) -> Altered {
    let (data, weight) = (op.operand(0), op.operand(1));
    let groups = Attrs::of(op).int("groups").ok()?;
    let (mut input, kernel) = (data.ty().shape(), weight.ty().shape());
    let depthwise = groups > 1 && groups == input[1] && kernel[0] == groups;
    if !is_alterable(op) {
        return None;
    }
    let outputs = layouts.outputs(op, groups)?;
    let packer = &mut layouts.packer;
    let known = match groups {
        1 => packer.filled_block_of(data),
        _ => packer.block_of(data),
    };
    if depthwise && known.is_none() {
        return None;
    }
    // What fills up a block is multiplied by zeros.
    let more_inputs = match known {
        Some(_) => packer.channels(data) - input[1],
        None => 0,
    };
    input[1] += more_inputs;
    let fits = |block: &i64| depthwise || (input[1] / groups) % block == 0;
    // Few channels, as of an image, are read where they are, and so are those that come in pairs: a loop
    // over two is short.
    let in_block = known
        .filter(fits)
        .unwrap_or_else(|| match input[1] / groups {
            1..=4 => 1,
            channels => match block_size(channels, packer.lanes) {
                2 => 1,
                block => block,
            },
        });
    let out_block = if depthwise {
        in_block
    } else {
        block_size(outputs / groups, packer.lanes)
    };
    if out_block
        < if groups > 1 {
            packer.lanes / 2
        } else {
            MIN_BLOCK
        }
    {
        return None;
    }
    let builder = Builder::before(op);
    let data = packer.packed(&builder, data, in_block);
    let pointwise = Pointwise::of(op, layouts.machine).filter(|_| !depthwise);
    let tile = if depthwise { None } else { layouts.tile(op) };
    let weight = match tile {
        Some(_) => wide(&builder, before_cast(weight)),
        None => weight,
    };
    let weight = pad_axis(&builder, weight, 0, outputs - kernel[0]);
    let weight = pad_axis(&builder, weight, 1, more_inputs);
    let long_rows = pointwise.filter(|_| tile.is_none());
    let (name, kernel_layout) = if depthwise {
        (
            names::relay::NN_CONTRIB_DEPTHWISE_CONV2D_NCHWC,
            format!("OIHW1i{out_block}o"),
        )
    } else if tile.is_some() {
        (
            names::relay::NN_CONTRIB_CONV2D_WINOGRAD_WITHOUT_WEIGHT_TRANSFORM,
            format!("HWOI{out_block}o"),
        )
    } else {
        (
            names::relay::NN_CONTRIB_CONV2D_NCHWC,
            format!("OIHW{in_block}i{out_block}o"),
        )
    };
    let weight = match tile {
        Some(tile) => transformed(&builder, weight, tile, &kernel_layout),
        None => transform(&builder, weight, "OIHW", &kernel_layout),
    };
    let mut changes = vec![
        (
            "data_layout",
            str_attr(&builder, &format!("NCHW{in_block}c")),
        ),
        ("kernel_layout", str_attr(&builder, &kernel_layout)),
    ];
    changes.extend(tile.map(|tile| ("tile_size", Attr::i64(builder.ctx, tile))));
    // What a stride leaves out is gone before.
    let every_pixel = ("strides", Attr::ints(builder.ctx, &[1, 1]));
    changes.extend(long_rows.is_some().then_some(every_pixel));
    let old = op.attrs();
    let mut all = changed(&old, &changes);
    all.retain(|(name, _)| *name != "out_layout");
    let result = match long_rows {
        None => builder.inferred(name, &[data, weight], &all)?.result(0),
        Some(pointwise) => {
            let data = pointwise.data(&builder, data, out_block);
            let made = builder.inferred(name, &[data, weight], &all)?;
            pointwise.result(&builder, made.result(0))
        }
    };
    layouts.packer.replace(op, result, out_block);
    Some(())
}

/// Convolutions that blocks do not fit, as products.
fn flattened(flattened: &mut Flattened, op: Op) -> Altered {
    is_alterable(op).then(|| flattened.conv2d(op))?
}

impl Layouts {
    /// The output channels of a convolution with those that fill up the last block, which make whole vectors of odd
    /// numbers. None if it takes fewer cycles as a product of plain pixels.
    fn outputs(&self, op: Op, groups: i64) -> Option<i64> {
        let (kernel, lanes) = (op.operand(1).ty().shape(), self.packer.lanes);
        if groups != 1 {
            return Some(kernel[0]);
        }
        let usual = padded_channels(&kernel, lanes);
        if usual % lanes == 0
            || !op.operand(0).ty().element().is_f32()
            || !Flattened::is_product(op)
        {
            return Some(usual);
        }
        let pixels = Pixels {
            count: op.result(0).ty().shape()[2..].iter().product(),
            inputs: kernel[1],
            outputs: kernel[0],
            are_packed: self.packer.filled_block_of(op.operand(0)).is_some(),
        };
        let narrow = block_size(kernel[0], lanes);
        // The narrow one first: it is chosen of two that take as long.
        let blocks = [narrow, lanes]
            .into_iter()
            .filter(|block| *block >= MIN_BLOCK);
        let block = fewest(blocks, |block| pixels.in_blocks(*block))?;
        let is_faster = pixels.in_blocks(block) < pixels.plain(self.machine);
        is_faster.then_some(ceil_div(kernel[0], block) * block)
    }

    /// The tile with which Winograd's algorithm is the faster way to compute a `nn.conv2d`. Its
    /// weight must be known, so that it is transformed at compile time.
    fn tile(&self, op: Op) -> Option<i64> {
        let attrs = Attrs::of(op);
        let is_one = |name: &str| Some(attrs.ints(name).ok()?.iter().all(|&number| number == 1));
        let kernel = op.operand(1).ty().shape();
        let result = op.result(0).ty().shape();
        let fits = self.winograd
            && attrs.int("groups").ok()? == 1
            && is_foldable(op.operand(1))
            && is_one("strides")?
            && is_one("dilation")?;
        let shape = winograd::Shape {
            places: [result[0], result[2], result[3]],
            channels: [kernel[1], kernel[0]],
            kernel: [kernel[2], kernel[3]],
        };
        fits.then(|| winograd::choose_tile(shape, self.machine))?
    }
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

/// Products, whose second operands are read in whichever way takes least time.
fn product(op: Op, altered: impl FnOnce(Op) -> Option<Value>) -> Altered {
    op.result(0).replace_all_uses_with(altered(op)?);
    Some(())
}

/// Works on one packed operand like on a plain one; `changes` are to its attributes.
fn follow(packer: &mut Packer, op: Op, rest: &[Value], changes: &[(&str, Attr)]) -> Altered {
    let block = packer.padded_block_of(op.operand(0))?;
    let builder = Builder::before(op);
    let mut operands = vec![packer.packed(&builder, op.operand(0), block)];
    operands.extend_from_slice(rest);
    let made = remake(&builder, op, &operands, changes);
    packer.replace(op, made, block);
    Some(())
}

fn unary(packer: &mut Packer, op: Op) -> Altered {
    follow(packer, op, &[], &[])
}

/// What works on pixels, in the layout that an attribute names.
fn spatial(packer: &mut Packer, op: Op) -> Altered {
    let block = packer.padded_block_of(op.operand(0))?;
    if Attrs::of(op).str("layout").ok()? != "NCHW" {
        return None;
    }
    let builder = Builder::before(op);
    let layout = str_attr(&builder, &format!("NCHW{block}c"));
    let mut changes = vec![("layout", layout)];
    if op
        .attr("out_layout")
        .and_then(Attr::as_str)
        .is_some_and(|layout| !layout.is_empty())
    {
        changes.push(("out_layout", layout));
    }
    follow(packer, op, &[], &changes)
}

/// Padding of anything but channels.
fn pad(packer: &mut Packer, op: Op) -> Altered {
    packer.block_of(op.operand(0))?;
    let mut widths = Attrs::of(op).ints("pad_width").ok()?;
    if widths.len() != 8 || widths[2] != 0 || widths[3] != 0 {
        return None;
    }
    widths.extend([0, 0]);
    let rest: Vec<Value> = op.operands().into_iter().skip(1).collect();
    follow(
        packer,
        op,
        &rest,
        &[("pad_width", Attr::ints(op.ctx(), &widths))],
    )
}

/// A slice of anything but channels.
fn slice(packer: &mut Packer, op: Op) -> Altered {
    let axes = Attrs::of(op).ints("axes").ok()?;
    if axes.is_empty() || axes.iter().any(|axis| ![0, 2, 3].contains(axis)) {
        return None;
    }
    unary(packer, op)
}

/// A reduction over the pixels that keeps the dimensions.
fn reduce(packer: &mut Packer, op: Op) -> Altered {
    let attrs = Attrs::of(op);
    let keeps = attrs.bool("keepdims").ok()? && !attrs.bool("exclude").unwrap_or(false);
    let axes: Vec<i64> = attrs
        .ints("axis")
        .ok()?
        .iter()
        .map(|axis| axis.rem_euclid(4))
        .collect();
    packer.padded_block_of(op.operand(0))?;
    if !keeps || axes.iter().any(|axis| *axis < 2) {
        return None;
    }
    follow(packer, op, &[], &[("axis", Attr::ints(op.ctx(), &axes))])
}

/// Broadcasting operators with a packed operand of the result's shape, whose last block may be filled up.
fn binary(packer: &mut Packer, op: Op, filled: bool) -> Altered {
    let shape = op.result(0).ty().shape();
    let operands = op.operands();
    let full = operands
        .iter()
        .find(|value| value.ty().shape() == shape && packer.padded_block_of(**value).is_some())?;
    let (block, channels) = (packer.padded_block_of(*full)?, packer.channels(*full));
    if channels != shape[1] && !filled {
        return None;
    }
    let builder = Builder::before(op);
    let packable = |value: &Value| packer.can_broadcast(*value, shape[1]);
    if !operands.iter().all(packable) {
        return None;
    }
    let operands: Vec<Value> = operands
        .iter()
        .map(|value| packer.broadcast(&builder, *value, channels, block))
        .collect();
    let made = remake(&builder, op, &operands, &[]);
    packer.replace(op, made, block);
    Some(())
}

/// Concatenation along channels or pixels whose operands can all have the same blocks.
fn concatenate(packer: &mut Packer, op: Op) -> Altered {
    let operands = op.operands();
    let rank = op.result(0).ty().shape().len() as i64;
    let axis = Attrs::of(op).int("axis").ok()?.rem_euclid(rank);
    let largest = operands
        .iter()
        .filter_map(|value| packer.block_of(*value))
        .max()?;
    let fits = |block: i64| {
        operands
            .iter()
            .all(|value| value.ty().shape()[1] % block == 0)
    };
    let block = std::iter::successors(Some(largest), |block| (block % 2 == 0).then_some(block / 2))
        .find(|block| fits(*block))
        .filter(|block| *block >= MIN_BLOCK)?;
    let builder = Builder::before(op);
    let operands: Vec<Value> = operands
        .iter()
        .map(|value| packer.packed(&builder, *value, block))
        .collect();
    let made = remake(
        &builder,
        op,
        &operands,
        &[("axis", Attr::i64(builder.ctx, axis))],
    );
    packer.replace(op, made, block);
    Some(())
}
