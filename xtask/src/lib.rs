//! Keeps the house: [`docs`] writes `docs/generated/` from the tables that the compiler itself
//! reads, [`tidy`] checks the rules that `docs/architecture.md` states.

pub mod docs;
mod error;
pub mod tidy;

pub use error::{Error, Result};

use std::path::{Path, PathBuf};

/// The root of this workspace.
pub fn root() -> PathBuf {
    let member = Path::new(env!("CARGO_MANIFEST_DIR"));
    member.parent().unwrap_or(member).to_path_buf()
}
