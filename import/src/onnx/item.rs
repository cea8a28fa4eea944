//! What a name of a graph stands for.

use crate::graph::{error::Result, value::Value};
use std::{fmt, rc::Rc};

/// What a name of a graph stands for. How many tensors a sequence has, and whether an optional holds anything, is known, but for sequences that
/// loops make. So only tensors become part of the IR.
#[derive(Clone)]
pub enum Item {
    /// A tensor, or an optional that holds one.
    Tensor(Value),
    /// A sequence of tensors, or an optional that holds one.
    Sequence(Rc<[Value]>),
    /// A sequence of as many tensors of one type as the first axis of this one has elements: what the steps of a loop have appended.
    Stacked(Value),
    /// An optional that holds nothing.
    Nothing,
}

impl Item {
    /// The tensor.
    ///
    /// # Errors
    /// If it is something else; the text says what.
    pub fn tensor(&self) -> Result<&Value> {
        match self {
            Self::Tensor(value) => Ok(value),
            _ => Err(format!("{self}, expected a tensor")),
        }
    }

    /// The tensors of the sequence.
    ///
    /// # Errors
    /// If it is something else; the text says what.
    pub fn sequence(&self) -> Result<&Rc<[Value]>> {
        match self {
            Self::Sequence(tensors) => Ok(tensors),
            _ => Err(format!("{self}, expected a sequence of tensors")),
        }
    }
}

impl From<Value> for Item {
    fn from(value: Value) -> Self {
        Self::Tensor(value)
    }
}

impl From<Vec<Value>> for Item {
    fn from(tensors: Vec<Value>) -> Self {
        Self::Sequence(tensors.into())
    }
}

impl fmt::Display for Item {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 4;
        let describe = |value: &Value| format!("{:?} {:?}", value.element(), value.dims());
        match self {
            Self::Tensor(value) => write!(formatter, "{}", describe(value)),
            Self::Sequence(tensors) => {
                let mut shown: Vec<String> = tensors.iter().take(SHOWN).map(describe).collect();
                if tensors.len() > SHOWN {
                    shown.push("...".into());
                }
                let (count, shown) = (tensors.len(), shown.join(", "));
                write!(formatter, "a sequence of {count} tensors ({shown})")
            }
            Self::Stacked(value) => {
                let (count, dims) = (value.dims()[0], &value.dims()[1..]);
                write!(
                    formatter,
                    "a sequence of {count} tensors {:?} {dims:?}",
                    value.element()
                )
            }
            Self::Nothing => write!(formatter, "an optional that holds nothing"),
        }
    }
}
