//! Names: of inputs and outputs, of which no two may be equal, and lists of names in messages.

use std::collections::HashSet;

/// The names that are taken.
#[derive(Default)]
pub struct Names(HashSet<String>);

impl Names {
    /// Takes a name. If it is taken already, a separator and a number follow it.
    pub fn unique(&mut self, name: &str, separator: char) -> String {
        let mut unique = name.to_owned();
        let mut number = 1;
        while !self.0.insert(unique.clone()) {
            unique = format!("{name}{separator}{number}");
            number += 1;
        }
        unique
    }

    /// Whether a name is taken.
    pub fn has(&self, name: &str) -> bool {
        self.0.contains(name)
    }
}

impl FromIterator<String> for Names {
    fn from_iter<I: IntoIterator<Item = String>>(names: I) -> Self {
        Self(names.into_iter().collect())
    }
}

/// Names for a message: `'a', 'b'`.
pub fn quoted<'n>(names: impl IntoIterator<Item = &'n str>) -> String {
    let names = names.into_iter().map(|name| format!("'{name}'"));
    names.collect::<Vec<String>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::Names;

    #[test]
    fn a_number_makes_no_name_that_is_taken() {
        let mut names = Names::default();
        let all = ["a", "a_1", "a", "a"].map(|name| names.unique(name, '_'));
        assert_eq!(all, ["a", "a_1", "a_2", "a_3"]);
    }
}
