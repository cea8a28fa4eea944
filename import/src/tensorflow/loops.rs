//! Loops: written out step by step, as a loop over a number of steps, or as one that a condition ends.
//!
//! Most loops count: a condition compares a counter with a limit that the loop does not change. Then the number of steps is known
//! before the loop, and a list to which each step writes one tensor becomes what the steps of the loop collect.

use super::{
    item::Item,
    list::{Contents, List},
    tensor::known_int,
};
use crate::{
    compose::steps::{FEW_STEPS_OF_CELLS, written_out},
    graph::{
        builder::GraphBuilder,
        constant::{Const, Numbers},
        error::Result,
        loops::{Step, Stepped},
        value::Value,
    },
};
use relay_dialects::{dim::Dim, element::Element};
use std::cell::RefCell;

/// The most steps that are written out of a loop that does not count.
const MOST_STEPS: usize = 1 << 10;

/// What is known of a loop before it is written.
#[derive(Default)]
pub struct Facts {
    /// What each step adds to a state that is a counter.
    pub counters: Vec<Option<i64>>,
    /// Whether steps leave a state as it is.
    pub kept: Vec<bool>,
    /// Whether each step writes a state, which is a list, at the number of the step.
    pub collected: Vec<bool>,
    /// The loop runs while all these hold; none if its condition is another one.
    pub limits: Option<Vec<Limit>>,
}

/// A counter that has to be below a limit.
pub struct Limit {
    /// The state that is the counter.
    pub counter: usize,
    /// The limit.
    pub limit: Bound,
    /// Whether it may be equal to the limit.
    pub is_inclusive: bool,
}

/// A limit.
pub enum Bound {
    /// A state that steps leave as it is.
    State(usize),
    /// A number.
    Value(Value),
}

/// Computes something of the states of a loop.
pub type Function<'l, T> = &'l dyn Fn(&mut GraphBuilder, &[Item]) -> Result<T>;

/// A loop.
pub struct Loop<'l> {
    /// The first states.
    pub states: Vec<Item>,
    /// What is known of it.
    pub facts: Facts,
    /// Whether there is another step.
    pub condition: Function<'l, Value>,
    /// The next states.
    pub step: Function<'l, Vec<Item>>,
}

impl Loop<'_> {
    /// The last states.
    ///
    /// # Errors
    /// If a state is nothing that a loop carries.
    pub fn run(&self, b: &mut GraphBuilder) -> Result<Vec<Item>> {
        let Some(trips) = self.trips(b)? else {
            let written = self.written_out(b, MOST_STEPS)?;
            return match written {
                Some(states) => Ok(states),
                None => self.repeated(b),
            };
        };
        if let Some(steps) = written_out(trips, FEW_STEPS_OF_CELLS)
            && let Some(states) = self.written_out(b, steps.max(0) as usize + 1)?
        {
            return Ok(states);
        }
        let owner = b.node().to_owned();
        self.scanned(b, trips).or_else(|reason| {
            b.enter(&owner);
            let few = trips.known().filter(|steps| *steps <= MOST_STEPS as i64);
            let written = few.map(|steps| self.written_out(b, steps.max(0) as usize + 1));
            match written.transpose()? {
                Some(Some(states)) => Ok(states),
                _ => Err(reason),
            }
        })
    }

    /// The number of steps, if the loop counts them.
    fn trips(&self, b: &mut GraphBuilder) -> Result<Option<Dim>> {
        let Some(limits) = &self.facts.limits else {
            return Ok(None);
        };
        let mut least: Option<Dim> = None;
        for limit in limits {
            let (Some(first), Some(step)) = (
                self.first(limit.counter),
                self.facts.counters[limit.counter].filter(|step| *step > 0),
            ) else {
                return Ok(None);
            };
            let value = match &limit.limit {
                Bound::Value(value) => value.clone(),
                Bound::State(place) => self.states[*place].tensor()?,
            };
            let Some(end) = size(b, &value)? else {
                return Ok(None);
            };
            // The quotient of the distance by the step is rounded up.
            let more = step - 1 + i64::from(limit.is_inclusive);
            let more = more.checked_sub(first);
            let more = more.ok_or("a loop counts further than an int64 does")?;
            let steps = end.plus(more)?.floor_div(step)?.max(Dim::Known(0))?;
            least = Some(match least {
                Some(least) => least.min(steps)?,
                None => steps,
            });
        }
        Ok(least)
    }

    /// The first value of a counter.
    fn first(&self, place: usize) -> Option<i64> {
        let Item::Tensor(value) = self.states.get(place)? else {
            return None;
        };
        known_int(value)
    }

    /// The steps one after the other; none if the model computes whether there is another one, or there are too many.
    fn written_out(&self, b: &mut GraphBuilder, most: usize) -> Result<Option<Vec<Item>>> {
        let mut states = self.states.clone();
        for _ in 0..=most {
            match (self.condition)(b, &states)?.scalar() {
                None => return Ok(None),
                Some(0.0) => return Ok(Some(states)),
                Some(_) => states = (self.step)(b, &states)?,
            }
        }
        Ok(None)
    }

    /// The steps as a loop over their number.
    fn scanned(&self, b: &mut GraphBuilder, trips: Dim) -> Result<Vec<Item>> {
        let mut carried = self.carried(b, Some(trips))?;
        if carried.iter().any(|state| matches!(state, State::Unknown)) {
            carried = self.probed(b, trips, carried)?;
        }
        let states = tensors(&carried);
        let done = b.scan(trips, &states, &[], &[], |b, step| {
            let next = self.next(b, &carried, step)?;
            let (mut states, mut outputs) = (Vec::new(), Vec::new());
            for (state, item) in carried.iter().zip(next) {
                match (state, item) {
                    (State::Tensor(_), item) => states.push(item.tensor()?),
                    (State::List(_), Item::List(list)) => states.push(list.stacked(b)?),
                    (State::Collected, Item::List(list)) => match list.contents {
                        Contents::Collected(value) => outputs.push(value),
                        _ => return Err("a step of a loop does not write its list".into()),
                    },
                    (State::Kept | State::Counter(..), _) => {}
                    _ => return Err("a state of a loop changes its kind".into()),
                }
            }
            Ok(Stepped { states, outputs })
        })?;
        self.results(b, &carried, trips, done)
    }

    /// What each state is for the steps of a loop.
    fn carried(&self, b: &mut GraphBuilder, trips: Option<Dim>) -> Result<Vec<State>> {
        let mut carried = Vec::new();
        for (place, state) in self.states.iter().enumerate() {
            let counter = self.facts.counters[place].zip(self.first(place));
            carried.push(match (state, counter) {
                _ if self.facts.kept[place] => State::Kept,
                (Item::Tensor(value), Some((step, first))) if trips.is_some() => {
                    State::Counter(value.element(), first, step)
                }
                (Item::Tensor(value), _) => State::Tensor(value.clone()),
                (Item::List(_), _) if trips.is_some() && self.facts.collected[place] => {
                    State::Collected
                }
                (Item::List(list), _) => match list.stacked(b) {
                    Ok(stacked) => State::List(stacked),
                    Err(_) => State::Unknown,
                },
                _ => return Err("a state of a loop is no tensor, and changes".into()),
            });
        }
        Ok(carried)
    }

    /// The same with the lists whose tensors have a shape that only a step says.
    fn probed(&self, b: &mut GraphBuilder, trips: Dim, carried: Vec<State>) -> Result<Vec<State>> {
        let found: RefCell<Vec<Option<Shape>>> = RefCell::default();
        let states = tensors(&carried);
        let probe = b.scan(trips, &states, &[], &[], |b, step| {
            let next = self.next(b, &carried, step)?;
            let mut shapes = Vec::new();
            for item in next {
                shapes.push(match item {
                    Item::List(list) => list
                        .stacked(b)
                        .ok()
                        .map(|stacked| (stacked.element(), stacked.dims().to_vec())),
                    _ => None,
                });
            }
            found.replace(shapes);
            Err(PROBE.into())
        });
        if let Err(reason) = probe
            && reason != PROBE
        {
            return Err(reason);
        }
        let shapes = found.into_inner();
        let states = carried.into_iter().zip(shapes);
        let states = states.map(|(state, shape)| match (state, shape) {
            (State::Unknown, Some((element, dims))) => b.full(element, &dims, 0.0).map(State::List),
            (State::Unknown, None) => Err("the shape of a list's tensors is not known".into()),
            (state, _) => Ok(state),
        });
        states.collect()
    }

    /// What a step returns.
    fn next(&self, b: &mut GraphBuilder, carried: &[State], step: Step) -> Result<Vec<Item>> {
        let mut numbers: Vec<((Element, i64, i64), Value)> = Vec::new();
        let mut taken = step.states.into_iter();
        let mut items = Vec::new();
        for (state, first) in carried.iter().zip(&self.states) {
            let mut lost = || taken.next().ok_or("a loop has lost its states");
            items.push(match (state, first) {
                (State::Counter(element, first, add), _) => {
                    counted(b, &mut numbers, &step.number, (*element, *first, *add))?.into()
                }
                (State::Tensor(_), _) => lost()?.into(),
                (State::List(_), _) => Item::List(List::of(lost()?)?),
                (State::Collected, Item::List(list)) => {
                    let number = (Element::I32, 0, 1);
                    let counter = counted(b, &mut numbers, &step.number, number)?;
                    Item::List(List {
                        contents: Contents::Collecting(counter),
                        ..list.clone()
                    })
                }
                (_, first) => first.clone(),
            });
        }
        (self.step)(b, &items)
    }

    /// The last states of a loop over a number of steps.
    fn results(
        &self,
        b: &mut GraphBuilder,
        carried: &[State],
        trips: Dim,
        done: Stepped,
    ) -> Result<Vec<Item>> {
        let (mut states, mut outputs) = (done.states.into_iter(), done.outputs.into_iter());
        let mut results = Vec::new();
        for (state, first) in carried.iter().zip(&self.states) {
            let lost = || String::from("a loop has lost its states");
            results.push(match (state, first) {
                (State::Counter(element, first, step), _) => {
                    let last = trips.times(*step)?.plus(*first)?;
                    b.size(*element, last)?.into()
                }
                (State::Tensor(_), _) => states.next().ok_or_else(lost)?.into(),
                (State::List(_), _) => Item::List(List::of(states.next().ok_or_else(lost)?)?),
                (State::Collected, Item::List(list)) => {
                    let all = outputs.next().ok_or_else(lost)?;
                    Item::List(List::of(filled_up(b, all, list.count()?)?)?)
                }
                (_, first) => first.clone(),
            });
        }
        Ok(results)
    }

    /// The steps as a loop that a condition ends.
    fn repeated(&self, b: &mut GraphBuilder) -> Result<Vec<Item>> {
        let first = (self.condition)(b, &self.states)?;
        let carried = self.carried(b, None)?;
        if carried.iter().any(|state| matches!(state, State::Unknown)) {
            return Err("a loop writes a list of tensors whose shape is not known".into());
        }
        let states = tensors(&carried);
        let most = Numbers::ints(&[i64::MAX]);
        let trips = b.known(Const::new(Element::I64, Vec::new(), &most));
        let last = b.repeat_while((&trips, &first), &states, |b, step| {
            let items = self.items(&carried, step.states)?;
            let next = (self.step)(b, &items)?;
            let condition = (self.condition)(b, &next)?;
            let mut states = Vec::new();
            for (state, item) in carried.iter().zip(next) {
                match (state, item) {
                    (State::Kept, _) => {}
                    (_, Item::List(list)) => states.push(list.stacked(b)?),
                    (_, item) => states.push(item.tensor()?),
                }
            }
            Ok((condition, states))
        })?;
        self.items(&carried, last)
    }

    /// The states of a step, of which some are tensors that the loop carries.
    fn items(&self, carried: &[State], tensors: Vec<Value>) -> Result<Vec<Item>> {
        let mut tensors = tensors.into_iter();
        let items = carried.iter().zip(&self.states).map(|(state, first)| {
            let mut next = || tensors.next().ok_or("a loop has lost its states");
            Ok(match state {
                State::Tensor(_) => next()?.into(),
                State::List(_) => Item::List(List::of(next()?)?),
                _ => first.clone(),
            })
        });
        items.collect()
    }
}

/// What is said of a probe's failure, which is none.
const PROBE: &str = "a step was written to know the shapes of its tensors";

/// The element type and the dimensions of a tensor.
type Shape = (Element, Vec<Dim>);

/// What a state of a loop is.
enum State {
    /// The same for all steps.
    Kept,
    /// A counter of an element type, with its first value and what each step adds.
    Counter(Element, i64, i64),
    /// A tensor.
    Tensor(Value),
    /// A list, whose tensors lie along a new first axis.
    List(Value),
    /// A list to which each step writes one tensor.
    Collected,
    /// A list whose tensors have a shape that is not known.
    Unknown,
}

/// The tensors that a loop carries.
fn tensors(carried: &[State]) -> Vec<Value> {
    let tensors = carried.iter().filter_map(|state| match state {
        State::Tensor(value) | State::List(value) => Some(value.clone()),
        _ => None,
    });
    tensors.collect()
}

/// A counter in a step, which is one value for all counters that count the same.
fn counted(
    b: &mut GraphBuilder,
    numbers: &mut Vec<((Element, i64, i64), Value)>,
    number: &Value,
    key: (Element, i64, i64),
) -> Result<Value> {
    if let Some((_, value)) = numbers.iter().find(|(known, _)| *known == key) {
        return Ok(value.clone());
    }
    let (element, first, step) = key;
    let mut value = b.cast(number, element)?;
    if step != 1 {
        value = b.with_scalar("multiply", &value, step as f64)?;
    }
    if first != 0 {
        value = b.with_scalar("add", &value, first as f64)?;
    }
    numbers.push((key, value.clone()));
    Ok(value)
}

/// A number of steps: a number, a form of open dimensions, or one that the model computes before the loop.
fn size(b: &mut GraphBuilder, value: &Value) -> Result<Option<Dim>> {
    if let Some(known) = known_int(value) {
        return Ok(Some(Dim::Known(known)));
    }
    if let Some([form]) = value.elements() {
        return Ok(Some(*form));
    }
    if value.is_known() || !b.may_compute_sizes() {
        return Ok(None);
    }
    let number = b.cast(value, Element::I64)?;
    let number = b.reshape_to_scalar(&number)?;
    let number = b.with_scalar("maximum", &number, 0.0)?;
    b.define(&number, "steps", None).map(Some)
}

/// What steps collected, and zeros behind it up to the length of a list.
fn filled_up(b: &mut GraphBuilder, all: Value, count: Dim) -> Result<Value> {
    let steps = all.dims()[0];
    let missing = count.minus(steps)?;
    if missing.known().is_some_and(|missing| missing < 0) {
        return Err(format!(
            "a loop writes {steps} tensors to a list of {count}"
        ));
    }
    let mut widths = vec![Dim::Known(0); 2 * all.rank()];
    widths[1] = missing;
    let zero = b.scalar(all.element(), 0.0);
    b.pad(&all, &zero, &widths, "constant")
}
