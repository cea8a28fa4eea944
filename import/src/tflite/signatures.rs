//! Which graph of a file is imported, and the names of what it takes and returns.

use super::schema::{Entry, Graph, Model, tensor};
use crate::{
    graph::{
        error::Result,
        names::{Names, quoted},
    },
    source::Choice,
};

/// The signature that is imported if there are several, and none is chosen.
const SERVING: &str = "serving_default";

/// A graph that is imported.
pub struct Chosen {
    /// Its number.
    pub graph: usize,
    /// The names of what it takes.
    pub inputs: Vec<String>,
    /// The names of what it returns, with the numbers of the tensors.
    pub outputs: Vec<(String, i32)>,
}

/// The graph of the signature that is chosen, else of the only one, else of the one for serving. A file without signatures has its first
/// graph. Names are those of the signature, else of the tensors.
///
/// # Errors
/// If there is no such signature or output, or there are several graphs to choose from, or a signature is not valid.
pub fn chosen(parts: &Model, choice: &Choice) -> Result<Chosen> {
    let entry = entry(&parts.entries, choice.signature.as_deref())?;
    let graph = entry.map_or(Ok(0), |entry| usize::try_from(entry.graph));
    let graph = graph.unwrap_or(usize::MAX);
    let Some(parts) = parts.graphs.get(graph) else {
        return Err(match entry {
            Some(entry) => format!(
                "signature '{}' is of graph {graph}, which is not there",
                entry.name
            ),
            None => "it holds no graph".into(),
        });
    };
    let named = entry.filter(|entry| !entry.name.is_empty());
    let mut outputs = outputs(parts, named)?;
    if !choice.outputs.is_empty() {
        let all = std::mem::take(&mut outputs);
        for wanted in &choice.outputs {
            let found = all.iter().find(|(name, _)| name == wanted);
            let known = || quoted(all.iter().map(|(name, _)| name.as_str()));
            let found =
                found.ok_or_else(|| format!("it has no output '{wanted}', but {}", known()))?;
            outputs.push(found.clone());
        }
    }
    Ok(Chosen {
        graph,
        inputs: inputs(parts, named)?,
        outputs,
    })
}

/// The signature that is imported; nothing if the file has none.
fn entry<'m>(entries: &'m [Entry], wanted: Option<&str>) -> Result<Option<&'m Entry>> {
    let known = || match quoted(entries.iter().map(|entry| entry.name.as_str())) {
        none if none.is_empty() => "none".into(),
        names => names,
    };
    let named = |name: &str| entries.iter().find(|entry| entry.name == name);
    if let Some(name) = wanted {
        let found = named(name);
        let found = found.ok_or_else(|| format!("it has no signature '{name}', but {}", known()));
        return found.map(Some);
    }
    match entries {
        [] => Ok(None),
        [one] => Ok(Some(one)),
        _ => named(SERVING).map(Some).ok_or_else(|| {
            format!(
                "it has no signature '{SERVING}', but {}; choose one with --signature",
                known()
            )
        }),
    }
}

/// The names of what a graph takes: those of the signature, else of the tensors.
fn inputs(graph: &Graph, entry: Option<&Entry>) -> Result<Vec<String>> {
    let of_entry = entry.map_or(&[][..], |entry| &entry.inputs);
    if let Some((name, number)) = of_entry
        .iter()
        .find(|(_, number)| !graph.inputs.contains(number))
    {
        return Err(format!(
            "its signature says that '{name}' is tensor {number}, which is no input of graph '{}'",
            graph.name
        ));
    }
    let mut names = Names::default();
    let mut made = Vec::with_capacity(graph.inputs.len());
    for (place, number) in graph.inputs.iter().enumerate() {
        let of_tensor = tensor(graph, *number).ok_or_else(|| missing(*number))?;
        let named = of_entry.iter().find(|(_, known)| known == number);
        let name = named.map_or(&of_tensor.name, |(name, _)| name);
        made.push(unique(&mut names, name, ("input", place)));
    }
    Ok(made)
}

/// What a graph returns: the outputs of the signature in the order of the graph, else its own with the names of the tensors.
fn outputs(graph: &Graph, entry: Option<&Entry>) -> Result<Vec<(String, i32)>> {
    let mut found: Vec<(&str, i32)> = Vec::new();
    match entry {
        Some(entry) => {
            let named = entry.outputs.iter();
            found.extend(named.map(|(name, number)| (name.as_str(), *number)));
            let place = |number: i32| graph.outputs.iter().position(|known| *known == number);
            found.sort_by_key(|(_, number)| place(*number).unwrap_or(usize::MAX));
        }
        None => found.extend(graph.outputs.iter().map(|number| ("", *number))),
    }
    let mut names = Names::default();
    let mut made = Vec::with_capacity(found.len());
    for (place, (name, number)) in found.into_iter().enumerate() {
        let of_tensor = tensor(graph, number).ok_or_else(|| missing(number))?;
        let name = if name.is_empty() {
            &of_tensor.name
        } else {
            name
        };
        made.push((unique(&mut names, name, ("output", place)), number));
    }
    Ok(made)
}

fn missing(number: i32) -> String {
    format!("it takes or returns tensor {number}, which is not there")
}

/// Takes the name of a tensor, or one that says its kind and place if it has none.
pub fn unique(names: &mut Names, name: &str, (kind, place): (&str, usize)) -> String {
    match name {
        "" => names.unique(&format!("{kind}_{place}"), '_'),
        name => names.unique(name, '_'),
    }
}
