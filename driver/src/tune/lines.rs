//! The lines of a file of records: all that it says, in the order in which it can be read.

use crate::DriverError;
use relay_tune::{Database, record::Line};
use std::path::Path;

/// All that a file says, each kernel before its trials, and what leads a search behind what was chosen before.
pub fn lines(database: &Database) -> Vec<Line> {
    let kernels = database.kernels().cloned().map(Line::Kernel);
    let trials = database.trials().iter().cloned().map(Line::Trial);
    let choices = database.choices().cloned().map(Line::Choice);
    let leads = database.leads().cloned().map(Line::Lead);
    let finished = database.finished().iter().cloned().map(Line::Finished);
    let layouts = database.layouts().cloned().map(Line::Layout);
    let exchanges = database.exchanges().iter().cloned().map(Line::Exchange);
    let newer = database.newer().iter().cloned().map(Line::Newer);
    kernels
        .chain(trials)
        .chain(choices)
        .chain(leads)
        .chain(finished)
        .chain(layouts)
        .chain(exchanges)
        .chain(newer)
        .collect()
}

/// Writes lines as a file of records.
///
/// # Errors
/// If it cannot be written.
pub fn write(lines: &[Line], output: &Path) -> Result<(), DriverError> {
    let mut text = String::new();
    for line in lines {
        let line = serde_json::to_string(line);
        text += &line
            .map_err(|error| DriverError::Usage(format!("a record cannot be written: {error}")))?;
        text.push('\n');
    }
    crate::output::write(output, text.as_bytes())
}
