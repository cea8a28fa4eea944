//! Which parameters a kernel expects in one place.

use relay_dialects::{
    ir::{Op, Value},
    ops::{arith, memref},
};

/// Pairs of parameters that may be one buffer because the kernel compares their addresses: it is written for both answers.
pub fn compared(kernel: Op) -> Vec<(usize, usize)> {
    let parameters = kernel.body().args();
    let parameter = |address: Value| {
        let buffer = address
            .def_of(memref::ExtractAlignedPointerAsIndex::NAME)?
            .operand(0);
        parameters.iter().position(|known| *known == buffer)
    };
    let pair = |compare: Op| {
        let (lhs, rhs) = (
            parameter(compare.operand(0))?,
            parameter(compare.operand(1))?,
        );
        Some((lhs.min(rhs), lhs.max(rhs)))
    };
    let compares = kernel.find_all(arith::CmpI::NAME).into_iter();
    compares.filter_map(pair).collect()
}
