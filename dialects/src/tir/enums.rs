//! The enum attributes of `td/tir/Enums.td`.

use crate::enums::{enum_attr, written_attr};

enum_attr! {
    /// How a loop runs.
    LoopKind {
        /// One iteration after the other.
        Serial = 0, "serial";
        /// Shared among threads.
        Parallel = 1, "parallel";
        /// As vector instructions.
        Vectorized = 2, "vectorized";
        /// Its body repeated in the code.
        Unrolled = 3, "unrolled";
        /// As an axis of a grid of threads.
        ThreadBinding = 4, "thread_binding";
    }
}

enum_attr! {
    /// An axis of a grid of threads.
    Thread {
        /// Blocks along x.
        BlockX = 0, "blockIdx.x";
        /// Blocks along y.
        BlockY = 1, "blockIdx.y";
        /// Blocks along z.
        BlockZ = 2, "blockIdx.z";
        /// The threads of a block along x.
        ThreadX = 3, "threadIdx.x";
        /// The threads of a block along y.
        ThreadY = 4, "threadIdx.y";
        /// The threads of a block along z.
        ThreadZ = 5, "threadIdx.z";
        /// Threads whose iterations one thread interleaves.
        Virtual = 6, "vthread";
    }
}

impl Thread {
    /// The axes of a grid, in the order in which launches say their extents: those of the blocks, then those of a block's threads.
    pub const AXES: [Self; 6] = [
        Self::BlockX,
        Self::BlockY,
        Self::BlockZ,
        Self::ThreadX,
        Self::ThreadY,
        Self::ThreadZ,
    ];

    /// Whether it counts the blocks of a grid, which are independent of each other.
    pub fn is_block(self) -> bool {
        matches!(self, Self::BlockX | Self::BlockY | Self::BlockZ)
    }

    /// Whether it counts the threads of a block, which share memory.
    pub fn is_of_block(self) -> bool {
        matches!(self, Self::ThreadX | Self::ThreadY | Self::ThreadZ)
    }
}

enum_attr! {
    /// The memory that a buffer lies in.
    Scope {
        /// Memory that all threads share.
        Global = 0, "global";
        /// Registers or stack of one thread.
        Local = 1, "local";
        /// Memory that the threads of a block share.
        Shared = 2, "shared";
        /// Registers of the lanes of a warp. The last dimension but one numbers the lanes, the last one the registers of a lane.
        Fragment = 3, "fragment";
    }
}

impl Scope {
    /// LLVM's number of the address space of [`Scope::Shared`], on NVIDIA's and AMD's GPUs.
    pub const SHARED_ADDRESS_SPACE: i64 = 3;
}

written_attr!(Scope, "#tir.scope");

enum_attr! {
    /// Who makes a kernel.
    KernelKind {
        /// This compiler: a function of loops over buffers.
        Generated = 0, "generated";
        /// Nobody: its result has the bytes of its operand, and is a view of that.
        View = 1, "view";
        /// Somebody else: a declaration, whose code comes from outside.
        External = 2, "external";
    }
}

written_attr!(KernelKind, "#tir.kernel");

enum_attr! {
    /// What an iteration variable of a block does.
    IterType {
        /// Each value computes elements of its own.
        Spatial = 0, "spatial";
        /// All values add to the same elements.
        Reduce = 1, "reduce";
    }
}
