//! From the arguments of a node to what conversions read.

use super::{
    convert::Converter,
    item::{Item, Number},
    node::{Arg, Node},
    ops::Conversion,
    program::known,
    schema::{self, Argument, OptionalTensor, Symbolic, names},
    view::{OUT, out},
};
use crate::graph::{error::Result, value::Value};
use relay_dialects::dim::Dim;

impl<'g> Converter<'g, '_> {
    /// A node with its arguments.
    pub fn node(&mut self, node: &'g schema::Node, conversion: Conversion) -> Result<Node<'g>> {
        let mut args = Vec::with_capacity(node.inputs.len());
        let out = out(node);
        for input in &node.inputs {
            if out.is_none() || input.name != OUT {
                args.push((input.name.as_str(), self.arg(&input.arg)?));
            }
        }
        if let (true, Some(Argument::AsTensor(name))) = (
            conversion.row.is_of_memory,
            node.inputs.first().map(|input| &input.arg),
        ) {
            let (elements, offset) = self.memory(&name.name)?;
            args[0].1 = Arg::Tensor(elements);
            if !args.iter().any(|(name, _)| *name == "storage_offset") {
                args.push(("storage_offset", Arg::Number(Number::Int(offset))));
            }
        }
        let results = node.outputs.iter().flat_map(names);
        let uses = results.map(|name| self.used.contains(name)).collect();
        Ok(Node::new(args, uses))
    }

    /// The value of an argument.
    pub fn arg(&mut self, argument: &'g Argument) -> Result<Arg> {
        Ok(match argument {
            Argument::AsNone(_) => Arg::None,
            Argument::AsTensor(name) => self.tensor_or_number(&name.name)?,
            Argument::AsOptionalTensor(OptionalTensor::AsTensor(name)) => {
                self.tensor_or_number(&name.name)?
            }
            Argument::AsOptionalTensor(OptionalTensor::AsNone(_)) => Arg::None,
            Argument::AsTensors(all) => {
                let names = all.iter().map(|name| Some(name.name.as_str()));
                self.tensors(names)?
            }
            Argument::AsOptionalTensors(all) => {
                let names = all.iter().map(|tensor| match tensor {
                    OptionalTensor::AsTensor(name) => Some(name.name.as_str()),
                    OptionalTensor::AsNone(_) => None,
                });
                self.tensors(names)?
            }
            Argument::AsInt(number) => Arg::Number(Number::Int(*number)),
            Argument::AsInts(all) => numbers(all, |number| Number::Int(*number)),
            Argument::AsFloat(number) => Arg::Number(Number::Float(number.0)),
            Argument::AsFloats(all) => numbers(all, |number| Number::Float(number.0)),
            Argument::AsBool(flag) => Arg::Number(Number::Bool(*flag)),
            Argument::AsBools(all) => numbers(all, |flag| Number::Bool(*flag)),
            Argument::AsString(text) => Arg::Text(text.clone()),
            Argument::AsSymInt(number) => Arg::Number(self.symbol(number, |n| Number::Int(*n))?),
            Argument::AsSymInts(all) => self.symbols(all, |number| Number::Int(*number))?,
            Argument::AsSymFloat(number) => {
                Arg::Number(self.symbol(number, |number| Number::Float(number.0))?)
            }
            Argument::AsSymFloats(all) => self.symbols(all, |number| Number::Float(number.0))?,
            Argument::AsSymBool(flag) => {
                Arg::Number(self.symbol(flag, |flag| Number::Bool(*flag))?)
            }
            Argument::AsSymBools(all) => self.symbols(all, |flag| Number::Bool(*flag))?,
            Argument::AsScalarType(number) => Arg::ScalarType(*number),
            Argument::AsMemoryFormat(_) | Argument::AsLayout(_) | Argument::AsDevice(_) => {
                Arg::Memory
            }
            Argument::AsNestedTensors(_) => Arg::Other("lists of tensors"),
            Argument::AsIntLists(_) | Argument::AsFloatLists(_) => Arg::Other("lists of lists"),
            Argument::AsStrings(_) => Arg::Other("texts"),
            Argument::AsGraph(_) => Arg::Other("a graph"),
            Argument::AsComplex(number) => Arg::ComplexNumber([number.real.0, number.imag.0]),
            Argument::AsCustomObj(_) => Arg::Other("an object of Python's"),
            Argument::AsOperator(_) => Arg::Other("an operator"),
            Argument::AsStringToArgument(_) => Arg::Other("a dictionary"),
        })
    }

    fn tensor_or_number(&mut self, name: &'g str) -> Result<Arg> {
        Ok(match self.find(name)? {
            Item::Tensor(value) => Arg::Tensor(value),
            Item::Complex(numbers) => Arg::Complex(numbers),
            number => Arg::Number(Number::Computed(number)),
        })
    }

    /// Tensors, of which some may be missing or complex.
    fn tensors(&mut self, names: impl Iterator<Item = Option<&'g str>>) -> Result<Arg> {
        let mut items = Vec::new();
        for name in names {
            items.push(name.map(|name| self.find(name)).transpose()?);
        }
        if items
            .iter()
            .flatten()
            .any(|item| matches!(item, Item::Complex(_)))
        {
            return Ok(Arg::Complexes(items));
        }
        let values = items
            .into_iter()
            .map(|item| item.map(|item| item.value(self.b)).transpose());
        values.collect::<Result<_>>().map(Arg::Tensors)
    }

    /// The elements of the memory in which a tensor lies, in their order there, and the one that the tensor begins with.
    fn memory(&mut self, name: &'g str) -> Result<(Value, i64)> {
        let unknown = || format!("nothing says where the elements of '{name}' lie in memory");
        let root = self.scope.root(name);
        let value = self.tensor(root)?;
        let meta = self.types.get(root).ok_or_else(unknown)?;
        let offset = self.types.get(name).ok_or_else(unknown)?;
        let known = |extents| known(extents).map_err(|_| unknown());
        let (sizes, strides) = (known(&meta.sizes)?, known(&meta.strides)?);
        let first = known(std::slice::from_ref(&meta.storage_offset))?[0];
        let offset = known(std::slice::from_ref(&offset.storage_offset))?[0];
        let mut order: Vec<usize> = (0..sizes.len()).collect();
        order.sort_by_key(|axis| std::cmp::Reverse((strides[*axis], sizes[*axis])));
        let mut next = 1_i64;
        let is_dense = order.iter().rev().all(|axis| {
            let is_next = sizes[*axis] == 1 || strides[*axis] == next;
            next = next.saturating_mul(sizes[*axis]);
            is_next
        });
        match is_dense && first == 0 && value.rank() == sizes.len() {
            true => Ok((self.b.transpose(&value, &order)?, offset)),
            false => Err(unknown()),
        }
    }

    /// A tensor, or a number as one of rank 0.
    pub fn tensor(&mut self, name: &'g str) -> Result<Value> {
        match self.find(name)? {
            Item::Tensor(value) => Ok(value),
            Item::Complex(_) => Err(format!(
                "'{name}' has complex numbers, which are not supported here"
            )),
            number => number.value(self.b),
        }
    }

    fn symbol<T>(&mut self, symbol: &'g Symbolic<T>, of: fn(&T) -> Number) -> Result<Number> {
        match symbol {
            Symbolic::Known(number) => Ok(of(number)),
            Symbolic::Name(name) => match self.find(name)? {
                Item::Dim(Dim::Known(number)) => Ok(Number::Int(number)),
                item => Ok(Number::Computed(item)),
            },
        }
    }

    fn symbols<T>(&mut self, all: &'g [Symbolic<T>], of: fn(&T) -> Number) -> Result<Arg> {
        let numbers = all.iter().map(|symbol| self.symbol(symbol, of));
        numbers.collect::<Result<_>>().map(Arg::Numbers)
    }
}

fn numbers<T>(all: &[T], of: fn(&T) -> Number) -> Arg {
    Arg::Numbers(all.iter().map(of).collect())
}
