//! `convert-layout`: operators in the layouts that someone wants.

mod desired;
mod follow;
mod moved;

pub use desired::Desired;
pub use follow::{follow, reduction_axes, transpose_axes};
pub use moved::{Layouts, Moved};

use crate::graph::rewrite;
use relay_dialects::{
    inferred,
    ir::{Attr, Builder, Op},
    ops::func,
    pass::{Default, OptionSpec, Options, PassFailed, PassResult, PassSpec, fail},
    relay::row_of,
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "convert-layout",
    summary: "convert operators to other orders of dimensions",
    description: include_str!("convert_layout.md"),
    anchor: func::Func::NAME,
    options: &[
        OptionSpec {
            name: "desired-layouts",
            summary: "layouts of data and weight by operator: nn.conv2d:NHWC,default;nn.max_pool2d:NHWC",
            default: Default::Str(""),
        },
        OptionSpec {
            name: "skip-layers",
            summary: "the numbers of convolutions to skip, from 0 in textual order, separated by commas",
            default: Default::Str(""),
        },
    ],
    run,
};

fn run(function: Op, options: &Options) -> PassResult {
    inferred::check(function)?;
    let desired = Desired::parse(options.str("desired-layouts"));
    let desired = desired.or_else(|reason| fail(function, format!("desired-layouts {reason}")))?;
    let skipped = numbers(options.str("skip-layers"));
    let skipped = skipped.or_else(|reason| fail(function, format!("skip-layers {reason}")))?;
    convert(function, desired, skipped)
}

/// Brings the operators of a function into the layouts that are wanted, but for the convolutions of some numbers.
///
/// # Errors
/// If an operator that is named cannot be brought into its layouts; diagnostics say why.
pub fn convert(function: Op, desired: Desired, skipped: Vec<usize>) -> PassResult {
    let mut converter = Converter {
        desired,
        skipped,
        convolutions: 0,
        moved: Moved::default(),
    };
    converter.visit(function)?;
    rewrite::erase_dead(function);
    Ok(())
}

/// Whole numbers with commas between them.
fn numbers(text: &str) -> Result<Vec<usize>, String> {
    let parts = text.split(',').map(str::trim);
    parts
        .filter(|part| !part.is_empty())
        .map(|part| match part.parse() {
            Ok(number) => Ok(number),
            Err(_) => Err(format!("holds '{part}', which is no number of a layer")),
        })
        .collect()
}

/// What decides on the layouts of a function.
struct Converter {
    desired: Desired,
    skipped: Vec<usize>,
    /// How many convolutions came so far that are to be converted or skipped.
    convolutions: usize,
    moved: Moved,
}

impl Converter {
    /// All operators in textual order: what they read has been converted before.
    fn visit(&mut self, op: Op) -> PassResult {
        for block in op.regions().into_iter().flat_map(|region| region.blocks()) {
            for inner in block.ops() {
                self.visit(inner)?;
                if row_of(inner).is_none() {
                    continue;
                }
                if self.desired.names(inner) {
                    self.convert(inner)?;
                } else {
                    follow(&mut self.moved, inner);
                }
            }
        }
        Ok(())
    }

    /// Brings an operator into its desired layouts.
    fn convert(&mut self, op: Op) -> Result<(), PassFailed> {
        let changes = match self.desired.changes(op) {
            Ok(changes) => changes,
            Err(reason) => return fail(op, reason),
        };
        // One for each operand that has a layout: data, or data and weight.
        if changes.len() > 1 {
            self.convolutions += 1;
            if self.skipped.contains(&(self.convolutions - 1)) {
                return Ok(());
            }
        }
        if changes.iter().all(|change| change.layouts.is_same()) {
            return Ok(());
        }
        let builder = Builder::before(op);
        let mut operands = op.operands();
        let mut attrs = Vec::new();
        for (operand, change) in operands.iter_mut().zip(&changes) {
            *operand = self.moved.in_layout(&builder, *operand, &change.layouts);
            attrs.push((change.attr, Attr::str(op.ctx(), &change.layouts.to)));
        }
        let layouts = changes.into_iter().next().map(|change| change.layouts);
        self.moved.replace(op, &operands, &attrs, &[layouts]);
        Ok(())
    }
}
