//! Functions for external code generators, as data: what a generator reads in the place of IR.

use crate::{CodegenError, error::describe_constant};
use relay_dialects::{
    Element, attrs,
    ir::{Attr, Op, Type, Value},
    names,
    ops::func,
};
use serde::Serialize;
use serde_json::{Number, Value as Json};
use std::collections::{BTreeMap, HashMap};

/// What one code generator has to write the code of.
#[derive(Clone, Debug, Serialize)]
pub struct Part {
    /// The generator's name.
    pub target: String,
    /// The functions.
    pub functions: Vec<Function>,
}

/// A function of operators. Its values have numbers: first those of its inputs, then the results of its nodes, in order.
#[derive(Clone, Debug, Serialize)]
pub struct Function {
    /// The symbol that its code has to define: a C function of pointers to the inputs and then to the outputs, which
    /// returns nothing. A composite has none.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub symbol: String,
    /// Its name in the IR. For a composite: that of the rule that made it.
    pub name: String,
    /// What it takes.
    pub inputs: Vec<Input>,
    /// Its operators, each behind those that it reads.
    pub nodes: Vec<Node>,
    /// The numbers of the values that it gives.
    pub outputs: Vec<usize>,
}

/// A tensor's type. Its elements lie in the order of its dimensions, without gaps.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Tensor {
    /// The extents of its dimensions.
    pub shape: Vec<i64>,
    /// The name of its element type: `f32`.
    pub element: String,
}

/// An input of a function.
#[derive(Clone, Debug, Serialize)]
pub struct Input {
    /// Its type.
    #[serde(flatten)]
    pub tensor: Tensor,
    /// Whether each call comes with the same values.
    pub constant: bool,
}

/// An operator, a call of a composite function, or a constant.
#[derive(Clone, Debug, Serialize)]
pub struct Node {
    /// Relay's name of the operator, such as `nn.conv2d`; the rule's name of a composite; or `constant`.
    pub op: String,
    /// The operator's attributes, those that are as by default, too.
    pub attributes: BTreeMap<String, Json>,
    /// The numbers of the values that it reads.
    pub inputs: Vec<usize>,
    /// The types of its results.
    pub outputs: Vec<Tensor>,
    /// What a composite computes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body: Option<Box<Function>>,
    /// The elements of a constant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<Vec<Number>>,
    /// The nodes of the model that it comes from.
    pub origin: Vec<String>,
}

impl Tensor {
    /// The number of its elements.
    pub fn count(&self) -> i64 {
        self.shape.iter().product()
    }
}

impl Function {
    /// The type of a value.
    pub fn tensor(&self, value: usize) -> &Tensor {
        match value.checked_sub(self.inputs.len()) {
            None => &self.inputs[value].tensor,
            Some(rest) => {
                let mut results = self.nodes.iter().flat_map(|node| &node.outputs);
                results.nth(rest).expect("values are those of the function")
            }
        }
    }

    /// The nodes, each with the number of its first result.
    pub fn numbered(&self) -> impl Iterator<Item = (usize, &Node)> {
        self.nodes.iter().scan(self.inputs.len(), |next, node| {
            let first = *next;
            *next += node.outputs.len();
            Some((first, node))
        })
    }
}

/// An operator whose operands and result have numbers in the function that it is part of.
#[derive(Clone, Debug)]
pub struct Step<'f> {
    /// The operator.
    pub node: &'f Node,
    /// The values that it reads.
    pub inputs: Vec<usize>,
    /// The values that it gives.
    pub outputs: Vec<usize>,
}

impl Function {
    /// All operators, those in composites, too, and the type of each value: first the inputs, then the results of operators.
    /// The last list has the numbers of the values that the function gives.
    pub fn flat(&self) -> (Vec<Step<'_>>, Vec<&Tensor>, Vec<usize>) {
        let mut tensors: Vec<&Tensor> = self.inputs.iter().map(|input| &input.tensor).collect();
        let mut steps = Vec::new();
        let inputs: Vec<usize> = (0..tensors.len()).collect();
        let outputs = self.add_to(&mut steps, &mut tensors, &inputs);
        (steps, tensors, outputs)
    }

    /// Adds the operators of a function on values that have numbers; the numbers of what it gives.
    fn add_to<'f>(
        &'f self,
        steps: &mut Vec<Step<'f>>,
        tensors: &mut Vec<&'f Tensor>,
        inputs: &[usize],
    ) -> Vec<usize> {
        let mut values = inputs.to_vec();
        for node in &self.nodes {
            let reads: Vec<usize> = node.inputs.iter().map(|value| values[*value]).collect();
            if let Some(body) = &node.body {
                values.extend(body.add_to(steps, tensors, &reads));
                continue;
            }
            let first = tensors.len();
            tensors.extend(&node.outputs);
            values.extend(first..tensors.len());
            steps.push(Step {
                node,
                inputs: reads,
                outputs: (first..tensors.len()).collect(),
            });
        }
        self.outputs.iter().map(|value| values[*value]).collect()
    }
}

impl Node {
    /// An attribute that is a list of numbers.
    pub fn ints(&self, name: &str) -> Option<Vec<i64>> {
        let list = self.attributes.get(name)?.as_array()?;
        list.iter().map(Json::as_i64).collect()
    }

    /// An attribute that is a number.
    pub fn int(&self, name: &str) -> Option<i64> {
        self.attributes.get(name)?.as_i64()
    }

    /// An attribute that is a truth value.
    pub fn flag(&self, name: &str) -> bool {
        let value = self.attributes.get(name);
        value.and_then(Json::as_bool).unwrap_or(false)
    }
}

/// Reads a function of a module; `symbol` is what its code has to define.
///
/// # Errors
/// If a type has no known shape or elements, or there is something in it that is no operator on tensors.
pub(super) fn read(module: Op, function: Op, symbol: &str) -> Result<Function, CodegenError> {
    let arguments = function.body().args();
    let attrs = function.attr("arg_attrs").and_then(Attr::as_array);
    let is_constant = |place: usize| {
        let attrs = attrs.as_ref().and_then(|attrs| attrs.get(place));
        attrs.is_some_and(|attrs| attrs.get(attrs::CONSTANT_PARAMETER).is_some())
    };
    let inputs = arguments.iter().enumerate().map(|(place, argument)| {
        Ok(Input {
            tensor: tensor(function, argument.ty())?,
            constant: is_constant(place),
        })
    });
    let inputs = inputs.collect::<Result<_, CodegenError>>()?;
    let mut numbers: HashMap<Value, usize> = arguments.into_iter().zip(0..).collect();
    let mut nodes = Vec::new();
    let mut outputs = Vec::new();
    for op in function.body().ops() {
        let operands = op.operands().into_iter();
        let known = operands.map(|value| numbers.get(&value).copied());
        let known: Option<Vec<usize>> = known.collect();
        let reads = known.ok_or_else(|| unreadable(op, "reads what is outside of its function"))?;
        if op.is(func::Return::NAME) {
            outputs = reads;
            break;
        }
        nodes.push(node(module, op, reads)?);
        for result in op.results() {
            numbers.insert(result, numbers.len());
        }
    }
    Ok(Function {
        symbol: symbol.into(),
        name: function.symbol().unwrap_or_default(),
        inputs,
        nodes,
        outputs,
    })
}

fn node(module: Op, op: Op, inputs: Vec<usize>) -> Result<Node, CodegenError> {
    let types = op.results().into_iter().map(|result| result.ty());
    let mut node = Node {
        op: op.name().trim_start_matches("relay.").into(),
        attributes: BTreeMap::new(),
        inputs,
        outputs: types.map(|ty| tensor(op, ty)).collect::<Result<_, _>>()?,
        body: None,
        data: None,
        origin: op.loc().names(),
    };
    if op.is(func::Call::NAME) {
        let callee = op.attr("callee").and_then(Attr::as_symbol);
        let callee = callee.and_then(|callee| module.lookup(&callee));
        let callee = callee.ok_or_else(|| unreadable(op, "calls what is not in its module"))?;
        let mut body = read(module, callee, "")?;
        let rule = callee.attr(attrs::COMPOSITE);
        body.name = rule.and_then(Attr::as_str).unwrap_or(body.name);
        node.op.clone_from(&body.name);
        node.body = Some(body.into());
    } else if op.is(names::relay::CONSTANT) {
        node.data = Some(numbers(op)?);
    } else {
        let attributes = op.attrs().into_iter();
        node.attributes = attributes
            .filter_map(|(name, attr)| Some((name, json(attr)?)))
            .collect();
    }
    Ok(node)
}

/// A type that generators can be told of.
fn tensor(op: Op, ty: Type) -> Result<Tensor, CodegenError> {
    if !ty.is_tensor() || !ty.is_static() {
        return Err(unreadable(
            op,
            &format!("has a value of type {ty}; external code needs static tensors"),
        ));
    }
    let element = Element::require(ty.element()).map_err(|reason| unreadable(op, &reason))?;
    Ok(Tensor {
        shape: ty.shape(),
        element: element.name().into(),
    })
}

/// The elements of a constant. JSON has no number for an infinite element.
fn numbers(op: Op) -> Result<Vec<Number>, CodegenError> {
    let element = Element::require(op.result(0).ty().element());
    let element = element.map_err(|reason| unreadable(op, &reason))?;
    let read = |bytes: &[u8]| {
        let numbers = bytes.chunks_exact(element.bytes());
        numbers.map(|bytes| number(element, bytes)).collect()
    };
    let value = op.attr("value").and_then(|value| value.read(read));
    let value: Option<Option<Vec<Number>>> = value;
    let numbers = value.ok_or_else(|| CodegenError::NoBytes(describe_constant(op)))?;
    numbers.ok_or_else(|| unreadable(op, "has an element that is no finite number"))
}

/// An element from its bytes, as they lie in memory.
fn number(element: Element, bytes: &[u8]) -> Option<Number> {
    let mut whole = [0; 8];
    whole[..bytes.len()].copy_from_slice(bytes);
    let bits = u64::from_le_bytes(whole);
    let unused = 64 - 8 * bytes.len() as u32;
    match element {
        Element::F64 => Number::from_f64(f64::from_bits(bits)),
        Element::F32 => Number::from_f64(f32::from_bits(bits as u32).into()),
        Element::Bf16 => Number::from_f64(half::bf16::from_bits(bits as u16).into()),
        Element::F16 => Number::from_f64(half::f16::from_bits(bits as u16).into()),
        stored if stored.is_stored_only() => None,
        Element::I8 | Element::I16 | Element::I32 | Element::I64 => {
            Some((((bits << unused) as i64) >> unused).into())
        }
        _ => Some(bits.into()),
    }
}

/// An attribute as JSON; `None` for one that is no number, text, or list of these.
fn json(attr: Attr) -> Option<Json> {
    if let Some(flag) = attr.as_bool() {
        return Some(flag.into());
    }
    if let Some(list) = attr.as_ints() {
        return Some(list.into());
    }
    if let Some(list) = attr.as_array() {
        return list.into_iter().map(json).collect();
    }
    let number = attr.as_i64().map(Json::from);
    let number = number.or_else(|| attr.as_f64().map(Into::into));
    let text = || {
        attr.as_str()
            .or_else(|| attr.as_type().map(|ty| ty.to_string()))
    };
    number.or_else(|| text().map(Into::into))
}

fn unreadable(op: Op, reason: &str) -> CodegenError {
    let names = op.loc().names().join(" + ");
    let node = match names.as_str() {
        "" => String::new(),
        names => format!(" (node '{names}')"),
    };
    CodegenError::External(format!("'{}'{node} {reason}", op.name()))
}
