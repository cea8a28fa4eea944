//! The sizes that schedules are planned for where extents are open.

use relay_dialects::{
    dim::Dim,
    ir::{Op, Value},
    ops::builtin,
    symbols::{USUAL, symbols},
};

/// The extents of a tensor that an op reads or makes, as far as they are known, and typical ones.
pub fn planned_shape(op: Op, tensor: Value) -> Vec<i64> {
    planned(op, &tensor.ty().dims())
}

/// Extents as far as they are known, and typical ones, as the module around an op has them.
pub fn planned(op: Op, dims: &[Dim]) -> Vec<i64> {
    let size = |dim: &Dim| {
        let open = || dim.value(&|symbol| Some(typical(op, symbol)));
        dim.known().or_else(open).unwrap_or(USUAL).max(0)
    };
    dims.iter().map(size).collect()
}

/// Likewise, with one sample where the number of samples, the first extent, is open: for a choice that is much worse for one
/// sample than for many, and little better for many.
pub fn shape_of_sample(op: Op, tensor: Value) -> Vec<i64> {
    let mut shape = planned_shape(op, tensor);
    if let (Some(samples), Some(dim)) = (shape.first_mut(), tensor.ty().dims().first())
        && !dim.is_known()
    {
        *samples = 1;
    }
    shape
}

/// The factor by which the parts of an open loop shrink where its extent is too short for those of its schedule. It was chosen by
/// hand, as a step between whole tiles and single vectors.
const SMALLER: i64 = 4;

/// The length of smaller parts of an open loop, for extents below `length`: whole vectors of so many lanes.
pub fn smaller_part(length: i64, lanes: i64) -> i64 {
    (length / SMALLER / lanes * lanes).max(lanes)
}

/// The size that a symbol typically has.
fn typical(op: Op, symbol: &str) -> i64 {
    let module =
        std::iter::successors(Some(op), |op| op.parent()).find(|op| op.is(builtin::Module::NAME));
    let known = module
        .and_then(|module| symbols(module).ok())
        .unwrap_or_default();
    let found = known.into_iter().find(|known| known.name == symbol);
    found.map_or(USUAL, |known| known.typical)
}
