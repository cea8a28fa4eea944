//! Losses: how far results are from what they should be.

use super::row::{Row, row, rows};
use crate::{
    compose::{activation::log_of_1_and_exp, gather::check_indices, reduce::along},
    graph::{attr::Param, builder::GraphBuilder, error::Result, value::Value},
    torch::{node::Node, promote::of_values},
};
use relay_dialects::{dim::Dim, element::Element};

/// The family's rows.
pub const ROWS: &[Row] = &[
    row("binary_cross_entropy", |n, b| {
        let losses = cross_entropy_of_two(n, b)?;
        weighted(n, b, losses)
    }),
    row("binary_cross_entropy_with_logits", |n, b| {
        let losses = cross_entropy_of_logits(n, b)?;
        weighted(n, b, losses)
    }),
    row("cross_entropy_loss", cross_entropy),
    row("huber_loss", |n, b| {
        let delta = n.float_or("delta", 1.0)?;
        let losses = quadratic_below(n, b, delta)?;
        let losses = b.with_scalar("multiply", &losses, delta)?;
        reduced(n, b, &losses)
    }),
    row("kl_div", kl_div),
    row("l1_loss", |n, b| {
        let losses = distance(n, b)?;
        reduced(n, b, &losses)
    }),
    row("mse_loss", |n, b| {
        let losses = distance(n, b)?;
        let losses = b.binary("multiply", &losses, &losses)?;
        reduced(n, b, &losses)
    }),
    row("nll_loss", |n, b| Ok(of_classes(n, b)?.swap_remove(0))),
    row("nll_loss2d", |n, b| Ok(of_classes(n, b)?.swap_remove(0))),
    row("nll_loss_nd", |n, b| Ok(of_classes(n, b)?.swap_remove(0))),
    rows("nll_loss_forward", of_classes),
    rows("nll_loss2d_forward", of_classes),
    row("poisson_nll_loss", poisson),
    row("smooth_l1_loss", |n, b| {
        let beta = n.float_or("beta", 1.0)?;
        let losses = match beta == 0.0 {
            true => distance(n, b)?,
            false => quadratic_below(n, b, beta)?,
        };
        reduced(n, b, &losses)
    }),
    row("soft_margin_loss", |n, b| {
        let (x, target) = (n.tensor("self")?, n.tensor("target")?);
        let product = b.binary("multiply", &x, &target)?;
        let negative = b.unary("negative", &product)?;
        let losses = log_of_1_and_exp(b, &negative)?;
        reduced(n, b, &losses)
    }),
];

/// All losses, their mean or their sum, as argument `reduction` says.
fn reduced(n: &Node<'_>, b: &mut GraphBuilder, losses: &Value) -> Result<Value> {
    let all: Vec<usize> = (0..losses.rank()).collect();
    match n.int_or("reduction", MEAN)? {
        NONE => Ok(losses.clone()),
        MEAN => along(b, "mean", losses, (&all, false)),
        _ => along(b, "sum", losses, (&all, false)),
    }
}

/// The numbers of reductions.
pub const NONE: i64 = 0;
/// The mean.
pub const MEAN: i64 = 1;

/// Losses times weights, if there are any, reduced.
fn weighted(n: &Node<'_>, b: &mut GraphBuilder, losses: Value) -> Result<Value> {
    let losses = match n.optional_tensor("weight")? {
        Some(weight) => b.binary("multiply", &losses, &weight)?,
        None => losses,
    };
    reduced(n, b, &losses)
}

/// The input and the target in their common type.
fn pair(n: &Node<'_>, b: &mut GraphBuilder) -> Result<(Value, Value)> {
    let (x, target) = (n.tensor("self")?, n.tensor("target")?);
    let element = of_values(&[x.clone(), target.clone()]);
    Ok((b.cast(&x, element)?, b.cast(&target, element)?))
}

fn distance(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let (x, target) = pair(n, b)?;
    let difference = b.binary("subtract", &x, &target)?;
    b.unary("abs", &difference)
}

/// Squares of distances by twice a bound, and distances less half of the bound above it.
fn quadratic_below(n: &Node<'_>, b: &mut GraphBuilder, bound: f64) -> Result<Value> {
    let size = distance(n, b)?;
    let square = b.binary("multiply", &size, &size)?;
    let square = b.with_scalar("multiply", &square, 0.5 / bound)?;
    let linear = b.with_scalar("subtract", &size, bound / 2.0)?;
    let is_small = b.with_scalar("less", &size, bound)?;
    b.op("where", &[is_small, square, linear], &[])
}

/// The logarithms are never less than -100, as PyTorch has it.
fn cross_entropy_of_two(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let (x, target) = (n.tensor("self")?, n.tensor("target")?);
    let negative = b.unary("negative", &x)?;
    let other = b.with_scalar("add", &negative, 1.0)?;
    let mut log = |x: &Value| {
        let log = b.unary("log", x)?;
        b.with_scalar("maximum", &log, -100.0)
    };
    let (log, of_other) = (log(&x)?, log(&other)?);
    let difference = b.binary("subtract", &of_other, &log)?;
    let product = b.binary("multiply", &target, &difference)?;
    b.binary("subtract", &product, &of_other)
}

fn cross_entropy_of_logits(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let (x, target) = (n.tensor("self")?, n.tensor("target")?);
    let negative = b.unary("negative", &x)?;
    // log(1 + exp(-x))
    let mut log = log_of_1_and_exp(b, &negative)?;
    if let Some(weight) = n.optional_tensor("pos_weight")? {
        let more = b.with_scalar("subtract", &weight, 1.0)?;
        let more = b.binary("multiply", &more, &target)?;
        let factor = b.with_scalar("add", &more, 1.0)?;
        log = b.binary("multiply", &log, &factor)?;
    }
    let rest = b.unary("negative", &target)?;
    let rest = b.with_scalar("add", &rest, 1.0)?;
    let rest = b.binary("multiply", &rest, &x)?;
    b.binary("add", &rest, &log)
}

fn kl_div(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let (x, target) = (n.tensor("self")?, n.tensor("target")?);
    let losses = match n.bool_or("log_target", false)? {
        true => {
            let difference = b.binary("subtract", &target, &x)?;
            let exp = b.unary("exp", &target)?;
            b.binary("multiply", &exp, &difference)?
        }
        false => {
            let log = b.unary("log", &target)?;
            let own = b.binary("multiply", &target, &log)?;
            // What is 0 adds nothing.
            let is_none = b.with_scalar("equal", &target, 0.0)?;
            let zero = b.scalar(target.element(), 0.0);
            let own = b.op("where", &[is_none, zero, own], &[])?;
            let cross = b.binary("multiply", &target, &x)?;
            b.binary("subtract", &own, &cross)?
        }
    };
    reduced(n, b, &losses)
}

fn poisson(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let (x, target) = (n.tensor("input")?, n.tensor("target")?);
    let epsilon = n.float_or("eps", 1e-8)?;
    let mut losses = match n.bool_or("log_input", true)? {
        true => {
            let product = b.binary("multiply", &target, &x)?;
            let exp = b.unary("exp", &x)?;
            b.binary("subtract", &exp, &product)?
        }
        false => {
            let shifted = b.with_scalar("add", &x, epsilon)?;
            let log = b.unary("log", &shifted)?;
            let product = b.binary("multiply", &target, &log)?;
            b.binary("subtract", &x, &product)?
        }
    };
    if n.bool_or("full", false)? {
        // Stirling's formula of the logarithm of a factorial.
        let log = b.unary("log", &target)?;
        let product = b.binary("multiply", &target, &log)?;
        let first = b.binary("subtract", &product, &target)?;
        let half = b.with_scalar("multiply", &log, 0.5)?;
        let sum = b.binary("add", &first, &half)?;
        let sum = b.with_scalar("add", &sum, 0.5 * (2.0 * std::f64::consts::PI).ln())?;
        let is_small = b.with_scalar("less_equal", &target, 1.0)?;
        let zero = b.scalar(target.element(), 0.0);
        let added = b.op("where", &[is_small, zero, sum], &[])?;
        losses = b.binary("add", &losses, &added)?;
    }
    reduced(n, b, &losses)
}

/// The class of each sample, and what it weighs. Samples of the class that is to be ignored weigh nothing, and their class is 0.
pub struct Classes {
    /// The classes.
    pub classes: Value,
    /// The weights.
    pub weights: Value,
}

impl Classes {
    /// Reads them for logarithms of probabilities whose classes are on an axis.
    pub fn read(n: &Node<'_>, b: &mut GraphBuilder, x: &Value, axis: usize) -> Result<Self> {
        let mut target = n.tensor("target")?;
        if x.rank() == 1 && target.rank() == 1 {
            // One sample has the first class of a list.
            target = b.element(&target, 0)?;
        }
        let ignored = n.int_or("ignore_index", -100)?;
        let counts = b.with_scalar("not_equal", &target, ignored as f64)?;
        let none = b.scalar(target.element(), 0.0);
        let classes = b.op("where", &[counts.clone(), target, none], &[])?;
        check_indices(b, &classes, x.dims()[axis])?;
        let mut weights = b.cast(&counts, x.element())?;
        if let Some(weight) = n.optional_tensor("weight")? {
            let picked = b.taken(&weight, &classes, 0)?;
            weights = b.binary("multiply", &weights, &picked)?;
        }
        Ok(Self { classes, weights })
    }
}

/// The axis of classes: that behind the samples.
pub fn class_axis(x: &Value) -> Result<usize> {
    match x.rank() {
        0 => Err("there are no classes in a tensor of rank 0".into()),
        1 => Ok(0),
        _ => Ok(1),
    }
}

/// The loss of the class of each sample, and what all samples weigh.
fn of_classes(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.tensor("self")?;
    let axis = class_axis(&x)?;
    let Classes { classes, weights } = Classes::read(n, b, &x, axis)?;
    let losses = picked(b, (&x, axis), (&classes, &weights))?;
    total(n, b, (&losses, &weights))
}

/// Less the logarithms of the classes, times the weights.
fn picked(
    b: &mut GraphBuilder,
    (x, axis): (&Value, usize),
    (classes, weights): (&Value, &Value),
) -> Result<Value> {
    let mut shape = x.dims().to_vec();
    shape[axis] = Dim::Known(1);
    let places = b.reshape(classes, &shape)?;
    let places = b.cast(&places, Element::I64)?;
    let attrs = [("axis", Param::Int(axis as i64))];
    let found = b.op("gather", &[x.clone(), places], &attrs)?;
    let found = b.reshape(&found, classes.dims())?;
    let negative = b.unary("negative", &found)?;
    b.binary("multiply", &negative, weights)
}

/// Losses that are weighted, reduced, and the sum of the weights.
fn total(
    n: &Node<'_>,
    b: &mut GraphBuilder,
    (losses, weights): (&Value, &Value),
) -> Result<Vec<Value>> {
    let all: Vec<usize> = (0..losses.rank()).collect();
    let reduction = n.int_or("reduction", MEAN)?;
    if reduction == NONE && losses.rank() > 0 {
        return Ok(vec![losses.clone(), b.scalar(losses.element(), 0.0)]);
    }
    let sum = along(b, "sum", losses, (&all, false))?;
    let weight = along(b, "sum", weights, (&all, false))?;
    let result = match reduction {
        MEAN => b.binary("divide", &sum, &weight)?,
        _ => sum,
    };
    Ok(vec![result, weight])
}

/// Of classes, or of probabilities of all classes.
fn cross_entropy(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let (x, target) = (n.tensor("self")?, n.tensor("target")?);
    let axis = class_axis(&x)?;
    let smoothing = n.float_or("label_smoothing", 0.0)?;
    let logs = b.op(
        "nn.log_softmax",
        std::slice::from_ref(&x),
        &[("axis", Param::Int(axis as i64))],
    )?;
    if target.element().is_float() {
        return of_probabilities(n, b, (&logs, &target, axis), smoothing);
    }
    let Classes { classes, weights } = Classes::read(n, b, &logs, axis)?;
    let losses = picked(b, (&logs, axis), (&classes, &weights))?;
    let result = total(n, b, (&losses, &weights))?.swap_remove(0);
    if smoothing == 0.0 {
        return Ok(result);
    }
    if n.has("weight") {
        return Err("arguments 'weight' and 'label_smoothing' together are not supported".into());
    }
    let sum = along(b, "sum", &logs, (&[axis], false))?;
    let negative = b.unary("negative", &sum)?;
    let smooth = b.binary("multiply", &negative, &weights)?;
    let smooth = total(n, b, (&smooth, &weights))?.swap_remove(0);
    let count = logs.extent(axis)?.max(1) as f64;
    let smooth = b.with_scalar("multiply", &smooth, smoothing / count)?;
    let result = b.with_scalar("multiply", &result, 1.0 - smoothing)?;
    b.binary("add", &result, &smooth)
}

fn of_probabilities(
    n: &Node<'_>,
    b: &mut GraphBuilder,
    (logs, target, axis): (&Value, &Value, usize),
    smoothing: f64,
) -> Result<Value> {
    n.ignore(&["ignore_index"]);
    if n.has("weight") {
        return Err("argument 'weight' for probabilities of classes is not supported".into());
    }
    let count = logs.extent(axis)?.max(1) as f64;
    let target = b.with_scalar("multiply", target, 1.0 - smoothing)?;
    let target = b.with_scalar("add", &target, smoothing / count)?;
    let product = b.binary("multiply", logs, &target)?;
    let sum = along(b, "sum", &product, (&[axis], false))?;
    let losses = b.unary("negative", &sum)?;
    reduced(n, b, &losses)
}
