//! `recast`: some operators on other numbers.

use crate::graph::{operators::cast, rewrite};
use relay_dialects::{
    element::Element,
    inferred,
    ir::{Builder, Op, Type, Value, named},
    ops::func,
    pass::{Default, OptionSpec, Options, PassFailed, PassResult, PassSpec, fail},
    relay::row,
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "recast",
    summary: "compute some operators with another element type",
    description: include_str!("recast.md"),
    anchor: func::Func::NAME,
    options: &[
        OptionSpec {
            name: "dtype",
            summary: "the element type of their operands: bf16",
            default: Default::Str(""),
        },
        OptionSpec {
            name: "ops",
            summary: "the operators, separated by commas",
            default: Default::Str("nn.conv2d"),
        },
        OptionSpec {
            name: "skip-layers",
            summary: "the numbers of operators to skip, from 0 in textual order, or from -1 backwards",
            default: Default::Str(""),
        },
    ],
    run,
};

fn run(function: Op, options: &Options) -> PassResult {
    inferred::check(function)?;
    let dtype = options.str("dtype");
    let element = match Element::parse(dtype) {
        Some(element) => element.ty(function.ctx()),
        None => {
            return fail(
                function,
                format!("dtype is '{dtype}', which is no element type"),
            );
        }
    };
    let names = list(options.str("ops"))
        .map(|name| format!("relay.{name}"))
        .collect::<Vec<String>>();
    if let Some(unknown) = names.iter().find(|name| row(name).is_none()) {
        return fail(
            function,
            format!("ops names '{unknown}', which is no operator"),
        );
    }
    let layers: Vec<Op> = rewrite::operators(function)
        .into_iter()
        .filter(|op| names.contains(&op.name()))
        .collect();
    let skipped = list(options.str("skip-layers"))
        .map(|text| layer(function, text, layers.len()))
        .collect::<Result<Vec<usize>, PassFailed>>()?;
    for (number, op) in layers.into_iter().enumerate() {
        if !skipped.contains(&number) {
            recast(op, element)?;
        }
    }
    Ok(())
}

/// The parts of a list with commas.
fn list(text: &str) -> impl Iterator<Item = &str> {
    let parts = text.split(',').map(str::trim);
    parts.filter(|part| !part.is_empty())
}

/// The number of a layer, which may count from the end.
fn layer(function: Op, text: &str, count: usize) -> Result<usize, PassFailed> {
    let number = text.parse::<i64>().ok();
    let number = number.map(|number| {
        if number < 0 {
            number + count as i64
        } else {
            number
        }
    });
    match number.and_then(|number| usize::try_from(number).ok()) {
        Some(number) if number < count => Ok(number),
        _ => fail(
            function,
            format!("skip-layers holds '{text}', and there are {count} layers"),
        ),
    }
}

/// Makes an operator again on operands of another element type; its results are cast back.
fn recast(op: Op, element: Type) -> PassResult {
    let builder = Builder::before(op);
    let operands: Vec<Value> = op
        .operands()
        .into_iter()
        .map(|value| cast(&builder, value, element))
        .collect();
    let attrs = op.attrs();
    // Its type relation says what is wrong where it does not take such elements.
    let made = builder.inferred(&op.name(), &operands, &named(&attrs));
    let made = made.ok_or(PassFailed)?;
    let results = made.results().into_iter().zip(op.results());
    let back: Vec<Value> = results
        .map(|(new, old)| cast(&builder, new, old.ty().element()))
        .collect();
    op.replace_with(&back);
    Ok(())
}
