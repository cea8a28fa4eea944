//! The machine that a pass decides for, as its options say.

use relay_dialects::pass::{Default, OptionSpec, Options};
use relay_topi::Machine;

/// The width of vectors.
pub const VECTOR_BITS: OptionSpec = OptionSpec {
    name: "vector-bits",
    summary: "the width of the machine's vector registers",
    default: Default::Int(512),
};

/// How many vectors there are.
pub const VECTOR_REGISTERS: OptionSpec = OptionSpec {
    name: "vector-registers",
    summary: "the number of vector registers; 0 for x86-64's number at this width",
    default: Default::Int(0),
};

/// The size of a core's cache.
pub const CACHE_BYTES: OptionSpec = OptionSpec {
    name: "cache-bytes",
    summary: "the size of a core's own cache in bytes; 0 for a guess from the vector width",
    default: Default::Int(0),
};

/// Whether AMX tiles are multiplied.
pub const AMX: OptionSpec = OptionSpec {
    name: "amx",
    summary: "whether the machine has x86-64's AMX tiles of bf16",
    default: Default::Bool(false),
};

/// The machine that the options above describe.
pub fn machine(options: &Options) -> Machine {
    let usual = Machine::new(options.int(VECTOR_BITS.name));
    let given = |option: &OptionSpec, usual: i64| match options.int(option.name) {
        0 => usual,
        number => number,
    };
    Machine {
        registers: given(&VECTOR_REGISTERS, usual.registers),
        l2_bytes: given(&CACHE_BYTES, usual.l2_bytes),
        amx: options.bool(AMX.name),
        ..usual
    }
}

/// The options that describe a machine.
pub(crate) fn describe(machine: Machine) -> String {
    format!(
        "{}={} {}={} {}={} {}={}",
        VECTOR_BITS.name,
        machine.vector_bits,
        VECTOR_REGISTERS.name,
        machine.registers,
        CACHE_BYTES.name,
        machine.l2_bytes,
        AMX.name,
        machine.amx
    )
}
