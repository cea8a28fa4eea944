//! Results as JSON: what a verb prints with `--json`.

use crate::DriverError;
use serde::Serialize;
use std::fmt::Display;

/// Prints a result: as JSON, or as text.
pub fn print(json: bool, result: &(impl Serialize + Display)) -> Result<(), DriverError> {
    if json {
        println!(
            "{}",
            serde_json::to_string_pretty(result).map_err(unwritten)?
        );
    } else {
        print!("{result}");
    }
    Ok(())
}

fn unwritten(error: serde_json::Error) -> DriverError {
    DriverError::io("standard output")(error.into())
}
