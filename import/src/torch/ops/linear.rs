//! Products of matrices.

use super::{
    binary::scaled,
    row::{Row, row},
    shape::axes,
};
use crate::{
    compose::{
        einsum::einsum,
        linear::{linear_of, product},
        reduce::along,
    },
    graph::{builder::GraphBuilder, error::Result, value::Value},
    torch::{node::Node, promote::of_values},
};
use relay_dialects::{
    dim::{self, Dim},
    element::Element,
};

/// The family's rows.
pub const ROWS: &[Row] = &[
    row("_scaled_mm", scaled_product),
    row("addbmm", addbmm),
    row("addmm", |n, b| added(n, b, ["mat1", "mat2"])),
    row("addmv", |n, b| added(n, b, ["mat", "vec"])),
    row("addr", |n, b| {
        let (x, y) = (n.tensor("vec1")?, n.tensor("vec2")?);
        let both = outer(b, &x, &y)?;
        sum(n, b, both)
    }),
    row("baddbmm", |n, b| added(n, b, ["batch1", "batch2"])),
    row("bilinear", bilinear),
    row("bmm", |n, b| {
        product(b, &n.tensor("self")?, &n.tensor("mat2")?)
    }),
    row("dot", |n, b| {
        product(b, &n.tensor("self")?, &n.tensor("tensor")?)
    }),
    row("vdot", |n, b| {
        product(b, &n.tensor("self")?, &n.tensor("other")?)
    }),
    row("einsum", |n, b| {
        n.ignore(&["path"]);
        let equation = n
            .text("equation")?
            .ok_or("argument 'equation' is missing")?;
        einsum(b, n.tensors("tensors")?, equation)
    }),
    row("chain_matmul", |n, b| {
        let matrices = n.tensors("matrices")?;
        let mut rest = matrices.iter();
        let first = rest.next().cloned().ok_or("there are no matrices")?;
        rest.try_fold(first, |all, next| product(b, &all, next))
    }),
    row("inner", |n, b| {
        let (x, y) = (n.tensor("self")?, n.tensor("other")?);
        let (last, of_other) = (x.axis(-1)?, y.axis(-1)?);
        contracted(b, (&x, &[last]), (&y, &[of_other]))
    }),
    row("kron", kron),
    row("linear", linear),
    row("matmul", |n, b| {
        product(b, &n.tensor("self")?, &n.tensor("other")?)
    }),
    row("linalg_matmul", |n, b| {
        product(b, &n.tensor("self")?, &n.tensor("other")?)
    }),
    row("mm", |n, b| {
        product(b, &n.tensor("self")?, &n.tensor("mat2")?)
    }),
    row("tensordot", |n, b| {
        let (x, y) = (n.tensor("self")?, n.tensor("other")?);
        let (of_x, of_y) = (axes(n, "dims_self", &x)?, axes(n, "dims_other", &y)?);
        contracted(b, (&x, &of_x), (&y, &of_y))
    }),
    row("mv", |n, b| {
        product(b, &n.tensor("self")?, &n.tensor("vec")?)
    }),
    row("outer", |n, b| {
        outer(b, &n.tensor("self")?, &n.tensor("vec2")?)
    }),
    row("ger", |n, b| {
        outer(b, &n.tensor("self")?, &n.tensor("vec2")?)
    }),
    row("cosine_similarity", cosine_similarity),
    row("_euclidean_dist", |n, b| {
        distances(b, &n.tensor("x1")?, &n.tensor("x2")?)
    }),
    row("cdist", cdist),
    row("_cdist_forward", cdist),
];

fn linear(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let (x, weight) = (n.tensor("input")?, n.tensor("weight")?);
    let result = match weight.rank() {
        // One output, without an axis for it.
        1 => product(b, &x, &weight)?,
        _ => linear_of(b, &x, &weight)?,
    };
    match n.optional_tensor("bias")? {
        Some(bias) => b.binary("add", &result, &bias),
        None => Ok(result),
    }
}

/// beta * self + alpha * product.
fn sum(n: &Node<'_>, b: &mut GraphBuilder, product: Value) -> Result<Value> {
    let product = scaled(n, b, product, "alpha")?;
    let x = n.tensor("self")?;
    let x = scaled(n, b, x, "beta")?;
    b.binary("add", &product, &x)
}

fn added(n: &Node<'_>, b: &mut GraphBuilder, [lhs, rhs]: [&str; 2]) -> Result<Value> {
    let product = product(b, &n.tensor(lhs)?, &n.tensor(rhs)?)?;
    sum(n, b, product)
}

/// The product of matrices of narrow floats, each of which has one scale, or one for each row of the first and each column of the second.
fn scaled_product(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    n.ignore(&["use_fast_accum"]);
    let (x, y) = (n.tensor("self")?, n.tensor("mat2")?);
    let element = n.element("out_dtype")?.unwrap_or(x.element());
    let (wide_x, wide_y) = (b.cast(&x, Element::F32)?, b.cast(&y, Element::F32)?);
    let mut result = product(b, &wide_x, &wide_y)?;
    let [rows, columns] = result.dims()[..] else {
        return Err(format!("{:?} and {:?} are no matrices", x.dims(), y.dims()));
    };
    let one = Dim::Known(1);
    for (name, whole) in [("scale_a", [rows, one]), ("scale_b", [one, columns])] {
        let scale = n.tensor(name)?;
        let scale = b.cast(&scale, Element::F32)?;
        let shape = match dim::product(scale.dims())? {
            count if count == 1 => [one, one],
            _ if scale.dims() == whole => whole,
            _ => {
                return Err(format!(
                    "argument '{name}' has shape {:?}, which is not supported",
                    scale.dims()
                ));
            }
        };
        let scale = b.reshape(&scale, &shape)?;
        result = b.binary("multiply", &result, &scale)?;
    }
    if let Some(bias) = n.optional_tensor("bias")? {
        let bias = b.cast(&bias, Element::F32)?;
        result = b.binary("add", &result, &bias)?;
    }
    b.cast(&result, element)
}

fn addbmm(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let products = product(b, &n.tensor("batch1")?, &n.tensor("batch2")?)?;
    let product = along(b, "sum", &products, (&[0], false))?;
    sum(n, b, product)
}

/// Each element of a vector times each of another one.
pub fn outer(b: &mut GraphBuilder, x: &Value, y: &Value) -> Result<Value> {
    let element = of_values(&[x.clone(), y.clone()]);
    let (x, y) = (b.cast(x, element)?, b.cast(y, element)?);
    let (rows, columns) = (dim::product(x.dims())?, dim::product(y.dims())?);
    let x = b.reshape(&x, &[rows, Dim::Known(1)])?;
    let y = b.reshape(&y, &[Dim::Known(1), columns])?;
    b.binary("multiply", &x, &y)
}

fn bilinear(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let operands = vec![
        n.tensor("input1")?,
        n.tensor("weight")?,
        n.tensor("input2")?,
    ];
    let result = einsum(b, operands, "...i,oij,...j->...o")?;
    match n.optional_tensor("bias")? {
        Some(bias) => b.binary("add", &result, &bias),
        None => Ok(result),
    }
}

/// The product of two vectors by those of their norms, none of which counts as less than epsilon.
fn cosine_similarity(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let (x, y) = (n.tensor("x1")?, n.tensor("x2")?);
    let shape = crate::graph::value::broadcast_shapes(x.dims(), y.dims())?;
    let epsilon = n.float_or("eps", 1e-8)?;
    let axis = crate::graph::value::normalize_axis(n.int_or("dim", 1)?, shape.len())?;
    let mut unit = |x: &Value| {
        let x = b.broadcast(x, &shape)?;
        let square = b.binary("multiply", &x, &x)?;
        let sum = along(b, "sum", &square, (&[axis], true))?;
        let norm = b.unary("sqrt", &sum)?;
        let norm = b.with_scalar("maximum", &norm, epsilon)?;
        b.binary("divide", &x, &norm)
    };
    let (x, y) = (unit(&x)?, unit(&y)?);
    let product = b.binary("multiply", &x, &y)?;
    along(b, "sum", &product, (&[axis], false))
}

fn cdist(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    n.ignore(&["compute_mode"]);
    let p = n.float_or("p", 2.0)?;
    if p != 2.0 {
        return Err(format!("argument 'p' is {p}, and 2 is supported"));
    }
    distances(b, &n.tensor("x1")?, &n.tensor("x2")?)
}

/// The distances of all rows of two matrices.
fn distances(b: &mut GraphBuilder, x: &Value, y: &Value) -> Result<Value> {
    let (rank, mut of_x, mut of_y) = (x.rank(), x.dims().to_vec(), y.dims().to_vec());
    if rank < 2 || y.rank() < 2 {
        return Err(format!("{:?} and {:?} are no matrices", x.dims(), y.dims()));
    }
    of_x.insert(rank - 1, Dim::Known(1));
    of_y.insert(y.rank() - 2, Dim::Known(1));
    let (x, y) = (b.reshape(x, &of_x)?, b.reshape(y, &of_y)?);
    let difference = b.binary("subtract", &x, &y)?;
    let square = b.binary("multiply", &difference, &difference)?;
    let sum = along(b, "sum", &square, (&[square.rank() - 1], false))?;
    b.unary("sqrt", &sum)
}

/// The sums of products over axes of two tensors. The result has the other axes of the first one, and then those of the second.
fn contracted(
    b: &mut GraphBuilder,
    (x, of_x): (&Value, &[usize]),
    (y, of_y): (&Value, &[usize]),
) -> Result<Value> {
    let rest = |value: &Value, axes: &[usize]| -> Vec<usize> {
        (0..value.rank())
            .filter(|axis| !axes.contains(axis))
            .collect()
    };
    let (rows, columns) = (rest(x, of_x), rest(y, of_y));
    let extents = |value: &Value, axes: &[usize]| -> Vec<Dim> {
        axes.iter().map(|axis| value.dims()[*axis]).collect()
    };
    let (of_rows, of_columns) = (extents(x, &rows), extents(y, &columns));
    let inner = dim::product(&extents(x, of_x))?;
    let lhs = b.transpose(x, &[&rows[..], of_x].concat())?;
    let lhs = b.reshape(&lhs, &[dim::product(&of_rows)?, inner])?;
    let rhs = b.transpose(y, &[of_y, &columns[..]].concat())?;
    let rhs = b.reshape(&rhs, &[inner, dim::product(&of_columns)?])?;
    let all = product(b, &lhs, &rhs)?;
    b.reshape(&all, &[of_rows, of_columns].concat())
}

/// Each element of a tensor times all of another one.
fn kron(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let (x, y) = (n.tensor("self")?, n.tensor("other")?);
    let rank = x.rank().max(y.rank());
    let (mut of_x, mut of_y, mut whole) = (Vec::new(), Vec::new(), Vec::new());
    for axis in 0..rank {
        let extent = |value: &Value| match (axis + value.rank()).checked_sub(rank) {
            Some(axis) => value.dims()[axis],
            None => Dim::Known(1),
        };
        of_x.extend([extent(&x), Dim::Known(1)]);
        of_y.extend([Dim::Known(1), extent(&y)]);
        whole.push(extent(&x).times(extent(&y))?);
    }
    let (x, y) = (b.reshape(&x, &of_x)?, b.reshape(&y, &of_y)?);
    let all = b.binary("multiply", &x, &y)?;
    b.reshape(&all, &whole)
}
