//! The guides hold: their Rust is what the tree has, and an operator needs as many places as its guide counts.

use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag, TagEnd};
use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};
use xtask::{root, tidy::Tree};

const GUIDE: &str = "docs/guide/adding_an_operator.md";

/// How files name the operator of the example. (`"clip"` alone is also a mode of `take`.)
const NAMES: [&str; 4] = ["(\"clip\"", "relay.clip", "relay::CLIP", "Relay_ClipOp"];

/// Who makes the operator, or has an attribute of its name: an operator without users needs no such place.
const USERS: [&str; 5] = [
    "passes/src/graph/bounds.rs",
    "passes/src/relay/fake_quantization_to_integer/regions/operators.rs",
    "passes/src/relay/qnn_legalize.rs",
    "passes/src/relay/qnn_legalize/arithmetic.rs",
    "topi/src/anchors.rs",
];

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

/// A Rust snippet of a page.
#[derive(Default)]
struct Snippet {
    /// The line on which it begins.
    line: usize,
    /// The Rust files that the page links to before it.
    files: Vec<PathBuf>,
    code: String,
}

impl Snippet {
    /// Whether one of its files has all of its lines, in order.
    fn is_in(&self, tree: &Tree) -> xtask::Result<bool> {
        for file in &self.files {
            if missing(&self.code, &text(tree, file)?).is_none() {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// The Rust snippets of a page that is two folders below the root.
fn snippets(page: &str) -> Vec<Snippet> {
    let mut snippets: Vec<Snippet> = Vec::new();
    let mut files: Vec<PathBuf> = Vec::new();
    let mut in_rust = false;
    for (event, range) in Parser::new(page).into_offset_iter() {
        match event {
            Event::Start(Tag::Link { dest_url, .. }) if dest_url.ends_with(".rs") => {
                files.push(dest_url.trim_start_matches("../../").into());
            }
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(language))) => {
                in_rust = language.starts_with("rust");
                if in_rust {
                    snippets.push(Snippet {
                        line: page[..range.start].matches('\n').count() + 1,
                        files: files.clone(),
                        code: String::new(),
                    });
                }
            }
            Event::End(TagEnd::CodeBlock) => in_rust = false,
            Event::Text(text) if in_rust => {
                if let Some(snippet) = snippets.last_mut() {
                    snippet.code.push_str(&text);
                }
            }
            _ => {}
        }
    }
    snippets
}

/// The first line of `code` that `text` has not, after the ones before. `// ...` stands for others.
fn missing<'a>(code: &'a str, text: &str) -> Option<&'a str> {
    let mut lines = text.lines().map(str::trim);
    let wanted = code.lines().map(str::trim);
    let mut wanted = wanted.filter(|line| !line.is_empty() && *line != "// ...");
    wanted.find(|wanted| !lines.any(|line| line == *wanted))
}

/// A new page with Rust joins the list.
#[test]
fn each_rust_snippet_is_in_a_file_that_its_page_links_to() -> xtask::Result<()> {
    let tree = Tree::open(&root())?;
    let mut found = BTreeSet::new();
    let mut stray = Vec::new();
    for page in tree.with_extension("md") {
        for snippet in snippets(&text(&tree, page)?) {
            found.insert(page);
            if !snippet.is_in(&tree)? {
                stray.push(format!("{}:{}", page.display(), snippet.line));
            }
        }
    }
    assert!(stray.is_empty(), "no linked file has the code of {stray:?}");
    let guides = [
        "adding_a_pass",
        "adding_a_target",
        "adding_an_importer_operator",
        "adding_an_operator",
        "adding_an_operator_from_outside",
        "writing_a_pass_plugin",
    ];
    let guides = guides.map(|name| PathBuf::from(format!("docs/guide/{name}.md")));
    let guides: BTreeSet<&Path> = guides.iter().map(PathBuf::as_path).collect();
    assert_eq!(found, guides);
    Ok(())
}

#[test]
fn a_snippet_that_no_linked_file_has_is_found() -> xtask::Result<()> {
    let tree = Tree::open(&root())?;
    let page = "[here](../../xtask/tests/guide.rs)\n\n```rust\nfn snippets(page: &str) -> Vec<Snippet> {\n```\n\n\
                ```rust\nfn snippets() {}\n```\n\n```sh\nls\n```\n";
    let found = snippets(page);
    let places: Vec<usize> = found.iter().map(|snippet| snippet.line).collect();
    assert_eq!(places, [3, 7]);
    assert!(found[0].is_in(&tree)?);
    assert!(!found[1].is_in(&tree)?);
    Ok(())
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
        let uses = USERS.iter().any(|user| file == Path::new(user));
        if in_crate && is_source && !uses {
            let text = text(&tree, file)?;
            if NAMES.iter().any(|name| text.contains(name)) {
                found.insert(file);
            }
        }
    }
    assert_eq!(found, places);
    Ok(())
}
