//! The inputs of a model, and what they become for the sizes that are given.

use super::{
    dims::Sizes,
    error::Result,
    options::{Extent, Options, Unsaid},
    port::{Input, Port},
};
use relay_dialects::symbols::Symbol;
use std::collections::{BTreeMap, BTreeSet};

/// The inputs of a model, and the bounds that it gives to names of dimensions.
#[derive(Clone, Debug, Default)]
pub struct Signature {
    /// The inputs.
    pub ports: Vec<Port>,
    /// The names of the inputs that are no tensors, and have [values](Options::literals).
    pub scalars: BTreeSet<String>,
    /// The names of the inputs that are [states](super::state).
    pub states: Vec<String>,
    /// The names of the tensors that the model's file holds, and that [weights](Options::weights) can take the place of.
    pub parameters: BTreeSet<String>,
    /// The bounds by name.
    pub bounds: BTreeMap<String, Extent>,
}

impl Signature {
    /// The inputs that the module takes, and the symbols of their open dimensions. Inputs whose values are given become
    /// constants.
    ///
    /// # Errors
    /// If an option is of no input, or the model does not allow a shape or a size that is given.
    pub fn inputs(&self, options: &Options) -> Result<(Vec<Input>, Vec<Symbol>)> {
        self.check_names(options)?;
        let inputs = self.ports.iter().map(|port| &port.name);
        let known = inputs.chain(&self.parameters);
        options.weights.check(known.map(String::as_str))?;
        let ports = self.taken(options);
        let sizes = Sizes::of_inputs(&ports, &self.bounds, options, options.unsaid)?;
        sizes.warn();
        let inputs = ports.into_iter().map(|port| {
            let input = sizes.input(port);
            input.map_err(|reason| format!("input '{}': {reason}", port.name))
        });
        Ok((inputs.collect::<Result<_>>()?, sizes.symbols().to_vec()))
    }

    /// Fails if an option is of no input, or two say the same.
    fn check_names(&self, options: &Options) -> Result<()> {
        let values = options.values.keys().chain(options.literals.keys());
        for name in options.shapes.keys().chain(values) {
            if !self.has_port(name) && !self.scalars.contains(name) {
                let ports = self.ports.iter().map(|port| port.name.as_str());
                let scalars = self.scalars.iter().map(String::as_str);
                let names: Vec<&str> = ports.chain(scalars).collect();
                return Err(format!(
                    "a shape or value is given for '{name}', which is no input; the inputs are {}",
                    names.join(", ")
                ));
            }
        }
        let mut literals = options.literals.keys();
        match literals.find(|name| options.shapes.contains_key(*name)) {
            Some(name) => Err(format!(
                "a shape and a value are given for input '{name}'; leave --shape out: the value has a shape"
            )),
            None => Ok(()),
        }
    }

    /// Whether inputs have dimensions of which neither the model nor the options say anything.
    #[must_use]
    pub fn leaves_dimensions_open(&self, options: &Options) -> bool {
        let sizes = Sizes::of_inputs(&self.taken(options), &self.bounds, options, Unsaid::One);
        sizes.is_ok_and(|sizes| sizes.assumes())
    }

    /// Whether the model has an input of a name.
    fn has_port(&self, name: &str) -> bool {
        self.ports.iter().any(|port| port.name == name)
    }

    /// The inputs without those that become constants.
    fn taken(&self, options: &Options) -> Vec<&Port> {
        let is_taken =
            |port: &&Port| !options.is_fixed(&port.name) && !options.weights.has(&port.name);
        self.ports.iter().filter(is_taken).collect()
    }
}
