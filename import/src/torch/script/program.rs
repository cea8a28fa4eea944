//! An archive of `torch.jit.save`: source text, the model's object, and its tensors.

use super::{
    parser::parse,
    syntax::{Class, Function},
    value::{Object, Val},
};
use crate::{
    archive::Archive,
    graph::{constant::Const, error::Result},
    torch::{
        element::number_of,
        item::Number,
        pickle::{self, Instance, read_script},
        stored::Stored,
    },
};
use bytes::Bytes;
use relay_dialects::element::Element;
use std::{
    cell::RefCell,
    collections::{BTreeMap, HashMap, HashSet},
    rc::Rc,
};

/// How deep objects of a file may lie in others.
const DEEPEST: usize = 200;
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
    /// The shapes and element types of what a traced model was traced with, by the places of the inputs.
    examples: Vec<pickle::Object>,
}

/// An input that a traced model was traced with.
#[derive(Clone, Debug)]
pub enum Example {
    /// A tensor.
    Tensor(Element, Vec<i64>),
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
                self.examples = inputs.borrow().clone();
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
        let root = pickle::Object::Instance(Rc::clone(&self.root));
        count(&root, &mut seen, 0)
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

    /// The model's object.
    ///
    /// # Errors
    /// If it holds itself, or what is not supported.
    pub fn root<'g>(&'g self) -> Result<Val<'g>> {
        let root = pickle::Object::Instance(Rc::clone(&self.root));
        Objects::default().value(&root, "", 0)
    }

    /// The elements of a tensor of the file.
    ///
    /// # Errors
    /// If they do not lie in it.
    pub fn weight(&self, path: &str, stored: &Stored) -> Result<Const> {
        stored
            .read()
            .map_err(|reason| format!("'{path}': {reason}"))
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
            Some(Example::Tensor(stored.element, stored.sizes.clone()))
        }
        pickle::Object::Tuple(items) => several(items),
        pickle::Object::List(items) => several(&items.borrow()),
        _ => None,
    }
}

/// The number of elements of tensors in an object. Each object counts once.
fn count(object: &pickle::Object, seen: &mut HashSet<usize>, depth: usize) -> u64 {
    let mut all = |items: &[pickle::Object]| {
        let counts = items.iter().map(|item| count(item, seen, depth + 1));
        counts.fold(0, u64::saturating_add)
    };
    match object {
        _ if depth > DEEPEST => 0,
        pickle::Object::Tensor(stored) => match seen.insert(Rc::as_ptr(stored) as usize) {
            true => stored
                .sizes
                .iter()
                .fold(1, |count: u64, size| count.saturating_mul(*size as u64)),
            false => 0,
        },
        pickle::Object::Tuple(items) => all(items),
        pickle::Object::List(items) => all(&items.borrow()),
        pickle::Object::Dict(items) => {
            let values: Vec<_> = items
                .borrow()
                .iter()
                .map(|(_, value)| value.clone())
                .collect();
            all(&values)
        }
        pickle::Object::Instance(instance) => {
            if !seen.insert(Rc::as_ptr(instance) as usize) {
                return 0;
            }
            match &*instance.state.borrow() {
                Some(state) => count(state, seen, depth + 1),
                None => 0,
            }
        }
        _ => 0,
    }
}

/// Objects that were made of a file's objects: several places may hold the same one.
#[derive(Default)]
struct Objects<'g> {
    made: HashMap<*const Instance, Rc<Object<'g>>>,
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
                Val::Dict(Rc::new(RefCell::new(entries)))
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
            is_stored: true,
        });
        self.made.insert(Rc::as_ptr(instance), Rc::clone(&object));
        if let Some(pickle::Object::Dict(state)) = &*instance.state.borrow() {
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
        Ok(object)
    }
}

fn joined(path: &str, name: &str) -> String {
    match path {
        "" => name.into(),
        path => format!("{path}.{name}"),
    }
}
