//! What candidates cost: by a table that somebody wrote, or as measured.

use super::{
    candidates::{Candidate, are_static},
    scratch::Scratch,
};
use crate::{evaluator::Evaluator, pattern::group::Group, relay::partition::outline};
use relay_dialects::{
    attrs::TARGET,
    ir::{Attr, Loc, Op},
    pass::{Options, PassFailed, fail},
};
use std::{
    collections::{BTreeMap, HashMap},
    fs,
};

/// What a candidate costs.
#[derive(Clone, Copy)]
pub(super) struct Cost {
    /// How long it takes.
    pub nanoseconds: f64,
    /// Whether it took so long here, and another time may take a bit longer.
    pub is_measured: bool,
}

impl Cost {
    fn said(nanoseconds: f64) -> Self {
        Self {
            nanoseconds,
            is_measured: false,
        }
    }
}

/// Where costs come from.
pub(super) struct Costs<'a> {
    /// Nanoseconds by names of candidates, or of code generators.
    table: BTreeMap<String, f64>,
    options: &'a Options<'a>,
    plugins: Vec<&'a str>,
    cache: bool,
    /// What was measured, by text.
    known: HashMap<String, f64>,
}

impl<'a> Costs<'a> {
    /// Those of a table, of which `path` is the file if there is one, and of what an evaluator measures beside.
    ///
    /// # Errors
    /// If the file cannot be read, or is no table of costs.
    pub fn new(
        module: Op,
        path: &str,
        plugins: Vec<&'a str>,
        cache: bool,
        options: &'a Options<'a>,
    ) -> Result<Self, PassFailed> {
        let table = match path {
            "" => BTreeMap::new(),
            path => read(path).map_err(|reason| {
                Loc::file(module.ctx(), path, 0, 0).emit_error(&reason);
                PassFailed
            })?,
        };
        Ok(Self {
            table,
            options,
            plugins,
            cache,
            known: HashMap::new(),
        })
    }

    /// What a candidate costs; `None` if nobody can know, as its shapes are not known.
    ///
    /// # Errors
    /// If it cannot be run.
    pub fn of(&mut self, module: Op, candidate: &Candidate) -> Result<Option<Cost>, PassFailed> {
        if candidate.is_free() {
            return Ok(Some(Cost::said(0.0)));
        }
        let name = candidate.name();
        let owner = name.split('.').next().unwrap_or_default();
        if let Some(cost) = self.table.get(&name).or_else(|| self.table.get(owner)) {
            return Ok(Some(Cost::said(*cost)));
        }
        if !are_static(candidate.ops()) {
            return Ok(None);
        }
        let nanoseconds = self.measure(module, candidate)?;
        Ok(Some(Cost {
            nanoseconds,
            is_measured: true,
        }))
    }

    /// How long some operators take together when these matches among them are given away.
    ///
    /// # Errors
    /// If they cannot be run.
    pub fn together(
        &mut self,
        module: Op,
        ops: &[Op],
        given: &[(&str, &Group)],
    ) -> Result<f64, PassFailed> {
        let scratch = Scratch::of(module, ops);
        for (rule, group) in given {
            give_away(&scratch, group, rule);
        }
        let place = ops.last().copied().unwrap_or(module);
        self.time(&scratch, place, "what was chosen")
    }

    fn measure(&mut self, module: Op, candidate: &Candidate) -> Result<f64, PassFailed> {
        let scratch = Scratch::of(module, candidate.ops());
        if let Candidate::External { rule, group } = candidate {
            give_away(&scratch, group, rule);
        }
        let place = candidate.ops().last().copied().unwrap_or(module);
        self.time(&scratch, place, &candidate.name())
    }

    /// The nanoseconds of a module; `place` and `name` say in messages what it is.
    fn time(&mut self, scratch: &Scratch, place: Op, name: &str) -> Result<f64, PassFailed> {
        let text = scratch.module.to_text(false);
        if let Some(cost) = self.known.get(&text) {
            return Ok(*cost);
        }
        let evaluator = Evaluator::of(self.options);
        let measured = evaluator
            .and_then(|evaluator| (evaluator.time)(scratch.module, &self.plugins, self.cache));
        let cost = measured.or_else(|reason| {
            fail(
                place,
                format!(
                    "cannot be measured as '{name}': {reason}; costs=FILE may say what it costs"
                ),
            )
        })?;
        self.known.insert(text, cost);
        Ok(cost)
    }
}

/// Makes a composite of a match's copy, for the external code generator that the rule is of.
fn give_away(scratch: &Scratch, group: &Group, rule: &str) {
    let copy = Group {
        root: scratch.op(group.root),
        ops: group.ops.iter().map(|op| scratch.op(*op)).collect(),
        inputs: group
            .inputs
            .iter()
            .map(|value| scratch.value(*value))
            .collect(),
        constants: group
            .constants
            .iter()
            .map(|value| scratch.value(*value))
            .collect(),
    };
    place(scratch.module, &copy, rule);
}

/// Makes a composite of a match, and says whose it is; the call.
pub(super) fn place(module: Op, group: &Group, rule: &str) -> Op {
    let call = outline(module, group, rule);
    let target = rule.split('.').next().unwrap_or_default();
    call.set_attr(TARGET, Attr::str(module.ctx(), target));
    call
}

/// Reads a table of costs.
fn read(path: &str) -> Result<BTreeMap<String, f64>, String> {
    let text = fs::read_to_string(path).map_err(|error| format!("cannot read costs: {error}"))?;
    let table: BTreeMap<String, f64> = serde_json::from_str(&text).map_err(|error| {
        format!("is no table of costs: {error}; write {{\"dnnl.conv_relu\": 1500, \"host\": 2000}}, in nanoseconds")
    })?;
    match table.iter().find(|(_, cost)| **cost < 0.0) {
        Some((name, cost)) => Err(format!(
            "says that '{name}' costs {cost}, which is less than nothing"
        )),
        None => Ok(table),
    }
}
