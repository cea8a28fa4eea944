//! A model's constants, and where they lie in the library.
//!
//! They are written once, from where they lie in the IR to [behind](crate::append) the linked code: LLVM would
//! take seconds to print a hundred megabytes, and a linker would copy them. The linker sees an object that only
//! reserves memory for them.

use object::{
    Endianness, elf,
    write::elf::{FileHeader, SectionHeader, SectionIndex, Sym, Writer},
};
use relay_dialects::{
    ir::{Attr, Type},
    limits,
};
use std::{
    collections::HashMap,
    fmt,
    io::{self, Write},
};

/// The symbol of a model's constants; the linker finds it in an object of its own. It is hidden, and each model
/// has its own, so that a program may be linked of several models' objects.
pub(crate) fn symbol(model: &str) -> String {
    format!("relay_weights_of_{model}")
}

/// Constants start at multiples of this, in bytes.
pub(crate) const ALIGNMENT: usize = 64;

/// The section of the constants. (Its name must not begin with `.rela`: GNU's linker takes such a section for
/// one of relocations.)
pub(crate) const SECTION: &str = ".weights";

/// The constants begin at a multiple of this in the file and in memory: the largest page that a processor may
/// have.
const PAGE: u64 = 64 << 10;

/// Many constants begin at a multiple of a huge page (2 MiB on x86-64, and on AArch64 with pages of 4 KiB).
/// Linux can map a part of a file with huge pages if file and memory have the same alignment.
const HUGE_PAGE: u64 = 2 << 20;

/// Whether a constant's bytes are in the module, or may be written out.
pub(crate) fn has_bytes(value: Attr) -> bool {
    if value.splat_value().is_some() {
        return value.typ().byte_count() <= limits::constant_bytes() as i64;
    }
    value.read(|_| ()).is_some()
}

/// A model's constants, one after the other. The attributes belong to the module in which they were found. It
/// must outlive every comparison and the writing.
#[derive(Default, PartialEq)]
pub struct Weights {
    /// Each constant's bytes begin at a multiple of [`ALIGNMENT`].
    parts: Vec<(usize, Attr)>,
    length: usize,
    /// Where a constant is, by attribute and type.
    known: HashMap<(Attr, Type), usize>,
}

impl fmt::Debug for Weights {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "{} constants of {} bytes",
            self.parts.len(),
            self.length
        )
    }
}

impl Weights {
    /// The bytes of all.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// The alignment of all constants, in the file and in memory: a huge page where they fill some, so that a
    /// network that reads all its weights does not wait for page tables (BERT-base: 3 to 7% of its time).
    fn alignment(&self) -> u64 {
        if self.length as u64 >= 4 * HUGE_PAGE {
            HUGE_PAGE
        } else {
            PAGE
        }
    }

    /// The offset of a constant, which is added if it is new; `None` if its bytes are not in the module.
    pub(crate) fn add(&mut self, value: Attr, ty: Type) -> Option<usize> {
        // Attributes are unique: equal constants are one attribute.
        if let Some(offset) = self.known.get(&(value, ty)) {
            return Some(*offset);
        }
        let bytes = value.read(<[u8]>::len)?;
        let offset = self.length.next_multiple_of(ALIGNMENT);
        self.parts.push((offset, value));
        self.length = offset + bytes;
        self.known.insert((value, ty), offset);
        Some(offset)
    }

    /// Writes all constants in order, with zeros between them.
    pub(crate) fn write(&self, file: &mut impl Write) -> io::Result<()> {
        let mut written = 0;
        for (offset, value) in &self.parts {
            file.write_all(&[0; ALIGNMENT][..offset - written])?;
            let length = value.read(|bytes| file.write_all(bytes).map(|()| bytes.len()));
            written = offset + length.transpose()?.unwrap_or(0);
        }
        Ok(())
    }

    /// A relocatable object of them under the [symbol] of `model`, in the section [`SECTION`]; or one that
    /// keeps a place for them, in a section of no content.
    pub(crate) fn object(
        &self,
        model: &str,
        machine: elf::Machine,
        filled: bool,
    ) -> object::write::Result<Vec<u8>> {
        let mut file = Vec::new();
        // The offsets of all sections are computed first; then the sections are written in the same order.
        let mut writer = Writer::new(Endianness::Little, true, &mut file);
        writer.reserve_file_header();
        writer.reserve_null_section_index();
        let section = writer.reserve_section_index();
        let section_name = writer.add_section_name(SECTION.as_bytes());
        let mut offset = 0;
        if filled {
            offset = writer.reserve(self.length as u64, self.alignment());
        }
        writer.reserve_null_symbol_index();
        writer.reserve_symbol_index(Some(section));
        let symbol = symbol(model);
        let symbol_name = writer.add_string(symbol.as_bytes());
        writer.reserve_symtab_section_index();
        writer.reserve_symtab();
        writer.reserve_strtab_section_index();
        writer.reserve_strtab()?;
        writer.reserve_shstrtab_section_index();
        writer.reserve_shstrtab()?;
        writer.reserve_section_headers();

        writer.write_file_header(&header(machine))?;
        if filled {
            let mut content = Vec::with_capacity(self.length);
            // Writing to memory does not fail.
            let _ = self.write(&mut content);
            writer.write_align(self.alignment());
            writer.write(&content);
        }
        writer.write_null_symbol();
        writer.write_symbol(&self.symbol(section, writer.string_offset(Some(symbol_name))));
        writer.write_strtab();
        writer.write_shstrtab();
        writer.write_null_section_header();
        let name = writer.section_name_offset(Some(section_name));
        writer.write_section_header(&self.section(name, offset, filled));
        // The null symbol is the only local one.
        writer.write_symtab_section_header(1);
        writer.write_strtab_section_header();
        writer.write_shstrtab_section_header();
        Ok(file)
    }

    /// The symbol of all constants.
    fn symbol(&self, section: SectionIndex, name: u32) -> Sym {
        Sym {
            section: Some(section.0),
            st_name: name,
            st_info: elf::SymbolInfo::new(elf::STB_GLOBAL, elf::STT_OBJECT),
            st_other: elf::SymbolOther(elf::STV_HIDDEN.0),
            st_shndx: elf::SymbolSection(0),
            st_value: 0,
            st_size: self.length as u64,
        }
    }

    /// The section of all constants, or of their place.
    fn section(&self, name: u32, offset: u64, filled: bool) -> SectionHeader {
        let (sh_type, sh_flags) = if filled {
            (elf::SHT_PROGBITS, elf::SHF_ALLOC)
        } else {
            // Writable sections without content come last in memory.
            (elf::SHT_NOBITS, elf::SHF_ALLOC | elf::SHF_WRITE)
        };
        SectionHeader {
            sh_name: name,
            sh_type,
            sh_flags,
            sh_addr: 0,
            sh_offset: offset,
            sh_size: self.length as u64,
            sh_link: 0,
            sh_info: 0,
            sh_addralign: self.alignment(),
            sh_entsize: 0,
        }
    }
}

/// The header of a relocatable object.
fn header(machine: elf::Machine) -> FileHeader {
    FileHeader {
        os_abi: elf::ELFOSABI_NONE,
        abi_version: 0,
        e_type: elf::ET_REL,
        e_machine: machine,
        e_entry: 0,
        e_flags: elf::FileFlags(0),
    }
}
