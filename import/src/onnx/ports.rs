//! The tensors that a model takes. A sequence is as many of them as shapes are given for, and an optional is there if one is given.

use super::{
    declared::{describe_type, port},
    item::Item,
    proto::{self, ValueType},
    scope::Scope,
    structure,
};
use crate::graph::{options::Extent, signature::Signature};
use std::collections::BTreeMap;

/// An input that is no tensor.
struct Group {
    name: String,
    /// The tensors that it consists of, by their names; `None` for an optional that holds nothing.
    parts: Option<Vec<String>>,
    /// Whether it is a tensor if it is there; else a sequence.
    is_tensor: bool,
}

/// The inputs of a model.
pub struct Ports {
    /// The tensors.
    infos: Vec<proto::ValueInfo>,
    groups: Vec<Group>,
}

/// The name of a tensor of a sequence.
pub fn name_of_part(sequence: &str, place: usize) -> String {
    format!("{sequence}.{place}")
}

impl Ports {
    /// The inputs of a graph, with the shapes that are given for tensors.
    pub fn of(graph: &proto::Graph, shapes: &BTreeMap<String, Vec<Extent>>) -> Self {
        let mut ports = Self {
            infos: Vec::new(),
            groups: Vec::new(),
        };
        for info in structure::inputs(graph) {
            ports.add(info, shapes);
        }
        ports
    }

    fn add(&mut self, info: &proto::ValueInfo, shapes: &BTreeMap<String, Vec<Extent>>) {
        let ty = info.ty.as_ref();
        let held = ty.and_then(|ty| Some(ty.optional.as_ref()?.elem_type.as_deref()));
        let inner = held.unwrap_or(ty);
        let element = inner.and_then(|ty| Some(ty.sequence.as_ref()?.elem_type.as_deref()));
        let parts = match element {
            Some(element) => self.add_parts(&info.name, element, shapes),
            None if held.is_some() => shapes.contains_key(&info.name).then(|| {
                self.infos.push(named(info.name.clone(), inner));
                vec![info.name.clone()]
            }),
            None => {
                self.infos.push(info.clone());
                return;
            }
        };
        let is_nothing = parts.as_ref().is_none_or(Vec::is_empty);
        if is_nothing {
            let (state, example) = match element {
                Some(_) => ("empty", name_of_part(&info.name, 0)),
                None => ("left out", info.name.clone()),
            };
            tracing::warn!(
                "input '{}' ({}) is {state}: give the shape of each tensor that it has, as --shape {example}=...",
                info.name,
                describe_type(info)
            );
        }
        self.groups.push(Group {
            name: info.name.clone(),
            parts: parts.filter(|parts| held.is_none() || !parts.is_empty()),
            is_tensor: element.is_none(),
        });
    }

    /// Adds the tensors of a sequence for which there are shapes.
    fn add_parts(
        &mut self,
        name: &str,
        element: Option<&ValueType>,
        shapes: &BTreeMap<String, Vec<Extent>>,
    ) -> Option<Vec<String>> {
        let names = (0..).map(|place| name_of_part(name, place));
        let names: Vec<String> = names.take_while(|name| shapes.contains_key(name)).collect();
        // A name of a dimension is the size of one tensor, not of all.
        let mut element = element.cloned();
        let shape = (element.as_mut()).and_then(|ty| ty.tensor.as_mut()?.shape.as_mut());
        for dim in shape.into_iter().flat_map(|shape| &mut shape.dim) {
            dim.param = None;
        }
        let infos = names
            .iter()
            .map(|name| named(name.clone(), element.as_ref()));
        self.infos.extend(infos);
        Some(names)
    }

    /// The tensors as all importers describe them.
    pub fn signature(&self) -> Signature {
        Signature {
            ports: self.infos.iter().map(port).collect(),
            ..Signature::default()
        }
    }

    /// Says what the names of sequences and optionals stand for, where those of their tensors are known.
    pub fn define(&self, scope: &mut Scope<'_>) {
        for group in &self.groups {
            let parts = group.parts.as_ref().map(|parts| {
                let tensors = parts
                    .iter()
                    .filter_map(|part| scope.find(part)?.tensor().ok());
                tensors.cloned().collect::<Vec<_>>()
            });
            let item = match parts {
                None => Item::Nothing,
                // The tensor has this name already.
                Some(_) if group.is_tensor => continue,
                Some(tensors) => tensors.into(),
            };
            scope.define(&group.name, item);
        }
    }
}

fn named(name: String, ty: Option<&ValueType>) -> proto::ValueInfo {
    proto::ValueInfo {
        name,
        ty: ty.cloned(),
    }
}
