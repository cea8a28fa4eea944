//! The names that a library exports and asks for, and the tables by which the system's loader finds them.

use super::{Checked, Fault, damaged, dynamic::Dynamic, headers::Headers};
use object::{
    LittleEndian as LE, ReadRef, U16, U32,
    elf::{self, gnu_hash, hash},
    pod::slice_from_bytes,
};
use std::collections::HashSet;

/// Where a version of a symbol says that the symbol is hidden.
const HIDDEN: u16 = 1 << 15;

/// The versions that every library has: none, and its own.
const NO_VERSION: [u16; 2] = [0, 1];

/// The symbols.
#[derive(Debug)]
pub(super) struct Symbols<'d> {
    table: &'d [elf::Sym64<LE>],
    names: Vec<&'d [u8]>,
}

impl<'d> Symbols<'d> {
    pub(super) fn get(&self, index: u32) -> Option<&'d elf::Sym64<LE>> {
        self.table.get(index as usize)
    }

    fn defined(&self, name: &str) -> Option<&'d elf::Sym64<LE>> {
        let mut all = self.table.iter().zip(&self.names);
        let found = all.find(|(symbol, known)| **known == name.as_bytes() && is_defined(symbol));
        found.map(|(symbol, _)| symbol)
    }

    /// The address of exported data.
    pub(super) fn data(&self, name: &str) -> Option<u64> {
        let found = self.defined(name)?;
        (found.st_info.st_type() != elf::STT_FUNC).then(|| found.st_value.get(LE))
    }

    /// Whether a function is exported.
    pub(super) fn has_function(&self, name: &str) -> bool {
        let found = self.defined(name);
        found.is_some_and(|symbol| symbol.st_info.st_type() == elf::STT_FUNC)
    }
}

/// Whether a symbol is the library's own, at an address of it.
pub(super) fn is_defined(symbol: &elf::Sym64<LE>) -> bool {
    ![elf::SHN_UNDEF, elf::SHN_ABS].contains(&symbol.st_shndx.get(LE))
}

/// Reads and checks the symbols.
pub(super) fn read<'d, R: ReadRef<'d>>(
    headers: &Headers<R>,
    dynamic: &Dynamic<'d>,
) -> Checked<Symbols<'d>> {
    let mut table = elements::<elf::Sym64<LE>>(dynamic, elf::DT_SYMTAB);
    if headers.sections.is_empty() {
        // Nothing but the tables that find symbols says how many there are.
        let count = table.len().min(counted(dynamic)?);
        table = &table[..count];
    }
    let names = table
        .iter()
        .map(|symbol| dynamic.name(symbol.st_name.get(LE).into()))
        .collect::<Checked<Vec<_>>>()?;
    for symbol in table {
        check(headers, symbol)?;
    }
    let symbols = Symbols { table, names };
    check_gnu_hash(dynamic, &symbols)?;
    check_hash(dynamic, &symbols)?;
    check_versions(headers, dynamic, &symbols)?;
    Ok(symbols)
}

/// A table as elements of a type.
fn elements<'d, T: object::Pod>(dynamic: &Dynamic<'d>, tag: elf::DynamicTag) -> &'d [T] {
    let bytes = dynamic.table(tag).unwrap_or_default();
    slice_from_bytes(bytes, bytes.len() / size_of::<T>()).map_or(&[], |(found, _)| found)
}

/// One symbol: its address is one of the library.
fn check<'d, R: ReadRef<'d>>(headers: &Headers<R>, symbol: &elf::Sym64<LE>) -> Checked<()> {
    let (kind, bind) = (symbol.st_info.st_type(), symbol.st_info.st_bind());
    let value = symbol.st_value.get(LE);
    let is_bound = [elf::STB_LOCAL, elf::STB_GLOBAL, elf::STB_WEAK].contains(&bind);
    let is_right = is_bound
        && match kind {
            _ if !is_defined(symbol) => kind.0 <= elf::STT_TLS.0,
            elf::STT_FUNC | elf::STT_GNU_IFUNC => headers.is_code(value),
            elf::STT_TLS => value <= headers.thread_bytes,
            elf::STT_NOTYPE | elf::STT_OBJECT | elf::STT_SECTION => {
                headers.is_in(value, 0, elf::PF_R)
            }
            _ => false,
        };
    if is_right {
        return Ok(());
    }
    damaged(format!(
        "a symbol of kind {} is at address {value:#x}",
        kind.0
    ))
}

/// The symbols that the tables that find them know.
fn counted(dynamic: &Dynamic<'_>) -> Checked<usize> {
    if let Some([_, count, ..]) = words(dynamic, elf::DT_HASH) {
        return Ok(count.get(LE) as usize);
    }
    let found = gnu_table(dynamic)?;
    let last = found.iter().flat_map(|table| {
        let values = table.chains.iter().enumerate();
        let first = table.buckets.iter().map(|bucket| bucket.get(LE)).max();
        let first = first.unwrap_or(0).saturating_sub(table.base) as usize;
        let end = values.skip(first).find(|(_, value)| value.get(LE) & 1 == 1);
        end.map(|(index, _)| table.base as usize + index + 1)
    });
    Ok(last.max().unwrap_or(0))
}

fn words<'d>(dynamic: &Dynamic<'d>, tag: elf::DynamicTag) -> Option<&'d [U32<LE>]> {
    dynamic.table(tag)?;
    Some(elements(dynamic, tag))
}

/// GNU's table that finds symbols by the hashes of their names.
struct GnuTable<'d> {
    /// The first symbol that it finds.
    base: u32,
    buckets: &'d [U32<LE>],
    chains: &'d [U32<LE>],
}

fn gnu_table<'d>(dynamic: &Dynamic<'d>) -> Checked<Option<GnuTable<'d>>> {
    let Some(words) = words(dynamic, elf::DT_GNU_HASH) else {
        return Ok(None);
    };
    let table = (|| {
        let (header, rest) = words.split_at_checked(4)?;
        let [buckets, base, filters, shift] = [0, 1, 2, 3].map(|index| header[index].get(LE));
        let is_right = buckets > 0 && filters.is_power_of_two() && shift < 32;
        let rest = rest.get((filters as usize).checked_mul(2)?..)?;
        let (buckets, chains) = rest.split_at_checked(buckets as usize)?;
        is_right.then_some(GnuTable {
            base,
            buckets,
            chains,
        })
    })();
    let wrong = || Fault::Damaged("the table of hashes of its names is no such table".into());
    table.map(Some).ok_or_else(wrong)
}

/// Every symbol that is found is where the hash of its name says.
fn check_gnu_hash(dynamic: &Dynamic<'_>, symbols: &Symbols<'_>) -> Checked<()> {
    let Some(table) = gnu_table(dynamic)? else {
        return Ok(());
    };
    let wrong = || damaged("the hashes of its names are not those of its names");
    let (base, count) = (table.base as usize, symbols.table.len());
    let found = table.chains.get(..count.saturating_sub(base));
    let Some(chains) = found.filter(|_| base <= count) else {
        return wrong();
    };
    let mut is_first = true;
    let mut begun = HashSet::new();
    for (index, chain) in chains.iter().enumerate() {
        let chain = chain.get(LE);
        let hash = gnu_hash(symbols.names[base + index]);
        let bucket = hash as usize % table.buckets.len();
        if chain | 1 != hash | 1 {
            return wrong();
        }
        if is_first {
            begun.insert(bucket);
            if table.buckets[bucket].get(LE) as usize != base + index {
                return wrong();
            }
        } else if !begun.contains(&bucket) {
            return wrong();
        }
        is_first = chain & 1 == 1;
    }
    let filled = table.buckets.iter().filter(|bucket| bucket.get(LE) != 0);
    // The last chain ends, and no bucket begins elsewhere.
    match is_first && filled.count() == begun.len() {
        true => Ok(()),
        false => wrong(),
    }
}

/// The older table: all its chains are of symbols, and end.
fn check_hash(dynamic: &Dynamic<'_>, symbols: &Symbols<'_>) -> Checked<()> {
    let Some(words) = words(dynamic, elf::DT_HASH) else {
        return Ok(());
    };
    let count = symbols.table.len();
    let lists = words.split_at_checked(2).and_then(|(sizes, rest)| {
        let (buckets, chains) = rest.split_at_checked(sizes[0].get(LE) as usize)?;
        let is_right = !buckets.is_empty() && sizes[1].get(LE) as usize == count;
        is_right.then_some((buckets, chains.get(..count)?))
    });
    let next =
        |chains: &[U32<LE>], index: usize| chains.get(index).map(|next| next.get(LE) as usize);
    let is_right = lists.is_some_and(|(buckets, chains)| {
        buckets.iter().all(|bucket| {
            let mut index = bucket.get(LE) as usize;
            // A chain with more symbols than there are goes in a circle.
            for _ in 0..count {
                match next(chains, index) {
                    _ if index == 0 => return true,
                    Some(following) => index = following,
                    None => return false,
                }
            }
            index == 0
        })
    });
    match is_right {
        true => Ok(()),
        false => damaged("the table of its names is no such table"),
    }
}

/// Every symbol's version is one that the library defines or asks for.
fn check_versions<R>(
    headers: &Headers<R>,
    dynamic: &Dynamic<'_>,
    symbols: &Symbols<'_>,
) -> Checked<()> {
    let mut known: HashSet<u16> = HashSet::from(NO_VERSION);
    needed_versions(dynamic, &mut known)?;
    defined_versions(dynamic, &mut known)?;
    let of_symbols = elements::<U16<LE>>(dynamic, elf::DT_VERSYM);
    let count = symbols.table.len();
    let is_whole = match headers.sections.is_empty() {
        true => of_symbols.len() >= count,
        false => of_symbols.len() == count,
    };
    if dynamic.table(elf::DT_VERSYM).is_some() && !is_whole {
        return damaged("it has not a version for each symbol");
    }
    let mut versions = of_symbols
        .iter()
        .take(count)
        .map(|version| version.get(LE) & !HIDDEN);
    match versions.find(|version| !known.contains(version)) {
        None => Ok(()),
        Some(version) => damaged(format!(
            "a symbol has the version {version}, which there is not"
        )),
    }
}

/// A struct of a list whose elements say how far the next one is.
fn at<T: object::Pod>(bytes: &[u8], offset: usize) -> Checked<&T> {
    let rest = bytes.get(offset..).unwrap_or_default();
    let found = object::pod::from_bytes(rest).map(|(found, _)| found);
    found.map_err(|()| Fault::Damaged("its table of versions has no end".into()))
}

/// The versions that are asked for of other libraries.
fn needed_versions(dynamic: &Dynamic<'_>, known: &mut HashSet<u16>) -> Checked<()> {
    let count = dynamic.value(elf::DT_VERNEEDNUM);
    let bytes = dynamic.table(elf::DT_VERNEED).unwrap_or_default();
    let mut place = 0;
    for library in 0..count {
        let need: &elf::Verneed<LE> = at(bytes, place)?;
        let file = dynamic.name(need.vn_file.get(LE).into())?;
        if !dynamic.needed.contains(&file) {
            return damaged("it asks for versions of a library that it does not ask for");
        }
        let mut inner = place + need.vn_aux.get(LE) as usize;
        for index in 0..need.vn_cnt.get(LE) {
            let version: &elf::Vernaux<LE> = at(bytes, inner)?;
            let name = dynamic.name(version.vna_name.get(LE).into())?;
            let next = version.vna_next.get(LE) as usize;
            let is_last = index + 1 == need.vn_cnt.get(LE);
            if hash(name) != version.vna_hash.get(LE) || (next == 0) != is_last {
                return damaged("a version that it asks for has another name");
            }
            known.insert(version.vna_other.get(LE).0 & !HIDDEN);
            inner += next;
        }
        let next = need.vn_next.get(LE) as usize;
        if need.vn_version.get(LE) != 1 || (next == 0) != (library + 1 == count) {
            return damaged("its table of versions of other libraries is no such table");
        }
        place += next;
    }
    Ok(())
}

/// The versions that are defined here.
fn defined_versions(dynamic: &Dynamic<'_>, known: &mut HashSet<u16>) -> Checked<()> {
    let count = dynamic.value(elf::DT_VERDEFNUM);
    let bytes = dynamic.table(elf::DT_VERDEF).unwrap_or_default();
    let mut place = 0;
    for index in 0..count {
        let version: &elf::Verdef<LE> = at(bytes, place)?;
        let name: &elf::Verdaux<LE> = at(bytes, place + version.vd_aux.get(LE) as usize)?;
        let name = dynamic.name(name.vda_name.get(LE).into())?;
        let next = version.vd_next.get(LE) as usize;
        let is_right = version.vd_version.get(LE) == 1 && hash(name) == version.vd_hash.get(LE);
        if !is_right || (next == 0) != (index + 1 == count) {
            return damaged("its table of versions is no such table");
        }
        known.insert(version.vd_ndx.get(LE).0 & !HIDDEN);
        place += next;
    }
    Ok(())
}
