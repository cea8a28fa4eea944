//! Targets of one library: several levels of x86-64, or several GPUs beside one processor.

use super::{LISTED, Target, TargetError, level};
use crate::{Card, GpuKind};
use std::cmp::Reverse;

/// What the word of a target begins with that names chips.
const ARCH: &str = "-arch=";

impl Target {
    /// Parses a list of targets for one library: levels, `x86-64-v3,x86-64-v4`, or GPUs, `cuda -arch=sm_80,sm_90` or
    /// `nvidia/a100,nvidia/h100`. The one with the most instructions is first; AMD's chips keep their order. One target alone may be any.
    ///
    /// # Errors
    /// If one does not parse, one level or chip is given twice, or GPUs are of several makers.
    pub fn parse_list(text: &str) -> Result<Vec<Self>, TargetError> {
        let fail = |reason: String| TargetError {
            text: text.into(),
            reason,
        };
        if let Some(texts) = texts_of_gpus(text).map_err(fail)? {
            let targets = texts.iter().map(|text| Self::parse(text));
            return sort_gpus(targets.collect::<Result<_, _>>()?).map_err(fail);
        }
        // Features are separated by commas, too.
        if !text.split(',').all(|word| level(word).is_some()) {
            return Ok(vec![Self::parse(text)?]);
        }
        let mut targets: Vec<Self> = text.split(',').map(Self::parse).collect::<Result<_, _>>()?;
        targets.sort_by_key(|target| Reverse(target.level()));
        let is_twice = |pair: &[Self]| pair[0].level() == pair[1].level();
        match targets.windows(2).any(is_twice) {
            true => Err(fail("each level can be given once".into())),
            false => Ok(targets),
        }
    }

    /// What tells the target from others of its library: the chip of its GPU, or the CPU.
    pub fn variant(&self) -> &str {
        self.device.map_or(&self.cpu, |device| &device.card.chip)
    }
}

/// The texts of targets with one GPU each, if a text names several.
///
/// # Errors
/// If two words name several.
fn texts_of_gpus(text: &str) -> Result<Option<Vec<String>>, String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut lists = words.iter().enumerate().filter(|(_, word)| is_list(word));
    let Some((place, list)) = lists.next() else {
        return Ok(None);
    };
    if lists.next().is_some() {
        return Err("a library has one list of GPUs; write nvidia/a100,nvidia/h100 or cuda -arch=sm_80,sm_90".into());
    }
    let (option, names) = match list.strip_prefix(ARCH) {
        Some(chips) => (ARCH, chips),
        None => ("", *list),
    };
    let text = |name: &str| {
        let mut words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        words[place] = format!("{option}{name}");
        words.join(" ")
    };
    Ok(Some(names.split(',').map(text).collect()))
}

/// Whether a word names several GPUs.
fn is_list(word: &str) -> bool {
    let is_of_gpus = || word.split(',').any(|name| Card::named(name).is_some());
    word.contains(',') && (word.starts_with(ARCH) || is_of_gpus())
}

/// Targets with a GPU each in the order in which a library has them.
///
/// # Errors
/// If one has no GPU, GPUs are of several makers, or one chip is given twice.
fn sort_gpus(mut targets: Vec<Target>) -> Result<Vec<Target>, String> {
    let mut cards = Vec::new();
    for target in &targets {
        let device = target.device;
        let device = device.ok_or_else(|| format!("{} names no GPU; {LISTED}", target.text))?;
        cards.push(device.card);
    }
    for (place, card) in cards.iter().enumerate() {
        let before = cards[..place].iter();
        if before.clone().any(|other| other.chip == card.chip) {
            return Err(format!(
                "each chip can be given once, and {} is given twice",
                card.chip
            ));
        }
        let kind = card.gpu.kind;
        if let Some(other) = before.clone().find(|other| other.gpu.kind != kind) {
            return Err(format!(
                "one library is for the GPUs of one maker: {} is a chip of {}, and {} of {}; compile a library for each",
                other.chip,
                other.gpu.kind.name(),
                card.chip,
                kind.name()
            ));
        }
    }
    if cards.iter().all(|card| card.gpu.kind == GpuKind::Cuda) {
        targets.sort_by_key(|target| {
            Reverse(target.device.and_then(|device| device.card.capability()))
        });
    }
    Ok(targets)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gpus_are_in_the_order_of_the_library() {
        for (text, chips) in [
            ("cuda -arch=sm_80,sm_90,sm_75", "sm_90 sm_80 sm_75"),
            (
                "nvidia/a100,nvidia/b200,nvidia/h100 x86-64-v3",
                "sm_100 sm_90 sm_80",
            ),
            ("rocm -arch=gfx90a,gfx1100,gfx942", "gfx90a gfx1100 gfx942"),
            ("-emulated amd/mi300x,amd/mi250", "gfx942 gfx90a"),
            ("cuda -arch=sm_80", "sm_80"),
            ("x86-64-v3,x86-64-v4", "x86-64-v4 x86-64-v3"),
            ("x86-64-v3 -mattr=+avx512f,+avx512bw", "x86-64-v3"),
        ] {
            let targets = Target::parse_list(text).expect(text);
            let found: Vec<&str> = targets.iter().map(Target::variant).collect();
            assert_eq!(found.join(" "), chips, "{text}");
            let first = &targets[0];
            assert!(
                targets
                    .iter()
                    .all(|target| target.cpu == first.cpu || target.device.is_none()),
                "{text}"
            );
        }
        let targets = Target::parse_list("cuda -arch=sm_80,sm_90 -emulated").expect("two");
        assert_eq!(targets[1].text, "cuda -arch=sm_80 -emulated");
        assert!(
            targets
                .iter()
                .all(|it| it.device.is_some_and(|it| it.is_emulated))
        );
    }

    #[test]
    fn lists_that_do_not_agree_are_refused() {
        for (text, reason) in [
            ("cuda -arch=sm_80,sm_80", "sm_80 is given twice"),
            ("nvidia/a100,nvidia/a100", "sm_80 is given twice"),
            (
                "-arch=sm_80,gfx942",
                "sm_80 is a chip of cuda, and gfx942 of rocm",
            ),
            (
                "rocm -arch=gfx942,sm_80",
                "sm_80 is a chip of cuda, not of rocm",
            ),
            ("nvidia/a100,nvidia/h101", "nvidia/h101"),
            ("nvidia/a100,x86-64-v3", "x86-64-v3 names no GPU"),
            (
                "nvidia/a100,nvidia/h100 -arch=sm_80,sm_90",
                "one list of GPUs",
            ),
            ("cuda -arch=sm_80,", "the chip ''"),
            ("x86-64-v3,x86-64-v3", "each level can be given once"),
        ] {
            let error = Target::parse_list(text).expect_err(text);
            assert!(error.to_string().contains(reason), "{text}: {error}");
        }
    }
}
