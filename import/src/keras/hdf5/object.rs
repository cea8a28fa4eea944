//! Objects: groups and datasets, by the messages of their headers (section "Disk Format: Level 2A").

use super::{File, MOST};
use crate::graph::error::Result;
use bytes::Bytes;

/// The kinds of messages that are read.
pub(super) mod kind {
    pub const DATASPACE: u16 = 0x01;
    pub const LINK_INFO: u16 = 0x02;
    pub const DATATYPE: u16 = 0x03;
    pub const LINK: u16 = 0x06;
    pub const LAYOUT: u16 = 0x08;
    pub const FILTERS: u16 = 0x0B;
    pub const ATTRIBUTE: u16 = 0x0C;
    pub const CONTINUATION: u16 = 0x10;
    pub const SYMBOL_TABLE: u16 = 0x11;
    pub const ATTRIBUTE_INFO: u16 = 0x15;
}

/// The flag of a message that lies elsewhere.
const SHARED: u8 = 2;

/// A group or a dataset.
#[derive(Clone)]
pub struct Object {
    pub(super) file: File,
    messages: Vec<Message>,
}

#[derive(Clone)]
struct Message {
    kind: u16,
    flags: u8,
    body: Bytes,
}

/// The bytes of a checksum.
const CHECKSUM: u64 = 4;

/// A part of a header with messages.
struct Block {
    address: u64,
    length: u64,
}

impl Object {
    /// The object whose header lies at an address.
    pub(super) fn read(file: &File, address: u64) -> Result<Self> {
        let first = file.at(address)?.take(4)?;
        let messages = match first {
            b"OHDR" => version_2(file, address),
            [1, ..] => version_1(file, address),
            _ => Err("there is none".into()),
        };
        let messages =
            messages.map_err(|reason| format!("the object at address {address}: {reason}"))?;
        Ok(Self {
            file: file.clone(),
            messages,
        })
    }

    /// The bodies of the messages of a kind.
    pub(super) fn all(&self, kind: u16) -> impl Iterator<Item = Result<&Bytes>> {
        let messages = self.messages.iter();
        let messages = messages.filter(move |message| message.kind == kind);
        messages.map(|message| match message.flags & SHARED {
            0 => Ok(&message.body),
            _ => Err(
                "a message that lies elsewhere (a committed type) is not supported; \
                 save the model again with Keras"
                    .into(),
            ),
        })
    }

    /// The body of the first message of a kind.
    pub(super) fn first(&self, kind: u16) -> Result<Option<&Bytes>> {
        self.all(kind).next().transpose()
    }

    /// The body of a message that has to be there.
    pub(super) fn required(&self, kind: u16, what: &str) -> Result<&Bytes> {
        self.first(kind)?
            .ok_or_else(|| format!("it has no {what}, so it is no dataset"))
    }
}

/// Reads the messages of all blocks. `read` reads a message of a block, which continues where it says.
fn blocks(
    file: &File,
    first: Block,
    signature: &[u8],
    read: impl Fn(&mut super::Cursor<'_>) -> Result<Option<(u16, u8, usize)>>,
) -> Result<Vec<Message>> {
    let mut messages = Vec::new();
    let mut blocks = vec![first];
    let mut next = 0;
    while let Some(block) = blocks.get(next) {
        let bytes = file.slice(block.address, block.length)?;
        let mut cursor = file.cursor(&bytes);
        if next > 0 {
            cursor.expect(signature)?;
        }
        while let Some((kind, flags, size)) = read(&mut cursor)? {
            let body = bytes.slice_ref(cursor.take(size)?);
            if kind == kind::CONTINUATION {
                let mut at = file.cursor(&body);
                let (address, length) = (at.defined()?, at.length()?);
                // Blocks with a signature end with a checksum, which the length of the first one leaves out.
                let checksum = if signature.is_empty() { 0 } else { CHECKSUM };
                blocks.push(Block {
                    address,
                    length: length.saturating_sub(checksum),
                });
            }
            messages.push(Message { kind, flags, body });
        }
        next += 1;
        if next > MOST || messages.len() > MOST {
            return Err("its header has no end".into());
        }
    }
    Ok(messages)
}

/// "Version 1 Data Object Header Prefix".
fn version_1(file: &File, address: u64) -> Result<Vec<Message>> {
    let mut cursor = file.at(address)?;
    cursor.skip(8)?;
    let length = cursor.u32()?.into();
    let first = Block {
        address: address + 16,
        length,
    };
    blocks(file, first, b"", |cursor| {
        if cursor.left() < 8 {
            return Ok(None);
        }
        let (kind, size, flags) = (cursor.u16()?, cursor.u16()?, cursor.u8()?);
        cursor.skip(3)?;
        Ok(Some((kind, flags, size.into())))
    })
}

/// "Version 2 Data Object Header Prefix".
fn version_2(file: &File, address: u64) -> Result<Vec<Message>> {
    let mut cursor = file.at(address)?;
    let all = cursor.left();
    cursor.expect(b"OHDR")?;
    cursor.skip(1)?;
    let flags = cursor.u8()?;
    // Times, and the numbers of attributes at which their storage changes.
    cursor.skip(if flags & 0x20 != 0 { 16 } else { 0 })?;
    cursor.skip(if flags & 0x10 != 0 { 4 } else { 0 })?;
    let length = cursor.number(1 << (flags & 3))?;
    let first = Block {
        address: address + (all - cursor.left()) as u64,
        length,
    };
    let has_order = flags & 4 != 0;
    let head = if has_order { 6 } else { 4 };
    blocks(file, first, b"OCHK", |cursor| {
        // Fewer bytes than the head of a message are a gap.
        if cursor.left() < head {
            return Ok(None);
        }
        let (kind, size, flags) = (cursor.u8()?, cursor.u16()?, cursor.u8()?);
        cursor.skip(if has_order { 2 } else { 0 })?;
        Ok(Some((kind.into(), flags, size.into())))
    })
}
