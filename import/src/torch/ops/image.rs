//! Images at other sizes, and with other edges.

use super::row::{Row, row};
use crate::{
    compose::slice::sliced,
    graph::{attr::Param, builder::GraphBuilder, error::Result, value::Value},
    torch::node::Node,
};
use relay_dialects::dim::Dim;

/// The family's rows.
pub const ROWS: &[Row] = &[
    row("constant_pad_nd", |n, b| {
        let value = n.float_or("value", 0.0)?;
        padded(n, b, "pad", ("constant", value))
    }),
    row("pad", pad),
    row("reflection_pad1d", |n, b| {
        padded(n, b, "padding", ("reflect", 0.0))
    }),
    row("reflection_pad2d", |n, b| {
        padded(n, b, "padding", ("reflect", 0.0))
    }),
    row("reflection_pad3d", |n, b| {
        padded(n, b, "padding", ("reflect", 0.0))
    }),
    row("replication_pad1d", |n, b| {
        padded(n, b, "padding", ("edge", 0.0))
    }),
    row("replication_pad2d", |n, b| {
        padded(n, b, "padding", ("edge", 0.0))
    }),
    row("replication_pad3d", |n, b| {
        padded(n, b, "padding", ("edge", 0.0))
    }),
    row("upsample_bilinear2d", |n, b| resized(n, b, LINEAR)),
    row("upsample_linear1d", |n, b| resized(n, b, LINEAR)),
    row("upsample_nearest1d", |n, b| resized(n, b, NEAREST)),
    row("upsample_nearest2d", |n, b| resized(n, b, NEAREST)),
    row("upsample_nearest3d", |n, b| resized(n, b, NEAREST)),
    row("_upsample_nearest_exact1d", |n, b| {
        resized(n, b, NEAREST_EXACT)
    }),
    row("_upsample_nearest_exact2d", |n, b| {
        resized(n, b, NEAREST_EXACT)
    }),
    row("_upsample_nearest_exact3d", |n, b| {
        resized(n, b, NEAREST_EXACT)
    }),
    row("upsample_trilinear3d", |n, b| resized(n, b, LINEAR)),
];

const RESIZE: [(&str, &str); 3] = [
    ("image.resize1d", "NCW"),
    ("image.resize2d", "NCHW"),
    ("image.resize3d", "NCDHW"),
];

/// How elements between those of an image are found: by a method, from coordinates, which are rounded.
type Sampling = (&'static str, &'static str, &'static str);

const LINEAR: Sampling = ("linear", "half_pixel", "round");
const NEAREST: Sampling = ("nearest_neighbor", "asymmetric", "floor");
const NEAREST_EXACT: Sampling = ("nearest_neighbor", "half_pixel", "round");

/// The size that a node asks for: itself, or by factors.
fn size(n: &Node<'_>, b: &mut GraphBuilder, image: &[Dim]) -> Result<Vec<Dim>> {
    for name in ["output_size", "size"] {
        if let Some(size) = n.dims(b, name)? {
            n.ignore(&[
                "scale_factors",
                "scales",
                "scales_d",
                "scales_h",
                "scales_w",
            ]);
            return Ok(size);
        }
    }
    let factors = n
        .floats("scale_factors")?
        .ok_or("arguments 'output_size' and 'scale_factors' are missing")?;
    let sizes = image
        .iter()
        .zip(factors)
        .map(|(extent, factor)| match extent.known() {
            Some(known) => Ok(Dim::Known((known as f64 * factor).floor() as i64)),
            None if factor.fract() == 0.0 => extent.times(factor as i64),
            None => Err(format!("an open extent times {factor} is not supported")),
        });
    sizes.collect()
}

fn resized(
    n: &Node<'_>,
    b: &mut GraphBuilder,
    (method, coordinates, rounding): Sampling,
) -> Result<Value> {
    let x = n.tensor("self").or_else(|_| n.tensor("input"))?;
    let axes = x
        .rank()
        .checked_sub(2)
        .filter(|axes| (1..=3).contains(axes));
    let axes = axes.ok_or_else(|| format!("the input has shape {:?}", x.dims()))?;
    let size = size(n, b, &x.dims()[2..])?;
    if size.len() != axes {
        return Err(format!(
            "size {size:?} does not fit an input of shape {:?}",
            x.dims()
        ));
    }
    if size == x.dims()[2..] {
        n.ignore(&["align_corners"]);
        return Ok(x);
    }
    let coordinates = match n.bool_or("align_corners", false)? {
        true => "align_corners",
        false => coordinates,
    };
    let (op, layout) = RESIZE[axes - 1];
    let attrs = [
        ("size", Param::Dims(size)),
        ("layout", Param::Str(layout)),
        ("method", Param::Str(method)),
        ("coordinate_transformation_mode", Param::Str(coordinates)),
        ("rounding_method", Param::Str(rounding)),
    ];
    b.op(op, &[x], &attrs)
}

fn pad(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let mode = match n.text("mode")?.unwrap_or("constant") {
        "constant" => "constant",
        "reflect" => "reflect",
        "replicate" => "edge",
        "circular" => return around(n, b),
        other => return Err(format!("argument 'mode' is '{other}'")),
    };
    let value = n.float_or("value", 0.0)?;
    padded(n, b, "pad", (mode, value))
}

/// How many elements come before and behind each axis. A node lists them from the last axis on.
fn widths(n: &Node<'_>, b: &mut GraphBuilder, name: &str, rank: usize) -> Result<Vec<[Dim; 2]>> {
    let given = n.dims(b, name)?.unwrap_or_default();
    if given.len() % 2 != 0 || given.len() > 2 * rank {
        return Err(format!("argument '{name}' is {given:?} for {rank} axes"));
    }
    let mut widths = vec![[Dim::Known(0); 2]; rank];
    for (pair, width) in given.chunks_exact(2).zip(widths.iter_mut().rev()) {
        *width = [pair[0], pair[1]];
    }
    Ok(widths)
}

fn padded(
    n: &Node<'_>,
    b: &mut GraphBuilder,
    name: &str,
    (mode, value): (&'static str, f64),
) -> Result<Value> {
    let mut x = n.tensor("self")?;
    let widths = widths(n, b, name, x.rank())?;
    let is_cut = |width: &Dim| width.known().is_some_and(|width| width < 0);
    let mut cuts = Vec::new();
    for (axis, [before, after]) in widths.iter().enumerate() {
        if is_cut(before) || is_cut(after) {
            let cut = |width: &Dim| if is_cut(width) { *width } else { Dim::Known(0) };
            let start = Dim::Known(0).minus(cut(before))?;
            let end = x.dims()[axis].plus(cut(after))?;
            cuts.push((axis, start, end, 1));
        }
    }
    if !cuts.is_empty() {
        x = sliced(b, &x, &cuts)?;
    }
    let fill = b.scalar(x.element(), value);
    let widths = widths.iter().flatten();
    let widths: Vec<Dim> = widths
        .map(|width| if is_cut(width) { Dim::Known(0) } else { *width })
        .collect();
    b.pad(&x, &fill, &widths, mode)
}

/// The end of each axis before its beginning, and its beginning behind its end.
fn around(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    n.ignore(&["value"]);
    let mut x = n.tensor("self")?;
    for (axis, [before, after]) in widths(n, b, "pad", x.rank())?.into_iter().enumerate() {
        let extent = x.dims()[axis];
        let mut parts = Vec::new();
        if before != 0 {
            parts.push(sliced(b, &x, &[(axis, extent.minus(before)?, extent, 1)])?);
        }
        parts.push(x.clone());
        if after != 0 {
            parts.push(sliced(b, &x, &[(axis, Dim::Known(0), after, 1)])?);
        }
        x = b.concatenate(&parts, axis)?;
    }
    Ok(x)
}
