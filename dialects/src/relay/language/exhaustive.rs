//! Whether some arm of a match takes each value.
//!
//! Patterns are the rows of a matrix, what they stand for its columns. The first column is taken apart by the
//! constructors of its type, until no column is left (L. Maranget, Warnings for pattern matching, 2007).

use super::{adt::TypeDef, pattern::Pattern};
use crate::ir::{Op, Type};

/// The most matrices that are looked at: the question is NP-hard, and programs of people need a few.
const MOST_STEPS: usize = 100_000;

/// A value that no pattern takes, as a pattern; none if there is no such value.
///
/// # Errors
/// If the patterns are too many to find out.
pub(super) fn uncovered(
    patterns: &[Pattern],
    ty: Type,
    module: Op,
) -> Result<Option<String>, String> {
    let rows = patterns.iter().map(|pattern| vec![pattern]).collect();
    let mut search = Search {
        module,
        steps: MOST_STEPS,
    };
    let example = search.missing(rows, &[ty])?;
    Ok(example.and_then(|mut columns| columns.pop()))
}

type Row<'p> = Vec<&'p Pattern>;

struct Search {
    module: Op,
    steps: usize,
}

impl Search {
    /// Values for the columns that no row takes.
    fn missing(
        &mut self,
        rows: Vec<Row<'_>>,
        types: &[Type],
    ) -> Result<Option<Vec<String>>, String> {
        self.steps = self.steps.checked_sub(1).ok_or(
            "has too many patterns to find out whether one takes each value; add an arm for all others, `_`",
        )?;
        let Some((first, rest)) = types.split_first() else {
            return Ok(rows.is_empty().then(Vec::new));
        };
        let parted = rows
            .iter()
            .any(|row| !matches!(row[0], Pattern::Wildcard | Pattern::Name(_)));
        if !parted {
            let tails = rows.into_iter().map(|row| row[1..].to_vec()).collect();
            let example = self.missing(tails, rest)?;
            return Ok(example.map(|tail| [vec!["_".to_owned()], tail].concat()));
        }
        for (name, fields) in self.constructors(*first) {
            let count = fields.len();
            let rows = rows
                .iter()
                .filter_map(|row| specialize(row, &name, count))
                .collect();
            if let Some(mut example) = self.missing(rows, &[&fields[..], rest].concat())? {
                let tail = example.split_off(count);
                let whole = format!("{name}({})", example.join(", "));
                return Ok(Some([vec![whole], tail].concat()));
            }
        }
        Ok(None)
    }

    /// The ways to make values of a type: names as patterns print them, and the types of the fields.
    fn constructors(&self, ty: Type) -> Vec<(String, Vec<Type>)> {
        if let Some(fields) = ty.fields() {
            return vec![(String::new(), fields)];
        }
        let Some((name, arguments)) = ty.as_adt() else {
            return Vec::new();
        };
        let Some(definition) = TypeDef::find(self.module, &name) else {
            return Vec::new();
        };
        let constructors = definition.constructors.iter().enumerate();
        constructors
            .map(|(tag, constructor)| {
                let fields = definition.fields(tag, &arguments);
                (format!("@{name}::@{}", constructor.name), fields)
            })
            .collect()
    }
}

/// The row for values that a constructor with `count` fields makes; none if it takes no such value.
fn specialize<'p>(row: &Row<'p>, constructor: &str, count: usize) -> Option<Row<'p>> {
    const ANY: &Pattern = &Pattern::Wildcard;
    let fields: Row<'p> = match row[0] {
        Pattern::Wildcard | Pattern::Name(_) => vec![ANY; count],
        Pattern::Tuple(fields) => fields.iter().collect(),
        Pattern::Constructor { of, name, fields } => {
            (format!("@{of}::@{name}") == constructor).then(|| fields.iter().collect())?
        }
    };
    Some([&fields[..], &row[1..]].concat())
}
