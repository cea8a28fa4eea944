//! Whether differences are roundings that grow: a number in the middle of two quantised steps is rounded up here and
//! down there, and a network of large gains makes much of it. So does the reference itself, if such a number of it is
//! moved by a step.

use super::{
    Compared, Found, Lab, Tolerance, compare,
    part::{Part, Places, before},
    reference::Asked,
    rounding,
};
use crate::{
    DriverError,
    exposed::{Inner, Tensors},
};
use relay_runtime::Tensor;
use serde::Serialize;
use std::{collections::HashSet, fmt};

/// How often the reference runs with other elements moved.
const RUNS: usize = 8;

/// The nodes after the moved tensors round, too, and add to what the reference shows.
const TIMES_REFERENCE: f64 = 3.0;

/// A node that rounds inside rounds in many steps: the most numbers that are moved for it.
const INNER: usize = 16;

/// What shows that no node is wrong, and that differences are roundings that grew.
#[derive(Clone, Debug, Serialize)]
pub struct Chaos {
    /// The tensors of the reference that were moved; those at which differences begin, if none was.
    pub tensors: Vec<String>,
    /// How many elements of each were moved by a step, at most: a smaller tensor has all of its elements moved.
    pub moved: usize,
    /// How often, each time with other elements; 0 if no output differs by more than the tolerance or a rounding.
    pub runs: usize,
    /// The model's outputs that differ, behind those tensors.
    pub outputs: Vec<Growth>,
}

/// An output, and how far it moves. Distances are norms of differences, in terms of the norm of what is expected.
#[derive(Clone, Debug, Serialize)]
pub struct Growth {
    /// The output.
    pub tensor: String,
    /// Its distance from what is expected.
    pub distance: f64,
    /// The least distance by which the reference moved itself.
    pub least: f64,
    /// The greatest one.
    pub greatest: f64,
}

impl Chaos {
    /// Whether the reference moves as far as the model differs.
    fn explains(&self) -> bool {
        let within = |growth: &Growth| growth.distance <= TIMES_REFERENCE * growth.greatest;
        self.outputs.iter().all(within)
    }
}

impl fmt::Display for Chaos {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            formatter,
            "no node alone differs by more than one step of its last quantisation"
        )?;
        let tensors = self.tensors.join("', '");
        if self.outputs.is_empty() {
            return writeln!(
                formatter,
                "no output differs by more than that or the tolerance; differences begin at '{tensors}'"
            );
        }
        let values = match self.moved {
            1 => "one value moves".into(),
            many => format!("{many} values move"),
        };
        for growth in &self.outputs {
            let percent = |share: f64| format!("{:.2}%", 100.0 * share);
            writeln!(
                formatter,
                "chaotic: output '{}' differs by {} of its norm; the reference itself moves by {} to {} when {values} by one \
                 step or rounding in '{tensors}' ({} runs)",
                growth.tensor,
                percent(growth.distance),
                percent(growth.least),
                percent(growth.greatest),
                self.runs,
            )?;
        }
        Ok(())
    }
}

/// What the nodes of a model compute from what the reference has before them.
#[derive(Debug, Default)]
pub struct Alone {
    /// The tensors that nodes read as the reference has them.
    pub given: Places,
    /// The tensors that differ by more than roundings.
    pub wrong: Places,
}

impl Lab<'_, '_> {
    /// Computes the tensors at the places `ends` one by one, each from those before it as the reference has them.
    pub(super) fn alone(&self, ends: &Places) -> Result<Alone, DriverError> {
        let varying = self.exposed.varying();
        let known = |place: &usize| {
            let name = &self.exposed.tensors[*place].port.name;
            varying.contains(place) && self.expected.contains_key(name)
        };
        let given: Places = ends.iter().copied().filter(known).collect();
        let found = self.probe_part(ends, &given)?;
        let mut wrong = Places::new();
        for (place, found) in found.iter().filter(|(_, found)| found.differs) {
            let roundings = self.inner_roundings(*place, &given);
            let is_noise = match roundings.is_empty() {
                true => false,
                false => self
                    .explained(&[(*place, found)], &roundings, &[1, INNER])?
                    .is_some(),
            };
            tracing::info!("{} alone: a rounding: {is_noise}", found.tensor);
            if !is_noise {
                wrong.insert(*place);
            }
        }
        Ok(Alone { given, wrong })
    }

    /// The floats that a node reads that rounds inside, as a recurrent layer of bytes does in each step; none of another node.
    fn inner_roundings(&self, place: usize, given: &Places) -> Tensors {
        let part = Part::new(self.exposed, given, &Places::from([place]));
        if self.quantised.contains(&place) || !part.has(rounding::rounds) {
            return Tensors::new();
        }
        let mut reads = part.inputs(self.inputs, self.expected);
        reads.retain(|_, tensor| compare::is_float(tensor.dtype()));
        reads
    }

    /// Whether the reference moves as far as the model differs, if no node alone is wrong; `None` if it does not, or
    /// cannot be run again.
    pub(super) fn chaos(
        &self,
        found: &Found,
        given: &Places,
    ) -> Result<Option<Chaos>, DriverError> {
        let sources = self.sources(found);
        if sources.iter().any(|(_, found)| !self.may_round(found)) {
            return Ok(None);
        }
        // An output that differs by a rounding has no node behind it that makes more of it.
        let is_behind = |place: usize, found: &Compared| {
            let mut sources = sources.iter();
            let is_rounding = rounding::is_rounding(self.quantised.contains(&place), found);
            !is_rounding || sources.all(|(source, _)| *source != place)
        };
        let outputs = found.iter().map(|(place, found)| (*place, found));
        let outputs: Vec<_> = outputs
            .filter(|(place, found)| {
                let is_output = self.exposed.tensors[*place].is_output;
                is_output && found.differs && is_behind(*place, found)
            })
            .collect();
        if outputs.is_empty() {
            return Ok(Some(Chaos {
                tensors: sources.into_iter().map(|(_, found)| found.tensor).collect(),
                moved: 0,
                runs: 0,
                outputs: Vec::new(),
            }));
        }
        let (moved, counts) = self.to_move(&sources, given);
        self.explained(&outputs, &moved, &counts)
    }

    /// What the reference does with the first of these numbers of moved elements that explains how far tensors differ.
    fn explained(
        &self,
        outputs: &[(usize, &Compared)],
        moved: &Tensors,
        counts: &[usize],
    ) -> Result<Option<Chaos>, DriverError> {
        for &count in counts {
            let Some(chaos) = self.moves(outputs, moved, count)? else {
                return Ok(None);
            };
            tracing::info!("{chaos}");
            if chaos.explains() {
                return Ok(Some(chaos));
            }
        }
        Ok(None)
    }

    /// The tensors that differ although nothing before them does.
    fn sources(&self, found: &Found) -> Found {
        let operands = self.exposed.operands();
        let differing: Places = found
            .iter()
            .filter(|(_, found)| found.differs)
            .map(|(place, _)| *place)
            .collect();
        let has_cause = |place: usize| {
            let before = before(place, &Places::new(), &operands);
            before.iter().any(|place| differing.contains(place))
        };
        let sources = found
            .iter()
            .filter(|(place, found)| found.differs && !has_cause(*place));
        sources.cloned().collect()
    }

    /// Whether a tensor differs by no more than a step, or is of floats that roundings before it moved.
    fn may_round(&self, found: &Compared) -> bool {
        let place = self
            .exposed
            .tensors
            .iter()
            .position(|tensor| tensor.port.name == found.tensor);
        let is_quantised = place.is_some_and(|place| self.quantised.contains(&place));
        let is_float =
            place.is_some_and(|place| compare::is_float(self.exposed.tensors[place].port.dtype));
        is_float || rounding::is_rounding(is_quantised, found)
    }

    /// The tensors to move, and how many elements of them: one, and then as many as differ, of the quantised numbers among
    /// the sources, or of the last ones before the others; of the floats that a node reads that rounds inside; and all
    /// floats that the model reads, if there are none of these.
    fn to_move(&self, sources: &Found, given: &Places) -> (Tensors, Vec<usize>) {
        let inner = sources
            .iter()
            .map(|(place, _)| self.inner_roundings(*place, given));
        let inner: Tensors = inner.flatten().collect();
        if !inner.is_empty() {
            return (inner, vec![1, INNER]);
        }
        let operands = self.exposed.operands();
        let (mut found, mut seen) = (Tensors::new(), HashSet::new());
        let mut open: Vec<usize> = sources.iter().map(|(place, _)| *place).collect();
        while let Some(place) = open.pop() {
            let port = &self.exposed.tensors[place].port;
            // A zero point is no number among many.
            let is_one = port.shape.iter().product::<i64>() <= 1;
            let expected = self.expected.get(&port.name);
            match expected.filter(|_| self.quantised.contains(&place) && !is_one) {
                Some(tensor) => {
                    found.insert(port.name.clone(), tensor.clone());
                }
                None if seen.insert(place) => open.extend(&operands[place]),
                None => {}
            }
        }
        if found.is_empty() {
            found = self.inputs.clone();
            found.retain(|_, tensor| compare::is_float(tensor.dtype()));
            return (found, vec![usize::MAX]);
        }
        let differ = sources.iter().map(|(_, found)| found.errors.beyond).max();
        (found, vec![1, differ.unwrap_or(1)])
    }

    /// Runs the reference with elements of some tensors moved.
    fn moves(
        &self,
        outputs: &[(usize, &Compared)],
        tensors: &Tensors,
        count: usize,
    ) -> Result<Option<Chaos>, DriverError> {
        let mut random = fastrand::Rng::with_seed(self.how.seed);
        let mut case = || -> Option<Tensors> {
            let moved = tensors.iter().map(|(name, tensor)| {
                Some((name.clone(), rounding::moved(tensor, count, &mut random)?))
            });
            moved.collect()
        };
        let cases: Option<Vec<Tensors>> = (0..RUNS).map(|_| case()).collect();
        let Some(cases) = cases.filter(|_| !tensors.is_empty()) else {
            return Ok(None);
        };
        let asked = Asked {
            context: self.context,
            model: self.model,
            exposed: self.exposed,
            inputs: self.inputs,
            options: self.options,
            threads: self.how.threads,
        };
        let wanted: Places = outputs.iter().map(|(place, _)| *place).collect();
        let Some(results) = self.how.reference.moved(&asked, &cases, &wanted)? else {
            return Ok(None);
        };
        let growth = |(place, found): &(usize, &Compared)| {
            let Inner { port, .. } = &self.exposed.tensors[*place];
            let expected = self.expected.get(&port.name)?;
            let moves = results
                .iter()
                .filter_map(|result| distance(result.get(&port.name)?, expected));
            let moves: Vec<f64> = moves.collect();
            Some(Growth {
                tensor: port.name.clone(),
                distance: found.errors.distance,
                least: moves.iter().copied().fold(f64::INFINITY, f64::min),
                greatest: moves.iter().copied().fold(0.0, f64::max),
            })
        };
        let outputs: Option<Vec<Growth>> = outputs.iter().map(growth).collect();
        let moved = tensors
            .values()
            .map(|tensor: &Tensor| tensor.bytes().len() / tensor.dtype().size());
        Ok(outputs.map(|outputs| Chaos {
            tensors: tensors.keys().cloned().collect(),
            moved: count.min(moved.max().unwrap_or(0)),
            runs: results.len(),
            outputs,
        }))
    }
}

/// The distance of a tensor from what is expected; `None` if they have not the same shape.
fn distance(found: &Tensor, expected: &Tensor) -> Option<f64> {
    let exact = Tolerance {
        absolute: 0.0,
        relative: 0.0,
    };
    let errors = compare::compare(found, expected, exact).ok()?;
    Some(errors.distance)
}
