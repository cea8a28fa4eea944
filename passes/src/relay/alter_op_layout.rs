//! `alter-op-layout`: channels in blocks of a vector's width.

mod amx_conv2d;
mod blocks;
mod blocks_conv2d;
mod bytes;
mod choices;
mod flatten;
mod followers;
mod groups;
mod neighbours;
mod packing;
mod padded_taps;
mod planar;
mod planes;
mod pointwise;
mod products;
mod stacks;

use super::fuse_ops::blocks_inside;
use crate::graph::{
    operators::{is_computed_in_f32, is_plain_conv2d},
    rewrite,
};
use crate::machine::machine;
use crate::records::{self, RECORDS, TUNED_FOR};
use choices::Chooser;
use flatten::Flattened;
use neighbours::Readers;
use packing::Packer;
use planar::make_planar;
use relay_dialects::{
    dim::Dim,
    inferred,
    ir::{Block, Op, Type, Value},
    ops::func,
    pass::{Default, OptionSpec, Options, PassResult, PassSpec, fail},
    relay::{row::LayoutRule, row_of},
};
use relay_loops::kernel_limits::fits_memory;
use relay_topi::{Machine, cost::goal::Goal};
use relay_tune::Database;

pub use choices::{Operator, Operators};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "alter-op-layout",
    summary: "lay out channels in blocks of the vector width",
    description: include_str!("alter_op_layout.md"),
    anchor: func::Func::NAME,
    options: &[
        OptionSpec {
            name: "winograd",
            summary: "use Winograd's algorithm if its estimate is lower",
            default: Default::Bool(true),
        },
        OPTIMIZE,
        RECORDS,
        TUNED_FOR,
    ],
    run,
};

/// What is weighed against speed.
const OPTIMIZE: OptionSpec = OptionSpec {
    name: "optimize",
    summary: "what to choose layouts for: speed, size, or balanced for both",
    default: Default::Str("speed"),
};

fn run(function: Op, options: &Options) -> PassResult {
    let machine = machine(function)?;
    if machine.gpu.is_some() {
        // Threads of a GPU read neighbouring elements of plain layouts.
        return sink_reshapes(function);
    }
    let goal = options.str(OPTIMIZE.name);
    let Some(goal) = Goal::of(goal) else {
        let reason = format!("optimize is {goal}, expected speed, balanced or size");
        return fail(function, reason);
    };
    inferred::check(function)?;
    let records = match has_choice(function) {
        true => records::read(function, options)?.unwrap_or_default(),
        false => Database::default(),
    };
    let chooser = Chooser::of_records(&records, options.str(TUNED_FOR.name));
    let wish = Wish {
        machine,
        goal,
        winograd: options.bool("winograd"),
    };
    alter(function, wish, &chooser);
    Ok(())
}

/// Moves reshapes behind what an attention computes of its scores, and leaves layouts as they are.
fn sink_reshapes(function: Op) -> PassResult {
    inferred::check(function)?;
    if has_huge_tensor(function) {
        return Ok(());
    }
    for block in blocks_inside(function) {
        Flattened::for_attention().sink_reshapes(block);
    }
    rewrite::erase_dead(function);
    Ok(())
}

/// Whether 64 bits do not hold the size of a tensor. Costs are computed from sizes, and relay-to-te refuses such tensors, whatever their
/// layout.
fn has_huge_tensor(function: Op) -> bool {
    let is_huge = |op: Op| row_of(op).is_some() && !fits_memory(op);
    function.find(is_huge).is_some()
}

/// Whether a function holds an operator that a record may be of.
fn has_choice(function: Op) -> bool {
    let is_chosen = |op: Op| {
        let rule = row_of(op).map(|row| row.layout);
        matches!(
            rule,
            Some(LayoutRule::Convolution(_) | LayoutRule::Dense | LayoutRule::Matmul)
        )
    };
    function.find(is_chosen).is_some()
}

/// The operators of a module that the pass decides about, for a machine. Its functions are altered as by the pass.
pub fn operators(module: Op, machine: Machine, goal: Goal) -> Operators {
    let chooser = Chooser::default();
    let wish = Wish {
        machine,
        goal,
        winograd: true,
    };
    for function in module.functions() {
        alter(function, wish, &chooser);
    }
    chooser.into_operators()
}

/// What layouts are for.
#[derive(Clone, Copy)]
struct Wish {
    machine: Machine,
    goal: Goal,
    /// Whether Winograd's algorithm may be used.
    winograd: bool,
}

fn alter(function: Op, wish: Wish, chooser: &Chooser<'_>) {
    if has_huge_tensor(function) {
        return;
    }
    visit(function, &|| Layouts {
        packer: Packer::new(wish.machine.block()),
        flattened: Flattened::default(),
        machine: wish.machine,
        goal: wish.goal,
        winograd: wish.winograd,
        chooser,
    });
    rewrite::erase_dead(function);
}

/// Each block on its own: what crosses a region's edge is unpacked.
fn visit<'c>(op: Op, layouts: &dyn Fn() -> Layouts<'c>) {
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
struct Layouts<'c> {
    packer: Packer,
    flattened: Flattened,
    machine: Machine,
    goal: Goal,
    /// Whether Winograd's algorithm may be used.
    winograd: bool,
    chooser: &'c Chooser<'c>,
}

fn alter_block(block: Block, mut layouts: Layouts<'_>) {
    make_planar(block, layouts.machine);
    padded_taps::leave_out(block, layouts.machine);
    let readers = Readers::of(block);
    alter_layouts(block, &mut layouts);
    layouts.chooser.meet(&readers);
    layouts.flattened.sink_reshapes(block);
}

fn alter_layouts(block: Block, layouts: &mut Layouts<'_>) {
    for op in block.ops() {
        let Some(row) = row_of(op) else { continue };
        let altered = match row.layout {
            LayoutRule::Convolution(2) => amx_conv2d::conv2d(layouts, op)
                .or_else(|| blocks_conv2d::conv2d(layouts, op))
                .or_else(|| flattened(&mut layouts.flattened, op)),
            LayoutRule::Dense => product(op, |op| products::dense(layouts, op)),
            LayoutRule::Matmul => product(op, |op| products::matmul(layouts, op)),
            LayoutRule::Blocks => product(op, |op| blocks::dense(layouts, op)),
            LayoutRule::Bytes => bytes::product(layouts, op),
            LayoutRule::Spatial => followers::spatial(&mut layouts.packer, op),
            LayoutRule::Concatenate if layouts.flattened.knows_any(op) => None,
            LayoutRule::Concatenate => followers::concatenate(&mut layouts.packer, op),
            LayoutRule::Pad => followers::pad(&mut layouts.packer, op),
            LayoutRule::Slice => followers::slice(&mut layouts.packer, op),
            LayoutRule::Reduce => followers::reduce(&mut layouts.packer, op),
            LayoutRule::Elementwise => {
                followers::unary(&mut layouts.packer, op).or_else(|| layouts.flattened.unary(op))
            }
            LayoutRule::Broadcasting { filled } => {
                // A flattened operand costs nothing to read plain, a packed one does.
                let flat = layouts.flattened.binary(op);
                flat.or_else(|| followers::binary(&mut layouts.packer, op, filled))
            }
            LayoutRule::Convolution(_) | LayoutRule::Keep => None,
        };
        if altered.is_some() {
            op.erase();
        }
    }
}

/// `Some` if the op's uses have moved to an altered one; so for all rules below.
type Altered = Option<()>;

/// Whether a convolution is in the layouts and of a type that are altered. Samples and pixels may be open.
fn is_alterable(op: Op) -> bool {
    let (data, weight) = (op.operand(0).ty(), op.operand(1).ty());
    is_plain_conv2d(op)
        && is_computed_in_f32(data.element())
        && has_known_channels(data)
        && weight.is_static()
}

/// Whether the channels of data are known, and its other dimensions are numbers or have names.
fn has_known_channels(data: Type) -> bool {
    let dims = data.dims();
    dims.get(1).is_some_and(|channels| channels.is_known()) && !dims.contains(&Dim::Unknown)
}

/// Convolutions that blocks do not fit, as products.
fn flattened(flattened: &mut Flattened, op: Op) -> Altered {
    is_alterable(op).then(|| flattened.conv2d(op))?
}

/// Products, whose second operands are read in whichever way takes least time.
fn product(op: Op, altered: impl FnOnce(Op) -> Option<Value>) -> Altered {
    op.result(0).replace_all_uses_with(altered(op)?);
    Some(())
}
