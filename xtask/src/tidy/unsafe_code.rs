//! Unsafe code stays where `docs/architecture.md` says.

use super::{Finding, Tree};
use crate::Result;
use proc_macro2::{TokenStream, TokenTree};
use std::path::Path;

/// Files and folders that may hold unsafe code, and what for.
const PLACES: &[(&str, &str)] = &[
    ("codegen/src/emit.rs", "LLVM's C API"),
    ("codegen/src/evaluate.rs", "compiled code that is run"),
    (
        "codegen/src/external/plugin.rs",
        "the C interface of code generators",
    ),
    ("codegen/src/writer.rs", "LLVM's C API"),
    ("dialects/src/calls.rs", "the bridge"),
    ("dialects/src/ffi.rs", "the bridge"),
    ("dialects/src/hooks", "the bridge"),
    ("dialects/src/ir", "handles of what MLIR owns"),
    ("dialects/src/lib.rs", "the bridge"),
    ("dialects/src/pass.rs", "the bridge"),
    ("dialects/src/pipeline.rs", "the bridge"),
    ("dialects/src/plugin.rs", "the bridge"),
    (
        "dialects/src/relay/custom/export.rs",
        "the C interface of operators",
    ),
    (
        "dialects/src/relay/custom/interface.rs",
        "the C interface of operators",
    ),
    (
        "dialects/src/relay/custom/load.rs",
        "the C interface of operators",
    ),
    ("dialects/src/tool.rs", "the bridge"),
    (
        "gpu-emulator/src/block.rs",
        "calls of kernels, on stacks of their own",
    ),
    (
        "gpu-emulator/src/driver",
        "the C interfaces of CUDA's driver and HIP",
    ),
    ("gpu-emulator/src/grid.rs", "calls of kernels"),
    ("gpu-emulator/src/image.rs", "images that are loaded"),
    ("gpu-emulator/src/kernel.rs", "the C interface of kernels"),
    ("gpu-emulator/src/memory.rs", "memory"),
    ("gpu-emulator/src/multiply.rs", "the memory of lanes"),
    (
        "gpu-emulator/tests",
        "kernels, and calls of the C interface",
    ),
    ("import/src/graph/file.rs", "a map of a file of weights"),
    ("plugin/src/lib.rs", "the entry points that mlir-opt calls"),
    (
        "python/compiler/src/ir/store.rs",
        "IR that Python's threads share",
    ),
    ("python/src/call.rs", "calls of compiled models"),
    ("python/src/dlpack.rs", "tensors of other libraries"),
    ("python/src/memory.rs", "the memory of numpy's arrays"),
    ("runtime/examples", "kernels in Rust"),
    ("runtime/src/arena.rs", "memory"),
    (
        "runtime/src/descriptor.rs",
        "what compiled models say of themselves",
    ),
    (
        "runtime/src/device",
        "devices, and the C interface of their drivers",
    ),
    ("runtime/src/dlpack.rs", "the C interface"),
    ("runtime/src/donation.rs", "memory of the C interface"),
    ("runtime/src/exchange.rs", "the C interface"),
    ("runtime/src/features.rs", "a question to the processor"),
    ("runtime/src/ffi", "the C interface of devices"),
    ("runtime/src/ffi.rs", "the C interface"),
    ("runtime/src/instance.rs", "calls of compiled models"),
    ("runtime/src/loader.rs", "calls of compiled models"),
    ("runtime/src/parts.rs", "calls of compiled models"),
    ("runtime/src/pool.rs", "work shared by threads"),
    ("runtime/src/program/heap.rs", "memory"),
    ("runtime/src/program/machine.rs", "values of the heap"),
    ("runtime/src/program/native.rs", "calls of compiled models"),
    ("runtime/src/program/run.rs", "values of the heap"),
    (
        "runtime/src/program/stack.rs",
        "a question to the C library",
    ),
    ("runtime/src/sizes.rs", "shapes of the C interface"),
    ("runtime/src/tensor.rs", "memory"),
    ("runtime/src/amx.rs", "a question to the system"),
    ("runtime/tests", "calls of the C interface"),
    ("rust/relay/src/session.rs", "calls of compiled models"),
];

/// The check.
pub fn check(tree: &Tree) -> Result<Vec<Finding>> {
    findings(tree, PLACES)
}

fn findings(tree: &Tree, places: &[(&str, &str)]) -> Result<Vec<Finding>> {
    let mut findings = Vec::new();
    let mut used = vec![false; places.len()];
    for file in tree.with_extension("rs") {
        let text = tree.text(file)?.unwrap_or_default();
        let lines = match text.parse::<TokenStream>() {
            Ok(tokens) => unsafe_lines(tokens),
            Err(error) => {
                findings.push(Finding::new(file, format!("is no Rust: {error}")));
                continue;
            }
        };
        let Some(&first) = lines.first() else {
            continue;
        };
        match places.iter().position(|(place, _)| file.starts_with(place)) {
            Some(place) => used[place] = true,
            None => findings.push(outside(file, first)),
        }
    }
    let unused = places.iter().zip(used).filter(|(_, used)| !used);
    findings.extend(unused.map(|((place, _), _)| {
        let message = "may hold unsafe code but has none; take it off the list in \
                       xtask/src/tidy/unsafe_code.rs";
        Finding::new(place, message)
    }));
    Ok(findings)
}

fn outside(file: &Path, line: usize) -> Finding {
    let message = "unsafe code is not allowed here; xtask/src/tidy/unsafe_code.rs lists its places";
    Finding::new(file, message).at_line(line)
}

/// The lines on which the keyword stands, and not a comment or a text with the word.
fn unsafe_lines(tokens: TokenStream) -> Vec<usize> {
    let mut lines = Vec::new();
    for token in tokens {
        match token {
            TokenTree::Group(group) => lines.extend(unsafe_lines(group.stream())),
            TokenTree::Ident(word) if word == "unsafe" => lines.push(word.span().start().line),
            _ => {}
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::{super::tree::sample, *};

    #[test]
    fn the_keyword_outside_its_places_is_found() -> Result<()> {
        let files = [
            ("bridge/src/a.rs", "fn f() { unsafe { g() } }"),
            (
                "passes/src/a.rs",
                "// unsafe\nfn f() {\n    h(unsafe { g() })\n}",
            ),
            (
                "passes/src/b.rs",
                "/// unsafe\nconst TEXT: &str = \"unsafe\";",
            ),
            ("topi/src/a.rs", "fn f("),
        ];
        let (_folder, tree) = sample(&files)?;
        let places = [("bridge/src", "calls"), ("runtime/src", "nothing")];
        let found = findings(&tree, &places)?;
        let at = |found: &Finding| (found.path.display().to_string(), found.line);
        assert_eq!(
            found.iter().map(at).collect::<Vec<_>>(),
            [
                ("passes/src/a.rs".to_string(), Some(3)),
                ("topi/src/a.rs".to_string(), None),
                ("runtime/src".to_string(), None),
            ]
        );
        Ok(())
    }
}
