//! The standard pass orders; each is written here and only here. What differs between kinds of targets is in a
//! file of the kind's name.

mod cpu;
mod gpu;

pub use cpu::CPU;
pub use gpu::GPU;

use relay_machine::Target;
pub use relay_topi::cost::goal::Goal;
use std::{ops::RangeInclusive, path::PathBuf};

/// From a model as imported to primitive functions, each pass with the optimisation levels at which it runs.
///
/// Biases become additions and constants are folded before factors move into weights: a factor moves past an
/// addition only if what is added is a constant, and those are small. Weights are folded after their layouts are
/// chosen, once for all that is done to them. Common expressions are merged before, because a constant is laid
/// out anew at each of its uses. Narrow floats come after all factors are in the weights, so that a weight is
/// rounded once, and before layouts, which are the same for narrow floats. From level 2 on, and for shapes that are computed,
/// this needs an [evaluator](crate::evaluator), which itself compiles at level 1 at most. Shapes are known before all else, and dimensions
/// that must be equal are one form.
const RELAY: &[(RangeInclusive<u8>, &str)] = &[
    (0..=3, "dynamic-to-static{all=true cache=$cache}"),
    (0..=3, "equate-dims"),
    (0..=3, "plan-open-sizes"),
    (0..=3, "donate-caches"),
    (0..=3, CHECKS),
    (1..=3, "func.func(fake-quantization-to-integer)"),
    (0..=3, "func.func(qnn-legalize)"),
    (0..=3, "func.func(simplify-inference)"),
    (0..=3, "func.func(legalize)"),
    (0..=3, "func.func(canonicalize-ops)"),
    (1..=3, "func.func(flatten-atrous-conv)"),
    (1..=3, "func.func(sink-transposes)"),
    (1..=3, "func.func(fold-explicit-padding)"),
    (2..=3, "func.func(eliminate-common-subexpr)"),
    (2..=3, "fold-constant{max-bytes=65536 cache=$cache}"),
    (1..=3, "func.func(simplify-expr)"),
    (3..=3, "func.func(fold-scale-axis)"),
    (2..=3, "fold-constant{max-bytes=65536 cache=$cache}"),
    (1..=3, "func.func(simplify-expr)"),
    (0..=3, EXTERNAL),
    (0..=3, "func.func(to-mixed-precision{type=$narrow})"),
    (3..=3, "func.func(alter-op-layout{optimize=$goal $records})"),
    (3..=3, "func.func(simplify-expr)"),
    (3..=3, "func.func(eliminate-common-subexpr)"),
    (2..=3, "fold-constant{cache=$cache}"),
    (1..=3, "dead-code-elimination"),
    (0..=0, "fuse-ops{enabled=false}"),
    (1..=3, "fuse-ops"),
    (1..=3, "func.func(simplify-quantized)"),
];

/// Where in [`RELAY`] external code generators find what they take: biases and factors are in their places, and layouts are
/// those of the model.
const EXTERNAL: &str = "$external";

/// The pass in [`RELAY`] that adds checks of data.
const CHECKS: &str = "check-cache-updates";

/// What all modules go through before: then they say which machine they are for, types are known, and there is one device.
const FIRST: &[&str] = &[ATTACH, "infer-type", "erase-devices"];

/// How a module comes to say which machine it is for.
const ATTACH: &str = "attach-target{target=$target}";

/// What programs of the whole language go through then: they have neither type parameters nor closures in place.
const PROGRAM: &[&str] = &["monomorphize", "lambda-lift", "infer-type"];

/// From primitive functions to their tensor expressions, and on to kernels.
const TE: &[(Level, &str)] = &[
    (Level::Te, "relay-to-te{candidate=$candidate $records}"),
    (Level::Tir, "erase-signs"),
    (Level::Tir, "lower-te"),
    (Level::Tir, "aot-lower-main"),
];

/// A kind of target: how programs of `tir` loops become programs that run on it.
#[derive(Debug, PartialEq, Eq)]
pub struct Kind {
    /// The passes up to the places of buffers: all that look at more than one kernel.
    plan: &'static [&'static str],
    /// The passes from kernels of `tir` loops to upstream's dialects. Each looks at one kernel at a time.
    kernel: &'static [&'static str],
}

impl Kind {
    /// The kind of a target.
    pub fn of(target: &Target) -> &'static Self {
        match target.device {
            Some(_) => &GPU,
            None => &CPU,
        }
    }

    /// The passes from [`Level::Planned`] to [`Level::Lowered`], for a module that holds some of the
    /// functions only.
    pub fn kernel_passes(&self) -> String {
        self.kernel.join(",")
    }
}

/// A level of the IR, from the model down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Operators on tensors, optimised and fused.
    Relay,
    /// Tensor expressions with their schedules.
    Te,
    /// Loops over buffers.
    Tir,
    /// The same, with all buffers between kernels in one arena.
    Planned,
    /// Upstream dialects, ready for LLVM.
    Lowered,
}

impl Level {
    /// All levels.
    pub const ALL: &[Self] = &[
        Self::Relay,
        Self::Te,
        Self::Tir,
        Self::Planned,
        Self::Lowered,
    ];

    /// The level's name, for options of tools.
    pub fn name(self) -> &'static str {
        match self {
            Self::Relay => "relay",
            Self::Te => "te",
            Self::Tir => "tir",
            Self::Planned => "planned",
            Self::Lowered => "lowered",
        }
    }
}

/// The floats of products and of what follows them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Precision {
    /// What the model says.
    #[default]
    F32,
    /// bf16 in the place of f32; sums are in f32.
    Bf16,
}

impl Precision {
    /// All of them.
    pub const ALL: &[Self] = &[Self::F32, Self::Bf16];

    /// The float that products read, by MLIR's name.
    pub fn name(self) -> &'static str {
        self.narrow().unwrap_or("f32")
    }

    /// The narrow float, by MLIR's name.
    fn narrow(self) -> Option<&'static str> {
        match self {
            Self::F32 => None,
            Self::Bf16 => Some("bf16"),
        }
    }
}

/// The highest optimisation level, which is what there is if nothing else is said.
pub const MAX_OPT_LEVEL: u8 = 3;

/// The options that decide which passes a module goes through.
#[derive(Clone, Debug)]
pub struct Order {
    /// How hard to optimise, from 0 to [`MAX_OPT_LEVEL`].
    pub opt_level: u8,
    /// The kind of target.
    pub kind: &'static Kind,
    /// The target that layouts and schedules are for, as `attach-target` takes it.
    pub target: String,
    /// What products read and write.
    pub precision: Precision,
    /// What is weighed where a faster kernel needs larger weights.
    pub goal: Goal,
    /// Whether the programs that fold constants may come from the user's cache.
    pub cache: bool,
    /// The schedule that each function gets: its rank by predicted cycles. 0 is the cheapest.
    pub candidate: usize,
    /// What a tuner chose.
    pub records: Option<Records>,
    /// Whether the module is a program of the whole language, and no graph.
    pub program: bool,
    /// Whether runs check what data say. A bare model has nothing to report it by.
    pub checks: bool,
    /// The passes that find what external code generators take.
    pub external: Vec<String>,
}

/// A file of records, and the machine in it.
#[derive(Clone, Debug)]
pub struct Records {
    /// The file.
    pub path: PathBuf,
    /// The machine, as the records name it.
    pub machine: String,
}

impl Records {
    /// The options of the passes that follow records. A path or a machine with both kinds of quotes cannot be said in a pipeline.
    fn describe(&self) -> String {
        let path = quoted(&self.path.to_string_lossy());
        format!(" records={path} tuned-for={}", quoted(&self.machine))
    }
}

/// A text as an option of a pass. One with both kinds of quotes cannot be said in a pipeline.
fn quoted(text: &str) -> String {
    match text.contains('"') {
        true => format!("'{text}'"),
        false => format!("\"{text}\""),
    }
}

impl Order {
    /// What there is for a target if nothing else is said.
    pub fn standard(target: &Target) -> Self {
        Self {
            opt_level: MAX_OPT_LEVEL,
            kind: Kind::of(target),
            target: target.text.clone(),
            precision: Precision::F32,
            goal: Goal::default(),
            cache: true,
            candidate: 0,
            records: None,
            program: false,
            checks: true,
            external: Vec::new(),
        }
    }

    /// The pass that says on a module which machine it is for.
    pub fn attach_target(&self) -> String {
        ATTACH.replace("$target", &quoted(&self.target))
    }

    /// The passes from a module at any level down to `to`.
    pub fn passes(&self, to: Level) -> Vec<String> {
        let opt = self.opt_level.min(MAX_OPT_LEVEL);
        let narrow = self.precision.narrow();
        let relay = RELAY.iter().filter(|(levels, pass)| {
            let is_wanted = self.checks || *pass != CHECKS;
            levels.contains(&opt) && is_wanted && (narrow.is_some() || !pass.contains("$narrow"))
        });
        let te = TE.iter().filter(|(level, _)| to >= *level);
        let plan = self.kind.plan.iter().filter(|_| to >= Level::Planned);
        let kernel = self.kind.kernel.iter().filter(|_| to >= Level::Lowered);
        let program = PROGRAM.iter().filter(|_| self.program);
        let all = FIRST.iter().chain(program);
        let all = all.chain(relay.map(|(_, pass)| pass));
        let all = all.chain(te.map(|(_, pass)| pass)).chain(plan);
        all.chain(kernel)
            .flat_map(|pass| match *pass {
                EXTERNAL => self.external.clone(),
                pass => vec![pass.to_owned()],
            })
            .map(|pass| pass.replace("$target", &quoted(&self.target)))
            .map(|pass| pass.replace("$narrow", narrow.unwrap_or_default()))
            .map(|pass| pass.replace("$goal", self.goal.name()))
            .map(|pass| pass.replace("$cache", &self.cache.to_string()))
            .map(|pass| {
                pass.replace(
                    " $records",
                    &self
                        .records
                        .as_ref()
                        .map_or(String::new(), Records::describe),
                )
            })
            .map(|pass| pass.replace("$candidate", &self.candidate.to_string()))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use relay_dialects::{context, ir::Op, pass::run_pipeline};

    #[test]
    fn every_level_runs() {
        crate::register();
        let context = context();
        let all = [Precision::F32, Precision::Bf16];
        for (opt, precision) in
            (0..=MAX_OPT_LEVEL).flat_map(|opt| all.map(|precision| (opt, precision)))
        {
            let text = "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
                %0 = relay.abs %x : (tensor<4xf32>) -> tensor<4xf32>
                %1 = relay.nn.relu %0 : (tensor<4xf32>) -> tensor<4xf32>
                return %1 : tensor<4xf32>
            }";
            let mut module =
                melior::ir::Module::parse(&context, text).expect("the text is a module");
            let target = Target::parse("x86-64-v4").expect("it is a target");
            let order = Order {
                opt_level: opt,
                precision,
                cache: false,
                ..Order::standard(&target)
            };
            let pipeline = order.passes(Level::Relay).join(",");
            run_pipeline(&context, &mut module, &pipeline).expect("the pipeline runs");
            let calls = Op::of_module(&module).find_all("func.call").len();
            assert_eq!(calls, if opt == 0 { 2 } else { 1 }, "level {opt}");
        }
    }
}
