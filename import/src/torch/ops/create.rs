//! Tensors that are made, and tensors as other types.

use super::{
    alias,
    row::{Row, row, rows},
};
use crate::{
    compose::subscript::{compare, computed_range, known_range, open_range},
    graph::{builder::GraphBuilder, constant::Const, error::Result, value::Value},
    torch::{
        item::{Number, Operand},
        node::Node,
        promote::{DEFAULT, of_number, result_type},
    },
};
use relay_dialects::{dim::Dim, element::Element};

/// The family's rows.
pub const ROWS: &[Row] = &[
    row("_to_copy", cast),
    row("alias", same).view(alias::same),
    row("arange", arange),
    row("arange.start", arange),
    row("arange.start_step", arange),
    row("clone", same),
    row("contiguous", same).view_or_copy(alias::same),
    row("copy", copy),
    row("cpu", same).view(alias::same),
    row("detach", same).view(alias::same),
    row("detach_copy", same),
    row("dropout", dropout).view(alias::same),
    row("alpha_dropout", dropout),
    row("feature_dropout", dropout),
    rows("native_dropout", |n, b| {
        let x = dropout(n, b)?;
        let kept = b.full(Element::Bool, x.dims(), 1.0)?;
        Ok(vec![x, kept])
    }),
    row("empty", |n, b| filled(n, b, Some(0.0))),
    row("empty_like", |n, b| filled_like(n, b, Some(0.0))),
    row("empty_permuted", |n, b| {
        n.ignore(&["physical_layout"]);
        filled(n, b, Some(0.0))
    }),
    row("empty_strided", |n, b| {
        n.ignore(&["stride"]);
        filled(n, b, Some(0.0))
    }),
    row("new_empty_strided", |n, b| {
        n.ignore(&["stride"]);
        filled_like(n, b, Some(0.0))
    }),
    row("_cast_Double", |n, b| {
        b.cast(&n.tensor("self")?, Element::F64)
    }),
    row("_cast_Float", |n, b| {
        b.cast(&n.tensor("self")?, Element::F32)
    }),
    row("_cast_Int", |n, b| b.cast(&n.tensor("self")?, Element::I32)),
    row("_cast_Long", |n, b| {
        b.cast(&n.tensor("self")?, Element::I64)
    }),
    row("hann_window", hann_window),
    row("eye", eye),
    row("fill", fill),
    row("full", |n, b| filled(n, b, None)),
    row("full_like", |n, b| filled_like(n, b, None)),
    row("lift_fresh_copy", same),
    row("lift_fresh", same),
    row("linspace", linspace),
    rows("meshgrid", grid),
    row("new_empty", |n, b| filled_like(n, b, Some(0.0))),
    row("new_full", |n, b| filled_like(n, b, None)),
    row("new_ones", |n, b| filled_like(n, b, Some(1.0))),
    row("new_zeros", |n, b| filled_like(n, b, Some(0.0))),
    row("ones", |n, b| filled(n, b, Some(1.0))),
    row("ones_like", |n, b| filled_like(n, b, Some(1.0))),
    row("positive", same),
    row("resolve_conj", same),
    row("resolve_neg", same),
    row("scalar_tensor", scalar_tensor),
    row("to", cast).view(alias::same),
    row("tril", |n, b| triangle(n, b, "less_equal")),
    row("triu", |n, b| triangle(n, b, "greater_equal")),
    row("tril_indices", |n, b| {
        triangle_places(n, b, |row, column, offset| column - row <= offset)
    }),
    row("triu_indices", |n, b| {
        triangle_places(n, b, |row, column, offset| column - row >= offset)
    }),
    row("type_as", |n, b| {
        let (x, other) = (n.tensor("self")?, n.tensor("other")?);
        b.cast(&x, other.element())
    })
    .view(alias::same),
    row("zero", |n, b| filled_like(n, b, Some(0.0))),
    row("zeros", |n, b| filled(n, b, Some(0.0))),
    row("zeros_like", |n, b| filled_like(n, b, Some(0.0))),
];

/// What concerns memory only.
fn ignore_memory(n: &Node<'_>) {
    n.ignore(&[
        "layout",
        "device",
        "pin_memory",
        "memory_format",
        "non_blocking",
        "copy",
        "requires_grad",
    ]);
}

fn same(n: &Node<'_>, _: &mut GraphBuilder) -> Result<Value> {
    ignore_memory(n);
    n.tensor("self")
}

/// A tensor as another element type, or as that of another tensor.
fn cast(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    ignore_memory(n);
    let x = n.tensor("self")?;
    match (n.element("dtype")?, n.optional_tensor("other")?) {
        (Some(element), _) => b.cast(&x, element),
        (None, Some(other)) => b.cast(&x, other.element()),
        (None, None) => Ok(x),
    }
}

/// The elements of another tensor, in the shape and the type of this one.
fn copy(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    ignore_memory(n);
    let (x, source) = (n.tensor("self")?, n.tensor("src")?);
    let source = b.cast(&source, x.element())?;
    b.broadcast(&source, x.dims())
}

fn fill(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let (x, value) = (n.tensor("self")?, n.operand("value")?);
    let value = value.cast(b, x.element())?;
    b.broadcast(&value, x.dims())
}

/// Nothing is dropped where nothing is trained.
fn dropout(n: &Node<'_>, _: &mut GraphBuilder) -> Result<Value> {
    n.ignore(&["p"]);
    if n.bool_or("train", false)? {
        return Err(
            "argument 'train' is true: what is dropped is random; call eval() before the export"
                .into(),
        );
    }
    // The operator that works in place calls it otherwise.
    match n.has("self") {
        true => n.tensor("self"),
        false => n.tensor("input"),
    }
}

/// A number or a tensor of rank 0, repeated to a shape.
fn repeated(
    b: &mut GraphBuilder,
    value: &Operand,
    element: Element,
    dims: &[Dim],
) -> Result<Value> {
    if let Operand::Number(number) = value
        && let Some(number) = number.known()
        && number.abs() < EXACT
    {
        return b.full(element, dims, number);
    }
    let value = value.cast(b, element)?;
    b.broadcast(&value, dims)
}

/// Below this number, a float of 64 bits holds every integer.
const EXACT: f64 = (1_u64 << 53) as f64;

fn filled(n: &Node<'_>, b: &mut GraphBuilder, number: Option<f64>) -> Result<Value> {
    ignore_memory(n);
    let dims = n.dims(b, "size")?.unwrap_or_default();
    let given = n.element("dtype")?;
    match number {
        Some(number) => b.full(given.unwrap_or(DEFAULT), &dims, number),
        None => {
            let value = n.operand("fill_value")?;
            let element = given.unwrap_or_else(|| result_type(&[&value]));
            repeated(b, &value, element, &dims)
        }
    }
}

/// Of the shape of a tensor, or of another one, and of its type.
fn filled_like(n: &Node<'_>, b: &mut GraphBuilder, number: Option<f64>) -> Result<Value> {
    ignore_memory(n);
    let x = n.tensor("self")?;
    let dims = match n.dims(b, "size")? {
        Some(dims) => dims,
        None => x.dims().to_vec(),
    };
    let element = n.element("dtype")?.unwrap_or(x.element());
    match number {
        Some(number) => b.full(element, &dims, number),
        None => {
            let value = n.operand("fill_value")?;
            repeated(b, &value, element, &dims)
        }
    }
}

fn scalar_tensor(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    ignore_memory(n);
    let number = n.number("s")?.ok_or("argument 's' is missing")?;
    let element = n.element("dtype")?.unwrap_or(DEFAULT);
    number.cast(b, element)
}

/// Half a cosine, turned: of a window that repeats, or one with both ends.
fn hann_window(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    ignore_memory(n);
    let length = n.required_int("window_length")?;
    let is_periodic = n.bool_or("periodic", true)?;
    let element = n.element("dtype")?.unwrap_or(DEFAULT);
    if length <= 1 {
        return b.filled(element, &[length.max(0)], 1.0);
    }
    let period = if is_periodic { length } else { length - 1 };
    let places = b.iota(Element::F64, &[Dim::Known(length)], 0)?;
    let angles = b.with_scalar(
        "multiply",
        &places,
        2.0 * std::f64::consts::PI / period as f64,
    )?;
    let cosines = b.unary("cos", &angles)?;
    let halves = b.with_scalar("multiply", &cosines, -0.5)?;
    let window = b.with_scalar("add", &halves, 0.5)?;
    b.cast(&window, element)
}

/// The numbers from a start to before an end.
fn arange(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    ignore_memory(n);
    let start = n.number("start")?.unwrap_or(Number::Int(0));
    let end = n.number("end")?.ok_or("argument 'end' is missing")?;
    let step = n.number("step")?.unwrap_or(Number::Int(1));
    let ends = [start, end, step];
    let is_float = ends.iter().any(|end| of_number(end).is_float());
    let default = if is_float { DEFAULT } else { Element::I64 };
    let element = n.element("dtype")?.unwrap_or(default);
    // The number of elements is that of the ends before they are rounded to the element type.
    let exact = if is_float { Element::F64 } else { Element::I64 };
    let [start, end, step] = ends.map(|end| end.cast(b, exact));
    let ends = [start?, end?, step?];
    let known: Option<Vec<&Const>> = ends.iter().map(Value::constant).collect();
    let range = match known.as_deref() {
        Some([start, end, step]) => known_range(b, [*start, *end, *step])?,
        _ => {
            let has_forms = ends.iter().all(Value::is_known) && ends[2].elements().is_none();
            match has_forms
                .then(|| open_range(&ends, b))
                .transpose()?
                .flatten()
            {
                Some(open) => open,
                None => computed_range(b, &ends)?,
            }
        }
    };
    b.cast(&range, element)
}

/// So many numbers from a start to an end, evenly.
fn linspace(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    ignore_memory(n);
    let steps = n.required_int("steps")?;
    let (start, end) = (n.float("start")?, n.float("end")?);
    let (Some(start), Some(end)) = (start, end) else {
        return Err("arguments 'start' and 'end' are missing".into());
    };
    let element = n.element("dtype")?.unwrap_or(DEFAULT);
    if !(0..=LONGEST).contains(&steps) {
        return Err(format!("argument 'steps' is {steps}"));
    }
    let step = (end - start) / (steps - 1).max(1) as f64;
    // Each half is counted from its own end.
    let numbers = (0..steps).map(|place| match place < steps / 2 {
        true => start + step * place as f64,
        false if steps == 1 => start,
        false => end - step * (steps - 1 - place) as f64,
    });
    let numbers = crate::graph::constant::Numbers::Floats(numbers.collect());
    Ok(b.known(Const::new(element, vec![steps], &numbers)))
}

/// The most numbers that are computed while a model is imported.
const LONGEST: i64 = 1 << 24;

fn eye(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    ignore_memory(n);
    let rows = n.dim(b, "n")?.ok_or("argument 'n' is missing")?;
    let columns = n.dim(b, "m")?.unwrap_or(rows);
    let element = n.element("dtype")?.unwrap_or(DEFAULT);
    let ones = compare(b, "equal", (rows, columns), 0)?;
    b.cast(&ones, element)
}

/// What is on a diagonal of each matrix and on one side of it; what is elsewhere becomes 0.
fn triangle(n: &Node<'_>, b: &mut GraphBuilder, op: &str) -> Result<Value> {
    let (x, diagonal) = (n.tensor("self")?, n.int_or("diagonal", 0)?);
    let [.., rows, columns] = x.dims()[..] else {
        return Err(format!(
            "the input has shape {:?}, expected matrices",
            x.dims()
        ));
    };
    let kept = compare(b, op, (rows, columns), diagonal)?;
    let zero = b.scalar(x.element(), 0.0);
    b.op("where", &[kept, x, zero], &[])
}

/// The rows and columns of the places of a triangle.
fn triangle_places(
    n: &Node<'_>,
    b: &mut GraphBuilder,
    is_in: fn(i64, i64, i64) -> bool,
) -> Result<Value> {
    ignore_memory(n);
    let (rows, columns) = (n.required_int("row")?, n.required_int("col")?);
    let offset = n.int_or("offset", 0)?;
    let element = n.element("dtype")?.unwrap_or(Element::I64);
    if rows
        .checked_mul(columns)
        .is_none_or(|count| count > LONGEST)
    {
        return Err(format!("{rows} x {columns} places are too many"));
    }
    let places = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
    let places: Vec<(i64, i64)> = places
        .filter(|(row, column)| is_in(*row, *column, offset))
        .collect();
    let all = places
        .iter()
        .map(|place| place.0)
        .chain(places.iter().map(|place| place.1));
    let numbers = crate::graph::constant::Numbers::ints(&all.collect::<Vec<_>>());
    Ok(b.known(Const::new(element, vec![2, places.len() as i64], &numbers)))
}

/// Of each list of coordinates, those of all points of the grid.
fn grid(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let lists = n.tensors("tensors")?;
    let is_xy = match n.text("indexing")?.unwrap_or("ij") {
        "ij" => false,
        "xy" => true,
        other => return Err(format!("argument 'indexing' is '{other}'")),
    };
    let count = lists.len();
    let axis_of = |list: usize| match list {
        0 | 1 if is_xy && count > 1 => 1 - list,
        _ => list,
    };
    let mut shape = vec![Dim::Known(1); count];
    for (list, value) in lists.iter().enumerate() {
        shape[axis_of(list)] = relay_dialects::dim::product(value.dims())?;
    }
    let grids = lists.iter().enumerate().map(|(list, value)| {
        let mut along = vec![Dim::Known(1); count];
        along[axis_of(list)] = shape[axis_of(list)];
        let value = b.reshape(value, &along)?;
        b.broadcast(&value, &shape)
    });
    grids.collect()
}
