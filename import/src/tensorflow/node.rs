//! A node that is being converted.

use super::{attrs::Attrs, body::Body, item::Item, proto};
use crate::{
    compose::{gather::few_known, shape::sizes},
    graph::{builder::GraphBuilder, error::Result, value::Value},
};
use relay_dialects::dim::Dim;
use std::rc::Rc;

/// What imports a model, as its nodes see it.
pub trait Host<'m> {
    /// Writes what a function computes.
    ///
    /// # Errors
    /// With what is wrong in it.
    fn call(&self, b: &mut GraphBuilder, function: &str, inputs: &[Item]) -> Result<Vec<Item>>;

    /// The body of a function.
    ///
    /// # Errors
    /// If it is not there, or damaged.
    fn body(&self, function: &str) -> Result<Rc<Body<'m>>>;

    /// The key of a variable that a node stands for.
    ///
    /// # Errors
    /// If nothing restores it.
    fn variable(&self, node: &proto::Node) -> Result<Rc<str>>;

    /// The value of a variable.
    ///
    /// # Errors
    /// If the checkpoint does not have it.
    fn value(&self, key: &str) -> Result<Value>;

    /// The value of a constant of a file.
    ///
    /// # Errors
    /// If it is damaged.
    fn constant(&self, node: &proto::Node, tensor: &proto::Tensor) -> Result<Value>;
}

/// A node: its inputs and attributes.
pub struct Node<'n, 'm> {
    /// The node.
    pub written: &'m proto::Node,
    /// Its attributes.
    pub attrs: Attrs<'m>,
    /// What it reads.
    pub inputs: Vec<Item>,
    /// What imports the model.
    pub host: &'n dyn Host<'m>,
}

impl<'m> Node<'_, 'm> {
    /// Something that it reads.
    ///
    /// # Errors
    /// If there is less.
    pub fn item(&self, place: usize) -> Result<&Item> {
        let item = self.inputs.get(place);
        item.ok_or_else(|| format!("input {place} is missing"))
    }

    /// A tensor that it reads.
    ///
    /// # Errors
    /// If there is none.
    pub fn input(&self, place: usize) -> Result<Value> {
        let tensor = self.item(place)?.tensor();
        tensor.map_err(|reason| format!("input {place}: {reason}"))
    }

    /// Two tensors.
    ///
    /// # Errors
    /// If there are fewer.
    pub fn both(&self) -> Result<(Value, Value)> {
        Ok((self.input(0)?, self.input(1)?))
    }

    /// Tensors from a place on, up to another one.
    ///
    /// # Errors
    /// If one is no tensor.
    pub fn tensors(&self, places: std::ops::Range<usize>) -> Result<Vec<Value>> {
        places.map(|place| self.input(place)).collect()
    }

    /// A tensor of a rank.
    ///
    /// # Errors
    /// If it has another one.
    pub fn of_rank(&self, place: usize, rank: usize) -> Result<Value> {
        let input = self.input(place)?;
        match input.rank() == rank {
            true => Ok(input),
            false => Err(format!(
                "input {place} has shape {:?}, expected rank {rank}",
                input.dims()
            )),
        }
    }

    /// The integers of an input that has to be known.
    ///
    /// # Errors
    /// If they are computed when the model runs.
    pub fn known(&self, place: usize) -> Result<Vec<i64>> {
        let input = self.input(place)?;
        let known = few_known(&input);
        known.ok_or_else(|| {
            format!("input {place} is computed when the model runs; only integers that are known are supported")
        })
    }

    /// One integer of an input that has to be known.
    ///
    /// # Errors
    /// If it is not known, or there are several.
    pub fn known_int(&self, place: usize) -> Result<i64> {
        match self.known(place)?[..] {
            [number] => Ok(number),
            ref other => Err(format!(
                "input {place} has {} numbers, expected one",
                other.len()
            )),
        }
    }

    /// The integers of an input of a shape or the like: numbers, or forms of open dimensions.
    ///
    /// # Errors
    /// If nothing can be known of them.
    pub fn sizes(&self, b: &mut GraphBuilder, place: usize) -> Result<Vec<Dim>> {
        sizes(b, &self.input(place)?)
    }

    /// The one integer of an input, as a size.
    ///
    /// # Errors
    /// If there are several.
    pub fn size(&self, b: &mut GraphBuilder, place: usize) -> Result<Dim> {
        match self.sizes(b, place)?[..] {
            [size] => Ok(size),
            ref other => Err(format!(
                "input {place} has {} numbers, expected one",
                other.len()
            )),
        }
    }

    /// The one number of an input that has to be known.
    ///
    /// # Errors
    /// If it is not.
    pub fn scalar(&self, place: usize) -> Result<f64> {
        let scalar = self.input(place)?.scalar();
        scalar.ok_or_else(|| format!("input {place} has to be one number that is known"))
    }

    /// The axis that an input says, of so many.
    ///
    /// # Errors
    /// If it is not known, or out of range.
    pub fn axis(&self, place: usize, rank: usize) -> Result<usize> {
        crate::graph::value::normalize_axis(self.known_int(place)?, rank)
    }
}
