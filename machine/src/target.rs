//! Targets: what machine code is made for.
//!
//! What is particular to an architecture is a row of [`ARCHITECTURES`], in a file of its own.

mod aarch64;
mod arm;
mod device;
mod list;
mod names;
mod wasm;
mod x86;

pub use device::Device;
pub use names::help;

use crate::{ByteDot, Machine, Units, files};
use inkwell::{
    OptimizationLevel,
    targets::{CodeModel, InitializationConfig, RelocMode, TargetMachine, TargetTriple},
};
use relay_dialects::{target_has_cpu, target_has_feature, target_has_features};
use relay_runtime::{features, host_cache};

/// A text that names no target for which code is made.
#[derive(Debug, thiserror::Error)]
#[error("target '{text}': {reason}")]
pub struct TargetError {
    /// What was given.
    pub text: String,
    /// What is wrong with it.
    pub reason: String,
}

/// Whether a CPU has one of LLVM's features: `+avx2`.
pub(crate) type Has<'a> = &'a dyn Fn(&str) -> bool;

/// What LLVM does not say of an architecture.
#[derive(Debug)]
pub struct Architecture {
    /// The first part of its triples.
    pub name: &'static str,
    /// The triple that its name, or one of its CPUs, alone means.
    triple: &'static str,
    /// The CPU that a triple alone means.
    baseline: &'static str,
    /// The vector registers of a CPU that has LLVM's features (`+avx2`) or not.
    vectors: fn(has: Has<'_>) -> Vectors,
    /// Whether the instructions of a CPU round f32 to bf16, or LLVM writes some that do.
    rounds_to_bf16: fn(has: Has<'_>) -> bool,
    /// Whether such an instruction makes 0 of subnormal numbers.
    flushes_bf16: bool,
    /// Whether the instruction that makes a 32-bit integer of an f32 rounds it to the nearest one, half to even.
    rounds_to_integers: bool,
    /// Makes LLVM's backend known to LLVM.
    initialize: fn(&InitializationConfig),
    /// Of which floats a CPU multiplies and adds in one instruction.
    fused: fn(has: Has<'_>) -> Fused,
    /// What object files say.
    pub machine: object::elf::Machine,
    /// Debian's name of its folder of libraries.
    pub libraries: &'static str,
    /// Debian's own name of the architecture.
    debian: &'static str,
    /// The dynamic loader.
    pub loader: &'static str,
}

impl Architecture {
    /// Whether this program runs on it.
    pub fn is_host(&self) -> bool {
        self.name == std::env::consts::ARCH
    }

    /// Debian's packages of the libraries that every program is linked with.
    pub fn packages(&self) -> String {
        if self.is_host() {
            return "libc6, libgcc-s1".into();
        }
        let debian = self.debian;
        format!("libc6-{debian}-cross, libgcc-s1-{debian}-cross")
    }
}

/// Floats that are multiplied and added in one instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fused {
    /// None are.
    Nothing,
    /// f32.
    Singles,
    /// f32 and f64.
    All,
}

/// The registers that kernels compute in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Vectors {
    /// What the architecture calls the instructions on them.
    pub name: &'static str,
    /// The width of one, in bits.
    pub bits: u32,
    /// How many there are.
    pub registers: u32,
}

/// The loader of architectures that have no system of shared libraries.
pub(crate) const NO_LOADER: &str = "";

/// All that code can be made for.
const ARCHITECTURES: &[Architecture] = &[
    aarch64::ARCHITECTURE,
    arm::ARCHITECTURE,
    wasm::ARCHITECTURE,
    x86::ARCHITECTURE,
];

/// A machine: triple, CPU and what schedules need to know of it.
#[derive(Clone, Debug)]
pub struct Target {
    /// What [`Target::parse`] made it of.
    pub text: String,
    /// The LLVM triple.
    pub triple: String,
    /// LLVM's name of the CPU.
    pub cpu: String,
    /// LLVM's list of features, `+a,-b`.
    pub features: String,
    /// The width of the widest vector register, in bits.
    pub vector_bits: u32,
    /// How many vector registers there are.
    pub vector_registers: u32,
    /// The instructions that kernels use beside those of every CPU of the architecture: `AVX-512, AMX`.
    pub instructions: String,
    /// The bytes of a core's own cache, where they were asked for, or said.
    pub cache_bytes: Option<i64>,
    /// The processors of the machine, if they were said. Code does not depend on them: records of schedules are named by them.
    pub cores: Option<usize>,
    /// Whether tensors start at addresses that are multiples of their elements' size.
    pub aligned: bool,
    /// The CPU's matrix instructions.
    pub units: Units,
    /// Whether LLVM rounds f32 to bf16 in instructions, not by a call of GCC's runtime library.
    pub rounds_to_bf16: bool,
    /// The floats that are multiplied and added in one instruction.
    pub fused: Fused,
    /// The instruction that multiplies bytes and adds up the products; `None` where plain arithmetic does.
    pub byte_dot: Option<&'static ByteDot>,
    /// The row of its architecture.
    pub architecture: &'static Architecture,
    /// The GPU that kernels run on; the rest of the target is the processor beside it.
    pub device: Option<Device>,
}

/// How to write a target, for messages.
const USAGE: &str = "write x86-64-v3, a CPU such as znver4, or a triple and options, such as \"x86_64-unknown-linux-gnu -mcpu=skylake\"";

/// Where to look for names.
const LISTED: &str = "relayc compile --target help lists them";

impl Target {
    /// How the machine that this process runs on is written.
    pub const NATIVE: &str = "native";

    /// The machine that this process runs on.
    ///
    /// # Errors
    /// If its architecture has no row.
    pub fn host() -> Result<Self, TargetError> {
        let triple = TargetMachine::get_default_triple()
            .as_str()
            .to_string_lossy()
            .into_owned();
        let cpu = TargetMachine::get_host_cpu_name().to_string();
        let features = TargetMachine::get_host_cpu_features().to_string();
        Ok(Self {
            text: Self::NATIVE.into(),
            cache_bytes: host_cache::bytes(),
            ..Self::new(triple, cpu, features)?
        })
    }

    /// The machine that this process runs on, with more features, `+a,-b`, or less.
    fn host_with(more: &str, fail: impl Fn(String) -> TargetError) -> Result<Self, TargetError> {
        let host = Self::host()?;
        if more.is_empty() {
            return Ok(host);
        }
        // Of a feature that is named twice, LLVM takes the last.
        let features = format!("{},{more}", host.features);
        check_names(host.architecture, &host.triple, &host.cpu, more).map_err(fail)?;
        Ok(Self {
            cache_bytes: host.cache_bytes,
            ..Self::new(host.triple, host.cpu, features)?
        })
    }

    /// Whether the processor's instruction that rounds f32 to bf16 makes 0 of subnormal numbers.
    pub fn flushes_bf16(&self) -> bool {
        self.architecture.flushes_bf16
    }

    /// Whether the processor's instruction that makes a 32-bit integer of an f32 rounds it to the nearest one.
    pub fn rounds_to_integers(&self) -> bool {
        self.architecture.rounds_to_integers
    }

    /// The machine that schedules are made for. It follows from the target alone, with one exception: for the
    /// machine that this process runs on, the size of the cache is asked of the system.
    pub fn schedules_for(&self) -> Machine {
        let usual = self.of_cpu().1;
        Machine {
            registers: i64::from(self.vector_registers),
            l2_bytes: self.cache_bytes.unwrap_or(usual.l2_bytes),
            units: self.units,
            byte_dot: self.byte_dot,
            gpu: self.device.map(|device| device.card.gpu),
            ..usual
        }
    }

    /// The file of the CPU's microarchitecture that says most of it.
    pub fn file(&self) -> &'static str {
        self.of_cpu().0
    }

    fn of_cpu(&self) -> (&'static str, Machine) {
        let bits = i64::from(self.vector_bits);
        files::of_cpu(self.architecture.name, &self.cpu, bits)
    }

    /// Parses `[GPU] [-arch=CHIP] [-emulated] [TRIPLE] [-mcpu=CPU] [-mattr=FEATURES] [-l2=KIBIBYTES] [-cores=NUMBER]`; `native` or nothing is the host, to whose
    /// features those of `-mattr` are added; `x86-64-vN`, or a CPU's name, is short for Linux on any CPU of that level, or that CPU. The last two options say of a
    /// machine what its CPU does not: the size of a core's own cache, and how many processors there are.
    ///
    /// # Errors
    /// If an option is unknown, the architecture has no row, no code is made for the system, or LLVM does not know the triple.
    pub fn parse(text: &str) -> Result<Self, TargetError> {
        let (mut cache_bytes, mut cores) = (None, None);
        let mut words = Vec::new();
        for word in text.split_whitespace() {
            if let Some(value) = word.strip_prefix("-l2=") {
                cache_bytes = Some(number(text, word, value)? << 10);
            } else if let Some(value) = word.strip_prefix("-cores=") {
                cores = Some(number(text, word, value)?.unsigned_abs() as usize);
            } else {
                words.push(word);
            }
        }
        let (device, words) = Device::of_words(words).map_err(|reason| TargetError {
            text: text.into(),
            reason: format!("{reason}; {LISTED}"),
        })?;
        let target = Self::of_words(text, &words)?;
        Ok(Self {
            text: text.into(),
            device,
            cache_bytes: cache_bytes.or(target.cache_bytes),
            cores,
            ..target
        })
    }

    /// The target of the words that say triple, CPU and features.
    fn of_words(text: &str, words: &[&str]) -> Result<Self, TargetError> {
        let fail = |reason: String| TargetError {
            text: text.into(),
            reason,
        };
        let (mut triple, mut cpu, mut features) = (None, None, None);
        let mut is_native = false;
        for &word in words {
            if word == "native" || word == "-mcpu=native" {
                is_native = true;
            } else if let Some(value) = word.strip_prefix("-mcpu=") {
                cpu = Some(value.to_string());
            } else if let Some(value) = word.strip_prefix("-mattr=") {
                features = Some(value.to_string());
            } else if word.starts_with('-') {
                return Err(fail(format!("unknown option {word}; {USAGE}")));
            } else {
                let named = names::named(word).map_err(fail)?;
                triple = Some(named.triple);
                cpu = named.cpu.or(cpu);
            }
        }
        if is_native {
            if triple.is_some() || cpu.is_some() {
                return Err(fail(
                    "native stands for triple and CPU; features alone can be added".into(),
                ));
            }
            return Self::host_with(&features.unwrap_or_default(), fail);
        }
        if triple.is_none() && cpu.is_none() && features.is_none() {
            return Self::host();
        }
        let triple = match triple {
            Some(triple) => triple,
            None => Self::host()?.triple,
        };
        let architecture = architecture(&triple)?;
        let cpu = cpu.unwrap_or_else(|| architecture.baseline.into());
        let features = features.unwrap_or_default();
        check_names(architecture, &triple, &cpu, &features).map_err(fail)?;
        let target = Self::new(triple, cpu, features)?;
        target
            .machine()
            .map_err(|error| fail(format!("{error}; {USAGE}")))?;
        Ok(target)
    }

    /// The level of the architecture's instructions that the CPU stands for, if it does.
    pub fn level(&self) -> Option<i32> {
        level(&self.cpu).filter(|_| self.features.is_empty())
    }

    /// A target whose names LLVM knows.
    fn new(triple: String, cpu: String, features: String) -> Result<Self, TargetError> {
        let architecture = architecture(&triple)?;
        (architecture.initialize)(&InitializationConfig::default());
        let has = |wanted: &str| target_has_features(&triple, &cpu, &features, wanted);
        let vectors = (architecture.vectors)(&has);
        let rounds_to_bf16 = (architecture.rounds_to_bf16)(&has);
        let fused = (architecture.fused)(&has);
        let units = Units::of(architecture.name, &has);
        let byte_dot = ByteDot::of(architecture.name, &has);
        let mut instructions = vec![vectors.name];
        instructions.extend(units.instructions());
        Ok(Self {
            text: String::new(),
            triple,
            cpu,
            features,
            vector_bits: vectors.bits,
            vector_registers: vectors.registers,
            instructions: instructions.join(", "),
            cache_bytes: None,
            cores: None,
            aligned: true,
            device: None,
            units,
            rounds_to_bf16,
            fused,
            byte_dot,
            architecture,
        })
    }

    /// LLVM's object for this machine.
    ///
    /// # Errors
    /// If LLVM has no backend for the triple.
    pub fn machine(&self) -> Result<TargetMachine, String> {
        (self.architecture.initialize)(&InitializationConfig::default());
        let triple = TargetTriple::create(&self.triple);
        let target =
            inkwell::targets::Target::from_triple(&triple).map_err(|error| error.to_string())?;
        target
            .create_target_machine(
                &triple,
                &self.cpu,
                &self.features,
                OptimizationLevel::Aggressive,
                self.relocation(),
                CodeModel::Default,
            )
            .ok_or_else(|| format!("no target machine for {}", self.triple))
    }

    /// Whether there is an operating system: its triple says `none`, or `unknown` of WebAssembly, where there is not.
    pub fn has_system(&self) -> bool {
        let mut words = self.triple.split('-').skip(1);
        self.architecture.loader != NO_LOADER && !words.any(|word| word == "none")
    }

    /// Code runs where the linker has put it, unless a system may move it.
    fn relocation(&self) -> RelocMode {
        match self.has_system() {
            true => RelocMode::PIC,
            false => RelocMode::Static,
        }
    }

    /// What machine code depends on of the machine, for keys.
    pub fn machine_identity(&self) -> String {
        let (triple, cpu, features) = (&self.triple, &self.cpu, &self.features);
        let (aligned, cache) = (self.aligned, self.schedules_for().l2_bytes);
        let device = self
            .device
            .map_or(String::new(), |device| device.identity());
        format!("{triple} {cpu} {features} {aligned} {cache}{device}")
    }

    /// The CPU that the triple alone means.
    pub fn baseline(&self) -> &'static str {
        self.architecture.baseline
    }

    /// The features of the processor that code for this target needs, with commas between them; those of tiles only if
    /// the code uses tiles.
    pub fn needs(&self, uses_tiles: bool) -> String {
        let names = features::of(self.architecture.name).iter();
        let has = |name: &str| {
            let wanted = format!("+{name}");
            target_has_features(&self.triple, &self.cpu, &self.features, &wanted)
        };
        let names = names.filter(|name| (uses_tiles || !features::is_of_tiles(name)) && has(name));
        names.copied().collect::<Vec<_>>().join(",")
    }

    /// The target for people: triple, CPU, and the instructions that kernels use.
    pub fn describe(&self) -> String {
        let processor = format!("{} -mcpu={} ({})", self.triple, self.cpu, self.instructions);
        let Some(Device { card, is_emulated }) = self.device else {
            return processor;
        };
        let emulated = if is_emulated { " -emulated" } else { "" };
        format!(
            "{} -arch={}{emulated} beside {processor}",
            card.name, card.chip
        )
    }
}

/// The number of an option, from 1 to 2^30.
fn number(text: &str, option: &str, value: &str) -> Result<i64, TargetError> {
    let number = value.parse().ok();
    let number = number.filter(|number| (1..=1 << 30).contains(number));
    number.ok_or_else(|| TargetError {
        text: text.into(),
        reason: format!("{option} has no number from 1 to 2^30; write -l2=1024 (KiB), -cores=4"),
    })
}

/// Whether LLVM knows the CPU and each feature. LLVM itself would warn each time that it is asked about them, and make
/// code for another CPU.
fn check_names(
    architecture: &Architecture,
    triple: &str,
    cpu: &str,
    features: &str,
) -> Result<(), String> {
    (architecture.initialize)(&InitializationConfig::default());
    if !cpu.is_empty() && !target_has_cpu(triple, cpu) {
        return Err(format!("there is no CPU '{cpu}' for {triple}; {LISTED}"));
    }
    for feature in features.split(',').filter(|name| !name.is_empty()) {
        let signed = feature.starts_with(['+', '-']);
        if !signed || !target_has_feature(triple, feature) {
            return Err(format!(
                "there is no feature '{feature}' for {triple}: they are written +avx2,-fma; {LISTED}"
            ));
        }
    }
    Ok(())
}

/// The level that a CPU stands for.
fn level(cpu: &str) -> Option<i32> {
    let found = x86::LEVELS.iter().find(|(name, _)| *name == cpu);
    found.map(|(_, level)| *level)
}

/// The row of a triple's architecture.
fn architecture(triple: &str) -> Result<&'static Architecture, TargetError> {
    let name = triple.split('-').next().unwrap_or_default();
    names::architecture(name).ok_or_else(|| {
        let known: Vec<&str> = ARCHITECTURES.iter().map(|known| known.name).collect();
        TargetError {
            text: triple.into(),
            reason: format!(
                "no code is made for '{name}', only for {}; {USAGE}",
                known.join(", ")
            ),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn llvm_knows_each_feature_that_processors_are_asked_for() {
        for architecture in ARCHITECTURES {
            (architecture.initialize)(&InitializationConfig::default());
            let triple = format!("{}-unknown-linux-gnu", architecture.name);
            for name in features::of(architecture.name) {
                assert!(target_has_feature(&triple, &format!("+{name}")), "{name}");
                let is_everywhere =
                    target_has_features(&triple, architecture.baseline, "", &format!("+{name}"));
                assert!(
                    !is_everywhere,
                    "{name} is part of every {}",
                    architecture.name
                );
            }
        }
    }
}
