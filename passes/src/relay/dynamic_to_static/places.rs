//! Operators whose results have as many rows as the data say: a symbol names their number. It may do so in a function, and not in a branch or
//! a loop.

use crate::graph::{constants::integers, operators::cast, shapes::reshape};
use relay_dialects::{
    dim::Dim,
    element::Element,
    ir::{Attr, Builder, Op, Type, Value},
    names::relay,
    ops::func,
    relay::build::{extent, extents, make},
    symbols::{self, Symbol},
};

/// What an operator gives whose results have as many rows as the data say. `None` if it is another one, stands in a branch or a loop, or if
/// nothing is known of a dimension of its operands.
pub fn named(module: Op, op: Op) -> Option<Vec<Value>> {
    let is_known =
        |value: Value| value.ty().is_tensor() && !value.ty().dims().contains(&Dim::Unknown);
    let parent = op.parent()?;
    if !parent.is(func::Func::NAME) || !op.operands().into_iter().all(is_known) {
        return None;
    }
    match &op.name() {
        name if name == relay::ARGWHERE => argwhere(module, op),
        name if name == relay::SPARSE_FILL_EMPTY_ROWS => filled_rows(module, op),
        _ => None,
    }
}

fn argwhere(module: Op, op: Op) -> Option<Vec<Value>> {
    let (ctx, b) = (op.ctx(), Builder::before(op));
    let places = found(module, &b, op.operand(0))?;
    let axes = [("axes", Attr::ints(ctx, &[1, 0]))];
    let rows = make(&b, relay::TRANSPOSE, &[places], &axes);
    Some(vec![cast(&b, rows, Element::I32.ty(ctx))])
}

/// The subscripts of the elements that are not zero, with a row for each dimension.
fn found(module: Op, b: &Builder, data: Value) -> Option<Value> {
    let mut known = symbols::symbols(module).ok()?;
    let found = b.inferred(relay::NONZERO, &[data], &[])?;
    let (places, count) = (found.result(0), found.result(1));
    let name = new_symbol(module);
    let most = places.ty().dims()[1];
    let attrs = [
        ("symbol", Attr::str(b.ctx, &name)),
        ("most", extent(b.ctx, most)),
    ];
    b.op(relay::DIM_OF, &[count], &[], &attrs);
    let bound = most.known().unwrap_or(symbols::UNBOUNDED);
    known.push(Symbol::bounded(&name, 0, bound, 1).ok()?);
    symbols::set_symbols(module, &known);
    let columns = extents(b.ctx, &[Dim::symbol(&name)]);
    let attrs = [("axis", Attr::i64(b.ctx, 1)), ("extent", columns)];
    Some(make(b, relay::PREFIX, &[places], &attrs))
}

/// An operator with an axis.
fn along(b: &Builder, name: &str, operands: &[Value], axis: i64) -> Value {
    make(b, name, operands, &[("axis", Attr::i64(b.ctx, axis))])
}

/// Numbers of a shape: zeros, ones, or those of their places.
fn counted(b: &Builder, name: &str, shape: &[Dim], element: Type) -> Value {
    let mut attrs = vec![
        ("shape", extents(b.ctx, shape)),
        ("dtype", Attr::ty(element)),
    ];
    if name == relay::IOTA {
        attrs.push(("axis", Attr::i64(b.ctx, 0)));
    }
    make(b, name, &[], &attrs)
}

/// All rows get an element behind those that are there; then, in the order of rows, those of rows that had some are left out.
fn filled_rows(module: Op, op: Op) -> Option<Vec<Value>> {
    let (ctx, b) = (op.ctx(), Builder::before(op));
    let [indices, values, default] = [0, 1, 3].map(|place| op.operand(place));
    let shape = integers(op.operand(2))?;
    let rows = Dim::Known(*shape.first().filter(|rows| **rows >= 0)?);
    let (count, rank) = (indices.ty().dims()[0], indices.ty().dims()[1].known()?);
    let i64 = Element::I64.ty(ctx);
    let ends = [("begin", 0), ("end", 1), ("strides", 1), ("axes", 1)];
    let slice = ends.map(|(name, number)| (name, Attr::ints(ctx, &[number])));
    let of_elements = make(&b, relay::STRIDED_SLICE, &[indices], &slice);
    let of_elements = reshape(&b, of_elements, &[count]);
    let all = counted(&b, relay::IOTA, &[rows], i64);
    let zeros = counted(&b, relay::ZEROS, &[rows], i64);
    let ones = counted(&b, relay::ONES, &[count], i64);
    let sum = [
        ("axis", Attr::i64(ctx, 0)),
        ("reduction", Attr::str(ctx, "add")),
    ];
    let counts = make(
        &b,
        relay::SCATTER_ELEMENTS,
        &[zeros, of_elements, ones],
        &sum,
    );
    let is_empty = make(&b, relay::EQUAL, &[counts, zeros], &[]);
    let is_empty = cast(&b, is_empty, Element::I64.ty(ctx));
    let keys = along(&b, relay::CONCATENATE, &[of_elements, all], 0);
    let rising = [
        ("axis", Attr::i64(ctx, 0)),
        ("is_ascend", Attr::bool(ctx, true)),
        ("dtype", Attr::ty(i64)),
    ];
    let order = make(&b, relay::ARGSORT, &[keys], &rising);
    let is_kept = along(&b, relay::CONCATENATE, &[ones, is_empty], 0);
    let is_kept = along(&b, relay::TAKE, &[is_kept, order], 0);
    let kept = found(module, &b, is_kept)?;
    let kept = reshape(&b, kept, &kept.ty().dims()[1..]);
    let chosen = along(&b, relay::TAKE, &[order, kept], 0);
    let fill = first_places(&b, all, rank);
    let default = reshape::<Dim>(&b, default, &[]);
    let default = make(
        &b,
        relay::FULL,
        &[default],
        &[("shape", extents(ctx, &[rows]))],
    );
    let both = [[indices, fill], [values, default]].map(|pair| {
        let all = along(&b, relay::CONCATENATE, &pair, 0);
        along(&b, relay::TAKE, &[all, chosen], 0)
    });
    Some(vec![both[0], both[1], is_empty])
}

/// The subscripts of the first element of each row, in a tensor of a rank.
fn first_places(b: &Builder, rows: Value, rank: i64) -> Value {
    let count = rows.ty().dims()[0];
    let mut columns = vec![reshape(b, rows, &[count, Dim::Known(1)])];
    if rank > 1 {
        let others = [count, Dim::Known(rank - 1)];
        columns.push(counted(b, relay::ZEROS, &others, rows.ty().element()));
    }
    along(b, relay::CONCATENATE, &columns, 1)
}

/// A name that no symbol of the module has.
fn new_symbol(module: Op) -> String {
    let mut taken = Vec::new();
    module.walk(|op| {
        let arguments = op.regions().into_iter().flat_map(|region| region.blocks());
        let arguments = arguments.flat_map(|block| block.args());
        let values = op.results().into_iter().chain(arguments);
        let tensors = values.map(|value| value.ty()).filter(|ty| ty.is_tensor());
        taken.extend(tensors.flat_map(|ty| ty.dims()).flat_map(Dim::symbols));
        if op.is(relay::DIM_OF)
            && let Some(name) = op.attr("symbol").and_then(Attr::as_str)
        {
            taken.extend(Dim::symbol(&name).symbols());
        }
    });
    let names = (0..).map(|number: usize| match number {
        0 => "places".to_string(),
        _ => format!("places_{number}"),
    });
    let mut free = names.filter(|name| !taken.contains(&name.as_str()));
    free.next().unwrap_or_default()
}
