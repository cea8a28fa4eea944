//! The links of groups: symbol tables, as h5py writes them (sections "Version 1 B-trees", "Group Symbol Table Nodes" and "Local Heap"), and
//! link messages.

use super::{
    File, MOST,
    object::{Object, kind},
};
use crate::graph::error::Result;
use std::collections::HashSet;

/// The deepest tree: each level has at least two entries, and a file has fewer than 2^64.
const DEEPEST: u8 = 64;

impl Object {
    /// What a group links, by name: the addresses of their headers.
    ///
    /// # Errors
    /// If it is damaged, or stores links in a way that is not supported.
    pub fn links(&self) -> Result<Vec<(String, u64)>> {
        let mut links = Vec::new();
        if let Some(body) = self.first(kind::SYMBOL_TABLE)? {
            let mut cursor = self.file.cursor(body);
            let (tree, heap) = (cursor.defined()?, cursor.defined()?);
            symbols(&self.file, tree, heap, &mut links)?;
        }
        for body in self.all(kind::LINK) {
            links.extend(link(&self.file, body?)?);
        }
        if let Some(body) = self.first(kind::LINK_INFO)? {
            let mut cursor = self.file.cursor(body);
            cursor.skip(1)?;
            let flags = cursor.u8()?;
            cursor.skip(if flags & 1 != 0 { 8 } else { 0 })?;
            if cursor.address()?.is_some() {
                return Err(dense("a group with many links"));
            }
        }
        Ok(links)
    }

    /// What a link of this file leads to.
    ///
    /// # Errors
    /// If it is damaged.
    pub fn linked(&self, address: u64) -> Result<Self> {
        Self::read(&self.file, address)
    }

    /// The object of a name in a group, or of a path; `None` if there is none.
    ///
    /// # Errors
    /// If it is damaged.
    pub fn find(&self, path: &str) -> Result<Option<Self>> {
        let mut object = self.clone();
        for name in path.split('/').filter(|name| !name.is_empty()) {
            let links = object.links()?;
            let Some((_, address)) = links.into_iter().find(|(link, _)| link == name) else {
                return Ok(None);
            };
            object = Self::read(&self.file, address)?;
        }
        Ok(Some(object))
    }
}

/// What is said of files that h5py writes with `libver="latest"` only.
pub(super) fn dense(what: &str) -> String {
    format!(
        "{what} is stored in the way of libver=\"latest\" of h5py (dense storage), which is not supported; save the model again with Keras"
    )
}

/// The links of a tree of symbol tables.
fn symbols(file: &File, tree: u64, heap: u64, links: &mut Vec<(String, u64)>) -> Result<()> {
    let names = heap_of_names(file, heap)?;
    let mut nodes = vec![(tree, DEEPEST)];
    let mut seen = HashSet::new();
    while let Some((node, height)) = nodes.pop() {
        if !seen.insert(node) || seen.len() > MOST {
            return Err("a group's tree of links has a cycle".into());
        }
        let mut cursor = file.at(node)?;
        if cursor.clone().take(4)? == b"SNOD" {
            table(file, node, &names, links)?;
            continue;
        }
        cursor.expect(b"TREE")?;
        let (kind, level, count) = (cursor.u8()?, cursor.u8()?, cursor.u16()?);
        if kind != 0 || level >= height {
            return Err(format!(
                "a group's tree of links has a node of kind {kind} at level {level}"
            ));
        }
        cursor.skip(2 * file.widths.offset)?;
        let first = nodes.len();
        for _ in 0..count {
            cursor.length()?;
            nodes.push((cursor.defined()?, level));
        }
        nodes[first..].reverse();
    }
    Ok(())
}

/// The links of a symbol table.
fn table(file: &File, node: u64, names: &[u8], links: &mut Vec<(String, u64)>) -> Result<()> {
    /// The type of the cache, and what is cached.
    const CACHE: usize = 4 + 4 + 16;
    let mut cursor = file.at(node)?;
    cursor.expect(b"SNOD")?;
    cursor.skip(2)?;
    for _ in 0..cursor.u16()? {
        let (name, address) = (cursor.defined()?, cursor.address()?);
        cursor.skip(CACHE)?;
        let name = usize::try_from(name)
            .ok()
            .and_then(|start| names.get(start..));
        let name = name.ok_or("the name of a link is not in the heap")?;
        let end = name.iter().position(|byte| *byte == 0);
        let name = &name[..end.ok_or("the name of a link has no end")?];
        // A link by path has no address; Keras makes none.
        if let Some(address) = address {
            links.push((text(name)?, address));
        }
        if links.len() > MOST {
            return Err("a group has too many links".into());
        }
    }
    Ok(())
}

/// The bytes of a local heap.
fn heap_of_names(file: &File, heap: u64) -> Result<bytes::Bytes> {
    let mut cursor = file.at(heap)?;
    cursor.expect(b"HEAP")?;
    cursor.skip(4)?;
    let length = cursor.length()?;
    cursor.length()?;
    file.slice(cursor.defined()?, length)
}

/// A link message ("The Link Message"); `None` if it is no hard link.
fn link(file: &File, body: &[u8]) -> Result<Option<(String, u64)>> {
    let mut cursor = file.cursor(body);
    cursor.skip(1)?;
    let flags = cursor.u8()?;
    let is_hard = flags & 8 == 0 || cursor.u8()? == 0;
    cursor.skip(if flags & 4 != 0 { 8 } else { 0 })?;
    cursor.skip(if flags & 16 != 0 { 1 } else { 0 })?;
    let length = cursor.number(1 << (flags & 3))?;
    let name = cursor.take(usize::try_from(length).map_err(|_| "a name is too long")?)?;
    match is_hard {
        true => Ok(Some((text(name)?, cursor.defined()?))),
        false => Ok(None),
    }
}

/// A name or another text.
pub(super) fn text(bytes: &[u8]) -> Result<String> {
    let text = std::str::from_utf8(bytes);
    Ok(text.map_err(|_| "a text is not of UTF-8")?.into())
}
