//! Ways to schedule a stage: what can be chosen, what each choice is expected to take, and its primitives.
//!
//! A template looks at expressions and shapes when it is made, and writes nothing. Its space holds legal
//! choices only, in an order that is the same for the same function and machine; its cost asks
//! [`cost`](super::cost), and only [`Template::emit`] writes. So a schedule is the cheapest of its space, a
//! tuner measures some others, and a test looks at all of them.

pub mod amx;
pub mod amx_attention;
pub mod attention;
pub mod blockwise_attention;
pub mod columns;
pub mod dense_blocks;
pub mod depthwise_conv;
pub mod gpu;
pub mod injective;
pub mod packed_conv;
pub mod plain_conv;
pub mod pool;
pub mod product;
pub mod rows;
pub mod transpose;
pub mod winograd;

use super::{
    Machine,
    cost::{Cycles, sizes::mean_over_sizes},
};
use amx::Amx;
use amx_attention::AmxAttention;
use attention::Attention;
use blockwise_attention::BlockwiseAttention;
use columns::Columns;
use dense_blocks::DenseBlocks;
use depthwise_conv::DepthwiseConv;
use injective::Injective;
use packed_conv::PackedConv;
use plain_conv::PlainConv;
use pool::Pool;
use product::Product;
use relay_dialects::{ir::Value, te::build::ScheduleBuilder};
use rows::Rows;
use std::fmt;
use transpose::Transpose;
use winograd::Winograd;

/// What the reference says about a template.
#[derive(Clone, Copy, Debug)]
pub struct Doc {
    /// The first word of its choices, in tools and records: the path of its file in kebab case.
    pub name: &'static str,
    /// The stages that it schedules.
    pub applies: &'static str,
    /// Its loop orders.
    pub ways: &'static [Way],
}

/// A loop order of a template.
#[derive(Clone, Copy, Debug)]
pub struct Way {
    /// The knobs that it has; empty if there is no choice.
    pub knobs: &'static str,
    /// Its loops, outermost first.
    pub loops: &'static str,
    /// Its working set at each level of the memory hierarchy.
    pub kept: &'static str,
}

/// What the reference says about each template.
pub const DOCS: &[Doc] = &[
    PackedConv::DOC,
    DepthwiseConv::DOC,
    PlainConv::DOC,
    Winograd::DOC,
    Product::DOC,
    DenseBlocks::DOC,
    Amx::DOC,
    Attention::DOC,
    AmxAttention::DOC,
    BlockwiseAttention::DOC,
    Rows::DOC,
    Columns::DOC,
    Pool::DOC,
    Transpose::DOC,
    Injective::DOC,
    gpu::attention::Attention::DOC,
    gpu::elementwise::Elementwise::DOC,
    gpu::matrix::MatrixProduct::DOC,
    gpu::product::Product::DOC,
    gpu::reduce::Reduce::DOC,
    gpu::rows::Rows::DOC,
    gpu::transpose::Transpose::DOC,
    gpu::window::Window::DOC,
];

/// A way to schedule some stages.
pub trait Template {
    /// What can be chosen; its text is what tools and records know a choice by.
    type Knobs: fmt::Display;

    /// Its name and its rows in the reference.
    const DOC: Doc;

    /// The legal choices: at least one.
    fn space(&self, machine: Machine) -> Vec<Self::Knobs>;

    /// What the stages are expected to take.
    fn cost(&self, knobs: &Self::Knobs, machine: Machine) -> Cycles;

    /// Writes the primitives.
    fn emit(&self, knobs: &Self::Knobs, s: &ScheduleBuilder, machine: Machine);
}

/// One of the choices of a template.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The template and its knobs, such as `packed-conv columns=14 blocks=2 order=rows`.
    pub knobs: String,
    /// What it is expected to take.
    pub cycles: Cycles,
    /// Its place in the template's space.
    pub(super) place: usize,
}

/// A template with its knobs as text.
pub trait AnyTemplate {
    /// All choices, cheapest first; of equally cheap ones the first of the space is before.
    fn candidates(&self, machine: Machine) -> Vec<Candidate>;

    /// Writes the primitives of the choice at this place of the space.
    fn emit_place(&self, place: usize, s: &ScheduleBuilder, machine: Machine);
}

impl<T: Template> AnyTemplate for T {
    fn candidates(&self, machine: Machine) -> Vec<Candidate> {
        let space = self.space(machine);
        let mut all: Vec<Candidate> = (space.iter().enumerate())
            .map(|(place, knobs)| Candidate {
                knobs: format!("{} {knobs}", T::DOC.name).trim_end().to_owned(),
                cycles: mean_over_sizes(|| self.cost(knobs, machine)),
                place,
            })
            .collect();
        all.sort_by(|a, b| a.cycles.compare(&b.cycles));
        all
    }

    fn emit_place(&self, place: usize, s: &ScheduleBuilder, machine: Machine) {
        if let Some(knobs) = self.space(machine).get(place) {
            self.emit(knobs, s, machine);
        }
    }
}

/// Keeps a tile in registers: the innermost loops of a stage. The last one is of the lanes of a vector, the others are written out.
fn in_registers(s: &ScheduleBuilder, tile: &[Value]) {
    if let Some((lane, others)) = tile.split_last() {
        others.iter().for_each(|axis| s.unroll(*axis));
        s.vectorize(*lane);
    }
}

/// The knobs of a template that leaves nothing to choose.
pub struct Fixed;

impl fmt::Display for Fixed {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{collections::BTreeSet, fs, io, path::Path};

    #[test]
    fn each_file_is_a_template_with_a_doc() -> io::Result<()> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/schedule/templates");
        let mut files = BTreeSet::new();
        for (under, before) in [("", ""), ("gpu", "gpu/")] {
            for entry in fs::read_dir(folder.join(under))? {
                let path = entry?.path();
                let stem = path.file_stem().unwrap_or_default().to_string_lossy();
                if path.is_file() && stem != "mod" {
                    files.insert(before.to_owned() + &stem.replace('_', "-"));
                }
            }
        }
        let names: BTreeSet<String> = DOCS.iter().map(|doc| doc.name.to_owned()).collect();
        assert_eq!(names, files);
        assert_eq!(DOCS.len(), names.len());
        Ok(())
    }
}
