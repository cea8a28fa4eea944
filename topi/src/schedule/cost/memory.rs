//! Stages that move data or compute element by element.

use super::Cycles;
use crate::schedule::Machine;

/// Bytes that are read or written one after the other, which the processor fetches ahead: from the second cache, or from
/// memory where that does not hold them.
pub fn stream(bytes: i64, machine: Machine) -> Cycles {
    let per_cycle = if machine.stays_in_l2(bytes) {
        machine.l2_bytes_per_cycle
    } else {
        machine.memory_bytes_per_cycle
    };
    Cycles(bytes as f64 / per_cycle)
}

/// What it takes to compute an element.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Element {
    /// Additions, multiplications, comparisons.
    pub operations: i64,
    /// Divisions, exponentials and the like.
    pub functions: i64,
}

/// The cycles that a function of a vector takes. Derived: our polynomials have 10 to 20 operations, of which two begin in
/// a cycle; a division of 16 f32 takes 10 (uops.info, VDIVPS on Ice Lake).
const CYCLES_OF_FUNCTION: f64 = 10.0;

/// So many elements in vectors of `lanes`.
pub fn compute(elements: i64, lanes: i64, element: Element, machine: Machine) -> Cycles {
    let each = element.operations as f64 / machine.fma_per_cycle as f64
        + element.functions as f64 * CYCLES_OF_FUNCTION;
    Cycles(elements as f64 / lanes.max(1) as f64 * each)
}

/// The cycles in which an element of a stage whose subscripts are no plain rows finds its place. Derived: a quotient and a
/// remainder by a constant are each a multiplication and a shift, and a load and a store follow.
const CYCLES_OF_PLACE: f64 = 2.0;

/// So many elements that are moved one by one.
pub fn scatter(elements: i64) -> Cycles {
    Cycles(CYCLES_OF_PLACE * elements as f64)
}

/// The cycles that a line takes that is no longer in the first cache when the next element of it is wanted, from the second
/// (14 cycles on Skylake servers, Intel's optimization manual; 5 of them can be under way at a time).
const CYCLES_OF_LINE: f64 = 3.0;

/// Elements of `bytes` each, moved by tiles of `lines` times `lanes`. Lines that are not read whole are read again.
pub fn transpose(elements: i64, bytes: i64, [lines, lanes]: [i64; 2], machine: Machine) -> Cycles {
    let whole = machine.line_bytes / bytes.max(1);
    let times = (whole as f64 / lines as f64).max(1.0);
    let read = elements as f64 / whole as f64 * times * CYCLES_OF_LINE;
    let stored = elements as f64 / lanes as f64;
    // What a vector of another order is put together from.
    Cycles(read + stored) + Cycles(elements as f64 / machine.loads_per_cycle as f64)
}
