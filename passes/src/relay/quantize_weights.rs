//! `quantize-weights`: products with weights of a few bits.

use crate::graph::{few_bits, rewrite};
use relay_dialects::{
    ir::Op,
    ops::func,
    pass::{Default, OptionSpec, Options, PassResult, PassSpec, fail},
};
use relay_quantize::Blocks;

/// The bits of a number.
const BITS: OptionSpec = OptionSpec {
    name: "bits",
    summary: "the bits of a weight: 2, 4 or 8",
    default: Default::Int(4),
};

/// The numbers of a block.
const BLOCK: OptionSpec = OptionSpec {
    name: "block",
    summary: "how many neighbours of a row share a scale and a zero point: a power of two from 16 to 256",
    default: Default::Int(32),
};

/// Whether ranges are searched for.
const SEARCH: OptionSpec = OptionSpec {
    name: "search",
    summary: "take the range of each block that makes the sum of squared errors least",
    default: Default::Bool(true),
};

/// The least weight.
const LEAST: OptionSpec = OptionSpec {
    name: "least",
    summary: "leave weights of fewer numbers as they are",
    default: Default::Int(few_bits::LEAST),
};

/// What stays.
const KEEP: OptionSpec = OptionSpec {
    name: "keep",
    summary: "leave operators as they are: names of nodes, of weights or of operators, with the wildcards * and ?; new lines separate several",
    default: Default::Str(""),
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "quantize-weights",
    summary: "round the constant weights of products to a few bits",
    description: include_str!("quantize_weights.md"),
    anchor: func::Func::NAME,
    options: &[BITS, BLOCK, SEARCH, LEAST, KEEP],
    run,
};

fn run(function: Op, options: &Options) -> PassResult {
    let (bits, block) = (options.int(BITS.name), options.int(BLOCK.name));
    if ![2, 4, 8].contains(&bits) || block.count_ones() != 1 || !(16..=256).contains(&block) {
        return fail(
            function,
            format!(
                "bits is {bits} and block is {block}, expected 2, 4 or 8 and a power of two from 16 to 256"
            ),
        );
    }
    let blocks = Blocks {
        bits: bits as u32,
        block: block as usize,
        search: options.bool(SEARCH.name),
    };
    let products = few_bits::products(function, options.int(LEAST.name), options.str(KEEP.name));
    match products {
        Ok(products) => {
            for op in products {
                few_bits::round(op, &blocks, None);
            }
        }
        Err(reason) => return fail(function, reason),
    }
    rewrite::erase_dead(function);
    Ok(())
}
