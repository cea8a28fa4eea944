//! The memory of a library as its file has it: what a loader would write into it at the addresses that the file
//! gives.

use super::{Checked, Fault, damaged, headers::Headers};
use object::{ReadRef, elf};
use std::collections::HashMap;

/// The longest text that is read: a name is shorter, and a damaged file may have no end of one.
const TEXT_LIMIT: u64 = 1 << 20;

/// The bytes of a text that are read at first.
const TEXT_STEP: u64 = 64;

/// A library's memory.
pub(super) struct Memory<'h, R> {
    pub headers: &'h Headers<R>,
    /// What a loader writes over pointers: the addresses that they point to.
    pub pointers: HashMap<u64, u64>,
}

impl<'d, 'h, R: ReadRef<'d>> Memory<'h, R> {
    /// The fields of a struct at an address.
    pub(super) fn at(&self, address: u64) -> Fields<'_, 'h, R> {
        Fields {
            memory: self,
            address,
        }
    }

    fn text(&self, address: u64) -> Checked<String> {
        let most = self.headers.content_from(address).min(TEXT_LIMIT);
        let mut length = TEXT_STEP;
        loop {
            length = length.min(most);
            let bytes = self.headers.content(address, length).unwrap_or_default();
            if let Some(end) = bytes.iter().position(|byte| *byte == 0) {
                return Ok(String::from_utf8_lossy(&bytes[..end]).into_owned());
            }
            if length >= most {
                return damaged(format!("the text at address {address:#x} has no end"));
            }
            length *= 2;
        }
    }
}

/// The fields of a C struct that lie one after the other.
pub(super) struct Fields<'m, 'h, R> {
    memory: &'m Memory<'h, R>,
    address: u64,
}

impl<'d, R: ReadRef<'d>> Fields<'_, '_, R> {
    /// The next field, which is aligned to its size.
    fn number<const N: usize>(&mut self) -> Checked<[u8; N]> {
        let size = N as u64;
        let address = self.address.checked_next_multiple_of(size);
        let bytes = address.and_then(|address| {
            self.address = address.checked_add(size)?;
            self.memory.headers.content(address, size)
        });
        let bytes = bytes.and_then(|bytes| bytes.try_into().ok());
        bytes.ok_or_else(|| {
            Fault::Damaged(format!(
                "there are no {N} bytes at address {:#x}",
                self.address
            ))
        })
    }

    /// A `uint32_t`.
    pub(super) fn u32(&mut self) -> Checked<u32> {
        self.number().map(u32::from_le_bytes)
    }

    /// A `uint64_t`.
    pub(super) fn u64(&mut self) -> Checked<u64> {
        self.number().map(u64::from_le_bytes)
    }

    /// An `int64_t`.
    pub(super) fn i64(&mut self) -> Checked<i64> {
        self.number().map(i64::from_le_bytes)
    }

    /// The address that a pointer points to. Every pointer is one that the system's loader moves with the library.
    pub(super) fn pointer(&mut self) -> Checked<u64> {
        let written = self.u64()?;
        let place = self.address - 8;
        match self.memory.pointers.get(&place) {
            Some(address) => Ok(*address),
            None => damaged(format!(
                "the pointer at address {place:#x} is the number {written:#x}"
            )),
        }
    }

    /// Whether the next field, a pointer, is null.
    pub(super) fn is_null(&self) -> Checked<bool> {
        let mut next = self.memory.at(self.address);
        let written = next.u64()?;
        let place = next.address - 8;
        Ok(written == 0 && !self.memory.pointers.contains_key(&place))
    }

    /// `count` structs of `size` bytes that a pointer points to.
    pub(super) fn list(&mut self, count: u32, size: u64, what: &str) -> Checked<Self> {
        if count == 0 {
            // A pointer to nothing may be anything.
            self.u64()?;
            return Ok(self.memory.at(0));
        }
        let address = self.pointer()?;
        // No product of 32 bits and the size of a struct overflows.
        let bytes = u64::from(count) * size;
        if !address.is_multiple_of(size.min(8))
            || self.memory.headers.place(address, bytes).is_none()
        {
            return damaged(format!(
                "there are no {count} {what} at address {address:#x}"
            ));
        }
        Ok(self.memory.at(address))
    }

    /// The bytes of memory that a pointer points to: the number that follows the pointer.
    pub(super) fn sized(&mut self, what: &str) -> Checked<u64> {
        let place = self.address;
        self.u64()?;
        let count = self.u64()?;
        if count == 0 {
            return Ok(0);
        }
        let address = self.memory.at(place).pointer()?;
        let headers = self.memory.headers;
        match headers.is_in(address, count, elf::PF_R) && !headers.is_code(address) {
            true => Ok(count),
            false => damaged(format!(
                "there are no {count} bytes of {what} at address {address:#x}"
            )),
        }
    }

    /// A function that a pointer points to.
    pub(super) fn function(&mut self) -> Checked<u64> {
        let address = self.pointer()?;
        match self.memory.headers.is_code(address) {
            true => Ok(address),
            false => damaged(format!("there is no code at address {address:#x}")),
        }
    }

    /// The text that a pointer points to.
    pub(super) fn text(&mut self) -> Checked<String> {
        let address = self.pointer()?;
        self.memory.text(address)
    }
}
