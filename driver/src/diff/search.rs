//! The search for the first node that differs, in builds that expose as little as possible.

use super::{
    Chaos, Found, Lab, first_differing,
    part::{Places, before},
};
use crate::{DriverError, compile, exposed::Inner};
use relay_dialects::{ir::Op, ops::func};
use relay_passes::pipeline::Level;
use serde::Serialize;
use std::{collections::HashSet, fmt};

/// The node at which a model begins to differ.
#[derive(Clone, Debug, Serialize)]
pub struct Suspect {
    /// The node.
    pub node: String,
    /// Its operator.
    pub operator: String,
    /// The tensor that differs.
    pub tensor: String,
    /// Nodes that have to be computed together with it for the difference to show: where one of their tensors is an
    /// output, it does not.
    pub together: Vec<String>,
    /// The tensor's place in the model.
    #[serde(skip)]
    pub(super) place: usize,
}

impl Suspect {
    /// The tensor at a place of a model.
    pub(super) fn new(tensors: &[Inner], place: usize) -> Self {
        let tensor = &tensors[place];
        Self {
            node: tensor.node.clone(),
            operator: tensor.operator.clone(),
            tensor: tensor.port.name.clone(),
            together: Vec::new(),
            place,
        }
    }
}

impl fmt::Display for Suspect {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "node '{}' ({})", self.node, self.operator)?;
        if !self.together.is_empty() {
            let nodes = self.together.join("', '");
            write!(
                formatter,
                ", only where it is computed together with '{nodes}'"
            )?;
        }
        Ok(())
    }
}

impl Lab<'_, '_> {
    /// The tensors between kernels, compared, and the first node that differs.
    pub(super) fn bisect(&self) -> Result<(Found, Option<Suspect>), DriverError> {
        let plain = self.probe(|_| false)?;
        let Some(output) = first_differing(&plain) else {
            return Ok((plain, None));
        };
        let between = self.between_kernels()?;
        let found = self.probe(|place| between.contains(&place))?;
        let (bad, good, kept) = match first_differing(&found) {
            Some(bad) => {
                let good = found.iter().filter(|(_, found)| !found.differs);
                (bad, good.map(|(place, _)| *place).collect(), between)
            }
            // Something is wrong only as long as all those tensors are no outputs.
            None => (output, Places::new(), Places::new()),
        };
        let probe = |place| self.probe(|other| other == place || kept.contains(&other));
        let suspect = self.narrow(bad, &good, probe)?;
        Ok((found, Some(suspect)))
    }

    /// Whether a node is wrong, or differences are roundings that grow: one of the two, if the first node that differs
    /// in the whole model is `first`.
    pub(super) fn judge(
        &self,
        found: &Found,
        first: Suspect,
    ) -> Result<(Option<Suspect>, Option<Chaos>), DriverError> {
        // A kernel ends where it quantises; so there is one rounding in each part, its last one.
        let mut ends = match self.how.bisect {
            true => self.between_kernels()?,
            false => (0..self.exposed.tensors.len()).collect(),
        };
        ends.extend(&self.quantised);
        ends.extend(found.iter().map(|(place, _)| *place));
        let alone = match self.alone(&ends) {
            Ok(alone) => alone,
            // An inserted pass may look for an operator that such a build does not have.
            Err(error) => {
                tracing::warn!("the build of all nodes alone fails: {error}");
                return Ok((Some(first), None));
            }
        };
        let Some(&bad) = alone.wrong.first() else {
            let chaos = self.chaos(found, &alone.given)?;
            return Ok(match chaos {
                Some(chaos) => (None, Some(chaos)),
                None => (Some(first), None),
            });
        };
        let operands = self.exposed.operands();
        let is_within = |&end: &usize| {
            end == first.place || before(end, &alone.given, &operands).contains(&first.place)
        };
        if alone.wrong.iter().any(is_within) {
            return Ok((Some(first), None));
        }
        let probe = |place| {
            let mut wanted = ends.clone();
            wanted.insert(place);
            self.probe_part(&wanted, &alone.given)
        };
        Ok((Some(self.narrow(bad, &alone.given, probe)?), None))
    }

    /// Looks for the first tensor that differs among those that `bad` is computed of, behind tensors that are
    /// `good`. `probe` compares with a tensor as an output.
    fn narrow(
        &self,
        bad: usize,
        good: &Places,
        probe: impl Fn(usize) -> Result<Found, DriverError>,
    ) -> Result<Suspect, DriverError> {
        let operands = self.exposed.operands();
        let mut bad = bad;
        let mut open = before(bad, good, &operands);
        let mut together = Vec::new();
        while let Some(middle) = open.iter().nth(open.len() / 2).copied() {
            let found = match probe(middle) {
                Ok(found) => found,
                // An inserted pass may look for an operator that such a build does not have.
                Err(error) => {
                    let name = &self.exposed.tensors[middle].port.name;
                    tracing::warn!("a build that exposes {name} fails: {error}");
                    open.remove(&middle);
                    continue;
                }
            };
            let differs = |place: usize| {
                found
                    .iter()
                    .find(|(other, _)| *other == place)
                    .map(|(_, found)| found.differs)
            };
            match (differs(middle), differs(bad)) {
                (Some(true), _) => {
                    let before = before(middle, good, &operands);
                    open = open.intersection(&before).copied().collect();
                    bad = middle;
                }
                // What is wrong comes after it: nothing before it can be at fault.
                (Some(false), Some(true) | None) => {
                    let before = before(middle, good, &operands);
                    open.retain(|place| *place != middle && !before.contains(place));
                }
                // With this tensor as an output, nothing is wrong.
                (Some(false), Some(false)) => {
                    together.push(self.exposed.tensors[middle].node.clone());
                    open.remove(&middle);
                }
                // The reference does not have it.
                (None, _) => {
                    open.remove(&middle);
                }
            }
        }
        Ok(Suspect {
            together,
            ..Suspect::new(&self.exposed.tensors, bad)
        })
    }

    /// The tensors that kernels of the build as it is give to each other.
    fn between_kernels(&self) -> Result<Places, DriverError> {
        let mut module = self.exposed.keep(|_| false);
        compile::run_passes(self.context, &mut module, Level::Relay, self.options)?;
        let main = Op::of_module(&module).lookup("main");
        let calls = main
            .map(|main| main.find_all(func::Call::NAME))
            .unwrap_or_default();
        let last: HashSet<String> = calls
            .iter()
            .filter_map(|call| call.loc().names().pop())
            .collect();
        let tensors = self.exposed.tensors.iter().enumerate();
        Ok(tensors
            .filter(|(_, tensor)| last.contains(&tensor.node))
            .map(|(place, _)| place)
            .collect())
    }
}
