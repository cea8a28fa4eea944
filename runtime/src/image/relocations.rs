//! What the system's loader writes into a library when it has found a place for it in memory.

use super::{
    Checked, damaged,
    dynamic::Dynamic,
    headers::Headers,
    symbols::{Symbols, is_defined},
};
use object::{LittleEndian as LE, ReadRef, U64, elf, pod::slice_from_bytes};
use std::collections::HashMap;

/// What is written at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// The address in the library that the addend is.
    Own,
    /// The address of a symbol.
    Symbol,
    /// What a function at the addend returns.
    Answer,
    /// The number of the library, for its variables of threads.
    ThreadModule,
    /// Where a variable of threads is.
    ThreadOffset,
    /// Two words that find a variable of threads.
    ThreadPair,
}

/// The codes of the kinds, on x86-64 and on AArch64.
const KINDS: &[(elf::RelocationType, elf::RelocationType, Kind)] = &[
    (elf::R_X86_64_RELATIVE, elf::R_AARCH64_RELATIVE, Kind::Own),
    (elf::R_X86_64_64, elf::R_AARCH64_ABS64, Kind::Symbol),
    (
        elf::R_X86_64_GLOB_DAT,
        elf::R_AARCH64_GLOB_DAT,
        Kind::Symbol,
    ),
    (
        elf::R_X86_64_JUMP_SLOT,
        elf::R_AARCH64_JUMP_SLOT,
        Kind::Symbol,
    ),
    (
        elf::R_X86_64_IRELATIVE,
        elf::R_AARCH64_IRELATIVE,
        Kind::Answer,
    ),
    (
        elf::R_X86_64_DTPMOD64,
        elf::R_AARCH64_TLS_DTPMOD,
        Kind::ThreadModule,
    ),
    (
        elf::R_X86_64_DTPOFF64,
        elf::R_AARCH64_TLS_DTPREL,
        Kind::ThreadOffset,
    ),
    (
        elf::R_X86_64_TPOFF64,
        elf::R_AARCH64_TLS_TPREL,
        Kind::ThreadOffset,
    ),
    (
        elf::R_X86_64_TLSDESC,
        elf::R_AARCH64_TLSDESC,
        Kind::ThreadPair,
    ),
];

/// The addresses that are written over pointers, by the places of the pointers.
pub(super) fn read<'d, R: ReadRef<'d>>(
    headers: &Headers<R>,
    dynamic: &Dynamic<'d>,
    symbols: &Symbols<'d>,
) -> Checked<HashMap<u64, u64>> {
    let mut pointers = HashMap::new();
    let mut places = Vec::new();
    for tag in [elf::DT_RELA, elf::DT_JMPREL] {
        for relocation in list(dynamic.table(tag)) {
            let (place, kind) = check(headers, symbols, relocation)?;
            places.push(place);
            if let Some(address) = address(symbols, relocation, kind) {
                pointers.insert(place, address);
            }
        }
    }
    check_first(headers, dynamic)?;
    for place in packed(dynamic) {
        let written = headers
            .content(place, 8)
            .filter(|_| headers.is_in(place, 8, elf::PF_W));
        let Some(written) = written.and_then(|bytes| bytes.try_into().ok()) else {
            return damaged(format!("the loader would write at address {place:#x}"));
        };
        let address = u64::from_le_bytes(written);
        check_own(headers, address)?;
        places.push(place);
        pointers.insert(place, address);
    }
    places.sort_unstable();
    match places.windows(2).find(|pair| pair[1] - pair[0] < 8) {
        None => Ok(pointers),
        Some(pair) => damaged(format!(
            "the loader would write twice at address {:#x}",
            pair[1]
        )),
    }
}

fn list(table: Option<&[u8]>) -> &[elf::Rela64<LE>] {
    let bytes = table.unwrap_or_default();
    slice_from_bytes(bytes, bytes.len() / 24).map_or(&[], |(list, _)| list)
}

fn kind<R>(headers: &Headers<R>, relocation: &elf::Rela64<LE>) -> Option<Kind> {
    let code = relocation.r_type(LE, false);
    let is_arm = headers.architecture == "aarch64";
    let row = KINDS
        .iter()
        .find(|(x86, arm, _)| code == if is_arm { *arm } else { *x86 });
    row.map(|(_, _, kind)| *kind)
}

/// Checks one; its place and kind.
fn check<'d, R: ReadRef<'d>>(
    headers: &Headers<R>,
    symbols: &Symbols<'d>,
    relocation: &elf::Rela64<LE>,
) -> Checked<(u64, Kind)> {
    let place = relocation.r_offset.get(LE);
    let addend = relocation.r_addend.get(LE) as u64;
    let Some(kind) = kind(headers, relocation) else {
        let code = relocation.r_type(LE, false).0;
        return damaged(format!("a relocation is of the unknown type {code}"));
    };
    let size = if kind == Kind::ThreadPair { 16 } else { 8 };
    if !place.is_multiple_of(8) || !headers.is_in(place, size, elf::PF_W) {
        return damaged(format!("the loader would write at address {place:#x}"));
    }
    let number = relocation.r_sym(LE, false);
    let Some(symbol) = symbols.get(number) else {
        return damaged(format!(
            "a relocation is of symbol {number}, which there is not"
        ));
    };
    let is_of_none = number == 0;
    let is_right = match kind {
        Kind::Own => {
            check_own(headers, addend)?;
            is_of_none
        }
        Kind::Answer => is_of_none && headers.is_code(addend),
        // What is added to a symbol is a place in it.
        Kind::Symbol if is_defined(symbol) => {
            let address = symbol.st_value.get(LE).wrapping_add(addend);
            headers.is_in(address, 0, elf::PF_R)
        }
        Kind::Symbol => !is_of_none && addend == 0,
        Kind::ThreadModule => addend == 0,
        Kind::ThreadOffset | Kind::ThreadPair => !is_of_none || addend <= headers.thread_bytes,
    };
    match is_right {
        true => Ok((place, kind)),
        false => damaged(format!("the relocation of address {place:#x} fits nothing")),
    }
}

/// A pointer of the library to itself.
fn check_own<'d, R: ReadRef<'d>>(headers: &Headers<R>, address: u64) -> Checked<()> {
    match headers.is_in(address, 0, elf::PF_R) {
        true => Ok(()),
        false => damaged(format!(
            "a pointer points to address {address:#x}, where nothing is"
        )),
    }
}

/// The address that is written, where it is one of the library.
fn address(symbols: &Symbols<'_>, relocation: &elf::Rela64<LE>, kind: Kind) -> Option<u64> {
    let addend = relocation.r_addend.get(LE) as u64;
    match kind {
        Kind::Own => Some(addend),
        Kind::Symbol => {
            let symbol = symbols.get(relocation.r_sym(LE, false))?;
            let address = symbol.st_value.get(LE).wrapping_add(addend);
            is_defined(symbol).then_some(address)
        }
        _ => None,
    }
}

/// The loader takes so many relocations for pointers of the library to itself, without looking. They are in the
/// order of their places.
fn check_first<R>(headers: &Headers<R>, dynamic: &Dynamic<'_>) -> Checked<()> {
    let count = dynamic.value(elf::DT_RELACOUNT);
    let all = list(dynamic.table(elf::DT_RELA));
    let first = usize::try_from(count)
        .ok()
        .and_then(|count| all.get(..count));
    let is_right = first.is_some_and(|first| {
        let is_own = |relocation| kind(headers, relocation) == Some(Kind::Own);
        let place = |relocation: &elf::Rela64<LE>| relocation.r_offset.get(LE);
        first.iter().all(is_own) && first.is_sorted_by_key(place)
    });
    match is_right {
        true => Ok(()),
        false => damaged(format!(
            "its first {count} relocations are not its own pointers"
        )),
    }
}

/// The places that are listed in the packed form: an address, or a map of bits of the 63 words behind the last one.
fn packed(dynamic: &Dynamic<'_>) -> Vec<u64> {
    let bytes = dynamic.table(elf::DT_RELR).unwrap_or_default();
    let words = slice_from_bytes::<U64<LE>>(bytes, bytes.len() / 8);
    let mut places = Vec::new();
    let mut next = 0_u64;
    for word in words.map_or(&[][..], |(words, _)| words) {
        let word = word.get(LE);
        if word & 1 == 0 {
            places.push(word);
            next = word.wrapping_add(8);
            continue;
        }
        let bits = (0..63).filter(|bit| word >> (bit + 1) & 1 == 1);
        places.extend(bits.map(|bit| next.wrapping_add(8 * bit)));
        next = next.wrapping_add(63 * 8);
    }
    places
}
