//! Weights for the parameters of `@main`, as TVM's `relay.build_module.bind_params_by_name` binds them.

use crate::graph::{builder::constant_attr, error::Result, weights::Weights};
use relay_dialects::{
    attrs::NAME,
    element::Element,
    ir::{Attr, Builder, Loc, Op, Type, Value},
    names::relay,
};

/// Makes constants of the parameters of `@main` for which there are weights.
///
/// # Errors
/// If a weight has the name of no parameter, or another type.
pub fn bind(module: Op, weights: &Weights) -> Result<()> {
    let main = module.function("main").ok_or("it has no function @main")?;
    let mut attrs = main
        .attr("arg_attrs")
        .and_then(Attr::as_array)
        .unwrap_or_default();
    let name = |attr: &Attr| attr.get(NAME).and_then(Attr::as_str).unwrap_or_default();
    let names: Vec<String> = attrs.iter().map(name).collect();
    weights.check(names.iter().map(String::as_str))?;
    for (at, name) in names.iter().enumerate().rev() {
        let parameter = main.body().args()[at];
        let ty = parameter.ty();
        let dims = ty.is_tensor().then(|| ty.dims());
        let element = Element::of(ty.element());
        let said = dims.as_ref().zip(element);
        let said = said.map(|(dims, element)| (element, dims.as_slice()));
        let Some(constant) = weights.read_as(name, said)? else {
            continue;
        };
        // A parameter without a type gets that of its weight.
        if said.is_none() && !ty.is_incomplete() {
            return Err(format!("'{name}' is of type {ty}, which no weight has"));
        }
        let ctx = main.ctx();
        let (value, ty) = constant_attr(ctx, name, &constant)?;
        let builder = Builder::at_start(main.body(), Loc::name(ctx, name), ctx);
        let made = builder.value(relay::CONSTANT, &[], ty, &[("value", value)]);
        parameter.replace_all_uses_with(made);
        main.body().erase_arg(at);
        attrs.remove(at);
    }
    let inputs: Vec<Type> = main.body().args().into_iter().map(Value::ty).collect();
    let results = main.function_type().map(Type::results).unwrap_or_default();
    let ty = Type::function(main.ctx(), &inputs, &results);
    main.set_attr("function_type", Attr::ty(ty));
    main.set_attr("arg_attrs", Attr::array(main.ctx(), &attrs));
    Ok(())
}
