//! A layer or an operation that is being converted.

use super::{
    config::{Config, Policy},
    item::{Arguments, Item, Tensor, Tree},
    layer::Layer,
    scope::Scope,
};
use crate::graph::{builder::GraphBuilder, error::Result, value::Value};
use relay_dialects::element::Element;
use std::{cell::RefCell, collections::HashSet};

/// Arguments of calls that change nothing.
const NEEDLESS: &[&str] = &["mask", "name", "training"];

/// Applies a layer to arguments.
pub type Apply = fn(&Layer, Scope, Arguments, &mut GraphBuilder) -> Result<Item>;

/// A call of a layer: its attributes, its weights and its arguments.
pub struct Node<'m> {
    /// The layer.
    pub layer: &'m Layer,
    /// Its attributes.
    pub config: Config<'m>,
    /// Its weights.
    pub scope: Scope,
    /// The type that it computes in.
    pub policy: Policy,
    apply: Apply,
    args: Vec<Item>,
    kwargs: Vec<(String, Item)>,
    read: RefCell<HashSet<usize>>,
}

impl<'m> Node<'m> {
    /// A call of a layer; `apply` applies those that it wraps.
    ///
    /// # Errors
    /// If its type is not supported.
    pub fn new(
        (layer, apply): (&'m Layer, Apply),
        scope: Scope,
        (args, kwargs): Arguments,
    ) -> Result<Self> {
        let config = Config::new(&layer.config, layer.is_keras_2);
        let policy = config.policy()?;
        Ok(Self {
            layer,
            policy,
            config,
            scope,
            apply,
            args,
            kwargs,
            read: RefCell::default(),
        })
    }

    /// Floats that a layer takes become such that it computes in.
    pub fn cast_floats(&mut self, b: &mut GraphBuilder) -> Result<()> {
        let compute = self.policy.compute;
        if !compute.is_float() {
            return Ok(());
        }
        let kwargs = self.kwargs.iter_mut().map(|(_, item)| item);
        for item in self.args.iter_mut().chain(kwargs) {
            cast_item(b, item, compute)?;
        }
        Ok(())
    }

    /// The first argument.
    ///
    /// # Errors
    /// If there is none.
    pub fn first(&self) -> Result<&Item> {
        self.args
            .first()
            .ok_or_else(|| "it is called without an argument".into())
    }

    /// The tensor that is the first argument.
    ///
    /// # Errors
    /// If it is something else.
    pub fn x(&self) -> Result<Value> {
        Ok(self.first()?.tensor()?.value.clone())
    }

    /// The tensors of the first argument, or of all where they are given one by one.
    pub fn tensors(&self) -> Result<Vec<&Tensor>> {
        let first = self.first()?;
        let all = match self.args.len() {
            1 => first.leaves(),
            _ => self.args.iter().flat_map(Tree::leaves).collect(),
        };
        match all.is_empty() {
            true => Err("it is called without tensors".into()),
            false => Ok(all),
        }
    }

    /// An argument by its place or one of its names; `None` if it is not given, or is `None`.
    pub fn arg(&self, place: usize, names: &[&str]) -> Option<&Item> {
        let by_name = || {
            let mut kwargs = self.kwargs.iter().enumerate();
            let (at, (_, item)) = kwargs.find(|(_, (name, _))| names.contains(&name.as_str()))?;
            self.read.borrow_mut().insert(at);
            Some(item)
        };
        let found = by_name().or_else(|| self.args.get(place));
        found.filter(|item| !matches!(item, Tree::None))
    }

    /// An argument by its name.
    pub fn kwarg(&self, name: &str) -> Option<&Item> {
        self.arg(usize::MAX, &[name])
    }

    /// Its mask: the one that is given, or that of its first tensor.
    pub fn mask(&self) -> Option<Value> {
        if let Some(Tree::Leaf(mask)) = self.kwarg("mask") {
            return Some(mask.value.clone());
        }
        let first = self.args.first()?.leaves();
        first.first()?.mask.clone()
    }

    /// The next weight, of the type that the layer computes in if it is of floats.
    ///
    /// # Errors
    /// If the file does not hold it.
    pub fn weight(&self, b: &mut GraphBuilder, name: &str) -> Result<Value> {
        weight(b, &self.scope, name, self.policy.compute)
    }

    /// Fails if an argument was not read that may say something.
    pub fn check(&self) -> Result<()> {
        self.config.check()?;
        let read = self.read.borrow();
        let mut kwargs = self.kwargs.iter().enumerate();
        let unread = kwargs.find(|(at, (name, item))| {
            !read.contains(at)
                && !NEEDLESS.contains(&name.as_str())
                && !name.ends_with("_mask")
                && !matches!(item, Tree::None)
        });
        match unread {
            None => Ok(()),
            Some((_, (name, _))) => Err(format!("argument '{name}' is not supported")),
        }
    }

    /// Applies a layer that this one wraps.
    ///
    /// # Errors
    /// If that one fails.
    pub fn apply(
        &self,
        b: &mut GraphBuilder,
        layer: &Layer,
        scope: Scope,
        arguments: Arguments,
    ) -> Result<Item> {
        (self.apply)(layer, scope, arguments, b)
    }
}

/// A weight, of a type if it is of floats.
///
/// # Errors
/// If the file does not hold it.
pub fn weight(b: &mut GraphBuilder, scope: &Scope, name: &str, compute: Element) -> Result<Value> {
    let known = scope.next(name)?;
    let label = format!("{}.{name}", b.node());
    let value = Value::known(known, &label);
    match value.element().is_float() && compute.is_float() {
        true => b.cast(&value, compute),
        false => Ok(value),
    }
}

fn cast_item(b: &mut GraphBuilder, item: &mut Item, compute: Element) -> Result<()> {
    match item {
        Tree::Leaf(tensor) if tensor.value.element().is_float() => {
            tensor.value = b.cast(&tensor.value, compute)?;
            Ok(())
        }
        Tree::List(all) => all
            .iter_mut()
            .try_for_each(|one| cast_item(b, one, compute)),
        Tree::Dict(all) => all
            .iter_mut()
            .try_for_each(|(_, one)| cast_item(b, one, compute)),
        _ => Ok(()),
    }
}
