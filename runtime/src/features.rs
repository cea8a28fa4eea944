//! What a model's code asks of the processor.
//!
//! A compiled model lists the features that LLVM was allowed to use, by LLVM's names. Whoever makes an instance of
//! the model is told here which of them this processor lacks, before the first of those instructions.
//!
//! The tables have the features by which LLVM writes other instructions for a model's code. All others are left out:
//! those that only say what is fast, and those whose instructions are only written for programs that ask for them by
//! name (encryption, random numbers, transactions, caches, virtual machines), which models do not.

#[cfg(target_arch = "x86_64")]
use crate::amx;

/// A table: LLVM's name of a feature, and whether this processor and its system have it, which is only asked on the
/// architecture itself.
macro_rules! features {
    ($architecture:literal, $names:ident, $($name:literal: $answer:expr,)*) => {
        const $names: &[&str] = &[$($name),*];

        /// Whether this processor has a feature. One that is not in the table is of a newer compiler.
        #[cfg(target_arch = $architecture)]
        fn has(name: &str) -> bool {
            match name {
                $($name => $answer,)*
                _ => false,
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
macro_rules! x86 {
    ($name:tt) => {
        std::arch::is_x86_feature_detected!($name)
    };
}

features! { "x86_64", X86_64,
    "sse3": x86!("sse3"),
    "ssse3": x86!("ssse3"),
    "sse4.1": x86!("sse4.1"),
    "sse4.2": x86!("sse4.2"),
    "sse4a": x86!("sse4a"),
    "popcnt": x86!("popcnt"),
    "lzcnt": x86!("lzcnt"),
    "bmi": x86!("bmi1"),
    "bmi2": x86!("bmi2"),
    "tbm": x86!("tbm"),
    "movbe": x86!("movbe"),
    "gfni": x86!("gfni"),
    "avx": x86!("avx"),
    "avx2": x86!("avx2"),
    "f16c": x86!("f16c"),
    "fma": x86!("fma"),
    "fma4": x86!("avx") && cpuid(0x8000_0001, 0).ecx >> 16 & 1 == 1,
    "xop": x86!("avx") && cpuid(0x8000_0001, 0).ecx >> 11 & 1 == 1,
    "avxvnni": x86!("avxvnni"),
    "avxvnniint8": x86!("avxvnniint8"),
    "avxvnniint16": x86!("avxvnniint16"),
    "avxifma": x86!("avxifma"),
    "avxneconvert": x86!("avxneconvert"),
    "avx512f": x86!("avx512f"),
    "avx512cd": x86!("avx512cd"),
    "avx512bw": x86!("avx512bw"),
    "avx512dq": x86!("avx512dq"),
    "avx512vl": x86!("avx512vl"),
    "avx512ifma": x86!("avx512ifma"),
    "avx512vbmi": x86!("avx512vbmi"),
    "avx512vbmi2": x86!("avx512vbmi2"),
    "avx512vnni": x86!("avx512vnni"),
    "avx512bitalg": x86!("avx512bitalg"),
    "avx512vpopcntdq": x86!("avx512vpopcntdq"),
    "avx512bf16": x86!("avx512bf16"),
    "avx512fp16": x86!("avx512fp16"),
    "avx10.1": avx10() >= 1,
    "avx10.2": avx10() >= 2,
    "egpr": apx(),
    "ndd": apx(),
    "ccmp": apx(),
    "cf": apx(),
    "nf": apx(),
    "ppx": apx(),
    "push2pop2": apx(),
    "zu": apx(),
    "amx-tile": amx::status() == 0,
    "amx-bf16": amx::status() == 0,
}

#[cfg(target_arch = "aarch64")]
macro_rules! arm {
    ($name:tt) => {
        std::arch::is_aarch64_feature_detected!($name)
    };
}

features! { "aarch64", AARCH64,
    "rdm": arm!("rdm"),
    "lse": arm!("lse"),
    "lse2": arm!("lse2"),
    "rcpc": arm!("rcpc"),
    "rcpc-immo": arm!("rcpc2"),
    "flagm": arm!("flagm"),
    "jsconv": arm!("jsconv"),
    "complxnum": arm!("fcma"),
    "fptoint": arm!("frintts"),
    "fullfp16": arm!("fp16"),
    "fp16fml": arm!("fhm"),
    "dotprod": arm!("dotprod"),
    "i8mm": arm!("i8mm"),
    "bf16": arm!("bf16"),
    "sha3": arm!("sha3"),
    "sve": arm!("sve"),
    "sve2": arm!("sve2"),
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn has(_: &str) -> bool {
    false
}

/// The features of an architecture that change a model's code, by LLVM's names.
pub fn of(architecture: &str) -> &'static [&'static str] {
    match architecture {
        "x86_64" => X86_64,
        "aarch64" => AARCH64,
        _ => &[],
    }
}

/// The features of this processor that change a model's code, by LLVM's names.
pub fn present() -> impl Iterator<Item = &'static str> {
    let all = of(std::env::consts::ARCH).iter().copied();
    all.filter(|name| has(name))
}

/// Whether a feature is one of tiles (AMX). LLVM writes such instructions only for models that multiply tiles.
pub fn is_of_tiles(name: &str) -> bool {
    name.starts_with("amx-")
}

/// Checks that this processor has all of a list, separated by commas; else what it lacks, and what to do.
pub(crate) fn check(wanted: &str, target: &str) -> Result<(), String> {
    let names = wanted.split(',').filter(|name| !name.is_empty());
    let missing: Vec<&str> = names.filter(|name| !has(name)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    #[cfg(target_arch = "x86_64")]
    if missing.iter().all(|name| is_of_tiles(name)) {
        return Err(amx::refusal());
    }
    Err(format!(
        "the model needs instructions that this processor, or its system, does not have: {}; it was compiled for \
         {target}; compile it on this machine, or for older processors as well, such as {}",
        missing.join(", "),
        older()
    ))
}

/// How to compile for processors like this one, and for newer ones.
fn older() -> &'static str {
    match cfg!(target_arch = "x86_64") {
        true => "--target x86-64,x86-64-v3,x86-64-v4",
        false => "--target with the triple alone",
    }
}

/// What the processor says of itself; nothing of what it does not know.
#[cfg(target_arch = "x86_64")]
fn cpuid(leaf: u32, part: u32) -> std::arch::x86_64::CpuidResult {
    use std::arch::x86_64::{__cpuid, __cpuid_count, CpuidResult};
    if __cpuid(leaf & 0x8000_0000).eax >= leaf {
        return __cpuid_count(leaf, part);
    }
    let [eax, ebx, ecx, edx] = [0; 4];
    CpuidResult { eax, ebx, ecx, edx }
}

/// The version of AVX10; 0 where there is none. Its state is that of AVX-512.
#[cfg(target_arch = "x86_64")]
fn avx10() -> u32 {
    if !x86!("avx512f") || cpuid(7, 1).edx >> 19 & 1 == 0 {
        return 0;
    }
    cpuid(0x24, 0).ebx & 0xff
}

/// Whether there are the 32 general registers of APX, and the system saves them.
#[cfg(target_arch = "x86_64")]
fn apx() -> bool {
    /// The part of the state that the system has to save.
    const REGISTERS: u64 = 1 << 19;
    let has_states = cpuid(1, 0).ecx >> 27 & 1 == 1;
    if !has_states || cpuid(7, 1).edx >> 21 & 1 == 0 {
        return false;
    }
    // SAFETY: the processor has the instruction, and the system lets programs use it.
    let states = unsafe { std::arch::x86_64::_xgetbv(0) };
    states & REGISTERS != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_named() {
        assert_eq!(check("", "t"), Ok(()));
        let message = check("avx99", "t").expect_err("there is none");
        assert!(
            message.contains("does not have: avx99; it was compiled for t;"),
            "{message}"
        );
    }

    /// Linux has the same from the same processor; it has other names, and leaves out what it does not know.
    #[cfg(target_arch = "x86_64")]
    #[test]
    fn the_system_says_the_same() {
        let flags = std::fs::read_to_string("/proc/cpuinfo").expect("Linux has the file");
        let flags: Vec<&str> = flags.split_ascii_whitespace().collect();
        for (name, linux) in [
            ("sse3", "pni"),
            ("ssse3", "ssse3"),
            ("sse4a", "sse4a"),
            ("lzcnt", "abm"),
            ("bmi", "bmi1"),
            ("movbe", "movbe"),
            ("avx2", "avx2"),
            ("fma", "fma"),
            ("xop", "xop"),
            ("avx512f", "avx512f"),
            ("avx512vnni", "avx512_vnni"),
            ("avx512bf16", "avx512_bf16"),
            ("avx512fp16", "avx512_fp16"),
            ("avxvnni", "avx_vnni"),
        ] {
            assert_eq!(has(name), flags.contains(&linux), "{name}");
        }
    }
}
