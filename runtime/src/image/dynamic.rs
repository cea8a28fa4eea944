//! The table that tells the system's loader where all others are.

use super::{Checked, Fault, damaged, headers::Headers};
use object::{LittleEndian as LE, ReadRef, elf};
use std::collections::HashMap;

/// A table that the loader reads: the entry of its address, that of its size where there is one, the kind of its
/// section, and the bytes of an element.
struct Row {
    address: elf::DynamicTag,
    size: Option<elf::DynamicTag>,
    section: elf::SectionType,
    element: u64,
}

const fn row(
    address: elf::DynamicTag,
    size: Option<elf::DynamicTag>,
    section: elf::SectionType,
    element: u64,
) -> Row {
    Row {
        address,
        size,
        section,
        element,
    }
}

/// All tables that libraries of models have.
const TABLES: &[Row] = &[
    row(elf::DT_STRTAB, Some(elf::DT_STRSZ), elf::SHT_STRTAB, 1),
    row(elf::DT_SYMTAB, None, elf::SHT_DYNSYM, 24),
    row(elf::DT_HASH, None, elf::SHT_HASH, 4),
    row(elf::DT_GNU_HASH, None, elf::SHT_GNU_HASH, 4),
    row(elf::DT_VERSYM, None, elf::SHT_GNU_VERSYM, 2),
    row(elf::DT_VERNEED, None, elf::SHT_GNU_VERNEED, 4),
    row(elf::DT_VERDEF, None, elf::SHT_GNU_VERDEF, 4),
    row(elf::DT_RELA, Some(elf::DT_RELASZ), elf::SHT_RELA, 24),
    row(elf::DT_JMPREL, Some(elf::DT_PLTRELSZ), elf::SHT_RELA, 24),
    row(elf::DT_RELR, Some(elf::DT_RELRSZ), elf::SHT_RELR, 8),
    row(
        elf::DT_INIT_ARRAY,
        Some(elf::DT_INIT_ARRAYSZ),
        elf::SHT_INIT_ARRAY,
        8,
    ),
    row(
        elf::DT_FINI_ARRAY,
        Some(elf::DT_FINI_ARRAYSZ),
        elf::SHT_FINI_ARRAY,
        8,
    ),
];

/// Entries that say nothing that could be wrong, because the loader only looks whether they are there, or counts
/// that the table that they belong to is checked with.
const OTHERS: &[elf::DynamicTag] = &[
    elf::DT_SYMBOLIC,
    elf::DT_BIND_NOW,
    elf::DT_RELACOUNT,
    elf::DT_VERNEEDNUM,
    elf::DT_VERDEFNUM,
    elf::DT_AARCH64_BTI_PLT,
    elf::DT_AARCH64_PAC_PLT,
    elf::DT_AARCH64_VARIANT_PCS,
];

/// Entries that may only have one value.
const FIXED: &[(elf::DynamicTag, u64)] = &[
    (elf::DT_RELAENT, 24),
    (elf::DT_SYMENT, 24),
    (elf::DT_RELRENT, 8),
    (elf::DT_PLTREL, elf::DT_RELA.0 as u64),
];

/// Entries of flags, and those that libraries of models may have: all but the wish to write into code, and
/// what other libraries are searched for before this one.
const FLAGS: &[(elf::DynamicTag, u64)] = &[
    // ORIGIN, SYMBOLIC, BIND_NOW, STATIC_TLS.
    (elf::DT_FLAGS, 0x1 | 0x2 | 0x8 | 0x10),
    // NOW, NODELETE, ORIGIN.
    (elf::DT_FLAGS_1, 0x1 | 0x8 | 0x80),
];

/// Entries of places in the table of names.
const NAMES: &[elf::DynamicTag] = &[
    elf::DT_NEEDED,
    elf::DT_SONAME,
    elf::DT_RPATH,
    elf::DT_RUNPATH,
];

/// The tables, where they are in the file.
#[derive(Debug, Default)]
pub(super) struct Dynamic<'d> {
    /// The content of each.
    tables: HashMap<elf::DynamicTag, &'d [u8]>,
    values: HashMap<elf::DynamicTag, u64>,
    /// The names of the libraries that are loaded with this one.
    pub needed: Vec<&'d [u8]>,
}

impl<'d> Dynamic<'d> {
    /// A table by the entry of its address; nothing where there is none.
    pub(super) fn table(&self, tag: elf::DynamicTag) -> Option<&'d [u8]> {
        self.tables.get(&tag).copied()
    }

    /// The value of another entry.
    pub(super) fn value(&self, tag: elf::DynamicTag) -> u64 {
        self.values.get(&tag).copied().unwrap_or(0)
    }

    /// A text of the table of names, which ends with a zero.
    pub(super) fn name(&self, offset: u64) -> Checked<&'d [u8]> {
        let names = self.table(elf::DT_STRTAB).unwrap_or_default();
        let rest = usize::try_from(offset)
            .ok()
            .and_then(|offset| names.get(offset..));
        let name = rest.and_then(|rest| rest.split(|byte| *byte == 0).next());
        name.ok_or_else(|| {
            Fault::Damaged(format!("it has no name at place {offset} of their table"))
        })
    }
}

/// Reads and checks the table and the places of all tables in it.
pub(super) fn read<'d, R: ReadRef<'d>>(headers: &Headers<R>) -> Checked<Dynamic<'d>> {
    let entries = entries(headers)?;
    let mut dynamic = Dynamic::default();
    for (tag, value) in &entries {
        if dynamic.values.insert(*tag, *value).is_some() && *tag != elf::DT_NEEDED {
            return damaged(format!(
                "its table for the loader has two entries {:#x}",
                tag.0
            ));
        }
    }
    for row in TABLES {
        if let Some(content) = content(headers, &dynamic, row)? {
            dynamic.tables.insert(row.address, content);
        }
    }
    sections_are_named(headers, &dynamic)?;
    if dynamic
        .table(elf::DT_STRTAB)
        .is_none_or(|names| names.last() != Some(&0))
    {
        return damaged("its table of names has no end");
    }
    for (tag, value) in entries {
        check(headers, &dynamic, tag, value)?;
        if tag == elf::DT_NEEDED {
            let name = dynamic.name(value)?;
            dynamic.needed.push(name);
        }
    }
    Ok(dynamic)
}

/// The entries up to the last one.
fn entries<'d, R: ReadRef<'d>>(headers: &Headers<R>) -> Checked<Vec<(elf::DynamicTag, u64)>> {
    let place = &headers.dynamic;
    let table = headers.data.read_slice_at::<elf::Dyn64<LE>>(
        place.offset,
        usize::try_from(place.in_file / 16).unwrap_or(usize::MAX),
    );
    let table = table.unwrap_or_default().iter();
    let entries: Vec<_> = table
        .map(|entry| (entry.d_tag.get(LE), entry.d_val.get(LE)))
        .collect();
    let end = entries.iter().position(|(tag, _)| *tag == elf::DT_NULL);
    match end {
        Some(end) => Ok(entries[..end].to_vec()),
        None => damaged("its table for the loader has no end"),
    }
}

/// The content of a table, if there is one.
fn content<'d, R: ReadRef<'d>>(
    headers: &Headers<R>,
    dynamic: &Dynamic<'d>,
    row: &Row,
) -> Checked<Option<&'d [u8]>> {
    let wrong = |reason: String| damaged(format!("its table {:#x} {reason}", row.address.0));
    let size = row.size.map(|tag| dynamic.values.get(&tag));
    let Some(&address) = dynamic.values.get(&row.address) else {
        return match size {
            Some(Some(size)) => wrong(format!("has {size} bytes and no address")),
            _ => Ok(None),
        };
    };
    let section = headers.sections.iter().find(|section| {
        section.has(elf::SHF_ALLOC) && section.kind == row.section && section.address == address
    });
    if section.is_none() && !headers.sections.is_empty() {
        return wrong(format!(
            "is at address {address:#x}, where no section of its kind is"
        ));
    }
    let size = match (size, section) {
        (Some(Some(size)), Some(section)) if *size != section.size => {
            return wrong(format!(
                "has {size} bytes, and its section {}",
                section.size
            ));
        }
        (Some(Some(size)), _) => *size,
        (Some(None), _) => return wrong("has an address and no size".into()),
        (None, Some(section)) => section.size,
        (None, None) => headers.content_from(address) / row.element * row.element,
    };
    match headers.content(address, size) {
        Some(content) if size % row.element == 0 => Ok(Some(content)),
        _ => wrong(format!(
            "has {size} bytes at address {address:#x}, where so many are not"
        )),
    }
}

/// Every section that holds such a table is one that the loader is told of.
fn sections_are_named<R>(headers: &Headers<R>, dynamic: &Dynamic<'_>) -> Checked<()> {
    for section in &headers.sections {
        let mut rows = TABLES
            .iter()
            .filter(|row| row.section == section.kind)
            .peekable();
        let is_table = section.has(elf::SHF_ALLOC) && section.size > 0 && rows.peek().is_some();
        let is_named = rows.any(|row| dynamic.values.get(&row.address) == Some(&section.address));
        if is_table && !is_named {
            return damaged(format!(
                "its table for the loader does not name the section at address {:#x}",
                section.address
            ));
        }
    }
    Ok(())
}

/// An entry that is no table.
fn check<'d, R: ReadRef<'d>>(
    headers: &Headers<R>,
    dynamic: &Dynamic<'d>,
    tag: elf::DynamicTag,
    value: u64,
) -> Checked<()> {
    let of = |rows: &[(elf::DynamicTag, u64)]| {
        let row = rows.iter().find(|(known, _)| *known == tag);
        row.map(|(_, value)| *value)
    };
    let is_table = TABLES
        .iter()
        .any(|row| row.address == tag || row.size == Some(tag));
    let is_right = if NAMES.contains(&tag) {
        !dynamic.name(value)?.is_empty()
    } else if let Some(fixed) = of(FIXED) {
        value == fixed
    } else if let Some(flags) = of(FLAGS) {
        value & !flags == 0
    } else if tag == elf::DT_PLTGOT {
        // The loader writes into the first three words, where calls are bound when they are first made.
        headers.is_in(value, 24, elf::PF_W)
    } else if [elf::DT_INIT, elf::DT_FINI].contains(&tag) {
        headers.is_code(value)
    } else {
        is_table || OTHERS.contains(&tag)
    };
    if is_right {
        return Ok(());
    }
    damaged(format!(
        "its table for the loader has an entry {:#x} of value {value:#x}",
        tag.0
    ))
}
