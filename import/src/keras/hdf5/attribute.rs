//! Attributes of texts (sections "The Attribute Message" and "Global Heap").

use super::{
    datatype::{Datatype, extents},
    group::{dense, text},
    object::{Object, kind},
};
use crate::graph::{constant::element_count, error::Result};
use bytes::Bytes;

impl Object {
    /// The texts of an attribute; `None` if there is none of this name.
    ///
    /// # Errors
    /// If it is damaged, or of something else.
    pub fn texts(&self, name: &str) -> Result<Option<Vec<String>>> {
        for body in self.all(kind::ATTRIBUTE) {
            let body = body?;
            if let Some(attribute) = self.attribute(body, name)? {
                return attribute
                    .map_err(|reason| format!("attribute '{name}': {reason}"))
                    .map(Some);
            }
        }
        if let Some(body) = self.first(kind::ATTRIBUTE_INFO)? {
            let mut cursor = self.file.cursor(body);
            cursor.skip(1)?;
            let flags = cursor.u8()?;
            cursor.skip(if flags & 1 != 0 { 2 } else { 0 })?;
            if cursor.address()?.is_some() {
                return Err(dense("an object with many attributes"));
            }
        }
        Ok(None)
    }

    /// The one text of an attribute.
    ///
    /// # Errors
    /// If it is damaged, or of something else.
    pub fn text(&self, name: &str) -> Result<Option<String>> {
        let texts = self.texts(name)?;
        Ok(texts.and_then(|mut texts| texts.pop()))
    }

    /// The texts of an attribute's message, if it is of this name.
    fn attribute(&self, body: &Bytes, name: &str) -> Result<Option<Result<Vec<String>>>> {
        let mut cursor = self.file.cursor(body);
        let (version, flags) = (cursor.u8()?, cursor.u8()?);
        if !(1..=3).contains(&version) {
            return Err(format!("version {version} of attributes is not known"));
        }
        let sizes = [cursor.u16()?, cursor.u16()?, cursor.u16()?].map(usize::from);
        cursor.skip(if version == 3 { 1 } else { 0 })?;
        let mut part = |size: usize| {
            let bytes = cursor.take(size)?;
            if version == 1 {
                cursor.skip(size.next_multiple_of(8) - size)?;
            }
            Ok::<_, String>(bytes)
        };
        let [of_name, of_type, of_space] = [part(sizes[0])?, part(sizes[1])?, part(sizes[2])?];
        let end = of_name.iter().position(|byte| *byte == 0);
        if &of_name[..end.unwrap_or(of_name.len())] != name.as_bytes() {
            return Ok(None);
        }
        if version > 1 && flags & 3 != 0 {
            return Err("an attribute of a committed type is not supported".into());
        }
        let rest = cursor.take(cursor.left())?;
        let texts = || {
            let datatype = Datatype::read(&mut self.file.cursor(of_type))?;
            let shape = extents(&mut self.file.cursor(of_space))?;
            let count = shape.map_or(Ok(0), |shape| element_count(&shape))?;
            self.all_texts(datatype, count as usize, rest)
        };
        Ok(Some(texts()))
    }

    fn all_texts(&self, datatype: Datatype, count: usize, bytes: &[u8]) -> Result<Vec<String>> {
        // An empty list is one of floats: nobody says of what else.
        if count == 0 {
            return Ok(Vec::new());
        }
        let width = datatype.bytes(self.file.widths.offset);
        if count.checked_mul(width).is_none_or(|all| all > bytes.len()) {
            return Err(format!("{} bytes do not hold {count} texts", bytes.len()));
        }
        let elements = bytes.chunks_exact(width.max(1)).take(count);
        let texts = elements.map(|element| match datatype {
            Datatype::Text(_) => {
                let end = element.iter().position(|byte| *byte == 0);
                text(&element[..end.unwrap_or(element.len())])
            }
            Datatype::Texts => self.of_heap(element),
            _ => Err("it is no text".into()),
        });
        texts.collect()
    }

    /// A text in a global heap.
    fn of_heap(&self, element: &[u8]) -> Result<String> {
        let mut cursor = self.file.cursor(element);
        let length = cursor.u32()? as usize;
        if length == 0 {
            return Ok(String::new());
        }
        let (heap, number) = (cursor.defined()?, cursor.u32()?);
        let mut head = self.file.at(heap)?;
        head.expect(b"GCOL")?;
        head.skip(4)?;
        let size = head.length()?;
        let all = self.file.slice(heap, size)?;
        let mut cursor = self.file.cursor(&all);
        cursor.skip(8 + self.file.widths.length)?;
        while cursor.left() >= 8 + self.file.widths.length {
            let found = u32::from(cursor.u16()?);
            cursor.skip(6)?;
            let size = cursor.length()?;
            let size = usize::try_from(size).map_err(|_| "an object of a heap is too large")?;
            if found == 0 {
                break;
            }
            let bytes = cursor.take(size)?;
            if found == number {
                let bytes = bytes.get(..length);
                return text(bytes.ok_or("an object of a heap is too short")?);
            }
            cursor.skip((size.next_multiple_of(8) - size).min(cursor.left()))?;
        }
        Err(format!("object {number} of the heap is missing"))
    }
}
