//! Values that there are in another layout, too.

use crate::graph::shapes::transform;
use relay_dialects::{
    ir::{Attr, Builder, Op, Value},
    relay::{Layout, build::changed_of},
};
use std::collections::HashMap;

/// From which order of dimensions to which.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layouts {
    /// That of the model.
    pub from: String,
    /// That of the converted value.
    pub to: String,
}

impl Layouts {
    /// Whether nothing moves.
    pub fn is_same(&self) -> bool {
        self.from == self.to
    }

    /// The number of dimensions.
    pub fn rank(&self) -> usize {
        self.from.len()
    }

    /// Where the converted value has dimension `axis` of the model's, which may count from the end.
    pub fn place(&self, axis: i64) -> Option<usize> {
        let rank = self.rank() as i64;
        let axis = if axis < 0 { axis + rank } else { axis };
        let letter = self.from.chars().nth(usize::try_from(axis).ok()?)?;
        Layout::parse(&self.to).ok()?.position(letter)
    }

    /// [`place`](Self::place) for each of `axes`.
    pub fn places(&self, axes: &[i64]) -> Option<Vec<i64>> {
        let places = axes.iter().map(|&axis| Some(self.place(axis)? as i64));
        places.collect()
    }

    /// A list that holds something for each dimension, in the converted order.
    pub fn reorder<T: Clone>(&self, list: &[T]) -> Option<Vec<T>> {
        let back = Self {
            from: self.to.clone(),
            to: self.from.clone(),
        };
        let old = (0..self.rank()).map(|new| list.get(back.place(new as i64)?).cloned());
        old.collect()
    }

    /// What is left without some dimensions of the model's; `None` if that is nothing, or nothing that moves.
    pub fn without(&self, axes: &[i64]) -> Option<Self> {
        let to: Vec<char> = self.to.chars().collect();
        let gone: Vec<char> = self
            .places(axes)?
            .into_iter()
            .map(|place| to[place as usize])
            .collect();
        let rest = |text: &str| {
            text.chars()
                .filter(|letter| !gone.contains(letter))
                .collect()
        };
        let left = Self {
            from: rest(&self.from),
            to: rest(&self.to),
        };
        (!left.is_same()).then_some(left)
    }
}

/// Which values there are in another layout.
#[derive(Default)]
pub struct Moved(HashMap<Value, (Value, Layouts)>);

impl Moved {
    /// The layouts of the first of an op's operands that there is in another one.
    pub fn first(&self, op: Op) -> Option<Layouts> {
        let known = |value: &Value| self.0.get(value);
        let mut operands = op.operands().into_iter();
        operands.find_map(|value| known(&value).map(|(_, layouts)| layouts.clone()))
    }

    /// Notes a value, which there is in another layout as `moved`.
    pub fn insert(&mut self, value: Value, moved: Value, layouts: Layouts) {
        self.0.insert(value, (moved, layouts));
    }

    /// What there is of a value in another layout, or the value itself.
    pub fn known(&self, value: Value) -> Value {
        self.0.get(&value).map_or(value, |(moved, _)| *moved)
    }

    /// A value in another layout: as it is known, or brought into it.
    pub fn in_layout(&self, builder: &Builder, value: Value, layouts: &Layouts) -> Value {
        match self.0.get(&value) {
            Some((moved, known)) if known == layouts => *moved,
            _ if layouts.is_same() => value,
            _ => transform(builder, value, &layouts.from, &layouts.to),
        }
    }

    /// Puts the same operator on other operands in the place of `op`, with `changes` to its attributes. Who reads a result
    /// reads it in the model's layout, from which `layouts` says that it differs.
    pub fn replace(
        &mut self,
        op: Op,
        operands: &[Value],
        changes: &[(&str, Attr)],
        layouts: &[Option<Layouts>],
    ) {
        let builder = Builder::before(op);
        let attrs = op.attrs();
        let made = builder.inferred(&op.name(), operands, &changed_of(op, &attrs, changes));
        let made = made.unwrap_or_else(|| panic!("{} is made in another layout", op.name()));
        let results = made.results().into_iter().zip(layouts);
        let read: Vec<Value> = results
            .map(|(result, layouts)| match layouts {
                Some(layouts) if !layouts.is_same() => {
                    let back = transform(&builder, result, &layouts.to, &layouts.from);
                    self.0.insert(back, (result, layouts.clone()));
                    back
                }
                _ => result,
            })
            .collect();
        op.replace_with(&read);
    }
}
