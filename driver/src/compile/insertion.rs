//! Passes of users in the standard order.

/// Passes beside the standard ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Insertion {
    /// The flag of the standard pass that they follow, where it is for the first time; `None` for passes before all
    /// others.
    pub after: Option<String>,
    /// The passes, as in a textual pipeline on modules.
    pub pipeline: String,
}

/// Where the pass with this flag is for the first time.
pub(super) fn place_of(passes: &[String], wanted: &str) -> Option<usize> {
    passes.iter().position(|pass| flag(pass) == wanted)
}

/// The flag of a pass of a pipeline.
pub(super) fn flag(pass: &str) -> &str {
    let pass = pass.strip_prefix("func.func(").unwrap_or(pass);
    pass.split(['{', ')']).next().unwrap_or(pass)
}
