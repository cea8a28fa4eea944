//! Nodes that read or make complex numbers, which are two tensors: that of the real and that of the imaginary parts.
//!
//! An operator has a conversion of its own for them, or it does something with each part that it does with real numbers. Which one does
//! what is said in [`super::ops::class`] and [`super::ops::complex`].

use super::{
    element::part_of,
    item::{Item, Number},
    node::{Arg, Node},
    ops::{
        class::{Class, class},
        complex::of_complex,
        row::{Converted, Row},
    },
};
use crate::{
    compose::complex::{Complex, multilinear},
    graph::{builder::GraphBuilder, error::Result, value::Value},
};

/// A part of complex numbers.
#[derive(Clone, Copy, PartialEq)]
pub enum Part {
    /// The real one.
    Real,
    /// The imaginary one.
    Imaginary,
}

impl Part {
    /// The part of a tensor of complex numbers, or a tensor of real ones.
    pub fn of(self, item: &Item) -> Option<Value> {
        match item {
            Item::Complex(numbers) => Some(self.of_numbers(numbers)),
            Item::Tensor(value) => Some(value.clone()),
            _ => None,
        }
    }

    fn of_numbers(self, numbers: &Complex) -> Value {
        match self {
            Self::Real => numbers.real.clone(),
            Self::Imaginary => numbers.imaginary.clone(),
        }
    }
}

/// The arguments that hold elements of the result, of operators that act on each part. A real one has the imaginary part 0. Other
/// arguments, such as subscripts and axes, are the same for both parts.
const DATA: &[&str] = &[
    "a",
    "fill_value",
    "other",
    "s",
    "self",
    "source",
    "src",
    "tensors",
    "value",
    "values",
];

/// Converts a node.
///
/// # Errors
/// What is wrong with it; that it takes no complex numbers, if it reads some.
pub fn convert(row: Row, n: &Node<'_>, b: &mut GraphBuilder) -> Result<Converted> {
    if row.is_complex || !n.is_complex() {
        return converted(row, n, b);
    }
    if let Some(own) = of_complex(row.name) {
        return converted(*own, n, b);
    }
    let class = class(row.name);
    let class = class.ok_or_else(|| format!("'{}' takes no complex numbers", row.name))?;
    let results = match class {
        _ if n.makes_real() => of_part(row, n, b, Part::Real)?
            .into_iter()
            .map(Item::from)
            .collect(),
        Class::Each => {
            let real = of_part(row, n, b, Part::Real)?;
            let imaginary = of_part(row, n, b, Part::Imaginary)?;
            together(real, imaginary)
        }
        Class::Real => {
            let mut results = Vec::new();
            for real in of_part(row, n, b, Part::Real)? {
                results.push(Complex::of_real(b, real)?.into());
            }
            results
        }
        Class::Products => {
            let count = n.complex_count();
            let products = multilinear(b, count, |b, choice| tensors(row, &n.choose(choice)?, b))?;
            products.into_iter().map(Item::from).collect()
        }
        Class::Size => {
            let sizes = n.sizes(b)?;
            tensors(row, &sizes, b)?
                .into_iter()
                .map(Item::from)
                .collect()
        }
    };
    Ok(Converted {
        results,
        changes: Vec::new(),
    })
}

fn converted(row: Row, n: &Node<'_>, b: &mut GraphBuilder) -> Result<Converted> {
    let converted = row.convert.convert(n, b)?;
    n.check_read()?;
    Ok(converted)
}

/// The tensors that a node of real numbers makes.
fn tensors(row: Row, n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let made = converted(row, n, b)?.results.into_iter();
    let made: Option<Vec<Value>> = made
        .map(|item| match item {
            Item::Tensor(value) => Some(value),
            _ => None,
        })
        .collect();
    made.ok_or_else(|| format!("'{}' takes no complex numbers", row.name))
}

fn of_part(row: Row, n: &Node<'_>, b: &mut GraphBuilder, part: Part) -> Result<Vec<Value>> {
    let n = self::part(b, n, part)?;
    tensors(row, &n, b)
}

fn together(real: Vec<Value>, imaginary: Vec<Value>) -> Vec<Item> {
    let pairs = real.into_iter().zip(imaginary);
    pairs
        .map(|(real, imaginary)| Item::Complex(Complex { real, imaginary }))
        .collect()
}

/// A node that reads one part of each tensor. That of real data is 0 for the imaginary part.
///
/// # Errors
/// If no constant of zeros can be made.
pub fn part<'a>(b: &mut GraphBuilder, n: &Node<'a>, part: Part) -> Result<Node<'a>> {
    let mut args = Vec::with_capacity(n.args.len());
    for (name, arg) in &n.args {
        let is_zero = part == Part::Imaginary && n.is_complex() && DATA.contains(name);
        let arg = match arg {
            Arg::Complex(numbers) => Arg::Tensor(part.of_numbers(numbers)),
            Arg::ComplexNumber(parts) if DATA.contains(name) => {
                Arg::Number(Number::Float(parts[part as usize]))
            }
            Arg::Complexes(items) => {
                let mut values = Vec::with_capacity(items.len());
                for item in items {
                    values.push(match item {
                        Some(Item::Tensor(value)) if is_zero => Some(zeros(b, value)?),
                        Some(item) => part.of(item),
                        None => None,
                    });
                }
                Arg::Tensors(values)
            }
            Arg::Tensor(value) if is_zero => Arg::Tensor(zeros(b, value)?),
            Arg::Tensors(values) if is_zero => {
                let mut zeroed = Vec::with_capacity(values.len());
                for value in values {
                    zeroed.push(value.as_ref().map(|value| zeros(b, value)).transpose()?);
                }
                Arg::Tensors(zeroed)
            }
            Arg::Number(number) if is_zero => Arg::Number(match number {
                Number::Float(_) => Number::Float(0.0),
                Number::Bool(_) => Number::Bool(false),
                _ => Number::Int(0),
            }),
            other => other.clone(),
        };
        args.push((*name, arg));
    }
    Ok(Node::new(args, n.uses.clone()))
}

fn zeros(b: &mut GraphBuilder, value: &Value) -> Result<Value> {
    b.full(value.element(), value.dims(), 0.0)
}

impl<'a> Node<'a> {
    /// Whether an argument is complex, or a complex type.
    pub fn is_complex(&self) -> bool {
        let mut args = self.args.iter();
        args.any(|(_, arg)| match arg {
            Arg::Complex(_) | Arg::Complexes(_) | Arg::ComplexNumber(_) => true,
            Arg::ScalarType(number) => part_of(*number).is_some(),
            _ => false,
        })
    }

    /// Whether the result is said to be real.
    fn makes_real(&self) -> bool {
        let mut args = self.args.iter();
        args.any(|(_, arg)| matches!(arg, Arg::ScalarType(number) if part_of(*number).is_none()))
    }

    /// How many complex tensors and numbers are read.
    fn complex_count(&self) -> usize {
        let counts = self.args.iter().map(|(_, arg)| match arg {
            Arg::Complex(_) | Arg::ComplexNumber(_) => 1,
            Arg::Complexes(items) => {
                let complex = items.iter().flatten();
                complex
                    .filter(|item| matches!(item, Item::Complex(_)))
                    .count()
            }
            _ => 0,
        });
        counts.sum()
    }

    /// The node that reads one part of each complex tensor, true for the imaginary one.
    fn choose(&self, choice: &[bool]) -> Result<Self> {
        let mut choice = choice.iter().map(|is_imaginary| match is_imaginary {
            true => Part::Imaginary,
            false => Part::Real,
        });
        let mut next = move || choice.next().ok_or("there are more complex tensors");
        let mut args = Vec::with_capacity(self.args.len());
        for (name, arg) in &self.args {
            let arg = match arg {
                Arg::Complex(numbers) => Arg::Tensor(next()?.of_numbers(numbers)),
                Arg::ComplexNumber(parts) => Arg::Number(Number::Float(parts[next()? as usize])),
                Arg::Complexes(items) => {
                    let mut values = Vec::with_capacity(items.len());
                    for item in items {
                        values.push(match item {
                            Some(item @ Item::Complex(_)) => next()?.of(item),
                            Some(item) => Part::Real.of(item),
                            None => None,
                        });
                    }
                    Arg::Tensors(values)
                }
                other => other.clone(),
            };
            args.push((*name, arg));
        }
        Ok(Node::new(args, self.uses.clone()))
    }

    /// The node that reads the absolute values of complex numbers.
    fn sizes(&self, b: &mut GraphBuilder) -> Result<Self> {
        let mut args = Vec::with_capacity(self.args.len());
        for (name, arg) in &self.args {
            let arg = match arg {
                Arg::Complex(numbers) => Arg::Tensor(numbers.abs(b)?),
                other => other.clone(),
            };
            args.push((*name, arg));
        }
        Ok(Node::new(args, self.uses.clone()))
    }
}

/// What is written into a tensor, in its type.
///
/// # Errors
/// If it is no tensor, or complex numbers are written into real ones.
pub fn as_old(b: &mut GraphBuilder, name: &str, old: &Item, new: Item) -> Result<Item> {
    match (old, new) {
        (Item::Tensor(old), Item::Tensor(new)) => Ok(b.cast(&new, old.element())?.into()),
        (Item::Complex(old), new) => {
            let new = match new {
                Item::Complex(new) => new,
                other => {
                    let real = other.value(b)?;
                    Complex::of_real(b, real)?
                }
            };
            let element = old.real.element();
            Ok(new.each(|part| b.cast(part, element))?.into())
        }
        (Item::Tensor(_), Item::Complex(_)) => Err(format!(
            "it writes complex numbers into '{name}', which has real ones"
        )),
        _ => Err(format!("'{name}' is no tensor")),
    }
}
