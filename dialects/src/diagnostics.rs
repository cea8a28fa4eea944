//! Diagnostics as text: where, what, and the line that it is about.

use crate::ir::Loc;
use melior::diagnostic::{Diagnostic, DiagnosticSeverity};
use std::{
    fmt::Write,
    fs::File,
    io::{BufRead, BufReader},
};

/// The longest line of a file that is shown: constants may have any length.
const LONGEST: usize = 200;

/// Diagnostics that were reported one after the other.
#[derive(Default)]
pub struct Report {
    text: String,
    /// Warnings, a line each.
    warnings: Vec<String>,
    /// The place whose line was shown last.
    shown: Option<(String, usize, usize)>,
}

impl Report {
    /// Adds a diagnostic with its notes.
    pub fn add(&mut self, diagnostic: &Diagnostic<'_>) {
        let loc = location(diagnostic);
        if matches!(diagnostic.severity(), DiagnosticSeverity::Warning) {
            self.warnings.push(format!("{loc}: {diagnostic}"));
            return;
        }
        // Writing to a string does not fail.
        let _ = writeln!(self.text, "  {loc}: {diagnostic}");
        self.show(loc);
        let notes = (0..diagnostic.note_count()).filter_map(|index| diagnostic.note(index).ok());
        // The op as it stands is what the location shows.
        let notes = notes.filter(|note| !note.to_string().starts_with("see current operation"));
        for note in notes {
            let _ = writeln!(self.text, "    {}: note: {note}", location(&note));
        }
    }

    /// Adds the line of a place, with a mark below the column. Often several diagnostics are about one place.
    fn show(&mut self, loc: Loc) {
        let place = loc.place();
        if place.is_none() || place == self.shown {
            return;
        }
        let line = place
            .as_ref()
            .and_then(|(file, line, _)| line_of(file, *line));
        if let (Some(line), Some((_, _, column))) = (line, &place) {
            let before = line.get(..column.saturating_sub(1)).unwrap_or_default();
            let mark = " ".repeat(before.chars().count());
            let _ = writeln!(self.text, "    {}\n    {mark}^", line.replace('\t', " "));
        }
        self.shown = place;
    }

    /// All but warnings, a line each at least.
    pub fn text(&self) -> String {
        self.text.trim_end().to_string()
    }

    /// The warnings, a line each: where, and what.
    pub fn warnings(&self) -> Vec<String> {
        self.warnings.clone()
    }
}

fn location(diagnostic: &Diagnostic<'_>) -> Loc {
    Loc::of(diagnostic.location())
}

/// A line of a file, counted from 1; `None` if there is none, or it is too long to be shown.
fn line_of(path: &str, number: usize) -> Option<String> {
    let file = File::open(path).ok()?;
    // Locations name what they like: a pipe would never end.
    if !file.metadata().ok()?.is_file() {
        return None;
    }
    let mut lines = BufReader::new(file).split(b'\n');
    let line = lines.nth(number.checked_sub(1)?)?.ok()?;
    let line = String::from_utf8(line).ok()?;
    let line = line.trim_end();
    (line.len() <= LONGEST && !line.is_empty()).then(|| line.to_owned())
}
