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

/// So many elements in vectors of `lanes`.
pub fn compute(elements: i64, lanes: i64, element: Element, machine: Machine) -> Cycles {
    let each = element.operations as f64 / machine.fma_per_cycle as f64
        + element.functions as f64 * machine.fitted.cycles_of_function;
    Cycles(elements as f64 / lanes.max(1) as f64 * each)
}

/// Elements of `bytes` each, moved by tiles of `lines` times `lanes`. Lines that are not read whole are read again.
pub fn transpose(elements: i64, bytes: i64, [lines, lanes]: [i64; 2], machine: Machine) -> Cycles {
    let whole = machine.line_bytes / bytes.max(1);
    let times = (whole as f64 / lines as f64).max(1.0);
    let read = elements as f64 / whole as f64 * times * machine.fitted.cycles_of_line;
    let stored = elements as f64 / lanes as f64;
    // What a vector of another order is put together from.
    Cycles(read + stored) + Cycles(elements as f64 / machine.loads_per_cycle as f64)
}

/// So many rows of a matrix are read side by side: as many streams as the processor fetches ahead by itself. Fitted by hand:
/// 1 and 4 rows by 4096 x 4096.
pub const STREAMS: std::ops::RangeInclusive<i64> = 4..=8;
