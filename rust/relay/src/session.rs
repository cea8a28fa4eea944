//! A model that runs.

use crate::{Error, Input, Model, Scalar, Tensor};
use ndarray::{Array, ArrayD, Dimension};
use relay_runtime::{Instance, NodeTime, Session as _, before_run};
use std::ffi::c_void;

/// A model with threads and memory of its own. It may move between threads; one at a time uses it.
pub struct Session {
    model: Model,
    instance: Instance,
}

impl Session {
    /// A session of `threads` threads, the caller's included; 0 for as many as the process may use.
    ///
    /// # Errors
    /// If the system gives no threads or no memory.
    pub fn new(model: &Model, threads: usize) -> Result<Self, Error> {
        let instance = model.instance(threads)?;
        Ok(Self {
            model: model.clone(),
            instance,
        })
    }

    /// The model.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Prepares runs on inputs of these shapes, in the model's order; the shapes of outputs, with -1 for each dimension that a run
    /// computes. Runs prepare themselves: this is
    /// for who wants to know the shapes before, or needs the next run to grow no memory.
    ///
    /// # Errors
    /// If the shapes do not fit the model or each other, or there is not enough memory to run.
    pub fn prepare(&mut self, inputs: &[&[i64]]) -> Result<Vec<Vec<i64>>, Error> {
        self.instance.prepare(inputs)
    }

    /// Runs the model on inputs by name, in any order. An open dimension may have another extent in each run.
    ///
    /// # Errors
    /// If an input is missing, unknown, or of another type or shape than the model's, the run fails, or there is not
    /// enough memory for what it returns.
    pub fn run(&mut self, inputs: &[(&str, Input<'_>)]) -> Result<Outputs, Error> {
        let inputs = self.in_order(inputs)?;
        let ports = self.model.inputs().iter().zip(&inputs);
        let sources: Vec<*const c_void> = ports
            .map(|(port, input)| input.at(port))
            .collect::<Result<_, _>>()?;
        let given: Vec<&[i64]> = inputs.iter().map(|input| input.shape()).collect();
        let shapes = self.instance.prepare(&given)?;
        let ports = self.model.outputs().iter().zip(&shapes);
        let tensors = ports.map(|(port, shape)| Tensor::try_zeros(port.dtype, &before_run(shape)));
        let mut tensors: Vec<Tensor> = tensors.collect::<Result<_, _>>()?;
        let targets: Vec<*mut c_void> = tensors
            .iter_mut()
            .map(|tensor| tensor.bytes_mut().as_mut_ptr().cast())
            .collect();
        // SAFETY: each input is borrowed, dense, and of its port's type and of the shape that was prepared for; outputs are new and
        // of theirs.
        unsafe { self.instance.run_pointers(&sources, &targets) }?;
        for (index, tensor) in self.instance.computed_outputs(&shapes)? {
            tensors[index] = tensor;
        }
        let names = self.model.outputs().iter().map(|port| port.name.clone());
        Ok(Outputs(names.zip(tensors).collect()))
    }

    /// Runs the model on inputs by name, which are given away: an output that an input is donated to
    /// ([`Port::donated`](crate::Port::donated)) is returned in the memory of that input, of which the run writes only what changes, if
    /// it can.
    ///
    /// # Errors
    /// As [`Session::run`].
    pub fn run_donating(&mut self, inputs: Vec<(&str, Tensor)>) -> Result<Outputs, Error> {
        let (given, tensors): (Vec<&str>, Vec<Tensor>) = inputs.into_iter().unzip();
        let places = self.places(&given)?;
        let mut tensors: Vec<Option<Tensor>> = tensors.into_iter().map(Some).collect();
        let ordered = places.iter().filter_map(|place| tensors[*place].take());
        let results = self.instance.run_donating(ordered.collect())?;
        let names = self.model.outputs().iter().map(|port| port.name.clone());
        Ok(Outputs(names.zip(results).collect()))
    }

    /// The time that each node has taken; empty unless the model was compiled for profiling.
    pub fn profile(&self) -> Vec<NodeTime> {
        self.instance.profile()
    }

    /// Inputs in the model's order.
    fn in_order<'i, 'a>(
        &self,
        inputs: &'i [(&str, Input<'a>)],
    ) -> Result<Vec<&'i Input<'a>>, Error> {
        let given: Vec<&str> = inputs.iter().map(|(name, _)| *name).collect();
        let places = self.places(&given)?.into_iter();
        Ok(places.map(|place| &inputs[place].1).collect())
    }

    /// Where among the given inputs each of the model's is.
    fn places(&self, given: &[&str]) -> Result<Vec<usize>, Error> {
        let ports = self.model.inputs();
        for name in given {
            if !ports.iter().any(|port| port.name == *name) {
                let known: Vec<&str> = ports.iter().map(|port| port.name.as_str()).collect();
                let known = known.join(", ");
                return Err(Error::Input(format!(
                    "there is no input '{name}', only {known}"
                )));
            }
        }
        let place = |port: &crate::Port| {
            let found = given.iter().position(|name| *name == port.name);
            found.ok_or_else(|| Error::Input(format!("input '{}' is missing", port.name)))
        };
        ports.iter().map(place).collect()
    }
}

/// What a run returns, by name and in the model's order.
#[derive(Debug)]
pub struct Outputs(Vec<(String, Tensor)>);

impl Outputs {
    /// An output; `None` if the model has none of this name.
    pub fn get(&self, name: &str) -> Option<&Tensor> {
        let found = self.0.iter().find(|(known, _)| known == name);
        found.map(|(_, tensor)| tensor)
    }

    /// An output as an array, copied.
    ///
    /// # Errors
    /// If there is no such output, or its elements are of another type.
    pub fn array<T: Scalar>(&self, name: &str) -> Result<ArrayD<T>, Error> {
        let missing = || Error::Input(format!("there is no output '{name}'"));
        T::array(self.get(name).ok_or_else(missing)?)
    }

    /// As [`Outputs::array`], of a number of dimensions that is known.
    ///
    /// # Errors
    /// As [`Outputs::array`], and if the output has another number of dimensions.
    pub fn shaped<T: Scalar, D: Dimension>(&self, name: &str) -> Result<Array<T, D>, Error> {
        let array = self.array(name)?;
        let shaped = array.into_dimensionality();
        shaped.map_err(|error| Error::Input(format!("output '{name}': {error}")))
    }

    /// All, without names, in the model's order.
    pub fn into_tensors(self) -> Vec<Tensor> {
        self.0.into_iter().map(|(_, tensor)| tensor).collect()
    }
}
