//! The files of the microarchitectures: each number with where it comes from.
//!
//! A file names the CPUs, as LLVM calls them, that it is for. A number that it does not have comes from the file of the
//! architecture, and then from the generic file of the width of the vectors, which has all fitted numbers.

use crate::{Fitted, Machine, number::Number};
use serde::Deserialize;
use std::{collections::BTreeMap, sync::LazyLock};

/// The bits of the vectors of AVX-512, for which other numbers hold than for narrower ones.
const WIDE_BITS: i64 = 512;

/// What a file says of a machine.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    /// The file's name, without its ending.
    name: String,
    /// The architecture, by the name in LLVM's triples; none in the generic files.
    architecture: Option<String>,
    /// LLVM's names of the CPUs; none in the file of an architecture.
    #[serde(default)]
    cpus: Vec<String>,
    /// Numbers of [`Machine`].
    #[serde(default)]
    numbers: BTreeMap<String, Number>,
    /// Numbers of [`Fitted`].
    #[serde(default)]
    fitted: BTreeMap<String, Number>,
}

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        /// The texts of all files.
        const TEXTS: &[&str] = &[$(include_str!(concat!("../machines/", $name, ".toml"))),*];
    };
}

files![
    "aarch64",
    "apple_m1",
    "cortex_a72",
    "generic",
    "generic_avx512",
    "haswell",
    "icelake_server",
    "neoverse_n1",
    "neoverse_v2",
    "sapphire_rapids",
    "skylake",
    "skylake_avx512",
    "thumbv7em",
    "wasm32",
    "zen2",
    "zen3",
    "zen4",
    "zen5",
];

static FILES: LazyLock<Vec<File>> = LazyLock::new(|| {
    let parse = |text: &&str| toml::from_str(text).expect("a machine's file parses");
    TEXTS.iter().map(parse).collect()
});

impl Machine {
    /// An x86-64 processor of no particular make, with vectors of `vector_bits`.
    pub fn new(vector_bits: i64) -> Self {
        of_cpu("x86_64", "", vector_bits).1
    }
}

/// What is known of a CPU with vectors of `vector_bits`, and the name of the file that says most of it.
pub(crate) fn of_cpu(architecture: &str, cpu: &str, vector_bits: i64) -> (&'static str, Machine) {
    let files = chain(architecture, cpu, vector_bits);
    let number = |name: &str| files.iter().find_map(|file| file.numbers.get(name));
    let fitted = |name: &str| files.iter().find_map(|file| file.fitted.get(name));
    let fitted = Fitted::of_numbers(|name| Some(fitted(name)?.value));
    let machine =
        fitted.and_then(|fitted| Machine::of_numbers(|name| Some(number(name)?.value), fitted));
    let machine = machine.expect("the generic files have all numbers");
    (
        &files[0].name,
        Machine {
            vector_bits,
            ..machine
        },
    )
}

/// The files in which a number is looked for. The first one that has it counts.
fn chain(architecture: &str, cpu: &str, vector_bits: i64) -> Vec<&'static File> {
    let of_architecture = |file: &&File| file.architecture.as_deref() == Some(architecture);
    let is_for_cpu = |file: &&File| file.cpus.iter().any(|known| known == cpu);
    let is_narrow = vector_bits < WIDE_BITS;
    let ours = FILES.iter().filter(of_architecture);
    let generic = FILES.iter().filter(|file| file.architecture.is_none());
    ours.clone()
        .filter(is_for_cpu)
        .chain(ours.filter(|file| file.cpus.is_empty()))
        .chain(generic.filter(|file| is_narrow || file.name != "generic"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_have_known_numbers_with_sources() {
        for file in FILES.iter() {
            for (names, known) in [
                (&file.numbers, Machine::NUMBERS),
                (&file.fitted, Fitted::NAMES),
            ] {
                for (name, number) in names {
                    assert!(known.contains(&name.as_str()), "{}: {name}", file.name);
                    assert!(!number.source.is_empty(), "{}: {name}", file.name);
                    assert!(number.value > 0.0, "{}: {name}", file.name);
                }
            }
        }
        let mut cpus: Vec<&String> = FILES.iter().flat_map(|file| &file.cpus).collect();
        cpus.sort();
        assert!(cpus.windows(2).all(|pair| pair[0] != pair[1]), "{cpus:?}");
    }

    #[test]
    fn numbers_come_from_the_nearest_file() {
        let (name, machine) = of_cpu("x86_64", "sapphirerapids", 512);
        assert_eq!((name, machine.l1_bytes), ("sapphire_rapids", 48 << 10));
        assert_eq!(machine.fitted, Machine::new(512).fitted);
        // AVX-512 was taken away.
        let (_, narrow) = of_cpu("x86_64", "sapphirerapids", 256);
        assert_eq!((narrow.vector_bits, narrow.l1_bytes), (256, 48 << 10));
        assert_eq!(narrow.fitted, Machine::new(256).fitted);
        let (name, machine) = of_cpu("aarch64", "neoverse-v2", 128);
        assert_eq!((name, machine.fma_per_cycle), ("neoverse_v2", 4));
        assert_eq!(machine.registers, 32);
        assert_eq!(of_cpu("aarch64", "generic", 128).0, "aarch64");
        assert_eq!(of_cpu("x86_64", "x86-64-v4", 512).0, "generic_avx512");
        assert_eq!(of_cpu("x86_64", "x86-64-v3", 256).0, "generic");
    }
}
