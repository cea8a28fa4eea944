//! Derivatives of normalisations.

use super::row::{Row, rows};
use crate::{
    compose::reduce::along,
    graph::{builder::GraphBuilder, error::Result, value::Value},
    torch::node::Node,
};
use relay_dialects::dim::{self, Dim};

/// The family's rows.
pub const ROWS: &[Row] = &[
    rows("native_batch_norm_backward", of_batches),
    rows("native_group_norm_backward", of_groups),
    rows("native_layer_norm_backward", of_layers),
];

/// Gradients as far as argument `output_mask` asks for them.
struct Asked(Vec<i64>);

impl Asked {
    fn read(n: &Node<'_>) -> Result<Self> {
        Ok(Self(n.ints("output_mask")?.unwrap_or_else(|| vec![1; 3])))
    }

    fn chosen(&self, all: [Value; 3]) -> Vec<Value> {
        let pairs = all.into_iter().enumerate();
        let is_asked = |place: usize| self.0.get(place).is_some_and(|flag| *flag != 0);
        pairs
            .filter(|(place, _)| is_asked(*place))
            .map(|(_, value)| value)
            .collect()
    }
}

/// What is normalised: elements without their mean, by their deviation.
struct Normalized {
    elements: Value,
    /// The reciprocal of the deviation, of a rank that broadcasts to the elements.
    inverse: Value,
}

impl Normalized {
    fn of(b: &mut GraphBuilder, x: &Value, mean: &Value, inverse: Value) -> Result<Self> {
        let difference = b.binary("subtract", x, mean)?;
        let elements = b.binary("multiply", &difference, &inverse)?;
        Ok(Self { elements, inverse })
    }

    /// The gradient of the data. `gradient` is that of the normalised elements, whose mean and deviation are taken along axes.
    fn gradient(&self, b: &mut GraphBuilder, gradient: &Value, axes: &[usize]) -> Result<Value> {
        let mean = along(b, "mean", gradient, (axes, true))?;
        let product = b.binary("multiply", gradient, &self.elements)?;
        let slope = along(b, "mean", &product, (axes, true))?;
        let of_deviation = b.binary("multiply", &self.elements, &slope)?;
        let rest = b.binary("subtract", gradient, &mean)?;
        let rest = b.binary("subtract", &rest, &of_deviation)?;
        b.binary("multiply", &rest, &self.inverse)
    }
}

/// A tensor times a weight, if there is one.
fn weighted(n: &Node<'_>, b: &mut GraphBuilder, x: &Value, shape: &[Dim]) -> Result<Value> {
    match n.optional_tensor("weight")? {
        None => Ok(x.clone()),
        Some(weight) => {
            let weight = b.reshape(&weight, shape)?;
            b.binary("multiply", x, &weight)
        }
    }
}

fn of_groups(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.ignore(&["N", "C", "HxW"]);
    let (gradient, x) = (n.tensor("grad_out")?, n.tensor("input")?);
    let groups = n.required_int("group")?;
    if x.rank() < 2 || groups < 1 {
        return Err(format!(
            "{:?} are not {groups} groups of channels",
            x.dims()
        ));
    }
    let (samples, one) = (x.dims()[0], Dim::Known(1));
    let channels = dim::quotient(x.dims()[1], groups);
    let channels =
        channels.ok_or_else(|| format!("{} channels are not {groups} groups", x.dims()[1]))?;
    let groups = Dim::Known(groups);
    let apart = [samples, groups, channels, dim::product(&x.dims()[2..])?];
    let (rows, of_rows) = (b.reshape(&x, &apart)?, b.reshape(&gradient, &apart)?);
    let of_groups = [samples, groups, one, one];
    let (mean, inverse) = (n.tensor("mean")?, n.tensor("rstd")?);
    let (mean, inverse) = (
        b.reshape(&mean, &of_groups)?,
        b.reshape(&inverse, &of_groups)?,
    );
    let normalized = Normalized::of(b, &rows, &mean, inverse)?;
    let scaled = weighted(n, b, &of_rows, &[one, groups, channels, one])?;
    let of_x = normalized.gradient(b, &scaled, &[2, 3])?;
    let product = b.binary("multiply", &of_rows, &normalized.elements)?;
    let mut of_channels = |value: &Value| {
        let sums = along(b, "sum", value, (&[0, 3], false))?;
        b.reshape(&sums, &x.dims()[1..2])
    };
    let (of_weight, of_bias) = (of_channels(&product)?, of_channels(&of_rows)?);
    let of_x = b.reshape(&of_x, x.dims())?;
    Ok(Asked::read(n)?.chosen([of_x, of_weight, of_bias]))
}

fn of_layers(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.ignore(&["bias"]);
    let (gradient, x) = (n.tensor("grad_out")?, n.tensor("input")?);
    let shape = n.dims(b, "normalized_shape")?.unwrap_or_default();
    let first = x.rank().checked_sub(shape.len());
    let first = first.ok_or_else(|| format!("{shape:?} are no axes of {:?}", x.dims()))?;
    let axes: Vec<usize> = (first..x.rank()).collect();
    let front: Vec<usize> = (0..first).collect();
    let normalized = Normalized::of(b, &x, &n.tensor("mean")?, n.tensor("rstd")?)?;
    let scaled = weighted(n, b, &gradient, &shape)?;
    let of_x = normalized.gradient(b, &scaled, &axes)?;
    let product = b.binary("multiply", &gradient, &normalized.elements)?;
    let of_weight = along(b, "sum", &product, (&front, false))?;
    let of_bias = along(b, "sum", &gradient, (&front, false))?;
    Ok(Asked::read(n)?.chosen([of_x, of_weight, of_bias]))
}

fn of_batches(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let (gradient, x) = (n.tensor("grad_out")?, n.tensor("input")?);
    if x.rank() < 2 {
        return Err(format!(
            "the input has shape {:?}, expected channels",
            x.dims()
        ));
    }
    let mut shape = vec![Dim::Known(1); x.rank()];
    shape[1] = x.dims()[1];
    let epsilon = n.float_or("eps", 1e-5)?;
    let is_of_batch = n.bool_or("train", false)?;
    let (mean, inverse) = match is_of_batch {
        true => {
            n.ignore(&["running_mean", "running_var"]);
            (n.tensor("save_mean")?, n.tensor("save_invstd")?)
        }
        false => {
            n.ignore(&["save_mean", "save_invstd"]);
            let variance = b.with_scalar("add", &n.tensor("running_var")?, epsilon)?;
            (n.tensor("running_mean")?, b.unary("rsqrt", &variance)?)
        }
    };
    let (mean, inverse) = (b.reshape(&mean, &shape)?, b.reshape(&inverse, &shape)?);
    let axes: Vec<usize> = (0..x.rank()).filter(|axis| *axis != 1).collect();
    let normalized = Normalized::of(b, &x, &mean, inverse)?;
    let scaled = weighted(n, b, &gradient, &shape)?;
    let of_x = match is_of_batch {
        true => normalized.gradient(b, &scaled, &axes)?,
        false => b.binary("multiply", &scaled, &normalized.inverse)?,
    };
    let product = b.binary("multiply", &gradient, &normalized.elements)?;
    let of_weight = along(b, "sum", &product, (&axes, false))?;
    let of_bias = along(b, "sum", &gradient, (&axes, false))?;
    Ok(Asked::read(n)?.chosen([of_x, of_weight, of_bias]))
}
