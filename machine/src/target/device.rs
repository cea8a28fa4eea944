//! GPUs in targets.

use crate::{Card, GpuKind};

/// A GPU that a target is for.
#[derive(Clone, Copy, Debug)]
pub struct Device {
    /// The card.
    pub card: &'static Card,
    /// Whether kernels are code of the processor, for the emulated driver.
    pub is_emulated: bool,
}

impl Device {
    /// The device of the words of a target that say one: `nvidia/h100`, `cuda`, `-arch=sm_90`, `-emulated`; and the other words.
    pub(super) fn of_words(words: Vec<&str>) -> Result<(Option<Self>, Vec<&str>), String> {
        let mut request = Request::default();
        let mut others = Vec::new();
        for word in words {
            if let Some(kind) = GpuKind::named(word) {
                put(&mut request.kind, kind)?;
            } else if let Some(card) = Card::named(word) {
                put(&mut request.card, card.name.as_str())?;
            } else if let Some(chip) = word.strip_prefix("-arch=") {
                put(&mut request.chip, chip)?;
            } else if word == "-emulated" {
                request.is_emulated = true;
            } else {
                others.push(word);
            }
        }
        Ok((request.device()?, others))
    }

    /// What machine code depends on of the device, for keys.
    pub fn identity(&self) -> String {
        let (chip, is_emulated) = (&self.card.chip, self.is_emulated);
        format!("{chip} {is_emulated}")
    }
}

/// Keeps what a word says; another word may not say something else.
fn put<T: Copy + PartialEq>(place: &mut Option<T>, value: T) -> Result<(), String> {
    match place.replace(value).is_some_and(|before| before != value) {
        true => Err("a target has one GPU".into()),
        false => Ok(()),
    }
}

/// What a target says of its GPU.
#[derive(Default)]
struct Request<'a> {
    kind: Option<GpuKind>,
    card: Option<&'static str>,
    chip: Option<&'a str>,
    is_emulated: bool,
}

impl Request<'_> {
    /// The device; `None` if the target says none.
    fn device(&self) -> Result<Option<Device>, String> {
        let Some(card) = self.card()? else {
            return match self.is_emulated {
                true => Err("-emulated is for GPUs; write cuda -emulated".into()),
                false => Ok(None),
            };
        };
        let kind = card.gpu.kind;
        if let Some(other) = self.kind.filter(|other| *other != kind) {
            let (kind, other) = (kind.name(), other.name());
            return Err(format!("{} is a chip of {kind}, not of {other}", card.chip));
        }
        Ok(Some(Device {
            card,
            is_emulated: self.is_emulated,
        }))
    }

    /// The card that is named, or stands for the chip.
    fn card(&self) -> Result<Option<&'static Card>, String> {
        if let Some(card) = self.card.and_then(Card::named) {
            return match self.chip.is_none_or(|chip| chip == card.chip) {
                true => Ok(Some(card)),
                false => Err(format!("the chip of {} is {}", card.name, card.chip)),
            };
        }
        let usual = self.kind.and_then(GpuKind::usual_chip);
        match (self.chip.or(usual), self.kind) {
            (Some(chip), _) => self.of_chip(chip).map(Some),
            (None, Some(kind)) => self.of_kind(kind).map(Some),
            (None, None) => Ok(None),
        }
    }

    fn of_chip(&self, chip: &str) -> Result<&'static Card, String> {
        Card::of_chip(chip).ok_or_else(|| {
            let is_near = |card: &&Card| self.kind.is_none_or(|kind| kind == card.gpu.kind);
            let near = Card::all().iter().filter(is_near);
            let known: Vec<&str> = near.map(|card| card.chip.as_str()).collect();
            let known = known.join(", ");
            format!("no code is made for the chip '{chip}', only for {known}")
        })
    }

    /// The card of a kind without a usual chip: emulated kernels are code for no chip.
    fn of_kind(&self, kind: GpuKind) -> Result<&'static Card, String> {
        let cards = || Card::all().iter().filter(|card| card.gpu.kind == kind);
        match cards().next().filter(|_| self.is_emulated) {
            Some(card) => Ok(card),
            None => {
                let names: Vec<&str> = cards().map(|card| card.name.as_str()).collect();
                let (name, names) = (kind.name(), names.join(", "));
                Err(format!(
                    "{name} alone names no chip, and code for one chip does not run on another; write {name} -arch=CHIP, or a \
                     card: {names}"
                ))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_name_one_card() {
        for (words, expected) in [
            ("cuda", Some("nvidia/a100")),
            ("cuda -arch=sm_90", Some("nvidia/h100")),
            ("-arch=gfx942 rocm", Some("amd/mi300x")),
            ("amd/rx7900xtx", Some("amd/rx7900xtx")),
            ("rocm amd/mi250 -arch=gfx90a", Some("amd/mi250")),
            ("rocm -emulated", Some("amd/mi250")),
            ("x86-64-v3", None),
        ] {
            let (device, _) = Device::of_words(words.split(' ').collect()).expect(words);
            let card = device.map(|device| device.card.name.as_str());
            assert_eq!(card, expected, "{words}");
        }
    }

    #[test]
    fn words_that_do_not_agree_are_refused() {
        for (words, reason) in [
            ("rocm", "rocm alone names no chip"),
            ("rocm -arch=sm_80", "sm_80 is a chip of cuda, not of rocm"),
            ("rocm -arch=gfx1", "only for gfx90a, gfx942, gfx1100"),
            ("cuda amd/mi250", "gfx90a is a chip of rocm, not of cuda"),
            ("amd/mi250 -arch=gfx942", "the chip of amd/mi250 is gfx90a"),
            ("amd/mi250 nvidia/h100", "a target has one GPU"),
            ("x86-64-v3 -emulated", "-emulated is for GPUs"),
        ] {
            let said = Device::of_words(words.split(' ').collect()).expect_err(words);
            assert!(said.contains(reason), "{words}: {said}");
        }
    }
}
