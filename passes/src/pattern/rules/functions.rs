//! The functions that conditions and attributes are computed with.

use super::super::Datum;
use crate::graph::{
    bounds::magnitude,
    operators::{is_foldable, is_view},
};
use relay_dialects::{
    Element,
    dim::Dim,
    element::Kind,
    ir::{DYNAMIC, Op, Value},
    names,
    relay::{
        Attrs, Layout,
        build::{constant, splat},
        ops::window::Window,
    },
};

/// What a function gives: nothing where it depends on what is not known; or why its arguments do not fit.
pub(super) type Outcome = Result<Option<Datum>, String>;

/// What kind of data something gives wherever it gives any. Data of two forms are never the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Bool,
    Number,
    Text,
    Element,
    Type,
    List,
    /// One of several.
    Any,
}

impl Form {
    /// The form of what is written down.
    pub(super) fn of(datum: &Datum) -> Self {
        match datum {
            Datum::Bool(_) => Self::Bool,
            Datum::Int(_) | Datum::Float(_) => Self::Number,
            Datum::Text(_) => Self::Text,
            Datum::Element(_) => Self::Element,
            Datum::TypeText(_) | Datum::Type(_) => Self::Type,
            Datum::List(_) => Self::List,
            Datum::Unknown | Datum::Any => Self::Any,
        }
    }

    /// Whether data of both forms may be the same.
    pub(super) fn meets(self, other: Self) -> bool {
        self == other || self == Self::Any || other == Self::Any
    }

    /// What messages call it.
    pub(super) fn text(self) -> &'static str {
        match self {
            Self::Bool => "a boolean",
            Self::Number => "a number",
            Self::Text => "a text",
            Self::Element => "an element type",
            Self::Type => "a type",
            Self::List => "a list",
            Self::Any => "anything",
        }
    }
}

/// What a function computes of which arguments: parts of the graph, and data.
#[derive(Clone, Copy)]
pub(super) enum Run {
    Value(fn(Value) -> Outcome),
    ValueData(fn(Value, &Datum) -> Outcome),
    Data(fn(&Datum) -> Outcome),
    TwoData(fn(&Datum, &Datum) -> Outcome),
}

/// A function.
pub(super) struct Function {
    pub(super) name: &'static str,
    /// The form of what it gives.
    pub(super) gives: Form,
    /// What it gives, for the guide.
    pub(super) meaning: &'static str,
    pub(super) run: Run,
}

const fn of_value(
    name: &'static str,
    gives: Form,
    meaning: &'static str,
    run: fn(Value) -> Outcome,
) -> Function {
    Function {
        name,
        gives,
        meaning,
        run: Run::Value(run),
    }
}

const fn of_data(
    name: &'static str,
    gives: Form,
    meaning: &'static str,
    run: fn(&Datum) -> Outcome,
) -> Function {
    Function {
        name,
        gives,
        meaning,
        run: Run::Data(run),
    }
}

const fn of_two(
    name: &'static str,
    gives: Form,
    meaning: &'static str,
    run: fn(&Datum, &Datum) -> Outcome,
) -> Function {
    Function {
        name,
        gives,
        meaning,
        run: Run::TwoData(run),
    }
}

/// All of them.
pub(super) const FUNCTIONS: &[Function] = &[
    of_value("const", Form::Bool, "whether it is a constant", |value| {
        known(Datum::Bool(constant(value).is_some()))
    }),
    of_value(
        "foldable",
        Form::Bool,
        "whether it depends on constants only",
        |value| known(Datum::Bool(is_foldable(value))),
    ),
    of_value(
        "one_use",
        Form::Bool,
        "whether one operand reads it",
        |value| known(Datum::Bool(value.uses().len() == 1)),
    ),
    of_value(
        "view",
        Form::Bool,
        "whether it has the bytes of its operand, as a reshape has",
        |value| known(Datum::Bool(value.def().is_some_and(is_view))),
    ),
    of_value(
        "value",
        Form::Number,
        "the number that all elements of a constant are",
        splat_of,
    ),
    of_value(
        "magnitude",
        Form::Number,
        "what the magnitudes of its elements do not exceed",
        |value| Ok(magnitude(value).map(Datum::Float)),
    ),
    of_value("type", Form::Type, "its type", |value| {
        known(Datum::Type(value.ty()))
    }),
    of_value("element", Form::Element, "its element type", |value| {
        Ok(Element::of(value.ty().element())
            .filter(|_| value.ty().is_tensor())
            .map(Datum::Element))
    }),
    of_value("shape", Form::List, "its dimensions", |value| {
        Ok(shape(value))
    }),
    of_value(
        "rank",
        Form::Number,
        "the number of its dimensions",
        |value| {
            let rank = value
                .ty()
                .is_tensor()
                .then(|| value.ty().shape().len() as i64);
            Ok(rank.map(Datum::Int))
        },
    ),
    of_value(
        "static",
        Form::Bool,
        "whether all its dimensions are known",
        |value| {
            known(Datum::Bool(
                value.ty().is_tensor() && value.ty().is_static(),
            ))
        },
    ),
    of_value(
        "sized",
        Form::Bool,
        "whether each of its dimensions is known, or a form of symbols",
        |value| {
            let is_sized = |dim: Dim| dim != Dim::Unknown;
            let ty = value.ty();
            known(Datum::Bool(
                ty.is_tensor() && ty.dims().into_iter().all(is_sized),
            ))
        },
    ),
    of_value(
        "count",
        Form::Number,
        "the number of its elements",
        |value| {
            let is_known = value.ty().is_tensor() && value.ty().is_static();
            Ok(is_known.then(|| Datum::Int(value.ty().count())))
        },
    ),
    of_value(
        "moves",
        Form::Bool,
        "whether a transpose changes the order of elements",
        |value| Ok(value.def().and_then(moves).map(Datum::Bool)),
    ),
    of_value(
        "exact",
        Form::Bool,
        "whether the windows of a pool end where its padded data end",
        |value| Ok(value.def().and_then(windows_fit).map(Datum::Bool)),
    ),
    Function {
        name: "dim",
        gives: Form::Number,
        meaning: "one of its dimensions",
        run: Run::ValueData(|value, axis| {
            let Some(Datum::List(dims)) = shape(value) else {
                return Ok(None);
            };
            Ok(place(int(axis)?, dims.len())
                .map(|place| dims[place].clone())
                .filter(is_known))
        }),
    },
    of_data(
        "bits",
        Form::Number,
        "the bits of an element type",
        |data| match data {
            Datum::Element(element) => known(Datum::Int(element.bits().into())),
            _ => mismatch("an element type", data),
        },
    ),
    of_data(
        "least",
        Form::Number,
        "the least number of an element type that is finite",
        |data| match data {
            Datum::Element(element) => known(least(*element)),
            _ => mismatch("an element type", data),
        },
    ),
    of_data(
        "length",
        Form::Number,
        "the number of a list's items",
        |data| known(Datum::Int(list(data)?.len() as i64)),
    ),
    of_data(
        "product",
        Form::Number,
        "the product of a list's numbers",
        |data| {
            let product = ints(data)?.and_then(|items| {
                items
                    .iter()
                    .try_fold(1_i64, |product, &item| product.checked_mul(item))
            });
            Ok(product.map(Datum::Int))
        },
    ),
    of_data("reverse", Form::List, "a list from its end", |data| {
        known(Datum::List(list(data)?.iter().rev().cloned().collect()))
    }),
    of_data(
        "evens",
        Form::List,
        "every second item of a list, from the first",
        |data| {
            known(Datum::List(
                list(data)?.iter().step_by(2).cloned().collect(),
            ))
        },
    ),
    of_data(
        "odds",
        Form::List,
        "every second item of a list, from the second",
        |data| {
            let items = list(data)?.iter().skip(1);
            known(Datum::List(items.step_by(2).cloned().collect()))
        },
    ),
    of_data(
        "spatial",
        Form::List,
        "the places of the spatial dimensions in a layout",
        |data| match data {
            Datum::Text(text) => {
                let places = Layout::parse(text).map(|layout| layout.spatial());
                let places = places.map(|places| places.into_iter().map(|place| place as i64));
                Ok(places
                    .ok()
                    .map(|places| Datum::List(places.map(Datum::Int).collect())))
            }
            _ => mismatch("a text", data),
        },
    ),
    of_data(
        "range",
        Form::List,
        "the numbers from 0 to before this",
        |data| {
            let count = int(data)?;
            // As many as a tensor has dimensions.
            Ok((0..=64)
                .contains(&count)
                .then(|| Datum::List((0..count).map(Datum::Int).collect())))
        },
    ),
    of_data(
        "sorted",
        Form::Bool,
        "whether a list's numbers grow",
        |data| Ok(ints(data)?.map(|items| Datum::Bool(items.is_sorted()))),
    ),
    of_data(
        "normal",
        Form::Bool,
        "whether a number is no subnormal one, infinite, or 0, as f32",
        |data| known(Datum::Bool((float(data)? as f32).is_normal())),
    ),
    of_data(
        "sqrt",
        Form::Number,
        "the square root of a number",
        |data| {
            Ok(Some(float(data)?.sqrt())
                .filter(|root| !root.is_nan())
                .map(Datum::Float))
        },
    ),
    of_two(
        "axis",
        Form::Number,
        "an axis, one from the end counted from the start",
        |axis, rank| {
            let place = place(int(axis)?, int(rank)?.max(0) as usize);
            Ok(place.map(|place| Datum::Int(place as i64)))
        },
    ),
    of_two(
        "axes",
        Form::List,
        "a list of axes, those from the end counted from the start",
        |axes, rank| {
            let rank = int(rank)?.max(0) as usize;
            let Some(axes) = ints(axes)? else {
                return Ok(None);
            };
            let places: Option<Vec<Datum>> = axes
                .iter()
                .map(|&axis| place(axis, rank).map(|place| Datum::Int(place as i64)))
                .collect();
            Ok(places.map(Datum::List))
        },
    ),
    of_two(
        "pick",
        Form::List,
        "the items of a list at these places",
        |items, places| {
            let (items, places) = (list(items)?, ints(places)?);
            let item = |&axis: &i64| place(axis, items.len()).map(|place| items[place].clone());
            Ok(places
                .and_then(|places| places.iter().map(item).collect())
                .map(Datum::List))
        },
    ),
    of_two(
        "item",
        Form::Any,
        "the item of a list at this place",
        |items, index| {
            let items = list(items)?;
            Ok(place(int(index)?, items.len())
                .map(|place| items[place].clone())
                .filter(is_known))
        },
    ),
    of_two(
        "concat",
        Form::List,
        "one list and then another",
        |first, second| known(Datum::List([list(first)?, list(second)?].concat())),
    ),
    of_two(
        "without",
        Form::List,
        "a list without the items of another",
        |items, others| {
            let (mut kept, others) = (list(items)?.to_vec(), list(others)?);
            kept.retain(|item| !others.iter().any(|other| item.is(other)));
            known(Datum::List(kept))
        },
    ),
    of_two(
        "contains",
        Form::Bool,
        "whether a list has this item",
        |items, wanted| known(Datum::Bool(list(items)?.iter().any(|item| item.is(wanted)))),
    ),
    of_two(
        "begins",
        Form::Bool,
        "whether a text begins with another",
        |text, start| match (text, start) {
            (Datum::Text(text), Datum::Text(start)) => known(Datum::Bool(text.starts_with(start))),
            _ => mismatch("a text", text),
        },
    ),
    of_two(
        "ends",
        Form::Bool,
        "whether a text ends with another",
        |text, end| match (text, end) {
            (Datum::Text(text), Datum::Text(end)) => known(Datum::Bool(text.ends_with(end))),
            _ => mismatch("a text", text),
        },
    ),
    of_two(
        "min",
        Form::Number,
        "the lesser of two numbers",
        |lhs, rhs| extreme(lhs, rhs, true),
    ),
    of_two(
        "max",
        Form::Number,
        "the greater of two numbers",
        |lhs, rhs| extreme(lhs, rhs, false),
    ),
];

/// The function of that name.
pub(super) fn function(name: &str) -> Option<&'static Function> {
    FUNCTIONS.iter().find(|function| function.name == name)
}

/// A class of element types, by its name.
pub(super) type Class = (&'static str, fn(Element) -> bool);

/// The classes of element types that `is` asks for.
pub(super) const CLASSES: [Class; 5] = [
    ("float", Element::is_float),
    ("integer", Element::is_integer),
    ("signed", |element| element.kind() == Kind::Signed),
    ("unsigned", |element| element.kind() == Kind::Unsigned),
    ("bool", |element| element.kind() == Kind::Bool),
];

fn known(datum: Datum) -> Outcome {
    Ok(Some(datum))
}

fn is_known(datum: &Datum) -> bool {
    !matches!(datum, Datum::Unknown)
}

fn mismatch<T>(wanted: &str, actual: &Datum) -> Result<T, String> {
    Err(format!("takes {wanted}, not {}", actual.kind()))
}

fn shape(value: Value) -> Option<Datum> {
    value
        .ty()
        .is_tensor()
        .then(|| Datum::dims(&value.ty().shape()))
}

fn splat_of(value: Value) -> Outcome {
    if let Some(number) = constant(value).and_then(|attr| attr.splat_value()?.as_i64()) {
        return known(Datum::Int(number));
    }
    let is_whole = Element::of(value.ty().element()).is_some_and(|element| !element.is_float());
    let datum = |number: f64| match is_whole {
        // Whole numbers beyond this are not what the float says.
        true if number.abs() < 2f64.powi(53) => Some(Datum::Int(number as i64)),
        true => None,
        false => Some(Datum::Float(number)),
    };
    Ok(splat(value).and_then(datum))
}

fn list(datum: &Datum) -> Result<&[Datum], String> {
    match datum {
        Datum::List(items) => Ok(items),
        _ => mismatch("a list", datum),
    }
}

/// The numbers of a list; `None` if some are not known.
fn ints(datum: &Datum) -> Result<Option<Vec<i64>>, String> {
    let items = list(datum)?;
    match items
        .iter()
        .find(|item| !matches!(item, Datum::Int(_) | Datum::Unknown))
    {
        Some(item) => mismatch("a list of whole numbers", item),
        None => Ok(datum.ints()),
    }
}

fn int(datum: &Datum) -> Result<i64, String> {
    match datum {
        Datum::Int(value) => Ok(*value),
        _ => mismatch("a whole number", datum),
    }
}

fn float(datum: &Datum) -> Result<f64, String> {
    datum
        .number()
        .map_or_else(|| mismatch("a number", datum), Ok)
}

/// The place of an item that is counted from the end if negative.
fn place(index: i64, length: usize) -> Option<usize> {
    let length = length as i64;
    (-length..length)
        .contains(&index)
        .then(|| index.rem_euclid(length) as usize)
}

fn extreme(lhs: &Datum, rhs: &Datum, wants_lesser: bool) -> Outcome {
    let is_lesser = float(lhs)? <= float(rhs)?;
    known(if is_lesser == wants_lesser {
        lhs.clone()
    } else {
        rhs.clone()
    })
}

/// The least finite number of an element type.
fn least(element: Element) -> Datum {
    // The digits behind the first one, and the greatest exponent.
    let of_float = |digits: i32, exponent: i32| {
        let power = |exponent: i32| 2_f64.powi(exponent);
        Datum::Float((power(-digits) - 2.0) * power(exponent))
    };
    match (element, element.kind()) {
        (Element::F16, _) => of_float(10, 15),
        (Element::Bf16, _) => of_float(7, 127),
        (Element::F32, _) => of_float(23, 127),
        (Element::F64, _) => of_float(52, 1023),
        (_, Kind::Signed) => Datum::Int(i64::MIN >> (64 - element.bits())),
        _ => Datum::Int(0),
    }
}

/// Whether the windows of a pool end where the data end.
fn windows_fit(pool: Op) -> Option<bool> {
    let attrs = Attrs::of(pool);
    let window = Window::of(&attrs, &attrs.ints("pool_size").ok()?).ok()?;
    let spatial = Layout::parse(&attrs.str("layout").ok()?).ok()?.spatial();
    let shape = pool.operand(0).ty().shape();
    let fits = |(dim, &place): (usize, &usize)| {
        let extent = *shape.get(place)?;
        let room = extent + window.before[dim] + window.after[dim] - window.span(dim);
        (extent != DYNAMIC).then_some(room % window.strides[dim] == 0)
    };
    let all: Option<Vec<bool>> = spatial.iter().enumerate().map(fits).collect();
    all.map(|all| !all.contains(&false))
}

/// Whether elements of a transpose's operand change their order: axes of one element may move.
fn moves(op: Op) -> Option<bool> {
    let axes = op
        .is(names::relay::TRANSPOSE)
        .then(|| Attrs::of(op).ints("axes"))?;
    let shape = op.operand(0).ty().shape();
    let is_long = |axis: &i64| shape.get(*axis as usize) != Some(&1);
    Some(!axes.ok()?.into_iter().filter(is_long).is_sorted())
}
