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
