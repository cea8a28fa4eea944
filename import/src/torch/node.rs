//! A node, as its conversion reads it: arguments by the names of the operator's schema.

use super::{
    element,
    item::{Item, Number, Operand},
};
use crate::{
    compose::{complex::Complex, fourier::Signal},
    graph::{
        builder::GraphBuilder,
        error::Result,
        value::{Value, is_open},
    },
};
use relay_dialects::{dim::Dim, element::Element};
use std::cell::RefCell;

/// The value of an argument.
#[derive(Clone)]
pub enum Arg {
    /// Python's `None`.
    None,
    /// A tensor.
    Tensor(Value),
    /// Tensors, some of which may be missing.
    Tensors(Vec<Option<Value>>),
    /// A number.
    Number(Number),
    /// Numbers.
    Numbers(Vec<Number>),
    /// A text.
    Text(String),
    /// The number of an element type.
    ScalarType(i64),
    /// A tensor of complex numbers.
    Complex(Complex),
    /// Tensors, some of which are complex or missing.
    Complexes(Vec<Option<Item>>),
    /// A complex number, by its parts.
    ComplexNumber([f64; 2]),
    /// What concerns memory and devices, which do not matter here.
    Memory,
    /// Something that is not supported, by its kind.
    Other(&'static str),
}

/// A node.
pub struct Node<'a> {
    /// The arguments by their names.
    pub(super) args: Vec<(&'a str, Arg)>,
    read: RefCell<Vec<bool>>,
    /// For each result, whether another node or the graph's results read it.
    pub(super) uses: Vec<bool>,
}

impl<'a> Node<'a> {
    /// A node with its arguments.
    pub fn new(args: Vec<(&'a str, Arg)>, uses: Vec<bool>) -> Self {
        let read = RefCell::new(vec![false; args.len()]);
        Self { args, read, uses }
    }

    /// Whether somebody reads a result.
    pub fn uses(&self, result: usize) -> bool {
        self.uses.get(result).copied().unwrap_or(false)
    }

    /// No argument matters.
    pub fn ignore_all(&self) {
        self.read.borrow_mut().fill(true);
    }

    /// An argument by its place, which is a number.
    pub fn nth(&self, place: usize) -> Result<Number> {
        self.read_at(place);
        match self.args.get(place) {
            Some((_, Arg::Number(number))) => Ok(number.clone()),
            _ => Err(format!("argument {place} is no number")),
        }
    }

    /// An argument by its place, which is a list of integers.
    pub fn nth_dims(&self, b: &mut GraphBuilder, place: usize) -> Result<Vec<Dim>> {
        self.read_at(place);
        match self.args.get(place) {
            Some((name, Arg::Numbers(numbers))) => {
                numbers.iter().map(|number| dim(b, name, number)).collect()
            }
            _ => Err(format!("argument {place} is no list of integers")),
        }
    }

    fn read_at(&self, place: usize) {
        if let Some(read) = self.read.borrow_mut().get_mut(place) {
            *read = true;
        }
    }

    /// Fails if an argument was given that nobody has read.
    pub fn check_read(&self) -> Result<()> {
        let read = self.read.borrow();
        let mut args = self.args.iter().zip(read.iter());
        match args.find(|((_, arg), read)| !**read && !matches!(arg, Arg::None | Arg::Memory)) {
            None => Ok(()),
            Some(((name, Arg::Complex(_) | Arg::ComplexNumber(_)), _)) => Err(format!(
                "argument '{name}' is complex, which is not supported"
            )),
            Some(((name, Arg::Other(what)), _)) => Err(format!(
                "argument '{name}' is {what}, which is not supported"
            )),
            Some(((name, _), _)) => Err(format!("argument '{name}' is not supported")),
        }
    }

    /// An argument. `None` is one that is not given.
    fn arg(&self, name: &str) -> Option<&Arg> {
        let place = self.args.iter().position(|(known, _)| *known == name)?;
        self.read.borrow_mut()[place] = true;
        let arg = &self.args[place].1;
        (!matches!(arg, Arg::None)).then_some(arg)
    }

    /// Whether an argument is given, and is not `None`.
    pub fn has(&self, name: &str) -> bool {
        let mut args = self.args.iter();
        args.any(|(known, arg)| *known == name && !matches!(arg, Arg::None))
    }

    /// Arguments that do not matter to what is computed.
    pub fn ignore(&self, names: &[&str]) {
        for name in names {
            self.arg(name);
        }
    }

    /// A tensor.
    pub fn tensor(&self, name: &str) -> Result<Value> {
        self.optional_tensor(name)?.ok_or_else(|| missing(name))
    }

    /// A tensor that may be missing.
    pub fn optional_tensor(&self, name: &str) -> Result<Option<Value>> {
        match self.arg(name) {
            None => Ok(None),
            Some(Arg::Tensor(value)) => Ok(Some(value.clone())),
            Some(_) => Err(wrong(name, "a tensor")),
        }
    }

    /// Tensors.
    pub fn tensors(&self, name: &str) -> Result<Vec<Value>> {
        let tensors = self.optional_tensors(name)?.into_iter();
        let tensors: Option<Vec<Value>> = tensors.collect();
        tensors.ok_or_else(|| wrong(name, "tensors"))
    }

    /// All tensors among the arguments, in their order.
    pub fn all_tensors(&self) -> Result<Vec<Value>> {
        let mut all = Vec::new();
        for (place, (name, arg)) in self.args.iter().enumerate() {
            match arg {
                Arg::Tensor(value) => all.push(value.clone()),
                Arg::Tensors(values) => {
                    for value in values {
                        all.push(value.clone().ok_or_else(|| wrong(name, "tensors"))?);
                    }
                }
                _ => continue,
            }
            self.read_at(place);
        }
        Ok(all)
    }

    /// Tensors, some of which may be missing.
    pub fn optional_tensors(&self, name: &str) -> Result<Vec<Option<Value>>> {
        match self.arg(name) {
            Some(Arg::Tensors(values)) => Ok(values.clone()),
            Some(_) => Err(wrong(name, "tensors")),
            None => Err(missing(name)),
        }
    }

    /// A tensor that may be complex.
    pub fn item(&self, name: &str) -> Result<Item> {
        match self.arg(name) {
            Some(Arg::Complex(numbers)) => Ok(Item::Complex(numbers.clone())),
            _ => self.tensor(name).map(Item::Tensor),
        }
    }

    /// A tensor of real or of complex numbers.
    pub fn signal(&self, name: &str) -> Result<Signal> {
        match self.arg(name) {
            Some(Arg::Complex(numbers)) => Ok(Signal::Complex(numbers.clone())),
            _ => self.tensor(name).map(Signal::Real),
        }
    }

    /// A tensor of complex numbers; the imaginary parts of real ones are 0.
    pub fn numbers(&self, b: &mut GraphBuilder, name: &str) -> Result<Complex> {
        self.signal(name)?.into_complex(b)
    }

    /// The real part of a tensor or a number, and the imaginary one if it is complex.
    pub fn operand_parts(&self, name: &str) -> Result<(Operand, Option<Operand>)> {
        match self.arg(name) {
            Some(Arg::Complex(numbers)) => Ok((
                Operand::Tensor(numbers.real.clone()),
                Some(Operand::Tensor(numbers.imaginary.clone())),
            )),
            Some(Arg::ComplexNumber(parts)) => {
                let [real, imaginary] = parts.map(|part| Operand::Number(Number::Float(part)));
                Ok((real, Some(imaginary)))
            }
            _ => Ok((self.operand(name)?, None)),
        }
    }

    /// A tensor or a number.
    pub fn operand(&self, name: &str) -> Result<Operand> {
        match self.arg(name) {
            Some(Arg::Tensor(value)) => Ok(Operand::Tensor(value.clone())),
            Some(Arg::Number(number)) => Ok(Operand::Number(number.clone())),
            Some(_) => Err(wrong(name, "a tensor or a number")),
            None => Err(missing(name)),
        }
    }

    /// A number that may be missing.
    pub fn number(&self, name: &str) -> Result<Option<Number>> {
        match self.arg(name) {
            None => Ok(None),
            Some(Arg::Number(number)) => Ok(Some(number.clone())),
            Some(_) => Err(wrong(name, "a number")),
        }
    }

    /// An integer that may be an extent.
    pub fn dim(&self, b: &mut GraphBuilder, name: &str) -> Result<Option<Dim>> {
        let number = self.number(name)?;
        number.map(|number| dim(b, name, &number)).transpose()
    }

    /// Integers that may be extents.
    pub fn dims(&self, b: &mut GraphBuilder, name: &str) -> Result<Option<Vec<Dim>>> {
        match self.arg(name) {
            None => Ok(None),
            Some(Arg::Numbers(numbers)) => {
                let dims = numbers.iter().map(|number| dim(b, name, number));
                dims.collect::<Result<_>>().map(Some)
            }
            // A number stands for a list of one.
            Some(Arg::Number(number)) => Ok(Some(vec![dim(b, name, number)?])),
            Some(_) => Err(wrong(name, "integers")),
        }
    }

    /// An integer.
    pub fn int(&self, name: &str) -> Result<Option<i64>> {
        match self.number(name)? {
            None => Ok(None),
            Some(number) => int(name, &number).map(Some),
        }
    }

    /// An integer, or the schema's default.
    pub fn int_or(&self, name: &str, default: i64) -> Result<i64> {
        Ok(self.int(name)?.unwrap_or(default))
    }

    /// An integer that has to be there.
    pub fn required_int(&self, name: &str) -> Result<i64> {
        self.int(name)?.ok_or_else(|| missing(name))
    }

    /// Integers.
    pub fn ints(&self, name: &str) -> Result<Option<Vec<i64>>> {
        match self.arg(name) {
            None => Ok(None),
            Some(Arg::Numbers(numbers)) => {
                let ints = numbers.iter().map(|number| int(name, number));
                ints.collect::<Result<_>>().map(Some)
            }
            Some(Arg::Number(number)) => Ok(Some(vec![int(name, number)?])),
            // What has no type to tell is written as a list of tensors.
            Some(Arg::Tensors(none)) if none.is_empty() => Ok(Some(Vec::new())),
            Some(_) => Err(wrong(name, "integers")),
        }
    }

    /// Integers, one for each of some axes; one stands for all.
    pub fn ints_of(&self, name: &str, count: usize, default: i64) -> Result<Vec<i64>> {
        match self.ints(name)?.as_deref() {
            None | Some([]) => Ok(vec![default; count]),
            Some([one]) => Ok(vec![*one; count]),
            Some(all) if all.len() == count => Ok(all.to_vec()),
            Some(all) => Err(format!(
                "argument '{name}' is {all:?}, expected {count} integers"
            )),
        }
    }

    /// A float.
    pub fn float(&self, name: &str) -> Result<Option<f64>> {
        let known = |number: Number| number.known().ok_or_else(|| computed(name));
        self.number(name)?.map(known).transpose()
    }

    /// A float, or the schema's default.
    pub fn float_or(&self, name: &str, default: f64) -> Result<f64> {
        Ok(self.float(name)?.unwrap_or(default))
    }

    /// Floats.
    pub fn floats(&self, name: &str) -> Result<Option<Vec<f64>>> {
        match self.arg(name) {
            None => Ok(None),
            Some(Arg::Numbers(numbers)) => {
                let known = |number: &Number| number.known().ok_or_else(|| computed(name));
                numbers.iter().map(known).collect::<Result<_>>().map(Some)
            }
            Some(_) => Err(wrong(name, "floats")),
        }
    }

    /// A boolean, or the schema's default.
    pub fn bool_or(&self, name: &str, default: bool) -> Result<bool> {
        Ok(self.float(name)?.map_or(default, |flag| flag != 0.0))
    }

    /// A text.
    pub fn text(&self, name: &str) -> Result<Option<&str>> {
        match self.arg(name) {
            None => Ok(None),
            Some(Arg::Text(text)) => Ok(Some(text)),
            Some(_) => Err(wrong(name, "a text")),
        }
    }

    /// An element type.
    pub fn element(&self, name: &str) -> Result<Option<Element>> {
        match self.arg(name) {
            None => Ok(None),
            Some(Arg::ScalarType(number)) => {
                // What is asked for complex numbers is written for each of their parts.
                let number = element::part_of(*number).unwrap_or(*number);
                element::of_number(number).map(Some)
            }
            Some(_) => Err(wrong(name, "an element type")),
        }
    }
}

fn dim(b: &mut GraphBuilder, name: &str, number: &Number) -> Result<Dim> {
    match number {
        Number::Computed(item) => item
            .dim(b)
            .map_err(|reason| format!("argument '{name}': {reason}")),
        other => any_int(name, other).map(Dim::Known),
    }
}

/// The greatest size of an integer that says an axis, a count or a width: products of two of them are in 64 bits.
const LARGEST: i64 = i32::MAX as i64;

fn int(name: &str, number: &Number) -> Result<i64> {
    let number = any_int(name, number)?;
    match (-LARGEST..=LARGEST).contains(&number) {
        true => Ok(number),
        false => Err(format!(
            "argument '{name}' is {number}, which is out of range"
        )),
    }
}

fn any_int(name: &str, number: &Number) -> Result<i64> {
    match number {
        Number::Int(number) => Ok(*number),
        Number::Bool(flag) => Ok((*flag).into()),
        Number::Float(_) => Err(wrong(name, "an integer")),
        Number::Computed(Item::Dim(dim)) => dim
            .known()
            .ok_or_else(|| format!("argument '{name}': {}", is_open(*dim))),
        Number::Computed(item) => match item {
            Item::Number(value) | Item::Tensor(value) => value.scalar().map(|number| number as i64),
            Item::Dim(_) | Item::Complex(_) => None,
        }
        .ok_or_else(|| computed(name)),
    }
}

fn missing(name: &str) -> String {
    format!("argument '{name}' is missing")
}

fn wrong(name: &str, expected: &str) -> String {
    format!("argument '{name}' is not {expected}")
}

fn computed(name: &str) -> String {
    format!(
        "argument '{name}' is computed at run time; only one known at compile time is supported"
    )
}
