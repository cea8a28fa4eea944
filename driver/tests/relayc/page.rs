//! The page of `relayc bench --html`, in a browser where there is one.

use super::{relayc, workspace};
use std::{fs, path::Path, process::Command};

#[test]
fn the_page_stands_alone_and_opens_in_a_browser() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let model = workspace().join("examples/digits/digits.onnx");
    let words = format!(
        "bench {} --repeat 20 --threads 1 --html page.html",
        model.display()
    );
    let printed = relayc(folder.path(), &words);
    let page =
        fs::read_to_string(folder.path().join("page.html")).unwrap_or_else(|_| panic!("{printed}"));
    let sections = [
        "Latency",
        "Roofline",
        "Memory over the run",
        "Time by node",
        "Schedules",
    ];
    check(folder.path(), &page, &sections);
    assert!(page.contains("<rect"));
}

#[test]
fn the_page_of_a_tuner_opens_in_a_browser() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let model = workspace().join("examples/digits/digits.onnx");
    let words = format!(
        "tune {} --records records.jsonl --trials 16 --threads 1 --html page.html",
        model.display()
    );
    let printed = relayc(folder.path(), &words);
    let page =
        fs::read_to_string(folder.path().join("page.html")).unwrap_or_else(|_| panic!("{printed}"));
    check(
        folder.path(),
        &page,
        &["Kernels", "Failures", "Schedules that were chosen"],
    );
}

/// Checks that a page has its sections, fetches nothing, and is in a browser, where there is one, what it is in the file.
fn check(folder: &Path, page: &str, sections: &[&str]) {
    for section in sections {
        assert!(page.contains(&format!(">{section}</h2>")), "{section}");
    }
    for word in ["http:", "https:", "src=", "@import", "url("] {
        assert!(!page.contains(word), "{word}");
    }
    assert!(page.contains("prefers-color-scheme: dark"));
    let browsers = ["chromium", "chromium-browser", "google-chrome"];
    let Some(browser) = browsers.into_iter().find(|name| is_there(name)) else {
        eprintln!(
            "skipped: no browser is installed (Debian: chromium, 400 MB, too large to ask for)"
        );
        return;
    };
    let dom = in_browser(browser, folder);
    // As many marks as the page has, so that all of it was read as it was meant.
    for mark in ["<circle", "<section", "<tr"] {
        let count = page.matches(mark).count();
        assert!(count > 0 && dom.matches(mark).count() >= count, "{mark}");
    }
}

fn is_there(program: &str) -> bool {
    Command::new(program)
        .arg("--version")
        .output()
        .is_ok_and(|done| done.status.success())
}

/// What a browser makes of the page; it has nothing to complain about.
fn in_browser(browser: &str, folder: &Path) -> String {
    let profile = folder.join("profile");
    let output = Command::new(browser)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
        ])
        .args([
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
        ])
        .args([
            "--enable-logging=stderr",
            "--dump-dom",
            "--virtual-time-budget=1000",
        ])
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg(format!("file://{}", folder.join("page.html").display()))
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    assert!(!said.contains("CONSOLE"), "{said}");
    String::from_utf8(output.stdout).unwrap()
}
