//! Layouts of operands, which passes on Relay choose before there are schedules.

use super::{Cycles, MIN_LANES, amx, halves, winograd::PRODUCTS_PER_CYCLE};
use crate::intrin::x86_amx::Numbers;
use crate::schedule::{F32_BYTES, Machine};
use relay_dialects::index::{ceil_div, product};

/// The cycles that an element takes to be put into blocks, or to be transposed, most of them waiting. Fitted by hand:
/// products whose second operand is an input.
const CYCLES_OF_MOVE: f64 = 1.5;

/// Of fewer rows, the second operand of a product is read where it lies without a copy, and each vector of narrow floats
/// is widened as it is read. Fitted by hand.
pub const ROWS_OF_COPY: i64 = 32;

/// So few rows that a product waits for memory. Derived: a vector from memory takes 16 cycles, in which 4 rows'
/// multiply-adds are done several times over.
pub const FEW_ROWS: i64 = 4;

/// The elements of a result / those of an operand that may be repeated to work on a product's shape: at least this. Derived: writing
/// and reading the operand again is then little of what the result takes, which need not go to memory.
pub const LEAST_OF_REPEATED: i64 = 8;

/// The cycles that a vector takes to be read from rows that lie apart, beyond those of one that lies in a block.
/// Fitted by hand, as the next two: products whose second operand is an input.
const CYCLES_OF_READ: f64 = 1.0;

/// The cycles that a vector takes to be copied from rows that lie apart.
const CYCLES_OF_COPY: f64 = 8.0;

/// The cycles that adding up the lanes of a vector takes.
const CYCLES_OF_LANES: f64 = 20.0;

/// The cycles that a vector takes from behind a core's own cache, of rows that are read one after the other.
/// Fitted by hand.
const CYCLES_OF_FAR_VECTOR: f64 = 4.0;

/// A product of `rows` x `depth` and `depth` x `columns` f32, of which there are some in a batch.
#[derive(Clone, Copy, Debug)]
pub struct Product {
    /// The rows of the first operand.
    pub rows: i64,
    /// The columns of the first operand, which are summed over.
    pub depth: i64,
    /// The columns of the result.
    pub columns: i64,
}

impl Product {
    /// Multiply-adds of vectors of `lanes` columns.
    fn multiply(self, lanes: i64, machine: Machine) -> Cycles {
        let vectors = product(&[self.rows, self.depth, ceil_div(self.columns, lanes)]);
        Cycles(vectors as f64 / machine.fma_per_cycle as f64)
    }

    /// Moving the second operand into blocks, the last one filled up.
    pub fn moving(self, machine: Machine) -> Cycles {
        let lanes = machine.block();
        let elements = self.depth * ceil_div(self.columns, lanes) * lanes;
        Cycles(CYCLES_OF_MOVE * elements as f64)
    }

    /// The second operand in blocks that whole vectors hold; what fills up the last one is cut off
    /// the result again.
    pub fn in_blocks(self, machine: Machine) -> Cycles {
        let lanes = machine.block();
        let is_whole = self.columns % lanes == 0;
        let cut = if is_whole {
            0
        } else {
            self.rows * self.columns
        };
        self.multiply(lanes, machine) + Cycles(cut as f64)
    }

    /// The second operand read where it lies, in rows, by vectors no longer than those. For
    /// many rows, the schedule copies it for each part of the first operand that the cache holds. Never, where rows are
    /// shorter than any vector of at least `least` lanes.
    pub fn as_it_lies(self, least: i64, machine: Machine) -> Cycles {
        let mut fitting = halves(machine.block()).take_while(|lanes| *lanes >= least);
        let Some(lanes) = fitting.find(|lanes| *lanes <= self.columns) else {
            return Cycles::NEVER;
        };
        let vectors = (self.depth * ceil_div(self.columns, lanes)) as f64;
        let apart = match self.rows {
            ..ROWS_OF_COPY => CYCLES_OF_READ,
            rows => {
                let parts = ceil_div(2 * F32_BYTES * rows * self.depth, machine.l2_bytes);
                CYCLES_OF_COPY * parts as f64
            }
        };
        self.multiply(lanes, machine) + Cycles(apart * vectors)
    }

    /// Each element a dot product of what lies together in both operands: two vectors are
    /// read for each multiply-add, from memory where the second operand does not fit the cache and several
    /// rows read it.
    pub fn as_dots(self, machine: Machine) -> Cycles {
        let in_cache = machine.stays_in_l2(F32_BYTES * self.depth * self.columns);
        let read = if self.rows == 1 || in_cache {
            1.0
        } else {
            CYCLES_OF_FAR_VECTOR
        };
        let vectors = self.depth as f64 / machine.block() as f64;
        Cycles((self.rows * self.columns) as f64 * (vectors * read + CYCLES_OF_LANES))
    }

    /// The product after its second operand was transposed.
    pub fn after_transpose(self, machine: Machine) -> Cycles {
        self.moving(machine) + self.multiply(machine.block(), machine)
    }
}

/// A 1 x 1 convolution in one group, at every pixel of one sample.
#[derive(Clone, Copy, Debug)]
pub struct Pixels {
    /// The pixels.
    pub count: i64,
    /// The channels of the data.
    pub inputs: i64,
    /// The channels of the result.
    pub outputs: i64,
    /// Whether the data is there with its channels in blocks.
    pub are_packed: bool,
}

impl Pixels {
    /// As a product of the weight and plain pixels, whose vectors are of neighbouring pixels.
    pub fn plain(self, machine: Machine) -> Cycles {
        let vectors = self.outputs * ceil_div(self.count, machine.block());
        self.products(vectors, self.are_packed)
    }

    /// With output channels in blocks, the last one filled up.
    pub fn in_blocks(self, block: i64) -> Cycles {
        let vectors = self.count * ceil_div(self.outputs, block);
        self.products(vectors, !self.are_packed)
    }

    /// The multiply-adds for so many vectors of the result, after the data was laid out anew if it is.
    fn products(self, vectors: i64, is_moved: bool) -> Cycles {
        let moved = if is_moved {
            self.count * self.inputs
        } else {
            0
        };
        let products = product(&[vectors, self.inputs]);
        Cycles(products as f64 / PRODUCTS_PER_CYCLE + CYCLES_OF_MOVE * moved as f64)
    }
}

/// A convolution of volumes, of one group.
#[derive(Clone, Copy, Debug)]
pub struct Volume {
    /// The elements of the result.
    pub results: i64,
    /// The multiply-adds of each.
    pub kernel: i64,
    /// The elements of the data, each counted as often as it is in a stack of planes that a window meets.
    pub stacked: i64,
    /// The elements of a row of the result.
    pub row: i64,
    /// From an element of a row to the next one, in the data.
    pub stride: i64,
    /// Whether Winograd's algorithm applies to its planes.
    pub winograd: bool,
    /// Whether AMX tiles multiply its planes.
    pub amx: bool,
    /// Whether channels are in blocks before planes are stacked.
    pub stacks_blocks: bool,
}

/// The cycles in which an element finds its place among the planes that a window meets, or is put back. Fitted by hand,
/// as those below: a volume of 64^3 with 32 channels took 104 ms on plain channels, 134 as planes of which half was moving.
const CYCLES_OF_STACKING: f64 = 5.0;

/// The same where channels are in blocks before planes are stacked, as for AMX tiles. Measured on a Xeon with AMX: 1.2 million
/// elements of bf16, three times 8 planes of 28 x 28 with 64 channels, were stacked in 0.46 ms from a volume, in 0.28 from
/// blocks; a third as many took 0.23 ms to be put back. That is 1 to 1.7 cycles at 3 GHz.
const CYCLES_OF_STACKING_BLOCKS: f64 = 1.5;

/// Multiply-adds of vectors in a cycle on plain channels: where data is gathered because of a stride, where a row is
/// some whole vectors, which hide each other's latency, and where it is not.
const GATHERED_PER_CYCLE: f64 = 0.2;
const WHOLE_PER_CYCLE: f64 = PRODUCTS_PER_CYCLE;
const CUT_PER_CYCLE: f64 = 0.8;

/// As many times as the plain sum's are done by Winograd's algorithm in a cycle: 2.6 of the plain sum's.
const WINOGRAD_PER_CYCLE: f64 = 2.6;

/// A tile of whole vectors of a row leaves no more than a twentieth of it to another one.
const REST: i64 = 20;

impl Volume {
    /// With rows of channels as they lie.
    pub fn plain(self, machine: Machine) -> Cycles {
        let lanes = machine.block();
        let is_whole = |count: i64| {
            self.row >= count * lanes && REST * (self.row % (count * lanes)) <= self.row
        };
        let rate = match self.stride {
            2.. => GATHERED_PER_CYCLE,
            _ if (2..=4).any(is_whole) => WHOLE_PER_CYCLE,
            _ => CUT_PER_CYCLE,
        };
        self.sums(rate, machine)
    }

    /// As planes on channels in blocks, with what it takes to stack those of the data and to put those of the result
    /// in order.
    pub fn as_planes(self, machine: Machine) -> Cycles {
        let sums = if self.amx {
            amx::products(Numbers::Bf16, product(&[self.results, self.kernel]))
        } else if self.winograd {
            self.sums(WINOGRAD_PER_CYCLE, machine)
        } else {
            self.sums(PRODUCTS_PER_CYCLE, machine)
        };
        let moving = if self.stacks_blocks {
            CYCLES_OF_STACKING_BLOCKS
        } else {
            CYCLES_OF_STACKING
        };
        sums + Cycles(moving * (self.stacked as f64 + self.results as f64))
    }

    fn sums(self, per_cycle: f64, machine: Machine) -> Cycles {
        let products = product(&[self.results, self.kernel]);
        let vectors = products as f64 / machine.block() as f64;
        Cycles(vectors / per_cycle)
    }
}

/// A sum of fewer products takes no longer than to bring its result out of blocks again. Derived: a move takes
/// [`CYCLES_OF_MOVE`], and 32 products of a vector of 16 one cycle and a part for each element.
pub const MIN_PRODUCTS_OF_BLOCKS: i64 = 32;

/// The most phases of a transposed convolution for each tap of its kernel, in one dimension. Each phase has a tap at least,
/// so that a weight becomes as many times as large by zeros that are kept in the library. A judgement: a kernel of one tap
/// that is moved by 16 elements is still worth it, and models have no such kernels that are moved further.
pub const MOST_PHASES_PER_TAP: i64 = 16;

/// The rows as which a 1 x 1 convolution sees its pixels: long ones, which any tile of registers divides
/// nearly, and of which a panel of the weight serves many tiles; but, with the `parts` of its channels, not too few
/// for threads. None if no number of rows does.
pub fn rows_of_pixels(pixels: i64, parts: i64, machine: Machine) -> Option<i64> {
    possible_rows(pixels).find(|rows| rows * parts >= machine.threads)
}

/// The numbers of rows as which a 1 x 1 convolution may see its pixels, the smallest first.
pub fn possible_rows(pixels: i64) -> impl Iterator<Item = i64> {
    let lengths = PIXELS_OF_ROW
        .rev()
        .filter(move |length| pixels % length == 0);
    lengths
        .map(move |length| pixels / length)
        .filter(|rows| *rows > 0)
}

/// Rows of so many pixels give tiles of registers enough to do. Fitted by hand: 1 x 1 convolutions of few pixels or channels.
const PIXELS_OF_ROW: std::ops::RangeInclusive<i64> = 6..=256;

/// Blocks narrower than this are not worth a change of layout: [`MIN_LANES`].
pub const MIN_BLOCK: i64 = MIN_LANES;

/// Of channels that are filled up with zeros, a twentieth may be: less than what moving the result into other blocks takes.
/// By hand.
const FREE_SHARE: i64 = 20;

/// Whether it takes next to nothing to compute `padded` channels in place of `channels`.
pub fn fills_up_free(channels: i64, padded: i64) -> bool {
    FREE_SHARE * (padded - channels) <= channels
}

/// With fewer products to a result, its channels are brought out of blocks in as much time as those take. Fitted by hand:
/// convolutions of few odd channels.
const MIN_PRODUCTS_OF_FILLING: i64 = 128;

/// Whether a sum of so many products takes so long that cutting off again what fills up a block does not count.
pub fn is_worth_filling_up(products: i64) -> bool {
    products >= MIN_PRODUCTS_OF_FILLING
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_channels_of_few_pixels_are_filled_up() {
        let machine = Machine::new(512);
        let pixels = |count, channels| Pixels {
            count,
            inputs: channels,
            outputs: channels,
            are_packed: false,
        };
        let (few, many) = (pixels(49, 200), pixels(784, 40));
        assert!(few.in_blocks(16) < few.plain(machine));
        assert!(many.plain(machine) < many.in_blocks(16));
        assert!(few.in_blocks(16) < few.in_blocks(8));
    }

    #[test]
    fn short_rows_have_no_vectors() {
        let machine = Machine::new(512);
        let product = Product {
            rows: 64,
            depth: 64,
            columns: 7,
        };
        assert_eq!(product.as_it_lies(8, machine), Cycles::NEVER);
        assert!(product.as_it_lies(4, machine) < Cycles::NEVER);
    }
}
