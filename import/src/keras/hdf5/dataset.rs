//! Datasets (section "The Data Layout Message").

use super::{
    chunk::Chunks,
    datatype::{Datatype, extents},
    object::{Object, kind},
};
use crate::graph::{
    constant::{Const, element_count},
    error::Result,
};
use bytes::Bytes;
use relay_dialects::element::Element;

/// The attribute by which Keras says the type of bytes that NumPy has no type for.
const DTYPE: &str = "dtype";

impl Object {
    /// Whether it is a dataset.
    pub fn is_dataset(&self) -> bool {
        matches!(self.first(kind::LAYOUT), Ok(Some(_)))
    }

    /// The elements of a dataset. Contiguous ones are not copied.
    ///
    /// # Errors
    /// If it is damaged, or stored in a way that is not supported.
    pub fn numbers(&self) -> Result<Const> {
        let of_type = self.required(kind::DATATYPE, "type")?;
        let element = match Datatype::read(&mut self.file.cursor(of_type))? {
            Datatype::Number(element) => element,
            Datatype::Opaque(2) if self.text(DTYPE)?.as_deref() == Some("bfloat16") => {
                Element::Bf16
            }
            other => {
                return Err(format!("elements of type {other:?} are no numbers"));
            }
        };
        let of_space = self.required(kind::DATASPACE, "dataspace")?;
        let shape = extents(&mut self.file.cursor(of_space))?;
        let shape = shape.ok_or("it has no elements")?;
        let count = element_count(&shape)? as u64;
        let length = count * element.bytes() as u64;
        let bytes = self.stored(&shape, element.bytes(), length)?;
        if bytes.len() as u64 != length {
            return Err(format!("it holds {} bytes, expected {length}", bytes.len()));
        }
        Ok(Const::of_bytes(element, shape, bytes))
    }

    fn stored(&self, shape: &[i64], width: usize, length: u64) -> Result<Bytes> {
        let body = self.required(kind::LAYOUT, "layout")?;
        let mut cursor = self.file.cursor(body);
        let version = cursor.u8()?;
        if !(3..=4).contains(&version) {
            return Err(format!(
                "version {version} of layouts is not supported; 3 and 4 are"
            ));
        }
        match cursor.u8()? {
            0 => {
                let size = cursor.u16()?.into();
                Ok(body.slice_ref(cursor.take(size)?))
            }
            // Space for a contiguous dataset is found when it is written.
            1 => match cursor.address()? {
                Some(address) => self.file.slice(address, length),
                None if length == 0 => Ok(Bytes::new()),
                None => Err("nothing was ever written to it".into()),
            },
            2 => Chunks::read(self, version, cursor, width)?.join(shape, length),
            other => Err(format!("layout {other} is not supported")),
        }
    }
}
