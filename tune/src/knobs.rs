//! Templates that are IR: schedules with `te.knob` ops, as AutoTVM's configurations.
//!
//! A knob has a name and the numbers that it may be; a [`Config`] says which number each knob is. What a primitive makes of the number
//! of its knob stands in [`apply`].

use relay_dialects::{
    attrs,
    index::divisors,
    ir::{Attr, Op, Value},
    names,
    te::Compute,
};
use std::{collections::BTreeMap, fmt, str::FromStr};

/// What is wrong with an op.
#[derive(Debug)]
pub struct Wrong {
    /// The op.
    pub op: Op,
    /// What is wrong with it.
    pub reason: String,
}

/// A choice that a schedule leaves open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Knob {
    /// Its name.
    pub name: String,
    /// The numbers that it may be, the smallest first if they are sizes.
    pub values: Vec<i64>,
}

/// The number of each knob, by its name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Config(pub BTreeMap<String, i64>);

impl fmt::Display for Config {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let knobs: Vec<String> = self
            .0
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        formatter.write_str(&knobs.join(" "))
    }
}

impl FromStr for Config {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let knob = |word: &str| {
            let wrong = || format!("'{word}' is no knob and its number, such as tile=8");
            let (name, value) = word.split_once('=').ok_or_else(wrong)?;
            Ok((name.to_owned(), value.parse().map_err(|_| wrong())?))
        };
        text.split_whitespace()
            .map(knob)
            .collect::<Result<_, _>>()
            .map(Self)
    }
}

/// The most orders of loops that one knob chooses among: those of seven loops.
const MOST_ORDERS: i64 = 5040;

/// The knobs of a schedule, in their order.
///
/// # Errors
/// The first knob that is none.
pub fn knobs(schedule: Op) -> Result<Vec<Knob>, Wrong> {
    let mut found: Vec<Knob> = Vec::new();
    for op in schedule.body().ops() {
        if !op.is(names::te::KNOB) {
            continue;
        }
        let wrong = |reason: String| Wrong { op, reason };
        let name = op.attr("name").and_then(Attr::as_str).unwrap_or_default();
        if found.iter().any(|knob| knob.name == name) {
            return Err(wrong(format!("there is a knob '{name}' already")));
        }
        if name.is_empty() || name.contains(|letter: char| letter == '=' || letter.is_whitespace())
        {
            let reason = format!(
                "'{name}' is no name: records write name=number, with a space between two of them"
            );
            return Err(wrong(reason));
        }
        let values = values(op).map_err(wrong)?;
        if values.is_empty() {
            return Err(wrong(format!("knob '{name}' has no number to choose")));
        }
        if let Some(twice) =
            (1..values.len()).find(|place| values[..*place].contains(&values[*place]))
        {
            return Err(wrong(format!("knob '{name}' has {} twice", values[twice])));
        }
        found.push(Knob { name, values });
    }
    Ok(found)
}

/// The numbers that a knob may be.
fn values(op: Op) -> Result<Vec<i64>, String> {
    let loops = op.operands();
    let listed = op.attr("values").and_then(Attr::as_ints);
    match (&loops[..], listed) {
        ([], Some(values)) => Ok(values),
        ([divided], None) => sizes_of(op, extent(*divided)?),
        ([_, ..], None) => orders(loops.len()),
        _ => Err("says of which loops it is, or from which numbers, and not both".into()),
    }
}

/// The orders of so many loops, by number.
fn orders(loops: usize) -> Result<Vec<i64>, String> {
    let orders = (1..=loops as i64).try_fold(1_i64, |all, next| all.checked_mul(next));
    let orders = orders.filter(|orders| *orders <= MOST_ORDERS);
    let orders =
        orders.ok_or_else(|| format!("{loops} loops have more than {MOST_ORDERS} orders"))?;
    Ok((0..orders).collect())
}

/// The sizes that a loop is cut into.
fn sizes_of(op: Op, extent: i64) -> Result<Vec<i64>, String> {
    let most = op.attr("max").and_then(Attr::as_i64).unwrap_or(i64::MAX);
    let powers = || {
        (0..62)
            .map(|power| 1_i64 << power)
            .take_while(|size| *size <= extent)
    };
    let policy = op.attr("policy").and_then(Attr::as_str);
    let mut sizes: Vec<i64> = match policy.as_deref().unwrap_or("factors") {
        "factors" => divisors(extent),
        "power2" => powers().collect(),
        "verbose" => divisors(extent).into_iter().chain(powers()).collect(),
        other => {
            return Err(format!(
                "policy is '{other}', expected factors, power2 or verbose"
            ));
        }
    };
    sizes.retain(|size| *size <= most);
    sizes.sort_unstable();
    sizes.dedup();
    Ok(sizes)
}

/// The extent of a loop, which is one that a compute was made with.
fn extent(axis: Value) -> Result<i64, String> {
    let known = || {
        let axes = axis.def_of(names::te::AXES)?;
        let stage = axes.operand(0).def_of(names::te::STAGE)?;
        let compute = Compute::making(stage.operand(0))?;
        compute.extents().get(axis.number()).copied()
    };
    known().ok_or_else(|| "divides a loop of te.axes of a te.compute's stage, no other".into())
}

/// Makes a choice: the primitives get the numbers of their knobs, and the knobs go. Knobs that the choice does not name stay as they
/// stand.
///
/// # Errors
/// If a knob may not be that number, or a primitive has nothing that a knob could choose.
pub fn apply(schedule: Op, config: &Config) -> Result<(), Wrong> {
    let known = knobs(schedule)?;
    for (name, value) in &config.0 {
        let Some(knob) = known.iter().find(|knob| knob.name == *name) else {
            let names: Vec<&str> = known.iter().map(|knob| &knob.name[..]).collect();
            let reason = format!("there is no knob '{name}', but {}", names.join(", "));
            return Err(Wrong {
                op: schedule,
                reason,
            });
        };
        if !knob.values.contains(value) {
            let reason = format!("knob '{name}' cannot be {value}");
            return Err(Wrong {
                op: schedule,
                reason,
            });
        }
    }
    let ops = schedule.body().ops().into_iter();
    let (knobs, primitives): (Vec<Op>, Vec<Op>) = ops.partition(|op| op.is(names::te::KNOB));
    for op in primitives.iter().filter(|op| op.has_attr(attrs::BY)) {
        let name = op
            .attr(attrs::BY)
            .and_then(Attr::as_str)
            .unwrap_or_default();
        if !known.iter().any(|knob| knob.name == name) {
            let reason = format!("there is no knob '{name}'");
            return Err(Wrong { op: *op, reason });
        }
        op.remove_attr(attrs::BY);
        if let Some(value) = config.0.get(&name) {
            set(*op, *value).map_err(|reason| Wrong { op: *op, reason })?;
        }
    }
    knobs.into_iter().for_each(Op::erase);
    Ok(())
}

/// What a primitive makes of a knob's number.
fn set(op: Op, value: i64) -> Result<(), String> {
    let numbers = crate::edits::NUMBERS.iter();
    let numbers: Vec<&str> = numbers.copied().filter(|name| op.has_attr(name)).collect();
    if numbers.len() > 1 {
        return Err(format!(
            "has {}; a knob chooses one number, so write it as ops of one each",
            numbers.join(" and ")
        ));
    }
    if let [number] = numbers[..] {
        op.set_attr(number, Attr::i64(op.ctx(), value));
    } else if op.is(names::te::REORDER) {
        let loops = op.operands();
        if !orders(loops.len())?.contains(&value) {
            return Err(format!(
                "has {} loops, of which no order has the number {value}",
                loops.len()
            ));
        }
        op.set_operands(&order(loops, value));
    } else if op.result_count() > 0 {
        return Err("has nothing that a knob could choose".into());
    } else if value == 0 {
        op.erase();
    }
    Ok(())
}

/// The loops in the order of that number, of all their orders as dictionaries list them.
fn order(mut loops: Vec<Value>, mut number: i64) -> Vec<Value> {
    let mut ordered = Vec::new();
    while !loops.is_empty() {
        let rest: i64 = (1..loops.len() as i64).product();
        let place = (number / rest) as usize % loops.len();
        number %= rest;
        ordered.push(loops.remove(place));
    }
    ordered
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn configs_are_text_and_back() {
        let config: Config = "tile=8 order=3".parse().expect("it is a configuration");
        assert_eq!(config.to_string(), "order=3 tile=8");
        assert!("tile".parse::<Config>().is_err());
        assert!("tile=x".parse::<Config>().is_err());
    }
}
