//! What runs a model, wherever it is.

use crate::{DType, RuntimeError, Tensor};

/// An input or output of a model.
#[derive(Clone, Debug)]
pub struct Port {
    /// Its name in the model.
    pub name: String,
    /// Its element type.
    pub dtype: DType,
    /// Its dimensions.
    pub shape: Vec<i64>,
}

/// The time that the calls of one node took.
#[derive(Clone, Debug)]
pub struct NodeTime {
    /// The node's name in the model.
    pub name: String,
    /// The kernel that computes it.
    pub op: String,
    /// The floating-point operations of one call; 0 where not counted.
    pub flops: u64,
    /// The number of calls.
    pub calls: u64,
    /// The time of all calls.
    pub nanoseconds: u64,
}

/// A model that can be run: in this process ([`Instance`](crate::Instance)), or by whatever takes tensors to a
/// device or another machine and brings them back.
pub trait Session {
    /// The model's name.
    fn name(&self) -> &str;

    /// Its inputs, in order.
    fn inputs(&self) -> &[Port];

    /// Its outputs, in order.
    fn outputs(&self) -> &[Port];

    /// Runs the model on inputs in its order, into outputs in its order.
    ///
    /// # Errors
    /// If an input or output does not have the type and shape of the model's, or the run fails.
    fn run_into(&mut self, inputs: &[&Tensor], outputs: &mut [Tensor]) -> Result<(), RuntimeError>;

    /// As [`Session::run_into`], into new outputs.
    ///
    /// # Errors
    /// As [`Session::run_into`], and if there is not enough memory for the outputs.
    fn run(&mut self, inputs: &[&Tensor]) -> Result<Vec<Tensor>, RuntimeError> {
        let ports = self.outputs().iter();
        let outputs = ports.map(|port| Tensor::try_zeros(port.dtype, &port.shape));
        let mut outputs: Vec<Tensor> = outputs.collect::<Result<_, _>>()?;
        self.run_into(inputs, &mut outputs)?;
        Ok(outputs)
    }

    /// The time that each node has taken since the session began; empty unless the model was compiled for
    /// profiling.
    fn profile(&self) -> Vec<NodeTime>;
}

/// Checks tensors against ports; for implementations of [`Session`].
///
/// # Errors
/// For the first tensor that does not match its port.
pub fn check(kind: &str, ports: &[Port], tensors: &[&Tensor]) -> Result<(), RuntimeError> {
    if ports.len() != tensors.len() {
        let names: Vec<&str> = ports.iter().map(|port| port.name.as_str()).collect();
        return Err(RuntimeError::Input(format!(
            "the model has {} {kind}(s) ({}), but {} were given",
            ports.len(),
            names.join(", "),
            tensors.len()
        )));
    }
    for (port, tensor) in ports.iter().zip(tensors) {
        if port.dtype != tensor.dtype() || port.shape != tensor.shape() {
            return Err(RuntimeError::Input(format!(
                "{kind} '{}': expected {} {:?}, got {} {:?}",
                port.name,
                port.dtype,
                port.shape,
                tensor.dtype(),
                tensor.shape()
            )));
        }
    }
    Ok(())
}
