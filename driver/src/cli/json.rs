//! Results as JSON: what a verb prints with `--json`.

use miette::IntoDiagnostic;
use serde::Serialize;
use std::fmt::Display;

/// Prints a result: as JSON, or as text.
pub fn print(json: bool, result: &(impl Serialize + Display)) -> miette::Result<()> {
    if json {
        println!(
            "{}",
            serde_json::to_string_pretty(result).into_diagnostic()?
        );
    } else {
        print!("{result}");
    }
    Ok(())
}
