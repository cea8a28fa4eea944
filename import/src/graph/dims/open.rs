//! Dimensions that stay open: their symbols.

use super::{
    Declared, Given, Sizes, dims, expression::Expression, names_first, of_input, without_shape,
};
use crate::graph::{
    error::Result,
    extent::{Extent, Opening, name_of},
    port::Port,
};
use relay_dialects::{
    dim::Dim,
    symbols::{Symbol, USUAL, USUAL_IMAGES, USUAL_PIXELS},
};
use std::collections::BTreeMap;

/// The symbols of a model's inputs.
#[derive(Debug, Default)]
pub struct Symbols {
    all: Vec<Symbol>,
    /// Those whose bounds are given, by name.
    bounded: Vec<String>,
}

impl Symbols {
    /// All of them.
    pub fn all(&self) -> &[Symbol] {
        &self.all
    }

    /// The symbol of a dimension. One that is named is shared by all dimensions of which it is said; else it is a new one,
    /// named after `text`. If nothing bounds it, `typical` is planned for.
    fn open(&mut self, opening: &Opening, text: &str, typical: i64) -> Result<Dim> {
        let name = match &opening.name {
            Some(name) => name.clone(),
            None => self.unused(name_of(text)),
        };
        if self.of_name(&name).is_none() {
            self.all.push(Symbol {
                typical,
                ..Symbol::any(&name)
            });
        }
        self.bound(&name, opening)?;
        Ok(Dim::symbol(&name))
    }

    /// Notes the bounds that are given for a symbol.
    fn bound(&mut self, name: &str, opening: &Opening) -> Result<()> {
        let Some((least, most, multiple)) = opening.bounds else {
            return Ok(());
        };
        let symbol = Symbol::bounded(name, least, most, multiple)?;
        let is_bounded = self.bounded.iter().any(|bounded| bounded == name);
        match self.of_name(name) {
            Some(known) if is_bounded && *known != symbol => {
                Err(format!("dimension '{name}' has two different bounds"))
            }
            Some(known) => {
                *known = symbol;
                self.bounded.push(name.into());
                Ok(())
            }
            None => Ok(()),
        }
    }

    fn of_name(&mut self, name: &str) -> Option<&mut Symbol> {
        self.all.iter_mut().find(|symbol| symbol.name == name)
    }

    /// A name that no symbol has yet.
    fn unused(&mut self, name: String) -> String {
        let mut candidates = (1..).map(|number| format!("{name}_{number}"));
        let mut found = name.clone();
        while self.of_name(&found).is_some() {
            found = candidates.next().unwrap_or_else(|| name.clone());
        }
        found
    }
}

impl<'m> Sizes<'m> {
    /// Makes a named dimension a symbol, if it is to stay open. Arithmetic is of symbols if inputs have dimensions that are
    /// these names alone: from those their sizes are read when the model runs. Other arithmetic is a symbol of its own.
    pub(super) fn open(&mut self, inputs: &[&'m Port], given: &Given<'m>) -> Result<()> {
        let Given {
            input,
            name,
            extent: Extent::Open(opening),
        } = *given
        else {
            return Ok(());
        };
        let wrong = |reason| of_input(input, reason);
        let parts = match (&opening.name, &opening.bounds) {
            (None, None) => self.parts(inputs, name),
            _ => None,
        };
        if let Some(parts) = parts {
            for part in parts {
                let typical = typical_of(inputs, part);
                let symbol = self.symbols.open(opening, part, typical);
                let symbol = symbol.map_err(wrong)?;
                self.of_names.insert(part, symbol);
            }
            return Ok(());
        }
        match (self.of_names.get(name).copied(), &opening.name) {
            (Some(bound @ Dim::Open(_)), None) => {
                let bounded = self.symbols.bound(&bound.to_string(), opening);
                bounded.map_err(wrong)
            }
            (Some(bound @ Dim::Known(_)), None) => Err(of_input(
                input,
                format!("dimension '{name}' is given as {bound} and as open"),
            )),
            _ => {
                let typical = typical_of(inputs, name);
                let symbol = self.symbols.open(opening, name, typical);
                let symbol = symbol.map_err(wrong)?;
                self.bind(given, symbol)
            }
        }
    }

    /// Keeps dimensions open of which nothing is said.
    pub(super) fn open_others(
        &mut self,
        inputs: &[&'m Port],
        shapes: &BTreeMap<String, Vec<Extent>>,
        bounds: &'m BTreeMap<String, Extent>,
    ) -> Result<()> {
        let others = without_shape(inputs, shapes);
        for (port, _, dim) in names_first(&others) {
            let Declared::Named(name) = dim else { continue };
            if self.is_known(dim) {
                continue;
            }
            let given = Given {
                input: &port.name,
                name,
                extent: bounds.get(name).unwrap_or(&Extent::OPEN),
            };
            self.open(inputs, &given)?;
        }
        for port in others {
            let extent = |dim| match dim {
                Declared::Known(size) => Extent::Size(size),
                Declared::Named(_) | Declared::Open => Extent::OPEN,
            };
            if dims(port).any(|dim| dim == Declared::Open) {
                let extents: Vec<Extent> = dims(port).map(extent).collect();
                let shape = self.given_shape(port, &extents);
                let shape = shape.map_err(|reason| of_input(&port.name, reason))?;
                self.shapes.insert(&port.name, shape);
            }
        }
        Ok(())
    }

    /// The names in arithmetic that stand for nothing yet, if each is a dimension of an input.
    fn parts(&self, inputs: &[&'m Port], name: &'m str) -> Option<Vec<&'m str>> {
        if self.of_names.contains_key(name) {
            return None;
        }
        let expression @ Expression::Infix(..) = Expression::parse(name)? else {
            return None;
        };
        let mut parts: Vec<&str> = expression.names().into_iter().collect();
        parts.retain(|part| !self.of_names.contains_key(part));
        let is_alone = |part: &&str| {
            let mut dims = inputs.iter().flat_map(|port| dims(port));
            dims.any(|dim| dim == Declared::Named(part))
        };
        parts.iter().all(is_alone).then_some(parts)
    }

    /// The shape that is given for an input, with symbols for what stays open.
    pub(super) fn given_shape(&mut self, port: &'m Port, shape: &[Extent]) -> Result<Vec<Dim>> {
        let declared: Vec<Declared> = dims(port).collect();
        let dims =
            shape
                .iter()
                .enumerate()
                .map(|(axis, extent)| match (extent, declared.get(axis)) {
                    (Extent::Size(size), _) => Ok(Dim::Known(*size)),
                    (Extent::Open(_), Some(Declared::Named(name))) => self.of_name(name),
                    (Extent::Open(opening), _) => {
                        let typical = typical(declared.len(), axis);
                        let text = format!("{}_{axis}", port.name);
                        self.symbols.open(opening, &text, typical)
                    }
                });
        dims.collect()
    }
}

/// The size that is planned for of a dimension that nothing bounds: tensors of rank 4 are taken for images.
fn typical(rank: usize, axis: usize) -> i64 {
    match (rank, axis) {
        (4, 0) => USUAL_IMAGES,
        (4, _) => USUAL_PIXELS,
        _ => USUAL,
    }
}

/// Likewise of the first dimension of this name.
fn typical_of(inputs: &[&Port], name: &str) -> i64 {
    let axis = |port: &&Port| {
        let axis = dims(port).position(|dim| dim == Declared::Named(name))?;
        Some(typical(dims(port).count(), axis))
    };
    inputs.iter().find_map(axis).unwrap_or(USUAL)
}
