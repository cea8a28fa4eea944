//! What conversions read of a node.

use super::{
    element::element,
    flat::Table,
    grain::Grain,
    operators::{Field, Kind, Operator},
    schema::{self, Graph, Tensor},
    state::{Kept, States},
};
use crate::{
    compose::shape::sizes,
    graph::{builder::GraphBuilder, error::Result, value::Value},
};
use relay_dialects::{dim::Dim, element::Element};
use std::cell::Cell;

/// What imports a model, as its nodes see it.
pub trait Host {
    /// The variable whose handle a tensor of a graph is.
    ///
    /// # Errors
    /// If nothing in the graph makes the handle.
    fn resource(&self, graph: &Graph, handle: i32) -> Result<Kept>;

    /// What the model keeps from run to run.
    fn states(&self) -> &States;

    /// Writes another graph of the model, and returns what it computes.
    ///
    /// # Errors
    /// With the node that is wrong.
    fn graph(&self, b: &mut GraphBuilder, index: i64, inputs: Vec<Value>) -> Result<Vec<Value>>;
}

/// A tensor that a node reads.
#[derive(Clone, Default)]
pub struct Input {
    /// The tensor, or the real parts of its numbers.
    pub real: Option<Value>,
    /// The imaginary parts, if its numbers are complex.
    pub imaginary: Option<Value>,
}

impl Input {
    /// The imaginary parts as a tensor, or what is not complex as it is.
    pub fn as_imaginary(&self) -> Self {
        Self {
            real: self.imaginary.clone().or_else(|| self.real.clone()),
            imaginary: None,
        }
    }
}

/// A node with the tensors that it reads.
pub struct Node<'n> {
    /// Its operator.
    pub kind: &'static Operator,
    /// What the file says of it.
    pub operator: &'n schema::Operator,
    /// The graph that it is in.
    pub graph: &'n Graph,
    /// What imports the model.
    pub importer: &'n dyn Host,
    /// The options of an operator that is none of TensorFlow Lite's own.
    pub custom: &'n [u8],
    inputs: Vec<Input>,
    options: Option<Table<'n>>,
    /// One bit for each option that was read.
    seen: Cell<u64>,
}

/// Readers of options.
macro_rules! options {
    ($($name:ident: $ty:ty, $kind:pat, $read:ident $convert:expr;)*) => {$(
        #[doc = concat!("The option of this name, as ", stringify!($ty), ".")]
        pub fn $name(&self, name: &str) -> Result<$ty> {
            let (number, field) = self.field(name)?;
            let default = field.default;
            if !matches!(field.kind, $kind) {
                return Err(format!("option '{name}' is of kind {:?}", field.kind));
            }
            let read = |table: &Table<'_>| table.$read(number, default as _);
            let value = self.options.as_ref().map(read).transpose()?;
            let convert: fn(_) -> $ty = $convert;
            Ok(convert(value.unwrap_or(default as _)))
        }
    )*};
}

impl<'n> Node<'n> {
    /// A node of a graph.
    pub fn new(
        kind: &'static Operator,
        operator: &'n schema::Operator,
        (graph, importer): (&'n Graph, &'n dyn Host),
        inputs: Vec<Input>,
        options: Option<Table<'n>>,
        custom: &'n [u8],
    ) -> Self {
        Self {
            kind,
            operator,
            graph,
            importer,
            custom,
            inputs,
            options,
            seen: Cell::new(0),
        }
    }

    fn field(&self, name: &str) -> Result<(usize, Field)> {
        let mut fields = self.kind.fields.iter().enumerate();
        let found = fields.find(|(_, field)| field.name == name);
        let (number, field) =
            found.ok_or_else(|| format!("{} has no option '{name}'", self.kind.name))?;
        self.seen.set(self.seen.get() | 1 << number);
        Ok((number, *field))
    }

    options! {
        byte: i64, Kind::Byte, i8 i64::from;
        int: i64, Kind::Int, i32 i64::from;
        word: i64, Kind::Word, u32 i64::from;
        float: f64, Kind::Float, f32 f64::from;
        flag: bool, Kind::Flag, u8 |it| it != 0;
    }

    /// The option of this name, a list of integers.
    pub fn ints(&self, name: &str) -> Result<Vec<i64>> {
        let (number, field) = self.field(name)?;
        let Some(table) = &self.options else {
            return Ok(Vec::new());
        };
        match field.kind {
            Kind::Ints => Ok(table.i32s(number)?.into_iter().map(i64::from).collect()),
            kind => Err(format!("option '{name}' is of kind {kind:?}")),
        }
    }

    /// The option of this name, a list of floats.
    pub fn floats(&self, name: &str) -> Result<Vec<f32>> {
        let (number, _) = self.field(name)?;
        self.options
            .as_ref()
            .map_or_else(|| Ok(Vec::new()), |table| table.f32s(number))
    }

    /// Notes that an option changes nothing.
    pub fn ignore(&self, name: &str) -> Result<()> {
        self.field(name).map(drop)
    }

    /// Checks that each option that is set was read.
    pub fn check_options(&self) -> Result<()> {
        let Some(table) = &self.options else {
            return Ok(());
        };
        for number in 0..table.fields() {
            if self.seen.get() >> number.min(63) & 1 == 1 || !table.has(number)? {
                continue;
            }
            let Some(field) = self.kind.fields.get(number) else {
                return Err(format!(
                    "option {number} is of a newer version of the format than 3d"
                ));
            };
            let is_default = match field.kind {
                Kind::Unused => true,
                Kind::Byte | Kind::Flag => table.i8(number, 0)? == field.default,
                Kind::Int => table.i32(number, 0)? == i32::from(field.default),
                Kind::Word => table.u32(number, 0)? == u32::from(field.default.unsigned_abs()),
                Kind::Float => table.f32(number, 0.0)? == f32::from(field.default),
                _ => false,
            };
            if !is_default {
                return Err(format!(
                    "option '{}' is set, which is not supported here",
                    field.name
                ));
            }
        }
        Ok(())
    }

    /// How many tensors it reads, with those that are left out.
    pub fn count(&self) -> usize {
        self.inputs.len()
    }

    /// All tensors that it reads.
    pub fn inputs(&self) -> Result<Vec<Value>> {
        (0..self.count()).map(|place| self.input(place)).collect()
    }

    /// A tensor that it reads.
    pub fn input(&self, place: usize) -> Result<Value> {
        self.optional(place)
            .ok_or_else(|| format!("input {place} is missing"))
    }

    /// A tensor that it reads, which has to have so many dimensions.
    pub fn of_rank(&self, place: usize, rank: usize) -> Result<Value> {
        let input = self.input(place)?;
        match input.rank() == rank {
            true => Ok(input),
            false => Err(format!(
                "input {place} has shape {:?}, expected rank {rank}",
                input.dims()
            )),
        }
    }

    /// A tensor that it may read.
    pub fn optional(&self, place: usize) -> Option<Value> {
        self.inputs.get(place)?.real.clone()
    }

    /// The real and the imaginary parts of complex numbers that it reads.
    pub fn complex(&self, place: usize) -> Result<[Value; 2]> {
        let imaginary = self
            .inputs
            .get(place)
            .and_then(|input| input.imaginary.clone());
        let imaginary = imaginary.ok_or_else(|| format!("input {place} has no complex numbers"))?;
        Ok([self.input(place)?, imaginary])
    }

    /// The integers of an input that has to be known.
    pub fn known(&self, place: usize) -> Result<Vec<i64>> {
        let input = self.input(place)?;
        let known = input.constant().and_then(|constant| constant.to_ints());
        known.ok_or_else(|| {
            format!("input {place} ('{}') is computed when the model runs; only integers that are known are supported", self.name_of(place))
        })
    }

    /// The integers of an input of a shape or the like: numbers, or forms of open dimensions.
    pub fn sizes(&self, b: &mut GraphBuilder, place: usize) -> Result<Vec<Dim>> {
        sizes(b, &self.input(place)?)
    }

    /// The one integer of an input, as a size.
    pub fn sizes_of_number(&self, b: &mut GraphBuilder, place: usize) -> Result<Dim> {
        let number = b.reshape(&self.input(place)?, &[1])?;
        let sizes = sizes(b, &number)?;
        sizes
            .first()
            .copied()
            .ok_or_else(|| format!("input {place} has no number"))
    }

    /// The one number of an input that has to be known.
    pub fn scalar(&self, place: usize) -> Result<f64> {
        let scalar = self.input(place)?.scalar();
        scalar.ok_or_else(|| {
            format!(
                "input {place} ('{}') has to be one number that is known",
                self.name_of(place)
            )
        })
    }

    fn name_of(&self, place: usize) -> String {
        self.tensor(place)
            .map_or_else(String::new, |tensor| tensor.name.clone())
    }

    /// What the file says of a tensor that it reads.
    pub fn tensor(&self, place: usize) -> Option<&'n Tensor> {
        let number = self.operator.inputs.get(place)?;
        self.graph.tensors.get(usize::try_from(*number).ok()?)
    }

    /// What the file says of a tensor that it computes.
    pub fn result(&self, place: usize) -> Result<&'n Tensor> {
        let number = self.operator.outputs.get(place).copied();
        let found = number.and_then(|number| self.graph.tensors.get(usize::try_from(number).ok()?));
        found.ok_or_else(|| format!("output {place} is missing"))
    }

    /// How many tensors it computes.
    pub fn results(&self) -> usize {
        self.operator.outputs.len()
    }

    /// The elements of a tensor that it computes.
    pub fn element(&self, place: usize) -> Result<Element> {
        element(self.result(place)?.ty)
    }

    /// Whether a tensor that it reads is of integers that stand for other numbers.
    pub fn is_quantised(&self, place: usize) -> bool {
        self.tensor(place).is_some_and(Grain::is_of)
    }

    /// Whether a tensor that it computes is.
    pub fn is_quantised_result(&self, place: usize) -> Result<bool> {
        self.result(place).map(Grain::is_of)
    }

    /// What the integers of a tensor that it reads stand for.
    pub fn grain(&self, place: usize) -> Result<Grain> {
        let tensor = self
            .tensor(place)
            .ok_or_else(|| format!("input {place} is missing"))?;
        Grain::of(tensor).map_err(|reason| format!("input {place} ('{}'): {reason}", tensor.name))
    }

    /// What the integers of a tensor that it computes stand for.
    pub fn grain_of_result(&self, place: usize) -> Result<Grain> {
        let tensor = self.result(place)?;
        Grain::of(tensor).map_err(|reason| format!("output {place} ('{}'): {reason}", tensor.name))
    }
}
