//! The modules of a crate refer to each other without circles.
//!
//! In each module, those in it are the nodes of a graph: an edge leads from one to another if any file below the
//! first names something below the second. A module may use what stands in the ones around it, and they may
//! use it, so such references are no edges; a name that a module passes on (`pub use`) is where it comes from.
//! Tests are left out, and so is what stands in the arguments of macros.

use super::{Finding, Tree};
use crate::Result;
use petgraph::{algo::tarjan_scc, graphmap::DiGraphMap};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};
use syn::visit::{self, Visit};

/// The check.
pub fn check(tree: &Tree) -> Result<Vec<Finding>> {
    findings(tree)
}

fn findings(tree: &Tree) -> Result<Vec<Finding>> {
    let mut findings = Vec::new();
    for root in roots(tree) {
        let modules = modules(tree, &root)?;
        for (parent, edges) in edges(&modules) {
            let source = root.parent().unwrap_or(&root).to_path_buf();
            let place = parent.iter().fold(source, |place, name| place.join(name));
            let knots = knots(&edges).into_iter();
            findings.extend(knots.map(|knot| Finding::new(&place, describe(&knot, &edges))));
        }
    }
    Ok(findings)
}

/// A path of modules from a crate's root, or of names in one.
type Names = Vec<String>;

/// The references among the modules of one, with an example of each: a file and the path that it names.
type Edges = BTreeMap<(String, String), String>;

/// What one file says.
#[derive(Default)]
struct Module {
    file: PathBuf,
    /// The paths that it refers to.
    paths: Vec<Names>,
    /// The names that it brings in, and from where.
    names: BTreeMap<String, Names>,
    /// How deep in modules of this file we are.
    depth: usize,
}

/// The main file of each crate.
fn roots(tree: &Tree) -> Vec<PathBuf> {
    let manifests = tree.files().filter(|file| file.ends_with("Cargo.toml"));
    let folders = manifests.filter_map(Path::parent);
    let root = |folder: &Path| {
        let files = ["src/lib.rs", "src/main.rs"].map(|file| folder.join(file));
        files.into_iter().find(|file| tree.has(file))
    };
    folders.filter_map(root).collect()
}

/// The modules of a crate by their paths.
fn modules(tree: &Tree, root: &Path) -> Result<BTreeMap<Names, Module>> {
    let source = root.parent().unwrap_or(root);
    let mut found = BTreeMap::new();
    for file in tree.with_extension("rs") {
        let Ok(within) = file.strip_prefix(source) else {
            continue;
        };
        let is_program = within.starts_with("bin") || within == Path::new("main.rs");
        if is_program && file != root {
            continue;
        }
        // What is no Rust is found by another check.
        let text = tree.text(file)?.unwrap_or_default();
        let Ok(parsed) = syn::parse_file(&text) else {
            continue;
        };
        let mut module = Module {
            file: file.into(),
            ..Module::default()
        };
        module.visit_file(&parsed);
        let path = if file == root {
            Names::new()
        } else {
            path_of(within)
        };
        found.insert(path, module);
    }
    Ok(found)
}

/// The module that a file below the crate's root is.
fn path_of(within: &Path) -> Names {
    let path = within.with_extension("");
    let path = if path.ends_with("mod") {
        path.parent().unwrap_or(&path)
    } else {
        &path
    };
    path.iter()
        .map(|part| part.to_string_lossy().into_owned())
        .collect()
}

impl Module {
    /// Adds a reference as seen from the file's own module.
    fn refer(&mut self, path: &[String]) -> Option<Names> {
        let supers = path.iter().take_while(|part| *part == "super").count();
        let is_within = self.depth > 0 && path.first().is_none_or(|part| part != "crate");
        if is_within && supers < self.depth {
            return None;
        }
        let skipped = if is_within { self.depth } else { 0 };
        let path = path[skipped..].to_vec();
        self.paths.push(path.clone());
        Some(path)
    }

    /// Adds all that a `use` names.
    fn bring(&mut self, tree: &syn::UseTree, before: &mut Names) {
        let (path, name) = match tree {
            syn::UseTree::Path(path) => {
                before.push(path.ident.to_string());
                self.bring(&path.tree, before);
                before.pop();
                return;
            }
            syn::UseTree::Group(group) => {
                group.items.iter().for_each(|tree| self.bring(tree, before));
                return;
            }
            syn::UseTree::Glob(_) => (before.clone(), None),
            syn::UseTree::Name(name) if name.ident == "self" => {
                (before.clone(), before.last().cloned())
            }
            syn::UseTree::Name(name) => (with(before, &name.ident), Some(name.ident.to_string())),
            syn::UseTree::Rename(rename) => {
                (with(before, &rename.ident), Some(rename.rename.to_string()))
            }
        };
        if let (Some(path), Some(name)) = (self.refer(&path), name)
            && self.depth == 0
        {
            self.names.insert(name, path);
        }
    }
}

fn with(before: &[String], name: &syn::Ident) -> Names {
    before.iter().cloned().chain([name.to_string()]).collect()
}

impl<'a> Visit<'a> for Module {
    fn visit_item_use(&mut self, item: &'a syn::ItemUse) {
        self.bring(&item.tree, &mut Names::new());
    }

    fn visit_item_mod(&mut self, item: &'a syn::ItemMod) {
        if item.content.is_none() || item.attrs.iter().any(is_for_tests) {
            return;
        }
        self.depth += 1;
        visit::visit_item_mod(self, item);
        self.depth -= 1;
    }

    fn visit_path(&mut self, path: &'a syn::Path) {
        let parts: Names = path
            .segments
            .iter()
            .map(|part| part.ident.to_string())
            .collect();
        if matches!(parts[0].as_str(), "crate" | "super") {
            self.refer(&parts);
        }
        visit::visit_path(self, path);
    }
}

/// Whether an attribute is `#[cfg(test)]`.
fn is_for_tests(attribute: &syn::Attribute) -> bool {
    let condition = attribute.parse_args::<syn::Ident>();
    attribute.path().is_ident("cfg") && condition.is_ok_and(|condition| condition == "test")
}

/// The module that holds what a path in a module names; `None` if it is no path of this crate.
fn resolve(modules: &BTreeMap<Names, Module>, from: &Names, path: &[String]) -> Option<Names> {
    let mut at = from.clone();
    let mut rest = path;
    match rest.first()?.as_str() {
        "crate" => {
            at.clear();
            rest = &rest[1..];
        }
        "self" => rest = &rest[1..],
        "super" => {
            while let Some(("super", after)) = rest
                .split_first()
                .map(|(part, after)| (part.as_str(), after))
            {
                at.pop();
                rest = after;
            }
        }
        first => {
            let is_child = modules.contains_key(&child(&at, first));
            let passed_on = modules
                .get(&at)?
                .names
                .get(first)
                .is_some_and(|source| source[..] != path[..1]);
            if !is_child && !passed_on {
                return None;
            }
        }
    }
    while let Some((part, after)) = rest.split_first() {
        if modules.contains_key(&child(&at, part)) {
            at.push(part.clone());
            rest = after;
            continue;
        }
        let source = modules.get(&at).and_then(|module| module.names.get(part));
        // Another crate's names lead nowhere here.
        return match source.filter(|source| source[..] != path[..]) {
            Some(source) => resolve(modules, &at, source).or(Some(at)),
            None => Some(at),
        };
    }
    Some(at)
}

fn child(path: &[String], name: &str) -> Names {
    path.iter().cloned().chain([name.to_string()]).collect()
}

/// The references among the modules in each module.
fn edges(modules: &BTreeMap<Names, Module>) -> BTreeMap<Names, Edges> {
    let mut all: BTreeMap<Names, Edges> = BTreeMap::new();
    for (from, module) in modules {
        for path in &module.paths {
            let Some(to) = resolve(modules, from, path) else {
                continue;
            };
            let common = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
            let (Some(a), Some(b)) = (from.get(common), to.get(common)) else {
                continue;
            };
            let example = format!("{} names {}", module.file.display(), path.join("::"));
            let edges = all.entry(from[..common].to_vec()).or_default();
            edges.entry((a.clone(), b.clone())).or_insert(example);
        }
    }
    all
}

/// The modules of each circle, or of several that meet.
fn knots(edges: &Edges) -> Vec<BTreeSet<&str>> {
    let names = edges.keys().map(|(a, b)| (a.as_str(), b.as_str()));
    let graph: DiGraphMap<&str, ()> = names.collect();
    let components = tarjan_scc(&graph).into_iter();
    components
        .filter(|component| component.len() > 1)
        .map(BTreeSet::from_iter)
        .collect()
}

/// What to say of a circle.
fn describe(knot: &BTreeSet<&str>, edges: &Edges) -> String {
    let is_in = |name: &String| knot.contains(name.as_str());
    let within = edges.iter().filter(|((a, b), _)| is_in(a) && is_in(b));
    let examples: Vec<&str> = within.map(|(_, example)| example.as_str()).collect();
    let names: Vec<&str> = knot.iter().copied().collect();
    format!(
        "the modules {} refer to each other in a circle: {}",
        names.join(", "),
        examples.join("; ")
    )
}

#[cfg(test)]
mod tests {
    use super::{super::tree::sample, *};

    fn messages(files: &[(&str, &str)]) -> Result<Vec<String>> {
        let all: Vec<_> = [("a/Cargo.toml", "")]
            .iter()
            .chain(files)
            .copied()
            .collect();
        let (_folder, tree) = sample(&all)?;
        Ok(findings(&tree)?.iter().map(Finding::to_string).collect())
    }

    #[test]
    fn modules_that_name_each_other_are_found() -> Result<()> {
        let files = [
            ("a/src/lib.rs", "mod x; mod y; mod z;"),
            ("a/src/x.rs", "use crate::{y::Y, z};"),
            ("a/src/y.rs", "fn f() { super::z::g(); }"),
            ("a/src/z/mod.rs", "mod inner;"),
            ("a/src/z/inner.rs", "fn g() -> crate::y::Y { todo!() }"),
        ];
        assert_eq!(
            messages(&files)?,
            [
                "a/src: the modules y, z refer to each other in a circle: a/src/y.rs names super::z::g; \
                 a/src/z/inner.rs names crate::y::Y"
            ]
        );
        Ok(())
    }

    #[test]
    fn a_name_that_is_passed_on_counts_where_it_comes_from() -> Result<()> {
        let files = [
            ("a/src/lib.rs", "mod x; mod y; pub use y::Y as Why;"),
            ("a/src/x.rs", "use crate::Why;"),
            ("a/src/y.rs", "mod deep { use super::super::x; }"),
        ];
        assert_eq!(messages(&files)?.len(), 1);
        Ok(())
    }

    #[test]
    fn parents_and_tests_are_no_circles() -> Result<()> {
        let files = [
            ("a/src/lib.rs", "mod x; mod y; pub struct Here; use x::f;"),
            ("a/src/x.rs", "use crate::{Here, y::g}; use std::fmt;"),
            ("a/src/y.rs", "#[cfg(test)] mod tests { use crate::x::f; }"),
            ("a/src/bin/tool.rs", "use a::x;"),
        ];
        assert!(messages(&files)?.is_empty());
        Ok(())
    }
}
