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
