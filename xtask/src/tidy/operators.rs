//! Facts about operators stand in their rows: no other code lists operators by name.
//!
//! A list is two or more names, as constants of `relay_dialects::names` or as strings, with nothing but `,` or `|`
//! between them, or in the patterns of one `match`. The rows of `dialects/src/relay`, what importers make of their
//! operators, and tests may name as many as they like.

use super::{Finding, Tree};
use crate::Result;
use proc_macro2::{Delimiter, Group, Literal, Punct, Spacing, TokenStream, TokenTree};
use relay_dialects::relay::ops::rows;
use std::{collections::BTreeSet, path::Path};

/// Where operators are listed: their rows, and what models of other frameworks become.
const PLACES: [&str; 2] = ["dialects/src/relay", "import"];

/// The check.
pub fn check(tree: &Tree) -> Result<Vec<Finding>> {
    let operators = rows().map(|row| format!("relay.{}", row.name)).collect();
    findings(tree, &operators)
}

fn findings(tree: &Tree, operators: &BTreeSet<String>) -> Result<Vec<Finding>> {
    let mut findings = Vec::new();
    for file in tree.with_extension("rs") {
        if PLACES.iter().any(|place| file.starts_with(place)) || is_test(file) {
            continue;
        }
        let text = tree.text(file)?.unwrap_or_default();
        // What is no Rust is a finding of another check.
        let Ok(tokens) = text.parse::<TokenStream>() else {
            continue;
        };
        let mut lists = Lists {
            operators,
            found: Vec::new(),
        };
        lists.visit(spelled_out(tokens, operators));
        findings.extend(lists.found.into_iter().map(|(names, line)| {
            let message = format!(
                "lists the operators {}: what they have in common is a column of their rows",
                names.join(", ")
            );
            Finding::new(file, message).at_line(line)
        }));
    }
    Ok(findings)
}

/// The same tokens, with an operator's name in the place of its constant, `names::relay::ADD`.
fn spelled_out(tokens: TokenStream, operators: &BTreeSet<String>) -> TokenStream {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut spelled = Vec::new();
    let mut place = 0;
    while let Some(token) = tokens.get(place) {
        if let Some(name) = constant_of(&tokens[place..], operators) {
            let mut literal = Literal::string(name);
            literal.set_span(token.span());
            spelled.push(TokenTree::Literal(literal));
            place += 7;
            continue;
        }
        spelled.push(match token {
            TokenTree::Group(group) => {
                let inside = spelled_out(group.stream(), operators);
                let mut other = Group::new(group.delimiter(), inside);
                other.set_span(group.span());
                TokenTree::Group(other)
            }
            other => other.clone(),
        });
        place += 1;
    }
    spelled.into_iter().collect()
}

/// The operator whose constant tokens begin with, if they do.
fn constant_of<'a>(tokens: &[TokenTree], operators: &'a BTreeSet<String>) -> Option<&'a String> {
    if !matches!(tokens.first()?, TokenTree::Ident(ident) if ident == "names") {
        return None;
    }
    let path: String = tokens.iter().take(7).map(ToString::to_string).collect();
    let constant = path.strip_prefix("names::relay::")?;
    let of = |name: &str| {
        name.trim_start_matches("relay.")
            .replace('.', "_")
            .to_uppercase()
    };
    operators.iter().find(|name| of(name) == constant)
}

fn is_test(file: &Path) -> bool {
    file.components().any(|part| part.as_os_str() == "tests")
}

/// The lists of operators in a file, each with the line of its first name.
struct Lists<'a> {
    operators: &'a BTreeSet<String>,
    found: Vec<(Vec<String>, usize)>,
}

impl Lists<'_> {
    fn visit(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut list = Vec::new();
        let mut is_match = false;
        let mut place = 0;
        while let Some(token) = tokens.get(place) {
            if let Some(skipped) = test_module(&tokens[place..]) {
                place += skipped;
                continue;
            }
            match token {
                TokenTree::Literal(literal) => {
                    let name = literal.to_string().trim_matches('"').to_owned();
                    match self.operators.contains(&name) {
                        true => list.push((name, literal.span().start().line)),
                        false => self.end(&mut list),
                    }
                }
                TokenTree::Punct(punct) if matches!(punct.as_char(), ',' | '|') => {}
                TokenTree::Group(group) => {
                    self.end(&mut list);
                    if is_match && group.delimiter() == Delimiter::Brace {
                        self.visit_match(group);
                    } else {
                        self.visit(group.stream());
                    }
                    is_match &= group.delimiter() != Delimiter::Brace;
                }
                other => {
                    self.end(&mut list);
                    is_match |= matches!(other, TokenTree::Ident(ident) if ident == "match");
                }
            }
            place += 1;
        }
        self.end(&mut list);
    }

    /// The arms of a match: the names in all patterns are one list, what stands behind an arrow is code.
    fn visit_match(&mut self, arms: &Group) {
        let mut patterns = Vec::new();
        let mut code = TokenStream::new();
        let mut is_pattern = true;
        let tokens: Vec<TokenTree> = arms.stream().into_iter().collect();
        for (place, token) in tokens.iter().enumerate() {
            let is_arrow = matches!(token, TokenTree::Punct(punct) if punct.as_char() == '>')
                && place > 0
                && matches!(&tokens[place - 1], TokenTree::Punct(punct) if punct.as_char() == '=');
            let is_body =
                matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace);
            let is_comma = matches!(token, TokenTree::Punct(punct) if punct.as_char() == ',');
            if is_pattern {
                names(token, self.operators, &mut patterns);
                is_pattern = !is_arrow;
            } else {
                code.extend([token.clone()]);
                is_pattern = is_body || is_comma;
                // What two arms give is not one list.
                let end = || TokenTree::Punct(Punct::new(';', Spacing::Alone));
                code.extend(is_pattern.then(end));
            }
        }
        self.end(&mut patterns);
        self.visit(code);
    }

    /// Ends a list, which is a finding if there are two names in it.
    fn end(&mut self, list: &mut Vec<(String, usize)>) {
        let list = std::mem::take(list);
        let names: BTreeSet<&String> = list.iter().map(|(name, _)| name).collect();
        if names.len() > 1 {
            let names = names.into_iter().cloned().collect();
            self.found.push((names, list[0].1));
        }
    }
}

/// The operators that a token names, at any depth.
fn names(token: &TokenTree, operators: &BTreeSet<String>, found: &mut Vec<(String, usize)>) {
    match token {
        TokenTree::Group(group) => {
            let inner = group.stream().into_iter();
            inner.for_each(|token| names(&token, operators, found));
        }
        TokenTree::Literal(literal) => {
            let name = literal.to_string().trim_matches('"').to_owned();
            if operators.contains(&name) {
                found.push((name, literal.span().start().line));
            }
        }
        _ => {}
    }
}

/// How many tokens `#[cfg(test)] mod name { .. }` takes, if they begin with that.
fn test_module(tokens: &[TokenTree]) -> Option<usize> {
    let [
        TokenTree::Punct(hash),
        TokenTree::Group(attribute),
        rest @ ..,
    ] = tokens
    else {
        return None;
    };
    let is_test = hash.as_char() == '#' && attribute.stream().to_string() == "cfg (test)";
    let end = rest.iter().position(
        |token| matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace),
    )?;
    is_test.then_some(end + 3)
}

#[cfg(test)]
mod tests {
    use super::{super::tree::sample, *};

    fn messages(text: &str) -> Result<Vec<String>> {
        let files = [("a/src/lib.rs", text), ("import/src/lib.rs", text)];
        let (_folder, tree) = sample(&files)?;
        let operators = ["relay.add", "relay.exp"].map(String::from).into();
        let found = findings(&tree, &operators)?;
        Ok(found.iter().map(Finding::to_string).collect())
    }

    #[test]
    fn lists_of_operators_are_found() -> Result<()> {
        let expected = "lists the operators relay.add, relay.exp: what they have in common is a column of their rows";
        for text in [
            "const A: [&str; 2] = [\"relay.add\", \"relay.exp\"];",
            "fn f() { matches!(x, \"relay.add\" | \"relay.exp\"); }",
            "fn f() { matches!(x, names::relay::ADD | names::relay::EXP); }",
            "fn f() { for x in [names::relay::ADD, names::relay::EXP] {} }",
            "fn f() { match x { \"relay.add\" => 1, y if y == z => { 2 } \"relay.exp\" => 3, _ => 4 } }",
        ] {
            let found = messages(text)?;
            assert_eq!(found, [format!("a/src/lib.rs:1: {expected}")], "{text}");
        }
        Ok(())
    }

    #[test]
    fn single_operators_and_tests_are_no_lists() -> Result<()> {
        for text in [
            "fn f() { x.is(\"relay.add\") && y.is(\"relay.exp\") }",
            "fn f() { x.is(names::relay::ADD) && y.is(names::relay::EXP) }",
            "fn f() { match x { 1 => \"relay.add\", _ => \"relay.exp\" } }",
            "const A: [&str; 2] = [\"relay.add\", \"relay.name\"];",
            "#[cfg(test)]\nmod tests { const A: [&str; 2] = [\"relay.add\", \"relay.exp\"]; }",
        ] {
            assert!(messages(text)?.is_empty(), "{text}");
        }
        Ok(())
    }
}
