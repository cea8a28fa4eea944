//! Imports GGUF: language models with their weights, numbers and vocabulary in one file, as llama.cpp reads them.
//!
//! A file has no graph. [`Gguf`] builds a decoder with caches of what the metadata say: `architecture` has a row for each architecture,
//! `tensor_type` one for each type of tensors. [`Vocabulary`] is what a file says of text; nothing here reads text.

mod architecture;
mod attention;
mod blocks;
mod decoder;
mod file;
mod metadata;
mod model;
mod numbers;
mod rotation;
mod tensor_type;
mod vocabulary;
mod weights;

pub use architecture::names as architectures;
pub use decoder::{LOGITS, POSITION, TOKENS, WANTED};
pub use model::Gguf;
pub use tensor_type::names as tensor_types;
pub use vocabulary::{Vocabulary, VocabularyKind};
