//! How targets are named: triples, and the short names that stand for them.

use super::{ARCHITECTURES, Architecture, LISTED, NO_LOADER, USAGE, x86};
use crate::Card;
use inkwell::targets::InitializationConfig;
use relay_dialects::{target_cpus, target_features, target_has_cpu};
use std::fmt::Write as _;

/// Other names of architectures.
const ALIASES: &[(&str, &str)] = &[("amd64", "x86_64"), ("arm64", "aarch64")];

/// The systems of architectures that have one.
const SYSTEM: &str = "linux";

/// What a triple may say of Linux's C library: glibc, or nothing, which means the same.
const C_LIBRARY: &str = "gnu";

/// What a word of a target stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Named {
    /// The triple.
    pub triple: String,
    /// The CPU, if the word is one.
    pub cpu: Option<String>,
}

/// The row of an architecture, by any of its names.
pub(super) fn architecture(name: &str) -> Option<&'static Architecture> {
    let alias = ALIASES.iter().find(|(alias, _)| *alias == name);
    let name = alias.map_or(name, |(_, name)| name);
    ARCHITECTURES.iter().find(|known| known.name == name)
}

/// What a word stands for: a triple, an architecture, a level or a CPU.
///
/// # Errors
/// If it is none, or no code is made for such a system.
pub(super) fn named(word: &str) -> Result<Named, String> {
    let (first, rest) = word.split_once('-').unwrap_or((word, ""));
    if let Some(architecture) = architecture(first) {
        let triple = match rest {
            "" => architecture.triple.to_owned(),
            rest => format!("{}-{rest}", architecture.name),
        };
        check_system(architecture, &triple)?;
        return Ok(Named { triple, cpu: None });
    }
    if x86::LEVELS.iter().any(|(level, _)| *level == word) {
        return Ok(cpu_of(&x86::ARCHITECTURE, word));
    }
    if word.starts_with("x86-64-") {
        let levels: Vec<&str> = x86::LEVELS.iter().map(|(level, _)| *level).collect();
        let levels = levels.join(", ");
        return Err(format!("there is no level {word}, only {levels}"));
    }
    let own = ARCHITECTURES.iter().filter(|known| known.is_host());
    let others = ARCHITECTURES.iter().filter(|known| !known.is_host());
    let found = own.chain(others).find(|known| has_cpu(known, word));
    found.map(|known| cpu_of(known, word)).ok_or_else(|| {
        let known: Vec<&str> = ARCHITECTURES.iter().map(|known| known.name).collect();
        let known = known.join(", ");
        match rest {
            "" => format!("'{word}' is neither a CPU nor an architecture ({known}); {LISTED}"),
            _ => format!("no code is made for '{first}', only for {known}; {USAGE}; {LISTED}"),
        }
    })
}

fn cpu_of(architecture: &Architecture, cpu: &str) -> Named {
    Named {
        triple: architecture.triple.to_owned(),
        cpu: Some(cpu.to_owned()),
    }
}

fn has_cpu(architecture: &Architecture, cpu: &str) -> bool {
    (architecture.initialize)(&InitializationConfig::default());
    target_has_cpu(architecture.triple, cpu)
}

/// Whether code is made for the system of a triple. Where there is none, models are bare.
fn check_system(architecture: &Architecture, triple: &str) -> Result<(), String> {
    let mut words = triple.split('-').skip(1);
    if architecture.loader == NO_LOADER || words.clone().any(|word| word == "none") {
        return Ok(());
    }
    let wrong = match words.find(|word| *word == SYSTEM) {
        None => "system",
        Some(_) => match words.next() {
            None | Some(C_LIBRARY) => return Ok(()),
            Some(_) => "C library",
        },
    };
    Err(format!(
        "no code is made for the {wrong} of '{triple}': supported are Linux with glibc, {}, and machines without a system, {}-none-elf",
        architecture.triple, architecture.name
    ))
}

/// All that a target may be, for people: triples, levels, and of each architecture the CPUs and features.
pub fn help() -> String {
    let mut text = format!("Targets: {USAGE}.\n\nTriples:\n");
    for known in ARCHITECTURES {
        let bare = match known.loader {
            NO_LOADER => " (--emit bare)".to_owned(),
            _ => format!(", {}-none-elf (--emit bare)", known.name),
        };
        // A string takes any text.
        let _ = writeln!(text, "  {}{bare}", known.triple);
    }
    let cards = Card::all().iter();
    let cards: Vec<String> = cards
        .map(|card| format!("{} ({})", card.name, card.chip))
        .collect();
    list(
        &mut text,
        "GPUs (chips), before the processor beside one; cuda, or cuda or rocm with -arch=CHIP; several with commas; -emulated for the emulated driver",
        &cards,
    );
    let levels: Vec<String> = x86::LEVELS
        .iter()
        .map(|(level, _)| level.to_string())
        .collect();
    list(
        &mut text,
        "Levels of x86_64, which may be several, \"x86-64-v3,x86-64-v4\"",
        &levels,
    );
    for known in ARCHITECTURES {
        (known.initialize)(&InitializationConfig::default());
        let (name, triple) = (known.name, known.triple);
        list(&mut text, &format!("CPUs of {name}"), &target_cpus(triple));
        let title = format!("Features of {name}, -mattr=+FEATURE,-FEATURE");
        list(&mut text, &title, &target_features(triple));
    }
    text
}

/// The longest line of a list.
const WIDTH: usize = 100;

/// Writes words in lines of a width, under a title.
fn list(text: &mut String, title: &str, words: &[String]) {
    let _ = write!(text, "\n{title}:\n ");
    let mut length = 1;
    for word in words {
        if length + 1 + word.len() > WIDTH {
            text.push_str("\n ");
            length = 1;
        }
        let _ = write!(text, " {word}");
        length += 1 + word.len();
    }
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stand_for_triples_and_cpus() {
        let (x86, arm) = ("x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu");
        for (word, triple, cpu) in [
            ("skylake", x86, Some("skylake")),
            ("znver4", x86, Some("znver4")),
            ("cortex-a72", arm, Some("cortex-a72")),
            ("apple-m1", arm, Some("apple-m1")),
            ("cortex-m4", "thumbv7em-none-eabihf", Some("cortex-m4")),
            ("x86-64-v3", x86, Some("x86-64-v3")),
            ("arm64", arm, None),
            ("amd64", x86, None),
            ("x86_64", x86, None),
            ("arm64-pc-linux", "aarch64-pc-linux", None),
            ("x86_64-redhat-linux-gnu", "x86_64-redhat-linux-gnu", None),
            ("aarch64-none-elf", "aarch64-none-elf", None),
            ("wasm32-unknown-unknown", "wasm32-unknown-unknown", None),
        ] {
            let wanted = Named {
                triple: triple.into(),
                cpu: cpu.map(str::to_owned),
            };
            assert_eq!(named(word), Ok(wanted), "{word}");
        }
    }

    #[test]
    fn other_systems_are_refused() {
        for (triple, wrong) in [
            ("x86_64-unknown-linux-musl", "C library"),
            ("x86_64-linux-android", "C library"),
            ("aarch64-unknown-linux-ohos", "C library"),
            ("x86_64-unknown-linux-gnux32", "C library"),
            ("x86_64-pc-windows-msvc", "system"),
            ("arm64-apple-darwin", "system"),
            ("x86_64-unknown-freebsd", "system"),
        ] {
            let reason = named(triple).expect_err(triple);
            assert!(
                reason.contains(&format!("no code is made for the {wrong} of")),
                "{reason}"
            );
            assert!(reason.contains("-unknown-linux-gnu"), "{reason}");
        }
        for word in ["nosuch", "riscv64-unknown-linux-gnu", "x86-64-v9", ""] {
            named(word).expect_err(word);
        }
    }

    #[test]
    fn all_cpus_and_features_are_listed() {
        let text = help();
        let words: Vec<&str> = text.split_whitespace().collect();
        for word in [
            "skylake",
            "avx512f",
            "x86-64-v4",
            "neoverse-v1",
            "sve",
            "simd128",
            "cortex-m7",
        ] {
            assert!(words.contains(&word), "{word}");
        }
        assert!(text.lines().all(|line| line.len() <= 160), "{text}");
    }
}
