//! What a conversion fails with.

/// A result whose error is a sentence; the importer adds the file and the node.
pub type Result<T, E = String> = std::result::Result<T, E>;
