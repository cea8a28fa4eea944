//! What runs a model, wherever it is.

use crate::{DType, RuntimeError, Tensor, descriptor::OPEN};

/// An input or output of a model.
#[derive(Clone, Debug)]
pub struct Port {
    /// Its name in the model.
    pub name: String,
    /// Its element type.
    pub dtype: DType,
    /// Its dimensions; negative where one is open.
    pub shape: Vec<i64>,
    /// For each dimension the form of the model's symbols that it is, if it is open; empty if none is.
    pub dims: Vec<Option<String>>,
    /// Of an input, the number of the output that may lie in its memory.
    pub donated: Option<usize>,
}

impl Port {
    /// A port whose open dimensions, if there are any, have no forms.
    pub fn new(name: impl Into<String>, dtype: DType, shape: impl Into<Vec<i64>>) -> Self {
        Self {
            name: name.into(),
            dtype,
            shape: shape.into(),
            dims: Vec::new(),
            donated: None,
        }
    }

    /// Whether a dimension is open.
    pub fn is_open(&self) -> bool {
        self.shape.iter().any(|extent| *extent < 0)
    }

    /// Whether a tensor of this shape may be the port's: open dimensions take any extent.
    pub fn takes(&self, shape: &[i64]) -> bool {
        let fits = |(wanted, extent): (&i64, &i64)| wanted == extent || *wanted < 0;
        self.shape.len() == shape.len() && self.shape.iter().zip(shape).all(fits)
    }

    /// The texts of its dimensions: numbers, forms, and `?` for an open dimension without a form.
    pub fn dimensions(&self) -> Vec<String> {
        let dims = self.shape.iter().enumerate();
        let text = |(index, extent): (usize, &i64)| match self.dims.get(index) {
            Some(Some(form)) => form.clone(),
            _ if *extent < 0 => "?".into(),
            _ => extent.to_string(),
        };
        dims.map(text).collect()
    }

    /// Its dimensions as one text: `[n, 64]`.
    pub fn show_shape(&self) -> String {
        format!("[{}]", self.dimensions().join(", "))
    }
}

/// A number of a model that is known when it runs: open dimensions are forms of such numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// Its name.
    pub name: String,
    /// The least value that the model takes.
    pub least: i64,
    /// The greatest one; `i64::MAX` if there is no bound.
    pub most: i64,
    /// What its value is a multiple of.
    pub multiple: i64,
    /// Whether a run computes it. The others are dimensions of inputs.
    pub is_computed: bool,
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

    /// Prepares runs on inputs of these shapes; the shapes of outputs, with -1 for a dimension that a run computes. Runs prepare
    /// themselves: this is for who wants to know the shapes before, or needs the next run to allocate nothing.
    ///
    /// # Errors
    /// If the shapes do not fit the model or each other, or there is not enough memory to run.
    fn prepare(&mut self, inputs: &[&[i64]]) -> Result<Vec<Vec<i64>>, RuntimeError> {
        check_shapes(self.inputs(), inputs)?;
        let outputs = self.outputs().iter();
        Ok(outputs.map(|port| port.shape.clone()).collect())
    }

    /// Runs the model on inputs in its order, into outputs in its order. Outputs of a shape that the run computes are new tensors
    /// after it, in the place of those that were there.
    ///
    /// # Errors
    /// If an input or output does not have the type and shape of the model's, or the run fails.
    fn run_into(&mut self, inputs: &[&Tensor], outputs: &mut [Tensor]) -> Result<(), RuntimeError>;

    /// As [`Session::run_into`], into new outputs.
    ///
    /// # Errors
    /// As [`Session::run_into`], and if there is not enough memory for the outputs.
    fn run(&mut self, inputs: &[&Tensor]) -> Result<Vec<Tensor>, RuntimeError> {
        check("input", self.inputs(), inputs)?;
        let given: Vec<&[i64]> = inputs.iter().map(|tensor| tensor.shape()).collect();
        let shapes = self.prepare(&given)?;
        let outputs = self.outputs().iter().zip(&shapes);
        let outputs =
            outputs.map(|(port, shape)| Tensor::try_zeros(port.dtype, &before_run(shape)));
        let mut outputs: Vec<Tensor> = outputs.collect::<Result<_, _>>()?;
        self.run_into(inputs, &mut outputs)?;
        Ok(outputs)
    }

    /// As [`Session::run`], but the inputs are given away: an output that an input is donated to ([`Port::donated`]) is returned in the
    /// memory of that input, of which the run writes only what changes, if it can.
    ///
    /// # Errors
    /// As [`Session::run`].
    fn run_donating(&mut self, inputs: Vec<Tensor>) -> Result<Vec<Tensor>, RuntimeError> {
        self.run(&inputs.iter().collect::<Vec<_>>())
    }

    /// The time that each node has taken since the session began; empty unless the model was compiled for
    /// profiling.
    fn profile(&self) -> Vec<NodeTime>;
}

/// Checks tensors against ports; for implementations of [`Session`]. An open dimension may have any extent.
///
/// # Errors
/// For the first tensor that does not match its port.
pub fn check(kind: &str, ports: &[Port], tensors: &[&Tensor]) -> Result<(), RuntimeError> {
    check_count(kind, ports, tensors.len())?;
    let mut pairs = ports.iter().zip(tensors);
    pairs.try_for_each(|(port, tensor)| match port.takes(tensor.shape()) {
        true if port.dtype == tensor.dtype() => Ok(()),
        _ => Err(differs(kind, port, &port.show_shape(), tensor)),
    })
}

/// Whether a run computes a shape that a preparation gave.
pub fn is_computed(shape: &[i64]) -> bool {
    shape.contains(&OPEN)
}

/// The shape of an output's memory before a run. It has no elements if the run computes its shape, because the run replaces it.
pub fn before_run(shape: &[i64]) -> Vec<i64> {
    shape.iter().map(|extent| *extent.max(&0)).collect()
}

/// Checks outputs of an open model against the shapes that it was prepared for.
pub(crate) fn check_prepared(
    ports: &[Port],
    shapes: &[Vec<i64>],
    tensors: &[&Tensor],
) -> Result<(), RuntimeError> {
    let all = ports.iter().zip(shapes).zip(tensors);
    let mut all = all.filter(|((_, shape), _)| !is_computed(shape));
    all.try_for_each(|((port, shape), tensor)| match shape == tensor.shape() {
        true => Ok(()),
        false => Err(differs("output", port, &format!("{shape:?}"), tensor)),
    })
}

/// Checks shapes of inputs against ports. An open dimension may have any extent.
pub(crate) fn check_shapes(ports: &[Port], shapes: &[&[i64]]) -> Result<(), RuntimeError> {
    check_count("input", ports, shapes.len())?;
    let mut pairs = ports.iter().zip(shapes);
    match pairs.find(|(port, shape)| !port.takes(shape)) {
        None => Ok(()),
        Some((port, shape)) => Err(RuntimeError::Input(format!(
            "input '{}': expected the shape {}, got {shape:?}",
            port.name,
            port.show_shape()
        ))),
    }
}

fn check_count(kind: &str, ports: &[Port], given: usize) -> Result<(), RuntimeError> {
    if ports.len() == given {
        return Ok(());
    }
    let names: Vec<&str> = ports.iter().map(|port| port.name.as_str()).collect();
    Err(RuntimeError::Input(format!(
        "the model has {} {kind}(s) ({}), but {given} were given",
        ports.len(),
        names.join(", ")
    )))
}

fn differs(kind: &str, port: &Port, shape: &str, tensor: &Tensor) -> RuntimeError {
    RuntimeError::Input(format!(
        "{kind} '{}': expected {} {shape}, got {} {:?}",
        port.name,
        port.dtype,
        tensor.dtype(),
        tensor.shape()
    ))
}
