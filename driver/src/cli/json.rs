//! Results as JSON: what a verb prints with `--json`.

use crate::{DriverError, output};
use relay_dialects::visible;
use serde::Serialize;
use std::fmt::Display;

/// Prints a result: as JSON, or as text.
pub fn print(json: bool, result: &(impl Serialize + Display)) -> Result<(), DriverError> {
    let text = if json {
        serde_json::to_string_pretty(result).map_err(unwritten)? + "\n"
    } else {
        visible(&result.to_string()).into_owned()
    };
    output::print(text.as_bytes())
}

fn unwritten(error: serde_json::Error) -> DriverError {
    DriverError::io("standard output")(error.into())
}
