//! Operators on lists, tuples, dictionaries and texts.

use super::{
    eval::{Evaluator, items_of},
    value::{Val, are_equal},
};
use crate::{graph::error::Result, torch::item::Number};
use std::rc::Rc;

/// The most items of a list that an operator makes.
const LONGEST: usize = 1 << 20;
/// How many copied items count as one step: a list that each iteration of a loop copies may grow to some 5000 items.
const ITEMS_OF_STEP: usize = 16;

impl<'g> Evaluator<'g, '_> {
    /// What takes lists, tuples, dictionaries and texts.
    ///
    /// # Errors
    /// What is wrong with its arguments.
    pub fn of_collection(&mut self, own: &str, places: &[Val<'g>]) -> Result<Option<Val<'g>>> {
        // Lists and texts may be joined with themselves again and again: what a call reads counts as steps of the program.
        let read = items_joined(own, places);
        if read > LONGEST {
            return Err(format!("{read} items or bytes are too many to be joined"));
        }
        self.count_steps(read / ITEMS_OF_STEP)?;
        if let Some(value) = self.changed_list(own, places)? {
            return Ok(Some(value));
        }
        if let Some(value) = joined_list(own, places)? {
            if own == "mul" {
                self.count_steps(length(&value).unwrap_or(0))?;
            }
            return Ok(Some(value));
        }
        if let Some(value) = of_dictionary(own, places)? {
            return Ok(Some(value));
        }
        Ok(Some(match (own, places) {
            ("len", [value]) => match length(value) {
                Some(length) => Val::int(length as i64),
                None => return Ok(None),
            },
            ("__getitem__", [of, key]) => self.item(of, key)?,
            ("eq" | "ne", [lhs, rhs]) => match are_equal(lhs, rhs) {
                Some(flag) => Val::bool(flag == (own == "eq")),
                None => return Ok(None),
            },
            ("max" | "min", [Val::List(items)]) => {
                let items = items.borrow().to_vec();
                let mut rest = items.into_iter();
                let first = rest.next().ok_or("a list has no items")?;
                rest.try_fold(first, |best, item| self.arithmetic(own, &[best, item]))?
            }
            ("sum", [Val::List(items)]) => {
                let items = items.borrow().to_vec();
                let mut all = items.into_iter();
                all.try_fold(Val::int(0), |sum, item| {
                    self.arithmetic("add", &[sum, item])
                })?
            }
            ("range" | "__range_length", bounds) => {
                let made = range(bounds)?;
                self.count_steps(length(&made).unwrap_or(0))?;
                made
            }
            ("str" | "format" | "percentFormat" | "join", _) => Val::Text(texts(places).into()),
            ("__not__", [value]) => match self.truth(value)? {
                Some(flag) => Val::bool(!flag),
                None => self.operate("torch.sym_not", places)?,
            },
            ("Float" | "float", [Val::Text(_)]) => self.scalar(&places[0], "float")?,
            _ => return Ok(None),
        }))
    }

    /// What changes a list.
    fn changed_list(&mut self, own: &str, places: &[Val<'g>]) -> Result<Option<Val<'g>>> {
        let Some(Val::List(items)) = places.first() else {
            return Ok(None);
        };
        if !matches!(own, "add_" | "extend" | "pop" | "reverse" | "clear") {
            return Ok(None);
        }
        self.check_unguarded()?;
        Ok(Some(match (own, &places[1..]) {
            ("add_" | "extend", [other]) => {
                let more = items_of(other)?;
                items.borrow_mut().extend(more);
                places[0].clone()
            }
            ("pop", rest) => {
                let mut items = items.borrow_mut();
                let at = match rest {
                    [Val::Number(Number::Int(at))] => place(*at, items.len())?,
                    _ => place(-1, items.len())?,
                };
                items.remove(at)
            }
            ("reverse", []) => {
                items.borrow_mut().reverse();
                Val::None
            }
            ("clear", []) => {
                items.borrow_mut().clear();
                Val::None
            }
            _ => return Ok(None),
        }))
    }

    /// An item by its subscript or key.
    ///
    /// # Errors
    /// If there is none.
    pub fn item(&mut self, of: &Val<'g>, key: &Val<'g>) -> Result<Val<'g>> {
        match (of, key) {
            (Val::Lost, _) => Ok(Val::Lost),
            (Val::Dict(items), key) => {
                let items = items.borrow();
                let mut found = items
                    .iter()
                    .filter(|(known, _)| are_equal(known, key) == Some(true));
                let found = found.next().map(|(_, value)| value.clone());
                found.ok_or_else(|| "a dictionary has no such key".into())
            }
            (Val::Text(text), Val::Number(Number::Int(at))) => {
                let chars: Vec<char> = text.chars().collect();
                Ok(Val::Text(
                    chars[place(*at, chars.len())?].to_string().into(),
                ))
            }
            (Val::List(items), Val::Number(Number::Int(at))) => {
                let items = items.borrow();
                Ok(items[place(*at, items.len())?].clone())
            }
            (Val::Tuple(items, _), Val::Number(Number::Int(at))) => {
                Ok(items[place(*at, items.len())?].clone())
            }
            (of, key) => Err(format!("{} has no item at {}", of.kind(), key.kind())),
        }
    }

    /// Gives a value to an item.
    ///
    /// # Errors
    /// If there is none.
    pub fn set_item(&mut self, of: &Val<'g>, key: &Val<'g>, value: Val<'g>) -> Result<()> {
        self.check_unguarded()?;
        match (of, key) {
            (Val::Dict(items), key) => {
                let mut items = items.borrow_mut();
                let at = items
                    .iter()
                    .position(|(known, _)| are_equal(known, key) == Some(true));
                match at {
                    Some(at) => items[at].1 = value,
                    None => items.push((key.clone(), value)),
                }
                Ok(())
            }
            (Val::List(items), Val::Number(Number::Int(at))) => {
                let mut items = items.borrow_mut();
                let at = place(*at, items.len())?;
                items[at] = value;
                Ok(())
            }
            (of, _) => Err(format!("{} has no items that can be changed", of.kind())),
        }
    }

    /// Fails in a branch or a loop that data decide: lists are there once.
    ///
    /// # Errors
    /// If it is changed there.
    pub fn check_unguarded(&self) -> Result<()> {
        match self.state.is_guarded {
            false => Ok(()),
            true => Err(
                "a list or a dictionary is changed where data decide; that is not supported".into(),
            ),
        }
    }
}

/// How many items a value has; none if it is nothing that has items.
fn length(value: &Val<'_>) -> Option<usize> {
    match value {
        Val::Text(text) => Some(text.chars().count()),
        Val::List(items) => Some(items.borrow().len()),
        Val::Tuple(items, _) => Some(items.len()),
        Val::Dict(items) => Some(items.borrow().len()),
        _ => None,
    }
}

/// How many items of lists, or bytes of texts, an operator copies into a list or a text.
fn items_joined(own: &str, places: &[Val<'_>]) -> usize {
    let copied = match own {
        // The first list stays where it is.
        "add_" | "extend" => places.get(1..).unwrap_or_default(),
        "add" | "copy" | "enumerate" | "format" | "join" | "percentFormat" | "slice" | "str" => {
            places
        }
        _ => &[],
    };
    let items = copied.iter().map(|value| match value {
        Val::Text(text) => text.len(),
        value => length(value).unwrap_or(0),
    });
    items.sum()
}

/// What makes lists, tuples and texts of others.
fn joined_list<'g>(own: &str, places: &[Val<'g>]) -> Result<Option<Val<'g>>> {
    Ok(Some(match (own, places) {
        ("add", [Val::List(lhs), Val::List(rhs)]) => {
            Val::list([&lhs.borrow()[..], &rhs.borrow()].concat())
        }
        ("add", [Val::Text(lhs), Val::Text(rhs)]) => Val::Text(format!("{lhs}{rhs}").into()),
        ("add", [Val::Tuple(lhs, _), Val::Tuple(rhs, _)]) => Val::tuple([&lhs[..], rhs].concat()),
        ("mul", [Val::List(items), Val::Number(Number::Int(count))]) => {
            let items = items.borrow();
            let whole = items.len().saturating_mul((*count).max(0) as usize);
            if whole > LONGEST {
                return Err(format!("a list of {whole} items is too long"));
            }
            Val::list(items.iter().cloned().cycle().take(whole).collect())
        }
        ("copy", [value @ Val::List(_)]) => Val::list(items_of(value)?),
        ("slice", [value @ (Val::List(_) | Val::Tuple(..)), range @ ..]) => {
            let cut = cut(items_of(value)?, range)?;
            match value {
                Val::List(_) => Val::list(cut),
                _ => Val::tuple(cut),
            }
        }
        ("enumerate", [value]) => {
            let items = items_of(value)?.into_iter().enumerate();
            let pairs = items.map(|(at, item)| Val::tuple(vec![Val::int(at as i64), item]));
            Val::list(pairs.collect())
        }
        _ => return Ok(None),
    }))
}

/// What takes a dictionary.
fn of_dictionary<'g>(own: &str, places: &[Val<'g>]) -> Result<Option<Val<'g>>> {
    Ok(Some(match (own, places) {
        ("dict", []) => Val::Dict(Rc::default()),
        ("keys", [value @ Val::Dict(_)]) => Val::list(items_of(value)?),
        ("values", [Val::Dict(items)]) => {
            let values = items
                .borrow()
                .iter()
                .map(|(_, value)| value.clone())
                .collect();
            Val::list(values)
        }
        ("items", [Val::Dict(items)]) => {
            let pair =
                |(key, value): &(Val<'g>, Val<'g>)| Val::tuple(vec![key.clone(), value.clone()]);
            Val::list(items.borrow().iter().map(pair).collect())
        }
        _ => return Ok(None),
    }))
}

/// Numbers in steps.
fn range<'g>(bounds: &[Val<'g>]) -> Result<Val<'g>> {
    let known = |value: &Val<'g>| match value {
        Val::Number(Number::Int(number)) => Ok(*number),
        _ => Err(String::from("a range depends on data")),
    };
    let (start, end, step) = match bounds {
        [end] => (0, known(end)?, 1),
        [start, end] => (known(start)?, known(end)?, 1),
        [start, end, step] => (known(start)?, known(end)?, known(step)?),
        _ => return Err("a range has no bounds".into()),
    };
    let count = match step {
        0 => return Err("a range has steps of 0".into()),
        step if step > 0 => {
            end.saturating_sub(start).max(0).div_euclid(step)
                + i64::from(end > start && (end - start) % step != 0)
        }
        step => {
            start.saturating_sub(end).max(0).div_euclid(-step)
                + i64::from(start > end && (start - end) % step != 0)
        }
    };
    if count > LONGEST as i64 {
        return Err(format!("a range of {count} numbers is too long"));
    }
    Ok(Val::list(
        (0..count).map(|at| Val::int(start + at * step)).collect(),
    ))
}

/// A subscript, counted from the end if negative.
fn place(at: i64, length: usize) -> Result<usize> {
    let from_start = if at < 0 {
        at.saturating_add(length as i64)
    } else {
        at
    };
    match (0..length as i64).contains(&from_start) {
        true => Ok(from_start as usize),
        false => Err(format!("item {at} of {length} is asked for")),
    }
}

/// The items from a start to an end in steps.
fn cut<'g>(items: Vec<Val<'g>>, range: &[Val<'g>]) -> Result<Vec<Val<'g>>> {
    let length = items.len() as i64;
    let bound = |at: usize, default: i64| match range.get(at) {
        None | Some(Val::None) => Ok(default),
        Some(Val::Number(Number::Int(number))) => Ok(*number),
        Some(other) => Err(format!("a list is cut at {}", other.kind())),
    };
    let from_start = |number: i64| {
        let number = if number < 0 {
            number.saturating_add(length)
        } else {
            number
        };
        number.clamp(0, length) as usize
    };
    let (start, end, step) = (
        from_start(bound(0, 0)?),
        from_start(bound(1, length)?),
        bound(2, 1)?,
    );
    if step < 1 {
        return Err(format!("a list is cut in steps of {step}"));
    }
    let part = items.get(start..end.max(start)).unwrap_or_default();
    Ok(part.iter().step_by(step as usize).cloned().collect())
}

/// Texts of messages: numbers stand in braces.
fn texts(values: &[Val<'_>]) -> String {
    let Some((Val::Text(text), rest)) = values.split_first() else {
        return String::new();
    };
    let mut text = text.to_string();
    for value in rest {
        let shown = match value {
            Val::Text(text) => text.to_string(),
            Val::Number(Number::Int(number)) => number.to_string(),
            Val::Number(Number::Float(number)) => number.to_string(),
            other => other.kind().to_owned(),
        };
        text = text.replacen("{}", &shown, 1);
    }
    text
}
