//! Operators that a user asks to leave as they are.

use super::simulated::operator_name;
use globset::{Glob, GlobSet, GlobSetBuilder};
use relay_dialects::ir::Op;

/// Patterns of the names of nodes and operators, with the wildcards `*` and `?`.
pub struct Kept(GlobSet);

impl Kept {
    /// Patterns that new lines separate.
    ///
    /// # Errors
    /// If one of them is none.
    pub fn of(texts: &str) -> Result<Self, String> {
        let mut set = GlobSetBuilder::new();
        for text in texts.split('\n').filter(|text| !text.is_empty()) {
            set.add(Glob::new(text).map_err(|error| format!("keep is no pattern: {error}"))?);
        }
        let set = set
            .build()
            .map_err(|error| format!("keep is no pattern: {error}"))?;
        Ok(Self(set))
    }

    /// Whether a pattern is for an operator: for one of its nodes, another name of it, or the operator with or without its family.
    pub fn fits(&self, op: Op, names: Vec<String>) -> bool {
        let full = op.name();
        let family = full.trim_start_matches("relay.").to_owned();
        let nodes = op.loc().names().into_iter();
        nodes
            .chain(names)
            .chain([operator_name(op), family])
            .any(|name| self.0.is_match(name))
    }
}
