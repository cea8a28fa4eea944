//! Relay's own text, version 0.0.5: TVM's `astext()` and `relay.parse`.
//!
//! [`parse`](parse::parse) makes a tree ([`syntax`]) of a text, and a tree prints itself; [`import`] makes a module of a text,
//! with what that needs of the [prelude]; [`export`] makes a tree of a module.

mod attributes;
mod bind;
mod build;
mod element;
mod export;
mod metadata;
mod number;
mod operators;
pub mod parse;
pub mod prelude;
mod print;
mod references;
pub mod syntax;

pub use bind::bind;
pub use build::{import, import_with};
pub use element::{name as element_name, parse as element_of};
pub use export::{export, export_with_constants};
pub use metadata::{Array, constants_of};
pub use operators::OF_TUPLES;
pub use parse::{TextError, parse, parse_any, parse_expression};
