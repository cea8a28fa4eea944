//! What `relayc` prints. The snapshots hold it.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on says where")]

mod errors;
mod json;
mod page;
mod programs;

use insta::assert_snapshot;
use std::{fs, path::Path, process::Command};

/// What command lines with these words print to both streams, when they run in `folder`, which is left out.
fn session(folder: &Path, lines: &[&str]) -> String {
    let printed: Vec<String> = lines.iter().map(|words| relayc(folder, words)).collect();
    printed
        .join("\n")
        .replace(&format!("{}/", folder.display()), "")
}

fn relayc(folder: &Path, words: &str) -> String {
    relayc_with("", folder, words)
}

/// The same with environment variables: `A=1 B=2`.
fn relayc_with(variables: &str, folder: &Path, words: &str) -> String {
    let variables = variables.split_whitespace();
    let output = Command::new(env!("CARGO_BIN_EXE_relayc"))
        .envs(variables.filter_map(|variable| variable.split_once('=')))
        .args(words.split_whitespace())
        .current_dir(folder)
        .output()
        .unwrap();
    let printed = [output.stdout, output.stderr].concat();
    let printed = String::from_utf8(printed).unwrap();
    format!("$ relayc {words}\n{printed}")
}

/// The folder of the workspace.
fn workspace() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

/// An ONNX model with a node that does not fit, and before it, on request, one of an operator that nobody knows.
fn several_errors(unsupported: bool) -> Vec<u8> {
    use prost::Message;
    use relay_import::onnx::proto;
    let names = |names: &[&str]| names.iter().map(ToString::to_string).collect::<Vec<_>>();
    let axes = |name: &str, ints: &[i64]| proto::Attribute {
        name: name.into(),
        ints: ints.to_vec(),
        kind: 7,
        ..Default::default()
    };
    let node = |op_type: &str, input: &str, output: &str, attribute| proto::Node {
        input: names(&[input]),
        output: names(&[output]),
        op_type: op_type.into(),
        attribute: vec![attribute],
        ..Default::default()
    };
    let dim = proto::Dimension {
        value: Some(4),
        param: None,
    };
    let tensor = proto::TensorType {
        elem_type: 1,
        shape: Some(proto::Shape { dim: vec![dim] }),
    };
    let port = |name: &str| proto::ValueInfo {
        name: name.into(),
        ty: Some(proto::ValueType {
            tensor: Some(tensor.clone()),
            ..Default::default()
        }),
    };
    let graph = proto::Graph {
        node: vec![
            if unsupported {
                node("Whirl", "x", "y", axes("speeds", &[2]))
            } else {
                node("Transpose", "x", "y", axes("perm", &[0]))
            },
            node("Transpose", "x", "z", axes("perm", &[9])),
        ],
        input: vec![port("x")],
        output: vec![port("y"), port("z")],
        ..Default::default()
    };
    let model = proto::Model {
        ir_version: 8,
        graph: Some(graph),
        opset_import: vec![proto::OperatorSet {
            domain: String::new(),
            version: 18,
        }],
        ..Default::default()
    };
    model.encode_to_vec()
}

#[test]
fn help_says_what_there_is() {
    let lines = [
        "--help",
        "compile --help",
        "run -h",
        "inspect -h",
        "diff -h",
        "bench -h",
        "candidates -h",
        "quantize -h",
        "refit -h",
        "explain -h",
        "explain",
        "runtime -h",
        "completions -h",
    ];
    assert_snapshot!(session(workspace(), &lines));
}

#[test]
fn inspect_says_what_is_in_a_model() {
    let lines = [
        "inspect examples/digits/digits.onnx",
        "inspect examples/tour/layer.mlir",
    ];
    assert_snapshot!(session(workspace(), &lines));
}

#[test]
fn wrong_options_are_refused() {
    let lines = [
        "assemble model.onnx",
        "compile",
        "compile model.onnx --opt-level 4",
        "compile model.onnx --precision fp8",
        "compile model.onnx --shape x",
        "compile model.onnx --shape x=1,-2",
        "compile model.onnx --target nothing-unknown-none",
        "compile model.onnx --target x86-64-v3,x86-64-v4 --emit asm",
        "bench model.onnx --machine",
        "bench model.onnx --target x86-64-v3,x86-64-v4",
    ];
    assert_snapshot!(session(workspace(), &lines));
}

/// A model whose convolution has weights for another number of channels.
const WRONG_SHAPES: &str = "\
func.func @main(%x: tensor<1x3x8x8xf32>, %w: tensor<4x5x3x3xf32>) -> tensor<1x4x6x6xf32> {
  %0 = relay.nn.conv2d %x, %w : (tensor<1x3x8x8xf32>, tensor<4x5x3x3xf32>) -> tensor<1x4x6x6xf32>
  return %0 : tensor<1x4x6x6xf32>
}
";

/// A model with an operator that is not there.
const UNKNOWN_OPERATOR: &str = "\
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = relay.frobnicate %x : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
";

#[test]
fn files_that_do_not_fit_are_named() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let files = [
        ("text.onnx", "no model"),
        ("text.txt", "no model"),
        ("text.so", "no model"),
        ("wrong_shapes.mlir", WRONG_SHAPES),
        ("unknown_operator.mlir", UNKNOWN_OPERATOR),
        ("no_function.mlir", ""),
    ];
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let lines = [
        "compile missing.onnx",
        "compile text.onnx",
        "compile text.txt",
        "compile wrong_shapes.mlir",
        "compile unknown_operator.mlir",
        "compile no_function.mlir",
        "inspect missing.so",
        "inspect text.so",
        "run text.so",
        "refit text.txt",
    ];
    assert_snapshot!(session(folder.path(), &lines));
}

#[test]
fn what_cannot_be_written_is_said_before_any_work() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    fs::create_dir(folder.path().join("folder.so")).unwrap();
    // There is no model: that would be the first error if any work were done.
    let lines = [
        "compile missing.onnx -o nowhere/model.so",
        "compile missing.onnx -o folder.so",
        "compile missing.onnx -o /proc/model.so",
        "run missing.onnx --outputs nowhere/out.npz",
        "candidates missing.onnx -o nowhere/times.json",
    ];
    assert_snapshot!(session(folder.path(), &lines));
}

#[test]
fn quiet_says_nothing_and_verbose_says_how_long_stages_take() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let model = workspace().join("examples/tour/layer.mlir");
    let compile = |flags: &str| {
        let words = format!("{flags} compile {} -o layer.so", model.display());
        let printed = relayc(folder.path(), &words);
        printed
            .lines()
            .skip(1)
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(compile("-q"), Vec::<String>::new());
    let stages = compile("-v");
    for stage in ["ms import", "ms passes", "ms kernels", "ms link"] {
        assert!(
            stages.iter().any(|line| line.ends_with(stage)),
            "{stages:?}"
        );
    }
    assert!(
        compile("-vv")
            .iter()
            .any(|line| line.ends_with("ms lower-te"))
    );
}
