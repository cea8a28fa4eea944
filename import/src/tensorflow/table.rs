//! Sorted tables of keys and values, as LevelDB writes them: a checkpoint's index is one.
//!
//! A table is blocks of entries, a block of the places of these blocks, and a footer that says where this block is. Keys leave out
//! what they have in common with the key before them. Each block has a byte that says whether it is compressed, and a checksum.

use crate::graph::error::Result;

/// The bytes of the footer: two places, and the number that marks a table.
const FOOTER: usize = 48;
const MAGIC: u64 = 0xdb47_7524_8b80_fb57;
/// The bytes behind a block: its compression and its checksum.
const TRAILER: usize = 5;
/// The most bytes of a compressed block. Blocks of indices are of some KB.
const LARGEST: usize = 1 << 26;

/// The keys and values of a table, in its order.
///
/// # Errors
/// If the bytes are no table, or damaged.
pub fn entries(bytes: &[u8]) -> Result<Vec<(Vec<u8>, Vec<u8>)>> {
    let start = bytes.len().checked_sub(FOOTER).ok_or_else(short)?;
    let footer = &bytes[start..];
    let (places, magic) = footer.split_at(FOOTER - 8);
    if magic != MAGIC.to_le_bytes() {
        return Err("it does not end as a table does".into());
    }
    let mut places = Reader(places);
    let _other_index = (places.number()?, places.number()?);
    let index = block(bytes, &mut places)?;
    let mut found = Vec::new();
    // What keys have in common, and compression, make a table larger than its file, but not without limit.
    let mut room = bytes.len().saturating_mul(64).max(1 << 16);
    for (_, place) in of_block(&index, &mut room)? {
        let data = block(bytes, &mut Reader(&place))?;
        found.extend(of_block(&data, &mut room)?);
    }
    Ok(found)
}

fn short() -> String {
    "it ends too soon".into()
}

/// Reads numbers and bytes one after the other.
struct Reader<'b>(&'b [u8]);

impl<'b> Reader<'b> {
    /// A number of which each byte has seven bits.
    fn number(&mut self) -> Result<usize> {
        let number = prost::encoding::decode_varint(&mut self.0).map_err(|_| short())?;
        usize::try_from(number).map_err(|_| short())
    }

    fn bytes(&mut self, count: usize) -> Result<&'b [u8]> {
        let (bytes, rest) = self.0.split_at_checked(count).ok_or_else(short)?;
        self.0 = rest;
        Ok(bytes)
    }
}

/// The block at a place.
fn block(bytes: &[u8], place: &mut Reader<'_>) -> Result<Vec<u8>> {
    let (at, size) = (place.number()?, place.number()?);
    let end = at.checked_add(size).ok_or_else(short)?;
    let content = bytes.get(at..end).ok_or_else(short)?;
    let trailer = bytes.get(end..).and_then(|rest| rest.get(..TRAILER));
    match trailer.ok_or_else(short)?[0] {
        0 => Ok(content.to_vec()),
        1 => {
            let length = snap::raw::decompress_len(content).map_err(|error| error.to_string())?;
            if length > LARGEST {
                return Err(format!("a block of {length} bytes is too large"));
            }
            let mut decoder = snap::raw::Decoder::new();
            decoder
                .decompress_vec(content)
                .map_err(|error| error.to_string())
        }
        other => Err(format!("compression {other} of a block is unknown")),
    }
}

/// The entries of a block, for which there is `room`. Behind them are the places of the keys that are written whole, and their number.
fn of_block(block: &[u8], room: &mut usize) -> Result<Vec<(Vec<u8>, Vec<u8>)>> {
    let (rest, count) = block.split_last_chunk::<4>().ok_or_else(short)?;
    let whole = (u32::from_le_bytes(*count) as usize).checked_mul(4);
    let end = whole.and_then(|whole| rest.len().checked_sub(whole));
    let mut reader = Reader(&rest[..end.ok_or_else(short)?]);
    let mut entries: Vec<(Vec<u8>, Vec<u8>)> = Vec::new();
    while !reader.0.is_empty() {
        let (common, own, size) = (reader.number()?, reader.number()?, reader.number()?);
        let before = entries.last().map_or(&[][..], |(key, _)| key);
        let mut key = before.get(..common).ok_or_else(short)?.to_vec();
        key.extend_from_slice(reader.bytes(own)?);
        let value = reader.bytes(size)?.to_vec();
        let rest = room.checked_sub(key.len() + value.len());
        *room = rest.ok_or("its entries are larger than the file may hold")?;
        entries.push((key, value));
    }
    Ok(entries)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A table of one block.
    fn table(block: &[u8], compression: u8) -> Vec<u8> {
        let mut bytes = block.to_vec();
        bytes.extend([compression, 0, 0, 0, 0]);
        let at = bytes.len() as u8;
        let index = [&[0, 1, 2, b'z', 0, block.len() as u8][..], &[0; 4]].concat();
        bytes.extend(&index);
        bytes.extend([0; 5]);
        let mut footer = vec![0, 0, at, index.len() as u8];
        footer.resize(FOOTER - 8, 0);
        bytes.extend(footer);
        bytes.extend(MAGIC.to_le_bytes());
        bytes
    }

    #[test]
    fn keys_share_their_beginnings() {
        let block = [&[0, 3, 1][..], b"abcx", &[2, 1, 2], b"dyz", &[0; 4]].concat();
        let expected = vec![
            (b"abc".to_vec(), b"x".to_vec()),
            (b"abd".to_vec(), b"yz".to_vec()),
        ];
        assert_eq!(entries(&table(&block, 0)), Ok(expected.clone()));
        let packed = snap::raw::Encoder::new().compress_vec(&block);
        let packed = packed.expect("the block is short");
        assert_eq!(entries(&table(&packed, 1)), Ok(expected));
    }

    #[test]
    fn damaged_tables_are_refused() {
        let block = [&[0, 3, 1][..], b"abcx", &[9, 1, 2], b"dyz", &[0; 4]].concat();
        assert_eq!(entries(&table(&block, 0)), Err(short()));
        assert!(entries(&table(&[0; 4], 7)).is_err_and(|error| error.contains("compression 7")));
        let whole = table(&[&[0, 1, 1][..], b"ab", &[0; 4]].concat(), 0);
        for end in 0..whole.len() {
            assert!(entries(&whole[..end]).is_err(), "{end}");
        }
    }
}
