//! From modules of the relay dialect to trees, and so to Relay's own text.
//!
//! What has no effect becomes `%0 = value`, everything else a `let`, so that the order of effects is written down. Constants
//! that are no numbers stand in the metadata.

mod operators;
mod types;

use super::{
    attributes,
    metadata::{self, Array, Metadata},
    syntax::{
        AttrValue, Attribute, Call, Constructor, DataType, Definition, Expr, Function, Kind, Match,
        Meta, Number, Param, Pattern, Place, Program, Sequence, Step,
    },
};
use half::f16;
use relay_dialects::{
    attrs::{NAME, PARAM_DEVICES, VIRTUAL_DEVICE},
    element::Element,
    ir::{Attr, Block, Op, Type, Value},
    names::relay,
    ops::{builtin, func},
    relay::{
        device::{DeviceCopy, OnDevice, of_attr},
        is_operator,
        language::{
            adt::{self, TypeDef},
            pattern::Pattern as Matched,
            type_params,
        },
    },
};
use std::collections::{HashMap, HashSet};
use types::written;

type Result<T> = std::result::Result<T, String>;

/// The program of a module.
///
/// # Errors
/// The first op, with its place, that Relay's text cannot say.
pub fn export(module: Op) -> Result<Program> {
    let (definitions, metadata) = written_module(module)?;
    Ok(program(definitions, &metadata))
}

/// As [`export`], but the constants do not stand in the program's metadata.
///
/// # Errors
/// As [`export`].
pub fn export_with_constants(module: Op) -> Result<(Program, Vec<Array>)> {
    let (definitions, mut metadata) = written_module(module)?;
    let constants = std::mem::take(&mut metadata.constants);
    Ok((program(definitions, &metadata), constants))
}

fn program(definitions: Vec<Definition>, metadata: &Metadata) -> Program {
    let is_there = *metadata != Metadata::default();
    Program {
        definitions,
        metadata: is_there.then(|| metadata::write(metadata)),
    }
}

/// The definitions of a module, and what their `meta[...]` refer to.
fn written_module(module: Op) -> Result<(Vec<Definition>, Metadata)> {
    let mut metadata = Metadata::default();
    let mut definitions = Vec::new();
    for definition in TypeDef::all(module) {
        definitions.push(data_type(&definition)?);
    }
    for function in module.functions() {
        let name = function.symbol().unwrap_or_default();
        if function.block_in(0).is_none() {
            return Err(format!(
                "@{name} has no body, which Relay's text cannot say"
            ));
        }
        let writer = Writer {
            metadata: &mut metadata,
            names: HashMap::new(),
            taken: HashSet::new(),
            next: 0,
        };
        definitions.push(Definition::Function(name, writer.function(function)?));
    }
    Ok((definitions, metadata))
}

fn data_type(definition: &TypeDef) -> Result<Definition> {
    let constructors = definition.constructors.iter().map(|constructor| {
        let fields = constructor.fields.iter().map(|ty| written(*ty));
        Ok(Constructor {
            name: constructor.name.clone(),
            fields: fields.collect::<Result<_>>()?,
            place: Place::default(),
        })
    });
    let data = DataType {
        name: definition.name.clone(),
        type_params: definition.params.clone(),
        constructors: constructors.collect::<Result<_>>()?,
        place: Place::default(),
    };
    Ok(match data.constructors.is_empty() {
        true => Definition::Opaque(data),
        false => Definition::Data(data),
    })
}

/// A parameter: its value, its name, and the attribute with its device.
type Written = (Value, String, Option<Attr>);

/// What is known while a function is written.
struct Writer<'m> {
    metadata: &'m mut Metadata,
    /// How values are written.
    names: HashMap<Value, Kind>,
    /// The names that are taken.
    taken: HashSet<String>,
    /// The number of the next `%0 =`.
    next: u32,
}

impl Writer<'_> {
    fn function(mut self, function: Op) -> Result<Function> {
        let attrs = function.attr("arg_attrs").and_then(Attr::as_array);
        let named = |index: usize| attrs.as_ref()?.get(index)?.get(NAME)?.as_str();
        let device = |index: usize| attrs.as_ref()?.get(index)?.get(VIRTUAL_DEVICE);
        let args = function.body().args().into_iter().enumerate();
        let args: Vec<Written> = args
            .map(|(index, value)| {
                let name = named(index).unwrap_or_else(|| "x".into());
                (value, name, device(index))
            })
            .collect();
        let ty = function.function_type();
        let result = ty.and_then(|ty| ty.as_function()).map(|(_, result)| result);
        Ok(Function {
            type_params: type_params(function),
            params: self.params(args)?,
            attributes: self.attributes(function)?,
            result: result.map(written).transpose()?,
            body: self.block(function.body())?,
        })
    }

    fn params(&mut self, args: Vec<Written>) -> Result<Vec<Param>> {
        let params = args.into_iter().map(|(value, name, device)| {
            let device = device.map(|device| self.device(OnDevice::DEVICE, device));
            Ok(Param {
                name: self.local(value, &name),
                device: device.transpose()?.flatten(),
                ty: Some(written(value.ty())?),
            })
        });
        params.collect()
    }

    /// The attributes of a function.
    fn attributes(&mut self, function: Op) -> Result<Vec<Attribute>> {
        let mut attributes = attributes::written(function);
        if let Some(device) = function.attr(VIRTUAL_DEVICE) {
            attributes.extend(self.device(OnDevice::DEVICE, device)?);
        }
        Ok(attributes)
    }

    /// An attribute that names a device, which stands in the metadata; none for a device of which nothing is known.
    fn device(&mut self, name: &str, attr: Attr) -> Result<Option<Attribute>> {
        let device = of_attr(attr)?;
        if device.is_unconstrained() {
            return Ok(None);
        }
        let devices = &mut self.metadata.devices;
        let known = devices.iter().position(|known| *known == device);
        let index = known.unwrap_or_else(|| {
            devices.push(device);
            devices.len() - 1
        });
        let meta = Kind::Meta(Meta {
            key: metadata::DEVICE.into(),
            index: u32::try_from(index).map_err(|_| "there are too many devices")?,
        });
        Ok(Some(Attribute {
            name: name.into(),
            value: AttrValue::Expr(meta.into()),
        }))
    }

    /// The call that a `relay.on_device` or `relay.device_copy` is.
    fn on_device(&mut self, op: Op, operands: Vec<Expr>) -> Result<Kind> {
        let mut attributes = Vec::new();
        for name in [OnDevice::DEVICE].into_iter().chain(DeviceCopy::DEVICES) {
            if let Some(attr) = op.attr(name) {
                attributes.extend(self.device(name, attr)?);
            }
        }
        if let Some(mark) = OnDevice::of(op) {
            let [body, result] = OnDevice::CONSTRAINS;
            let flags = [
                (result, mark.constrains_result, false),
                (body, mark.constrains_body, true),
            ];
            let given = flags
                .into_iter()
                .filter(|(_, flag, default)| flag != default);
            attributes.extend(given.map(|(name, flag, _)| Attribute {
                name: name.into(),
                value: AttrValue::Expr(Kind::Bool(flag).into()),
            }));
        }
        let full = op.name();
        let name = full.strip_prefix("relay.").unwrap_or(&full);
        Ok(Kind::Call(Box::new(Call {
            callee: Kind::Named(name.into()).into(),
            arguments: operands,
            attributes,
        })))
    }

    /// Gives a value a name of its own, which is like another one.
    fn local(&mut self, value: Value, like: &str) -> String {
        let mut like: String = (like.chars())
            .map(|letter| {
                if letter.is_ascii_alphanumeric() {
                    letter
                } else {
                    '_'
                }
            })
            .collect();
        if !like.starts_with(|first: char| first.is_ascii_alphabetic()) {
            like = format!("v{like}");
        }
        let numbered = (1u64..).map(|number| format!("{like}{number}"));
        let mut all = [like.clone()].into_iter().chain(numbered);
        let name = all.find(|name| self.taken.insert(name.clone()));
        let name = name.unwrap_or(like);
        self.names.insert(value, Kind::Local(name.clone()));
        name
    }

    /// The steps of a block, and the value that it ends with.
    fn block(&mut self, block: Block) -> Result<Sequence> {
        let mut steps = Vec::new();
        let mut value = Kind::Tuple(Vec::new());
        for op in block.ops() {
            if op.is(relay::YIELD) || op.is(func::Return::NAME) {
                let values = self.read(&op.operands())?;
                value = match values.len() {
                    1 => values.into_iter().next().map_or(value, |value| value.kind),
                    _ => Kind::Tuple(values.into_iter().map(alone).collect()),
                };
                // What is bound in order to be the value is the value.
                if matches!((steps.last(), &value), (Some(Step::Bind(last, _)), Kind::Graph(read)) if last == read)
                    && op.operands()[0].uses().len() == 1
                    && let Some(Step::Bind(_, expr)) = steps.pop()
                {
                    value = expr.kind;
                }
            } else if !op.would_be_dead() || op.is_used() {
                steps.extend(self.step(op)?);
            }
        }
        Ok(Sequence {
            steps,
            value: value.into(),
        })
    }

    fn read(&self, values: &[Value]) -> Result<Vec<Expr>> {
        let read = |value: &Value| {
            let kind = self.names.get(value).cloned();
            kind.map(Expr::from)
                .ok_or_else(|| format!("{}: a value is read before it is there", value.loc()))
        };
        values.iter().map(read).collect()
    }

    /// The step that an op is; none where its value is written where it is read.
    fn step(&mut self, op: Op) -> Result<Option<Step>> {
        let expr = self.expr(op)?;
        let [result] = op.results()[..] else {
            // Several results are the fields of a tuple.
            let number = self.number();
            for (index, value) in op.results().into_iter().enumerate() {
                let tuple = Expr::from(Kind::Graph(number));
                let field = Kind::Project(Box::new(tuple), index as u32);
                self.names.insert(value, field);
            }
            return Ok(Some(Step::Bind(number, expr)));
        };
        match op.name().as_str() {
            relay::CONSTANT | relay::GLOBAL | relay::INSTANTIATE => {
                self.names.insert(result, expr.kind);
                Ok(None)
            }
            relay::FN
            | relay::CALL
            | relay::IF
            | relay::MATCH
            | func::Call::NAME
            | relay::REF_CREATE
            | relay::REF_READ
            | relay::REF_WRITE => {
                if !result.is_used() {
                    return Ok(Some(Step::Effect(expr)));
                }
                let name = match self.names.get(&result) {
                    Some(Kind::Local(name)) => name.clone(),
                    _ => self.local(result, "x"),
                };
                Ok(Some(Step::Let(name, None, expr)))
            }
            relay::CONSTRUCT if is_open(op) => {
                let name = self.local(result, "x");
                let ty = written(result.ty())?;
                Ok(Some(Step::Let(name, Some(ty), expr)))
            }
            _ => {
                let number = self.number();
                self.names.insert(result, Kind::Graph(number));
                Ok(Some(Step::Bind(number, expr)))
            }
        }
    }

    fn number(&mut self) -> u32 {
        self.next += 1;
        self.next - 1
    }

    fn expr(&mut self, op: Op) -> Result<Expr> {
        let symbol = |name: &str| op.attr(name).and_then(Attr::as_symbol).unwrap_or_default();
        let mut operands = self.read(&op.operands())?;
        let one = |operands: Vec<Expr>| operands.into_iter().map(alone).next();
        let missing = || format!("{}: '{}' has no operand", op.loc(), op.name());
        let kind = match op.name().as_str() {
            relay::CONSTANT => self.constant(op)?,
            relay::TUPLE => Kind::Tuple(operands.into_iter().map(alone).collect()),
            relay::TUPLE_GET => {
                let index = op.attr("index").and_then(Attr::as_i64).unwrap_or_default();
                Kind::Project(Box::new(operands.remove(0)), index as u32)
            }
            relay::IF => {
                let condition = one(operands).ok_or_else(missing)?;
                let mut regions = op
                    .regions()
                    .into_iter()
                    .filter_map(|each| each.first_block());
                let mut branch = || regions.next().ok_or_else(missing);
                let (yes, no) = (branch()?, branch()?);
                Kind::If(Box::new([condition, self.block(yes)?, self.block(no)?]))
            }
            relay::FN => Kind::Function(Box::new(self.closure(op)?)),
            relay::GLOBAL => Kind::Global(symbol("callee")),
            relay::INSTANTIATE => operands.remove(0).kind,
            relay::CALL => call(operands.remove(0), operands),
            func::Call::NAME => call(Kind::Global(symbol("callee")).into(), operands),
            relay::CONSTRUCT => {
                let path = op.attr("constructor").and_then(Attr::as_nested_symbol);
                let name = Kind::Named(path.unwrap_or_default().1);
                match operands.is_empty() {
                    true => name,
                    false => call(name.into(), operands),
                }
            }
            relay::MATCH => self.matching(op, operands.remove(0))?,
            relay::REF_CREATE => Kind::RefCreate(Box::new(one(operands).ok_or_else(missing)?)),
            relay::REF_READ => Kind::RefRead(Box::new(one(operands).ok_or_else(missing)?)),
            relay::REF_WRITE => {
                let value = operands.pop().map(alone).ok_or_else(missing)?;
                let place = operands.pop().map(alone).ok_or_else(missing)?;
                Kind::RefWrite(Box::new([place, value]))
            }
            relay::ON_DEVICE | relay::DEVICE_COPY => self.on_device(op, operands)?,
            relay::CLOSURE | relay::CALL_LOWERED => return Err(unsayable(op)),
            _ if is_operator(op) => operators::call(op, operands)?,
            _ => return Err(unsayable(op)),
        };
        Ok(kind.into())
    }

    fn closure(&mut self, op: Op) -> Result<Function> {
        let names = op.attr("names").and_then(Attr::as_texts);
        let named = |index: usize| {
            let name = names.as_ref()?.get(index)?.clone();
            (!name.is_empty()).then_some(name)
        };
        let args = op.body().args().into_iter().enumerate();
        let mut args: Vec<Written> = args
            .map(|(index, value)| (value, named(index).unwrap_or_else(|| "x".into()), None))
            .collect();
        if op.has_attr("recursive") {
            let (itself, name, _) = args.remove(0);
            let name = self.local(itself, &name);
            self.names.insert(op.result(0), Kind::Local(name));
        }
        let devices = op.attr(PARAM_DEVICES).and_then(Attr::as_array);
        for ((_, _, device), known) in args.iter_mut().zip(devices.unwrap_or_default()) {
            *device = Some(known);
        }
        let result = op.result(0).ty().as_function();
        Ok(Function {
            type_params: type_params(op),
            params: self.params(args)?,
            attributes: self.attributes(op)?,
            result: result.map(|(_, result)| written(result)).transpose()?,
            body: self.block(op.body())?,
        })
    }

    fn matching(&mut self, op: Op, value: Expr) -> Result<Kind> {
        let patterns = op.attr("patterns").and_then(Attr::as_array);
        let mut arms = Vec::new();
        for (index, pattern) in patterns.unwrap_or_default().into_iter().enumerate() {
            let Some((arm, pattern)) = op.block_in(index).zip(Matched::of(pattern)) else {
                return Err(unsayable(op));
            };
            let mut names = arm.args().into_iter();
            let pattern = self.pattern(&pattern, &mut names);
            arms.push((pattern, self.block(arm)?));
        }
        Ok(Kind::Match(Box::new(Match {
            partial: op.has_attr("partial"),
            value,
            arms,
        })))
    }

    fn pattern(&mut self, pattern: &Matched, names: &mut impl Iterator<Item = Value>) -> Pattern {
        let mut parts = |writer: &mut Self, parts: &[Matched]| {
            let parts = parts.iter().map(|part| writer.pattern(part, &mut *names));
            parts.collect::<Vec<Pattern>>()
        };
        match pattern {
            Matched::Wildcard => Pattern::Wildcard,
            Matched::Tuple(fields) => Pattern::Tuple(parts(self, fields)),
            Matched::Constructor { name, fields, .. } => {
                Pattern::Constructor(name.clone(), parts(self, fields))
            }
            Matched::Name(name) => match names.next() {
                Some(value) => Pattern::Variable(self.local(value, name), None),
                None => Pattern::Wildcard,
            },
        }
    }

    /// A number as it is written; of anything else, its place in the metadata.
    fn constant(&mut self, op: Op) -> Result<Kind> {
        let ty = op.result(0).ty();
        let element = Element::of(ty.element()).ok_or_else(|| unsayable(op))?;
        let bytes = op.attr("value").and_then(Attr::bytes);
        let bytes =
            bytes.ok_or_else(|| format!("{}: there are no bytes of a constant", op.loc()))?;
        if ty.shape().is_empty()
            && let Some(kind) = scalar(element, &bytes)
        {
            return Ok(kind);
        }
        let array = Array {
            element,
            shape: ty.shape(),
            bytes,
        };
        let known = self
            .metadata
            .constants
            .iter()
            .position(|known| *known == array);
        let index = known.unwrap_or_else(|| {
            self.metadata.constants.push(array);
            self.metadata.constants.len() - 1
        });
        Ok(Kind::Meta(Meta {
            key: metadata::CONSTANT.into(),
            index: u32::try_from(index).map_err(|_| unsayable(op))?,
        }))
    }
}

/// A number of a type that can be written.
fn scalar(element: Element, bytes: &[u8]) -> Option<Kind> {
    let int = |value: i64| Some(Kind::Number(Number::Int(value, element.bits())));
    let float = |value: f64| {
        let number = Kind::Number(Number::Float(value, element.bits()));
        value.is_finite().then_some(number)
    };
    match element {
        Element::Bool => Some(Kind::Bool(bytes.first().is_some_and(|byte| *byte != 0))),
        Element::I16 => int(i16::from_le_bytes(bytes.try_into().ok()?).into()),
        Element::I32 => int(i32::from_le_bytes(bytes.try_into().ok()?).into()),
        Element::I64 => int(i64::from_le_bytes(bytes.try_into().ok()?)),
        Element::F16 => float(f16::from_le_bytes(bytes.try_into().ok()?).into()),
        Element::F32 => float(f32::from_le_bytes(bytes.try_into().ok()?).into()),
        Element::F64 => float(f64::from_le_bytes(bytes.try_into().ok()?)),
        _ => None,
    }
}

fn alone(value: Expr) -> Sequence {
    Sequence {
        steps: Vec::new(),
        value,
    }
}

fn call(callee: Expr, arguments: Vec<Expr>) -> Kind {
    Kind::Call(Box::new(Call {
        callee,
        arguments,
        attributes: Vec::new(),
    }))
}

fn unsayable(op: Op) -> String {
    format!("{}: Relay's text cannot say '{}'", op.loc(), op.name())
}

/// Whether the fields of what is constructed say less of its type than is known.
fn is_open(construct: Op) -> bool {
    let module = construct.ancestor(builtin::Module::NAME);
    let path = construct.attr("constructor");
    let made = module.zip(path).and_then(|(module, path)| {
        let (definition, tag) = adt::constructor(module, path).ok()?;
        let given: Vec<_> = construct
            .operands()
            .iter()
            .map(|value| value.ty())
            .collect();
        definition.made(tag, &given).ok()
    });
    made.is_some_and(Type::has_incomplete) && !construct.result(0).ty().has_incomplete()
}
