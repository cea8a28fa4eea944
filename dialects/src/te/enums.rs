//! The enum attributes of `td/te/Enums.td`.

use crate::enums::enum_attr;

enum_attr! {
    /// How values along reduce axes are combined.
    Reducer {
        /// Their sum.
        Sum = 0, "sum";
        /// Their product.
        Prod = 1, "prod";
        /// The largest.
        Max = 2, "max";
        /// The smallest.
        Min = 3, "min";
        /// Whether all are true; bitwise for integers.
        All = 4, "all";
        /// Whether any is true; bitwise for integers.
        Any = 5, "any";
        /// By the compute's own combiner.
        Custom = 6, "custom";
    }
}

enum_attr! {
    /// What a stage is for, by which schedules choose a template.
    Role {
        /// What an operator with a window reads, with padding around it.
        Pad = 0, "pad";
        /// Narrow floats in the type that is computed in.
        Widen = 1, "widen";
        /// A convolution of plain channels, of any rank.
        Conv = 2, "conv";
        /// As `Conv`, of each channel on its own.
        DepthwiseConv = 3, "depthwise_conv";
        /// A convolution of blocks of channels.
        PackedConv = 4, "packed_conv";
        /// As `PackedConv`, of each channel on its own.
        PackedDepthwiseConv = 5, "packed_depthwise_conv";
        /// A product whose second operand lies in rows.
        Matmul = 6, "matmul";
        /// A product whose second operand lies in blocks of columns.
        PackedDense = 7, "packed_dense";
        /// A reduction of windows.
        Pool = 8, "pool";
        /// Winograd's tiles of the data, transformed along columns.
        WinogradDataColumns = 9, "winograd_data_columns";
        /// Those tiles, transformed along rows too.
        WinogradData = 10, "winograd_data";
        /// The products of transformed data and weight.
        WinogradProduct = 11, "winograd_product";
        /// The products, transformed back along columns.
        WinogradResultColumns = 12, "winograd_result_columns";
        /// The result of Winograd's convolution: transformed back along rows too.
        WinogradResult = 13, "winograd_result";
        /// Bytes that lie together as one word, which one load reads.
        Words = 14, "words";
        /// The products of bytes of a block, summed up in integers.
        BlockSums = 15, "block_sums";
        /// A product that adds up `BlockSums`, each with the scale of its block.
        DenseBlocks = 16, "dense_blocks";
    }
}

enum_attr! {
    /// What `te.pragma` asks of the passes on loops.
    Pragma {
        /// Unroll what takes at most so many steps.
        AutoUnrollMaxStep = 0, "auto_unroll_max_step";
        /// Leave unrolling to LLVM, with 0.
        UnrollExplicit = 1, "unroll_explicit";
        /// Split loops at any condition.
        LoopPartitionHint = 2, "loop_partition_hint";
    }
}

enum_attr! {
    /// A cache of the core that runs a loop.
    Cache {
        /// The first one, for data.
        First = 0, "l1";
        /// The second one.
        Second = 1, "l2";
    }
}
