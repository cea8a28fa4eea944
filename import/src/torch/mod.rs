//! Reads programs of `torch.export` (`.pt2`): the archive, its JSON and its tensors, without PyTorch.
//!
//! A program is a graph of ATen's operators. It is read as `torch.export.save` writes it, or after `run_decompositions`. Layouts of
//! memory do not matter: a value is a tensor of elements by their subscripts, in any order.

mod allowed;
mod args;
mod complex;
mod convert;
mod deep;
mod element;
mod graphs;
mod item;
mod model;
mod node;
mod ops;
mod pickle;
mod program;
mod promote;
mod region;
mod returned;
mod schema;
mod scope;
mod script;
mod state;
mod sympy;
mod view;

pub use model::Torch;
pub use ops::names as operators;
pub use pickle::read_state;
pub use program::is_magic;
pub use script::{TorchScript, is_magic as is_script};
