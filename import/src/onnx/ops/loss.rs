//! Losses: how unlikely scores make the classes that samples have.

use super::{
    gather::check_indices,
    reduce::along,
    row::{Row, row},
};
use crate::{
    graph::{
        attr::Param,
        builder::GraphBuilder,
        error::Result,
        value::{Value, are_equal},
    },
    onnx::node::Node,
};
use relay_dialects::{dim::Dim, element::Element};

/// The family's rows.
pub const ROWS: &[Row] = &[
    row("NegativeLogLikelihoodLoss", 12, negative_log_likelihood),
    row("SoftmaxCrossEntropyLoss", 12, softmax_cross_entropy),
];

fn negative_log_likelihood(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(3)?;
    let logarithms = n.input(0)?;
    Ok(vec![loss(n, b, &logarithms)?])
}

/// The second result is the logarithms of the probabilities.
fn softmax_cross_entropy(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(3)?;
    let axis = [("axis", Param::Int(1))];
    let logarithms = b.op("nn.log_softmax", &[n.input(0)?], &axis)?;
    Ok(vec![loss(n, b, &logarithms)?, logarithms])
}

/// The negative logarithm of the probability of each sample's class, times the weight of the class, as the sum or the weighted mean of all
/// samples if that is asked for. The classes are on axis 1 of the logarithms; samples of the class that is to be ignored weigh nothing.
fn loss(n: &Node<'_>, b: &mut GraphBuilder, logarithms: &Value) -> Result<Value> {
    let Samples { classes, weights } = Samples::read(n, b, logarithms)?;
    let mut one_class = classes.dims().to_vec();
    one_class.insert(1, Dim::Known(1));
    let places = b.reshape(&classes, &one_class)?;
    let axis = [("axis", Param::Int(1))];
    let picked = b.op("gather", &[logarithms.clone(), places], &axis)?;
    let picked = b.reshape(&picked, classes.dims())?;
    let negative = b.unary("negative", &picked)?;
    let losses = match &weights {
        Some(weights) => b.binary("multiply", &negative, weights)?,
        None => negative,
    };
    let all: Vec<usize> = (0..losses.rank()).collect();
    let all = (&all[..], false);
    match (n.attr_str_or("reduction", "mean")?.as_str(), &weights) {
        ("none", _) => Ok(losses),
        ("sum", _) => along(b, "sum", &losses, all),
        ("mean", None) => along(b, "mean", &losses, all),
        ("mean", Some(weights)) => {
            let sum = along(b, "sum", &losses, all)?;
            let weight = along(b, "sum", weights, all)?;
            b.binary("divide", &sum, &weight)
        }
        (other, _) => Err(format!(
            "attribute 'reduction' is '{other}', expected none, sum or mean"
        )),
    }
}

/// The classes that samples have.
struct Samples {
    /// The class of each sample. One that is ignored has class 0.
    classes: Value,
    /// How much each sample counts; None if all count the same.
    weights: Option<Value>,
}

impl Samples {
    fn read(n: &Node<'_>, b: &mut GraphBuilder, logarithms: &Value) -> Result<Self> {
        let labels = n.input(1)?;
        let fits = match logarithms.dims() {
            [samples, _, rest @ ..] => are_equal(labels.dims(), &[&[*samples], rest].concat()),
            _ => false,
        };
        if !fits {
            return Err(format!(
                "classes of shape {:?} do not fit scores of shape {:?}",
                labels.dims(),
                logarithms.dims()
            ));
        }
        let labels = b.cast(&labels, Element::I64)?;
        let is_ignored = match n.attr_i64("ignore_index")? {
            Some(ignored) => Some(b.with_scalar("equal", &labels, ignored as f64)?),
            None => None,
        };
        // What is ignored need not be a class.
        let zero = b.scalar(Element::I64, 0.0);
        let classes = without(b, is_ignored.as_ref(), zero, labels)?;
        check_indices(b, &classes, logarithms.dims()[1])?;
        let of_class = match n.optional(2) {
            Some(weights) => Some(b.taken(&weights, &classes, 0)?),
            None if is_ignored.is_none() => None,
            None => Some(b.full(logarithms.element(), classes.dims(), 1.0)?),
        };
        let weights = match of_class {
            Some(weights) => {
                let nothing = b.scalar(weights.element(), 0.0);
                Some(without(b, is_ignored.as_ref(), nothing, weights)?)
            }
            None => None,
        };
        Ok(Self { classes, weights })
    }
}

/// Values, with another one where they are ignored.
fn without(
    b: &mut GraphBuilder,
    is_ignored: Option<&Value>,
    instead: Value,
    values: Value,
) -> Result<Value> {
    match is_ignored {
        Some(is_ignored) => b.op("where", &[is_ignored.clone(), instead, values], &[]),
        None => Ok(values),
    }
}
