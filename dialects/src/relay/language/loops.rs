//! Loops: `relay.scan` and `relay.while`.

use crate::{
    dim::{Dim, unify},
    ir::{Attr, Block, Op, Type, Value},
    names::relay,
};

/// A `relay.scan`.
#[derive(Clone, Copy, Debug)]
pub struct Scan(Op);

impl Scan {
    /// The attribute that says how many operands are states.
    pub const STATES: &str = "states";
    /// The attribute that says how often the region runs.
    pub const TRIPS: &str = "trips";
    /// The attribute that says which sequences and outputs run from their ends.
    pub const REVERSED: &str = "reversed";

    /// An op as a scan, if it is one.
    pub fn of(op: Op) -> Option<Self> {
        op.is(relay::SCAN).then_some(Self(op))
    }

    /// The number of states.
    pub fn states(self) -> usize {
        let count = self.0.attr(Self::STATES).and_then(Attr::as_i64);
        count.map_or(0, |count| usize::try_from(count).unwrap_or(0))
    }

    /// How often the region runs.
    pub fn trips(self) -> Option<Dim> {
        match self.0.attr(Self::TRIPS)?.as_dims()?[..] {
            [trips] => Some(trips),
            _ => None,
        }
    }

    /// The sequences, each with whether it runs from its end.
    pub fn sequences(self) -> Vec<(Value, bool)> {
        let sequences = self.0.operands().into_iter().skip(self.states());
        sequences.zip(self.reversed()).collect()
    }

    /// The outputs, each with whether it runs from its end.
    pub fn outputs(self) -> Vec<(Value, bool)> {
        let sequences = self.0.operand_count().saturating_sub(self.states());
        let reversed = self.reversed().into_iter().skip(sequences);
        let outputs = self.0.results().into_iter().skip(self.states());
        outputs.zip(reversed).collect()
    }

    fn reversed(self) -> Vec<bool> {
        let numbers = self.0.attr(Self::REVERSED).and_then(Attr::as_ints);
        let numbers = numbers.unwrap_or_default().into_iter();
        numbers.map(|number| number != 0).collect()
    }
}

/// A `relay.while`.
#[derive(Clone, Copy, Debug)]
pub struct While(Op);

impl While {
    /// An op as such a loop, if it is one.
    pub fn of(op: Op) -> Option<Self> {
        op.is(relay::WHILE).then_some(Self(op))
    }

    /// The most steps.
    pub fn trips(self) -> Value {
        self.0.operand(0)
    }

    /// Whether there is a first step.
    pub fn condition(self) -> Value {
        self.0.operand(1)
    }

    /// The first states.
    pub fn states(self) -> Vec<Value> {
        self.0.operands().split_off(2)
    }
}

/// The type of the elements of a sequence, if `ty` is one that begins with `trips`; that of what is not known yet.
fn element_of(ty: Type, trips: Dim) -> Option<Type> {
    if ty.is_incomplete() {
        return Some(ty);
    }
    let dims = ty.dims();
    let (first, rest) = dims.split_first().filter(|_| ty.is_tensor())?;
    unify(*first, trips)?;
    Some(Type::tensor_of(rest, ty.element()))
}

fn types(values: &[Value]) -> Vec<Type> {
    values.iter().map(|value| value.ty()).collect()
}

fn fit(types: &[Type], expected: &[Type]) -> bool {
    let mut pairs = types.iter().zip(expected);
    types.len() == expected.len() && pairs.all(|(ty, expected)| ty.is_compatible(*expected))
}

/// The number of the step, which every region takes first.
fn step(op: Op) -> Type {
    Type::tensor(&[], Type::int(op.ctx(), 64))
}

/// Checks what the region of a loop takes (C2) and yields (C3).
fn verify_body(op: Op, takes: &[Type], yields: &[Type]) -> Result<(), String> {
    let block = op.block_in(0);
    let taken = types(&block.map_or_else(Vec::new, Block::args));
    if !fit(&taken, takes) {
        return Err(format!(
            "the region takes {taken:?}, expected {takes:?} (C2)"
        ));
    }
    let end = block.and_then(Block::terminator);
    let yielded = types(&end.map_or_else(Vec::new, Op::operands));
    match fit(&yielded, yields) {
        true => Ok(()),
        false => Err(format!(
            "the region yields {yielded:?}, expected {yields:?} (C3)"
        )),
    }
}

/// Checks `relay.scan`.
pub(super) fn verify_scan(op: Op) -> Result<(), String> {
    let scan = Scan(op);
    let (inputs, results) = (types(&op.operands()), types(&op.results()));
    let Some(trips) = scan.trips().filter(|trips| *trips != Dim::Unknown) else {
        return Err("'trips' is not one number or form (C1)".into());
    };
    if trips.known().is_some_and(|trips| trips < 0) {
        return Err("'trips' is negative (C1)".into());
    }
    let states = scan.states();
    if op.attr(Scan::STATES).and_then(Attr::as_i64) != Some(states as i64)
        || states > inputs.len()
        || states > results.len()
    {
        return Err(format!(
            "has {} operands and {} results, and 'states' is {} (C1)",
            inputs.len(),
            results.len(),
            op.attr(Scan::STATES)
                .map_or_else(String::new, |states| states.to_string())
        ));
    }
    let elements = |sequences: &[Type]| {
        let elements = sequences.iter().map(|ty| {
            element_of(*ty, trips)
                .ok_or_else(|| format!("{ty} is no tensor that begins with {trips} (C1)"))
        });
        elements.collect::<Result<Vec<_>, _>>()
    };
    let taken = elements(&inputs[states..])?;
    let made = elements(&results[states..])?;
    let reversed = op.attr(Scan::REVERSED).and_then(Attr::as_ints);
    let reversed = reversed.unwrap_or_default();
    let is_flag = |number: &i64| (0..=1).contains(number);
    if reversed.len() != taken.len() + made.len() || !reversed.iter().all(is_flag) {
        return Err(format!(
            "'reversed' is {reversed:?}, expected 0 or 1 for each of {} sequences and outputs (C4)",
            taken.len() + made.len()
        ));
    }
    if !fit(&inputs[..states], &results[..states]) {
        return Err(format!(
            "the states are {:?}, and the last ones {:?} (C3)",
            &inputs[..states],
            &results[..states]
        ));
    }
    let takes = [&[step(op)], &inputs[..states], &taken].concat();
    verify_body(op, &takes, &[&results[..states], &made].concat())
}

/// Checks `relay.while`.
pub(super) fn verify_while(op: Op) -> Result<(), String> {
    let (inputs, results) = (types(&op.operands()), types(&op.results()));
    let flag = Type::tensor(&[], Type::int(op.ctx(), 1));
    let (control, states) = inputs.split_at(inputs.len().min(2));
    if !fit(control, &[step(op), flag]) {
        return Err(format!(
            "the number of steps and the condition are {control:?}, expected tensor<i64> and tensor<i1> (C1)"
        ));
    }
    if !fit(states, &results) {
        return Err(format!(
            "the states are {states:?}, and the results {results:?} (C2)"
        ));
    }
    verify_body(
        op,
        &[&[step(op)], states].concat(),
        &[&[flag], &results[..]].concat(),
    )
}
