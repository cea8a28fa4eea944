//! The walk of a dense layer to the code of a GPU.

use super::{Shown, Step, Walk};

/// One dense layer.
pub const DENSE: Walk = Walk {
    model: "examples/tour/dense.mlir",
    kernel: "dense",
    introduction: INTRODUCTION,
    steps: STEPS,
    most_lines: 100,
    gpu: Some("nvidia/h100 x86-64-v3"),
    end: END,
};

const STEPS: &[Step] = &[
    Step {
        title: "Relay: the model",
        text: "The model consists of operators on whole tensors; it is [a file](../../examples/tour/dense.mlir). It says nothing of \
               the machine.",
        passes: &[],
        shown: Shown::All,
    },
    Step {
        title: "Relay: kernels",
        text: "`attach-target` writes the numbers of the GPU into the module: its multiprocessors, registers, shared memory. \
               `fuse-ops` moves the layer, its bias and its relu into one function. One function becomes one or more \
               launches.",
        passes: &[
            "attach-target{target=\"nvidia/h100 x86-64-v3\"}",
            "func.func(simplify-inference)",
            "func.func(canonicalize-ops)",
            "func.func(simplify-expr)",
            "fuse-ops",
        ],
        shown: Shown::Kernel,
    },
    Step {
        title: "TE: what, and in which grid",
        text: "Each operator is a tensor expression. The [template](templates.md) `gpu/product` wrote the schedule. `te.knobs` has its choices. The \
               loops that number tiles are bound to `blockIdx.x`, those that number the parts of a tile to `threadIdx.x`. \
               The sums are a stage of scope `local`: registers of a thread. `te.cache_read` makes a copy of \
               each operand in shared memory, at the loop over steps of the reduction. Its own loop is bound to `threadIdx.x`, too, so the \
               threads of a block copy together.",
        passes: &["relay-to-te"],
        shown: Shown::Kernel,
    },
    Step {
        title: "TIR: loops over buffers",
        text: "`lower-te` applies the schedule. Bound loops are loops like others, marked `thread_binding`. The two inner ones have the axis of \
               the one around them: each thread runs the iteration of its own number.",
        passes: &["lower-te", "canonicalize"],
        shown: Shown::Kernel,
    },
    Step {
        title: "TIR: a function of one thread, and a launch",
        text: "`outline-grids` makes a function of what one thread does; `gpu.thread_id` and `gpu.block_id` take the place of the bound \
               loops. The kernel calls it with the extents of the grid: three of blocks, three of threads. `insert-barriers` lets \
               the threads wait before they read what others wrote, and before they overwrite what others read. The processor runs the kernel, and the call \
               becomes a launch. `raise-scratch` and `bind-grid` have nothing to do: they are for loop programs.",
        passes: &[
            "func.func(raise-scratch)",
            "func.func(hoist-if-then-else)",
            "func.func(tir-simplify)",
            "func.func(bind-grid)",
            "outline-grids",
            "func.func(insert-barriers)",
            "canonicalize",
            "cse",
        ],
        shown: Shown::Kernel,
    },
    Step {
        title: "Upstream's dialects",
        text: "`unroll-loop` writes out the loop that the schedule marked, and `promote-accumulators` turns the local \
               buffer into a value that the loop carries: a register. `place-shared` gives the copies their places in the \
               block's shared memory, in address space 3. `tir.shared_bytes` is what a launch asks for.",
        passes: &[
            "func.func(vectorize-loop)",
            "func.func(unroll-loop)",
            "func.func(lower-tir)",
            "place-shared",
            "erase-scopes",
            "func.func(expand-device-math)",
            "func.func(approximate-math)",
            "canonicalize",
            "cse",
            "func.func(promote-accumulators)",
            "canonicalize",
            "cse",
        ],
        shown: Shown::Thread,
    },
];

const INTRODUCTION: &str = "# From Relay to PTX\n\nThis page follows one dense layer with a bias and a relu from the model to the code of an NVIDIA H100. \
                            The IR is the passes' output; `cargo xtask docs` wrote it. [A walk through the levels](walk.md) does the same for a processor, and \
                            explains the levels. The [guide to GPUs](../guide/gpus.md) lists the passes, and [adding a template for \
                            GPUs](../guide/adding_a_gpu_template.md) says how to write such a schedule. `relayc compile model.onnx --target nvidia/h100 \
                            --dump-ir FOLDER` writes the same for your own model.\n";

const END: &str = "\n## PTX\n\n`lower-device-ops` reads the thread's number from its register and writes barriers. MLIR's conversions \
                   and LLVM's backend for NVIDIA's GPUs do the rest. A comment says what the launch has. The copies are loads of `.global` and stores to `.shared`; \
                   the sum is a chain of `fma` on one register. `relayc compile examples/tour/dense.mlir --target nvidia/h100 \
                   --emit gpu` prints it all, and for `--target amd/mi300x` the assembly of an AMD GPU.\n";
