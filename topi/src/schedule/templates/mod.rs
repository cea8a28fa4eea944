//! Ways to schedule a stage: what can be chosen, what each choice is expected to take, and its primitives.
//!
//! A template looks at expressions and shapes when it is made, and writes nothing. Its space holds legal
//! choices only, in an order that is the same for the same function and machine; its cost asks
//! [`cost`](super::cost), and only [`Template::emit`] writes. So a schedule is the cheapest of its space, a
//! tuner measures some others, and a test looks at all of them.

pub mod amx;
pub mod amx_attention;
pub mod attention;
pub mod columns;
pub mod depthwise_conv;
pub mod injective;
pub mod packed_conv;
pub mod plain_conv;
pub mod pool;
pub mod product;
pub mod rows;
pub mod transpose;
pub mod winograd;

use super::{Machine, cost::Cycles};
use relay_dialects::te::build::ScheduleBuilder;
use std::fmt;

/// A way to schedule some stages.
pub trait Template {
    /// What can be chosen; its text is what tools and records know a choice by.
    type Knobs: fmt::Display;

    /// What it is called.
    fn name(&self) -> &'static str;

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
                knobs: format!("{} {knobs}", self.name()).trim_end().to_owned(),
                cycles: self.cost(knobs, machine),
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

/// The knobs of a template that leaves nothing to choose.
pub struct Fixed;

impl fmt::Display for Fixed {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}
