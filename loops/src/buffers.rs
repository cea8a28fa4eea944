//! The buffers of tensors: their types, limits and names.

use relay_dialects::{
    index,
    ir::{Attr, Block, Ctx, DYNAMIC, Op, Region, Type},
    limits::BUFFER_BYTES,
    relay::build::extent_list,
};

/// Buffers start at multiples of this, in bytes: a cache line and the widest vector.
pub const ALIGNMENT: i64 = 64;

/// Whether a buffer can be, as far as its extents are known.
pub fn fits(shape: &[i64], element: Type) -> bool {
    let known = shape.iter().copied().filter(|extent| *extent != DYNAMIC);
    index::product(&known.collect::<Vec<_>>()).saturating_mul(element.byte_width() as i64)
        <= BUFFER_BYTES
}

/// Gives all values inside an op, results and arguments of blocks, the types that `map` makes of theirs.
pub fn retype(op: Op, map: impl Fn(Type) -> Type) {
    op.walk(|op| {
        let blocks = op.regions().into_iter().flat_map(Region::blocks);
        let arguments = blocks.flat_map(Block::args);
        for value in op.results().into_iter().chain(arguments) {
            value.set_ty(map(value.ty()));
        }
    });
}

/// The attributes of parameters and results in one list, for a function that takes its results as parameters.
/// Where a buffer does not have the shape of its tensor, `relay.shape` holds the tensor's.
pub fn argument_names(func: Op) -> Option<Attr> {
    let ty = func.function_type()?;
    let types = [ty.inputs(), ty.results()].concat();
    let is_flattened = |ty: &Type| ty.is_tensor() && ty.count() == 0;
    let has_attrs = func.has_attr("arg_attrs") || func.has_attr("res_attrs");
    if !has_attrs && !types.iter().any(is_flattened) {
        return None;
    }
    let list = |name: &str, count: usize| {
        func.attr(name)
            .and_then(Attr::as_array)
            .unwrap_or_else(|| vec![Attr::dict(func.ctx(), &[]); count])
    };
    let mut all = list("arg_attrs", ty.inputs().len());
    all.extend(list("res_attrs", ty.results().len()));
    for (attrs, ty) in all.iter_mut().zip(&types) {
        if is_flattened(ty) {
            *attrs = attrs.with(
                relay_dialects::attrs::SHAPE,
                Attr::ints(func.ctx(), &ty.shape()),
            );
        }
    }
    Some(Attr::array(func.ctx(), &all))
}

/// The attributes of parameters, `names`, with the dimensions of those tensors that have open ones; and those of `values`
/// parameters behind.
pub fn parameter_attrs(names: Option<Attr>, tensors: &[Type], values: usize) -> Option<Attr> {
    let ctx = tensors.first()?.ctx();
    let is_open = |ty: &Type| ty.is_tensor() && !ty.is_static();
    if values == 0 && !tensors.iter().any(is_open) {
        return names;
    }
    let none = || vec![Attr::dict(ctx, &[]); tensors.len()];
    let mut all = names.and_then(Attr::as_array).unwrap_or_else(none);
    for (attrs, ty) in all.iter_mut().zip(tensors).filter(|(_, ty)| is_open(ty)) {
        *attrs = attrs.with(relay_dialects::attrs::DIMS, extent_list(ctx, &ty.dims()));
    }
    all.extend(vec![Attr::dict(ctx, &[]); values]);
    Some(Attr::array(ctx, &all))
}

/// A list of texts.
pub fn texts(ctx: Ctx, texts: &[String]) -> Attr {
    let texts: Vec<Attr> = texts.iter().map(|text| Attr::str(ctx, text)).collect();
    Attr::array(ctx, &texts)
}

/// The type of a tensor's buffer. One without elements has a single dimension: upstream cannot lower a memref of
/// several dimensions that has no elements.
pub fn buffer_type(ty: Type) -> Type {
    if ty.count() == 0 {
        return Type::memref(&[0], ty.element());
    }
    Type::memref(&ty.shape(), ty.element())
}
