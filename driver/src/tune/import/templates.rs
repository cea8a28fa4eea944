//! A log of AutoTVM: each configuration becomes the nearest choice of our template.

use relay_dialects::ir::Op;
use relay_topi::{Candidate, Machine, Plan};
use relay_tune::tvm::{Workload, autotvm::Trial};

/// What a kernel's templates may choose.
pub struct Templates {
    workload: Workload,
    candidates: Vec<Candidate>,
    /// What writes those.
    plan: Plan,
}

/// A choice that a configuration becomes.
pub struct Found<'k> {
    /// The choice.
    pub candidate: &'k Candidate,
    /// What of the configuration has no counterpart.
    pub left: Vec<String>,
}

impl Templates {
    /// Those of a function, if it computes what TVM's templates do.
    pub fn of(function: Op, machine: Machine) -> Option<Self> {
        let workload = Workload::of(function)?;
        let plan = Plan::of(function, machine)?;
        Some(Self {
            workload,
            candidates: plan.candidates(),
            plan,
        })
    }

    /// Whether a trial is of the same computation.
    pub fn compute(&self, workload: &Workload) -> bool {
        self.workload == *workload
    }

    /// The choice that is nearest to a trial's.
    ///
    /// # Errors
    /// Why there is none.
    pub fn nearest(&self, trial: &Trial, machine: Machine) -> Result<Found<'_>, String> {
        let wanted = Wanted::of(trial, machine)?;
        let candidate = wanted.nearest(&self.candidates);
        let template = wanted.template;
        Ok(Found {
            candidate: candidate
                .ok_or_else(|| format!("it has no choice of template {template}"))?,
            left: wanted.left,
        })
    }

    /// Writes a choice into the function.
    pub fn emit(&self, candidate: &Candidate) {
        self.plan.emit(candidate);
    }
}

/// What a configuration of TVM would be of our template.
struct Wanted {
    template: &'static str,
    /// Knobs and their values, those that count most first.
    knobs: Vec<(&'static str, String)>,
    /// What of the configuration has no counterpart.
    left: Vec<String>,
}

impl Wanted {
    /// That of a trial.
    ///
    /// TVM's convolution keeps `tile_ow` pixels of `tile_oc` channels in registers, and has all rows of some channels before the next
    /// ones; its depthwise convolution has each row on its own; its dense layer keeps `tile_y` rows of `tile_x` columns in registers, and
    /// a thread takes the tiles that the second numbers say at a time. Blocks of channels are the layout's, which ours fixes.
    fn of(trial: &Trial, machine: Machine) -> Result<Self, String> {
        let inner = |name: &str| {
            let sizes = trial
                .splits
                .get(name)
                .and_then(|sizes| sizes.last().copied());
            sizes.ok_or_else(|| format!("the config has no split '{name}'"))
        };
        let lanes = machine.block();
        let vectors = |width: i64| {
            width
                .saturating_add(lanes / 2)
                .div_euclid(lanes)
                .max(1)
                .to_string()
        };
        let (template, knobs, used): (_, _, &[&str]) = match &trial.workload {
            Workload::Conv(conv) if conv.is_depthwise => {
                let columns = inner("tile_ow")?.to_string();
                let knobs = vec![("columns", columns), ("band", "1".to_owned())];
                ("depthwise-conv", knobs, &["tile_ow"])
            }
            Workload::Conv(_) => {
                let columns = inner("tile_ow")?.to_string();
                let blocks = vectors(inner("tile_oc")?);
                let order = "channels".to_owned();
                let knobs = vec![("columns", columns), ("blocks", blocks), ("order", order)];
                ("packed-conv", knobs, &["tile_ow", "tile_oc"])
            }
            Workload::Dense { .. } => {
                let rows = inner("tile_y")?.to_string();
                let mut knobs = vec![("rows", rows), ("vectors", vectors(inner("tile_x")?))];
                if let Some([_, tiles, _]) = trial.splits.get("tile_y").map(Vec::as_slice) {
                    knobs.push(("part", tiles.to_string()));
                }
                knobs.push(("copied", "false".into()));
                ("product", knobs, &["tile_y", "tile_x"])
            }
        };
        let is_left = |name: &&String| !used.contains(&&name[..]);
        let left = trial.splits.keys().filter(is_left).cloned();
        Ok(Self {
            template,
            knobs,
            left: left.chain(trial.others.iter().cloned()).collect(),
        })
    }

    /// The choice of the template that is nearest; of equally near ones the first, which is expected to be the fastest.
    fn nearest<'k>(&self, candidates: &'k [Candidate]) -> Option<&'k Candidate> {
        let is_of =
            |candidate: &&Candidate| candidate.knobs.split(' ').next() == Some(self.template);
        let of_template = candidates.iter().filter(is_of);
        of_template.min_by(|a, b| self.far(&a.knobs).total_cmp(&self.far(&b.knobs)))
    }

    /// How far a choice is: how many times as large its numbers are, as logarithms; another word is as far as twice.
    fn far(&self, knobs: &str) -> f64 {
        let value_of = |name: &str| {
            let mut words = knobs.split(' ').filter_map(|word| word.split_once('='));
            words
                .find(|(known, _)| *known == name)
                .map(|(_, value)| value)
        };
        let difference = |(name, wanted): &(&str, String)| {
            let value = value_of(name);
            let numbers = value.map(|value| (value.parse::<f64>(), wanted.parse::<f64>()));
            match numbers {
                Some((Ok(value), Ok(wanted))) => (value / wanted).ln().abs(),
                _ if value == Some(wanted) => 0.0,
                _ => f64::ln(2.0),
            }
        };
        self.knobs.iter().map(difference).sum()
    }
}
