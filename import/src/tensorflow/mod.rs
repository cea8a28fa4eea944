//! Reads models of TensorFlow: folders that `tf.saved_model.save` and `model.export` of Keras write, and frozen graphs, also in text.
//!
//! [`proto`] has the messages of the files, [`checkpoint`] the values of variables, and [`variables`] says which of them each variable
//! has. [`body`] is a graph or a function with what its nodes read, and [`convert`] converts nodes: calls of functions are written where
//! they stand. [`ops`] has the conversions, one row for each operator. Images stay in the layout of the model, which the compiler changes.

mod attrs;
mod body;
mod checkpoint;
mod convert;
mod element;
mod facts;
mod fields;
mod frames;
mod item;
mod list;
mod loops;
mod model;
mod node;
mod ops;
mod proto;
mod reach;
mod results;
mod scope;
mod signatures;
mod table;
mod tensor;
mod text;
mod variables;

pub use self::{
    model::{SAVED_MODEL, Tensorflow, is_magic},
    ops::names,
};
