//! Convolutions of which some taps meet padding, taken apart so that these are not multiplied.

use super::{Cycles, winograd::PRODUCTS_PER_CYCLE};
use crate::schedule::{F32_BYTES, Machine};
use relay_dialects::index::ceil_div;

/// Multiply-adds of vectors in a cycle of pieces, whose rows are short, so that few tiles of registers fit them. Fitted
/// by hand: the pieces of 3 x 3 windows of dilation 12 on 33 x 33 pixels reach 0.75 of the rate of the whole one.
const PIECES_PER_CYCLE: f64 = 0.75 * PRODUCTS_PER_CYCLE;

/// The cycles from the end of a kernel to the first multiply-adds of the next one, with threads told in between.
/// About 1 microsecond by runtime/examples/launch.rs with two threads.
const CYCLES_OF_KERNEL: f64 = 3000.0;

/// The cycles in which a vector of a result is put beside those of other parts. Fitted by hand, from the same pieces:
/// 0.1 ms for 17 thousand vectors.
const CYCLES_OF_JOINING: f64 = 16.0;

/// What a convolution comes to, in one piece or in several.
#[derive(Clone, Copy, Debug)]
pub struct Taken {
    /// The pieces.
    pub pieces: i64,
    /// The positions of the windows of all pieces.
    pub positions: i64,
    /// The taps of all pieces.
    pub taps: i64,
    /// The taps at all positions: what is multiplied of each input for each output.
    pub products: i64,
}

/// A convolution that may be taken apart.
#[derive(Clone, Copy, Debug)]
pub struct TakenApart {
    /// The channels of the result, of all samples.
    pub outputs: i64,
    /// The channels of the data that each output is the sum of.
    pub inputs: i64,
    /// The convolution in one piece.
    pub whole: Taken,
}

impl TakenApart {
    /// In one piece, with all taps at all positions.
    pub fn plain(self, machine: Machine) -> Cycles {
        self.sums(self.whole, PRODUCTS_PER_CYCLE, machine)
    }

    /// The pieces' results beside each other; a weight is read for each piece that has its tap.
    pub fn by_parts(self, taken: Taken, machine: Machine) -> Cycles {
        let vectors = self.vectors(machine);
        let again =
            (taken.taps - self.whole.taps) * self.inputs * vectors * machine.vector_bits / 8;
        let reading = again as f64 / machine.l3_bytes_per_cycle;
        let joining = CYCLES_OF_JOINING * (self.whole.positions * vectors) as f64;
        self.pieces(taken, machine) + Cycles(reading + joining)
    }

    fn pieces(self, taken: Taken, machine: Machine) -> Cycles {
        let more = (taken.pieces - self.whole.pieces) as f64;
        self.sums(taken, PIECES_PER_CYCLE, machine) + Cycles(CYCLES_OF_KERNEL * more)
    }

    fn sums(self, taken: Taken, per_cycle: f64, machine: Machine) -> Cycles {
        let products = taken.products * self.inputs * self.vectors(machine);
        Cycles(products as f64 / per_cycle)
    }

    /// The vectors of the result at one position.
    fn vectors(self, machine: Machine) -> i64 {
        ceil_div(self.outputs, machine.lanes(F32_BYTES))
    }
}
