//! Launches on a GPU.
//!
//! A launch takes as long as its multiprocessors compute, or as memory takes to move what they read and write. Both are slower
//! while too few threads run to hide latencies.

use super::{Cycles, memory::Element};
use relay_dialects::index::ceil_div;
use relay_machine::Gpu;

/// The cycles from a load to an answer of memory. Measured by others on cards from V100 to H100: 400 to 700.
const MEMORY_LATENCY: f64 = 600.0;

/// The cycles from a multiply-add to one that needs its sum. The CUDA C++ programming guide: 4 from compute capability 7.0 on.
const ARITHMETIC_LATENCY: f64 = 4.0;

/// The bytes that a thread asks memory for before it waits: four numbers of 32 bits, as loops are unrolled.
const BYTES_IN_FLIGHT: f64 = 16.0;

/// The cycles between two launches that follow each other: 2 microseconds at 1.5 GHz.
const LAUNCH: f64 = 3000.0;

/// A function takes as many cycles as this many multiply-adds: a quarter of a warp's lanes begin one of its steps in a cycle, and
/// it has some ten steps.
pub const OPERATIONS_OF_FUNCTION: f64 = 20.0;

/// The multiply-adds that take as long as the indices of a thread's first element. Counted in PTX of four dimensions: some 20 instructions.
pub const OPERATIONS_OF_INDEX: f64 = 20.0;

/// The part of the sectors that warps read in part and that come from memory more than once: the first cache keeps the others until
/// neighbours are read. By hand: eight times the bytes of a warp count as [`APART`].
const READ_AGAIN: f64 = 0.5;

/// The registers of a thread that computes indices and single elements.
const FEW_REGISTERS: i64 = 32;

/// A stage that takes functions is computed once if a reduction would repeat each element more often than this. Derived: a function
/// takes some 20 instructions, as long as a warp waits for the few bytes of an element in memory.
pub const MOST_REPEATED: i64 = 4;

/// The most threads of a block. Larger blocks leave more of a multiprocessor idle at their end, and hide no more latency.
pub const MOST_THREADS: i64 = 256;

/// The most results that a block's threads share.
pub const MOST_ROWS: i64 = 8;

/// The most launches after the first one in which parts are combined.
pub const MOST_LEVELS: u32 = 3;

/// The longest row that one block computes while other blocks may have none. Derived: its bytes, 64 KB of f32, stay in the first
/// cache between two stages.
pub const LONG_ROW: i64 = 1 << 14;

/// How many times its bytes a reduction takes from memory where neighbouring threads read what lies apart: a sector has 32 bytes, and
/// the first cache keeps some of it until the next numbers are read. By hand: as for the rows of a matrix that threads share.
pub const APART: f64 = 4.0;

/// How many times its bytes a stage takes from memory whose warps read sectors of so many times the bytes.
pub fn times_read(overhead: f64) -> f64 {
    (overhead * READ_AGAIN).max(1.0)
}

/// The cycles in which a thread adds a number from shared memory.
pub const CYCLES_OF_SHARED: f64 = 30.0;

/// The results that share an element of each operand of a product must be this many. Below, copies in shared memory save nothing that
/// the first cache does not.
pub const LEAST_SHARED: i64 = 4;

/// The most threads along an axis of a tile. Derived: two warps of neighbours have tiles as long as two rows of sectors.
pub const MOST_THREADS_ALONG: i64 = 64;

/// The most results of a thread along an axis of a tile.
pub const MOST_RESULTS_ALONG: i64 = 8;

/// The most results of a thread. Derived: for 8 x 8, a thread reads 16 numbers for 64 multiply-adds, and needs 100 of 255 registers.
pub const MOST_RESULTS: i64 = 64;

/// How many of the numbers of threads of a block, from the largest on, tiles are tried with.
pub const COUNTS_OF_THREADS: usize = 3;

/// The indices along the first reduce axis to choose from for a step.
pub const DEPTHS: [i64; 4] = [32, 16, 8, 4];

/// The most multiply-adds of a thread that are written out. Derived: their code has 4 KB, of an instruction cache of 32 KB or more.
pub const MOST_COPIES: i64 = 256;

/// The sides of a tile of a transpose to choose from, beside those of short dimensions. Derived: 32 numbers of one to four bytes are whole
/// sectors.
pub const SIDES: [i64; 4] = [32, 64, 128, 256];

/// The longest dimension that is a side of a tile of a transpose as a whole. Derived: as the longest side.
pub const LONGEST_SIDE: i64 = 256;

/// The most elements of a tile that a thread copies. Derived: 16 loads of 4 bytes in flight for each of few warps hide the latency of memory.
pub const MOST_STEPS_OF_COPY: i64 = 16;

/// The factor and the rest of a row's elements in shared memory, for rows of an odd number of words: 32 neighbours along a column are then
/// in different ones of the 32 banks.
pub fn odd_words(bytes: i64) -> (i64, i64) {
    let offset = (REGISTER_BYTES / bytes.max(1)).max(1);
    (2 * offset, offset)
}

/// The keys of a block of an attention. Derived: 32 keys and values of 64 numbers of f32 have 16 KB, so that two blocks of threads
/// have their shared memory at once.
pub const KEYS_OF_BLOCK: i64 = 32;

/// The most threads that share a maximum or a sum of the scores of a query. Derived: of 32 keys, two steps of four and eight.
pub const MOST_LANES_OF_ROW: i64 = 4;

/// The registers of a result of an attention: for its part of a step, and for a maximum, a sum and a result of all steps.
pub const NUMBERS_OF_RESULT: i64 = 4;

/// The most results of a thread of an attention. Derived: each has four registers, and 32 of them leave half of 255 to operands.
pub const MOST_RESULTS_OF_ATTENTION: i64 = 32;

/// The most multiply-adds of a thread of an attention that are written out. Derived: as many as read 32 numbers or less for eight results.
/// More are read ahead, into registers that results and maxima need.
pub const MOST_COPIES_OF_ATTENTION: i64 = 64;

/// The bytes of a register.
pub const REGISTER_BYTES: i64 = 4;

/// The bytes of the widest access of a thread to memory. PTX ISA, `ld`: 128 bits.
pub const VECTOR_BYTES: i64 = 16;

/// The most warps of a block along an axis, where warps multiply matrices.
pub const MOST_WARPS_ALONG: i64 = 4;

/// The most matrices of a warp along an axis. Derived: 4 x 8 of 16 x 8 sums need 128 of 255 registers.
pub const MOST_MATRICES_ALONG: i64 = 8;

/// The most threads of a block, where warps multiply matrices. Derived: eight warps fill the four units of a multiprocessor twice.
pub const MOST_THREADS_OF_MATRICES: i64 = 256;

/// The most registers of a lane that holds matrices. Derived: of 255, the rest is left to addresses.
pub const MOST_REGISTERS_OF_MATRICES: i64 = 208;

/// The depths of matrices to choose from for a step.
pub const DEPTHS_OF_MATRICES: [i64; 3] = [4, 2, 1];

/// The bytes between two rows of a part in shared memory, beside the rows' own. Derived: eight rows of 2^n bytes each then begin in
/// different ones of the 32 banks of 4 bytes, and vectors of 16 bytes stay aligned.
const BYTES_BETWEEN_ROWS: i64 = 16;

/// The elements from a row of `depth` elements in shared memory to the next one.
pub fn stride_of_rows(depth: i64, bytes: i64) -> i64 {
    depth + BYTES_BETWEEN_ROWS / bytes
}

/// The bytes of shared memory that a block has without being asked for more: on all cards.
const USUAL_SHARED_BYTES: i64 = 48 << 10;

/// The bandwidth of the cache that multiprocessors share / that of memory. Measured by others: 2 to 3 on cards from V100 to H100.
const RATE_OF_L2: f64 = 2.5;

/// The cycles in which the threads of a block wait for each other, twice in a step. Measured by others: some 20 each.
const BARRIERS: f64 = 40.0;

/// The bytes of shared memory that a block may have.
pub fn most_shared_bytes(gpu: Gpu) -> i64 {
    gpu.shared_bytes_of_block.min(USUAL_SHARED_BYTES)
}

/// The registers of a thread that keeps some results, and reads some numbers for a term of all of them.
pub fn registers_of_tile(results: i64, read: i64) -> i64 {
    FEW_REGISTERS + results + read
}

/// The bytes that take memory as long as `all` bytes that blocks read, of which `distinct` are distinct: the others come from the
/// cache that multiprocessors share.
pub fn bytes_with_cache(distinct: f64, all: f64) -> f64 {
    distinct + (all - distinct).max(0.0) / RATE_OF_L2
}

/// The steps of a block, each of which begins with copies that all its threads wait for.
#[derive(Clone, Copy, Debug)]
pub struct Steps {
    /// Their number.
    pub steps: i64,
    /// The blocks.
    pub launch: Launch,
}

impl Steps {
    /// The cycles for which a multiprocessor waits: the other blocks that it holds compute meanwhile.
    pub fn cycles(self, gpu: Gpu) -> Cycles {
        let at_once = self.launch.resident(gpu).clamp(1, self.launch.of_last(gpu));
        let waiting = MEMORY_LATENCY / at_once as f64 + BARRIERS;
        Cycles(self.launch.waves(gpu) as f64 * self.steps as f64 * waiting)
    }
}

/// The blocks of a launch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Launch {
    /// Their number.
    pub blocks: i64,
    /// The threads of one.
    pub threads: i64,
    /// The 32-bit registers of a thread.
    pub registers: i64,
    /// The bytes of shared memory of a block.
    pub shared_bytes: i64,
}

/// What all threads of a launch do together.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Work {
    /// Multiply-adds, or what takes as long.
    pub operations: f64,
    /// The bytes to and from memory.
    pub bytes: f64,
    /// The 32-bit words that are read from shared memory.
    pub shared_words: f64,
}

impl Launch {
    /// Blocks that need few registers, and no shared memory.
    pub fn of(blocks: i64, threads: i64) -> Self {
        Self {
            blocks,
            threads,
            registers: FEW_REGISTERS,
            shared_bytes: 0,
        }
    }

    /// How many blocks a multiprocessor holds at once.
    fn resident(self, gpu: Gpu) -> i64 {
        let most = |all: i64, each: i64| all / each.max(1);
        most(gpu.threads_of_multiprocessor, self.threads)
            .min(gpu.blocks_of_multiprocessor)
            .min(most(
                gpu.registers_of_multiprocessor,
                self.threads * self.registers,
            ))
            .min(most(gpu.shared_bytes_of_multiprocessor, self.shared_bytes))
    }

    /// The blocks of the multiprocessor that has the most.
    fn of_last(self, gpu: Gpu) -> i64 {
        ceil_div(self.blocks.max(1), gpu.multiprocessors)
    }

    /// How many times that multiprocessor begins as many blocks as it holds.
    pub fn waves(self, gpu: Gpu) -> i64 {
        ceil_div(self.of_last(gpu), self.resident(gpu).max(1))
    }
}

/// The multiply-adds that take as long as an element.
pub fn operations(element: Element) -> f64 {
    1.0 + element.operations as f64 + element.functions as f64 * OPERATIONS_OF_FUNCTION
}

/// What a launch takes.
pub fn cycles(launch: Launch, work: Work, gpu: Gpu) -> Cycles {
    cycles_with(launch, work, BYTES_IN_FLIGHT, gpu)
}

/// Threads that do not wait for each other.
#[derive(Clone, Copy, Debug)]
pub struct Stream {
    /// The blocks.
    pub launch: Launch,
    /// The elements of a thread.
    pub elements: i64,
    /// The multiply-adds that take as long as one of them.
    pub operations: f64,
    /// The bytes that all threads read and write.
    pub bytes: f64,
    /// The bytes of what they read, which each asks for before it computes.
    pub read: i64,
}

impl Stream {
    /// What the launch takes: beside its bandwidth, each wave takes as long as a thread computes.
    pub fn cycles(self, gpu: Gpu) -> Cycles {
        let of_thread = OPERATIONS_OF_INDEX + self.elements as f64 * self.operations;
        let work = Work {
            operations: (self.launch.blocks * self.launch.threads) as f64 * of_thread,
            bytes: self.bytes,
            shared_words: 0.0,
        };
        let threads = (self.launch.blocks * self.launch.threads).max(1);
        let in_flight = match self.read {
            // No thread waits.
            0 => BYTES_IN_FLIGHT,
            read => (read as f64 / threads as f64).max(1.0),
        };
        let waves = self.launch.waves(gpu) as f64;
        cycles_with(self.launch, work, in_flight, gpu)
            + Cycles(waves * of_thread * ARITHMETIC_LATENCY)
    }
}

fn cycles_with(launch: Launch, work: Work, in_flight: f64, gpu: Gpu) -> Cycles {
    let resident = launch.resident(gpu);
    if resident == 0 || launch.threads > gpu.threads_of_block {
        return Cycles::NEVER;
    }
    let blocks = launch.blocks.max(1);
    // The multiprocessor with the most blocks ends last.
    let of_last = launch.of_last(gpu);
    let share = of_last as f64 / blocks as f64;
    let active = (resident.min(of_last) * launch.threads) as f64;
    let hidden = |latency: f64, per_cycle: f64| (active / (latency * per_cycle)).min(1.0);
    let arithmetic = work.operations * share / gpu.fma_per_cycle as f64;
    let arithmetic = arithmetic / hidden(ARITHMETIC_LATENCY, gpu.fma_per_cycle as f64);
    // A warp's words come from as many banks.
    let shared = work.shared_words * share / gpu.warp as f64;
    let running = active * gpu.multiprocessors.min(blocks) as f64;
    let bandwidth = gpu
        .memory_bytes_per_cycle
        .min(running * in_flight / MEMORY_LATENCY);
    let waves = launch.waves(gpu) as f64;
    let busy = arithmetic.max(shared).max(work.bytes / bandwidth);
    Cycles(LAUNCH + waves * MEMORY_LATENCY + busy)
}

#[cfg(test)]
mod tests {
    use super::*;
    use relay_machine::Card;

    #[test]
    fn more_blocks_and_bytes_take_longer() {
        let gpu = Card::named("nvidia/h100").expect("the card is there").gpu;
        let time = |blocks: i64, bytes: f64| {
            let work = Work {
                bytes,
                ..Work::default()
            };
            cycles(Launch::of(blocks, 256), work, gpu)
        };
        assert!(time(1000, 1e6).compare(&time(1000, 1e7)).is_lt());
        // One block does not use the bandwidth.
        assert!(time(1000, 1e7).compare(&time(1, 1e7)).is_lt());
        assert_eq!(
            cycles(Launch::of(1, 4096), Work::default(), gpu),
            Cycles::NEVER
        );
    }
}
