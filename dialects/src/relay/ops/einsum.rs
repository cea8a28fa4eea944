//! Sums of products, in Einstein's notation.

use super::columns::*;
use crate::{
    dim::{self, Dim},
    relay::{Attrs, Call, TensorType},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

/// The family's row.
pub const ROWS: &[Row] = &[Row::new(
    "einsum",
    OutElemwiseFusable,
    NUMBERS,
    Sums,
    einsum,
)];

/// The label of an axis.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Label {
    /// An axis that three dots stand for; 0 is the last one of them.
    Dots(usize),
    /// A letter.
    Letter(char),
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Dots(_) => f.write_str("..."),
            Self::Letter(letter) => write!(f, "{letter}"),
        }
    }
}

/// What is multiplied, and the axes of the result.
pub struct Equation {
    /// The labels of each term.
    pub terms: Vec<Vec<Label>>,
    /// Those of the result.
    pub result: Vec<Label>,
}

impl Equation {
    /// Reads `ij,jk->ik`, for terms of these ranks.
    ///
    /// # Errors
    /// If it does not read, or does not fit the ranks.
    pub fn parse(text: &str, ranks: &[usize]) -> Result<Self, String> {
        let dense: String = text.split_whitespace().collect();
        let (terms, result) = match dense.split_once("->") {
            Some((terms, result)) => (terms, Some(result)),
            None => (&dense[..], None),
        };
        let terms: Vec<&str> = terms.split(',').collect();
        if terms.len() != ranks.len() {
            let (terms, inputs) = (terms.len(), ranks.len());
            return Err(format!(
                "it has {terms} terms, and the operator {inputs} operands"
            ));
        }
        let read = |(text, &rank): (&str, &usize)| {
            let written = Written::read(text)?;
            let dots = written.dots_of(rank);
            let dots =
                dots.ok_or_else(|| format!("'{text}' does not fit an operand of rank {rank}"));
            Ok(written.labels(dots?))
        };
        let terms = terms.into_iter().zip(ranks).map(read);
        let terms: Vec<Vec<Label>> = terms.collect::<Result<_, String>>()?;
        let all = || terms.iter().flatten().copied();
        let dots = all().filter(|label| matches!(label, Label::Dots(_)));
        let dots: BTreeSet<Label> = dots.collect();
        let result = match result {
            Some(result) => Written::read(result)?.labels(dots.len()),
            None => {
                let once = |label: &Label| all().filter(|other| other == label).count() == 1;
                let letters: BTreeSet<Label> =
                    all().filter(|it| matches!(it, Label::Letter(_))).collect();
                dots.into_iter()
                    .rev()
                    .chain(letters.into_iter().filter(once))
                    .collect()
            }
        };
        if let Some(label) = result.iter().find(|label| !all().any(|it| it == **label)) {
            return Err(format!("no term has the label {label} of the result"));
        }
        let distinct: BTreeSet<&Label> = result.iter().collect();
        if distinct.len() < result.len() {
            return Err("the result repeats a label".into());
        }
        Ok(Self { terms, result })
    }
}

/// The labels of a term as they are written: letters, with or without three dots among them.
struct Written<'t> {
    before: &'t str,
    /// The letters behind the dots; `None` without dots.
    behind: Option<&'t str>,
}

impl<'t> Written<'t> {
    fn read(text: &'t str) -> Result<Self, String> {
        let (before, behind) = match text.split_once("...") {
            Some((before, behind)) => (before, Some(behind)),
            None => (text, None),
        };
        let mut letters = before.chars().chain(behind.unwrap_or_default().chars());
        match letters.find(|letter| !letter.is_ascii_alphabetic()) {
            Some(other) => Err(format!("'{other}' is no label")),
            None => Ok(Self { before, behind }),
        }
    }

    /// How many axes the dots stand for in a term of this rank; `None` if the term does not fit it.
    fn dots_of(&self, rank: usize) -> Option<usize> {
        let letters = self.before.len() + self.behind.map_or(0, str::len);
        let dots = rank.checked_sub(letters)?;
        (dots == 0 || self.behind.is_some()).then_some(dots)
    }

    /// The labels, where dots stand for so many axes.
    fn labels(&self, dots: usize) -> Vec<Label> {
        let mut labels: Vec<Label> = self.before.chars().map(Label::Letter).collect();
        if let Some(behind) = self.behind {
            labels.extend((0..dots).rev().map(Label::Dots));
            labels.extend(behind.chars().map(Label::Letter));
        }
        labels
    }
}

/// The sums of an operator: its equation, and the extent of each label.
pub struct Sums {
    /// The equation.
    pub equation: Equation,
    /// The extent of each label.
    pub extents: BTreeMap<Label, Dim>,
}

impl Sums {
    /// Reads the equation of operands of these shapes.
    ///
    /// # Errors
    /// If they do not fit each other.
    pub fn read(attrs: &Attrs, shapes: &[Vec<Dim>]) -> Result<Self, String> {
        let text = attrs.str("equation")?;
        let ranks: Vec<usize> = shapes.iter().map(Vec::len).collect();
        let equation = Equation::parse(&text, &ranks)
            .map_err(|reason| format!("equation '{text}': {reason} (C1)"))?;
        let mut extents = BTreeMap::new();
        let axes = equation.terms.iter().zip(shapes);
        for (&label, &extent) in axes.flat_map(|(labels, shape)| labels.iter().zip(shape)) {
            let known = extents.entry(label).or_insert(extent);
            let before = *known;
            *known = dim::broadcast(before, extent).ok_or_else(|| {
                format!("the label {label} has extents {before} and {extent} (C3)")
            })?;
        }
        Ok(Self { equation, extents })
    }
}

fn einsum(call: &Call) -> Result<Vec<TensorType>, String> {
    let [first, rest @ ..] = &call.inputs[..] else {
        return Err("it has no operands (C1)".into());
    };
    if let Some(other) = rest.iter().find(|ty| ty.element != first.element) {
        return Err(format!(
            "element types {} and {} differ (C2)",
            first.element, other.element
        ));
    }
    let shapes: Vec<Vec<Dim>> = call.inputs.iter().map(|ty| ty.shape.clone()).collect();
    let sums = Sums::read(&call.attrs, &shapes)?;
    let extent = |label: &Label| sums.extents.get(label).copied().unwrap_or(Dim::Unknown);
    let shape: Vec<Dim> = sums.equation.result.iter().map(extent).collect();
    Ok(vec![TensorType::new(shape, first.element)])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, ranks: &[usize]) -> Result<String, String> {
        let Equation { terms, result } = Equation::parse(text, ranks)?;
        let text = |labels: &Vec<Label>| labels.iter().map(Label::to_string).collect::<String>();
        let terms: Vec<String> = terms.iter().map(text).collect();
        Ok(format!("{}->{}", terms.join(","), text(&result)))
    }

    #[test]
    fn what_is_left_out_is_what_appears_once() {
        let same = [
            ("ij, jk -> ik", &[2, 2][..], "ij,jk->ik"),
            ("ij,jk", &[2, 2], "ij,jk->ik"),
            ("bA", &[2], "bA->Ab"),
            ("ii", &[2], "ii->"),
            ("...ij,jk", &[4, 2], "......ij,jk->......ik"),
            ("i...->...", &[1], "i->"),
            (",i->i", &[0, 1], ",i->i"),
        ];
        for (text, ranks, expected) in same {
            assert_eq!(read(text, ranks), Ok(expected.into()), "{text}");
        }
    }

    #[test]
    fn what_does_not_fit_is_said() {
        let wrong = [
            (
                "ij,jk->ik",
                &[2][..],
                "it has 2 terms, and the operator 1 operands",
            ),
            ("ij->i", &[3], "'ij' does not fit an operand of rank 3"),
            (
                "ij...->i",
                &[1],
                "'ij...' does not fit an operand of rank 1",
            ),
            ("ij->ik", &[2], "no term has the label k of the result"),
            ("ij->ii", &[2], "the result repeats a label"),
            ("i1->i", &[2], "'1' is no label"),
            ("i->...i->i", &[1], "is no label"),
        ];
        for (text, ranks, expected) in wrong {
            let error = read(text, ranks).expect_err(text);
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
