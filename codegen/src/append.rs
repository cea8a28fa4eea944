//! Appends the constants to a linked library.
//!
//! The linker has reserved [memory](crate::weights) for them at the end of the last segment. This module makes a
//! read-only segment of that end, and puts its content behind the linked file. A new segment needs a program
//! header. A shared library may have one that describes the program headers themselves (`PT_PHDR`), which no
//! loader asks for: its place is taken.

use crate::weights::SECTION;
use object::{
    Endianness, elf,
    pod::{bytes_of, from_bytes_mut, slice_from_bytes_mut},
};

type Header = elf::FileHeader64<Endianness>;
type Segment = elf::ProgramHeader64<Endianness>;
type Section = elf::SectionHeader64<Endianness>;

/// All that we make code for is.
const ENDIAN: Endianness = Endianness::Little;

/// Gives the section of the constants, which the linker has only reserved, a place in the file: at its end. The
/// caller writes the content there; `library` is padded up to that place.
///
/// # Errors
/// If the library is not laid out as the linker lays it out.
pub(crate) fn prepare(library: &mut Vec<u8>) -> Result<(), String> {
    let place = place_section(library)?;
    let (header, _) = from_bytes_mut::<Header>(library).map_err(|()| "no ELF header")?;
    let table = header.e_phoff.get(ENDIAN) as usize;
    let count = usize::from(header.e_phnum.get(ENDIAN));
    let table = library.get_mut(table..).unwrap_or_default();
    let (segments, _) =
        slice_from_bytes_mut::<Segment>(table, count).map_err(|()| "no program headers")?;
    add_segment(segments, &place)?;
    library.resize(place.begin as usize, 0);
    Ok(())
}

/// Where the constants are.
struct Place {
    /// In the file.
    begin: u64,
    /// In memory.
    address: u64,
    size: u64,
    /// What both are multiples of.
    alignment: u64,
}

/// Gives the section a place behind the end of the file.
fn place_section(library: &mut [u8]) -> Result<Place, String> {
    let (header, _) = from_bytes_mut::<Header>(library).map_err(|()| "no ELF header")?;
    let table = header.e_shoff.get(ENDIAN) as usize;
    let count = usize::from(header.e_shnum.get(ENDIAN));
    let names = usize::from(header.e_shstrndx.get(ENDIAN).0);
    let sections = |library: &[u8]| -> Option<Vec<Section>> {
        let table = library.get(table..)?;
        let (sections, _) = object::pod::slice_from_bytes::<Section>(table, count).ok()?;
        Some(sections.to_vec())
    };
    let sections = sections(library).ok_or("no section headers")?;
    let names = sections.get(names).ok_or("no names of sections")?;
    let names = names.sh_offset.get(ENDIAN) as usize;
    let is_named = |section: &Section| {
        let name = library.get(names + section.sh_name.get(ENDIAN) as usize..);
        let name = name.and_then(|name| name.split(|&byte| byte == 0).next());
        name == Some(SECTION.as_bytes())
    };
    let index = sections.iter().position(is_named);
    let index = index.ok_or("no section for the constants")?;
    let mut section = sections[index];
    let alignment = section.sh_addralign.get(ENDIAN).max(1);
    let begin = (library.len() as u64).next_multiple_of(alignment);
    section.sh_type.set(ENDIAN, elf::SHT_PROGBITS);
    section.sh_flags.set(ENDIAN, elf::SHF_ALLOC);
    section.sh_offset.set(ENDIAN, begin);
    let at = table + index * size_of::<Section>();
    library[at..at + size_of::<Section>()].copy_from_slice(bytes_of(&section));
    Ok(Place {
        begin,
        alignment,
        address: section.sh_addr.get(ENDIAN),
        size: section.sh_size.get(ENDIAN),
    })
}

/// Cuts the constants off the end of their segment, and makes them a segment of their own.
fn add_segment(segments: &mut [Segment], place: &Place) -> Result<(), String> {
    let is_load = |segment: &Segment| segment.p_type.get(ENDIAN) == elf::PT_LOAD;
    let last = segments.iter().rposition(is_load);
    let last = last.ok_or("no segments")?;
    let start = segments[last].p_vaddr.get(ENDIAN);
    if start + segments[last].p_memsz.get(ENDIAN) != place.address + place.size {
        return Err("the constants are not at the end".into());
    }
    let before = place.address - start;
    segments[last].p_memsz.set(ENDIAN, before);
    let mut own = segments[last];
    own.p_flags.set(ENDIAN, elf::PF_R);
    own.p_offset.set(ENDIAN, place.begin);
    own.p_vaddr.set(ENDIAN, place.address);
    own.p_paddr.set(ENDIAN, place.address);
    own.p_filesz.set(ENDIAN, place.size);
    own.p_memsz.set(ENDIAN, place.size);
    own.p_align.set(ENDIAN, place.alignment);
    if before == 0 {
        segments[last] = own;
        return Ok(());
    }
    let mut all = segments.iter();
    let room = all.position(|segment| segment.p_type.get(ENDIAN) == elf::PT_PHDR);
    let room = room.filter(|room| *room < last);
    let room = room.ok_or("no program header to make room")?;
    segments.copy_within(room + 1..=last, room);
    segments[last] = own;
    Ok(())
}
