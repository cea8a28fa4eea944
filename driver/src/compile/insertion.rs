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

impl Insertion {
    /// Reads `fuse-ops:my-pass{n=2}`, or passes alone. A flag of a pass holds no colon.
    pub fn parse(text: &str) -> Self {
        let is_flag = |text: &str| {
            let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '-';
            text.chars().all(is_part)
        };
        let (after, pipeline) = match text.split_once(':') {
            Some((after, pipeline)) if is_flag(after) => (Some(after.into()), pipeline),
            _ => (None, text),
        };
        Self {
            after,
            pipeline: pipeline.into(),
        }
    }
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
