//! Rules applied until none matches.

use super::rules::{Rewritten, Rule, RuleSet};
use relay_dialects::{
    ir::{Op, Value},
    pass::{PassFailed, PassResult, fail},
    rewrite,
};

/// Rules whose results grow are stopped after so many applications, and as many again for each operator.
const MAX_APPLICATIONS: usize = 1000;

/// The category of the remarks that say where rules are applied.
const REMARKS: &str = "rewrite";

/// Rules, and what became of them.
pub struct Rewriter<'a> {
    rules: &'a RuleSet,
    tallies: Vec<Tally>,
}

/// What became of a rule.
#[derive(Clone, Default)]
struct Tally {
    applied: usize,
    /// How often it matched where its replacement did not fit, and why the first time.
    misfits: usize,
    reason: Option<String>,
}

impl<'a> Rewriter<'a> {
    /// None has been applied yet.
    pub fn new(rules: &'a RuleSet) -> Self {
        let tallies = vec![Tally::default(); rules.rules().len()];
        Self { rules, tallies }
    }

    /// Applies the rules to a function until none applies.
    ///
    /// # Errors
    /// If there is no end to it, or a rule is wrong; a diagnostic says what.
    pub fn apply(&mut self, function: Op) -> PassResult {
        let budget = (rewrite::operators(function).len() + 1).saturating_mul(MAX_APPLICATIONS);
        let (mut stopped, mut last, mut applied) = (false, None, 0);
        let done = rewrite::apply_each(function, &mut |op| {
            stopped |= applied > budget;
            if stopped {
                return None;
            }
            let (rule, values) = self.at(op).unwrap_or_else(|PassFailed| {
                stopped = true;
                None
            })?;
            applied += 1;
            last = Some(rule);
            Some(values)
        });
        if applied > budget {
            let _: PassResult = fail(
                function,
                "is rewritten without end: its operators grow in number",
            );
        } else if stopped {
            return Err(PassFailed);
        }
        match last {
            Some(rule) if done.is_err() || applied > budget => {
                let ctx = function.ctx();
                self.rules
                    .emit_error(ctx, rule, "this rule was applied last");
                Err(PassFailed)
            }
            _ => done,
        }
    }

    /// The first rule that applies to an op, and what takes the place of its results.
    fn at(&mut self, op: Op) -> Result<Option<(&'a Rule, Vec<Value>)>, PassFailed> {
        for &number in self.rules.at(op) {
            let (rule, tally) = (&self.rules.rules()[number], &mut self.tallies[number]);
            match self.rules.rewrite(rule, op)? {
                Rewritten::By(values) => {
                    tally.applied += 1;
                    remark(rule, op, &values);
                    return Ok(Some((rule, values)));
                }
                Rewritten::Misfit(reason) => {
                    tally.misfits += 1;
                    tally.reason.get_or_insert_with(|| reason.to_string());
                }
                Rewritten::No => {}
            }
        }
        Ok(None)
    }

    /// Says on stderr how often each rule was applied.
    pub fn report(&self) {
        for (rule, tally) in self.rules.rules().iter().zip(&self.tallies) {
            eprintln!("{}: applied {} times", rule.name(), tally.applied);
            if let Some(reason) = &tally.reason {
                let (name, count) = (rule.name(), tally.misfits);
                eprintln!("{name}: not applied {count} times, as its replacement {reason}");
            }
        }
    }
}

/// Says where a rule is applied, to whoever has asked.
fn remark(rule: &Rule, op: Op, values: &[Value]) {
    let made = values.iter().map(|value| match value.def() {
        Some(op) => op.name(),
        None => "a parameter".into(),
    });
    let made: Vec<String> = made.collect();
    let message = format!("{} becomes {}", op.name(), made.join(", "));
    op.emit_remark(REMARKS, rule.name(), &message);
}
