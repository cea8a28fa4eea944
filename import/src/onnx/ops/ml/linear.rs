//! Linear models and support vector machines.

use super::{
    super::{
        linear::dense,
        reduce::along,
        row::{Row, row},
    },
    features::row_of,
    scores::{Labels, Transform},
};
use crate::{
    graph::{
        builder::GraphBuilder,
        constant::{Const, Numbers},
        error::Result,
        value::Value,
    },
    onnx::node::Node,
};
use relay_dialects::{dim::Dim, element::Element};

/// The family's rows.
pub const ROWS: &[Row] = &[
    row("ai.onnx.ml.LinearClassifier", 1, classify),
    row("ai.onnx.ml.LinearRegressor", 1, regress),
    row("ai.onnx.ml.SVMRegressor", 1, support_vectors),
];

/// A required list of floats.
pub(super) fn floats(n: &Node<'_>, name: &str) -> Result<Vec<f32>> {
    n.attr_floats(name)?
        .ok_or_else(|| format!("attribute '{name}' is missing"))
}

/// The input as a matrix of floats.
pub(super) fn samples(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    n.check_inputs(1)?;
    let x = n.input(0)?;
    let x = match *x.dims() {
        [columns] => b.reshape(&x, &[Dim::Known(1), columns])?,
        [_, _] => x,
        _ => return Err(format!("the input has rank {}, expected 1 or 2", x.rank())),
    };
    b.cast(&x, Element::F32)
}

/// A list of floats as a matrix of so many columns.
pub(super) fn matrix(
    b: &GraphBuilder,
    numbers: Vec<f32>,
    columns: i64,
    what: &str,
) -> Result<Value> {
    let count = numbers.len() as i64;
    if columns < 1 || count % columns != 0 || count == 0 {
        return Err(format!(
            "attribute '{what}' has {count} numbers, which are no rows of {columns}"
        ));
    }
    let numbers = Numbers::Floats(numbers.into_iter().map(f64::from).collect());
    let shape = vec![count / columns, columns];
    Ok(b.known(Const::new(Element::F32, shape, &numbers)))
}

/// The products of the samples and the rows of coefficients, and the intercepts.
fn line(n: &Node<'_>, b: &mut GraphBuilder, x: &Value) -> Result<Value> {
    let coefficients = floats(n, "coefficients")?;
    let coefficients = matrix(b, coefficients, x.extent(1)?, "coefficients")?;
    let scores = dense(b, x, &coefficients)?;
    match n.attr_floats("intercepts")? {
        Some(intercepts) if !intercepts.is_empty() => {
            let intercepts = row_of(b, &intercepts, scores.extent(1)?)
                .map_err(|reason| format!("attribute 'intercepts': {reason}"))?;
            b.binary("add", &scores, &intercepts)
        }
        _ => Ok(scores),
    }
}

fn regress(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = samples(n, b)?;
    let targets = n.attr_i64_or("targets", 1)?;
    let scores = line(n, b, &x)?;
    if scores.extent(1)? != targets {
        return Err(format!(
            "attribute 'targets' is {targets}, but there are coefficients for {}",
            scores.extent(1)?
        ));
    }
    Ok(vec![Transform::read(n)?.of(b, &scores)?])
}

fn classify(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = samples(n, b)?;
    // Which of two ways a training took does not change what it says of samples.
    n.ignore_attr("multi_class");
    let labels = Labels::read(n, "classlabels_ints", "classlabels_strings")?;
    let transform = Transform::read(n)?;
    let scores = line(n, b, &x)?;
    let classes = scores.extent(1)?;
    if classes == 1 && labels.count == 2 {
        return of_one_score(b, &labels, (&scores, transform));
    }
    if classes != labels.count as i64 {
        return Err(format!(
            "{} labels do not fit {classes} rows of coefficients",
            labels.count
        ));
    }
    let label = labels.of_greatest(b, &scores)?;
    Ok(vec![label, transform.of(b, &scores)?])
}

/// The label and the scores of two classes, of which the second one has a score.
fn of_one_score(
    b: &mut GraphBuilder,
    labels: &Labels,
    (scores, transform): (&Value, Transform),
) -> Result<Vec<Value>> {
    let rows = scores.dims()[..1].to_vec();
    let is_second = b.with_scalar("greater", scores, 0.0)?;
    let is_second = b.reshape(&is_second, &rows)?;
    let other = match transform {
        Transform::Logistic => None,
        _ => Some(b.unary("negative", scores)?),
    };
    let result = match other {
        Some(other) => {
            let both = b.concatenate(&[other, scores.clone()], 1)?;
            transform.of(b, &both)?
        }
        None => {
            let chance = b.unary("sigmoid", scores)?;
            let negative = b.unary("negative", scores)?;
            let other = b.unary("sigmoid", &negative)?;
            b.concatenate(&[other, chance], 1)?
        }
    };
    Ok(vec![labels.of_two(b, &is_second)?, result])
}

/// How similar samples and support vectors are.
pub(super) struct Kernel {
    name: String,
    gamma: f64,
    coef0: f64,
    degree: f64,
}

impl Kernel {
    /// That of a node's attributes.
    pub(super) fn read(n: &Node<'_>) -> Result<Self> {
        let params = n.attr_floats("kernel_params")?.unwrap_or_default();
        let param = |at: usize| params.get(at).map_or(0.0, |param| f64::from(*param));
        Ok(Self {
            name: n.attr_str_or("kernel_type", "LINEAR")?,
            gamma: param(0),
            coef0: param(1),
            degree: param(2),
        })
    }

    /// Of each sample and each vector.
    pub(super) fn of(&self, b: &mut GraphBuilder, x: &Value, vectors: &Value) -> Result<Value> {
        if self.name == "RBF" {
            return self.radial(b, x, vectors);
        }
        let products = dense(b, x, vectors)?;
        if self.name == "LINEAR" {
            return Ok(products);
        }
        let scaled = b.with_scalar("multiply", &products, self.gamma)?;
        let moved = b.with_scalar("add", &scaled, self.coef0)?;
        match self.name.as_str() {
            "POLY" => b.with_scalar("power", &moved, self.degree),
            "SIGMOID" => b.unary("tanh", &moved),
            other => Err(format!(
                "attribute 'kernel_type' is '{other}', expected LINEAR, POLY, RBF or SIGMOID"
            )),
        }
    }

    /// exp(-gamma * |x - v|^2).
    fn radial(&self, b: &mut GraphBuilder, x: &Value, vectors: &Value) -> Result<Value> {
        let (samples, columns) = (x.dims()[0], x.dims()[1]);
        let apart = b.reshape(x, &[samples, Dim::Known(1), columns])?;
        let difference = b.binary("subtract", &apart, vectors)?;
        let square = b.binary("multiply", &difference, &difference)?;
        let distance = along(b, "sum", &square, (&[2], false))?;
        let exponent = b.with_scalar("multiply", &distance, -self.gamma)?;
        b.unary("exp", &exponent)
    }
}

fn support_vectors(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = samples(n, b)?;
    let count = n.attr_i64_or("n_supports", 0)?;
    let columns = x.extent(1)?;
    let coefficients = floats(n, "coefficients")?;
    let vectors = n.attr_floats("support_vectors")?.unwrap_or_default();
    let kernel = Kernel::read(n)?;
    let scores = match count {
        // Without support vectors it is a line.
        0 => {
            let coefficients = matrix(b, coefficients, columns, "coefficients")?;
            dense(b, &x, &coefficients)?
        }
        _ => {
            let coefficients = matrix(b, coefficients, count, "coefficients")?;
            let vectors = matrix(b, vectors, columns, "support_vectors")?;
            if vectors.extent(0)? != count {
                return Err(format!(
                    "attribute 'n_supports' is {count}, but there are {} support vectors",
                    vectors.extent(0)?
                ));
            }
            let similar = kernel.of(b, &x, &vectors)?;
            dense(b, &similar, &coefficients)?
        }
    };
    let rho = floats(n, "rho")?;
    let rho = row_of(b, &rho, scores.extent(1)?)
        .map_err(|reason| format!("attribute 'rho': {reason}"))?;
    let scores = b.binary("add", &scores, &rho)?;
    if n.attr_bool_or("one_class", false)? {
        let is_inside = b.with_scalar("greater", &scores, 0.0)?;
        let (inside, outside) = (b.scalar(Element::F32, 1.0), b.scalar(Element::F32, -1.0));
        n.ignore_attr("post_transform");
        return Ok(vec![b.op("where", &[is_inside, inside, outside], &[])?]);
    }
    Ok(vec![Transform::read(n)?.of(b, &scores)?])
}
