//! `quantize-calibrate`: gives scales to operands that are to be quantised.

use crate::graph::simulated::{Simulated, groups_along};
use relay_dialects::{
    ir::{Op, Value},
    ops::func,
    pass::{Default, OptionSpec, Options, PassFailed, PassResult, PassSpec, fail},
};
use relay_quantize::{Grid, Method, Range, scales_of_weight};
use std::{collections::BTreeMap, fs};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "quantize-calibrate",
    summary: "give scales to the operands that are to be quantised",
    description: include_str!("quantize_calibrate.md"),
    anchor: func::Func::NAME,
    options: &[
        OptionSpec {
            name: "ranges",
            summary: "a file with the range of each marked tensor: JSON such as {\"relu_3\": [0.0, 5.25]}",
            default: Default::Str(""),
        },
        OptionSpec {
            name: "method",
            summary: "how scales of weights are chosen: mse for the least squared error, others to cover all numbers",
            default: Default::Str("minmax"),
        },
        OptionSpec {
            name: "per-channel",
            summary: "give a weight a scale for each output",
            default: Default::Bool(true),
        },
        OptionSpec {
            name: "symmetric",
            summary: "make data signed bytes with a zero point of 0; otherwise unsigned bytes with any",
            default: Default::Bool(false),
        },
        OptionSpec {
            name: "power-of-two",
            summary: "make each scale a power of two",
            default: Default::Bool(false),
        },
    ],
    run,
};

/// Ranges by the names of tensors.
type Ranges = BTreeMap<String, [f64; 2]>;

/// How to choose scales.
struct Settings {
    method: Method,
    is_per_channel: bool,
    is_symmetric: bool,
    is_power_of_two: bool,
}

fn run(function: Op, options: &Options) -> PassResult {
    let open: Vec<Simulated> = Simulated::all(function)
        .into_iter()
        .filter(|mark| mark.is_open())
        .collect();
    if open.is_empty() {
        return Ok(());
    }
    let method = match Method::parse(options.str("method")) {
        Ok(method) => method,
        Err(reason) => return fail(function, reason),
    };
    let settings = Settings {
        method,
        is_per_channel: options.bool("per-channel"),
        is_symmetric: options.bool("symmetric"),
        is_power_of_two: options.bool("power-of-two"),
    };
    let path = options.str("ranges");
    let ranges = match read(path) {
        Ok(ranges) => ranges,
        Err(reason) => return fail(function, reason),
    };
    for mark in open {
        match mark.is_weight() {
            true => weight(mark, &settings)?,
            false => data(mark, &settings, &ranges, path)?,
        }
    }
    Ok(())
}

/// The table of ranges; none without a file.
fn read(path: &str) -> Result<Ranges, String> {
    if path.is_empty() {
        return Ok(Ranges::new());
    }
    let text = fs::read_to_string(path)
        .map_err(|error| format!("cannot read the table of ranges {path}: {error}"))?;
    serde_json::from_str(&text).map_err(|error| {
        format!("{path} is no table of ranges such as {{\"relu_3\": [0.0, 5.25]}}: {error}")
    })
}

fn data(mark: Simulated, settings: &Settings, ranges: &Ranges, path: &str) -> PassResult {
    let tensor = mark.tensor().unwrap_or_default();
    let Some([low, high]) = ranges.get(&tensor).copied() else {
        let table = match path {
            "" => "there is no table of ranges".to_owned(),
            path => format!("{path} has none"),
        };
        return fail(
            mark.0,
            format!(
                "needs the range of tensor '{tensor}': {table}; name a file with it by ranges="
            ),
        );
    };
    if !(low <= high && low.is_finite() && high.is_finite()) {
        return fail(
            mark.0,
            format!("has a range from {low} to {high} for tensor '{tensor}', which is none"),
        );
    }
    let range = Range { low, high };
    let mut grid = match settings.is_symmetric {
        true => Grid::signed(range),
        false => Grid::unsigned(range),
    };
    if settings.is_power_of_two {
        grid = grid.with_power_of_two();
    }
    set(mark, &[grid.scale], grid.zero, settings.is_symmetric);
    Ok(())
}

fn weight(mark: Simulated, settings: &Settings) -> PassResult {
    let mut groups = groups_of_weight(mark, mark.source())?;
    if !settings.is_per_channel {
        groups = vec![groups.concat()];
    }
    let scales = scales_of_weight(&groups, settings.method, settings.is_power_of_two);
    set(mark, &scales, 0, true);
    Ok(())
}

fn groups_of_weight(mark: Simulated, weight: Value) -> Result<Vec<Vec<f32>>, PassFailed> {
    let Some(groups) = groups_along(weight, mark.axis()) else {
        return fail(
            mark.0,
            "marks a weight that is no constant of f32; run fold-constant first",
        );
    };
    if groups.iter().flatten().any(|number| !number.is_finite()) {
        return fail(
            mark.0,
            "marks a weight with a NaN or an infinite element, which no scale fits; keep its product float",
        );
    }
    Ok(groups)
}

fn set(mark: Simulated, scales: &[f64], zero: i64, is_signed: bool) {
    let first = if is_signed { -128 } else { 0 };
    mark.set(scales, (first - zero, first + 255 - zero), is_signed);
}
