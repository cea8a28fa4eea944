//! What can go wrong while a program runs.

use relay_codegen::CodegenError;
use relay_dialects::ir::Op;
use relay_runtime::RuntimeError;

/// An error of the interpreter.
#[derive(Debug, thiserror::Error)]
pub enum InterpreterError {
    /// The module has no `@main`, or it has no body.
    #[error("the module has no function @main with a body")]
    NoEntry,
    /// `@main` does not take what it is given.
    #[error("@main has {expected} parameters, but is given {given} values")]
    Arguments {
        /// How many it has.
        expected: usize,
        /// How many there are.
        given: usize,
    },
    /// A `relay.match` that is `partial` met a value that none of its arms takes.
    #[error("{place}: no arm of the match takes {value}")]
    NoArm {
        /// Where the match is.
        place: String,
        /// The value.
        value: String,
    },
    /// More calls are under way than there may be, as in a recursion without an end.
    #[error(
        "{place}: the recursion is too deep: {calls} calls are under way. A call that ends its function is none of them"
    )]
    TooDeep {
        /// Where the call is.
        place: String,
        /// How many calls are under way.
        calls: usize,
    },
    /// An op that has no meaning here, such as one of another dialect.
    #[error("{place}: cannot run '{name}': {reason}")]
    Op {
        /// Where it is.
        place: String,
        /// Its name.
        name: String,
        /// Why not.
        reason: String,
    },
    /// An operator cannot be compiled.
    #[error("{place}: {source}")]
    Compile {
        /// Where it is.
        place: String,
        /// Why.
        source: CodegenError,
    },
    /// An operator cannot be run.
    #[error(transparent)]
    Run(#[from] RuntimeError),
}

/// Where an op is, as messages say it.
pub(crate) fn place(op: Op) -> String {
    op.loc().to_string()
}

/// The error that an op cannot be run.
pub(crate) fn cannot(op: Op, reason: &str) -> InterpreterError {
    InterpreterError::Op {
        place: place(op),
        name: op.name(),
        reason: reason.into(),
    }
}
