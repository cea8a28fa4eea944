//! Rules that derive sketches: Ansor's (Zheng et al., OSDI 2020, table 1), and whoever else's.
//!
//! Stages are visited from the last one to the first. At each, rules are asked in order; the sketches that those
//! give which apply take the place of the one that they were asked about.

use super::{
    form::{Form, Sketch, Tail},
    graph::Graph,
};
use relay_topi::{Machine, cost};

/// What rules decide from.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// The stages.
    pub graph: &'a Graph,
    /// The machine.
    pub machine: Machine,
}

/// Whether a rule applies to a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// It does not.
    Skip,
    /// It does, and so may others.
    Apply,
    /// It does, and no rule after it is asked.
    ApplyAlone,
}

/// A rule that derives sketches.
pub trait Rule {
    /// Whether it applies to a stage of a sketch in which all stages after it are decided.
    fn condition(&self, context: Context<'_>, sketch: &Sketch, stage: usize) -> Condition;

    /// The sketches that it makes, in each of which the stage is decided.
    fn apply(&self, context: Context<'_>, sketch: &Sketch, stage: usize) -> Vec<Sketch>;
}

/// More sketches than this are not derived. Functions of a model have some ten stages, of which few leave a choice.
const MOST_SKETCHES: usize = 64;

/// The sketches of a graph by some rules, which come before Ansor's.
pub fn derive(context: Context<'_>, first: &[Box<dyn Rule>]) -> Vec<Sketch> {
    let own = own();
    let rules: Vec<&dyn Rule> = first.iter().chain(&own).map(Box::as_ref).collect();
    let count = context.graph.stages.len();
    let mut sketches = vec![Sketch::open(count)];
    for stage in (0..count).rev() {
        let next = sketches.iter();
        let next = next.flat_map(|sketch| step(context, &rules, sketch, stage));
        sketches = next.take(MOST_SKETCHES).collect();
    }
    sketches
}

/// The sketches that rules make of one, at a stage.
fn step(context: Context<'_>, rules: &[&dyn Rule], sketch: &Sketch, stage: usize) -> Vec<Sketch> {
    if sketch.forms[stage] != Form::Open {
        return vec![sketch.clone()];
    }
    let mut found = Vec::new();
    for rule in rules {
        let condition = rule.condition(context, sketch, stage);
        if condition != Condition::Skip {
            found.extend(rule.apply(context, sketch, stage));
        }
        if condition == Condition::ApplyAlone {
            break;
        }
    }
    found
}

/// Ansor's rules, in its order but for one: tiling with a consumer comes before the copy, which is made where there is no consumer.
fn own() -> Vec<Box<dyn Rule>> {
    vec![
        Box::new(AlwaysInline),
        Box::new(SimplifyConstants),
        Box::new(AddRfactor),
        Box::new(TileWithConsumer),
        Box::new(AddCacheWrite),
        Box::new(MultiLevelTiling),
        Box::new(SkipStage),
    ]
}

/// What costs nothing where it is read becomes part of its readers.
struct AlwaysInline;

impl Rule for AlwaysInline {
    fn condition(&self, context: Context<'_>, sketch: &Sketch, stage: usize) -> Condition {
        let graph = context.graph;
        let node = &graph.stages[stage];
        let elements = node.elements();
        let mut reads = graph.reads_of(stage).peekable();
        if node.is_returned || node.reduces() || node.results != 1 || reads.peek().is_none() {
            return Condition::Skip;
        }
        let (mut pointwise, mut again) = (true, false);
        for (reader, read) in reads {
            let reader = &graph.stages[reader];
            pointwise &= read.is_pointwise;
            again |= reader.reduces() && reader.work() > elements;
        }
        let is_cheap = !node.is_costly && !node.has_branches && !again;
        let few = {
            let is_inlined = |reader: usize| sketch.forms[reader] == Form::Inlined;
            graph.evaluations(stage, &is_inlined) <= cost::MOST_INLINED
        };
        match (pointwise || is_cheap) && few {
            true => Condition::ApplyAlone,
            false => Condition::Skip,
        }
    }

    fn apply(&self, _: Context<'_>, sketch: &Sketch, stage: usize) -> Vec<Sketch> {
        vec![sketch.with(stage, Form::Inlined)]
    }
}

/// Axes that choose among constants are unrolled, so that the choice is made by the compiler.
struct SimplifyConstants;

impl Rule for SimplifyConstants {
    fn condition(&self, context: Context<'_>, _: &Sketch, stage: usize) -> Condition {
        let node = &context.graph.stages[stage];
        match node.choosing.is_empty() || node.reduces() {
            true => Condition::Skip,
            false => Condition::ApplyAlone,
        }
    }

    fn apply(&self, _: Context<'_>, sketch: &Sketch, stage: usize) -> Vec<Sketch> {
        vec![sketch.with(stage, Form::Unrolled)]
    }
}

/// Reductions with few results, or of what lies together, make partial results of their reduce axes.
struct AddRfactor;

/// With so many results for each thread, threads share these.
const RESULTS_OF_THREAD: i64 = 16;

/// Whether threads should share the terms of a stage's results.
pub(super) fn has_few_results(context: Context<'_>, stage: usize) -> bool {
    let node = &context.graph.stages[stage];
    let (elements, terms) = (node.elements(), node.terms());
    let is_worth = cost::is_worth_sharing(node.work() / context.machine.block());
    is_worth && elements <= terms && elements < context.machine.threads * RESULTS_OF_THREAD
}

impl Rule for AddRfactor {
    fn condition(&self, context: Context<'_>, _: &Sketch, stage: usize) -> Condition {
        let node = &context.graph.stages[stage];
        let has_lanes = node.reduces_rows() && node.terms() >= cost::MIN_LANES;
        if !node.reduces() || !(has_lanes || has_few_results(context, stage)) {
            return Condition::Skip;
        }
        // One term after the other is one of the ways to make partial results: none.
        match keeps_tile(context, stage) {
            true => Condition::Apply,
            false => Condition::ApplyAlone,
        }
    }

    fn apply(&self, _: Context<'_>, sketch: &Sketch, stage: usize) -> Vec<Sketch> {
        vec![sketch.with(stage, Form::Factored)]
    }
}

/// Whether a tile of a reduction's results should be kept in registers.
fn keeps_tile(context: Context<'_>, stage: usize) -> bool {
    let node = &context.graph.stages[stage];
    !node.shape.is_empty() && node.reduces() && (node.has_reuse() || node.reads_rows())
}

/// A tile of results is in registers while the stage that reads it element by element computes its own.
struct TileWithConsumer;

impl Rule for TileWithConsumer {
    fn condition(&self, context: Context<'_>, sketch: &Sketch, stage: usize) -> Condition {
        let consumer = sketch.consumer(context.graph, stage);
        match keeps_tile(context, stage) && consumer.is_some() {
            true => Condition::ApplyAlone,
            false => Condition::Skip,
        }
    }

    fn apply(&self, context: Context<'_>, sketch: &Sketch, stage: usize) -> Vec<Sketch> {
        let consumer = sketch.consumer(context.graph, stage);
        let fused = consumer.map(|consumer| {
            sketch
                .with(stage, Form::Tiled(Tail::Consumer(consumer)))
                .with(consumer, Form::Consumer(stage))
        });
        fused.into_iter().collect()
    }
}

/// A tile of results that nothing reads element by element is in registers, and then copied. Without the copy the
/// results would be sums in memory that others see, which are never kept in registers.
struct AddCacheWrite;

impl Rule for AddCacheWrite {
    fn condition(&self, context: Context<'_>, _: &Sketch, stage: usize) -> Condition {
        match keeps_tile(context, stage) {
            true => Condition::ApplyAlone,
            false => Condition::Skip,
        }
    }

    fn apply(&self, _: Context<'_>, sketch: &Sketch, stage: usize) -> Vec<Sketch> {
        vec![sketch.with(stage, Form::Tiled(Tail::Copy))]
    }
}

/// What does not reduce, and reads each of several operands again and again, may be computed by tiles: it gains little.
struct MultiLevelTiling;

impl Rule for MultiLevelTiling {
    fn condition(&self, context: Context<'_>, _: &Sketch, stage: usize) -> Condition {
        let node = &context.graph.stages[stage];
        match !node.reduces() && node.has_reuse() {
            true => Condition::Apply,
            false => Condition::Skip,
        }
    }

    fn apply(&self, _: Context<'_>, sketch: &Sketch, stage: usize) -> Vec<Sketch> {
        vec![sketch.with(stage, Form::Tiled(Tail::Itself))]
    }
}

/// A stage has loops of its own, and the annotation says where these stand.
struct SkipStage;

impl Rule for SkipStage {
    fn condition(&self, _: Context<'_>, _: &Sketch, _: usize) -> Condition {
        Condition::Apply
    }

    fn apply(&self, _: Context<'_>, sketch: &Sketch, stage: usize) -> Vec<Sketch> {
        vec![sketch.with(stage, Form::Plain)]
    }
}
