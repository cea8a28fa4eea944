//! The pages of errors: every code has one, and every example gives its error.

use super::{relayc_with, several_errors, workspace};
use relay_driver::codes;
use std::{collections::BTreeSet, fs, path::Path};

/// Errors that no file gives which is handed to `relayc`: faults of the compiler and of its machine, and those of
/// programs that call a library.
const WITHOUT_EXAMPLE: &[&str] = &[
    "R0205", "R0303", "R0309", "R0402", "R0403", "R0404", "R0405", "R0406",
];

#[test]
fn every_code_has_one_page() {
    let errors = ["driver", "codegen", "runtime", "import"]
        .map(|name| fs::read_to_string(workspace().join(name).join("src/error.rs")).unwrap());
    let mut codes: Vec<String> = Vec::new();
    for text in &errors {
        let words = text.split('"').filter(|word| {
            let digits = word.strip_prefix('R').unwrap_or_default();
            digits.len() == 4 && digits.bytes().all(|byte| byte.is_ascii_digit())
        });
        codes.extend(words.map(ToOwned::to_owned));
    }
    let known: BTreeSet<&str> = codes.iter().map(String::as_str).collect();
    assert_eq!(known.len(), codes.len(), "a code is one error's");
    let pages: BTreeSet<&str> = codes::PAGES.iter().map(|(code, _)| *code).collect();
    assert_eq!(known, pages);
    let files = fs::read_dir(workspace().join("docs/errors")).unwrap();
    assert_eq!(files.count(), pages.len(), "every page is in relayc");
    for code in pages {
        assert!(codes::title(code).unwrap().starts_with(code), "{code}");
    }
}

#[test]
fn every_example_gives_its_error() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    std::os::unix::fs::symlink(workspace().join("examples"), folder.path().join("examples"))
        .unwrap();
    fs::write(folder.path().join("unsupported.onnx"), several_errors(true)).unwrap();
    fs::write(folder.path().join("node.onnx"), several_errors(false)).unwrap();
    for (code, page) in codes::PAGES {
        let commands = page.lines().filter_map(|line| line.strip_prefix("$ "));
        let command = commands
            .filter_map(|line| line.split_once("relayc "))
            .next();
        assert_eq!(command.is_none(), WITHOUT_EXAMPLE.contains(code), "{code}");
        write_files(page, folder.path());
        if let Some((variables, words)) = command {
            let printed = relayc_with(variables, folder.path(), words);
            assert!(printed.contains(&format!("error[{code}]: ")), "{printed}");
        }
    }
}

/// Writes the files of a page: a name and a colon, and the text in a fence below.
fn write_files(page: &str, folder: &Path) {
    let mut name = None;
    for text in page.split("\n```") {
        if let Some(name) = name.take() {
            let content = text.split_once('\n').unwrap().1;
            fs::write(folder.join::<&str>(name), content).unwrap();
        }
        let last = text.trim_end().lines().next_back().unwrap_or_default();
        name = last
            .strip_prefix('`')
            .and_then(|last| last.strip_suffix("`:"));
    }
}
