//! Functions whose parameters get other types.

use relay_dialects::{
    attrs::NAME,
    ir::{Attr, Op, Type},
    names,
    relay::is_operator,
};

/// The number of the parameter with this name in the model, or of this number.
pub fn place(function: Op, name: &str) -> Option<usize> {
    let attrs = function.attr("arg_attrs").and_then(Attr::as_array);
    let mut attrs = attrs.unwrap_or_default().into_iter();
    let is_named = |entry: Attr| entry.get(NAME).is_some_and(|text| text.is_str(name));
    attrs.position(is_named).or_else(|| name.parse().ok())
}

/// Leaves open the types of all that is computed in a function, and of its parameters unless it is an entry, whose
/// parameters say what the types are.
pub fn reopen(function: Op, is_entry: bool) {
    let open = Type::incomplete(function.ctx());
    let arguments = function.body().args();
    if !is_entry {
        arguments.iter().for_each(|argument| argument.set_ty(open));
    }
    function.walk(|op| {
        let is_computed = is_operator(op) && !op.is(names::relay::CONSTANT);
        if is_computed || op.is("func.call") {
            // The type of a function that is a value is written at its parameters.
            let holds_tensors = |ty: Type| ty.is_tensor() || ty.fields().is_some();
            let results = op.results().into_iter();
            results
                .filter(|result| holds_tensors(result.ty()))
                .for_each(|result| result.set_ty(open));
        }
    });
    // Who calls it goes by this type.
    let old = function.attr("function_type").and_then(Attr::as_type);
    let results = vec![open; old.map(Type::results).unwrap_or_default().len()];
    let inputs: Vec<Type> = arguments.iter().map(|argument| argument.ty()).collect();
    let new = Type::function(function.ctx(), &inputs, &results);
    function.set_attr("function_type", Attr::ty(new));
}
