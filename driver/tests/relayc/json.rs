//! What `--json` prints is what docs/json.md says.

use super::{relayc, workspace};
use serde_json::Value;
use std::{collections::BTreeSet, fs};

/// The keys of the table below a heading of the page.
fn documented(heading: &str) -> BTreeSet<String> {
    let page = fs::read_to_string(workspace().join("docs/json.md")).unwrap();
    let section = page
        .split("\n## ")
        .find(|section| section.starts_with(heading));
    let rows = section.unwrap().lines().filter_map(|line| {
        let key = line.strip_prefix("| `")?.split('`').next()?;
        Some(key.to_owned())
    });
    rows.collect()
}

/// Objects that have a row of their own, beside those of their keys, because they may be `null`.
const MAY_BE_NULL: &[&str] = &[
    "latency",
    "machine",
    "nodes[].bound",
    "first",
    "chaos",
    "weights",
    "accuracy",
    "layers[].alone",
];

/// The keys of a document, of all elements of a list together. `names` are the objects whose keys are names of
/// the model's.
fn keys(value: &Value, place: &str, names: &[&str], found: &mut BTreeSet<String>) {
    match value {
        Value::Object(object) if names.contains(&place) => {
            for value in object.values() {
                keys(value, &format!("{place}{{}}"), names, found);
            }
        }
        Value::Object(object) => {
            if MAY_BE_NULL.contains(&place) {
                found.insert(place.to_owned());
            }
            for (key, value) in object {
                let dot = if place.is_empty() { "" } else { "." };
                keys(value, &format!("{place}{dot}{key}"), names, found);
            }
        }
        Value::Array(list) if list.is_empty() => {
            found.insert(format!("{place}[]"));
        }
        Value::Array(list) => {
            for value in list {
                keys(value, &format!("{place}[]"), names, found);
            }
        }
        _ => {
            found.insert(place.to_owned());
        }
    }
}

/// Checks what a command line prints against the table below `heading`.
fn check(heading: &str, words: &str) {
    check_all(heading, &[words]);
}

/// As [`check`], of what several print together: a list that is empty in one has elements in another.
fn check_all(heading: &str, commands: &[&str]) {
    let mut found: BTreeSet<String> = commands
        .iter()
        .flat_map(|words| printed_keys(words))
        .collect();
    let all = found.clone();
    let has_elements = |list: &str| {
        all.iter()
            .any(|key| key.len() > list.len() && key.starts_with(list))
    };
    found.retain(|key| !key.ends_with("[]") || !has_elements(key));
    assert_eq!(found, documented(heading), "{commands:?}");
}

/// The keys of what a command line prints.
fn printed_keys(words: &str) -> BTreeSet<String> {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let words = words.replace("EXAMPLES", &workspace().join("examples").to_string_lossy());
    let layer = workspace().join("examples/tour/layer.mlir");
    for (library, target) in [("LIBRARY.so", "native"), ("gpu.so", "cuda")] {
        if words.contains(library) {
            let layer = layer.display();
            let command = format!("compile {layer} --target {target} -o {library}");
            relayc(folder.path(), &command);
        }
    }
    fs::write(folder.path().join("named.mlir"), NAMED).unwrap();
    fs::write(folder.path().join("rounded.mlir"), rounded("0.0")).unwrap();
    fs::write(folder.path().join("otherwise.mlir"), rounded("0.02")).unwrap();
    if words.contains("open.so") {
        fs::write(folder.path().join("open.mlir"), OPEN).unwrap();
        relayc(folder.path(), "compile open.mlir -o open.so");
    }
    fs::write(
        folder.path().join("errors.onnx"),
        super::several_errors(true),
    )
    .unwrap();
    let printed = relayc(folder.path(), &words);
    let json = printed.split_once('\n').unwrap().1;
    let json = serde_json::Deserializer::from_str(json)
        .into_iter::<Value>()
        .next();
    let json = json
        .unwrap()
        .unwrap_or_else(|error| panic!("{error}: {printed}"));
    let mut found = BTreeSet::new();
    keys(&json, "", &["operators"], &mut found);
    found
}

/// A model whose node has a name.
const NAMED: &str = r#"
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = relay.nn.relu %x : (tensor<4xf32>) -> tensor<4xf32> loc("activation")
  return %0 : tensor<4xf32>
}
"#;

/// A model that rounds, and a reference that rounds otherwise; a small difference becomes a great one.
fn rounded(moved: &str) -> String {
    format!(
        r#"
func.func @main(%x: tensor<8xf32> {{relay.name = "x"}}) -> tensor<8xf32> {{
  %step = relay.constant dense<0.125> : tensor<f32>
  %zero = relay.constant dense<0> : tensor<i32>
  %moved = relay.constant dense<{moved}> : tensor<f32>
  %gain = relay.constant dense<1000.0> : tensor<f32>
  %0 = relay.add %x, %moved : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32> loc("{moved} more")
  %1 = relay.qnn.quantize %0, %step, %zero {{out_dtype = i8}} : (tensor<8xf32>, tensor<f32>, tensor<i32>) -> tensor<8xi8> loc("rounded")
  %2 = relay.qnn.dequantize %1, %step, %zero : (tensor<8xi8>, tensor<f32>, tensor<i32>) -> tensor<8xf32> loc("floats")
  %3 = relay.multiply %2, %gain : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32> loc("great")
  return %3 : tensor<8xf32>
}}
"#
    )
}

/// A model with open dimensions that must be equal.
const OPEN: &str = r#"
module attributes {relay.symbols = {m = array<i64: 1, 64, 1, 16>, n = array<i64: 1, 64, 1, 16>}} {
  func.func @main(%x: tensor<?xf32, ["n"]> {relay.donated = 0 : i64}, %y: tensor<?xf32, ["m"]>) -> tensor<?xf32, ["m"]> {
    %0 = relay.add %x, %y : (tensor<?xf32, ["n"]>, tensor<?xf32, ["m"]>) -> tensor<?xf32, ["m"]>
    return %0 : tensor<?xf32, ["m"]>
  }
}
"#;

#[test]
fn json_has_the_keys_that_its_page_says() {
    check(
        "`relayc compile MODEL`",
        "compile EXAMPLES/digits/digits.onnx -o digits.so --json",
    );
    let commands = ["inspect errors.onnx --json", "inspect named.mlir --json"];
    check_all("`relayc inspect MODEL`", &commands);
    let commands = [
        "diff named.mlir --json --insert-pass inject-fault{node=activation}",
        "diff rounded.mlir --json --ref otherwise.mlir",
    ];
    check_all("`relayc diff MODEL`", &commands);
    let commands = [
        "inspect LIBRARY.so --json",
        "inspect open.so --json",
        "inspect gpu.so --json",
    ];
    check_all("`relayc inspect LIBRARY.so`", &commands);
    check("`relayc run MODEL`", "run LIBRARY.so --json --print-time");
    check(
        "`relayc bench MODEL`",
        "bench EXAMPLES/tour/layer.mlir --json --explain --repeat 2 --threads 1",
    );
    check(
        "`relayc quantize MODEL`",
        "quantize EXAMPLES/digits/digits.onnx --data EXAMPLES/digits/image.npz --metric error --json -o q.mlir",
    );
    check(
        "`relayc bench --machine`",
        "bench --machine --json --threads 1",
    );
}
