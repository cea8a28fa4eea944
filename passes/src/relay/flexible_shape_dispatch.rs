//! `flexible-shape-dispatch`: a function that takes several extents of one dimension.

mod dispatcher;
mod variants;

use crate::graph::{
    calls::{CallGraph, erase_unnamed},
    retype::place,
};
use relay_dialects::{
    inferred,
    ir::{DYNAMIC, Op, Type},
    names,
    ops::builtin,
    pass::{Default, OptionSpec, Options, PassFailed, PassResult, PassSpec, fail, run_inside},
    relay::relation::normalize_axis,
};
use variants::Variant;

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "flexible-shape-dispatch",
    summary: "dispatch on the extent of one dimension, with a copy of a function for each extent",
    description: include_str!("flexible_shape_dispatch.md"),
    anchor: builtin::Module::NAME,
    options: &[
        OptionSpec {
            name: "buckets",
            summary: "the extents with their own copy, in increasing order: 1,4,16",
            default: Default::Str(""),
        },
        OptionSpec {
            name: "axis",
            summary: "the dimension",
            default: Default::Int(0),
        },
        OptionSpec {
            name: "auto-pad",
            summary: "pad inputs up to the next bucket",
            default: Default::Bool(false),
        },
        OptionSpec {
            name: "pad-value",
            summary: "the padding value",
            default: Default::Str("0"),
        },
        OptionSpec {
            name: "inputs",
            summary: "the parameters with the dimension: x,y; by name in the model, or by number",
            default: Default::Str("0"),
        },
        OptionSpec {
            name: "affects-output",
            summary: "whether results also have the dimension, and are sliced if inputs were padded",
            default: Default::Bool(true),
        },
        OptionSpec {
            name: "function",
            summary: "the function with these parameters",
            default: Default::Str("main"),
        },
    ],
    run,
};

/// What is asked for.
struct Request {
    /// Extents in growing order.
    buckets: Vec<i64>,
    /// The dimension, from the end if negative.
    axis: i64,
    /// The number of each parameter that has the dimension, and the dimension in it.
    inputs: Vec<(usize, usize)>,
    /// What fills inputs up, if anything does.
    padding: Option<f64>,
    /// Whether results that have the dimension are cut.
    affects_output: bool,
}

fn run(module: Op, options: &Options) -> PassResult {
    inferred::check(module)?;
    if let Some(call) = module.find(|op| op.is(names::relay::CALL_LOWERED)) {
        return fail(call, "calls a kernel, which is for one shape");
    }
    let graph = CallGraph::of(module);
    let name = options.str("function");
    let main = graph.function(name);
    let Some(main) = main.filter(|main| main.block_in(0).is_some()) else {
        return fail(module, format!("has no function @{name} with a body"));
    };
    if let Some(namer) = graph.namer_of(main) {
        return fail(
            namer,
            format!("names @{name}, whose type would not be what it is here"),
        );
    }
    let request = Request::of(main, options)?;
    let unreached = graph.unreached(&[main]);
    let with_body = module.functions().into_iter();
    let reached: Vec<Op> = with_body
        .filter(|function| !unreached.contains(function))
        .collect();
    let extents = request.buckets.iter().copied().chain([DYNAMIC]);
    let variants: Vec<Variant> = extents
        .map(|extent| variants::make(module, main, &reached, extent, &request.inputs))
        .collect();
    run_inside(module, "infer-type")?;
    dispatcher::build(main, &request, &variants)?;
    main.erase();
    let callees = reached.into_iter().filter(|function| *function != main);
    erase_unnamed(module, &callees.collect());
    Ok(())
}

impl Request {
    fn of(main: Op, options: &Options) -> Result<Self, PassFailed> {
        let axis = options.int("axis");
        let request = Self {
            buckets: buckets(main, options.str("buckets"))?,
            axis,
            inputs: inputs(main, options.str("inputs"), axis)?,
            padding: match options.bool("auto-pad") {
                true => Some(number(main, options.str("pad-value"))?),
                false => None,
            },
            affects_output: options.bool("affects-output"),
        };
        let arguments = main.body().args();
        for element in (request.inputs.iter()).map(|(place, _)| arguments[*place].ty().element()) {
            if let Some(padding) = request.padding.filter(|number| !holds(element, *number)) {
                return fail(
                    main,
                    format!("pad-value is {padding}, which is no {element}"),
                );
            }
        }
        Ok(request)
    }
}

/// The extents that an option lists.
fn buckets(main: Op, text: &str) -> Result<Vec<i64>, PassFailed> {
    let mut buckets: Vec<i64> = Vec::new();
    for entry in text
        .split(',')
        .map(str::trim)
        .filter(|entry| !entry.is_empty())
    {
        match entry.parse() {
            Ok(extent) if extent >= 1 && buckets.last().is_none_or(|last| *last < extent) => {
                buckets.push(extent);
            }
            Ok(extent) if extent >= 1 => {
                return fail(main, format!("buckets do not grow at {extent}"));
            }
            _ => return fail(main, format!("buckets has '{entry}', which is no extent")),
        }
    }
    if buckets.is_empty() {
        return fail(main, "is given no buckets, as in buckets=1,4");
    }
    Ok(buckets)
}

/// The parameters that an option lists, and the dimension in each.
fn inputs(main: Op, text: &str, axis: i64) -> Result<Vec<(usize, usize)>, PassFailed> {
    let arguments = main.body().args();
    let mut inputs = Vec::new();
    for entry in text
        .split(',')
        .map(str::trim)
        .filter(|entry| !entry.is_empty())
    {
        let place = place(main, entry).filter(|place| *place < arguments.len());
        let Some(place) = place.filter(|place| arguments[*place].ty().is_tensor()) else {
            return fail(
                main,
                format!("inputs has '{entry}', which is no tensor among the parameters"),
            );
        };
        let ty = arguments[place].ty();
        let Ok(dim) = normalize_axis(axis, ty.shape().len()) else {
            return fail(
                main,
                format!("axis is {axis}, and the input '{entry}' is {ty}"),
            );
        };
        if !inputs.contains(&(place, dim)) {
            inputs.push((place, dim));
        }
    }
    if inputs.is_empty() {
        return fail(main, "is given no inputs that have the dimension");
    }
    Ok(inputs)
}

fn number(main: Op, text: &str) -> Result<f64, PassFailed> {
    let number = text.trim().parse();
    number.or_else(|_| fail(main, format!("pad-value is '{text}', which is no number")))
}

/// Whether a number is one of an element type, but for rounding.
fn holds(element: Type, number: f64) -> bool {
    if element.is_float() {
        return true;
    }
    let (least, greatest) = element.int_range();
    let range = match element.is_unsigned() {
        true => 0.0..=greatest.cast_unsigned() as f64,
        false if element.is_bool() => 0.0..=1.0,
        false => least as f64..=greatest as f64,
    };
    number.fract() == 0.0 && range.contains(&number)
}
