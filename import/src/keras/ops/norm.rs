//! Normalisations.

use super::row::{Row, item, row};
use crate::{
    compose::norm::{by_root_of_squares, mean, normalized, widened},
    graph::{attr::Param, builder::GraphBuilder, error::Result, value::Value},
    keras::{
        item::{Item, Tree},
        node::{Node, weight},
    },
};
use relay_dialects::{dim::Dim, element::Element};

/// The rows of layers.
pub const LAYERS: &[Row] = &[
    row(
        &[
            "BatchNormalization",
            "BatchNormalizationV1",
            "BatchNormalizationV2",
            "SyncBatchNormalization",
        ],
        batch_norm,
    )
    .passing(),
    row(&["GroupNormalization"], group_norm).passing(),
    row(&["LayerNormalization"], layer_norm).passing(),
    row(&["RMSNormalization"], rms_norm),
    item(&["SpectralNormalization"], spectral_norm).wrapping(),
    row(&["UnitNormalization"], unit_norm).passing(),
];

/// A weight in the type that a normalisation computes in.
fn wide_weight(n: &Node<'_>, b: &mut GraphBuilder, name: &str) -> Result<Value> {
    let compute = match n.policy.compute {
        Element::F64 => Element::F64,
        _ => Element::F32,
    };
    weight(b, &n.scope, name, compute)
}

/// A weight if a flag says that there is one, else a vector of one number.
fn optional(
    n: &Node<'_>,
    b: &mut GraphBuilder,
    (flag, name): (&str, &str),
    (extent, number): (Dim, f64),
) -> Result<Value> {
    match n.config.flag(flag, true)? {
        true => wide_weight(n, b, name),
        false => b.full(Element::F32, &[extent], number),
    }
}

fn batch_norm(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    n.config.ignore(&[
        "fused",
        "momentum",
        "renorm",
        "renorm_clipping",
        "renorm_momentum",
        "virtual_batch_size",
    ]);
    let x = n.x()?;
    let axis = match n.config.ints("axis")?.as_deref() {
        None => x.axis(-1)?,
        Some([axis]) => x.axis(*axis)?,
        Some(axes) => return Err(format!("attribute 'axis' is {axes:?}; one is supported")),
    };
    let epsilon = n.config.float("epsilon", 1e-3)?;
    let channels = x.dims()[axis];
    let operands = [
        widened(b, &x)?,
        optional(n, b, ("scale", "gamma"), (channels, 1.0))?,
        optional(n, b, ("center", "beta"), (channels, 0.0))?,
        wide_weight(n, b, "moving_mean")?,
        wide_weight(n, b, "moving_variance")?,
    ];
    let attrs = [
        ("axis", Param::Int(axis as i64)),
        ("epsilon", Param::Float(epsilon)),
    ];
    let made = b.ops("nn.batch_norm", &operands, &attrs)?;
    let made = made.first().ok_or("relay.nn.batch_norm has no result")?;
    b.cast(made, x.element())
}

/// The axes of a normalisation.
fn axes(n: &Node<'_>, x: &Value) -> Result<Vec<usize>> {
    let axes = n.config.ints("axis")?.unwrap_or_else(|| vec![-1]);
    let mut axes = x.axes(&axes)?;
    axes.sort_unstable();
    axes.dedup();
    Ok(axes)
}

/// A weight in the shape that broadcasts along some axes.
fn broadcast(b: &mut GraphBuilder, weight: &Value, x: &Value, axes: &[usize]) -> Result<Value> {
    let mut dims = vec![Dim::Known(1); x.rank()];
    for axis in axes {
        dims[*axis] = x.dims()[*axis];
    }
    b.reshape(weight, &dims)
}

fn layer_norm(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let x = n.x()?;
    let axes = axes(n, &x)?;
    let epsilon = n.config.float("epsilon", 1e-3)?;
    let by_variance = n.config.flag("rms_scaling", false)?;
    let scale = match by_variance || n.config.flag("scale", true)? {
        true => Some(wide_weight(n, b, "gamma")?),
        false => None,
    };
    let bias = match !by_variance && n.config.flag("center", true)? {
        true => Some(wide_weight(n, b, "beta")?),
        false => None,
    };
    n.config.ignore(&["center", "scale"]);
    let wide = widened(b, &x)?;
    if let ([axis], false) = (&axes[..], by_variance)
        && axis + 1 == x.rank()
    {
        let scale = match scale {
            Some(scale) => scale,
            None => b.full(wide.element(), &[x.dims()[*axis]], 1.0)?,
        };
        let mut made = normalized(b, (&wide, &scale, bias), (*axis, epsilon), false)?;
        return b.cast(&made.swap_remove(0), x.element());
    }
    let average = mean(b, &wide, &axes)?;
    let centred = b.binary("subtract", &wide, &average)?;
    let square = b.binary("multiply", &centred, &centred)?;
    let variance = mean(b, &square, &axes)?;
    let shifted = b.with_scalar("add", &variance, epsilon)?;
    let inverse = b.unary("rsqrt", &shifted)?;
    let start = if by_variance { &wide } else { &centred };
    let mut made = b.binary("multiply", start, &inverse)?;
    for (operator, weight) in [("multiply", scale), ("add", bias)] {
        if let Some(weight) = weight {
            let weight = broadcast(b, &weight, &x, &axes)?;
            made = b.binary(operator, &made, &weight)?;
        }
    }
    b.cast(&made, x.element())
}

/// Channels are split into groups, each of which is normalised together with all other axes of a sample.
fn group_norm(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let x = n.x()?;
    let axis = x.axis(n.config.int("axis")?.unwrap_or(-1))?;
    let channels = x.extent(axis)?;
    let groups = match n.config.int("groups")?.unwrap_or(32) {
        -1 => channels,
        groups => groups,
    };
    if axis == 0 || groups < 1 || channels % groups != 0 {
        return Err(format!(
            "{groups} groups of {channels} channels of axis {axis}"
        ));
    }
    let epsilon = n.config.float("epsilon", 1e-3)?;
    let wide = widened(b, &x)?;
    let mut dims = x.dims().to_vec();
    dims[axis] = Dim::Known(channels / groups);
    dims.insert(axis, Dim::Known(groups));
    let grouped = b.reshape(&wide, &dims)?;
    let axes: Vec<usize> = (1..dims.len()).filter(|other| *other != axis).collect();
    let average = mean(b, &grouped, &axes)?;
    let centred = b.binary("subtract", &grouped, &average)?;
    let square = b.binary("multiply", &centred, &centred)?;
    let variance = mean(b, &square, &axes)?;
    let shifted = b.with_scalar("add", &variance, epsilon)?;
    let inverse = b.unary("rsqrt", &shifted)?;
    let made = b.binary("multiply", &centred, &inverse)?;
    let mut made = b.reshape(&made, x.dims())?;
    for (flag, name, operator) in [("scale", "gamma", "multiply"), ("center", "beta", "add")] {
        if n.config.flag(flag, true)? {
            let weight = wide_weight(n, b, name)?;
            let weight = broadcast(b, &weight, &x, &[axis])?;
            made = b.binary(operator, &made, &weight)?;
        }
    }
    b.cast(&made, x.element())
}

fn rms_norm(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let x = n.x()?;
    let axes = axes(n, &x)?;
    let epsilon = n.config.float("epsilon", 1e-6)?;
    let name = match n.scope.has_next("scale") {
        true => "scale",
        false => "gamma",
    };
    let scale = wide_weight(n, b, name)?;
    let scale = broadcast(b, &scale, &x, &axes)?;
    let wide = widened(b, &x)?;
    let trailing: Vec<usize> = (axes[0]..x.rank()).collect();
    if axes == trailing {
        let [made, _] = by_root_of_squares(b, (&wide, &scale), (axes[0], epsilon))?;
        return b.cast(&made, x.element());
    }
    let square = b.binary("multiply", &wide, &wide)?;
    let average = mean(b, &square, &axes)?;
    let shifted = b.with_scalar("add", &average, epsilon)?;
    let inverse = b.unary("rsqrt", &shifted)?;
    let made = b.binary("multiply", &wide, &inverse)?;
    let made = b.binary("multiply", &made, &scale)?;
    b.cast(&made, x.element())
}

/// x / max(|x|, 1e-12), with the norm of some axes.
fn unit_norm(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let x = n.x()?;
    let axes = axes(n, &x)?;
    let square = b.binary("multiply", &x, &x)?;
    let sum = crate::compose::reduce::along(b, "sum", &square, (&axes, true))?;
    let norm = b.unary("sqrt", &sum)?;
    let norm = b.with_scalar("maximum", &norm, 1e-12)?;
    b.binary("divide", &x, &norm)
}

/// The kernel that the file holds is the normalised one.
fn spectral_norm(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Item> {
    n.config.ignore(&["layer", "power_iterations"]);
    let part = n.layer.part("layer")?;
    let scope = n.scope.part(&["layer"], &part.name);
    let first: Item = match n.first()? {
        Tree::None => return Err("it is called without a tensor".into()),
        first => first.clone(),
    };
    n.apply(b, part, scope, (vec![first], Vec::new()))
}
