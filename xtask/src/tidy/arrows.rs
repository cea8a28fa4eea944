//! Crates depend in one direction: dialects <- machine <- topi <- tune <- passes (and machine <- loops <- passes) <- codegen <- interpreter <- driver <- tools.

use super::{Finding, Tree};
use crate::Result;
use cargo_metadata::{MetadataCommand, Package};
use std::path::{Path, PathBuf};

/// What each crate may depend on, by folder, of the crates of this workspace; in build scripts and
/// tests, too.
const ARROWS: &[(&str, &[&str])] = &[
    ("dialects", &[]),
    ("runtime", &[]),
    ("gpu-emulator", &["runtime"]),
    ("runner", &["runtime"]),
    ("rust/relay", &["runtime"]),
    ("rust/relay-build", &["runtime"]),
    ("import", &["dialects"]),
    ("machine", &["dialects", "runtime"]),
    ("topi", &["dialects", "machine"]),
    ("tune", &["dialects", "machine", "topi"]),
    ("loops", &["dialects", "machine"]),
    ("quantize", &[]),
    (
        "passes",
        &["dialects", "machine", "topi", "tune", "loops", "quantize"],
    ),
    (
        "codegen",
        &["dialects", "machine", "topi", "passes", "runtime"],
    ),
    ("interpreter", &["dialects", "codegen", "runtime"]),
    ("driver", BELOW_TOOLS),
    ("opt-tool", TOOLS),
    ("plugin", TOOLS),
    ("python", &["runtime"]),
    ("python/compiler", TOOLS),
    ("translate-tool", TOOLS),
    ("xtask", TOOLS),
];

const BELOW_TOOLS: &[&str] = &[
    "dialects",
    "machine",
    "topi",
    "tune",
    "loops",
    "passes",
    "quantize",
    "codegen",
    "import",
    "interpreter",
    "runtime",
    "runner",
];

const TOOLS: &[&str] = &[
    "dialects", "machine", "topi", "passes", "codegen", "import", "runtime", "runner", "driver",
];

/// What never links MLIR and LLVM: the runtime is part of every compiled model, the runner is copied to other machines.
const WITHOUT_COMPILER: &[&str] = &["runtime", "runner"];

/// What links MLIR and LLVM.
const COMPILER: &[&str] = &["inkwell", "llvm-sys", "melior", "mlir-sys"];

/// A crate of the workspace.
struct Member {
    folder: String,
    /// The folders of the workspace's crates that it depends on.
    ours: Vec<String>,
    /// The names of the other crates that it depends on.
    others: Vec<String>,
}

/// The check.
pub fn check(tree: &Tree) -> Result<Vec<Finding>> {
    let metadata = MetadataCommand::new()
        .manifest_path(tree.root().join("Cargo.toml"))
        .no_deps()
        .other_options(["--offline".to_string()])
        .exec()?;
    let root = metadata.workspace_root.as_std_path();
    let members: Vec<Member> = metadata
        .packages
        .iter()
        .map(|package| member(package, root))
        .collect();
    Ok(findings(&members, ARROWS))
}

fn member(package: &Package, root: &Path) -> Member {
    let folder = |path: &Path| {
        let path = path.strip_prefix(root).unwrap_or(path);
        path.display().to_string()
    };
    let manifest = package.manifest_path.as_std_path();
    let dependencies = &package.dependencies;
    Member {
        folder: folder(manifest.parent().unwrap_or(root)),
        ours: dependencies
            .iter()
            .filter_map(|dependency| Some(folder(dependency.path.as_ref()?.as_std_path())))
            .collect(),
        others: dependencies
            .iter()
            .filter(|dependency| dependency.path.is_none())
            .map(|dependency| dependency.name.clone())
            .collect(),
    }
}

fn findings(members: &[Member], arrows: &[(&str, &[&str])]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for member in members {
        let manifest = PathBuf::from(&member.folder).join("Cargo.toml");
        let Some((_, allowed)) = arrows.iter().find(|(folder, _)| *folder == member.folder) else {
            let message = "what this crate may depend on is not said in xtask/src/tidy/arrows.rs";
            findings.push(Finding::new(manifest, message));
            continue;
        };
        for other in &member.ours {
            if !allowed.contains(&other.as_str()) {
                let message = format!("{} must not depend on {other}", member.folder);
                findings.push(Finding::new(&manifest, message));
            }
        }
        for other in &member.others {
            if WITHOUT_COMPILER.contains(&member.folder.as_str())
                && COMPILER.contains(&other.as_str())
            {
                let message = format!("{other} would drag LLVM into whatever runs models");
                findings.push(Finding::new(&manifest, message));
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::{super::tree::sample, *};

    const WORKSPACE: &str = "[workspace]\nresolver = \"3\"\nmembers = [\"dialects\", \"topi\", \"runtime\", \"stray\"]\n\
         [workspace.dependencies]\nwhatever = { path = \"topi\", package = \"relay-topi\" }\n";

    fn manifest(name: &str, dependencies: &str) -> String {
        format!("[package]\nname = \"{name}\"\nedition = \"2024\"\n{dependencies}")
    }

    #[test]
    fn an_arrow_against_the_direction_is_found() -> Result<()> {
        let dialects = manifest(
            "relay-dialects",
            "[dev-dependencies]\nwhatever.workspace = true\n",
        );
        let topi = manifest(
            "relay-topi",
            "[dependencies]\nrelay-dialects = { path = \"../dialects\" }\n",
        );
        let runtime = manifest("relay-runtime", "[dependencies]\nmelior = \"1\"\n");
        let files = [
            ("Cargo.toml", WORKSPACE),
            ("dialects/Cargo.toml", &dialects),
            ("dialects/src/lib.rs", ""),
            ("topi/Cargo.toml", &topi),
            ("topi/src/lib.rs", ""),
            ("runtime/Cargo.toml", &runtime),
            ("runtime/src/lib.rs", ""),
            ("stray/Cargo.toml", &manifest("stray", "")),
            ("stray/src/lib.rs", ""),
        ];
        let (_folder, tree) = sample(&files)?;
        let mut found: Vec<String> = check(&tree)?.iter().map(Finding::to_string).collect();
        found.sort();
        assert_eq!(
            found,
            [
                "dialects/Cargo.toml: dialects must not depend on topi",
                "runtime/Cargo.toml: melior would drag LLVM into whatever runs models",
                "stray/Cargo.toml: what this crate may depend on is not said in \
                 xtask/src/tidy/arrows.rs",
            ]
        );
        Ok(())
    }
}
