//! The house is tidy and its generated pages are what `cargo xtask docs` would write.

use xtask::{
    docs, root,
    tidy::{CHECKS, Tree},
};

#[test]
fn generated_pages_are_up_to_date() -> xtask::Result<()> {
    let changes = docs::changes(&root())?;
    let stale: Vec<String> = changes.iter().map(ToString::to_string).collect();
    assert!(
        stale.is_empty(),
        "run cargo xtask docs; these are stale:\n{}",
        stale.join("\n")
    );
    Ok(())
}

#[test]
fn the_house_is_tidy() -> xtask::Result<()> {
    let tree = Tree::open(&root())?;
    let mut broken = Vec::new();
    for check in CHECKS {
        let findings = (check.run)(&tree)?;
        broken.extend(
            findings
                .iter()
                .map(|finding| format!("{finding} ({})", check.name)),
        );
    }
    assert!(broken.is_empty(), "\n{}", broken.join("\n"));
    Ok(())
}

/// A size that leaves 64 bits ends in an error for users, too, and in the runtime that models carry.
#[test]
fn what_users_get_checks_overflow() {
    let manifest = include_str!("../../Cargo.toml");
    let profile = |name: &str| -> Vec<String> {
        let heading = format!("[profile.{name}]");
        let after = manifest.lines().skip_while(|line| *line != heading).skip(1);
        let lines = after.take_while(|line| !line.starts_with('['));
        lines.map(str::to_owned).collect()
    };
    let says = |name: &str, line: &str| profile(name).iter().any(|own| own == line);
    assert!(says("release", "overflow-checks = true"));
    assert!(says("carried", "inherits = \"release\""));
    assert!(
        !profile("carried")
            .iter()
            .any(|line| line.starts_with("overflow-checks"))
    );
}
