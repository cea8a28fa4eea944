//! AutoTVM's log: a line of JSON for each trial, with a template's name, its arguments and its configuration.

use super::{
    result::seconds,
    workload::{Conv, Workload},
};
use serde_json::Value as Json;
use std::collections::BTreeMap;

/// A trial.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// The template, such as `conv2d_NCHWc.x86`.
    pub template: String,
    /// What it computes.
    pub workload: Workload,
    /// The sizes of the loops that each `tile_...` cuts a loop into, the outermost first.
    pub splits: BTreeMap<String, Vec<i64>>,
    /// The entities that are no splits, such as `unroll_kw=true`.
    pub others: Vec<String>,
    /// The mean of the seconds that it took.
    pub seconds: f64,
}

/// The templates that are read.
const CONV: &str = "conv2d_NCHWc.x86";
const DEPTHWISE: &str = "depthwise_conv2d_NCHWc.x86";
const DENSE: &str = "dense_pack.x86";

/// Reads a line.
///
/// # Errors
/// What is wrong with it, or is not known.
pub fn read(json: &Json) -> Result<Trial, String> {
    let version = json["version"].as_f64();
    if version != Some(0.2) {
        let version = version.map_or("no version".into(), |it| format!("version {it}"));
        return Err(format!("is of {version} of AutoTVM's log, expected 0.2"));
    }
    let input = json["input"].as_array().map(Vec::as_slice);
    let Some([_, Json::String(template), arguments, ..]) = input else {
        return Err("has no input of a target, a template and its arguments".into());
    };
    let arguments = arguments
        .as_array()
        .ok_or("has arguments that are no list")?;
    let workload = match &template[..] {
        CONV | DEPTHWISE => Workload::Conv(conv(arguments, template == DEPTHWISE)?),
        DENSE => dense(arguments)?,
        other => {
            return Err(format!(
                "is of template {other}, expected {CONV}, {DEPTHWISE} or {DENSE}"
            ));
        }
    };
    let (splits, others) = entities(&json["config"]["entity"])?;
    Ok(Trial {
        template: template.clone(),
        workload,
        splits,
        others,
        seconds: seconds(&json["result"])?,
    })
}

type Entities = (BTreeMap<String, Vec<i64>>, Vec<String>);

/// The splits of a configuration, and what else it has.
fn entities(list: &Json) -> Result<Entities, String> {
    let (mut splits, mut others) = (BTreeMap::new(), Vec::new());
    let list = list
        .as_array()
        .ok_or("has no config with a list of entities")?;
    for entity in list {
        let parts = entity.as_array().map(Vec::as_slice);
        let Some([Json::String(name), Json::String(tag), value]) = parts else {
            return Err(format!(
                "has an entity that is no [name, tag, value]: {entity}"
            ));
        };
        match &tag[..] {
            "sp" => {
                let sizes = numbers(value).filter(|sizes| !sizes.is_empty());
                let sizes = sizes.ok_or_else(|| format!("has a split of no sizes: {entity}"))?;
                splits.insert(name.clone(), sizes);
            }
            "re" | "an" | "ot" => others.push(format!("{name}={value}")),
            other => return Err(format!("has an entity of unknown tag '{other}': {entity}")),
        }
    }
    Ok((splits, others))
}

fn numbers(list: &Json) -> Option<Vec<i64>> {
    list.as_array()?.iter().map(Json::as_i64).collect()
}

/// The shape and the type of the elements of a tensor.
fn tensor(argument: Option<&Json>) -> Result<(Vec<i64>, String), String> {
    let parts = argument.and_then(Json::as_array).map(Vec::as_slice);
    let read = match parts {
        Some([Json::String(tag), shape, Json::String(element)]) if tag == "TENSOR" => {
            numbers(shape).map(|shape| (shape, element.clone()))
        }
        _ => None,
    };
    let (shape, element) = read.ok_or("has an argument that is no tensor with a known shape")?;
    if shape.iter().any(|extent| *extent <= 0) {
        return Err("has a tensor without elements".into());
    }
    let elements = shape
        .iter()
        .try_fold(1_i64, |all, extent| all.checked_mul(*extent));
    match elements {
        Some(_) => Ok((shape, element)),
        None => Err("has a tensor of more than 2^63 elements".into()),
    }
}

/// A number twice, or two numbers.
fn two(argument: Option<&Json>) -> Option<[i64; 2]> {
    let argument = argument?;
    if let Some(both) = argument.as_i64() {
        return Some([both; 2]);
    }
    numbers(argument)?.try_into().ok()
}

/// The arguments of a convolution: data, weight, strides, padding, dilation, layouts and the type of the result.
fn conv(arguments: &[Json], is_depthwise: bool) -> Result<Conv, String> {
    let (data, element) = tensor(arguments.first())?;
    let (weight, _) = tensor(arguments.get(1))?;
    // Channels may be in blocks already.
    let data = match data[..] {
        [n, c, h, w] => [n, c, h, w],
        [n, c, h, w, block] => [n, c * block, h, w],
        _ => return Err(format!("has data of {} dimensions", data.len())),
    };
    let weight = match weight[..] {
        [o, i, h, w] => [o, i, h, w],
        [o, i, h, w, in_block, out_block] => [o * out_block, i * in_block, h, w],
        _ => return Err(format!("has a weight of {} dimensions", weight.len())),
    };
    let strides = two(arguments.get(2)).ok_or("has no strides")?;
    let dilation = two(arguments.get(4)).ok_or("has no dilation")?;
    let padding = arguments.get(3).and_then(|padding| {
        let reach = [0, 1].map(|dim| {
            (weight[dim + 2] - 1)
                .saturating_mul(dilation[dim])
                .saturating_add(1)
        });
        widths(padding, reach)
    });
    Ok(Conv {
        is_depthwise,
        data,
        weight,
        strides,
        padding: padding.ok_or("has a padding that is not known")?,
        dilation,
        element,
    })
}

/// The padding above, on the left, below and on the right, of windows that reach so far: as TVM's `get_pad_tuple` has it.
fn widths(padding: &Json, reach: [i64; 2]) -> Option<[i64; 4]> {
    let of_both = |[height, width]: [i64; 2]| {
        let (top, left) = (height - height / 2, width - width / 2);
        [top, left, height - top, width - left]
    };
    match padding.as_str() {
        Some("VALID") => return Some([0; 4]),
        Some("SAME") => return Some(of_both(reach.map(|reach| reach.saturating_sub(1)))),
        Some(_) => return None,
        None => {}
    }
    if let Some([height, width]) = two(Some(padding)) {
        return Some([height, width, height, width]);
    }
    numbers(padding)?.try_into().ok()
}

/// The arguments of a dense layer: data, weight, bias and the type of the result.
fn dense(arguments: &[Json]) -> Result<Workload, String> {
    let (data, element) = tensor(arguments.first())?;
    let (weight, _) = tensor(arguments.get(1))?;
    let [rows, depth] = data[..] else {
        return Err(format!("has data of {} dimensions", data.len()));
    };
    let columns = match weight[..] {
        [columns, _] => columns,
        [blocks, _, block] => blocks * block,
        _ => return Err(format!("has a weight of {} dimensions", weight.len())),
    };
    Ok(Workload::Dense {
        rows,
        columns,
        depth,
        element,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn padding_is_as_tvm_has_it() {
        assert_eq!(widths(&json!(1), [3, 3]), Some([1; 4]));
        assert_eq!(widths(&json!([1, 2]), [3, 3]), Some([1, 2, 1, 2]));
        assert_eq!(widths(&json!([1, 2, 3, 4]), [3, 3]), Some([1, 2, 3, 4]));
        assert_eq!(widths(&json!("VALID"), [3, 3]), Some([0; 4]));
        // The larger half comes first.
        assert_eq!(widths(&json!("SAME"), [3, 4]), Some([1, 2, 1, 1]));
        assert_eq!(widths(&json!([1, 2, 3]), [3, 3]), None);
    }

    #[test]
    fn extents_that_no_machine_has_are_refused() {
        let of = |shape: Json| tensor(Some(&json!(["TENSOR", shape, "float32"])));
        assert!(of(json!([1, 2, 3])).is_ok());
        assert!(of(json!([1, i64::MAX, 1, 1, 2])).is_err());
        assert!(of(json!([1, 0])).is_err());
        assert_eq!(
            widths(&json!("SAME"), [i64::MIN, 3]).map(|it| it[1]),
            Some(1)
        );
    }

    #[test]
    fn wrong_entities_are_named() {
        assert!(entities(&json!([["tile", "sp", []]])).is_err_and(|it| it.contains("no sizes")));
        assert!(entities(&json!([["tile", "xx", 1]])).is_err_and(|it| it.contains("'xx'")));
        assert!(entities(&json!([["tile", "sp"]])).is_err_and(|it| it.contains("no [name")));
    }
}
