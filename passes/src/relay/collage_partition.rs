//! `collage-partition`: who computes what, so that all of it takes the least time.

mod candidates;
mod costs;
mod cover;
mod scratch;

use super::{
    fuse_ops::blocks_inside,
    merge_composite::{BUILT_IN, of_target},
};
use crate::{
    graph::operators::functions,
    machine::machine,
    pattern::{group::Group, rules::RuleSet},
    relay::fold_constant::CACHE,
};
use candidates::{Candidate, Candidates, Node, are_static};
use costs::{Costs, place};
use cover::{Cover, Part, cheapest};
use relay_dialects::{
    attrs::COMPOSITE,
    inferred,
    ir::{Block, Op},
    ops::builtin,
    pass::{Default, OptionSpec, Options, PassFailed, PassResult, PassSpec, fail},
};
use relay_topi::Machine;
use std::{
    collections::{BTreeMap, HashSet},
    time::Duration,
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "collage-partition",
    summary: "choose between external code generators and this compiler by time",
    description: include_str!("collage_partition.md"),
    anchor: builtin::Module::NAME,
    options: &[
        OptionSpec {
            name: "targets",
            summary: "the built-in code generators to choose from, separated by commas: c,dnnl",
            default: Default::Str(""),
        },
        OptionSpec {
            name: "rules",
            summary: "rule files of other code generators, separated by commas",
            default: Default::Str(""),
        },
        OptionSpec {
            name: "plugins",
            summary: "their libraries, separated by commas",
            default: Default::Str(""),
        },
        OptionSpec {
            name: "costs",
            summary: "a file of costs in JSON: nanoseconds by names of rules, of code generators, or host; other \
                      pieces are measured",
            default: Default::Str(""),
        },
        OptionSpec {
            name: "margin",
            summary: "the percentage by which an external code generator must be faster, for measured times",
            default: Default::Int(5),
        },
        OptionSpec {
            name: "width",
            summary: "the maximum number of placements to follow; the cheapest ones continue",
            default: Default::Int(4096),
        },
        OptionSpec {
            name: "report",
            summary: "print on stderr the number and the total time of each code generator's functions",
            default: Default::Bool(false),
        },
        CACHE,
    ],
    run,
};

/// The category of the remarks that say who computes what.
const REMARKS: &str = "placement";

/// The category of the remarks that say what everything costs that could be chosen.
const COSTS: &str = "costs";

fn run(module: Op, options: &Options) -> PassResult {
    inferred::check(module)?;
    let Some(width) = usize::try_from(options.int("width"))
        .ok()
        .filter(|width| *width > 0)
    else {
        return fail(module, "is given a width below 1");
    };
    if options.int("margin") < 0 {
        return fail(module, "is given a margin below 0");
    }
    let mut placer = Placer {
        module,
        rules: rules(module, options)?,
        machine: machine(module)?,
        costs: Costs::new(
            module,
            options.str("costs"),
            list(options.str("plugins")),
            options.bool(CACHE.name),
            options,
        )?,
        width,
        weight: 1.0 + options.int("margin") as f64 / 100.0,
        total: Total::default(),
    };
    for function in functions(module)
        .into_iter()
        .filter(|function| !function.has_attr(COMPOSITE))
    {
        for block in blocks_inside(function) {
            placer.place(block)?;
        }
    }
    if options.bool("report") {
        placer.total.report();
    }
    Ok(())
}

/// The rules of all code generators that may be chosen.
fn rules(module: Op, options: &Options) -> Result<Vec<RuleSet>, PassFailed> {
    let built_in = list(options.str("targets"));
    let built_in = built_in.into_iter().map(|target| of_target(module, target));
    let files = list(options.str("rules"));
    let files = files.into_iter().map(|path| RuleSet::open(module, path));
    let rules: Vec<RuleSet> = built_in.chain(files).collect::<Result<_, _>>()?;
    if rules.is_empty() {
        let names: Vec<&str> = BUILT_IN.iter().map(|(name, _)| *name).collect();
        let names = names.join(" and ");
        return fail(
            module,
            format!(
                "needs code generators to choose from: targets=, of which there are {names}, or rules="
            ),
        );
    }
    for set in &rules {
        if let Some(rule) = set.rules().iter().find(|rule| rule.has_replacement()) {
            set.emit_error(
                module.ctx(),
                rule,
                "this rule says 'with' what to replace its match, and here a code generator computes it",
            );
            return Err(PassFailed);
        }
    }
    Ok(rules)
}

fn list(text: &str) -> Vec<&str> {
    let entries = text.split(',').map(str::trim);
    entries.filter(|entry| !entry.is_empty()).collect()
}

/// Places operators, block by block.
struct Placer<'a> {
    module: Op,
    rules: Vec<RuleSet>,
    machine: Machine,
    costs: Costs<'a>,
    width: usize,
    /// How much heavier the time of an external code generator weighs than this compiler's.
    weight: f64,
    total: Total,
}

impl Placer<'_> {
    /// Makes composites of what external code generators are to compute in a block.
    fn place(&mut self, block: Block) -> PassResult {
        let candidates = Candidates::of(block, &self.rules, self.machine)?;
        let choices = self.choices(&candidates)?;
        let width = self.width;
        let cover = |choices: &[Choice]| {
            let parts: Vec<Part> = choices.iter().map(|choice| choice.part.clone()).collect();
            cheapest(candidates.nodes.len(), &parts, width)
        };
        let Some(best) = cover(&choices) else {
            return Ok(());
        };
        let is_host =
            |choice: &&Choice| !matches!(choice.owner, Some((Candidate::External { .. }, _)));
        let host: Vec<Choice> = choices.iter().filter(is_host).cloned().collect();
        let host_cost = cover(&host).map_or(0.0, |cover| cover.cost);
        self.total.host_cost += host_cost;
        if let Some(Node::Op(first)) = candidates.nodes.first().filter(|_| !best.is_cheapest) {
            let message = format!(
                "there are more ways than the {} that were followed, and a cheaper one may be among the others; width= \
                 follows more",
                self.width
            );
            first.emit_remark(REMARKS, "bounded", &message);
        }
        let chosen = in_order(&best, &choices);
        if self.is_worth_it(block, &chosen)? {
            self.carry_out(&chosen);
        } else if let Some(best) = cover(&host) {
            self.carry_out(&in_order(&best, &host));
        }
        Ok(())
    }

    /// Whether what was chosen by measured times is faster as a whole, too: pieces may have been lucky, and libraries may
    /// disturb each other.
    fn is_worth_it(&mut self, block: Block, chosen: &[&Choice]) -> Result<bool, PassFailed> {
        let given = chosen.iter().filter_map(|choice| match choice.owner {
            Some((Candidate::External { rule, group }, _)) => Some((rule.as_str(), group)),
            _ => None,
        });
        let given: Vec<(&str, &Group)> = given.collect();
        if given.is_empty() || !chosen.iter().any(|choice| choice.is_measured) {
            return Ok(true);
        }
        let owners = chosen.iter().filter_map(|choice| choice.owner);
        let members: HashSet<Op> = owners.flat_map(|(owner, _)| owner.ops()).copied().collect();
        let ops = block.ops().into_iter().filter(|op| members.contains(op));
        let ops: Vec<Op> = ops.filter(|op| are_static(&[*op])).collect();
        if ops.len() < members.len() {
            return Ok(true);
        }
        let ours = self.costs.together(self.module, &ops, &[])?;
        let theirs = self.costs.together(self.module, &ops, &given)?;
        let is_worth_it = theirs * self.weight < ours;
        if let Some(last) = ops.last() {
            let message =
                format!("{theirs:.0} ns as chosen, {ours:.0} ns with this compiler alone");
            last.emit_remark(REMARKS, "together", &message);
        }
        Ok(is_worth_it)
    }

    /// What can be chosen, and what it costs. Where nobody can know that of an operator, it stays with this compiler.
    fn choices<'c>(&mut self, candidates: &'c Candidates) -> Result<Vec<Choice<'c>>, PassFailed> {
        let mut choices = Vec::new();
        for (candidate, nodes) in candidates.all.iter().zip(candidates.numbers()) {
            let known = self.costs.of(self.module, candidate)?;
            let is_measured = known.is_some_and(|cost| cost.is_measured)
                && matches!(candidate, Candidate::External { .. });
            let (cost, weight) = match (known, candidate) {
                (Some(cost), Candidate::External { .. }) if cost.is_measured => {
                    (cost.nanoseconds, self.weight)
                }
                (Some(cost), _) => (cost.nanoseconds, 1.0),
                (None, Candidate::Host { .. }) => (0.0, 1.0),
                (None, Candidate::External { .. }) => continue,
            };
            if let Some(last) = candidate.ops().last().filter(|_| !nodes.is_empty()) {
                last.emit_remark(COSTS, &candidate.name(), &in_words(candidate, cost));
                let part = Part {
                    nodes,
                    cost: cost * weight,
                };
                choices.push(Choice {
                    owner: Some((candidate, cost)),
                    is_measured,
                    part,
                });
            }
        }
        // Between two operators that do not stay.
        for (number, node) in candidates.nodes.iter().enumerate() {
            if matches!(node, Node::Gap(_)) {
                let (owner, nodes) = (None, vec![number]);
                let part = Part { nodes, cost: 0.0 };
                choices.push(Choice {
                    owner,
                    is_measured: false,
                    part,
                });
            }
        }
        Ok(choices)
    }

    /// Makes what was chosen.
    fn carry_out(&mut self, chosen: &[&Choice]) {
        for (candidate, cost) in chosen.iter().filter_map(|choice| choice.owner) {
            let name = candidate.name();
            let owner = name.split('.').next().unwrap_or_default();
            self.total.add(owner, cost);
            let message = in_words(candidate, cost);
            let op = match candidate {
                Candidate::Host { ops, .. } => ops.last().copied(),
                Candidate::External { rule, group } => Some(place(self.module, group, rule)),
            };
            if let Some(op) = op {
                op.emit_remark(REMARKS, &name, &message);
            }
        }
    }
}

/// A part of a cover.
#[derive(Clone)]
struct Choice<'c> {
    /// What it stands for, and its nanoseconds; nothing for a gap.
    owner: Option<(&'c Candidate, f64)>,
    /// Whether somebody else was measured.
    is_measured: bool,
    part: Part,
}

/// The choices of a cover, from the end of the block to its start: what a match reads is still there when it is made.
fn in_order<'a, 'c>(cover: &Cover, choices: &'a [Choice<'c>]) -> Vec<&'a Choice<'c>> {
    let mut chosen: Vec<&Choice> = cover.parts.iter().map(|part| &choices[*part]).collect();
    let last = |choice: &Choice| {
        choice
            .owner
            .and_then(|(owner, _)| owner.ops().last().copied())
    };
    chosen.sort_by(|a, b| match (last(a), last(b)) {
        (Some(a), Some(b)) => a.is_before(b).cmp(&b.is_before(a)),
        (a, b) => a.is_none().cmp(&b.is_none()),
    });
    chosen
}

/// What a candidate computes and costs, for people.
fn in_words(candidate: &Candidate, cost: f64) -> String {
    let names = candidate.ops().iter().map(|op| op.name());
    let names: Vec<String> = names.collect();
    format!("{} in {cost:.0} ns", names.join(", "))
}

/// What was chosen in all blocks.
#[derive(Default)]
struct Total {
    /// The functions of each code generator, and their nanoseconds.
    chosen: BTreeMap<String, (usize, f64)>,
    /// What everything would cost without external code generators.
    host_cost: f64,
}

impl Total {
    fn add(&mut self, owner: &str, cost: f64) {
        let (count, sum) = self.chosen.entry(owner.to_owned()).or_default();
        *count += 1;
        *sum += cost;
    }

    fn report(&self) {
        let time = |nanoseconds: f64| Duration::from_nanos(nanoseconds as u64);
        for (owner, (count, cost)) in &self.chosen {
            eprintln!("{owner}: {count} functions, {:.1?}", time(*cost));
        }
        let cost: f64 = self.chosen.values().map(|(_, cost)| cost).sum();
        let (cost, host) = (time(cost), time(self.host_cost));
        eprintln!("together {cost:.1?}, and {host:.1?} with this compiler alone");
    }
}
