//! Rows of a matrix in pairs, as AMX multiplies them: the second operand of a product that is no constant.

use super::TILE_ROWS;
use relay_dialects::{
    ir::{Block, Builder, Op, Type},
    ops::vector,
    te::{self, build},
};

/// The name of the [intrinsic].
pub const PAIRS: &str = "amx_pairs_of_rows";

/// Writes a `te.tensor_intrin` that puts 16 elements each of two rows beside each other in pairs.
pub fn intrinsic(b: &Builder) -> Op {
    let element = Type::bf16(b.ctx);
    let (rows, pairs) = ([2, TILE_ROWS], [TILE_ROWS, 2]);
    let description = Block::new(b.ctx, &[Type::tensor(&rows, element)]);
    let inside = Builder::at_end(description, b.loc, b.ctx);
    let beside = build::compute(&inside, "c", &pairs, element, |b, at| {
        build::read(b, description.arg(0), &[at[1], at[0]])
    });
    te::ops::Yield::build(&inside, &[beside]);

    let memrefs = [rows, pairs].map(|shape| Type::memref(&shape, element));
    let implementation = Block::new(b.ctx, &memrefs);
    implement(
        &Builder::at_end(implementation, b.loc, b.ctx),
        implementation,
    );
    te::ops::TensorIntrin::build(b, PAIRS, description, implementation)
}

fn implement(b: &Builder, block: Block) {
    let vector = |lanes| Type::vector(&[lanes], Type::bf16(b.ctx));
    let zero = b.index(0);
    let [first, second] = [0, 1].map(|row| {
        let at = [b.index(row), zero];
        vector::Load::build(b, vector(TILE_ROWS), block.arg(0), &at)
    });
    let both = vector::Interleave::build(b, first, second);
    vector::Store::build(b, both, block.arg(1), &[zero, zero]);
}

#[cfg(test)]
mod tests {
    use super::intrinsic;
    use crate::intrin::x86_amx::tests::in_module;
    use relay_dialects::{context, ir::Ctx};

    #[test]
    fn the_intrinsic_is_valid() {
        let context = context();
        assert!(in_module(Ctx::of(&context), intrinsic).verify());
    }
}
