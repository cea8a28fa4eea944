//! The file of records that a pass follows, as its options say.

use relay_dialects::{
    ir::Op,
    pass::{Default, OptionSpec, Options, PassFailed, fail},
};
use relay_tune::Database;
use std::path::Path;

/// A file of what a tuner chose.
pub const RECORDS: OptionSpec = OptionSpec {
    name: "records",
    summary: "a file of records; apply the choices of relayc tune in it",
    default: Default::Str(""),
};

/// For which machine.
pub const TUNED_FOR: OptionSpec = OptionSpec {
    name: "tuned-for",
    summary: "apply only records for this machine, by its name in the records",
    default: Default::Str(""),
};

/// What the file of records holds, if one is named.
///
/// # Errors
/// If it is not there, or cannot be read; the op says so.
pub fn read(op: Op, options: &Options) -> Result<Option<Database>, PassFailed> {
    match options.str(RECORDS.name) {
        "" => Ok(None),
        path if !Path::new(path).exists() => {
            fail(op, format!("{path}: there is no such file of records"))
        }
        path => match Database::read(Path::new(path)) {
            Ok(records) => Ok(Some(records)),
            Err(error) => fail(op, error.to_string()),
        },
    }
}
