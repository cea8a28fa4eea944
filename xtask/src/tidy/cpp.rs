//! Of the compiler, only `dialects/cpp` holds C++, and the bridge there stays small.

use super::{Finding, Tree};
use crate::Result;

/// Where the bridge is.
const BRIDGE: &str = "dialects/cpp";

/// The most lines in the whole bridge: what needs more belongs into Rust. Almost half of them are the syntax of ops
/// whose axes and loops have names: MLIR's C interface has no parser and no printer that Rust could take instead.
const LINES: usize = 1550;

/// What C++ files' names end in.
const EXTENSIONS: &[&str] = &["cpp", "cc", "cxx", "c++", "hpp", "hh", "hxx", "inc"];

/// The interfaces of compiled models and of code generators to C and C++, the tests that call them, and programs that show
/// how; and what generated C begins with.
const INTERFACE: &[&str] = &[
    "codegen/include",
    "codegen/src/external",
    "dialects/include",
    "examples/bare_metal",
    "examples/c",
    "examples/codegen",
    "examples/cpp",
    "examples/operator_plugin",
    "gpu-emulator/tests/c",
    "runtime/include",
    "runtime/tests/c",
    "test/tools/Inputs/wrong_codegen.c",
];

/// The check.
pub fn check(tree: &Tree) -> Result<Vec<Finding>> {
    let mut findings = Vec::new();
    let mut lines = 0;
    for file in tree.files() {
        let extension = file.extension().unwrap_or_default().to_string_lossy();
        let is_cpp = EXTENSIONS.contains(&extension.as_ref());
        let is_c = ["c", "h"].contains(&extension.as_ref());
        if !is_cpp && !is_c {
            continue;
        }
        if file.starts_with(BRIDGE) {
            lines += tree.text(file)?.unwrap_or_default().lines().count();
        } else if !INTERFACE.iter().any(|place| file.starts_with(place)) {
            let places = INTERFACE.join(", ");
            let message = format!(
                "C++ of the compiler belongs into {BRIDGE}; C and C++ of its interface into {places}"
            );
            findings.push(Finding::new(file, message));
        }
    }
    if lines > LINES {
        let message = format!("the bridge has {lines} lines, more than {LINES}");
        findings.push(Finding::new(BRIDGE, message));
    }
    Ok(findings)
}

#[cfg(test)]
mod tests {
    use super::{super::tree::sample, *};
    use std::path::Path;

    #[test]
    fn cpp_elsewhere_and_a_long_bridge_are_found() -> Result<()> {
        let long = "\n".repeat(LINES + 1);
        let files = [
            ("dialects/cpp/Bridge.cpp", long.as_str()),
            ("dialects/src/Ops.cpp", ""),
            ("runtime/include/model.h", ""),
            ("runtime/include/model.hpp", ""),
            ("passes/src/pass.h", ""),
        ];
        let (_folder, tree) = sample(&files)?;
        let found = check(&tree)?;
        let paths: Vec<&Path> = found.iter().map(|found| found.path.as_path()).collect();
        let expected = ["dialects/src/Ops.cpp", "passes/src/pass.h", BRIDGE];
        assert_eq!(paths, expected.map(Path::new));
        Ok(())
    }
}
