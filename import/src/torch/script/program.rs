//! An archive of `torch.jit.save`: source text, the model's object, and its tensors.

use super::{
    packed::{CLASSES, STATE},
    parser::parse,
    syntax::{Class, Function},
    value::{Object, Val},
};
use crate::{
    archive::Archive,
    graph::{builder::GraphBuilder, error::Result, stored::Stored, value::Value},
    torch::{
        element::number_of,
        item::Number,
        pickle::{self, Instance, read_script},
    },
};
use bytes::Bytes;
use std::{
    cell::RefCell,
    collections::{BTreeMap, HashMap, HashSet},
    rc::Rc,
};

/// How deep objects of a file may lie in others.
const DEEPEST: usize = 200;
/// The most objects that are looked at for tensors. Several places may hold the same object.
const MOST_VISITS: usize = 1 << 18;
/// The bytes at the end of a file in which names of entries are looked for.
const TAIL: usize = 1 << 20;

/// A program.
pub struct Script {
    classes: HashMap<String, Class>,
    functions: HashMap<String, Function>,
    constants: Vec<pickle::Object>,
    /// The version of the file: 3 if it has no operator whose meaning has changed since.
    version: u64,
    /// The model's object.
    root: Rc<Instance>,
    /// The tensors that it holds, by their paths.
    tensors: Vec<(String, Rc<Stored>)>,
    /// The shapes and element types of what a traced model was traced with, by the places of the inputs.
    examples: Vec<pickle::Object>,
}

/// An input that a traced model was traced with.
#[derive(Clone, Debug)]
pub enum Example {
    /// A tensor.
    Tensor(Rc<Stored>),
    /// Several.
    Several(Vec<Example>),
}

/// Whether a file may be such an archive: a zip file that has source text of TorchScript.
pub fn is_magic(bytes: &[u8]) -> bool {
    let tail = &bytes[bytes.len().saturating_sub(TAIL)..];
    let name = b"/code/__torch__";
    bytes.starts_with(b"PK\x03\x04") && tail.windows(name.len()).any(|part| part == name)
}

impl Script {
    /// Reads an archive.
    ///
    /// # Errors
    /// If it is none, or a damaged one.
    pub fn read(bytes: Bytes) -> Result<Self> {
        if !bytes.starts_with(b"PK") {
            return Err(
                "it is no zip file; files of PyTorch before 1.6 and pickles of whole modules hold Python, which is not run: load it in \
                 PyTorch, and save it with torch.export.save or torch.jit.save"
                    .into(),
            );
        }
        let archive = Archive::open(bytes)?;
        archive.check_order()?;
        let mut script = Self {
            classes: HashMap::new(),
            functions: HashMap::new(),
            constants: Vec::new(),
            version: version(&archive)?,
            root: Rc::new(Instance {
                class: "".into(),
                state: RefCell::default(),
            }),
            tensors: Vec::new(),
            examples: Vec::new(),
        };
        script.read_code(&archive)?;
        if script.classes.is_empty() {
            return Err(no_code(&archive));
        }
        script.root = match read_script(&archive, "data")? {
            pickle::Object::Instance(root) => root,
            _ => return Err("data.pkl holds no module".into()),
        };
        let root = pickle::Object::Instance(Rc::clone(&script.root));
        let mut found = Tensors::default();
        add_tensors(&root, "", 0, &mut found);
        script.tensors = found.tensors;
        if archive.has("constants.pkl")
            && let pickle::Object::Tuple(constants) = read_script(&archive, "constants")?
        {
            script.constants = constants.to_vec();
        }
        if archive.has("traced_inputs.pkl") {
            script.read_examples(&archive)?;
        }
        script.forward()?;
        Ok(script)
    }

    fn read_code(&mut self, archive: &Archive) -> Result<()> {
        let mut names: Vec<&str> = archive
            .names()
            .filter(|name| name.starts_with("code/") && name.ends_with(".py"))
            .collect();
        names.sort_unstable();
        for name in names {
            let bytes = archive.read(name)?;
            let text = std::str::from_utf8(&bytes);
            let text = text.map_err(|_| format!("entry '{name}' is not in UTF-8"))?;
            let file = parse(text, name)?;
            let module = name["code/".len()..name.len() - ".py".len()].replace('/', ".");
            for function in file.functions {
                let whole = format!("{module}.{}", function.name);
                self.functions.insert(whole, function);
            }
            for (name, class) in file.classes {
                self.classes.insert(format!("{module}.{name}"), class);
            }
        }
        Ok(())
    }

    fn read_examples(&mut self, archive: &Archive) -> Result<()> {
        let pickle::Object::Dict(methods) = read_script(archive, "traced_inputs")? else {
            return Ok(());
        };
        for (name, inputs) in methods.borrow().iter() {
            if let (pickle::Object::Text(name), pickle::Object::List(inputs)) = (name, inputs)
                && &**name == "forward"
            {
                self.examples = inputs.borrow().to_vec();
            }
        }
        Ok(())
    }

    /// Whether quotients of integers are rounded, as before PyTorch 1.6. Later versions mark files that have quotients.
    pub fn rounds_quotients(&self) -> bool {
        self.version < 4
    }

    /// The method that is compiled.
    ///
    /// # Errors
    /// If the model has none.
    pub fn forward(&self) -> Result<&Function> {
        let class = self.class(&self.root.class);
        let class =
            class.ok_or_else(|| format!("it does not hold the class {}", self.root.class))?;
        let forward = class.methods.get("forward");
        forward.ok_or_else(|| format!("the class {} has no method 'forward'", self.root.class))
    }

    /// What the model was traced with in place of an input.
    pub fn example(&self, place: usize) -> Option<Example> {
        example(self.examples.get(place)?, 0)
    }

    /// The number of elements of all tensors of the model's objects.
    pub fn parameters(&self) -> u64 {
        let mut seen = HashSet::new();
        let tensors = self.tensors.iter().map(|(_, stored)| stored);
        let once = tensors.filter(|stored| seen.insert(Rc::as_ptr(stored)));
        let counts = once.map(|stored| {
            let sizes = stored.sizes.iter();
            sizes.fold(1u64, |count, size| count.saturating_mul(*size as u64))
        });
        counts.fold(0, u64::saturating_add)
    }

    /// A function by its whole name.
    pub fn function(&self, name: &str) -> Option<&Function> {
        self.functions.get(name)
    }

    /// A class by its whole name.
    pub fn class(&self, name: &str) -> Option<&Class> {
        self.classes.get(name)
    }

    /// All functions, and all methods of classes.
    pub fn all_functions(&self) -> impl Iterator<Item = &Function> {
        let methods = self
            .classes
            .values()
            .flat_map(|class| class.methods.values());
        self.functions.values().chain(methods)
    }

    /// A constant by its number.
    ///
    /// # Errors
    /// If there is none.
    pub fn constant<'g>(&'g self, number: &str) -> Result<Val<'g>> {
        let place: Option<usize> = number.parse().ok();
        let found = place.and_then(|place| self.constants.get(place));
        let found = found.ok_or_else(|| format!("there is no constant {number}"))?;
        Objects::default().value(found, &format!("constant{number}"), 0)
    }

    /// The model's object, and the objects that its parts make their attributes of, with what these are made of. Those that others hold come first.
    ///
    /// # Errors
    /// If it holds itself, or what is not supported.
    pub fn root<'g>(&'g self) -> Result<(Val<'g>, Vec<(Val<'g>, Val<'g>)>)> {
        let root = pickle::Object::Instance(Rc::clone(&self.root));
        let mut objects = Objects::default();
        let value = objects.value(&root, "", 0)?;
        Ok((value, objects.states))
    }

    /// The tensors of the model's objects by their paths. One that several places hold has several.
    pub fn tensors(&self) -> &[(String, Rc<Stored>)] {
        &self.tensors
    }

    /// A tensor of the model's objects.
    ///
    /// # Errors
    /// If its elements do not lie in the file.
    pub fn parameter(&self, b: &GraphBuilder, path: &str, stored: &Stored) -> Result<Value> {
        let tensors = self.tensors.iter();
        let tensors = tensors.map(|(name, stored)| (name.as_str(), &**stored));
        let names = b.names_of(path, stored, tensors);
        b.parameter(&names, Some((stored.element, &stored.sizes)), || {
            let read = stored.read();
            read.map_err(|reason| format!("'{path}': {reason}"))
        })
    }
}

/// The version that a file says.
fn version(archive: &Archive) -> Result<u64> {
    if !archive.has("version") {
        return Ok(0);
    }
    let bytes = archive.read("version")?;
    let text = std::str::from_utf8(&bytes).unwrap_or_default().trim();
    text.parse()
        .map_err(|_| format!("'{text}' is no version of a file"))
}

/// Why a file without source text is no program.
fn no_code(archive: &Archive) -> String {
    match archive.has("data.pkl") {
        true => "it holds tensors or Python objects, and no program: torch.save wrote it. Save the model with torch.export.save or \
                 torch.jit.save"
            .into(),
        false => "it has neither code/ nor data.pkl".into(),
    }
}

fn example(object: &pickle::Object, depth: usize) -> Option<Example> {
    let several = |items: &[pickle::Object]| {
        let all = items.iter().map(|item| example(item, depth + 1));
        all.collect::<Option<_>>().map(Example::Several)
    };
    match object {
        _ if depth > DEEPEST => None,
        pickle::Object::Tensor(stored) => {
            number_of(stored.element)?;
            Some(Example::Tensor(Rc::clone(stored)))
        }
        pickle::Object::Tuple(items) => several(items),
        pickle::Object::List(items) => several(&items.borrow()),
        _ => None,
    }
}

/// Adds the tensors of an object by their paths, until there are as many as a file may have.
fn add_tensors(object: &pickle::Object, path: &str, depth: usize, found: &mut Tensors) {
    if depth > DEEPEST || found.visits == MOST_VISITS {
        return;
    }
    found.visits += 1;
    let mut add = |key: &str, value| add_tensors(value, &joined(path, key), depth + 1, found);
    match object {
        pickle::Object::Tensor(stored) => found.tensors.push((path.into(), Rc::clone(stored))),
        pickle::Object::Quantized(stored) => {
            let integers = Rc::clone(&stored.integers);
            found.tensors.push((path.into(), integers));
        }
        pickle::Object::Tuple(items) => {
            let items = items.iter().enumerate();
            items.for_each(|(place, item)| add(&place.to_string(), item));
        }
        pickle::Object::List(items) => {
            let items = items.borrow();
            let items = items.iter().enumerate();
            items.for_each(|(place, item)| add(&place.to_string(), item));
        }
        pickle::Object::Dict(items) => {
            for (key, value) in items.borrow().iter() {
                if let pickle::Object::Text(key) = key {
                    add(key, value);
                }
            }
        }
        pickle::Object::Instance(instance) => {
            if let Some(state) = &*instance.state.borrow() {
                add_tensors(state, path, depth + 1, found);
            }
        }
        _ => {}
    }
}

/// Tensors of objects, by paths.
#[derive(Default)]
struct Tensors {
    tensors: Vec<(String, Rc<Stored>)>,
    /// How many objects were looked at.
    visits: usize,
}

/// Objects that were made of a file's objects: several places may hold the same one.
#[derive(Default)]
struct Objects<'g> {
    made: HashMap<*const Instance, Rc<Object<'g>>>,
    /// Objects whose class makes their attributes of a state, and the state.
    states: Vec<(Val<'g>, Val<'g>)>,
}

impl<'g> Objects<'g> {
    fn value(&mut self, object: &pickle::Object, path: &str, depth: usize) -> Result<Val<'g>> {
        if depth > DEEPEST {
            return Err(format!(
                "'{path}': more than {DEEPEST} objects lie in each other"
            ));
        }
        Ok(match object {
            pickle::Object::None => Val::None,
            pickle::Object::Bool(flag) => Val::bool(*flag),
            pickle::Object::Int(number) => Val::int(*number),
            pickle::Object::Float(number) => Val::Number(Number::Float(*number)),
            pickle::Object::Text(text) => Val::Text(Rc::clone(text)),
            pickle::Object::Tensor(stored) => Val::Weight(path.into(), Rc::clone(stored)),
            pickle::Object::Quantized(stored) => Val::Quantized(path.into(), Rc::clone(stored)),
            pickle::Object::List(items) => Val::list(self.values(&items.borrow(), path, depth)?),
            pickle::Object::Tuple(items) => Val::tuple(self.values(items, path, depth)?),
            pickle::Object::Dict(items) => {
                let mut entries = Vec::new();
                for (key, value) in items.borrow().iter() {
                    let key = self.value(key, path, depth + 1)?;
                    let inner = match &key {
                        Val::Text(text) => joined(path, text),
                        _ => path.to_owned(),
                    };
                    entries.push((key, self.value(value, &inner, depth + 1)?));
                }
                Val::Dict(Rc::new(RefCell::new(entries.into())))
            }
            pickle::Object::Instance(instance) => Val::Object(self.object(instance, path, depth)?),
            pickle::Object::Other(what) => Val::Other(what),
            pickle::Object::Global(_) | pickle::Object::Storage(..) | pickle::Object::Mark => {
                Val::Other("an object of Python's")
            }
        })
    }

    fn values(
        &mut self,
        items: &[pickle::Object],
        path: &str,
        depth: usize,
    ) -> Result<Vec<Val<'g>>> {
        let items = items.iter().enumerate();
        let items = items
            .map(|(place, item)| self.value(item, &joined(path, &place.to_string()), depth + 1));
        items.collect()
    }

    fn object(
        &mut self,
        instance: &Rc<Instance>,
        path: &str,
        depth: usize,
    ) -> Result<Rc<Object<'g>>> {
        if let Some(made) = self.made.get(&Rc::as_ptr(instance)) {
            return Ok(Rc::clone(made));
        }
        let object = Rc::new(Object {
            class: Rc::clone(&instance.class),
            attributes: RefCell::new(BTreeMap::new()),
            path: Some(path.into()),
        });
        self.made.insert(Rc::as_ptr(instance), Rc::clone(&object));
        match &*instance.state.borrow() {
            Some(pickle::Object::Dict(state)) => {
                for (name, value) in state.borrow().iter() {
                    if let pickle::Object::Text(name) = name {
                        let value = self.value(value, &joined(path, name), depth + 1)?;
                        object
                            .attributes
                            .borrow_mut()
                            .insert(name.to_string(), value);
                    }
                }
            }
            Some(state) => {
                let state = self.value(state, path, depth + 1)?;
                match object.class.starts_with(CLASSES) {
                    true => drop(object.attributes.borrow_mut().insert(STATE.into(), state)),
                    false => self.states.push((Val::Object(Rc::clone(&object)), state)),
                }
            }
            None => {}
        }
        Ok(object)
    }
}

pub(super) fn joined(path: &str, name: &str) -> String {
    match path {
        "" => name.into(),
        path => format!("{path}.{name}"),
    }
}
