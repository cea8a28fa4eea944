//! Any schedule as a template: its numbers, marks and orders are the knobs.
//!
//! A [`Genome`] is a list of edits of a schedule, its base. Edits name primitives by their place in the base, so that two genomes of a
//! base can be crossed. What an edit makes may be illegal: whoever tries it checks it first.

use relay_dialects::{
    ir::{Attr, Builder, Op, Value},
    names, te,
};
use std::{collections::HashMap, fmt, str::FromStr};

/// A change of a primitive of a schedule.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Edit {
    /// A number of it is another one.
    Number {
        /// The place of the primitive.
        place: usize,
        /// Which number, by its place in [`NUMBERS`].
        attribute: usize,
        /// The number.
        value: i64,
    },
    /// It is left out: a mark, or a prefetch.
    Leave {
        /// The place of the primitive.
        place: usize,
    },
    /// One of the loops that it makes is unrolled.
    Unroll {
        /// The place of the primitive.
        place: usize,
        /// Which of its results.
        result: usize,
    },
    /// Two loops that it puts in order change places.
    Swap {
        /// The place of the primitive.
        place: usize,
        /// The first of the two; the other one follows it.
        first: usize,
    },
    /// It fuses one loop less, the innermost.
    Fuse {
        /// The place of the primitive.
        place: usize,
    },
    /// It computes its stage in another loop.
    Move {
        /// The place of the primitive.
        place: usize,
        /// The loop: the place of the primitive that makes it.
        maker: usize,
        /// Which of that one's results.
        result: usize,
    },
}

/// The numbers that edits change, by the names of attributes.
pub const NUMBERS: &[&str] = &[
    "factor", "nparts", "x_factor", "y_factor", "offset", "every", "value",
];

/// The primitives that may be left out.
const LEFT_OUT: &[&str] = &[
    names::te::UNROLL,
    names::te::PREFETCH,
    names::te::STORAGE_ALIGN,
];

impl Edit {
    fn place(&self) -> usize {
        match self {
            Self::Number { place, .. }
            | Self::Leave { place }
            | Self::Unroll { place, .. }
            | Self::Swap { place, .. }
            | Self::Fuse { place }
            | Self::Move { place, .. } => *place,
        }
    }

    /// Whether both change the same thing, so that only one of them can be.
    fn excludes(&self, other: &Self) -> bool {
        match (self, other) {
            (
                Self::Number {
                    place, attribute, ..
                },
                Self::Number {
                    place: other_place,
                    attribute: other_attribute,
                    ..
                },
            ) => place == other_place && attribute == other_attribute,
            (Self::Unroll { .. }, Self::Unroll { .. }) => self == other,
            _ => self.place() == other.place() && self.kind() == other.kind(),
        }
    }

    /// Whether a primitive is of the kind that it changes. A record may have been made of a schedule with other primitives.
    fn fits(&self, primitive: Op) -> bool {
        let is_any = |names: &[&str]| names.iter().any(|name| primitive.is(name));
        match self {
            Self::Number { attribute, .. } => primitive.has_attr(NUMBERS[*attribute]),
            Self::Leave { .. } => is_any(LEFT_OUT),
            Self::Unroll { .. } => primitive.is(names::te::SPLIT),
            Self::Swap { .. } => primitive.is(names::te::REORDER),
            Self::Fuse { .. } => primitive.is(names::te::FUSE),
            Self::Move { .. } => primitive.is(names::te::COMPUTE_AT),
        }
    }

    fn kind(&self) -> std::mem::Discriminant<Self> {
        std::mem::discriminant(self)
    }
}

impl fmt::Display for Edit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number {
                place,
                attribute,
                value,
            } => write!(formatter, "{place}.{}={value}", NUMBERS[*attribute]),
            Self::Leave { place } => write!(formatter, "{place}.leave"),
            Self::Unroll { place, result } => write!(formatter, "{place}.unroll={result}"),
            Self::Swap { place, first } => write!(formatter, "{place}.swap={first}"),
            Self::Fuse { place } => write!(formatter, "{place}.fuse"),
            Self::Move {
                place,
                maker,
                result,
            } => write!(formatter, "{place}.move={maker}:{result}"),
        }
    }
}

impl FromStr for Edit {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (place, rest) = text.split_once('.').ok_or(())?;
        let place = place.parse().map_err(|_| ())?;
        let (what, value) = rest.split_once('=').unwrap_or((rest, ""));
        let number = |text: &str| text.parse::<usize>().map_err(|_| ());
        Ok(match what {
            "leave" => Self::Leave { place },
            "fuse" => Self::Fuse { place },
            "unroll" => Self::Unroll {
                place,
                result: number(value)?,
            },
            "swap" => Self::Swap {
                place,
                first: number(value)?,
            },
            "move" => {
                let (maker, result) = value.split_once(':').ok_or(())?;
                Self::Move {
                    place,
                    maker: number(maker)?,
                    result: number(result)?,
                }
            }
            name => Self::Number {
                place,
                attribute: NUMBERS.iter().position(|known| *known == name).ok_or(())?,
                value: value.parse().map_err(|_| ())?,
            },
        })
    }
}

/// Edits of a base, in order, no two of which exclude each other.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Genome(Vec<Edit>);

impl Genome {
    /// With one edit more, in the place of one that it excludes.
    #[must_use]
    pub fn with(&self, edit: Edit) -> Self {
        let mut edits: Vec<Edit> = (self.0.iter())
            .filter(|other| !edit.excludes(other))
            .cloned()
            .collect();
        edits.push(edit);
        edits.sort();
        Self(edits)
    }

    /// Without one of its edits.
    #[must_use]
    pub fn without(&self, number: usize) -> Self {
        let mut edits = self.0.clone();
        if number < edits.len() {
            edits.remove(number);
        }
        Self(edits)
    }

    /// Each edit of both with an even chance, in the base of both.
    #[must_use]
    pub fn cross(&self, other: &Self, random: &mut fastrand::Rng) -> Self {
        let all = self.0.iter().chain(&other.0).filter(|_| random.bool());
        let chosen: Vec<Edit> = all.cloned().collect();
        chosen
            .into_iter()
            .fold(Self::default(), |genome, edit| genome.with(edit))
    }

    /// How many edits there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether it is the base.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Edits a schedule, which is a copy of the base.
    ///
    /// # Errors
    /// If it has no primitive for an edit: it is a copy of another one.
    pub fn apply(&self, schedule: Op) -> Result<(), String> {
        let primitives = schedule.body().ops();
        let mut left = Vec::new();
        for edit in &self.0 {
            let primitive = primitives.get(edit.place());
            let primitive =
                *primitive.ok_or_else(|| format!("there is no primitive for {edit}"))?;
            if !edit.fits(primitive) {
                return Err(format!("{} is none for {edit}", primitive.name()));
            }
            match edit {
                Edit::Number {
                    attribute, value, ..
                } => primitive.set_attr(NUMBERS[*attribute], Attr::i64(primitive.ctx(), *value)),
                Edit::Leave { .. } => left.push(primitive),
                Edit::Unroll { result, .. } => {
                    let axis = primitive.results().get(*result).copied();
                    let axis = axis.ok_or_else(|| format!("there is no loop for {edit}"))?;
                    let last = primitives.last().copied().unwrap_or(primitive);
                    te::ops::Unroll::build(&Builder::after(last), axis);
                }
                Edit::Swap { first, .. } => {
                    let mut axes = primitive.operands();
                    let next = first.saturating_add(1);
                    if next >= axes.len() {
                        return Err(format!("there are no loops for {edit}"));
                    }
                    axes.swap(*first, next);
                    primitive.set_operands(&axes);
                }
                Edit::Fuse { .. } => {
                    let axes = primitive.operands();
                    match axes.split_last() {
                        Some((_, fewer)) if !fewer.is_empty() => primitive.set_operands(fewer),
                        _ => return Err(format!("there are no loops for {edit}")),
                    }
                }
                Edit::Move { maker, result, .. } => {
                    let maker = primitives.get(*maker).map(|maker| maker.results());
                    let axis = maker.and_then(|axes| axes.get(*result).copied());
                    let axis = axis.ok_or_else(|| format!("there is no loop for {edit}"))?;
                    primitive.set_operand(2, axis);
                }
            }
        }
        for primitive in left
            .iter()
            .filter(|primitive| primitive.result_count() == 0)
        {
            primitive.erase();
        }
        Ok(())
    }
}

impl fmt::Display for Genome {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let edits: Vec<String> = self.0.iter().map(Edit::to_string).collect();
        formatter.write_str(&edits.join(" "))
    }
}

impl FromStr for Genome {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let edits = text.split_whitespace().map(str::parse);
        let edits: Vec<Edit> = edits.collect::<Result<_, ()>>()?;
        Ok(edits
            .into_iter()
            .fold(Self::default(), |genome, edit| genome.with(edit)))
    }
}

/// The numbers of a schedule, in the order of its primitives: what its knobs are.
pub fn numbers(schedule: Op) -> Vec<i64> {
    let of = |primitive: Op| {
        let numbers = NUMBERS.iter().filter_map(move |name| primitive.attr(name));
        numbers.filter_map(Attr::as_i64)
    };
    schedule.body().ops().into_iter().flat_map(of).collect()
}

/// All single edits of a schedule, in the order of its primitives.
pub fn edits(schedule: Op) -> Vec<Edit> {
    let primitives = schedule.body().ops();
    let leaves = Leaves::of(&primitives);
    let all = primitives.iter().enumerate();
    all.flat_map(|(place, primitive)| of_primitive(place, *primitive, &leaves))
        .collect()
}

/// The edits of a primitive.
fn of_primitive(place: usize, primitive: Op, leaves: &Leaves) -> Vec<Edit> {
    let mut found = Vec::new();
    for (attribute, name) in NUMBERS.iter().enumerate() {
        let is_value = *name == "value";
        if let Some(value) = primitive.attr(name).and_then(Attr::as_i64)
            && (!is_value || primitive.is(names::te::PRAGMA))
        {
            let others = others(value, *name == "offset");
            found.extend(others.into_iter().map(|value| Edit::Number {
                place,
                attribute,
                value,
            }));
        }
    }
    let name = primitive.name();
    match &name[..] {
        name if LEFT_OUT.contains(&name) => found.push(Edit::Leave { place }),
        names::te::SPLIT => {
            let unmarked = |result: &usize| !leaves.is_marked(primitive.result(*result));
            found.extend(
                (0..2)
                    .filter(unmarked)
                    .map(|result| Edit::Unroll { place, result }),
            );
        }
        names::te::REORDER => {
            let pairs = 0..primitive.operand_count().saturating_sub(1);
            found.extend(pairs.map(|first| Edit::Swap { place, first }));
        }
        names::te::FUSE if primitive.operand_count() > 1 => found.push(Edit::Fuse { place }),
        names::te::COMPUTE_AT => {
            let own = primitive.operand(2);
            for (maker, result, _) in leaves.beside(own).filter(|(_, _, axis)| *axis != own) {
                found.push(Edit::Move {
                    place,
                    maker,
                    result,
                });
            }
        }
        _ => {}
    }
    found
}

/// The numbers that are tried in the place of another one: it times and divided by 2, 3 and 4, and those up to 2 away.
fn others(value: i64, from_zero: bool) -> Vec<i64> {
    let least = i64::from(!from_zero);
    let tried = [
        value / 4,
        value / 3,
        value / 2,
        value.saturating_sub(2),
        value.saturating_sub(1),
        value.saturating_add(1),
        value.saturating_add(2),
        value.saturating_mul(2),
        value.saturating_mul(3),
        value.saturating_mul(4),
    ];
    let mut found: Vec<i64> = tried
        .into_iter()
        .filter(|it| *it >= least && *it != value)
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// The loops that a schedule ends with, by the stage that they belong to.
struct Leaves {
    /// The stage's handle, the place of the primitive that makes the loop and which of its results, and the loop.
    axes: Vec<(Value, usize, usize, Value)>,
    marked: Vec<Value>,
}

impl Leaves {
    fn of(primitives: &[Op]) -> Self {
        let mut stages: HashMap<Value, Value> = HashMap::new();
        let mut axes = Vec::new();
        let mut marked = Vec::new();
        for (place, primitive) in primitives.iter().enumerate() {
            let operands = primitive.operands();
            let name = primitive.name();
            match &name[..] {
                names::te::AXES | names::te::SPLIT | names::te::TILE | names::te::FUSE => {
                    let from = operands.first().copied();
                    let stage = from.map(|from| stages.get(&from).copied().unwrap_or(from));
                    if name != names::te::AXES {
                        axes.retain(|(_, _, _, axis)| !operands.contains(axis));
                    }
                    for (result, axis) in primitive.results().into_iter().enumerate() {
                        if let Some(stage) = stage {
                            stages.insert(axis, stage);
                            axes.push((stage, place, result, axis));
                        }
                    }
                }
                names::te::UNROLL
                | names::te::VECTORIZE
                | names::te::PARALLEL
                | names::te::TENSORIZE => {
                    marked.extend(operands.first());
                }
                _ => {}
            }
        }
        Self { axes, marked }
    }

    fn is_marked(&self, axis: Value) -> bool {
        self.marked.contains(&axis)
    }

    /// The loops of the stage that a loop belongs to.
    fn beside(&self, axis: Value) -> impl Iterator<Item = (usize, usize, Value)> {
        let own = self.axes.iter().find(|(_, _, _, known)| *known == axis);
        let stage = own.map(|(stage, ..)| *stage);
        let same = self
            .axes
            .iter()
            .filter(move |(known, ..)| Some(*known) == stage);
        same.map(|(_, place, result, axis)| (*place, *result, *axis))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedule::schedule;
    use relay_dialects::{context, parse};

    const FUNCTION: &str = r#"
func.func @f(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %b = te.compute "b" (%i: 8, %j: 8) {
    %x = tensor.extract %a[%i, %j] : tensor<8x8xf32>
    te.yield %x : f32
  } : tensor<8x8xf32>
  te.schedule {
    %stage = te.stage %b : tensor<8x8xf32>
    %rows, %columns = te.axes %stage
    %outer, %inner = te.split %columns {factor = 4}
    te.reorder %outer, %rows, %inner
    te.unroll %inner
  }
  return %b : tensor<8x8xf32>
}
"#;

    /// What becomes of the function's schedule.
    fn edited(genome: &str) -> Result<(), String> {
        let context = context();
        let module = parse(&context, FUNCTION.as_bytes(), "test.mlir").expect("it is a module");
        let function = Op::of_module(&module).functions()[0];
        let genome: Genome = genome.parse().expect("it is a genome");
        genome.apply(schedule(function).expect("it has a schedule"))
    }

    #[test]
    fn all_edits_of_a_schedule_fit_it() {
        let context = context();
        let module = parse(&context, FUNCTION.as_bytes(), "test.mlir").expect("it is a module");
        let function = Op::of_module(&module).functions()[0];
        let all = edits(schedule(function).expect("it has a schedule"));
        assert!(all.len() > 5, "{all:?}");
        for edit in all {
            assert_eq!(edited(&edit.to_string()), Ok(()), "{edit}");
        }
    }

    #[test]
    fn what_another_schedule_was_edited_by_is_refused() {
        // The places of primitives: 0 stage, 1 axes, 2 split, 3 reorder, 4 unroll.
        for wrong in [
            "0.move=1:0",
            "3.move=1:0",
            "4.fuse",
            "3.fuse",
            "2.swap=0",
            "3.swap=18446744073709551615",
            "3.leave",
            "4.factor=2",
            "3.unroll=0",
            "9.leave",
        ] {
            assert!(edited(wrong).is_err(), "{wrong}");
        }
    }
}
