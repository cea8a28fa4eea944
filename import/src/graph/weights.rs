//! Weights from beside a model's file, which take the place of the model's own.

use super::{
    constant::Const,
    error::Result,
    names::quoted,
    port::{Dimension, Port, shape_text},
    stored::Stored,
    value::Value,
};
use relay_dialects::{dim::Dim, element::Element, similar::suggestion};
use std::{
    cell::{Cell, RefCell},
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    sync::Arc,
};

/// What counts the batches of a normalisation in training. Files of weights hold it, and models that only run need not.
const COUNTER: &str = "num_batches_tracked";
/// How many names a message lists.
const MOST_LISTED: usize = 5;

/// Tensors by name.
#[derive(Debug, Default)]
pub struct Weights {
    files: Vec<PathBuf>,
    tensors: BTreeMap<String, Stored>,
}

impl Weights {
    /// Adds the tensors of a file.
    ///
    /// # Errors
    /// If a tensor has the name of another one.
    pub fn add(&mut self, path: &Path, tensors: Vec<(String, Stored)>) -> Result<()> {
        for (name, tensor) in tensors {
            if self.tensors.contains_key(&name) {
                return Err(format!("there are two weights of the name '{name}'"));
            }
            self.tensors.insert(name, tensor);
        }
        self.files.push(path.into());
        Ok(())
    }

    /// Whether there is a tensor of a name.
    pub fn has(&self, name: &str) -> bool {
        self.tensors.contains_key(name)
    }

    /// Checks that a model has a parameter or an input for each tensor. `known` are the names of those.
    ///
    /// # Errors
    /// With the names that it does not have.
    pub(crate) fn check<'n>(&self, known: impl Iterator<Item = &'n str>) -> Result<()> {
        if self.tensors.is_empty() {
            return Ok(());
        }
        let known: BTreeSet<&str> = known.collect();
        let is_unknown = |name: &&str| !name.ends_with(COUNTER) && !known.contains(name);
        let names = self.tensors.keys().map(String::as_str);
        let unknown: Vec<&str> = names.filter(is_unknown).collect();
        let Some(first) = unknown.first() else {
            return Ok(());
        };
        let hint = match known.first() {
            None => "; no weight of this format has a name".to_owned(),
            Some(some) => match suggestion(first, known.iter().copied()) {
                near if near.is_empty() => format!("; the model calls one '{some}'"),
                near => near,
            },
        };
        Err(format!(
            "{}: the model has no weight or input for {}{hint}",
            self.file_names(),
            listed(&unknown)
        ))
    }

    /// The tensor of a name, if there is one, as an input of known or open dimensions and of an element type.
    ///
    /// # Errors
    /// If it is of another type.
    pub(crate) fn read_as(
        &self,
        name: &str,
        ty: Option<(Element, &[Dim])>,
    ) -> Result<Option<Const>> {
        let Some(tensor) = self.tensors.get(name) else {
            return Ok(None);
        };
        let wrong = |reason| format!("{}: '{name}': {reason}", self.file_names());
        let read = tensor.read().map_err(wrong)?;
        let Some((element, dims)) = ty else {
            return Ok(Some(read));
        };
        let mut both = dims.iter().zip(&read.shape);
        let is_other = |(dim, size): (&Dim, &i64)| dim.known().is_some_and(|dim| dim != *size);
        if dims.len() != read.shape.len() || both.any(is_other) {
            return Err(wrong(format!(
                "its shape is {:?}, and in the model {dims:?}",
                read.shape
            )));
        }
        converted(read, element).map(Some).map_err(wrong)
    }

    fn file_names(&self) -> String {
        let files = self.files.iter().map(|file| file.display().to_string());
        files.collect::<Vec<_>>().join(", ")
    }
}

/// What an import takes of weights.
#[derive(Default)]
pub(super) struct Replacements {
    weights: Arc<Weights>,
    /// The names of parameters that are as the model has them.
    kept: RefCell<Vec<String>>,
    /// How many parameters are not.
    replaced: Cell<usize>,
}

impl Replacements {
    pub fn new(weights: &Arc<Weights>) -> Self {
        Self {
            weights: Arc::clone(weights),
            ..Self::default()
        }
    }

    pub fn is_empty(&self) -> bool {
        self.weights.tensors.is_empty()
    }

    /// See [`GraphBuilder::parameter`](super::builder::GraphBuilder::parameter).
    pub fn parameter(
        &self,
        names: &[&str],
        ty: Option<(Element, &[i64])>,
        own: impl FnOnce() -> Result<Const>,
    ) -> Result<Value> {
        let name = names.first().copied().unwrap_or_default();
        let mut given = names.iter().copied();
        let Some(given) = given.find(|name| self.weights.has(name)) else {
            if !self.is_empty() {
                self.kept.borrow_mut().push(name.into());
            }
            return Ok(Value::known(own()?, name));
        };
        self.replaced.set(self.replaced.get() + 1);
        let wrong = |reason| format!("{}: '{given}': {reason}", self.weights.file_names());
        let read = self.weights.tensors[given].read().map_err(wrong)?;
        let Some((element, shape)) = ty else {
            return Ok(Value::known(read, name));
        };
        if read.shape != shape {
            let shapes = (&read.shape, shape);
            return Err(wrong(format!(
                "its shape is {:?}, and in the model {:?}",
                shapes.0, shapes.1
            )));
        }
        let read = converted(read, element).map_err(wrong)?;
        Ok(Value::known(read, name))
    }

    /// The constants that inputs become.
    ///
    /// # Errors
    /// If a tensor is of another type than its input.
    pub fn inputs(&self, ports: &[Port]) -> Result<Vec<(String, Value)>> {
        let given = ports.iter().filter(|port| self.weights.has(&port.name));
        let constants = given.map(|port| {
            let tensor = &self.weights.tensors[&port.name];
            let fits = port.dims.as_ref().is_none_or(|dims| {
                let mut both = dims.iter().zip(&tensor.sizes);
                let is_other = |(dim, size): (&Dimension, &i64)| matches!(dim, Dimension::Known(known) if known != size);
                dims.len() == tensor.sizes.len() && !both.any(is_other)
            });
            if !fits {
                let declared = shape_text(port.dims.as_deref().unwrap_or_default());
                return Err(format!(
                    "{}: '{}': its shape is {:?}, and that of the input {declared}",
                    self.weights.file_names(),
                    port.name,
                    tensor.sizes
                ));
            }
            let ty = port.element.as_ref().ok();
            let ty = ty.map(|element| (*element, tensor.sizes.as_slice()));
            let value = self.parameter(&[&port.name], ty, || Err("it is an input".into()))?;
            Ok((port.name.clone(), value))
        });
        constants.collect()
    }

    /// Says which parameters are as the model has them, if others are not.
    pub fn note_kept(&self, path: &Path) {
        let kept = self.kept.borrow();
        if kept.is_empty() {
            return;
        }
        let kept: Vec<&str> = kept.iter().map(String::as_str).collect();
        let count = kept.len() + self.replaced.get();
        tracing::warn!(
            "{}: {} of {count} weights are not in {}, and stay as the model's file has them: {}",
            path.display(),
            kept.len(),
            self.weights.file_names(),
            listed(&kept)
        );
    }
}

/// A tensor in another element type that has all of its numbers.
fn converted(tensor: Const, element: Element) -> Result<Const> {
    let from = tensor.element;
    if from == element {
        return Ok(tensor);
    }
    let is_wider = from.is_float() && element.is_float() && element.bits() > from.bits();
    match is_wider {
        true => Ok(Const::new(element, tensor.shape.clone(), &tensor.numbers())),
        false => Err(format!(
            "its elements are {from}, and in the model {element}; only wider floats take others as they are"
        )),
    }
}

/// The first names of a list.
fn listed(names: &[&str]) -> String {
    let first = quoted(names.iter().copied().take(MOST_LISTED));
    match names.len().saturating_sub(MOST_LISTED) {
        0 => first,
        more => format!("{first} and {more} more"),
    }
}
