//! GPUs: what schedules know of one, and the cards that code is made for.
//!
//! A card is a file of `machine/gpus`, which names LLVM's chip and has a source for each number. None of the numbers changes a
//! result: a kernel for a chip runs on every card of that chip.

use crate::{
    gpu_kind::GpuKind,
    number::{self, Number},
    warp_units::WarpUnits,
};
use relay_dialects::ir::{Attr, Ctx, named};
use serde::Deserialize;
use std::{collections::BTreeMap, sync::LazyLock};

/// Declares the numbers of a GPU, and how they are read and written by name.
macro_rules! numbers {
    ($($(#[doc = $doc:literal])* $name:ident: $type:ty;)*) => {
        /// A GPU.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct Gpu {
            /// How it is driven.
            pub kind: GpuKind,
            /// The instructions by which warps multiply matrices.
            pub units: WarpUnits,
            $($(#[doc = $doc])* pub $name: $type,)*
        }

        impl Gpu {
            /// The names of the numbers.
            pub const NUMBERS: &[&str] = &[$(stringify!($name)),*];

            fn of_numbers(
                kind: GpuKind,
                units: WarpUnits,
                value: impl Fn(&str) -> Option<f64>,
            ) -> Result<Self, String> {
                let value = |name: &str| value(name).ok_or_else(|| format!("there is no positive number {name}"));
                Ok(Self { kind, units, $($name: value(stringify!($name))? as $type,)* })
            }

            fn numbers(&self) -> Vec<(&'static str, f64)> {
                vec![$((stringify!($name), self.$name as f64)),*]
            }
        }
    };
}

numbers! {
    /// The multiprocessors.
    multiprocessors: i64;
    /// The most threads of a block.
    threads_of_block: i64;
    /// The most threads that a multiprocessor holds at once.
    threads_of_multiprocessor: i64;
    /// The most blocks that a multiprocessor holds at once.
    blocks_of_multiprocessor: i64;
    /// The threads that run in step.
    warp: i64;
    /// The most 32-bit registers of a thread.
    registers_of_thread: i64;
    /// The 32-bit registers that the threads of a multiprocessor share.
    registers_of_multiprocessor: i64;
    /// The most shared memory of a block, in bytes.
    shared_bytes_of_block: i64;
    /// The shared memory of a multiprocessor, in bytes.
    shared_bytes_of_multiprocessor: i64;
    /// The f32 multiply-adds that a multiprocessor begins in a cycle.
    fma_per_cycle: i64;
    /// The bytes per cycle from memory to all multiprocessors.
    memory_bytes_per_cycle: f64;
    /// The bytes of the cache that all multiprocessors share.
    l2_bytes: i64;
}

/// The entry of an attribute that has the units.
const UNITS: &str = "units";

/// A card that code is made for.
#[derive(Debug)]
pub struct Card {
    /// Its name in targets: `nvidia/h100`.
    pub name: String,
    /// LLVM's name of its chip: `sm_90`, `gfx942`.
    pub chip: String,
    /// What schedules know of it.
    pub gpu: Gpu,
}

/// What a file says of a card.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    name: String,
    kind: GpuKind,
    chip: String,
    numbers: BTreeMap<String, Number>,
    /// The multiply-adds of each unit that a multiprocessor begins in a cycle.
    #[serde(default)]
    units: BTreeMap<String, Number>,
}

macro_rules! cards {
    ($($name:literal),* $(,)?) => {
        const TEXTS: &[&str] = &[$(include_str!(concat!("../gpus/", $name, ".toml"))),*];
    };
}

// The first card of a chip stands for the chip.
cards![
    "nvidia_v100",
    "nvidia_t4",
    "nvidia_a100",
    "nvidia_a10",
    "nvidia_l4",
    "nvidia_h100",
    "nvidia_b200",
    "amd_mi250",
    "amd_mi300x",
    "amd_rx7900xtx",
];

static CARDS: LazyLock<Vec<Card>> = LazyLock::new(|| {
    let card = |text: &&str| {
        let file: File = toml::from_str(text).expect("a card's file parses");
        let units =
            WarpUnits::of_file(file.kind, &file.units).expect("a card has units of its kind");
        let gpu = Gpu::of_numbers(file.kind, units, |name| Some(file.numbers.get(name)?.value));
        Card {
            gpu: gpu.expect("a card's file has all numbers"),
            name: file.name,
            chip: file.chip,
        }
    };
    TEXTS.iter().map(card).collect()
});

impl Card {
    /// All cards.
    pub fn all() -> &'static [Self] {
        &CARDS
    }

    /// The card of a name.
    pub fn named(word: &str) -> Option<&'static Self> {
        Self::all().iter().find(|card| card.name == word)
    }

    /// The compute capability of NVIDIA's chip, times 10.
    pub fn capability(&self) -> Option<u32> {
        let digits = self.chip.strip_prefix("sm_")?;
        let digits = digits.trim_end_matches(|letter: char| letter.is_alphabetic());
        digits.parse().ok()
    }

    /// Whether threads go on while they copy from global to shared memory. PTX ISA, `cp.async`: from compute capability 8.0 on.
    pub fn copies_asynchronously(&self) -> bool {
        self.capability().is_some_and(|number| number >= 80)
    }

    /// The card that stands for a chip.
    pub fn of_chip(chip: &str) -> Option<&'static Self> {
        Self::all().iter().find(|card| card.chip == chip)
    }
}

impl Gpu {
    /// What an attribute says of a GPU.
    pub(crate) fn describe(&self, ctx: Ctx) -> Attr {
        let mut entries = vec![("kind".to_owned(), Attr::str(ctx, self.kind.name()))];
        let numbers = self.numbers().into_iter();
        entries.extend(numbers.map(|(name, value)| (name.to_owned(), number::attr(ctx, value))));
        entries.push((UNITS.to_owned(), self.units.describe(ctx)));
        Attr::dict(ctx, &named(&entries))
    }

    /// The GPU that an attribute describes.
    ///
    /// # Errors
    /// If its kind is unknown, or it lacks a number.
    pub(crate) fn read(attr: Attr) -> Result<Self, String> {
        let kind = attr.get("kind").and_then(Attr::as_str).unwrap_or_default();
        let known = GpuKind::named(&kind);
        let known = known.ok_or_else(|| format!("the kind of GPU '{kind}' is unknown"))?;
        let units = WarpUnits::read(attr.get(UNITS));
        Self::of_numbers(known, units, |name| number::of(attr, name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_have_known_numbers_with_sources() {
        for text in TEXTS {
            let file: File = toml::from_str(text).expect("a card's file parses");
            let are_known = file
                .numbers
                .keys()
                .all(|name| Gpu::NUMBERS.contains(&name.as_str()));
            assert!(are_known, "{}", file.name);
            for (name, number) in file.numbers.iter().chain(&file.units) {
                assert!(
                    !number.source.is_empty() && number.value > 0.0,
                    "{}: {name}",
                    file.name
                );
            }
        }
    }

    #[test]
    fn cards_have_names_and_chips() {
        assert_eq!(
            Card::named("nvidia/h100").map(|card| card.chip.as_str()),
            Some("sm_90")
        );
        for kind in GpuKind::ALL {
            assert!(Card::all().iter().any(|card| card.gpu.kind == *kind));
            let usual = kind.usual_chip();
            assert_eq!(usual.and_then(Card::of_chip).is_some(), usual.is_some());
        }
        assert!(Card::named("nvidia/h101").is_none());
    }
}
