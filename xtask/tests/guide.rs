//! The guide to adding an operator holds: its example is what the tree has, in as many places as it counts.

use pulldown_cmark::{Event, Parser, Tag, TagEnd};
use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};
use xtask::{root, tidy::Tree};

const GUIDE: &str = "docs/guide/adding_an_operator.md";

/// How files name the operator of the example. (`"clip"` alone is also a mode of `take`.)
const NAMES: [&str; 4] = ["(\"clip\"", "relay.clip", "relay::CLIP", "Relay_ClipOp"];

/// The crates in which an operator has its places. The importers have a guide of their own.
const CRATES: [&str; 8] = [
    "dialects",
    "topi",
    "passes",
    "codegen",
    "driver",
    "opt-tool",
    "plugin",
    "translate-tool",
];

/// A step of the guide.
#[derive(Default)]
struct Step {
    /// The file that it links to first.
    file: PathBuf,
    /// What it says to write there.
    code: String,
}

/// The items of the guide's list.
fn steps(guide: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut in_code = false;
    for event in Parser::new(guide) {
        if matches!(event, Event::Start(Tag::Item)) {
            steps.push(Step::default());
        }
        let Some(step) = steps.last_mut() else {
            continue;
        };
        match event {
            Event::Start(Tag::Link { dest_url, .. }) if step.file.as_os_str().is_empty() => {
                step.file = dest_url.trim_start_matches("../../").into();
            }
            Event::Start(Tag::CodeBlock(_)) => in_code = true,
            Event::End(TagEnd::CodeBlock) => in_code = false,
            Event::Text(text) if in_code => step.code.push_str(&text),
            _ => {}
        }
    }
    steps
}

fn text(tree: &Tree, file: &Path) -> xtask::Result<String> {
    Ok(tree.text(file)?.unwrap_or_default())
}

/// The first line of `code` that `text` has not, after the ones before. `// ...` stands for others.
fn missing<'a>(code: &'a str, text: &str) -> Option<&'a str> {
    let mut lines = text.lines().map(str::trim);
    let wanted = code.lines().map(str::trim);
    let mut wanted = wanted.filter(|line| !line.is_empty() && *line != "// ...");
    wanted.find(|wanted| !lines.any(|line| line == *wanted))
}

#[test]
fn the_example_is_what_the_files_say() -> xtask::Result<()> {
    let tree = Tree::open(&root())?;
    for step in steps(&text(&tree, Path::new(GUIDE))?) {
        assert!(!step.code.is_empty(), "a step has no code");
        let missing = missing(&step.code, &text(&tree, &step.file)?);
        let file = step.file.display();
        assert!(missing.is_none(), "{file} has no line {missing:?}");
    }
    Ok(())
}

#[test]
fn the_operator_stands_in_the_places_of_the_guide_only() -> xtask::Result<()> {
    let tree = Tree::open(&root())?;
    let guide = text(&tree, Path::new(GUIDE))?;
    let steps = steps(&guide);
    let mut places: BTreeSet<&Path> = steps.iter().map(|step| step.file.as_path()).collect();
    let count = ["No", "One", "Two", "Three", "Four", "Five"].get(places.len());
    assert!(count.is_some_and(|count| guide.contains(&format!("\n{count} places, no C++"))));
    assert_eq!(places.len(), steps.len());
    places.retain(|file| !file.starts_with("test"));

    let mut found = BTreeSet::new();
    for file in tree.files() {
        let in_crate = CRATES.iter().any(|folder| file.starts_with(folder));
        let extension = file.extension().unwrap_or_default();
        let is_source = ["rs", "td", "cpp", "h"]
            .iter()
            .any(|known| extension == *known);
        if in_crate && is_source {
            let text = text(&tree, file)?;
            if NAMES.iter().any(|name| text.contains(name)) {
                found.insert(file);
            }
        }
    }
    assert_eq!(found, places);
    Ok(())
}
