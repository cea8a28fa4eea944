//! Where the weights of a layer lie.
//!
//! `model.weights.h5` has them by the place of the layer: `layers/dense_1/vars/0`, where `dense_1` is the second layer of the class Dense, and
//! the weights of a layer are numbered. Sublayers are groups named after attributes of the layer's class. An `.h5` file has them by names:
//! `model_weights/LAYER/dense/kernel:0`.

use super::hdf5::Object;
use crate::graph::{constant::Const, error::Result};
use std::{cell::Cell, collections::BTreeMap, rc::Rc};

/// The deepest group.
const DEEPEST: usize = 64;
/// The most datasets.
const MOST: usize = 1 << 20;

/// The weights of a model.
#[derive(Clone)]
pub struct Weights {
    /// The datasets by their paths.
    datasets: Rc<BTreeMap<String, Object>>,
    is_by_name: bool,
}

impl Weights {
    /// Those of `model.weights.h5`.
    ///
    /// # Errors
    /// If the file is damaged.
    pub fn by_layer(file: &super::hdf5::File) -> Result<Self> {
        Self::read(&file.root()?, false)
    }

    /// Those of the group `model_weights` of an `.h5` file.
    ///
    /// # Errors
    /// If the file is damaged.
    pub fn by_name(group: &Object) -> Result<Self> {
        Self::read(group, true)
    }

    fn read(root: &Object, is_by_name: bool) -> Result<Self> {
        let mut datasets = BTreeMap::new();
        let mut groups = vec![(String::new(), root.clone(), 0)];
        let mut seen = 0;
        while let Some((path, group, depth)) = groups.pop() {
            for (name, address) in group.links()? {
                let path = match path.is_empty() {
                    true => name,
                    false => format!("{path}/{name}"),
                };
                // What an optimizer keeps is of no use here.
                if depth == 0 && path == "optimizer" {
                    continue;
                }
                seen += 1;
                if depth > DEEPEST || seen > MOST {
                    return Err("its groups have a cycle".into());
                }
                let object = group.linked(address)?;
                match object.is_dataset() {
                    true => drop(datasets.insert(path, object)),
                    false => groups.push((path, object, depth + 1)),
                }
            }
        }
        Ok(Self {
            datasets: Rc::new(datasets),
            is_by_name,
        })
    }

    /// The elements of all weights.
    pub fn count(&self) -> u64 {
        let all = self.datasets.values();
        let numbers = all.filter_map(|dataset| dataset.numbers().ok());
        numbers.map(|numbers| numbers.count() as u64).sum()
    }

    /// Those of the whole model.
    pub fn scope(&self) -> Scope {
        Scope {
            weights: self.clone(),
            path: String::new(),
            names: Vec::new(),
            taken: Cell::new(0),
        }
    }
}

/// The weights of a layer.
pub struct Scope {
    weights: Weights,
    /// The group of the layer.
    path: String,
    /// The names of the layers around it and its own.
    names: Vec<String>,
    /// How many weights were read.
    taken: Cell<usize>,
}

impl Scope {
    /// Those of a layer of this model: the `key` is its place among layers of its class.
    pub fn layer(&self, key: &str, name: &str) -> Self {
        // tf_keras wrote another name before 2.16.
        let folders = ["layers", "_layer_checkpoint_dependencies"];
        let paths = folders.map(|folder| join(&self.path, &format!("{folder}/{key}")));
        let path = paths.iter().find(|path| self.weights.has(path));
        self.within(path.unwrap_or(&paths[0]).clone(), name)
    }

    /// Those of a part of this layer: an attribute of its class, which older versions may call by the other names, and its name.
    pub fn part(&self, attributes: &[&str], name: &str) -> Self {
        let paths = attributes
            .iter()
            .map(|attribute| join(&self.path, attribute));
        let paths: Vec<String> = paths.collect();
        let path = paths.iter().find(|path| self.weights.has(path));
        let path = path.or(paths.first()).cloned();
        self.within(path.unwrap_or_default(), name)
    }

    fn within(&self, path: String, name: &str) -> Self {
        let mut names = self.names.clone();
        names.push(name.into());
        Self {
            weights: self.weights.clone(),
            path,
            names,
            taken: Cell::new(0),
        }
    }

    /// The next weight of the layer, in the order in which its class makes them. `.h5` files have it by its name.
    ///
    /// # Errors
    /// If the file does not hold it.
    pub fn next(&self, name: &str) -> Result<Const> {
        let place = self.taken.get();
        self.taken.set(place + 1);
        let path = match self.weights.is_by_name {
            true => self.named(name)?,
            false => format!("{}/vars/{place}", self.path),
        };
        let dataset = self.weights.datasets.get(&path);
        let dataset =
            dataset.ok_or_else(|| format!("the file holds no weight '{name}' ('{path}')"))?;
        dataset
            .numbers()
            .map_err(|reason| format!("weight '{name}' ('{path}'): {reason}"))
    }

    /// Whether there is another weight.
    pub fn has_next(&self, name: &str) -> bool {
        match self.weights.is_by_name {
            true => self.named(name).is_ok(),
            false => {
                let path = format!("{}/vars/{}", self.path, self.taken.get());
                self.weights.datasets.contains_key(&path)
            }
        }
    }

    /// The path of a weight by its name. The group is of the outermost layer. Below it there are the names of scopes, which may differ from
    /// those of layers: they count where several weights have the same name.
    fn named(&self, name: &str) -> Result<String> {
        let group = format!("{}/", self.names.first().map_or("", String::as_str));
        let all = self.weights.below(&group);
        let is_named = |path: &&String| {
            let last = path.rsplit('/').next().unwrap_or_default();
            last.split(':').next() == Some(name)
        };
        let mut found: Vec<&String> = all.filter(is_named).collect();
        for layer in self.names.iter().skip(1) {
            let is_within = |path: &&String| path.split('/').any(|part| part == layer);
            let within: Vec<&String> = found.iter().copied().filter(is_within).collect();
            if found.len() > 1 && !within.is_empty() {
                found = within;
            }
        }
        match found[..] {
            [one] => Ok(one.clone()),
            [] => Err(format!("the file holds no weight '{name}' in '{group}'")),
            _ => Err(format!(
                "several weights in '{group}' may be '{name}' of this layer: '{}', '{}'; save the model as a .keras file",
                found[0], found[1]
            )),
        }
    }
}

impl Weights {
    /// The paths that begin so.
    fn below(&self, start: &str) -> impl Iterator<Item = &String> {
        let from = self.datasets.range(start.to_string()..);
        let all = from.map(|(path, _)| path);
        all.take_while(move |path| path.starts_with(start))
    }

    fn has(&self, path: &str) -> bool {
        self.below(&format!("{path}/")).next().is_some()
    }
}

fn join(path: &str, name: &str) -> String {
    match path.is_empty() {
        true => name.into(),
        false => format!("{path}/{name}"),
    }
}
