//! The header of an ELF file, its segments and its sections.
//!
//! The system's loader goes by the segments. The sections say the same a second time, for tools: a file in which both
//! do not agree is damaged. A file may have no sections, if somebody has taken them away.

use super::{Checked, Fault, MACHINES, damaged};
use object::{LittleEndian as LE, ReadRef, elf};

/// The smallest page of any machine: no two segments share one.
const PAGE: u64 = 4096;

/// Where addresses end that processes can use, in the narrowest of address spaces.
const ADDRESSES: u64 = 1 << 47;

/// The most memory of its own that each thread has for a library, and the largest alignment of it.
const TLS_LIMIT: u64 = 1 << 20;

/// A range of memory, and where its content lies in the file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segment {
    pub kind: elf::ProgramType,
    pub flags: elf::ProgramFlags,
    pub offset: u64,
    pub address: u64,
    pub in_file: u64,
    pub in_memory: u64,
    pub alignment: u64,
}

impl Segment {
    /// Whether a range lies in its memory.
    fn holds(&self, address: u64, size: u64) -> bool {
        let end = self.address + self.in_memory;
        address >= self.address && address.checked_add(size).is_some_and(|last| last <= end)
    }

    /// Where in the file a range of its memory lies, if that has content there.
    fn place(&self, address: u64, size: u64) -> Option<u64> {
        let at = address.checked_sub(self.address)?;
        let end = at.checked_add(size)?;
        (end <= self.in_file).then(|| self.offset + at)
    }

    fn has(&self, flag: elf::ProgramFlags) -> bool {
        self.flags.0 & flag.0 != 0
    }
}

/// A section, if it is there when the library runs, or not.
#[derive(Clone, Copy, Debug)]
pub(super) struct Section {
    pub kind: elf::SectionType,
    pub flags: elf::SectionFlags,
    pub address: u64,
    pub offset: u64,
    pub size: u64,
}

impl Section {
    pub(super) fn has(&self, flag: elf::SectionFlags) -> bool {
        self.flags.0 & flag.0 != 0
    }
}

/// The headers, which are consistent.
#[derive(Debug)]
pub(super) struct Headers<R> {
    pub data: R,
    /// The bytes of the file.
    pub length: u64,
    pub architecture: &'static str,
    /// Those that are loaded, in the order of their addresses.
    pub loaded: Vec<Segment>,
    /// The table for the system's loader.
    pub dynamic: Segment,
    /// The variables that each thread has of its own: the bytes of them.
    pub thread_bytes: u64,
    pub sections: Vec<Section>,
}

/// Reads and checks the headers.
pub(super) fn read<'d, R: ReadRef<'d>>(data: R) -> Checked<Headers<R>> {
    let length = data
        .len()
        .map_err(|()| Fault::NoLibrary("its size is unknown".into()))?;
    let header = file_header(data, length)?;
    let architecture = architecture(header)?;
    let segments = segments(data, length, header)?;
    let of_kind = |kind: elf::ProgramType| {
        let found = segments.iter().filter(move |segment| segment.kind == kind);
        found.copied().collect::<Vec<_>>()
    };
    let dynamic = match of_kind(elf::PT_DYNAMIC)[..] {
        [dynamic] => dynamic,
        _ => return damaged("it has not one table for the system's loader"),
    };
    let thread_bytes = match of_kind(elf::PT_TLS)[..] {
        [] => 0,
        [own] => own.in_memory,
        _ => return damaged("it has several segments of threads' own variables"),
    };
    let headers = Headers {
        data,
        length,
        architecture,
        loaded: of_kind(elf::PT_LOAD),
        dynamic,
        thread_bytes,
        sections: sections(data, length, header)?,
    };
    headers.check_loaded()?;
    for segment in &segments {
        headers.check_other(segment)?;
    }
    if of_kind(elf::PT_GNU_STACK).len() != 1 {
        return damaged("it does not say what stack it needs");
    }
    for section in &headers.sections {
        headers.check_section(section)?;
    }
    Ok(headers)
}

/// The file's header, if the file is a library.
fn file_header<'d, R: ReadRef<'d>>(data: R, length: u64) -> Checked<&'d elf::FileHeader64<LE>> {
    let no_library = |reason: &str| Err(Fault::NoLibrary(reason.into()));
    if length == 0 {
        return no_library("it is empty");
    }
    if data.read_bytes_at(0, 4) != Ok(&elf::ELFMAG[..]) {
        return no_library("it is no library (no ELF file)");
    }
    let Ok(header) = data.read_at::<elf::FileHeader64<LE>>(0) else {
        return damaged(format!("it ends after {length} bytes, in its header"));
    };
    let ident = &header.e_ident;
    if (ident.class, ident.data) != (elf::ELFCLASS64, elf::ELFDATA2LSB) {
        return no_library("it is for no machine of 64 bits that has the lowest byte first");
    }
    let is_known = [elf::ELFOSABI_SYSV, elf::ELFOSABI_GNU].contains(&ident.os_abi);
    let version = (ident.version, header.e_version.get(LE));
    if !is_known
        || ident.abi_version != 0
        || ident.padding != [0; 7]
        || version != (elf::EV_CURRENT, 1)
    {
        return damaged("its header names no version of the format that there is");
    }
    match header.e_type.get(LE) {
        elf::ET_DYN => Ok(header),
        elf::ET_REL => {
            no_library("it is an object, which programs are linked with, and no library")
        }
        _ => no_library("it is no shared library"),
    }
}

fn architecture(header: &elf::FileHeader64<LE>) -> Checked<&'static str> {
    let machine = header.e_machine.get(LE);
    let known = MACHINES.iter().find(|(known, _)| *known == machine);
    let known = known.map(|(_, name)| *name);
    known.ok_or_else(|| {
        Fault::NoLibrary(format!(
            "it is for machine {} of the ELF format, which no model is made for",
            machine.0
        ))
    })
}

fn segments<'d, R: ReadRef<'d>>(
    data: R,
    length: u64,
    header: &elf::FileHeader64<LE>,
) -> Checked<Vec<Segment>> {
    let (offset, count) = (header.e_phoff.get(LE), header.e_phnum.get(LE));
    let sizes = (header.e_ehsize.get(LE), header.e_phentsize.get(LE));
    if sizes != (64, 56) || !offset.is_multiple_of(8) || count == elf::PN_XNUM {
        return damaged("its header names a table of segments that cannot be");
    }
    let table = data.read_slice_at::<elf::ProgramHeader64<LE>>(offset, count.into());
    let Ok(table) = table else {
        return damaged(format!(
            "its {count} segments are listed at byte {offset}, and it has {length} bytes"
        ));
    };
    let read = |segment: &elf::ProgramHeader64<LE>| Segment {
        kind: segment.p_type.get(LE),
        flags: segment.p_flags.get(LE),
        offset: segment.p_offset.get(LE),
        address: segment.p_vaddr.get(LE),
        in_file: segment.p_filesz.get(LE),
        in_memory: segment.p_memsz.get(LE),
        alignment: segment.p_align.get(LE),
    };
    Ok(table.iter().map(read).collect())
}

fn sections<'d, R: ReadRef<'d>>(
    data: R,
    length: u64,
    header: &elf::FileHeader64<LE>,
) -> Checked<Vec<Section>> {
    let (offset, count) = (header.e_shoff.get(LE), header.e_shnum.get(LE));
    if (offset, count) == (0, 0) {
        return Ok(Vec::new());
    }
    if offset == 0 || count == 0 || header.e_shentsize.get(LE) != 64 {
        return damaged("its header names a table of sections that cannot be");
    }
    let table = data.read_slice_at::<elf::SectionHeader64<LE>>(offset, count.into());
    let Ok(table) = table else {
        return damaged(format!(
            "it ends after {length} bytes, before its table of sections does"
        ));
    };
    let read = |section: &elf::SectionHeader64<LE>| Section {
        kind: section.sh_type.get(LE),
        flags: section.sh_flags.get(LE),
        address: section.sh_addr.get(LE),
        offset: section.sh_offset.get(LE),
        size: section.sh_size.get(LE),
    };
    Ok(table.iter().map(read).collect())
}

impl<'d, R: ReadRef<'d>> Headers<R> {
    /// Where in the file a range of memory lies, if it has content there.
    pub(super) fn place(&self, address: u64, size: u64) -> Option<u64> {
        let mut loaded = self.loaded.iter();
        loaded.find_map(|segment| segment.place(address, size))
    }

    /// The content of a range of memory.
    pub(super) fn content(&self, address: u64, size: u64) -> Option<&'d [u8]> {
        let place = self.place(address, size)?;
        self.data.read_bytes_at(place, size).ok()
    }

    /// The bytes of content from an address to the end of its segment's.
    pub(super) fn content_from(&self, address: u64) -> u64 {
        let mut loaded = self.loaded.iter();
        let found = loaded.find(|segment| segment.place(address, 0).is_some());
        found.map_or(0, |segment| segment.address + segment.in_file - address)
    }

    /// Whether a range lies in one segment that has the flag, with or without content.
    pub(super) fn is_in(&self, address: u64, size: u64, flag: elf::ProgramFlags) -> bool {
        let mut loaded = self.loaded.iter();
        loaded.any(|segment| segment.has(flag) && segment.holds(address, size))
    }

    /// Whether code may begin at an address.
    pub(super) fn is_code(&self, address: u64) -> bool {
        self.is_in(address, 1, elf::PF_X)
    }

    /// The bytes of all sections that are executed; of such segments where there are no sections.
    pub(super) fn code_bytes(&self) -> u64 {
        if self.sections.is_empty() {
            let code = self.loaded.iter().filter(|segment| segment.has(elf::PF_X));
            return code.map(|segment| segment.in_memory).sum();
        }
        let code = self.sections.iter();
        let code = code.filter(|section| section.has(elf::SHF_EXECINSTR));
        code.map(|section| section.size).sum()
    }

    /// What is loaded lies in the file, and one after the other in memory.
    fn check_loaded(&self) -> Checked<()> {
        let mut end = 0;
        for (index, segment) in self.loaded.iter().enumerate() {
            let wrong = |reason: String| damaged(format!("segment {index} {reason}"));
            let file_end = segment.offset.checked_add(segment.in_file);
            if file_end.is_none_or(|file_end| file_end > self.length) {
                return damaged(format!(
                    "it ends after {} bytes, in segment {index}, which begins at byte {} and has {} bytes",
                    self.length, segment.offset, segment.in_file
                ));
            }
            let alignment = segment.alignment;
            if !alignment.is_power_of_two() || !(PAGE..=1 << 30).contains(&alignment) {
                return wrong(format!("is aligned to {alignment} bytes"));
            }
            if segment.address % alignment != segment.offset % alignment {
                return wrong("lies at another place of a page in the file than in memory".into());
            }
            let last = segment.address.checked_add(segment.in_memory);
            let Some(last) = last.filter(|last| *last <= ADDRESSES) else {
                return wrong("ends behind all addresses".into());
            };
            if segment.address / PAGE * PAGE < end {
                return wrong("overlaps the one before it".into());
            }
            end = last.next_multiple_of(PAGE);
            let (writable, code) = (segment.has(elf::PF_W), segment.has(elf::PF_X));
            if segment.flags.0 > 7 || !segment.has(elf::PF_R) || (writable && code) {
                return wrong(format!(
                    "has rights {:#x} that no segment has",
                    segment.flags.0
                ));
            }
            let zeros = segment.in_memory.checked_sub(segment.in_file);
            if zeros.is_none_or(|zeros| zeros > 0 && !writable) {
                return wrong("has another size in the file than in memory".into());
            }
        }
        Ok(())
    }

    /// A segment that says what is in a part of those that are loaded.
    fn check_other(&self, segment: &Segment) -> Checked<()> {
        let is_inside = || {
            let place = self.place(segment.address, segment.in_file);
            place == Some(segment.offset) && segment.in_file <= segment.in_memory
        };
        let writable = self.is_in(segment.address, segment.in_memory, elf::PF_W);
        let is_right = match segment.kind {
            elf::PT_NULL | elf::PT_LOAD => true,
            elf::PT_DYNAMIC => is_inside() && writable && segment.in_file.is_multiple_of(16),
            elf::PT_TLS => {
                let sizes = [segment.in_memory, segment.alignment];
                // Variables that begin as zeros have no place in the library.
                (segment.in_file == 0 || is_inside())
                    && sizes.iter().all(|size| *size <= TLS_LIMIT)
                    && (segment.alignment == 0 || segment.alignment.is_power_of_two())
            }
            elf::PT_GNU_RELRO => is_inside() && writable,
            elf::PT_GNU_STACK => !segment.has(elf::PF_X) && segment.in_memory == 0,
            elf::PT_PHDR
            | elf::PT_INTERP
            | elf::PT_NOTE
            | elf::PT_GNU_EH_FRAME
            | elf::PT_GNU_PROPERTY
            | elf::PT_GNU_SFRAME => is_inside(),
            _ => false,
        };
        if is_right {
            return Ok(());
        }
        damaged(format!(
            "a segment of kind {:#x} at address {:#x} fits nothing that is loaded",
            segment.kind.0, segment.address
        ))
    }

    /// A section lies in the file, and where the segments have what it holds.
    fn check_section(&self, section: &Section) -> Checked<()> {
        let has_content = section.kind != elf::SHT_NOBITS && section.kind != elf::SHT_NULL;
        let end = section.offset.checked_add(section.size);
        if has_content && end.is_none_or(|end| end > self.length) {
            return damaged(format!(
                "it ends after {} bytes, in a section that begins at byte {} and has {} bytes",
                self.length, section.offset, section.size
            ));
        }
        if !section.has(elf::SHF_ALLOC) || section.size == 0 {
            return Ok(());
        }
        // Variables of threads that begin as zeros have no place in the library's memory.
        let is_right = match has_content {
            true => self.place(section.address, section.size) == Some(section.offset),
            false => section.has(elf::SHF_TLS) || self.has_rights_of(section),
        };
        if is_right && (!has_content || self.has_rights_of(section)) {
            return Ok(());
        }
        damaged(format!(
            "its section at address {:#x} lies in no segment",
            section.address
        ))
    }

    fn has_rights_of(&self, section: &Section) -> bool {
        let right = if section.has(elf::SHF_WRITE) {
            elf::PF_W
        } else if section.has(elf::SHF_EXECINSTR) {
            elf::PF_X
        } else {
            elf::PF_R
        };
        self.is_in(section.address, section.size, right)
    }
}
