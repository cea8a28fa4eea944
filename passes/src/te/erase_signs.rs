//! `erase-signs`: integers that say nothing of a sign, once all operations do, and bytes for what is only stored.

use relay_dialects::{
    Element, attrs,
    ir::{Attr, Block, Builder, Op, Type, Value},
    ops::{arith, builtin, func},
    pass::{Options, PassResult, PassSpec, fail},
    relay::row_of,
    te::{self, Compute, Reducer},
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "erase-signs",
    summary: "Make unsigned integers signless, and bytes of what is only stored, after the choice of their operations",
    description: include_str!("erase_signs.md"),
    anchor: builtin::Module::NAME,
    options: &[],
    run,
};

fn run(module: Op, _options: &Options) -> PassResult {
    let mut unsigned = Vec::new();
    module.walk(|op| {
        if is_unsigned(op) {
            unsigned.push(op);
        }
    });
    for op in &unsigned {
        check(*op)?;
    }
    for op in &unsigned {
        erase(*op);
    }
    for op in unsigned {
        // Between integers of one width that both say nothing of a sign, there is nothing to convert.
        if op.is(builtin::UnrealizedConversionCast::NAME) && op.operand(0).ty() == op.result(0).ty()
        {
            op.replace_with(&[op.operand(0)]);
        }
    }
    Ok(())
}

/// Whether an op has an operand, a result or a parameter of a type that is erased.
fn is_unsigned(op: Op) -> bool {
    let has = |value: &Value| erased(value.ty()).is_some();
    let function = op.function_type();
    op.operands().iter().any(has)
        || op.results().iter().any(has)
        || function.and_then(erased).is_some()
        || arguments(op).iter().any(has)
}

/// The parameters of all of an op's blocks.
fn arguments(op: Op) -> Vec<Value> {
    let blocks = op.regions().into_iter().flat_map(|region| region.blocks());
    blocks.flat_map(|block| block.args()).collect()
}

/// Fails if an op would compute something else on integers with a sign: an operator that is no view.
fn check(op: Op) -> PassResult {
    if row_of(op).is_some_and(|row| !row.is_view) {
        return fail(
            op,
            "computes with unsigned integers, or with elements that are only stored: run fuse-ops and relay-to-te first, which choose its operations",
        );
    }
    Ok(())
}

fn erase(op: Op) {
    if let Some(compute) = Compute::of(op) {
        write_out_extreme(compute);
    }
    if op.is(func::Func::NAME) {
        keep_elements(op, "arg_attrs", Type::inputs);
        keep_elements(op, "res_attrs", Type::results);
    }
    for value in op.results().into_iter().chain(arguments(op)) {
        if let Some(ty) = erased(value.ty()) {
            value.set_ty(ty);
        }
    }
    for (name, attr) in op.attrs() {
        if let Some(attr) = erased_attr(attr) {
            op.set_attr(&name, attr);
        }
    }
}

/// Builds an operation of two numbers.
type Binary = fn(&Builder, Value, Value) -> Value;

/// The named reducers of extremes have a sign: writes out one that has none.
fn write_out_extreme(compute: Compute) {
    let element = compute.op().result(0).ty().element();
    if !element.is_unsigned() {
        return;
    }
    let (least, greatest) = element.int_range();
    let (build, identity): (Binary, i64) = match compute.reducer() {
        Some(Reducer::Max) => (arith::MaxUI::build, least),
        Some(Reducer::Min) => (arith::MinUI::build, greatest),
        _ => return,
    };
    let compute = compute.op();
    let (ctx, bits) = (compute.ctx(), element.signless());
    let block = Block::new(ctx, &[bits, bits]);
    let b = Builder::at_end(block, compute.loc(), ctx);
    let [old, new] = [0, 1].map(|number| block.args()[number]);
    te::ops::Yield::build(&b, &[build(&b, old, new)]);
    compute.regions()[1].append(block);
    compute.set_attr("reducer", Reducer::Custom.attr(ctx));
    compute.set_attr("identity", Attr::array(ctx, &[Attr::int(bits, identity)]));
}

/// Notes beside the names of a function's parameters or results what they were.
fn keep_elements(func: Op, list: &str, types: fn(Type) -> Vec<Type>) {
    let Some(ty) = func.function_type() else {
        return;
    };
    let types = types(ty);
    let none = || vec![Attr::dict(func.ctx(), &[]); types.len()];
    let known = func.attr(list).and_then(Attr::as_array);
    if types.iter().all(|ty| erased(*ty).is_none()) {
        return;
    }
    let all: Vec<Attr> = known
        .unwrap_or_else(none)
        .into_iter()
        .zip(&types)
        .map(|(entries, ty)| match erased(ty.element()).is_some() {
            true => entries.with(attrs::ELEMENT, Attr::ty(ty.element())),
            false => entries,
        })
        .collect();
    func.set_attr(list, Attr::array(func.ctx(), &all));
}

/// A number type without its sign, or the byte of what is only stored; `None` of any other type.
fn erased_number(ty: Type) -> Option<Type> {
    if Element::of(ty).is_some_and(Element::is_stored_only) {
        return Some(Type::int(ty.ctx(), 8));
    }
    ty.is_unsigned().then(|| ty.signless())
}

/// A type without its signs; `None` if it has none.
fn erased(ty: Type) -> Option<Type> {
    if ty.is_tensor() {
        let element = erased_number(ty.element())?;
        return Some(Type::tensor_of(&ty.dims(), element));
    }
    if ty.is_memref() {
        let element = erased_number(ty.element())?;
        let buffer = Type::memref(&ty.shape(), element);
        return Some(buffer.in_memory_space(ty.memory_space()));
    }
    if let Some(number) = erased_number(ty) {
        return Some(number);
    }
    let some = |types: &[Type]| types.iter().any(|ty| erased(*ty).is_some());
    let each = |types: Vec<Type>| -> Vec<Type> {
        let types = types.into_iter();
        types.map(|ty| erased(ty).unwrap_or(ty)).collect()
    };
    if let Some(fields) = ty.fields() {
        return some(&fields).then(|| Type::tuple(ty.ctx(), &each(fields)));
    }
    if ty.is_function() {
        let (inputs, results) = (ty.inputs(), ty.results());
        return (some(&inputs) || some(&results))
            .then(|| Type::function(ty.ctx(), &each(inputs), &each(results)));
    }
    None
}

/// A constant's value, a type, or a list of those, without signs; `None` if there are none.
fn erased_attr(attr: Attr) -> Option<Attr> {
    if let Some(list) = attr.as_array() {
        let erased: Vec<Option<Attr>> = list.iter().map(|attr| erased_attr(*attr)).collect();
        let all = list.iter().zip(&erased);
        return erased.iter().any(Option::is_some).then(|| {
            let all: Vec<Attr> = all.map(|(attr, erased)| erased.unwrap_or(*attr)).collect();
            Attr::array(attr.ctx(), &all)
        });
    }
    if let Some(ty) = attr.as_type() {
        return erased(ty).map(Attr::ty);
    }
    let old = attr.typ();
    let ty = erased(old)?;
    match number(attr, old) {
        Some(value) => Some(Attr::int(ty, value)),
        None => retyped(attr, ty),
    }
}

/// A number's bits.
fn number(attr: Attr, ty: Type) -> Option<i64> {
    let element = Element::of(ty)?;
    if let Some(format) = element.minifloat() {
        return attr.as_f64().map(|value| format.encode(value).into());
    }
    let value = attr.as_i64()?;
    match element.is_stored_only() {
        true => Some(value & ((1 << element.bits()) - 1)),
        false => Some(value),
    }
}

/// The same elements in a tensor type of the same width.
fn retyped(elements: Attr, ty: Type) -> Option<Attr> {
    if let Some(splat) = elements.splat_value() {
        let value = number(splat, elements.typ().element())?;
        return Some(Attr::splat(ty, Attr::int(ty.element(), value)));
    }
    let bytes = elements.bytes()?;
    if elements.is_resource() {
        return Some(Attr::resource(ty, "signless", bytes));
    }
    Attr::dense(ty, &bytes)
}
