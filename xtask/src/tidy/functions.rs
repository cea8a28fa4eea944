//! Functions are short enough to be seen whole.

use super::{Finding, Tree};
use crate::Result;
use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// The most lines of a function, from its name to the end of its body.
const LIMIT: usize = 60;

/// The check.
pub fn check(tree: &Tree) -> Result<Vec<Finding>> {
    let mut findings = Vec::new();
    for file in tree.with_extension("rs") {
        // What is no Rust is a finding of another check.
        let Ok(tokens) = tree.text(file)?.unwrap_or_default().parse() else {
            continue;
        };
        let functions = functions(tokens).into_iter();
        for Function { name, line, lines } in functions.filter(|found| found.lines > LIMIT) {
            let message = format!("`{name}` has {lines} lines, more than {LIMIT}; split it");
            findings.push(Finding::new(file, message).at_line(line));
        }
    }
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
    fn long_functions_are_found() -> Result<()> {
        let long = format!("fn f() {{{}}}", "\n".repeat(LIMIT));
        let (_folder, tree) = sample(&[("a/src/long.rs", &long), ("a/src/short.rs", "fn f() {}")])?;
        let found: Vec<String> = check(&tree)?.iter().map(Finding::to_string).collect();
        let message = format!(
            "a/src/long.rs:1: `f` has {} lines, more than 60; split it",
            LIMIT + 1
        );
        assert_eq!(found, [message]);
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
