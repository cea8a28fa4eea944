//! FlexBuffers: the maps of numbers that operators of other authors have as their options.

use crate::graph::error::Result;
use std::collections::BTreeMap;

/// The numbers of a map by their names. What is no number is left out.
///
/// # Errors
/// If the bytes are no map, or lead out of them.
pub fn numbers(bytes: &[u8]) -> Result<BTreeMap<String, f64>> {
    let flex = Flex(bytes);
    let [.., packed, width] = *bytes else {
        return Err("its options are empty".into());
    };
    let (kind, child) = unpacked(packed);
    if kind != MAP {
        return Err(format!("its options are of kind {kind}, expected a map"));
    }
    let root = (bytes.len() - 2)
        .checked_sub(width.into())
        .ok_or_else(wild)?;
    let values = flex.behind(root, width.into())?;
    let header = |place: usize| values.checked_sub(place * child).ok_or_else(wild);
    let count = flex.unsigned(header(1)?, child)?;
    let key_width = flex.unsigned(header(2)?, child)? as usize;
    let keys = flex.behind(header(3)?, child)?;
    // Each value has a byte for its type.
    let count = usize::try_from(count)
        .ok()
        .filter(|count| *count <= bytes.len())
        .ok_or_else(wild)?;
    let mut map = BTreeMap::new();
    for place in 0..count {
        let key = flex.text(flex.behind(keys + place * key_width, key_width)?)?;
        let packed = *bytes.get(values + count * child + place).ok_or_else(wild)?;
        if let Some(number) = flex.number(values + place * child, child, packed)? {
            map.insert(key, number);
        }
    }
    Ok(map)
}

const INT: u8 = 1;
const UINT: u8 = 2;
const FLOAT: u8 = 3;
const INDIRECT_INT: u8 = 6;
const INDIRECT_UINT: u8 = 7;
const INDIRECT_FLOAT: u8 = 8;
const MAP: u8 = 9;
const BOOL: u8 = 26;

/// A type: its kind, and the bytes of what it is of.
fn unpacked(packed: u8) -> (u8, usize) {
    (packed >> 2, 1 << (packed & 3))
}

fn wild() -> String {
    "its options lead out of their bytes".into()
}

struct Flex<'f>(&'f [u8]);

impl Flex<'_> {
    fn bytes<const N: usize>(&self, at: usize) -> Result<[u8; N]> {
        let end = at.checked_add(N).ok_or_else(wild)?;
        self.0
            .get(at..end)
            .and_then(|bytes| bytes.try_into().ok())
            .ok_or_else(wild)
    }

    fn unsigned(&self, at: usize, width: usize) -> Result<u64> {
        match width {
            1 => Ok(u8::from_le_bytes(self.bytes(at)?).into()),
            2 => Ok(u16::from_le_bytes(self.bytes(at)?).into()),
            4 => Ok(u32::from_le_bytes(self.bytes(at)?).into()),
            8 => Ok(u64::from_le_bytes(self.bytes(at)?)),
            _ => Err(wild()),
        }
    }

    fn signed(&self, at: usize, width: usize) -> Result<i64> {
        let unused = 64 - 8 * u32::try_from(width).map_err(|_| wild())?.clamp(1, 8);
        Ok((self.unsigned(at, width)? << unused) as i64 >> unused)
    }

    fn float(&self, at: usize, width: usize) -> Result<f64> {
        match width {
            4 => Ok(f32::from_le_bytes(self.bytes(at)?).into()),
            8 => Ok(f64::from_le_bytes(self.bytes(at)?)),
            _ => Err("its options have a float of an unknown size".into()),
        }
    }

    /// Where the offset at a place leads: back.
    fn behind(&self, at: usize, width: usize) -> Result<usize> {
        let back = usize::try_from(self.unsigned(at, width)?).map_err(|_| wild())?;
        at.checked_sub(back).ok_or_else(wild)
    }

    fn text(&self, at: usize) -> Result<String> {
        let rest = self.0.get(at..).ok_or_else(wild)?;
        let end = rest.iter().position(|byte| *byte == 0).ok_or_else(wild)?;
        Ok(String::from_utf8_lossy(&rest[..end]).into_owned())
    }

    /// A value that is a number.
    fn number(&self, at: usize, width: usize, packed: u8) -> Result<Option<f64>> {
        let (kind, of) = unpacked(packed);
        Ok(Some(match kind {
            INT => self.signed(at, width)? as f64,
            UINT | BOOL => self.unsigned(at, width)? as f64,
            FLOAT => self.float(at, width)?,
            INDIRECT_INT => self.signed(self.behind(at, width)?, of)? as f64,
            INDIRECT_UINT => self.unsigned(self.behind(at, width)?, of)? as f64,
            INDIRECT_FLOAT => self.float(self.behind(at, width)?, of)?,
            _ => return Ok(None),
        }))
    }
}
