//! Data types and functions that a program uses without defining them.

use super::{
    parse::parse,
    references::{defined, references},
    syntax::{Definition, Program},
};
use std::collections::HashSet;

/// The text of the prelude.
pub const TEXT: &str = include_str!("../../prelude/prelude.relay");

/// Its name in locations.
pub const FILE: &str = "prelude.relay";

/// The definitions of the prelude that a program needs and does not have, in the order of the prelude. A program that
/// defines one of its types in another way gets none.
pub fn needed(program: &Program) -> Vec<Definition> {
    // A test reads the prelude.
    let Ok(prelude) = parse(TEXT) else {
        return Vec::new();
    };
    let own = &program.definitions;
    let differs = |definition: &Definition| {
        let is_type = !matches!(definition, Definition::Function(..));
        let names = defined(definition);
        let clashes = own
            .iter()
            .any(|own| own != definition && defined(own).iter().any(|name| names.contains(name)));
        is_type && clashes
    };
    if prelude.definitions.iter().any(differs) {
        return Vec::new();
    }
    let mut known: HashSet<String> = own.iter().flat_map(defined).collect();
    let mut open: Vec<String> = own.iter().flat_map(references).collect();
    let mut taken = HashSet::new();
    while let Some(name) = open.pop() {
        if !known.insert(name.clone()) {
            continue;
        }
        let found = prelude
            .definitions
            .iter()
            .position(|definition| defined(definition).contains(&name));
        if let Some(index) = found.filter(|index| taken.insert(*index)) {
            let definition = &prelude.definitions[index];
            known.extend(defined(definition));
            open.extend(references(definition));
        }
    }
    let all = prelude.definitions.into_iter().enumerate();
    all.filter(|(index, _)| taken.contains(index))
        .map(|(_, definition)| definition)
        .collect()
}
