//! The walk through the levels: one convolution, with the IR that each step leaves.

use crate::{Error, Result};
use melior::ir::Module;
use relay_dialects::{
    context,
    ir::Op,
    pass::{run_pipeline, with_diagnostics},
};
use std::{fs, path::Path};

/// The model, from the root of the workspace.
const MODEL: &str = "examples/tour/convolution.mlir";

/// Which functions of a module a step shows.
#[derive(Clone, Copy)]
enum Shown {
    /// All of the model's file.
    All,
    /// The model's own, `@main`.
    Main,
    /// The kernel of the convolution.
    Kernel,
}

/// A step down.
struct Step {
    title: &'static str,
    /// What to see.
    text: &'static str,
    passes: &'static [&'static str],
    shown: Shown,
}

const STEPS: &[Step] = &[
    Step {
        title: "Relay: the model",
        text: "Operators on whole tensors, in SSA form, with Relay's names and attributes. An importer writes this; here \
               it is [a file](../../examples/tour/convolution.mlir). Arguments and results carry the model's names.",
        passes: &[],
        shown: Shown::All,
    },
    Step {
        title: "Relay: simplified",
        text: "`bias_add` is an addition that broadcasts, so that rules for additions hold for it.",
        passes: &[
            "func.func(simplify-inference)",
            "func.func(canonicalize-ops)",
            "func.func(simplify-expr)",
        ],
        shown: Shown::Main,
    },
    Step {
        title: "Relay: layouts",
        text: "`alter-op-layout` puts 16 channels, as many f32 as a vector register holds, beside each other: `NCHW16c`. \
               The weight is laid out to match, `OIHW16i16o`. What follows the convolution works on the new layout; \
               the transforms stay at the edges. Of a weight that is known when the model is compiled, \
               `fold-constant` would have computed the transform already.",
        passes: &[
            "func.func(alter-op-layout{vector-bits=512})",
            "func.func(simplify-expr)",
            "func.func(eliminate-common-subexpr)",
            "dead-code-elimination",
        ],
        shown: Shown::Main,
    },
    Step {
        title: "Relay: kernels",
        text: "`fuse-ops` makes a primitive function of each group of operators that are to be computed together. Reshapes \
               alone compute nothing: their calls become views.",
        passes: &["fuse-ops"],
        shown: Shown::Main,
    },
    Step {
        title: "Relay: the kernel of the convolution",
        text: "From here on we follow this one.",
        passes: &[],
        shown: Shown::Kernel,
    },
    Step {
        title: "TE: what, and in which loops",
        text: "Each operator is a tensor expression: an element as a function of its indices, and for the convolution \
               the sum over input channels and the window. The padding is an expression of its own. Beside them stands the \
               schedule: primitives on stages and axes, in order. The row of pixels is cut into tiles; a tile's sums are \
               accumulated in a local buffer, and the bias and the relu are computed while they are there.",
        passes: &["relay-to-te{vector-bits=512}"],
        shown: Shown::Kernel,
    },
    Step {
        title: "TIR: loops over buffers",
        text: "`lower-te` carries the schedule out. Tensors are buffers, axes are loops that carry their names, and marks \
               say how a loop will run. What a stage needs of another is found out from its subscripts.",
        passes: &["lower-te", "canonicalize"],
        shown: Shown::Kernel,
    },
    Step {
        title: "TIR: vectors and registers",
        text: "`loop-partition` and `tir-simplify` take conditions and remainders out, `vectorize-loop` makes vector \
               instructions of vectorized loops, `unroll-loop` repeats what is to be in registers.",
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
        text: "`outline-parallel` makes a function of a parallel loop, of a range of its iterations, which the runtime's \
               threads share. `lower-tir` leaves `scf`, `memref` and `vector`. `promote-accumulators` makes vectors that loops carry of the local \
               buffer: an accumulator is a register by construction. MLIR's own conversions and LLVM do the rest.",
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

const INTRODUCTION: &str = "# A walk through the levels\n\n\
    One convolution with a bias and a relu, from the model to the loops that LLVM gets, for a processor with vectors of \
    512 bits. The IR is what the passes leave; `cargo xtask docs` wrote it. The [glossary](../glossary.md) has the words, \
    [architecture.md](../architecture.md) the reasons. To see the same of a model of your own: \
    `relayc compile model.onnx --dump-ir FOLDER`.\n";

const END: &str = "\n## Machine code\n\n\
    `relay-translate --to-llvm examples/tour/convolution.mlir` shows LLVM's IR, `--to-asm` the assembly: the innermost loop is \
    a load of 16 weights and a multiply-add with a pixel that is broadcast from memory for each column of the tile.\n";

/// The page, for the workspace at `root`.
///
/// # Errors
/// If the model cannot be read, or a pass fails.
pub fn page(root: &Path) -> Result<String> {
    let file = root.join(MODEL);
    let source = fs::read_to_string(&file).map_err(Error::at(&file))?;
    relay_passes::register();
    let context = context();
    let failed = |passes: &str, message: String| Error::Passes {
        passes: passes.into(),
        message,
    };
    let (module, message) = with_diagnostics(&context, || Module::parse(&context, &source));
    let mut module = module.ok_or_else(|| failed("the parser", message))?;
    let mut text = String::from(INTRODUCTION);
    for step in STEPS {
        let pipeline = step.passes.join(",");
        if !pipeline.is_empty() {
            let (result, message) =
                with_diagnostics(&context, || run_pipeline(&context, &mut module, &pipeline));
            result.map_err(|_| failed(&pipeline, message))?;
        }
        text += &section(step, Op::of_module(&module));
    }
    Ok(text + END)
}

fn section(step: &Step, module: Op) -> String {
    let functions = module.functions().into_iter();
    let shown = functions.filter(|function| {
        let name = function.symbol().unwrap_or_default();
        match step.shown {
            Shown::All => true,
            Shown::Main => name == "main",
            Shown::Kernel => name.contains("conv2d"),
        }
    });
    let ir: Vec<String> = shown.map(|function| function.to_text(false)).collect();
    let passes: Vec<String> = (step.passes.iter())
        .map(|pass| {
            format!(
                "`{}`",
                pass.trim_start_matches("func.func(").trim_end_matches(')')
            )
        })
        .collect();
    let passes = match passes.is_empty() {
        true => String::new(),
        false => format!("After {}:\n\n", passes.join(", ")),
    };
    let (title, text, ir) = (step.title, step.text, ir.join("\n"));
    format!("\n## {title}\n\n{text}\n\n{passes}```mlir\n{ir}\n```\n")
}
