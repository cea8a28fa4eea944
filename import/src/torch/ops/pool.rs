//! Pooling.

use super::row::{Row, row, rows};
use crate::{
    compose::reduce::along,
    graph::{
        attr::Param, builder::GraphBuilder, constant::element_count, error::Result, value::Value,
    },
    torch::node::Node,
};
use relay_dialects::dim::Dim;

/// The family's rows.
pub const ROWS: &[Row] = &[
    row("adaptive_avg_pool1d", |n, b| {
        adaptive(n, b, (1, "mean", ADAPTIVE_AVERAGE))
    }),
    row("adaptive_avg_pool2d", |n, b| {
        adaptive(n, b, (2, "mean", ADAPTIVE_AVERAGE))
    }),
    row("adaptive_avg_pool3d", |n, b| {
        adaptive(n, b, (3, "mean", ADAPTIVE_AVERAGE))
    }),
    row("_adaptive_avg_pool2d", |n, b| {
        adaptive(n, b, (2, "mean", ADAPTIVE_AVERAGE))
    }),
    row("_adaptive_avg_pool3d", |n, b| {
        adaptive(n, b, (3, "mean", ADAPTIVE_AVERAGE))
    }),
    rows("adaptive_max_pool1d", |n, b| adaptive_max(n, b, 1)),
    rows("adaptive_max_pool2d", |n, b| adaptive_max(n, b, 2)),
    rows("adaptive_max_pool3d", |n, b| adaptive_max(n, b, 3)),
    row("avg_pool1d", |n, b| average(n, b, 1)),
    row("avg_pool2d", |n, b| average(n, b, 2)),
    row("avg_pool3d", |n, b| average(n, b, 3)),
    row("max_pool1d", |n, b| max(n, b, 1)),
    row("max_pool2d", |n, b| max(n, b, 2)),
    row("max_pool3d", |n, b| max(n, b, 3)),
    rows("max_pool1d_with_indices", |n, b| max_and_places(n, b, 1)),
    rows("max_pool2d_with_indices", |n, b| max_and_places(n, b, 2)),
    rows("max_pool3d_with_indices", |n, b| max_and_places(n, b, 3)),
];

const LAYOUTS: [&str; 3] = ["NCW", "NCHW", "NCDHW"];
const MAX: [&str; 3] = ["nn.max_pool1d", "nn.max_pool2d", "nn.max_pool3d"];
const AVERAGE: [&str; 3] = ["nn.avg_pool1d", "nn.avg_pool2d", "nn.avg_pool3d"];
const ADAPTIVE_MAX: [&str; 3] = [
    "nn.adaptive_max_pool1d",
    "nn.adaptive_max_pool2d",
    "nn.adaptive_max_pool3d",
];
const ADAPTIVE_AVERAGE: [&str; 3] = [
    "nn.adaptive_avg_pool1d",
    "nn.adaptive_avg_pool2d",
    "nn.adaptive_avg_pool3d",
];

/// The input with an axis for samples, and whether it came without.
fn batched(b: &mut GraphBuilder, x: Value, axes: usize) -> Result<(Value, bool)> {
    match x.rank() {
        rank if rank == axes + 2 => Ok((x, false)),
        rank if rank == axes + 1 => {
            let shape = [&[Dim::Known(1)], x.dims()].concat();
            Ok((b.reshape(&x, &shape)?, true))
        }
        _ => Err(format!(
            "an input of shape {:?} has no {axes} spatial axes",
            x.dims()
        )),
    }
}

/// The result without the axis for samples if the input had none.
fn unbatched(b: &mut GraphBuilder, x: Value, is_single: bool) -> Result<Value> {
    match is_single {
        true => b.reshape(&x, &x.dims()[1..]),
        false => Ok(x),
    }
}

/// Attributes of an operator.
type Attrs = Vec<(&'static str, Param)>;

/// The attributes of the windows of a pool, and the padding of each axis.
fn windows(n: &Node<'_>, axes: usize) -> Result<(Attrs, Vec<i64>)> {
    let kernel = n.ints_of("kernel_size", axes, 1)?;
    let strides = match n.ints("stride")?.is_some_and(|strides| !strides.is_empty()) {
        true => n.ints_of("stride", axes, 1)?,
        false => kernel.clone(),
    };
    let padding = n.ints_of("padding", axes, 0)?;
    let attrs = vec![
        ("pool_size", Param::Ints(kernel)),
        ("strides", Param::Ints(strides)),
        ("dilation", Param::Ints(n.ints_of("dilation", axes, 1)?)),
        ("layout", Param::Str(LAYOUTS[axes - 1])),
        ("ceil_mode", Param::Bool(n.bool_or("ceil_mode", false)?)),
    ];
    Ok((attrs, padding))
}

fn max(n: &Node<'_>, b: &mut GraphBuilder, axes: usize) -> Result<Value> {
    let (x, is_single) = batched(b, n.tensor("self")?, axes)?;
    let (mut attrs, padding) = windows(n, axes)?;
    attrs.push(("padding", Param::Ints(padding.repeat(2))));
    let result = b.op(MAX[axes - 1], &[x], &attrs)?;
    unbatched(b, result, is_single)
}

fn max_and_places(n: &Node<'_>, b: &mut GraphBuilder, axes: usize) -> Result<Vec<Value>> {
    if n.uses(1) {
        return Err("the places of the greatest elements (result 1) are not supported".into());
    }
    Ok(vec![max(n, b, axes)?])
}

/// Padding of the model counts if it says so; what rounding up adds to that never does.
fn average(n: &Node<'_>, b: &mut GraphBuilder, axes: usize) -> Result<Value> {
    let (mut x, is_single) = batched(b, n.tensor("self")?, axes)?;
    let (mut attrs, mut padding) = windows(n, axes)?;
    let mut counts = n.bool_or("count_include_pad", true)?;
    let rounds_up = n.bool_or("ceil_mode", false)?;
    let divisor = n.int("divisor_override")?;
    if divisor.is_some() || (counts && rounds_up) {
        let zero = b.scalar(x.element(), 0.0);
        let mut widths = vec![0; 4];
        widths.extend(padding.iter().flat_map(|width| [*width; 2]));
        x = b.pad(&x, &zero, &widths, "constant")?;
        padding = vec![0; axes];
        counts = false;
    }
    attrs.push(("padding", Param::Ints(padding.repeat(2))));
    attrs.push(("count_include_pad", Param::Bool(counts)));
    let mut result = b.op(AVERAGE[axes - 1], &[x], &attrs)?;
    if let Some(divisor) = divisor {
        if rounds_up {
            return Err(
                "arguments 'divisor_override' and 'ceil_mode' together are not supported".into(),
            );
        }
        let elements = element_count(&n.ints_of("kernel_size", axes, 1)?)?;
        result = b.with_scalar("multiply", &result, elements as f64 / divisor as f64)?;
    }
    unbatched(b, result, is_single)
}

/// So many windows over all of an image.
fn adaptive(
    n: &Node<'_>,
    b: &mut GraphBuilder,
    (axes, reduce, operators): (usize, &str, [&str; 3]),
) -> Result<Value> {
    let (x, is_single) = batched(b, n.tensor("self")?, axes)?;
    let size = n.ints_of("output_size", axes, 1)?;
    let result = match (size.iter().all(|size| *size == 1), x.rank()) {
        (true, 4) => {
            let op = match reduce {
                "mean" => "nn.global_avg_pool2d",
                _ => "nn.global_max_pool2d",
            };
            b.op(op, &[x], &[("layout", Param::Str("NCHW"))])?
        }
        (true, rank) => along(b, reduce, &x, (&(2..rank).collect::<Vec<_>>(), true))?,
        (false, _) => {
            let attrs = [
                ("output_size", Param::Ints(size)),
                ("layout", Param::Str(LAYOUTS[axes - 1])),
            ];
            b.op(operators[axes - 1], &[x], &attrs)?
        }
    };
    unbatched(b, result, is_single)
}

fn adaptive_max(n: &Node<'_>, b: &mut GraphBuilder, axes: usize) -> Result<Vec<Value>> {
    if n.uses(1) {
        return Err("the places of the greatest elements (result 1) are not supported".into());
    }
    Ok(vec![adaptive(n, b, (axes, "max", ADAPTIVE_MAX))?])
}
