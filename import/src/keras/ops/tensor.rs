//! Operations of `keras.ops` on whole tensors: reductions, shapes, parts and products.

use super::{
    operand::{floats, pair, tensor, value},
    row::{Row, row},
};
use crate::{
    compose::{
        einsum::einsum,
        linear::product,
        reduce::{along, arg_along, log_sum_exp},
        resample::repeated,
        shape::reshaped,
    },
    graph::{
        attr::Param,
        builder::GraphBuilder,
        error::Result,
        value::{Value, normalize_axis},
    },
    keras::{config, element, item::Tree, node::Node},
};
use relay_dialects::{dim, dim::Dim, element::Element};

/// The rows of operations.
pub const OPERATIONS: &[Row] = &[
    row(&["All"], |n, b| of_flags(n, b, "all")),
    row(&["Any"], |n, b| of_flags(n, b, "any")),
    row(&["Argmax"], |n, b| place(n, b, "argmax")),
    row(&["Argmin"], |n, b| place(n, b, "argmin")),
    row(&["BroadcastTo"], |n, b| {
        let (x, shape) = (tensor(n, b, 0, &["x"])?, dims_of(n, 1, "shape")?);
        b.broadcast(&x, &shape)
    }),
    row(&["Concatenate"], concatenate),
    row(&["Einsum"], |n, b| {
        let equation = match n.arg(usize::MAX, &["subscripts"]) {
            Some(Tree::Text(text)) => text.clone(),
            _ => n.config.text("subscripts")?.unwrap_or_default().into(),
        };
        let values = n.tensors()?.into_iter().map(|one| one.value.clone());
        einsum(b, values.collect(), &equation)
    }),
    row(&["ExpandDims"], expand_dims),
    row(&["Flip"], |n, b| {
        let x = tensor(n, b, 0, &["x"])?;
        let axes = axes(n, 1, &x)?;
        let mut made = x;
        for axis in axes {
            made = b.op("reverse", &[made], &[("axis", Param::Int(axis as i64))])?;
        }
        Ok(made)
    }),
    row(&["Logsumexp"], |n, b| {
        let (x, axes, stay) = reduction(n, b)?;
        log_sum_exp(b, &x, (&axes, stay))
    }),
    row(&["Matmul"], matmul),
    row(&["Dot"], |n, b| {
        let (lhs, rhs) = pair(n, b)?;
        match lhs.rank() > 2 && rhs.rank() > 2 {
            true => Err("the dot product of tensors of ranks above 2 is not supported".into()),
            false => product(b, &lhs, &rhs),
        }
    }),
    row(&["Max", "Amax"], |n, b| reduced(n, b, "max")),
    row(&["Mean"], |n, b| {
        let (x, axes, stay) = reduction(n, b)?;
        let x = floats(b, &x)?;
        along(b, "mean", &x, (&axes, stay))
    }),
    row(&["Min", "Amin"], |n, b| reduced(n, b, "min")),
    row(&["Moveaxis"], moveaxis),
    row(&["Norm"], |n, b| {
        let (x, axes, stay) = reduction(n, b)?;
        if n.config.value("ord").is_some() {
            return Err("attribute 'ord' is not supported; the Euclidean norm is".into());
        }
        let square = b.binary("multiply", &x, &x)?;
        let sum = along(b, "sum", &square, (&axes, stay))?;
        b.unary("sqrt", &sum)
    }),
    row(&["Normalize"], |n, b| {
        let x = tensor(n, b, 0, &["x"])?;
        if n.config.int("order")?.unwrap_or(2) != 2 {
            return Err("attribute 'order' is not 2, which is not supported".into());
        }
        let axes = axes(n, 1, &x)?;
        let epsilon = n.config.float("epsilon", 1e-12)?;
        let square = b.binary("multiply", &x, &x)?;
        let sum = along(b, "sum", &square, (&axes, true))?;
        let norm = b.unary("sqrt", &sum)?;
        let norm = b.with_scalar("maximum", &norm, epsilon)?;
        b.binary("divide", &x, &norm)
    }),
    row(&["OneHot"], one_hot),
    row(&["Pad"], pad),
    row(&["Prod"], |n, b| reduced(n, b, "prod")),
    row(&["Ravel"], |n, b| {
        let x = tensor(n, b, 0, &["x"])?;
        let count = dim::product(x.dims())?;
        b.reshape(&x, &[count])
    }),
    row(&["Repeat"], repeat),
    row(&["Reshape"], |n, b| {
        let x = tensor(n, b, 0, &["x"])?;
        let shape = dims_of(n, 1, "newshape")?;
        reshaped(b, &x, &shape)
    }),
    row(&["Squeeze"], squeeze),
    row(&["Stack"], stack),
    row(&["Std"], |n, b| {
        let variance = variance(n, b)?;
        b.unary("sqrt", &variance)
    }),
    row(&["Sum"], |n, b| reduced(n, b, "sum")),
    row(&["Swapaxes"], |n, b| {
        let x = tensor(n, b, 0, &["x"])?;
        let (first, second) = (int(n, 1, "axis1")?, int(n, 2, "axis2")?);
        let mut order: Vec<usize> = (0..x.rank()).collect();
        order.swap(x.axis(first)?, x.axis(second)?);
        b.transpose(&x, &order)
    }),
    row(&["Tile"], |n, b| {
        let (x, counts) = (tensor(n, b, 0, &["x"])?, ints(n, 1, "repeats")?);
        let attrs = [("reps", Param::Ints(counts))];
        b.op("tile", &[x], &attrs)
    }),
    row(&["Transpose"], |n, b| {
        let x = tensor(n, b, 0, &["x"])?;
        let order = match optional_ints(n, 1, "axes")? {
            Some(order) => x.axes(&order)?,
            None => (0..x.rank()).rev().collect(),
        };
        let mut sorted = order.clone();
        sorted.sort_unstable();
        match sorted.into_iter().eq(0..x.rank()) {
            true => b.transpose(&x, &order),
            false => Err(format!("axes {order:?} do not permute {:?}", x.dims())),
        }
    }),
    row(&["Var"], variance),
];

/// What arguments are called in TensorFlow.
const ALIASES: &[(&str, &str)] = &[
    ("axes", "perm"),
    ("newshape", "shape"),
    ("repeats", "multiples"),
];

/// Integers that are an argument or an attribute.
///
/// # Errors
/// If they are something else.
pub fn optional_ints(n: &Node<'_>, place: usize, name: &str) -> Result<Option<Vec<i64>>> {
    let other = ALIASES.iter().find(|(own, _)| *own == name);
    let other = other.map_or(name, |(_, other)| other);
    match n.arg(place, &[name, other]) {
        Some(item) => match item.ints() {
            Some(ints) => Ok(Some(ints)),
            None => Err(format!(
                "argument '{name}' is {}, expected integers",
                item.kind()
            )),
        },
        None => n.config.ints(name),
    }
}

/// Integers that have to be given.
pub fn ints(n: &Node<'_>, place: usize, name: &str) -> Result<Vec<i64>> {
    optional_ints(n, place, name)?.ok_or_else(|| format!("argument '{name}' is missing"))
}

/// An integer that has to be given.
pub fn int(n: &Node<'_>, place: usize, name: &str) -> Result<i64> {
    match ints(n, place, name)?[..] {
        [one] => Ok(one),
        _ => Err(format!("argument '{name}' is a list, expected an integer")),
    }
}

fn dims_of(n: &Node<'_>, place: usize, name: &str) -> Result<Vec<Dim>> {
    let ints = ints(n, place, name)?;
    Ok(ints.into_iter().map(Dim::Known).collect())
}

/// The axes of an operation; all if none are given.
fn axes(n: &Node<'_>, place: usize, x: &Value) -> Result<Vec<usize>> {
    let mut axes = match optional_ints(n, place, "axis")? {
        Some(axes) => x.axes(&axes)?,
        None => (0..x.rank()).collect(),
    };
    axes.sort_unstable();
    axes.dedup();
    Ok(axes)
}

/// What a reduction reads, its axes, and whether these stay.
fn reduction(n: &Node<'_>, b: &GraphBuilder) -> Result<(Value, Vec<usize>, bool)> {
    let x = tensor(n, b, 0, &["x"])?;
    let axes = axes(n, 1, &x)?;
    let stay = match n.arg(2, &["keepdims"]) {
        Some(Tree::Bool(flag)) => *flag,
        _ => n.config.flag("keepdims", false)?,
    };
    Ok((x, axes, stay))
}

fn reduced(n: &Node<'_>, b: &mut GraphBuilder, operator: &str) -> Result<Value> {
    let (mut x, axes, stay) = reduction(n, b)?;
    n.config.ignore(&["initial"]);
    if x.element() == Element::Bool {
        x = b.cast(&x, Element::I32)?;
    }
    along(b, operator, &x, (&axes, stay))
}

fn of_flags(n: &Node<'_>, b: &mut GraphBuilder, operator: &str) -> Result<Value> {
    let (x, axes, stay) = reduction(n, b)?;
    let x = b.cast(&x, Element::Bool)?;
    along(b, operator, &x, (&axes, stay))
}

fn variance(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let (x, axes, stay) = reduction(n, b)?;
    let x = floats(b, &x)?;
    let mean = along(b, "mean", &x, (&axes, true))?;
    let centred = b.binary("subtract", &x, &mean)?;
    let square = b.binary("multiply", &centred, &centred)?;
    along(b, "mean", &square, (&axes, stay))
}

/// The place of the greatest or least element, in 32 bits.
fn place(n: &Node<'_>, b: &mut GraphBuilder, operator: &str) -> Result<Value> {
    let mut x = tensor(n, b, 0, &["x"])?;
    let stay = n.config.flag("keepdims", false)?;
    let axis = match optional_ints(n, 1, "axis")?.as_deref() {
        Some([axis]) => x.axis(*axis)?,
        Some(axes) => return Err(format!("axes {axes:?}, expected one")),
        None => {
            let count = dim::product(x.dims())?;
            x = b.reshape(&x, &[count])?;
            0
        }
    };
    let made = arg_along(b, operator, &x, (axis, stay), false)?;
    b.cast(&made, Element::I32)
}

/// A product of matrices, either of which TensorFlow may transpose before.
fn matmul(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let (mut lhs, mut rhs) = pair(n, b)?;
    for (name, operand) in [("transpose_a", &mut lhs), ("transpose_b", &mut rhs)] {
        if matches!(n.kwarg(name), Some(Tree::Bool(true))) {
            let mut order: Vec<usize> = (0..operand.rank()).collect();
            let last = order.len();
            if last < 2 {
                return Err(format!("argument '{name}' of a vector"));
            }
            order.swap(last - 1, last - 2);
            *operand = b.transpose(operand, &order)?;
        }
    }
    for name in ["adjoint_a", "adjoint_b", "a_is_sparse", "b_is_sparse"] {
        if matches!(n.kwarg(name), Some(Tree::Bool(true))) {
            return Err(format!("argument '{name}' is not supported"));
        }
    }
    product(b, &lhs, &rhs)
}

/// Tensors of a list in one type.
fn parts(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let list = match n.first()? {
        Tree::List(all) => all.clone(),
        one => vec![one.clone()],
    };
    let mut values = Vec::new();
    for one in &list {
        values.push(value(b, one, None)?);
    }
    let mut elements = values.iter().map(Value::element);
    let first = elements.next().ok_or("a list of tensors is empty")?;
    let common = elements.fold(first, element::common);
    values.iter().map(|one| b.cast(one, common)).collect()
}

fn concatenate(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let parts = parts(n, b)?;
    let axis = optional_ints(n, 1, "axis")?.and_then(|axes| axes.first().copied());
    let axis = parts[0].axis(axis.unwrap_or(0))?;
    b.concatenate(&parts, axis)
}

fn stack(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let parts = parts(n, b)?;
    let axis = optional_ints(n, 1, "axis")?.and_then(|axes| axes.first().copied());
    let axis = normalize_axis(axis.unwrap_or(0), parts[0].rank() + 1)?;
    let mut wide = Vec::new();
    for part in parts {
        let mut dims = part.dims().to_vec();
        if axis > dims.len() {
            return Err("tensors of a stack differ in rank".into());
        }
        dims.insert(axis, Dim::Known(1));
        wide.push(b.reshape(&part, &dims)?);
    }
    b.concatenate(&wide, axis)
}

fn expand_dims(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let x = tensor(n, b, 0, &["x"])?;
    let new = ints(n, 1, "axis")?;
    let rank = x.rank() + new.len();
    let new = new.into_iter().map(|axis| normalize_axis(axis, rank));
    let new = new.collect::<Result<Vec<_>>>()?;
    let mut old = x.dims().iter();
    let dims = (0..rank).map(|axis| match new.contains(&axis) {
        true => Some(Dim::Known(1)),
        false => old.next().copied(),
    });
    let dims: Option<Vec<Dim>> = dims.collect();
    b.reshape(&x, &dims.ok_or("an axis is given twice")?)
}

fn squeeze(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let x = tensor(n, b, 0, &["x"])?;
    let gone = match optional_ints(n, 1, "axis")? {
        Some(axes) => x.axes(&axes)?,
        None => (0..x.rank()).filter(|axis| x.dims()[*axis] == 1).collect(),
    };
    let dims = x.dims().iter().enumerate();
    let dims = dims.filter(|(axis, _)| !gone.contains(axis));
    let dims: Vec<Dim> = dims.map(|(_, dim)| *dim).collect();
    b.reshape(&x, &dims)
}

fn moveaxis(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let x = tensor(n, b, 0, &["x"])?;
    let from = x.axes(&ints(n, 1, "source")?)?;
    let to = x.axes(&ints(n, 2, "destination")?)?;
    let mut order: Vec<usize> = (0..x.rank()).filter(|axis| !from.contains(axis)).collect();
    let mut moved: Vec<(usize, usize)> = to.into_iter().zip(from).collect();
    moved.sort_unstable();
    for (to, from) in moved {
        order.insert(to.min(order.len()), from);
    }
    b.transpose(&x, &order)
}

fn repeat(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let (mut x, count) = (tensor(n, b, 0, &["x"])?, int(n, 1, "repeats")?);
    let axis = match optional_ints(n, 2, "axis")?.as_deref() {
        Some([axis]) => x.axis(*axis)?,
        _ => {
            let all = dim::product(x.dims())?;
            x = b.reshape(&x, &[all])?;
            0
        }
    };
    match count {
        0.. => repeated(b, &x, &[(axis, count)]),
        _ => Err(format!("{count} repetitions")),
    }
}

fn one_hot(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let x = tensor(n, b, 0, &["x"])?;
    let classes = int(n, 1, "num_classes")?;
    let axis = optional_ints(n, 2, "axis")?.and_then(|axes| axes.first().copied());
    let to = n.config.element("dtype")?.unwrap_or(Element::F32);
    let indices = match x.element() {
        Element::I32 | Element::I64 => x,
        _ => b.cast(&x, Element::I32)?,
    };
    let (on, off) = (b.scalar(to, 1.0), b.scalar(to, 0.0));
    let attrs = [
        ("depth", Param::Int(classes)),
        ("axis", Param::Int(axis.unwrap_or(-1))),
        ("dtype", Param::Type(to)),
    ];
    b.op("one_hot", &[indices, on, off], &attrs)
}

fn pad(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let x = tensor(n, b, 0, &["x"])?;
    let mode = match n.arg(2, &["mode"]) {
        Some(Tree::Text(text)) => text.clone(),
        _ => n.config.text_or("mode", "constant")?.into(),
    };
    if mode != "constant" {
        return Err(format!("padding '{mode}' is not supported; 'constant' is"));
    }
    let pairs = match n.arg(1, &["pad_width"]) {
        Some(Tree::List(all)) => all.iter().map(Tree::ints).collect::<Option<Vec<_>>>(),
        Some(other) => other.ints().map(|one| vec![one]),
        None => {
            let given = n.config.value("pad_width");
            let given = given.and_then(|given| given.as_array().or(config::items(given)));
            let ints = |value: &serde_json::Value| match value {
                serde_json::Value::Array(all) => {
                    all.iter().map(serde_json::Value::as_i64).collect()
                }
                one => one.as_i64().map(|one| vec![one]),
            };
            given.and_then(|given| given.iter().map(ints).collect())
        }
    };
    let pairs = pairs.ok_or("argument 'pad_width' is no list of pairs")?;
    let widths: Vec<i64> = match &pairs[..] {
        all if all.len() == x.rank() && all.iter().all(|pair| pair.len() == 2) => all.concat(),
        [one] if one.len() <= 2 && !one.is_empty() => {
            let last = *one.last().unwrap_or(&0);
            [one[0], last].repeat(x.rank())
        }
        _ => return Err(format!("padding {pairs:?} of {:?}", x.dims())),
    };
    let fill = match n.arg(3, &["constant_values"]) {
        Some(item) => item.float().unwrap_or(0.0),
        None => n.config.float("constant_values", 0.0)?,
    };
    let fill = b.scalar(x.element(), fill);
    b.pad(&x, &fill, &widths, "constant")
}
