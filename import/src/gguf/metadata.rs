//! What a file says of its model, by name. Lists stay in the file's bytes until somebody reads them.

use crate::graph::error::Result;
use crate::reader::Reader;
use bytes::Bytes;
use std::collections::HashMap;

/// How deep lists of lists are read.
const DEEPEST: usize = 4;

/// The type of a value, with the number that files give to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueType {
    U8 = 0,
    I8 = 1,
    U16 = 2,
    I16 = 3,
    U32 = 4,
    I32 = 5,
    F32 = 6,
    Bool = 7,
    Text = 8,
    List = 9,
    U64 = 10,
    I64 = 11,
    F64 = 12,
}

/// A value.
#[derive(Clone, Debug)]
pub enum Value {
    /// An integer of any type.
    Int(i128),
    /// A float.
    Float(f64),
    /// A truth value.
    Bool(bool),
    /// A text.
    Text(String),
    /// A list.
    List(List),
}

/// A list of values of one type, as the file has it.
#[derive(Clone, Debug)]
pub struct List {
    kind: ValueType,
    count: usize,
    bytes: Bytes,
}

impl ValueType {
    /// The type of a number.
    ///
    /// # Errors
    /// If there is none.
    pub fn of(number: u32) -> Result<Self> {
        const ALL: [ValueType; 13] = [
            ValueType::U8,
            ValueType::I8,
            ValueType::U16,
            ValueType::I16,
            ValueType::U32,
            ValueType::I32,
            ValueType::F32,
            ValueType::Bool,
            ValueType::Text,
            ValueType::List,
            ValueType::U64,
            ValueType::I64,
            ValueType::F64,
        ];
        let found = ALL.into_iter().find(|kind| *kind as u32 == number);
        found.ok_or_else(|| format!("there is no type of values with number {number}"))
    }

    /// The bytes of a value, or the fewest that it may have.
    fn least(self) -> usize {
        match self {
            Self::U8 | Self::I8 | Self::Bool => 1,
            Self::U16 | Self::I16 => 2,
            Self::U32 | Self::I32 | Self::F32 => 4,
            Self::Text | Self::U64 | Self::I64 | Self::F64 => 8,
            Self::List => 12,
        }
    }

    /// Reads a value within so many lists.
    ///
    /// # Errors
    /// If the file does not have it, or lists are too deep.
    pub fn read(self, reader: &mut Reader<'_>, depth: usize) -> Result<Value> {
        Ok(match self {
            Self::U8 => Value::Int(u8::from_le_bytes(reader.array()?).into()),
            Self::I8 => Value::Int(i8::from_le_bytes(reader.array()?).into()),
            Self::U16 => Value::Int(u16::from_le_bytes(reader.array()?).into()),
            Self::I16 => Value::Int(i16::from_le_bytes(reader.array()?).into()),
            Self::U32 => Value::Int(u32::from_le_bytes(reader.array()?).into()),
            Self::I32 => Value::Int(i32::from_le_bytes(reader.array()?).into()),
            Self::U64 => Value::Int(u64::from_le_bytes(reader.array()?).into()),
            Self::I64 => Value::Int(i64::from_le_bytes(reader.array()?).into()),
            Self::F32 => Value::Float(f32::from_le_bytes(reader.array()?).into()),
            Self::F64 => Value::Float(f64::from_le_bytes(reader.array()?)),
            Self::Bool => Value::Bool(u8::from_le_bytes(reader.array()?) != 0),
            Self::Text => Value::Text(reader.text()?),
            Self::List => Value::List(List::read(reader, depth)?),
        })
    }
}

impl List {
    fn read(reader: &mut Reader<'_>, depth: usize) -> Result<Self> {
        if depth == DEEPEST {
            return Err(format!("lists lie in more than {DEEPEST} others"));
        }
        let kind = ValueType::of(reader.u32()?)?;
        let count = reader.count(kind.least(), "values")?;
        let first = reader.place();
        match kind {
            // These say themselves how long they are.
            ValueType::Text | ValueType::List => {
                for _ in 0..count {
                    kind.read(reader, depth + 1)?;
                }
            }
            _ => drop(reader.take(count * kind.least())?),
        }
        Ok(Self {
            kind,
            count,
            bytes: reader.since(first),
        })
    }

    /// The values.
    fn values(&self) -> Result<Vec<Value>> {
        let mut reader = Reader::new(&self.bytes);
        (0..self.count)
            .map(|_| self.kind.read(&mut reader, 0))
            .collect()
    }
}

/// What a file says of its model.
pub struct Metadata {
    values: HashMap<String, Value>,
}

impl Metadata {
    /// Values by name.
    pub fn new(values: HashMap<String, Value>) -> Self {
        Self { values }
    }

    /// Whether there is a value of this name.
    pub fn has(&self, key: &str) -> bool {
        self.values.contains_key(key)
    }

    /// A text, if it is there.
    ///
    /// # Errors
    /// If there is something else in its place, as for all that follow.
    pub fn text(&self, key: &str) -> Result<Option<&str>> {
        match self.values.get(key) {
            None => Ok(None),
            Some(Value::Text(text)) => Ok(Some(text)),
            Some(_) => Err(not(key, "text")),
        }
    }

    /// A number from 0 on that counts something.
    pub fn size(&self, key: &str) -> Result<Option<i64>> {
        match self.values.get(key) {
            None => Ok(None),
            Some(Value::Int(number)) => {
                let size = i64::try_from(*number).ok().filter(|size| *size >= 0);
                size.map(Some)
                    .ok_or_else(|| format!("'{key}' is {number}, expected a number from 0 on"))
            }
            Some(_) => Err(not(key, "whole number")),
        }
    }

    /// A float.
    pub fn float(&self, key: &str) -> Result<Option<f64>> {
        match self.values.get(key) {
            None => Ok(None),
            Some(Value::Float(number)) if number.is_finite() => Ok(Some(*number)),
            Some(_) => Err(not(key, "finite float")),
        }
    }

    /// A truth value.
    pub fn flag(&self, key: &str) -> Result<Option<bool>> {
        match self.values.get(key) {
            None => Ok(None),
            Some(Value::Bool(flag)) => Ok(Some(*flag)),
            Some(_) => Err(not(key, "truth value")),
        }
    }

    /// A list of texts.
    pub fn texts(&self, key: &str) -> Result<Option<Vec<String>>> {
        self.list(key, "texts", |value| match value {
            Value::Text(text) => Some(text),
            _ => None,
        })
    }

    /// A list of numbers.
    pub fn floats(&self, key: &str) -> Result<Option<Vec<f64>>> {
        self.list(key, "floats", |value| match value {
            Value::Float(number) => Some(number),
            _ => None,
        })
    }

    /// A list of integers.
    pub fn ints(&self, key: &str) -> Result<Option<Vec<i64>>> {
        self.list(key, "whole numbers", |value| match value {
            Value::Int(number) => i64::try_from(number).ok(),
            _ => None,
        })
    }

    /// A list of truth values, which may be stored as integers.
    pub fn flags(&self, key: &str) -> Result<Option<Vec<bool>>> {
        self.list(key, "truth values", |value| match value {
            Value::Bool(flag) => Some(flag),
            Value::Int(number) => Some(number != 0),
            _ => None,
        })
    }

    /// Whether a value is a list.
    pub fn is_list(&self, key: &str) -> bool {
        matches!(self.values.get(key), Some(Value::List(_)))
    }

    fn list<T>(
        &self,
        key: &str,
        what: &str,
        of: impl Fn(Value) -> Option<T>,
    ) -> Result<Option<Vec<T>>> {
        let list = match self.values.get(key) {
            None => return Ok(None),
            Some(Value::List(list)) => list,
            Some(_) => return Err(not(key, &format!("list of {what}"))),
        };
        let values = list.values()?.into_iter().map(of).collect::<Option<_>>();
        let values: Vec<T> = values.ok_or_else(|| not(key, &format!("list of {what}")))?;
        Ok(Some(values))
    }
}

fn not(key: &str, what: &str) -> String {
    format!("'{key}' is no {what}")
}
