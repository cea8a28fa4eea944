//! The dialects' pages, from their TableGen files.

use super::{
    Pages, TableGen,
    markdown::{code, table},
};
use crate::Result;
use std::collections::BTreeSet;

/// The dialects, and the file that declares each.
const DIALECTS: [(&str, &str); 3] = [
    ("relay", "RelayDialect"),
    ("te", "TeDialect"),
    ("tir", "TirDialect"),
];

/// An op as TableGen declares it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    /// The full name: `relay.nn.conv2d`.
    pub name: String,
    /// Its summary.
    pub summary: String,
    /// The family that declares it, `ops/<family>.td`.
    pub family: String,
}

/// One page per dialect, and for relay one per family of ops.
pub fn pages(tablegen: &TableGen) -> Result<Pages> {
    let mut pages = Pages::new();
    for (dialect, file) in DIALECTS {
        let page = if dialect == "relay" {
            relay(tablegen, file, &mut pages)?
        } else {
            whole(tablegen, dialect, file)?
        };
        pages.insert(format!("dialects/{dialect}.md").into(), page);
    }
    Ok(pages)
}

/// Every op of relay, by family and name.
///
/// # Errors
/// If a TableGen file cannot be read.
pub fn relay_operations(tablegen: &TableGen) -> Result<Vec<Operation>> {
    let mut all = Vec::new();
    for family in tablegen.families("relay")? {
        all.extend(operations(&family_text(tablegen, &family)?, &family));
    }
    Ok(all)
}

/// The full names of all ops of our dialects.
///
/// # Errors
/// If a TableGen file cannot be read.
pub fn operation_names(tablegen: &TableGen) -> Result<BTreeSet<String>> {
    let mut names = BTreeSet::new();
    for (dialect, file) in DIALECTS {
        let text = whole(tablegen, dialect, file)?;
        names.extend(operations(&text, dialect).into_iter().map(|op| op.name));
    }
    Ok(names)
}

/// A dialect with all its ops.
fn whole(tablegen: &TableGen, dialect: &str, file: &str) -> Result<String> {
    let families = tablegen.families(dialect)?;
    let mut files = vec![format!("{dialect}/{file}.td")];
    files.extend(families.iter().map(|f| format!("{dialect}/ops/{f}.td")));
    let select = format!("-dialect={dialect}");
    tablegen.document(&["-gen-dialect-doc", &select], &files)
}

/// Relay's page, with a table of its ops; adds the pages of the families.
fn relay(tablegen: &TableGen, file: &str, pages: &mut Pages) -> Result<String> {
    let files = [format!("relay/{file}.td")];
    let mut page = tablegen.document(&["-gen-dialect-doc", "-dialect=relay"], &files)?;
    page += "\n## Operations\n";
    for family in tablegen.families("relay")? {
        let text = family_text(tablegen, &family)?;
        let link = format!("relay/{family}.md");
        let rows = operations(&text, &family)
            .into_iter()
            .map(|op| vec![code(&op.name), op.summary]);
        page += &format!(
            "\n### [{family}]({link})\n\n{}",
            table(&["op", "summary"], rows)
        );
        pages.insert(
            format!("dialects/{link}").into(),
            format!("# relay: {family}\n\n{text}"),
        );
    }
    Ok(page)
}

fn family_text(tablegen: &TableGen, family: &str) -> Result<String> {
    tablegen.document(&["-gen-op-doc"], &[format!("relay/ops/{family}.td")])
}

/// The ops of a family's page: a heading with the name, then the summary in italics.
fn operations(text: &str, family: &str) -> Vec<Operation> {
    let mut found: Vec<Operation> = Vec::new();
    for line in text.lines() {
        if let Some(heading) = line.strip_prefix("### `") {
            found.push(Operation {
                name: heading.split('`').next().unwrap_or_default().to_string(),
                summary: String::new(),
                family: family.to_string(),
            });
        } else if let Some(op) = found.last_mut()
            && op.summary.is_empty()
            && let Some(summary) = line.strip_prefix('_')
        {
            op.summary = summary.trim_end_matches('_').to_string();
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ops_are_found_with_their_summaries() {
        let text = "### `relay.abs` (relay::AbsOp)\n\n_|x|_\n\nSyntax:\n\n### `relay.yield` ()\n";
        let op = |name: &str, summary: &str| Operation {
            name: name.into(),
            summary: summary.into(),
            family: "unary".into(),
        };
        let expected = [op("relay.abs", "|x|"), op("relay.yield", "")];
        assert_eq!(operations(text, "unary"), expected);
    }
}
