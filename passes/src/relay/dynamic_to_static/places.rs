//! `argwhere`, whose rows are as many as the data say: a symbol names their number.

use relay_dialects::{
    dim::Dim,
    element::Element,
    ir::{Attr, Builder, Op, Value},
    names::relay,
    ops::func,
    relay::build::{extent, extents, make},
    symbols::{self, Symbol},
};

/// The rows of `op` as those of a `nonzero` in the operator's function. `None` in a branch or a loop, which names no numbers, and where
/// nothing is known of a dimension of the data.
pub fn named(module: Op, op: Op) -> Option<Vec<Value>> {
    let data = op.operand(0);
    let is_known = data.ty().is_tensor() && !data.ty().dims().contains(&Dim::Unknown);
    if !is_known
        || !op
            .parent()
            .is_some_and(|parent| parent.is(func::Func::NAME))
    {
        return None;
    }
    let (ctx, b) = (op.ctx(), Builder::before(op));
    let mut known = symbols::symbols(module).ok()?;
    let found = b.inferred(relay::NONZERO, &[data], &[])?;
    let (places, count) = (found.result(0), found.result(1));
    let name = new_symbol(module);
    let most = places.ty().dims()[1];
    let attrs = [
        ("symbol", Attr::str(ctx, &name)),
        ("most", extent(ctx, most)),
    ];
    b.op(relay::DIM_OF, &[count], &[], &attrs);
    let bound = most.known().unwrap_or(symbols::UNBOUNDED);
    known.push(Symbol::bounded(&name, 0, bound, 1).ok()?);
    symbols::set_symbols(module, &known);
    let rows = extents(ctx, &[Dim::symbol(&name)]);
    let attrs = [("axis", Attr::i64(ctx, 1)), ("extent", rows)];
    let rows = make(&b, relay::PREFIX, &[places], &attrs);
    let rows = make(
        &b,
        relay::TRANSPOSE,
        &[rows],
        &[("axes", Attr::ints(ctx, &[1, 0]))],
    );
    let dtype = [("dtype", Attr::ty(Element::I32.ty(ctx)))];
    Some(vec![make(&b, relay::CAST, &[rows], &dtype)])
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
