//! Markdown.

/// The text of a page's first heading.
pub fn title(page: &str) -> Option<&str> {
    page.lines().find_map(|line| line.strip_prefix("# "))
}

/// A table; cells may hold Markdown, in which a `|` is escaped.
pub fn table(header: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let line = |cells: &[String]| {
        let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
        format!("| {} |\n", cells.join(" | "))
    };
    let header: Vec<String> = header.iter().map(|cell| cell.to_string()).collect();
    let mut text = line(&header);
    text += &line(&vec!["---".to_string(); header.len()]);
    for row in rows {
        text += &line(&row);
    }
    text
}

/// Text as code.
pub fn code(text: &str) -> String {
    format!("`{text}`")
}

/// Names as code, in one line.
pub fn names<'n>(names: impl IntoIterator<Item = &'n str>) -> String {
    let names: Vec<String> = names.into_iter().map(code).collect();
    names.join(", ")
}

/// A sentence's first letter in upper case.
pub fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_in_a_cell_is_no_column() {
        let text = table(&["op", "summary"], [vec![code("abs"), "|x|".into()]]);
        assert_eq!(
            text,
            "| op | summary |\n| --- | --- |\n| `abs` | \\|x\\| |\n"
        );
    }
}
