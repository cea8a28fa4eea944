//! What `torch.save` writes: a zip file with a pickle, and with the bytes of its tensors beside it.
//!
//! Python runs whatever a pickle names. This reader knows a few operations, and a few names that stand for tensors and what holds
//! them; all else is an error. Nothing is executed.

use super::{
    allowed::{Global, global},
    deep::{Deep, drop_deep},
    element::{of_name, part_of_name},
};
use crate::{
    archive::Archive,
    graph::{error::Result, names::quoted, stored::Stored},
};
use bytes::Bytes;
use std::{cell::RefCell, collections::HashMap, rc::Rc};

/// Keys of a dictionary with their values.
pub type Entries = Vec<(Object, Object)>;

/// An object of a pickle.
#[derive(Clone, Debug)]
pub enum Object {
    /// `None`.
    None,
    /// A boolean.
    Bool(bool),
    /// A float.
    Float(f64),
    /// An integer.
    Int(i64),
    /// A text.
    Text(Rc<str>),
    /// A list.
    List(Rc<RefCell<Deep<Vec<Object>>>>),
    /// A tuple.
    Tuple(Rc<Deep<Vec<Object>>>),
    /// A dictionary.
    Dict(Rc<RefCell<Deep<Entries>>>),
    /// A name of Python's that is allowed.
    Global(Global),
    /// Bytes of tensors: the name of their element type, and the entry that they lie in.
    Storage(&'static str, Rc<str>),
    /// A tensor.
    Tensor(Rc<Stored>),
    /// A quantised tensor.
    Quantized(Rc<Quantized>),
    /// An object of a class of TorchScript.
    Instance(Rc<Instance>),
    /// Something that is named only, by its kind: a device.
    Other(&'static str),
    /// The mark below the elements of what is being made.
    Mark,
}

/// A quantised tensor.
#[derive(Debug)]
pub struct Quantized {
    /// Its integers.
    pub integers: Rc<Stored>,
    /// What they stand for.
    pub steps: StoredSteps,
}

/// The steps of a quantised tensor: an integer q stands for scale * (q - zero point).
#[derive(Debug)]
pub enum StoredSteps {
    /// Scale and zero point of all elements.
    PerTensor(f64, i64),
    /// Scales and zero points by the subscripts of an axis.
    PerChannel(Rc<Stored>, Rc<Stored>, i64),
}

/// An object of a class of TorchScript.
#[derive(Debug)]
pub struct Instance {
    /// The class, by its whole name: `__torch__.Model`.
    pub class: Rc<str>,
    /// Its attributes, or what its class makes them of.
    pub state: RefCell<Option<Object>>,
}

impl Drop for Instance {
    fn drop(&mut self) {
        drop_deep(self.state.take());
    }
}

/// A tensor's storage, offset, extents, strides, whether it has a gradient, and hooks.
const TENSOR_ARGUMENTS: usize = 6;

/// The tensors of a file that `torch.save` wrote of a dictionary.
///
/// # Errors
/// If it has something else, or is damaged.
pub fn read_tensors(bytes: Bytes) -> Result<Vec<(String, Stored)>> {
    let Object::Dict(entries) = read(bytes)? else {
        return Err("it is no dictionary of tensors".into());
    };
    let entries = entries.borrow();
    let tensors = entries.iter().map(|(name, value)| match (name, value) {
        (Object::Text(name), Object::Tensor(tensor)) => {
            Ok((name.to_string(), Stored::clone(tensor)))
        }
        (Object::Text(name), _) => Err(format!("'{name}' is no tensor")),
        _ => Err("a tensor's name is no text".into()),
    });
    tensors.collect()
}

/// The tensors of a state dictionary that `torch.save` wrote, alone or in a dictionary with other things, as trainers write it.
///
/// # Errors
/// If there is none or several, or the file is damaged.
pub fn read_state(bytes: Bytes) -> Result<Vec<(String, Stored)>> {
    let Object::Dict(entries) = read(bytes)? else {
        return Err("it is no dictionary of tensors".into());
    };
    let entries = entries.borrow();
    let own = tensors_of(&entries);
    if !own.is_empty() {
        return Ok(own);
    }
    let inner = entries
        .iter()
        .filter_map(|(name, value)| match (name, value) {
            (Object::Text(name), Object::Dict(inner)) => Some((name, tensors_of(&inner.borrow()))),
            _ => None,
        });
    let mut inner: Vec<_> = inner.filter(|(_, tensors)| !tensors.is_empty()).collect();
    match (inner.pop(), inner.len()) {
        (None, _) => Err("it is no dictionary of tensors".into()),
        (Some((_, tensors)), 0) => Ok(tensors),
        (Some((last, _)), _) => {
            let names = inner.iter().map(|(name, _)| *name).chain([last]);
            Err(format!(
                "it holds several dictionaries of tensors, {}: save the one that the model has",
                quoted(names.map(|name| &**name))
            ))
        }
    }
}

fn tensors_of(entries: &[(Object, Object)]) -> Vec<(String, Stored)> {
    let tensors = entries
        .iter()
        .filter_map(|(name, value)| match (name, value) {
            (Object::Text(name), Object::Tensor(tensor)) => {
                Some((name.to_string(), Stored::clone(tensor)))
            }
            _ => None,
        });
    tensors.collect()
}

/// The tensor of a file that `torch.save` wrote of one.
///
/// # Errors
/// As [`read_tensors`].
pub fn read_tensor(bytes: Bytes) -> Result<Stored> {
    match read(bytes)? {
        Object::Tensor(tensor) => Ok(Stored::clone(&tensor)),
        _ => Err("it is no tensor".into()),
    }
}

fn read(bytes: Bytes) -> Result<Object> {
    let archive = Archive::open(bytes)?;
    archive.check_order()?;
    let pickle = archive.read("data.pkl")?;
    Machine::new(&archive, "data", &pickle).run()
}

/// The object of a pickle of TorchScript's: `NAME.pkl`, with the bytes of its tensors in the folder `NAME`. It may have objects of
/// TorchScript's classes.
///
/// # Errors
/// If it has something else, or is damaged.
pub fn read_script(archive: &Archive, name: &str) -> Result<Object> {
    let pickle = archive.read(&format!("{name}.pkl"))?;
    let mut machine = Machine::new(archive, name, &pickle);
    machine.has_classes = true;
    machine.run()
}

/// What a pickle's operations work on.
struct Machine<'a> {
    rest: &'a [u8],
    all: usize,
    stack: Vec<Object>,
    memo: HashMap<u32, Object>,
    archive: &'a Archive,
    /// The folder of the bytes of tensors, and the name of the pickle.
    folder: &'a str,
    /// Whether it may have objects of TorchScript's classes.
    has_classes: bool,
}

impl<'a> Machine<'a> {
    fn new(archive: &'a Archive, folder: &'a str, pickle: &'a [u8]) -> Self {
        Self {
            rest: pickle,
            all: pickle.len(),
            stack: Vec::new(),
            memo: HashMap::new(),
            archive,
            folder,
            has_classes: false,
        }
    }

    fn run(mut self) -> Result<Object> {
        let folder = self.folder;
        loop {
            let at = self.all - self.rest.len();
            let step = self.step();
            let done = step.map_err(|reason| format!("{folder}.pkl, byte {at}: {reason}"))?;
            if let Some(object) = done {
                return Ok(object);
            }
        }
    }

    /// Runs an operation. The last one returns the object.
    fn step(&mut self) -> Result<Option<Object>> {
        let [operation] = self.take()?;
        if operation == b'.' {
            return self.pop().map(Some);
        }
        let is_known = self.value(operation)?
            || self.collect(operation)?
            || self.memorize(operation)?
            || self.make(operation)?;
        match is_known {
            true => Ok(None),
            false => Err(format!("operation {operation:#x} is not allowed")),
        }
    }

    /// Runs an operation that puts a value onto the stack; false if it is none.
    fn value(&mut self, operation: u8) -> Result<bool> {
        match operation {
            // PROTO, and FRAME, which only says how many bytes to read at once.
            0x80 => drop(self.take::<1>()?),
            0x95 => drop(self.take::<8>()?),
            b'(' => self.stack.push(Object::Mark),
            b'N' => self.stack.push(Object::None),
            0x88 | 0x89 => self.stack.push(Object::Bool(operation == 0x88)),
            b'K' => self.int(|[byte]: [u8; 1]| byte.into())?,
            b'M' => self.int(|bytes| u16::from_le_bytes(bytes).into())?,
            b'J' => self.int(|bytes| i32::from_le_bytes(bytes).into())?,
            0x8a => self.long()?,
            b'G' => {
                let number = f64::from_be_bytes(self.take()?);
                self.stack.push(Object::Float(number));
            }
            b'X' => self.text(|machine| Ok(u32::from_le_bytes(machine.take()?) as usize))?,
            0x8c => self.text(|machine| Ok(machine.take::<1>()?[0].into()))?,
            b']' => self.stack.push(Object::List(Rc::default())),
            b'}' => self.stack.push(Object::Dict(Rc::default())),
            b')' => self.stack.push(Object::Tuple(Rc::default())),
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Runs an operation that puts values into tuples, lists and dictionaries; false if it is none.
    fn collect(&mut self, operation: u8) -> Result<bool> {
        match operation {
            0x85..=0x87 => {
                let from = self.stack.len().checked_sub(usize::from(operation - 0x84));
                self.tuple(from.ok_or(EMPTY)?);
            }
            b't' => {
                let from = self.mark()?;
                self.tuple(from);
                let tuple = self.pop()?;
                self.pop()?;
                self.stack.push(tuple);
            }
            b'a' => {
                let item = self.pop()?;
                self.append(vec![item])?;
            }
            b'e' => {
                let items = self.above_mark()?;
                self.append(items)?;
            }
            b's' => {
                let (value, key) = (self.pop()?, self.pop()?);
                self.set(vec![key, value])?;
            }
            b'u' => {
                let items = self.above_mark()?;
                self.set(items)?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Runs an operation that remembers a value, or one that it recalls; false if it is none.
    fn memorize(&mut self, operation: u8) -> Result<bool> {
        match operation {
            b'q' => {
                let [place] = self.take()?;
                self.remember(place.into())?;
            }
            b'r' => {
                let place = u32::from_le_bytes(self.take()?);
                self.remember(place)?;
            }
            0x94 => self.remember(self.memo.len() as u32)?,
            b'h' => {
                let [place] = self.take()?;
                self.recall(place.into())?;
            }
            b'j' => {
                let place = u32::from_le_bytes(self.take()?);
                self.recall(place)?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Runs an operation that makes an object by its name; false if it is none.
    fn make(&mut self, operation: u8) -> Result<bool> {
        match operation {
            b'c' => {
                let (module, name) = (self.line()?, self.line()?);
                let global = self.global(&module, &name)?;
                self.stack.push(Object::Global(global));
            }
            0x93 => {
                let (Object::Text(name), Object::Text(module)) = (self.pop()?, self.pop()?) else {
                    return Err("a name is no text".into());
                };
                let global = self.global(&module, &name)?;
                self.stack.push(Object::Global(global));
            }
            b'Q' => {
                let storage = storage(self.pop()?)?;
                self.stack.push(storage);
            }
            b'R' => {
                let (arguments, function) = (self.pop()?, self.pop()?);
                let made = self.call(&function, &arguments)?;
                self.stack.push(made);
            }
            0x81 => match (self.pop()?, self.pop()?) {
                (Object::Tuple(arguments), Object::Global(Global::Class(class)))
                    if arguments.is_empty() =>
                {
                    let state = RefCell::default();
                    let instance = Instance { class, state };
                    self.stack.push(Object::Instance(Rc::new(instance)));
                }
                _ => return Err("an object is made of no class".into()),
            },
            b'b' => match (self.pop()?, self.stack.last()) {
                // The attributes of an ordered dictionary: versions of modules.
                (_, Some(Object::Dict(_))) => {}
                (state, Some(Object::Instance(instance))) => {
                    *instance.state.borrow_mut() = Some(state);
                }
                _ => return Err("an object's attributes are not supported".into()),
            },
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn take<const COUNT: usize>(&mut self) -> Result<[u8; COUNT]> {
        let (taken, rest) = self.rest.split_first_chunk().ok_or("it ends too early")?;
        self.rest = rest;
        Ok(*taken)
    }

    fn int<const COUNT: usize>(&mut self, read: fn([u8; COUNT]) -> i64) -> Result<()> {
        let number = read(self.take()?);
        self.stack.push(Object::Int(number));
        Ok(())
    }

    /// An integer of as many bytes as it needs.
    fn long(&mut self) -> Result<()> {
        let [length] = self.take()?;
        let length = usize::from(length);
        if length > 8 {
            return Err("an integer of more than 64 bits".into());
        }
        let (taken, rest) = self
            .rest
            .split_at_checked(length)
            .ok_or("it ends too early")?;
        self.rest = rest;
        let sign = taken.last().is_some_and(|last| last & 0x80 != 0);
        let mut bytes = [if sign { 0xff } else { 0 }; 8];
        bytes[..length].copy_from_slice(taken);
        self.stack.push(Object::Int(i64::from_le_bytes(bytes)));
        Ok(())
    }

    fn text(&mut self, length: fn(&mut Self) -> Result<usize>) -> Result<()> {
        let length = length(self)?;
        let (taken, rest) = self
            .rest
            .split_at_checked(length)
            .ok_or("it ends too early")?;
        self.rest = rest;
        let text = std::str::from_utf8(taken).map_err(|_| "a text is not in UTF-8")?;
        self.stack.push(Object::Text(text.into()));
        Ok(())
    }

    fn line(&mut self) -> Result<String> {
        let end = self.rest.iter().position(|byte| *byte == b'\n');
        let (taken, rest) = self.rest.split_at(end.ok_or("it ends too early")?);
        self.rest = &rest[1..];
        String::from_utf8(taken.to_vec()).map_err(|_| "a name is not in UTF-8".into())
    }

    fn pop(&mut self) -> Result<Object> {
        self.stack.pop().ok_or_else(|| EMPTY.into())
    }

    /// Where the elements above the last mark begin.
    fn mark(&self) -> Result<usize> {
        let mut objects = self.stack.iter();
        let mark = objects.rposition(|object| matches!(object, Object::Mark));
        mark.map(|mark| mark + 1)
            .ok_or_else(|| "there is no mark".into())
    }

    fn above_mark(&mut self) -> Result<Vec<Object>> {
        let items = self.stack.split_off(self.mark()?);
        self.pop()?;
        Ok(items)
    }

    fn tuple(&mut self, from: usize) {
        let items = self.stack.split_off(from);
        self.stack.push(Object::Tuple(Rc::new(items.into())));
    }

    fn append(&mut self, items: Vec<Object>) -> Result<()> {
        match self.stack.last() {
            Some(Object::List(list)) => list.borrow_mut().extend(items),
            _ => return Err("what is appended to is no list".into()),
        }
        Ok(())
    }

    fn set(&mut self, items: Vec<Object>) -> Result<()> {
        let Some(Object::Dict(dict)) = self.stack.last() else {
            return Err("what is set is no dictionary".into());
        };
        let mut items = items.into_iter();
        while let (Some(key), Some(value)) = (items.next(), items.next()) {
            dict.borrow_mut().push((key, value));
        }
        Ok(())
    }

    fn remember(&mut self, place: u32) -> Result<()> {
        let object = self.stack.last().ok_or(EMPTY)?.clone();
        self.memo.insert(place, object);
        Ok(())
    }

    fn recall(&mut self, place: u32) -> Result<()> {
        let object = self.memo.get(&place);
        let object = object.ok_or_else(|| format!("nothing has number {place}"))?;
        self.stack.push(object.clone());
        Ok(())
    }

    fn call(&self, function: &Object, arguments: &Object) -> Result<Object> {
        let (Object::Global(function), Object::Tuple(arguments)) = (function, arguments) else {
            return Err("what is called is no name".into());
        };
        match (function, &arguments[..]) {
            (Global::Same, [object, ..]) => Ok(object.clone()),
            (Global::Device, _) => Ok(Object::Other("a device")),
            (Global::OrderedDict, []) => Ok(Object::Dict(Rc::default())),
            (Global::Rebuild, [Object::Storage(name, entry), place @ ..])
                if place.len() + 1 >= TENSOR_ARGUMENTS =>
            {
                self.tensor((name, entry), place)
            }
            (Global::RebuildTyped, [Object::Storage(_, entry), place @ .., last])
                if place.len() + 1 >= TENSOR_ARGUMENTS =>
            {
                match last {
                    Object::Global(Global::DataType(name)) => self.tensor((name, entry), place),
                    _ => Err("a tensor's element type is none".into()),
                }
            }
            (Global::RebuildParameter, [tensor @ Object::Tensor(_), ..]) => Ok(tensor.clone()),
            (Global::RebuildQuantized, [Object::Storage(name, entry), place @ ..]) => {
                let Object::Tensor(integers) = self.tensor((name, entry), place)? else {
                    return Err("a quantised tensor has no integers".into());
                };
                let steps = match place.get(3) {
                    Some(Object::Tuple(steps)) => stored_steps(steps)?,
                    _ => return Err("a quantised tensor has no steps".into()),
                };
                Ok(Object::Quantized(Rc::new(Quantized { integers, steps })))
            }
            _ => Err(format!(
                "a call of {function:?} has other arguments than it takes"
            )),
        }
    }

    /// A tensor of a storage, by its offset, its extents and its strides.
    fn tensor(&self, (name, entry): (&str, &str), place: &[Object]) -> Result<Object> {
        let [
            Object::Int(offset),
            Object::Tuple(sizes),
            Object::Tuple(strides),
            ..,
        ] = place
        else {
            return Err("a tensor's place is none".into());
        };
        let part = part_of_name(name);
        let mut stored = Stored {
            element: of_name(part.unwrap_or(name))?,
            sizes: ints(sizes)?,
            strides: ints(strides)?,
            offset: *offset,
            bytes: self.archive.read(&format!("{}/{entry}", self.folder))?,
            is_complex: false,
        };
        if part.is_some() {
            let element = stored.element;
            stored = stored.as_complex(element)?;
        }
        Ok(Object::Tensor(Rc::new(stored)))
    }

    /// A name of Python's.
    fn global(&self, module: &str, name: &str) -> Result<Global> {
        if self.has_classes && (module == "__torch__" || module.starts_with("__torch__.")) {
            return Ok(Global::Class(format!("{module}.{name}").into()));
        }
        global(module, name)
    }
}

const EMPTY: &str = "it takes an object that is not there";

fn ints(objects: &[Object]) -> Result<Vec<i64>> {
    let ints = objects.iter().map(|object| match object {
        Object::Int(number) => Ok(*number),
        _ => Err("an extent or a stride is no integer".into()),
    });
    ints.collect()
}

/// The steps of a quantised tensor, behind the name of their scheme.
fn stored_steps(parts: &[Object]) -> Result<StoredSteps> {
    match parts {
        [
            Object::Global(Global::PerTensor),
            Object::Float(scale),
            Object::Int(zero_point),
        ] => Ok(StoredSteps::PerTensor(*scale, *zero_point)),
        [
            Object::Global(Global::PerChannel),
            Object::Tensor(scales),
            Object::Tensor(zero_points),
            Object::Int(axis),
        ] => Ok(StoredSteps::PerChannel(
            Rc::clone(scales),
            Rc::clone(zero_points),
            *axis,
        )),
        _ => Err(
            "a quantised tensor has other steps than per_tensor_affine and per_channel_affine have"
                .into(),
        ),
    }
}

/// A storage by what identifies it: `("storage", class, entry, device, number of elements)`.
fn storage(id: Object) -> Result<Object> {
    let wrong = || String::from("a storage is not identified as PyTorch does it");
    let Object::Tuple(parts) = id else {
        return Err(wrong());
    };
    match &parts[..] {
        [
            Object::Text(word),
            Object::Global(class),
            Object::Text(entry),
            ..,
        ] if &**word == "storage" => match class {
            Global::Storage(name) => Ok(Object::Storage(name, entry.clone())),
            Global::UntypedStorage => Ok(Object::Storage("uint8", entry.clone())),
            _ => Err(wrong()),
        },
        _ => Err(wrong()),
    }
}
