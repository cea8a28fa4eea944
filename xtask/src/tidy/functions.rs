//! Functions are short enough to be seen whole.

use super::{Finding, Tree};
use crate::Result;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::path::Path;

/// The most lines of a function, from its name to the end of its body.
const LIMIT: usize = 60;

/// Functions that are longer still, by file and name. One that is short again goes off the list; none comes onto it.
const LONG: &[(&str, &str)] = &[
    ("codegen/src/library.rs", "descriptor"),
    ("codegen/src/split.rs", "take"),
    ("codegen/src/weights.rs", "object"),
    ("codegen/src/writer.rs", "parallel_loop"),
    ("dialects/build.rs", "generate_dialect"),
    ("driver/src/main.rs", "execute"),
    ("passes/src/executor/aot_lower_main.rs", "lower"),
    ("passes/src/relay/alter_op_layout.rs", "conv2d"),
    ("passes/src/te/lower_te.rs", "check"),
    ("passes/src/te/schedule/caches.rs", "rfactor"),
    ("passes/src/tir/vectorize_loop.rs", "if_op"),
    ("passes/tests/schedules/interpreter.rs", "arithmetic"),
    ("passes/tests/schedules/interpreter.rs", "op"),
    ("passes/tests/schedules/interpreter.rs", "pure"),
    ("passes/tests/schedules/intrinsics.rs", "all"),
    ("passes/tests/schedules/program.rs", "compute"),
    ("runtime/src/loader.rs", "load"),
    ("topi/src/conv.rs", "conv_packed"),
    ("topi/src/winograd.rs", "conv"),
];

/// The check.
pub fn check(tree: &Tree) -> Result<Vec<Finding>> {
    findings(tree, LONG)
}

fn findings(tree: &Tree, known: &[(&str, &str)]) -> Result<Vec<Finding>> {
    let mut findings = Vec::new();
    let mut used = vec![false; known.len()];
    for file in tree.with_extension("rs") {
        // What is no Rust is a finding of another check.
        let Ok(tokens) = tree.text(file)?.unwrap_or_default().parse() else {
            continue;
        };
        for Function { name, line, lines } in functions(tokens) {
            if lines <= LIMIT {
                continue;
            }
            let is_known = |(place, long): &(&str, &str)| file == Path::new(place) && *long == name;
            match known.iter().position(is_known) {
                Some(place) => used[place] = true,
                None => {
                    let message =
                        format!("`{name}` has {lines} lines, more than {LIMIT}; split it");
                    findings.push(Finding::new(file, message).at_line(line));
                }
            }
        }
    }
    let short = known.iter().zip(used).filter(|(_, used)| !used);
    findings.extend(short.map(|((place, name), _)| {
        let message =
            format!("`{name}` is short; take it off the list in xtask/src/tidy/functions.rs");
        Finding::new(place, message)
    }));
    Ok(findings)
}

/// A function with a body.
#[derive(Debug, PartialEq)]
struct Function {
    name: String,
    /// Where its name is, from 1.
    line: usize,
    lines: usize,
}

/// All functions in a stream of tokens, those within others too.
fn functions(tokens: TokenStream) -> Vec<Function> {
    let mut found = Vec::new();
    // The function whose body is to come.
    let mut open: Option<(String, usize)> = None;
    let mut after_fn = false;
    for token in tokens {
        match &token {
            TokenTree::Ident(ident) if after_fn => {
                open = Some((ident.to_string(), ident.span().start().line));
            }
            // One without a body, as of a trait.
            TokenTree::Punct(punct) if punct.as_char() == ';' => open = None,
            TokenTree::Group(group) => {
                let is_body = group.delimiter() == Delimiter::Brace;
                if let Some((name, line)) = open.take_if(|_| is_body) {
                    let lines = group.span_close().end().line - line + 1;
                    found.push(Function { name, line, lines });
                }
                found.extend(functions(group.stream()));
            }
            _ => {}
        }
        after_fn = matches!(&token, TokenTree::Ident(ident) if ident == "fn");
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{super::tree::sample, *};

    #[test]
    fn long_functions_and_a_list_that_is_too_long_are_found() -> Result<()> {
        let long = format!("fn f() {{{}}}", "\n".repeat(LIMIT));
        let (_folder, tree) = sample(&[("a/src/long.rs", &long), ("a/src/short.rs", "fn f() {}")])?;
        let found = |known: &[(&str, &str)]| -> Result<Vec<String>> {
            Ok(findings(&tree, known)?
                .iter()
                .map(Finding::to_string)
                .collect())
        };
        let message = format!(
            "a/src/long.rs:1: `f` has {} lines, more than 60; split it",
            LIMIT + 1
        );
        assert_eq!(found(&[])?, [message]);
        let known = [("a/src/long.rs", "f"), ("a/src/short.rs", "f")];
        let message =
            "a/src/short.rs: `f` is short; take it off the list in xtask/src/tidy/functions.rs";
        assert_eq!(found(&known)?, [message]);
        Ok(())
    }

    #[test]
    fn functions_are_found_with_their_lines() {
        let text = "trait T { fn declared(&self) -> [u8; 2]; }\nimpl T for S {\n    fn outer(x: fn(i32)) -> i32 {\n\
                    \n        fn inner() {}\n        1\n    }\n}\n";
        let tokens: TokenStream = text.parse().expect("the text is Rust");
        let found = functions(tokens);
        let of = |name: &str, line, lines| Function {
            name: name.into(),
            line,
            lines,
        };
        assert_eq!(found, [of("outer", 3, 5), of("inner", 5, 1)]);
    }
}
