//! What may be chosen for an operator, and who chooses: the cost model, or a record of what a tuner measured.

use super::neighbours::{Readers, pairs};
use crate::graph::operators::is_foldable;
use relay_dialects::ir::Op;
use relay_tune::{Database, operator};
use std::{
    cell::RefCell,
    collections::{HashMap, HashSet},
    fmt,
};

/// How an operator is laid out and computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// A convolution on channels in blocks.
    Blocks {
        /// The channels of the result that one block holds.
        block: i64,
        /// How it is computed on them.
        algorithm: Algorithm,
    },
    /// A dense layer whose weight is put into blocks of its units.
    Packed,
    /// A convolution of plain channels, or a product that reads the rows of its second operand as they lie.
    Plain,
    /// A product whose elements are dot products of rows.
    Dots,
}

/// How a convolution on channels in blocks is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// Each channel on its own.
    Depthwise,
    /// Sums over the channels and the window.
    Direct,
    /// Sums over the channels alone, of pixels in so many rows.
    Rows(i64),
    /// Winograd's, on tiles of so many rows and columns.
    Winograd(i64),
}

impl fmt::Display for Algorithm {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Depthwise => formatter.write_str("depthwise"),
            Self::Direct => formatter.write_str("direct"),
            Self::Rows(rows) => write!(formatter, "rows={rows}"),
            Self::Winograd(tile) => write!(formatter, "winograd={tile}"),
        }
    }
}

/// As records and remarks write it.
impl fmt::Display for Choice {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Blocks { block, algorithm } => write!(formatter, "block={block} {algorithm}"),
            Self::Packed => formatter.write_str("blocks"),
            Self::Plain => formatter.write_str("plain"),
            Self::Dots => formatter.write_str("dots"),
        }
    }
}

/// An operator that the pass decides about.
#[derive(Clone, Debug)]
pub struct Operator {
    /// What it computes, as records say it: [`operator::text`].
    pub text: String,
    /// The choices that there are, the default first.
    pub alternatives: Vec<String>,
    /// The model's nodes that it computes, of all operators with this text.
    pub nodes: Vec<String>,
    /// How many operators have this text.
    pub count: usize,
}

/// Operators that the pass decides about, equal ones once, and those that what is chosen for one may concern.
#[derive(Clone, Debug, Default)]
pub struct Operators {
    /// The operators.
    pub all: Vec<Operator>,
    /// Pairs of places in the list, the smaller one first: one reads what the other makes, or both are read together.
    pub neighbours: HashSet<(usize, usize)>,
}

/// Chooses, and writes down what there was to choose.
#[derive(Default)]
pub struct Chooser<'d> {
    records: Option<(&'d Database, &'d str)>,
    met: RefCell<Met>,
}

/// What was met, and which of those each op is.
#[derive(Default)]
struct Met {
    operators: Operators,
    by_text: HashMap<String, usize>,
    by_op: HashMap<Op, usize>,
}

impl<'d> Chooser<'d> {
    /// One that follows the records of a machine.
    pub fn of_records(database: &'d Database, machine: &'d str) -> Self {
        Self {
            records: Some((database, machine)),
            ..Self::default()
        }
    }

    /// What an operator becomes: the first of its alternatives, or the one that a record names. None if there are none.
    pub fn choose(&self, op: Op, alternatives: &[Choice]) -> Option<Choice> {
        let first = *alternatives.first()?;
        if alternatives.len() == 1 && self.records.is_none() {
            return Some(first);
        }
        let text = operator::text(op, is_foldable);
        let chosen = self.recorded(op, &text, alternatives);
        if alternatives.len() > 1 {
            self.met.borrow_mut().take(op, text, alternatives);
        }
        Some(chosen.unwrap_or(first))
    }

    fn recorded(&self, op: Op, text: &str, alternatives: &[Choice]) -> Option<Choice> {
        let (database, machine) = self.records?;
        let record = database.layout_of(text, machine)?;
        let wanted = record.choice.as_deref()?;
        let found = alternatives
            .iter()
            .find(|choice| choice.to_string() == wanted);
        let said = match found {
            Some(_) => format!("gets the layout of a record: {wanted}"),
            None => {
                let texts: Vec<String> = alternatives.iter().map(Choice::to_string).collect();
                format!(
                    "the layout of a record does not apply: {wanted} is none of {}",
                    texts.join(", ")
                )
            }
        };
        op.emit_remark("records", &op.name(), &said);
        found.copied()
    }

    /// Notes which operators of a block are neighbours, after all were chosen for.
    pub fn meet(&self, readers: &Readers) {
        let mut met = self.met.borrow_mut();
        let found = pairs(readers, |op| met.by_op.get(&op).copied());
        met.operators.neighbours.extend(found);
        met.by_op.clear();
    }

    /// What was met.
    pub fn into_operators(self) -> Operators {
        self.met.into_inner().operators
    }
}

impl Met {
    fn take(&mut self, op: Op, text: String, alternatives: &[Choice]) {
        let all = &mut self.operators.all;
        let place = *self.by_text.entry(text.clone()).or_insert(all.len());
        if place == all.len() {
            all.push(Operator {
                text,
                alternatives: alternatives.iter().map(Choice::to_string).collect(),
                nodes: Vec::new(),
                count: 0,
            });
        }
        all[place].nodes.extend(op.loc().names());
        all[place].count += 1;
        self.by_op.insert(op, place);
    }
}
