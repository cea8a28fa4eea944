//! Choices that are known by a text, as points of a space: what a template may choose, or the numbers of knobs.
//!
//! A text such as `packed-conv columns=14 blocks=2 order=rows` is a word that names the template, and knobs with their values. Each
//! name is a dimension; its values are in the order of their numbers, or else of their letters. Templates that do not have a knob
//! have the value before all others in its dimension. So texts make a few of all points, and the others are missing.

use crate::{
    knobs::Knob,
    space::{Point, Space},
};
use std::{cmp::Ordering, collections::BTreeSet, collections::HashMap};

/// The name of the dimension of what stands before the knobs.
const TEMPLATE: &str = "";

/// Texts and the points that they are.
#[derive(Clone, Debug)]
pub struct Choices {
    space: Space,
    dimensions: Vec<Dimension>,
    /// The text of each point, where texts list what there is.
    texts: HashMap<Point, String>,
}

/// A name and its values.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Dimension {
    name: String,
    values: Vec<String>,
}

impl Choices {
    /// All numbers of some knobs. Their texts are those of [`Config`](crate::knobs::Config).
    pub fn of_knobs(knobs: &[Knob]) -> Self {
        let dimension = |knob: &Knob| Dimension {
            name: knob.name.clone(),
            values: knob.values.iter().map(i64::to_string).collect(),
        };
        let mut dimensions: Vec<Dimension> = knobs.iter().map(dimension).collect();
        // A text names the knobs in this order.
        dimensions.sort_by(|a, b| a.name.cmp(&b.name));
        Self {
            space: Space::new(sizes(&dimensions)),
            dimensions,
            texts: HashMap::new(),
        }
    }

    /// What is listed, in its order.
    pub fn of_texts<'t>(texts: impl Iterator<Item = &'t str> + Clone) -> Self {
        let dimensions = dimensions(texts.clone());
        let mut points = Vec::new();
        let mut known = HashMap::new();
        for text in texts {
            if let Some(point) = point(&dimensions, text)
                && known.insert(point.clone(), text.to_owned()).is_none()
            {
                points.push(point);
            }
        }
        Self {
            space: Space::listed(sizes(&dimensions), points),
            dimensions,
            texts: known,
        }
    }

    /// The space.
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// The text of a point of the space.
    pub fn text(&self, point: &[usize]) -> String {
        if let Some(text) = self.texts.get(point) {
            return text.clone();
        }
        let knobs = self.dimensions.iter().zip(point);
        let knobs = knobs.map(|(knob, digit)| format!("{}={}", knob.name, knob.values[*digit]));
        knobs.collect::<Vec<_>>().join(" ")
    }

    /// The point of a text; none if the space does not have it.
    pub fn point(&self, text: &str) -> Option<Point> {
        point(&self.dimensions, text).filter(|point| self.space.has(point))
    }

    /// The dimensions and how many values each has, for people.
    pub fn describe(&self) -> String {
        let dimensions = self.dimensions.iter().map(|dimension| {
            let name = match &dimension.name[..] {
                TEMPLATE => "template",
                name => name,
            };
            format!("{name}:{}", dimension.values.len())
        });
        dimensions.collect::<Vec<_>>().join(" ")
    }
}

fn sizes(dimensions: &[Dimension]) -> Vec<usize> {
    dimensions.iter().map(|it| it.values.len()).collect()
}

/// The names and values of a text, and what stands before them.
fn values(text: &str) -> Vec<(&str, &str)> {
    let words = text.split_whitespace();
    words
        .map(|word| word.split_once('=').unwrap_or((TEMPLATE, word)))
        .collect()
}

/// What some texts choose among.
fn dimensions<'t>(texts: impl Iterator<Item = &'t str>) -> Vec<Dimension> {
    let mut found: Vec<(String, BTreeSet<&str>)> = Vec::new();
    let mut everywhere: HashMap<&str, usize> = HashMap::new();
    let mut count = 0;
    for text in texts {
        count += 1;
        for (name, value) in values(text) {
            *everywhere.entry(name).or_default() += 1;
            match found.iter_mut().find(|(known, _)| known == name) {
                Some((_, values)) => {
                    values.insert(value);
                }
                None => found.push((name.to_owned(), BTreeSet::from([value]))),
            }
        }
    }
    let sorted = |(name, values): (String, BTreeSet<&str>)| {
        let mut values: Vec<String> = values.into_iter().map(str::to_owned).collect();
        values.sort_by(|a, b| in_order(a, b));
        if everywhere.get(&name[..]) != Some(&count) {
            values.insert(0, String::new());
        }
        Dimension { name, values }
    };
    found.into_iter().map(sorted).collect()
}

/// Numbers by their size, and before what is none.
fn in_order(a: &str, b: &str) -> Ordering {
    match (a.parse::<i64>(), b.parse::<i64>()) {
        (Ok(a), Ok(b)) => a.cmp(&b),
        (Ok(_), Err(_)) => Ordering::Less,
        (Err(_), Ok(_)) => Ordering::Greater,
        (Err(_), Err(_)) => a.cmp(b),
    }
}

/// The point of a text; none if it has a name or a value that no dimension has.
fn point(dimensions: &[Dimension], text: &str) -> Option<Point> {
    let values = values(text);
    let is_known = |name: &str| dimensions.iter().any(|dimension| dimension.name == name);
    if !values.iter().all(|(name, _)| is_known(name)) {
        return None;
    }
    let digit = |dimension: &Dimension| {
        let value = values.iter().find(|(name, _)| *name == dimension.name);
        let value = value.map_or("", |(_, value)| value);
        dimension.values.iter().position(|known| known == value)
    };
    dimensions.iter().map(digit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXTS: [&str; 4] = [
        "product rows=10 vectors=2 part=4",
        "product rows=9 vectors=2 part=4",
        "product rows=9 vectors=1 run=64",
        "rows sums=3",
    ];

    #[test]
    fn texts_are_points_and_back() {
        let choices = Choices::of_texts(TEXTS.into_iter());
        assert_eq!(choices.space().count(), 4);
        assert_eq!(
            choices.describe(),
            "template:2 rows:3 vectors:3 part:2 run:2 sums:2"
        );
        for (place, text) in TEXTS.into_iter().enumerate() {
            let point = choices.space().point(place as u128);
            assert_eq!(choices.text(&point), text);
            assert_eq!(choices.point(text), Some(point));
        }
        // 9 comes before 10.
        let more = choices.point(TEXTS[0]).map(|point| point[1]);
        assert!(more > choices.point(TEXTS[1]).map(|point| point[1]));
        assert_eq!(choices.point("product rows=10 vectors=1 part=4"), None);
        assert_eq!(choices.point("product rows=10 other=1"), None);
    }

    #[test]
    fn knobs_have_all_their_numbers() {
        let knob = |name: &str, values: &[i64]| Knob {
            name: name.to_owned(),
            values: values.to_vec(),
        };
        let choices = Choices::of_knobs(&[knob("tile", &[1, 2, 4]), knob("order", &[0, 1])]);
        assert_eq!(choices.space().count(), 6);
        assert_eq!(choices.text(&[1, 2]), "order=1 tile=4");
        assert_eq!(choices.point("tile=4 order=1"), Some(vec![1, 2]));
        assert_eq!(choices.point("tile=3 order=1"), None);
    }
}
