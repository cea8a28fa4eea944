//! What the environment says of an emulator.

use std::{env, ffi::CString};

/// The order in which the threads of a block run between two barriers. The results of a kernel without faults do not depend on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// By their numbers.
    #[default]
    Forward,
    /// From the last to the first.
    Backward,
    /// By chance, in another order after each barrier. The number is the seed.
    Shuffled(u64),
}

/// The chip that the device says it has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Chip {
    /// NVIDIA's, by its compute capability: major and minor number.
    Capability(i32, i32),
    /// AMD's, by its name.
    Name(CString),
}

/// What a user chooses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The order of threads: `RELAY_EMULATOR_ORDER`.
    pub order: Order,
    /// The bytes of the device's memory: `RELAY_EMULATOR_MEMORY`. `None` for as much as the system gives.
    pub memory: Option<u64>,
    /// The chip: `RELAY_EMULATOR_CHIP`. `None` for a device that says none.
    pub chip: Option<Chip>,
    /// The threads of a warp: `RELAY_EMULATOR_WARP`. `None` for those of the chip, or 32 under CUDA's names, and 64 under HIP's.
    pub warp: Option<u32>,
    /// Whether standard error says each launch: `RELAY_EMULATOR_TRACE=1`.
    pub is_traced: bool,
}

impl Options {
    /// What the environment says.
    ///
    /// # Errors
    /// If a variable has another form.
    pub fn read() -> Result<Self, String> {
        let read = |name: &str| env::var(name).unwrap_or_default();
        Ok(Self {
            order: order(&read("RELAY_EMULATOR_ORDER"))?,
            memory: memory(&read("RELAY_EMULATOR_MEMORY"))?,
            chip: chip(&read("RELAY_EMULATOR_CHIP"))?,
            warp: warp(&read("RELAY_EMULATOR_WARP"))?,
            is_traced: !matches!(&*read("RELAY_EMULATOR_TRACE"), "" | "0"),
        })
    }
}

fn order(text: &str) -> Result<Order, String> {
    let seed = text.strip_prefix("shuffled:").map(str::parse);
    match (text, seed) {
        ("" | "forward", _) => Ok(Order::Forward),
        ("backward", _) => Ok(Order::Backward),
        (_, Some(Ok(seed))) => Ok(Order::Shuffled(seed)),
        _ => Err(format!(
            "RELAY_EMULATOR_ORDER is '{text}', and must be forward, backward or shuffled:SEED"
        )),
    }
}

fn memory(text: &str) -> Result<Option<u64>, String> {
    match (text, text.parse()) {
        ("", _) => Ok(None),
        (_, Ok(bytes)) => Ok(Some(bytes)),
        _ => Err(format!(
            "RELAY_EMULATOR_MEMORY is '{text}', and must be a number of bytes"
        )),
    }
}

fn chip(text: &str) -> Result<Option<Chip>, String> {
    if text.is_empty() {
        return Ok(None);
    }
    let name = CString::new(text).ok().filter(|_| text.starts_with("gfx"));
    let digits = text
        .strip_prefix("sm_")
        .and_then(|digits| digits.parse().ok());
    let capability = digits.filter(|digits: &i32| *digits >= 10);
    let capability = capability.map(|digits| Chip::Capability(digits / 10, digits % 10));
    let chip = capability.or(name.map(Chip::Name));
    chip.map(Some).ok_or_else(|| {
        format!("RELAY_EMULATOR_CHIP is '{text}', and must be a chip such as sm_80 or gfx942")
    })
}

fn warp(text: &str) -> Result<Option<u32>, String> {
    match text {
        "" => Ok(None),
        "32" => Ok(Some(32)),
        "64" => Ok(Some(64)),
        _ => Err(format!(
            "RELAY_EMULATOR_WARP is '{text}', and must be 32 or 64"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_have_one_meaning() {
        assert_eq!(order(""), Ok(Order::Forward));
        assert_eq!(order("backward"), Ok(Order::Backward));
        assert_eq!(order("shuffled:7"), Ok(Order::Shuffled(7)));
        assert!(order("shuffled").is_err());
        assert!(order("shuffled:x").is_err());
        assert_eq!(memory(""), Ok(None));
        assert_eq!(memory("4096"), Ok(Some(4096)));
        assert!(memory("4 KiB").is_err());
        assert_eq!(chip(""), Ok(None));
        assert_eq!(chip("sm_86"), Ok(Some(Chip::Capability(8, 6))));
        assert_eq!(chip("sm_120"), Ok(Some(Chip::Capability(12, 0))));
        assert_eq!(chip("gfx90a"), Ok(Some(Chip::Name(c"gfx90a".into()))));
        assert!(chip("8.6").is_err());
        assert!(chip("sm_").is_err());
        assert_eq!(warp("64"), Ok(Some(64)));
        assert!(warp("48").is_err());
    }
}
