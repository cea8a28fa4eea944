//! The walk of a convolution to a processor's vectors.

use super::{Shown, Step, Walk};

/// One convolution.
pub const CONVOLUTION: Walk = Walk {
    model: "examples/tour/convolution.mlir",
    kernel: "conv2d",
    introduction: INTRODUCTION,
    steps: STEPS,
    most_lines: usize::MAX,
    gpu: None,
    end: END,
};

const STEPS: &[Step] = &[
    Step {
        title: "Relay: the model",
        text: "The model consists of operators on whole tensors, in SSA form, with Relay's names and attributes. \
               Importers write this form; here it is [a file](../../examples/tour/convolution.mlir). Arguments and \
               results have the model's names.",
        passes: &[],
        shown: Shown::All,
    },
    Step {
        title: "Relay: simplified",
        text: "`bias_add` becomes a broadcasting addition, so rules for additions apply to it.",
        passes: &[
            "func.func(simplify-inference)",
            "func.func(canonicalize-ops)",
            "func.func(simplify-expr)",
        ],
        shown: Shown::Main,
    },
    Step {
        title: "Relay: layouts",
        text: "`alter-op-layout` makes blocks of 16 channels, the number of f32 in a vector register: `NCHW16c`. The \
               weight has the matching layout `OIHW16i16o`. The operators after the convolution work on the new \
               layout, and the transforms stay at the edges. `fold-constant` would fold the transform of a constant \
               weight.",
        passes: &[
            "attach-target{target=x86-64-v4}",
            "func.func(alter-op-layout)",
            "func.func(simplify-expr)",
            "func.func(eliminate-common-subexpr)",
            "dead-code-elimination",
        ],
        shown: Shown::Main,
    },
    Step {
        title: "Relay: kernels",
        text: "`fuse-ops` moves each group of operators for one kernel into a primitive function. A function of \
               reshapes computes nothing: its calls become views.",
        passes: &["fuse-ops"],
        shown: Shown::Main,
    },
    Step {
        title: "Relay: the kernel of the convolution",
        text: "The rest of the page follows this kernel.",
        passes: &[],
        shown: Shown::Kernel,
    },
    Step {
        title: "TE: what, and in which loops",
        text: "Each operator is a tensor expression: an element as a function of its indices. The convolution is a sum \
               over input channels and the window. The padding is a separate expression. The schedule is a list of \
               primitives on stages and axes. It splits the row of pixels into tiles, accumulates a tile's sums in a \
               local buffer, and computes the bias and the relu on this buffer.",
        passes: &["relay-to-te"],
        shown: Shown::Kernel,
    },
    Step {
        title: "TIR: loops over buffers",
        text: "`lower-te` applies the schedule. Tensors become buffers, and axes become loops with the same names. \
               Marks define the execution of a loop. The subscripts of a stage determine the region of another stage \
               that it reads.",
        passes: &["lower-te", "canonicalize"],
        shown: Shown::Kernel,
    },
    Step {
        title: "TIR: vectors and registers",
        text: "`loop-partition` and `tir-simplify` remove conditions and remainders. `vectorize-loop` turns vectorized \
               loops into vector ops. `unroll-loop` unrolls the loops of register tiles.",
        passes: &[
            "func.func(loop-partition)",
            "func.func(tir-simplify)",
            "func.func(vectorize-loop)",
            "func.func(unroll-loop)",
            "canonicalize",
            "cse",
        ],
        shown: Shown::Kernel,
    },
    Step {
        title: "Upstream's dialects",
        text: "`outline-parallel` moves a parallel loop into a function over a range of its iterations; the runtime's \
               threads share the ranges. `lower-tir` leaves only `scf`, `memref` and `vector`. `promote-accumulators` \
               turns the local buffer into vectors that loops carry, so an accumulator is in a register by \
               construction. MLIR's own conversions and LLVM do the rest.",
        passes: &[
            "outline-parallel",
            "func.func(lower-tir)",
            "erase-scopes",
            "canonicalize",
            "cse",
            "func.func(promote-accumulators)",
            "canonicalize",
            "cse",
        ],
        shown: Shown::Kernel,
    },
];

const INTRODUCTION: &str = "# A walk through the levels\n\nThis page follows one convolution with a bias and a relu \
                            from the model to LLVM's input, for a processor with vectors of 512 bits. The IR is the \
                            passes' output; `cargo xtask docs` wrote it. The [glossary](../glossary.md) defines the \
                            words, and [architecture.md](../architecture.md) gives the reasons. `relayc compile \
                            model.onnx --dump-ir FOLDER` writes the same for your own model.\n";

const END: &str = "\n## Machine code\n\n`relay-translate --to-llvm examples/tour/convolution.mlir` prints LLVM's IR, \
                   and `--to-asm` prints the assembly. The innermost loop loads 16 weights. For each column of the \
                   tile, it has one multiply-add with a pixel that is broadcast from memory.\n";
