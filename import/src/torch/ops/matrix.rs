//! Matrices by their diagonals, norms and crosswise products.

use super::{
    parts::diagonal,
    reduce::norm_of,
    row::{Row, row, rows},
};
use crate::{
    compose::{
        determinant::{determinant, sign_and_logarithm},
        linear::product,
        reduce::along,
        shape::reshaped,
    },
    graph::{
        builder::GraphBuilder,
        constant::{Const, element_count},
        error::Result,
        value::{Value, broadcast_shapes, normalize_axis},
    },
    torch::{
        node::Node,
        promote::{as_float, of_values},
    },
};
use relay_dialects::{dim::Dim, element::Element};

/// The family's rows.
pub const ROWS: &[Row] = &[
    row("_int_mm", |n, b| {
        let (x, y) = (n.tensor("self")?, n.tensor("mat2")?);
        let (x, y) = (b.cast(&x, Element::I32)?, b.cast(&y, Element::I32)?);
        product(b, &x, &y)
    }),
    row("_trilinear", trilinear),
    row("column_stack", column_stack),
    row("cross", |n, b| {
        let axis = n.int("dim")?;
        cross(n, b, axis)
    }),
    row("diag", |n, b| {
        let x = n.tensor("self")?;
        let offset = n.int_or("diagonal", 0)?;
        match x.rank() {
            1 => embedded(b, &x, offset),
            2 => diagonal(b, &x, (0, 1), offset),
            rank => Err(format!(
                "a tensor of rank {rank} has no diagonal, and is none"
            )),
        }
    }),
    row("diag_embed", diag_embed),
    row("linalg_cross", |n, b| {
        let axis = n.int_or("dim", -1)?;
        cross(n, b, Some(axis))
    }),
    row("linalg_det", |n, b| determinant(b, &n.tensor("A")?)),
    row("det", |n, b| determinant(b, &n.tensor("self")?)),
    rows("_linalg_det", |n, b| {
        Ok(vec![determinant(b, &n.tensor("A")?)?])
    }),
    rows("linalg_slogdet", |n, b| {
        Ok(sign_and_logarithm(b, &n.tensor("A")?)?.to_vec())
    }),
    rows("_linalg_slogdet", |n, b| {
        Ok(sign_and_logarithm(b, &n.tensor("A")?)?.to_vec())
    }),
    rows("slogdet", |n, b| {
        Ok(sign_and_logarithm(b, &n.tensor("self")?)?.to_vec())
    }),
    row("linalg_norm", |n, b| linalg_norm(n, b, None)),
    row("linalg_matrix_norm", |n, b| {
        linalg_norm(n, b, Some([-2, -1]))
    }),
    row("linalg_vecdot", |n, b| {
        let (x, y) = (n.tensor("x")?, n.tensor("y")?);
        let product = b.binary("multiply", &x, &y)?;
        let axis = product.axis(n.int_or("dim", -1)?)?;
        along(b, "sum", &product, (&[axis], false))
    }),
    row("renorm", renorm),
];

/// The most elements of matrices whose places are computed while a model is imported.
const MOST_PLACES: i64 = 1 << 24;

/// Matrices that have the last axis of a tensor as a diagonal, and are 0 elsewhere.
fn embedded(b: &mut GraphBuilder, x: &Value, offset: i64) -> Result<Value> {
    let axis = x.axis(-1)?;
    let length = x.extent(axis)?;
    let extent = length + offset.abs();
    if element_count(&[extent, extent])? > MOST_PLACES {
        return Err(format!("a diagonal of {extent} elements is too long"));
    }
    let (mut places, mut flags) = (Vec::new(), Vec::new());
    for row in 0..extent {
        for column in 0..extent {
            let place = row - (-offset).max(0);
            places.push(place.clamp(0, (length - 1).max(0)));
            flags.push(i64::from(column - row == offset));
        }
    }
    let mut shape = x.dims().to_vec();
    shape[axis] = Dim::Known(extent);
    shape.push(Dim::Known(extent));
    if length == 0 {
        return b.full(x.element(), &shape, 0.0);
    }
    let spread = b.taken(x, &b.known(Const::ints(&places)), axis)?;
    let spread = b.reshape(&spread, &shape)?;
    let flags = b.known(Const::ints(&flags));
    let flags = b.reshape(&flags, &[extent, extent])?;
    let flags = b.cast(&flags, Element::Bool)?;
    let zero = b.scalar(x.element(), 0.0);
    b.op("where", &[flags, spread, zero], &[])
}

fn diag_embed(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let matrices = embedded(b, &n.tensor("self")?, n.int_or("offset", 0)?)?;
    let rank = matrices.rank();
    let first = normalize_axis(n.int_or("dim1", -2)?, rank)?;
    let second = normalize_axis(n.int_or("dim2", -1)?, rank)?;
    let mut others = 0..rank - 2;
    let axes = (0..rank).map(|axis| match axis {
        axis if axis == first => rank - 2,
        axis if axis == second => rank - 1,
        _ => others.next().unwrap_or_default(),
    });
    let axes: Vec<usize> = axes.collect();
    b.transpose(&matrices, &axes)
}

/// The vectors that are orthogonal to two, along an axis of three elements: the first such axis if none is named.
fn cross(n: &Node<'_>, b: &mut GraphBuilder, axis: Option<i64>) -> Result<Value> {
    let (x, y) = (n.tensor("self")?, n.tensor("other")?);
    let element = of_values(&[x.clone(), y.clone()]);
    let shape = broadcast_shapes(x.dims(), y.dims())?;
    let (x, y) = (b.cast(&x, element)?, b.cast(&y, element)?);
    let (x, y) = (b.broadcast(&x, &shape)?, b.broadcast(&y, &shape)?);
    let axis = match axis {
        Some(axis) => x.axis(axis)?,
        None => shape
            .iter()
            .position(|extent| *extent == Dim::Known(3))
            .unwrap_or(shape.len().max(1) - 1),
    };
    if x.extent(axis)? != 3 {
        return Err(format!("axis {axis} of {shape:?} does not have 3 elements"));
    }
    let turned = |b: &mut GraphBuilder, x: &Value, order: [i64; 3]| {
        let order = b.known(Const::ints(&order));
        b.taken(x, &order, axis)
    };
    let (next, after) = ([1, 2, 0], [2, 0, 1]);
    let (x1, y2) = (turned(b, &x, next)?, turned(b, &y, after)?);
    let (x2, y1) = (turned(b, &x, after)?, turned(b, &y, next)?);
    let (first, second) = (
        b.binary("multiply", &x1, &y2)?,
        b.binary("multiply", &x2, &y1)?,
    );
    b.binary("subtract", &first, &second)
}

/// The sums of products of three tensors, each with new axes.
fn trilinear(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    n.ignore(&["unroll_dim"]);
    let mut factors = Vec::new();
    for (tensor, expand) in [("i1", "expand1"), ("i2", "expand2"), ("i3", "expand3")] {
        let x = n.tensor(tensor)?;
        let mut axes = n.ints(expand)?.unwrap_or_default();
        axes.sort_unstable();
        let mut shape = x.dims().to_vec();
        for axis in axes {
            let place = usize::try_from(axis)
                .ok()
                .filter(|axis| *axis <= shape.len());
            let place = place.ok_or_else(|| format!("{axis} is no place of a new axis"))?;
            shape.insert(place, Dim::Known(1));
        }
        factors.push(b.reshape(&x, &shape)?);
    }
    let product = b.binary("multiply", &factors[0], &factors[1])?;
    let product = b.binary("multiply", &product, &factors[2])?;
    let axes = product.axes(&n.ints("sumdim")?.unwrap_or_default())?;
    along(b, "sum", &product, (&axes, false))
}

/// Vectors as columns, beside matrices.
fn column_stack(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let parts = n.tensors("tensors")?;
    let element = of_values(&parts);
    let mut columns = Vec::with_capacity(parts.len());
    for part in parts {
        let part = b.cast(&part, element)?;
        columns.push(match part.rank() {
            0 | 1 => reshaped(b, &part, &[Dim::Known(-1), Dim::Known(1)])?,
            _ => part,
        });
    }
    b.concatenate(&columns, 1)
}

/// Norms of vectors, and those of matrices that are sums and extremes.
///
/// `usual` are the axes that are taken if none is named; none for all.
fn linalg_norm(n: &Node<'_>, b: &mut GraphBuilder, usual: Option<[i64; 2]>) -> Result<Value> {
    let (x, name) = match n.has("A") {
        true => (n.tensor("A")?, "A"),
        false => (n.tensor("self")?, "self"),
    };
    let element = n.element("dtype")?.unwrap_or(as_float(x.element()));
    let x = b.cast(&x, element)?;
    let keep = n.bool_or("keepdim", false)?;
    let axes = n.ints("dim")?.or(usual.map(Vec::from));
    let axes = axes.map(|axes| x.axes(&axes)).transpose()?;
    let order = match n.text("ord") {
        Ok(text) => text.map(|text| (text.to_owned(), f64::NAN)),
        Err(_) => n.float("ord")?.map(|order| (String::new(), order)),
    };
    let all: Vec<usize> = (0..x.rank()).collect();
    let axes = axes.unwrap_or(all);
    let (rows, columns) = match (&order, &axes[..]) {
        (None, _) => return norm_of(b, &x, 2.0, (&axes, keep)),
        (Some((text, _)), _) if text == "fro" => return norm_of(b, &x, 2.0, (&axes, keep)),
        (Some((text, order)), [_]) if text.is_empty() => {
            return norm_of(b, &x, *order, (&axes, keep));
        }
        (_, [rows, columns]) => (*rows, *columns),
        _ => return Err(format!("'{name}' of {:?} has no such norm", x.dims())),
    };
    let size = b.unary("abs", &x)?;
    let (op, summed, other) = match order.map_or(0.0, |(_, order)| order) {
        1.0 => ("max", rows, columns),
        -1.0 => ("min", rows, columns),
        f64::INFINITY => ("max", columns, rows),
        f64::NEG_INFINITY => ("min", columns, rows),
        _ => return Err("a norm of matrices by their singular values is not supported".into()),
    };
    let sums = along(b, "sum", &size, (&[summed], true))?;
    let found = along(b, op, &sums, (&[other], true))?;
    if keep {
        return Ok(found);
    }
    let extents = found.dims().iter().enumerate();
    let rest = extents.filter(|(axis, _)| ![rows, columns].contains(axis));
    let shape: Vec<Dim> = rest.map(|(_, extent)| *extent).collect();
    b.reshape(&found, &shape)
}

/// Parts of a tensor along an axis, none of which has a greater norm than a bound.
fn renorm(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let x = n.tensor("self")?;
    let kept = x.axis(n.required_int("dim")?)?;
    let p = n.float_or("p", 2.0)?;
    let most = n.float("maxnorm")?.ok_or("argument 'maxnorm' is missing")?;
    let axes: Vec<usize> = (0..x.rank()).filter(|axis| *axis != kept).collect();
    let wide = match x.element() {
        Element::F16 | Element::Bf16 => b.cast(&x, Element::F32)?,
        _ => x.clone(),
    };
    let norm = norm_of(b, &wide, p, (&axes, true))?;
    // PyTorch adds this, so that it does not divide by 0.
    let divisor = b.with_scalar("add", &norm, 1e-7)?;
    let most_value = b.scalar(wide.element(), most);
    let factor = b.binary("divide", &most_value, &divisor)?;
    let one = b.scalar(wide.element(), 1.0);
    let is_more = b.with_scalar("greater", &norm, most)?;
    let factor = b.op("where", &[is_more, factor, one], &[])?;
    let factor = b.cast(&factor, x.element())?;
    b.binary("multiply", &x, &factor)
}
