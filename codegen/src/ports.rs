//! What the parameters of a module's entry are: inputs, outputs, values of symbols, and the arena.

use crate::{
    CodegenError,
    interface::{OpenSymbol, Port, Source},
};
use relay_dialects::{
    Element, attrs,
    dim::{Dim, dims},
    index::product,
    ir::{Attr, Op, Type},
    symbols::{Condition, Symbol, conditions, define_name, symbols},
};

/// What the entry takes.
pub(crate) struct Ports {
    pub inputs: Vec<Port>,
    pub outputs: Vec<Port>,
    pub symbols: Vec<OpenSymbol>,
    pub conditions: Vec<Condition>,
    /// The bytes of the arena.
    pub arena: Dim,
    /// Those of the arenas that the entry takes later.
    pub later_arenas: Vec<Dim>,
}

/// The parameters of the entry: its inputs, its outputs, an index for each symbol of the module, and the arena.
///
/// # Errors
/// If they are not those of a model, or a symbol has no value.
pub(crate) fn ports(module: Op, main: Op) -> Result<Ports, CodegenError> {
    let declared = symbols(module).map_err(CodegenError::Lowering)?;
    let computed = computed(module, &declared);
    let is_given = |symbol: &Symbol| computed.iter().all(|open| open.symbol != *symbol);
    let declared: Vec<Symbol> = declared.iter().filter(|it| is_given(it)).cloned().collect();
    let arguments = main.body().args();
    // The arena comes last.
    let tensors = arguments.len().checked_sub(1 + declared.len());
    let inputs = main.attr(attrs::NUM_INPUTS).and_then(Attr::as_i64);
    let inputs = usize::try_from(inputs.unwrap_or(0)).ok();
    let fits = |(tensors, inputs): &(usize, usize)| {
        let values = arguments.get(*tensors..arguments.len().saturating_sub(1));
        let mut values = values.unwrap_or_default().iter();
        inputs <= tensors && values.all(|value| value.ty().is_index())
    };
    // An entry without an arena, which takes nothing at all, is one, too.
    let found = tensors.or(declared.is_empty().then_some(0)).zip(inputs);
    let (tensors, inputs) = found.filter(fits).ok_or_else(|| {
        CodegenError::Lowering(format!(
            "@main has {} parameters, its inputs, its outputs, {} symbols and the arena: they do not fit its {}",
            arguments.len(),
            declared.len(),
            attrs::NUM_INPUTS
        ))
    })?;
    let attrs = main.attr("arg_attrs").and_then(Attr::as_array);
    let attrs = attrs.unwrap_or_default();
    let all = arguments[..tensors].iter().enumerate();
    let mut all: Vec<Port> = all
        .map(|(index, argument)| {
            let default = match index.checked_sub(inputs) {
                None => format!("input{index}"),
                Some(output) => format!("output{output}"),
            };
            port(argument.ty(), attrs.get(index).copied(), default)
        })
        .collect::<Result<_, _>>()?;
    let outputs = all.split_off(inputs);
    check_donations(&all, &outputs)?;
    let given = place(declared, &all)?;
    let ports = Ports {
        symbols: given.into_iter().chain(computed).collect(),
        conditions: conditions(module).map_err(CodegenError::Lowering)?,
        arena: arena(main)?,
        later_arenas: later_arenas(main)?,
        inputs: all,
        outputs,
    };
    check_forms(&ports)?;
    Ok(ports)
}

/// Checks that each donated input has the type of its output, and that no other one is donated to that.
fn check_donations(inputs: &[Port], outputs: &[Port]) -> Result<(), CodegenError> {
    let mut taken = vec![false; outputs.len()];
    for input in inputs {
        let Some(output) = input.donated else {
            continue;
        };
        let is_alike = |port: &Port| (port.element, &port.dims) == (input.element, &input.dims);
        if !outputs.get(output).is_some_and(is_alike) || std::mem::replace(&mut taken[output], true)
        {
            return Err(CodegenError::Lowering(format!(
                "input '{}' of @main is donated to output {output}, which is no other output of its type",
                input.name
            )));
        }
    }
    Ok(())
}

/// The bytes of the arena, as the entry's attribute has them.
fn arena(main: Op) -> Result<Dim, CodegenError> {
    let Some(attr) = main.attr(attrs::ARENA_BYTES) else {
        return Ok(Dim::Known(0));
    };
    let wrong = || CodegenError::Lowering(format!("the {} of @main is {attr}", attrs::ARENA_BYTES));
    attr.as_dim().ok_or_else(wrong)
}

/// The bytes of arenas that the entry takes later.
fn later_arenas(main: Op) -> Result<Vec<Dim>, CodegenError> {
    let Some(attr) = main.attr(attrs::LATER_ARENAS) else {
        return Ok(Vec::new());
    };
    let wrong =
        || CodegenError::Lowering(format!("the {} of @main is {attr}", attrs::LATER_ARENAS));
    attr.as_dims().ok_or_else(wrong)
}

/// The symbols that the entry computes, in order: there is a function for each that checks its value.
fn computed(module: Op, declared: &[Symbol]) -> Vec<OpenSymbol> {
    let functions = (0..).map_while(|place| module.lookup(&define_name(place)));
    let open = |function: Op| {
        let text = |attr: &str| function.attr(attr).and_then(Attr::as_str);
        let name = text(attrs::DEFINES).unwrap_or_default();
        let known = declared.iter().find(|symbol| symbol.name == name);
        OpenSymbol {
            symbol: known.cloned().unwrap_or_else(|| Symbol::any(&name)),
            source: Source::Computed {
                nodes: text(attrs::DEFINED_BY).unwrap_or_default(),
            },
        }
    };
    functions.map(open).collect()
}

/// An input or output of a type: what its attributes say of it, if what a library can say of one.
fn port(ty: Type, attrs: Option<Attr>, default: String) -> Result<Port, CodegenError> {
    let attr = |name: &str| attrs.and_then(|attrs| attrs.get(name));
    let donated = attr(attrs::DONATED).and_then(Attr::as_i64);
    let donated = donated.and_then(|output| usize::try_from(output).ok());
    let name = attr(attrs::NAME).and_then(Attr::as_str);
    let name = name.map_or(default, without_nul);
    let wrong = |reason: String| {
        CodegenError::Lowering(format!("'{name}', a parameter of @main, is {ty}: {reason}"))
    };
    if !ty.is_memref() || !ty.is_static() {
        return Err(wrong(format!(
            "a library takes and gives buffers of static shapes, and of open dimensions where {} says them",
            attrs::DIMS
        )));
    }
    let element = attr(attrs::ELEMENT).and_then(Attr::as_type);
    let element = element.unwrap_or(ty.element());
    Element::require(element).map_err(wrong)?;
    if let Some(open) = attr(attrs::DIMS) {
        let is_extent = |dim: &Dim| *dim != Dim::Unknown && dim.known().is_none_or(|dim| dim >= 0);
        let dims = open.as_dims().filter(|dims| dims.iter().all(is_extent));
        let dims = dims.ok_or_else(|| wrong(format!("its {} is {open}", attrs::DIMS)))?;
        return Ok(Port {
            name,
            element,
            dims,
            donated,
        });
    }
    let shape = attr(attrs::SHAPE).and_then(Attr::as_ints);
    let shape = shape.unwrap_or_else(|| ty.shape());
    if product(&shape) != ty.count() || shape.iter().any(|dim| *dim < 0) {
        return Err(wrong(format!("its {} is {shape:?}", attrs::SHAPE)));
    }
    Ok(Port {
        name,
        element,
        dims: dims(&shape),
        donated,
    })
}

/// Finds for each symbol a dimension of an input that is the symbol and nothing else.
fn place(symbols: Vec<Symbol>, inputs: &[Port]) -> Result<Vec<OpenSymbol>, CodegenError> {
    let one = |symbol: Symbol| {
        let wanted = Dim::symbol(&symbol.name);
        let mut places = inputs.iter().enumerate().filter_map(|(input, port)| {
            let dimension = port.dims.iter().position(|dim| *dim == wanted)?;
            Some((input, dimension))
        });
        let Some((input, dimension)) = places.next() else {
            return Err(CodegenError::Lowering(format!(
                "no input has the symbol '{}' as a dimension, so that nothing says its value when the model runs: fix it \
                 (--shape)",
                symbol.name
            )));
        };
        Ok(OpenSymbol {
            symbol,
            source: Source::Dimension { input, dimension },
        })
    };
    symbols.into_iter().map(one).collect()
}

/// Checks that all forms are of the module's symbols, and conditions of those that inputs have.
fn check_forms<'p>(ports: &'p Ports) -> Result<(), CodegenError> {
    let is_known =
        |name: &&str| (ports.symbols.iter()).any(|open| open.symbol.name.as_str() == *name);
    let tensors = ports.inputs.iter().chain(&ports.outputs);
    let dims = tensors.flat_map(|port| port.dims.iter().map(|dim| (port.name.as_str(), *dim)));
    let later = ports.later_arenas.iter();
    let arenas = [ports.arena].into_iter().chain(later.copied());
    let arenas = arenas.map(|dim| ("the arena", dim));
    let sides = |condition: &'p Condition| {
        [condition.lhs, condition.rhs].map(|dim| (condition.node.as_str(), dim))
    };
    let conditions = ports.conditions.iter().flat_map(sides);
    for (name, dim) in dims.chain(arenas).chain(conditions.clone()) {
        if let Some(other) = dim.symbols().iter().find(|name| !is_known(name)) {
            return Err(CodegenError::Lowering(format!(
                "'{name}' has the extent {dim}, and the module's {} has no '{other}'",
                attrs::SYMBOLS
            )));
        }
    }
    let is_computed = |name: &&str| {
        let mut symbols = ports.symbols.iter();
        symbols.any(|open| open.is_computed() && open.symbol.name.as_str() == *name)
    };
    for (node, dim) in conditions {
        if let Some(name) = dim.symbols().iter().find(|name| is_computed(name)) {
            return Err(CodegenError::Lowering(format!(
                "a condition of '{node}' has the form {dim}, and the graph computes '{name}': conditions are checked before"
            )));
        }
    }
    Ok(())
}

/// A name as a C string: U+2400, the picture of NUL, stands for each NUL.
fn without_nul(name: String) -> String {
    name.replace('\0', "\u{2400}")
}
