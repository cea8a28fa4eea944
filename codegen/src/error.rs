//! What can go wrong on the way to machine code.

use relay_dialects::ir::Op;
use relay_machine::TargetError;
use std::path::PathBuf;

/// An error of code generation.
#[derive(Debug, thiserror::Error)]
pub enum CodegenError {
    /// The target's text does not name one.
    #[error("target '{text}': {reason}")]
    Target {
        /// What was given.
        text: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The module has no `@main` in the form that code generation takes.
    #[error(
        "the module has no function @main with a body, which is the model (code is generated of one over buffers, as \
         aot-lower-main leaves it)"
    )]
    NoEntry,
    /// The `@main` of a module returns nothing.
    #[error(
        "the function @main, which is the model, returns nothing, so that there is nothing to compute; return the model's \
         outputs"
    )]
    NoResults,
    /// Lowering to the llvm dialect failed; diagnostics say where.
    #[error("lowering to LLVM failed: {0}")]
    Lowering(String),
    /// LLVM rejected the module or could not emit it.
    #[error("LLVM: {0}")]
    Llvm(String),
    /// A constant, in words, whose bytes are not in the module, such as one that was elided when printed, or that is
    /// larger than the [limit](relay_dialects::limits).
    #[error(
        "there are no bytes for the constant {0}: it was elided when the module was printed, or it is larger than \
         {variable} allows ({limit} bytes)",
        variable = relay_dialects::limits::VARIABLE,
        limit = relay_dialects::limits::constant_bytes()
    )]
    NoBytes(String),
    /// Something needed to link is missing.
    #[error("cannot find {what}; {remedy}")]
    Missing {
        /// What is missing.
        what: String,
        /// What to do.
        remedy: String,
    },
    /// The linker failed.
    #[error("ld.lld failed:\n{0}")]
    Link(String),
    /// A file could not be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// An external code generator cannot write what it was asked for.
    #[error("external code: {0}")]
    External(String),
    /// Somebody [asked](crate::Stop) for an end of the work.
    #[error("the work was stopped")]
    Stopped,
    /// The compiled library could not be run.
    #[error(transparent)]
    Runtime(#[from] relay_runtime::RuntimeError),
}

impl From<TargetError> for CodegenError {
    fn from(error: TargetError) -> Self {
        let TargetError { text, reason } = error;
        Self::Target { text, reason }
    }
}

impl CodegenError {
    /// The error's code: `relayc explain` has a page for each.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Target { .. } => "R0301",
            Self::NoEntry | Self::NoResults => "R0302",
            Self::Lowering(_) => "R0303",
            Self::Llvm(_) => "R0304",
            Self::NoBytes(_) => "R0305",
            Self::Missing { .. } => "R0306",
            Self::Link(_) => "R0307",
            Self::Io { .. } => "R0308",
            Self::Stopped => "R0309",
            Self::External(_) => "R0310",
            Self::Runtime(error) => error.code(),
        }
    }
}

/// A constant in words. Passes that find equal constants forget which nodes had them; nodes that read them have names.
pub(crate) fn describe_constant(constant: Op) -> String {
    let name = |op: Op| Some(op.loc().names().join(" + ")).filter(|name| !name.is_empty());
    let value = constant.result(0);
    let reader = value.users().into_iter().find_map(name);
    let whose = match (name(constant), reader) {
        (Some(name), _) => format!(" of node '{name}'"),
        (None, Some(name)) => format!(", which node '{name}' reads"),
        (None, None) => String::new(),
    };
    format!("of type {}{whose}", value.ty())
}
