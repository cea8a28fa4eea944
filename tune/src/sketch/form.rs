//! Sketches: what becomes of each stage, sizes and places left open.

use super::graph::Graph;
use std::collections::BTreeSet;

/// What becomes of each stage of a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sketch {
    /// One form for each stage.
    pub forms: Vec<Form>,
}

/// What becomes of a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Not decided yet.
    Open,
    /// It is part of its readers.
    Inlined,
    /// It has loops of its own; the annotation says where they stand.
    Plain,
    /// As a plain one; the axes that choose among constants are unrolled.
    Unrolled,
    /// It is computed by tiles, in loops SSRSRS: four levels over its data axes, two over its reduce axes.
    Tiled(Tail),
    /// Its loops are those of the tiles of the stage that it reads.
    Consumer(usize),
    /// Reduce axes are data axes of partial results, which are then reduced.
    Factored,
}

/// What a tile is written by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tail {
    /// The stage itself.
    Itself,
    /// A copy from where it was accumulated.
    Copy,
    /// The stage that reads it.
    Consumer(usize),
}

impl Sketch {
    /// A sketch in which nothing is decided.
    pub fn open(stages: usize) -> Self {
        Self {
            forms: vec![Form::Open; stages],
        }
    }

    /// With a stage decided.
    pub fn with(&self, stage: usize, form: Form) -> Self {
        let mut sketch = self.clone();
        sketch.forms[stage] = form;
        sketch
    }

    /// The one stage that reads another element by element, by way of inlined ones or not, and whose loops are its own.
    pub fn consumer(&self, graph: &Graph, stage: usize) -> Option<usize> {
        if graph.stages[stage].is_returned || graph.stages[stage].results != 1 {
            return None;
        }
        let (mut ends, mut open) = (BTreeSet::new(), vec![stage]);
        let mut seen = BTreeSet::new();
        while let Some(producer) = open.pop() {
            for (reader, read) in graph.reads_of(producer) {
                let node = &graph.stages[reader];
                if !read.is_pointwise || node.reduces() || node.results != 1 {
                    return None;
                }
                match self.forms[reader] {
                    Form::Inlined if seen.insert(reader) => open.push(reader),
                    Form::Inlined => {}
                    Form::Plain => drop(ends.insert(reader)),
                    _ => return None,
                }
            }
        }
        let mut ends = ends.into_iter();
        ends.next().filter(|_| ends.next().is_none())
    }
}
