//! Lists of tensors, which loops read and write.

use super::tensor::known_int;
use crate::{
    compose::{gather::taken_inside, steps::joined},
    graph::{builder::GraphBuilder, error::Result, value::Value},
};
use relay_dialects::{dim::Dim, element::Element};

/// A list of tensors of one shape.
#[derive(Clone)]
pub struct List {
    /// The type of the tensors' elements.
    pub element: Element,
    /// The tensors' dimensions, if they are known before there is one.
    pub dims: Option<Vec<Dim>>,
    /// The tensors.
    pub contents: Contents,
}

/// What is known of the tensors of a list.
#[derive(Clone)]
pub enum Contents {
    /// Each tensor; none for one that was not written, which is 0.
    Parts(Vec<Option<Value>>),
    /// All tensors along a new first axis.
    Stacked(Value),
    /// So many tensors, of which none was written.
    Unset(Dim),
    /// The tensors that the steps of a loop write, each at the number of its step.
    Collecting(Value),
    /// What a step of such a loop has written.
    Collected(Value),
}

/// The most tensors of a list that are kept one by one.
const MOST_PARTS: i64 = 1 << 12;

impl List {
    /// A list of so many tensors.
    pub fn unset(element: Element, dims: Option<Vec<Dim>>, count: Dim) -> Self {
        let contents = match count.known() {
            Some(count @ 0..=MOST_PARTS) => Contents::Parts(vec![None; count as usize]),
            _ => Contents::Unset(count),
        };
        Self {
            element,
            dims,
            contents,
        }
    }

    /// The list whose tensors lie along the first axis of a tensor.
    ///
    /// # Errors
    /// If there is no such axis.
    pub fn of(stacked: Value) -> Result<Self> {
        let dims = stacked
            .dims()
            .get(1..)
            .ok_or("a tensor of rank 0 has no parts")?;
        Ok(Self {
            element: stacked.element(),
            dims: Some(dims.to_vec()),
            contents: Contents::Stacked(stacked),
        })
    }

    fn with(&self, contents: Contents) -> Self {
        Self {
            contents,
            ..self.clone()
        }
    }

    /// The number of tensors.
    ///
    /// # Errors
    /// Within a loop that writes the list.
    pub fn count(&self) -> Result<Dim> {
        match &self.contents {
            Contents::Parts(parts) => Ok(Dim::Known(parts.len() as i64)),
            Contents::Stacked(stacked) => Ok(stacked.dims()[0]),
            Contents::Unset(count) => Ok(*count),
            Contents::Collecting(_) | Contents::Collected(_) => Err(in_loop()),
        }
    }

    /// The dimensions of a tensor.
    fn shape(&self) -> Result<Vec<Dim>> {
        let first = match &self.contents {
            Contents::Parts(parts) => parts.iter().flatten().next(),
            _ => None,
        };
        let dims = first.map(|part| part.dims().to_vec());
        dims.or_else(|| self.dims.clone())
            .ok_or_else(|| "a list of tensors is read before their shape is known".into())
    }

    /// A tensor.
    ///
    /// # Errors
    /// If it is not there, or its shape is not known.
    pub fn get(&self, b: &mut GraphBuilder, index: &Value) -> Result<Value> {
        let known = known_int(index);
        match (&self.contents, known) {
            (Contents::Parts(parts), Some(place)) => {
                let part = usize::try_from(place).ok();
                let part = part.and_then(|place| parts.get(place));
                match part {
                    None => Err(format!("tensor {place} of a list of {}", parts.len())),
                    Some(Some(part)) => Ok(part.clone()),
                    Some(None) => b.full(self.element, &self.shape()?, 0.0),
                }
            }
            _ => {
                let stacked = self.stacked(b)?;
                let index = b.reshape_to_scalar(index)?;
                taken_inside(b, &stacked, &index, 0)
            }
        }
    }

    /// The list with another tensor at a place.
    ///
    /// # Errors
    /// If there is no such place.
    pub fn set(&self, b: &mut GraphBuilder, index: &Value, value: &Value) -> Result<Self> {
        let contents = match (&self.contents, known_int(index)) {
            (Contents::Parts(parts), Some(place)) => {
                let mut parts = parts.clone();
                let count = parts.len();
                let part = usize::try_from(place).ok();
                let part = part.and_then(|place| parts.get_mut(place));
                *part.ok_or_else(|| format!("tensor {place} of a list of {count}"))? =
                    Some(value.clone());
                Contents::Parts(parts)
            }
            (Contents::Collecting(counter), _) => {
                let is_counter = index.ir().is_some() && index.ir() == counter.ir();
                if !is_counter {
                    return Err(
                        "a loop writes a list in another order than that of its steps".into(),
                    );
                }
                Contents::Collected(value.clone())
            }
            (Contents::Collected(_), _) => return Err(in_loop()),
            _ => {
                let typed = Self {
                    dims: Some(value.dims().to_vec()),
                    ..self.clone()
                };
                let stacked = typed.stacked(b)?;
                Contents::Stacked(updated(b, &stacked, index, value)?)
            }
        };
        Ok(self.with(contents))
    }

    /// The list with one more tensor.
    ///
    /// # Errors
    /// If it is not known how many there are.
    pub fn pushed(&self, value: &Value) -> Result<Self> {
        let Contents::Parts(parts) = &self.contents else {
            return Err("a list grows whose length is not known".into());
        };
        let more = parts.iter().cloned().chain([Some(value.clone())]);
        Ok(self.with(Contents::Parts(more.collect())))
    }

    /// The list without its last tensor, and that.
    ///
    /// # Errors
    /// If it is not known how many there are, or there is none.
    pub fn popped(&self, b: &mut GraphBuilder) -> Result<(Self, Value)> {
        let count = self.count()?.known().filter(|count| *count > 0);
        let count = count.ok_or("the last tensor is taken of a list that may have none")?;
        let last = b.scalar(Element::I64, (count - 1) as f64);
        let value = self.get(b, &last)?;
        let contents = match &self.contents {
            Contents::Parts(parts) => Contents::Parts(parts[..parts.len() - 1].to_vec()),
            _ => {
                let stacked = self.stacked(b)?;
                let rest = [(0, 0, count - 1, 1)];
                Contents::Stacked(crate::compose::slice::strided_slice(b, &stacked, &rest)?)
            }
        };
        Ok((self.with(contents), value))
    }

    /// All tensors along a new first axis.
    ///
    /// # Errors
    /// If their shape is not known.
    pub fn stacked(&self, b: &mut GraphBuilder) -> Result<Value> {
        match &self.contents {
            Contents::Stacked(stacked) => Ok(stacked.clone()),
            Contents::Collecting(_) | Contents::Collected(_) => Err(in_loop()),
            Contents::Unset(count) => {
                let dims = [&[*count], &self.shape()?[..]].concat();
                b.full(self.element, &dims, 0.0)
            }
            Contents::Parts(parts) => {
                let shape = self.shape()?;
                let dims = [&[Dim::Known(1)], &shape[..]].concat();
                if parts.iter().all(Option::is_none) {
                    let dims = [&[Dim::Known(parts.len() as i64)], &shape[..]].concat();
                    return b.full(self.element, &dims, 0.0);
                }
                let rows = parts.iter().map(|part| match part {
                    Some(part) => b.reshape(part, &dims),
                    None => b.full(self.element, &dims, 0.0),
                });
                let rows: Vec<Value> = rows.collect::<Result<_>>()?;
                joined(b, rows, 0)
            }
        }
    }
}

fn in_loop() -> String {
    "a loop reads a list that it writes".into()
}

/// Rows of which one, whose number is computed, is another one.
fn updated(b: &mut GraphBuilder, rows: &Value, index: &Value, value: &Value) -> Result<Value> {
    let dims = [&[Dim::Known(1)], value.dims()].concat();
    let row = b.reshape(value, &dims)?;
    if rows.dims()[0] == 1 {
        return Ok(row);
    }
    let index = b.cast(index, Element::I64)?;
    let index = b.reshape_to_scalar(&index)?;
    let mut ones = vec![Dim::Known(1); rows.rank()];
    ones[0] = rows.dims()[0];
    let places = b.iota(Element::I64, &ones, 0)?;
    let is_here = b.binary("equal", &places, &index)?;
    b.op("where", &[is_here, row, rows.clone()], &[])
}
