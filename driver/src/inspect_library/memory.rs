//! The memory of a library as its file has it: what a loader would write into it at the addresses that the file
//! gives.

use object::{Object, ObjectSegment, ObjectSymbol, ReadCache, RelocationTarget};
use std::{collections::HashMap, fs::File};

/// The longest text that is read: a name is shorter, and a damaged file may have no end of one.
const TEXT_LIMIT: u64 = 1 << 16;

/// A library's memory.
pub struct Memory<'d, 'f> {
    file: &'f object::File<'d, &'d ReadCache<File>>,
    /// What a loader writes over pointers: the addresses that they point to.
    pointers: HashMap<u64, u64>,
}

impl<'d, 'f> Memory<'d, 'f> {
    /// The memory of a library.
    pub fn new(file: &'f object::File<'d, &'d ReadCache<File>>) -> Result<Self, String> {
        if !file.is_64() || !file.is_little_endian() {
            return Err("it is for no machine with 64 bits that has the lowest byte first".into());
        }
        let relocations = file
            .dynamic_relocations()
            .ok_or("it has no dynamic section")?;
        let relative =
            relocations.filter(|(_, found)| found.target() == RelocationTarget::Absolute);
        Ok(Self {
            file,
            pointers: relative
                .map(|(address, found)| (address, found.addend() as u64))
                .collect(),
        })
    }

    /// What follows the address of an exported symbol.
    pub fn at_symbol(&self, name: &str) -> Result<Fields<'_, 'd, 'f>, String> {
        let symbol = self
            .file
            .dynamic_symbols()
            .find(|symbol| symbol.is_definition() && symbol.name() == Ok(name));
        let symbol = symbol.ok_or_else(|| format!("it exports no {name}"))?;
        Ok(Fields {
            memory: self,
            address: symbol.address(),
        })
    }

    fn bytes(&self, address: u64, count: u64) -> Result<&'d [u8], String> {
        let found = self.file.segments().find_map(|segment| {
            // A segment says for every address whether it is in its file's part.
            segment.data_range(address, count).ok().flatten()
        });
        found.ok_or_else(|| format!("it has no {count} bytes at address {address:#x}"))
    }

    fn text(&self, address: u64) -> Result<String, String> {
        let mut text = Vec::new();
        for place in address..address.saturating_add(TEXT_LIMIT) {
            match self.bytes(place, 1)? {
                [0] => return Ok(String::from_utf8_lossy(&text).into_owned()),
                byte => text.extend_from_slice(byte),
            }
        }
        Err(format!("the text at address {address:#x} has no end"))
    }
}

/// The fields of a C struct that lie one after the other.
pub struct Fields<'m, 'd, 'f> {
    memory: &'m Memory<'d, 'f>,
    address: u64,
}

impl Fields<'_, '_, '_> {
    /// The next field, which is aligned to its size.
    fn number<const N: usize>(&mut self) -> Result<[u8; N], String> {
        let size = N as u64;
        let address = self.address.next_multiple_of(size);
        self.address = address + size;
        let bytes = self.memory.bytes(address, size)?;
        bytes
            .try_into()
            .map_err(|_| format!("it has no {N} bytes at address {address:#x}"))
    }

    /// A `uint32_t`.
    pub fn u32(&mut self) -> Result<u32, String> {
        self.number().map(u32::from_le_bytes)
    }

    /// A `uint64_t`.
    pub fn u64(&mut self) -> Result<u64, String> {
        self.number().map(u64::from_le_bytes)
    }

    /// An `int64_t`.
    pub fn i64(&mut self) -> Result<i64, String> {
        self.number().map(i64::from_le_bytes)
    }

    /// The address that a pointer points to.
    pub fn pointer(&mut self) -> Result<u64, String> {
        let place = self.address.next_multiple_of(8);
        let written = self.u64()?;
        Ok(*self.memory.pointers.get(&place).unwrap_or(&written))
    }

    /// What a pointer points to.
    pub fn follow(&mut self) -> Result<Self, String> {
        Ok(Self {
            address: self.pointer()?,
            ..*self
        })
    }

    /// The text that a pointer points to.
    pub fn text(&mut self) -> Result<String, String> {
        let address = self.pointer()?;
        self.memory.text(address)
    }
}
