//! Targets: what machine code is made for.

mod x86;

use crate::CodegenError;
use inkwell::{
    OptimizationLevel,
    targets::{CodeModel, InitializationConfig, RelocMode, TargetMachine, TargetTriple},
};

/// A machine: triple, CPU and what schedules need to know of it.
#[derive(Clone, Debug)]
pub struct Target {
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
}

/// The names that `x86-64-vN` stands for, for messages.
const USAGE: &str =
    "write a triple and options, such as \"x86_64-unknown-linux-gnu -mcpu=x86-64-v3\"";

impl Target {
    /// The machine that this process runs on.
    pub fn host() -> Self {
        initialize();
        let triple = TargetMachine::get_default_triple()
            .as_str()
            .to_string_lossy()
            .into_owned();
        let cpu = TargetMachine::get_host_cpu_name().to_string();
        let features = TargetMachine::get_host_cpu_features().to_string();
        Self::new(triple, cpu, features)
    }

    /// Parses `[TRIPLE] [-mcpu=CPU] [-mattr=FEATURES]`; `native` or nothing is the host.
    ///
    /// # Errors
    /// If an option is unknown or LLVM does not know the triple.
    pub fn parse(text: &str) -> Result<Self, CodegenError> {
        let host = Self::host();
        let fail = |reason: String| CodegenError::Target {
            text: text.into(),
            reason,
        };
        let (mut triple, mut cpu, mut features) = (None, None, None);
        for word in text.split_whitespace() {
            if let Some(value) = word.strip_prefix("-mcpu=") {
                cpu = Some(value.to_string());
            } else if let Some(value) = word.strip_prefix("-mattr=") {
                features = Some(value.to_string());
            } else if word.starts_with('-') {
                return Err(fail(format!("unknown option {word}; {USAGE}")));
            } else if word != "native" {
                triple = Some(word.to_string());
            }
        }
        if triple.is_none() && cpu.is_none() && features.is_none() {
            return Ok(host);
        }
        let target = Self::new(
            triple.unwrap_or(host.triple),
            cpu.unwrap_or_else(|| "x86-64".into()),
            features.unwrap_or_default(),
        );
        target
            .machine()
            .map_err(|error| fail(format!("{error}; {USAGE}")))?;
        Ok(target)
    }

    fn new(triple: String, cpu: String, features: String) -> Self {
        let (vector_bits, vector_registers) = x86::vectors(&cpu, &features);
        Self {
            triple,
            cpu,
            features,
            vector_bits,
            vector_registers,
        }
    }

    /// LLVM's object for this machine.
    ///
    /// # Errors
    /// If LLVM has no backend for the triple.
    pub fn machine(&self) -> Result<TargetMachine, CodegenError> {
        initialize();
        let triple = TargetTriple::create(&self.triple);
        let target = inkwell::targets::Target::from_triple(&triple)
            .map_err(|error| CodegenError::Llvm(error.to_string()))?;
        target
            .create_target_machine(
                &triple,
                &self.cpu,
                &self.features,
                OptimizationLevel::Aggressive,
                RelocMode::PIC,
                CodeModel::Default,
            )
            .ok_or_else(|| CodegenError::Llvm(format!("no target machine for {}", self.triple)))
    }

    /// The target in the form that [`Target::parse`] reads, without the features of a named CPU.
    pub fn describe(&self) -> String {
        format!("{} -mcpu={}", self.triple, self.cpu)
    }
}

fn initialize() {
    inkwell::targets::Target::initialize_x86(&InitializationConfig::default());
}
