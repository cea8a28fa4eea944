//! The list of errors, from their pages.

use super::markdown::table;
use crate::{Error, Result};
use std::{fs, path::Path};

/// The page, for the workspace at `root`.
pub fn page(root: &Path) -> Result<String> {
    let folder = root.join("docs/errors");
    let mut rows = Vec::new();
    for entry in fs::read_dir(&folder).map_err(Error::at(&folder))? {
        let file = entry.map_err(Error::at(&folder))?.path();
        let text = fs::read_to_string(&file).map_err(Error::at(&file))?;
        let title = text.lines().next().unwrap_or_default();
        if let Some((code, title)) = title.trim_start_matches("# ").split_once(": ") {
            rows.push(vec![
                format!("[{code}](../errors/{code}.md)"),
                title.to_owned(),
            ]);
        }
    }
    rows.sort();
    let head = "# Errors\n\nThe codes in the brackets of `error[...]`. `relayc explain CODE` prints the page of a \
                code.\n\n";
    Ok(head.to_owned() + &table(&["code", "error"], rows))
}
