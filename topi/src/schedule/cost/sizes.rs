//! The sizes that schedules are planned for where extents are open.

use relay_dialects::{
    attrs::SYMBOLS,
    dim::Dim,
    ir::{Attr, Op, Value},
    ops::builtin,
};

/// The size of a symbol of which the module says nothing: such that loops are long enough for vectors, tiles and threads,
/// while a row of that many floats stays in the first cache. By hand.
const TYPICAL: i64 = 64;

/// The place of the typical size in what a module says of a symbol.
const PLACE: usize = 3;

/// The extents of a tensor that an op reads or makes, as far as they are known, and typical ones.
pub fn planned_shape(op: Op, tensor: Value) -> Vec<i64> {
    planned(op, &tensor.ty().dims())
}

/// Extents as far as they are known, and typical ones, as the module around an op has them.
pub fn planned(op: Op, dims: &[Dim]) -> Vec<i64> {
    let size = |dim: &Dim| {
        let open = || dim.value(&|symbol| Some(typical(op, symbol)));
        dim.known().or_else(open).unwrap_or(TYPICAL).max(0)
    };
    dims.iter().map(size).collect()
}

/// The size that a symbol typically has.
fn typical(op: Op, symbol: &str) -> i64 {
    let module =
        std::iter::successors(Some(op), |op| op.parent()).find(|op| op.is(builtin::Module::NAME));
    let symbols = module.and_then(|module| module.attr(SYMBOLS));
    let sizes = symbols
        .and_then(|symbols| symbols.get(symbol))
        .and_then(Attr::as_ints);
    let typical = sizes.and_then(|sizes| sizes.get(PLACE).copied());
    typical.unwrap_or(TYPICAL)
}
